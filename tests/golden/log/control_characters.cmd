# What a terminal takes for commands, in UTF-8 or not, is in no name that is printed; elsewhere it is made visible.
esc=$(printf '\033') two=$(printf '\302\233') one=$(printf '\233') carrier=tests/errors/carrier.litmus
for control in "$esc" "$two" "$one"; do
  sed "1s/\$/${control}2J/" $carrier >$TMP/name.litmus
  litscope check $TMP/name.litmus
  sed "s/^exists.*/exists (${control}2J=1)/" $carrier >$TMP/word.litmus
  litscope check $TMP/word.litmus
  sed "s/<title>/&${control}2J/" mappings/rsp-original.xml >$TMP/title.xml
  litscope compile -mapping $TMP/title.xml $carrier
  sed "0,/name=\"/s//&${control}2J/" mappings/rsp-original.xml >$TMP/name.xml
  litscope compile -mapping $TMP/name.xml $carrier
  printf 'Test t%s Allowed\nStates 1\n0:r=1;\nOk\nWitnesses\nPositive: 1 Negative: 0\nCondition exists (0:r=1)\nObservation t%s Sometimes 1 0\n\n' \
    "${control}2J" "${control}2J" >$TMP/log
  sed "s/${control}/xx/" $TMP/log >$TMP/other
  litscope compare $TMP/log $TMP/other
done
