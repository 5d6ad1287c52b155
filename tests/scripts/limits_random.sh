# SPDX-License-Identifier: MIT
# slow
# Shipped tests under random limits, in every mode: the answer is the one without limits, or none, which says
# `Undecided` and ends with status 3.  LIMITS_ROUNDS (default 150) and LIMITS_SEED choose more, and others.
exec perl -- - "$TMP" "${LIMITS_ROUNDS:-150}" "${LIMITS_SEED:-21}" <<'PERL'
use strict;
use warnings;
my ($folder, $rounds, $seed) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my @gpu = (glob('litmus/rsp/*.litmus'), glob('litmus/opencl/*.litmus'));
my @all = (@gpu, map { glob("litmus/$_/*.litmus") } qw(c11 hsa ptx vulkan loops));
# A mode, its tests, and the limits that it knows beside -timeout and -max-memory.
my @modes = (
  ['check', \@all, 'events'], ['check -why', \@all, 'events'], ['check -speedcheck true', \@all, 'events'],
  ['check -awaits', \@all, 'events'], ['check -j 2', \@all, 'events'], ['check -model sc,opencl,opencl-rsp', \@gpu, 'events'],
  ['explore -mapping rsp-original', \@gpu, 'states'], ['explore -machine sc', \@gpu, 'states'],
  ['verify -mapping rsp-original', \@gpu, 'states', 'events'], ['verify -mapping rsp-corrected', \@gpu, 'states', 'events'],
  ['verify -strict -mapping rsp-original', \@gpu, 'states', 'events'], ['progress -scheduler fair,obe', \@gpu, 'states', 'events'],
  ['cost mapping -mapping rsp-original', \@gpu, 'states']);
my %limit = (
  timeout => sub { any(0.0001, 0.001, 0.005, 0.02) }, memory => sub { any(1, 2, 4) },
  events => sub { 1 + draw(14) }, states => sub { any(1, 5, 50, 400, 3000) });

# The output with times taken out, and the status.
sub run {
  my ($command) = @_;
  my $out = `$command 2>$folder/err`;
  my $status = $? & 127 ? -1 : $? >> 8;
  $out =~ s/^(Time \S+) .*/$1/mg;
  # Of several shortest runs a limit may choose another.
  $out =~ s/^ +\d+  .*\n//mg;
  # Of reasons that a limit cut short it is said that they are; the verdict stands.
  $out =~ s/^Why .*//ms if $out =~ /the search was cut by a limit/;
  return ($out, $status);
}

# Lines that answer.
sub answers { return grep { /^(?:Observation|Verify|Progress|Verdicts)\b/ && !/Undecided/ } split /\n/, $_[0] }

my ($failed, $met) = (0, 0);
for my $round (1 .. $rounds) {
  my ($mode, $tests, @limits) = @{any(@modes)};
  my $test = any(@$tests);
  my %chosen = map { $_ => 1 } any('timeout', 'memory', @limits), draw(3) ? () : any('timeout', @limits);
  my $options = join ' ', map { my $value = $limit{$_}->(); ($_ eq 'timeout' ? '-timeout' : "-max-$_") . " $value" } sort keys %chosen;
  my ($whole, $whole_status) = run("litscope $mode $test");
  next if $whole_status == 3;    # the command's own limits were met
  my ($out, $status) = run("litscope $mode $options $test");
  my $said = do { local $/; open my $in, '<', "$folder/err" or die; <$in> // '' };
  $whole =~ s/^Why .*//ms if $out !~ /^Why /m;
  my %right = map { $_ => 1 } answers($whole);
  my @wrong = grep { !$right{$_} } answers($out);
  $met += $status == 3;
  my $good = $status == 3 ? !@wrong && ($out . $said) =~ /limit|Undecided/ : $status == $whole_status && $out eq $whole;
  next if $good;
  $failed = 1;
  print "litscope $mode $options $test: status $status, without limits $whole_status\n$said@wrong\n$out";
}
print "only $met of $rounds runs met their limit\n" if $met * 10 < $rounds;
exit($failed || $met * 10 < $rounds);
PERL
