# SPDX-License-Identifier: MIT
# slow
# The page of `make page` in a real browser, from a folder: every example gives the
# command line's JSON, byte for byte but for times, of progress too where it is about that; every error is under the words
# that the command line's carets mean; links come back; a search can be stopped and
# ends by itself; races are on their lines; nothing is loaded from elsewhere.
set -u
page=$PWD/$BUILD/page/index.html
case $BUILD in /*) page=$BUILD/page/index.html ;; esac
[ -f "$page" ] || { echo "no page: make page"; exit 77; }
[ -z "$(find checker hwsem models litmus -newer "$page" -type f ! -name '*.md' ! -name '*.tsv')" ] ||
  { echo "the page is older than its sources: make page"; exit 77; }
mkdir "$TMP/web" "$TMP/progress" "$TMP/here" "$TMP/errors"
tests/page/errors "$TMP/errors"
cat >"$TMP/script.pl" <<PERL
my (\$page, \$web, \$wrong, \$progress) = ('file://$page', '$TMP/web', '$TMP/errors', '$TMP/progress');
PERL
cat >>"$TMP/script.pl" <<'PERL'
binmode STDOUT, ':utf8';
my $status = "document.getElementById('status').textContent";
my $idle = "document.body.dataset.busy === 'no'";
sub text { my ($path) = @_; local $/; open my $in, '<:raw', $path or die "$path: $!"; my $text = <$in>; return utf8::decode($text) ? $text : "\0" }
sub quoted { return JSON::PP->new->allow_nonref->ascii->encode($_[0]) }
sub fill { my ($text) = @_; evaluate("at('text').value = " . quoted($text) . "; at('text').dispatchEvent(new Event('input')); true") }

# The first answer is there, and what is loaded is the page alone.
open_page($page);
until_true("/^Answered in 0/.test($status)");
until_true("!!document.querySelector('#picture svg .node')");
check(evaluate("performance.getEntriesByType('resource').filter(r => !/^(?:blob|data):/.test(r.name)).length") == 0, 'something is loaded from elsewhere');
check(evaluate("fetch('http://127.0.0.1/').then(() => 0, () => 1)") == 1, 'the page may reach a network');
@problems = ();    # of that

# Every example, by its model.
my $count = evaluate('Object.keys(carried.tests).length');
check($count >= 380, "$count examples");
evaluate("engine.end(); serial++; at('limit').value = '60'; true");
for my $name (@{evaluate('Object.keys(carried.tests)')}) {
  my $json = evaluate("(async () => { state.text = carried.tests[" . quoted($name) . "]; state.models = []; " .
    "return (await call(['check', '-json', '/result.json'], ['/result.json'])).files['/result.json'] })()");
  (my $file = $name) =~ s/\//%/g;
  open my $out, '>:utf8', "$web/$file" or die $!;
  print $out $json;
  close $out;
}

# Every error under its word.
my ($errors, $misplaced) = (0, 0);
for my $path (sort glob "$wrong/*.litmus") {
  next if -s $path > 20000;
  my $err = text($path =~ s/litmus$/err/r);
  my ($line, $word) = $err =~ /^[^\n]*:(\d+):\d+: error: [^\n]*\n/ ? ($1, undef) : next;
  next if $err !~ /^[^\n]*error: [^\n]*\n +\d+ \| ([^\n]*)\n +\| ( *)(\^~*)\n/;
  my ($shown, $before, $carets) = ($1, length $2, length $3);
  my $bytes = $shown;
  utf8::encode($bytes);
  $word = substr $bytes, $before, $carets;
  utf8::decode($word);
  next if length $shown > 100 || $shown =~ /[^\x20-\x7e]/ || text($path) =~ /[^\n\x20-\x{10ffff}]/;    # cut short, or not shown as it is
  evaluate("engine.end(); true");
  my $marked = evaluate("(async () => { state.text = " . quoted(text($path)) . "; state.tab = ''; state.models = []; " .
    "const {err} = await call(['check'], []); answer.results = []; showMessages(readMessages(err)); " .
    "const lines = [...at('mirror').children], first = lines.findIndex(l => l.querySelector('.error')); " .
    "const span = answer.messages[0].span; return {line: first + 1, word: state.text.slice(...span), " .
    "shown: [...lines[first]?.querySelectorAll('.error') ?? []].map(e => e.textContent).join('')} })()");
  $errors++;
  next if $word !~ /\S/ && $marked->{line} <= $line && ($marked->{line} || $line == 1);    # something lacks: what is before it is marked
  next if $marked->{word} eq $word && $marked->{line} == $line && index($marked->{shown}, $word =~ s/\s+$//r) >= 0;
  check(0, "$path: '$word' in line $line is to be marked, and '$marked->{word}' ('$marked->{shown}') in line $marked->{line} is") if $misplaced++ < 5;
}
check($errors > 200, "only $errors errors were tried");

# Typing checks; the list of messages leads to the word; a mended program is answered.
open_page('about:blank');
open_page("$page#test=opencl/MP_wg_apart");
until_true("$idle && answer.messages.some(m => m.kind === 'race')");
check(evaluate("[...at('mirror').children].map((l, i) => l.querySelector('.race') ? i + 1 : 0).filter(i => i).join()") eq '9,10,14,17', 'races are not on their lines');
my $program = evaluate('state.text');
fill($program =~ s/\*x = 1;/*x = z1(x);/r);
until_true("!!document.querySelector('#mirror .error')");
check(evaluate("!at('why').textContent && !at('table').textContent && at('figure').hidden"), 'an answer stays where there is none');
check(evaluate("document.querySelector('#mirror .error').textContent") eq 'z1', 'the wrong name is not marked');
evaluate("document.querySelector('#messages button').click()");
check(evaluate("at('text').value.slice(at('text').selectionStart, at('text').selectionEnd)") eq 'z1', 'a message does not lead to its word');
fill($program);
until_true("/^Answered/.test($status)");

# Links: the program, models, and what is changed of a model come back, in a new page.
fill($program . "\n(* \x{e9}\x{2192} <&\" *)\n");
evaluate("for (const name of ['opencl-rsp', 'sc']) [...at('model-list').querySelectorAll('input')].find(b => b.value === name).click()");
evaluate("[...at('tabs').children].find(t => t.textContent.startsWith('sc.cat')).click()");
check(evaluate("at('text').value.includes('acyclic') && state.tab === 'sc'"), 'the text of a model is not shown');
fill(evaluate("modelText('sc')") . "\nacyclic po as mine\n");
until_true("/changed=/.test(location.hash) && $idle && answer.results.length === 2 && answer.pictures.length > 2");
my $kept = evaluate("JSON.stringify([state.text, state.models, state.changed])");
my $link = evaluate("location.href");
check($link =~ /#program=[\w-]+&models=opencl-rsp,sc&changed=[\w-]+$/, "the link is $link");
open_page('about:blank');
open_page($link);
until_true("$idle && answer.results.length === 2 && answer.pictures.length > 2");
check(evaluate("JSON.stringify([state.text, state.models, state.changed])") eq $kept, 'a link does not come back');
check(evaluate("[...document.querySelectorAll('#table thead th')].slice(-2).map(t => t.textContent).join()") eq 'opencl-rsp,sc', 'models are not side by side');
open_page('about:blank');
open_page("$page#program=%%%&models=opencl");
until_true("/damaged/.test($status)");

# An error in a changed model is in its text.
open_page('about:blank');
open_page("$page#test=rsp/RSP_Test2&models=own");
until_true("$idle && answer.results.length === 1");
evaluate("[...at('tabs').children].find(t => t.textContent.startsWith('own')).click()");
fill("\"mine\"\nacyclic po | nowhere\n");
until_true("!!document.querySelector('#mirror .error')");
check(evaluate("document.querySelector('#mirror .error').textContent") eq 'nowhere', 'the error in a model is not marked');

# A search that does not end: the page goes on, Stop ends it at once, and so does the limit.
my $threads = join '', map { my $t = $_; "P$t (global atomic_int* x, global atomic_int* y) {\n" .
  join('', map { "  int r$_ = atomic_fetch_add_explicit(x, $_, memory_order_relaxed, memory_scope_device);\n  atomic_store_explicit(y, $t$_, memory_order_relaxed, memory_scope_device);\n" } 0 .. 5) . "}\n" } 0 .. 5;
my $endless = "OpenCL Endless\n{}\n${threads}exists (0:r0=1)\n";
open_page('about:blank');
open_page($page);
until_true("/^Answered/.test($status) && $idle");
evaluate("at('limit').value = '600'; true");
fill($endless);
until_true("document.body.dataset.busy === 'yes' && engine.ended");
check(evaluate("new Promise(r => requestAnimationFrame(() => r(document.body.dataset.busy)))") eq 'yes', 'the page does not answer while it searches');
evaluate("at('run').click()");
until_true("$idle && /Stopped/.test($status)");
evaluate("at('limit').value = '2'; at('run').click(); true");
until_true("$idle");
check(evaluate("answer.results[0].complete === false && answer.results[0].limit === 'time limit'"), 'the limit is not told: ' . evaluate($status));
evaluate("at('example').value = 'rsp/RSP_Test1'; at('example').onchange(); true");
until_true("/^Answered/.test($status) && answer.results[0].test === 'RSP_Test1'");

# Machines, next to the models: which states they reach; an unsound mapping has a run at once, each state has one on
# request, and steps are on their lines.
evaluate("at('example').value = 'rsp/RSP_Test2'; at('example').onchange(); true");
until_true("$idle && /^Answered/.test($status)");
evaluate("for (const name of ['rsp-original', 'sc', 'opencl-ptx']) [...at('machine-list').querySelectorAll('input')].find(b => b.value === name).click()");
until_true("$idle && answer.machines.length === 3");
my $verdicts = "[...at('verdicts').children].slice(1).map(p => p.textContent).join('|')";
check(evaluate($verdicts) =~ /^opencl-ptx: [^S]*\|rsp-original: Unsound: shows \(1:r0=1 .*, which opencl-rsp forbids; a shortest run\|sc: Sound, shows only what opencl-rsp allows$/,
  'machines say: ' . evaluate($verdicts));
my $cells = "[...document.querySelectorAll('#table tbody tr')].map(r => [...r.children].slice(-4).map(c => c.textContent.replace(/,.*/, '').replace('\\u2013', '-')).join()).sort().join(' ')";
check(evaluate($cells) eq 'allowed,-,reached,reached allowed,-,reached,reached forbidden,-,reached,-', 'the table says ' . evaluate($cells));
check(evaluate("at('trace-title').textContent") =~ /^A shortest run of rsp-original to 1:r0=1; 1:r1=0;/, 'an unsound mapping shows no run');
my $there = "[at('step-number').textContent, document.querySelectorAll('#trace-steps [aria-current]').length, " .
  "[...at('mirror').children].findIndex(l => l.querySelector('.here')) + 1, at('diagram').shadowRoot.querySelectorAll('.step[opacity=\"0.25\"]').length].join()";
