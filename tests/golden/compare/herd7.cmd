# What herd7 prints for a test, beside what litscope prints.
cat >$TMP/herd.log <<EOF
Test SB Allowed
States 4
0:r0=0; 1:r1=0;
0:r0=0; 1:r1=1;
0:r0=1; 1:r1=0;
0:r0=1; 1:r1=1; [x]=2;
Ok
Witnesses
Positive: 1 Negative: 3
Flag *undef*
Condition exists (0:r0=0 /\ 1:r1=0)
Observation SB Sometimes 1 3
Time SB 0.00
Hash=7607b7a9e1933bfaa01eba39d6acfebe

Test Other Allowed
States 1
0:r0=0;
Ok
Witnesses
Positive: 1 Negative: 0
Condition exists (0:r0=0)
Observation Other Always 1 0
Time Other 0.00
Hash=0
EOF
cat >$TMP/old.log <<EOF
Test SB Allowed
States 3
0:r0=0; 1:r1=1;
1:r1=0; 0:r0=1;
x=2; 0:r0=1; 1:r1=1;
No
Witnesses
Positive: 0 Negative: 3
Bad executions (0 in total):
Condition exists (0:r0=0 /\ 1:r1=0)
Observation SB Never 0 3
Hash=1

EOF
litscope compare $TMP/herd.log $TMP/old.log
