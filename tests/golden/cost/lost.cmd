# Where the program that has the views is missing, or is none, tests have their prices all the same.
cp "$(readlink -f "$(command -v litscope)")" $TMP/litscope
export LITSCOPE_LIB=.
$TMP/litscope cost rsp-ops; echo "status $?"
$TMP/litscope cost mapping -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus
mkdir $TMP/libexec; printf 'no program\n' >$TMP/litscope-cost; chmod +x $TMP/litscope-cost
$TMP/litscope cost rsp-ops 2>&1 | sed "s:$TMP:TMP:"
