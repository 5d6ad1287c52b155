// A message through a flag: what is stored must be made available, and visible to who loads it
// @Input: %data = 0
// @Input: %flag = 0
// @Input: %result = -1
// @Output: forall (%result == -1 or %result == 1)
// @Config: 1, 1, 2
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 1) in;
#ifndef KIND
#define KIND nonprivate
#endif
layout(set = 0, binding = 0) KIND buffer Data { int data; };
layout(set = 0, binding = 1) buffer Flag { uint flag; };
layout(set = 0, binding = 2) buffer Result { int result; };

void main() {
  if (gl_GlobalInvocationID.x == 0) {
    data = 1;
    atomicStore(flag, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  } else if (atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 1) {
    result = data;
  }
}
