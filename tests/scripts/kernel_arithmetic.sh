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

cat >three.cl <<'END'
// @Config: 1, 1, 1
// @Input: %in = {{1, 2, 3, 4}}
// @Input: %out = {{0, 0, 0, 0}, {0, 0, 0, 0}}
// @Output: forall (%out[0][0] == 1 and %out[0][1] == 2 and %out[0][2] == 3 and %out[0][3] == 9)
// @Output: forall (%out[1][0] == 6 and %out[1][1] == 4 and %out[1][2] == 5 and %out[1][3] == 8)
kernel void three(global int4 *in, global int4 *out) {
  int3 a = in[0].xyz, b = a, c;
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
