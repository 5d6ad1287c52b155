#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests through LLVM 22: the results of the sweeps and of named tests, and the
# assembly that is read back. Skipped where there is no llc-22.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }

# The whole family of two threads: sound, with the states that the specification counts.
litscope verify -no-por -target gfx90a,gfx1200 -compiler llvm-22 -family 2x2 |
  grep -E '^(Target|Race-free|Unsound|Hazard|Deadlock|Undecided|States-explored)' > "$TMP/2x2"
cat > "$TMP/expected" <<'EOF'
Target gfx90a/llvm-22
Race-free 4569
Unsound 0
Hazard 0
Deadlock 0
Undecided 0
States-explored 273719
Target gfx1200/llvm-22
Race-free 4569
Unsound 0
Hazard 0
Deadlock 0
Undecided 0
States-explored 248498
EOF
diff "$TMP/expected" "$TMP/2x2"

# A failing compare-and-swap writes what it read, whether llc or clang makes the code.
for through in llc clang; do
  [ $through = llc ] || command -v clang-22 >/dev/null || continue
  litscope explore -target gfx90a,gfx1100 -compiler llvm-22 -through $through tests/golden/hw/cas_writes_back.litmus |
    grep '^Observation' > "$TMP/swaps"
  [ "$(sort -u "$TMP/swaps")" = "Observation cas_writes_back Sometimes 1 2" ] || { cat "$TMP/swaps"; exit 1; }
done

# Local memory of every work-group, locations by any name, every function; GFX6 to GFX8 with their own instructions.
litscope explore -target gfx600,gfx700,gfx803,gfx908,gfx90a,gfx1030,gfx1100 -compiler llvm-22 tests/compilers/LDS_second.litmus tests/compilers/Functions.litmus |
  sed -n 's/^Observation \([^ ]*\) \([^ ]*\) .*/\1 \2/p' | sort | uniq -c | sed 's/^ *//' > "$TMP/named"
printf '7 Functions Always\n7 LDS_second Always\n' | diff - "$TMP/named"

# What is left out is missed: by two threads already, for every kind of wait and invalidate that they need.  A wait for a
# load is missed twice: a register is read too early, and what is read on is wrong.
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\n' > "$TMP/family"
litscope verify -target gfx90a,gfx1030,gfx1200 -compiler llvm-22 -family "$TMP/family" -ablate |
  sed -nE 's/ +([0-9]+) +([0-9]+) +([0-9]+)  (Wxn.*)?$/ \1 \2 \3/p' > "$TMP/ablated"
cat > "$TMP/expected" <<'EOF'
buffer_wbinvl1_vol load load 1 1 0
global_load bit glc 1 0 0
s_waitcnt vmcnt load load 1 1 1
s_waitcnt vmcnt load store 1 1 1
s_waitcnt vmcnt store store 1 1 0
buffer_gl0_inv load load 1 1 0
buffer_gl1_inv load load 1 1 0
global_load bit dlc 1 0 0
global_load bit glc 1 0 0
s_waitcnt vmcnt load load 1 1 1
s_waitcnt vmcnt load store 1 1 1
s_waitcnt_vscnt store store 1 1 0
global_inv scope:SCOPE_DEV load load 1 1 0
global_load bit scope:SCOPE_DEV 1 0 0
global_store bit scope:SCOPE_DEV 1 0 0
s_wait_loadcnt load load 1 1 1
s_wait_loadcnt load store 1 1 1
s_wait_storecnt store store 1 1 0
EOF
diff "$TMP/expected" "$TMP/ablated"

# What could go: bits of loads in that one program; of 384 with read-modify-writes and guards, what no load needs, but
# not the bit of loads with the invalidates.
litscope verify -target gfx90a,gfx1200 -compiler llvm-22 -family "$TMP/family" -ablate | grep '^Could go' > "$TMP/spare"
litscope verify -target gfx90a -compiler llvm-22 -family G2 -ablate | grep '^Could go' >> "$TMP/spare"
printf 'Wxn | Rxn (wg 0,1)\n' > "$TMP/nothing"
litscope verify -target gfx90a -compiler llvm-22 -family "$TMP/nothing" -ablate | grep '^Could go' >> "$TMP/spare"
cat > "$TMP/expected" <<'EOT'
Could go: global_load bit glc
Could go: global_load bit scope:SCOPE_DEV
Could go: global_store bit scope:SCOPE_DEV
Could go: buffer_wbinvl1_vol load load
Could go: buffer_wbinvl1_vol load rmw
Could go: buffer_wbinvl1_vol load store
Could go: buffer_wbinvl1_vol rmw rmw
Could go: buffer_wbinvl1_vol rmw store
Could go alone, but not with these: global_load bit glc
Could go: none
EOT
diff "$TMP/expected" "$TMP/spare"

# What is compiled now behaves as what was kept.
litscope compile -target gfx90a,gfx942 -compiler llvm-22 -o "$TMP/out" tests/compilers/ISA2_wd.litmus >/dev/null
litscope explore "$TMP"/out/*.litmus | grep '^Observation' | sort > "$TMP/now"
litscope explore tests/compilers/assembly/ISA2_wd.gfx90a.llvm-22.litmus \
  tests/compilers/assembly/ISA2_wd.gfx942.llvm-22.litmus | grep '^Observation' | sort > "$TMP/kept"
diff "$TMP/kept" "$TMP/now"

# Verdicts.
litscope verify -target gfx90a,gfx90a:tgsplit,gfx1030:cumode -compiler llvm-22 tests/compilers/ISA2_wd.litmus |
  grep '^Verify' > "$TMP/verdicts" || [ $? = 1 ]
cat > "$TMP/expected" <<'EOF'
Verify ISA2_wd gfx90a/llvm-22 Unsound
Verify ISA2_wd gfx90a:tgsplit/llvm-22 Sound
Verify ISA2_wd gfx1030:cumode/llvm-22 Sound
EOF
diff "$TMP/expected" "$TMP/verdicts"
