# SPDX-License-Identifier: MIT
# 100,000 tests in one run: every answer, in order, whatever -j is, and no more memory than their names need.
set -eu
[ -x /usr/bin/time ] || { echo 'no /usr/bin/time'; exit 77; }
cd "$TMP"
mkdir tests
perl -e 'for my $i (1 .. 100000) {
  open my $out, ">", "tests/t$i.litmus" or die;
  print $out "OpenCL T$i\n{ [x]=0; [y]=0; }\nP0 (global atomic_int* x, global atomic_int* y) { *x = 1; int r0 = *y; }\n",
    "P1 (global atomic_int* x, global atomic_int* y) { *y = 1; int r1 = *x; }\nexists (0:r0=0 /\\ 1:r1=2)\n";
}
open my $index, ">", "\@all" or die;
print $index map { "tests/t$_.litmus\n" } 1 .. 100000'
for jobs in 1 2; do
  /usr/bin/time -o memory -f %M litscope check -q -j $jobs @all | grep '^Observation' | cut -d' ' -f2-3 >"seen$jobs"
  [ "$(tail -1 memory)" -lt 40000 ] || { echo "-j $jobs: $(tail -1 memory) KiB"; exit 1; }
done
seq -f 'T%.0f Never' 1 100000 | cmp - seen1
cmp seen1 seen2
