# SPDX-License-Identifier: MIT
# plain
# The scripts that run other people's suites do so, on what is here of them.
khronos=${LITSCOPE_CORPUS:-../shared/corpus}/khronos
header=$(find /usr/local/cuda/ -name cuda_ptx_generated.h 2>/dev/null | head -1)
[ -d "$khronos" ] || [ -n "$header" ] || { echo "neither Khronos' tests nor libcu++'s header are here"; exit 77; }
failed=0
run() {
  want=$1 script=$2
  LITSCOPE=$(command -v litscope) tests/suites/"$script" "$3" >"$TMP/out" && grep -q "$want" "$TMP/out" && return
  echo "$script $3:"
  cat "$TMP/out"
  failed=1
}
[ ! -d "$khronos" ] || run '^47 tests, 88 assertions: 82 Ok, 4 No, 2 Unsupported$' khronos.sh "$khronos"
[ -z "$header" ] || run '^191 of 191 forms are read$' libcuxx.sh "$header"
exit $failed
