# Annotations that the model does not declare; operations that machines do not have.
cd tests/golden/linux
cat >"$TMP/typo.litmus" <<'T'
C typo
{ }
P0(int *x) { __store{onec}(*x, 1); __fence{mb}; }
exists (x=1)
T
litscope check -I . -bell linux -model linux "$TMP/typo.litmus"
litscope check "$TMP/typo.litmus"
litscope check -q "$TMP/typo.litmus" | tail -3
litscope verify "$TMP/typo.litmus"
litscope progress -macros linux.def locks.litmus
litscope explore "$TMP/typo.litmus"
litscope compile "$TMP/typo.litmus"
litscope compile -mapping opencl-ptx "$TMP/typo.litmus"
