# Simulations side by side give the same tables; -stats counts their events.
view="fear-mesh -params program=queue,ops=16,W=3,mems=2,k=3"
litscope cost $view -j 1 >"$TMP/one"
litscope cost $view -j 3 -stats 2>"$TMP/stats" | cmp "$TMP/one" - && echo same
sed 's/, [0-9.]* s, [0-9.]* million/, T s, R million/' "$TMP/stats"
