cat >$TMP/kinds <<EOF
# Outcomes that are asked for.
SB_sc Forbidden
SB_rel_acq Allow
MP_rel_acq Allowed
Inc2 Require
CoRR.litmus Forbid
EOF
litscope check -expect $TMP/kinds -select '^(SB_sc|SB_rel_acq|MP_rel_acq|CoRR|Inc2)$' litmus/c11 >$TMP/log
echo $?
litscope compare $TMP/log $TMP/kinds
