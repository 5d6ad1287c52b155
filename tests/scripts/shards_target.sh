#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps and ablations of what LLVM 22 emits, and what of it could go, in shards and with journals that are cut short, give the
# bytes of one run. Skipped where there is no llc-22.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
cd "$TMP"
for a in n w d; do
  for b in w d wr dr; do
    for c in w d wr dr; do
      for d in n w d; do printf 'Wx%s Wy%s | Ry%s ! Rx%s (wg 0,1)\n' $a $b $c $d; done
    done
  done
done >family
for a in w d wr dr; do
  for b in w d wr dr; do
    for c in Rxw Rxd Rxwr Rxdr Wxw Wxd Wxwr Wxdr Uxw Uxd; do printf 'Wx%s Wy%s | Ry%s %s (wg 0,0)\n' $a $b $b $c; done
  done
done >sound
plain() { sed 's/^Time.*//; s/"seconds": *[0-9.e-]*/S/g' "$1"; }
same() {
  plain "$1" >left
  plain "$2" >right
  cmp left right || { echo "$3: not the same bytes" >&2; exit 1; }
}
llvm="-compiler llvm-22"
for run in "verify -family family -target gfx90a,gfx1200 $llvm" "verify -family family -target gfx90a $llvm -ablate" \
  "verify -family family -target sm_70 $llvm" "verify -family family -mapping opencl-ptx -ablate" \
  "synth -family sound -target gfx942 $llvm"; do
  command="$run -json sweep.json"
  litscope $command >whole.txt || [ $? = 1 ]
  mv sweep.json whole.json
  for i in 1 2; do litscope $command -shard $i/2 -j $i >part$i; done
  grep -q '^part' part1 && grep -q '^part' part2 || { echo "$run: a shard has nothing" >&2; exit 1; }
  litscope merge part2 part1 -- $command >merged.txt || [ $? = 1 ]
  same whole.txt merged.txt "$run"
  same whole.json sweep.json "$run, JSON"
  cp part1 journal # what one shard did is not done again
  litscope $command -journal journal >again.txt || [ $? = 1 ]
  same whole.txt again.txt "$run, a journal"
  litscope $command -journal journal >again.txt || [ $? = 1 ]
  same whole.txt again.txt "$run, a journal with nothing left to do"
  [ -z "$(sed -n 's/^part \([0-9]*\) .*/\1/p' journal | sort | uniq -d)" ] || { echo "$run: a part twice" >&2; exit 1; }
done
printf 'Wxn | Rxn (wg 0,1)\n' >racy # nothing is left to search in
litscope synth -family racy -target gfx942 $llvm -journal none >whole.txt
grep -q '^Sound as emitted 0' whole.txt
cat racy >>sound
! litscope merge part1 part2 -- $command 2>err || exit 1
grep -q 'another file of the command has been changed' err
