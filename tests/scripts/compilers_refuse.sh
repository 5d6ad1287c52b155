#!/bin/sh
# SPDX-License-Identifier: MIT
# What is refused once there is a compiler. Skipped where there is no llc-22.
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }

. tests/scripts/refused

# BODY DECLARATIONS: a test of one thread.
test_of() {
  printf 'OPENCL t\n{ [x]=0; }\nP0 (global atomic_int* x) {\n%s\n}\nexists (x=1)\n' "$1" > "$TMP/t.litmus"
}

target="-target gfx90a -compiler llvm-22"
test_of 'int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device) / 2;'
refused 'P0 cannot be compiled: it divides' explore $target "$TMP/t.litmus"
sed 's/ *OpAtomicStore %flag/%old = OpAtomicUMax %uint %flag/' litmus/kernels/message_device.spvasm >"$TMP/unsigned.spvasm"
refused 'P0 cannot be compiled: it computes with unsigned values' explore $target "$TMP/unsigned.spvasm"
test_of 'atomic_store_explicit_remote(x, 1, memory_order_release, memory_scope_device);'
refused 'remote operations have no LLVM IR' explore $target "$TMP/t.litmus"
refused 'columns: tests of ADSM and of machine code are not compiled' explore $target tests/compilers/columns.litmus
refused "knob scopes takes all|one-as, not 'some'" explore $target -knob scopes=some "$TMP/t.litmus"
printf 'Wxn Wyd | Ryd ! Qxn (wg 0,1)\n' > "$TMP/family"
refused 'family:1:17: error: not a small program: expected operations such as Wxn Wyd|Ryd ! Rxn (wg 0,1)' \
  verify $target -family "$TMP/family"
refused "'/nonexistent/llc' is not llc: it cannot be run" explore -target gfx90a -compiler /nonexistent/llc "$TMP/t.litmus"
refused "/llc-22 crashed with signal 6: LLVM ERROR: PTX does not support" compile -target sm_60 -compiler llvm-22 tests/compilers/MP_dev.litmus
test_of 'atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);'
refused '; its input is in ' explore $target -compiler-option -no-such-option "$TMP/t.litmus"
refused "option -family: unexpected '9x9': expected THREADSxOPS" verify $target -family 9x9
refused 'option -family: machines of AMD GPUs have one device, and these programs more' verify $target -family 2x1,devices=2
refused 'option -family: compilers have no remote operations' verify $target -family 2x2,scopes=dev,remote
refused 'option -family: compilers and translations are asked about programs of OpenCL' verify $target -family 2x1,language=ptx
refused 'option -family: 3x3 has about 34724551680 programs: compilers and translations are asked about 400000 at most' verify $target -family 3x3
printf 'OPENCL d\n{ [x]=0; }\nP0 (global int* x) { *x = 1; }\nP1 (global int* x) { int r0 = *x; }\n' > "$TMP/d.litmus"
printf 'scopeTree (system (device (work_group P0)) (device (work_group P1)))\nexists (x=1)\n' >> "$TMP/d.litmus"
refused 'd: the AMD machine has one device' explore $target "$TMP/d.litmus"
printf 'OPENCL p\n{ [x]=0; }\nP0 (global atomic_int* x) { atomic_store_explicit_remote(x, 1, memory_order_release, memory_scope_device); }\nexists (x=1)\n' > "$TMP/p.litmus"
refused 'has code for remote operations' verify $target "$TMP/p.litmus"
if command -v llc-15 >/dev/null; then
  refused 'llc-15 (LLVM 15.0.6) cannot compile for gfx1200: LLVM 18 and newer can' explore -target gfx1200 -compiler llvm-15 "$TMP/t.litmus"
fi
refused 'only OpenCL, C and HSA tests can be compiled to LLVM IR' explore $target litmus/ptx/Proxy_surface.litmus
refused "litmus/opencl/MP_local.litmus: local location 'x' cannot be used on gfx90a:tgsplit, which has no local memory" \
  verify -target gfx90a:tgsplit litmus/opencl/MP_local.litmus

cat > "$TMP/number.cl" <<'EOF'
// @Input: %x = {0}
// @Output: exists (%x[0] == 1)
// @Config: 2, 1, 1
kernel void number(global int *x, int n) { if (get_global_id(0) == n) x[0] = 1; }
EOF
refused 'number.cl: its code for a GPU cannot be run: its argument n has no @Input' verify -target gfx90a "$TMP/number.cl"

# Code with an instruction that the machine does not know is of the programs that have it; an option that the compiler
# does not know is of all.
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1 dev 1,1)\nCxd | Cxd (wg 0,1)\n' > "$TMP/family"
refused 'Unknown command line argument' verify $target -compiler-option -no-such-option -family "$TMP/family"
cat > "$TMP/llc-odd" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec llc-22 --version
llc-22 "$@" | sed 's/global_atomic_cmpswap\w* /global_atomic_cmpodd /'
EOF
chmod +x "$TMP/llc-odd"
status=0
litscope verify -target gfx1100 -compiler "$TMP/llc-odd" -family "$TMP/family" > "$TMP/out" || status=$?
[ $status = 3 ]
grep -q "^Refused-for 'global_atomic_cmpodd' is not in the machine's instruction set of gfx1100.*: 1, such as Cxd1|Cxd2 (wg 0,1 dev 0,0)$" "$TMP/out"
grep -qx 'Unsound 0' "$TMP/out"
# More messages than are told one by one.
cat > "$TMP/llc-odd" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec llc-22 --version
llc-22 "$@" | perl -pe 's/global_store_\w+ /"global_store_odd" . ++$n . " "/e'
EOF
status=0
litscope verify -q -target gfx1100 -compiler "$TMP/llc-odd" -family 2x2,orders=rlx,scopes=dev,locations=1 > "$TMP/out" || status=$?
[ $status = 3 ]
[ "$(grep -c '^Refused-for .* is not in' "$TMP/out")" = 8 ]
grep -q '^Refused-for other reasons: [1-9]' "$TMP/out"

# An ablation says which programs it leaves out: those that the machine cannot run once code is changed, or not in time.
cat > "$TMP/llc-part" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec llc-22 --version
llc-22 "$@" | sed 's/global_load_dword /global_load_ubyte /'
EOF
chmod +x "$TMP/llc-part"
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\n' > "$TMP/family"
status=0
litscope verify -target gfx90a -compiler "$TMP/llc-part" -ablate -family "$TMP/family" > "$TMP/out" || status=$?
[ $status = 3 ]
why='global_load_ubyte reads parts of cells, or cells of 64 bits: what a register holds before it was waited for is not followed'
grep -q "^Left-out 1, such as Wxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0): $why$" "$TMP/out"
status=0
litscope verify -target gfx90a -ablate -max-states 5 -family "$TMP/family" > "$TMP/out" || status=$?
[ $status = 3 ]
grep -q "^Left-out 1, such as Wxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0): a limit was reached$" "$TMP/out"
