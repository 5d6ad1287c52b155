# A racy execution: the two accesses, joined by a line that names the race.
litscope check -o $TMP/g -dot -show prop litmus/opencl/MP_wg_apart.litmus >/dev/null
grep -h 'label="MP' $TMP/g/*.dot
perl -0ne 'print "$1 $2\n" while /(e\d+ -> e\d+)\s*\[([^]]*data_race[^]]*)\]/g' $TMP/g/*.dot | perl -pe 's/\b(?:lp|pos)=(?:"[^"]*"|[^",]*),?\s*//g' | tr -s '\n\t ' ' '
perl -0ne 'print "$1\n" while /\be\d+\s*\[([^]]*penwidth=2[^]]*)\]/g' $TMP/g/*.dot | grep -o 'label="[^"]*"'
