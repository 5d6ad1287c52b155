# A minimal test names the rule of a model that chooses an order, too: the first that fails, of those not left out.
cat >"$TMP/order.cat" <<'M'
"sc by an order"
with S from linearisations(M, po | (IW * (M \ IW)))
empty (rf | co | fr) \ S as one_order
irreflexive S; fr as no_later_write
M
echo 'Wxdr1 Rydr|Wydr2 Rxdr (wg 0,1 dev 0,0)' >"$TMP/sb"
for model in "$TMP/order.cat" "$TMP/order.cat-one_order"; do
  litscope diff -q -model "rc11,$model" -family "$TMP/sb" | sed -n '/^Minimal/,$p'
done
