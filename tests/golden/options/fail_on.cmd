# What a test claims and does not hold is a failure, and so is undefined behaviour: status 1, and in JUnit's report.
test() { printf 'C %s\n{ }\nP0(int* d, atomic_int* x) { %s }\nP1(int* d, atomic_int* x) {
  int r = atomic_load_explicit(x, memory_order_relaxed); }\n%s (1:r=%s)\n' "$@" >"$TMP/$1.litmus"; }
store='atomic_store_explicit(x, 1, memory_order_relaxed);'
test asks "$store" exists 2
test holds "$store" '~exists' 2
test claims "$store" '~exists' 1
test every "$store" forall 1
test races '*d = 1;' exists 0
test expected '*d = 1;' exists 0
sed -i 's/int r/*d = 2; int r/' "$TMP/races.litmus" "$TMP/expected.litmus"
status() { "$@" >/dev/null 2>&1; echo "$?: $(printf '%s ' "$@" | sed "s,$TMP/,,g")"; }
for name in asks holds claims every races; do status litscope check "$TMP/$name.litmus"; done
status litscope check -fail-on no "$TMP/asks.litmus"
status litscope check -fail-on no "$TMP/holds.litmus"
for name in claims every races; do status litscope check -fail-on nothing "$TMP/$name.litmus"; done
# herd's habit with herd's files of options.
echo 'model rc11' >"$TMP/herd.cfg"
status litscope check -conf "$TMP/herd.cfg" "$TMP/claims.litmus"
status litscope check -conf "$TMP/herd.cfg" -fail-on violation "$TMP/claims.litmus"
# What is expected is no failure, and pictures of what is rejected are no answer.
litscope check "$TMP/expected.litmus" >"$TMP/log"
status litscope check -expect "$TMP/log" "$TMP/expected.litmus"
status litscope check -through all "$TMP/holds.litmus"
status litscope explore -machine sc "$TMP/claims.litmus"
status litscope explore -machine sc -fail-on nothing "$TMP/claims.litmus"
status litscope verify -machine sc "$TMP/races.litmus"
status litscope verify -machine sc -fail-on nothing "$TMP/races.litmus"
status litscope verify -machine sc "$TMP/holds.litmus"
cd "$TMP" && litscope check -q -junit report asks.litmus claims.litmus races.litmus >log
sed -n 's, time="[^"]*",,; /<testcase/,/<system/p' report
litscope verify -machine sc -q -junit report races.litmus >log
sed -n 's, time="[^"]*",,; /<testcase/,/<system/p' report
