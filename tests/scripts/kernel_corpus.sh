#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels in OpenCL C of Dat3M's suite give what its modules do that were compiled from them, with the same headers: each
# module `NAME-VARIANT.spvasm` from `NAME.cl` and what the variant defines. Those about schedulers end under the ones that
# their names say, as the modules for Vulkan do. Skipped where there is no clang-22 or suite.
# slow
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
suite=${LITSCOPE_CORPUS:-../shared/corpus}/spirv
[ -d "$suite/sources" ] || { echo "no $suite/sources"; exit 77; }

# The source with the longest name that this one begins with.
source_of() {
  name=$1
  while [ -n "$name" ]; do
    found=$(find "$suite/sources" -name "$name.cl")
    [ -z "$found" ] || break
    case $name in *-*) name=${name%-*} ;; *) name= ;; esac
  done
  echo "$found"
}

# What a variant's name says: -acq2rx, -dv2wg, -fail1, ...; the weakest has them all.
defines() {
  case $1 in
    *weakest*) echo "-DFAIL1 -DFAIL2 -DFAIL3 -DFAIL4" ;;
    *) echo "-DPLAIN $1" | grep -oE 'acq2rx|rel2rx|dv2wg|fail[0-9]|PLAIN' | tr '[:lower:]' '[:upper:]' | sed 's/^/-D/' | tr '\n' ' ' ;;
  esac
}

answer() {
  litscope check -q "$@" 2>&1 | grep -E '^(Ok|No|Loop|Flag)|error' | sort -u || [ $? = 1 ]
}

compared=0
cut -f1 "$suite/expected.tsv" | sort -u | grep ^opencl/ | grep -Ev 'gpuverify|termination' >"$TMP/modules"
while read -r module; do
  module=$suite/$module
  name=$(basename "$module" .spvasm)
  source=$(source_of "$name")
  [ -n "$source" ] || continue
  { sed -n 's,^; *@,// @,p' "$module"; cat "$source"; } >"$TMP/$name.cl"
  answer "$module" >"$TMP/module"
  answer -source-options "$(defines "$name")" "$TMP/$name.cl" >"$TMP/source"
  diff "$TMP/module" "$TMP/source" >"$TMP/diff" || { echo "$name:"; cat "$TMP/diff"; exit 1; }
  compared=$((compared + 1))
done <"$TMP/modules"
echo "$compared compared"
[ "$compared" -ge 41 ]

# ends NAME CONFIG WORD...: `SCHEDULER:Ends` or `SCHEDULER:Endless`
ends() {
  name=$1 config=$2
  shift 2
  for word; do
    answer=$(litscope progress -scheduler "${word%:*}" -config "$config" -input 'dev_flag={0,0}' -input 'wg_flag={0,0}' \
      -input 't_counter={0}' -input 'wg_counter={0}' "$suite/sources/opencl/termination/$name.cl" 2>&1 | grep ^Progress)
    [ "$answer" = "Progress $name ${word%:*} ${word#*:}" ] || { echo "$answer, not $word"; exit 1; }
  done
}
[ -d "$suite/sources/opencl/termination" ] || exit 0
ends mp-wg_hsa-t_hsa 2,1,2 wg=hsa/sg=hsa:Ends wg=hsa/sg=obe:Endless wg=obe/sg=hsa:Endless fair:Ends
ends mp-wg_hsa-t_obe 2,1,2 wg=hsa/sg=hsa:Endless wg=hsa/sg=obe:Ends wg=obe:Endless fair:Ends
ends mp-wg_obe-t_hsa 2,1,2 wg=hsa:Endless wg=obe/sg=hsa:Ends wg=obe/sg=obe:Ends fair:Ends # its barrier starts all
ends mp-wg_obe-t_obe 2,1,2 wg=hsa:Endless wg=obe/sg=hsa:Endless wg=obe/sg=obe:Ends fair:Ends
ends non-uniform-barrier 1,1,2 fair:Ends
ends non-uniform-barrier 2,1,2 fair:Endless
