# slow
# What `make install` puts in a package: the program finds its models without
# help, a program of one's own builds against both libraries, and uninstalling
# leaves nothing.
set -eu
make -s install PREFIX=/usr DESTDIR="$TMP/root" BUILD="$TMP/build" PROGRAM="$TMP/litscope" CFLAGS=-O0 >"$TMP/make.log" 2>&1 || {
  cat "$TMP/make.log"
  exit 1
}
root=$TMP/root/usr
(cd / && "$root/bin/litscope" check "$root/share/litscope/litmus/rsp/RSP_Test2.litmus") | grep -q '^Observation RSP_Test2 Never 0 2'
(cd / && "$root/bin/litscope" verify -mapping rsp-corrected "$root/share/litscope/litmus/rsp/RSP_Test2.litmus") | grep -q Sound

tests/schema/validate "$root/share/litscope/results.schema.json" /dev/stdin <<EOF
$("$root/bin/litscope" check -json - "$root/share/litscope/litmus/rsp/RSP_Test2.litmus")
EOF

sed -i "s,^prefix=.*,prefix=$root," "$root/lib/pkgconfig/litscope.pc"
export PKG_CONFIG_PATH="$root/lib/pkgconfig"
flags=$(pkg-config --cflags litscope)
# shellcheck disable=SC2086
cc -std=c17 -D_GNU_SOURCE $flags -o "$TMP/shared" tests/api/example.c $(pkg-config --libs litscope)
# shellcheck disable=SC2086
cc -std=c17 -D_GNU_SOURCE $flags -o "$TMP/static" tests/api/example.c "$root/lib/liblitscope.a" \
  $(pkg-config --static --libs litscope | sed 's/-llitscope//')
for program in shared static; do
  LD_LIBRARY_PATH="$root/lib" "$TMP/$program" "$root/share/litscope" litmus/rsp/RSP_Test2.litmus >"$TMP/$program.out"
  grep -q 'Observation RSP_Test2 Never 0 2' "$TMP/$program.out"
  grep -q 'rsp-original: Unsound' "$TMP/$program.out"
done

make -s uninstall PREFIX=/usr DESTDIR="$TMP/root"
left=$(find "$TMP/root" -type f -o -type l)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
