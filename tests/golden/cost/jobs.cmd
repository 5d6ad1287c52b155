# Simulations side by side give the same tables; -stats counts their events.
view="fear-mesh -params program=queue,ops=16,W=3,mems=2,k=3"
litscope cost $view -j 1 >"$TMP/one"
litscope cost $view -j 3 -stats 2>"$TMP/stats" | cmp "$TMP/one" - && echo same
sed 's/, [0-9.]* s, [0-9.]* million/, T s, R million/' "$TMP/stats"
# Every machine that is simulated counts its events; what comes from formulas has none.
printf '%s\n' 'litscope-trace 1' 'threads 1' 'words 64' '0 amo add 1 1 device' '0 load 5 plain' >"$TMP/trace"
for run in "rsp-ops" "rsp-steal -params nT=2" "amo-lat" "amo-throughput -params cycles=500" \
  "amo-policy -params pattern=flag,R=2" "fear-timed -params ops=2" "adsm -params s=4096,B=4096" \
  "adsm-programs -params profile=a/4K|fill:a;call:1" "replay -trace $TMP/trace" \
  "replay -machine timing-amo-run -trace $TMP/trace" "replay -machine timing-fear-mesh -trace $TMP/trace"; do
  litscope cost $run -stats 2>&1 >/dev/null | sed 's/: [1-9][0-9]* events, .*/: events/'
done
