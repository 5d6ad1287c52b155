# SPDX-License-Identifier: MIT
# 10^6 instances and more of tests whose condition must never be met: coherence,
# atomicity of read-modify-writes, sequential consistency; and of store buffering,
# which must show its weak outcome with relaxed and release/acquire.
set -u
. tests/devices/device
for test in opencl/CoRR_dev opencl/CoRW_dev opencl/CoRW1_dev opencl/CoWR_dev opencl/CoWW_dev opencl/Inc3_dev c11/CoRR \
  c11/Inc2 opencl/SB_sc_dev c11/SB_sc; do
  for stress in none light heavy; do
    litscope run -q -stress $stress "litmus/$test.litmus" >"$TMP/out" 2>&1 || fail "$test: $(cat "$TMP/out")"
    grep -q '^All that was seen is allowed' "$TMP/out" || fail "$test, -stress $stress: $(cat "$TMP/out")"
    count=$(sed -n 's/^Device .*: \([0-9]*\) instances .*/\1/p' "$TMP/out")
    [ "${count:-0}" -ge 1000000 ] || fail "$test: $count instances"
  done
done
for test in litmus/c11/SB_rel_acq litmus/opencl/SB_rel_acq_dev tests/devices/SB_relaxed; do
  litscope run -q "$test.litmus" >"$TMP/out" 2>&1
  grep -q '\*>0:r0=0; 1:r1=0' "$TMP/out" || fail "$test shows no weak outcome: $(cat "$TMP/out")"
done
exit $failed
