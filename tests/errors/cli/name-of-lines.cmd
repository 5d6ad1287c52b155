# A message is one line, also where a name has two.
name=$(printf 'a\nb.litmus')
printf 'C x\n{ }\n' >"$TMP/$name"
cd "$TMP"
litscope check "$name" 'no
file.litmus'
