# plain: blocks-divided and blocks-several read the same kinds of files
# The code of single operations, as LLVM's own tests state it, in contexts.
litscope verify -blocks tests/compilers/blocks/agent.ll
litscope verify -blocks -q -j 1 -target gfx1030 -json "$TMP/blocks.json" tests/compilers/blocks/agent.ll
tests/schema/validate checker/report/results.schema.json "$TMP/blocks.json" && grep -c '"needed"' "$TMP/blocks.json"
litscope verify -blocks -q -model opencl -target gfx90a:tgsplit tests/compilers/blocks/agent.ll
# The same as a page.
litscope verify -blocks -q -j 1 -target gfx1030 -o "$TMP/page" tests/compilers/blocks/agent.ll > "$TMP/page.txt"
sed -n 's/^<details\( open\)*><summary>//p; s/.*<td>\(buffer_gl[01]_inv\)<.td><td>after<.td>/\1 /p' "$TMP/page/blocks.html"
echo page > "$TMP/file"
litscope verify -blocks -q -o "$TMP/file" tests/compilers/blocks/agent.ll 2>&1 | sed 's/.*error: //' | head -1
# Address spaces of fences.
litscope verify -blocks tests/compilers/blocks/mmra.ll | grep Block
# Failure orders stronger than success orders.
litscope verify -blocks tests/compilers/blocks/failure.ll | grep -E '^Block |^  (s_|buffer)'
# Between two L2s, a seq_cst store that stays in its own.
litscope verify -blocks tests/compilers/blocks/through.ll | grep -E '^Block |^  (in|s_|buffer)'
# What LLVM 23 does otherwise.
litscope verify -blocks tests/compilers/blocks/llvm-23.ll | grep -E "^Block |^  (s_|buffer)"
# GPUs of GFX6 to GFX8; a run that leaves invalidates out has a label of its own.
litscope verify -blocks tests/compilers/blocks/older.ll | grep -E "^Block |^  (in|s_|buffer)"
# Operations and sizes of other kinds than LLVM's tests mostly have; and the same without waits and invalidates.
litscope verify -blocks tests/compilers/blocks/kinds.ll | grep -E "^Block |^  (in|s_|buffer|global|wait|what)"
sed '/s_waitcnt_vscnt/d; /s_wait_storecnt/d; /_inv/d; /vmcnt(0)/d' tests/compilers/blocks/kinds.ll > "$TMP/bare.ll"
litscope verify -blocks -q "$TMP/bare.ll" | grep -E "^Block |^  in"
# Functions that are called; and the same without what orders their accesses.
litscope verify -blocks tests/compilers/blocks/functions.ll | grep -E "^Block |^  (s_waitcnt|buffer|global|wait)"
sed '/buffer_inv/d; /_inv /d; /_inv$/d; /s_waitcnt_vscnt/d; /s_wait_storecnt/d' tests/compilers/blocks/functions.ll > "$TMP/bare.ll"
litscope verify -blocks -q "$TMP/bare.ll" | grep -E "^Block |^  in"
# A scope of clusters, where there are none, and where the machine has none; and one that nobody has.
for scope in cluster device; do
  sed "s/\"agent\"/\"$scope\"/" tests/compilers/blocks/kinds.ll > "$TMP/$scope.ll"
  litscope verify -blocks -q -target gfx1100,gfx1250 "$TMP/$scope.ll" | sed -n 's/^Block [a-z_0-9]* \(gfx[0-9]*\) \(.*\)/\1 \2/p' | sort | uniq -c | sed 's/^ *//'
done
# Code of a file, as edited by hand: of the GPU that it names.
{ printf '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"\n'
  sed -n 's/^; GFX10-LABEL: //p; s/^; GFX10-NEXT://p' tests/compilers/blocks/functions.ll; } > "$TMP/code.s"
sed '/gl1_inv/d' "$TMP/code.s" > "$TMP/edited.s"
for code in code edited; do
  litscope verify -blocks -q -compiler "$TMP/$code.s" tests/compilers/blocks/functions.ll | grep -E "^Block |^  in"
done
