# An answer from the solver: one execution that settles the condition, and one for each flag.
litscope check -engine solve -fail-on nothing litmus/c11/SB_sc.litmus litmus/c11/MP_relaxed_race.litmus litmus/loops/Queue_1_2.litmus \
  litmus/ptx/MP_rel_acq.litmus litmus/museum/Group_barrier.litmus tests/golden/options/engine_division.litmus |
  sed 's/^\(Time [^ ]*\).*/\1/; /^[0-9]:r/d'
# What it cannot be asked.
litscope check -engine solve litmus/hsa/WSQ1.litmus
printf '"no coherence" withoutco\nacyclic po | rf as ordered\n' >"$TMP/without.cat"
litscope check -engine solve -model "$TMP/without.cat" litmus/c11/SB_sc.litmus
litscope check -engine solve litmus/adsm/A1.litmus
litscope check -engine solve litmus/ptx/Barrier_resource.litmus
