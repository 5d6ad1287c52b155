# SPDX-License-Identifier: MIT
# slow
# Threads that share work have no data race, as far as ThreadSanitizer sees it in the files that share it; all files,
# and more commands, are looked at by long/races.sh.
set -eu
[ -f "$BUILD/liblitscope.a" ] || exit 77
mkdir "$TMP/objects"
# shellcheck disable=SC2086
shared="checker/base/pool.c checker/base/out_of_memory_guard.c checker/base/parts.c checker/cmd/interrupts.c checker/exec/enumerate.c hwsem/explore_threads.c hwsem/adaptive_lock.c hwsem/successor_batch.c hwsem/visited_states.c hwsem/state_hash_set.c hwsem/packed_number_pairs.c hwsem/state_compression.c hwsem/state_compression_dictionary.c"
for source in $shared; do
  echo "$source"
done | xargs -P 2 -I '{}' sh -c 'cc -std=c17 -D_GNU_SOURCE -DNDEBUG -I. -O1 -g -fsanitize=thread -c -o "'"$TMP"'/objects/$(basename {} .c).o" {}' ||
  { echo "no ThreadSanitizer"; exit 77; }
# shellcheck disable=SC2046,SC2086
cc -pthread -fsanitize=thread -o "$TMP/litscope" "$TMP"/objects/*.o \
  "$BUILD/checker/cmd/main.o" "$BUILD/commands.a" "$BUILD/liblitscope.a" $(make -s print-LIBS)
try() {
  status=0
  TSAN_OPTIONS='exitcode=66' LITSCOPE_LIB=. "$TMP/litscope" "$@" >"$TMP/out" 2>"$TMP/err" || status=$?
  [ $status -lt 66 ] || { echo "litscope $*: status $status"; grep -A12 'WARNING: ThreadSanitizer' "$TMP/err" | head -40; exit 1; }
}
try check -q -j 4 litmus/rsp litmus/hrf
try check -q -j 4 litmus/opencl/IRIW_rel_acq_dev.litmus
try explore -q -j 4 -no-por -mapping rsp-original litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test4.litmus
try explore -q -j 2 -no-por -no-symmetry -max-states 50000 -compress true -mapping rsp-corrected litmus/rsp/RSP_Test9.litmus
try verify -q -j 4 -family 2x1 -mapping rsp-original
