# A barrier that is missing is put into all threads of the work-group; a proxy fence that is missing, before one.
cat >"$TMP/barrier.litmus" <<'END'
PTX barrier
{ s=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak s, 1   | ld.weak r0, s  ;
exists (P1:r0 == 0)
END
cat >"$TMP/proxy.litmus" <<'END'
PTX proxy
{ x=0; s @ surface aliases x; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1   | bar.cta.sync 0 ;
 bar.cta.sync 0 | suld.weak r0, s ;
exists (P1:r0 == 0)
END
cat >"$TMP/local.litmus" <<'END'
OpenCL local
{ [x] = 0; }
P0@wg 0, dev 0 (local int* x) {
  *x = 1;
}
P1@wg 0, dev 0 (local int* x) {
  int r0 = *x;
}
exists (1:r0=0)
END
litscope repair -q "$TMP/barrier.litmus" "$TMP/proxy.litmus" "$TMP/local.litmus" | sed "s,$TMP/,,"
# No more than 16 answers are shown, and that is said.
cat >"$TMP/many.litmus" <<'END'
PTX many
{ s=0; a=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak s, 1   | ld.weak r1, a  ;
 ld.weak r1, a  | ld.weak r2, a  ;
 ld.weak r2, a  | ld.weak r3, a  ;
 ld.weak r3, a  | ld.weak r4, a  ;
 ld.weak r4, a  | ld.weak r0, s  ;
exists (P1:r0 == 0)
END
litscope repair -q -every 0 "$TMP/many.litmus" >"$TMP/many.out"; echo "status $?"
grep -c '^Repair' "$TMP/many.out"; grep Limit "$TMP/many.out"
# A barrier that only waits gets semantics.
litscope repair -q -every 0 litmus/museum/Group_barrier_relaxed.litmus | head -4
# A row after the last one, with which the text ends.
printf %s "$(sed '$d' "$TMP/barrier.litmus")" >"$TMP/last.litmus"
litscope repair -q "$TMP/last.litmus" | sed "s,$TMP/,,"
