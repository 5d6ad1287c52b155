# Where a quick answer needs no division by 0, one is looked for all the same, as the solver does.
for op in SDiv UMod; do
  sed "s/%value = OpLoad.*/%value = Op$op %uint %one %seen/
    s/OpIEqual %bool %seen %one/OpIEqual %bool %seen %seen/" litmus/kernels/message_device.spvasm >$TMP/divides.spvasm
  for condition in 'exists (%flag == 1)' 'exists (%out[0] == 0)' 'forall (%out[0] == 1)'; do
    echo "$op $condition"
    for engine in enumerate solve; do
      litscope check -q -engine $engine -output "$condition" $TMP/divides.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
    done
  done
done
sed "s/OpUMod %uint %one %seen/OpUMod %uint %seen %one/" $TMP/divides.spvasm >$TMP/by_one.spvasm
litscope check -q -output 'exists (%out[0] == 0)' $TMP/by_one.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
# Of many executions only the first are looked into, which is said; the solver looks into all.
sed "/OpStore %out %value/d; s/%value = OpLoad.*/%value = OpUDiv %uint %one %seen/; s/@Config.*/@Config: 12, 1, 1/
  s/@Output.*/@Output: exists (%flag == 1)/" litmus/kernels/message_device.spvasm >$TMP/many.spvasm
litscope check $TMP/many.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
litscope check -engine solve $TMP/many.spvasm | grep -E '^(Ok|No|Flag|Undefined)'
