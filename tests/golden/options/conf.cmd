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
# herd7's way to write them, its names for some, and files that name files; what has yet to come is passed over.
mkdir "$TMP/more"
printf 'hexa = false\ninclude = %s/more\nconf second\nverbose 0\nbadflag x\nbadflag none\nunroll none\n' "$TMP" >"$TMP/first.cfg"
printf 'cat=sc\nsymetric x,y\ntimeout none\n' >"$TMP/more/second.cfg"
litscope check -conf "$TMP/first.cfg" litmus/c11/LB_relaxed.litmus | grep Obs
printf 'conf round.cfg\nconf round.cfg\nconf round.cfg\nconf round.cfg\n' >"$TMP/round.cfg"
(cd "$TMP" && litscope check -conf round.cfg x.litmus)
printf 'grph free\nevince x\nshow some\nwhy yes\nconf x\n= sc\nverbose x\nunroll some\n' >"$TMP/wrong.cfg"
litscope check -conf "$TMP/wrong.cfg" litmus/c11/SB_sc.litmus
litscope check -conf "$TMP/none.cfg" litmus/c11/SB_sc.litmus
