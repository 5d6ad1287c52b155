# A fence between proxies is put in where one is missing, and taken out where another does the same.
litscope repair litmus/museum/Tile_store_no_proxy_fence.litmus litmus/museum/Stage_reuse_no_proxy_fence.litmus \
  litmus/museum/Early_grid_no_proxy_fence.litmus | grep -E '^(Repair|  (P[0-9] line|after))'
litscope repair -weaken tests/golden/repair/twice.litmus | grep -E '^(Weaken|  (P[0-9] line|after))'
# A fence that is restricted to a space or to initialisations is weaker than one that is not.
litscope repair litmus/ptx/MP_fence_shared_only.litmus litmus/ptx/Mbarrier_init_only.litmus |
  grep -E '^(Repair|  (P[0-9] line.*->|after))'
sed 's/async.shared::cta/async/' litmus/museum/Tile_store.litmus >"$TMP/wide.litmus"
litscope repair -weaken "$TMP/wide.litmus" | grep -E '^(Weaken|  (P[0-9] line|after))'
