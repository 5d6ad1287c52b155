# SPDX-License-Identifier: MIT
# Awaits are cut exactly: what `-rounds new` leaves out shows no outcome and no race.  Random programs in which one or
# two threads wait for what the others store (loads, exchanges, compare-and-swaps and increments of every kind, with
# payload, fences and further reads inside the loop) have the same states and are undefined under the same models as
# with loops unrolled four times, more often than these have writes to see; and more unrolling of shipped tests never
# finds a state that was not there.  So it is with `-rounds fold`, under models that let failed rounds go, of all programs
# or (opencl, opencl-rsp) of some, also of compare-and-swaps that go on with what they have seen.  AWAITS_TESTS and AWAITS_SEED choose others.  (Loops that keep in a
# register what they have read, beyond their own condition, are no awaits: they are cut, and left out here.)
# slow
set -u
tests=${AWAITS_TESTS:-24}
mkdir "$TMP/random"
perl - "$tests" "$TMP/random" <<'EOF'
use strict;
use warnings;
my ($count, $folder) = @ARGV;
my $seed = $ENV{AWAITS_SEED} // 14;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }
sub scope { return 'memory_scope_' . any('device', 'device', 'work_group') }
sub order { return 'memory_order_' . any(@_) }
sub remote { return any('', '', '_remote') }

sub store {
  my $kind = draw(6);
  return '*x = ' . (1 + draw(2)) . ';' if $kind == 0;
  return 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ' . order('release', 'acquire', 'acq_rel') . ', ' . scope() . ');'
    if $kind == 1;
  return 'atomic_fetch_add_explicit' . remote() . '(y, 1, ' . order('relaxed', 'acquire', 'acq_rel') . ', ' . scope() . ');'
    if $kind == 2;
  return 'atomic_store_explicit' . remote() . '(y, ' . draw(3) . ', ' . order('relaxed', 'release') . ', ' . scope() . ');';
}

# Goes on with what the compare-and-swap has seen.
sub carry {
  my $order = order('relaxed', 'acquire');
  my $other = draw(6) ? $order : order('relaxed', 'acquire');
  return "r3 = atomic_load_explicit(y, $order, memory_scope_device); " .
    'while (!atomic_compare_exchange_strong_explicit(y, &r3, ' . any('r3 + 1', 'r3 + 1', '2') . ', ' .
    order('acquire', 'acq_rel') . ", $other, memory_scope_device)) { " . any('', '', '', 'r1 = *x;') . ' }';
}

sub await {
  my $test = any('!= 1', '== 0', '< 2', '!= 2');
  my $inside = any('', '', 'r1 = *x;', 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, ' . scope() . ');',
    'r2 = atomic_load_explicit(y, ' . order('relaxed', 'acquire') . ', ' . scope() . ');');
  my $order = order('relaxed', 'acquire', 'acquire');
  my $end = ", $order, " . scope() . ')';
  my $read = any(
    ("atomic_load_explicit" . remote() . "(y$end") x 3,
    ("atomic_exchange_explicit" . remote() . "(y, 0$end") x 2,
    "atomic_fetch_or_explicit(y, 0$end",
    "atomic_compare_exchange_strong_explicit" . remote() . "(y, w, 2, $order, memory_order_" . any('relaxed', 'acquire') . ', ' . scope() . ')');
  $test = '!= 1' if $read =~ /compare/;
  return "r3 = $read; while (r3 $test) { $inside r3 = $read; }" if draw(3) == 0;
  return "while ($read $test) { $inside }";
}

# A failed round may see the message that the last one does not.
sub message {
  my ($t) = @_;
  return "*x = 1;\n  atomic_store_explicit(y, 1, " . order('relaxed', 'release', 'release') . ', ' . scope() . ');' if $t == 1;
  return 'atomic_store_explicit(y, 2, ' . order('relaxed', 'relaxed', 'release') . ', memory_scope_device);' if $t == 2;
  return 'while (atomic_load_explicit(y, ' . order('relaxed', 'acquire', 'acquire') . ', memory_scope_device) != 2) { ' .
    any('', '', 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);') .
    " }\n  " . any('', 'r1 = *x;') . "\n  int r0 = *x;";
}

