# C's control flow in ADSM tests: what ends a loop, a kernel and a thread.
cat >$TMP/loops.litmus <<'END'
ADSM loops
{ x:3; y:1; n:1 = 2 }

kernel fill {
  for (i = 0; i < 3; i++) {
    if (i == n) return;
    x[i] = i + 5;
  }
  y = 1;
}

P0 {
  call fill;
  sync;
  r = x[0];
  for (;;) {
    r += 10;
    if (r < 20) continue;
    if (r > 30) break;
  }
  if (y) return;
  s := x[1];
}

exists (0:r=35 /\ 0:s=6 /\ x[2]=0)
END
litscope check $TMP/loops.litmus
litscope verify $TMP/loops.litmus
