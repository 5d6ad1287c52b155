# SPDX-License-Identifier: MIT
# slow
# What litscope says of a data file, valid or not, xmllint says too: of all that
# are shipped, and of each with one attribute or element taken out, doubled,
# renamed or given another word.
set -u
command -v xmllint >/dev/null || { echo "no xmllint"; exit 77; }
cat >"$TMP/mutate.pl" <<'PERL'
use strict;
use warnings;
my ($folder, $every, @files) = @ARGV;
my $made = 0;
for my $file (@files) {
  my $text = do { local $/; open my $in, '<', $file or die; <$in> };
  my ($name) = $file =~ m{([^/]+)\.xml$};
  my @mutants = ($text);
  my $add = sub { push @mutants, substr($text, 0, $_[0]) . $_[2] . substr($text, $_[0] + $_[1]) };
  while ($text =~ /( [\w-]+)=("[^"]*")/g) {
    my ($at, $length, $key) = ($-[0], $+[0] - $-[0], $1);
    next if substr($text, 0, $at) =~ /<\?[^>]*$/;
    $add->($at, $length, '');
    $add->($at, $length, "$key=\"yes\"");
    $add->($at, $length, "$key=\"\"");
    $add->($at, $length, "$key=\"L2 dev\"");
    $add->($at, 0, ' level="L1"');
  }
  while ($text =~ m{<([\w-]+)[^<>]*/>|<(title|about|row|parameter)\b[^<]*</\2>}g) {
    my ($at, $length) = ($-[0], $+[0] - $-[0]);
    $add->($at, $length, '');
    $add->($at, 0, substr($text, $at, $length));
    $add->($at, 0, 'word');
    $add->($at, 0, '<meet/>');
  }
  for my $i (grep { $_ == 0 || $_ % $every == 0 } 0 .. $#mutants) {
    open my $out, '>', "$folder/$name.$i.xml" or die;
    print $out $mutants[$i];
  }
}
PERL
# Each kind of file: its schema, and a command that reads it and no more.
reads() {
  case $1 in
    mapping) echo "litscope compile -mapping" ;;
    translation) echo "litscope compile -mapping" ;;
    timing) echo "litscope cost mapping -machine" ;;
    *) echo "litscope explore -machine" ;;
  esac
}
judge() { # schema, files
  schema=$1
  shift
  mkdir -p "$TMP/$schema"
  perl "$TMP/mutate.pl" "$TMP/$schema" "${EVERY:-97}" "$@"
  for file in "$TMP/$schema"/*.xml; do
    xmllint --noout --nonet --relaxng "mappings/$schema.rng" "$file" >/dev/null 2>&1
    wanted=$?
    # Not found wanting by the schema: another complaint, or none.
    $(reads "$schema") "$file" litmus/rsp/RSP_Test2.litmus >"$TMP/out" 2>"$TMP/err"
    grep -q 'unknown \(attribute\|element\)\|unknown .*; expected\|unknown .*; did you\|lacks\|cannot stand\|cannot be the [a-z0-9-]* of <\|follow the schema\|is not an attribute\|must be a whole\|Start tag\|mismatch\|given twice\|expected a <\|unknown [a-z-]* ' "$TMP/err"
    refused=$?
    [ $wanted = 0 ] && [ $refused = 0 ] && { echo "$file is valid, and refused:"; head -3 "$TMP/err"; exit 1; }
    [ $wanted != 0 ] && [ $refused != 0 ] && { echo "$file is not valid, and taken:"; head -3 "$TMP/err"; exit 1; }
  done
}
judge mapping mappings/rsp-*.xml
judge translation mappings/opencl-*.xml
judge timing mappings/timing-rsp.xml
judge gpu mappings/gpu*.xml
judge adsm mappings/adsm-*.xml
judge amo mappings/amo.xml
judge machine mappings/sc.xml
judge amdgpu mappings/amdgpu.xml
exit 0
