# One graph in three formats, plain and compressed: the same run.
printf '%s\n' '%%MatrixMarket matrix coordinate integer symmetric' '% a square with a diagonal' '4 4 5' '2 1 3' '3 2 1' \
  '4 3 2' '4 1 7' '3 1 5' >$TMP/square.mtx
printf '%s\n' 'c a square with a diagonal' 'p sp 4 5' 'a 1 2 3' 'a 2 3 1' 'a 3 4 2' 'a 1 4 7' 'a 1 3 5' >$TMP/square.gr
printf '%s\n' '% a square with a diagonal' '4 5 1' '2 3 4 7 3 5' '1 3 3 1' '2 1 4 2 1 5' '3 2 1 7' | gzip >$TMP/square.graph.gz
for file in square.mtx square.gr square.graph.gz; do
  litscope cost gpu-steal -csv -params n=2,lanes=2,iterations=0,program=sssp,file=$TMP/$file | grep 'Figure 8\|^table'
done
