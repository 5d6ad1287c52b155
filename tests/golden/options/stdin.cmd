# `-` is standard input, and `-h` is help.
litscope check - <litmus/rsp/RSP_Test2.litmus | head -n 2
litscope check - litmus/rsp/RSP_Test3.litmus <litmus/rsp/RSP_Test2.litmus | grep '^Test'
echo nonsense | litscope check -
litscope -h | head -n 1
litscope verify -h | head -n 1
