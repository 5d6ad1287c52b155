#!/bin/sh
# SPDX-License-Identifier: MIT
# Divided sweeps: shards that are merged, and journals of runs that were killed,
# give the same bytes as one run.
set -eu
root=$PWD
cd "$TMP"
run="diff -model opencl-rsp:remote-any,hrf-rsp:k1 -family 2x1,devices=2"
count="diff -model opencl,opencl-rsp -family 3x1"

same() {
  cmp "$1" "$2" || { echo "$3: not the same bytes" >&2; exit 1; }
}
must() { # STATUS COMMAND...
  wanted=$1; shift
  status=0
  "$@" || status=$?
  [ "$status" = "$wanted" ] || { echo "status $status instead of $wanted: $*" >&2; exit 1; }
}

# Shards, in any order and number of threads, also where there are more than parts.
must 1 litscope $count -json whole.json -o whole >whole.txt
mv whole.json whole-once.json
mv whole whole-once
for shards in 1 3 7; do
  files=
  for i in $(seq "$shards"); do
    litscope $count -json whole.json -o whole -shard "$i/$shards" -j $((i % 2 + 1)) >"part$i"
    files="part$i $files"
  done
  must 1 litscope merge $files -- $count -json whole.json -o whole >merged.txt
  same whole.txt merged.txt "$shards shards"
  same whole.json whole-once.json "$shards shards, JSON"
  diff -r whole whole-once
done
litscope $count -json whole.json -o whole -shard 200/200 >part200 # no part is left for it
must 1 litscope merge part1 part2 part3 part4 part5 part6 part7 part200 -- $count -json whole.json -o whole >merged.txt
same whole.txt merged.txt 'an empty shard'

# A journal cut at any byte goes on; what was cut is done again, and nothing twice.
must 1 litscope $run >whole.txt
must 1 litscope $run -journal all >/dev/null
size=$(wc -c <all)
for at in 0 1 20 $((size / 3)) $((size / 2)) $((size - 1)) "$size"; do
  head -c "$at" all >cut
  [ "$at" = 0 ] || [ "$at" -ge 120 ] || continue
  must 1 litscope $run -journal cut >again.txt
  same whole.txt again.txt "a journal cut at $at"
  [ "$(sort cut | uniq -d | grep -c '^part')" = 0 ] || { echo "a part twice, cut at $at" >&2; exit 1; }
done
must 1 litscope merge all >again.txt
same whole.txt again.txt 'a journal merged'

# The search for cells, in shards: the mapping and its certificate too. Both are dearer in what it begins with, so that
# what was found of one is asked again in what was found of the other.
awk '{ print } /<\/about>/ {
  print "<operation kind=\"load\" scope=\"dev\" order=\"acq\" remote=\"no\"><ld/><inv cache=\"L1\" target=\"dev\"/></operation>"
  print "<operation kind=\"store\" scope=\"dev\" order=\"rel\" remote=\"no\"><flu cache=\"L1\" target=\"dev\"/><st/></operation>"
}' "$root/mappings/rsp-corrected.xml" >dear.xml
synth="synth -mapping dear.xml -family 2x2,scopes=dev -steps 3 -cells (load.acq|store.rel).dev\$ -o s.xml"
must 0 litscope $synth >whole-synth.txt
[ "$(grep -c '^  cheaper' whole-synth.txt)" = 2 ] || { cat whole-synth.txt >&2; exit 1; }
mv s.xml once.xml
mv s.xml.certificate once.certificate
for i in 1 2 3; do litscope $synth -shard "$i/3" >"part$i"; done
[ ! -e s.xml ] || { echo 'a shard wrote the mapping' >&2; exit 1; }
must 0 litscope merge part3 part1 part2 -- $synth >merged.txt
same whole-synth.txt merged.txt 'synth'
same once.xml s.xml 'synth, the mapping'
same once.certificate s.xml.certificate 'synth, the certificate'
must 0 litscope $synth -journal cells >again.txt
head -n -2 cells >cut # within the rounds
must 0 litscope $synth -journal cut >again.txt
same whole-synth.txt again.txt 'synth, a journal cut'
must 0 litscope synth -check s.xml.certificate >again.txt

# Protocols of ADSM.
adsm="verify -exhaustive adsm,4"
must 0 litscope $adsm -json adsm.json >whole-adsm.txt
mv adsm.json adsm-once.json
for i in 1 2 3; do litscope $adsm -json adsm.json -shard "$i/3" -j "$i" >"part$i"; done
must 0 litscope merge part2 part1 part3 -- $adsm -json adsm.json >merged.txt
same whole-adsm.txt merged.txt 'ADSM'
same adsm-once.json adsm.json 'ADSM, JSON'

# Bytes that were damaged count for nothing.
sed 's/^part 1 ........ /part 1 00000000 /' all >damaged
must 1 litscope $run -journal damaged >again.txt
same whole.txt again.txt 'a damaged journal'

# Killed again and again.
must 1 litscope $count >whole.txt
kills=0
while :; do
  status=0
  timeout -s KILL "0.$((11 + kills * 7 % 40))" litscope $count -journal killed >again.txt 2>/dev/null || status=$?
  [ "$status" = 1 ] && break
  kills=$((kills + 1))
  [ "$kills" -lt 200 ] || { echo 'a killed run does not come to its end' >&2; exit 1; }
done
same whole.txt again.txt "$kills kills"
sed -n 's/^part \([0-9]*\) .*/\1/p' killed | sort | uniq -d | grep . && { echo 'a part was done twice' >&2; exit 1; }

# Mappings, by parts: times differ, all else is the same.
sweep="verify -exhaustive 2x1,devices=2 -mapping rsp-original,rsp-corrected"
must 1 litscope $sweep | sed 's/^Time.*//' >whole.txt
for i in 1 2 3; do litscope $sweep -shard $i/3 >part$i; done
must 1 litscope merge part3 part1 part2 | sed 's/^Time.*//' >merged.txt
same whole.txt merged.txt 'a sweep of mappings'
must 1 litscope $sweep -journal sweep | sed 's/^Time.*//' >merged.txt
head -c 300 sweep >cut
must 1 litscope $sweep -journal cut | sed 's/^Time.*//' >again.txt
same whole.txt merged.txt 'a journal of mappings'
same whole.txt again.txt 'a journal of mappings that was cut'

# What does not fit.
litscope $run -shard 1/2 >half
must 2 litscope merge half 2>err
grep -q 'parts are missing' err
must 2 litscope merge half part1 2>err
grep -q 'of another command' err
exit 0
