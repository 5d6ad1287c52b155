#!/bin/sh
# SPDX-License-Identifier: MIT
# What LLVM's NVPTX back end emits for each atomic operation, order and scope, against the
# recorded table ../shared/corpus/compilers/nvptx.tsv. Skipped where there is no table, or none
# of its compilers.
# slow
set -eu
table=${LITSCOPE_CORPUS:-../shared/corpus}/compilers/nvptx.tsv
[ -f "$table" ] || { echo "no $table"; exit 77; }

# The call of an operation: KIND.ORDER.SCOPE.
call_of() {
  order=${1#*.} scope=${1##*.}
  order=${order%%.*}
  [ "$order" != monotonic ] || order=relaxed
  case $order in acq_rel) failure=acquire ;; release) failure=relaxed ;; *) failure=$order ;; esac
  case $scope in
    cta) scope=memory_scope_work_group ;;
    gpu) scope=memory_scope_device ;;
    sys) scope=memory_scope_all_svm_devices ;;
    *) echo "unknown scope in $1" >&2; exit 1 ;;
  esac
  case $1 in
    load.*) echo "int r0 = atomic_load_explicit(x, memory_order_$order, $scope);" ;;
    store.*) echo "atomic_store_explicit(x, 1, memory_order_$order, $scope);" ;;
    add.*) echo "atomic_fetch_add_explicit(x, 1, memory_order_$order, $scope);" ;;
    cas.*) echo "int e = 0; atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_$order, memory_order_$failure, $scope);" ;;
    fence.*) echo "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_$order, $scope);" ;;
    *) echo "unknown operation $1" >&2; exit 1 ;;
  esac
}

# Instructions on memory but for arguments and results, in a line for each thread.
instructions() {
  sed -nE 's/^(P[0-9]+):$/\1/p; s/^ +((ld|st|atom|red|fence|membar)[.a-z0-9_]*) .*|^ +((fence|membar)[.a-z0-9_]*);.*/\1\3/p' |
    grep -vE '^(ld\.param\.|st\.global\.[bu]32$)' | awk '/^P/ { if (NR > 1) print line; line = ""; next }
      { line = line (line == "" ? "" : " ; ") $0 } END { print line }'
}

# The operations of a file, each a thread of one test.
compiled() {
  { printf 'OPENCL t\n{ x=0; }\n'
    thread=0
    while IFS="$(printf '\t')" read -r operation expected; do
      printf 'P%d (global atomic_int* x) { %s }\n' "$thread" "$(call_of "$operation")"
      thread=$((thread + 1))
    done < "$1"
    echo 'exists (x=0)'; } > "$TMP/t.litmus"
  litscope compile -target "$target" -compiler "$version" "$TMP/t.litmus" > "$TMP/out" 2> "$TMP/err"
}

tried=0
column=1
for compiler in $(head -1 "$table" | cut -f2- | tr '\t ' '\n:' | tr '\n' ' '); do
  column=$((column + 1))
  version=${compiler%%:*} target=$(echo "$compiler" | cut -d: -f2)
  version=llvm-${version#llvm}
  command -v "llc-${version#llvm-}" >/dev/null || continue
  cut -f1,$column "$table" | tail -n +2 > "$TMP/rows"
  tried=$((tried + $(wc -l < "$TMP/rows")))
  # What it cannot compile is refused by itself.
  grep 'FAILS$' "$TMP/rows" | while read -r row; do
    echo "$row" > "$TMP/row"
    ! compiled "$TMP/row" || { echo "$row, $version, $target: is compiled"; exit 1; }
  done
  grep -v 'FAILS$' "$TMP/rows" > "$TMP/good"
  compiled "$TMP/good" || { echo "$version, $target:"; cat "$TMP/err"; exit 1; }
  cut -f1 "$TMP/good" > "$TMP/names"
  instructions < "$TMP/out" | paste "$TMP/names" - > "$TMP/found"
  diff "$TMP/good" "$TMP/found" || { echo "$version, $target"; exit 1; }
done
[ $tried -gt 0 ] || { echo "none of llc-22 and llc-19: apt-get install llvm-22"; exit 77; }
echo "$tried operations"
