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
stable() { sed -E 's/"seconds": [0-9.e-]+/"seconds": 0/; s/^(Time [^ ]+) .*/\1/' "$1"; }
i=0 wrong=0
export LITSCOPE_LIB="$PWD"
cd "$TMP/here"
for test; do
  rm -f result.json t.litmus
  cp "$test" t.litmus
  litscope check -j 1 -json result.json t.litmus >log 2>err || true
  [ -f result.json ] || : >result.json
  for part in json log err; do
    from=$part
    [ $part != json ] || from=result.json
    stable "$from" >expected
    stable "$TMP/web/$i.$part" >actual
    diff expected actual >difference || { echo "$test: $part"; head -5 difference; wrong=1; }
  done
  i=$((i + 1))
done
[ $i -ge 60 ]
[ "$(cat "$TMP/web/models.err")" = 'litscope: error: this litscope was built without `list`
2' ] || { cat "$TMP/web/models.err"; exit 1; }
exit $wrong
