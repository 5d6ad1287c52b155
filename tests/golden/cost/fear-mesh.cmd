# plain
# Table I's machine, with few operations of each core; one program alone.
litscope cost fear-mesh -csv -params ops=24
litscope cost fear-mesh -csv -params program=bins,Z=100,ops=48,k=4,B=4,classes=1,W=4,mems=3,E=64,LUT=64,M=512,u=1
litscope cost fear-mesh -svg -o $TMP -params ops=8 >$TMP/path; grep -c '<svg' $TMP/fear-mesh.svg
