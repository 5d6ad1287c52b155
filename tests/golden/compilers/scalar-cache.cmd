# plain
# Loads through the scalar cache of what another thread writes: with lines that are fetched at any time, without, and
# without reductions; and a run.
litscope explore -q tests/compilers/scalar_cache.litmus
litscope explore -q -knob fill=0 tests/compilers/scalar_cache.litmus | sed -n '/^States /,/^No/p'
litscope explore -q -knob reduce=0 tests/compilers/scalar_cache.litmus | sed -n '/^States /,/^Ok/p'
litscope explore -outcome '0:v2=1 /\ 0:s4=0' tests/compilers/scalar_cache.litmus | sed -n '/^Trace/,$p'
# Two waves of one compute unit: a scalar load is in no queue, so it may come before a store that is.
cat > "$TMP/queue.litmus" <<'END'
AMDGPU queue
target gfx1030:cumode
{ y=0; 0:v[4:5]=y; 0:v1=1; 0:s[52:53]=y; 1:s[52:53]=y; }
P0 {
  global_store_dword v[4:5], v1, off
  s_load_dword s55, s[52:53], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v11, s55
}
P1 {
  s_load_dword s54, s[52:53], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v10, s54
}
scopeTree (device (work_group P0 P1))
exists (0:v11=0 /\ 1:v10=1)
END
for fill in 0 1; do litscope explore -knob fill=$fill "$TMP/queue.litmus" | grep -E '^[01]:|Observation'; done
# an L2 may have a line that is older than memory: the scalar load waits for neither
for por in '' -no-por; do litscope explore -q -knob l2=2 $por tests/compilers/scalar_l2.litmus | grep -E '^[01]:|^Obs'; done
