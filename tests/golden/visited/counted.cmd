# Executions that differ in how often a loop polls in vain are found once and
# multiplied, where the model is one that was gone through for it: with one more check,
# which always holds, it has each of them tried, and the log is the same.  Bad ones
# have numbers, so that they are tried again; the rounds of a loop inside another are
# its own.
dir=tests/golden/visited
for model in rc11 sc; do { cat models/$model.cat && echo 'empty 0 as more'; } >"$TMP/$model.cat"; done
litscope check -rounds all -stats -j 1 -unroll 40 $dir/polls.litmus 2>&1 | sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
for unroll in 5 6; do
  for model in rc11 sc; do
    for name in $model "$TMP/$model.cat"; do
      litscope check -rounds all -stats -j 1 -unroll $unroll -model "$name" $dir/counted*.litmus 2>"$TMP/stats" | grep -v ^Time >"$TMP/log"
      mv "$TMP/log" "$TMP/${name##*/}.log"
      sed -n 's/^Stats \(.*\) events.*/\1/p' "$TMP/stats"
    done
    cmp "$TMP/$model.log" "$TMP/$model.cat.log"
    grep -e ^Bad -e ^Loop -e ^Observation "$TMP/$model.log"
  done
done
litscope check -rounds new $dir/counted_twice.litmus | grep -e ^Loop -e ^Observation
# The name alone is none that was gone through.
{ cat models/sc.cat && echo 'let reads = po & (R * R)' &&
  echo 'empty reads; reads; reads; reads; reads; reads; reads; reads as few'; } >"$TMP/sc.cat"
litscope check -rounds all -I "$TMP" -model sc -unroll 12 $dir/counted.litmus | grep ^Observation
litscope check -rounds all -model sc -unroll 12 $dir/counted.litmus | grep ^Observation
