#!/bin/sh
# SPDX-License-Identifier: MIT
# slow
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
numbers() { # of the parts in a file
  sed -n 's/^part [0-9a-f]* \([0-9]*\) .*/\1/p' "$1" | sort
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
  [ "$at" = 0 ] || [ "$at" -ge 200 ] || continue
  must 1 litscope $run -journal cut >again.txt
  same whole.txt again.txt "a journal cut at $at"
  [ "$(numbers cut | uniq -d)" = "" ] || { echo "a part twice, cut at $at" >&2; exit 1; }
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
must 0 litscope $synth -journal cells >again.txt
same whole-synth.txt again.txt 'synth, a journal with nothing left to do'
must 0 litscope synth -check s.xml.certificate >again.txt

# Protocols of ADSM.
adsm="verify -family adsm,4"
must 0 litscope $adsm -json adsm.json >whole-adsm.txt
mv adsm.json adsm-once.json
for i in 1 2 3; do litscope $adsm -json adsm.json -shard "$i/3" -j "$i" >"part$i"; done
must 0 litscope merge part2 part1 part3 -- $adsm -json adsm.json >merged.txt
same whole-adsm.txt merged.txt 'ADSM'
same adsm-once.json adsm.json 'ADSM, JSON'

# A line that was damaged counts for nothing, and one says so: the checksum, the text (`unit/test_parts` has every byte).
for damage in 's/^part ........ 1 /part 00000000 1 /' 's/^\(part ........ 1 .*\)0/\17/' 's/^of \(........\) \(.\)/of \1 7\2/'; do
  sed "$damage" all >damaged
  cmp -s all damaged && { echo "nothing is damaged by $damage" >&2; exit 1; }
  litscope merge damaged 2>err >again.txt || true
  grep -q 'this line is damaged' err
  cmp -s whole.txt again.txt || grep -q 'parts are missing' err
  must 1 litscope $run -journal damaged >again.txt 2>err
  same whole.txt again.txt "a damaged journal, $damage"
  grep -q 'this line is damaged' err
done

# What results depend on is named by no option: the language's model, the usual mapping and machine, the compiler.
litscope=$(command -v litscope)
mkdir lib lib/models lib/mappings bin
cp "$root"/models/*.cat lib/models
cp "$root"/mappings/*.xml "$root"/mappings/*.rng lib/mappings
cp "$root/litmus/opencl/MP_dev_apart.litmus" test.litmus
changed() { # LINE FILE ARGUMENTS...
  line=$1; file=$2; shift 2
  rm -f journal
  "$litscope" "$@" -journal journal test.litmus >once.txt 2>&1 || true
  "$litscope" "$@" -journal journal test.litmus >again.txt 2>&1 || true
  same once.txt again.txt "a journal of $*"
  echo "$line" >>"$file"
  must 2 "$litscope" "$@" -journal journal test.litmus 2>err >/dev/null
  grep -q 'has been changed since' err || { echo "$file was changed: $*" >&2; exit 1; }
}
changed '(* *)' lib/models/opencl-rsp.cat check -I lib
changed '(* *)' lib/models/opencl-rsp-base.cat check -I lib
changed '(* *)' lib/models/opencl-rsp.cat verify -I lib
changed '<!-- -->' lib/mappings/rsp-corrected.xml explore -I lib
changed '<!-- -->' lib/mappings/gpu.xml verify -I lib
changed ' ' test.litmus check
test_cut() { # ARGUMENTS...: what the clock has cut is printed, also by merge, and done again by the next run
  rm -f journal
  "$litscope" "$@" test.litmus | sed '/^Time/d' >whole.txt
  must 3 "$litscope" "$@" -timeout 0.000001 -journal journal test.litmus >cut.txt 2>err
  "$litscope" merge journal -- "$@" test.litmus >merged.txt 2>err || true
  same cut.txt merged.txt "a journal with what was cut: $*"
  "$litscope" "$@" -journal journal test.litmus | sed '/^Time/d' >again.txt
  same whole.txt again.txt "after a time limit: $*"
}
test_cut check
test_cut verify
printf '#!/bin/sh\ncase $1 in --version) echo LLVM version 22.1.0;; *) exit 1;; esac\n' >bin/llc
chmod +x bin/llc
path=$PATH
rm -f journal
PATH=$PWD/bin
"$litscope" explore -target gfx90a -journal journal test.litmus >/dev/null 2>err || true
PATH=$path
sed -i 's/22.1.0/22.1.1/' bin/llc
PATH=$PWD/bin
status=0
"$litscope" explore -target gfx90a -journal journal test.litmus >/dev/null 2>err || status=$?
PATH=$path
[ "$status" = 2 ]
grep -q 'has been changed since' err

# Tests from a pipe, which can be read once, are read once, and are what the journal is of.
rm -f journal
litscope check test.litmus | sed '/^Time/d' >whole.txt
for pass in 1 2; do
  litscope check -journal journal - <test.litmus | sed '/^Time/d' >again.txt
  same whole.txt again.txt "standard input, $pass"
  cat test.litmus | litscope check -journal journal - | sed '/^Time/d' >again.txt
  same whole.txt again.txt "a pipe, $pass"
done
{ cat test.litmus; echo; } >other.litmus
status=0
cat other.litmus | litscope check -journal journal - 2>err >/dev/null || status=$?
[ "$status" = 2 ]
grep -q 'has been changed since' err
mkfifo tests.fifo
echo test.litmus >tests.fifo &
litscope check -journal listed @tests.fifo | sed '/^Time/d' >again.txt
same whole.txt again.txt 'a list from a pipe'
# Killed again and again, later each few times: a busy machine comes to an end too.
must 1 litscope $count >whole.txt
kills=0
while :; do
  status=0
  timeout -s KILL "$((kills / 5)).$((11 + kills * 7 % 40))" litscope $count -journal killed >again.txt 2>/dev/null || status=$?
  [ "$status" = 1 ] && break
  kills=$((kills + 1))
  [ "$kills" -lt 200 ] || { echo 'a killed run does not come to its end' >&2; exit 1; }
done
same whole.txt again.txt "$kills kills"
numbers killed | uniq -d | grep . && { echo 'a part was done twice' >&2; exit 1; }

# Mappings, by parts: times differ, all else is the same.
sweep="verify -family 2x1,devices=2 -mapping rsp-original,rsp-corrected"
must 1 litscope $sweep | sed 's/^Time.*//' >whole.txt
for i in 1 2 3; do litscope $sweep -shard $i/3 >part$i; done
must 1 litscope merge part3 part1 part2 | sed 's/^Time.*//' >merged.txt
same whole.txt merged.txt 'a sweep of mappings'
must 1 litscope $sweep -journal sweep | sed 's/^Time.*//' >merged.txt
head -c 300 sweep >cut
must 1 litscope $sweep -journal cut | sed 's/^Time.*//' >again.txt
same whole.txt merged.txt 'a journal of mappings'
same whole.txt again.txt 'a journal of mappings that was cut'

# What was stopped in each of its parts is not whole when these are merged.
must 3 litscope verify -family 2x1,guarded,devices=2 -mapping rsp-corrected -j 4 -timeout 0.000001 -journal stopped 2>err
must 3 litscope merge stopped 2>err >merged.txt
grep -q 'a limit was reached: the counts cover what was done until then' err

# What does not fit.
litscope $run -shard 1/2 >half
must 2 litscope merge half 2>err
grep -q 'parts are missing' err
must 2 litscope merge half part1 2>err
grep -q 'belongs to another command' err
sed 's/litscope-parts 4/litscope-parts 3/' half >old
must 2 litscope merge old 2>err
grep -q 'not a file of parts' err
exit 0
