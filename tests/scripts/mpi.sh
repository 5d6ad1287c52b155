#!/bin/sh
# SPDX-License-Identifier: MIT
# slow
# Sweeps divided among the processes of an MPI run give the bytes of one run; ranks that
# are stopped or killed are ../long/mpi_failures.sh's. Wants Open MPI: apt-get install
# libopenmpi-dev openmpi-bin.
set -eu
. tests/long/ranks

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
sweep="verify -family 2x1,devices=2 -mapping rsp-original,rsp-corrected -j 2"
must 1 litscope $sweep | sed 's/^Time.*//' >one.txt
must 1 ranks 3 $sweep | sed 's/^Time.*//' >three.txt
same one.txt three.txt 'a sweep of mappings'
must 0 litscope diff -model opencl-rsp -family 2x1 >one.txt
must 0 ranks 2 diff -model opencl-rsp -family 2x1 >two.txt
same one.txt two.txt gen
synth="synth -family 2x2,guarded,scopes=dev -steps 3 -cells (load.acq|store.rel).dev\$ -j 1 -o s.xml"
must 0 litscope $synth >one.txt
mv s.xml.certificate one.certificate
must 0 ranks 3 $synth >three.txt
same one.txt three.txt synth
same one.certificate s.xml.certificate 'synth, the certificate'

# What is not divided is done once; errors are told once, and where only another rank has one, as its.
test="$LITSCOPE_LIB/litmus/rsp/MP_dev.litmus"
must 0 litscope progress "$test" | sed 's/^Time.*//' >one.txt
must 0 ranks 3 progress "$test" | sed 's/^Time.*//' >three.txt
same one.txt three.txt 'progress'
says 'litscope: warning: this is not divided: one rank does all of it'
must 2 ranks 3 diff -model opencl,no-such-model
[ "$(grep -c 'no-such-model' err)" = 1 ] || { echo 'an error is told more than once' >&2; exit 1; }
mpirun --oversubscribe --quiet -n 1 "$TMP/litscope-mpi" $run : -n 1 "$TMP/litscope-mpi" diff -model opencl,no-such-model \
  >two.txt 2>err || true
litscope $run >one.txt || true
same one.txt two.txt 'with a rank that cannot begin'
grep -q '^litscope: warning: rank 1 left with status 2: ' err || { echo 'a rank that failed says nothing' >&2; exit 1; }
exit 0
