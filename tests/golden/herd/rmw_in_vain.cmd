# What no check demands of `rmw` decides nothing: 24 random models that speak of it (tests/long/herd_rmw.sh has more), with
# the answers, flags and states of herd7 7.57, as
#   for n in $(seq 24); do herd7 -model $TMP/m$n.cat $TMP/m${n}_*.litmus; done
# gives them.
perl tests/long/herd_rmw.pl 3 24 2 $TMP
for n in $(seq 24); do litscope check -model $TMP/m$n.cat $TMP/m${n}_*.litmus 2>/dev/null; done |
  grep -E '^(Observation|States|Flag)'
