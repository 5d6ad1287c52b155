# Fences and barriers that modules of PTX lack are put in as lines; before sm_70, membar is all there is
unfenced=tests/golden/kernels/unfenced.ptx
none_sees_none='not exists (seen[0] == 0 and seen[1] == 0)'
litscope repair -config 1,1,2 -input "x={0}, y={0}, seen={1, 1}" -output "$none_sees_none" $unfenced | sed /^Asked/d
sed "s/Kernel: .*/Kernel: message/; s/sm_80/sm_60/" $unfenced > "$TMP/message.ptx"
litscope repair -config 1,1,2 -input "data={0}, flag={0}, out={1}" -output "forall (out == 1)" "$TMP/message.ptx" | sed /^Asked/d
sed "s/Kernel: .*/Kernel: exchange/" $unfenced > "$TMP/exchange.ptx"
litscope repair -config 2,1,1 -input "out={0, 0}" -output "forall (out[0] == 2 and out[1] == 1)" "$TMP/exchange.ptx" | sed /^Asked/d
# A fence that does nothing can go
sed "s/ld.relaxed/fence.sc.gpu; ld.relaxed/; s/st.global.u32 	.%rd7/membar.sys;\n&/" $unfenced > "$TMP/fenced.ptx"
litscope repair -weaken -config 1,1,2 -input "x={0}, y={0}, seen={1, 1}" -output "$none_sees_none" "$TMP/fenced.ptx" | grep line
