# The number of an element in a register: what was read, which another thread changes; beyond the array nothing is said.
cat > "$TMP/index.litmus" <<'EOF'
PTX index
{ x[3]={1,2,3}; i=0; }
P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
st.relaxed.gpu i, 1    | ld.relaxed.gpu r0, i   ;
st.relaxed.gpu x[0], 7 | ld.relaxed.gpu r1, [x[r0]] ;
                       | add r2, r0, 1          ;
                       | atom.add.relaxed.gpu r3, [x[r2]], 10 ;
locations [x;]
exists (P1:r1 = 7)
EOF
litscope check -q "$TMP/index.litmus"
sed 's/add r2, r0, 1/add r2, r0, 2/' "$TMP/index.litmus" > "$TMP/beyond.litmus"
litscope check -q "$TMP/beyond.litmus" || true
