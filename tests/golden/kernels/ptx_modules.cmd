# Modules of PTX: one as nvcc writes it, one with what else there is, and one that has lost its release
sed s/st.release/st.relaxed/ litmus/kernels/message.ptx > "$TMP/relaxed.ptx"
litscope check -q litmus/kernels/message.ptx litmus/kernels/cuda_styles.ptx "$TMP/relaxed.ptx" | grep -v "^Time"
litscope check -config 1,2,2 -input "data={0}, .s32 flag={0}" -output "exists (out[0] == 1)" litmus/kernels/message.ptx | grep -v "^Time"
sed /@Config/d litmus/kernels/message.ptx > "$TMP/alone.ptx"
litscope check -input "z = 1" "$TMP/alone.ptx" | grep Observation
litscope progress litmus/kernels/message.ptx
litscope repair "$TMP/relaxed.ptx" | grep -e ^Repair -e line -e after
counted=tests/golden/kernels/counted.ptx
sed s/tree_sum$/counts_while_it_waits/ $counted > "$TMP/waits.ptx"
litscope check $counted | grep -e Loop -e Observation
litscope check -q -config 1,1,2 -input "rounds = {0}, flag = {0}" "$TMP/waits.ptx" | grep -e Loop -e Observation
litscope check -q -config 5,2,1 $counted | grep -e Flag -e Undefined
numbers=tests/golden/kernels/numbers.ptx
sed s/written$/unaligned/ $numbers > "$TMP/unaligned.ptx"
litscope check $numbers | grep Observation
litscope check -input "x = {4}, out = {0, 0}" -output "forall (out[1] == 1)" "$TMP/unaligned.ptx" | grep Observation
litscope check -output "forall (out[0] == 0)" "$TMP/unaligned.ptx" | grep -e Flag -e Undefined
sed "s/  ret;/L: add.u32 %r1, %r1, 1; bra L;/" $numbers > "$TMP/counts_for_ever.ptx"
litscope check "$TMP/counts_for_ever.ptx" | grep -e Loop -e Observation
sed "s/mov.u32 %r2, 1;//" litmus/kernels/message.ptx > "$TMP/unset.ptx"
litscope check "$TMP/unset.ptx" | grep Observation
