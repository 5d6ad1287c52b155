# Targets, modes and knobs that do not exist; a compiler that does not.
litscope verify -target gfx1031 tests/compilers/MP_dev.litmus
litscope verify -target gfx90a:cumode tests/compilers/MP_dev.litmus
litscope verify -target gfx90a -compiler llvm-3 tests/compilers/MP_dev.litmus
litscope verify -target gfx90a -compiler ./tests/run tests/compilers/MP_dev.litmus
PATH=/nowhere $(command -v litscope) verify -target gfx90a tests/compilers/MP_dev.litmus
litscope explore -knob upd=2 tests/compilers/columns.litmus
litscope explore -knob l2=2 tests/compilers/assembly/MP_dev.gfx1030.llvm-22.litmus
litscope check tests/compilers/columns.litmus
litscope explore -machine amdgpu -knob updo=1 tests/compilers/columns.litmus
# Through clang: none, one that is none, and compilers of both kinds that are too old.
litscope verify -target gfx90a -through clang -compiler clang-3 tests/compilers/MP_dev.litmus
litscope verify -target gfx90a -through clang -compiler ./tests/run tests/compilers/MP_dev.litmus
PATH=/nowhere $(command -v litscope) verify -target gfx90a -through clang tests/compilers/MP_dev.litmus
for made in "LLVM version 13.0.1" "clang version 14.0.6" "clang version 17.0.1" "clang version 21.1.0"; do
  printf '#!/bin/sh\necho %s\n' "$made" > "$TMP/old-${made%%.*}" && chmod +x "$TMP/old-${made%%.*}"
done
litscope verify -target gfx90a -compiler "$TMP/old-LLVM version 13" tests/compilers/MP_dev.litmus
litscope verify -target gfx90a -through clang -compiler "$TMP/old-clang version 14" tests/compilers/MP_dev.litmus
litscope verify -target gfx90a -through clang-c -compiler "$TMP/old-clang version 17" tests/compilers/MP_dev.litmus
litscope verify -target sm_70 -through clang -compiler "$TMP/old-clang version 21" tests/compilers/MP_dev.litmus
litscope verify -target sm_81 tests/compilers/MP_dev.litmus
# Output that is no assembly of the test is not taken for an empty program.
printf '#!/bin/sh\ncase $1 in --version) echo LLVM version 22.0.0 ;; *) echo hello ;; esac\n' > "$TMP/other" && chmod +x "$TMP/other"
litscope verify -target gfx90a -compiler "$TMP/other" tests/compilers/MP_dev.litmus
litscope verify -target sm_70 -compiler "$TMP/other" tests/compilers/MP_dev.litmus
# Promotion has no code.
litscope verify -target gfx90a litmus/rsp/WSQ1.litmus; echo "status $?" >&2
