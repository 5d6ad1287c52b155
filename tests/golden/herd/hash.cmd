# Hashes of C tests are those that herd7 prints (7.56 was asked: hash.out), also
# with another condition; layout counts, as there.
herd=tests/golden/herd
echo 'hash_order "exists (0:r0=1)"' >"$TMP/conds"
{
  litscope check -q "$herd/hash_given.litmus" "$herd/hash_order.litmus" "$herd/hash_types.litmus" litmus/c11/SB_sc.litmus
  litscope check -q -conds "$TMP/conds" "$herd/hash_order.litmus"
  sed 's/int r9=1;/int r9 = 1;/' "$herd/hash_order.litmus" >"$TMP/layout.litmus"
  litscope check -q "$TMP/layout.litmus"
} 2>/dev/null | sed -n 's/^Test \([^ ]*\).*/\1/p; s/^Hash=/  /p'
