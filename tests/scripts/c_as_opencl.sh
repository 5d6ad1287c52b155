#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenCL C is C where both have a word: random C tests read as OpenCL have the same
# states, executions and races, a failing compare-and-swap writing what it read.
# usage, for more tests: C_AS_OPENCL=FIRST,COUNT tests/run scripts/c_as_opencl
set -eu
range=${C_AS_OPENCL:-1,600}
mkdir "$TMP/c" "$TMP/opencl"
"$BUILD/tests/naive/generate" -language c -o "$TMP/c" "${range%,*}" "${range#*,}"
grep -lr compare_exchange "$TMP/c" > "$TMP/files"
[ "$(wc -l < "$TMP/files")" -ge $((${range#*,} / 20)) ] || { echo "no compare-and-swaps"; exit 1; }
while read -r file; do
  sed -e '1s/^C /OpenCL /' -e 's/^\(P[0-9]* (\)/\1global /; /^P[0-9]* (/s/, /, global /g' \
    -e 's/atomic_thread_fence(\(.*\));/atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, \1, memory_scope_device);/' \
    "$file" > "$TMP/opencl/${file##*/}"
done < "$TMP/files"
for language in c opencl; do
  # shellcheck disable=SC2046
  litscope check -q -model sc $(sed "s,^.*/,$TMP/$language/," "$TMP/files") | grep -v '^\(Time \|Hash=\)' > "$TMP/$language.log"
done
diff "$TMP/c.log" "$TMP/opencl.log"
