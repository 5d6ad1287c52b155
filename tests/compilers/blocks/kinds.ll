; Operations that LLVM's tests have few of: read-modify-writes other than additions and exchanges, 8 and 64 bits, numbers
; in place of arguments, barriers with the fences around them; and what is refused. As LLVM 22 compiles them.
;
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx90a < %s | FileCheck --check-prefixes=GFX90A %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx1100 < %s | FileCheck --check-prefixes=GFX11 %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx1200 < %s | FileCheck --check-prefixes=GFX12 %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx1250 < %s | FileCheck --check-prefixes=GFX1250 %s

define amdgpu_kernel void @umin_release(ptr addrspace(1) %out, i32 %in) {
; GFX90A-LABEL: umin_release:
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    s_load_dword s6, s[8:9], 0x8
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s6
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_atomic_umin v0, v1, s[4:5]
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: umin_release:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v1, s2
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_min_u32 v0, v1, s[0:1]
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: umin_release:
; GFX12-NEXT:    v_mov_b32_e32 v0, 0
; GFX12-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX12-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX12-NEXT:    s_wait_kmcnt 0x0
; GFX12-NEXT:    v_mov_b32_e32 v1, s2
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    global_atomic_min_u32 v0, v1, s[0:1] scope:SCOPE_DEV
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: umin_release:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v1, s2
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    global_atomic_min_u32 v0, v1, s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  %val = atomicrmw volatile umin ptr addrspace(1) %out, i32 %in syncscope("agent") release, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @sub_acq_rel(ptr addrspace(1) %out, i32 %in) {
; GFX90A-LABEL: sub_acq_rel:
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    s_load_dword s6, s[8:9], 0x8
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v1, s6
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_atomic_sub v0, v1, s[4:5]
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    buffer_wbinvl1_vol
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: sub_acq_rel:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v1, s2
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_sub_u32 v0, v1, s[0:1]
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: sub_acq_rel:
; GFX12-NEXT:    v_mov_b32_e32 v0, 0
; GFX12-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX12-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX12-NEXT:    s_wait_kmcnt 0x0
; GFX12-NEXT:    v_mov_b32_e32 v1, s2
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    global_atomic_sub_u32 v0, v1, s[0:1] scope:SCOPE_DEV
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    global_inv scope:SCOPE_DEV
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: sub_acq_rel:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v1, s2
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    global_atomic_sub_u32 v0, v1, s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    global_inv scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  %val = atomicrmw volatile sub ptr addrspace(1) %out, i32 %in syncscope("agent") acq_rel, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @inc_acquire_local(ptr addrspace(3) %out) {
; GFX11-LABEL: inc_acquire_local:
; GFX11-NEXT:    s_load_b32 s0, s[4:5], 0x0
; GFX11-NEXT:    v_mov_b32_e32 v1, 0x64
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v0, s0
; GFX11-NEXT:    ds_inc_u32 v0, v1
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
; GFX1250-LABEL: inc_acquire_local:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b32 s0, s[4:5], 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v1, 0x64
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v0, s0
; GFX1250-NEXT:    ds_inc_u32 v0, v1
; GFX1250-NEXT:    s_wait_dscnt 0x0
; GFX1250-NEXT:    s_endpgm
  %val = atomicrmw volatile uinc_wrap ptr addrspace(3) %out, i32 100 syncscope("workgroup") acquire
  ret void
}

define amdgpu_kernel void @store_i64(ptr addrspace(1) %out, i64 %in) {
; GFX90A-LABEL: store_i64:
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    s_load_dwordx2 s[6:7], s[8:9], 0x8
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_pk_mov_b32 v[2:3], s[6:7], s[6:7] op_sel:[0,1]
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_store_dwordx2 v0, v[2:3], s[4:5]
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: store_i64:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v1, s2
; GFX11-NEXT:    v_mov_b32_e32 v2, s3
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_store_b64 v0, v[1:2], s[0:1]
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: store_i64:
; GFX12-NEXT:    v_mov_b32_e32 v0, 0
; GFX12-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX12-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX12-NEXT:    s_wait_kmcnt 0x0
; GFX12-NEXT:    v_mov_b32_e32 v1, s2
; GFX12-NEXT:    v_mov_b32_e32 v2, s3
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    global_store_b64 v0, v[1:2], s[0:1] scope:SCOPE_DEV
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: store_i64:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    v_mov_b64_e32 v[2:3], s[2:3]
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    global_store_b64 v0, v[2:3], s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  store atomic i64 %in, ptr addrspace(1) %out syncscope("agent") release, align 8
  ret void
}

define amdgpu_kernel void @load_i8(ptr addrspace(1) %in, ptr addrspace(1) %out) {
; GFX11-LABEL: load_i8:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[2:3], s[4:5], 0x0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    global_load_d16_u8 v1, v0, s[2:3] glc
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    global_store_b8 v0, v1, s[0:1]
; GFX11-NEXT:    s_endpgm
; GFX1250-LABEL: load_i8:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_load_b64 s[2:3], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x8
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    global_load_u8 v1, v0, s[2:3] scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_loadcnt 0x0
; GFX1250-NEXT:    global_inv scope:SCOPE_DEV
; GFX1250-NEXT:    global_store_b8 v0, v1, s[0:1]
; GFX1250-NEXT:    s_endpgm
  %val = load atomic i8, ptr addrspace(1) %in syncscope("agent") acquire, align 1
  store i8 %val, ptr addrspace(1) %out, align 1
  ret void
}

define amdgpu_kernel void @store_zero(ptr addrspace(1) %out) {
; GFX90A-LABEL: store_zero:
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_store_dword v0, v0, s[4:5]
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: store_zero:
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_store_b32 v0, v0, s[0:1]
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: store_zero:
; GFX12-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX12-NEXT:    v_mov_b32_e32 v0, 0
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    s_wait_kmcnt 0x0
; GFX12-NEXT:    global_store_b32 v0, v0, s[0:1] scope:SCOPE_DEV
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: store_zero:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    global_store_b32 v0, v0, s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  store atomic i32 0, ptr addrspace(1) %out syncscope("agent") release, align 4
  ret void
}

define amdgpu_kernel void @store_float(ptr addrspace(1) %out) {
; GFX11-LABEL: store_float:
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    v_mov_b32_e32 v1, 1.0
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_store_b32 v0, v1, s[0:1]
; GFX11-NEXT:    s_endpgm
; GFX1250-LABEL: store_float:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    v_mov_b32_e32 v1, 1.0
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    global_store_b32 v0, v1, s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  store atomic float 1.0, ptr addrspace(1) %out syncscope("agent") release, align 4
  ret void
}

define amdgpu_kernel void @cas_numbers(ptr addrspace(1) %out) {
; GFX90A-LABEL: cas_numbers:
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    s_mov_b32 s6, 0
; GFX90A-NEXT:    s_mov_b32 s7, 1
; GFX90A-NEXT:    v_mov_b32_e32 v2, s7
; GFX90A-NEXT:    v_mov_b32_e32 v1, s6
; GFX90A-NEXT:    v_mov_b32_e32 v3, v1
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    global_atomic_cmpswap v0, v[2:3], s[4:5]
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    buffer_wbinvl1_vol
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: cas_numbers:
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_mov_b32 s2, 0
; GFX11-NEXT:    s_mov_b32 s3, 1
; GFX11-NEXT:    v_mov_b32_e32 v1, s3
; GFX11-NEXT:    v_mov_b32_e32 v3, s2
; GFX11-NEXT:    v_mov_b32_e32 v2, v3
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_cmpswap_b32 v0, v[1:2], s[0:1]
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: cas_numbers:
; GFX12-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX12-NEXT:    v_mov_b32_e32 v0, 0
; GFX12-NEXT:    s_mov_b32 s2, 0
; GFX12-NEXT:    s_mov_b32 s3, 1
; GFX12-NEXT:    v_mov_b32_e32 v1, s3
; GFX12-NEXT:    v_mov_b32_e32 v3, s2
; GFX12-NEXT:    v_mov_b32_e32 v2, v3
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    s_wait_kmcnt 0x0
; GFX12-NEXT:    global_atomic_cmpswap_b32 v0, v[1:2], s[0:1] scope:SCOPE_DEV
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    global_inv scope:SCOPE_DEV
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: cas_numbers:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_mov_b64 s[2:3], 1
; GFX1250-NEXT:    v_mov_b64_e32 v[2:3], s[2:3]
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    global_atomic_cmpswap_b32 v0, v[2:3], s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    global_inv scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  %val = cmpxchg volatile ptr addrspace(1) %out, i32 0, i32 1 syncscope("agent") acq_rel acquire
  ret void
}

define amdgpu_kernel void @cas_i64(ptr addrspace(1) %out, i64 %in, i64 %old) {
; GFX11-LABEL: cas_i64:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX11-NEXT:    s_load_b64 s[6:7], s[4:5], 0x10
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    s_mov_b32 s4, s3
; GFX11-NEXT:    s_mov_b32 s5, s2
; GFX11-NEXT:    s_mov_b32 s2, s7
; GFX11-NEXT:    s_mov_b32 s3, s6
; GFX11-NEXT:    v_mov_b32_e32 v1, s5
; GFX11-NEXT:    v_mov_b32_e32 v7, s4
; GFX11-NEXT:    v_mov_b32_e32 v6, s3
; GFX11-NEXT:    v_mov_b32_e32 v5, s2
; GFX11-NEXT:    v_mov_b32_e32 v2, v7
; GFX11-NEXT:    v_mov_b32_e32 v3, v6
; GFX11-NEXT:    v_mov_b32_e32 v4, v5
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_cmpswap_b64 v0, v[1:4], s[0:1]
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
; GFX1250-LABEL: cas_i64:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX1250-NEXT:    s_load_b64 s[6:7], s[4:5], 0x10
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    s_mov_b32 s4, s3
; GFX1250-NEXT:    s_mov_b32 s5, s2
; GFX1250-NEXT:    s_mov_b32 s2, s7
; GFX1250-NEXT:    s_mov_b32 s3, s6
; GFX1250-NEXT:    v_mov_b32_e32 v2, s5
; GFX1250-NEXT:    v_mov_b32_e32 v7, s4
; GFX1250-NEXT:    v_mov_b32_e32 v6, s3
; GFX1250-NEXT:    v_mov_b32_e32 v1, s2
; GFX1250-NEXT:    v_mov_b32_e32 v3, v7
; GFX1250-NEXT:    v_mov_b32_e32 v4, v6
; GFX1250-NEXT:    v_mov_b32_e32 v5, v1
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    global_atomic_cmpswap_b64 v0, v[2:5], s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    global_inv scope:SCOPE_DEV
; GFX1250-NEXT:    s_endpgm
  %val = cmpxchg volatile ptr addrspace(1) %out, i64 %old, i64 %in syncscope("agent") acq_rel acquire
  ret void
}

define amdgpu_kernel void @barrier_fences() {
; GFX90A-LABEL: barrier_fences:
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    s_barrier
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: barrier_fences:
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    s_barrier
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: barrier_fences:
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    s_barrier_signal -1
; GFX12-NEXT:    s_barrier_wait -1
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    global_inv scope:SCOPE_SE
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: barrier_fences:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_barrier_signal -1
; GFX1250-NEXT:    s_barrier_wait -1
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_endpgm
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define amdgpu_kernel void @barrier_release() {
; GFX90A-LABEL: barrier_release:
; GFX90A-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX90A-NEXT:    s_barrier
; GFX90A-NEXT:    s_endpgm
; GFX11-LABEL: barrier_release:
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    s_barrier
; GFX11-NEXT:    s_endpgm
; GFX12-LABEL: barrier_release:
; GFX12-NEXT:    s_wait_bvhcnt 0x0
; GFX12-NEXT:    s_wait_samplecnt 0x0
; GFX12-NEXT:    s_wait_storecnt 0x0
; GFX12-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX12-NEXT:    s_barrier_signal -1
; GFX12-NEXT:    s_barrier_wait -1
; GFX12-NEXT:    s_endpgm
; GFX1250-LABEL: barrier_release:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    s_barrier_signal -1
; GFX1250-NEXT:    s_barrier_wait -1
; GFX1250-NEXT:    s_endpgm
  fence syncscope("agent") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define amdgpu_kernel void @barrier_alone() {
; GFX11-LABEL: barrier_alone:
; GFX11-NEXT:    s_barrier
; GFX11-NEXT:    s_endpgm
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define amdgpu_kernel void @add_float(ptr addrspace(1) %out, float %in) {
; GFX11-LABEL: add_float:
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v1, s2
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_add_f32 v0, v1, s[0:1]
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    s_endpgm
  %val = atomicrmw fadd ptr addrspace(1) %out, float %in syncscope("agent") acq_rel, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @cas_i8(ptr addrspace(1) %out, i8 %old, i8 %in) {
; GFX11-LABEL: cas_i8:
; GFX11-NEXT:    s_endpgm
  %val = cmpxchg ptr addrspace(1) %out, i8 %old, i8 %in syncscope("agent") acq_rel acquire
  ret void
}

define amdgpu_kernel void @store_double(ptr addrspace(1) %out) {
; GFX11-LABEL: store_double:
; GFX11-NEXT:    s_endpgm
  store atomic double 1.0, ptr addrspace(1) %out syncscope("agent") release, align 8
  ret void
}

define amdgpu_kernel void @usub_sat(ptr addrspace(1) %out, i32 %in) {
; GFX11-LABEL: usub_sat:
; GFX11-NEXT:    s_endpgm
  %val = atomicrmw usub_sat ptr addrspace(1) %out, i32 %in syncscope("agent") acq_rel
  ret void
}

define amdgpu_kernel void @xchg_i16(ptr addrspace(1) %out, i16 %in) {
; GFX11-LABEL: xchg_i16:
; GFX11-NEXT:    s_mov_b64 s[0:1], s[4:5]
; GFX11-NEXT:    s_load_b64 s[4:5], s[0:1], 0x0
; GFX11-NEXT:    s_load_b32 s2, s[0:1], 0x8
; GFX11-NEXT:    s_mov_b64 s[0:1], -4
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    s_and_b64 s[0:1], s[4:5], s[0:1]
; GFX11-NEXT:    v_writelane_b32 v4, s0, 0
; GFX11-NEXT:    v_writelane_b32 v4, s1, 1
; GFX11-NEXT:    s_mov_b32 s3, s4
; GFX11-NEXT:    s_mov_b32 s4, 3
; GFX11-NEXT:    s_and_b32 s3, s3, s4
; GFX11-NEXT:    s_lshl_b32 s3, s3, s4
; GFX11-NEXT:    s_mov_b32 s4, 0xffff
; GFX11-NEXT:    s_lshl_b32 s5, s4, s3
; GFX11-NEXT:    s_not_b32 s5, s5
; GFX11-NEXT:    v_writelane_b32 v4, s5, 2
; GFX11-NEXT:    s_and_b32 s2, s2, s4
; GFX11-NEXT:    s_lshl_b32 s2, s2, s3
; GFX11-NEXT:    v_writelane_b32 v4, s2, 3
; GFX11-NEXT:    s_load_b32 s1, s[0:1], 0x0
; GFX11-NEXT:    s_mov_b32 s0, 0
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v0, s1
; GFX11-NEXT:    v_writelane_b32 v4, s0, 4
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_store_b32 off, v4, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    scratch_store_b32 off, v0, off offset:4
; GFX11-NEXT:    .LBB13_1:
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_load_b32 v4, off, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_readlane_b32 s1, v4, 4
; GFX11-NEXT:    v_readlane_b32 s2, v4, 0
; GFX11-NEXT:    v_readlane_b32 s3, v4, 1
; GFX11-NEXT:    v_readlane_b32 s0, v4, 2
; GFX11-NEXT:    v_readlane_b32 s4, v4, 3
; GFX11-NEXT:    scratch_load_b32 v1, off, off offset:4
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_and_or_b32 v2, v1, s0, s4
; GFX11-NEXT:    v_mov_b32_e32 v3, v1
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_cmpswap_b32 v0, v0, v[2:3], s[2:3] glc
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    v_cmp_eq_u32_e64 s0, v0, v1
; GFX11-NEXT:    s_or_b32 s0, s0, s1
; GFX11-NEXT:    s_mov_b32 s1, s0
; GFX11-NEXT:    v_writelane_b32 v4, s1, 4
; GFX11-NEXT:    v_mov_b32_e32 v1, v0
; GFX11-NEXT:    scratch_store_b32 off, v1, off offset:4
; GFX11-NEXT:    scratch_store_b32 off, v0, off offset:8
; GFX11-NEXT:    s_mov_b32 s1, s0
; GFX11-NEXT:    v_writelane_b32 v4, s1, 5
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_store_b32 off, v4, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_and_not1_b32 exec_lo, exec_lo, s0
; GFX11-NEXT:    s_cbranch_execnz .LBB13_1
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_load_b32 v4, off, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_readlane_b32 s0, v4, 5
; GFX11-NEXT:    s_or_b32 exec_lo, exec_lo, s0
; GFX11-NEXT:    scratch_load_b32 v0, off, off offset:8
; GFX11-NEXT:    s_endpgm
  %val = atomicrmw xchg ptr addrspace(1) %out, i16 %in syncscope("agent") acq_rel, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @nand_loop(ptr addrspace(1) %out, i32 %in) {
; GFX11-LABEL: nand_loop:
; GFX11-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX11-NEXT:    s_load_b32 s2, s[4:5], 0x8
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    s_mov_b64 s[4:5], s[0:1]
; GFX11-NEXT:    v_writelane_b32 v4, s4, 0
; GFX11-NEXT:    v_writelane_b32 v4, s5, 1
; GFX11-NEXT:    v_writelane_b32 v4, s2, 2
; GFX11-NEXT:    s_load_b32 s1, s[0:1], 0x0
; GFX11-NEXT:    s_mov_b32 s0, 0
; GFX11-NEXT:    s_waitcnt lgkmcnt(0)
; GFX11-NEXT:    v_mov_b32_e32 v0, s1
; GFX11-NEXT:    v_writelane_b32 v4, s0, 3
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_store_b32 off, v4, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    scratch_store_b32 off, v0, off offset:4
; GFX11-NEXT:    .LBB14_1:
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_load_b32 v4, off, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_readlane_b32 s1, v4, 3
; GFX11-NEXT:    v_readlane_b32 s2, v4, 0
; GFX11-NEXT:    v_readlane_b32 s3, v4, 1
; GFX11-NEXT:    v_readlane_b32 s0, v4, 2
; GFX11-NEXT:    scratch_load_b32 v1, off, off offset:4
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_and_b32_e64 v0, v1, s0
; GFX11-NEXT:    v_not_b32_e32 v2, v0
; GFX11-NEXT:    v_mov_b32_e32 v3, v1
; GFX11-NEXT:    v_mov_b32_e32 v0, 0
; GFX11-NEXT:    s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX11-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX11-NEXT:    global_atomic_cmpswap_b32 v0, v0, v[2:3], s[2:3] glc
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    buffer_gl1_inv
; GFX11-NEXT:    buffer_gl0_inv
; GFX11-NEXT:    v_cmp_eq_u32_e64 s0, v0, v1
; GFX11-NEXT:    s_or_b32 s0, s0, s1
; GFX11-NEXT:    s_mov_b32 s1, s0
; GFX11-NEXT:    v_writelane_b32 v4, s1, 3
; GFX11-NEXT:    scratch_store_b32 off, v0, off offset:4
; GFX11-NEXT:    s_mov_b32 s1, s0
; GFX11-NEXT:    v_writelane_b32 v4, s1, 4
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_store_b32 off, v4, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_and_not1_b32 exec_lo, exec_lo, s0
; GFX11-NEXT:    s_cbranch_execnz .LBB14_1
; GFX11-NEXT:    s_or_saveexec_b32 s6, -1
; GFX11-NEXT:    scratch_load_b32 v4, off, off
; GFX11-NEXT:    s_mov_b32 exec_lo, s6
; GFX11-NEXT:    s_waitcnt vmcnt(0)
; GFX11-NEXT:    v_readlane_b32 s0, v4, 4
; GFX11-NEXT:    s_or_b32 exec_lo, exec_lo, s0
; GFX11-NEXT:    s_endpgm
  %val = atomicrmw nand ptr addrspace(1) %out, i32 %in syncscope("agent") acq_rel, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @flat_umax_i64(ptr %out, i64 %in) {
; GFX1250-LABEL: flat_umax_i64:
; GFX1250-NEXT:    s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
; GFX1250-NEXT:    s_load_b64 s[0:1], s[4:5], 0x0
; GFX1250-NEXT:    s_load_b64 s[2:3], s[4:5], 0x8
; GFX1250-NEXT:    s_wait_kmcnt 0x0
; GFX1250-NEXT:    s_mov_b64 s[4:5], s[0:1]
; GFX1250-NEXT:    v_writelane_b32 v4, s4, 0
; GFX1250-NEXT:    v_writelane_b32 v4, s5, 1
; GFX1250-NEXT:    v_writelane_b32 v4, s2, 2
; GFX1250-NEXT:    v_writelane_b32 v4, s3, 3
; GFX1250-NEXT:    s_mov_b32 s0, s1
; GFX1250-NEXT:    s_mov_b32 s1, src_flat_scratch_base_hi
; GFX1250-NEXT:    s_xor_b32 s0, s0, s1
; GFX1250-NEXT:    s_mov_b32 s1, 0x4000000
; GFX1250-NEXT:    s_cmp_lt_u32 s0, s1
; GFX1250-NEXT:    s_cselect_b32 s0, -1, 0
; GFX1250-NEXT:    v_cndmask_b32_e64 v0, 0, 1, s0
; GFX1250-NEXT:    s_mov_b32 s0, -1
; GFX1250-NEXT:    s_mov_b32 s1, 1
; GFX1250-NEXT:    v_cmp_ne_u32_e64 s1, v0, s1
; GFX1250-NEXT:    s_and_b32 vcc_lo, exec_lo, s1
; GFX1250-NEXT:    v_writelane_b32 v4, s0, 4
; GFX1250-NEXT:    s_or_saveexec_b32 s8, -1
; GFX1250-NEXT:    scratch_store_b32 off, v4, off
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 exec_lo, s8
; GFX1250-NEXT:    s_cbranch_vccnz .LBB15_3
; GFX1250-NEXT:    .LBB15_1:
; GFX1250-NEXT:    s_or_saveexec_b32 s8, -1
; GFX1250-NEXT:    scratch_load_b32 v4, off, off
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 exec_lo, s8
; GFX1250-NEXT:    s_wait_loadcnt 0x0
; GFX1250-NEXT:    v_readlane_b32 s0, v4, 4
; GFX1250-NEXT:    v_cndmask_b32_e64 v0, 0, 1, s0
; GFX1250-NEXT:    s_mov_b32 s0, 1
; GFX1250-NEXT:    v_cmp_ne_u32_e64 s0, v0, s0
; GFX1250-NEXT:    s_and_b32 vcc_lo, exec_lo, s0
; GFX1250-NEXT:    s_cbranch_vccnz .LBB15_4
; GFX1250-NEXT:    s_or_saveexec_b32 s8, -1
; GFX1250-NEXT:    scratch_load_b32 v4, off, off
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 exec_lo, s8
; GFX1250-NEXT:    s_wait_loadcnt 0x0
; GFX1250-NEXT:    v_readlane_b32 s2, v4, 2
; GFX1250-NEXT:    v_readlane_b32 s3, v4, 3
; GFX1250-NEXT:    v_readlane_b32 s4, v4, 0
; GFX1250-NEXT:    v_readlane_b32 s5, v4, 1
; GFX1250-NEXT:    s_mov_b32 s0, s4
; GFX1250-NEXT:    s_mov_b32 s1, src_flat_scratch_base_lo
; GFX1250-NEXT:    s_sub_co_i32 s0, s0, s1
; GFX1250-NEXT:    s_mov_b64 s[6:7], 0
; GFX1250-NEXT:    s_cmp_lg_u64 s[4:5], s[6:7]
; GFX1250-NEXT:    s_mov_b32 s1, -1
; GFX1250-NEXT:    s_cselect_b32 s0, s0, s1
; GFX1250-NEXT:    scratch_load_b64 v[0:1], off, s0
; GFX1250-NEXT:    s_wait_loadcnt 0x0
; GFX1250-NEXT:    v_max_u64 v[0:1], v[0:1], s[2:3]
; GFX1250-NEXT:    scratch_store_b64 off, v[0:1], s0
; GFX1250-NEXT:    s_branch .LBB15_4
; GFX1250-NEXT:    .LBB15_3:
; GFX1250-NEXT:    s_or_saveexec_b32 s8, -1
; GFX1250-NEXT:    scratch_load_b32 v4, off, off
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 exec_lo, s8
; GFX1250-NEXT:    s_wait_loadcnt 0x0
; GFX1250-NEXT:    v_readlane_b32 s0, v4, 0
; GFX1250-NEXT:    v_readlane_b32 s1, v4, 1
; GFX1250-NEXT:    v_readlane_b32 s2, v4, 2
; GFX1250-NEXT:    v_readlane_b32 s3, v4, 3
; GFX1250-NEXT:    v_mov_b32_e32 v0, 0
; GFX1250-NEXT:    v_mov_b64_e32 v[2:3], s[2:3]
; GFX1250-NEXT:    global_wb scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt 0x0
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_wait_loadcnt_dscnt 0x0
; GFX1250-NEXT:    flat_atomic_max_u64 v0, v[2:3], s[0:1] scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_storecnt_dscnt 0x0
; GFX1250-NEXT:    global_inv scope:SCOPE_DEV
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 s0, 0
; GFX1250-NEXT:    v_writelane_b32 v4, s0, 4
; GFX1250-NEXT:    s_or_saveexec_b32 s8, -1
; GFX1250-NEXT:    scratch_store_b32 off, v4, off
; GFX1250-NEXT:    s_wait_xcnt 0x0
; GFX1250-NEXT:    s_mov_b32 exec_lo, s8
; GFX1250-NEXT:    s_branch .LBB15_1
; GFX1250-NEXT:    .LBB15_4:
; GFX1250-NEXT:    s_endpgm
  %val = atomicrmw volatile umax ptr %out, i64 %in syncscope("agent") acq_rel, !amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0
  ret void
}

define amdgpu_kernel void @sub_loop(ptr addrspace(1) %out, i32 %in) {
; GFX90A-LABEL: sub_loop:
; GFX90A-NEXT:    s_load_dwordx2 s[4:5], s[8:9], 0x0
; GFX90A-NEXT:    s_load_dword s6, s[8:9], 0x8
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    s_mov_b64 s[8:9], s[4:5]
; GFX90A-NEXT:    v_writelane_b32 v4, s8, 0
; GFX90A-NEXT:    v_writelane_b32 v4, s9, 1
; GFX90A-NEXT:    v_writelane_b32 v4, s6, 2
; GFX90A-NEXT:    s_load_dword s6, s[4:5], 0x0
; GFX90A-NEXT:    s_mov_b64 s[4:5], 0
; GFX90A-NEXT:    s_waitcnt lgkmcnt(0)
; GFX90A-NEXT:    v_mov_b32_e32 v0, s6
; GFX90A-NEXT:    v_writelane_b32 v4, s4, 3
; GFX90A-NEXT:    v_writelane_b32 v4, s5, 4
; GFX90A-NEXT:    s_or_saveexec_b64 s[10:11], -1
; GFX90A-NEXT:    v_accvgpr_write_b32 a0, v4
; GFX90A-NEXT:    s_mov_b64 exec, s[10:11]
; GFX90A-NEXT:    v_accvgpr_write_b32 a1, v0
; GFX90A-NEXT:    .LBB16_1:
; GFX90A-NEXT:    s_or_saveexec_b64 s[10:11], -1
; GFX90A-NEXT:    v_accvgpr_read_b32 v4, a0
; GFX90A-NEXT:    s_mov_b64 exec, s[10:11]
; GFX90A-NEXT:    v_readlane_b32 s6, v4, 3
; GFX90A-NEXT:    v_readlane_b32 s7, v4, 4
; GFX90A-NEXT:    v_readlane_b32 s4, v4, 0
; GFX90A-NEXT:    v_readlane_b32 s5, v4, 1
; GFX90A-NEXT:    v_readlane_b32 s8, v4, 2
; GFX90A-NEXT:    v_accvgpr_read_b32 v1, a1
; GFX90A-NEXT:    v_sub_u32_e64 v2, v1, s8
; GFX90A-NEXT:    v_mov_b32_e32 v3, v1
; GFX90A-NEXT:    v_mov_b32_e32 v0, 0
; GFX90A-NEXT:    global_atomic_cmpswap v0, v0, v[2:3], s[4:5] glc
; GFX90A-NEXT:    s_waitcnt vmcnt(0)
; GFX90A-NEXT:    v_cmp_eq_u32_e64 s[4:5], v0, v1
; GFX90A-NEXT:    s_or_b64 s[4:5], s[4:5], s[6:7]
; GFX90A-NEXT:    s_mov_b64 s[6:7], s[4:5]
; GFX90A-NEXT:    v_writelane_b32 v4, s6, 3
; GFX90A-NEXT:    v_writelane_b32 v4, s7, 4
; GFX90A-NEXT:    v_accvgpr_write_b32 a1, v0
; GFX90A-NEXT:    s_mov_b64 s[6:7], s[4:5]
; GFX90A-NEXT:    v_writelane_b32 v4, s6, 5
; GFX90A-NEXT:    v_writelane_b32 v4, s7, 6
; GFX90A-NEXT:    s_or_saveexec_b64 s[10:11], -1
; GFX90A-NEXT:    v_accvgpr_write_b32 a0, v4
; GFX90A-NEXT:    s_mov_b64 exec, s[10:11]
; GFX90A-NEXT:    s_andn2_b64 exec, exec, s[4:5]
; GFX90A-NEXT:    s_cbranch_execnz .LBB16_1
; GFX90A-NEXT:    s_or_saveexec_b64 s[10:11], -1
; GFX90A-NEXT:    v_accvgpr_read_b32 v4, a0
; GFX90A-NEXT:    s_mov_b64 exec, s[10:11]
; GFX90A-NEXT:    v_readlane_b32 s4, v4, 5
; GFX90A-NEXT:    v_readlane_b32 s5, v4, 6
; GFX90A-NEXT:    s_or_b64 exec, exec, s[4:5]
; GFX90A-NEXT:    s_endpgm
  %val = atomicrmw volatile sub ptr addrspace(1) %out, i32 %in syncscope("agent") monotonic
  ret void
}

!0 = !{}
