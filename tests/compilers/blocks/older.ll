; GPUs of GFX6 to GFX8: buffer instructions for global memory, offsets of scalar loads in words, private memory
; without an ABI and under PAL, and what a run without invalidates does.  As llc 22 compiles it.
;
; RUN: llc -mtriple=amdgcn-amd- -O0 -mcpu=gfx600 < %s | FileCheck --check-prefixes=GFX6 %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx700 < %s | FileCheck --check-prefixes=GFX7 %s
; RUN: llc -mtriple=amdgcn-amd-amdpal -O0 -mcpu=gfx700 -amdgcn-skip-cache-invalidations < %s | FileCheck --check-prefixes=SKIP-CACHE-INV %s
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx803 < %s | FileCheck --check-prefixes=GFX8 %s
define amdgpu_kernel void @acquire_load(ptr addrspace(1) %in, ptr addrspace(1) %out) {
; GFX6-LABEL: acquire_load:
; GFX6: s_mov_b64 s[0:1], s[4:5]
; GFX6-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x9
; GFX6-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0xb
; GFX6-NEXT: s_waitcnt lgkmcnt(0)
; GFX6-NEXT: s_mov_b32 s2, s5
; GFX6-NEXT: s_mov_b32 s8, 0xf000
; GFX6-NEXT: s_mov_b32 s9, -1
; GFX6-NEXT: s_mov_b32 s5, s2
; GFX6-NEXT: s_mov_b32 s6, s9
; GFX6-NEXT: s_mov_b32 s7, s8
; GFX6-NEXT: s_mov_b32 s10, s1
; GFX6-NEXT: s_mov_b32 s1, s10
; GFX6-NEXT: s_mov_b32 s2, s9
; GFX6-NEXT: s_mov_b32 s3, s8
; GFX6-NEXT: buffer_load_dword v0, off, s[4:7], 0 glc
; GFX6-NEXT: s_waitcnt vmcnt(0)
; GFX6-NEXT: buffer_wbinvl1
; GFX6-NEXT: buffer_store_dword v0, off, s[0:3], 0
; GFX6-NEXT: s_endpgm
; GFX7-LABEL: acquire_load:
; GFX7: s_mov_b32 flat_scratch_lo, s13
; GFX7-NEXT: s_add_i32 s12, s12, s17
; GFX7-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX7-NEXT: s_load_dwordx2 s[6:7], s[8:9], 0x0
; GFX7-NEXT: s_load_dwordx2 s[4:5], s[8:9], 0x2
; GFX7-NEXT: s_waitcnt lgkmcnt(0)
; GFX7-NEXT: v_mov_b32_e32 v0, s6
; GFX7-NEXT: v_mov_b32_e32 v1, s7
; GFX7-NEXT: flat_load_dword v2, v[0:1] glc
; GFX7-NEXT: s_waitcnt vmcnt(0)
; GFX7-NEXT: buffer_wbinvl1_vol
; GFX7-NEXT: v_mov_b32_e32 v0, s4
; GFX7-NEXT: v_mov_b32_e32 v1, s5
; GFX7-NEXT: flat_store_dword v[0:1], v2
; GFX7-NEXT: s_endpgm
; SKIP-CACHE-INV-LABEL: acquire_load:
; SKIP-CACHE-INV: s_mov_b64 s[0:1], s[4:5]
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x0
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0x2
; SKIP-CACHE-INV-NEXT: s_waitcnt lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: s_mov_b32 s2, s5
; SKIP-CACHE-INV-NEXT: s_mov_b32 s8, 0xf000
; SKIP-CACHE-INV-NEXT: s_mov_b32 s9, -1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s5, s2
; SKIP-CACHE-INV-NEXT: s_mov_b32 s6, s9
; SKIP-CACHE-INV-NEXT: s_mov_b32 s7, s8
; SKIP-CACHE-INV-NEXT: s_mov_b32 s10, s1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s1, s10
; SKIP-CACHE-INV-NEXT: s_mov_b32 s2, s9
; SKIP-CACHE-INV-NEXT: s_mov_b32 s3, s8
; SKIP-CACHE-INV-NEXT: buffer_load_dword v0, off, s[4:7], 0 glc
; SKIP-CACHE-INV-NEXT: s_waitcnt vmcnt(0)
; SKIP-CACHE-INV-NEXT: buffer_store_dword v0, off, s[0:3], 0
; SKIP-CACHE-INV-NEXT: s_endpgm
; GFX8-LABEL: acquire_load:
; GFX8: s_mov_b32 flat_scratch_lo, s13
; GFX8-NEXT: s_add_i32 s12, s12, s17
; GFX8-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX8-NEXT: s_load_dwordx2 s[6:7], s[8:9], 0x0
; GFX8-NEXT: s_load_dwordx2 s[4:5], s[8:9], 0x8
; GFX8-NEXT: s_waitcnt lgkmcnt(0)
; GFX8-NEXT: v_mov_b32_e32 v0, s6
; GFX8-NEXT: v_mov_b32_e32 v1, s7
; GFX8-NEXT: flat_load_dword v2, v[0:1] glc
; GFX8-NEXT: s_waitcnt vmcnt(0)
; GFX8-NEXT: buffer_wbinvl1_vol
; GFX8-NEXT: v_mov_b32_e32 v0, s4
; GFX8-NEXT: v_mov_b32_e32 v1, s5
; GFX8-NEXT: flat_store_dword v[0:1], v2
; GFX8-NEXT: s_endpgm
  %val = load atomic i32, ptr addrspace(1) %in syncscope("agent") acquire, align 4
  store i32 %val, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @cmpxchg(ptr addrspace(1) %out, i32 %in, i32 %old, ptr addrspace(1) %res) {
; GFX6-LABEL: cmpxchg:
; GFX6: s_mov_b64 s[0:1], s[4:5]
; GFX6-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x9
; GFX6-NEXT: s_load_dword s9, s[0:1], 0xb
; GFX6-NEXT: s_load_dword s8, s[0:1], 0xc
; GFX6-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0xd
; GFX6-NEXT: s_waitcnt lgkmcnt(0)
; GFX6-NEXT: s_mov_b32 s6, s1
; GFX6-NEXT: s_mov_b32 s10, 0xf000
; GFX6-NEXT: s_mov_b32 s11, -1
; GFX6-NEXT: s_mov_b32 s1, s6
; GFX6-NEXT: s_mov_b32 s2, s11
; GFX6-NEXT: s_mov_b32 s3, s10
; GFX6-NEXT: s_mov_b32 s12, s5
; GFX6-NEXT: s_mov_b32 s5, s12
; GFX6-NEXT: s_mov_b32 s6, s11
; GFX6-NEXT: s_mov_b32 s7, s10
; GFX6-NEXT: v_mov_b32_e32 v0, s9
; GFX6-NEXT: v_mov_b32_e32 v2, s8
; GFX6-NEXT: v_mov_b32_e32 v1, v2
; GFX6-NEXT: s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX6-NEXT: buffer_atomic_cmpswap v[0:1], off, s[4:7], 0 offset:16 glc
; GFX6-NEXT: s_waitcnt vmcnt(0)
; GFX6-NEXT: buffer_wbinvl1
; GFX6-NEXT: buffer_store_dword v0, off, s[0:3], 0
; GFX6-NEXT: s_endpgm
; GFX7-LABEL: cmpxchg:
; GFX7: s_mov_b32 flat_scratch_lo, s13
; GFX7-NEXT: s_add_i32 s12, s12, s17
; GFX7-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX7-NEXT: s_mov_b64 s[4:5], s[8:9]
; GFX7-NEXT: s_load_dwordx2 s[10:11], s[4:5], 0x0
; GFX7-NEXT: s_load_dword s9, s[4:5], 0x2
; GFX7-NEXT: s_load_dword s8, s[4:5], 0x3
; GFX7-NEXT: s_load_dwordx2 s[4:5], s[4:5], 0x4
; GFX7-NEXT: s_mov_b64 s[12:13], 16
; GFX7-NEXT: s_waitcnt lgkmcnt(0)
; GFX7-NEXT: s_mov_b32 s6, s10
; GFX7-NEXT: s_mov_b32 s7, s11
; GFX7-NEXT: s_mov_b32 s11, s12
; GFX7-NEXT: s_mov_b32 s10, s13
; GFX7-NEXT: s_add_u32 s6, s6, s11
; GFX7-NEXT: s_addc_u32 s10, s7, s10
; GFX7-NEXT: s_mov_b32 s7, s10
; GFX7-NEXT: v_mov_b32_e32 v2, s9
; GFX7-NEXT: v_mov_b32_e32 v0, s8
; GFX7-NEXT: v_mov_b32_e32 v3, v0
; GFX7-NEXT: v_mov_b32_e32 v0, s6
; GFX7-NEXT: v_mov_b32_e32 v1, s7
; GFX7-NEXT: s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX7-NEXT: flat_atomic_cmpswap v2, v[0:1], v[2:3] glc
; GFX7-NEXT: s_waitcnt vmcnt(0)
; GFX7-NEXT: buffer_wbinvl1_vol
; GFX7-NEXT: v_mov_b32_e32 v0, s4
; GFX7-NEXT: v_mov_b32_e32 v1, s5
; GFX7-NEXT: flat_store_dword v[0:1], v2
; GFX7-NEXT: s_endpgm
; SKIP-CACHE-INV-LABEL: cmpxchg:
; SKIP-CACHE-INV: s_mov_b64 s[0:1], s[4:5]
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x0
; SKIP-CACHE-INV-NEXT: s_load_dword s9, s[0:1], 0x2
; SKIP-CACHE-INV-NEXT: s_load_dword s8, s[0:1], 0x3
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0x4
; SKIP-CACHE-INV-NEXT: s_waitcnt lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: s_mov_b32 s6, s1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s10, 0xf000
; SKIP-CACHE-INV-NEXT: s_mov_b32 s11, -1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s1, s6
; SKIP-CACHE-INV-NEXT: s_mov_b32 s2, s11
; SKIP-CACHE-INV-NEXT: s_mov_b32 s3, s10
; SKIP-CACHE-INV-NEXT: s_mov_b32 s12, s5
; SKIP-CACHE-INV-NEXT: s_mov_b32 s5, s12
; SKIP-CACHE-INV-NEXT: s_mov_b32 s6, s11
; SKIP-CACHE-INV-NEXT: s_mov_b32 s7, s10
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v0, s9
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v2, s8
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v1, v2
; SKIP-CACHE-INV-NEXT: s_waitcnt vmcnt(0) lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: buffer_atomic_cmpswap v[0:1], off, s[4:7], 0 offset:16 glc
; SKIP-CACHE-INV-NEXT: s_waitcnt vmcnt(0)
; SKIP-CACHE-INV-NEXT: buffer_store_dword v0, off, s[0:3], 0
; SKIP-CACHE-INV-NEXT: s_endpgm
; GFX8-LABEL: cmpxchg:
; GFX8: s_mov_b32 flat_scratch_lo, s13
; GFX8-NEXT: s_add_i32 s12, s12, s17
; GFX8-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX8-NEXT: s_mov_b64 s[4:5], s[8:9]
; GFX8-NEXT: s_load_dwordx2 s[10:11], s[4:5], 0x0
; GFX8-NEXT: s_load_dword s9, s[4:5], 0x8
; GFX8-NEXT: s_load_dword s8, s[4:5], 0xc
; GFX8-NEXT: s_load_dwordx2 s[4:5], s[4:5], 0x10
; GFX8-NEXT: s_mov_b64 s[12:13], 16
; GFX8-NEXT: s_waitcnt lgkmcnt(0)
; GFX8-NEXT: s_mov_b32 s6, s10
; GFX8-NEXT: s_mov_b32 s7, s11
; GFX8-NEXT: s_mov_b32 s11, s12
; GFX8-NEXT: s_mov_b32 s10, s13
; GFX8-NEXT: s_add_u32 s6, s6, s11
; GFX8-NEXT: s_addc_u32 s10, s7, s10
; GFX8-NEXT: s_mov_b32 s7, s10
; GFX8-NEXT: v_mov_b32_e32 v2, s9
; GFX8-NEXT: v_mov_b32_e32 v0, s8
; GFX8-NEXT: v_mov_b32_e32 v3, v0
; GFX8-NEXT: v_mov_b32_e32 v0, s6
; GFX8-NEXT: v_mov_b32_e32 v1, s7
; GFX8-NEXT: s_waitcnt vmcnt(0) lgkmcnt(0)
; GFX8-NEXT: flat_atomic_cmpswap v2, v[0:1], v[2:3] glc
; GFX8-NEXT: s_waitcnt vmcnt(0)
; GFX8-NEXT: buffer_wbinvl1_vol
; GFX8-NEXT: v_mov_b32_e32 v0, s4
; GFX8-NEXT: v_mov_b32_e32 v1, s5
; GFX8-NEXT: flat_store_dword v[0:1], v2
; GFX8-NEXT: s_endpgm
  %gep = getelementptr i32, ptr addrspace(1) %out, i32 4
  %val = cmpxchg volatile ptr addrspace(1) %gep, i32 %old, i32 %in syncscope("agent") acq_rel acquire
  %v = extractvalue { i32, i1 } %val, 0
  store i32 %v, ptr addrspace(1) %res
  ret void
}
define amdgpu_kernel void @private_load(ptr addrspace(5) %in, ptr addrspace(1) %out) {
; GFX6-LABEL: private_load:
; GFX6: s_mov_b32 s12, SCRATCH_RSRC_DWORD0
; GFX6-NEXT: s_mov_b32 s13, SCRATCH_RSRC_DWORD1
; GFX6-NEXT: s_mov_b32 s14, -1
; GFX6-NEXT: s_mov_b32 s15, 0xe8f000
; GFX6-NEXT: s_add_u32 s12, s12, s11
; GFX6-NEXT: s_addc_u32 s13, s13, 0
; GFX6-NEXT: s_mov_b64 s[0:1], s[4:5]
; GFX6-NEXT: s_load_dword s4, s[0:1], 0x9
; GFX6-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0xb
; GFX6-NEXT: s_waitcnt lgkmcnt(0)
; GFX6-NEXT: s_mov_b32 s7, s1
; GFX6-NEXT: s_mov_b32 s5, 0xf000
; GFX6-NEXT: s_mov_b32 s6, -1
; GFX6-NEXT: s_mov_b32 s1, s7
; GFX6-NEXT: s_mov_b32 s2, s6
; GFX6-NEXT: s_mov_b32 s3, s5
; GFX6-NEXT: v_mov_b32_e32 v0, s4
; GFX6-NEXT: buffer_load_dword v0, v0, s[12:15], 0 offen glc
; GFX6-NEXT: s_waitcnt vmcnt(0)
; GFX6-NEXT: buffer_store_dword v0, off, s[0:3], 0
; GFX6-NEXT: s_endpgm
; GFX7-LABEL: private_load:
; GFX7: s_mov_b32 flat_scratch_lo, s13
; GFX7-NEXT: s_add_i32 s12, s12, s17
; GFX7-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX7-NEXT: s_add_u32 s0, s0, s17
; GFX7-NEXT: s_addc_u32 s1, s1, 0
; GFX7-NEXT: s_load_dword s6, s[8:9], 0x0
; GFX7-NEXT: s_load_dwordx2 s[4:5], s[8:9], 0x2
; GFX7-NEXT: s_waitcnt lgkmcnt(0)
; GFX7-NEXT: v_mov_b32_e32 v0, s6
; GFX7-NEXT: buffer_load_dword v2, v0, s[0:3], 0 offen glc
; GFX7-NEXT: s_waitcnt vmcnt(0)
; GFX7-NEXT: v_mov_b32_e32 v0, s4
; GFX7-NEXT: v_mov_b32_e32 v1, s5
; GFX7-NEXT: flat_store_dword v[0:1], v2
; GFX7-NEXT: s_endpgm
; SKIP-CACHE-INV-LABEL: private_load:
; SKIP-CACHE-INV: s_getpc_b64 s[12:13]
; SKIP-CACHE-INV-NEXT: s_mov_b32 s12, s0
; SKIP-CACHE-INV-NEXT: s_load_dwordx4 s[12:15], s[12:13], 0x0
; SKIP-CACHE-INV-NEXT: s_waitcnt lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: s_add_u32 s12, s12, s11
; SKIP-CACHE-INV-NEXT: s_addc_u32 s13, s13, 0
; SKIP-CACHE-INV-NEXT: s_mov_b64 s[0:1], s[4:5]
; SKIP-CACHE-INV-NEXT: s_load_dword s4, s[0:1], 0x0
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0x2
; SKIP-CACHE-INV-NEXT: s_waitcnt lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: s_mov_b32 s7, s1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s5, 0xf000
; SKIP-CACHE-INV-NEXT: s_mov_b32 s6, -1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s1, s7
; SKIP-CACHE-INV-NEXT: s_mov_b32 s2, s6
; SKIP-CACHE-INV-NEXT: s_mov_b32 s3, s5
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v0, s4
; SKIP-CACHE-INV-NEXT: buffer_load_dword v0, v0, s[12:15], 0 offen glc
; SKIP-CACHE-INV-NEXT: s_waitcnt vmcnt(0)
; SKIP-CACHE-INV-NEXT: buffer_store_dword v0, off, s[0:3], 0
; SKIP-CACHE-INV-NEXT: s_endpgm
; GFX8-LABEL: private_load:
; GFX8: s_mov_b32 flat_scratch_lo, s13
; GFX8-NEXT: s_add_i32 s12, s12, s17
; GFX8-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX8-NEXT: s_add_u32 s0, s0, s17
; GFX8-NEXT: s_addc_u32 s1, s1, 0
; GFX8-NEXT: s_load_dword s6, s[8:9], 0x0
; GFX8-NEXT: s_load_dwordx2 s[4:5], s[8:9], 0x8
; GFX8-NEXT: s_waitcnt lgkmcnt(0)
; GFX8-NEXT: v_mov_b32_e32 v0, s6
; GFX8-NEXT: buffer_load_dword v2, v0, s[0:3], 0 offen glc
; GFX8-NEXT: s_waitcnt vmcnt(0)
; GFX8-NEXT: v_mov_b32_e32 v0, s4
; GFX8-NEXT: v_mov_b32_e32 v1, s5
; GFX8-NEXT: flat_store_dword v[0:1], v2
; GFX8-NEXT: s_endpgm
  %val = load volatile i32, ptr addrspace(5) %in, align 4
  store i32 %val, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @indexed_load(ptr addrspace(1) %in, ptr addrspace(1) %out) {
; GFX6-LABEL: indexed_load:
; GFX6: s_mov_b64 s[0:1], s[4:5]
; GFX6-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x9
; GFX6-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0xb
; GFX6-NEXT: s_waitcnt lgkmcnt(0)
; GFX6-NEXT: s_mov_b32 s8, s1
; GFX6-NEXT: s_mov_b32 s6, 0xf000
; GFX6-NEXT: s_mov_b32 s7, -1
; GFX6-NEXT: s_mov_b32 s1, s8
; GFX6-NEXT: s_mov_b32 s2, s7
; GFX6-NEXT: s_mov_b32 s3, s6
; GFX6-NEXT: s_mov_b32 s8, 0
; GFX6-NEXT: s_mov_b32 s9, s6
; GFX6-NEXT: s_mov_b64 s[6:7], s[8:9]
; GFX6-NEXT: s_mov_b32 s8, 2
; GFX6-NEXT: v_lshlrev_b32_e64 v0, s8, v0
; GFX6-NEXT: v_mov_b32_e32 v2, 0
; GFX6-NEXT: v_mov_b32_e32 v1, v2
; GFX6-NEXT: buffer_load_dword v0, v[0:1], s[4:7], 0 addr64 glc
; GFX6-NEXT: s_waitcnt vmcnt(0)
; GFX6-NEXT: buffer_store_dword v0, off, s[0:3], 0
; GFX6-NEXT: s_endpgm
; GFX7-LABEL: indexed_load:
; GFX7: s_mov_b32 flat_scratch_lo, s13
; GFX7-NEXT: s_add_i32 s12, s12, s17
; GFX7-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX7-NEXT: s_mov_b64 s[4:5], s[8:9]
; GFX7-NEXT: s_load_dwordx2 s[8:9], s[4:5], 0x0
; GFX7-NEXT: s_load_dwordx2 s[4:5], s[4:5], 0x2
; GFX7-NEXT: s_mov_b32 s6, 2
; GFX7-NEXT: v_lshlrev_b32_e64 v1, s6, v0
; GFX7-NEXT: v_mov_b32_e32 v0, 0
; GFX7-NEXT: v_mov_b32_e32 v2, v0
; GFX7-NEXT: s_waitcnt lgkmcnt(0)
; GFX7-NEXT: s_mov_b32 s6, s8
; GFX7-NEXT: v_mov_b32_e32 v0, v1
; GFX7-NEXT: s_mov_b32 s8, s9
; GFX7-NEXT: v_add_i32_e64 v0, s[6:7], s6, v0
; GFX7-NEXT: v_mov_b32_e32 v1, s8
; GFX7-NEXT: v_addc_u32_e64 v2, s[6:7], v1, v2, s[6:7]
; GFX7-NEXT: v_mov_b32_e32 v1, v2
; GFX7-NEXT: flat_load_dword v2, v[0:1] glc
; GFX7-NEXT: s_waitcnt vmcnt(0)
; GFX7-NEXT: v_mov_b32_e32 v0, s4
; GFX7-NEXT: v_mov_b32_e32 v1, s5
; GFX7-NEXT: flat_store_dword v[0:1], v2
; GFX7-NEXT: s_endpgm
; SKIP-CACHE-INV-LABEL: indexed_load:
; SKIP-CACHE-INV: s_mov_b64 s[0:1], s[4:5]
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[4:5], s[0:1], 0x0
; SKIP-CACHE-INV-NEXT: s_load_dwordx2 s[0:1], s[0:1], 0x2
; SKIP-CACHE-INV-NEXT: s_waitcnt lgkmcnt(0)
; SKIP-CACHE-INV-NEXT: s_mov_b32 s8, s1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s6, 0xf000
; SKIP-CACHE-INV-NEXT: s_mov_b32 s7, -1
; SKIP-CACHE-INV-NEXT: s_mov_b32 s1, s8
; SKIP-CACHE-INV-NEXT: s_mov_b32 s2, s7
; SKIP-CACHE-INV-NEXT: s_mov_b32 s3, s6
; SKIP-CACHE-INV-NEXT: s_mov_b32 s8, 0
; SKIP-CACHE-INV-NEXT: s_mov_b32 s9, s6
; SKIP-CACHE-INV-NEXT: s_mov_b64 s[6:7], s[8:9]
; SKIP-CACHE-INV-NEXT: s_mov_b32 s8, 2
; SKIP-CACHE-INV-NEXT: v_lshlrev_b32_e64 v0, s8, v0
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v2, 0
; SKIP-CACHE-INV-NEXT: v_mov_b32_e32 v1, v2
; SKIP-CACHE-INV-NEXT: buffer_load_dword v0, v[0:1], s[4:7], 0 addr64 glc
; SKIP-CACHE-INV-NEXT: s_waitcnt vmcnt(0)
; SKIP-CACHE-INV-NEXT: buffer_store_dword v0, off, s[0:3], 0
; SKIP-CACHE-INV-NEXT: s_endpgm
; GFX8-LABEL: indexed_load:
; GFX8: s_mov_b32 flat_scratch_lo, s13
; GFX8-NEXT: s_add_i32 s12, s12, s17
; GFX8-NEXT: s_lshr_b32 flat_scratch_hi, s12, 8
; GFX8-NEXT: s_mov_b64 s[4:5], s[8:9]
; GFX8-NEXT: s_load_dwordx2 s[8:9], s[4:5], 0x0
; GFX8-NEXT: s_load_dwordx2 s[4:5], s[4:5], 0x8
; GFX8-NEXT: s_mov_b32 s6, 2
; GFX8-NEXT: v_lshlrev_b32_e64 v1, s6, v0
; GFX8-NEXT: v_mov_b32_e32 v0, 0
; GFX8-NEXT: v_mov_b32_e32 v2, v0
; GFX8-NEXT: s_waitcnt lgkmcnt(0)
; GFX8-NEXT: s_mov_b32 s6, s8
; GFX8-NEXT: v_mov_b32_e32 v0, v1
; GFX8-NEXT: s_mov_b32 s8, s9
; GFX8-NEXT: v_add_u32_e64 v0, s[6:7], s6, v0
; GFX8-NEXT: v_mov_b32_e32 v1, s8
; GFX8-NEXT: v_addc_u32_e64 v2, s[6:7], v1, v2, s[6:7]
; GFX8-NEXT: v_mov_b32_e32 v1, v2
; GFX8-NEXT: flat_load_dword v2, v[0:1] glc
; GFX8-NEXT: s_waitcnt vmcnt(0)
; GFX8-NEXT: v_mov_b32_e32 v0, s4
; GFX8-NEXT: v_mov_b32_e32 v1, s5
; GFX8-NEXT: flat_store_dword v[0:1], v2
; GFX8-NEXT: s_endpgm
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %val.gep = getelementptr inbounds i32, ptr addrspace(1) %in, i32 %tid
  %val = load volatile i32, ptr addrspace(1) %val.gep, align 4
  store i32 %val, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
