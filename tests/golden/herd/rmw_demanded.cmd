# A check that forbids that a write comes between the halves makes two events, however it is written; a definition, a
# flag, and what a check asks of `rmw` beside that do not, and warn where a check stands on them.
for check in 'empty rmw & (fre; coe)' 'empty ((fr & ext); (co & ext)) & rmw' 'irreflexive fr; co; rmw^-1' \
  'acyclic (com & int) | (rmw^-1?; (com & ext))' 'let between = [RMW] | rmw empty between & (fr; co)' \
  'let u = rmw & (fre; coe)' 'flag ~empty rmw & (fre; coe)' 'acyclic rmw | rf' 'empty rmw & (fr; co; [0])'; do
  printf '"mine"\nlet com = rf | co | fr\nempty po; [B]\n%s' "$check" >$TMP/mine.cat
  litscope check -model $TMP/mine.cat tests/golden/herd/two_increments.litmus >$TMP/log
  litscope check -dump model -model $TMP/mine.cat tests/golden/herd/two_increments.litmus 2>/dev/null >$TMP/dump
  litscope check -dump model -model $TMP/mine.cat -variant normw tests/golden/herd/two_increments.litmus >$TMP/two
  if cmp -s $TMP/dump $TMP/two; then events=two; else events=one; fi
  echo "$check: $events, $(grep ^Observation $TMP/log)"
done
# The words: two, one, and as litscope once decided.
printf '"mine"\ninclude "cos.cat"\nlet u = rmw & ext\nacyclic po-loc | rf | fr | co' >$TMP/mine.cat
for variant in "" "-variant normw" "-variant onermw" "-variant rmw-if-mentioned"; do
  litscope check -model $TMP/mine.cat $variant tests/golden/herd/two_increments.litmus | grep ^Observation
done
