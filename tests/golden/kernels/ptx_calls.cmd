# Functions that are called are put in the places of the calls
calls=tests/golden/kernels/calls.ptx
sum="param_0 == 15 and param_2[0] == 11 and param_2[1] == 1 and param_2[2] == 3 and param_2[4] == 2205"
litscope check -input "k_param_0 = {10}, k_param_1 = 5, k_param_2 = {0, 0, 0, 7, 0}" -output "forall ($sum)" $calls | grep Observation
# What is returned to the three threads is 4, 5 and 2, and then 5
sed "s/Kernel: k/Kernel: tables/" $calls > "$TMP/tables.ptx"
litscope check -config 3,1,1 -input "out = {0}" -output "forall (out == 125)" "$TMP/tables.ptx" | grep Observation
