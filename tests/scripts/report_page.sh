# SPDX-License-Identifier: MIT
# The web page is one well-formed file that loads nothing, and works in a
# browser where one is installed.
set -eu
cp litmus/rsp/RSP_Test2.litmus "$TMP"
export SOURCE_DATE_EPOCH=1000000000
litscope report -model sc,opencl-rsp -mapping rsp-original -o "$TMP/page" \
  litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test7.litmus litmus/rsp/RSP_Test12.litmus "$TMP/RSP_Test2.litmus" >"$TMP/out" || [ $? = 1 ]
[ "$(ls "$TMP/page")" = index.html ]
perl - "$TMP/page/index.html" <<'PERL'
use strict;
use warnings;
my $text = do { local $/; open my $in, '<', $ARGV[0] or die; <$in> };
my %void = map { $_ => 1 } qw(meta input img br);
my (@open, %ids);
my $markup = $text =~ s/<!--.*?-->|<!DOCTYPE[^>]*>//gsr =~ s/(<(?:script|style)\b[^>]*>).*?(?=<\/)/$1/gsr;
while ($markup =~ /<(\/?)([a-zA-Z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g) {
  my ($end, $tag, $attributes) = ($1, lc $2, $3);
  if ($end) {
    die "<$tag> is not closed where it should be\n" unless @open && pop @open eq $tag;
    next;
  }
  push @open, $tag unless $void{$tag} || $attributes =~ /\/$/;
  while ($attributes =~ /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g) {
    my ($name, $value) = (lc $1, $2 // $3 // $4);
    die "identifier $value occurs twice\n" if $name eq 'id' && $ids{$value}++;
    die "loads $value\n" if $name =~ /^(?:(?:xlink:)?(?:src|href)|data-picture)$/ && $value !~ /^(?:data:|#)/;
  }
}
die "not closed: @open\n" if @open;
$ids{"t-$_"} or die "no section for $_\n" for qw(RSP_Test2 RSP_Test2~2 RSP_Test7 RSP_Test12);
$text =~ /<button>cost of rsp-original<\/button>/ && $text =~ /<td class="" data-rank="107">P0=8 P1=79..107<\/td>/ or die "no costs\n";
die "too few pictures\n" if (() = $text =~ / data-picture="/g) < 4;
die "pictures are read at once\n" if $text =~ /<img/;
$text =~ m{<tfoot><tr><th scope="row">total</th><td>3 Never<br>1 Always</td>} or die "no totals\n";
$text =~ /litscope \d+\.\d+\.\d+, 2001-09-09\. Command: <code>litscope report -model sc,opencl-rsp / or die "says not what made it\n";
PERL
if ! command -v chromium >/dev/null; then exit 0; fi
# Shows what the page's own script makes of it: how many tests are listed.
# A link to a test by its name opens its section.
chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$TMP/browser" --dump-dom "file://$TMP/page/index.html#RSP_Test7" \
  >"$TMP/dom" 2>"$TMP/browser.log" || { tail -n 5 "$TMP/browser.log"; exit 1; }
grep -q '4 of 4 tests' "$TMP/dom"
grep -q '<details [^>]*id="t-RSP_Test7"[^>]* open=""' "$TMP/dom"
