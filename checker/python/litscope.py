# SPDX-License-Identifier: MIT
"""Litmus tests, memory models and compiler mappings from Python.

Checks a test, says why its outcome is forbidden, and asks whether a mapping is
sound for it:

    >>> import litscope
    >>> session = litscope.Session()
    >>> model = session.model("opencl-rsp")
    >>> test = session.read("litmus/rsp/RSP_Test2.litmus")
    >>> verdict = session.check(test, model)
    >>> verdict.observation
    'Never'
    >>> verdict.states
    [{'1:r0': 0, '1:r1': -1}, {'1:r0': 1, '1:r1': 53}]
    >>> print(verdict.why.splitlines()[1].strip())
    coherence (irreflexive (co | fr); rf?; hb): 1 candidate
    >>> result = session.verify(test, session.target("rsp-original"), model)
    >>> result.answer, result.outcome
    ('Unsound', 'exists (1:r0=1 /\\\\ 1:r1=0 /\\\\ [x]=53 /\\\\ [y]=1)')
    >>> result.steps[0]
    'P1: LK y'
    >>> session.parse("OpenCL broken {")
    Traceback (most recent call last):
    ...
    litscope.Error: text:1:16: error: expected a location, a register such as 0:r0, or '}', found the end of the file
         1 | OpenCL broken {
           |                ^

The library is reached through cffi, in ABI mode: its declarations are those of
litscope.h.  $LITSCOPE_LIBRARY and $LITSCOPE_HEADER name the two files; else the
prefix or the sources that this file is in are searched, then pkg-config is
asked.  Objects may be used from several threads; a session by one at a time.
"""

import glob
import os
import re
import subprocess

try:
    import cffi
except ImportError:
    raise ImportError("litscope needs cffi (Debian: apt-get install python3-cffi; elsewhere: pip install cffi)") from None

__all__ = ["Error", "Model", "Options", "Session", "Target", "Test", "Verdict", "Verification", "version"]


def _pkg_config(variable):
    try:
        found = subprocess.run(["pkg-config", "--variable=" + variable, "litscope"], capture_output=True, text=True)
    except OSError:
        return ""
    return found.stdout.strip()


def _find(what, variable, patterns, pkg_config, name):
    """The path of a file of litscope's: named, in a folder above this file, where pkg-config says, or the usual ones."""
    named = os.environ.get(variable)
    if named:
        if not os.path.isfile(named):
            raise ImportError("%s names %s, which is no file" % (variable, named))
        return named
    folders, here = [], os.path.abspath(__file__)
    while here != os.path.dirname(here):
        here = os.path.dirname(here)
        folders += [os.path.join(here, pattern) for pattern in patterns]
    said = _pkg_config(pkg_config)
    folders += [said] if said else []
    folders += [os.path.join(prefix, pattern) for prefix in ("/usr/local", "/usr") for pattern in patterns]
    for folder in folders:
        found = sorted(glob.glob(os.path.join(folder, name)))
        if found:
            return found[0]
    raise ImportError("%s (%s) is not found: install litscope with 'make install', or set %s" % (what, name, variable))


def _declarations(path):
    """The header without what is the preprocessor's and C++'s."""
    with open(path, encoding="utf-8") as header:
        text = header.read()
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    return re.sub(r"^#.*$", "", text, flags=re.M)


_ffi = cffi.FFI()
_ffi.cdef(_declarations(_find("litscope's header", "LITSCOPE_HEADER", ["include/litscope", "api"], "includedir",
                              "litscope.h")))
_lib = _ffi.dlopen(_find("litscope's library", "LITSCOPE_LIBRARY", ["lib", "lib/*", "build"], "libdir", "liblitscope.so*"))


def _text(value):
    return None if value == _ffi.NULL else _ffi.string(value).decode("utf-8", "replace")


def version():
    """The version of the library."""
    return _text(_lib.litscope_version())


class Error(Exception):
    """What the library says is wrong: lines with file, line, column and a caret.

    `status` is 2 for bad input, 3 for a limit or for memory that ran out.
    """

    def __init__(self, message, status):
        super().__init__(message.rstrip("\n"))
        self.status = status


class _Object:
    """An object of the library, freed with this one; `needs` live as long."""

    def __init__(self, pointer, free, *needs):
        self._pointer = _ffi.gc(pointer, free)
        self._needs = needs


def _getter(function, doc=None, convert=_text):
    """What a function of the library says of an object."""
    call = getattr(_lib, "litscope_" + function)
    return property(lambda self: convert(call(self._pointer)), doc=doc)


class Test(_Object):
    """A litmus test."""

    name = _getter("test_name")
    condition = _getter("test_condition")
    hash = _getter("test_hash")
    default_model = _getter("test_default_model",
                            "The name of the model that tests of its language are checked against.")


class Model(_Object):
    """A memory model."""

    name = _getter("model_name")


class Target(_Object):
    """A compiler mapping on a machine, or a machine that runs programs itself."""

    name = _getter("target_name")


