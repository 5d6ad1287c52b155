# A barrier that reverses its sense, passed twice. Which arrival let a thread go on is decided before what the thread reads
# behind the barrier, which nothing rules out before. (161 candidates otherwise.)
litscope check -j 1 -stats -model rc11 tests/golden/visited/sense.litmus 2>&1 |
  sed -n -e 's/^Stats \(.*\) (ratio.*/\1/p' -e /^Observation/p
