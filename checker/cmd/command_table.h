/* SPDX-License-Identifier: MIT */
/* The two tables of the command line: commands and options.
 *
 * Everything that knows a command or an option by name is made from these
 * lists: parsing, `-help`, suggestions for misspelt words, completion and the
 * man page.  To add a command NAME: a line in COMMAND_LIST, its options in
 * OPTION_LIST (or its bit added to those that it shares), and cmd/NAME.c with
 *
 *     int command_NAME(struct invocation *call);
 *
 * which returns the exit status (command.h).
 */
#ifndef LITSCOPE_CMD_COMMAND_TABLE_H
#define LITSCOPE_CMD_COMMAND_TABLE_H

/* X(identifier, name, operands, summary): the function is command_NAME. */
/* clang-format off */
#define COMMAND_LIST(X) \
  X(CHECK, check, "TEST...", "Check each test against a memory model; writes herd's log format") \
  X(COMPILE, compile, "TEST...", \
    "Show what a mapping or a compiler makes of each thread: the instructions of a machine or, with a mapping to a " \
    "language (opencl-ptx, opencl-vulkan, vulkan-ptx, vulkan-litmus), the test in that language") \
  X(EXPLORE, explore, "TEST...", "List every final state that the machine can reach; writes herd's log format") \
  X(VERIFY, verify, "TEST...", \
    "Check that a machine shows only what the model allows, or print a shortest counterexample") \
  X(PROGRESS, progress, "TEST...", \
    "Decide whether every fair run of a test ends, under several schedulers, or show a shortest one that does not") \
  X(REPAIR, repair, "TEST|KERNEL...", \
    "Find the cheapest change, as a patch, that makes a test or kernel race-free and its condition hold; or (-weaken) " \
    "find what a correct one does not need") \
  X(RUN, run, "TEST... | -emit LANGUAGE DIR TEST...", \
    "Run tests many times on a real OpenCL device and compare what it shows with the model; writes litmus7's log format") \
  X(COST, cost, "[VIEW | help VIEW | mapping TEST... | adsm TEST...]", \
    "Print what synchronisation costs in cycles, as tables and plots; without a view, list the views") \
  X(COMPARE, compare, "LOG LOG | -sum LOG... | -to-conds LOG...", \
    "Show which tests gained or lost states between two logs (of litscope, herd or litmus), or add logs up; " \
    "status 0 if none has, or if one log is of hardware and shows only what the other allows") \
  X(REPORT, report, "TEST...", \
    "Write a web page of all results: tests by models and mappings, with pictures and reasons") \
  X(DIFF, diff, "[TEST...]", \
    "Find where two models differ: ask both about every small program of a family, or about the variations of tests, " \
    "and show the minimal tests that distinguish them; or, of one model, those that distinguish it from itself " \
    "without one of its checks") \
  X(GEN, gen, "[-suite TEST...]", \
    "Generate tests: those of cycles of relations or (-suite) those that distinguish a model from itself without a " \
    "part of one of its rules") \
  X(SYNTH, synth, "", \
    "Find the cheapest sound cells of a compiler mapping, with a certificate: for each cheaper candidate, a program that refutes it") \
  X(MERGE, merge, "FILE... [-- COMMAND...]", \
    "Join the results of runs with -shard, or journals, into what a single run prints. COMMAND, the command of " \
    "these runs, must be given if it reads files, writes files or runs programs") \
  X(SERVE, serve, "", "Serve the browser page, which `make page` builds, at http://127.0.0.1:PORT") \
  X(LIST, list, "models | mappings | machines | targets [NAME...]", \
    "List what is installed, and the GPUs for which tests can be compiled; of those named, words, checks, knobs " \
    "and defaults") \
  X(HELP, help, "[COMMAND]", "Show what a command does, and its options")
/* clang-format on */

/* Names that commands once had, and the words that say the same now: X(old name, words, identifier, first operand or
 * NULL). */
#define RENAMED_LIST(X)                            \
  X("models", "list models", LIST, "models")       \
  X("mappings", "list mappings", LIST, "mappings") \
  X("machines", "list machines", LIST, "machines") \
  X("targets", "list targets", LIST, "targets")    \
  X("translate", "compile", COMPILE, NULL)

/* Sets of commands, for the option table. */
#define FOR_TESTS (FOR(CHECK) | FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(COST) | FOR(REPORT))
#define FOR_LISTS (FOR_TESTS | FOR(PROGRESS) | FOR(REPAIR) | FOR(RUN) | FOR(DIFF) | FOR(GEN))
#define FOR_RUNS (FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY) | FOR(REPORT))
#define FOR_MODELS (FOR(CHECK) | FOR(VERIFY) | FOR(REPORT))
#define FOR_JUDGES (FOR_MODELS | FOR(RUN) | FOR(REPAIR))
#define FOR_SEARCHES (FOR(DIFF) | FOR(GEN))
#define FOR_DEVICES (FOR(RUN) | FOR(REPORT))
#define FOR_MACHINES (FOR(EXPLORE) | FOR(VERIFY) | FOR(REPORT))

/* Kinds of options.
 *   SWITCH  takes no argument
 *   BOOL    `-name true|false`; `-no-name` says false
 *   CHOICE  one of the words in the argument column
 *   NUMBER  a whole number from low to high
 *   REAL    a decimal number from low to high
 *   TEXT    any text; given twice, the last one counts
 *   LIST    any text; may be given several times, all count
 *
 * X(identifier, name, kind, argument, default, low, high, commands, help)
 * where the default is text or NULL, low and high matter to NUMBER and REAL,
 * and commands is a set of FOR(COMMAND). */
