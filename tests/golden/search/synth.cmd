# plain
# The cheapest cells that are sound on small families, and their certificates.
litscope synth -family 2x1 -steps 3 -cells 'dev$' -o $TMP/small.xml
litscope synth -check $TMP/small.xml.certificate
# Message passing with a guard needs the acquire's invalidation and the release's flush, whatever else is done.
litscope synth -family 2x2,guarded,scopes=dev,orders=na+ra -steps 3 -cells 'load acq dev$|store rel dev$' -o $TMP/guarded.xml -q
cat $TMP/guarded.xml.certificate
litscope synth -check $TMP/guarded.xml.certificate
# The mapping that is written is one, and sound.
litscope verify -mapping $TMP/guarded.xml -family 2x1,scopes=dev -q | grep -v Time
# A conflict that is none, one that is left out, a cell that is no candidate or dearer; what is no certificate.
sed 's/FLU_L1 DV; FLU_L1 DV; LD/INV_L1 DV; LD/' $TMP/guarded.xml.certificate >$TMP/wrong
litscope synth -check $TMP/wrong
sed '/^conflict.*LD/d' $TMP/guarded.xml.certificate >$TMP/less
litscope synth -check $TMP/less
sed 's/^cell store rel dev: .*/&; LD/' $TMP/guarded.xml.certificate >$TMP/other
litscope synth -check $TMP/other
sed 's/^cell store rel dev: .*/&; INV_L1 WG/' $TMP/guarded.xml.certificate >$TMP/dearer
litscope synth -check $TMP/dearer
sed 's/^conflict \(.*ST_L2\)/stuck \1/' $TMP/guarded.xml.certificate >$TMP/stuck
litscope synth -check $TMP/stuck
for edit in '10,$d' 's/| load acq dev: LK_rmw DV/| load acq dev: LK_rmw/' 's/ : fifo |/ : first |/' 's/Wyd2/Qyd2/' \
  's/wg 0,1/wg 0/' 's/^cell load acq/cell fence acq/' 's/^steps 3/steps 7/' 's/^variant /variants /' '11s/^cell.*/&\n&/' '12s/$/ | load acq dev: LD/'; do
  sed "$edit" $TMP/guarded.xml.certificate >$TMP/bad
  litscope synth -check $TMP/bad
done
litscope synth -check $TMP/none
# One operation: each cheaper candidate, in their order, and the variant of the model that was asked.
litscope synth -family 2x2,scopes=dev,orders=ra -variant remote-any -steps 2 -cells 'store rel dev$' -o $TMP/one.xml -q
cat $TMP/one.xml.certificate
litscope synth -check $TMP/one.xml.certificate
sed 's/^refuted ST; INV_L1 WG: .*/refuted ST; INV_L1 WG: Rxd|Rxd (wg 0,1) : fifo/' $TMP/one.xml.certificate >$TMP/wrong
litscope synth -check $TMP/wrong
sed '/^refuted/d' $TMP/one.xml.certificate >$TMP/less
litscope synth -check $TMP/less
sed 's/remote-any/remote-none/' $TMP/one.xml.certificate >$TMP/variant
litscope synth -check $TMP/variant
# Too few steps: the smallest program on which all candidates fail, of one operation and of several.
litscope synth -family 2x2,guarded,scopes=dev,orders=na+ra -steps 1 -cells 'store rel dev$' -q
litscope synth -family 2x2,scopes=dev,orders=ra -steps 1 -cells 'load acq dev$|store rel dev$' -q
litscope synth -cells 'fence'
litscope synth -cells '['
litscope synth -mapping rsp-corrected,rsp-original
litscope synth -family 2x1 -timeout 0.0001 -q
litscope synth -family 2x1 -steps 2 -cells 'load acq dev$' -o $TMP/none/x.xml
# Prices are data: where an invalidation costs 300 cycles, as many more candidates are cheaper.
sed 's/name="inv" value="1"/name="inv" value="300"/' mappings/timing-rsp.xml >$TMP/dear.xml
litscope synth -cost $TMP/dear.xml -family 2x1,scopes=dev -steps 3 -cells 'load acq dev$|store rel dev$' -o $TMP/dear-map.xml
litscope synth -check $TMP/dear-map.xml.certificate
# So are weights: nine stores for a load.
litscope synth -params weight-store=9,q=8,d=8 -family 2x2,scopes=dev,orders=ra -steps 2 -cells 'load acq dev$|store rel dev$' -o $TMP/weighed.xml -q
sed "s/weight-store=9,//" $TMP/weighed.xml.certificate >$TMP/plain
litscope synth -check $TMP/plain
litscope synth -cost nosuch
litscope synth -cost timing-fear
