# SPDX-License-Identifier: MIT
# slow
# The engine in WebAssembly, which `make page` leaves, says what the command line
# does, byte for byte but for times: JSON, log and messages of every twentieth test of
# litmus/, of random ones, and of every input with an error.
set -eu
[ -f "$BUILD/wasm/engine.wasm" ] || { echo "no engine in WebAssembly: make page"; exit 77; }
[ -z "$(find checker hwsem models -newer "$BUILD/wasm/engine.wasm" -name '*.[ch]' -o -newer "$BUILD/wasm/engine.wasm" -name '*.cat')" ] ||
  { echo "the engine in WebAssembly is older than its sources: make page"; exit 77; }
command -v node >/dev/null || { echo "no node"; exit 77; }
mkdir "$TMP/web" "$TMP/here" "$TMP/errors"
tests/page/errors "$TMP/errors"
for language in opencl c hsa ptx vulkan; do
  mkdir "$TMP/$language"
  "$BUILD/tests/naive/generate" -language $language -o "$TMP/$language" 1 20
done
# shellcheck disable=SC2046
set -- $(ls "$PWD"/litmus/*/*.litmus | awk 'NR % 20 == 1') "$TMP"/*/*.litmus
timeout 600 node tests/page/engine.js "$BUILD/wasm" "$TMP/web" "$@"
i=0
export LITSCOPE_LIB="$PWD"
cd "$TMP/here"
for test; do
  cp "$test" t.litmus
  litscope check -j 1 -json "$i.json" t.litmus >"$i.log" 2>"$i.err" || true
  [ -f "$i.json" ] || : >"$i.json"
  i=$((i + 1))
done
rm t.litmus
[ $i -ge 60 ]
[ "$(cat "$TMP/web/models.err")" = 'litscope: error: this litscope was built without `list`
2' ] || { cat "$TMP/web/models.err"; exit 1; }
rm "$TMP/web/models.err"

# By parts, each in one process for all tests.
cd "$TMP"
sed -E -i 's/"seconds": [0-9.e-]+/"seconds": 0/' web/*.json here/*.json
sed -E -i 's/^(Time [^ ]+) .*/\1/' web/*.log here/*.log
diff -r here web >differences || { head -n 40 differences; echo "N.json is of argument N of:"; echo "$@"; exit 1; }
