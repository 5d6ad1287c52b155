# With an array of forty cells, which no thread touches, in front of its own locations a test shows the same states: the
# machine's sets of locations, queues and caches go beyond 32.
same() {
  sed "s/^{ /{ m[40]; /" "$1" >"$TMP/many.litmus"
  for file in "$1" "$TMP/many.litmus"; do
    litscope explore -knob "$2" "$file" | grep -v '^\(Time\|Hash\)'
  done
}
same tests/compilers/assembly/ISA2_barrier.gfx90a.llvm-15.litmus l2=1
same tests/compilers/assembly/ISA2_wd.gfx942.llvm-22.litmus l2=2
same tests/compilers/assembly/MP_dev.gfx1030.llvm-15.litmus place=near
