# Assembly as a person writes it, right and with one fault of each kind, for every family of GPUs: each fault is seen.
t() { # NAME TARGET GROUPS CONDITION P0 P1: instructions, apart by semicolons
  printf 'AMDGPU %s\ntarget %s\n{ x=0; y=0; %s %s }\n' "$1" "$2" "$lds" \
    '0:s[0:1]=x; 0:s[2:3]=y; 0:v0=0; 0:v1=1; 0:s[8:9]=kernarg; 1:s[0:1]=x; 1:s[2:3]=y; 1:v0=0; 1:v1=1;'
  printf 'kernarg { 0x0 x, 0x8 y }\nP0 {\n%s\n}\nP1 {\n%s\n}\nscopeTree (device %s)\n%s\n' \
    "$(echo "$5" | tr ';' '\n')" "$(echo "$6" | tr ';' '\n')" "$3" "$4"
} > "$TMP/$1.litmus"
apart='(work_group P0) (work_group P1)' together='(work_group P0 P1)'
lds='lds a=0;'
stale='exists (1:v2=1 /\ 1:v3=0)'
# Message passing: its faults by GPU.  STORE WAIT / LOAD WAIT INVALIDATE LOAD WAIT
mp() { # GPU store load flag wait-for-stores wait-for-loads invalidate
  g=$1 x="$2 v0, v1, s[0:1]" y="$2 v0, v1, s[2:3]" f="$3 v2, v0, s[2:3] $4" d="$3 v3, v0, s[0:1]" s=$5 l=$6 i=$7
  n=$(echo "$g" | tr : _)
  t "$n-right" $g "$apart" "$stale" "$x;$s;$y" "$f;$l;$i;$d;$l"
  t "$n-no-release-wait" $g "$apart" "$stale" "$x;$y" "$f;$l;$i;$d;$l"
  t "$n-release-wait-late" $g "$apart" "$stale" "$x;$y;$s" "$f;$l;$i;$d;$l"
  t "$n-stores-swapped" $g "$apart" "$stale" "$y;$s;$x" "$f;$l;$i;$d;$l"
  t "$n-no-acquire-wait" $g "$apart" "$stale" "$x;$s;$y" "$f;$i;$d;$l"
  t "$n-no-invalidate" $g "$apart" "$stale" "$x;$s;$y" "$f;$l;$d;$l"
  t "$n-invalidate-early" $g "$apart" "$stale" "$x;$s;$y" "$i;$f;$l;$d;$l"
  t "$n-loads-swapped" $g "$apart" "$stale" "$x;$s;$y" "$d;$f;$l;$i"
}
mp gfx908 global_store_dword global_load_dword glc 's_waitcnt vmcnt(0)' 's_waitcnt vmcnt(0)' buffer_wbinvl1_vol
mp gfx90a global_store_dword global_load_dword glc 's_waitcnt vmcnt(0)' 's_waitcnt vmcnt(0)' buffer_wbinvl1_vol
mp gfx942 global_store_dword global_load_dword sc1 's_waitcnt vmcnt(0)' 's_waitcnt vmcnt(0)' 'buffer_inv sc1'
mp gfx1030 global_store_dword global_load_dword 'glc dlc' 's_waitcnt_vscnt null, 0x0' 's_waitcnt vmcnt(0)' 'buffer_gl1_inv;buffer_gl0_inv'
mp gfx1100 global_store_b32 global_load_b32 glc 's_waitcnt_vscnt null, 0x0' 's_waitcnt vmcnt(0)' 'buffer_gl1_inv;buffer_gl0_inv'
mp gfx1200 global_store_b32 global_load_b32 scope:SCOPE_DEV 's_wait_storecnt 0x0' 's_wait_loadcnt 0x0' 'global_inv scope:SCOPE_DEV'
# What only some have: two invalidates, counters of their own, scopes in bits.
for g in gfx1030 gfx1100; do
  w='global_store_dword v0, v1, s[0:1];s_waitcnt_vscnt null, 0x0;global_store_dword v0, v1, s[2:3]'
  r='global_load_dword v2, v0, s[2:3] glc dlc;s_waitcnt vmcnt(0)' d='global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
  t $g-invalidates-swapped $g "$apart" "$stale" "$w" "$r;buffer_gl0_inv;buffer_gl1_inv;$d"
  t $g-no-gl1-invalidate $g "$apart" "$stale" "$w" "$r;buffer_gl0_inv;$d"
  t $g-no-gl0-invalidate $g "$apart" "$stale" "$w" "$r;buffer_gl1_inv;$d"
  t $g-wrong-counter $g "$apart" "$stale" "global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3]" \
    "$r;buffer_gl1_inv;buffer_gl0_inv;$d"
  t $g-group-no-invalidate $g "$together" "$stale" "$w" "$r;$d"
  t $g-group-cumode $g:cumode "$together" "$stale" "$w" "$r;$d"
