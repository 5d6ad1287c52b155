#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# The AMD machine against a second one that shares no code with it (tests/naive/amd_machine.pl), on assembly that is kept
# here: the same states, counted, with reductions and, where they are few, without; the same outcomes; as often stuck.
# tests/long/amd_naive.sh does the same for random programs, and every target.
set -eu
kept=tests/compilers/assembly
perl tests/naive/amd_compare.pl 0 '' $kept/MP_dev.gfx*.litmus $kept/ISA2_barrier.gfx90a.*.litmus $kept/ISA2_wd.gfx1200-cumode.llvm-22.litmus \
  $kept/MP_dev.gfx1250.*.litmus $kept/ISA2_barrier.gfx1250.*.litmus \
  tests/compilers/hazard.litmus
perl tests/naive/amd_compare.pl 0 l2=2 $kept/ISA2_barrier.gfx942-tgsplit.llvm-15.litmus
perl tests/naive/amd_compare.pl 0 fill=0,upd=1,place=near $kept/ISA2_wd.gfx90a.llvm-22.litmus
perl tests/naive/amd_compare.pl 1000 place=one tests/compilers/columns.litmus
perl tests/naive/amd_compare.pl 1000 fill=0 tests/compilers/barrier_end.litmus
# Loops and computed addresses: the same outcomes, from threads as they are written.
perl tests/naive/amd_compare.pl outcomes fill=0 tests/compilers/loops/spin.litmus tests/compilers/loops/spin_stale.litmus \
  tests/compilers/loops/exec_spin.litmus tests/compilers/loops/swap_loop.litmus tests/compilers/loops/counted.litmus \
  tests/compilers/loops/layout.litmus tests/compilers/loops/ring.litmus tests/compilers/loops/astray.litmus \
  tests/compilers/loops/astray_local.litmus
for kind in loops memories scalars; do mkdir "$TMP/$kind"; done
perl tests/naive/amd_loops.pl 4 7 "$TMP/loops"
perl tests/naive/amd_compare.pl outcomes fill=0 "$TMP"/loops/R*.litmus
# Flat addresses, local and private memory, sometimes read too early.
perl tests/naive/amd_loops.pl 8 3 "$TMP/memories" memories
perl tests/naive/amd_compare.pl outcomes fill=0 "$TMP"/memories/R*.litmus
# Threads that meet at barriers with what they have not waited for: as without partial-order reduction.
mkdir "$TMP/groups"
perl tests/naive/amd_loops.pl 80 77 "$TMP/groups" groups
perl tests/naive/amd_compare.pl por '' "$TMP"/groups/R*.litmus
# More operations than a thread may have at a time, some on their way where it has had so many.
perl -e 'print "AMDGPU long\ntarget gfx90a\n{ x=0; y=0; 0:s[0:1]=x; 0:s[2:3]=y; 0:v0=0; 0:v4=1; 0:v5=2;",
  " 1:s[0:1]=x; 1:s[2:3]=y; 1:v0=0; 1:v4=3 }\nP0 {\n";
  print "  global_load_dword v9, v0, s[0:1]\n  global_store_dword v0, v4, s[2:3]\n  s_waitcnt vmcnt(0)\n" x 29;
  print "  global_load_dword v1, v0, s[0:1] glc\n  global_load_dword v2, v0, s[2:3] glc\n";
  print "  global_store_dword v0, v5, s[2:3]\n  global_store_dword v0, v5, s[0:1]\n" x 3;
  print "  s_waitcnt vmcnt(6)\n  v_add_u32 v3, v1, v2\n  s_waitcnt vmcnt(0)\n  global_store_dword v0, v3, s[0:1]\n}\n";
  print "P1 {\n  global_store_dword v0, v4, s[0:1]\n  global_load_dword v1, v0, s[2:3] glc\n  s_waitcnt vmcnt(0)\n}\n";
  print "scopeTree (device (work_group P0) (work_group P1))\nexists (x=4)\n"' > "$TMP/long.litmus"
perl tests/naive/amd_compare.pl outcomes fill=0 "$TMP/long.litmus"
# Loads through the scalar cache; lines of it that are fetched and dropped at any time.
perl tests/naive/amd_loops.pl 6 7 "$TMP/scalars" scalars
perl tests/naive/amd_compare.pl outcomes fill=0 "$TMP"/scalars/R*.litmus
cat > "$TMP/scalar.litmus" <<'END'
AMDGPU scalar
target gfx90a
{ x=0; y=0; 0:v[2:3]=x; 0:v[4:5]=y; 0:v1=1; 1:s[50:51]=x; 1:s[52:53]=y }
P0 {
  global_store_dword v[2:3], v1, off
  s_waitcnt vmcnt(0)
  global_store_dword v[4:5], v1, off
}
P1 {
  s_load_dword s54, s[52:53], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dword s55, s[50:51], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v10, s54
  v_mov_b32 v11, s55
}
scopeTree (device (work_group P0) (work_group P1))
exists (1:v10=1 /\ 1:v11=0)
END
perl tests/naive/amd_compare.pl outcomes place=one "$TMP/scalar.litmus"
cat > "$TMP/local.litmus" <<'END'
AMDGPU local
target gfx90a
{ x=0; lds a=0; 0:v0=0; 0:v1=1; 1:v0=0; 1:s[0:1]=x }
 P0                  | P1                                ;
 ds_write_b32 v0, v1 | ds_read_b32 v2, v0                ;
                     | global_load_dword v3, v0, s[0:1]  ;
                     | s_waitcnt vmcnt(0) lgkmcnt(0)     ;
scopeTree (device (work_group P0 P1))
exists (1:v2=1 /\ 1:v3=0)
END
perl tests/naive/amd_compare.pl 1000 '' "$TMP/local.litmus"
