# Other models: chains as Khronos has them; none, without a variant; a model without races.
litscope check -model vulkan:alloy,vulkan-nochains,sc tests/golden/khronos/nochains.test | grep -E '^(Model|Assertion)'
# -why and -certify are of the executions that are read of.
litscope check -why tests/golden/khronos/mp_stale.test | grep -A3 '^Why'
litscope check -q -certify "$TMP/certificate" tests/golden/khronos/mp.test >/dev/null
litscope-certify "$TMP/certificate"
# A model of one's own may have races, and no release sequences.
printf '"mine"\nflag ~empty ((W * R) & loc & ext) as racy\n' >"$TMP/mine.cat"
litscope check -q -fail-on nothing -model "$TMP/mine.cat" tests/golden/khronos/sequences.test | grep -m1 Assertion
