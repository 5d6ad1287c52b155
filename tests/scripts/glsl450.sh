#!/bin/sh
# SPDX-License-Identifier: MIT
# slow
# Modules with GLSL's own memory model are read as spirv-opt --upgrade-memory-model makes modules of Vulkan's model of
# them: the programs, with all that their operations say, are the same.
set -eu
for tool in glslangValidator spirv-opt; do
  command -v "$tool" >/dev/null || { echo "no $tool: apt-get install glslang-tools spirv-tools"; exit 77; }
done
cd "$TMP"

# compared NAME: the shader on standard input, by itself and made one of Vulkan's model.
compared() {
  cat >"$1.comp"
  glslangValidator -V --target-env vulkan1.2 -g "$1.comp" -o "$1.spv" >said || { cat said; exit 1; }
  spirv-opt --upgrade-memory-model "$1.spv" -o upgraded.spv
  mv "$1.spv" original.spv
  for which in original upgraded; do
    mv "$which.spv" "$1.spv"
    litscope check -dump program -config 1,2,2 "$1.spv" 2>/dev/null | sed 's/ barrier[0-9]*,/ barrier,/' >"$which"
  done
  grep -q '^P3' upgraded || { cat "$1.comp"; exit 1; }
  cmp original upgraded || { cat "$1.comp"; diff original upgraded; exit 1; }
  echo x >>counted
}

# A message between two invocations of four, in two work-groups, through memory of each kind with each qualifier.
shader() {
  cat <<END
#version 450
layout(local_size_x = 2) in;
$1
layout(binding = 3) buffer R { int r[4]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i == $3) {
    $4;
    $2;
    atomicExchange(flag, 1);
  } else if (i == 2 && atomicAdd(flag, 0) == 1) {
    $2;
    r[0] = int($5);
    r[1] = 1;
  }
}
END
}
: >counted
flag='layout(binding = 1) buffer F { int flag; };'
for qualifier in '' coherent volatile; do
  for fence in '' 'memoryBarrier()' 'groupMemoryBarrier()'; do
    shader "layout(binding = 0) $qualifier buffer D { int data; }; $flag" "$fence" 0 'data = 1' data | compared buffer
  done
  fence='memoryBarrierBuffer()'
  shader "layout(binding = 0) buffer D { int pad; $qualifier int data; }; $flag" "$fence" 0 'data = 1; pad = 1' \
    'data + pad' | compared member
  shader "struct S { int a, b[2]; }; layout(binding = 0) $qualifier buffer D { S data[2]; }; $flag" "$fence" 0 \
    'data[1].b[1] = 1' 'data[1].b[1]' | compared nested
  shader "layout(binding = 0) buffer D { int other; $qualifier ivec2 data; }; $flag" "$fence" 3 \
    'data = ivec2(1)' data.y | compared vector
  shader "layout(binding = 0) $qualifier buffer D { int data; } d[2]; $flag" "$fence" 0 'd[1].data = 1' 'd[1].data' |
    compared blocks
  for fence in 'memoryBarrier()' 'memoryBarrierImage()'; do
    shader "layout(binding = 0, r32i) uniform $qualifier iimage2D data; $flag" "$fence" 0 \
      'imageStore(data, ivec2(1), ivec4(1))' 'imageLoad(data, ivec2(1)).x' | compared image
  done
done
for fence in 'memoryBarrier()' 'memoryBarrierShared()' 'memoryBarrierBuffer()' 'groupMemoryBarrier()'; do
  shader "shared int data; $flag" "$fence" 3 'data = 1' data | compared shared
  shader "shared int data, flag;" "$fence" 3 'data = 1' data | compared both
done
# Barriers wait and order what is shared; values are passed by functions.
for fence in '' 'memoryBarrierBuffer()' 'groupMemoryBarrier()'; do
  for qualifier in '' coherent; do
    compared barrier <<END
#version 450
layout(local_size_x = 2) in;
shared int s[2];
layout(binding = 0) $qualifier buffer D { int data[4]; };
layout(binding = 3) buffer R { int r[4]; };
int load(uint i) { return data[i] + s[gl_LocalInvocationID.x ^ 1]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  s[gl_LocalInvocationID.x] = 1;
  data[i] = 1;
  $fence;
  barrier();
  r[i] = load(i ^ 1);
}
END
  done
done
echo "$(wc -l <counted) shaders"
