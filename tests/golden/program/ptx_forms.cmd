# The 191 forms of instructions to which libcu++ maps C++'s atomics, as it writes them but for types: every one is read.
{
  for scope in cta cluster gpu sys; do
    for op in add and or xor min max exch cas; do
      for order in '' .relaxed .acquire .release .acq_rel; do echo "atom.$op$order.$scope r0, x, 1"; done
    done
    for order in relaxed acquire; do echo "ld.$order.$scope r0, x"; done
    for order in relaxed release; do echo "st.$order.$scope x, 1"; done
    for order in acq_rel sc; do echo "fence.$order.$scope"; done
  done
  echo 'ld.volatile r0, x'
  echo 'st.volatile x, 1'
  echo 'ld.mmio.relaxed.sys r0, x'
  echo 'st.mmio.relaxed.sys x, 1'
  for level in cta gl sys; do echo "membar.$level"; done
} | sed '/cas/s/1$/0, 1/' >"$TMP/forms"
wc -l <"$TMP/forms"
n=0
while read -r form; do
  n=$((n + 1))
  printf 'PTX form%d\n{ x=0; }\n P0@cta 0,cluster 0,gpu 0 ;\n %s ;\nexists (x=0)\n' $n "$form" >"$TMP/$n.litmus"
done <"$TMP/forms"
litscope check "$TMP"/*.litmus | grep -c '^Observation'
# What stands for what.
litscope check -dump program "$TMP"/1.litmus "$TMP"/6.litmus "$TMP"/8[5-9].litmus "$TMP"/18[5-9].litmus "$TMP"/19[01].litmus | grep '^ '
