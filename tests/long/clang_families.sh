# SPDX-License-Identifier: MIT
# Families through clang 22 at the levels of optimisation that scripts/clang.sh leaves out.
# Skipped where there is no clang-22.
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
tests/compilers/clang_family clang -O3
tests/compilers/clang_family clang -O0
tests/compilers/clang_family clang-c -O1

# Three threads: the optimisers add nothing to what the back end does.
litscope verify -target gfx90a -compiler llvm-22 -through clang -family M3 > "$TMP/m3" || [ $? = 1 ]
grep -qx "Unsound 176" "$TMP/m3" || { cat "$TMP/m3"; exit 1; }
