# SPDX-License-Identifier: MIT
# For scripts that plant faults in certificates (scripts/certify*.sh).

mkdir "$TMP/faulty"
planted=0

# plant NAME MUTATOR: the certificate $TMP/one, with each of the faults that it plants, is rejected.
plant() {
  rm -f "$TMP"/faulty/*
  "tests/certify/$2" "$TMP/one" "$TMP/faulty"
  status=0
  litscope-certify "$TMP"/faulty/* >"$TMP/out" 2>"$TMP/err" || status=$?
  sed -n "s,^$TMP/faulty/\([^:]*\):[0-9:]* rejected: .*,\1,p" "$TMP/err" | sort -u >"$TMP/rejected"
  LC_ALL=C ls "$TMP/faulty" | diff - "$TMP/rejected" >"$TMP/differs" && [ $status = 1 ] ||
    { echo "$1: status $status, and these are not rejected:"; cat "$TMP/differs"; exit 1; }
  planted=$((planted + $(wc -l <"$TMP/rejected")))
}
