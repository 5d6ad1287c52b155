# Functions whose work-groups are one wave each.
litscope verify -blocks tests/compilers/blocks/single.ll | grep -E '^Block|^  in|^  s_'
# With a compiler, RUN lines without assembly say what for.
cat > "$TMP/other" <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo LLVM version 22.0.0; exit; }
echo "$@" | sed 's/-o -//' >&2
for name in of_32 of_64 of_any device; do printf '%s:\n\ts_waitcnt lgkmcnt(0)\n\ts_endpgm\n.Lfunc_end0:\n' $name; done
END
chmod +x "$TMP/other"
litscope verify -blocks -compiler "$TMP/other" tests/compilers/blocks/single.ll | grep -E '^Block'
# Without RUN lines, -target does.
sed '/RUN:/d' tests/compilers/blocks/single.ll > "$TMP/mine.ll"
litscope verify -blocks -compiler "$TMP/other" -target gfx942:tgsplit,gfx1030 "$TMP/mine.ll" | grep -E '^Block'
