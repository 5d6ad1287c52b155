#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# Arithmetic of vectors, matrices and bits in GLSL, specialisation constants, and vectors of three in OpenCL C: numbers
# worked out by hand. Skipped where there is no clang-22 or glslangValidator.
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
command -v glslangValidator >/dev/null || { echo "no glslangValidator: apt-get install glslang-tools"; exit 77; }
cd "$TMP"

# holds FILE: the kernel's conditions hold.
holds() {
  litscope check -q "$1" >said 2>errors || { cat said errors; exit 1; }
  grep -qx Ok said || { cat "$1" said; exit 1; }
}

cat >products.comp <<'END'
#version 450
// @Config: 1, 1, 1
// @Input: %v = {2.0, -3.0}
// @Input: %w = {2.0, -3.0, 5.5}
// @Output: forall (%f[0] == 4.0 and %f[1] == -6.0 and %f[2] == -10.0 and %f[3] == -11.0 and %f[4] == -12.0)
// @Output: forall (%f[5] == 12.5 and %f[6] == 26.0 and %f[7] == 6.0 and %f[8] == 14.0 and %f[9] == 32.0)
// @Output: forall (%f[10] == 77.0 and %f[11] == -30.0 and %f[12] == 200.0 and %f[13] == -150.0)
// @Output: forall (%f[14] == 1.0 and %f[15] == -1.5 and %truths[0] == 1 and %truths[1] == 0)
layout(binding = 0) readonly buffer Two { vec2 v; };
layout(binding = 1) readonly buffer Three { vec3 w; };
layout(binding = 2) buffer Floats { float f[16]; };
layout(binding = 3) buffer Truths { int truths[2]; };
layout(binding = 4) uniform Unused { layout(row_major) mat3 rows; mat2 columns; };
void main() {
  vec2 twice = v * 2.0;
  f[0] = twice.x;
  f[1] = twice.y;
  mat2x3 a = mat2x3(1, 2, 3, 4, 5, 6);
  vec3 column = a * v;
  f[2] = column.x;
  f[3] = column.y;
  f[4] = column.z;
  vec2 row = w * a;
  f[5] = row.x;
  f[6] = row.y;
  f[7] = transpose(a)[2][1];
  mat2 square = transpose(a) * a;
  f[8] = square[0][0];
  f[9] = square[0][1];
  f[10] = square[1][1];
  mat2 outer = outerProduct(v, vec2(10, 100));
  f[11] = outer[0][1];
  f[12] = outer[1][0];
  f[13] = (outer * 0.5)[1][1];
  f[14] = mod(v.y, v.x);
  f[15] = mod(7.5, v.y);
  truths[0] = any(lessThan(v, vec2(0))) ? 1 : 0;
  truths[1] = all(lessThan(v, vec2(0))) ? 1 : 0;
}
END
holds products.comp

cat >bits.comp <<'END'
#version 450
// @Config: 1, 1, 1
// @Input: %n = {-559038737, 305419896, 8}
// @Output: forall (%m[0] == -18 and %m[1] == 238 and %m[2] == 305459064 and %m[3] == 510274632)
// @Output: forall (%m[4] == 265666030 and %m[5] == 1445054984 and %m[6] == -39753866 and %m[7] == 1445054984)
// @Output: forall (%m[8] == -1118077474 and %m[9] == 1 and %m[10] == 610839792 and %m[11] == 0)
// @Output: forall (%m[12] == 864458633 and %m[13] == 1 and %m[14] == -864458633 and %m[15] == 0)
// @Output: forall (%m[16] == 0 and %m[17] == -559038737)
layout(binding = 0) readonly buffer Numbers { int n[3]; };
layout(binding = 1) buffer Results { int m[18]; };
void main() {
  m[0] = bitfieldExtract(n[0], 4, 8);
  m[1] = int(bitfieldExtract(uint(n[0]), 4, 8));
  m[2] = bitfieldInsert(n[1], n[0], 8, 8);
  m[3] = bitfieldReverse(n[1]);
  uint high, low;
  umulExtended(uint(n[0]), uint(n[1]), high, low);
  m[4] = int(high);
  m[5] = int(low);
  imulExtended(n[0], n[1], m[6], m[7]);
  uvec2 carry, borrow;
  uvec2 sum = uaddCarry(uvec2(n[0], n[1]), uvec2(n[0], n[1]), carry);
  m[8] = int(sum.x);
  m[9] = int(carry.x);
  m[10] = int(sum.y);
  m[11] = int(carry.y);
  uvec2 difference = usubBorrow(uvec2(n[1], n[0]), uvec2(n[0], n[1]), borrow);
  m[12] = int(difference.x);
  m[13] = int(borrow.x);
  m[14] = int(difference.y);
  m[15] = int(borrow.y);
  m[16] = bitfieldExtract(n[0], n[2], 0);
  m[17] = bitfieldExtract(n[0], 0, 32);
}
END
holds bits.comp

