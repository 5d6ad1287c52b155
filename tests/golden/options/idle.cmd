# Options that would do nothing beside the others are refused; herd's about pictures are warned of.
test=litmus/opencl/Handshake.litmus
try() { litscope "$@" >$TMP/out || echo "status $?"; }
try explore -params q=1 $test
try explore -target-model ptx -force $test
try check -mapping rsp-corrected $test
try check -mapping nosuch $test
try check -dump program -why -json - $test
try check -strictskip true $test
try check -fail-on nothing -doshow hb -show prop -showlegend false $test
try check -q -fail-on nothing -doshow hb $test
try progress -variant normw $test
try progress -unroll 3 -max-events 9 $test
try progress -model opencl -max-states 9 -no-por $test
try diff -model opencl,opencl-rsp -changes 2 -select x -family 2x1
try gen -cycle 'PodWW Rfe PodRR Fre' -select x
try gen -cycle 'PodWW Rfe PodRR Fre' -model rc11
try gen -orders sc -model rc11
try gen -cycles 4 -variant x
try compile -o $TMP/x $test
try compile -mapping rsp-original -o $TMP/x $test
try verify -family 2x1 -oknames x
try verify -ablate -config 1,1,1
try repair -cost timing-rsp -mapping opencl-ptx $test
try report -o $TMP/r -n 10 -no-por $test
try run -dump -stats $test
try cost mapping -trace $test
try cost adsm -model opencl
try cost rsp-ops -max-states 9
# What a file of options says is for many uses.
echo 'doshow hb' >$TMP/conf
try check -conf $TMP/conf $test
