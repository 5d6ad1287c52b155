# An execution without fences says nothing of one whose sequentially consistent fences have an order
litscope repair -weaken tests/golden/repair/ordered.litmus | head -6
