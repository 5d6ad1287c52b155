# SPDX-License-Identifier: MIT
# Models that are large, deep or expand without end are refused at once with one message.
test=tests/golden/cat/SB.litmus
repeat() { head -c "$2" /dev/zero | sed "s/\x00/$1/g"; }

refused() { # NAME MESSAGE, the model in $TMP/NAME.cat
  litscope check -model "$TMP/$1.cat" $test > "$TMP/out" 2> "$TMP/err"
  status=$?
  if [ $status -ne 2 ] && [ $status -ne 3 ] || [ "$(grep -c "$2" "$TMP/err")" -ne 1 ]; then
    echo "$1: status $status"
    cut -c1-200 "$TMP/err"
    exit 1
  fi
}

echo "let cross = po $(repeat 'rf ' 50000)" > "$TMP/arguments.cat"
refused arguments 'more than 2000 levels deep'
{ echo 'acyclic po'; repeat '\\po' 50000; } > "$TMP/differences.cat"
refused differences 'more than 2000 levels deep'
{ echo 'acyclic po;rf'; repeat '|po;rf' 150000; } > "$TMP/unions.cat"
refused unions 'too large'
echo "acyclic po$(repeat '?' 50000)" > "$TMP/options.cat"
refused options 'more than 2000 levels deep'
{ seq 50000 | sed 's/.*/let a& = po | rf/'; } > "$TMP/definitions.cat"
refused definitions 'too large'
repeat 'if "a" else ' 3000 > "$TMP/blocks.cat"
refused blocks 'more than 400 levels deep'
echo 'let rec f r = try f r with po acyclic f po' > "$TMP/try.cat"
refused try 'does a recursive function never end'
repeat 'with x from po ++ rf ++ {} ' 3000 > "$TMP/choices.cat"
refused choices 'more than 200 choices'
echo 'let rec f s = match s with || {} -> 0 || e ++ s -> f (e ++ s) end empty f W' > "$TMP/match.cat"
refused match 'does a recursive function never end'
