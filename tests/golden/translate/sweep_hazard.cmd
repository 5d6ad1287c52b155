# A translation that makes a race of what is none is not sound, though its outcomes are allowed.
sed 's/st.atom.rel.{scope}.sc0.semsc0.semav/st.nonpriv.sc0/; s/name="opencl-vulkan"/name="plain"/' \
  mappings/opencl-vulkan.xml >$TMP/plain.xml
echo 'Wxd1|Rxd (wg 0,1)' >$TMP/family
litscope verify -family $TMP/family -mapping $TMP/plain.xml -json $TMP/json -junit $TMP/junit
sed 's/"seconds": [0-9.]*/"seconds": 0/' $TMP/json
grep 'message=' $TMP/junit
