# Whether a translation's instructions are needed is not known where a limit is reached without them.
printf 'Wxn Wyd|Ryd ! Rxn (wg 0,1)\n' >$TMP/family
litscope verify -mapping opencl-ptx -ablate -family $TMP/family -max-states 3
status=$?
litscope verify -mapping opencl-ptx -ablate -family $TMP/family -max-states 3 -json - | grep -o '"answer": "undecided"' | wc -l
exit $status
