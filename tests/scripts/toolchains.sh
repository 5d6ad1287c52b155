# SPDX-License-Identifier: MIT
# slow
# musl and another processor, as far as packages go: every source file is
# compiled without a warning, and those that need only the C library are linked
# and give the logs that they give here.  For musl: apt-get install musl-tools;
# for aarch64: gcc-aarch64-linux-gnu qemu-user.
set -eu
found=
headers=$TMP/headers
mkdir -p "$headers"
# Headers of libraries, without those of this machine's C library beside them.
for header in pcre2.h xxhash.h zlib.h zconf.h unicode; do
  [ ! -e "/usr/include/$header" ] || ln -s "/usr/include/$header" "$headers/$header"
done
plain="$(ls checker/base/*.c checker/program/*.c checker/litmus/*.c checker/cat/*.c checker/exec/*.c checker/exec/*/*.c checker/verdict/*.c) \
  checker/report/log.c checker/verify/machine_outcomes.c hwsem/explore.c hwsem/state_hash_set.c hwsem/explore_threads.c tests/api/check.c"
tests="litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test4.litmus litmus/hrf/D3.litmus litmus/opencl/MP_wg_apart.litmus"

# try NAME COMPILER RUN: compiles everything, links what is plain, compares logs.
try() {
  name=$1 compiler=$2 run=$3
  command -v "$compiler" >/dev/null || return 0
  # shellcheck disable=SC2086
  flags="-std=c17 -D_GNU_SOURCE -I. -isystem $headers -isystem /usr/include/libxml2 -Wall -Wextra -Werror -O0 -pthread -DLITSCOPE_VERSION=\"0\""
  # shellcheck disable=SC2046,SC2086
  $compiler $flags -fsyntax-only $(grep -LE '<(gvc|cgraph|mpi)[.]h>|draw/draw[.]h|page/browser[.]h' checker/*/*.c checker/exec/*/*.c hwsem/*.c hwsem/*/*.c) ||
    { echo "$name: not compiled"; exit 1; }
  # shellcheck disable=SC2086
  $compiler $flags -static -ffunction-sections -fdata-sections -Wl,--gc-sections -o "$TMP/$name" $plain -lm ||
    { echo "$name: not linked"; exit 1; }
  # shellcheck disable=SC2086
  if [ -z "$run" ] || command -v ${run%% *} >/dev/null; then
    $run "$TMP/$name" models/opencl.cat $tests | grep -v '^Time' >"$TMP/$name.log"
    litscope check -model opencl $tests 2>"$TMP/err" | grep -v '^Time' >"$TMP/ours.log"
    sed '/^Verdicts/,$d' "$TMP/ours.log" | diff - "$TMP/$name.log" || { echo "$name: another log"; exit 1; }
  fi
  found="$found $name"
}
try musl musl-gcc ""
try aarch64 aarch64-linux-gnu-gcc "qemu-aarch64"
[ -n "$found" ] || { echo "neither musl-gcc nor aarch64-linux-gnu-gcc"; exit 77; }
