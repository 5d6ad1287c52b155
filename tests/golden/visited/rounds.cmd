# Rounds of loops that wait cost nothing: a relay of five threads is one execution (2,700 with the rounds that two
# unrollings have), a ticket lock's are the orders in which it is taken, and a barrier's those in which its counter goes up.
# Of a compare-and-swap that a loop repeats, only the round counts in which it succeeds; also where a round comes to it
# only if it has seen something, as one that enters a semaphore does (GenMC 0.10.3 finds 1,188 complete executions, too).
count() { # MODEL TEST...
  model=$1
  shift
  for test; do
    litscope check -j 1 -stats -model "$model" "tests/golden/visited/rounds_$test.litmus" 2>&1 |
      sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Loop/p -e /^Observation/p -e /^Folded/p
  done
}
count rc11 relay ticket ttas barrier swap semaphore
# Under opencl, too, and of exchanges, where ordinary loads are ordered without what failed rounds acquire; and of a
# compare-and-swap that goes on with what it has seen instead of loading it again.
count opencl carried exchange
count amdgpu carried
# Not where somebody has compared what was loaded first with what another load has seen.
count rc11 compared
# What a failed round's load may race with keeps it; what it alone synchronises with, in a model in which ordinary loads
# need that, does so too.
litscope check -model rc11 tests/golden/visited/rounds_race.litmus | grep -e ^Bad -e ^Observation -e ^Folded
litscope check -model opencl tests/golden/visited/rounds_race.litmus | grep -e ^Bad -e ^Observation -e ^Folded
litscope check -model opencl tests/golden/visited/rounds_acquire.litmus | grep -e ^0: -e ^Folded
# What a remote operation promotes, no graph tells: a round that repeats the one before it goes, and no loop is cut.
litscope check -model hrf-rsp litmus/loops/Lock_TAS_remote.litmus | grep -e ^Loop -e ^Bad -e ^Observation
