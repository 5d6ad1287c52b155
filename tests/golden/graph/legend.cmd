# Below a legend, too, edges are led around the events between those that they join: none is straight and longer than a row.
litscope check -q -tikz -nshow 4 -o $TMP litmus/ptx/Bulk_copies_of_blocks.litmus >/dev/null
grep -h "→" $TMP/*.tikz | wc -l
awk '/controls/ {
  count = 0
  while (match($0, /\([-0-9.]+,[-0-9.]+\)/)) {
    split(substr($0, RSTART + 1, RLENGTH - 2), at, ","); $0 = substr($0, RSTART + RLENGTH)
    if (!count++) { left = right = at[1]; low = high = at[2] }
    if (at[1] < left) left = at[1]; if (at[1] > right) right = at[1]
    if (at[2] < low) low = at[2]; if (at[2] > high) high = at[2]
  }
  if (right - left < 1 && high - low > 62) print "straight:", left, low, high
}' $TMP/*.tikz
# What lets the next grid start has a name.
litscope check -q -dot -nshow 1 -show all -o $TMP litmus/museum/Early_grid.litmus >/dev/null
grep -c launch $TMP/Early_grid*.dot
