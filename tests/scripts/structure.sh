# SPDX-License-Identifier: MIT
# The code keeps to its plan (tests/structure), and the check that it does
# notices each kind of thing that does not.
set -eu
tests/structure

for room in hwsem models checker/base checker/exec checker/report tests/scripts; do mkdir -p "$TMP/plan/$room"; done
head='/* SPDX-License-Identifier: MIT */
/* A file that is planted here to be noticed. */'

# plant FILE, WHAT IS SAID, LINES: the file is noticed for that, and for nothing else.
plant() {
  printf '%s\n' "$3" >"$TMP/plan/$1"
  if tests/structure "$TMP/plan" >"$TMP/said"; then
    echo "$1 is not noticed: $3"
    exit 1
  fi
  test "$(wc -l <"$TMP/said")" = 1
  grep -q "^$1:[0-9]*: $2" "$TMP/said" || { cat "$TMP/said"; exit 1; }
  rm "$TMP/plan/$1"
}

for room in exec verdict cat litmus report cmd verify explain; do
  plant hwsem/planted.c "hwsem may not include $room" "$head
#include \"checker/$room/planted.h\""
done
plant checker/exec/planted.c 'exec may not include models_in_c' "$head
#include \"checker/models_in_c/models_in_c.h\""
plant checker/base/planted.c 'base may not include program' "$head
#include \"checker/program/program.h\""
plant checker/report/planted.h "report only writes, 'verdict_run' searches" "$head
struct verdict *v = verdict_run(0);"
plant checker/report/planted.h 'report only writes' "$head
#include \"checker/exec/search/search.h\""
plant checker/report/planted.c 'simulators are a program of their own' "$head
#include \"hwsem/timing/view_report.h\""
plant hwsem/state_hash_set.x.c 'the explorer knows no machine' "$head
#include \"hwsem/machines/gpu.h\""
plant checker/base/planted.c "'base.h' does not name its room" "$head
#include \"base.h\""
plant checker/base/planted.c "'operator' is a word of C++" "$head
int operator;"
plant checker/base/planted.c 'equal is' "$head
bool planted(void) { return strcmp(a, b(c)) == 0; }"
plant checker/base/planted.c 'equal is' "$head
bool planted(void) { return a && strcmp(a, b); }"
plant checker/base/planted.c 'no paragraph' '/* SPDX-License-Identifier: MIT */
int planted;'
plant checker/base/planted.h 'no licence' 'int planted;'
plant checker/base/planted.h 'its guard is not LITSCOPE_BASE_PLANTED_H' "$head
#ifndef LITSCOPE_PLANTED_H"
plant checker/base/planted.c 'there is no exec/gone.h' "$head
/* See exec/gone.h. */"
plant models/planted.cat 'no licence' '"planted"'
not='!'
plant tests/scripts/planted.sh '`set -e` is blind' "# SPDX-License-Identifier: MIT
set -e
$not grep -q wrong found"
body=$(yes '  planted();' | head -60)
plant checker/base/planted.c 'a function of 62 lines' "$head
static void planted(void) {
$body
}"
# Where there is git, which knows what is committed.
if git init -q "$TMP/plan" 2>/dev/null; then
  touch "$TMP/plan/left behind" && git -C "$TMP/plan" add .
  ! tests/structure "$TMP/plan" >"$TMP/said" || exit 1
  test "$(cat "$TMP/said")" = 'left behind:1: does not belong in the top folder'
fi
