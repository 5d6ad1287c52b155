# Operators on values without sign have words in certificates; floats, and initial values that are not known, have none.
module=litmus/kernels/message_device.spvasm
# certify NAME SCRIPT: the module, changed so.
certify() {
  sed "$2" $module >$TMP/$1.spvasm
  litscope check -q -certify $TMP/$1.cert $TMP/$1.spvasm | grep -E '^(Ok|No|Observation)'
}
certify unsigned 's/ *OpAtomicStore %flag %scope %release %one/%old = OpAtomicUMax %uint %flag %scope %release %large/
  s/^ *%one = OpConstant.*/&\n%large = OpConstant %uint 4294967290\n%four = OpConstant %uint 4/
  s/%is_set = OpIEqual %bool %seen %one/%part = OpUDiv %uint %seen %four\n%rest = OpUMod %uint %part %four\n%is_set = OpULessThan %bool %one %rest/
  s/@Output.*/@Output: exists (%out[0] == 1 and %flag == -6)/'
grep -oE '[(](udiv|umod|ult) ' $TMP/unsigned.cert | sort -u
grep -o 'umax [0-9]*' $TMP/unsigned.cert
litscope-certify $TMP/unsigned.cert
certify float 's/^ *%one = OpConstant.*/&\n%float = OpTypeFloat 32\n%half = OpConstant %float 0.5/
  s/%is_set = OpIEqual %bool %seen %one/%real = OpConvertUToF %float %seen\n%is_set = OpFOrdLessThan %bool %half %real/'
certify unknown '/@Input: %data/d'
# Who has no words for them says so.
for name in unsigned float; do
  litscope translate -q -mapping opencl-ptx $TMP/$name.spvasm
  litscope run -q -emit cuda -o $TMP/out $TMP/$name.spvasm
  litscope explore -q -emit promela $TMP/$name.spvasm
  litscope check -q -engine solve $TMP/$name.spvasm | grep -E '^(Ok|No|Observation)'
  litscope explore -q -machine sc $TMP/$name.spvasm | grep -E '^(Ok|No|States)'
done
# Code of a machine, and its certificate, have words for what stays in the range of values without sign.
litscope compile $TMP/unsigned.spvasm | grep -E UMAX_
litscope explore -q -certify $TMP/machine.cert $TMP/unsigned.spvasm | grep -E '^(Ok|No|Observation)'
grep -oE '\(rmw .*umax.*' $TMP/machine.cert
litscope-certify $TMP/machine.cert
