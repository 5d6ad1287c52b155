# SPDX-License-Identifier: MIT
# Every test of the corpora of OpenCL and C tests without remote operations, on a
# device: none shows an outcome that its language's default model forbids, and
# what does not run is refused for one of the reasons below.
set -u
corpus=${LITSCOPE_CORPUS:-../shared/corpus}
[ -d "$corpus/opencl" ] && [ -d "$corpus/c11" ] || { echo "no folder $corpus"; exit 77; }
. tests/devices/device

# sweep NAME TEST...: runs them, and accounts for each.
sweep() {
  name=$1
  shift
  rm -rf "$POCL_CACHE_DIR"/*
  litscope run -q -one-device -n 10000 -runs 2 -junit "$TMP/$name.xml" "$@" >"$TMP/$name.log" 2>"$TMP/$name.err"
  case $? in 0|2|3) ;; *) fail "$name: status $?" ;; esac
  grep -A3 '^Violation' "$TMP/$name.log" && fail "$name: a violation"
  seen=$(grep -c '^Histogram' "$TMP/$name.log")
  grep -h 'error: ' "$TMP/$name.err" | sed 's/.*error: //' |
    grep -v -e 'of different work-groups; on a device each work-group has its own' \
      -e "not all work-items of a device would reach it" >"$TMP/other"
  refused=$(grep 'error: ' "$TMP/$name.err" | grep -o '[^ :]*[.]litmus' | sort -u | wc -l)
  [ -s "$TMP/other" ] && fail "$name: refused: $(head -5 "$TMP/other")"
  [ $((seen + refused)) = $# ] || fail "$name: $# tests, of which $seen ran and $refused were refused"
  undecided=$(grep -c '^Undecided' "$TMP/$name.log")
  echo "$name: $# tests, $seen ran, $refused refused, $undecided undecided beyond the bound of loops"
}
sweep opencl $(grep -L remote "$corpus"/opencl/*.litmus)
sweep c11 "$corpus"/c11/*.litmus
exit $failed
