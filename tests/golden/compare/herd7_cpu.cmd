# Logs of herd7 for CPUs: arrays, faults, page tables, code as data, numbers in
# hexadecimal and a warning in the midst.
logs=tests/golden/compare/logs
litscope compare $logs/herd7-cpu.log $logs/herd7-cpu-uniproc.log
echo Lines that end in CR LF, after a byte order mark:
(printf '\357\273\277'; sed 's/$/\r/' $logs/herd7-cpu.log) >$TMP/crlf
litscope compare $logs/herd7-cpu.log $TMP/crlf
echo As herd -v writes on one stream:
sed 's/^Test/....Test/' $logs/herd7-cpu.log >$TMP/dots
litscope compare $logs/herd7-cpu.log $TMP/dots
echo Without blank lines, twice:
cat $logs/herd7-cpu.log $logs/herd7-cpu.log | sed '/^$/d' >$TMP/twice
litscope compare $logs/herd7-cpu.log $TMP/twice
echo Two that differ in one file:
cat $logs/herd7-cpu.log $logs/herd7-cpu-uniproc.log >$TMP/both
litscope compare $logs/herd7-cpu.log $TMP/both
echo Broken off:
head -n 16 $logs/herd7-cpu.log >$TMP/short
litscope compare $logs/herd7-cpu.log $TMP/short
echo A state lost:
sed '/^1:X0=0; 1:X4=1/d' $logs/herd7-cpu.log >$TMP/lost
litscope compare $logs/herd7-cpu.log $TMP/lost
