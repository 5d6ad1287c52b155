# In GLSL, what stands on a line with others cannot be told apart: an answer of none says so
cat > "$TMP/one_line.comp" << "END"
// @Config: 1, 1, 2
// @Input: data = 0, flag = 0, r = 0
// @Output: forall (r == 0 or r == 1)
#version 450
layout(local_size_x=1) in;
layout(set=0,binding=0) buffer B { uint data; uint flag; uint r; };
void main() {
  if (gl_WorkGroupID.x == 0u) { data = 1; atomicExchange(flag, 1u); }
  else { if (atomicAdd(flag, 0u) == 1u) r = data; }
}
END
litscope repair -q "$TMP/one_line.comp"
sed "s/data = 1;/data = 1;\\n/; s/== 1u) r/== 1u)\\n r/" "$TMP/one_line.comp" > "$TMP/lines.comp"
litscope repair -q "$TMP/lines.comp" | head -6
sed "s/or r == 1/or r == 4294967295/; s/data = 1;/data = -1;\\n/; s/== 1u) r/== 1u)\\n r/" "$TMP/one_line.comp" > "$TMP/negative.comp"
litscope repair -q "$TMP/negative.comp" | head -6
