# A model is asked about tests of the languages that it says; about another one it is one error, and the other tests of the
# run go on.  -force asks it anyway.  A model that says nothing is asked about all, and sc about every language.
litscope check -q -model ptx litmus/c11/CoRR.litmus litmus/ptx/MP_rel_acq.litmus | grep '^Observation'
for of in 'ptx litmus/c11/CoRR' 'rc11 litmus/ptx/MP_rel_acq' 'adsm litmus/c11/CoRR' 'hrf-rsp litmus/ptx/MP_rel_acq' \
  'amdgpu litmus/c11/CoRR' 'vulkan litmus/opencl/CoRR_dev' 'opencl litmus/vulkan/MP_av_vis'; do
  # shellcheck disable=SC2086
  set -- $of
  litscope check -q -model "$1" "$2.litmus" >"$TMP/log" 2>"$TMP/err"
  echo "$of: status $?, $(grep -c ': error: the model ' "$TMP/err") error, $(grep -c ^Observation "$TMP/log") answers"
  litscope check -q -force -model "$1" "$2.litmus" | grep -c '^Observation'
done
printf '"mine"\nacyclic po | rf | co | fr as sc\n' >"$TMP/mine.cat"
printf '"mine" (* languages: PTX\n  VULKAN *)\nacyclic po | rf | co | fr as sc\n' >"$TMP/some.cat"
all='litmus/c11/CoRR.litmus litmus/ptx/MP_rel_acq.litmus litmus/vulkan/MP_av_vis.litmus litmus/opencl/CoRR_dev.litmus litmus/adsm/A1.litmus'
for model in "$TMP/mine.cat" "$TMP/some.cat" sc; do
  # shellcheck disable=SC2086
  litscope check -q -model "$model" $all 2>/dev/null | grep '^Observation'
  echo
done
printf '"mine"\n(* languages: PTX *)\ninclude "sc.cat" (* languages: C *)\n' >"$TMP/below.cat"
litscope check -q -model "$TMP/below.cat" litmus/ptx/MP_rel_acq.litmus litmus/c11/CoRR.litmus | grep '^Observation'
printf '"mine" (* languages: AMDGPU *)\nacyclic po | rf | co | fr as sc\n' >"$TMP/amd.cat"
litscope check -q -model "$TMP/amd.cat" litmus/c11/CoRR.litmus 2>&1 | grep -o 'is for tests.*'
litscope cost mapping -model ptx litmus/c11/CoRR.litmus 2>&1 | grep -o 'the model.*'
litscope cost mapping -force -model ptx litmus/c11/CoRR.litmus | tail -1
for command in verify progress report\ -o\ "$TMP/page" repair run; do
  # shellcheck disable=SC2086
  litscope $command -model ptx litmus/c11/CoRR.litmus 2>&1 | grep -o 'the model [a-z0-9]* is for.*'
done
litscope explore -mapping opencl-ptx -target-model rc11 litmus/c11/CoRR.litmus 2>&1 | grep -o 'the model.*'
litscope diff -q -model ptx,opencl -family 2x1,language=ptx 2>&1 | tail -1
litscope diff -q -force -model ptx,opencl -family 2x1,language=ptx | grep '^all'
litscope diff -q -model ptx -family 2x1,language=c 2>&1 | tail -1
litscope gen -q -cycles 4 -orders rlx -language c -model ptx 2>&1 | grep -o 'the model.*'
litscope synth -model ptx 2>&1 | grep -o 'the model.*'
litscope verify -family 2x1 -model ptx 2>&1 | grep -o 'the model.*'
exit 0