check(evaluate($there) eq '0 of 12 steps,0,0,0', 'a run begins otherwise: ' . evaluate($there));
evaluate("for (let i = 0; i < 3; i++) at('forth').click(); true");
check(evaluate($there) eq '3 of 12 steps,1,9,9', 'a run is not stepped through: ' . evaluate($there));
evaluate("[...document.querySelectorAll('#table tbody button')].filter(b => b.textContent === 'reached')[1].click()");
until_true("$idle && /^A shortest run of (?!rsp-original)/.test(at('trace-title').textContent)");
open_page('about:blank');
open_page("$page#test=adsm/A1&machines=adsm-lazy,sc");
until_true("$idle && answer.machines.length === 2");
check(evaluate("answer.machines[0].states.length === 1 && answer.machines[0].judged.answer === 'Sound' && answer.machines[1].judged.answer === 'Sound'"),
  'a machine of another language: ' . evaluate($verdicts));

# What a paper found is one choice of program, model, variant and machine; another variant is another question.
open_page('about:blank');
open_page($page);
until_true("$idle && /^Answered/.test($status)");
evaluate("at('example').value = '#' + carried.findings.find(f => /variant=k1/.test(f.address)).address; at('example').onchange(); true");
until_true("$idle && answer.machines.length === 1");
check(evaluate("[at('finding').hidden, answer.results[0].bad, answer.machines[0].judged.answer, at('example').value === location.hash].join()") eq 'false,0,Unsound,true',
  'a finding is not what it says: ' . evaluate($verdicts));
