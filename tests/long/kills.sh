#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kind of divided work, killed at random points until it ends, and in shards that
# are merged in any order, gives what one run gives; only times differ. KILL_SEED=N for
# other points.
set -eu
seed=${KILL_SEED:-1}
cd "$TMP"
same() {
  sed 's/^Time.*//; s/"seconds": *[0-9.e-]*/S/g; s/ time="[0-9.]*"//g' "$1" >left
  sed 's/^Time.*//; s/"seconds": *[0-9.e-]*/S/g; s/ time="[0-9.]*"//g' "$2" >right
  cmp left right || { diff left right | head -5 >&2; echo "$3: not the same" >&2; exit 1; }
}
random() { # MOST: the next number of a sequence
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  echo $((seed / 65536 % $1))
}

whole() { # COMMAND...: in one run, which must end as wanted
  status=0
  litscope "$@" -json whole.json >whole.txt 2>whole.err || status=$?
  [ "$status" = "$wanted" ] || { echo "$name: status $status" >&2; cat whole.err >&2; exit 1; }
  mv whole.json kept.json
}

# try NAME HUNDREDTHS STATUS COMMAND...: each time killed within so many hundredths of a second, and some
# more each time, so that it ends even where it takes long to begin
try() {
  name=$1 hundredths=$2 wanted=$3
  shift 3
  whole "$@"
  kills=0
  rm -f journal
  while :; do
    status=0
    at=$(($(random "$hundredths") + kills * hundredths / 8 + 1))
    timeout -s KILL "$((at / 100)).$(printf %02d $((at % 100)))" \
      litscope "$@" -json whole.json -journal journal >again.txt 2>again.err || status=$?
    [ "$status" = 137 ] || break
    kills=$((kills + 1))
    [ ! -e journal ] || flock -w 60 journal true # timeout does not wait for what it kills
    [ "$kills" -lt 300 ] || { echo "$name: does not come to its end" >&2; exit 1; }
  done
  [ "$status" = "$wanted" ] || { echo "$name: status $status after $kills kills" >&2; cat again.err >&2; exit 1; }
  same whole.txt again.txt "$name, $kills kills"
  same kept.json whole.json "$name, $kills kills, JSON"
  same whole.err again.err "$name, $kills kills, messages"
  sed -n 's/^part [0-9a-f]* \([0-9]*\) .*/\1/p' journal | sort | uniq -d | grep . && { echo "$name: a part twice" >&2; exit 1; }
  echo "$name: $kills kills"
}

shards() { # NAME N STATUS COMMAND...
  name=$1 count=$2 wanted=$3
  shift 3
  whole "$@"
  files=
  for i in $(seq "$count"); do
    litscope "$@" -json whole.json -shard "$i/$count" -j $((i % 2 + 1)) >"part$i" 2>/dev/null
    files="part$i $files"
  done
  [ ! -e whole.json ] || { echo "$name: a shard wrote the JSON of the whole" >&2; exit 1; }
  status=0
  litscope merge $files -- "$@" -json whole.json >merged.txt 2>merged.err || status=$?
  [ "$status" = "$wanted" ] || { echo "$name: status $status of merge" >&2; cat merged.err >&2; exit 1; }
  same whole.txt merged.txt "$name, $count shards"
  same kept.json whole.json "$name, $count shards, JSON"
  same whole.err merged.err "$name, $count shards, messages"
}

root=$OLDPWD
tests="$root/litmus/rsp $root/litmus/hrf $root/tests/errors/litmus/adsm-no-text.litmus"
many="$root/litmus/rsp $root/litmus/hrf $root/litmus/opencl $root/litmus/c11"
LITSCOPE_LIB=$root
export LITSCOPE_LIB

# Tests in folders, a bad one among them, several models and what is expected of them.
shards check 3 2 check -model opencl-rsp,hrf-rsp $tests
shards 'check with -expect' 4 0 check -expect "$root/litmus/rsp/expected.tsv" -model opencl,opencl-rsp "$root/litmus/rsp"
shards explore 2 0 explore -mapping rsp-corrected "$root/litmus/rsp"
shards verify 5 2 verify -mapping rsp-original,rsp-corrected "$root/litmus/rsp"
try check 8 1 check -model opencl-rsp,hrf-rsp -j 1 $many
try diff 100 1 diff -model opencl,opencl-rsp -family 2x2,locations=1 -j 2

# Sweeps of mappings.
ablate="verify -ablate -mapping rsp-short-lock -j 2"
shards ablate 2 0 $ablate
rm journal
litscope $ablate -json whole.json -journal journal >again.txt
head -c $(($(wc -c <journal) * (20 + $(random 60)) / 100)) journal >cut
litscope $ablate -json whole.json -journal cut >again.txt
same whole.txt again.txt 'ablate, a journal cut'
sed -n 's/^part [0-9a-f]* \([0-9]*\) .*/\1/p' cut | sort | uniq -d | grep . && { echo 'ablate: a part twice' >&2; exit 1; }
try exhaustive 15 1 verify -family 2x1,devices=2 -mapping rsp-original,rsp-corrected -j 2

# The search for a cell, and for several, of which each alone is a part.
shards 'synth of cells' 2 0 synth -family 2x2,guarded,scopes=dev -steps 6 -cells dev\$
shards 'synth' 3 0 synth -family 2x2,guarded,scopes=dev -steps 5 -cells store.rel.dev\$
try 'synth' 60 0 synth -family 2x2,guarded,scopes=dev -steps 5 -cells store.rel.dev\$ -j 2
try 'synth of cells' 60 0 synth -family 2x2,guarded,scopes=dev -steps 4 -cells dev\$ -j 2
synth="synth -family 2x2,guarded,scopes=dev -cells rmw.ar.dev\$ -steps 5 -j 2"
litscope $synth -o whole.xml >whole.txt
mv whole.xml.certificate kept.certificate
mv whole.xml kept.xml
kills=0
while :; do
  status=0
  timeout -s KILL "$((kills / 4)).$((kills % 4 * 2 + 1))$(random 10)" litscope $synth -o whole.xml -journal synth >again.txt 2>&1 || status=$?
  [ "$status" = 137 ] || break
  kills=$((kills + 1))
  [ ! -e synth ] || flock -w 60 synth true
done
same whole.txt again.txt "synth, $kills kills"
same kept.certificate whole.xml.certificate "synth, $kills kills, certificate"
same kept.xml whole.xml "synth, $kills kills, mapping"
cp synth complete
litscope merge complete -- $synth -o whole.xml >merged.txt
same whole.txt merged.txt 'synth, merged'
grep -v '^part [0-9a-f]* 0 ' synth >incomplete
status=0
litscope merge incomplete -- $synth -o whole.xml >merged.txt 2>err || status=$?
[ "$status" = 2 ] && grep -q 'parts are missing' err || { echo 'an incomplete journal of synth is merged' >&2; exit 1; }
echo "synth: $kills kills"
