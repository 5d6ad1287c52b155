# SPDX-License-Identifier: MIT
# slow
# Accessibility of the report page: none of axe-core's rules is violated, with
# all sections open, at the width of a desk and of a phone.  axe-core: tests/fetch_axe_core.
set -u
command -v "${CHROMIUM:-chromium}" >/dev/null || { echo "no chromium"; exit 77; }
axe=$(tests/fetch_axe_core 2>&1) || { echo "$axe"; exit 77; }
litscope report -model opencl-rsp -mapping rsp-original -o "$TMP/page" \
  litmus/rsp/RSP_Test[1-4].litmus litmus/hrf/D1.litmus litmus/opencl/MP_wg_apart.litmus >"$TMP/out" 2>"$TMP/err" || [ $? = 1 ] ||
  { cat "$TMP/err"; exit 1; }
cat >"$TMP/script.pl" <<PERL
my (\$page, \$axe) = ('file://$TMP/page/index.html', '$axe');
PERL
cat >>"$TMP/script.pl" <<'PERL'
my $source = do { local $/; open my $in, '<', $axe or die "$axe: $!"; <$in> };
for my $width (1280, 390) {
  resize($width, 844);
  open_page($page);
  evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
  evaluate("new Promise(r => setTimeout(r, 50)).then(() => Promise.all([...document.images].map(i => i.decode())))");
  evaluate("$source; true");
  my $found = evaluate("axe.run().then(r => ({rules: r.passes.length, wrong: r.violations.map(v => v.id + ': ' + v.help + ' at ' + v.nodes.slice(0, 3).map(n => n.target + ' ' + n.html.slice(0, 120)).join('; '))}))");
  check($found->{rules} >= 15, "only $found->{rules} rules say something of the page");
  check(!@{$found->{wrong}}, "$width pixels: $_") for @{$found->{wrong}};
}
1;
PERL
tests/browser "$TMP/profile" "$TMP/script.pl"
