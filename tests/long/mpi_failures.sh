#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps divided among the processes of an MPI run give the bytes of one run where a rank
# is stopped, and where all are killed and go on from a journal.
set -eu
. tests/long/ranks

# A rank that is stopped in the middle holds nothing up: what it had is done by others.
long="diff -model opencl,opencl-rsp -j 1 -family 2x2,locations=1"
must 1 litscope $long >one.txt
timeout -s KILL 200 mpirun --oversubscribe --quiet -n 3 "$TMP/litscope-mpi" $long >stopped.txt 2>"$TMP/err" &
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
sed -n 's/^part [0-9a-f]* \([0-9]*\) .*/\1/p' killed | sort | uniq -d | grep . && { echo 'a part was written twice' >&2; exit 1; }
[ "$kills" -gt 0 ] || { echo 'nothing was killed' >&2; exit 1; }
exit 0
