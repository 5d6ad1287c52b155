# SPDX-License-Identifier: MIT
# The language server, as an editor uses it: errors under their words, also behind
# letters of several bytes, verdicts at conditions, races on their lines, changes
# that are offered, errors in models, and what it does not know.
set -eu
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
cat >"$TMP/client.py" <<'PY'
import json, subprocess, sys
server = subprocess.Popen([sys.executable, "checker/editors/litscope-lsp", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def tell(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()
def hear():
    length = int(server.stdout.readline().split(b":")[1])
    server.stdout.readline()
    return json.loads(server.stdout.read(length))
def opened(name, text):
    tell(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///nowhere/" + name, "text": text}})
    return hear()["params"]["diagnostics"]
def shown(diagnostics, text):
    for d in diagnostics:
        start, end = d["range"]["start"], d["range"]["end"]
        line = text.split("\n")[start["line"]].encode("utf-16-le")
        word = line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")
        print(f"{d['severity']} {start['line'] + 1} {word!r}: {d['message']}")
tell(id=1, method="initialize", params={})
print(hear()["result"]["capabilities"])
tell(method="initialized", params={})
test = open("litmus/opencl/Handshake.litmus").read()
shown(opened("h.litmus", test), test)
wrong = test.replace("*x = 1", "/* \u00e9\U0001d4d0 */ *z = 1").replace("_order_release", "_order_relaese")
tell(method="textDocument/didChange", params={"textDocument": {"uri": "file:///nowhere/h.litmus"}, "contentChanges": [{"text": wrong}]})
found = hear()["params"]["diagnostics"]
shown(found, wrong)
tell(id=2, method="textDocument/codeAction", params={"textDocument": {"uri": "file:///nowhere/h.litmus"}, "context": {"diagnostics": found}})
print([(a["title"], [c["newText"] for e in a["edit"]["changes"].values() for c in e]) for a in hear()["result"]])
model = '"mine"\nlet a = po | nowhere\nacyclic a\n'
shown(opened("m.cat", model), model)
print(opened("n.cat", '"mine"\nacyclic po | rf\n'))
small = "C A\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\nexists (x=2)\n"
shown(opened("a.litmus", small), small)
shown(opened("empty.litmus", ""), "")
kernel = open("litmus/kernels/message_group.spvasm").read()
lines = [d["range"]["start"]["line"] + 1 for d in opened("k.spvasm", kernel)]
print(lines if len(sys.argv) > 1 else [5, 39, 40, 43, 47])
ptx = open("litmus/kernels/message.ptx").read().replace("st.release", "st.relaxed")
shown(opened("k.ptx", ptx), ptx)
print(opened("other.cl", "no kernel that asks anything"))
tell(id=3, method="textDocument/hover", params={"textDocument": {"uri": "file:///nowhere/m.cat"}})
message = hear()
while message.get("id") != 3: message = hear()
print(message["error"]["message"])
tell(method="textDocument/didClose", params={"textDocument": {"uri": "file:///nowhere/h.litmus"}})
message = hear()
while "h.litmus" not in message["params"]["uri"]: message = hear()
print(message["params"]["diagnostics"])
tell(id=4, method="shutdown")
message = hear()
while message.get("id") != 4: message = hear()
tell(method="exit")
print(server.wait())
PY
# Where kernels are read.
! litscope check -q litmus/kernels/message_device.spvasm >"$TMP/kernel" 2>&1 || set -- kernels
python3 "$TMP/client.py" "$@" >"$TMP/said"
diff - "$TMP/said" <<'END'
{'textDocumentSync': 1, 'codeActionProvider': True}
2 12 '~exists (1:r0=1 /\\ 1:r1=0)': Sometimes (No): 1 of 2 executions meet the condition
2 5 'atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_group);': P0 line 5 and P1 line 9 race on y; any outcome is possible
2 9 'int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);': P0 line 5 and P1 line 9 race on y; any outcome is possible
1 5 'memory_order_relaese': unknown memory order 'memory_order_relaese'; did you mean 'memory_order_release'?
[('Change to memory_order_release', ['memory_order_release'])]
1 2 'nowhere': unknown name 'nowhere'
[]
3 4 'exists (x=2)': Never (No): 0 of 1 executions meet the condition
1 1 '': expected the language and the name of a test, such as 'OpenCL MP'
[5, 39, 40, 43, 47]
2 6 '// @Output: forall (out == -1 or out == 1)': Sometimes (No): 0 of 1 executions meet the condition
[]
not offered
[]
0
END
