# Files as they come: other ends of lines, empty lines, capitals, a format without weights, vertices
# with sizes and weights, and a line of more than 64 KiB.
show() { litscope cost gpu-steal -csv -params n=2,lanes=256,iterations=1,program=sssp,file=$1 2>&1 | sed -n '2p' | cut -d, -f1-6; }
printf '%%%%MatrixMarket MATRIX Coordinate Pattern Symmetric\r\n%% comment\r\n\r\n3 3 2\r\n2 1\r\n\r\n3 2' >$TMP/odd.mtx
printf 'c edges\n\np edge 3 2\ne 1 2\ne 2 3\n' >$TMP/odd.col
printf '3 2 111 2\n9 8 8 2 5\n9 8 8 1 5 3 5\n9 8 8 2 5\n' >$TMP/odd.graph
{ printf '20000 19999\n'; seq 2 20000 | tr '\n' ' '; echo; yes 1 | head -19999; } >$TMP/star.graph
for file in odd.mtx odd.col odd.graph star.graph; do show $TMP/$file; done
