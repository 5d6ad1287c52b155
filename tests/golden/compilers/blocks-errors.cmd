# What is no test of LLVM's, and options that mean nothing beside -blocks.
litscope verify -blocks
litscope verify -blocks tests/compilers/MP_dev.litmus
litscope verify -blocks -ablate -strict tests/compilers/blocks/agent.ll
litscope verify -blocks -knob upd tests/compilers/blocks/agent.ll
litscope verify -blocks -compiler llvm-3 tests/compilers/blocks/agent.ll
printf '#!/bin/sh\ncase $1 in --version) echo LLVM version 22.0.0 ;; *) echo hello ;; esac\n' > "$TMP/other" && chmod +x "$TMP/other"
litscope verify -blocks -q -target gfx90a -compiler "$TMP/other" tests/compilers/blocks/agent.ll
litscope verify -blocks -compiler llvm-22,llvm-19 tests/compilers/blocks/agent.ll
printf 'define void @f() {\n  ret void\n}\n' > "$TMP/no-run.ll"
litscope verify -blocks "$TMP/no-run.ll"
litscope verify -blocks -compiler "$TMP/other" "$TMP/no-run.ll"
{ for i in $(seq 40); do echo "; RUN: llc -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s"; done; sed '/RUN:/d' tests/compilers/blocks/agent.ll; } > "$TMP/runs.ll"
litscope verify -blocks "$TMP/runs.ll"
printf '#!/bin/sh\ncase $1 in --version) echo LLVM version 22.0.0 ;; *) echo no such thing >&2; exit 1 ;; esac\n' > "$TMP/other"
litscope verify -blocks -q -target gfx90a -compiler "$TMP/other" tests/compilers/blocks/agent.ll
# One that fails for one GPU: the blocks of others are asked.
cat > "$TMP/other" <<'END'
#!/bin/sh
case "$*" in
  --version) echo LLVM version 22.0.0 ;;
  *mcpu=gfx90a*) echo no such thing >&2; exit 1 ;;
  *) printf 'release_fence_one_as:\n\ts_endpgm\n.Lfunc_end0:\n' ;;
esac
END
litscope verify -blocks -q -compiler "$TMP/other" tests/compilers/blocks/agent.ll | grep "^Block release_fence"
mkdir -p "$TMP/else" && cp "$TMP/other" "$TMP/else/other"
litscope verify -target gfx90a -compiler "$TMP/other,$TMP/else/other" tests/compilers/MP_dev.litmus
litscope verify -blocks -target gfx942 tests/compilers/blocks/agent.ll
