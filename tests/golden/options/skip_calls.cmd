# A procedure's checks are left out by its name or the call's, as in herd7.
cat >"$TMP/p.cat" <<'M'
"Procedures"
procedure order(r) = acyclic r | rf | fr | co as cycle end
procedure both(r) = call order(r) as inner flag ~empty rfe as read end
call both(po) as outer
call order(po-loc) as coherence
M
for names in cycle read inner both outer order coherence both,coherence; do
  echo "$names: $(litscope check -q -model "$TMP/p.cat" -skipchecks $names litmus/c11/CoRR.litmus | grep 'Flag\|Pos' | xargs)"
done
litscope check -q -model "$TMP/p.cat" -skipcheck inner -strictskip true litmus/c11/SB_sc.litmus | grep Pos
litscope check -q -model "$TMP/p.cat" -skipcheck outer -strictskip true litmus/c11/SB_sc.litmus
