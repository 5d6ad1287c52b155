# One number for all counters says what their names say, on each generation at other bits; a number that is too large
# saturates where it may, and the largest waits for nothing.
outcomes() { # target, its words for loads and stores, bits of loads, wait for stores, wait
  echo "AMDGPU wait
target $1
{ x=0; y=0; 0:s[0:1]=x; 0:s[2:3]=y; 0:v0=0; 0:v1=1; 0:v2=0; 1:s[0:1]=x; 1:s[2:3]=y; 1:v0=0; 1:v1=0; 1:v2=0 }
P0 {
  global_store_$2 v0, v1, s[0:1]
  s_waitcnt vmcnt(0)
  $4
  global_store_$2 v0, v1, s[2:3]
}
P1 {
  global_load_$2 v1, v0, s[2:3] $3
  $5
  global_load_$2 v2, v0, s[0:1] $3
  s_waitcnt vmcnt(0)
}
scopeTree (device (work_group P0) (work_group P1))
exists (1:v1=1 /\\ 1:v2=0)" >"$TMP/wait.litmus"
  litscope explore "$TMP/wait.litmus" 2>&1 | grep -E '^Observation|error'
}
all() { # the same, and the operands of waits
  target=$1 word=$2 bits=$3 stores=$4
  shift 4
  for wait; do
    echo "$target $wait: $(outcomes "$target" "$word" "$bits" "$stores" "s_waitcnt $wait")"
  done
}
all gfx906 dword glc 's_nop 0' 'vmcnt(0)' 0x0f70 0x0f7e 0xcf7f 0x4f70 'vmcnt_sat(99)' 'vmcnt(99)'
all gfx1030 dword 'glc dlc' 's_waitcnt_vscnt null, 0' 'vmcnt(0)' 0x3f70 0xff7f 0x03f7 'lgkmcnt_sat(99) vmcnt(0)'
all gfx1100 b32 glc s_wait_idle 'vmcnt(0)' 0x03f7 0xfff7 0x0f70 0xfc07 0x10000
for wait in 's_waitcnt_vmcnt null, 0' 's_waitcnt_lgkmcnt null, 0' s_wait_idle; do
  echo "gfx1030 $wait: $(outcomes gfx1030 dword 'glc dlc' s_wait_idle "$wait")"
done
