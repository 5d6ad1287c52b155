# The executions that raise a flag, and no others.
litscope check -q -show none -showflag data_race -o "$TMP/o" litmus/opencl/MP_nonatomic_racy.litmus litmus/rsp/RSP_Test2.litmus >"$TMP/log"
grep '^Flag\|^Bad' "$TMP/log"
grep -h -o 'label="MP_non[^\\]*' "$TMP"/o/*
litscope check -q -showflag nothing -o "$TMP/p" litmus/opencl/MP_nonatomic_racy.litmus >"$TMP/log"
ls "$TMP/p"