for my $i (1 .. $count) {
  my $message = draw(6) == 0;
  my $threads = 2 + ($message || draw(4) == 0);
  my $text = "OpenCL T$i\n{ [x]=0; [y]=0; [w]=1; }\n";
  for my $t (0 .. $threads - 1) {
    $text .= "P$t (global int* x, global atomic_int* y, global int* w) {\n  int r1 = -1;\n  int r2 = -1;\n  int r3;\n";
    if ($message) {
      $text .= '  ' . message($t) . "\n";
    } elsif ($t == 0 || $t == 2 && draw(2)) {
      $text .= '  ' . store() . "\n" if draw(3) == 0;
      $text .= '  ' . (draw(4) ? await() : carry()) . "\n";
      $text .= "  int r0 = *x;\n" if draw(3);
      $text .= '  ' . store() . "\n" if draw(3) == 0;
    } else {
      $text .= '  ' . store() . "\n" for 0 .. 1 + ($threads == 2 ? draw(2) : 0);
    }
    $text .= "}\n";
  }
  my @trees = ('(device (work_group P0) (work_group P1' . ($threads > 2 ? ' P2' : '') . '))',
    '(device (work_group P0 P1)' . ($threads > 2 ? ' (work_group P2)' : '') . ')');
  $text .= 'scopeTree ' . any(@trees) . "\nlocations [x; y; 0:r0; 0:r1; 0:r2;]\nexists (x=7)\n";
  open my $out, '>', sprintf('%s/T%04d.litmus', $folder, $i) or die;
  print $out $text;
  close $out;
}
EOF

# The states of each test, whether it is undefined, and whether it was cut.
summary() {
  perl -ne '
    if (/^Test (\S+)/) { $name = $1; @states = (); $bad = 0; $cut = "" }
    push @states, $1 if /^(\S.*;)$/;
    $cut = "cut" if /^Loop/;
    $bad = 1 if /^Bad executions \(([1-9])/ || /^Flag undefined/;
    print join("\t", $name, $bad, $cut, join(" ", @states)), "\n" if /^Observation/'
}

fail=0
# What must be the same: ROUNDS MODEL LEAST, the fewest programs that are to be folded.
for ask in 'new opencl-rsp 0' 'new hrf-rsp 0' 'new rc11 0' 'fold opencl 3' 'fold opencl-rsp 3' 'fold amdgpu 0' 'fold rc11 9'; do
  # shellcheck disable=SC2086
  set -- $ask
  litscope check -q -model "$2" -rounds "$1" "$TMP"/random/*.litmus >"$TMP/log" 2>"$TMP/err"
  summary <"$TMP/log" >"$TMP/awaits"
  folded=$(grep -c ^Folded "$TMP/log")
  test "$folded" -ge "$3" || { echo "$ask: $folded are folded" && fail=1; }
  litscope check -q -model "$2" -rounds all -unroll 4 "$TMP"/random/*.litmus 2>"$TMP/err" | summary >"$TMP/unrolled"
  perl -e '
    my ($model, $tests, @files) = @ARGV;
    my ($whole, $undefined, $wrong) = (0, 0, 0);
    open my $a, "<", $files[0] or die;
    open my $b, "<", $files[1] or die;
    my $count = 0;
    while (my $x = <$a>) {
      my $y = <$b>;
      $count++;
      my ($name, $bad, $cut, $states) = split /\t/, $x;
      my (undef, $bad2, undef, $states2) = split /\t/, $y;
      $whole += !$cut;
      $undefined += $bad;
      next if $bad eq $bad2 && $states eq $states2;
      next if $cut;
      $wrong++;
      print "$model: $name differs\n  awaits   $bad $states  unrolled $bad2 $states2";
    }
    print "$model: $whole of $count programs are not cut\n" if $whole * 3 < $count || $count != $tests;
    print "$model: $undefined of $count are undefined\n" if $undefined < 2 || $undefined > $count - 2;
    exit($wrong || $whole * 3 < $count || $count != $tests);
  ' "$ask" "$tests" "$TMP/awaits" "$TMP/unrolled" || fail=1
done

# Shipped tests: nothing appears with more unrolling.
for unroll in 1 2 3; do
  for test in litmus/loops/Await_MP*.litmus litmus/loops/*_2.litmus litmus/loops/*_remote.litmus; do
    case $test in *TTAS* | *Deque*) continue ;; esac
    litscope check -q -unroll $unroll "$test" >"$TMP/unrolled.log" 2>"$TMP/err"
    litscope check -q -rounds new "$test" >"$TMP/awaits.log" 2>"$TMP/err"
    grep ';$' "$TMP/unrolled.log" | while read -r state; do
      grep -qxF "$state" "$TMP/awaits.log" || echo "$test: unrolled $unroll times it shows $state"
    done >"$TMP/new"
    test -s "$TMP/new" && cat "$TMP/new" && fail=1
  done
done
exit $fail
