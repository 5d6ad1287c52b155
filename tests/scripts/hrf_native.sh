#!/bin/sh
# SPDX-License-Identifier: MIT
# Scope promotion in .cat (models/hrf-rsp.cat) and in C (hrf-rsp-native) are
# written independently: they must say the same of every test of the
# repository and of the corpus, for each reading of "next acquire" and of atomic
# conflicts.  Left out are tests that are there because they are too big to finish: logs of what was
# cut by a time limit say how fast the machine was; and PTX and Vulkan, of whose
# partial coherence orders only models that are all graph show the smallest alone
# (models/README.md).  Random tests add what few of
# them have, several fences in a thread.   Readings other than the first get the tests of scopes and promotion without loops.
# slow
mkdir "$TMP/random"
"$BUILD/tests/naive/generate" -language opencl -o "$TMP/random" 777000 150
tests=$(find litmus "${LITSCOPE_CORPUS:-../shared/corpus}" -name '*.litmus' 2>/dev/null | xargs grep -LE '^(ADSM|PTX|VULKAN|Vulkan)' | sort)
status=0
for variant in "" "-variant n2" "-variant n3" "-variant k1" "-variant k2"; do
  [ -z "$variant" ] || tests=$(find litmus/rsp litmus/hrf litmus/hsa litmus/opencl -name '*.litmus' | sort)
  for model in hrf-rsp hrf-rsp-native; do
    {
      echo "$tests" | grep -vE '/(scaling|repro|gpu)/' | xargs litscope check -rounds all -model $model $variant
      litscope check -rounds all -max-events 16 -model $model $variant "$TMP"/random/*.litmus
    } 2>"$TMP/$model.err" | grep -v '^Time \|^Undefined: ' >"$TMP/$model.log"
  done
  count=$(grep -c '^Test ' "$TMP/hrf-rsp.log")
  if [ "$count" -lt 100 ]; then
    echo "only $count tests ran"
    cat "$TMP/hrf-rsp.err"
    status=1
  fi
  if ! diff "$TMP/hrf-rsp.log" "$TMP/hrf-rsp-native.log" >"$TMP/diff"; then
    echo "hrf-rsp and hrf-rsp-native differ ${variant:-as they are}:"
    head -40 "$TMP/diff"
    status=1
  fi
done
exit $status
