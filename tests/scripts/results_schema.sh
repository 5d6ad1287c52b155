# SPDX-License-Identifier: MIT
# slow
# What -json writes meets checker/report/results.schema.json, whatever the
# answer and the bytes of names; the schema rejects what is wrong; -junit is
# valid JUnit.
set -u
schema=checker/report/results.schema.json
fail() { echo "$*"; exit 1; }

# valid NAME PATTERN COMMAND...: the run's JSON meets the schema and holds the pattern (so the case is the one meant).
valid() {
  name=$1 pattern=$2
  shift 2
  litscope "$@" >"$TMP/$name.json" 2>"$TMP/err"
  [ $? -le 3 ] || fail "$name: litscope $*: $(cat "$TMP/err")"
  tests/schema/validate "$schema" "$TMP/$name.json" || fail "litscope $*"
  grep -q -e "$pattern" "$TMP/$name.json" || fail "$name: no '$pattern' in $(head -c 2000 "$TMP/$name.json")"
}

rsp=litmus/rsp
valid fine '"verdict": "No", "observation": "Never"' check -json - $rsp/RSP_Test2.litmus
valid racy '"undefined": true' check -json - $rsp/RSP_Test4.litmus
valid why '"why": "Why' check -why -json - $rsp/RSP_Test2.litmus
valid events '"limit": "limit on events"' check -max-events 3 -json - $rsp/RSP_Test2.litmus
valid models '"model": "sc"' check -model opencl-rsp,opencl,sc -json - $rsp/RSP_Test2.litmus
valid folder '"test": "RSP_Test1"' check -json - litmus/opencl litmus/rsp litmus/c11
sed 's/^exists/~exists/' $rsp/RSP_Test2.litmus >"$TMP/forbidden.litmus"
sed 's/^exists/forall/' $rsp/RSP_Test2.litmus >"$TMP/required.litmus"
valid forbidden '"kind": "Forbidden"' check -json - "$TMP/forbidden.litmus"
valid required '"kind": "Required"' check -json - "$TMP/required.litmus"
valid hsa '"model": "hrf-rsp"' check -json - litmus/hsa
valid missing '"error": ' check -json - $rsp/RSP_Test2.litmus litmus/nothing.litmus
valid none '"results": \[$' check -json - -names /dev/null $rsp/RSP_Test2.litmus
valid explore '"complete": true' explore -json - $rsp/RSP_Test2.litmus litmus/adsm/A3.litmus
valid stopped '"limit": ' explore -max-states 5 -json - $rsp/RSP_Test2.litmus
valid refused '"subject": "rsp-original"' explore -mapping rsp-original -json - $rsp/RSP_Test4.litmus
valid sound '"answer": "Sound"' verify -json - $rsp/RSP_Test2.litmus litmus/adsm/A3.litmus
valid unsound '"answer": "Unsound"' verify -mapping rsp-original -json - $rsp/RSP_Test2.litmus
valid undefined '"answer": "Undefined"' verify -json - $rsp/RSP_Test4.litmus
valid undecided '"answer": "Undecided"' verify -max-states 5 -json - $rsp/RSP_Test2.litmus
valid deadlock '"answer": "Deadlock"' verify $(sed -n 's/^litscope verify //p' tests/golden/hw/verify-deadlock.cmd | head -n 1) -json -
valid impossible '"subject": "rsp-original", "error"' verify -mapping rsp-original -json - $rsp/RSP_Test4.litmus
valid swept '"answer": "Sound"' verify -family 2x1 -json -
valid swept-unsound '"smallest": "WxD1' verify -family 2x1 -mapping rsp-original -json -
valid adsm-swept '"rule": "byte"' verify -family adsm,2 -json -
valid ablated '"changes"' verify -ablate -timeout 0.3 -json -
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\nWxdr Wydr | Rydr Rxdr (wg 0,1)\n' >"$TMP/family"
valid translated '"mapping": "opencl-ptx"' verify -mapping opencl-ptx -family "$TMP/family" -json -
valid translated-ablated '"answer": "needed"' verify -mapping opencl-ptx -family "$TMP/family" -ablate -json -
if command -v llc-22 >/dev/null; then
  sed /vmcnt/d tests/compilers/written/gfx942.s >"$TMP/hazard.s"
  valid compiled '"answer": "Sound"' verify -target gfx90a -compiler llvm-22 -family "$TMP/family" -json -
  valid compiled-size '"invalidates": 1, "write_backs": 1' verify -target gfx942 -json - tests/compilers/MP_dev.litmus
  valid compiled-hazard '"answer": "Hazard"' verify -target gfx942 -compiler "$TMP/hazard.s" -json - tests/compilers/MP_dev.litmus
  valid compiled-refused '"message": "LLVM ERROR' verify -target sm_60 -compiler llvm-22 -family "$TMP/family" -json -
  valid compiled-spared '"sound_as_emitted": ' synth -target gfx90a -compiler llvm-22 -family "$TMP/family" -json -
  valid compiled-ablated '"hazards": 1' verify -target gfx90a -compiler llvm-22 -family "$TMP/family" -ablate -json -
