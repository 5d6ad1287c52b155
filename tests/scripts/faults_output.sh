# SPDX-License-Identifier: MIT
# slow
# Each write, opening for writing and renaming fails in turn, or is where the
# process is killed (../faults/inject.c): the status says so, files are whole or
# as they were, and nothing is left beside them. With FAULTS_EVERY=1 for more commands.
set -u
inject=$PWD/$BUILD/tests/faults/inject
"$inject" 0 error true 2>/dev/null || { echo "no $inject, or it may not trace"; exit 77; }
test=litmus/rsp/RSP_Test2.litmus
failed=0
complain() {
  echo "$*"
  cat "$TMP/err"
  failed=1
}
plain() { sed 's/"seconds": [0-9.e-]*/"seconds": 0/; s/time[a-z]*="[^"]*"//g; /^Time/d' "$1"; }
# Of other files none is there in part.
others() {
  find "$TMP/o" -type f ! -name '.litscope*' ! -path "$file" >"$TMP/there"
  while read -r other; do
    plain "$other" >"$TMP/other.now"
    plain "$TMP/whole${other#"$TMP/o"}" 2>"$TMP/other.err" | cmp -s - "$TMP/other.now" || complain "$1: $other is not whole"
  done <"$TMP/there"
}
# FILE WORD...: what FILE holds in the end is the whole result, or `old`
each() {
  file=$1
  shift
  rm -rf "$TMP/o"
  mkdir "$TMP/o"
  "$inject" 0 error litscope "$@" >"$TMP/out" 2>"$TMP/err"
  good=$?
  plain "$TMP/out" >"$TMP/out.good"
  rm -rf "$TMP/whole"
  cp -r "$TMP/o" "$TMP/whole"
  [ -f "$file" ] || echo old >"$file"
  plain "$file" >"$TMP/file.good"
  count=$(sed -n 's/^counted //p' "$TMP/err")
  for fault in error full kill; do
    k=1
    while [ $k -le "$count" ]; do
      rm -rf "$TMP/o"
      mkdir -p "$(dirname "$file")"
      echo old >"$file"
      "$inject" $k $fault litscope "$@" >"$TMP/out" 2>"$TMP/err"
      status=$?
      what="litscope $*: $fault at $k: status $status"
      plain "$TMP/out" >"$TMP/out.now"
      plain "$file" >"$TMP/file.now"
      echo old | cmp -s - "$file" || cmp -s "$TMP/file.good" "$TMP/file.now" || complain "$what: the file is neither whole nor old"
      case $fault:$status in
        kill:99 | kill:$good) ;;
        *:100) complain "$what: crashed" ;;
        *:$good) cmp -s "$TMP/out.good" "$TMP/out.now" && cmp -s "$TMP/file.good" "$TMP/file.now" || complain "$what: another result" ;;
        *:2 | *:3) [ "$(grep -vc '^counted' "$TMP/err")" -gt 0 ] || complain "$what: no message" ;;
        *) complain "$what: another status" ;;
      esac
      rest=$(find "$TMP/o" -name '.litscope*' | head -1)
      # Killed between two calls, a replacement is left under another name, and whole.
      [ $fault = kill ] && [ -n "$rest" ] && plain "$rest" | cmp -s - "$TMP/file.good" && rest=
      [ -z "$rest" ] || complain "$what: leaves $rest"
      [ -z "${FAULTS_EVERY:-}" ] || others "$what"
      k=$((k + 1))
    done
  done
}
for i in 1 2; do litscope check -j 1 -shard $i/2 litmus/rsp/RSP_Test1.litmus "$test" >"$TMP/shard$i"; done
each "$TMP/o/j" check -q -j 1 -json "$TMP/o/j" "$test" litmus/hrf/D1.litmus
each "$TMP/o/j" check -q -j 1 -junit "$TMP/o/j" "$test"
each "$TMP/o/index.html" report -q -j 1 -model sc -o "$TMP/o" litmus/c11/CoRR.litmus
each "$TMP/o/RSP_Test2-rsp-original-trace.svg" verify -q -j 1 -mapping rsp-original -o "$TMP/o" "$test"
each "$TMP/o/none" verify -q -j 1 -family 2x1 -mapping rsp-corrected
each "$TMP/o/none" cost rsp-ops
each "$TMP/o/cert" check -q -j 1 -certify "$TMP/o/cert" "$test"
each "$TMP/o/t/MP_rel_rlx_dev.litmus" translate -mapping opencl-ptx -o "$TMP/o/t" litmus/opencl/MP_rel_rlx_dev.litmus
if [ -n "${FAULTS_EVERY:-}" ]; then
  each "$TMP/o/cert" explore -j 1 -certify "$TMP/o/cert" -machine sc "$test"
  each "$TMP/o/cert" verify -j 1 -certify "$TMP/o/cert" -mapping rsp-original "$test"
  each "$TMP/o/cert" progress -j 1 -scheduler obe -certify "$TMP/o/cert" litmus/ptx/Spin.litmus
  each "$TMP/o/j" explore -j 1 -json "$TMP/o/j" "$test"
  each "$TMP/o/j" verify -j 1 -json "$TMP/o/j" "$test"
  each "$TMP/o/m.xml" synth -q -j 1 -cells 'load.acq.dev$' -steps 1 -family 2x1 -o "$TMP/o/m.xml"
  each "$TMP/o/trace" cost gpu-steal -params V=64 -record "$TMP/o/trace"
  each "$TMP/o/trace.gz" cost gpu-steal -params V=64 -record "$TMP/o/trace.gz"
  each "$TMP/o/none" cost rsp-ops -csv -o "$TMP/o"
  each "$TMP/o/none" gen -q -j 1 -cycle 'PodWW Rfe PodRR Fre' -orders ra -o "$TMP/o/g"
  each "$TMP/o/none" diff -q -j 1 -model opencl,opencl-rsp -family 2x1 -o "$TMP/o/d"
  each "$TMP/o/e/kernel.cu" run -emit cuda "$TMP/o/e" litmus/c11/SB_sc.litmus
  each "$TMP/o/none" compare -sum litmus/rsp/expected.tsv litmus/hrf/expected.tsv
  each "$TMP/o/none" merge "$TMP/shard1" "$TMP/shard2" -- check litmus/rsp/RSP_Test1.litmus "$test"
  each "$TMP/o/none" check -q -j 1 -shard 1/2 litmus/rsp/RSP_Test1.litmus "$test"
  each "$TMP/o/RSP_Test2-rsp-corrected.pml" explore -q -j 1 -mapping rsp-corrected -emit promela -o "$TMP/o" "$test"
  each "$TMP/o/Lock_TAS_2-hsa-run.svg" progress -q -j 1 -scheduler hsa -svg -o "$TMP/o" litmus/loops/Lock_TAS_2.litmus
  each "$TMP/o/none" explore -q -j 1 -mapping rsp-original -outcome true -svg -o "$TMP/o" "$test"
  each "$TMP/o/none" compile -o "$TMP/o/c" -target gfx90a tests/compilers/ISA2_wd.litmus
fi
exit $failed
