# SPDX-License-Identifier: MIT
# slow
# `run` on a device of this machine, PoCL as a rule; skipped where there is none.
# What must not be seen is never seen; what should be seen is looked for with
# ever more launches, and a machine too busy to show it skips only that.
set -u
. tests/devices/device
few="-n 5000 -runs 2"

grep -q '^  atomics  *orders relaxed .*seq_cst' "$TMP/devices" || fail "devices: $(cat "$TMP/devices")"
says 0 'Test SB_sc: atomic operations seq_cst at device; 2 work-groups' litscope run -devices litmus/c11/SB_sc.litmus
says 0 'device 0: runs' litscope run -devices litmus/c11/SB_sc.litmus

# Sequential consistency, coherence and atomicity hold; a weakened kernel is caught.
hold="litmus/opencl/SB_sc_dev.litmus litmus/opencl/CoRR_dev.litmus litmus/c11/Inc2.litmus"
says 0 'All that was seen is allowed' run $few $hold
grep -q '^Violation\|^Undecided' "$TMP/out" && fail "$(grep -A3 '^Violation\|^Undecided' "$TMP/out")"
[ "$(grep -c '^Histogram' "$TMP/out")" = 3 ] || fail "histograms: $(cat "$TMP/out")"

# look PATTERN COMMAND: is it ever printed, in up to 1,200,000 instances?  (Launches are short.)
look() {
  pattern=$1
  shift
  for runs in 20 100; do
    run -runs $runs "$@" >"$TMP/out" 2>&1
    grep -q -e "$pattern" "$TMP/out" && return 0
  done
  echo "not seen on this machine now, so not tested: $pattern from $*"
  return 1
}
look '\*>0:r0=0; 1:r1=0' litmus/c11/SB_rel_acq.litmus
look '\*>0:r0=0; 1:r1=0' -n 1000 litmus/c11/SB_rel_acq.litmus
if look '^Violation' -mutate relaxed litmus/c11/SB_sc.litmus; then
  grep -q '^Why SB_sc: .* rejected by rc11' "$TMP/out" || fail "no reason: $(cat "$TMP/out")"
  grep -q 'weakened (-mutate relaxed)' "$TMP/out" || fail "not said: $(cat "$TMP/out")"
fi

# Places: barriers, local memory, one work-group, conditions, racy programs, remote operations.
says 0 'Undefined under opencl-rsp: nothing is concluded' run -n 1000 -runs 1 litmus/opencl/MP_nonatomic_racy.litmus
says 0 'All that was seen' run -n 1000 -runs 2 litmus/opencl/Barrier_both.litmus litmus/opencl/MP_local.litmus
says 2 'no device has remote operations; -drop-remote runs them as ordinary ones of their scope' run litmus/rsp/RSP_Test2.litmus
set -- litmus/c11/CoRR.litmus litmus/c11/Inc2.litmus # a device's compiler takes most of a second for each kernel
says 2 '^Total 10 Allowed 8 Undefined 1 Refused 1' run -n 1000 -runs 1 "$@" "$@" "$@" "$@" litmus/c11/MP_relaxed_race.litmus \
  litmus/rsp/RSP_Test2.litmus
says 2 'MP_sys_devices.litmus: P0 and P1 are on different devices; a test runs on one, -one-device puts all work-groups there' run litmus/opencl/MP_sys_devices.litmus
says 2 'A2.litmus: ADSM tests run under their protocols (`explore`), not on a device' run litmus/adsm/A2.litmus
says 2 "local.litmus: local location 'x' is used by P0 and P1 of different work-groups; on a device each work-group has its own" \
  run tests/scripts/device/local.litmus
says 2 'there is no device 99; `litscope run -devices` lists 1, numbered from 0\|lists [0-9]*, numbered from 0' run -device 99 litmus/c11/SB_sc.litmus
says 2 "a barrier in a loop, or a second one where one is under a condition: not all work-items of a device would reach it" \
  run tests/scripts/device/barrier_loop.litmus

# A loop that waits for ever ends with the limit; one that ends is no matter.
says 3 "forever.litmus: Forever on '.*': a launch did not end within 0.2 s" run -timeout 0.2 -n 100 -runs 1 tests/scripts/device/forever.litmus
says 0 '^1000  \*>' run -unroll 8 -n 1000 -runs 1 tests/scripts/device/loop.litmus

# The seed makes the tables.
for seed in 1 1 2; do
  run -n 100 -runs 1 -seed $seed -o "$TMP/o" litmus/c11/SB_sc.litmus >/dev/null 2>&1 || fail "-o"
  cksum <"$TMP/o/SB_sc.tables" >>"$TMP/sums"
done
[ "$(sort "$TMP/sums" | uniq -c | sort -n | awk '{print $1}' | tr '\n' ' ')" = "1 2 " ] || fail "tables: $(cat "$TMP/sums")"
grep -q 'atomic_store_explicit(&cells\[at_x\], 1, memory_order_seq_cst, memory_scope_device);' "$TMP/o/SB_sc.cl" ||
  fail "kernel: $(cat "$TMP/o/SB_sc.cl")"

# Knobs that show nothing are not written.
says 3 'forever.litmus: Forever is not tuned: a launch did not end within 0.2 s' run -tune 1 -timeout 0.2 -n 100 tests/scripts/device/forever.litmus
says 3 'no knobs show a weak outcome of these tests: nothing is written' run -tune 1 -n 100 litmus/c11/Inc2.litmus

