#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests through LLVM 22: the results of the sweeps and of named tests, and the
# assembly that is read back. Skipped where there is no llc-22.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }

# The whole family of two threads: sound, with the states that the specification counts.
litscope verify -target gfx90a,gfx1030:cumode,gfx1200 -compiler llvm-22 -exhaustive 2x2 |
  grep -E '^(Target|Race-free|Unsound|Hazard|Deadlock|Undecided|States-explored)' > "$TMP/2x2"
cat > "$TMP/expected" <<'EOF'
Target gfx90a/llvm-22
Race-free 4569
Unsound 0
Hazard 0
Deadlock 0
Undecided 0
States-explored 273719
Target gfx1030:cumode/llvm-22
Race-free 4569
Unsound 0
Hazard 0
Deadlock 0
Undecided 0
States-explored 638689
Target gfx1200/llvm-22
Race-free 4569
Unsound 0
Hazard 0
Deadlock 0
Undecided 0
States-explored 248498
EOF
diff "$TMP/expected" "$TMP/2x2"

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
