; The code of single operations as LLVM's memory-legalizer tests state it, written for
; these tests: some right, some with a part left out.
;
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx90a -mattr=+tgsplit < %s | FileCheck --check-prefixes=TGSPLIT %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx1010 < %s | FileCheck --check-prefixes=GFX10 %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx700 < %s | FileCheck --check-prefixes=GFX7 %s

define amdgpu_kernel void @release_store(
; GFX90A-LABEL: release_store:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s4
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
;
; GFX10-LABEL: release_store:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX10-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX10-NEXT:    v_mov_b32_e32 v0, 0
; GFX10-NEXT:    s_waitcnt lgkmcnt(0)
; GFX10-NEXT:    v_mov_b32_e32 v1, s4
; GFX10-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX10-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX10-NEXT:    s_endpgm
;
; GFX7-LABEL: release_store:
; GFX7:       ; %bb.0: ; %entry
; GFX7-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) {
entry:
  store atomic i32 %in, ptr addrspace(1) %out syncscope("agent") release, align 4
  ret void
}

define amdgpu_kernel void @acquire_load(
; GFX90A-LABEL: acquire_load:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    global_load_dword v1, v0, s[4:5] glc
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    buffer_wbinvl1_vol
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
;
; GFX10-LABEL: acquire_load:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; GFX10-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX10-NEXT:    v_mov_b32_e32 v0, 0
; GFX10-NEXT:    s_waitcnt lgkmcnt(0)
; GFX10-NEXT:    global_load_dword v1, v0, s[4:5] glc dlc
; GFX10-NEXT:    s_waitcnt vmcnt(0)
; GFX10-NEXT:    buffer_gl0_inv
; GFX10-NEXT:    buffer_gl1_inv
; GFX10-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX10-NEXT:    s_endpgm
    ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %val = load atomic i32, ptr addrspace(1) %in syncscope("agent") acquire, align 4
  store i32 %val, ptr addrspace(1) %out, align 4
  ret void
}

define amdgpu_kernel void @local_cmpxchg(
; GFX90A-LABEL: local_cmpxchg:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX90A-NEXT:    s_load_dword s5, s[6:7], 0x4
; GFX90A-NEXT:    s_load_dword s8, s[6:7], 0x8
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v0, s4
; GFX90A-NEXT:    v_mov_b32_e32 v1, s8
; GFX90A-NEXT:    v_mov_b32_e32 v2, s5
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    ds_cmpst_rtn_b32 v1, v0, v1, v2 offset:16
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    ds_write_b32 v0, v1
; GFX90A-NEXT:    s_endpgm
;
; TGSPLIT-LABEL: local_cmpxchg:
; TGSPLIT:       ; %bb.0: ; %entry
; TGSPLIT-NEXT:    s_endpgm
    ptr addrspace(3) %out, i32 %in, i32 %old) {
entry:
  %gep = getelementptr i32, ptr addrspace(3) %out, i32 4
  %val = cmpxchg volatile ptr addrspace(3) %gep, i32 %old, i32 %in syncscope("workgroup") acq_rel monotonic
  %val0 = extractvalue { i32, i1 } %val, 0
  store i32 %val0, ptr addrspace(3) %out, align 4
  ret void
}

define amdgpu_kernel void @flat_exchange(
; TGSPLIT-LABEL: flat_exchange:
; TGSPLIT:       ; %bb.0: ; %entry
; TGSPLIT-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; TGSPLIT-NEXT:    s_load_dword s8, s[6:7], 0x8
; TGSPLIT-NEXT:    s_waitcnt lgkmcnt(0)
; TGSPLIT-NEXT:    v_mov_b32_e32 v0, s4
; TGSPLIT-NEXT:    v_mov_b32_e32 v1, s5
; TGSPLIT-NEXT:    v_mov_b32_e32 v2, s8
; TGSPLIT-NEXT:    s_waitcnt vmcnt(0)
; TGSPLIT-NEXT:    flat_atomic_swap v[0:1], v2
; TGSPLIT-NEXT:    s_endpgm
    ptr %out, i32 %in) {
entry:
  %val = atomicrmw volatile xchg ptr %out, i32 %in syncscope("workgroup") release
  ret void
}

