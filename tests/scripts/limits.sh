# SPDX-License-Identifier: MIT
# slow
# -timeout ends every command on what would take it hours, -max-memory on what
# would fill the machine: soon, with status 3 and a reason.
set -u
failed=0
# A pipe that nobody writes to, and one that nobody reads, are given up after ten seconds, which pass meanwhile.
mkfifo "$TMP/in" "$TMP/out"
litscope compare "$TMP/in" litmus/rsp/expected.tsv >"$TMP/in.err" 2>&1 &
litscope check -q -json "$TMP/out" litmus/rsp/RSP_Test2.litmus >"$TMP/out.err" 2>&1 &
{
  echo 'OpenCL Wide'
  echo '{ [x]=0; [y]=0; [z]=0; [w]=0; }'
  for i in 0 1 2 3 4 5; do
    echo "P$i (global atomic_int* x, global atomic_int* y, global atomic_int* z, global atomic_int* w) {"
    echo "  atomic_store(x, 1$i); int a = atomic_load(y); atomic_store(z, 2$i); int b = atomic_load(w);"
    echo "  atomic_store(y, 3$i); int c = atomic_load(x); atomic_store(w, 4$i);"
    echo '}'
  done
  echo 'exists (0:a=99)'
} >"$TMP/wide.litmus"
{
  echo 'OpenCL States'
  echo '{ [x]=0; }'
  echo 'P0 (global atomic_int* x) {'
  for i in 1 2 3 4 5 6 7 8 9; do echo "  atomic_store(x, $i);"; done
  echo '}'
  for i in 1 2 3 4 5 6 7 8; do echo "P$i (global atomic_int* x) { int a = atomic_load(x); }"; done
  echo 'locations [1:a; 2:a; 3:a; 4:a; 5:a; 6:a; 7:a; 8:a;]'
  echo 'exists (1:a=99)'
} >"$TMP/states.litmus"

# REASON COMMAND: the command ends with status 3.  What hangs is ended by tests/run.
expect() {
  reason=$1
  shift
  # Memory that is not limited runs into the 2 GiB.
  (ulimit -v 2000000 && exec litscope "$@") >"$TMP/log" 2>&1
  status=$?
  [ $status = 3 ] || { echo "status $status: $*"; failed=1; }
  grep -q "$reason" "$TMP/log" || { echo "no reason given: $*"; failed=1; }
}
wide=$TMP/wide.litmus
expect 'time limit' check -timeout 0.2 "$wide"
expect 'time limit' check -why -show all -through all -svg -o "$TMP/o" -timeout 0.2 "$wide"
expect 'time limit' check -model sc,rc11 -timeout 0.2 "$wide"
expect 'time limit' explore -timeout 0.2 -no-por -no-symmetry "$wide"
expect 'a limit was reached' verify -timeout 0.2 "$wide"
expect 'a limit was reached' verify -timeout 0.2 -strict "$wide"
expect 'time limit' verify -timeout 0.2 -family 3x3
expect 'time limit' verify -timeout 0.2 -family 3x3,guarded,devices=2
expect 'time limit' verify -timeout 0.2 -family adsm,7
expect 'time limit' verify -timeout 0.2 -ablate
expect '' report -timeout 0.2 -mapping rsp-corrected -o "$TMP/o" "$wide"
expect 'Undecided' cost mapping -timeout 0.2 "$wide"
expect 'limit' cost fear-check -timeout 0.01
expect 'memory limit' check -max-memory 20 "$TMP/states.litmus"
expect 'memory limit' explore -max-memory 20 "$wide"
expect 'a limit was reached' verify -max-memory 20 "$TMP/states.litmus"
expect 'limit' cost fear-check -max-memory 1
# Explorations have half the machine's memory, of which those at the same time have each a part: here of 4 MB.
for copy in 1 2 3 4; do sed "s/RSP_Test8/&_$copy/" litmus/rsp/RSP_Test8.litmus >"$TMP/part$copy.litmus"; done
for workers in 1 4; do
  FAULTS_PAGES=1024 LD_PRELOAD=$PWD/$BUILD/tests/faults/shim.so litscope explore -j $workers -q -mapping rsp-corrected \
    "$TMP"/part?.litmus 2>"$TMP/log" >/dev/null
  ended=$(grep -c 'memory limit' "$TMP/log")
  [ "$workers $ended" = '1 0' ] || [ "$workers $ended" = '4 4' ] || { echo "-j $workers: $ended memory limits"; failed=1; }
done
wait
grep -q 'in: nothing is at the other end of this pipe' "$TMP/in.err" || { cat "$TMP/in.err"; echo "a pipe without a writer"; failed=1; }
grep -q 'out: No such device or address' "$TMP/out.err" || { cat "$TMP/out.err"; echo "a pipe without a reader"; failed=1; }
exit $failed
