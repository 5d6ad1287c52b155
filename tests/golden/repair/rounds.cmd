# Three rounds are more than loops are unrolled at first; -unroll says how often and no more.
for unroll in '' '-unroll 2' '-unroll 3'; do
  litscope repair $unroll tests/golden/repair/rounds.litmus | head -2
done
