# -cycles draws what these checks reject, or flags find, whatever -show says, and the log stays; -suffix names graphs.
for show in none prop; do
  litscope check -model rc11 -cycles sc -show $show -suffix +$show -o "$TMP/o" litmus/c11/SB_sc.litmus | grep Obs
done
litscope check -model rc11 -cycles data_race -show none -suffix -flag -o "$TMP/o" litmus/c11/MP_relaxed_race.litmus | grep Obs
litscope check -model rc11 -cycles coherence,nosuch -show all -nshow 1 -o "$TMP/o" litmus/c11/SB_sc.litmus | grep Obs
litscope check -model rc11 -cycles coherence -through all -show none -nshow 2 -suffix -co -o "$TMP/o" litmus/c11/CoRR.litmus | grep Obs
for last in '-showflag data_race -show all' '-show all -showflag data_race'; do
  # shellcheck disable=SC2086
  litscope check $last -suffix -last -o "$TMP/last" litmus/c11/MP_relaxed_race.litmus | grep -c Obs
  ls "$TMP/last" | wc -l
  rm -r "$TMP/last"
done
(cd "$TMP/o" && ls)
grep -o 'SB_sc: forbidden[^"\\]*' "$TMP/o/SB_sc+none-rc11-forbidden-0.dot"
