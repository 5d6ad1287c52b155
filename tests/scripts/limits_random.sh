# SPDX-License-Identifier: MIT
# slow
# Shipped tests and small families under random limits, in every mode: the answer is the one without limits, or none,
# which says `Undecided` or names the limit and ends with status 3.  LIMITS_ROUNDS (default 60) and LIMITS_SEED choose
# more, and others.
exec perl -- - "$TMP" "${LIMITS_ROUNDS:-60}" "${LIMITS_SEED:-21}" <<'PERL'
use strict;
use warnings;
my ($folder, $rounds, $seed) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my @gpu = (glob('litmus/rsp/*.litmus'), glob('litmus/opencl/*.litmus'));
my @opencl = glob('litmus/opencl/MP*.litmus');
my @loops = glob('litmus/loops/*.litmus');
my @adsm = glob('litmus/adsm/A*.litmus');
my @all = (@gpu, map { glob("litmus/$_/*.litmus") } qw(c11 hsa ptx vulkan loops));
my @assembly = glob('tests/compilers/assembly/MP*.litmus');
my @compiled = glob('tests/compilers/*MP*.litmus');
my $target = `litscope list targets` =~ /llvm-\d/ ? 'gfx90a' : '';
# A mode, its tests, and the limits that it knows besides -timeout and -max-memory.
my @modes = (
  ['check -fail-on nothing', \@all, 'events'], ['check -fail-on nothing -why', \@all, 'events'], ['check -fail-on nothing -speedcheck true', \@all, 'events'],
  ['check -fail-on nothing -rounds new', \@all, 'events'], ['check -fail-on nothing -j 2', \@all, 'events'], ['check -fail-on nothing -model sc,opencl,opencl-rsp', \@gpu, 'events'],
  ['explore -fail-on nothing -mapping rsp-original', \@gpu, 'states'], ['explore -fail-on nothing -machine sc', \@gpu, 'states'],
  ['verify -fail-on nothing -mapping rsp-original', \@gpu, 'states', 'events'], ['verify -fail-on nothing -mapping rsp-corrected', \@gpu, 'states', 'events'],
  ['verify -fail-on nothing -strict -mapping rsp-original', \@gpu, 'states', 'events'], ['progress -scheduler fair,obe', \@gpu, 'states', 'events'],
  ['cost mapping -mapping rsp-original', \@gpu, 'states'],
  ["check -fail-on nothing -certify $folder/cert", \@all, 'events'], ["verify -fail-on nothing -certify $folder/cert -mapping rsp-original", \@gpu, 'states', 'events'],
  ['explore -fail-on nothing -mapping rsp-original -outcome true', \@gpu, 'states'], ['progress -model opencl', \@gpu, 'events'],
  ['verify -fail-on nothing -mapping opencl-ptx -model opencl', \@opencl, 'events'], ['verify -fail-on nothing', \@adsm, 'states', 'events'], ['explore -fail-on nothing', \@adsm, 'states'],
  ["report -model sc,opencl -mapping rsp-original -o $folder/page -junit $folder/junit", \@gpu, 'states', 'events'],
  ['explore -fail-on nothing', \@assembly, 'states'], ['verify -fail-on nothing -machine amo', [glob('litmus/c11/*.litmus')], 'states', 'events'],
  ['check -fail-on nothing -through all', \@opencl, 'events'], ['explore -fail-on nothing -j 2 -no-por -mapping rsp-corrected', \@opencl, 'states'],
  ['explore -fail-on nothing -compress true -mapping rsp-corrected', \@opencl, 'states'], ['explore -fail-on nothing -machine amo', [glob('litmus/c11/*.litmus')], 'states'],
  ["explore -certify $folder/cert -machine sc", \@gpu, 'states'], ["progress -certify $folder/cert", \@loops, 'states'],
  ['check -fail-on nothing -through invalid', \@opencl, 'events'], ['verify -fail-on nothing -write-back any -mapping rsp-original', \@opencl, 'states', 'events'],
  ['cost fear-check -params program=1+1', [''], 'states'], ['cost fear-network -params program=1+1,W=3,classes=1', [''], 'states'],
  ['cost adsm', \@adsm, 'states'],
  $target ? ["verify -target $target", \@compiled, 'states', 'events'] : (),
  # Families, of which there is one each: what is counted and found is as without limits, or less.
  ['verify -fail-on nothing -family 2x1 -mapping rsp-original', [''], 'states', 'events'], ['verify -fail-on nothing -family adsm,2', [''], 'states', 'events'],
  ['diff -model opencl,opencl-rsp -family 2x1', [''], 'events'], ['diff -model sc -family 2x1', [''], 'events'],
  ["synth -cells 'load.acq.dev\$' -steps 2 -family 2x1", [''], 'events'], ['verify -fail-on nothing -ablate -mapping rsp-short-lock', ['']]);
my %limit = (
  timeout => sub { any(0.0001, 0.001, 0.005, 0.02) }, memory => sub { any(1, 2, 4) },
  events => sub { 1 + draw(14) }, states => sub { any(1, 5, 50, 400, 3000) });

