# Options from a file, as herd's; what follows counts after it.
cat >"$TMP/herd.cfg" <<'CFG'
# drawn by herd with these
graph free
fontsize 8
show all
 candidates	true
hexa true
why
CFG
litscope check -conf "$TMP/herd.cfg" -hexa false -no-candidates litmus/c11/SB_sc.litmus | head -3
litscope check -conf "$TMP/herd.cfg" litmus/c11/SB_sc.litmus | grep -v '^Time'
printf 'grph free\ntikz x\nshow some\nwhy yes\nconf x\n' >"$TMP/wrong.cfg"
litscope check -conf "$TMP/wrong.cfg" litmus/c11/SB_sc.litmus
litscope check -conf "$TMP/none.cfg" litmus/c11/SB_sc.litmus
