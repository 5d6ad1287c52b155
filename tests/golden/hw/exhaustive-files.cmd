# Sweeps write -json and -junit too; with -json - nothing else is on standard output.
litscope verify -family 2x1 -mapping rsp-original,rsp-corrected -json $TMP/out.json -junit $TMP/out.xml >$TMP/log
echo $?
grep -c '^Mapping' $TMP/log
sed 's/"seconds": [0-9.]*/"seconds": 0/' $TMP/out.json
sed 's/ time="[0-9.]*"/ time="0"/g; s/ timestamp="[-0-9T:]*" hostname="[^"]*"/ timestamp="..." hostname="..."/' $TMP/out.xml
litscope verify -family adsm,2 -json - -junit $TMP/out.xml
sed 's/ time="[0-9.]*"/ time="0"/g; s/ timestamp="[-0-9T:]*" hostname="[^"]*"/ timestamp="..." hostname="..."/' $TMP/out.xml
