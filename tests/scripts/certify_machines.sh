# SPDX-License-Identifier: MIT
# slow
# What machines do, checked by litscope-certify, which goes through all states again, or follows the run: certificates of
# shipped tests are accepted, all that can be expressed; with a fault planted in them, or in an engine, they are rejected.
# CERTIFY_MACHINES=all takes all tests with two mappings, for some minutes.
set -eu
# accept COUNT COMMAND...: the certificates that it writes, so many at least, are accepted
accept() {
  count=$1
  shift
  rm -f "$TMP/cert"
  litscope "$@" -q -certify "$TMP/cert" >/dev/null 2>"$TMP/err" || true
  litscope-certify "$TMP/cert" >"$TMP/out" 2>"$TMP/err" || { echo "litscope $*: not accepted"; head -3 "$TMP/err"; exit 1; }
  [ "$(grep -c '^Accepted' "$TMP/out")" -ge "$count" ] || { echo "litscope $*: fewer than $count certificates"; exit 1; }
}
accept 25 verify -mapping rsp-original litmus/rsp
accept 16 verify -mapping rsp-original litmus/hrf
accept 31 explore -mapping rsp-original litmus/rsp
accept 16 explore -machine sc litmus/c11
accept 93 explore -machine sc litmus/ptx
accept 420 progress litmus/ptx
accept 100 progress litmus/loops

# Planted faults: none is accepted.
. tests/certify/planted.sh
# reject COMMAND...
reject() {
  litscope "$@" -certify "$TMP/one" >/dev/null || true
  litscope-certify "$TMP/one" >/dev/null || { echo "litscope $*: not accepted"; exit 1; }
  plant "litscope $*" mutate_machine
}
reject verify -mapping rsp-original litmus/rsp/RSP_Test2.litmus
reject verify -mapping rsp-original litmus/rsp/MP_remote_load.litmus
reject verify -mapping rsp-corrected litmus/rsp/RSP_Test1.litmus
reject explore -mapping rsp-original litmus/rsp/RSP_Test2.litmus
reject explore -machine sc litmus/c11/SB_sc.litmus
reject progress -scheduler hsa litmus/loops/Ticket_2.litmus # no step of its run is one thread's own business
[ $planted -gt 50 ] || { echo "only $planted faults were planted"; exit 1; }

. tests/certify/engine.sh
engine hwsem/machines/gpu_flushes_and_locks.c 's/return waits ? gpu_stay(m, t, pc, 0, 1) : gpu_finish/(void)waits; return gpu_finish/' \
  explore -mapping rsp-corrected litmus/opencl/MP_remote_release.litmus
engine checker/verify/verify_test.c 's/  if (hunt->bad) return true;/  return true;/' \
  verify -mapping rsp-original litmus/rsp/RSP_Test2.litmus
engine hwsem/fair_progress.c 's/if (!component->loops) return false;/return component->loops;/' \
  progress -scheduler fair litmus/loops/Lock_TAS_2.litmus
engine hwsem/fair_progress.c 's/if (!component->loops) return false;/return false;/' \
  progress -scheduler hsa litmus/loops/Lock_TAS_2.litmus
