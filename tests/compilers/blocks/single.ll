; Work-groups of one wave, in which a release at work-group scope has nothing to wait for: 64 work-items are two waves
; of 32 lanes.  The line that stops early has no assembly, and names a GPU to compile for.
;
; RUN: llc -mtriple=amdgcn -mcpu=gfx1010 -O0 < %s | FileCheck --check-prefixes=GFX10 %s
; RUN: llc -mtriple=amdgcn -mcpu=gfx1010 -mattr=+wavefrontsize64 -O0 < %s | FileCheck --check-prefixes=GFX10,W64 %s
; RUN: llc -mtriple=amdgcn -mcpu=gfx90a -stop-after=si-memory-legalizer < %s -o - | FileCheck --check-prefixes=GFX9 %s

define amdgpu_kernel void @of_32() #0 {
  ; GFX10-LABEL: of_32:
  ; GFX10: s_waitcnt lgkmcnt(0)
  ; GFX10: s_endpgm
  ; GFX9-LABEL: name: of_32
  ; GFX9: S_WAITCNT_soft .Lgkmcnt_0
  ; GFX9: S_ENDPGM 0
  fence syncscope("workgroup") release
  ret void
}

define amdgpu_kernel void @of_64() "amdgpu-flat-work-group-size"="1,64" {
  ; GFX10-LABEL: of_64:
  ; GFX10: s_waitcnt lgkmcnt(0)
  ; GFX10: s_endpgm
  fence syncscope("workgroup") release
  ret void
}

define amdgpu_kernel void @of_any() {
  ; GFX10-LABEL: of_any:
  ; GFX10: s_waitcnt lgkmcnt(0)
  ; GFX10: s_endpgm
  fence syncscope("workgroup") release
  ret void
}

define amdgpu_kernel void @device() #0 {
  ; GFX10-LABEL: device:
  ; GFX10: s_waitcnt lgkmcnt(0)
  ; GFX10: s_endpgm
  fence syncscope("agent") release
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="1,32" }
