# SPDX-License-Identifier: MIT
# slow
# Each command loses its k-th allocation, once and from then on; meets its time
# limit at the k-th reading of the clock; gets a signal at its k-th allocation.
# Its result is the good one, or status 2 or 3 with a message, and no verdict
# that the good one lacks (../faults/shim.c).  Some of the k here; with
# FAULTS_EVERY=1, as `make faults` has it, all of them.
set -u
shim=$PWD/$BUILD/tests/faults/shim.so
[ -f "$shim" ] || { echo "no $shim"; exit 77; }
ulimit -c 0
failed=0
tries=${FAULTS_TRIES:-2}
# KIND FILE WORD...: about as many faults as FAULTS_TRIES says, evenly spread, the first by the command's number
number=0
faults() {
  kind=$1
  file=$2
  shift 2
  number=$((number + 1))
  step=${FAULTS_EVERY:-1000000000}
  run "$kind" 1 1000000000 "$@"
  count=$(sed -n 's/.* of \([0-9]*\) faults.*/\1/p' "$TMP/log")
  case $(tail -n 1 "$TMP/log"):$* in
    *' ends with '[013]:* | *' ends with 2:'*not-there*) ;;
    *)
      echo "litscope $*: the good run fails"
      cat "$TMP/log"
      exit 1
      ;;
  esac
  [ "$count" -gt 0 ] || return 0 # it never asks
  [ "$step" = 1000000000 ] && step=$(((count + tries - 1) / tries))
  run "$kind" $((1 + number % (step > 0 ? step : 1))) "$step" "$@" && return
  echo "litscope $* ($kind)"
  cat "$TMP/log"
  failed=1
}
run() { # KIND FIRST STEP WORD...
  wish=$1:$2:$3
  shift 3
  if [ -n "$file" ]; then export FAULTS_FILE="$file"; else unset FAULTS_FILE; fi
  # Views are the work of a program of their own, which takes litscope's place in the process.
  case $* in
    "cost mapping"* | "cost adsm litmus"*) works=$program ;;
    cost*) works=litscope-cost ;;
    *) works=$program ;;
  esac
  FAULTS=$wish FAULTS_DIR=$TMP LD_PRELOAD=$shim "$works" "$@" >"$TMP/log" 2>&1 </dev/null
}
test=litmus/rsp/RSP_Test2.litmus program=litscope
both() {
  faults once "$@"
  faults on "$@"
}
both "" check -j 1 "$test"
both "" check -j 1 -fail-on nothing -why -model opencl-rsp,hrf-rsp "$test" litmus/hrf/D1.litmus
both "" check -j 1 litmus/hsa/MP_barrier.litmus litmus/c11/MP_fences.litmus
both "" check -j 1 -engine solve litmus/c11/SB_sc.litmus
both "" check -j 1 litmus/kernels/message_group.spvasm
both "" check -j 2 "$test" litmus/hrf/D1.litmus litmus/hrf/D2.litmus
both "$TMP/json" check -j 1 -q -json "$TMP/json" "$test" tests/errors/litmus/not-there.litmus
both "$TMP/junit" check -j 1 -q -junit "$TMP/junit" "$test" litmus/hrf/D1.litmus
both "" check -j 1 -fail-on nothing -model models/opencl-published.cat litmus/opencl/MP_nonatomic_racy.litmus
both "" verify -j 1 -mapping rsp-original "$test"
both "" verify -j 1 -strict -mapping rsp-corrected "$test"
both "" verify -j 1 -family 2x1 -mapping rsp-corrected
both "" verify -j 1 -family 2x1 -mapping rsp-original
both "" verify -j 1 litmus/adsm/A1.litmus
both "" explore -j 1 -mapping rsp-original "$test"
# Tables grow towards the end.
run once -40 5 explore -j 1 -mapping rsp-corrected litmus/rsp/RSP_Test4.litmus || { cat "$TMP/log"; failed=1; }
# Threads that share them lose what these grow by.
for compress in false true; do
  set -- explore -j 2 -no-por -no-symmetry -compress $compress -mapping rsp-corrected litmus/rsp/RSP_Test4.litmus
  run once -60 12 "$@" || { echo "litscope $*"; cat "$TMP/log"; failed=1; }
