# One rule: -svg and -dot draw, -o says where, else it is the working folder, and the paths are told. Names can be
# guessed: the test's, the model's, a number, and the shortest execution has number 0.
tests=$PWD/litmus
models=$PWD/models
cd "$TMP" || exit 1
mkdir a b
cp "$models/rc11.cat" a/my.cat
cp "$models/rc11.cat" b/my.cat
cp "$models/rc11.cat" b/other.cat
check() { litscope check -I "$models" "$@" "$tests/c11/SB_rel_acq.litmus" >log; }
check -svg
check -dot -model ./a/my.cat
check -svg -o one -model a/my.cat,b/other.cat
check -svg -o both -model a/my.cat,b/my.cat
ls one both
litscope explore -svg -mapping rsp-original "$tests/rsp/RSP_Test2.litmus" >log
litscope verify -svg -mapping rsp-original "$tests/rsp/RSP_Test2.litmus" >log
litscope progress -svg -scheduler obe "$tests/ptx/Spin.litmus" >log
litscope cost rsp-ops -svg
litscope cost rsp-ops -svg -o plots
# A loop that may fail once is drawn after one that does not.
litscope check -o loop -show all -rounds all "$tests/loops/Await_MP.litmus" >log
for file in loop/*-[01].dot; do echo "$file $(grep -c 'label="[RW]' "$file")"; done
# Nothing to draw, and names that nothing has.
litscope check -svg "$tests/c11/SB_sc.litmus" 2>&1 >log | sed "s,$tests,litmus,"
litscope check -svg -doshow hbb,data "$tests/c11/SB_sc.litmus"
litscope check -svg -unshow coo "$tests/c11/SB_sc.litmus"
