# Threads that go round, until they see something or for ever; addresses that are known only when they are used.
litscope explore tests/compilers/loops/*.litmus | grep -vE '^(Time|Hash|Witnesses|Bad)'
# A counter bounds a loop; a store of another thread makes it no counter.
litscope explore -q tests/compilers/counter.litmus
sed 's/  global_atomic_add_u32 v\[4:5\], v1, off$/  global_store_b32 v[4:5], v2, off/; s/s_waitcnt vmcnt(0)/&\n  s_waitcnt_vscnt null, 0x0/' tests/compilers/counter.litmus > "$TMP/none.litmus"
litscope explore -q "$TMP/none.litmus" | sed -n '/^States /,/^Ok/p'
