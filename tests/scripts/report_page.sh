# The web page is one well-formed file that loads nothing, and works in a
# browser where one is installed.
set -eu
litscope report -model sc,opencl-rsp -mapping rsp-original -cost -o "$TMP/page" \
  litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test7.litmus litmus/rsp/RSP_Test12.litmus >"$TMP/out"
[ "$(ls "$TMP/page")" = index.html ]
python3 - "$TMP/page/index.html" <<'PYTHON'
import html.parser, re, sys
text = open(sys.argv[1]).read()
class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids = [], []
    def handle_starttag(self, tag, attributes):
        if tag not in ('meta', 'input', 'img', 'br'): self.open.append(tag)
        for name, value in attributes:
            if name == 'id': self.ids.append(value)
            if name in ('src', 'href') and not re.match('data:|#', value): sys.exit('loads ' + value)
    def handle_endtag(self, tag):
        if self.open.pop() != tag: sys.exit('<%s> is not closed where it should be' % tag)
reader = Reader()
reader.feed(text)
if reader.open: sys.exit('not closed: %s' % reader.open)
if len(set(reader.ids)) != len(reader.ids): sys.exit('an identifier occurs twice')
for test in ('RSP_Test2', 'RSP_Test7', 'RSP_Test12'):
    if 't-' + test not in reader.ids: sys.exit('no section for ' + test)
if text.count('<img ') < 4: sys.exit('too few pictures')
PYTHON
if ! command -v chromium >/dev/null; then exit 0; fi
# Shows what the page's own script makes of it: how many tests are listed.
chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$TMP/browser" --dump-dom "file://$TMP/page/index.html" \
  >"$TMP/dom" 2>"$TMP/browser.log" || { tail -n 5 "$TMP/browser.log"; exit 1; }
grep -q '3 of 3 tests' "$TMP/dom"