class Verdict(_Object):
    """All executions of a test under a model; or those found until a limit was reached, which are no answer."""

    limit = _getter("verdict_limit", "None, or what ended the search: a limit, or 'interrupt' (Session.cancel).")
    observation = _getter("verdict_observation", "'Never', 'Sometimes' or 'Always'; None: a limit was reached.")

    @property
    def ok(self):
        """Is the test's question answered as it is asked?  None: a limit was reached."""
        return None if self.limit else bool(_lib.litscope_verdict_ok(self._pointer))

    loop_cut = _getter("verdict_loop_cut",
                       "May a loop run more often than it was unrolled, so that there may be more executions?", bool)
    matching = _getter("verdict_matching", convert=int)
    failing = _getter("verdict_failing", convert=int)
    undefined = _getter("verdict_undefined", "Executions with undefined behaviour.", int)

    @property
    def observables(self):
        count = _lib.litscope_verdict_observable_count(self._pointer)
        return [_text(_lib.litscope_verdict_observable(self._pointer, i)) for i in range(count)]

    @property
    def states(self):
        """Final states: dictionaries from observables to values."""
        names = self.observables
        return [
            {name: _lib.litscope_verdict_value(self._pointer, i, k) for k, name in enumerate(names)}
            for i in range(_lib.litscope_verdict_state_count(self._pointer))
        ]

    @property
    def executions(self):
        """How many executions end in each state, in the order of `states`."""
        count = _lib.litscope_verdict_state_count(self._pointer)
        return [_lib.litscope_verdict_state_executions(self._pointer, i) for i in range(count)]

    why = _getter("verdict_why", "Why an outcome is forbidden or the program undefined; ''.")
    log = _getter("verdict_log", "The whole in herd's format.")
    json = _getter("verdict_json", "The whole as JSON text.")


class Verification(_Object):
    """Whether a target shows only what a model allows."""

    answer = _getter("verification_answer", "'Sound', 'Unsound', 'Undefined', 'Deadlock' or 'Undecided'.")
    outcome = _getter("verification_outcome",
                      "What the target reaches and the model forbids, as a condition; or None.")
    reason = _getter("verification_reason", "Why there is no answer; or None.")
    loop_cut = _getter("verification_loop_cut", "As of Verdict, of the model's executions.", bool)
    why = _getter("verification_why")

    @property
    def steps(self):
        """The shortest run to the outcome."""
        count = _lib.litscope_verification_step_count(self._pointer)
        return [_text(_lib.litscope_verification_step(self._pointer, i)) for i in range(count)]


class Options:
    """Limits; 0: none is given, except that loops are unrolled twice and one thread works.  With `force`, a model is also
    asked about tests in languages that it does not support."""

    def __init__(self, unroll=0, max_events=0, max_memory=0, max_states=0, timeout=0.0, workers=0, force=False):
        self._value = _ffi.new("litscope_options *", dict(unroll=unroll, max_events=max_events, max_memory=max_memory,
                                                         max_states=max_states, timeout=timeout, workers=workers,
                                                         force=force))


def _options(options):
    return options._value if options else _ffi.NULL


class Session:
    """Where files are searched, and what went wrong.

    `folders` are searched before the installed one, each itself and its models/
    and mappings/.
    """

    def __init__(self, folders=()):
        pointer = _lib.litscope_new()
        if pointer == _ffi.NULL:
            raise MemoryError
        self._pointer = _ffi.gc(pointer, _lib.litscope_free)
        for folder in folders:
            if _lib.litscope_add_folder(self._pointer, os.fsencode(folder)):
                self._fail()

    def _fail(self):
        raise Error(self.messages, _lib.litscope_status(self._pointer))

    def _made(self, kind, pointer, free, *needs):
        if pointer == _ffi.NULL:
            self._fail()
        return kind(pointer, free, *needs)

    @property
    def messages(self):
        """Errors and warnings of the last call."""
        return _text(_lib.litscope_messages(self._pointer))

    @property
    def status(self):
        """How the last call ended: 0 done, 2 bad input, 3 a limit was reached or it was cancelled."""
        return _lib.litscope_status(self._pointer)

    def cancel(self, cancelled=True):
        """Ends the call that runs, and each later one until cancel(False); from any thread."""
        _lib.litscope_cancel(self._pointer, cancelled)

    def read(self, path):
        """A test, or a kernel with comments that say what is asked, from a file."""
        return self._made(Test, _lib.litscope_test_read(self._pointer, os.fsencode(path)), _lib.litscope_test_free)

    def parse(self, text, name="text"):
        """A test from a text."""
        data = text.encode()
        pointer = _lib.litscope_test_parse(self._pointer, name.encode(), data, len(data))
        return self._made(Test, pointer, _lib.litscope_test_free)

    def model(self, name):
        """A .cat model by name or path."""
        return self._made(Model, _lib.litscope_model_load(self._pointer, os.fsencode(name)), _lib.litscope_model_free)

    def target(self, mapping=None, machine=None):
        """A compiler mapping, on the usual GPU unless a machine is named; or a machine alone."""
        names = [os.fsencode(name) if name else _ffi.NULL for name in (mapping, machine)]
        return self._made(Target, _lib.litscope_target_load(self._pointer, *names), _lib.litscope_target_free)

    def check(self, test, model, options=None):
        """What a model says of a test, as a Verdict.  `options`: Options; None: the usual ones."""
        pointer = _lib.litscope_check(self._pointer, test._pointer, model._pointer, _options(options))
        return self._made(Verdict, pointer, _lib.litscope_verdict_free, test, model)

    def verify(self, test, target, model, options=None):
        """Whether a target shows only what a model allows of a test, as a Verification.  `options` as for check."""
        pointer = _lib.litscope_verify(self._pointer, test._pointer, target._pointer, model._pointer, _options(options))
        return self._made(Verification, pointer, _lib.litscope_verification_free, test, target, model)
