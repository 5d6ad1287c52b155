# SPDX-License-Identifier: MIT
# The explorer and its GPU against a second machine that shares no code with them (tests/naive/gpu_machine.pl): random
# programs under random mappings and knobs have the same outcomes, and get stuck or not, with each reduction and without;
# and with a third, which litscope-certify has.
# GPU_NAIVE_TESTS and GPU_NAIVE_SEED choose others, GPU_NAIVE_STATES larger ones.
# slow
exec perl -- - "$TMP" "${GPU_NAIVE_TESTS:-15}" "${GPU_NAIVE_SEED:-7}" "${GPU_NAIVE_STATES:-3000}" <<'EOF'
use strict;
use warnings;
my ($folder, $count, $seed, $most) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my @mappings = qw(rsp-original rsp-revised rsp-corrected rsp-short-lock rsp-write-through rsp-line-lock);
my %words = (
  'write-back' => [qw(fifo any)],
  'invalidate-dirty' => [qw(mark mark skip drain drop)],
  'inc-l1-hits' => [qw(valid fresh)],
  'ld-hits-marked' => [qw(no yes)],
  'inc-hits-marked' => [qw(no yes)],
  'lock-rmw-blocks' => [qw(rmw1 rmw)],
  'lock-rmw-taken' => [qw(at-once own-first in-order)],
  'lock-line-blocks' => [qw(fetch write-back others all unflushed nothing)],
  'inc-l2-own-line' => [qw(drop keep ignore discard)],
  'evict-clean' => [qw(no no yes)]);
my @orders = map { "memory_order_$_" } qw(relaxed acquire release acq_rel);

sub operation {
  my ($register, $system) = @_;
  my $at = any('x', 'y');
  my $scope = 'memory_scope_' . any('work_group', 'device', $system ? 'all_svm_devices' : 'device');
  my $remote = $scope =~ /group/ ? '' : any('', '_remote');
  my $kind = draw(8);
  return ("*$at = " . (1 + draw(2)) . ';', 0) if $kind == 0;
  return ("int $register = *$at;", 1) if $kind == 1;
  return ("atomic_store_explicit$remote($at, " . (1 + draw(2)) . ', ' . any(@orders[0, 2]) . ", $scope);", 0) if $kind < 4;
  return ("int $register = atomic_load_explicit$remote($at, " . any(@orders[0, 1]) . ", $scope);", 1) if $kind < 6;
  return ("int $register = atomic_" . any('fetch_add', 'exchange') . "_explicit$remote($at, " . (1 + draw(2)) . ', '
    . any(@orders) . ", $scope);", 1);
}

sub program {
  my ($name) = @_;
  my $threads = 2 + (draw(5) == 0);
  my $system = draw(5) == 0;
  my ($text, @shown) = ("OpenCL $name\n{ [x]=0; [y]=0; }\n", 'x', 'y');
  for my $t (0 .. $threads - 1) {
    my ($registers, $last, $body) = (0, undef, '');
    for (0 .. ($threads == 3 ? draw(2) : 1 + draw(2))) {
      my ($line, $reads) = operation("r$registers", $system);
      if (defined $last && draw(3) == 0) {
        $line = ($reads ? "int r$registers = -1;\n  " : '') . "if ($last " . any('==', '!=') . " 0) { " . $line =~ s/^int //r . ' }';
      }
      $last = "r$registers" if $reads;
      push @shown, "$t:r$registers" if $reads;
      $registers += $reads;
      $body .= "  $line\n";
    }
    $text .= "P$t (global atomic_int* x, global atomic_int* y) {\n$body}\n";
  }
  my @trees = $threads == 2 ? ('(device (work_group P0) (work_group P1))', '(device (work_group P0 P1))')
    : ('(device (work_group P0 P1) (work_group P2))', '(device (work_group P0) (work_group P1) (work_group P2))');
  push @trees, '(device (work_group P0)) (device (work_group P1))' if $threads == 2 && $system;
  return $text . 'scopeTree ' . any(@trees) . "\nlocations [" . join(' ', map { "$_;" } @shown) . "]\nexists (true)\n";
}

sub explored {
  my ($log, @states) = (@_);
  for my $line (split /\n/, $log) {
    push @states, join ' ', sort map { "$_;" } grep { length } map { s/^\s+//r } split /;/, $line if $line =~ /^\S.*=.*;$/;
  }
  return join "\n", sort @states;
}

my ($done, $stuck, $failed) = (0, 0, 0);
for my $i (1 .. $count) {
  my $file = "$folder/T$i.litmus";
  open my $out, '>', $file or die;
  print $out program("T$i");
  close $out;
  my $mapping = any(@mappings);
  my $knobs = join ',', map { my $word = any(@{$words{$_}}); draw(2) ? "$_=$word" : () } sort keys %words;
  my $compiled = `litscope compile -mapping $mapping $file 2>&1`;
  next if $? || $compiled !~ /\S/;
  open my $text, '>', "$folder/code" or die;
  print $text $compiled;
  close $text;
  my ($size, $dead, @naive) = split /\n/, `perl tests/naive/gpu_machine.pl $most '$knobs' <$folder/code`;
  if (!defined $size) {
    print "the small machine does not run T$i\n$compiled";
    exit 1;
  }
  next if $size eq 'too many';
  # A location that no instruction touches is not in the compiled text.
  my %touched = map { $_ => 1 } ($naive[0] // '') =~ /\[(\w)\]=/g;
  $done++;
  $stuck += $dead eq 'stuck 1';
  for my $reductions ('', '-no-por', '-no-symmetry', '-no-por -no-symmetry') {
    my $option = $knobs ? "-knob $knobs" : '';
    my $certify = $reductions || $knobs =~ /evict-clean=yes/ ? '' : "-certify $folder/cert";
    my $log = `litscope explore -q -mapping $mapping $option $reductions $certify $file 2>&1`;
    my $states = join "\n", map { join ' ', grep { !/\[(\w)\]=0;/ || $touched{$1} } split / / } split /\n/, explored($log), -1;
    my $deadlocks = $log =~ /^Deadlocks [1-9]/m ? 'stuck 1' : 'stuck 0';
    my $naive = join "\n", sort map { join ' ', sort split / /, $_ } @naive;
    if ($certify && `litscope-certify $folder/cert 2>&1` !~ /^Accepted T$i /) {
      $failed = 1;
      print "T$i -mapping $mapping $option: the certificate is not accepted\n";
    }
    next if $states eq $naive && $deadlocks eq $dead;
    $failed = 1;
    print "T$i -mapping $mapping $option $reductions\nthe small machine ($size): $dead\n$naive\nthe explorer: $deadlocks\n$states\n";
    print "$compiled$log" if !$reductions;
  }
}
print "only $done of $count programs were compared, of which $stuck get stuck\n" if $done * 2 < $count || ($count >= 40 && !$stuck);
exit($failed || $done * 2 < $count || ($count >= 40 && !$stuck));
EOF
