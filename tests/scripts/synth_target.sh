#!/bin/sh
# SPDX-License-Identifier: MIT
# The cheapest sound rest of what LLVM 22 emits, its certificates, and that it is the cheapest: all subsets are
# tried on a sample. Skipped where there is no llc-22.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }

printf 'Wxd Wyd | Ryd Rxd (wg 0,1)\nWxn Wyd | Ryd ! Rxn (wg 0,1)\nWxn Wyw | Ryw ! Rxn (wg 0,0)\n' > "$TMP/family"
printf 'Wxd Wyd | Ryd Rxd (wg 0,1)\n' > "$TMP/pair"
printf 'Wxn Uyd | Uyd ! Rxn (wg 0,1)\nWxd Wyd | Ryd Rxdr (wg 0,1)\n' > "$TMP/other"
synth() { litscope synth -compiler llvm-22 "$@"; }

# Of the bit of an acquire load and the invalidation behind it, a program without a guard needs either.
synth -target gfx942 -family "$TMP/family" -o "$TMP/c" > "$TMP/out"
synth -target sm_70 -family "$TMP/family" -o "$TMP/ptx" >> "$TMP/out"
synth -target gfx942 -family "$TMP/pair" -params q=2,d=2 -o "$TMP/pair-c" >> "$TMP/out"
grep '^refuted.*;' "$TMP/pair-c" >> "$TMP/out"
sed "s|$TMP/||" "$TMP/out" > "$TMP/shown"
diff - "$TMP/shown" <<'EOF'
Synth gfx942/llvm-22
Family family
Programs 3
Sound as emitted 3
load acq dev
  needed      1  buffer_inv
  could go    1  global_load bit sc1
  needed      1  s_waitcnt vmcnt
load na
  needed      1  s_waitcnt vmcnt
none
  needed      1  s_waitcnt vmcnt
store rel dev
  could go   32  buffer_wbl2
  needed      1  s_waitcnt vmcnt
Price 5 of 38
Refuted 5 sets of instructions
Sound
Synth sm_70/llvm-22
Family family
Programs 3
Sound as emitted 3
load acq dev
  needed      1  ld.acquire.gpu as ld.acquire.cta
  needed      1  ld.acquire.gpu as ld.relaxed.gpu
load acq wg
  needed      1  ld.acquire.cta as ld.relaxed.cta
store rel dev
  needed     32  st.release.gpu as st.relaxed.gpu
  needed      1  st.release.gpu as st.release.cta
store rel wg
  needed     32  st.release.cta as st.relaxed.cta
Price 68 of 68
Refuted 6 sets of instructions
Sound
Synth gfx942/llvm-22
Family pair
Programs 1
Sound as emitted 1
load acq dev
  needed      1  buffer_inv
  could go    1  global_load bit sc1
  needed      1  s_waitcnt vmcnt
store rel dev
  could go   26  buffer_wbl2
  needed      1  s_waitcnt vmcnt
Price 3 of 30
Refuted 3 sets of instructions
Sound
refuted Wxd1 Wyd2|Ryd Rxd (wg 0,1 dev 0,0)	load acq dev: buffer_inv; load acq dev: global_load bit sc1
EOF

# A certificate holds where each set is refuted, and no cheaper choice has one of each.
synth -check "$TMP/c" > "$TMP/checked"
synth -check "$TMP/pair-c" >> "$TMP/checked"
synth -check "$TMP/ptx" >> "$TMP/checked"
synth -check "$TMP/c" -family "$TMP/other" >> "$TMP/checked"
refused() {
  sed "$1" "$TMP/c" > "$TMP/bad"
  synth -check "$TMP/bad" >> "$TMP/checked" 2>&1 && exit 1 || echo "status $?" >> "$TMP/checked"
}
refused 's/^needed \(.*load acq dev: s_waitcnt\)/gone \1/'
refused 's/^gone 1/gone 2/'
refused '/^refuted.*load acq dev: s_waitcnt/d'
refused 's/Wxd1 Wyd2|Ryd Rxd/Wxd1 Wyd2|Ryd/'
refused '/^end/d'
refused 's/Wxd1 Wyd2|Ryd Rxd/Wxd1 Wyd2|Ryd Qxd/'
refused 's/: s_waitcnt vmcnt$/: nothing/'
refused 's/^needed 1/needed x/'
refused 's/^target/kind/'
refused 's/^model.*/model nosuch/'
sed -i "s|$TMP/||" "$TMP/checked"
diff - "$TMP/checked" <<'EOF'
Certificate holds: 5 sets refuted, price 5
Certificate holds: 3 sets refuted, price 3
Certificate holds: 6 sets refuted, price 68
Without what can be left out, on other: of 2 sound programs 0 unsound
Certificate holds: 5 sets refuted, price 5
Not the least price: 4, but 5
status 1
Not its price: load acq dev: global_load bit sc1: 2
status 1
Not the least price: 5, but 4
status 1
Not refuted by Wxd1 Wyd2|Ryd (wg 0,1 dev 0,0): store rel dev: s_waitcnt vmcnt
status 1
bad:26:1: error: the certificate stops here, without its last line
    26 | refuted Wxd1 Wyd2|Ryd Rxd (wg 0,1 dev 0,0) store rel dev: s_waitcnt vmcnt
       | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 2