fi
valid diff '"class": "b_more"' diff -model ptx,ptx-atomicity -json - -family 2x1
valid diff-checks '"b": "ptx-atomicity"' diff -model ptx -json - -family 2x1
valid suite '"of": "SB_fence_sc"' gen -suite -model ptx-v6.0 -changes 0 -json - litmus/ptx/SB_fence_sc.litmus
valid synth '"answer": "Unsound"' synth -family 2x1 -steps 2 -cells 'rmw ar dev' -json -
valid synth-several '"conflicts": \[{"cells"' synth -family 2x1 -steps 2 -cells 'dev$' -json -
valid synth-none '"found": null' synth -family 2x2,guarded,scopes=dev -steps 1 -cells 'store rel dev$' -json -
for view in amo-lat rsp-ops fear-rings; do valid "cost-$view" '"tables"' cost "$view" -json; done
valid price '"cycles"' cost mapping -json -mapping rsp-revised,rsp-corrected $rsp/RSP_Test2.litmus
valid transfers '"bytes_up"' cost adsm -json litmus/adsm/A3.litmus

# File names of every kind of bytes: controls, quotes, overlong forms, surrogates, no UTF-8 at all.
folder=$TMP/names
mkdir "$folder"
for bytes in 'a"b\\' 'tab\tline\nend' '\001\002\037\177' '\377\376' '\303\050' '\300\200' '\355\240\200' '\357\277\277' \
  '\364\220\200\200' '\360\237\230\200' '\303\251' '\342\202' "<&>'"; do
  file=$folder/$(printf "$bytes")
  cp $rsp/RSP_Test2.litmus "$file.litmus"
  printf "OpenCL $bytes\n{ }\nP0 (global atomic_int* x) { $bytes }\nexists (x=$bytes)\n" >"$file.bad.litmus"
done
long=$(printf '%0300d' 0 | tr 0 a)
sed "s/\bx\b/${long}x/g; s/\by\b/${long}y/g" $rsp/RSP_Test2.litmus | sed "s/^exists.*/exists ([${long}x]=53 \/\\\\ [${long}y]=1)/" >"$folder/long.litmus"
for command in check explore verify; do
  valid "bytes-$command" '"error"' $command -json - "$folder"
  litscope $command -junit "$TMP/$command.xml" "$folder" $rsp/RSP_Test2.litmus >"$TMP/log" 2>"$TMP/err"
  [ $? = 2 ] || fail "$command: bad tests must give status 2"
  xmllint --noout --relaxng tests/schema/junit.rng "$TMP/$command.xml" 2>"$TMP/err" || fail "$command -junit: $(cat "$TMP/err")"
done
valid long "\"\\[${long}x\\]\": 53, \"\\[${long}y\\]\": 1" check -json - "$folder/long.litmus"

# JUnit of each kind of outcome; what the schema must reject.
junit() {
  litscope "$@" -junit "$TMP/junit.xml" >"$TMP/log" 2>"$TMP/err"
  xmllint --noout --relaxng tests/schema/junit.rng "$TMP/junit.xml" 2>"$TMP/err" || fail "litscope $*: $(cat "$TMP/err")"
}
junit check -max-events 12 $rsp/RSP_Test2.litmus $rsp/RSP_Test8.litmus litmus/nothing.litmus
junit verify -family 2x1 -mapping rsp-original
junit verify -mapping rsp-original $rsp/RSP_Test2.litmus
for edit in 's/<failure message="[^"]*"/<failure/' 's/ hostname="[^"]*"//' 's/<testcase /<testcase file="x" /'; do
  sed "$edit" "$TMP/junit.xml" >"$TMP/wrong.xml"
  ! cmp -s "$TMP/junit.xml" "$TMP/wrong.xml" || fail "'$edit' changes nothing"
  ! xmllint --noout --relaxng tests/schema/junit.rng "$TMP/wrong.xml" 2>"$TMP/err" || fail "JUnit after '$edit' is still valid"
done

# What the schema must reject: a document and an edit of it.
rejected() {
  sed "$2" "$TMP/$1.json" >"$TMP/wrong.json"
  ! cmp -s "$TMP/$1.json" "$TMP/wrong.json" || fail "$1: '$2' changes nothing"
  ! tests/schema/validate "$schema" "$TMP/wrong.json" >"$TMP/log" || fail "the schema lets pass: $1 after '$2'"
}
rejected fine 's/"schema": 1/"schema": 2/'
rejected fine 's/"schema": 1, //'
rejected fine 's/"command": "check"/"command": "verify"/'
rejected fine 's/"command": "check"/"command": "compile"/'
rejected fine 's/"hash": "[^"]*", //'
rejected fine 's/"matching": 0/"matching": -1/'
rejected fine 's/"matching": 0/"matching": "0"/'
rejected fine 's/"matching": 0/"matching": 0.5/'
rejected fine 's/"observation": "Never"/"observation": "never"/'
rejected fine 's/"complete": true/"complete": false/'
rejected fine 's/"cut": false/"cut": 0/'
rejected fine 's/"bad": 0/"bad": 0, "extra": 0/'
rejected fine 's/"1:r0": 0/"1:r0": null/'
rejected fine 's/\]}$/]/'
rejected fine "s/RSP_Test2/$(printf '\377')/"
rejected events 's/"limit": "limit on events", //'
rejected stopped 's/"complete": false/"complete": true/'
rejected sound 's/"answer": "Sound"/"answer": "Bad"/'
rejected sound 's/"reason": null, //'
rejected unsound 's/"trace": \[/"trace": [1, /'
rejected missing 's/"error": "[^"]*"/"error": null/'
rejected price 's/"cycles": [0-9]*/"cycles": "many"/'
exit 0
