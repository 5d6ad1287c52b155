#!/bin/sh
# SPDX-License-Identifier: MIT
# libxml2, PCRE2 and zlib for WebAssembly, from Debian's source packages: as much of them as litscope calls.
#
# usage: libraries.sh FOLDER COMPILER    makes FOLDER/libraries.a and FOLDER/include
#
# None of their own configuration is run, which would take longer than compiling: a browser is always the same machine.
set -eu
compiler=$2
mkdir -p "$1/lists/partial" "$1/include/libxml" "$1/objects"
cd "$1"

# Lists of packages of our own: machines that install programs have no use for those of sources.
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR:-http://deb.debian.org/debian} $release main" \
  >debian.list
apt() {
  apt-get -qq -o Dir::Etc::SourceList="$PWD/debian.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$PWD/lists" \
    -o Dir::Cache::srcpkgcache="$PWD/source.cache" -o Dir::Cache::pkgcache="$PWD/cache" -o APT::Sandbox::User=root "$@"
}
ls libxml2_*.dsc pcre2_*.dsc zlib_*.dsc >/dev/null 2>&1 || {
  apt update
  apt source --download-only libxml2 pcre2 zlib
}
for library in libxml2 pcre2 zlib; do # with Debian's corrections
  rm -rf $library
  dpkg-source -x ${library}_*.dsc $library >/dev/null 2>&1
done

sed 's/@WITH_\(PATTERN\|REGEXPS\|SCHEMAS\)@/1/; s/@WITH_[A-Z0-9_]*@/0/; s/@VERSION@/2/; s/@LIBXML_VERSION_NUMBER@/20900/; s/@LIBXML_VERSION_EXTRA@//; s/@MODULE_EXTENSION@//' \
  libxml2/include/libxml/xmlversion.h.in >libxml2/include/libxml/xmlversion.h
for header in CTYPE ERRNO FCNTL FLOAT LIMITS MATH STDARG STDINT STDLIB STRING SYS_STAT SYS_TYPES TIME UNISTD; do
  echo "#define HAVE_${header}_H 1"
done >libxml2/config.h
echo '#define VA_COPY(to, from) va_copy(to, from)' >>libxml2/config.h
cp libxml2/include/libxml/*.h include/libxml
cp pcre2/src/config.h.generic pcre2/src/config.h
cp pcre2/src/pcre2_chartables.c.dist pcre2/src/pcre2_chartables.c
cp pcre2/src/pcre2.h.generic include/pcre2.h
cp zlib/zlib.h zlib/zconf.h include
# A header and nothing else.
cp "${XXHASH:-/usr/include/xxhash.h}" include

{
  for name in SAX2 buf chvalid dict encoding entities error globals hash list parser parserInternals pattern relaxng threads tree uri valid \
    xmlIO xmlmemory xmlregexp xmlschemas xmlschemastypes xmlstring xmlunicode; do
    echo "libxml2/$name.c"
  done
  for name in auto_possess chartables compile config context convert error extuni find_bracket match match_data newline \
    ord2utf pattern_info script_run string_utils study substring tables ucd valid_utf xclass; do
    echo "pcre2/src/pcre2_$name.c"
  done
  for name in adler32 compress crc32 deflate gzclose gzlib gzread gzwrite inffast inflate inftrees trees zutil; do
    echo "zlib/$name.c"
  done
} | xargs -P "$(nproc)" -I FILE sh -c "$compiler"' -Os -w -DNDEBUG -D_GNU_SOURCE -DHAVE_CONFIG_H -DHAVE_UNISTD_H=1 -DSUPPORT_UNICODE \
  -DPCRE2_CODE_UNIT_WIDTH=8 -Ilibxml2 -Ilibxml2/include -Ipcre2/src -Iinclude -Izlib -c -o objects/$(basename FILE .c).o FILE'
rm -f libraries.a
emar rcs libraries.a objects/*.o
