# SPDX-License-Identifier: MIT
# Coroutines by this machine's own switch, by swapcontext, and under the thread
# sanitizer, which must know of every change of stack.
for options in "" "-DCOROUTINE_PORTABLE" "-fsanitize=thread"; do
  cc -std=c17 -D_GNU_SOURCE -O1 -I. $options -o "$TMP/turns" hwsem/workloads/coroutine.c tests/scripts/coroutine/turns.c \
    2>"$TMP/errors" || case $options in -fsanitize*) continue ;; *) cat "$TMP/errors" && exit 1 ;; esac
  "$TMP/turns" || exit 1
done
