; What LLVM 23's tests have and those of before have not: mode tgsplit as an attribute that sed gives to the functions, the
; argument that is needed last loaded before the access and waited for behind it, and synchronization that makes nothing
; available or visible; on gfx1250, prefetches and arguments that nobody changes.
;
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx90a < %s | FileCheck -check-prefixes=NOTTGSPLIT %s
; RUN: sed 's/attributes #0 = { nounwind }/attributes #0 = { nounwind "amdgpu-tg-split" }/' %s | llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx90a | FileCheck -check-prefixes=TGSPLIT %s
; RUN: llc -mtriple=amdgpu12.50-amd-amdhsa -O0 < %s | FileCheck -check-prefixes=GFX1250 %s

define amdgpu_kernel void @flat_load(
; NOTTGSPLIT-LABEL: flat_load:
; NOTTGSPLIT:       ; %bb.0: ; %entry
; NOTTGSPLIT-NEXT:    s_load_dwordx2 s[6:7], s[8:9], 0x0
; NOTTGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; NOTTGSPLIT-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x8
; NOTTGSPLIT-NEXT:    v_pk_mov_b32 v[0:1], s[6:7], s[6:7] op_sel:[0,1]
; NOTTGSPLIT-NEXT:    flat_load_dword v2, v[0:1]
; NOTTGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; NOTTGSPLIT-NEXT:    v_pk_mov_b32 v[0:1], s[4:5], s[4:5] op_sel:[0,1]
; NOTTGSPLIT-NEXT:    s_waitcnt vmcnt(0)
; NOTTGSPLIT-NEXT:    flat_store_dword v[0:1], v2
; NOTTGSPLIT-NEXT:    s_endpgm
;
; TGSPLIT-LABEL: flat_load:
; TGSPLIT:       ; %bb.0: ; %entry
; TGSPLIT-NEXT:    s_load_dwordx2 s[6:7], s[8:9], 0x0
; TGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; TGSPLIT-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x8
; TGSPLIT-NEXT:    v_pk_mov_b32 v[0:1], s[6:7], s[6:7] op_sel:[0,1]
; TGSPLIT-NEXT:    flat_load_dword v2, v[0:1]
; TGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; TGSPLIT-NEXT:    v_pk_mov_b32 v[0:1], s[4:5], s[4:5] op_sel:[0,1]
; TGSPLIT-NEXT:    s_waitcnt vmcnt(0)
; TGSPLIT-NEXT:    flat_store_dword v[0:1], v2
; TGSPLIT-NEXT:    s_endpgm
;
; GFX1250-LABEL: flat_load:
; GFX1250:       ; %bb.0: ; %entry
; GFX1250-NEXT:    global_prefetch_b8 v0, null scope:SCOPE_SE
; GFX1250-NEXT:    v_nop
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b64 s[2:3], s[4:5], 0x0 nv
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x8 nv
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    flat_load_b32 v1, v0, s[2:3]
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    flat_store_b32 v0, v1, s[0:1]
; GFX1250-NEXT:    s_endpgm
    ptr %in, ptr %out) #0 {
entry:
  %val = load atomic i32, ptr %in syncscope("wavefront") unordered, align 4
  store i32 %val, ptr %out, align 4
  ret void
}

define amdgpu_kernel void @release_nothing(
; NOTTGSPLIT-LABEL: release_nothing:
; NOTTGSPLIT:       ; %bb.0: ; %entry
; NOTTGSPLIT-NEXT:    s_load_dword s4, s[6:7], 0x0
; NOTTGSPLIT-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; NOTTGSPLIT-NEXT:    v_mov_b32_e32 v0, 0
; NOTTGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; NOTTGSPLIT-NEXT:    v_mov_b32_e32 v1, s4
; NOTTGSPLIT-NEXT:    global_store_dword v0, v1, s[8:9]
; NOTTGSPLIT-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) #0 {
entry:
  store atomic i32 %in, ptr addrspace(1) %out syncscope("agent") release, align 4, !mmra !0
  ret void
}

attributes #0 = { nounwind }
!0 = !{!"amdgcn-av", !"none"}
