# A fence between proxies is put in where one is missing, and taken out where another does the same.
litscope repair litmus/museum/Tile_store_no_proxy_fence.litmus litmus/museum/Stage_reuse_no_proxy_fence.litmus \
  litmus/museum/Early_grid_no_proxy_fence.litmus | grep -E '^(Repair|  (P[0-9] line|after))'
litscope repair -weaken tests/golden/repair/twice.litmus | grep -E '^(Weaken|  (P[0-9] line|after))'