done
w='global_store_b32 v0, v1, s[0:1];s_wait_storecnt 0x0;global_store_b32 v0, v1, s[2:3]'
r='global_load_b32 v2, v0, s[2:3] scope:SCOPE_DEV' d='global_load_b32 v3, v0, s[0:1];s_wait_loadcnt 0x0'
t gfx1200-narrow-invalidate gfx1200 "$apart" "$stale" "$w" "$r;s_wait_loadcnt 0x0;global_inv scope:SCOPE_CU;$d"
t gfx1200-wrong-counter gfx1200 "$apart" "$stale" "global_store_b32 v0, v1, s[0:1];s_wait_loadcnt 0x0;global_store_b32 v0, v1, s[2:3]" \
  "$r;s_wait_loadcnt 0x0;global_inv scope:SCOPE_DEV;$d"
t gfx1200-group-no-invalidate gfx1200 "$together" "$stale" "$w" "$r;s_wait_loadcnt 0x0;$d"
t gfx942-narrow-invalidate gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3]' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
lds=
t gfx90a-tgsplit-group gfx90a:tgsplit "$together" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3]' \
  'global_load_dword v2, v0, s[2:3] glc;s_waitcnt vmcnt(0);global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
lds='lds a=0;'
t gfx90a-group gfx90a "$together" "$stale" 'global_store_dword v0, v1, s[0:1];global_store_dword v0, v1, s[2:3]' \
  'global_load_dword v2, v0, s[2:3];s_waitcnt vmcnt(0);global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
# Local memory, a barrier, store buffering, and registers that are used too early.
local='exists (1:v3=0)'
t gfx90a-barrier gfx90a "$together" "$local" 'ds_write_b32 v0, v1;s_waitcnt lgkmcnt(0);s_barrier' 's_barrier;ds_read_b32 v3, v0;s_waitcnt lgkmcnt(0)'
t gfx90a-barrier-no-wait gfx90a "$together" "$local" 'ds_write_b32 v0, v1;s_barrier' 's_barrier;ds_read_b32 v3, v0;s_waitcnt lgkmcnt(0)'
t gfx1200-barrier-no-wait gfx1200 "$together" "$local" 'ds_store_b32 v0, v1;s_barrier_signal -1;s_barrier_wait -1' \
  's_barrier_signal -1;s_barrier_wait -1;ds_load_b32 v3, v0;s_wait_dscnt 0x0'
t gfx90a-no-barrier gfx90a "$together" "$local" 'ds_write_b32 v0, v1;s_waitcnt lgkmcnt(0)' 'ds_read_b32 v3, v0;s_waitcnt lgkmcnt(0)'
both='exists (0:v2=0 /\ 1:v2=0)'
t gfx1030-sb gfx1030 "$apart" "$both" 'global_store_dword v0, v1, s[0:1];s_waitcnt_vscnt null, 0x0;global_load_dword v2, v0, s[2:3] glc dlc;s_waitcnt vmcnt(0)' \
  'global_store_dword v0, v1, s[2:3];s_waitcnt_vscnt null, 0x0;global_load_dword v2, v0, s[0:1] glc dlc;s_waitcnt vmcnt(0)'
t gfx1030-sb-no-wait gfx1030 "$apart" "$both" 'global_store_dword v0, v1, s[0:1];global_load_dword v2, v0, s[2:3] glc dlc;s_waitcnt vmcnt(0)' \
  'global_store_dword v0, v1, s[2:3];s_waitcnt_vscnt null, 0x0;global_load_dword v2, v0, s[0:1] glc dlc;s_waitcnt vmcnt(0)'
for g in gfx90a gfx1030; do
  for wait in '' 's_waitcnt lgkmcnt(1)' 's_waitcnt lgkmcnt(0)'; do
    t "$g-argument${wait:+-$(echo "$wait" | tr -dc 0-9)}" $g "$apart" 'exists (true)' \
      "s_load_dwordx2 s[4:5], s[8:9], 0x0;s_load_dwordx2 s[6:7], s[8:9], 0x8;$wait;global_store_dword v0, v1, s[4:5]" 's_nop 0'
  done
  for most in 0 1 2; do
    t $g-count-$most $g "$apart" 'exists (true)' \
      "global_load_dword v4, v0, s[0:1];global_load_dword v5, v0, s[2:3];s_waitcnt vmcnt($most);v_xor_b32_e32 v6, v1, v4" 's_nop 0'
  done
