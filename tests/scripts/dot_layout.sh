# SPDX-License-Identifier: MIT
# DOT text carries its layout: `dot`, `neato -n` and -svg show the same picture,
# but for where the page begins.
set -eu
for tool in dot neato; do
  command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
tests="litmus/rsp/RSP_Test2.litmus litmus/opencl/MP_wg_apart.litmus litmus/adsm/A3.litmus"
# shellcheck disable=SC2086
litscope check -o "$TMP/g" -show all -through all -nshow 3 $tests >"$TMP/log"
# shellcheck disable=SC2086
litscope check -o "$TMP/g" -show all -through all -nshow 3 -svg $tests >"$TMP/log"

# Texts and the starts of lines, counted from the first text.
places() {
  perl -0ne '
    my @at;
    push @at, [$1, $2, $3] while /<text [^>]*x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]*)</g;
    push @at, [$1, $2, "line"] while /<path [^>]*d="M([-\d.]+),([-\d.]+)/g;
    printf "%.0f %.0f %s\n", 2 * ($_->[0] - $at[0][0]), 2 * ($_->[1] - $at[0][1]), $_->[2] for @at;' "$1" | LC_ALL=C sort
}

count=0
for dot in "$TMP"/g/*.dot; do
  dot -Tsvg "$dot" >"$TMP/dot.svg"
  neato -n -Tsvg "$dot" >"$TMP/neato.svg"
  cmp "$TMP/dot.svg" "$TMP/neato.svg"
  places "${dot%.dot}.svg" >"$TMP/ours"
  places "$TMP/dot.svg" >"$TMP/theirs"
  diff "$TMP/ours" "$TMP/theirs"
  count=$((count + 1))
done
[ "$count" -ge 5 ] || { echo "only $count pictures"; exit 1; }
