# The cheapest cells that are sound on small families, and their certificates.
litscope synth -family 2x1 -steps 3 -cells 'dev$' -o $TMP/small.xml
litscope synth -check $TMP/small.xml.certificate
# Message passing with a guard needs the acquire's invalidation and the release's flush.
litscope synth -family 2x2,guarded,scopes=dev,orders=na+ra -steps 3 -cells 'load acq dev$|store rel dev$' -o $TMP/guarded.xml -q
cat $TMP/guarded.xml.certificate
litscope synth -check $TMP/guarded.xml.certificate
# The mapping that is written is one, and sound.
litscope verify -mapping $TMP/guarded.xml -exhaustive 2x1,scopes=dev -q | grep -v Time
# A claim that is not so; a candidate that is left out; what is no certificate.
sed 's/^refuted LD: .*/refuted LD: wg 0,1 dev 0,0 : Rxd|Rxd : fifo/' $TMP/guarded.xml.certificate >$TMP/wrong
litscope synth -check $TMP/wrong
sed '/^refuted/d' $TMP/guarded.xml.certificate >$TMP/less
litscope synth -check $TMP/less
head -9 $TMP/guarded.xml.certificate >$TMP/half
litscope synth -check $TMP/half
litscope synth -check $TMP/none
# Too few steps: the smallest program on which all candidates fail.
litscope synth -family 2x2,guarded,scopes=dev,orders=na+ra -steps 1 -cells 'store rel dev$' -q
litscope synth -cells 'fence'
litscope synth -cells '['
litscope synth -mapping rsp-corrected,rsp-original
litscope synth -family 2x1 -timeout 0.0001 -q
litscope synth -family 2x1 -steps 2 -cells 'load acq dev$' -o $TMP/none/x.xml
# Prices are data: where an invalidation costs 300 cycles, as many more candidates are cheaper.
sed 's/name="inv" value="1"/name="inv" value="300"/' mappings/timing-rsp.xml >$TMP/dear.xml
litscope synth -price $TMP/dear.xml -family 2x1,scopes=dev -steps 3 -cells 'load acq dev$|store rel dev$' -o $TMP/dear-map.xml
litscope synth -check $TMP/dear-map.xml.certificate
sed 's/value="300"/value="1"/' $TMP/dear.xml >$TMP/cheap.xml
sed "s|^price .*|price $TMP/cheap.xml|" $TMP/dear-map.xml.certificate >$TMP/cheaper
litscope synth -check $TMP/cheaper
litscope synth -price nosuch
litscope synth -price timing-fear
