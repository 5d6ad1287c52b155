# SPDX-License-Identifier: MIT
# slow
# What `make install` puts in a package: the program finds its models without
# help, a program of one's own builds against both libraries, and uninstalling
# leaves nothing of litscope's and all else.  Folders' names have blanks.
set -eu
# From what is compiled already.
cp -a "$BUILD" "$TMP/build"
build() {
  make -s "$@" BUILD="$TMP/build" PROGRAM="$TMP/litscope" >"$TMP/make.log" 2>&1 || {
    cat "$TMP/make.log"
    exit 1
  }
}
build install PREFIX=/usr DESTDIR="$TMP/package"
installed=$TMP/package/usr
(cd / && "$installed/bin/litscope" check "$installed/share/litscope/litmus/rsp/RSP_Test2.litmus") | grep -q '^Observation RSP_Test2 Never 0 2'
(cd / && "$installed/bin/litscope" verify -mapping rsp-corrected "$installed/share/litscope/litmus/rsp/RSP_Test2.litmus") | grep -q Sound

tests/schema/validate "$installed/share/litscope/results.schema.json" /dev/stdin <<EOF
$("$installed/bin/litscope" check -json - "$installed/share/litscope/litmus/rsp/RSP_Test2.litmus")
EOF

# The header stands alone, in C and in C++, without a warning, and the libraries show what it declares and no more (but
# for weak symbols, which C++ code shares).
sed -i "s,^prefix=.*,prefix=$installed," "$installed/lib/pkgconfig/litscope.pc"
export PKG_CONFIG_PATH="$installed/lib/pkgconfig"
flags=$(pkg-config --cflags litscope)
[ "$(find "$installed/include" -type f)" = "$installed/include/litscope/litscope.h" ]
grep -o '\blitscope_[a-z_]*(' "$installed/include/litscope/litscope.h" | tr -d '(' | LC_ALL=C sort -u >"$TMP/declared"
for library in liblitscope.a liblitscope.so; do
  case $library in *.so) dynamic=-D;; *) dynamic=;; esac
  # shellcheck disable=SC2086
  nm -g $dynamic --defined-only "$installed/lib/$library" | sed -n 's/.* [A-UX-Z] //p' | LC_ALL=C sort -u >"$TMP/defined"
  diff "$TMP/declared" "$TMP/defined" || { echo "$library: declared and defined differ"; exit 1; }
done
cat >"$TMP/program.cc" <<'END'
#include <litscope.h>
int main() {
  litscope *session = litscope_new();
  litscope_test *test = litscope_test_parse(session, "x", "OpenCL", 6);
  int status = test || litscope_status(session) != 2 || !*litscope_messages(session);
  litscope_model *model = litscope_model_load(session, "opencl-rsp"); /* below DESTDIR: the tree was moved */
  if (!model) status = 1;
  litscope_model_free(model);
  litscope_free(session);
  return status;
}
END
# shellcheck disable=SC2086
cc -std=c99 -pedantic -Wall -Wextra -Werror $flags -fsyntax-only -x c - <"$installed/include/litscope/litscope.h"
# shellcheck disable=SC2086
c++ -pedantic -Wall -Wextra -Werror $flags -o "$TMP/plus" "$TMP/program.cc" $(pkg-config --libs litscope)
LD_LIBRARY_PATH="$installed/lib" "$TMP/plus"

# The example, with the shared library and with the static one.
cp "$installed/share/doc/litscope/examples/example.c" "$TMP"
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Werror $flags -o "$TMP/shared" "$TMP/example.c" $(pkg-config --libs litscope)
# shellcheck disable=SC2046,SC2086
cc -std=c99 -Wall -Wextra -Werror $flags -o "$TMP/static" "$TMP/example.c" \
  $(pkg-config --static --libs litscope | sed 's/-llitscope /-l:liblitscope.a /')
! ldd "$TMP/static" | grep litscope || exit 1
for program in shared static; do
  LD_LIBRARY_PATH="$installed/lib" "$TMP/$program" "$(pkg-config --variable=datadir litscope)" litmus/rsp/RSP_Test2.litmus \
    >"$TMP/$program.out"
  grep -q 'RSP_Test2 under opencl-rsp: Never' "$TMP/$program.out"
  grep -q 'rsp-original: Unsound' "$TMP/$program.out"
done

# pkg-config's flags name litscope's folders and no others; CMake and Meson, where they are, build the example by them.
for flag in $flags; do
  case $flag in -I*"$installed"*) ;; *) echo "pkg-config --cflags has $flag"; exit 1;; esac
