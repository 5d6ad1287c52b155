# SPDX-License-Identifier: MIT
# slow
# Certificates of what a solver has shown are accepted, of all shipped tests that they can express; with a fault planted
# in them they are rejected.
set -eu
lines=$(cat checker/certify/program_clauses.c checker/certify/unit_propagation.c checker/certify/check_solver_proof.c | wc -l)
[ "$lines" -lt 1500 ] || { echo "$lines lines are too many to be believed"; exit 1; }
for folder in c11 opencl rsp hsa museum; do
  litscope check -q -engine solve -certify "$TMP/$folder.cert" "litmus/$folder" >/dev/null 2>"$TMP/err" || true
  ! grep -q 'built without a solver' "$TMP/err" || { echo 'no CaDiCaL in this build'; exit 77; }
  sed -n 's/.*certificates cannot express \(.*\)/\1/p' "$TMP/err" >>"$TMP/refused"
  litscope-certify "$TMP/$folder.cert" >>"$TMP/accepted" || { echo "litmus/$folder: not accepted"; exit 1; }
done
! grep -vxE 'mbarriers|operations that mean something else when they fail|(values that may come from nowhere|partial orders of writes|models that choose relations) in what a solver has shown' "$TMP/refused" || exit 1
[ "$(grep -c '^Accepted' "$TMP/accepted")" -gt 130 ] || { echo "only $(grep -c '^Accepted' "$TMP/accepted") certificates"; exit 1; }

. tests/certify/planted.sh
held=../tests/golden/certify/held
for test in c11/SB_sc c11/IRIW_acq_sc c11/MP_relaxed_race c11/MP_rel_acq c11/Inc2 c11/2+2W_sc c11/MP_release_sequence opencl/WRC_dev opencl/Lock_wg_apart \
  rsp/RSP_Test1 rsp/RSP_Test2 opencl/Barrier_both vulkan/Cbar kernels/message_group $held; do
  rm -f "$TMP/one"
  file=litmus/$test.litmus
  [ -f "$file" ] || file=litmus/$test.spvasm
  litscope check -engine solve -fail-on nothing -certify "$TMP/one" "$file" >/dev/null
  plant "$test" mutate_solved
done
[ $planted -gt 60 ] || { echo "only $planted faults were planted"; exit 1; }

# Random programs, with loops too.
for language in c 'c -waits yes'; do
  rm -rf "$TMP/random"
  mkdir "$TMP/random"
  # shellcheck disable=SC2086
  "$BUILD/tests/naive/generate" -language $language -o "$TMP/random" 7700 30
  litscope check -q -model rc11 -engine solve -timeout 20 -certify "$TMP/cert" "$TMP/random" >/dev/null 2>"$TMP/err" || true
  ! grep -q 'answers that differ' "$TMP/err" || { cat "$TMP/err"; exit 1; }
  litscope-certify "$TMP/cert" >"$TMP/accepted" || { echo "random $language: not accepted"; exit 1; }
  [ "$(grep -c '^Accepted' "$TMP/accepted")" -gt 20 ] || { echo "random $language: $(grep -c '^Accepted' "$TMP/accepted") certificates"; exit 1; }
done
