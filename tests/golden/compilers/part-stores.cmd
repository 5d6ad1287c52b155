# Stores of parts of locations leave the rest as it is, in memory, in a line that is written in place, and in local memory;
# several L2s are not followed.
for options in '' '-no-por' '-knob upd=1'; do
  litscope explore $options tests/compilers/part_stores.litmus | grep -E '^[0-9]:|^Observation'
done
sed 's/gfx1100/gfx942/;s/_b8_d16_hi/_write_b8_d16_hi/;s/global_store_b8/global_store_byte/;s/b32/dword/;s/ds_load_dword/ds_read_b32/;s/ds_store_b16/ds_write_b16/;s/ds_store_write/ds_write/;s/s_waitcnt_vscnt null, 0x0/s_waitcnt vmcnt(0)/;s/ glc/ sc1/' \
  tests/compilers/part_stores.litmus >"$TMP/part_stores.litmus"
litscope explore "$TMP/part_stores.litmus" | grep -E '^[0-9]:|^Observation'
litscope explore -knob l2=2 "$TMP/part_stores.litmus"