bad:22:1: error: a certificate has no such line here
    22 | refuted Wxd1 Wyd2|Ryd Qxd (wg 0,1 dev 0,0) load acq dev: s_waitcnt vmcnt
       | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 2
Not refuted by Wxd1 Wyd2|Ryd Rxd (wg 0,1 dev 0,0): load acq dev: nothing
status 1
bad:15:1: error: a certificate has no such line here
    15 | needed x load acq dev: buffer_inv
       | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 2
bad:5:1: error: a certificate has no such line here
     5 | kind gfx942
       | ^~~~~~~~~~~
status 2
litscope: error: cannot find the model 'nosuch' (-I DIR and LITSCOPE_LIB name folders to search)
status 2
EOF

# Brute force: of all subsets of what loads have, those that are sound when they are gone; none saves more.
synth -target gfx942 -family "$TMP/pair" -cells '^load acq' -o "$TMP/c" > "$TMP/out"
sed -n 's/^\(needed\|gone\) //p' "$TMP/c" > "$TMP/elements"
count=$(wc -l < "$TMP/elements")
best=0 subset=0
while [ $subset -lt $((1 << count)) ]; do
  awk -v s=$subset '{ print (int(s / 2 ^ (NR - 1)) % 2 ? "gone " : "needed ") $0 }' "$TMP/elements" > "$TMP/marked"
  sed -n '1,/^sweep/p' "$TMP/c" | cat - "$TMP/marked" > "$TMP/try"
  echo end >> "$TMP/try"
  saved=$(awk '/^gone/ { sum += $2 } END { print sum + 0 }' "$TMP/marked")
  if synth -check "$TMP/try" -family "$TMP/pair" 2>/dev/null | grep -q ' 0 unsound' && [ "$saved" -gt $best ]; then best=$saved; fi
  subset=$((subset + 1))
done
awk -v best=$best '/^Price/ && $4 - $2 != best { print "saved", $4 - $2, "and not", best; exit 1 }' "$TMP/out"

# Prices as a list of instructions: the one that comes with litscope has those of the timed GPU; what is not listed stays.
synth -target gfx942 -family "$TMP/family" > "$TMP/out"
synth -target gfx942 -family "$TMP/family" -cost timing-emitted -o "$TMP/c" > "$TMP/listed"
cmp "$TMP/out" "$TMP/listed"
synth -target gfx942 -family "$TMP/family" -cost timing-emitted -params buffer_wbl2=500 | grep -q '^Price 5 of 506$'
sed '/name="else"/d' mappings/timing-emitted.xml > "$TMP/short.xml"
synth -target gfx942 -family "$TMP/family" -cost "$TMP/short.xml" > "$TMP/listed"
grep -q '^Price 5 of 37$' "$TMP/listed"
! grep -q 'bit sc1' "$TMP/listed" || exit 1
synth -check "$TMP/c" > "$TMP/out"
sed "s|^price .*|price $TMP/short.xml|" "$TMP/c" > "$TMP/bad"
! synth -check "$TMP/bad" > "$TMP/listed" || exit 1
grep -qx 'Not its price: load acq dev: global_load bit sc1: 1' "$TMP/listed"

# What is refused.
! synth -target gfx942,gfx90a 2>> "$TMP/errors" || exit 1
! synth -target gfx942 -family 3x3 2>> "$TMP/errors" || exit 1
! synth -target gfx942 -cells '(' 2>> "$TMP/errors" || exit 1
! synth -target gfx942 -family "$TMP/family" -cost timing-emitted -params buffer=1 2>> "$TMP/errors" || exit 1
! synth -target gfx942 -family "$TMP/family" -o "$TMP/no/c" 2>> "$TMP/errors" >/dev/null || exit 1
! litscope synth -knob x=1 2>> "$TMP/errors" || exit 1
! synth -target gfx942 -family M3 -timeout 0.05 2>> "$TMP/errors" || exit 1
sed -i "s|$TMP/||" "$TMP/errors"
diff - "$TMP/errors" <<'EOF'
litscope: error: synth takes one target and one compiler, not 2
litscope: error: option -family: 3x3 has about 34724551680 programs: compilers and translations are asked about 400000 at most
litscope: error: option -cells: '(' is not a regular expression
-params:1:1: error: machine 'timing-emitted' has no parameter 'buffer'
     1 | buffer=1
       | ^~~~~~~~
litscope: error: no/c: No such file or directory
litscope: error: option -knob: synth takes it for -target alone
litscope: synth: time limit met, nothing is certain
EOF
