# A race, and afterwards an access outside: both are found, whichever engine looks for them.
sed '/%far = /d; /OpStore %far/d; s/%scope = OpConstant %uint 1/%scope = OpConstant %uint 2/
  s/^ *OpAtomicStore.*/&\n%far = OpPtrAccessChain %ptr_global %data %far_away\nOpStore %far %one/' \
  tests/golden/kernels/outside.spvasm >$TMP/twice.spvasm
for engine in enumerate solve; do
  litscope check -q -engine $engine $TMP/twice.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
done