# The output with times taken out, and the status.  A report's answers are those of its JUnit file.
sub run {
  my ($command) = @_;
  my $out = `$command 2>$folder/err`;
  my $status = $? & 127 ? -1 : $? >> 8;
  if ($command =~ /-junit (\S+)/ && open my $in, '<', $1) {
    local $/;
    my $text = <$in>;
    $out .= "Verdicts $1 $2\n" while $text =~ /<testcase name="([^"]*)" classname="([^"]*)"[^>]*(?:\/>|>\s*<(?:failure|system-out))/g;
    unlink $1;
  }
  my $names_limit = $out =~ /limit|undecided(?! 0$)/im;
  $out =~ s/^(Time \S+) .*/$1/mg;
  # Of several shortest runs a limit may choose another.
  $out =~ s/^ +\d+  .*\n//mg;
  # Of reasons that a limit cut short it is said that they are; the verdict stands.
  $out =~ s/^Why .*//ms if $out =~ /the search was cut by a limit|not known, a limit was reached/;
  return ($out, $status, $names_limit);
}

# Lines that answer.
sub answers { return grep { /^(?:Observation|Verify|Progress|Verdicts|Sound|Certified)\b/ && !/Undecided/ } split /\n/, $_[0] }

# Of a family: what is counted, by name, and programs that are shown, which another limit may exchange for larger ones.
my %counted = map { $_ => 1 } qw(Sound Unsound Deadlock Breaking Harmless Racy);
sub more_than {
  my ($out, $whole) = @_;
  my %most = map { /^(\w+) +(\d+)$/ ? ($1, $2) : () } split /\n/, $whole;
  return grep { /^(\w+) +(\d+)$/ && $counted{$1} && $2 > ($most{$1} // 0) } split /\n/, $out;
}

my ($failed, $met) = (0, 0);
# What takes long to find out: nothing that this mapping does is needless.
my %known = ('litscope verify -ablate -mapping rsp-short-lock ' => ["Breaking 169\nHarmless 0\n", 1]);
for my $round (1 .. $rounds) {
  my ($mode, $tests, @limits) = @{any(@modes)};
  my $test = any(@$tests);
  my %chosen = map { $_ => 1 } any('timeout', 'memory', @limits), draw(3) ? () : any('timeout', @limits);
  my $options = join ' ', map { my $value = $limit{$_}->(); ($_ eq 'timeout' ? '-timeout' : "-max-$_") . " $value" } sort keys %chosen;
  %chosen = (timeout => 1) if $mode =~ /-ablate/;
  $options = '-timeout ' . any(0.02, 0.1) if $mode =~ /-ablate/;
  my ($whole, $whole_status) = @{$known{"litscope $mode $test"} //= [run("litscope $mode $test")]};
  next if $whole_status == 3;    # the command's own limits were met
  my ($out, $status, $says) = run("litscope $mode $options $test");
  my $said = do { local $/; open my $in, '<', "$folder/err" or die; <$in> // '' };
  $whole =~ s/^Why .*//ms if $out !~ /^Why /m;
  my %right = map { $_ => 1 } answers($whole);
  my @wrong = $test eq '' ? more_than($out, $whole) : grep { !$right{$_} } answers($out);
  $met += $status == 3;
  # A violation is an answer to a family, whatever else a limit hides.
  my $partly = $test eq '' && $status == 1 && $whole_status == 1 && ($says || $said =~ /limit/);
  my $good = $status == 3 || $partly ? !@wrong && ($says || $said =~ /limit|undecided/i) : $status == $whole_status && $out eq $whole;
  next if $good;
  $failed = 1;
  print "litscope $mode $options $test: status $status, without limits $whole_status\n$said@wrong\n$out";
}

# On a device, which shows what it will: that it is allowed, or that this is not known.
my @runnable = glob('litmus/c11/{SB,MP,LB}_*.litmus');
my $device = system("litscope run -q -n 10 -runs 1 $runnable[0] >$folder/out 2>&1") >> 8 != 2;
for my $round (1 .. ($device ? int($rounds / 20) : 0)) {
  my $limit = draw(2) ? '-max-events ' . (1 + draw(9)) : '-timeout ' . any(0.001, 0.004, 0.02);
  $limit .= ' -max-memory ' . any(1, 2, 4) if !draw(3);
  my ($test, $instances) = (any(@runnable), any(10, 300, 20000));
  my ($out, $status, $says) = run("litscope run $limit -n $instances -runs 1 $test");
  my $said = do { local $/; open my $in, '<', "$folder/err" or die; <$in> // '' };
  next if $status == 0 ? $out =~ /^(?:All that was seen is allowed|Undefined under)/m && !$says : $status == 3 && ($says || $said =~ /limit|did not end within/);
  $failed = 1;
  print "litscope run $limit -n $instances -runs 1 $test: status $status\n$said$out";
}
print "only $met of $rounds runs met their limit\n" if $met * 10 < $rounds;
exit($failed || $met * 10 < $rounds);
PERL
