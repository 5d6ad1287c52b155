# A sum asks what its logs' tests asked.
litscope check litmus/ptx/SB_fence_sc.litmus litmus/ptx/Spin.litmus >"$TMP/log"
litscope compare -sum "$TMP/log"
