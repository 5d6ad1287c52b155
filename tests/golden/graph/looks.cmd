# What pictures show: letters, instructions, relations, forms.
draw() { litscope check -q -through invalid -o "$TMP/o" "$@" litmus/rsp/RSP_Test2.litmus >"$TMP/log"; }
picture="$TMP/o/RSP_Test2-opencl-rsp-forbidden-0"
labels() { grep -o 'label="[^"]*"\|label=[a-z]*,' "$picture.dot" | tr '\n' ' '; echo; }
draw; labels
draw -letters true -graph columns; labels
grep -c 'subgraph cluster' "$picture.dot"
draw -instructions true -unshow gsw,po; labels
grep 'atomic_' "$picture.dot"
draw -doshow hb -graph free; labels
grep -c 'layout=nop2' "$picture.dot"
# Thick edges come first: thin ones that cross them are seen.
draw -svg
sed -n '/class="edge"/,/<\/g>/s/.*<path.*stroke="\([^"]*\)"\( stroke-width="3"\)*.*/\1\2/p' "$picture.svg"
xmllint --noout "$picture.svg"
# For papers: without the lines above, and as PDF.
draw -showlegend false; labels
draw -pdf; head -c 5 "$picture.pdf"; echo
# What an event is from is shown under the pointer.
draw -instructions hover
grep -o 'tooltip="[^"]*"' "$picture.dot"
