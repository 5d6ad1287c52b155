# Files that are no graphs.
try() {
  printf "$1" >$TMP/bad
  litscope cost gpu-steal -params file=$TMP/bad 2>&1 | sed "s,$TMP/,,"
}
try ''
try '%%%%MatrixMarket matrix array real general\n2 2\n1\n'
try '%%%%MatrixMarket matrix coordinate real general\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n2 1\n'
try '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 4000000000\n'
try 'c nothing\n'
try 'p sp x\n'
try 'p sp 2 1\na 1 2\n'
try 'p sp 2 1\nx 1 2\n'
try 'p edge 2 1\ne 1\n'
try 'p sp 2 2\na 1 2 3\n'
try 'p sp 2 1\na 1 2 3 4\n'
try '2 1\n2 x\n1\n'
try 'graph\n'
try '2 1\n'
try '2 1 1\n2\n1\n'
try '3 1\n2\n1\n\n' >/dev/null
try '3 2\n2\n1\n\n'
# Compressed, with a byte of the checksum changed.
{ printf 'p sp 2 1\na 1 2 3\n'; yes c | head -200000; } | gzip >$TMP/bad
size=$(wc -c <$TMP/bad)
printf 'x' | dd of=$TMP/bad bs=1 seek=$((size - 6)) conv=notrunc 2>/dev/null
litscope cost gpu-steal -params file=$TMP/bad 2>&1 | sed "s,$TMP/,,"
litscope cost gpu-steal -params file=$TMP/nowhere 2>&1 | sed "s,$TMP/,,"
litscope cost gpu-steal -params V=100000,lanes=1,program=sssp,graph=grid 2>&1 | tail -3
litscope cost gpu-steal -mapping rsp-original,rsp-corrected