done
t gfx1200-argument gfx1200 "$apart" 'exists (true)' 's_load_b64 s[4:5], s[8:9], 0x0;s_wait_loadcnt 0x0;global_store_b32 v0, v1, s[4:5]' 's_nop 0'
t gfx1200-argument-0 gfx1200 "$apart" 'exists (true)' 's_load_b64 s[4:5], s[8:9], 0x0;s_wait_kmcnt 0x0;global_store_b32 v0, v1, s[4:5]' 's_nop 0'
for wait in '' 's_wait_loadcnt 0x0'; do
  t "gfx1200-spill${wait:+-0}" gfx1200 "$apart" 'exists (true)' "scratch_store_b32 off, v1, s32;scratch_load_b32 v2, off, s32;$wait;global_store_b32 v0, v2, s[0:1]" 's_nop 0'
done
# On one of two paths only; bits that are no scope; counters that count something else; flags and data in different memories.
w='global_store_dword v0, v1, s[0:1]' y='global_store_dword v0, v1, s[2:3]' wait='s_waitcnt vmcnt(0)'
r="global_load_dword v2, v0, s[2:3] glc;$wait;buffer_wbinvl1_vol;global_load_dword v3, v0, s[0:1];$wait"
t gfx90a-wait-on-one-path gfx90a "$apart" "$stale" "$w;v_cmp_eq_u32 vcc, 0, v0;s_cbranch_vccnz L1;$wait;L1:;$y" "$r"
t gfx90a-wait-on-both-paths gfx90a "$apart" "$stale" "$w;v_cmp_eq_u32 vcc, 0, v0;s_cbranch_vccnz L1;$wait;s_branch L2;L1:;$wait;L2:;$y" "$r"
w="$w;$wait;$y sc1" r="global_load_dword v2, v0, s[2:3] sc1;$wait" d="global_load_dword v3, v0, s[0:1]"
t gfx942-invalidate-if-not-seen gfx942 "$apart" "$stale" "$w" "$r;v_cmp_eq_u32 vcc, 1, v2;s_cbranch_vccnz L1;buffer_inv sc1;L1:;$d;$wait"
t gfx942-invalidate-if-seen gfx942 "$apart" "$stale" "$w" "$r;v_cmp_ne_u32 vcc, 1, v2;s_cbranch_vccnz L1;buffer_inv sc1;L1:;$d;$wait"
t gfx942-nt-for-sc1 gfx942 "$apart" "$stale" "$w" "$r;$d nt;$wait"
t gfx942-past-caches gfx942 "$apart" "$stale" "$w" "$r;$d sc1;$wait"
flat='v_mov_b32 v20, s0;v_mov_b32 v21, s1;flat_store_dword v[20:21], v1'
r="global_load_dword v2, v0, s[2:3] glc dlc;$wait;buffer_gl1_inv;buffer_gl0_inv;global_load_dword v3, v0, s[0:1];$wait"
t gfx1030-flat-other-counters gfx1030 "$apart" "$stale" "$flat;s_waitcnt vmcnt(0) lgkmcnt(0);$y" "$r"
t gfx1030-flat gfx1030 "$apart" "$stale" "$flat;s_waitcnt_vscnt null, 0x0;$y" "$r"
t gfx90a-flat-local-one-counter gfx90a "$together" 'exists (true)' \
  's_mov_b64 s[40:41], src_shared_base;v_mov_b32 v20, v0;v_mov_b32 v21, s41;flat_load_dword v3, v[20:21];s_waitcnt vmcnt(0);v_mov_b32 v4, v3' 's_nop 0'
r="global_load_b32 v2, v0, s[2:3] glc;$wait;buffer_gl1_inv;buffer_gl0_inv;global_load_b32 v3, v0, s[0:1];$wait" y='global_store_b32 v0, v1, s[2:3]'
t gfx1100-atomic-counts-as-store gfx1100 "$apart" "$stale" "global_atomic_add_u32 v0, v1, s[0:1];$wait;$y" "$r"
t gfx1100-atomic gfx1100 "$apart" "$stale" "global_atomic_add_u32 v0, v1, s[0:1];s_waitcnt_vscnt null, 0x0;$y" "$r"
t gfx1100-one-too-many gfx1100 "$apart" "$stale" "global_store_b32 v0, v1, s[0:1];s_waitcnt_vscnt null, 0x1;$y" "$r"
w='global_store_b32 v0, v1, s[0:1]' r='ds_load_b32 v2, v0;s_waitcnt lgkmcnt(0)' d="global_load_b32 v3, v0, s[0:1];$wait"
t gfx1100-local-flag gfx1100 "$together" "$stale" "$w;s_waitcnt_vscnt null, 0x0;ds_store_b32 v0, v1" "$r;buffer_gl0_inv;$d"
t gfx1100-local-flag-no-wait gfx1100 "$together" "$stale" "$w;ds_store_b32 v0, v1" "$r;buffer_gl0_inv;$d"
t gfx1100-local-flag-no-invalidate gfx1100 "$together" "$stale" "$w;s_waitcnt_vscnt null, 0x0;ds_store_b32 v0, v1" "$r;$d"
r="s_barrier_signal -1;s_barrier_wait -1;global_inv scope:SCOPE_SE;global_load_b32 v3, v0, s[0:1];s_wait_loadcnt 0x0"
t gfx1200-barrier gfx1200 "$together" "$local" "$w;s_wait_storecnt 0x0;s_barrier_signal -1;s_barrier_wait -1" "$r"
t gfx1200-wait-after-signal gfx1200 "$together" "$local" "$w;s_barrier_signal -1;s_wait_storecnt 0x0;s_barrier_wait -1" "$r"
for most in 0x0 0x100; do
  t gfx1200-joint-count-$most gfx1200 "$together" 'exists (true)' \
    "global_load_b32 v2, v0, s[0:1];ds_load_b32 v3, v0;s_wait_loadcnt_dscnt $most;v_add_nc_u32 v4, v2, v3" 's_nop 0'
