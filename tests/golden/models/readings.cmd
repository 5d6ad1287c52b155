# Each word of -variant changes what it says: name, words, test.
while read -r model variant test; do
  [ "$variant" = none ] && words= || words="-variant $variant"
  # shellcheck disable=SC2086
  litscope check -model "$model" $words "litmus/hrf/$test.litmus" >"$TMP/log"
  echo "$model $variant $(grep ^Observation "$TMP/log") $(grep ^Bad "$TMP/log")"
done <<LIST
hrf-direct none Fig6
hrf-direct l2 Fig6
hrf-indirect l2 D9
hrf-direct-relaxed none MP_wg_dev
hrf-direct-relaxed s1 MP_wg_dev
hrf-indirect-relaxed s1 MP_wg_dev
hrf-indirect-relaxed none D5
hrf-indirect-relaxed k2 D5
hrf-indirect-relaxed none IRIW_relaxed
hrf-indirect-relaxed c2 IRIW_relaxed
hrf-indirect-relaxed none LB_ctrl_relaxed
hrf-indirect-relaxed no-thin-air LB_ctrl_relaxed
hrf-rsp none D1
hrf-rsp n2 D1
hrf-rsp n3 D1
hrf-rsp none D5
hrf-rsp k1 D5
hrf-rsp none D9
hrf-rsp k2 D9
hrf-rsp cascade D1
hrf-rsp cascade ../rsp/RSP_Test4
hrf-rsp one-scope D1
hrf-rsp-native none D1
hrf-rsp-native n2 D1
hrf-rsp-native n3 D1
hrf-rsp-native none D5
hrf-rsp-native k1 D5
hrf-rsp-native none D9
hrf-rsp-native k2 D9
LIST
