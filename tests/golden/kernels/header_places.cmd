# Headers are read in every comment, also after GLSL's first line, a licence and code: one that is not would ask nothing.
{ printf '; Copyright (c) nobody\n;\n'; sed '/@/d' litmus/kernels/message_device.spvasm; grep @ litmus/kernels/message_device.spvasm; echo '; @param is no header here'; } >$TMP/late.spvasm
litscope check $TMP/late.spvasm | grep -E '^(Cond|Obs)'
litscope check -dump program litmus/kernels/message_device.spvasm >$TMP/above
litscope check -dump program $TMP/late.spvasm | sed s/late/message_device/ | diff $TMP/above - && echo same
# Also in comments of several lines and after code; but not in strings, as modules have of their source, and a
# documentation's words below code are none.
cat >$TMP/places.cl <<'END'
/*
@Input: %x = 0
   @Config: 1, 1, 2 */ /* not @Output: exists (%x == 4) */
kernel void k(global int *x) {
  // @Input x: what callers pass
  *x = 3; // @Output: forall (%x == 5)
}
END
litscope check -q $TMP/places.cl | grep -E '^(Cond|Obs|\[|x)'
{ cat litmus/kernels/message_device.spvasm | sed '/OpMemoryModel/a\ %source = OpString "\\"\n// @Output: forall (y == 5)\n; @Config: 1, 1, 9\n"'; } >$TMP/source.spvasm
litscope check -q $TMP/source.spvasm | grep -E '^(Cond|Obs)'
