# Files of blocks, divided: shards that are merged, also with other words for what is printed; a journal that another run
# goes on from; and an error in one of them.
cd "$TMP"
blocks=$OLDPWD/tests/compilers/blocks
cp "$blocks/agent.ll" "$blocks/mmra.ll" .
set -- verify -blocks -target gfx90a -json whole.json -o page agent.ll none.ll mmra.ll
litscope "$@" >whole 2>whole.err
echo "status $?"
cat whole.err
mv whole.json first.json && mv page/blocks.html first.html
for shard in 1 2 3; do litscope "$@" -shard $shard/3 >shard.$shard; echo "shard $shard: $?"; done
litscope merge shard.1 shard.2 shard.3 -- "$@" >merged 2>merged.err
echo "status $?"
cmp whole merged && cmp whole.err merged.err && cmp first.json whole.json && cmp first.html page/blocks.html && echo the same
litscope "$@" -journal journal >/dev/null 2>&1
grep -v '^part [0-9a-f]* 2 ' journal >shorter && mv shorter journal
litscope "$@" -journal journal 2>/dev/null | cmp whole - && grep -c '^part' journal
litscope "$@" -q >quiet 2>/dev/null
litscope merge shard.1 shard.2 shard.3 -- "$@" -q 2>/dev/null | cmp quiet - && grep -c '^  s_wait' whole quiet
echo '; another line' >>agent.ll
litscope merge shard.1 shard.2 shard.3 -- "$@" >/dev/null
# Results are not written over a file.
litscope verify -blocks -json agent.ll agent.ll
echo "status $?"
# A name of several lines.
name='age
nt.ll'
cp "$blocks/agent.ll" "$name"
litscope verify -blocks -target gfx90a "$name" | grep -A 1 '^File'
