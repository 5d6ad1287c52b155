# slow
# What may run for ever ends, and what was cut is said.
cat >$TMP/endless.litmus <<'END'
ADSM endless
"a loop without an end beside a kernel's call"
{ x:1; y:1 }
kernel k { y = y + 1; }
P0 { call k; while (1 > 0) { x = x + 1; } }
exists (x=1)
END
sed -e 's/ADSM endless/ADSM endless_race/' -e 's,1 > 0,x != 5,; s,^P0.*,&\nP1 { x = 5; },' $TMP/endless.litmus >$TMP/endless_race.litmus
litscope verify -machine batch $TMP/endless.litmus $TMP/endless_race.litmus
litscope verify -machine batch -max-states 4 litmus/adsm/two_hosts_race.litmus
litscope explore -machine batch -max-states 1000 $TMP/endless.litmus
