; Fences of one address space: with the old key of LLVM (amdgpu-as), with the new one, in a node of tags, and with a tag
; that says something else. All but the last are right: what it waits for is not what its annotation says.
;
; RUN: llc -mtriple=amdgcn-amd-amdhsa -O0 -mcpu=gfx1010 < %s | FileCheck --check-prefixes=GFX10 %s

define amdgpu_kernel void @local_old_key() {
; GFX10-LABEL: local_old_key:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_waitcnt lgkmcnt(0)
; GFX10-NEXT:    s_endpgm
entry:
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-as", !"local"}
  ret void
}

define amdgpu_kernel void @local_new_key() {
; GFX10-LABEL: local_new_key:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_waitcnt lgkmcnt(0)
; GFX10-NEXT:    s_endpgm
entry:
  fence syncscope("workgroup") release, !mmra !0
  ret void
}

define amdgpu_kernel void @global_among_tags() {
; GFX10-LABEL: global_among_tags:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_waitcnt vmcnt(0)
; GFX10-NEXT:    s_waitcnt_vscnt null, 0x0
; GFX10-NEXT:    s_endpgm
entry:
  fence syncscope("workgroup") release, !mmra !3
  ret void
}

define amdgpu_kernel void @no_address_space() {
; GFX10-LABEL: no_address_space:
; GFX10:       ; %bb.0: ; %entry
; GFX10-NEXT:    s_waitcnt lgkmcnt(0)
; GFX10-NEXT:    s_endpgm
entry:
  fence syncscope("workgroup") release, !mmra !2
  ret void
}

!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
!2 = !{!"their", !"local"}
!3 = !{!1, !2}
