# Help has what matters first, in groups; with -all everything that there is.
names() { sed -n 's/^\([A-Z].*:\)$/\1/p; s/^  -\([^ ]*\).*/  \1/p; s/^[0-9]* more options/More options/p'; }
litscope help check | names
for command in check explore verify report run cost; do
  litscope help $command -all >$TMP/all
  litscope $command -help -all | cmp - $TMP/all || exit 1
  litscope help $command | names | grep '^  ' >$TMP/first
  # Nothing that -all lacks, and few.
  names <$TMP/all | grep -cxFf $TMP/first
done
# A list that is short is shown whole.
litscope help compare | names
# A summary is as wide as the rest, and what status 1 means stands below the options.
litscope help compile | sed -n "3,6p"
for command in check diff run progress serve; do litscope help $command | sed -n "/^Exit status/,/^$/p"; done
litscope help | sed -n "/^exit status/,\$p"
litscope help -format man | sed -n "/^.Sh EXIT/,/^.Sh EX[AM]/p" | head -20
