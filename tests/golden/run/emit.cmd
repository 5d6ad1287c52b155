# A folder runs its test without litscope; several tests have a folder each.
litscope run -emit cuda $TMP/one litmus/c11/SB_sc.litmus
ls $TMP/one
litscope run -q -emit webgpu $TMP/many litmus/c11/CoRR.litmus litmus/c11/LB_relaxed.litmus
ls $TMP/many/CoRR
sed -n '/define TEST_CONDITION/,$p' $TMP/one/test.h
