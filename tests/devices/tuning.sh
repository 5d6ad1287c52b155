# SPDX-License-Identifier: MIT
# What `scripts/device.sh` has no time for: knobs and their tuning, two devices, threads of another device, remote
# operations run as ordinary ones.
set -u
. tests/devices/device

# Knobs, and their tuning.
says 0 'All that was seen' run -n 1000 -runs 2 -stress heavy litmus/c11/SB_sc.litmus
says 0 'stride=4,.*lanes=\|lanes=8' run -n 1000 -runs 2 -params stride=4,lanes=8,groups=2 litmus/c11/SB_sc.litmus
run -tune 1 -n 1000 -o "$TMP/o" litmus/c11/SB_rel_acq.litmus >"$TMP/tune" 2>&1
case $? in
  0) says 0 'Observation SB_rel_acq' run -n 1000 -runs 1 -params-file "$TMP/o/tuned.params" litmus/c11/SB_rel_acq.litmus ;;
  3) grep -q 'no knobs show a weak outcome' "$TMP/tune" || fail "tune: $(cat "$TMP/tune")" ;;
  *) fail "tune: $(cat "$TMP/tune")" ;;
esac

# What no device has is run as something else where that is asked for.
says 0 '1 remote operation was run as ordinary' run -drop-remote -n 1000 -runs 1 litmus/rsp/RSP_Test2.litmus
says 0 'Note 1 thread of another device was run on this one' run -one-device -n 1000 -runs 1 litmus/opencl/MP_sys_devices.litmus

# Two devices: PoCL has another, with one thread, where it is asked for.
export POCL_DEVICES='pthread basic'
if litscope run -devices 2>/dev/null | grep -q '^Device 1:'; then
  run -device 0 -n 1000 -runs 2 litmus/c11/Inc2.litmus >"$TMP/first.log"
  run -device 1 -n 1000 -runs 2 litmus/c11/Inc2.litmus >"$TMP/second.log"
  [ "$(cat "$TMP/first.log" "$TMP/second.log" | sed -n 's/^Device \(.*\):.*/\1/p' | sort -u | wc -l)" = 2 ] || fail "one device"
  says 0 '1 same, 0 different' litscope compare "$TMP/first.log" "$TMP/second.log"
fi
unset POCL_DEVICES
exit $failed