done
for tool in cmake meson; do
  command -v "$tool" >/dev/null || continue
  (cd "$installed/share/doc/litscope/examples"
   case $tool in
     cmake) cmake -S . -B "$TMP/cmake" && cmake --build "$TMP/cmake";;
     meson) meson setup "$TMP/meson" . && meson compile -C "$TMP/meson";;
   esac) >"$TMP/$tool.log" 2>&1 || { cat "$TMP/$tool.log"; exit 1; }
  LD_LIBRARY_PATH="$installed/lib" "$TMP/$tool/example" litmus/rsp/RSP_Test2.litmus |
    cmp - "$TMP/shared.out"
done

# What the workflow says: it ends well with the states of a log, and badly with others.
sed -n '/- name: litmus$/,/- uses/s/^ \{10\}//p' "$installed/share/doc/litscope/examples/workflow.yml" >"$TMP/step"
mkdir -p "$TMP/project/tests"
cp litmus/rsp/RSP_Test2.litmus "$TMP/project/tests"
(cd "$TMP/project"
 PATH="$installed/bin:$PATH"
 litscope check tests/*.litmus >tests/expected.log &&
 sh -e "$TMP/step" && [ -s litmus.xml ] &&
 sed -i 's/1:r1=53/1:r1=54/' tests/expected.log &&
 ! sh -e "$TMP/step" >/dev/null 2>&1) || { echo "the workflow's step: wrong status"; exit 1; }

# Python finds module, library and models with no variable but the one that a prefix needs where no Python looks.
if command -v python3 >/dev/null && python3 -c 'import cffi' 2>/dev/null; then
  module=$(find "$installed" -name litscope.py)
  (cd / && PYTHONPATH=$(dirname "$module") PKG_CONFIG_PATH='' python3 -c 'import litscope as l; l.Session().model("rc11")')
  [ -n "$(find "$installed" -name '*.pyc')" ] || echo "no .pyc to remove: uninstalling it is not tried"
  (cd / && PYTHONPATH=$(dirname "$module") LITSCOPE_LIBRARY=/nowhere python3 -c 'import litscope' 2>&1) |
    grep -q 'ImportError: LITSCOPE_LIBRARY names /nowhere, which is no file'
fi

# Uninstalling removes what installing made, and no folder that was there before.
build uninstall PREFIX=/usr DESTDIR="$TMP/package"
left=$(find "$TMP/package" -mindepth 1)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }

# Names with blanks and quotes: others' files stay, of which some would be named by a word of such a name.
root="$TMP/a package" prefix="/opt/my 'own' tools"
mkdir -p "$root/opt/my" "$root$prefix/bin"
keep() { [ -f "$1" ] || { echo "not kept: $1"; exit 1; }; }
touch "$root/opt/my/file" "$root$prefix/bin/other"
build install PREFIX="$prefix" DESTDIR="$root"
(cd / && "$root$prefix/bin/litscope" models) | grep -q opencl-rsp
flags=$(PKG_CONFIG_PATH="$root$prefix/lib/pkgconfig" pkg-config --variable=libdir litscope)
[ "$flags" = "$prefix/lib" ] || { echo "pkg-config says $flags"; exit 1; }
build uninstall PREFIX="$prefix" DESTDIR="$root"
keep "$root/opt/my/file"
keep "$root$prefix/bin/other"
[ "$(find "$root" -type f | wc -l)" = 2 ] || { find "$root" -type f; exit 1; }
[ ! -d "$root$prefix/share" ]

# What has been built for one place is installed in another, by a name from here, with data elsewhere, by a name that
# is sorted before that of the folder it stands for, as any relative one is in a checkout that is sorted before /tmp.
here=$(realpath --relative-to=. "$TMP")
build install PREFIX="$here/relative" DATADIR="/.$TMP/data of mine"
[ ! -e "$TMP/relative/share/litscope" ] || exit 1
(cd / && "$TMP/relative/bin/litscope" models) | grep -q opencl-rsp
grep -qx "prefix=$(pwd)/$here/relative" "$TMP/relative/lib/pkgconfig/litscope.pc"
build uninstall PREFIX="$here/relative" DATADIR="/.$TMP/data of mine"
[ ! -e "$TMP/relative" ] && [ ! -e "$TMP/data of mine" ] || { find "$TMP/relative" "$TMP/data of mine"; exit 1; }

# What is not installed is not uninstalled; a build folder with a blank is refused, since make would take it for two.
! make -s uninstall PREFIX="$prefix" DESTDIR="$root" >"$TMP/make.log" 2>&1 || exit 1
grep -q 'no .*manifest: what is to be removed is not known' "$TMP/make.log"
! make -s clean BUILD="$TMP/a b" >"$TMP/make.log" 2>&1 || exit 1
grep -q 'blanks are possible in PREFIX and DESTDIR, not in these' "$TMP/make.log"
