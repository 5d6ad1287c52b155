# Numbers that are cut and extended again, of which clang's back end for SPIR-V alone makes masks of another type.
cat > "$TMP/cut.cl" <<'EOF'
// @Input: %l = {-4294901761, 70000}
// @Input: %o = {0, 0}
// @Output: forall (%o[0] == 65540 and %o[1] == 112)
// @Config: 1, 1, 1
kernel void cut(global long *l, global ulong *o) {
  uint a = (ushort)((ulong)l[0] | (ulong)l[1]);
  o[0] = a + 5ul;
  o[1] = (uchar)((uint)l[1] ^ (uint)l[0] ^ 255u) | (ulong)(ushort)(l[1] >> 40);
}
EOF
litscope check "$TMP/cut.cl" | grep -E '^(Observation|o)'
