# A barrier is no access, and two operations are more than one.
printf '%s\n' '; RUN: llc -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s' 'define amdgpu_kernel void @barrier() {' \
  '; GFX90A-LABEL: barrier:' '; GFX90A: s_waitcnt lgkmcnt(0)' '; GFX90A: s_barrier' '; GFX90A: s_endpgm' \
  '  fence syncscope("workgroup") release' '  call void @llvm.amdgcn.s.barrier()' '  ret void' '}' \
  'define amdgpu_kernel void @fences() {' '; GFX90A-LABEL: fences:' '; GFX90A: s_waitcnt vmcnt(0)' '; GFX90A: s_endpgm' \
  '  fence syncscope("agent") release' '  fence syncscope("agent") acquire' '  ret void' '}' > "$TMP/several.ll"
litscope verify -blocks "$TMP/several.ll"
