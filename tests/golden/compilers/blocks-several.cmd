# A barrier with a fence before it is one operation, and two fences are more than one.
printf '%s\n' '; RUN: llc -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s' 'define amdgpu_kernel void @barrier() {' \
  '; GFX90A-LABEL: barrier:' '; GFX90A: s_waitcnt lgkmcnt(0)' '; GFX90A: s_barrier' '; GFX90A: s_endpgm' \
  '  fence syncscope("workgroup") release' '  call void @llvm.amdgcn.s.barrier()' '  ret void' '}' \
  'define amdgpu_kernel void @fences() {' '; GFX90A-LABEL: fences:' '; GFX90A: s_waitcnt vmcnt(0)' '; GFX90A: s_endpgm' \
  '  fence syncscope("agent") release' '  fence syncscope("agent") acquire' '  ret void' '}' > "$TMP/several.ll"
litscope verify -blocks "$TMP/several.ll"
# An addition that releases and acquires, whole and without its first wait; and what is to be no addition.
{
  echo '; RUN: llc -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s'
  for name in whole early other; do
    operation=add
    [ $name != other ] || operation=umin
    printf '%s\n' "define amdgpu_kernel void @$name(ptr addrspace(1) %out, i32 %in) {" "; GFX90A-LABEL: $name:" \
      '; GFX90A: s_load_dwordx2 s[4:5], s[6:7], 0x0' '; GFX90A: s_load_dword s0, s[6:7], 0x8' '; GFX90A: s_waitcnt lgkmcnt(0)' \
      '; GFX90A: v_mov_b32_e32 v0, 0' '; GFX90A: v_mov_b32_e32 v1, s0'
    [ $name = early ] || echo '; GFX90A: s_waitcnt vmcnt(0) lgkmcnt(0)'
    printf '%s\n' '; GFX90A: global_atomic_add v0, v1, s[4:5]' '; GFX90A: s_waitcnt vmcnt(0)' '; GFX90A: buffer_wbinvl1' \
      '; GFX90A: s_endpgm' "  %val = atomicrmw volatile $operation ptr addrspace(1) %out, i32 %in syncscope(\"agent\") acq_rel" \
      '  ret void' '}'
  done
} > "$TMP/added.ll"
litscope verify -blocks "$TMP/added.ll" | grep -A3 -E '^(Block|  s_wait|  buffer)' | grep -v ' of P[0-9]\|^--\|: global'
# The newest tests name the GPU in the triple; a triple of several GPUs and code before the end of the compilation are left out.
printf '%s\n' '; RUN: llc -mtriple=amdgpu9.0a-amd-amdhsa -O0 < %s | FileCheck --check-prefixes=GFX90A %s' \
  '; RUN: llc -mtriple=amdgpu10.10-amd-amdhsa -mattr=+cumode -O0 < %s | FileCheck --check-prefixes=CU %s' \
  '; RUN: llc -mtriple=amdgpu9.4-amd-amdhsa -O0 < %s | FileCheck --check-prefixes=GFX94 %s' \
  '; RUN: llc -mtriple=amdgcn -mcpu=gfx1010 -stop-after=si-memory-legalizer < %s -o - | FileCheck %s --check-prefixes=MIR' \
  'define amdgpu_kernel void @release() {' '; GFX90A-LABEL: release:' '; GFX90A: s_waitcnt vmcnt(0) lgkmcnt(0)' '; GFX90A: s_endpgm' \
  '; CU-LABEL: release:' '; CU: s_waitcnt vmcnt(0) lgkmcnt(0)' '; CU: s_endpgm' \
  '; MIR-LABEL: name: release' '; MIR: S_ENDPGM 0' '  fence syncscope("agent") release' '  ret void' '}' > "$TMP/triple.ll"
litscope verify -blocks "$TMP/triple.ll" | grep -E '^Block|Sound|Unsound'
# A wait before the access is for an argument, and for local accesses too where the operation orders what comes before it.
{
  echo '; RUN: llc -mcpu=gfx1010 < %s | FileCheck --check-prefixes=GFX10 %s'
  for order in seq_cst acquire; do
    printf '%s\n' "define amdgpu_kernel void @${order}_load(ptr addrspace(1) %in, ptr addrspace(1) %out) {" "; GFX10-LABEL: ${order}_load:" \
      '; GFX10: v_mov_b32_e32 v0, 0' '; GFX10: s_load_dwordx2 s[8:9], s[6:7], 0x0' '; GFX10: s_load_dwordx2 s[4:5], s[6:7], 0x8' \
      '; GFX10: s_waitcnt lgkmcnt(0)' '; GFX10: s_waitcnt_vscnt null, 0x0' '; GFX10: global_load_dword v1, v0, s[8:9] glc dlc' \
      '; GFX10: s_waitcnt vmcnt(0)' '; GFX10: buffer_gl1_inv' '; GFX10: buffer_gl0_inv' '; GFX10: global_store_dword v0, v1, s[4:5]' \
      '; GFX10: s_endpgm' "  %val = load atomic i32, ptr addrspace(1) %in syncscope(\"agent\") $order, align 4" \
      '  store i32 %val, ptr addrspace(1) %out, align 4' '  ret void' '}'
  done
} > "$TMP/argument.ll"
litscope verify -blocks "$TMP/argument.ll" | grep -A3 -E '^Block'
