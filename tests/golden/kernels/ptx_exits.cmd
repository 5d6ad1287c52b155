# Threads of PTX that have ended are not waited for at barriers
exits=tests/golden/kernels/exits.ptx
of() { sed "s/Kernel: .*/Kernel: $1/; /@Output/d; /@Input/d; /@Config/d" $exits > "$TMP/$1.ptx"; }
of sometimes; of crossed; of apart; of warp
litscope check $exits | grep -e Observation -e "^out"
litscope check -input "out = {0, 0, 0, 0}, n = 1" -output "forall (out[0] == 0)" $exits | grep Observation
# Whether thread 1 meets or ends, the barrier is passed: 3, or what has been seen of its store, which is not ordered
sometimes() { litscope check -speedcheck false -config 2,1,2 -input "flag={0}, before={0}, after={0}, out={-1}" "$@" "$TMP/sometimes.ptx"; }
sometimes -engine solve -output "exists (out == 0)" | grep Observation
sometimes -output "exists (out == 0)" | grep -e "^States" -e "^out" -e Observation
litscope progress -config 2,1,2 -input "flag={0}, before={0}, after={0}, out={-1}" "$TMP/sometimes.ptx" | grep fair
litscope check -config 2,1,1 -input "out={0}" "$TMP/crossed.ptx" | grep -e "^States" -e Observation
litscope check -config 2,1,1 -input "out={0}" -output "forall (out == 2)" "$TMP/apart.ptx" | grep Observation
litscope check -config 3,1,1 -input "out={0}" -output "forall (out == 7)" "$TMP/warp.ptx" | grep Observation
