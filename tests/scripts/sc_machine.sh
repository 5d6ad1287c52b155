# SPDX-License-Identifier: MIT
# plain
# The machine of sequential consistency shows what the model of it allows, with
# reduction and without, on shipped and random tests.
set -eu
mkdir "$TMP/c" "$TMP/opencl" "$TMP/hsa"
for language in opencl c hsa; do
  "$BUILD/tests/naive/generate" -language $language -o "$TMP/$language" 7001 60
done
for folder in litmus/rsp litmus/opencl litmus/hrf litmus/hsa litmus/c11 "$TMP/opencl" "$TMP/c" "$TMP/hsa"; do
  ls -d "$(realpath "$folder")"/*.litmus >"$TMP/tests"
  litscope check -q -model sc -unroll 4 @"$TMP/tests" >"$TMP/model" 2>"$TMP/differ" || test $? = 1
  for por in true false; do
    litscope explore -q -machine sc -por $por -expect "$TMP/model" @"$TMP/tests" >"$TMP/machine" 2>"$TMP/differ" || {
      echo "$folder, -por $por:"
      cat "$TMP/differ"
      exit 1
    }
  done
done
test "$(grep -c "^Observation" "$TMP/machine")" = 60
