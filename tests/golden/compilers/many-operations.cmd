# A hundred stores of a thread that nothing has waited for: the flag's may overtake the first of them, and not where all
# are waited for.
for wait in s_nop 's_waitcnt_vscnt null,'; do
  {
    echo 'AMDGPU many
target gfx1100
{ x=0; y=0; m[98]; 0:s[0:1]=x; 0:s[2:3]=y; 0:s[4:5]=m; 0:v0=0; 0:v1=1; 1:s[0:1]=x; 1:s[2:3]=y; 1:v0=0 }
P0 {
  global_store_b32 v0, v1, s[0:1]'
    at=0
    while [ $at -lt 98 ]; do
      echo "  global_store_b32 v0, v1, s[4:5] offset:$((4 * at))"
      at=$((at + 1))
    done
    echo "  $wait 0
  global_store_b32 v0, v1, s[2:3]
}
P1 {
  global_load_b32 v1, v0, s[2:3] glc dlc
  s_waitcnt vmcnt(0)
  global_load_b32 v2, v0, s[0:1] glc dlc
  s_waitcnt vmcnt(0)
}
scopeTree (device (work_group P0) (work_group P1))
exists (1:v1=1 /\\ 1:v2=0)"
  } >"$TMP/many.litmus"
  litscope explore "$TMP/many.litmus" | sed '/^Time/d;/^Hash/d'
done
