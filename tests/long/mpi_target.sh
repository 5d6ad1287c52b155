#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps and ablations of what LLVM 22 emits, and the search for what of it could go, by three
# ranks: the bytes of one run, also where all are killed and go on from a journal.
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
. tests/long/ranks
for a in n w d; do
  for b in w d wr dr; do
    for c in w d wr dr; do
      for d in n w d wr dr; do
        printf 'Wx%s Wy%s | Ry%s ! Rx%s (wg 0,1)\nWx%s Wy%s | Ry%s ! Rx%s (wg 0,0)\n' $a $b $c $d $a $b $c $d
        printf 'Rx%s Wy%s | Ry%s Wx%s (wg 0,1)\nUx%s Wy%s | Uy%s ! Rx%s (wg 0,1)\n' $d $b $c $d $b $b $c $d
      done
    done
  done
done >family
plain() { sed 's/^Time.*//; s/"seconds": *[0-9.e-]*/S/g' "$1" >"$1.plain"; }
llvm="-compiler llvm-22 -j 1"
kills=0
for run in "verify -family family -target gfx90a,gfx1200 $llvm" "verify -family family -target gfx90a $llvm -ablate" \
  "verify -family family -target sm_70 $llvm" "synth -family family -target gfx942 $llvm"; do
  wanted=0
  litscope $run -json one.json >one.txt || wanted=$?
  mv one.json kept.json
  must "$wanted" ranks 3 $run -json one.json >three.txt
  for file in one.txt three.txt kept.json one.json; do plain $file; done
  same one.txt.plain three.txt.plain "$run, three ranks"
  same kept.json.plain one.json.plain "$run, three ranks, JSON"
  rm -f journal
  for tenths in 5 9 13 19 27 40 600; do
    status=0
    timeout -s KILL "$((tenths / 10)).$((tenths % 10))" \
      mpirun --oversubscribe --quiet -n 3 "$TMP/litscope-mpi" $run -journal journal >again.txt 2>err || status=$?
    [ "$status" = 137 ] || break
    kills=$((kills + 1))
    [ ! -e journal ] || flock -w 60 journal true
  done
  [ "$status" = "$wanted" ] || { echo "$run: status $status" >&2; cat err >&2; exit 1; }
  plain again.txt
  same one.txt.plain again.txt.plain "$run, $kills kills"
  sed -n 's/^part [0-9a-f]* \([0-9]*\) .*/\1/p' journal | sort | uniq -d | grep . && { echo "$run: a part twice" >&2; exit 1; }
done
[ "$kills" -gt 0 ] || { echo 'nothing was killed' >&2; exit 1; }
exit 0