cat >special.comp <<'END'
#version 450
// @Config: 2, 1, 1
// @Output: forall (%o[0] == 4 and %o[1] == 2 and %o[2] == 6 and %o[3] == 1 and %o[4] == -3 and %o[5] == 14 and %o[6] == 2)
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint size = 2;
layout(constant_id = 1) const int n = -3;
layout(constant_id = 2) const bool yes = true;
const uint quarter = (size * 9u) / 4u, shifted = (size << 2u) >> 2u, chosen = size > 1u ? 6u : 7u, rest = 7u % size;
const int same = yes ? n : -n;
const ivec2 pair = ivec2(n, 7);
const int twice = pair.y * int(size);
shared uint tile[gl_WorkGroupSize.x * 2];
layout(binding = 2) buffer Results { int o[8]; };
void main() {
  tile[gl_LocalInvocationID.x] = 2;
  if (gl_LocalInvocationID.x > 0) return;
  o[0] = int(quarter);
  o[1] = int(shifted);
  o[2] = int(chosen);
  o[3] = int(rest);
  o[4] = same;
  o[5] = twice;
  o[6] = int(tile[0]);
}
END
holds special.comp

cat >repeated.cl <<'END'
// @Config: 2, 1, 1
/* @Input: a = {0 * 3, 7, {-1} *2}
 * @Input: b = {{1.5 * 2} * 4, {2, 3}} */
// @Input: c = {0x4 * 2}
// @Output: forall (a[0] == 0 and a[3] == 7 and a[5] == -1 and b[3][1] == 1.5 and b[4][1] == 3.0 and c[1] == 4)
kernel void repeated(global int *a, global float2 *b, global int *c) {
  size_t item = get_global_id(0);
  a[2 * item] += a[4] + 1;
  b[item] = b[3];
  c[item] = c[item] * a[5] * -1;
}
END
holds repeated.cl

cat >three.cl <<'END'
// @Config: 1, 1, 1
// @Input: %in = {{1, 2, 3, 4}}
// @Input: %out = {{0, 0, 0, 0}, {0, 0, 0, 0}}
// @Output: forall (%out[0][0] == 1 and %out[0][1] == 2 and %out[0][2] == 3 and %out[0][3] == 9)
// @Output: forall (%out[1][0] == 6 and %out[1][1] == 4 and %out[1][2] == 5 and %out[1][3] == 8)
kernel void three(global int4 *in, global int4 *out) {
  int3 a = in[0].xyz, c;
  volatile int3 b = a;
  c = b;
  out[0] = (int4)(a, 9);
  out[1].xyz = c;
  out[1].xy = b.zx;
  c.xy = b.yz;
  c = c.s210;
  out[1].w = a.z + c.x;
  out[1] += c.xyzz;
}
END
holds three.cl

cat >options.cl <<'END'
// @Options: -DN=3 -DT=float
// @Options: -DM=2
// @Config: 1, 1, 1
// @Input: out = 0
// @Output: forall (out[0] == 5.0)
kernel void options(global T *out) { *out = N + M; }
END
holds options.cl
litscope check -q -source-options "-UN -DN=4" options.cl | grep -qx "out\[0\]=6.0;"

