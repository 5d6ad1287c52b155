# -badflag, -badexecs, -checkfilter, as herd7's.
cat >"$TMP/flags.cat" <<'M'
"Flags"
acyclic po-loc | rf | fr | co as coherence
flag ~empty [W \ IW]; rfe as seen
M
for extra in '' '-badflag seen' '-badflag seen -badexecs false' '-badflag other -badexecs false'; do
  echo "with $extra"
  litscope check -model "$TMP/flags.cat" $extra litmus/c11/SB_sc.litmus | grep '^Flag\|^Bad\|^Obs'
done
sed 's/^exists/filter 0:r0=1 exists/' litmus/c11/SB_sc.litmus >"$TMP/t.litmus"
litscope check "$TMP/t.litmus" | grep ^States
litscope check -checkfilter false "$TMP/t.litmus" | grep ^States
litscope help -format herd | grep -e '^-\(bad[a-z]*\|checkfilter\|cycles\) '
