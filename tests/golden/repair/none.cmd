# What no change mends: the data race of two writes that no flag is there to order; and what is not wanted after all.
litscope repair -want '~exists (x=1)' tests/golden/repair/handshake.litmus; echo "status $?"
litscope repair -want race-free -every 0 tests/golden/repair/handshake.litmus | head -3
litscope repair -max-events 3 tests/golden/repair/handshake.litmus; echo "status $?"
# The limit is one of all questions together, and of what goes on between them.
litscope repair -timeout 0.000001 tests/golden/repair/handshake.litmus; echo "status $?"
# A language without orders, scopes and fences.
litscope repair -q litmus/adsm/A16.litmus; echo "status $?"
