#!/bin/sh
# SPDX-License-Identifier: MIT
# Locks and barriers of kernels as clang compiles them, with a fault planted in the code: an instruction left out, made
# weaker, or in the wrong place. Each must be noticed. Skipped where there is no clang-22.
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
folder=tests/compilers/kernels
cat > "$TMP/clang-planted" <<'END'
#!/bin/sh
[ "$1" = --version ] && exec clang-22 --version
clang-22 "$@" | sed "$FAULT"
END
chmod +x "$TMP/clang-planted"
# A line and the one behind it change places.
behind() { printf '%s' "/$1/{N;" 's/\(.*\)\n\(.*\)/\2\n\1/;}'; }
count=0
# TARGET[,KNOB] SED KERNEL...
plant() {
  target=$1 fault=$2
  shift 2
  for kernel in "$@"; do
    case $target in *,*) knob="-knob ${target#*,}" ;; *) knob="" ;; esac
    # shellcheck disable=SC2086
    FAULT=$fault litscope verify -q -target "${target%,*}" $knob -compiler "$TMP/clang-planted" "$folder/$kernel.cl" > "$TMP/found" &&
      { echo "$kernel on $target with $fault:"; cat "$TMP/found"; exit 1; }
    grep -q '^Verify .* \(Unsound\|Hazard\)$' "$TMP/found" || { echo "$kernel on $target with $fault:"; cat "$TMP/found"; exit 1; }
    count=$((count + 1))
  done
}
plant gfx942 '/buffer_inv/d' ticket floats grid_barrier
plant gfx942 's/buffer_inv sc1/buffer_inv/' ticket floats
plant gfx942 '/vmcnt(0)/d' ticket floats grid_barrier
plant gfx942 's/vmcnt(0)/vmcnt(1)/' ticket floats
plant gfx942 '/s_barrier/d' local
plant gfx942 '/lgkmcnt(0)/d' local ticket
plant gfx942,l2=2 '/buffer_wbl2/d' floats grid_barrier
plant gfx942,l2=2 '/buffer_inv/d' floats
for target in gfx1030 gfx1100; do
  plant "$target" '/buffer_gl1_inv/d' ticket floats grid_barrier
  plant "$target" '/buffer_gl0_inv/d' ticket floats grid_barrier spin
  plant "$target" "$(behind buffer_gl1_inv)" ticket floats grid_barrier
  plant "$target" '/vscnt/d' ticket floats grid_barrier spin
  plant "$target" '/s_barrier/d' local
done
plant gfx1201 '/global_inv/d' ticket floats grid_barrier
plant gfx1201 's/global_inv.*/global_inv scope:SCOPE_CU/' ticket floats
plant gfx1201 '/s_wait_storecnt/d' ticket floats grid_barrier
plant gfx1201 '/s_wait_loadcnt/d' ticket floats
plant gfx1201 "$(behind s_wait_loadcnt)" ticket floats grid_barrier
plant gfx1201 '/s_barrier/d' local
echo "$count faults, all noticed"
