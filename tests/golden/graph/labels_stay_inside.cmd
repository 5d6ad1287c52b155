# The page has room for labels beyond the last node and curve.
litscope check -q -fail-on nothing -o $TMP -svg litmus/ptx/Multiply_fence_early.litmus >/dev/null
for f in $TMP/*.svg; do
  perl -0ne '
    my ($width) = /viewBox="0.00 0.00 ([\d.]+)/;
    my ($right) = /translate\(([\d.]+)/;
    print "labels: ", scalar(my @labels = /text-anchor="middle"/g), "\n";
    while (/text-anchor="middle" x="([-\d.]+)"[^>]*>([^<]*)</g) {
      print "beyond the page: $2\n" if $1 + $right + 3 * length($2) > $width;
    }' "$f"
done
