# Mutexes are C's: taking one acquires, giving it back releases, under every model of C; models such as herd7's c11_base
# name what is done to them (LS, LK, UL) and its order (lo).  Who waits for ever is in no execution.  Machine sc has
# them too, the others do not.
dir=tests/golden/herd
litscope check -model rc11,$dir/mutexes.cat $dir/mutexes.litmus | grep -v -e ^Time -e ^Hash
litscope check -model $dir/mutexes.cat $dir/mutex_twice.litmus | grep -e ^Flag -e ^Obs
litscope check -dump program $dir/mutexes.litmus
litscope verify -machine sc $dir/mutexes.litmus
litscope progress -scheduler fair $dir/mutex_twice.litmus
litscope verify -machine amo $dir/mutexes.litmus
litscope verify $dir/mutexes.litmus
