# An agent with two L2s: LLVM 19 and 22 wait too little behind buffer_wbl2.
litscope explore -no-por -knob l2=2 tests/compilers/assembly/ISA2_barrier.gfx942-*.litmus | grep -E '^(Observation|States-explored)'
# Where stores write through, as all of gfx940 do, buffer_wbl2 matters only if a release to the work-group does not wait.
for change in '' '0,/ sc0 sc1/s/ sc0 sc1//' '/buffer_wbl2 sc1$/d'; do
  for test in forced_stores forced_stores_local; do
    sed "$change" tests/compilers/$test.litmus | litscope explore -knob l2=2 - | grep Observation
  done
done
