# SPDX-License-Identifier: MIT
# For scripts that plant faults in engines (scripts/certify.sh, scripts/certify_machines.sh).

# engine FILE EXPRESSION WORD...: with FILE changed so, what `litscope WORD...` answers is wrong, and its certificate is
# rejected.
# shellcheck disable=SC2046
engine() {
  file=$1 expression=$2 command=$3
  shift 3
  sed "$expression" "$file" >"$TMP/changed.c"
  ! cmp -s "$file" "$TMP/changed.c" || { echo "$file: nothing to change"; exit 1; }
  cc -std=c17 -D_GNU_SOURCE -DNDEBUG -I. -O1 -DLITSCOPE_DATADIR='"."' -pthread -c -o "$TMP/changed.o" "$TMP/changed.c"
  cc -pthread -o "$TMP/litscope" "$BUILD/checker/cmd/main.o" "$TMP/changed.o" "$BUILD/commands.a" "$BUILD/liblitscope.a" \
    $(make -s print-LIBS)
  answers='^Observation\|^Verify\|^Progress\|^Flag'
  litscope "$command" "$@" 2>"$TMP/err" | grep "$answers" >"$TMP/right"
  "$TMP/litscope" "$command" -I models -I mappings -certify "$TMP/wrong.cert" "$@" >"$TMP/wrong" 2>"$TMP/err" || true
  ! grep "$answers" "$TMP/wrong" | cmp -s - "$TMP/right" || { echo "$file: the fault changes nothing"; exit 1; }
  status=0
  litscope-certify "$TMP/wrong.cert" >"$TMP/out" 2>"$TMP/err" || status=$?
  [ $status = 1 ] || { echo "$file changed by $expression: status $status"; cat "$TMP/err"; exit 1; }
}
