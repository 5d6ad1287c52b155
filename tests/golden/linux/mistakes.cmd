# Macros and annotations that are wrong, each told where it is.
status=0
try() { litscope check -macros "$TMP/m.def" "$TMP/t.litmus" || status=$?; }
thread() { printf 'C t\n{ }\nP0(int *x) {\n  %s\n}\nexists (x=1)\n' "$1" >"$TMP/t.litmus"; }
echo 'READ(X) __load{once}(X)' >"$TMP/m.def"
thread 'int r = READ(*x, 1);'; try
thread 'int r = READ(x);'; try
thread 'int r = READ();'; try
thread 'READ(*x'; try
thread 'int r = __store{once}(*x, 1);'; try
thread '__atomic_op(x, *, 1);'; try
thread '__load{}(*x);'; try
thread '__fence{a-};'; try
thread '__xchg(x 1);'; try
thread '__xchg{mb(x, 1);'; try
thread '__xchg{mb} x, 1;'; try
thread '__xchg{mb}(x, 1;'; try
thread 'int r = __srcu{srcu-unlock}(x, 1);'; try
thread '__srcu{srcu-unlock}(x, 1, 2);'; try
echo 'LOOP(X) LOOP(X)' >"$TMP/m.def"
thread 'int r = LOOP(1);'; try
printf 'TWO(X) X * X\nB(X) TWO(TWO(TWO(X)))\nC(X) B(B(B(X)))\n' >"$TMP/m.def"
thread 'int r = C(C(B(x)));'; try
echo 'M(X) { __fence{mb};' >"$TMP/m.def"; try
echo 'M(X)' >"$TMP/m.def"; try
echo 'M X' >"$TMP/m.def"; try
echo 'M(1) x' >"$TMP/m.def"; try
echo '{ }' >"$TMP/m.def"; try
printf 'C t\n{ }\nP0(int *x) {\n' >"$TMP/t.litmus"
for i in $(seq 99); do echo "  __fence{a$i};"; done >>"$TMP/t.litmus"
printf '}\nexists (x=0)\n' >>"$TMP/t.litmus"
litscope check "$TMP/t.litmus"
litscope check -macros none.def "$TMP/t.litmus"
litscope check -bell none "$TMP/t.litmus"
exit $status
