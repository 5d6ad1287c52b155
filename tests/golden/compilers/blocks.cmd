# The code of single operations, as LLVM's own tests state it, in contexts.
litscope verify -blocks tests/compilers/blocks/agent.ll
litscope verify -blocks -q -j 1 -target gfx1030 -json "$TMP/blocks.json" tests/compilers/blocks/agent.ll
tests/schema/validate checker/report/results.schema.json "$TMP/blocks.json" && grep -c '"needed"' "$TMP/blocks.json"
litscope verify -blocks -q -model opencl -target gfx90a:tgsplit tests/compilers/blocks/agent.ll
