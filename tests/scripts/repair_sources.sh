#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels in OpenCL C, GLSL and SPIR-V's words are repaired in the text of the source; the patch applies, and the source is
# right then. Skipped where a compiler is missing.
# slow
set -eu
for tool in clang-22 glslangValidator spirv-as spirv-dis spirv-val patch; do
  command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done
cd "$TMP"
tests=$OLDPWD/litmus/kernels

# repaired FILE OPTIONS: what is changed; the patch applies.
repaired() {
  file=$1; shift
  litscope repair "$@" "$file" >all 2>/dev/null || { cat all; exit 1; }
  awk '/^Repair/ { answers++ } answers == 1' all >said
  grep -E '^(Repair|  line|  before|  after)' said
  target=$(sed -n 's/^--- //p' said)
  patch -s "$target" said
}

# checked FILE OPTIONS: and the patched file is right, as `after` says.
checked() {
  litscope check -q "$@" >checked 2>&1 || { cat checked; exit 1; }
  ! grep -q Flag checked || exit 1
}

# An argument's text is replaced, or one is put behind the others.
sed 's/memory_order_acquire/memory_order_relaxed/' "$tests/message.cl" >order.cl
repaired order.cl
checked order.cl
sed 's/, SCOPE)/)/; s/memory_order_release/memory_order_relaxed/' "$tests/message.cl" >default.cl
repaired default.cl
# A barrier that is missing, and a fence that is one kind of memory short.
cat >barrier.cl <<'END'
// @Input: %out = {-1, -1}
// @Output: forall (%out[0] == 2 and %out[1] == 1)
// @Config: 2, 1, 1
kernel void turn(global int *out) {
  local int shared_values[2];
  int i = get_local_id(0);
  shared_values[i] = i + 1;
  out[i] = shared_values[1 - i];
}
END
repaired barrier.cl
sed 's/CLK_LOCAL_MEM_FENCE/CLK_GLOBAL_MEM_FENCE/' barrier.cl >kind.cl
repaired kind.cl
# GLSL: scopes, and what must be made visible.
sed 's/gl_ScopeDevice/gl_ScopeWorkgroup/' "$tests/message.comp" >scope.comp
repaired scope.comp
checked scope.comp
sed 's/ | gl_SemanticsMakeVisible//' "$tests/message.comp" >visible.comp
repaired visible.comp
# Words: the text is spirv-dis's, and names are those that the module keeps.
sed '0,/OpType\|OpDecorate/ { /OpType\|OpDecorate/ i OpName %data "data"\nOpName %flag "flag"\nOpName %out "out"
}' "$tests/message_group.spvasm" >named.spvasm
spirv-as named.spvasm -o words.spv
spirv-dis words.spv -o words.spvasm
set -- -config '1, 1, 2' -output 'forall (%out[0] == -1 or %out[0] == 1)' -input 'data={0}' -input 'flag={0}' -input 'out={-1}'
repaired words.spv "$@"
litscope diff -q -model opencl,opencl-rsp words.spv "$@" | grep -q '^Variations of words: 6 places, 46 forms$'
checked words.spvasm "$@"
# Ordinary accesses become atomic ones, and an update a single operation; a value that stays may have changes of its own.
cat >update.cl <<'END'
// @Input: %x = {0, 0}
// @Input: %y = 0
// @Output: forall (%x[1] == 2 and %y[0] == -4)
// @Config: 1, 1, 2
kernel void update(global int *x, global uint *y) {
  int old = x[1];
  x[1] = 1 + old;
  *y -= 2;
}
END
repaired update.cl
checked update.cl
# A place that is found by a load stays as it is, too.
cat >histogram.cl <<'END'
// @Input: %in = {0, 1, 0}
// @Input: %bins = {0, 0}
// @Output: forall (%bins[0] == 4 and %bins[1] == 2)
// @Config: 1, 1, 3
kernel void histogram(global const int *in, global uint *bins) {
  ++bins[in[get_global_id(0)]];
  bins[in[get_global_id(0)]] += in[1];
}
END
repaired histogram.cl
checked histogram.cl
cat >shake.cl <<'END'
// @Input: %flag = 0
// @Input: %data = 0
// @Input: %out = 5
// @Output: forall (%out[0] == 1 or %out[0] == 5)
// @Config: 1, 1, 2
kernel void shake(global int *flag, global int *data, global int *out) {
  if (get_global_id(0) == 0) {
    *data = 1;
    *flag = data[0];
  } else if (*flag == 1) {
    out[0] = *data;
  }
}
END
repaired shake.cl
checked shake.cl
cat >update.comp <<'END'
// @Input: %x = 0
// @Output: forall (%x == 1)
// @Config: 1, 1, 2
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer X { int x; };
void main() {
  if (gl_GlobalInvocationID.x == 0) x = x + 2;
  else x--;
}
END
sed '/^\/\//d; s/int x; }/int x; } sum/; s/\<x = x/sum.x = sum.x/; s/\<x--/sum.x--/' update.comp >sum.comp
repaired update.comp
checked update.comp
# So they do in words, where the scope of a device needs a capability, too.
glslangValidator -V --target-env vulkan1.2 sum.comp -o sum.spv >/dev/null
spirv-dis sum.spv -o sum.spvasm
set -- -config '1, 1, 2' -output 'forall (%sum == 1)' -input 'sum=0'
repaired sum.spv "$@"
checked sum.spvasm "$@"
spirv-as --target-env vulkan1.2 sum.spvasm -o sum.spv
spirv-val --target-env vulkan1.2 sum.spv
# Messages quote words as that text, too.
litscope verify -q -config '1, 1, 2' sum.spv 2>&1 | grep -q '[|] .*OpAtomicIAdd'
# A barrier stands before a loop or a branch, not in what only some work-items do, also where all is on a line; a `;` in the head of a loop ends nothing.
cat >reduce.cl <<'END'
// @Input: %in = {1, 2, 3, 4}
// @Input: %out = 0
// @Input: %part = {0, 0, 0, 0}
// @Output: forall (%out[0] == 10)
// @Config: 4, 1, 1
kernel void reduce(global const int *in, global int *out, local int *part) {
  int i = get_local_id(0);
  part[i] = in[i]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 2; s > 0; s >>= 1) {
    if (i < s)
      part[i] += part[i + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[0] = part[0];
}
END
litscope check -q reduce.cl >/dev/null
sed '/^  part/s/ barrier.*//' reduce.cl >before.cl
repaired before.cl
checked before.cl
sed '/^    barrier/d' reduce.cl >rounds.cl
repaired rounds.cl
checked rounds.cl
# That all come to a barrier which is put in is seen without a search, however many executions there are.
cat >tile.cl <<'END'
// @Input: %a = {1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1}
// @Input: %b = {1,2,3,4, 5,6,7,8, 9,10,11,12, 13,14,15,16}
// @Input: %c = {0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0}
// @Output: forall (%c[0] == 1 and %c[5] == 6 and %c[15] == 16)
// @Config: 4x4, 1, 1
kernel void tile(global const int *a, global const int *b, global int *c) {
  local int near[4][4], far[4][4];
  int row = get_local_id(1), column = get_local_id(0), sum = 0;
  near[row][column] = a[row * 4 + column];
  far[row][column] = b[row * 4 + column];
  for (int k = 0; k < 4; k++) sum += near[row][k] * far[k][column];
  c[row * 4 + column] = sum;
}
END
repaired tile.cl
checked tile.cl
# Comments and directives are no statements, and no place for a fence; one may stand before an `if`.
cat >last.cl <<'END'
// @Input: %in = {1, 2, 3, 4}
// @Input: %part = {0, 0}
// @Input: %count = {0}
// @Input: %out = {0}
// @Output: forall (%out[0] == 10)
// @Config: 1, 1, 2
kernel void last(global const int *in, volatile global int *part, volatile global uint *count, global int *out) {
  size_t g = get_group_id(0);
  part[g] = in[2 * g] + in[2 * g + 1];
#ifdef DEBUG
  printf("// part; of {%d\n", part[g]);
#endif
  // publish the part; then take a ticket { once
  uint t = atomic_inc(count); /* not atomic_add; */
  if (t == get_num_groups(0) - 1) { // the last
    int s = 0;
    for (size_t i = 0; i < get_num_groups(0); i++) s += part[i];
    *out = s;
  }
}
END
repaired last.cl >last
[ "$(grep -c 'insert atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_[acquirels]*, memory_scope_device)' last)" = 2 ]
[ "$(grep -c '^  atomic_work_item_fence' last.cl)" = 2 ]
checked last.cl
# Scopes need an extension, which a patch declares where the text does not.
cat >turn.comp <<'END'
// @Input: %x = {0, 0}
// @Output: forall (%x[0] == 2)
// @Config: 2, 1, 1
#version 450
#pragma use_vulkan_memory_model
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) buffer X { int x[2]; };
shared int s[2];
void main() {
  uint i = gl_LocalInvocationID.x;
  s[i] = int(i) + 1;
  if (i == 0) x[0] = s[1];
}
END
sed '/^  s/ { N; s/\n// }' turn.comp >line.comp
repaired turn.comp
checked turn.comp
# Where nothing helps, the way out is said: of accesses of bytes, of memory that is private, and of a barrier for which a
# line has no place.
unrepaired() {
  status=0
  litscope repair "$1" >all || status=$?
  [ $status = 1 ] && grep -q "$2" all && grep -q "$3" all || { cat all; exit 1; }
}
cat >bytes.cl <<'END'
// @Input: %x = {0}
// @Output: forall (%x[0] == 2)
// @Config: 2, 1, 2
kernel void bytes(global char *x) {
  if (get_local_id(0) == 0) x[0] = x[0] + 1;
}
END
unrepaired bytes.cl 'P0 line 5 and P2 line 5 race on x\[0\]' 'helps ordinary accesses there: make these accesses atomic'
# An access outside an object is called by its name.
cat >outside.cl <<'END'
// @Input: %x = {0}
// @Input: %y = {0}
// @Config: 1, 1, 2
kernel void outside(global int *x, global atomic_int *y) {
  x[atomic_fetch_add_explicit(y, 1, memory_order_relaxed, memory_scope_device)] = 1;
}
END
unrepaired outside.cl 'undefined: out_of_bounds' 'Asked'
# In a kernel of OpenCL that writes images, nothing can have an order.
cat >texels.cl <<'END'
// @Config: 2, 1, 1
kernel void texels(write_only image1d_t to) { write_imagei(to, 0, (int4)(get_global_id(0), 0, 0, 0)); }
END
unrepaired texels.cl 'Wrong, undefined: data_race' 'none of its operations can be written differently'
sed 's/KIND buffer/buffer/; s/result = data;/result = data + data;/' "$tests/message.comp" >private.comp
unrepaired private.comp 'race on data' 'helps accesses of private memory: declare it nonprivate'
unrepaired line.comp 'race on s\[1\]' 'put a barrier between them, which needs a statement, in GLSL a line'