evaluate("at('variant').value = ''; at('variant').onchange(); true");
until_true("$idle && answer.machines.length === 1 && answer.results[0].bad > 0");
check(evaluate("at('finding').hidden && !/variant/.test(location.hash) && at('example').value === 'hsa/Inc_remote_release'"), 'a finding stays where it is none');

# All examples of a topic; one of them is chosen there.
evaluate("at('topic').open = true");
until_true("$idle && document.querySelectorAll('#topic tbody tr').length === topicOf(state.example)[1].length");
evaluate("[...document.querySelectorAll('#topic button')].find(b => b.value === 'hsa/SB_sc_sys').click(); true");
until_true("$idle && answer.results[0].test === 'SB_sc_sys'");
check(evaluate("[...document.querySelectorAll('#topic tbody tr')].find(r => r.querySelector('[aria-pressed=true]')).innerText.replace(/\\s+/g, ' ').trim()") eq
  'SB_sc_sys Never', 'the topic says: ' . evaluate("document.querySelector('#topic tbody').innerText"));

# A model of one's own from files, one of which includes the other, and a program.
evaluate("takeFiles([new File(['\"mine\"\\ninclude \"helper.cat\"\\nacyclic helped as mine'], 'my model.cat'), " .
  "new File(['let helped = po | rf | fr | co'], 'helper.cat'), new File([carried.tests['c11/SB_rel_acq']], 'x.litmus')])");
