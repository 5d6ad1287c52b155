# Each name of a location ends with any of the writes that are last, also where the model chooses (`with`).
cat >"$TMP/t.litmus" <<'END'
PTX Names
{ x=0; z @ surface aliases x; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | sust.weak z, 2 ;
exists (x=1 /\ z=2)
END
litscope check -q -force -model hrf-rsp "$TMP/t.litmus" | sed '/^Hash/d'
litscope check -q -model models/sc.cat "$TMP/t.litmus" | grep '^Obs'
