# SPDX-License-Identifier: MIT
# slow
# The report page in a real browser: nothing on the console, pictures only once a
# row is opened, sorting, filtering, the keyboard, a header that stays, no
# sideways scroll on a phone.
set -u
litscope report -model sc,opencl,opencl-rsp -mapping rsp-original -o "$TMP/page" \
  litmus/rsp/RSP_Test[1-7].litmus litmus/hrf/D*.litmus litmus/opencl/MP*.litmus >"$TMP/out" 2>"$TMP/err" || [ $? = 1 ] ||
  { cat "$TMP/err"; exit 1; }
cat >"$TMP/script.pl" <<PERL
my \$page = 'file://$TMP/page/index.html';
PERL
cat >>"$TMP/script.pl" <<'PERL'
open_page($page);
my $rows = evaluate("document.querySelectorAll('#verdicts tbody tr').length");
my $pictures = evaluate("document.querySelectorAll('figure[data-picture]').length");
check($rows >= 20 && $pictures >= $rows, "$rows rows, $pictures pictures");
check(evaluate('document.images.length') == 0, 'pictures are read before a row is opened');

# A click on a name opens its section, whose pictures are then there, and no others.
evaluate("document.querySelector('#verdicts a[href=\"#t-RSP_Test2\"]').click()");
evaluate("new Promise(r => setTimeout(r, 50)).then(() => Promise.all([...document.images].map(i => i.decode())))");
check(evaluate("document.getElementById('t-RSP_Test2').open"), 'the link does not open the section');
my $shown = evaluate('document.images.length');
check($shown > 0 && $shown < 10, "$shown pictures after one row is opened");
check(evaluate("[...document.images].every(i => i.naturalWidth > 100 && i.alt)"), 'a picture is not drawn');

# Costs are sorted by amount, names by text, from the keyboard too.
my $column = "[...document.querySelectorAll('#verdicts thead button')].findIndex(b => b.textContent.startsWith('cost of'))";
my $ranks = "[...document.querySelectorAll('#verdicts tbody tr')].map(r => r.cells[$column].dataset.rank).filter(x => x).map(Number)";
my $ascends = "((a) => a.length > 5 && a.every((x, i) => !i || a[i - 1] <= x))";
evaluate("document.querySelectorAll('#verdicts thead button')[$column].focus()");
press('Enter');
check(evaluate("$ascends($ranks)"), 'costs are not sorted by amount: ' . evaluate("$ranks.join(' ')"));
check(evaluate("document.activeElement.parentNode.getAttribute('aria-sort')") eq 'ascending', 'no aria-sort');
press('Enter');
check(evaluate("$ascends($ranks.reverse())"), 'a second press does not turn the order');

# The keyboard reaches search, names and sections.
open_page($page);
my %reached;
for (1 .. 12 + $rows) { press('Tab'); $reached{evaluate("document.activeElement.tagName + (document.activeElement.type || '')")} = 1 }
check($reached{$_}, "Tab does not reach $_") for qw(INPUTsearch INPUTcheckbox BUTTONsubmit A DIV);
evaluate("document.querySelector('#search').focus()");
press($_) for split //, 'test1';
my $few = evaluate("[...document.querySelectorAll('#verdicts tbody tr')].filter(r => !r.hidden).length");
check($few > 0 && $few < $rows, "$few of $rows rows after a search");
check(evaluate("document.querySelector('#shown').textContent") eq "$few of $rows tests", 'the count is wrong');

# The header stays when the table is scrolled.
open_page($page);
my $top = evaluate("(t => { t.scrollTop = 400; return t.querySelector('thead th').getBoundingClientRect().top - t.getBoundingClientRect().top })(document.querySelector('#table'))");
check(abs($top) < 3, "the header is at $top");

# A phone: nothing to scroll sideways, with all sections open.
resize(390, 844);
open_page($page);
evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
evaluate("new Promise(r => setTimeout(r, 50)).then(() => Promise.all([...document.images].map(i => i.decode())))");
my $wide = evaluate('document.documentElement.scrollWidth');
check($wide <= 390, "$wide pixels wide on a phone of 390");
check(!@problems, "on the console: @problems");
1;
PERL
tests/browser "$TMP/profile" "$TMP/script.pl"
