# A disassembler's text is of the version that it names; without that, of the newest one
module=tests/golden/kernels/disassembled.spvasm
litscope check $module | grep Observation
sed '/Version/d' $module > "$TMP/newest.spvasm"
litscope check "$TMP/newest.spvasm" | grep Observation
