# Who had the lock before is settled with little waste: what one exchange reads from is dropped from the others at once,
# and what follows is drawn early, where many reads are open, and not by each of the leaves below (2,945 candidates
# without either; with ten threads, ten for an execution).
litscope check -j 1 -stats -model rc11 tests/golden/visited/exchange_lock.litmus 2>&1 |
  sed -n -e 's/^Stats \(.*\) (ratio.*/\1/p' -e /^Observation/p
