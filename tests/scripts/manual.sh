# SPDX-License-Identifier: MIT
# plain
# Help, manual page and completions know every command and every option.
set -eu
litscope help -format man >"$TMP/litscope.1"
litscope help -format bash >"$TMP/bash"
litscope help -format zsh >"$TMP/zsh"
export TMP
bash -n "$TMP/bash"
if command -v zsh >/dev/null; then zsh -n "$TMP/zsh"; fi
commands=$(litscope help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
  grep -q "^\.It Cm $command" "$TMP/litscope.1" || { echo "litscope.1 lacks $command"; exit 1; }
  grep -q "^    $command)" "$TMP/bash" || { echo "the bash completion lacks $command"; exit 1; }
  grep -q "^  $command)" "$TMP/zsh" || { echo "the zsh completion lacks $command"; exit 1; }
  litscope help "$command" >"$TMP/help-$command"
  litscope "$command" -help | cmp - "$TMP/help-$command"
done
# In one process: there are hundreds of options.
cat >"$TMP/options.pl" <<'END'
use strict;
use warnings;
my ($folder, @commands) = @ARGV;
sub text { local (@ARGV, $/) = "$folder/$_[0]"; return scalar <> }
my ($manual, $bash, $zsh) = map { text($_) } 'litscope.1', 'bash', 'zsh';
my $options = 0;
for my $command (@commands) {
  my ($in_bash) = $bash =~ /^    $command\) options(.*)/m or die "bash: $command\n";
  my ($in_zsh) = $zsh =~ /^  $command\)(.*?);;/ms or die "zsh: $command\n";
  for my $option (text("help-$command") =~ /^  -([a-zA-Z-]+)/mg) {
    $options++;
    $manual =~ /^\.It Fl $option\b/m or die "litscope.1 lacks -$option\n";
    $in_bash =~ / -$option\b/ or die "bash: $command -$option\n";
    $in_zsh =~ /'\*?-$option\[/ or die "zsh: $command -$option\n";
  }
}
die "only $options options\n" if $options < 100;
END
perl "$TMP/options.pl" "$TMP" $commands || exit 1

# completes WORD... WANTED: what bash offers for the last word, joined by blanks.
cat >"$TMP/complete" <<'END'
. "$TMP/bash"
completes() {
  local wanted=${*: -1}
  COMP_WORDS=(litscope "${@:1:$#-1}") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _litscope litscope
  [[ "${COMPREPLY[*]}" == "$wanted" ]] || { echo "completes ${*:1:$#-1}: ${COMPREPLY[*]}, not $wanted"; exit 1; }
}
touch "$TMP/a test.litmus"
completes co 'compile cost compare'
completes check -mod -model
completes check --mod --model
completes -model hrf-r 'hrf-rsp hrf-rsp-native'
completes check -model sc,opencl-p sc,opencl-published
completes verify -mapping rsp-o rsp-original
completes verify -machine adsm-l adsm-lazy
completes verify -no-s -no-symmetry
completes explore -write-back '' 'fifo any'
completes cost rsp- 'rsp-ops rsp-steal'
completes cost -json "$TMP/a" "$TMP/a test.litmus"
completes check "$TMP/a" "$TMP/a test.litmus"
completes check -variant cas 'cascade cas-keeps-expected'
completes check -j '' ''
completes help ver verify
completes cost mapp 'mapping mappings'
completes list ma 'mappings machines'
completes list models opencl-r 'opencl-rsp opencl-rsp-published'
completes progress -scheduler h "hsa hsa+obe"
completes verify -knob write-b "write-back=any write-back=fifo"
completes explore -target gfx94 "$(litscope list targets | awk '/^gfx94/ { print $1 }' | xargs)"
END
bash "$TMP/complete"

if command -v groff >/dev/null; then
  for page in "$TMP/litscope.1" checker/man/*.[15]; do groff -mdoc -Tutf8 -ww "$page"; done >/dev/null 2>"$TMP/warnings"
  [ ! -s "$TMP/warnings" ] || { cat "$TMP/warnings"; exit 1; }
  # Two quotations on a line of a list come out as one within the other, without a warning.
  ! for page in "$TMP/litscope.1" checker/man/*.[15]; do groff -mdoc -Tutf8 "$page"; done | grep '’’' || exit 1
fi

# The page on models names all that is predefined.
perl -ne 'print "$1\n" if /^  X\((?!TAG)\w+, CAT_\w+, "([^" ]+)/' checker/cat/builtin_table.h >"$TMP/names"
perl -ne 'print "$1\n" if /^  X\(\w+, "([^" ]+)/' checker/base/tags.h | grep -v -e '^SC[12]$' -e '^SEMSC[12]$' >>"$TMP/names"
[ "$(wc -l <"$TMP/names")" -gt 100 ]
while read -r name; do
  grep -qE -- "(^| )$name( |\$)" checker/man/litscope-cat.5 || { echo "litscope-cat.5 does not name $name"; exit 1; }
done <"$TMP/names"
# Manual pages are right by mandoc, where that is: no odd quotes, no broken lines, dates with a day.
command -v mandoc >/dev/null || exit 0
mandoc -T lint -W style "$TMP/litscope.1" checker/man/*.[15] >"$TMP/lint" || true
! grep -v 'longer than 80 bytes\|referenced manual not found\|operating system explicitly specified' "$TMP/lint" || exit 1
