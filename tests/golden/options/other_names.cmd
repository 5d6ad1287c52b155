# One word for families in all commands, beside -family, and litmus7's words for how often a test is run.
litscope verify -q -family 2x1 | grep -v '^Time' >"$TMP/family"
litscope verify -q -family 2x1 | grep -v '^Time' | diff - "$TMP/family" && head -3 "$TMP/family"
litscope run -s 0 litmus/c11/SB_sc.litmus
litscope run -r 0 litmus/c11/SB_sc.litmus
