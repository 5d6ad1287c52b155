# Help, manual page and completions know every command and every option.
set -eu
litscope help -format man >"$TMP/man"
litscope help -format bash >"$TMP/bash"
litscope help -format zsh >"$TMP/zsh"
bash -n "$TMP/bash"
for command in $(litscope help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^\.It Cm $command" "$TMP/man" || { echo "litscope.1 lacks $command"; exit 1; }
  grep -q "^    $command)" "$TMP/bash" || { echo "the bash completion lacks $command"; exit 1; }
  grep -q "^  $command)" "$TMP/zsh" || { echo "the zsh completion lacks $command"; exit 1; }
  litscope help "$command" >"$TMP/help"
  litscope "$command" -help | cmp - "$TMP/help"
  for option in $(sed -n 's/^  -\([a-zA-Z-]*\).*/\1/p' "$TMP/help"); do
    grep -q "^\.It Fl $option\b" "$TMP/man" || { echo "litscope.1 lacks -$option"; exit 1; }
    sed -n "/^    $command) options/p" "$TMP/bash" | grep -q -e " -$option\b" || { echo "bash: $command -$option"; exit 1; }
    sed -n "/^  $command)/,/;;/p" "$TMP/zsh" | grep -q -e "'\*\?-$option\[" || { echo "zsh: $command -$option"; exit 1; }
  done
done
if command -v groff >/dev/null; then
  groff -mdoc -Tutf8 -ww "$TMP/man" >/dev/null 2>"$TMP/warnings"
  [ ! -s "$TMP/warnings" ] || { cat "$TMP/warnings"; exit 1; }
fi
