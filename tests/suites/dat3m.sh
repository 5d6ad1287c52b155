#!/bin/sh
# SPDX-License-Identifier: MIT
# Dat3M's litmus tests of GPUs, C and the Linux kernel, against its own lists of what they show
# (dartagnan/src/test/resources of hernanponcedeleon/Dat3M): conditions, races, and whether programs end, also of those
# programs that the lists have as comments, since Dartagnan cannot verify them.  Each list is
# asked under the models of Dat3M, and under litscope's where it has one; the kernel's under the model in the folder
# KERNEL (linux-kernel.bell, .def and .cat, as in catalogue/linux/cats of herd7), without which they are left out.
# usage: tests/suites/dat3m.sh FOLDER [LIST...]       (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/dat3m.sh FOLDER [LIST...]}
shift
skip=$folder/dartagnan/src/test/resources/dartagnan-skip.csv # where Dartagnan differs from herd7
[ $# -gt 0 ] || set -- PTXv6_0 PTXv7_5 VULKAN VULKAN-NOCHAINS OPENCL C11 RC11 VULKAN-DR VULKAN-DR-NOCHAINS OPENCL-DR \
  PTXv6_0-Liveness PTXv7_5-Liveness VULKAN-Liveness-Fair VULKAN-Liveness-HSA VULKAN-Liveness-OBE \
  VULKAN-Liveness-HSA_OBE VULKAN-Liveness-LOBE LKMM LKMM-DR
status=0

# ask QUESTION FILE OPTION...: 1, 0, or nothing without an answer
ask() {
  question=$1 file=$2
  shift 2
  case $question in
    condition) set -- check -fail-on nothing -unroll 0 -speedcheck fast "$@" ;;
    race) set -- check -fail-on nothing -unroll 0 "$@" ;;
    end) set -- progress "$@" ;;
  esac
  "${LITSCOPE:-./litscope}" "$@" -q -timeout 60 "$file" 2>/dev/null | awk -v question="$question" '
    /^Test / { checked = 1 }
    /^(Loop )?(Ok|No)$/ { condition = $NF == "Ok" }
    /^Flag (racy|data_race|data-race|[dD][rR])$/ { race = 1 }
    /^Progress / { checked = 1; ends = $NF == "Ends" }
    END { if (checked) print question == "race" ? !race + 0 : question == "end" ? ends : condition }'
}

# compare LIST QUESTION OPTION...: a line for each answer that differs, and one with the sum
compare() {
  list=$1 question=$2 agree=0 all=0
  shift 2
  while IFS=, read -r file want _; do
    [ "$question" != end ] || file=${file#; }
    case $file in litmus/*) ;; *) continue ;; esac
    if [ ! -f "$folder/$file" ] || { [ "$question" != end ] && grep -qx "$file" "$skip"; }; then continue; fi
    got=$(ask "$question" "$folder/$file" "$@")
    all=$((all + 1))
    if [ "$got" = "$want" ]; then agree=$((agree + 1)); else echo "$list: $file: expected $want, not ${got:-an error}"; fi
  done <"$folder/dartagnan/src/test/resources/$list-expected.csv"
  echo "$list: $agree of $all, with $*"
  [ "$agree" = "$all" ] || status=1
}

for list; do
  case $list in
    *-DR*) question=race ;;
    *-Liveness*) question=end ;;
    *) question=condition ;;
  esac
  case $list in
    VULKAN-Liveness-*)
      compare "$list" end -scheduler "$(echo "${list##*-}" | tr 'A-Z_' 'a-z+')" # HSA_OBE is hsa+obe
      continue
      ;;
    LKMM*)
      [ -n "${KERNEL-}" ] || { echo "$list: left out, since KERNEL names no folder"; continue; }
      compare "$list" "$question" -I "$KERNEL" -bell "$KERNEL/linux-kernel.bell" -macros "$KERNEL/linux-kernel.def" \
        -model "$KERNEL/linux-kernel.cat" -variant lkmmv2
      continue
      ;;
    PTXv6_0*) theirs=ptx-v6.0 ours=ptx-v6.0 ;;
    PTXv7_5*) theirs=ptx-v7.5 ours=ptx-v7.5 ;;
    VULKAN*NOCHAINS) theirs=vulkan-nochains ours=vulkan-nochains ;;
    VULKAN*) theirs=vulkan ours=vulkan ;;
    OPENCL*) theirs=opencl ours=opencl ;;
    C11) theirs=c11 ours= ;;
    RC11) theirs=rc11 ours=rc11 ;;
    *) echo "$list: no such list"; exit 2 ;;
  esac
  compare "$list" "$question" -model "$folder/cat/$theirs.cat"
  [ -z "$ours" ] || compare "$list" "$question" -model "$ours"
done
exit $status
