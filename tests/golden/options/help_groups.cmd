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
