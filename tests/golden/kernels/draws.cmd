# Of a kernel one picture, whatever its condition: of a race, or of what breaks the condition, or of what is right. A
# barrier of many is not drawn as synchronisation of each with each, and has the number of its line.
litscope check -q -o $TMP -svg tests/golden/kernels/huge_group.spvasm | grep ^Obs
litscope check -q -o $TMP -svg -output 'forall (out[0]==0)' -config 1,1,2 litmus/kernels/message_device.spvasm | grep ^Obs
litscope check -q -o $TMP -svg litmus/kernels/sum_barriers.spvasm | grep ^Obs
ls $TMP
grep -ho -e 'undefined: racy' -e 'out\[0\]=-*[0-9]*;' $TMP/*.svg | sort -u
grep -c '<title>.*lsw\|>lsw<' $TMP/sum_barriers*.svg || true
grep -ho 'P*[0-9]* *barrier [0-9][^<]*' $TMP/sum_barriers*.svg | sort | uniq -c | head -3
