# Figure 9 as boxes: a line between extremes, a box between quartiles, the median.
litscope cost gpu-steal -params program=sssp,V=300,n=2,iterations=1 -svg -o "$TMP" >"$TMP/path"
sed -n '/>Times of work-groups/,/>Misses of/p' "$TMP/gpu-steal.svg" | grep -v '#dddddd' | head -40