define amdgpu_kernel void @release_fence_one_as(
; GFX90A-LABEL: release_fence_one_as:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_endpgm
;
; TGSPLIT-LABEL: release_fence_one_as:
; TGSPLIT:       ; %bb.0: ; %entry
; TGSPLIT-NEXT:    s_waitcnt vmcnt(0)
; TGSPLIT-NEXT:    s_endpgm
    ) {
entry:
  fence syncscope("workgroup-one-as") release
  ret void
}

define amdgpu_kernel void @private_store(
; GFX90A-LABEL: private_store:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_endpgm
    i32 %in, ptr addrspace(5) %out) {
entry:
  store volatile i32 %in, ptr addrspace(5) %out, align 4
  ret void
}

define amdgpu_kernel void @ordinary_store(
; GFX90A-LABEL: ordinary_store:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) {
entry:
  store i32 %in, ptr addrspace(1) %out, align 4
  ret void
}

define amdgpu_kernel void @seq_cst_load(
; GFX90A-LABEL: seq_cst_load:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_load_dword v1, v0, s[4:5] glc
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    buffer_wbinvl1_vol
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
    ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %val = load atomic i32, ptr addrspace(1) %in syncscope("agent") seq_cst, align 4
  store i32 %val, ptr addrspace(1) %out, align 4
  ret void
}

define amdgpu_kernel void @seq_cst_store(
; GFX90A-LABEL: seq_cst_store:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s4
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
    i32 %in, ptr addrspace(1) %out) {
entry:
  store atomic i32 %in, ptr addrspace(1) %out syncscope("agent") seq_cst, align 4
  ret void
}

define amdgpu_kernel void @local_exchange_one_as(
; GFX90A-LABEL: local_exchange_one_as:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX90A-NEXT:    s_load_dword s5, s[6:7], 0x4
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v0, s4
; GFX90A-NEXT:    v_mov_b32_e32 v1, s5
; GFX90A-NEXT:    ds_wrxchg_rtn_b32 v0, v0, v1
; GFX90A-NEXT:    s_endpgm
    ptr addrspace(3) %out, i32 %in) {
entry:
  %val = atomicrmw volatile xchg ptr addrspace(3) %out, i32 %in syncscope("agent-one-as") acquire
  ret void
}

define amdgpu_kernel void @copied_store(
; GFX90A-LABEL: copied_store:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    global_load_dword v1, v0, s[4:5]
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9] glc slc
; GFX90A-NEXT:    s_endpgm
    ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %val = load i32, ptr addrspace(1) %in, align 4
  store i32 %val, ptr addrspace(1) %out, align 4, !nontemporal !0
  ret void
}

define amdgpu_kernel void @scalar_load(
; GFX90A-LABEL: scalar_load:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    s_load_dword s4, s[4:5], 0x0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s4
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
    ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %val = load i32, ptr addrspace(1) %in, align 4, !nontemporal !0
  store i32 %val, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @private_load(
; GFX90A-LABEL: private_load:
; GFX90A:       ; %bb.0: ; %entry
; GFX90A-NEXT:    s_load_dword s4, s[6:7], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[8:9], s[6:7], 0x8
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s4
; GFX90A-NEXT:    buffer_load_dword v1, v1, s[0:3], 0 offen
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    global_store_dword v0, v1, s[8:9]
; GFX90A-NEXT:    s_endpgm
    ptr addrspace(5) %in, ptr addrspace(1) %out) {
entry:
  %val = load volatile i32, ptr addrspace(5) %in, align 4
  store i32 %val, ptr addrspace(1) %out
  ret void
}

!0 = !{i32 1}
