# An array that the `locations` line names is shown as herd7 shows it, among the other locations, and hashed so.
cat >"$TMP/w.litmus" <<'L'
C W
{ int a[2]={1,2}; x=0; int z[3]={-1,5,6}; b=3; }
P0 (int* a, int* x, int* z) { *a = 5; *x = 1; }
P1 (int* a, int* x, int* z) { int r0 = *a; int r1 = *x; }
locations [z; x; a; b;]
exists (1:r0=1)
L
litscope check -q "$TMP/w.litmus" | grep '^1\|^Hash'
litscope check -q -hexa true -outcomereads true "$TMP/w.litmus" | grep '^1'
# So it is where the condition compares all of it.
sed 's/^locations.*//; s/^exists.*/exists (~(a={1,2} \\\/ z={-1,5,7}) \/\\ z={-1,5,6})/' "$TMP/w.litmus" >"$TMP/c.litmus"
litscope check -q -hexa true "$TMP/c.litmus" | grep '^[az]\|^Cond\|^Obs\|^Hash'
sed 's/~(a={1,2}/(a!={1,2}/; s/\\\/ z={-1,5,7}/\/\\ z!={-1,5,7}/' "$TMP/c.litmus" >"$TMP/n.litmus"
litscope check -q -hexa true "$TMP/n.litmus" | grep '^Cond\|^Obs'
# Logs are compared by cells.
litscope check -q "$TMP/w.litmus" >"$TMP/whole"
sed 's/a={\(.*\),2}; \(.*\) z={.*}/\2 a[0]=\1; a[1]=2; z[0]=-1; z[1]=5; z[2]=6/' "$TMP/whole" >"$TMP/cells"
grep '^1' "$TMP/cells"; litscope compare "$TMP/whole" "$TMP/cells"
