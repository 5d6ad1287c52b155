# Every program on every machine, on inputs that are small: every answer is checked.
litscope cost programs -csv -params size=64,lanes=4
# A graph from a file; a trace on the mesh of rings, and with more threads than it has cores.
printf '%s\n' 'p sp 4 5' 'a 1 2 3' 'a 2 3 1' 'a 3 4 2' 'a 1 4 7' 'a 1 3 5' >$TMP/square.gr
litscope cost programs -csv -params program=sssp,lanes=1,iterations=0,file=$TMP/square.gr
litscope cost programs -csv -params program=spmv,file=$TMP/square.gr -record $TMP/trace | head -2
litscope cost replay -machine timing-fear-mesh -params k=4 -csv -trace $TMP/trace
litscope cost replay -machine timing-fear-mesh -params W=2,mems=2,k=1 -trace $TMP/trace
