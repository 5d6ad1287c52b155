# slow
# libcu++'s mappings: sound, and each weakening of message passing and store buffering is found.
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\nWxn Wyw | Ryw ! Rxn (wg 0,0)\nWxdc Rydc | Wydc Rxdc (wg 0,1)\n' >"$TMP/family"
for mapping in libcuxx-sm_60 libcuxx-sm_70; do
  litscope verify -model rc11-scoped -variant thin-air -mapping $mapping -family G2 | grep -E '^(Mapping|Race-free|Unsound|Undecided)'
  for every in 1 2 3; do
    sed -n "${every}p" "$TMP/family" >"$TMP/one"
    litscope verify -model rc11-scoped -variant thin-air -mapping $mapping -family "$TMP/one" -ablate | tail -n +2
  done
done
# And that for sm_90, with clusters.
printf 'Wxn Wyq | Ryq ! Rxn (wg 0,1 cluster 0,0)\n' >"$TMP/one"
litscope verify -model rc11-scoped -variant thin-air -mapping libcuxx-sm_90 -family 2x2,guarded,scopes=cluster | grep -E '^(Mapping|Race-free|Unsound|Undecided)'
litscope verify -model rc11-scoped -variant thin-air -mapping libcuxx-sm_90 -family "$TMP/one" -ablate | tail -n +2
