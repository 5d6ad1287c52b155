# SPDX-License-Identifier: MIT
# The first SIGINT or SIGTERM stops the engines: what is done is printed, JSON
# is whole, and the status says that something is missing.  A signal that
# follows at once (timeout signals the process, then its group) changes nothing.
{
  echo 'OpenCL Long'
  echo '{ [x]=0; }'
  for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "P$i (global atomic_int* x) { int r = atomic_fetch_add(x, $i); }"
  done
  echo 'exists (x=99)'
} >"$TMP/enumerate.litmus"
# The solver's formula alone takes longer.
perl -e 'print "C Many\n{ [x]=0; }\n";
for my $t (0 .. 2) {
  print "P$t (atomic_int *x) {\n", (map { "  atomic_store_explicit(x, " . (80 * $t + $_) .
    ", memory_order_relaxed);\n  int r$_ = atomic_load_explicit(x, memory_order_relaxed);\n" } 1 .. 80), "}\n";
}
print "exists (0:r1=241)\n"' >"$TMP/solve.litmus"
cp "$TMP/enumerate.litmus" "$TMP/auto.litmus" # for half a second; then the solver is asked
# The second test comes through a pipe: once that is open, the first is done; the child computes on the second when the
# processor time that it had then has grown.
cat >"$TMP/send_signals" <<'END'
use strict;
use warnings;
use POSIX ();
my ($folder, $engine, @names) = @ARGV;
unlink "$folder/pipe.litmus";
POSIX::mkfifo("$folder/pipe.litmus", 0600) or die;
my $child = fork // die "fork: $!\n";
if (!$child) {
  open STDOUT, '>', "$folder/log" or die;
  open STDERR, '>', "$folder/err" or die;
  exec 'litscope', 'check', '-engine', $engine, '-j', '1', '-json', "$folder/out.json", 'litmus/rsp/RSP_Test2.litmus', "$folder/pipe.litmus";
}
open my $long, '<', "$folder/$engine.litmus" or die;
open my $pipe, '>', "$folder/pipe.litmus" or die;
open my $stat, '<', "/proc/$child/stat" or die;
my ($user, $system) = (split / /, scalar <$stat>)[13, 14];
print {$pipe} <$long>;
close $pipe or die;
system('tests/wait_for_cpu_time', $child, $user + $system + ($engine eq 'auto' ? 100 : 20)) == 0 or die "it has ended";
for my $name (@names) {
  kill $name, $child;
  select undef, undef, undef, 0.01;
}
waitpid $child, 0;
die "@names: status ", $? >> 8, ", signal ", $? & 127, "\n" if $? != 3 << 8;
END
for signals in 'enumerate INT' 'enumerate TERM' 'enumerate INT INT' 'enumerate TERM INT' 'solve TERM' 'auto INT'; do
  perl "$TMP/send_signals" "$TMP" $signals || exit 1
  grep -q '^Observation RSP_Test2' "$TMP/log" || { echo "$signals: the finished test is missing"; exit 1; }
  case $signals in auto*) grep -q '^Undecided: interrupt met after [1-9]' "$TMP/log" || { echo "$signals: what was counted is lost"; exit 1; } ;; esac
  grep -q '^Undecided: interrupt' "$TMP/log" || { echo "$signals: the interrupted test does not say so"; exit 1; }
  tests/schema/validate checker/report/results.schema.json "$TMP/out.json" || { echo "$signals: broken JSON"; exit 1; }
  grep -q 'litscope: interrupted after 2 of 2 tests' "$TMP/err" || { cat "$TMP/err"; exit 1; }
done
