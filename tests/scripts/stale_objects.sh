# SPDX-License-Identifier: MIT
# plain
# An object is compiled again where a header was saved while the compiler ran, or the list of its headers is lost.
set -eu
mkdir -p "$TMP/tree/checker" "$TMP/tree/tests"
cp -R Makefile "$TMP/tree"
cp -R checker/base checker/page "$TMP/tree/checker"
cp tests/rules.mk "$TMP/tree/tests"
cd "$TMP/tree"
header=checker/base/arena.h
cat >cc <<'END'
#!/bin/sh
cc "$@" || exit
case "$*" in *' -c '*) echo compiled >&2 ;; esac
if [ -e save ]; then
  rm save
  echo >>checker/base/arena.h
  for word; do case $word in *.o | *.o.new) sleep 0.02; touch "$word" ;; esac; done # so late is it written
fi
END
chmod +x cc

# compiles YES|NO WHEN
compiles() {
  make --no-print-directory MAKEFLAGS= PKG_CONFIG=true CADICAL=no SPIRV=no CC=./cc build/checker/base/arena.o >log 2>&1 || { cat log; exit 1; }
  found=no
  ! grep -q '^compiled' log || found=yes
  [ "$found" = "$1" ] || { echo "compiled: $found, where $2"; exit 1; }
}
touch save
compiles yes 'there is no object'
compiles yes 'a header was saved while it was compiled'
compiles no 'nothing has changed'
rm build/checker/base/arena.d
echo >>$header
compiles yes 'the list of its headers is lost'
echo >>$header
compiles yes 'a header is new'
compiles no 'nothing has changed since'
