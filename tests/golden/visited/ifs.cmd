# Branches that only choose what registers show are values, and no paths: 16,384
# paths once.  What such a register gives to a store stays control flow, through
# which values may be in a cycle.
dir=tests/golden/visited
litscope check -stats -model rc11 $dir/ifs.litmus 2>&1 >/dev/null | sed -n 's/^Stats \(.*\) events.*/\1/p'
for test in ifs_nested ifs_feed; do
  litscope check -stats -model $dir/coherence.cat $dir/$test.litmus 2>"$TMP/stats" >"$TMP/log"
  sed -n 's/^Stats \(.*\) events.*/\1/p' "$TMP/stats"
  grep -v -e ^Time -e ^Hash "$TMP/log"
done
