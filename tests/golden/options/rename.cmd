# Other names for tests, as herd's -rename, which then are those of lists, logs and pictures; and lists in words.
printf '# old and new\nD1 First\nD2 "Second"\n' > "$TMP/names"
litscope check -q -rename "$TMP/names" -oknames First,Second,D4 -nonames Second litmus/hrf/D[1-5].litmus | grep Observation
litscope check -rename "$TMP/names" -oknames D2,Secnd -o "$TMP/graphs" litmus/hrf/D[1-5].litmus
litscope check -q -rename "$TMP/names" -show all -nshow 1 -o "$TMP/graphs" litmus/hrf/D1.litmus > "$TMP/log" && ls "$TMP/graphs"
printf 'D1 a b\nD2\nD1 c\n' > "$TMP/names"
litscope check -rename "$TMP/names" litmus/hrf/D1.litmus
