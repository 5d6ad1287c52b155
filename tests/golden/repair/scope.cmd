# A scope that is too small: of the changes that mend it, the one that adds least. Without promotion in the model there is no
# other.
litscope repair tests/golden/repair/handshake.litmus
litscope repair -model opencl tests/golden/repair/handshake.litmus
# Two owners, and one reader from afar: to promote its load is cheaper than to widen two scopes.
litscope repair -q -every 0 tests/golden/repair/owners.litmus
