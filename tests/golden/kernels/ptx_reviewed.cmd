# What threads of a warp compare has 32 bits; a loop's jump may stand after its barrier
reviewed=tests/golden/kernels/reviewed.ptx
of() { sed "s/Kernel: .*/Kernel: $1/; /@Output/d; /@Input/d; /@Config/d" $reviewed > "$TMP/$1.ptx"; }
of greatest_written; of least_read; of leaves_loop; of waits_and_meets; of ends_or_gives
litscope check $reviewed | grep Observation
litscope check -config 2,1,1 -input "out={0, 0}" -output "forall (out[0] == 1 and out[1] == 1)" "$TMP/greatest_written.ptx" | grep Observation
litscope check -config 2,1,1 -input "out={-1, -2}" -output "forall (out[0] == -2 and out[1] == -2)" "$TMP/least_read.ptx" | grep Observation
# P1 ends after two rounds of four
litscope check -config 1,2,1 -input "out={0}" -output "forall (out == 1)" "$TMP/leaves_loop.ptx" | grep Observation
# A loop that waits, before a barrier or after it, is no reason to refuse who comes there
litscope check -config 1,2,1 -input "out={0}, flag={0}" -output "forall (out == 1)" "$TMP/waits_and_meets.ptx" | grep Observation
litscope check -config 2,1,1 -input "out={-1, -1}, x={0, 5}" -output "exists (out[0] == 9)" "$TMP/ends_or_gives.ptx" | grep Observation