until_true("$idle && answer.results.length === 1 && answer.results[0].model === 'my_model'");
check(evaluate("[answer.results[0].observation, state.models.join(), [...at('tabs').children].map(t => t.textContent).join()].join(' ')") eq
  'Never my_model Program,my_model.cat,helper.cat', 'files give ' . evaluate("JSON.stringify([answer.results, answer.messages])"));
my $own = evaluate('location.href');
open_page('about:blank');
open_page($own);
until_true("$idle && answer.results.length === 1 && answer.results[0].observation === 'Never'");

# Progress: asked where the example is about it, in the command line's words.
open_page('about:blank');
open_page("$page#test=loops/Lock_TAS_2");
until_true("$idle && document.querySelectorAll('#schedulers tr').length === 5");
my $schedulers = evaluate("[...document.querySelectorAll('#schedulers tr')].map(r => r.children[0].textContent + ' ' + r.children[2].textContent).join('; ')");
check($schedulers eq 'fair Ends; hsa Endless; obe Ends; hsa+obe Ends; lobe Ends', "schedulers: $schedulers");
evaluate("document.querySelector('#schedulers .no').click(); at('forth').click(); true");
check(evaluate($there) =~ /^1 of \d+ steps,1,(?!0)\d+,(?!0)\d+$/, 'a run without end is not stepped through: ' . evaluate($there));
check(evaluate("location.hash").'' eq '#test=loops/Lock_TAS_2&progress', 'a link leaves progress out: ' . evaluate('location.hash'));
for my $name (@{evaluate('carried.topics.find(t => /^Progress/.test(t[0]))[1]')}) {
  my $json = evaluate("(async () => { state.text = carried.tests[" . quoted($name) . "]; state.models = []; " .
    "return (await call(['progress', '-json', '/result.json'], ['/result.json'])).files['/result.json'] })()");
  (my $file = $name) =~ s/\//%/g;
  open my $out, '>:utf8', "$progress/$file" or die $!;
  print $out $json;
  close $out;
}

# An event that has the focus says what it is, and its line is marked.
open_page('about:blank');
open_page("$page#test=rsp/RSP_Test2");
until_true("!!document.querySelector('#picture svg .node')");
evaluate("[...document.querySelectorAll('#picture .node')].find(n => /^line 9:/.test(n.getAttribute('aria-label'))).focus()");
check(evaluate("at('event').textContent + [...at('mirror').children].findIndex(l => l.querySelector('.here'))") =~ /^line 9: \*x = 53.*8$/, 'an event with the focus says ' . evaluate("at('event').textContent"));

# The keyboard reaches everything, a run too; a phone has nothing to scroll sideways.
evaluate("location.hash = '#test=rsp/RSP_Test2&machines=rsp-original'; true");
until_true("$idle && !at('trace').hidden");
my %reached;
for (1 .. 90) { press('Tab'); $reached{evaluate('document.activeElement.id || document.activeElement.parentNode.id')} = 1 }
check($reached{$_}, "Tab does not reach #$_") for qw(example models machines run limit link save tabs text picture table trace-steps diagram forth progress);
resize(390, 844);
for my $address ($page, "$page#test=ptx/Proxy_texture_constant", "$page#test=rsp/RSP_Test2&models=opencl-rsp,opencl,sc&card",
  "$page#test=rsp/RSP_Test2&models=opencl-rsp,opencl,sc&machines=rsp-original,rsp-corrected,sc&progress") {
  open_page('about:blank');
  open_page($address);
  until_true("$idle && !!document.querySelector('#picture svg')");
  my $wide = evaluate('document.documentElement.scrollWidth');
  check($wide <= 390, "$address: $wide pixels wide on a phone of 390");
}
check(!@problems, "on the console: @problems");
1;
PERL
tests/browser "$TMP/profile" "$TMP/script.pl" || exit $?
stable() { sed -E 's/"seconds": [0-9.e-]+/"seconds": 0/' "$1"; }
root=$PWD wrong=0 same=0
export LITSCOPE_LIB="$PWD"
cd "$TMP/here" || exit 1
for web in "$TMP"/web/* "$TMP"/progress/*; do
  command=$(basename "$(dirname "$web")")
  name=$(basename "$web" | tr % /)
  rm -f result.json
  cp "$root/litmus/$name.litmus" test.litmus
  [ "$command" = progress ] || command=check
  litscope "$command" -j 1 -timeout 60 -json result.json test.litmus >log 2>err || true
  stable result.json >expected
  stable "$web" >actual
  if cmp -s expected actual; then same=$((same + 1)); else echo "$name: JSON differs"; diff expected actual | head -4; wrong=1; fi
done
[ $same -ge 380 ] || { echo "only $same examples give the same JSON"; wrong=1; }
exit $wrong