done
both "$TMP/page/index.html" report -j 1 -o "$TMP/page" -mapping rsp-original "$test"
both "$TMP/page/RSP_Test2-opencl-rsp-forbidden-0.svg" check -j 1 -q -o "$TMP/page" -svg -through invalid "$test"
both "" compile -mapping rsp-original "$test"
both "" progress -j 1 "$test"
both "" translate -mapping opencl-ptx litmus/opencl/MP_rel_rlx_dev.litmus
both "" cost mapping -j 1 "$test"
both "" cost rsp-ops
both "" cost gpu-steal -params V=64
both "" diff -q -j 1 -model opencl-rsp -family 2x1
both "" mappings
both "" machines
both "" models
both "" compare litmus/rsp/expected.tsv litmus/hrf/expected.tsv
both "" diff -j 1 -model opencl,opencl-rsp -family 2x1
both "" synth -j 1 -cells 'load.acq.dev$' -steps 1 -family 2x1
both "$TMP/certificate" verify -j 1 -certify "$TMP/certificate" -mapping rsp-original "$test"
both "$TMP/emitted/kernel.cu" run -emit cuda "$TMP/emitted" litmus/c11/SB_sc.litmus
both "" help verify
# Fewer of each: the other modes of these commands.
tries=${FAULTS_TRIES:-1}
for i in 1 2; do litscope check -j 1 -shard $i/2 litmus/rsp/RSP_Test1.litmus "$test" >"$TMP/shard$i"; done
litscope check -q -certify "$TMP/model.cert" "$test" >"$TMP/out"
litscope verify -q -mapping rsp-original -certify "$TMP/verify.cert" "$test" >"$TMP/out"
for seed in S T U; do sed '$d' tests/fuzz/seeds/commands/$seed >"$TMP/$seed"; done
all() {
  both "$@"
  stop "$@" -timeout 1000
}
stop() { # limits and signals, at points that are the same on every machine
  faults clock "$@"
  faults signal "$@"
}
all "" check -j 1 -expect litmus/rsp/expected.tsv "$test"
all "$TMP/certificate" check -j 1 -engine solve -certify "$TMP/certificate" litmus/c11/MP_relaxed_race.litmus
all "" check -j 1 litmus/ptx/MP_rel_acq.litmus
all "" check -j 1 -why litmus/vulkan/MP_av_vis.litmus
all "" check -j 1 -rounds new litmus/loops/Lock_TAS_wg_apart.litmus
all "" check -j 1 -speedcheck true "$test"
all "" check -j 1 -journal "$TMP/journal" litmus/rsp/RSP_Test1.litmus "$test"
all "$TMP/certificate" check -j 1 -certify "$TMP/certificate" "$test"
all "" explore -j 1 -machine amo litmus/c11/Inc2.litmus
all "$TMP/certificate" explore -j 1 -certify "$TMP/certificate" -machine sc litmus/c11/Inc2.litmus
all "" explore -j 1 tests/compilers/assembly/MP_dev.gfx1030.llvm-15.litmus
all "$TMP/certificate" progress -j 1 -certify "$TMP/certificate" litmus/loops/Lock_TAS_2.litmus
all "" progress -j 1 -model opencl litmus/loops/Lock_TAS_2.litmus
all "" verify -j 1 -family adsm,2
all "" verify -j 1 -fail-on nothing -machine lazy litmus/adsm/A16.litmus
all "" synth -j 1 -check "$TMP/S"
all "" cost adsm litmus/adsm/A8.litmus
all "" cost adsm-programs
all "" cost amo-lat
all "" cost fear-rings
both "" merge "$TMP/shard1" "$TMP/shard2" -- check litmus/rsp/RSP_Test1.litmus "$test"
both "" gen -q -cycle 'PodWW Rfe PodRR Fre' -orders ra
both "$TMP/page/RSP_Test2.litmus" translate -o "$TMP/page" -mapping opencl-ptx litmus/opencl/MP_rel_rlx_dev.litmus
both "$TMP/mapping" synth -j 1 -cells 'load.acq.dev$' -steps 1 -family 2x1 -o "$TMP/mapping"
both "" cost replay -trace "$TMP/U"
both "$TMP/trace" cost gpu-steal -params V=64 -record "$TMP/trace"
both "" cost gpu-steal -params "file=$TMP/T,program=sssp"
faults once "" targets
mesh=Z=9,k=1,spec=0,M=64,LUT=64,E=9,B=1,W=2,mems=1
all "" cost fear-programs -params kernel=queue,size=1,ops=3,$mesh
all "" cost fear-mesh -params program=bins,ops=2,$mesh
all "" cost amo-programs -params kernel=ttas,n=2,size=32,range=4
all "" cost fear-check -params program=1+1
all "" cost fear-network -params program=1+1,W=3,classes=1
both "" cost help fear-mesh
both "$TMP/page/rsp-ops-Instructions.csv" cost rsp-ops -csv -o "$TMP/page"
both "" compare -sum litmus/rsp/expected.tsv litmus/hrf/expected.tsv
both "" explore -j 1 -compress true -mapping rsp-original "$test"
both "" check -j 1 -through all -model opencl "$test"
program=litscope-certify
both "" "$TMP/model.cert"
both "" "$TMP/verify.cert"
program=litscope
if [ -n "${FAULTS_EVERY:-}" ]; then
  for view in fear-network fear-timed amo-throughput amo-policy rsp-steal adsm; do all "" cost $view; done
  all "" cost programs -params size=8
  both "" compile -target gfx90a tests/compilers/ISA2_wd.litmus
  for target in gfx90a sm_70; do
    both "" verify -j 1 -target $target tests/compilers/MP_rmw.litmus
    faults signal "" verify -j 1 -target $target tests/compilers/MP_rmw.litmus
  done
  FAULTS_EVERY=2000
  both "" verify -j 1 -timeout 0.2 -ablate -mapping rsp-short-lock
