# Which compare-and-swaps succeed is settled early: a read that needs a value which
# no open thread writes any more has all its sources, and so has one that only its
# own thread could still feed (1,024 and 64 choices of paths once).
{ litscope check -stats -model opencl-rsp tests/golden/visited/swaps.litmus
  litscope check -stats -model rc11 tests/golden/visited/swaps_in_one_thread.litmus; } 2>&1 |
  sed -n 's/^Stats \(.*\) (ratio [^)]*), \(.*paths\),.*/\1, \2/p'
