# Members of structures are given in braces: of pointers, what they point to; of a number of which only a half is loaded,
# the gap before that too
structures=tests/golden/kernels/structures.ptx
litscope check -input "param_0 = {1, {10}, 41, 1.5, 3, -4, 1000}, param_1 = {0}" -output "forall (param_0[1] == 3 and param_1 == 42)" $structures | grep -e ^param -e Observation
sed "s/Kernel: k2/Kernel: k3/" $structures > "$TMP/k3.ptx"
litscope check -input "param_0 = {{10, 0}, 41, 1.5, 3, -4, 1000}, param_1 = {0}" -output "forall (param_0[0][0] == 7 and param_0[0][1] == 0 and param_1[0] == 42)" "$TMP/k3.ptx" | grep -e ^param -e Observation
sed "s/Kernel: k2/Kernel: k/" $structures > "$TMP/k.ptx"
litscope check -input "param_0 = {{10}, 5, 1.5, 3, -4, 0, 1000}, param_1 = {0, 0, 0}" -output "forall (param_0[0] == 15 and param_1[0] == 11 and param_1[1] == 997 and param_1[2] == 3)" "$TMP/k.ptx" | grep -e ^param -e Observation
# Bytes and halves of one, with a sign and without
litscope check tests/golden/kernels/bytes_of_structures.ptx | grep -e ^out -e Observation
