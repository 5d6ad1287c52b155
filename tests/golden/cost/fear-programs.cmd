# plain
# Programs on Table I's machine, each core with little to do: every answer is checked. One program alone on
# a small mesh, and with a directory on the smallest.
litscope cost fear-programs -csv -params size=4,Z=100
litscope cost fear-programs -csv -params kernel=buckets,size=4,W=4,mems=3,k=2,spec=0,B=4,M=64,LUT=64,E=256,rmw=40,Z=50
litscope cost fear-programs -svg -o $TMP -params size=1,Z=9 >$TMP/path; grep -o "bold\">[^<]*" $TMP/fear-programs.svg
litscope cost fear-programs -csv -params kernel=queue,size=1,Z=9,ops=3,k=1,spec=0,M=64,LUT=64,E=9,B=1,W=2,mems=1 | head -3
