# A schema that lies beside a mapping, or in a folder of -I, is not believed,
# nor opened: this one would take anything, and asks the network for more.
cp mappings/rsp-corrected.xml $TMP/own.xml
cat >$TMP/mapping.rng <<X
<grammar xmlns="http://relaxng.org/ns/structure/1.0"><include href="http://127.0.0.1:9/x.rng"/></grammar>
X
litscope verify -I $TMP -mapping $TMP/own.xml litmus/rsp/RSP_Test2.litmus | head -1
sed -i 's/kind="load"/knid="load"/' $TMP/own.xml
litscope verify -I $TMP -mapping own litmus/rsp/RSP_Test2.litmus 2>&1 | head -1
