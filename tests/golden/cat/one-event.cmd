# Both models must say the same of each test.
for model in one-event two-events; do
  litscope check -fail-on nothing -model tests/golden/cat/$model.cat litmus/rsp/RSP*.litmus litmus/rsp/WSQ*.litmus > "$TMP/log" || exit 1
  sed '/^Time/d; s/^\(Bad.* in total\).*/\1/' "$TMP/log" > "$TMP/$model"
done
diff "$TMP/one-event" "$TMP/two-events" && grep '^Observation\|^Bad' "$TMP/one-event"
