# SPDX-License-Identifier: MIT
# slow
# The Python package: its documented example, run as it stands, and what goes
# wrong.  Skipped without Python or cffi.
set -eu
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 -c 'import cffi' 2>/dev/null || { echo "no cffi for python3 (python3-cffi)"; exit 77; }
make -s shared BUILD="$BUILD" >"$TMP/make.log" 2>&1 || { cat "$TMP/make.log"; exit 1; }
LITSCOPE_LIBRARY=$(find "$BUILD" -maxdepth 1 -name 'liblitscope.so.*')
[ "${LITSCOPE_LIBRARY#/}" != "$LITSCOPE_LIBRARY" ] || LITSCOPE_LIBRARY=$PWD/$LITSCOPE_LIBRARY
export LITSCOPE_LIBRARY PYTHONPATH=checker/python PYTHONDONTWRITEBYTECODE=1
cat >"$TMP/test.py" <<'END'
import doctest
import threading

import litscope

# The example runs in the tree: its folder is searched.
real = litscope.Session
litscope.Session = lambda folders=(".",): real(folders)
failed, ran = doctest.testmod(litscope)
assert ran >= 9 and not failed, (ran, failed)

session = real(["."])


def fails(what, status, call):
    try:
        call()
    except litscope.Error as error:
        assert what in str(error) and error.status == status, (str(error), error.status)
    else:
        raise AssertionError(what)


fails("no/such.litmus", 2, lambda: session.read("no/such.litmus"))
fails("cannot find the model", 2, lambda: session.model("opencl-rps"))
fails("unknown mapping 'rsp-corected'; did you mean", 2, lambda: session.target("rsp-corected"))
fails("a target needs", 2, lambda: session.target())

# A limit is a verdict; objects are kept alive by what was made from them.
verdict = session.check(session.read("litmus/rsp/RSP_Test8.litmus"), session.model("opencl-rsp"), litscope.Options(max_events=3))
assert verdict.limit == "limit on events", verdict.limit
assert (verdict.observation, verdict.ok, session.status) == (None, None, 3), verdict.observation
thrice = "C loop {} P0 (atomic_int* x) { int i = 0; while (i < 3) { *x = i; i = i + 1; } } exists ([x]=2)"
verdict = session.check(session.parse(thrice), session.model("rc11"), litscope.Options())
assert (verdict.observation, verdict.loop_cut, session.status) == ("Never", True, 0), verdict.observation
session.cancel()
fails("interrupted", 3, lambda: session.read("litmus/rsp/RSP_Test7.litmus"))
session.cancel(False)
verdict = session.check(session.read("litmus/rsp/RSP_Test7.litmus"), session.model("sc"))
assert verdict.log.startswith("Test RSP_Test7 ") and sum(verdict.executions) == verdict.matching + verdict.failing
machine = session.target(machine="adsm-lazy")
result = session.verify(session.read("litmus/adsm/A8.litmus"), machine, session.model("adsm"))
assert (result.answer, result.steps, result.reason) == ("Sound", [], None), result.answer

# Threads share a model and a test, each with a session of its own.
test, model, seen = session.read("litmus/rsp/RSP_Test2.litmus"), session.model("opencl-rsp"), []


def check():
    seen.append(real(["."]).check(test, model).observation)


threads = [threading.Thread(target=check) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert seen == ["Never"] * 4, seen
END
python3 "$TMP/test.py"
