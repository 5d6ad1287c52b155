# SPDX-License-Identifier: MIT
# For scripts/certify_proofs.sh and long/certify_proofs.sh: random trees in place of a certificate's (tests/certify/prove.c).

# proofs SEED TREES FOLDER...: so many for each test under litmus/FOLDER.
proofs() {
  seed=$1 trees=$2
  shift 2
  for folder in "$@"; do
    litscope check -q -certify "$TMP/$folder" "litmus/$folder" >/dev/null 2>"$TMP/err" || true
    "$BUILD/tests/certify/prove" "$seed" "$trees" "$TMP/$folder" || { echo "litmus/$folder"; exit 1; }
  done
}

# planted FILE EXPRESSION FOLDER TREES: with FILE of the certifier changed so, some tree shows what is not so.
planted() {
  changed=$TMP/changed/checker/certify/$1
  mkdir -p "${changed%/*}"
  sed "$2" "checker/certify/$1" >"$changed"
  ! cmp -s "checker/certify/$1" "$changed" || { echo "$1: nothing to change: $2"; exit 1; }
  [ "$1" = decision_tree.c ] && sources=tests/certify/prove.c || sources="tests/certify/prove.c $changed"
  for file in checker/certify/*.c; do
    case $file in */main.c | */decision_tree.c | */"$1") ;; *) sources="$sources $file" ;; esac
  done
  # shellcheck disable=SC2086
  cc -std=c17 -D_GNU_SOURCE -DNDEBUG -O1 "-I$TMP/changed" -I. -o "$TMP/prove" $sources
  rm "$changed"
  status=0
  "$TMP/prove" 1 "$4" "$TMP/$3" >"$TMP/out" 2>"$TMP/err" || status=$?
  grep -q 'a tree shows something else' "$TMP/err" || { echo "$1 $2: status $status"; cat "$TMP/out" "$TMP/err"; exit 1; }
}
