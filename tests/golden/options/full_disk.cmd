litscope litmus/rsp >/dev/full
echo $?
litscope -json /dev/full litmus/rsp >/dev/null
echo $?
litscope -junit /dev/full litmus/rsp >/dev/null
echo $?
litscope -o /dev/full litmus/rsp >/dev/null
echo $?
