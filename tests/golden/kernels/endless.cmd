litscope check tests/golden/kernels/endless.spvasm
litscope check -engine solve tests/golden/kernels/endless.spvasm
# Another waits elsewhere; or all wait at one barrier, in different rounds of a loop.
sed 's/^ *OpBranchConditional.*/OpBranchConditional %first %wait %else/; s/^ *%end = OpLabel/%else = OpLabel\nOpControlBarrier %two %two %zero\nOpBranch %end\n&/' \
  tests/golden/kernels/endless.spvasm >$TMP/apart.spvasm
sed 's/^ *OpSelectionMerge.*/OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %zero %entry %i1 %next\n%more = OpULessThan %bool %i %two\nOpLoopMerge %end %next None\nOpBranchConditional %more %body %end\n%body = OpLabel\n%now = OpIEqual %bool %i %id\nOpSelectionMerge %join None/
  s/^ *OpBranchConditional.*/OpBranchConditional %now %wait %join/; s/^ *OpStore.*//
  s/^ *OpBranch %end/OpBranch %join\n%join = OpLabel\nOpBranch %next\n%next = OpLabel\n%i1 = OpIAdd %uint %i %one\nOpBranch %head/' tests/golden/kernels/endless.spvasm >$TMP/rounds.spvasm
litscope check $TMP/apart.spvasm $TMP/rounds.spvasm >/dev/null
