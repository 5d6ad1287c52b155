# Executions that differ in how often a loop polls in vain are found once and
# multiplied, where the model is one that was gone through for it: by path, the same
# model has each of them tried, and the log is the same.  Bad ones have numbers, so
# that they are tried again; the rounds of a loop inside another are its own.
dir=tests/golden/visited
cp models/rc11.cat models/sc.cat "$TMP"
litscope check -stats -unroll 40 $dir/polls.litmus 2>&1 | sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
for unroll in 5 6; do
  for model in rc11 sc; do
    for name in $model "$TMP/$model.cat"; do
      litscope check -stats -j 1 -unroll $unroll -model "$name" $dir/counted*.litmus 2>"$TMP/stats" | grep -v ^Time >"$TMP/log"
      mv "$TMP/log" "$TMP/${name##*/}.log"
      sed -n 's/^Stats \(.*\) events.*/\1/p' "$TMP/stats"
    done
    cmp "$TMP/$model.log" "$TMP/$model.cat.log"
    grep -e ^Bad -e ^Loop -e ^Observation "$TMP/$model.log"
  done
done
litscope check -awaits true $dir/counted_twice.litmus | grep -e ^Loop -e ^Observation
