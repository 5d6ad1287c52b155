# -csv of several tables is one table: each row has as many fields as the header, and its first says of which table it is.
litscope cost adsm -csv -params s=1048576 >"$TMP/all.csv"
sed 's/,"[^"]*"/,quoted/g; s/^"\([^",]*\),\([^"]*\)"/\1\2/' "$TMP/all.csv" |
  awk -F, 'NR == 1 { n = NF } NF != n { print "line " NR ": " NF " fields" } { print $1 }' | uniq -c
grep -c '^#\|^$' "$TMP/all.csv"