fi
tries=${FAULTS_TRIES:-2}
# A test that there is no memory for is undecided, and the other goes on.
file=
for k in 40 60 80 100 120 140 160 180 200; do
  run once $k 1000000000 check -j 1 "$test" litmus/hrf/D1.litmus
  grep -q 'RSP_Test2.litmus: undecided: out of memory' "$TMP/err" && break
done
grep -q 'undecided: out of memory' "$TMP/err" && grep -q '^Observation D1 Never' "$TMP/out" || {
  echo "no test is undecided alone"
  failed=1
}
# It has a place among the results, which are whole.
run once $k 1000000000 check -j 1 -q -json "$TMP/j.json" -junit "$TMP/j.xml" "$test" litmus/hrf/D1.litmus
tests/schema/validate checker/report/results.schema.json "$TMP/j.json" && xmllint --noout "$TMP/j.xml" &&
  [ "$(grep -c "undecided: out of memory" "$TMP/j.json")$(grep -c "undecided: out of memory" "$TMP/j.xml")" = 12 ] || {
  cat "$TMP/j.json" "$TMP/j.xml"
  echo "a test without memory is not among the results"
  failed=1
}
# So is one that there is no time to read, or that a signal comes to; a model ends the run.
read_within() { # KIND STEP MOST MESSAGE WORD...
  kind=$1 k=1 step=$2 most=$3 message=$4
  shift 4
  while [ $k -le "$most" ]; do
    run "$kind" $k 1000000000 "$@"
    grep -q "$message" "$TMP/err" && return
    k=$((k + step))
  done
  echo "litscope $*: never '$message'"
  failed=1
}
read_within clock 1 40 '^litscope: time limit met' check -j 1 -timeout 1000 "$test"
read_within clock 1 60 'RSP_Test2.litmus: undecided: time limit met' check -j 1 -timeout 1000 "$test" litmus/hrf/D1.litmus
perl -e 'print "C big\n{}\nP0 (atomic_int* x) {\n", "*x = 1;\n" x 9000, "}\nexists (x=1)\n"' >"$TMP/big.litmus"
read_within signal 10 120 'big.litmus: undecided: interrupted' check -j 1 "$TMP/big.litmus"
stop "" check -j 1 -fail-on nothing -timeout 1000 litmus/rsp/RSP_Test9.litmus litmus/hrf/D1.litmus
stop "" check -j 1 -fail-on nothing -timeout 1000 -model models/opencl-published.cat litmus/opencl/MP_nonatomic_racy.litmus
# Also while the interpreter looks at an execution, and be it the last.
run clock 1 1 check -j 1 -timeout 1000 -model hrf-rsp litmus/rsp/RSP_Test3.litmus || { cat "$TMP/log"; failed=1; }
stop "" verify -j 1 -timeout 1000 -mapping rsp-original litmus/rsp/RSP_Test1.litmus
stop "" verify -j 1 -timeout 1000 -strict -mapping rsp-corrected "$test" litmus/opencl/2+2W_rel_dev.litmus
stop "" verify -j 1 -timeout 1000 litmus/adsm/A1.litmus
stop "" explore -j 1 -timeout 1000 -mapping rsp-original litmus/rsp/RSP_Test1.litmus
stop "" progress -j 1 -timeout 1000 litmus/opencl/Lock_dev_apart.litmus
stop "" cost mapping -j 1 -timeout 1000 "$test"
# The end of a second search, wherever it comes: what only the whole of it can say is not said.
tries=1000
faults clock "" check -j 1 -timeout 1000 -why "$test"
faults clock "" verify -j 1 -timeout 1000 -strict -mapping rsp-corrected "$test"
tries=${FAULTS_TRIES:-2}
faults signal "" check -j 1 -timeout 1000 -why "$test"
stop "" explore -j 1 -timeout 1000 -mapping rsp-original -outcome true "$test"
stop "" verify -j 1 -timeout 1000 -certify "$TMP/certificate" -mapping rsp-corrected litmus/rsp/MP_dev.litmus
stop "" verify -j 1 -fail-on nothing -timeout 1000 -mapping opencl-ptx litmus/opencl/MP_rel_rlx_dev.litmus
exit $failed