/* clang-format off */
#define OPTION_LIST(X) \
  X(MODEL, "model", TEXT, "NAME|FILE.cat", NULL, 0, 0, FOR_JUDGES | FOR(COST) | FOR(PROGRESS) | FOR_SEARCHES | FOR(SYNTH), \
    "Memory model (-cat is the same); `check` and `report` accept several, separated by commas, and `diff` two. " \
    "`progress` asks a model instead of the schedulers only if this option is given. NAME:WORD applies a word of " \
    "-variant to that model alone, NAME-CHECK leaves out that check. Default by language: OpenCL opencl-rsp (for " \
    "compiled and translated tests opencl, since compilers have no remote operations), HSA hrf-rsp, C rc11, PTX " \
    "ptx, Vulkan vulkan, ADSM adsm") \
  X(SCHEDULER, "scheduler", LIST, "NAME,...", NULL, 0, 0, FOR(PROGRESS), \
    "Schedulers; they differ in which threads they owe steps: fair (every thread), hsa (the lowest-numbered), obe (those that have made " \
    "a step), hsa+obe (both), lobe (all up to the highest-numbered that has made a step); default: each of them. With strong: before a name (strong:obe), a loop that " \
    "could be left again and again is left in the end. Or by level, wg=NAME/sg=NAME: " \
    "among work-groups, and among the work-items of a sub-group, fair if not named, also `unfair`; with strong: before " \
    "them (strong:wg=NAME), such a group makes a step again and again from each state in which it often can") \
  X(MAPPING, "mapping", LIST, "NAME|FILE.xml", NULL, 0, 0, FOR_TESTS | FOR(SYNTH) | FOR(REPAIR), \
    "Compiler mapping, or several separated by commas; default rsp-corrected. A mapping to a language (opencl-ptx, " \
    "opencl-vulkan, vulkan-ptx, vulkan-litmus) translates the test and asks that language's model. For ADSM tests: " \
    "protocols, as for -machine") \
  X(FORCE, "force", SWITCH, NULL, NULL, 0, 0, FOR_JUDGES | FOR(COST) | FOR_SEARCHES | FOR(PROGRESS) | FOR(SYNTH) | FOR(EXPLORE), \
    "Also ask models about tests in languages that they do not support") \
  X(TARGET_MODEL, "target-model", TEXT, "NAME|FILE.cat", NULL, 0, 0, FOR(VERIFY) | FOR(EXPLORE), \
    "Memory model of the language to which -mapping translates, or of -target's PTX; default: ptx, vulkan-final") \
  X(MACHINE, "machine", LIST, "NAME|FILE.xml", NULL, 0, 0, FOR_MACHINES, \
    "Machine descriptions (`litscope list machines` lists them), separated by commas: a GPU (default: gpu); for ADSM " \
    "tests, protocols (default: batch,lazy,rolling); sc; amo. A test that none of them can run uses the default") \
  X(TARGET, "target", LIST, "GPU[:MODE]", NULL, 0, 0, FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT) | FOR(REPAIR), \
    "Compile tests with LLVM for a GPU (`litscope list targets` lists them), or several separated by commas, and run the " \
    "assembly on that GPU's machine; `verify` counts the instructions of a kernel, and `repair` takes one target and prices its assembly") \
  X(COMPILER, "compiler", LIST, "PATH|llvm-N", NULL, 0, 0, FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT) | FOR(REPAIR) | FOR(LIST), \
    "The llc (with -through, the clang) for -target, or several separated by commas; default: the newest on " \
    "PATH. A file of assembly, .ptx or .s, stands for a compiler's output for the module of one test, which " \
    "`compile -ir` shows") \
  X(COMPILER_INPUT, "through", CHOICE, "llc|clang|clang-c", "llc", 0, 0, FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT) | FOR(REPAIR), \
    "What -target compiles: LLVM IR with llc; or, with clang and its optimisers (-compiler-option -O0 to -O3; " \
    "default -O2), the test as OpenCL C source or as C with __scoped_atomic operations. Kernels (.cl) go through " \
    "clang unless this says otherwise") \
  X(COMPILER_OPTION, "compiler-option", LIST, "OPTION", NULL, 0, 0, FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT) | FOR(REPAIR), \
    "An additional option for the compiler, such as -O0") \
  X(PLACE, "place", CHOICE, "far|near|one|packed", NULL, 0, 0, FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT), \
    "With -target, where work-groups run: on different shader arrays (far, the default), on one (near), on one " \
    "compute unit where the mode allows it (one), or on different ones with each work-group's threads on one " \
    "compute unit (packed)") \
  X(WRITE_BACK, "write-back", CHOICE, "fifo|any", NULL, 0, 0, FOR_MACHINES, \
    "Which dirty line a cache may write back: the oldest, or any; default: as in the machine description") \
  X(KNOB, "knob", LIST, "NAME=WORD,...", NULL, 0, 0, FOR_MACHINES | FOR(SYNTH), \
    "Set knobs of the machines, overriding their descriptions; ADSM: block, rolling, rolling-per-object, objects") \
  X(POR, "por", BOOL, "true|false", "true", 0, 0, FOR_MACHINES | FOR(PROGRESS), "Partial-order reduction") \
  X(SYMMETRY, "symmetry", BOOL, "true|false", "true", 0, 0, FOR_MACHINES, "Symmetry reduction") \
  X(COMPRESS, "compress", BOOL, "true|false", "false", 0, 0, FOR_MACHINES, \
    "Keep visited states compressed, without loss: less memory for each, but slower (`-stats` prints the bytes)") \
  X(EXPLORE_COST, "cost", SWITCH, NULL, NULL, 0, 0, FOR(EXPLORE), \
    "Also print the cycles of each thread's instructions on the timed machine, and those at each step of a run") \
  X(COST, "cost", TEXT, "NAME|FILE.xml|changes", NULL, 0, 0, FOR(REPAIR) | FOR(SYNTH), \
    "What instructions cost: a list of them in the form of timing-emitted.xml, by which the code that -target's " \
    "compiler makes is priced (the default with -target), or in `repair` what stands in the test; or a description of " \
    "the timed machine in the form of timing-rsp.xml, for the code of -mapping (`synth`: the default is timing-rsp " \
    "with q=8,d=8, eight dirty entries in every FIFO). In `repair`, `changes` (the default without -target) counts " \
    "them only") \
  X(PARAMS, "params", TEXT, "NAME=VALUE,...", NULL, 0, 0, FOR(EXPLORE) | FOR(REPORT) | FOR(COST) | FOR(SYNTH) | FOR(REPAIR), \
    "Parameters of the timed machine (`litscope cost help VIEW` lists them)") \
  X(COST_MACHINE, "machine", TEXT, "NAME|FILE.xml", NULL, 0, 0, FOR(COST), \
    "Description of the timed machine; default: the view's own") \
  X(CSV, "csv", SWITCH, NULL, NULL, 0, 0, FOR(COST), \
    "Write tables as CSV: one with all columns, whose first names the table; with -o DIR each to its own file") \
  X(COST_JSON, "json", SWITCH, NULL, NULL, 0, 0, FOR(COST), "Write tables as JSON") \
  X(RECORD, "record", TEXT, "FILE", NULL, 0, 0, FOR(COST), \
    "Write the first run of a program as a trace, compressed if FILE ends in .gz; `cost replay -trace FILE` runs " \
    "it") \
  X(MEASURE, "run", SWITCH, NULL, NULL, 0, 0, FOR(COST), \
    "adsm: run the access patterns on this computer, in memory guarded by page protection, and compare the times " \
    "with the model's") \
  X(TRACE, "trace", SWITCH, NULL, NULL, 0, 0, FOR(COST), \
    "fear-check: print the shortest run that loses an update, one transition per line; fear-network: the " \
    "shortest run to a deadlock") \
  X(MAX_STATES, "max-states", NUMBER, "N", "0", 0, 4000000000.0, FOR_MACHINES | FOR(COST) | FOR(PROGRESS), \
    "Maximum number of states per exploration; 0: no limit, except 4000000 for `progress`, and for `verify` if " \
    "the program is undefined or the model cuts its loops (-unroll), since such a program may run for ever") \
  X(STRICT, "strict", SWITCH, NULL, NULL, 0, 0, FOR(VERIFY), \
    "Compare executions, not only outcomes: what each load reads and the order of writes must form an execution " \
    "of the model") \
  X(VERIFY_FAMILY, "family", TEXT, "THREADSxOPS[,guarded][,devices=2]...|guarded|FILE|adsm[,N]", NULL, 0, 0, FOR(VERIFY), \
    "Instead of tests: every program of that many threads with up to that many operations " \
    "each, up to renaming; guarded: also programs with all but the first operation of a thread under a " \
    "condition; devices=2: with system scope. `guarded` alone: G2 and M3 (message passing under a condition, chains of three " \
    "threads and the classic shapes), which is the default with -target and without tests. A file has one program per line, as sweeps print them. Compilers and translations get no remote " \
    "operations; their 2x2 cannot show a missing invalidate. Further words are those of -family of `diff`. adsm: every " \
    "program of N (default 5) operations, under each ADSM machine and ownership rule") \
  X(FAMILY, "family", TEXT, "THREADSxOPS[,WORD]...|FILE", "2x2", 0, 0, FOR_SEARCHES, \
    "Programs to examine: all programs of that many threads with up to that many operations each, up to " \
    "renaming. Words: orders=A+B of na rlx ra sc (default na+ra), scopes=A+B of wg qf cluster dev sys " \
    "(default wg+dev) and `remote`, fences, barriers, guarded, words=N (up to N operations with any other words of PTX or Vulkan: " \
    "availability, storage classes, proxies and aliases, ...), locations=N (default 2), devices=N, clusters=N (PTX), classes=2 (Vulkan: locations in two storage classes), language=" SMALL_LANGUAGE_WORDS " " \
    "(default: the models'). Also G2, M3 (of OpenCL; as for `verify`), or a file with one program per line, as `diff` " \
    "prints them") \
  X(SUITE, "suite", SWITCH, NULL, NULL, 0, 0, FOR(GEN), \
    "Make a suite from the variations of tests: for each part of a rule of the model that can be left out, a test " \
    "that shows it, with its name in the Vulkan CTS, if it has one there") \
  X(CHANGES, "changes", NUMBER, "N", "1", 0, 6, FOR_SEARCHES, \
    "Of tests: ask about those with up to N operations in another form (orders, scopes and all other words of the " \
    "language), with fences put in, or taken out") \
  X(UNDEFINED, "undefined", SWITCH, NULL, NULL, 0, 0, FOR_SEARCHES, \
    "Compare the outcomes of undefined programs, too: all programs count as defined") \
  X(BUDGET, "budget", NUMBER, "N", "0", 0, 1000000000000.0, FOR_SEARCHES, \
    "Ask about at most N programs of a family, or for each test, those with few changes and rare words first; 0: all") \
  X(CYCLE, "cycle", LIST, "EDGES", NULL, 0, 0, FOR(GEN), \
    "Make the tests of a cycle of relations in diy's notation, such as `PodWW Rfe PodRR Fre`: Pod.. Pos.. " \
    "Fenced.. Fences.. DpAddrd. DpAddrs. DpCtrld. DpCtrls. with R or W for each dot, DpDatadW DpDatasW, Rfe Rfi " \
    "Fre Fri Coe Coi; `*` stands for anything: `Pod**`, `Po**`, `Dp*`") \
  X(CYCLES, "cycles", NUMBER, "N", "0", 0, 8, FOR(GEN), "Make the tests of every cycle of up to N edges of -safe and -relax") \
  X(SAFE, "safe", TEXT, "EDGE,...", NULL, 0, 0, FOR(GEN), \
    "With -cycles: the edges of cycles, wildcards allowed; default Pod**,Rfe,Fre,Coe") \
  X(RELAX, "relax", TEXT, "EDGE,...", NULL, 0, 0, FOR(GEN), \
    "With -cycles: further edges; each cycle has at least one of them") \
  X(ORDERS, "orders", TEXT, "A+B", "rlx", 0, 0, FOR(GEN), "With -cycle: each access in each of these orders: na, rlx, ra, sc") \
  X(SCOPES, "scopes", TEXT, "A+B", NULL, 0, 0, FOR(GEN), \
    "With -cycle: each access at each of these scopes: wg, qf, dev, sys; remote: remote accesses too. Without it " \
    "the tests are C's") \
  X(TREES, "trees", CHOICE, "all|apart|same|devices", "all", 0, 0, FOR(GEN), \
    "With -cycle: every scope tree of one device (all), each thread in a work-group of its own (apart), all " \
    "threads in one (same), or every scope tree of several devices (devices); in one or two clusters, where a scope " \
    "is one") \
  X(CLASSES, "classes", TEXT, "2", NULL, 0, 0, FOR(GEN), \
    "With -cycle: locations of two storage classes, too (Vulkan)") \
  X(LANGUAGE, "language", CHOICE, SMALL_LANGUAGE_WORDS, NULL, 0, 0, FOR(GEN), \
    "With -cycle: the tests' language; default OpenCL with -scopes, else C") \
  X(CELLS, "cells", TEXT, "REGEX", NULL, 0, 0, FOR(SYNTH), \
    "Operations for which to find cells: load acq dev, store rel dev, rmw ar dev, each also remote; with " \
    "-target, operations whose instructions may be left out; default: all") \
  X(SYNTH_FAMILY, "family", TEXT, "THREADSxOPS[,WORD]...", "2x2", 0, 0, FOR(SYNTH), \
    "Programs on which a mapping must be sound, as for `diff`; only those that the model calls race-free count. With " \
    "-check of a certificate of -target: further programs to try") \
  X(STEPS, "steps", NUMBER, "N", "4", 1, 6, FOR(SYNTH), \
    "Maximum number of steps of a candidate: the access, flushes, invalidations (not posted ones), a lock") \
  X(CHECK, "check", TEXT, "FILE", NULL, 0, 0, FOR(SYNTH), \
    "Only check a certificate: does each of its programs refute its candidate, and is every candidate covered?") \
  X(SYNTH_OUTPUT, "o", TEXT, "FILE.xml", NULL, 0, 0, FOR(SYNTH), \
    "Write the mapping there, and its certificate to FILE.xml.certificate; with -target the certificate") \
  X(SHARD, "shard", TEXT, "I/N", NULL, 0, 0, FOR(DIFF) | FOR(SYNTH) | FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY), \
    "Do the I-th of N shards of the work; write its results in a form that `merge` joins") \
  X(JOURNAL, "journal", TEXT, "FILE", NULL, 0, 0, FOR(DIFF) | FOR(SYNTH) | FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY), \
    "Write finished parts of the work there; a run that was killed continues from it") \
  X(BLOCKS, "blocks", SWITCH, NULL, NULL, 0, 0, FOR(VERIFY), \
    "Tests are LLVM's memory-legalizer tests (.ll): is the code of each of their operations right in every context, and which " \
    "of its waits, invalidates and write-backs are needed? The code is that of the CHECK lines or, with -compiler, what that compiler makes (for -target, where there are no RUN lines)") \
  X(ABLATE, "ablate", SWITCH, NULL, NULL, 0, 0, FOR(VERIFY), \
    "Instead of tests: try the mapping with each single step left out, exchanged or narrowed, to see whether it " \
    "is needed; with -target, each wait, invalidate, write-back and bit that the compiler emits") \
  X(INCLUDE, "I", LIST, "DIR", NULL, 0, 0, FOR_LISTS | FOR_SEARCHES | FOR(SYNTH) | FOR(LIST) | FOR(SERVE), \
    "Extra folder to search for models, mappings and machines; folders in LITSCOPE_LIB are searched too") \
  X(PORT, "port", NUMBER, "N", "8765", 0, 65535, FOR(SERVE), \
    "The port of 127.0.0.1 at which the page is; 0: any that is free") \
  X(VARIANT, "variant", LIST, "WORDS", NULL, 0, 0, FOR_RUNS | FOR_SEARCHES | FOR(SYNTH) | \
    FOR(RUN) | FOR(PROGRESS) | FOR(REPAIR) | FOR(COMPILE) | FOR(COST), \
    "Words, separated by commas, for `if \"word\"` in models (`litscope list models` lists them); cas-keeps-expected: " \
    "in OpenCL tests a failing compare-and-swap does not change the expected value, as in the herd of 2015; " \
    "normw, onermw: a read-modify-write is two events, or one, whatever the model says; rmw-if-mentioned: two if " \
    "the model mentions `rmw` at all; lkmmv2: both halves of the Linux kernel's read-modify-writes are annotated " \
    "as written") \
  X(BELL, "bell", TEXT, "FILE", NULL, 0, 0, FOR(CHECK) | FOR(REPORT) | FOR(REPAIR) | FOR_SEARCHES, \
    "Declarations of annotations and definitions that come before each model's, such as herd7's linux-kernel.bell") \
  X(MACROS, "macros", TEXT, "FILE", NULL, 0, 0, FOR(CHECK) | FOR(REPORT) | FOR(REPAIR), \
    "Macros for tests in C, such as herd7's linux-kernel.def: `READ_ONCE(X) __load{once}(X)`") \
  X(UNROLL, "unroll", NUMBER, "N", "2", 0, 1000, FOR_JUDGES | FOR(PROGRESS) | FOR(COST), \
    "How many times a loop is unrolled; if this bound cuts executions short, the verdict is `Loop Ok` or `Loop " \
    "No`; none: the default. If it is not given, `verify` goes up to 16, and `repair` to 8, where 2 leave the answer open") \
  X(WANT, "want", TEXT, "CONDITION|race-free|ends", NULL, 0, 0, FOR(REPAIR), \
    "What the test must satisfy besides being race-free: a condition such as '~exists (1:r0=1 /\\ [x]=2)'; " \
    "nothing more (race-free); or that every run ends that puts off no thread for ever, as `progress -model` " \
    "asks (ends). Default: its own condition, where `exists` describes what must not happen") \
  X(WEAKEN, "weaken", SWITCH, NULL, NULL, 0, 0, FOR(REPAIR), \
    "For a correct test: find which orders and scopes can be lowered and which fences can be removed, all at " \
    "once; weakest result first") \
  X(EVERY, "every", NUMBER, "N", "2000", 0, 1000000000, FOR(REPAIR), \
    "Try up to N of the cheaper changes one by one, besides the few that the search needs: under most models, " \
    "but not all, stronger orders and scopes never allow more. If the option is given, the model is asked about each; " \
    "otherwise an execution that refuted one change is first tried on the others") \
  X(ROUNDS, "rounds", CHOICE, "fold|new|all", "fold", 0, 0, FOR(CHECK), \
    "Failed iterations of loops that wait: fold leaves them out where the model allows it (`-dump rounds` says " \
    "why), and the log says for how many loops, or follows, under the OpenCL models (of programs whose ordinary loads may need them) and hrf-rsp, those that see something new; " \
    "new follows only such; all follows every " \
    "one, up to -unroll, as in herd7. Outcomes and races are the same, except that -unroll may cut some with all. " \
    "The numbers of bad executions are listed where there are up to 1,024 executions, and with new and all up to " \
    "1,048,576") \
  X(VERIFY_AWAITS, "awaits", BOOL, "true|false", "true", 0, 0, FOR(VERIFY), \
    "On the model's side, follow loops that only wait until they see nothing new; false: up to -unroll") \
  X(SHOW, "show", CHOICE, "prop|neg|all|cond|none|wit", "prop", 0, 0, FOR(CHECK) | FOR(EXPLORE), \
    "Executions to draw: those that meet the proposition (prop), those that do not (neg), all, those that the " \
    "log counts as Positive (cond), none, or those that settle the condition (wit). `explore`: print a shortest " \
    "run to such an outcome") \
  X(OUTCOME, "outcome", TEXT, "CONDITION", NULL, 0, 0, FOR(EXPLORE), \
    "Use this condition for every test instead of its own, and print a shortest run to an outcome that meets its " \
    "proposition: '1:r0=1 /\\ [x]=2', or with exists, ~exists or forall before it. With -cost each step of a " \
    "thread shows the cycle in which it is done; with -o DIR the run is also drawn, as a sequence diagram") \
  X(OUTPUT, "o", TEXT, "DIR", NULL, 0, 0, FOR_MODELS | FOR_SEARCHES | FOR(EXPLORE) | FOR(PROGRESS) | FOR(COST) | FOR(RUN), \
    "Folder for pictures, the tests of `diff` and `gen`, the smallest programs of `verify -family`, the kernels of `run`, the " \
    "tables of `cost -csv` and the page of `verify -blocks` (blocks.html); created if missing") \
  X(SUFFIX, "suffix", TEXT, "TEXT", NULL, 0, 0, FOR(CHECK), "Append this to the test's name in the names of graphs") \
  X(COMPILE_OUTPUT, "o", TEXT, "DIR", NULL, 0, 0, FOR(COMPILE), \
    "Folder for tests in another language, one file each, whose paths are printed: translated ones or, with " \
    "-target, the code as AMDGPU litmus tests; created if missing. Default: translated tests go to standard output") \
  X(IR, "ir", SWITCH, NULL, NULL, 0, 0, FOR(COMPILE), "With -target: print what the compiler is given instead, LLVM IR or source") \
  X(DOT, "dot", SWITCH, NULL, NULL, 0, 0, FOR(CHECK) | FOR(VERIFY), \
    "Draw executions as DOT text, as -o alone does; without -o in the current folder") \
  X(SVG, "svg", SWITCH, NULL, NULL, 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY) | FOR(PROGRESS) | FOR(COST), \
    "Draw executions, runs or plots as SVG pictures in the folder of -o; without -o, in the current folder, and " \
    "print their paths there") \
  X(PDF, "pdf", SWITCH, NULL, NULL, 0, 0, FOR(CHECK), "Draw executions as PDF, for papers; otherwise as -svg does") \
  X(TIKZ, "tikz", SWITCH, NULL, NULL, 0, 0, FOR(CHECK), \
    "Draw executions for LaTeX, a tikzpicture in each file; otherwise as -svg does") \
  X(THROUGH, "through", CHOICE, "all|invalid|none", "none", 0, 0, FOR(CHECK), \
    "Count rejected executions too, and draw them: all of them, or (invalid) only those that are coherent at every " \
    "single location; the count is the same") \
  X(SKIPCHECK, "skipcheck", LIST, "NAME", NULL, 0, 0, FOR(CHECK) | FOR(REPORT), \
    "Leave out the model's check with this name; or, if it is the name of a procedure or of a call of one, its " \
    "checks") \
  X(SKIPCHECKS, "skipchecks", LIST, "NAME,...", NULL, 0, 0, FOR(CHECK) | FOR(REPORT), \
    "Leave out the model's checks with these names, as -skipcheck does with each") \
  X(STRICTSKIP, "strictskip", BOOL, "true|false", "false", 0, 0, FOR(CHECK), \
    "Count only the executions that fail every check that -skipcheck and -skipchecks leave out") \
  X(FAILING, "cycles", LIST, "NAME,...", NULL, 0, 0, FOR(CHECK), \
    "Also draw the executions that fail these checks, whatever -show says, each with its cycle; the log does not " \
    "count them") \
  X(SHOWFLAG, "showflag", TEXT, "NAME", NULL, 0, 0, FOR(CHECK), \
    "Draw the executions that raise this flag instead of those of -show; whichever is given last counts") \
  X(BADFLAG, "badflag", TEXT, "NAME", NULL, 0, 0, FOR(CHECK), \
    "Count the executions that raise this flag as bad, besides those whose flag has the name of a race; none: no " \
    "such flag") \
  X(THROUGHFLAG, "throughflag", TEXT, "NAME", NULL, 0, 0, FOR(CHECK), \
    "Count only the executions that raise this flag; none: count all") \
  X(RESTRICT, "restrict", CHOICE, "observed|nonambiguous|condone|none", "none", 0, 0, FOR(CHECK), \
    "observed: count only the executions whose reads all end in registers that the test observes, and write a " \
    "test to the log only if it has some. nonambiguous, condone: write a test to the log only if no two of its " \
    "executions, or no two that meet the proposition, end in the same state. JSON, JUnit and the table still " \
    "have the tests that the log leaves out") \
  X(OUTCOMEREADS, "outcomereads", BOOL, "true|false", "false", 0, 0, FOR(CHECK), \
    "States list all registers into which memory is read, instead of those that the test observes, as well as " \
    "locations") \
  X(BADEXECS, "badexecs", BOOL, "true|false", "true", 0, 0, FOR(CHECK), \
    "Write tests with bad executions to the log; false leaves them out") \
  X(CHECKFILTER, "checkfilter", BOOL, "true|false", "true", 0, 0, FOR(CHECK), \
    "Leave out the outcomes that do not pass a test's filter") \
  X(DOSHOW, "doshow", LIST, "NAME,...", NULL, 0, 0, FOR(CHECK), \
    "Also draw these relations of the model, such as hb,data") \
  X(UNSHOW, "unshow", LIST, "NAME,...", NULL, 0, 0, FOR(CHECK), \
    "Do not draw these relations, such as co,po, except where they are on the cycle of a check that fails") \
  X(GRAPH, "graph", CHOICE, "cluster|columns|free", "cluster", 0, 0, FOR(CHECK), \
    "How events are placed: threads in columns, with boxes for their scopes (cluster) or without (columns), or " \
    "wherever Graphviz puts them (free)") \
  X(LETTERS, "letters", BOOL, "true|false", "false", 0, 0, FOR(CHECK), \
    "Label the events in pictures with letters, as herd does") \
  X(SHOWLEGEND, "showlegend", BOOL, "true|false", "true", 0, 0, FOR(CHECK), \
    "Write above a picture what it shows: test, model, axiom, final values") \
  X(INSTRUCTIONS, "instructions", CHOICE, "true|false|hover", "false", 0, 0, FOR(CHECK), \
    "In pictures, write each event's instruction below it; hover: show the line of the test when the pointer is " \
    "on an event") \
  X(HEXA, "hexa", BOOL, "true|false", "false", 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(RUN), \
    "Write values in hexadecimal") \
  X(CANDIDATES, "candidates", BOOL, "true|false", "false", 0, 0, FOR(CHECK), \
    "Write to the log how many candidate executions were visited; fewer than herd's, since whole families are " \
    "skipped") \
  X(CONF, "conf", LIST, "FILE", NULL, 0, 0, FOR(CHECK), \
    "Read options from a file, with a line `NAME VALUE` or `NAME = VALUE` for each, as for herd (`include DIR` " \
    "is -I); herd options that have no meaning here are ignored. The file is searched where models are") \
  X(NSHOW, "nshow", NUMBER, "N", "100", 1, 1000000, FOR(CHECK) | FOR(REPORT), \
    "Maximum executions drawn per test and model") \
  X(WHY, "why", SWITCH, NULL, NULL, 0, 0, FOR(CHECK) | FOR(REPAIR), \
    "Explain: for executions that meet the condition but are rejected, the axiom and the cycle or pair; for races, " \
    "the two accesses; for what is not enough as a repair, the execution that shows it") \
  X(SPEEDCHECK, "speedcheck", CHOICE, "true|fast|false", "false", 0, 0, FOR(CHECK), \
    "Stop as soon as the condition's answer is known: the log then counts only the executions that gave it") \
  X(ENGINE, "engine", CHOICE, "enumerate|solve|auto", "auto", 0, 0, FOR(CHECK) | FOR(PROGRESS), \
    "How the answer of a model is found: by trying all executions; with a solver (CaDiCaL); or (auto) by trying " \
    "them and, where they are many, with the solver, for `check`. The solver looks for one execution of each state " \
    "and for one that raises each flag; `progress`: for one that does not " \
    "end. Executions are not counted then, and the log says so; a certificate (-certify) then has the executions " \
    "found, and a refutation of each question that none answers. With -certify, auto tries all executions") \
  X(PRUNE, "prune", BOOL, "true|false", "true", 0, 0, FOR(CHECK), \
    "Drop partial candidates that cannot become executions; false builds every candidate completely before " \
    "checking it") \
  X(NAMES, "names", LIST, "FILE", NULL, 0, 0, FOR_LISTS, "Run only the tests named in FILE") \
  X(OKNAMES, "oknames", LIST, "NAME,...", NULL, 0, 0, FOR_LISTS, \
    "Run only the tests with these names, and those of -names") \
  X(EXCL, "excl", LIST, "FILE", NULL, 0, 0, FOR_LISTS, "Leave out the tests named in FILE") \
  X(NONAMES, "nonames", LIST, "NAME,...", NULL, 0, 0, FOR_LISTS, "Leave out the tests with these names") \
  X(RENAME, "rename", LIST, "FILE", NULL, 0, 0, FOR_LISTS, \
    "Give tests other names, to which the other lists then refer: FILE has a line `OLD NEW` for each") \
  X(KINDS, "kinds", LIST, "FILE", NULL, 0, 0, FOR_LISTS, \
    "Run only the tests that FILE lists, each line `NAME Allowed|Forbidden|Required`, and use this as the kind " \
    "of their condition") \
  X(CONDS, "conds", LIST, "FILE", NULL, 0, 0, FOR_LISTS, \
    "Run only the tests that FILE lists, each line `NAME \"CONDITION\"`, with that condition") \
  X(CONFIG, "config", TEXT, "T,S,W", NULL, 0, 0, FOR_LISTS, \
    "For kernels, instead of their own @Config: T work-items in a sub-group, S sub-groups in a work-group, W " \
    "work-groups; each a number, or in several dimensions such as 4x2") \
  X(KERNEL, "kernel", TEXT, "NAME", NULL, 0, 0, FOR_LISTS, \
    "For kernels, instead of @Kernel: which of a file's kernels is read; not given: the first") \
  X(INPUT, "input", LIST, "NAME = VALUE", NULL, 0, 0, FOR_LISTS, \
    "For kernels, instead of @Input: the initial value of a variable or argument, such as `A = {0, 1}`") \
  X(OUTPUT_CONDITION, "output", LIST, "CONDITION", NULL, 0, 0, FOR_LISTS, \
    "For kernels, instead of @Output: a condition, such as `forall (A[0] == 1)`") \
  X(FILTER, "filter", LIST, "CONDITION", NULL, 0, 0, FOR_LISTS, \
    "For kernels, instead of @Filter: only executions that end in such a state count, such as `(A[0] != 0)`") \
  X(SOURCE_OPTIONS, "source-options", LIST, "WORDS", NULL, 0, 0, FOR_LISTS, \
    "Further options, separated by spaces, for the compiler of kernels in OpenCL C (clang) or GLSL " \
    "(glslangValidator), such as `-DFAST -O2`") \
  X(SELECT, "select", TEXT, "REGEX", NULL, 0, 0, FOR_LISTS, "Run only the tests whose name matches (Perl's syntax)") \
  X(EXIT, "exit", BOOL, "true|false", "false", 0, 0, FOR(CHECK), \
    "Stop at the first bad test: one that cannot be read, or whose model cannot be used. The log ends before it") \
  X(JOBS, "j", NUMBER, "N", "0", 0, 1024, (FOR_LISTS & ~FOR(RUN)) | FOR_SEARCHES | FOR(SYNTH) | FOR(COST), \
    "Worker threads; 0: one per processor. The log does not depend on it") \
  X(TIMEOUT, "timeout", REAL, "SECONDS", "0", 0, 1e9, FOR_RUNS | FOR_SEARCHES | FOR(SYNTH) | FOR(PROGRESS) | FOR(REPAIR) | FOR(COST), \
    "Time limit per test and model or machine, or for a whole sweep; 0 or none: no limit") \
  X(MAX_EVENTS, "max-events", NUMBER, "N", "0", 0, 1000000000, FOR_JUDGES | FOR_SEARCHES | FOR(SYNTH) | FOR(PROGRESS), \
    "Maximum number of events per execution; 0: no limit") \
  X(MAX_MEMORY, "max-memory", NUMBER, "MIB", "0", 0, 1 << 30, FOR_RUNS | FOR_SEARCHES | FOR(SYNTH) | FOR(RUN) | FOR(PROGRESS) | FOR(REPAIR) | FOR(COST), \
    "Memory limit per test; 0: none for models; for explorations half of the computer's memory, or of the " \
    "control group's, shared by the tests that run at the same time") \
  X(JSON, "json", TEXT, "FILE", NULL, 0, 0, FOR(CHECK) | FOR_SEARCHES | FOR(SYNTH) | FOR(EXPLORE) | FOR(VERIFY) | FOR(RUN) | FOR(PROGRESS) | FOR(REPAIR), \
    "Also write the results as JSON; `-`: to standard output, instead of the log") \
  X(EXPECT, "expect", TEXT, "FILE", NULL, 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY) | FOR(RUN), \
    "Compare with the results in FILE: a log of litscope or herd, a table such as expected.tsv, or a kinds file; " \
    "status 1 if they differ in states, in the observation or in what is undefined. Numbers of executions are not compared") \
  X(FAIL_ON, "fail-on", CHOICE, "violation|no|nothing", "violation", 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY), \
    "Which answers are failures (status 1, and in -junit). violation: a `~exists`, `forall` or assertion that " \
    "does not hold, undefined behaviour, such as a race, and a kernel no execution of which ends. no: also an `exists` that is not satisfied. " \
    "nothing: none of these, as in herd; the default with -conf. With -expect, only differences are failures; " \
    "unsound mappings always are") \
  X(FAIL_ON_ENDLESS, "fail-on", CHOICE, "endless|nothing", "nothing", 0, 0, FOR(PROGRESS), \
    "Which answers are failures (status 1, and in -junit). endless: a run that does not end, under any of the " \
    "schedulers asked (-scheduler fair: under that one)") \
  X(SUM, "sum", SWITCH, NULL, NULL, 0, 0, FOR(COMPARE), \
    "Print all logs as one, each test with the states of all of them") \
  X(TO_CONDS, "to-conds", SWITCH, NULL, NULL, 0, 0, FOR(COMPARE), \
    "Print conditions for -conds, one line `NAME \"forall (...)\"` per test: there are no states except those of " \
    "the logs") \
  X(CERTIFY, "certify", TEXT, "FILE", NULL, 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY) | FOR(PROGRESS), \
    "Also write a certificate of each verdict: every decision of the search, what closes each branch, or how the " \
    "solver refutes what there is none of; the machine's code and run. litscope-certify, which shares no code with litscope, can then check it. With this " \
    "option, each test has only one worker for the model, and loops are followed up to -unroll") \
  X(JUNIT, "junit", TEXT, "FILE", NULL, 0, 0, FOR_RUNS | FOR(RUN) | FOR(PROGRESS) | FOR(REPAIR), "Also write the results as a JUnit report") \
  X(DUMP, "dump", CHOICE, "program|model|rounds", NULL, 0, 0, FOR(CHECK), \
    "Print each test, or the model, as litscope understood it, or (rounds) why the model allows failed " \
    "iterations of loops to be left out; run nothing") \
  X(DEVICES, "devices", SWITCH, NULL, NULL, 0, 0, FOR(RUN), \
    "List the devices and the atomic operations that each offers; if tests are named, also what each test needs") \
  X(DEVICE, "device", NUMBER, "I", "0", 0, 1000, FOR_DEVICES, \
    "The device, by its number in -devices; `report` runs tests on a device only if this is given") \
  X(INSTANCES, "n", NUMBER, "INSTANCES", "10000", 1, 10000000, FOR_DEVICES, \
    "Instances of a test in each launch of its kernel (-s, litmus7's, is the same)") \
  X(LAUNCHES, "runs", NUMBER, "LAUNCHES", "100", 1, 1000000000, FOR_DEVICES, "Launches of each test (-r is the same)") \
  X(TIME, "time", REAL, "SECONDS", "0", 0, 1e9, FOR_DEVICES, \
    "Launch each test repeatedly for this long, instead of -runs times") \
  X(RUN_TIMEOUT, "timeout", REAL, "SECONDS", "60", 0.001, 1e9, FOR(RUN), \
    "Time limit per launch; a test that exceeds it, for instance because a loop waits for ever, ends with status " \
    "3") \
  X(SEED, "seed", NUMBER, "N", "1", 0, 9e15, FOR_DEVICES, "Seed of every shuffle: the same seed gives the same tables") \
  X(STRESS, "stress", CHOICE, "none|light|heavy", "none", 0, 0, FOR_DEVICES, \
    "Memory stress during the tests, and before each instance; -params sets its knobs one by one") \
  X(RUN_PARAMS, "params", TEXT, "NAME=VALUE,...", NULL, 0, 0, FOR(RUN), \
    "Knobs of a run (`litscope run -params help` lists them); they override -stress and -params-file") \
  X(PARAMS_FILE, "params-file", TEXT, "FILE", NULL, 0, 0, FOR_DEVICES, "Read knobs from FILE, such as the one that -tune writes") \
  X(TUNE, "tune", REAL, "SECONDS", "0", 0, 1e9, FOR(RUN), \
    "Try knobs on each test for this long, and write those that show the most weak outcomes (outcomes that sequential " \
    "consistency forbids) per second to tuned.params, in the folder of -o") \
  X(RUN_DUMP, "dump", SWITCH, NULL, NULL, 0, 0, FOR(RUN), "Print each test's kernel, and run nothing") \
  X(DROP_REMOTE, "drop-remote", SWITCH, NULL, NULL, 0, 0, FOR(RUN), \
    "Run remote operations, which no device has, as ordinary ones with the same scope, and ask the model about " \
    "that program") \
  X(ONE_DEVICE, "one-device", SWITCH, NULL, NULL, 0, 0, FOR(RUN), \
    "Run tests for several devices with all work-groups on one, and ask the model about that program") \
  X(MUTATE, "mutate", CHOICE, "none|relaxed", "none", 0, 0, FOR(RUN), \
    "Generate a wrong kernel, with all operations relaxed and no fences, to see whether this set-up notices") \
  X(REWRITE, "rewrite", SWITCH, NULL, NULL, 0, 0, FOR_DEVICES, \
    "Run kernels in OpenCL C as litmus tests are run, many instances in a launch, and not as they are; implied by " \
    "options that change how tests run (-stress, -params, -mutate, -tune, -o)") \
  X(EMIT, "emit", CHOICE, "opencl|cuda|hip|vulkan|webgpu", NULL, 0, 0, FOR(RUN), \
    "Instead of running tests, write folders that run them elsewhere: sources, build file, host program. A test that " \
    "is named alone is written to DIR, several to folders in DIR; `compare` reads their output") \
  X(EMIT_RULES, "emit", CHOICE, "promela|murphi", NULL, 0, 0, FOR(EXPLORE), \
    "Instead of exploring, print the machine's rules for the test as a model for SPIN or rumur, whose states and " \
    "transitions are those of -no-por -no-symmetry; with -o DIR as NAME-MAPPING.pml or .m there") \
  X(ALL, "all", SWITCH, NULL, NULL, 0, 0, FOR(HELP), "All options of the command, and not only those that matter first") \
  X(FORMAT, "format", CHOICE, "text|man|bash|zsh|herd", "text", 0, 0, FOR(HELP), \
    "Help as text, or all of it as a manual page or a shell's completion; herd: which of herd7's options are supported") \
  X(STATS, "stats", SWITCH, NULL, NULL, 0, 0, FOR(CHECK) | FOR(EXPLORE) | FOR(VERIFY) | FOR(RUN) | FOR(COST), \
    "Print the engine's counters for each test on standard error; `cost`: the number of events in the " \
    "simulations of its programs") \
  X(QUIET, "q", SWITCH, NULL, NULL, 0, 0, FOR_LISTS | FOR_SEARCHES | FOR(SYNTH), "Quiet: no warnings and no progress") \
  X(VERBOSE, "v", SWITCH, NULL, NULL, 0, 0, FOR_RUNS | FOR(RUN) | FOR(COMPILE), "Verbose: print which models and files are read")
/* clang-format on */

#endif