# Files are included without the extension; what stands in them has the place of the call, and not the line of the same
# number in the file that includes them.
cat >flag.glsl <<'END'
bool raised() {
  return atomicLoad(flag, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible) == 1;
}
void raise() {
  atomicStore(flag, 1, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}
END
cat >message.comp <<'END'
#version 450
// @Config: 1, 1, 2
// @Input: %data = 0
// @Input: %flag = 0
// @Input: %seen = 7
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(binding = 0) buffer D { nonprivate int data; };
layout(binding = 1) buffer F { int flag; };
layout(binding = 2) buffer S { int seen; };
#include "flag.glsl"
void main() {
  if (gl_GlobalInvocationID.x == 0) {
    data = 1;
    raise();
  } else if (raised()) {
    seen = data;
  }
  WRONG
}
END
{
  litscope check -q -source-options -DWRONG= message.comp | sed -n 's/^Undefined: //p'
  litscope check -source-options '-DWRONG=raise(1);' message.comp 2>&1 || :
} >said
cat >expected <<'END'
P0 line 14 and P1 line 17 race on data: the store of flag (P0 line 15) has the scope of a work-group, and P1 is in another; any outcome is possible
message.comp:19:3: error: glslangValidator: 'raise' : no matching overloaded function found
    19 |   WRONG
       |   ^~~~~
END
diff expected said

# Sums of floats in one operation: in shared memory, in memory that one work-item alone can touch, and of doubles.
cat >sums.cl <<'END'
// @Config: 2, 1, 2
// @Input: total = {0.5}, less = {1.0}
// @Input: found = {0, 0, 0, 0}
// @Output: forall (total[0] == 4.5 and less[0] == -1.0 and found[1] == 3.25)
// @Output: forall ((found[0] == 0.5 and found[2] == 2.5) or (found[0] == 2.5 and found[2] == 0.5))
kernel void sums(global atomic_float *total, global atomic_double *less, global float *found) {
  local atomic_float of_group;
  size_t item = get_global_id(0);
  if (get_local_id(0) == 0) atomic_init(&of_group, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&of_group, 1.0f, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float part = atomic_load_explicit(&of_group, memory_order_relaxed, memory_scope_work_group);
    found[item] = atomic_fetch_add_explicit(total, part, memory_order_relaxed, memory_scope_device);
  } else if (item == 1) {
    atomic_float own;
    atomic_init(&own, 2.0f);
    atomic_fetch_add(&own, 1.25f);
    found[item] = atomic_load(&own);
  }
  atomic_fetch_sub(less, 0.5);
}
END
holds sums.cl
cat >sums.comp <<'END'
#version 450
#extension GL_EXT_shader_atomic_float : enable
// @Config: 1, 1, 3
// @Input: total = 0
// @Output: forall (total == 4.5)
layout(binding = 0) buffer B { float total; };
void main() { atomicAdd(total, 1.5); }
END
holds sums.comp
cat >greatest.cl <<'END'
kernel void greatest(global atomic_float *most) { atomic_fetch_max(most, 1.5f); }
END
litscope check greatest.cl 2>said || :
grep -q '^greatest.cl:1:51: error: atomic_fetch_max of floats is not supported$' said

# Numbers of several sizes at the same bytes of a work-item's own memory, and of constants.
cat >mixed.cl <<'END'
// @Config: 2, 1, 1
// @Input: next = {0x10}
// @Input: out = {0 * 10}
// @Output: forall (out[0] == 0x04000302 and out[1] == 0x0807060504030201 and out[2] == 0x0504 and out[3] == 0x3f80)
// @Output: forall (out[4] == 0x07aa0504030201 and out[5] == -2 and out[6] == 0x0000ff00)
// @Output: forall ((out[8] == 0x10ff and out[9] == 0x11ff) or (out[8] == 0x11ff and out[9] == 0x10ff))
constant uint table[2] = {0xfffefdfc, 5};
kernel void mixed(global atomic_uint *next, global long *out) {
  uint words[2] = {0x01020304, 5};
  uchar *bytes = (uchar *)words;
  if (get_global_id(0) == 0) {
    bytes[0] = 2;
    bytes[1] = 3;
    bytes[2] = 0;
    bytes[3] *= 4;
    out[0] = words[0];
    uchar each[16] = {1, 2, 3, 4, 5, 6, 7, 8};
    out[1] = *(ulong *)each;
    out[2] = *(ushort *)(each + 3);
    union { float f; ushort halves[2]; } one = {1.0f};
    out[3] = one.halves[1];
    *(ushort *)(each + 5) = 0x07aa;
    each[7] = 0;
    out[4] = *(long *)each;
    out[5] = ((constant char *)table)[2];
    union { uint all; uchar parts[4]; } u;
    u.all = 0;
    u.parts[1] = 255;
    out[6] = u.all;
  }
  words[1] = 0xff;
  bytes[5] = atomic_fetch_add(next, 1);
  out[8 + get_global_id(0)] = words[1];
}
END
holds mixed.cl

# A load that nobody uses races all the same.
cat >unused.cl <<'END'
// @Config: 2, 1, 1
int at(local int *p) { return p[get_local_id(0)]; }
kernel void unused(local int *p) {
  at(p);
  p[get_local_id(0) + 1] = 1;
}
END
litscope check -q -input 'p = {0 * 3}' unused.cl >said || :
grep -q '^Undefined: P0 line 5 and P1 line 2 race on p\[1\]' said
cat >unused_global.cl <<'END'
// @Config: 1, 1, 2
kernel void unused_global(global int *p) {
  if (get_group_id(0)) *p = 1;
  else *p;
}
END
litscope check -q -input 'p = 0' unused_global.cl >said || :
grep -qx 'Flag data_race' said
