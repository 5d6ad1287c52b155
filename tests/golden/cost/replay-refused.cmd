# Traces that are none.
try() {
  printf "$1" >$TMP/bad
  litscope cost replay -trace $TMP/bad 2>&1 | sed "s,$TMP/,,"
}
head='litscope-trace 1\nthreads 2\nwords 64\n'
try 'threads 2\n'
try 'litscope-trace 2\n'
try "${head}5 barrier\n"
try "${head}0 wait\n"
try "${head}0 load 64 plain\n"
try "${head}0 load 1 anywhere\n"
try "${head}0 amo sub 1 1 plain\n"
try "${head}0 gather\n"
try "${head}0 gather $(seq -s ' ' 0 63) $(seq -s ' ' 0 63) $(seq -s ' ' 0 63) $(seq -s ' ' 0 63) 1\n"
try "${head}0 scatter 1:2\n"
try "${head}0 barrier 1\n"
# Compressed, and cut.
{ printf "${head}"; yes "0 load 1 plain" | head -5000; } | gzip | head -c -8 >$TMP/cut.gz
litscope cost replay -trace $TMP/cut.gz 2>&1 | sed "s,$TMP/,,"
try ''
litscope cost replay
litscope cost replay -trace $TMP/nowhere 2>&1 | sed "s,$TMP/,,"
printf 'litscope-trace 1\nthreads 40\nwords 64\n' >$TMP/wide
litscope cost replay -machine timing-amo-run -trace $TMP/wide
litscope cost gpu-steal -params V=64,program=sssp -record $TMP/no/where 2>&1 | sed "s,$TMP/,,"
litscope cost rsp-ops -params n=1 -record $TMP/none | tail -1
litscope cost gpu-steal -params V=64,program=sssp -record /dev/full | tail -1
