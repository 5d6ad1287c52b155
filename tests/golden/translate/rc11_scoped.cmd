# slow
# Scoped C++ to PTX, as Lustig et al. prove it: sound on every family but for values out of thin air, and each weakening
# of message passing is found.
for family in 2x2 G2; do
  litscope verify -model rc11-scoped -variant thin-air -mapping opencl-ptx -family $family | grep -E '^(Mapping|Race-free|Unsound|Undecided)'
done
printf 'Rxd Wyd | Rydr Wxdr (wg 0,1)\n' > "$TMP/thin"
litscope verify -model rc11-scoped -mapping opencl-ptx -family "$TMP/thin" | grep -E '^(Unsound|Smallest)'
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\nWxn Wyw | Ryw ! Rxn (wg 0,0)\nWxdc Rydc | Wydc Rxdc (wg 0,1)\n' > "$TMP/family"
for every in 1 2 3; do sed -n "${every}p" "$TMP/family" > "$TMP/one"
  litscope verify -model rc11-scoped -variant thin-air -mapping opencl-ptx -family "$TMP/one" -ablate | tail -n +2
done
# Scopes that include each other are enough, where OpenCL wants them to be the same instance.
litscope check -model rc11-scoped,opencl litmus/opencl/MP_wg_dev_same.litmus litmus/opencl/SB_sc_mixed.litmus litmus/opencl/WRC_relaxed.litmus | sed -n '/^Verdicts/,$p'
