#!/bin/sh
# SPDX-License-Identifier: MIT
# slow
# Sweeps divided among the processes of an MPI run give the bytes of one run: with
# three ranks, with a rank that is stopped, and where all are killed and go on from a
# journal. Wants Open MPI: apt-get install libopenmpi-dev openmpi-bin.
set -eu
command -v mpirun >/dev/null && pkg-config --exists mpi-c 2>/dev/null || { echo 'no Open MPI here'; exit 77; }
make -s MPI=1 BUILD="$BUILD" PROGRAM="$TMP/litscope-mpi" "$TMP/litscope-mpi" >"$TMP/make.log" 2>&1 || {
  cat "$TMP/make.log"
  exit 1
}
LITSCOPE_LIB=$PWD
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export LITSCOPE_LIB OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
cd "$TMP"
ranks() { # N ARGUMENT...: a run of N ranks with a thread each
  number=$1
  shift
  mpirun --oversubscribe --quiet -n "$number" "$TMP/litscope-mpi" "$@" 2>"$TMP/err"
}
same() {
  cmp "$1" "$2" || { echo "$3: not the same bytes" >&2; cat "$TMP/err" >&2; exit 1; }
}
says() { # LINE, with 7 for every number
  sed 's/[0-9][0-9.]*/7/g' err | grep -qx "$1" || { echo "not said: $1" >&2; cat err >&2; exit 1; }
}
must() { # STATUS COMMAND...
  wanted=$1; shift
  status=0
  "$@" || status=$?
  [ "$status" = "$wanted" ] || { echo "status $status instead of $wanted: $*" >&2; cat "$TMP/err" >&2; exit 1; }
}

# Three ranks, and one.
run="diff -model opencl-rsp:remote-any,hrf-rsp:k1 -family 3x1 -j 1"
must 1 litscope $run -json one.json >one.txt
mv one.json kept.json
must 1 ranks 3 $run -json one.json >three.txt
same one.txt three.txt 'three ranks'
same kept.json one.json 'three ranks, JSON'
says 'litscope: 7 parts in 7 s by 7 ranks: 7 7 7'
must 1 ranks 1 $run >alone.txt
same one.txt alone.txt 'one rank'
must 1 ranks 3 $run -q >quiet.txt
[ "$(grep -c litscope: err)" = 0 ] || { echo '-q says something' >&2; exit 1; }

# Several parts per rank and thread, and several targets.
sweep="verify -exhaustive 2x1,devices=2 -mapping rsp-original,rsp-corrected -j 2"
must 1 litscope $sweep | sed 's/^Time.*//' >one.txt
must 1 ranks 3 $sweep | sed 's/^Time.*//' >three.txt
same one.txt three.txt 'a sweep of mappings'
must 0 litscope gen -model opencl-rsp -family 2x1 >one.txt
must 0 ranks 2 gen -model opencl-rsp -family 2x1 >two.txt
same one.txt two.txt gen

# A rank that is stopped in the middle holds nothing up: what it had is done by others.
long="diff -model opencl,opencl-rsp -j 1 -family 2x2,locations=1"
must 1 litscope $long >one.txt
ranks 3 $long >stopped.txt &
mpi=$!
tries=0
while :; do
  victim=$(pgrep -f "$TMP/litscope-mpi diff" | xargs -r -n 1 sh -c 'ps -o comm= -p "$0" | grep -q ^litscope && echo "$0"' | tail -1)
  [ -z "$victim" ] || break
  tries=$((tries + 1))
  [ "$tries" -lt 200 ] || { echo 'no rank to stop' >&2; exit 1; }
  sleep 0.05
done
sleep 0.6
kill -STOP "$victim" 2>/dev/null || true
(sleep 25; kill -CONT "$victim" 2>/dev/null) &
wait "$mpi" || true
same one.txt stopped.txt 'a rank that is stopped'
says 'litscope: 7 parts, 7 ranks, 7 s\|litscope: 7 of 7 parts, 7 ranks, 7 s'
says 'litscope: warning: some ranks do not answer: they are ended'

# Killed again and again, with a journal.
must 1 litscope $long >one.txt
kills=0
while :; do
  status=0
  timeout -s KILL "$((1 + kills / 3)).$((kills * 7 % 10))" \
    mpirun --oversubscribe --quiet -n 3 "$TMP/litscope-mpi" $long -journal killed >again.txt 2>err || status=$?
  [ "$status" = 1 ] && break
  kills=$((kills + 1))
  [ "$kills" -lt 60 ] || { echo 'a killed run does not come to its end' >&2; cat err >&2; exit 1; }
done
same one.txt again.txt "$kills kills"
sed -n 's/^part \([0-9]*\) .*/\1/p' killed | sort | uniq -d | grep . && { echo 'a part was written twice' >&2; exit 1; }
[ "$kills" -gt 0 ] || { echo 'nothing was killed' >&2; exit 1; }

# What is not divided is done once; errors are told once, and where only another rank has one, as its.
test="$LITSCOPE_LIB/litmus/rsp/MP_dev.litmus"
must 0 litscope explore "$test" | sed 's/^Time.*//' >one.txt
must 0 ranks 3 explore "$test" | sed 's/^Time.*//' >three.txt
same one.txt three.txt 'explore'
says 'litscope: warning: this is not divided: one rank does all of it'
must 2 ranks 3 diff -model opencl,no-such-model
[ "$(grep -c 'no-such-model' err)" = 1 ] || { echo 'an error is told more than once' >&2; exit 1; }
mpirun --oversubscribe --quiet -n 1 "$TMP/litscope-mpi" $run : -n 1 "$TMP/litscope-mpi" diff -model opencl,no-such-model \
  >two.txt 2>err || true
litscope $run >one.txt || true
same one.txt two.txt 'with a rank that cannot begin'
grep -q '^litscope: warning: rank 1 left with status 2: ' err || { echo 'a rank that failed says nothing' >&2; exit 1; }
exit 0
