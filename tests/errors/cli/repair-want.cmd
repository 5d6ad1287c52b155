litscope repair -want 'exists (9:r7=1)' tests/golden/repair/handshake.litmus
