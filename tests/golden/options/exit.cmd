# -exit, as herd7's: nothing behind the first bad test, also where results come from a journal.
echo nonsense >"$TMP/bad.litmus"
for exit in false true; do
  litscope check -exit $exit litmus/c11/LB_relaxed.litmus "$TMP/bad.litmus" litmus/c11/SB_sc.litmus | grep '^Obs'
  litscope check -exit $exit -journal "$TMP/journal.$exit" litmus/c11/LB_relaxed.litmus "$TMP/bad.litmus" litmus/c11/SB_sc.litmus | grep '^Obs'
done
# A limit is no fault; what was written of JSON is whole.
litscope check -exit true -max-events 1 litmus/c11/LB_relaxed.litmus litmus/c11/SB_sc.litmus | grep '^Undec'
litscope check -q -exit true -json - "$TMP/bad.litmus" litmus/c11/SB_sc.litmus | tail -n 1
litscope check -q -exit true litmus/c11/LB_relaxed.litmus "$TMP/bad.litmus" | grep '^Obs'