done
# Flat accesses of local memory, which both counters count, and of which only one tells the end.
lds='lds a=0; 0:v[4:5]=a; 1:v[4:5]=a;'
for g in gfx90a gfx1100:cumode; do
  n=$(echo "$g" | tr : _)
  for wait in 'vmcnt(0)' 'lgkmcnt(0)' 'vmcnt(0) lgkmcnt(0)'; do
    k=$(echo "$wait" | tr -d '()0 ')
    t "$n-flat-load-$k" $g "$together" 'exists (0:v3=0)' "flat_load_dword v2, v[4:5];s_waitcnt $wait;v_mov_b32 v3, v2" 's_nop 0'
    t "$n-flat-store-$k" $g "$together" "$stale" "flat_store_dword v[4:5], v1;s_waitcnt $wait;global_store_dword v0, v1, s[2:3]" \
      'global_load_dword v2, v0, s[2:3] glc;s_waitcnt vmcnt(0);flat_load_dword v3, v[4:5];s_waitcnt vmcnt(0) lgkmcnt(0)'
  done
done
lds=
t gfx1250-no-write-back gfx1250 "$apart" "$stale" 'global_store_b32 v0, v1, s[0:1];s_wait_storecnt 0x0;global_store_b32 v0, v1, s[2:3] scope:SCOPE_DEV' \
  'global_load_b32 v2, v0, s[2:3] scope:SCOPE_DEV;s_wait_loadcnt 0x0;global_inv scope:SCOPE_DEV;global_load_b32 v3, v0, s[0:1];s_wait_loadcnt 0x0'
t gfx1250-write-back gfx1250 "$apart" "$stale" 'global_store_b32 v0, v1, s[0:1];global_wb scope:SCOPE_DEV;s_wait_storecnt 0x0;global_store_b32 v0, v1, s[2:3] scope:SCOPE_DEV' \
  'global_load_b32 v2, v0, s[2:3] scope:SCOPE_DEV;s_wait_loadcnt 0x0;global_inv scope:SCOPE_DEV;global_load_b32 v3, v0, s[0:1];s_wait_loadcnt 0x0'
# A write-back that is not waited for, where there are two L2s.
t gfx942-two-right gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);buffer_wbl2 sc1;s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3] sc1' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv sc1;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
t gfx942-two-no-wait gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);buffer_wbl2 sc1;global_store_dword v0, v1, s[2:3] sc1' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv sc1;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
t gfx942-two-no-write-back gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3] sc1' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv sc1;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
t gfx942-two-narrow gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);buffer_wbl2 sc1;s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3] sc1' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv sc0;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
t gfx942-two-narrow-write-back gfx942 "$apart" "$stale" 'global_store_dword v0, v1, s[0:1];s_waitcnt vmcnt(0);buffer_wbl2 sc0;s_waitcnt vmcnt(0);global_store_dword v0, v1, s[2:3] sc1' \
  'global_load_dword v2, v0, s[2:3] sc1;s_waitcnt vmcnt(0);buffer_inv sc1;global_load_dword v3, v0, s[0:1];s_waitcnt vmcnt(0)'
show() { awk '/^Observation/ { name = $2; said[name] = $3; order[++n] = name } /^Hazard/ { said[name] = $0 } END { for (i = 1; i <= n; i++) print order[i], said[order[i]] }'; }
cd "$TMP" || exit
ls ./*.litmus | grep -v -- -two- | xargs litscope explore | show
litscope explore -knob l2=2 ./*-two-*.litmus | show
