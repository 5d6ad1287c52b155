# SPDX-License-Identifier: MIT
# slow
# Our own code has no error and no warning with clang, which takes C of atomics more strictly than gcc; that it links, and
# the tests build, is seen by `make lint-clang`.
set -eu
command -v clang >/dev/null || { echo "no clang: apt-get install clang"; exit 77; }
flags=$(sed -n 's,^WARNINGS = ,,p' Makefile)
drawing=libgvc not_drawing=
pkg-config --exists libgvc || { drawing= not_drawing='! -path checker/draw/*'; }
set -f
packages=$(make -s print-PACKAGES)
# shellcheck disable=SC2046,SC2086
find checker hwsem -name '*.c' ! -path 'checker/device/hosts/*' ! -name wire_mpi.c $not_drawing | sort |
  xargs -P 2 -n 20 clang -std=c17 -D_GNU_SOURCE -DLITSCOPE_VERSION='""' -DLITSCOPE_DATADIR='""' -DLITSCOPE_LIBEXECDIR='""' -I. \
    $(pkg-config --cflags $packages $drawing | sed 's/-I/-isystem /g') $flags -Werror -fsyntax-only >"$TMP/log" 2>&1 ||
  { head -40 "$TMP/log"; exit 1; }
