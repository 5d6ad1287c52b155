# SPDX-License-Identifier: MIT
# Both engines agree: on all shipped tests that the solver can be asked about, and on random programs with and without
# loops under models of several kinds, `-engine solve` and `-engine enumerate` give the same answer, the same
# states, the same flags of undefined behaviour, and say of the same tests that a bound on loops has cut executions; and
# `progress` says of the same that they do not end.  (tests/run compares the solver with the naive engine.)
# ENGINES_TESTS and ENGINES_SEED choose other random programs.
# slow
set -u
generate="$BUILD/tests/naive/generate"
tests=${ENGINES_TESTS:-30} seed=${ENGINES_SEED:-31}
status=0
compare() { # MODEL OPTIONS FILE...
  perl - "$@" <<'END' || status=1
use strict;
use warnings;
my ($model, $options, @files) = @ARGV;
$options .= " -model $model" if $model ne 'default';
sub answers {
  my ($engine) = @_;
  my ($files, %of) = join ' ', @files;
  my $log = `litscope check -q -j 1 -fail-on nothing $options -engine $engine $files 2>"\$TMP/err"`;
  for my $entry (split /(?=^Test )/m, $log) {
    my ($name) = $entry =~ /^Test (\S+)/ or next;
    my ($answer) = $entry =~ /^((?:Loop )?(?:Ok|No)|Undecided.*|Undef)/m;
    my ($states) = $entry =~ /^States \d+\n(.*?)^(?:Loop )?(?:Ok|No)$/ms;
    $states = 'some' if $entry =~ /^Solved .* some states$/m;
    $of{$name} = [join(' ', $answer // 'nothing', sort map { s/ .*//r } $entry =~ /^Flag (\S+)/mg), $states // ''];
  }
  return %of;
}
my %counted = answers('enumerate');
my %found = answers('solve');
my ($wrong, $same) = (0, 0);
for my $test (sort keys %found) {
  my ($counted, $found) = ($counted{$test}, $found{$test});
  my $states = $found->[1] eq 'some' || $found->[1] eq $counted->[1];
  next if $counted->[0] eq $found->[0] && $states && ++$same;
  print "$test under $model: enumerate says '@$counted', solve '@$found'\n";
  $wrong = 1;
}
print "nothing was compared under $model\n" if !$same;
exit($wrong || !$same);
END
}
# The search takes a loop for endless that no execution of the model comes to: it may be undecided where the solver is not.
endings() { # MODEL FILE...
  model=$1
  shift
  for engine in enumerate solve; do
    litscope progress -q -force -j 1 -model "$model" -engine $engine "$@" 2>"$TMP/err" | grep '^Progress' |
      sed 's/ model / /' >"$TMP/ends.$engine"
  done
  join -j 2 -o 1.2,1.3,2.3 "$TMP/ends.enumerate" "$TMP/ends.solve" >"$TMP/ends"
  awk -v model="$model" '$2 != $3 && $2 != "Undecided" { print $1 " under " model ": enumerate says " $2 ", solve " $3; wrong = 1 }
    $2 != "Undecided" { some[$2]++ }
    END { exit wrong || !some["Ends"] }' "$TMP/ends" || status=1
}
for folder in c11 opencl rsp ptx vulkan museum loops kernels; do
  files=$(ls litmus/$folder/*.litmus litmus/$folder/*.spvasm 2>/dev/null | grep -v 'Lock_TTAS\|Queue_1_3')    # too many paths to be tried here
  compare default '' $files
done
for entry in 'c:rc11 sc' 'opencl:opencl opencl-rsp hrf-indirect rc11-scoped' 'c -waits yes:rc11 sc' 'opencl -waits yes:rc11-scoped' \
  'opencl -circles yes:opencl-rsp' 'ptx:ptx ptx-v6.0' 'vulkan:vulkan'; do
  language=${entry%%:*}
  folder="$TMP/$(echo "$language" | tr -d ' -')"
  mkdir "$folder"
  # shellcheck disable=SC2086
  "$generate" -language $language -o "$folder" "$seed" "$tests"
  for model in ${entry#*:}; do
    compare "$model" -force "$folder"/*.litmus
    case $language in *waits*|ptx|vulkan) endings "$model" "$folder"/*.litmus ;; esac
  done
done
for entry in rc11:c11 opencl-rsp:museum ptx:ptx; do endings "${entry%%:*}" litmus/"${entry#*:}"/*.litmus; done
# Quotients and remainders of what is read: of either sign, by zero, of the largest numbers.
mkdir "$TMP/divided"
perl - "$TMP/divided" <<'END'
use strict;
use warnings;
use integer;
my ($folder) = @ARGV;
my @values = (0, 1, -1, 2, -2, 3, 7, -7, 100, 2147483647, -2147483648, 4611686018427387904, 9223372036854775807);
srand 3;
for my $k (0 .. 39) {
  my ($a, $b, $word) = ($values[rand @values], $values[rand @values], ('/', '%')[rand 2]);
  my $result = !$b ? 0 : $b == -1 ? ($word eq '/' ? -$a : 0) : $word eq '/' ? $a / $b : $a % $b;
  $result += $k % 3 == 0;
  open my $out, '>', "$folder/$k.litmus" or die;
  print $out <<"TEST";
C divided-$k
{ [x]=0; [y]=1; long z = 0; }
P0 (atomic_long *x, atomic_long *y, long *z) {
  long r0 = atomic_load_explicit(x, memory_order_relaxed);
  long r1 = atomic_load_explicit(y, memory_order_relaxed);
  *z = r0 $word r1;
}
P1 (atomic_long *x, atomic_long *y) {
  atomic_store_explicit(x, $a, memory_order_relaxed);
  atomic_store_explicit(y, $b, memory_order_relaxed);
}
exists ([z]=$result)
TEST
}
END
compare rc11 '' "$TMP"/divided/*.litmus
# Eight threads, too many for the search: a ticket lock, with and without what it needs, a barrier, and counters.
perl - "$TMP" <<'END'
use strict;
use warnings;
my ($folder) = @ARGV;
my $n = 8;
sub test {
  my ($name, $init, $parameters, $condition, @bodies) = @_;
  open my $out, '>', "$folder/$name.litmus" or die;
  print $out "C $name\n{ $init }\n", (map { "P$_ ($parameters) {\n$bodies[$_]}\n" } 0 .. $#bodies), "forall ($condition)\n";
}
for my $kind (['ticket', 'acquire', 'release'], ['ticket_relaxed', 'relaxed', 'release']) {
  my ($name, $load, $store) = @$kind;
  my $read = "atomic_load_explicit(serving, memory_order_$load)";
  test($name, '[next]=0; [serving]=0; [x]=0;', 'atomic_int *next, atomic_int *serving, int *x', "[x]=$n",
    ("  int t = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);\n  int s = $read;\n" .
     "  while (s != t) { s = $read; }\n  int v = *x;\n  *x = v + 1;\n" .
     "  atomic_store_explicit(serving, t + 1, memory_order_$store);\n") x $n);
}
my $cells = join ' ', map { "[x$_]=0;" } 0 .. $n - 1;
for my $kind (['barrier', 'acq_rel'], ['barrier_relaxed', 'relaxed']) {
  my ($name, $order) = @$kind;
  test($name, "[b]=0; $cells [bad]=0;", 'atomic_int *b, ' . join(' ', map { "atomic_int *x$_," } 0 .. $n - 1) . ' atomic_int *bad',
    '[bad]=0', map {
      my $other = ($_ + 1) % $n;
      my $read = 'atomic_load_explicit(b, memory_order_acquire)';
      "  atomic_store_explicit(x$_, 1, memory_order_relaxed);\n  int t = atomic_fetch_add_explicit(b, 1, memory_order_$order);\n" .
      "  int s = $read;\n  while (s != $n) { s = $read; }\n  int v = atomic_load_explicit(x$other, memory_order_relaxed);\n" .
      "  if (v != 1) { atomic_store_explicit(bad, 1, memory_order_relaxed); }\n"
    } 0 .. $n - 1);
}
my $add = "  atomic_fetch_add_explicit(c, 1, memory_order_relaxed);\n";
test('counters', '[c]=0;', 'atomic_int *c', '[c]=' . 2 * $n, ($add x 2) x $n);
END
# Threads that are alike, of which only some write: twelve try a lock once, eleven steal two tasks, five read, four count a
# semaphore down in loops; and a queue lock, which branches on who was there before and who comes behind.
perl -Itests/bench -MPrograms -e 'print Programs::test("readers", 6)' >"$TMP/readers.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("semaphore", 4)' >"$TMP/semaphore.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("try", 12)' >"$TMP/try.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("thieves", 12)' >"$TMP/thieves.litmus"
perl -Itests/bench -MPrograms -e 'print Programs::test("queue", 4)' >"$TMP/queue.litmus"
litscope check -q -engine solve -fail-on nothing "$TMP"/*.litmus | grep -e '^Test' -e '^Ok' -e '^Loop' -e '^No' -e '^Flag' >"$TMP/large"
cat >"$TMP/answers" <<'END'
Test barrier Required
Ok
Test barrier_relaxed Required
No
Test counters Required
Ok
Test queue4 Required
Ok
Test readers6 Required
Ok
Test semaphore4 Required
Ok
Test thieves12 Required
Ok
Test ticket Required
Ok
Test ticket_relaxed Required
No
Flag data_race
Test try12 Required
No
END
diff "$TMP/answers" "$TMP/large" || status=1
exit $status
