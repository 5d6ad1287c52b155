# SPDX-License-Identifier: MIT
# slow
# Accessibility of the page of `make page`: none of axe-core's rules is violated, at
# the width of a desk and of a phone, in the light and in the dark, with an answer,
# with errors, and with a machine's run.  axe-core: tests/fetch_axe_core.
set -u
page=$PWD/$BUILD/page/index.html
case $BUILD in /*) page=$BUILD/page/index.html ;; esac
[ -f "$page" ] || { echo "no page: make page"; exit 77; }
axe=$(tests/fetch_axe_core 2>&1) || { echo "$axe"; exit 77; }
cat >"$TMP/script.pl" <<PERL
my (\$page, \$axe) = ('file://$page', '$axe');
PERL
cat >>"$TMP/script.pl" <<'PERL'
my $source = do { local $/; open my $in, '<', $axe or die "$axe: $!"; <$in> };
sub examine {
  my ($what) = @_;
  my $found = evaluate("axe.run().then(r => ({rules: r.passes.length, wrong: r.violations.map(v => v.id + ': ' + v.help + ' at ' + v.nodes.slice(0, 3).map(n => n.target + ' ' + n.html.slice(0, 120)).join('; '))}))");
  check($found->{rules} >= 15, "only $found->{rules} rules say something of the page");
  check(!@{$found->{wrong}}, "$what: $_") for @{$found->{wrong}};
}
for my $scheme ('light', 'dark') {
  command('Emulation.setEmulatedMedia', {features => [{name => 'prefers-color-scheme', value => $scheme}]});
  for my $width (1280, 390) {
    resize($width, 844);
    open_page('about:blank');
    open_page("$page#test=opencl/MP_wg_apart&models=opencl-rsp,opencl");
    evaluate("$source; true");
    until_true("document.body.dataset.busy === 'no' && !!document.querySelector('#picture svg') && !!document.querySelector('#mirror .race')");
    examine("$scheme, $width pixels");
    evaluate("document.querySelectorAll('details').forEach(d => d.open = true); [...at('machine-list').querySelectorAll('input')].find(b => b.value === 'rsp-original').click(); true");
    until_true("answer.machines.length === 1 && document.body.dataset.busy === 'no'");
    evaluate("[...document.querySelectorAll('#table button')].find(b => b.textContent === 'reached').click(); true");
    until_true("!at('trace').hidden && document.body.dataset.busy === 'no'");
    examine("$scheme, $width pixels, all open");
    evaluate("document.querySelectorAll('.menu').forEach(d => d.open = false); at('text').value = state.text.replace('*x = 1', '*x = z(x)'); at('text').dispatchEvent(new Event('input')); true");
    until_true("!!document.querySelector('#mirror .error')");
    examine("$scheme, $width pixels, with an error");
  }
}
1;
PERL
tests/browser "$TMP/profile" "$TMP/script.pl"
