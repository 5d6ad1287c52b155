; A seq_cst store between two L2s goes through to memory: the load behind it waits for it, and writes nothing back.
;
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx942 < %s | FileCheck --check-prefixes=GFX942 %s

define amdgpu_kernel void @seq_cst_store(
; GFX942-LABEL: seq_cst_store:
; GFX942:       ; %bb.0: ; %entry
; GFX942-NEXT:    s_load_dword s2, s[4:5], 0x0
; GFX942-NEXT:    s_load_dwordx2 s[0:1], s[4:5], 0x8
; GFX942-NEXT:    v_mov_b32_e32 v0, 0
; GFX942-NEXT:    s_waitcnt lgkmcnt(0)
; GFX942-NEXT:    v_mov_b32_e32 v1, s2
; GFX942-NEXT:    buffer_wbl2 sc1
; GFX942-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX942-NEXT:    global_store_dword v0, v1, s[0:1] sc1
; GFX942-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) {
entry:
  store atomic i32 %in, ptr addrspace(1) %out syncscope("agent") seq_cst, align 4
  ret void
}

define amdgpu_kernel void @seq_cst_store_left_dirty(
; GFX942-LABEL: seq_cst_store_left_dirty:
; GFX942:       ; %bb.0: ; %entry
; GFX942-NEXT:    s_load_dword s2, s[4:5], 0x0
; GFX942-NEXT:    s_load_dwordx2 s[0:1], s[4:5], 0x8
; GFX942-NEXT:    v_mov_b32_e32 v0, 0
; GFX942-NEXT:    s_waitcnt lgkmcnt(0)
; GFX942-NEXT:    v_mov_b32_e32 v1, s2
; GFX942-NEXT:    buffer_wbl2 sc1
; GFX942-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX942-NEXT:    global_store_dword v0, v1, s[0:1]
; GFX942-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) {
entry:
  store atomic i32 %in, ptr addrspace(1) %out syncscope("agent") seq_cst, align 4
  ret void
}
