#!/bin/sh
# SPDX-License-Identifier: MIT
# memalloy's comparisons of models (tests.sh of johnwickerson/memalloy).  Where it looks for any program, so does `diff`
# here: with how many operations do the first programs tell two models apart?  Where it is given an execution, or finds
# one of 5 events and more, the program of that execution is asked about.
# In a copy of its models, initial writes, which memalloy does not have, come first in the program order; REL and ACQ
# contain all orders that release and acquire, as its sets do; the order of seq_cst operations has the name of the herd
# of 2015; and for PTX of 2013, fences are as its option -fencerels has them, and co is total.
# usage: tests/suites/memalloy.sh FOLDER              (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/memalloy.sh FOLDER}
models=$(mktemp -d)
trap 'rm -r "$models"' EXIT
for model in "$folder"/models/*.cat; do
  sed -e 's/^let po = sb$/let po = sb | (I * (EV \\ I))/' -e '/^"C" withsc/,$s/\bs\b/S/g' \
    -e '/^"BASIC"/a let REL = REL | ACQ_REL | SC let ACQ = ACQ | ACQ_REL | SC' \
    -e '/^include "basic_H.cat"/a let membar_cta = po; [F & CTA]; po let membar_gl = po; [F & GPU]; po let membar_sys = po; [F & SYS]; po let sgl = dev empty ((W * W) & loc) \\ (co | co^-1 | id) as total' \
    "$model" >"$models/${model##*/}"
done
all=0 agree=0
told() { # COMPARISONS WHAT FOUND EXPECTED: so many of memalloy's comparisons have this answer
  echo "$2: $3, expected $4"
  all=$((all + $1))
  [ "$3" != "$4" ] || agree=$((agree + $1))
}

# compare COMPARISONS A B FAMILY OPERATIONS: what A allows and B forbids takes so many operations; -: there is nothing in
# the family
compare() {
  found=$("${LITSCOPE:-./litscope}" diff -q -I "$models" -model "$models/$2.cat,$models/$3.cat" -family "$4" |
    awk '/^operations/ { table = 1 } /^all/ { exit } table && $6 + $8 && !least { least = $1 }
         END { print table ? least ? least : "-" : "no answer" }') || true
  told "$1" "$2, not $3, in ${4##*/}: operations" "$found" "$5"
}

# ask COMPARISONS MODEL TEST OBSERVATION
ask() {
  found=$("${LITSCOPE:-./litscope}" check -q -force -fail-on nothing -model "$models/$2.cat" "$models/$3.litmus" |
    awk '/^Observation/ { print $3 }') || true
  told "$1" "$3 under $2" "$found" "$4"
}

# Initial writes are no events there, and of c11_sra's two are reads of what the condition asks about.
compare 3 c11_simp c11_sra 2x2,orders=ra 4
compare 2 c11_partial c11_lidbury 2x2,orders=rlx+sc 4
compare 1 c11_nodrf sc 2x2,orders=na+sc 4
compare 1 c11_orig c11_simp 2x2,orders=ra+sc -
echo 'Wxar1|Wxac2 Ryac|Wyac3 Rxac (wg 0,1,2 dev 0,0,0)' >"$models/five"
compare 1 c11_orig c11_simp "$models/five" 5

# cas X FROM TO ORDER: a thread's compare-and-swap that is to succeed
cas() {
  echo "  int e = $2; int r0 = atomic_compare_exchange_strong_explicit($1, &e, $3, memory_order_$4, memory_order_relaxed);"
}
xy='(atomic_int* x, atomic_int* y)'
passes() { # FROM TO: a thread that passes on what it reads
  echo "  int r0 = atomic_load_explicit($1, memory_order_relaxed);"
  echo "  atomic_thread_fence(memory_order_acq_rel);"
  echo "  atomic_store_explicit($2, 1, memory_order_relaxed);"
}
{
  echo 'C nienhuis { [x]=0; [y]=0; }'
  echo "P0 $xy { $(cas y 2 3 release) atomic_store_explicit(y, 4, memory_order_relaxed); }"
  echo "P1 $xy { $(passes y x) }"
  echo "P2 $xy { $(cas x 1 2 acquire) }"
  echo "P3 $xy { $(cas y 1 2 acquire) }"
  echo "P4 $xy { $(passes x y) }"
  echo "P5 $xy { $(cas x 2 3 release) atomic_store_explicit(x, 4, memory_order_relaxed); }"
  echo 'exists (0:r0=1 /\ 1:r0=4 /\ 2:r0=1 /\ 3:r0=1 /\ 4:r0=4 /\ 5:r0=1)'
} >"$models/nienhuis.litmus"
ask 1 c11_simp nienhuis Sometimes
ask 1 c11_swrf nienhuis Never

# c11_strengthening: what is forbidden becomes possible when two threads are joined, or an order is made stronger.
reads="int r0 = atomic_load_explicit(x, memory_order_relaxed); int r1 = 0;
  if (r0 == 1) { r1 = *a; if (r1 == 1) { atomic_store_explicit(y, 1, memory_order_relaxed); } }"
passes_y="int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0 == 1) { atomic_store_explicit(x, 1, memory_order_relaxed); }"
xya='(atomic_int* x, atomic_int* y, int* a)'
echo "C apart { [x]=0; [y]=0; [a]=0; } P0 (int* a) { *a = 1; } P1 $xya { $reads } P2 $xy { $passes_y } exists (1:r1=1)" \
  >"$models/apart.litmus"
echo "C joined { [x]=0; [y]=0; [a]=0; } P0 $xya { *a = 1; $reads } P1 $xy { $passes_y } exists (0:r1=1)" >"$models/joined.litmus"
for order in relaxed release; do
  echo "C fence_$order { [x]=0; [y]=0; [a]=0; }
P0 $xya { *a = 1; atomic_thread_fence(memory_order_$order); $passes_y }
P1 $xya { $(echo "$reads" | sed '1s/relaxed/acquire/') } exists (1:r1=1)" >"$models/fence_$order.litmus"
done
ask 1 c11_simp apart Never
ask 1 c11_simp joined Sometimes
ask 1 c11_simp fence_relaxed Never
ask 1 c11_simp fence_release Sometimes

cat >"$models/WWC.litmus" <<'L'
PTX WWC
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0 ;
 st.weak y, 2   | ld.weak r0, y  | ld.weak r0, x  ;
                | membar.cta     | membar.gl      ;
                | st.weak x, 1   | st.weak y, 1   ;
exists (1:r0=2 /\ 2:r0=1 /\ y=2)
L
ask 0 ptx_orig WWC Sometimes
ask 1 ptx_cumul WWC Never
echo "$agree of $all comparisons agree"
[ "$agree" = "$all" ]
