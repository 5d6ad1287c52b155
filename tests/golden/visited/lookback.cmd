# A scan in one pass, whose counter, flags and sums are in one array. Stores to work[4 * t + 1] do not reach the counter
# work[0] from which t came, and who has met at a barrier for all is known before anybody has ended: without the second,
# what is visited doubles with each work-item; without the first, the search does not come to its end.
litscope check -j 1 -stats tests/golden/visited/lookback.spvasm 2>&1 |
  sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
