# A run recorded and replayed, plain and compressed; and a trace by hand, on both machines.
litscope cost gpu-steal -params program=sssp,graph=grid,V=64,lanes=8,iterations=1 -record $TMP/plain >$TMP/out
litscope cost gpu-steal -params program=sssp,graph=grid,V=64,lanes=8,iterations=1 -record $TMP/packed.gz >$TMP/out
gzip -dc $TMP/packed.gz | cmp - $TMP/plain && sed -n '1,3p; 200,204p' $TMP/plain
litscope cost replay -trace $TMP/packed.gz -csv
litscope cost amo-programs -params kernel=ttas,size=32,range=4,n=2 -record $TMP/locks >$TMP/out
litscope cost replay -machine timing-amo-run -trace $TMP/locks -csv
cat >$TMP/hand <<'END'
litscope-trace 1
threads 2
words 64
# two threads
init 3 7
0 load 3 plain
0 store 4 -1 group
0 amo add 5 1 device forget
0 amo cas 5 2 remote 1
0 gather 0 16 32
0 scatter 1=5 17=6
0 compute 10
0 barrier
1 amo swap 5 9 plain
1 barrier
END
litscope cost replay -trace $TMP/hand -csv
litscope cost replay -machine timing-amo-run -params near=NNFFF -trace $TMP/hand -csv
