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
try '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n'
try '%%%%MatrixMarket matrix coordinate real general\n2 2 4000000000\n'
try 'c nothing\n'
try 'p sp x\n'
try 'p sp 2 1\na 1 2\n'
try 'p sp 2 1\ne 1 2\n'
try 'graph\n'
try '2 1\n'
try '2 1 1\n2\n1\n'
litscope cost gpu-steal -params file=$TMP/nowhere 2>&1 | sed "s,$TMP/,,"
litscope cost gpu-steal -params V=100000,lanes=1,program=sssp,graph=grid 2>&1 | tail -3
litscope cost gpu-steal -mapping rsp-original,rsp-corrected
