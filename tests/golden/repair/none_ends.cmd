# slow
# No order makes a lock that is tried for ever end.
litscope repair -want ends litmus/loops/Lock_TAS_2.litmus | head -3
