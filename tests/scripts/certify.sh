# SPDX-License-Identifier: MIT
# slow
# Certificates of the shipped tests are accepted, all that can be expressed (what cannot is listed below); with a
# fault planted in them they are rejected; those of engines in which a fault is planted: long/planted_verdicts.sh.
set -eu
for part in 'check_certificate evaluate_model propagate_values decision_tree' 'barriers program s_expressions threads' 'machine_gpu check_machine machine_sc'; do
  lines=0
  for file in $part; do
    here=$(wc -l <"checker/certify/$file.c") # ends the test where there is no such file
    lines=$((lines + here))
  done
  [ "$lines" -lt 1500 ] || { echo "$part: $lines lines are too many to be believed"; exit 1; }
done
cert=$TMP/certificates
mkdir "$cert"

for folder in c11 opencl rsp hrf hsa ptx vulkan loops museum; do
  litscope check -q -certify "$cert/$folder" "litmus/$folder" >/dev/null 2>"$TMP/err" || true
  sed -n 's/.*certificates cannot express \(.*\)/\1/p' "$TMP/err" >>"$TMP/refused"
  litscope-certify "$cert/$folder" >>"$TMP/accepted" || { echo "litmus/$folder: not accepted"; exit 1; }
done
! grep -vxE 'mbarriers|atomic operations that wrap|divisions by what is not constant|filters on values that states do not show|operations that mean something else when they fail' "$TMP/refused" || exit 1
tests=$(find litmus -name '*.litmus' ! -path 'litmus/adsm/*' | wc -l)
[ "$(grep -c '^Accepted' "$TMP/accepted")" = $((tests - $(wc -l <"$TMP/refused"))) ] || { echo "some are missing"; exit 1; }

# So are those of random tests, where what is expected lies in memory, an `if` sets registers only, the rest is a product,
# values come out of nothing, or each name of a location ends with another write under a model that chooses.
free='-model tests/certify/free.cat'
for random in 'c 880000 25 25' 'opencl 880000 25 25' 'ptx 880003 1 1' "ptx 1006 1 1 $free" 'ptx 40422 1 1 -force -model hrf-rsp'; do
  # shellcheck disable=SC2086
  set -- $random
  language=$1 seed=$2 count=$3 wanted=$4
  shift 4
  rm -rf "$TMP/random"
  mkdir "$TMP/random"
  "$BUILD/tests/naive/generate" -language "$language" -o "$TMP/random" "$seed" "$count"
  litscope check -q "$@" -certify "$cert/random" "$TMP/random" >/dev/null 2>"$TMP/err" || true
  litscope-certify "$cert/random" >"$TMP/accepted" || { echo "random $language: not accepted"; exit 1; }
  [ "$(grep -c '^Accepted' "$TMP/accepted")" = "$wanted" ] || { echo "random $language: not $wanted certificates"; exit 1; }
done

# Planted faults: none is accepted.
. tests/certify/planted.sh
for test in choose/WRC_rel_acq hsa/Fig7_lock_and_back rsp/RSP_Test1 rsp/RSP_Test2 rsp/RSP_Test8 rsp/Atomicity_store c11/SB_sc c11/IRIW_acq_sc c11/MP_fences c11/WRC_rel_acq \
  opencl/Inc3_dev opencl/Barrier_local opencl/WRC_dev ptx/SB_fence_sc ptx/MP_rel_acq ptx/Barrier_quorum vulkan/MP_av_vis vulkan/Chain vulkan/Thin_air; do
  case $test in choose/*) words="-model tests/certify/choose.cat litmus/c11" ;; *) words=litmus/${test%/*} ;; esac
  # shellcheck disable=SC2086
  litscope check -fail-on nothing -certify "$TMP/one" ${words}/"${test##*/}.litmus" >/dev/null
  plant "$test" mutate
done
[ $planted -gt 500 ] || { echo "only $planted faults were planted"; exit 1; }
