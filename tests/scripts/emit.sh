# SPDX-License-Identifier: MIT
# slow
# Emitted sources compile: CUDA and HIP as far as device code goes, by clang
# without a toolkit, tests of PTX by nvcc, whose assembler reads their instructions,
# GLSL by glslangValidator, host programs by the C compiler; and the program of an OpenCL device prints a log that compare reads.
set -u
export POCL_CACHE_DIR="$TMP/pocl"
mkdir -p "$POCL_CACHE_DIR"
failed=0 done=""
fail() { echo "$*"; failed=1; }
have() { command -v "$1" >/dev/null 2>&1; }
tests="litmus/opencl/SB_rmw_sc_dev.litmus litmus/opencl/Barrier_local.litmus litmus/opencl/MP_fence_local_flags.litmus
  litmus/opencl/Lock_wg_same.litmus litmus/c11/MP_release_sequence.litmus tests/golden/run/tests"
emit() { litscope run -q -emit "$@" >/dev/null 2>"$TMP/err"; }

for clang in clang-22 clang-21 clang-20 ''; do have "$clang" && break; done
if [ -n "$clang" ]; then
  emit cuda "$TMP/cuda" $tests || fail "cuda: $(cat "$TMP/err")"
  emit hip "$TMP/hip" $tests || fail "hip: $(cat "$TMP/err")"
  for kernel in "$TMP"/cuda/*/kernel.cu; do
    $clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nogpulib -nogpuinc -Wall -Wextra -Wno-unknown-cuda-version \
      -Werror -S -o /dev/null "$kernel" || fail "$kernel"
  done
  for kernel in "$TMP"/hip/*/kernel.hip; do
    $clang -x hip --offload-device-only --offload-arch=gfx942 -nogpulib -nogpuinc -Wall -Wextra -Werror -S -o /dev/null \
      "$kernel" || fail "$kernel"
  done
  [ -e "$TMP/cuda/Barrier_local/main.cu" ] && [ -e "$TMP/hip/Barrier_local/main.hip" ] || fail "no kernels"
  done="$done clang"
fi
emit cuda "$TMP/ptx" litmus/ptx
[ "$(ls -d "$TMP"/ptx/* | wc -l)" -ge 40 ] || fail "few CUDA kernels of PTX's tests: $(ls "$TMP/ptx")"
kernel=$TMP/ptx/Final_two_names/kernel.cu
{ [ -s "$kernel" ] && ! grep at_y "$kernel"; } || fail "a variable of a location that the condition names alone"
if have nvcc; then
  # In one file, by names of their own: nvcc takes a second to start.
  for kernel in $(printf '%s\n' "$TMP"/ptx/*/kernel.cu | sed -n '1~9p'); do
    name=${kernel%/*}
    printf '#define litmus %s\n#include "%s"\n#undef litmus\n' "${name##*/}" "$kernel"
  done >"$TMP/ptx.cu"
  nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -cubin -o /dev/null "$TMP/ptx.cu" >"$TMP/out" 2>&1 || fail "$(cat "$TMP/out")"
  nvcc -std=c++17 -arch=sm_90 -o "$TMP/whole" "$TMP/ptx/Red_acquire/main.cu" >"$TMP/out" 2>&1 || fail "$(cat "$TMP/out")"
  done="$done nvcc"
fi
if have glslangValidator; then
  emit vulkan "$TMP/vulkan" litmus/opencl litmus/c11 tests/golden/run/tests
  [ "$(ls -d "$TMP"/vulkan/* | wc -l)" -ge 40 ] || fail "few GLSL kernels: $(ls "$TMP/vulkan")"
  emit vulkan "$TMP/words" litmus/vulkan
  [ "$(ls -d "$TMP"/words/* | wc -l)" -ge 30 ] || fail "few GLSL kernels of Vulkan's tests: $(ls "$TMP/words")"
  # One in five: they are alike.
  for kernel in $(printf '%s\n' "$TMP"/vulkan/*/kernel.comp "$TMP"/words/*/kernel.comp | sed -n '1~5p'); do
    glslangValidator --target-env vulkan1.2 -o "$TMP/kernel.spv" "$kernel" >"$TMP/out" || fail "$kernel: $(cat "$TMP/out")"
  done
  done="$done glslangValidator"
fi
host() { cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "$1/main.c" || fail "$1/main.c"; }
if echo '#include <vulkan/vulkan.h>' | cc -E - >/dev/null 2>&1 && have glslangValidator; then
  host "$TMP/vulkan/SB_rel_acq"
  done="$done vulkan.h"
fi
emit opencl "$TMP/opencl" -params lanes=1 litmus/c11/CoRR.litmus || fail "opencl: $(cat "$TMP/err")"
if litscope run -devices >/dev/null 2>&1 && echo '#include <CL/cl.h>' | cc -E - >/dev/null 2>&1; then
  host "$TMP/opencl"
  make -s -C "$TMP/opencl" CC=cc && (cd "$TMP/opencl" && ./litmus -groups 2 -n 1000 -runs 2) >"$TMP/device.log" || fail "opencl does not run"
  litscope check litmus/c11/CoRR.litmus >"$TMP/model.log"
  litscope compare "$TMP/model.log" "$TMP/device.log" >"$TMP/compare"
  grep -q 'on hardware: all that was seen is among' "$TMP/compare" || fail "$(cat "$TMP/device.log" "$TMP/compare")"
  done="$done OpenCL"
fi
[ -n "$done" ] || { echo "no clang of version 20 or later, nvcc, glslangValidator, Vulkan or OpenCL here"; exit 77; }
exit $failed
