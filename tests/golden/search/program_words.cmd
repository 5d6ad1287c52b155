# What a sweep prints as its smallest program is a test for the other commands, in the models' language, and -o writes it.
smallest=$(litscope verify -family 2x1 -mapping rsp-original -o $TMP/smallest | sed -n 's/^Smallest //p')
echo "$smallest"
ls $TMP/smallest
litscope verify -mapping rsp-original $TMP/smallest | sed '/^Why/,$d'
litscope verify -mapping rsp-original,rsp-corrected "$smallest" | grep ^Verify
litscope explore "$smallest" | sed -n '1,4p'
litscope diff -q -model ptx,ptx-atomicity -family 2x1,scopes=gpu | awk '/^B-more/ { print $3, $4, $5, $6, $7; exit }' >$TMP/program
litscope check -model ptx,ptx-atomicity "$(cat $TMP/program)" | sed -n '/^Verdicts/,$p'
for model in opencl ptx vulkan rc11-scoped sc; do litscope check -model $model 'Wxn Uyd|Ryd ! Rxn (wg 0,1)' | grep ^Observation; done
litscope check -model rc11 'Wxn Uya|Ryac ! Rxn' | grep ^Observation
litscope diff -q -model vulkan,vulkan:alloy 'Wxn Wyd|Ryd ! Rxn' | tail -2
# Of a program, whose condition is met by every outcome, races alone are repaired.
litscope repair 'Wxn Wyw|Ryd ! Rxn (wg 0,1)' | sed -n '1,4p'
litscope repair -model rc11 'Wxar Ryar|Wyar Rxar' | head -2
# What is added to an address that depends on a value is nothing, however large that is.
litscope check 'Wxdr1000|Rxdr &Wydr' 'Uxdr Uxdr Uxdr Uxdr Uxdr|Rxdr &Wydr' | grep -e ^States -e ^Undefined
# No test, and no program of the language.
litscope check 'Wxn|Qxn' 'Wxn|Rxn' | grep ^Observation
litscope check -model ptx 'WxD|Rxn'
litscope check 'nosuch|file'
litscope check -model ptx,rc11 'Wxn|Rxn'
litscope verify -family 2x1 -ablate -o $TMP/x
litscope verify -family adsm,2 -o $TMP/x
litscope verify -family 2x1 -mapping rsp-original -o $TMP/program >$TMP/log
