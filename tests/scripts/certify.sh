# SPDX-License-Identifier: MIT
# slow
# Certificates of the shipped tests are accepted, all that can be expressed (mbarriers cannot); with a fault planted in them they are
# rejected; and so are those of engines in which a fault is planted.
set -eu
for part in 'claims model state tree' 'barriers program text threads' 'gpu runs sc'; do
  lines=$(for file in $part; do cat "checker/certify/$file.c"; done | wc -l)
  [ "$lines" -lt 1500 ] || { echo "$part: $lines lines are too many to be believed"; exit 1; }
done
cert=$TMP/certificates
mkdir "$cert" "$TMP/faulty"

for folder in c11 opencl rsp hrf hsa ptx vulkan loops museum; do
  litscope check -q -certify "$cert/$folder" "litmus/$folder" >/dev/null 2>"$TMP/err" || true
  sed -n 's/.*certificates cannot express \(.*\)/\1/p' "$TMP/err" >>"$TMP/refused"
  litscope-certify "$cert/$folder" >>"$TMP/accepted" || { echo "litmus/$folder: not accepted"; exit 1; }
done
! grep -vx mbarriers "$TMP/refused" || exit 1
tests=$(find litmus -name '*.litmus' ! -path 'litmus/adsm/*' | wc -l)
[ "$(grep -c '^Accepted' "$TMP/accepted")" = $((tests - $(wc -l <"$TMP/refused"))) ] || { echo "some are missing"; exit 1; }

# So are those of random tests, where what is expected lies in memory, an `if` sets registers only, the rest is a product,
# values come out of nothing, or each name of a location ends with another write under a model that chooses.
free='-model tests/certify/free.cat'
for random in 'c 880000 60 60' 'opencl 880000 60 60' 'ptx 880003 1 1' "ptx 1006 1 1 $free" 'ptx 40422 1 1 -force -model hrf-rsp'; do
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
count=0
for test in choose/WRC_rel_acq hsa/Fig7_lock_and_back rsp/RSP_Test1 rsp/RSP_Test2 rsp/RSP_Test8 rsp/Atomicity_store c11/SB_sc c11/IRIW_acq_sc c11/MP_fences c11/WRC_rel_acq \
  opencl/Inc3_dev opencl/Barrier_local opencl/WRC_dev ptx/SB_fence_sc ptx/MP_rel_acq ptx/Barrier_quorum vulkan/MP_av_vis vulkan/Chain vulkan/Thin_air; do
  rm -f "$TMP"/faulty/*
  case $test in choose/*) words="-model tests/certify/choose.cat litmus/c11" ;; *) words=litmus/${test%/*} ;; esac
  # shellcheck disable=SC2086
  litscope check -fail-on nothing -certify "$TMP/one" ${words}/"${test##*/}.litmus" >/dev/null
  tests/certify/mutate "$TMP/one" "$TMP/faulty"
  for faulty in "$TMP"/faulty/*; do
    status=0
    litscope-certify "$faulty" >"$TMP/out" 2>"$TMP/err" || status=$?
    [ $status = 1 ] || { echo "$test $(basename "$faulty"): status $status"; cat "$TMP/err"; exit 1; }
    count=$((count + 1))
  done
done
[ $count -gt 500 ] || { echo "only $count faults were planted"; exit 1; }

# Planted in the engine, they are noticed too.
. tests/certify/engine.sh
engine checker/exec/paths/jumps.c 's/  if (instr->condition)$/  if (false)/' \
  check -model tests/golden/herd/conditions/depends.cat tests/golden/herd/conditions/after.litmus
engine checker/exec/deductions/deduce.c 's/if (!words_meet(.*forbidden, f->p.up.CHOICE_RF.) &&/if (false \&\&/
  s/if (!rel_has(s, forbidden, w, read)) continue;/if (w \&\& !rel_has(s, forbidden, w, read)) continue;/' \
  check litmus/c11/SB_rel_acq.litmus
engine checker/cat/interp.c 's/i < value->count \&\& !runner->failed/i + 1 < value->count \&\& !runner->failed/' \
  check -model tests/certify/choose.cat litmus/c11/WRC_rel_acq.litmus
engine checker/cat/interp.c 's/if (!result \&\& !interpreter->first_failed)/result = true; &/' check litmus/hsa/RSP_Test3.litmus
engine checker/exec/search/value_propagation.c 's/(result != 0) != c->nonzero) frame_drop/(result != 0) == c->nonzero) frame_drop/' check litmus/rsp/RSP_Test8.litmus
engine checker/exec/execution.c 's/return has_order(e, ORDER_SC);/return false;/' check litmus/c11/SB_sc.litmus
engine checker/verdict/verdict.c 's/t->states->matching += candidate/t->states->failing += candidate/' check litmus/c11/SB_rel_acq.litmus
