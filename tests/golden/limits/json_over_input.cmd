# Results are not written over a test, and files are whole or as they were.
cp litmus/rsp/RSP_Test2.litmus $TMP/t.litmus
litscope check -q -json $TMP/t.litmus $TMP/t.litmus
echo "status $?"
litscope check -q -junit $TMP/t.litmus $TMP
echo "status $?"
cmp litmus/rsp/RSP_Test2.litmus $TMP/t.litmus
# Nor over a model, a mapping, a list or a machine that is read, nor over each other.
cp models/sc.cat mappings/rsp-original.xml mappings/timing-gpu.xml $TMP
ls $TMP/* >$TMP/index
refused() {
  litscope "$@" 2>&1
  echo "status $?"
}
refused check -q -model $TMP/sc.cat -json $TMP/sc.cat $TMP/t.litmus
refused check -q -certify $TMP/index @$TMP/index
refused verify -mapping $TMP/rsp-original.xml -family 2x1 -json $TMP/rsp-original.xml
refused cost gpu-steal -machine $TMP/timing-gpu.xml -params V=64 -record $TMP/timing-gpu.xml
refused check -q -json $TMP/one -junit $TMP/one $TMP/t.litmus
cmp models/sc.cat $TMP/sc.cat && cmp mappings/rsp-original.xml $TMP/rsp-original.xml && cmp mappings/timing-gpu.xml $TMP/timing-gpu.xml
rm $TMP/*.cat $TMP/*.xml $TMP/index
# A link is followed, a device written to, and nothing is left beside the file.
ln -s real.json $TMP/link.json
echo old >$TMP/real.json
litscope check -q -json $TMP/link.json $TMP/t.litmus >/dev/null
grep -c '"observation": "Never"' $TMP/real.json
litscope check -q -json /dev/null $TMP/t.litmus >/dev/null && [ -c /dev/null ] && echo a device
ls -A $TMP
