# SPDX-License-Identifier: MIT
# Read-modify-writes of C under random models that speak of `rmw` in vain: the answers are herd7's, counts and flags
# among them.  HERD_SEED=N others, HERD_MODELS=N as many.
herd7=$(command -v herd7) || herd7=${LITSCOPE_HERD7:-}
[ -x "$herd7" ] || { echo "herd7 is not here"; exit 77; }
perl tests/long/herd_rmw.pl "${HERD_SEED:-1}" "${HERD_MODELS:-500}" 4 "$TMP" || exit 1
answers() { grep -E '^(Test|States|Flag|[0-9]+:|\[|[xy]=|Positive|Observation|Ok|No)' | sed 's/ *$//'; }
compared=0 failed=0 slow=0
for model in "$TMP"/m*.cat; do
  base=${model%.cat}
  timeout 10 "$herd7" -model "$model" "$base"_*.litmus >"$TMP/herd" 2>"$TMP/herd.err"
  status=$?
  if [ "$status" -eq 124 ]; then # some sums of sums, which it solves for minutes
    slow=$((slow + 1))
    continue
  elif [ "$status" -ne 0 ] || [ -s "$TMP/herd.err" ]; then
    echo "herd7 on $(cat "$model")"
    cat "$TMP/herd.err"
    failed=$((failed + 1))
    continue
  fi
  litscope check -model "$model" "$base"_*.litmus >"$TMP/ours" 2>"$TMP/ours.err"
  answers <"$TMP/herd" >"$TMP/theirs"
  if ! answers <"$TMP/ours" | diff "$TMP/theirs" - >"$TMP/diff"; then
    cat "$model" "$TMP/diff"
    failed=$((failed + 1))
  fi
  compared=$((compared + 1))
done
echo "$compared models compared, $failed differ, herd7 too slow for $slow"
[ "$failed" -eq 0 ]
