# Schedulers by level: whose group is owed steps is one question, which of its work-items another.
litscope progress -scheduler fair,wg=fair,wg=unfair,wg=hsa,wg=obe,wg=lobe/sg=fair,sg=unfair,sg=hsa,wg=hsa/sg=obe tests/golden/progress/levels.litmus |
  grep Progress
# A line of the source may stand before a loop's first values.
sed 's/^ *%step = OpPhi/OpLine %file 1 1\n&/; s/^ *OpName %out.*/&/; s/^ *OpSource.*/%file = OpString "sum.cl"\n&/' litmus/kernels/sum_barriers.spvasm >$TMP/sum_barriers.spvasm
litscope check -q $TMP/sum_barriers.spvasm | grep -E '^(Ok|No|Flag)'
litscope progress -q -scheduler wg=obe/sg=hsa $TMP/sum_barriers.spvasm
