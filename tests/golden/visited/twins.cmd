# Threads that are alike are tried in one order, and counted in all: a ticket lock of eight threads is one execution for
# 40,320; readers that write nothing are told apart by what they see (104,976 for 5,985).  What is bad has numbers, so that
# it is tried one by one; and without pruning the log is the same.
for test in ticket seqlock inc race; do
  file=tests/golden/visited/twins_$test.litmus
  litscope check -j 1 -stats -model rc11 $file 2>"$TMP/stats" | grep -v ^Time >"$TMP/log"
  sed -n 's/^Stats \(.*\) events.*/\1/p' "$TMP/stats"
  grep -e ^Bad -e ^Observation "$TMP/log" | cut -c 1-60
  test $test = race || continue
  litscope check -j 1 -model rc11 -prune false $file | grep -v ^Time | cmp - "$TMP/log"
done
