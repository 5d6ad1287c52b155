# One log observes more than the other: states are compared on what both observe.
cat >$TMP/a <<EOF
Test T Allowed
States 3
0:r0=0; x=1;
0:r0=1; x=1;
0:r0=1; x=2;
Ok
Witnesses
Positive: 1 Negative: 2
Condition exists (0:r0=0)
Observation T Sometimes 1 2
EOF
cat >$TMP/b <<EOF
Test T.litmus Allowed
States 2
0:r0=1; 1:r1=0;
0:r0=2; 1:r1=0;
Ok
Witnesses
Positive: 1 Negative: 1
EOF
litscope compare $TMP/a $TMP/b
echo Nothing observed:
sed 's/^0:r0=.*;$//; s/States 2/States 1/' $TMP/b | cat -s >$TMP/c
litscope compare $TMP/b $TMP/c
