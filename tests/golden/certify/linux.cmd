# What certificates have no words for is said, and is no jump.
cd tests/golden/linux
litscope check -q -I . -bell linux.bell -macros linux.def -model linux.cat -certify "$TMP/cert" ops.litmus locks.litmus sections.litmus >/dev/null
litscope-certify "$TMP/cert"
