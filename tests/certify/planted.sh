# SPDX-License-Identifier: MIT
# For scripts that plant faults in certificates (scripts/certify*.sh).

mkdir "$TMP/faulty"
planted=0

# plant NAME MUTATOR: the certificate $TMP/one, with each of the faults that it plants, is rejected.
plant() {
  rm -f "$TMP"/faulty/*
  "tests/certify/$2" "$TMP/one" "$TMP/faulty"
  for faulty in "$TMP"/faulty/*; do
    status=0
    litscope-certify "$faulty" >"$TMP/out" 2>"$TMP/err" || status=$?
    [ $status = 1 ] || { echo "$1, $(basename "$faulty"): status $status"; cat "$TMP/err"; exit 1; }
    planted=$((planted + 1))
  done
}
