#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# A value each step of which uses the last one twice, as those of hash functions do, has 2^40 parts after 40 steps and
# but 80 different ones. All of these programs take far less than a second; walked from the root down, each would take
# hours.
set -eu
cd "$TMP"

# program NAME: the first thread's statements from standard input, with `%VAR` for 40 steps of VAR; the other writes to x.
program() {
  {
    printf 'C %s\n{ x=1; y=0; }\nP0 (atomic_int* x, atomic_int* y) {\n' "$1"
    awk '{
      if (!/^%/) { print; next }
      for (i = 0; i < 40; i++) {
        step = substr($0, index($0, " ") + 1)
        gsub(/r/, substr($1, 2), step)
        print step
      }
    }'
    printf '}\nP1 (atomic_int* x, atomic_int* y) {\n%s\n}\n%s\n' "$2" "$3"
  } >"$1.litmus"
}
write='atomic_store_explicit(x, 2, memory_order_relaxed);'
yes='atomic_store_explicit(y, 1, memory_order_relaxed);'
read='atomic_load_explicit(x, memory_order_relaxed)'
program doubled "$write" 'exists (y=1)' <<END
int a = $read;
%a r = r + r + (r ^ 1);
if (a == 3) $yes
END
program chosen "$write" 'exists (y=1)' <<END
int a = $read;
%a r = r > 3 ? r + r : r ^ r >> 1;
if (a == 3) $yes
END
program compared "$write" 'exists (y=1)' <<END
int a = $read, b = a;
%a r = r + (r ^ 5);
%b r = r + (r ^ 5);
if (a == b) $yes
END
program truths "$write" 'exists (y=1)' <<END
int a = $read;
%a r = (r && r + 1 > 2) || r - 3 < 7;
if (a) $yes
END
program stored 'int b = atomic_load_explicit(y, memory_order_relaxed); if (b > 5) atomic_store_explicit(x, 2, memory_order_relaxed);' \
  'exists (1:b=0)' <<END
int a = $read;
%a r = r + (r ^ 5);
atomic_store_explicit(y, a, memory_order_relaxed);
END
for engine in enumerate solve; do
  for name in doubled chosen compared truths stored; do
    litscope check -q -engine $engine $name.litmus | grep -E '^(Ok|No)$' | sed "s/^/$name $engine /"
  done
done >said
cat >expected <<'END'
doubled enumerate No
chosen enumerate No
compared enumerate Ok
truths enumerate Ok
stored enumerate Ok
doubled solve No
chosen solve No
compared solve Ok
truths solve Ok
stored solve Ok
END
diff expected said