# Results for machines, and against logs of others.
run -json "$TMP/run.json" -junit "$TMP/run.xml" -n 1000 -runs 2 litmus/c11/CoRR.litmus litmus/c11/Inc2.litmus >"$TMP/run.log" 2>"$TMP/err" || fail "$(cat "$TMP/err")"
tests/schema/validate checker/report/results.schema.json "$TMP/run.json" || fail "JSON"
run -json "$TMP/limit.json" -timeout 0.2 -n 10 -runs 1 tests/scripts/device/forever.litmus >/dev/null 2>&1
tests/schema/validate checker/report/results.schema.json "$TMP/limit.json" || fail "JSON of a limit"
xmllint --noout "$TMP/run.xml" || fail "JUnit"
litscope check litmus/c11/CoRR.litmus litmus/c11/Inc2.litmus >"$TMP/model.log" 2>/dev/null
litscope compare "$TMP/model.log" "$TMP/run.log" >"$TMP/compare"
grep -q 'on hardware: all that was seen is among the states of the other side' "$TMP/compare" || fail "$(cat "$TMP/compare")"

# Against a machine: a state that the device shows and the machine lacks makes the machine too strong for it.
litscope explore -mapping rsp-corrected litmus/opencl/CoRR_dev.litmus >"$TMP/machine.log" 2>/dev/null
run -n 1000 litmus/opencl/CoRR_dev.litmus >"$TMP/device.log"
says 0 'on hardware: all that was seen is among the states of the other side' \
  litscope compare "$TMP/machine.log" "$TMP/device.log"
sed 's/^[0-9]* *:>1:r0=0; 1:r1=0;/1     :>1:r0=0; 1:r1=7;/' "$TMP/device.log" >"$TMP/other.log"
says 1 'on hardware: 1 of 1 tests show states that the other side lacks: its model or machine is too strong for this hardware' \
  litscope compare "$TMP/machine.log" "$TMP/other.log"

# Kernels as they are: numbers, arguments of all kinds, what is read at the end, against the model.
cat >"$TMP/kinds.cl" <<'END'
// @Input: %p = {{5, 7}}
// @Input: %add = -2
// @Input: %wide = {-1, 0, 0, 0}
// @Input: %small = {1, 2, 250}
// @Input: %mine = {0, 0}
// @Output: forall (%wide[3] == 7 and %wide[1] == -2 and %small[2] == -5 and %wide[2] == 2 and %zero[0] == 3)
// @Config: 2, 1, 2
struct pair { int a, b; };
kernel void kinds(struct pair p, int add, global long *wide, global uchar *small, local int *mine, global int *zero) {
  size_t me = get_local_id(0);
  mine[me] = p.a + (int)me;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) == 3) {
    wide[3] = mine[0] + (me == 1 ? 2 : 0);
    wide[2] = get_num_groups(0);
    wide[1] = add;
    small[2] = small[2] + mine[1] - 5;
    zero[0] += STEP;
  }
}
END
says 0 'Note the kernel is run as it is, each launch an instance; what has no @Input is 0, in the model too' \
  run -n 10 -runs 2 -source-options '-DSTEP=3 -O1' "$TMP/kinds.cl"
grep -q '^20    \*>small\[2\]=-5; wide\[1\]=-2; wide\[2\]=2; wide\[3\]=7; zero\[0\]=3;' "$TMP/out" ||
  fail "other values: $(cat "$TMP/out")"
says 0 'All that was seen is allowed by opencl-rsp' run -n 10 -runs 2 litmus/kernels/message.cl
says 0 'Undefined under opencl-rsp: nothing is concluded' run -n 10 -runs 2 -source-options -DSCOPE=memory_scope_work_group litmus/kernels/message.cl
says 0 '^10 *\*>out\[0\]=0; out\[1\]=10; out\[2\]=1; out\[4\]=20; out\[5\]=30; out\[6\]=21;$' \
  run -n 10 -runs 1 tests/compilers/kernels/transpose.cl
says 0 'groups=2,lanes=1,' run -n 10 -runs 2 -rewrite litmus/kernels/message.cl
says 0 'groups=2,lanes=1,' run -n 10 -runs 2 -stress light litmus/kernels/message_device.spvasm
grep -v '@Input: %add' "$TMP/kinds.cl" >"$TMP/missing.cl"
says 2 'missing.cl: it cannot be run on a device as it is: its argument add has no @Input; -rewrite runs it as a litmus test' \
  run -source-options -DSTEP=3 "$TMP/missing.cl"
says 2 'it cannot be run on a device as it is: the host cannot read mine\[0\]' \
  run -source-options -DSTEP=3 -output 'forall (%mine[0] == 5)' -config 2,1,1 "$TMP/kinds.cl"

# Expected results: those of a run before, and others.
run -n 1000 -runs 2 litmus/c11/Inc2.litmus >"$TMP/expected.log"
says 0 'All that was seen' run -n 500 -runs 2 -expect "$TMP/expected.log" litmus/c11/Inc2.litmus
sed 's/\[x\]=2/[x]=3/' "$TMP/expected.log" >"$TMP/unexpected.log"
says 1 'Inc2' run -n 500 -runs 2 -expect "$TMP/unexpected.log" litmus/c11/Inc2.litmus

says 0 'index.html' litscope report -q -o "$TMP/report" -device 0 -n 1000 -runs 1 litmus/c11/SB_sc.litmus
grep -q '<h3>Device .*: Never' "$TMP/report/index.html" || fail "report"

# A program that dies takes only its own result with it.
(ulimit -v 300000; litscope run -n 1000 litmus/c11/SB_sc.litmus) >"$TMP/out" 2>&1 && fail "it ran without memory"
exit $failed
