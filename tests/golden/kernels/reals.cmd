# Floats as states show them: as few digits as are read as the same bits. A log with them is read again; -hexa shows
# the bits, and JSON both.
o='exists (o.f[0]==7 or o.f[1]==7 or o.f[2]==7 or o.f[3]==7 or o.f[4]==7 or o.f[5]==7 or o.f[6]==7 or o.f[7]==7 or o.f[8]==7 or o.f[9]==7 or o.f[10]==7 or o.f[11]==7 or o.d[0]==7 or o.d[1]==7 or o.i==1)'
check() {
  litscope check -config 1,1,1 -output "$o" "$@" tests/golden/kernels/reals.spvasm
}
check >$TMP/log
check -hexa true | sed -n 3p
check -json - | grep -o '"values.*"executions'
sed -n 3p $TMP/log
check -q -expect $TMP/log | grep -E '^(Kind|State|Differ|Same|[0-9])'
sed 's/f\[10\]=0.33333334/f[10]=0.33333333/' $TMP/log >$TMP/other
check -q -expect $TMP/other | tail -3
litscope check -dump program -config 1,1,1 -input 'o = {{1.5, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0}, 0}' -output "exists (o.f[0] == 2.5)" tests/golden/kernels/reals.spvasm | grep 'global o.f\[[01]'
