#!/bin/sh
# SPDX-License-Identifier: MIT
# memalloy's comparisons of C11 models (tests.sh of johnwickerson/memalloy), asked of `diff`: with how many operations do
# the first programs tell two models apart?  In a copy of its models, initial writes, which memalloy does not have, come
# first in the program order, and the order of seq_cst operations has the name of the herd of 2015.
# usage: tests/suites/memalloy.sh FOLDER              (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/memalloy.sh FOLDER}
models=$(mktemp -d)
trap 'rm -r "$models"' EXIT
for model in "$folder"/models/*.cat; do
  sed -e 's/^let po = sb$/let po = sb | (I * (EV \\ I))/' -e '/^"C" withsc/,$s/\bs\b/S/g' "$model" >"$models/${model##*/}"
done
status=0

# compare A B FAMILY OPERATIONS: what A allows and B forbids takes so many operations; -: there is nothing in the family
compare() {
  found=$("${LITSCOPE:-./litscope}" diff -q -I "$models" -model "$models/$1.cat,$models/$2.cat" -family "$3" |
    awk '/^operations/ { table = 1 } /^all/ { exit } table && $6 + $8 && !least { least = $1 }
         END { print table ? least ? least : "-" : "no answer" }') || true
  echo "$1, not $2, in $3: $found operations, expected $4"
  [ "$found" = "$4" ] || status=1
}

compare c11_simp c11_sra 2x2,orders=ra 4 # memalloy: 6 events, two of which observe what the condition asks about
compare c11_partial c11_lidbury 2x2,orders=sc 4
compare c11_nodrf sc 2x2,orders=na+sc 4
compare c11_orig c11_simp 2x2,orders=ra+sc - # memalloy: none with 4 events, some with 5
exit $status
