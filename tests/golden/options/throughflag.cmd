# Only executions that raise a flag, in logs and pictures, by C's part in a model too.
for model in opencl hrf-rsp hrf-rsp-native; do
  for flag in data_race ordinary_race scope_race; do
    echo "$model $flag"
    litscope check -model $model -throughflag $flag litmus/hrf/D7.litmus 2>&1 | grep -e 'warning' -e Witn -e Positive -e Flag
  done
done
litscope check -model opencl -throughflag data_race -show all -o "$TMP/graphs" litmus/opencl/MP_wg_apart.litmus > "$TMP/log"
grep -c '^[01]:' "$TMP/log"; ls "$TMP/graphs" | wc -l
for option in badflag showflag; do litscope check -q -$option datarace litmus/hrf/D7.litmus 2>&1 >"$TMP/log"; done
for option in '-throughflag data_race' '-restrict observed' '-outcomereads true'; do
  # shellcheck disable=SC2086
  litscope check -certify "$TMP/certificate" $option litmus/hrf/D7.litmus
done
