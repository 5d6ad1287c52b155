module=tests/golden/kernels/by_value.spvasm
litscope check $module
# One struct needs no braces around its own.
litscope check -q -input 'pair = {5, 7}' $module | grep -E '^(Ok|No)'
# Nothing says what the struct holds: any value, but for all work-items the same.  Nor what an undefined value is.
sed '/@Input: %pair/d; s/%new = OpIAdd.*/%new = OpCopyObject %uint %old/' $module >$TMP/any.spvasm
litscope check -q -output 'forall (%out[0] == %out[2])' -output 'not exists (%out[1] == 7 and %out[2] == 8)' $TMP/any.spvasm | grep -E '^(Ok|No)'
litscope check -q -output 'forall (out[0]=out[2])' -output '~exists (out[1]=7 && out[2]=8 || ~(out[1]!=7 \/ out[2]!=8) /\ out[1]=7)' $TMP/any.spvasm | grep -E '^(Ok|No)'
litscope check -q -output 'exists (%out[0] == 7 and %out[1] == 7)' $TMP/any.spvasm | grep -E '^(Ok|No)'
sed 's/%value = OpLoad.*/%value = OpUndef %uint/' $module >$TMP/undefined.spvasm
litscope check -q -output 'exists (%out[0] == 7 and %out[1] == 8)' $TMP/undefined.spvasm | grep -E '^(Ok|No)'
