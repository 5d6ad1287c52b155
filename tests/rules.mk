# SPDX-License-Identifier: MIT
# Targets that test, measure and examine: included by the Makefile.
#
#   check           installs what is missing, then the whole suite, then again with sanitizers
#   check-quick     the suite without what is slow, once: in a minute or little more
#   check-long      hours of scripts, and more random tests; no part of a check
#   check-KIND      one kind of test (tests/README.md lists them)
#   faults          every fault of scripts/faults.sh
#   fuzz            every fuzzer for FUZZ_SECONDS
#   bench           the benchmark (SECTIONS="rsp scaling ..." for a part); bench-compare A=a.json B=b.json
#   lint            format, static analysis, two compilers' warnings as errors

# needs TOOL, PACKAGE: what only some targets want is asked for, not installed.
needs = @command -v $(1) >/dev/null || { \
  echo "make $@ needs $(1); as root, on Debian: apt-get install $(2)" >&2; exit 1; }

# An undefined operation traps, and AddressSanitizer says on which line: descriptions of each would be ten times the data
# that every process checks as it starts. Of pointers that wrap, what they reach is noticed; the fuzzers' build looks for
# all of them.
SANITIZE = -fsanitize=address,undefined -fno-sanitize=pointer-overflow -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer
# Thousands of processes start, each in two thirds of the time without 300,000 addresses to fill in and with gcc's
# runtime inside; clang's is always. Forty programs are linked, by the fastest linker that is there.
SANITIZE_LINK = -no-pie $(if $(findstring clang,$(shell $(CC) --version)),,-static-libasan) \
  $(addprefix -fuse-ld=,$(firstword $(foreach linker,lld gold,$(if $(shell command -v ld.$(linker)),$(linker)))))
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
# Those that the run with sanitizers leaves out.
PLAIN_UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(shell grep -l '^/\* plain' tests/unit/test_*.c))
NAIVE_TOOLS := $(patsubst %,$(BUILD)/tests/naive/%,$(if $(wildcard tests/naive/*.c),naive generate))
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYERS := $(FUZZERS:%=$(BUILD)/tests/fuzz/replay_%)
FAULTS := $(BUILD)/tests/faults/shim.so $(BUILD)/tests/faults/inject
TEST_PROGRAMS := $(FAULTS) $(UNIT_TESTS) $(NAIVE_TOOLS) $(REPLAYERS) $(BUILD)/tests/certify/prove

tests: all $(TEST_PROGRAMS)

# What the run with sanitizers starts.
sanitized: all $(filter-out $(PLAIN_UNIT_TESTS),$(UNIT_TESTS)) $(REPLAYERS)

# What building needs comes first; what testing needs is installed, and what the page is made of is fetched, while the
# program is compiled.  It is compiled with sanitizers in the time in which tests wait, for others or for each other's end.
check:
	+$(MAKE) deps-build
	+$(MAKE) page-if-possible deps all shared $(FAULTS) $(NAIVE_TOOLS)
	+$(MAKE) check-rest sanitized-in-idle-time
	+$(MAKE) check-sanitized

# What the run with sanitizers leaves out, and every shipped test.
check-rest: all $(FAULTS) $(NAIVE_TOOLS) $(BUILD)/tests/certify/prove $(PLAIN_UNIT_TESTS) shared
	tests/run -rest -litscope '$(RUN)' -build $(BUILD) -j $(JOBS) corpus scripts mappings naive litmus unit golden

# The shared library, which some tests want, is compiled here by as many as compile the rest.
check-whole: tests shared page-if-possible
	tests/run -litscope '$(RUN)' -build $(BUILD) -j $(JOBS)

check-quick: tests shared
	tests/run -quick -litscope '$(RUN)' -build $(BUILD) -j $(JOBS)

check-long: tests shared
	tests/run -litscope '$(RUN)' -build $(BUILD) -j $(JOBS) long
	tests/run -random 400 -litscope '$(RUN)' -build $(BUILD) -j $(JOBS) naive

# The quick tests with every memory error, leak and undefined operation fatal; of lines of the source, no variables.  The
# plain build has given the warnings.
MAKE_SANITIZED = $(MAKE) BUILD=$(BUILD)-sanitized PROGRAM=$(BUILD)-sanitized/litscope \
  HOT=-Og WARM=-Og COLD=-O0 WARNINGS=-w \
  CFLAGS='$$(OPTIMISE) -g1 -fno-pie -DSTORE_CHUNK_BITS=14 $(SANITIZE)' \
  LDFLAGS='$(LDFLAGS) $(SANITIZE_LINK)' sanitized
sanitized-in-idle-time:
	+nice -n 19 $(MAKE_SANITIZED)

# What is asked for the right answers is not sanitized.
check-sanitized: $(NAIVE_TOOLS)
	+$(MAKE_SANITIZED)
	mkdir -p $(BUILD)-sanitized/tests/naive && cp $(NAIVE_TOOLS) $(BUILD)-sanitized/tests/naive
	tests/run -sanitized -litscope '$(BUILD)-sanitized/litscope' -build $(BUILD)-sanitized -j $(JOBS)

check-%: tests
	tests/run -litscope '$(RUN)' -build $(BUILD) -j $(JOBS) $*

# Test programs are linked from objects made by the Makefile's rule for all.
TEST_SOURCES := $(wildcard tests/unit/*.c tests/naive/*.c tests/fuzz/*.c tests/bench/*.c tests/certify/*.c)
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/%.o)

$(UNIT_TESTS): %: %.o $(BUILD)/libcost.a $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(BUILD)/tests/naive/naive: $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/generate.c %/generate_gpu.c,$(wildcard tests/naive/*.c))) \
  $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Loaded before the C library, and so without sanitizers, which do the same.
$(BUILD)/tests/faults/shim.so: tests/faults/shim.c
	$(call brief,LINK)mkdir -p $(@D) && $(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O2 -fPIC -shared -o $@ $<

# A tracer of system calls as x86-64 numbers them; elsewhere its tests are skipped.
$(BUILD)/tests/faults/inject: tests/faults/inject.c
	$(call brief,LINK)mkdir -p $(@D) && $(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) -O2 -o $@ $<

# Every allocation, reading of the clock and signal of the commands of scripts/faults.sh: an hour.
faults: tests
	FAULTS_EVERY=1 tests/run -litscope '$(RUN)' -build $(BUILD) -j 1 scripts/faults

$(BUILD)/tests/naive/generate: $(BUILD)/tests/naive/generate.o $(BUILD)/tests/naive/generate_gpu.o
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

# The reader of certificates is no part of the library, and comes before it: both have functions of the same names.
$(BUILD)/tests/fuzz/fuzz_certificate $(BUILD)/tests/fuzz/replay_certificate: $(filter-out %/main.o,$(CERTIFIER))

# The certifier, with random trees in place of those that it reads.
$(BUILD)/tests/certify/prove: $(BUILD)/tests/certify/prove.o $(filter-out %/main.o %/decision_tree.o,$(CERTIFIER))
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

# A fuzz target with a main that reads files: replays what fuzzing once found.
$(REPLAYERS): $(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o \
  $(BUILD)/tests/fuzz/file.o $(BUILD)/commands.a $(BUILD)/libcost.a $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)

# Fuzzers: the same targets under libFuzzer.  New inputs collect in
# $(BUILD)-fuzz/corpus/NAME; a crash stays in $(BUILD)-fuzz/crashes/NAME-*, to be
# put, once mended, under tests/fuzz/regressions/NAME.
FUZZ_BUILD = $(BUILD)-fuzz
FUZZ_FLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
SEEDS_litmus = litmus/*/*.litmus tests/errors/litmus/*.litmus
LISTS_litmus = tests/errors/litmus/*.list
SEEDS_check = litmus/*/*.litmus
SEEDS_commands = litmus/*/*.litmus tests/fuzz/seeds/commands/*
SEEDS_cat = models/*.cat tests/errors/cat/*.cat
SEEDS_mapping = mappings/*.xml tests/errors/mapping/*.xml
SEEDS_machine = mappings/*.xml tests/errors/machine/*.xml
SEEDS_hardware = litmus/*/*.litmus
SEEDS_cost = tests/fuzz/seeds/cost/*
SEEDS_certificate = tests/certify/*.cert
SEEDS_kernel = litmus/kernels/*.spvasm tests/golden/kernels/*.spvasm
SEEDS_options = tests/fuzz/seeds/options/*
SEEDS_baseline = litmus/*/expected.tsv tests/golden/log/*.out tests/golden/options/*.out tests/golden/compare/*
DICTIONARY_check = litmus
DICTIONARY_hardware = litmus
DICTIONARY_commands = litmus

fuzz: $(FUZZERS:%=fuzz-%)

fuzz-build:
	$(call needs,clang,clang libclang-rt-dev)
	+$(MAKE) CC=clang CXXFLAGS='-O1 -g' BUILD=$(FUZZ_BUILD) CFLAGS='$(FUZZ_FLAGS)' $(FUZZERS:%=$(FUZZ_BUILD)/tests/fuzz/fuzz_%)

$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/file.o $(BUILD)/tests/fuzz/mutate.o \
  $(BUILD)/commands.a $(BUILD)/libcost.a $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS)

fuzz-%: fuzz-build
	@mkdir -p $(FUZZ_BUILD)/corpus/$* $(FUZZ_BUILD)/seeds/$* $(FUZZ_BUILD)/crashes
	@for seed in $(wildcard $(SEEDS_$*) tests/fuzz/regressions/$*/*); do \
	  [ ! -f "$$seed" ] || cp "$$seed" "$(FUZZ_BUILD)/seeds/$*/$$(printf %s "$$seed" | tr / _)" || exit 1; done
	@awk -v to='$(FUZZ_BUILD)/seeds/$*/' '/^== /{file = to $$2; next} /^--$$/{close(file); file = ""} file{print >file}' \
	  $(wildcard $(LISTS_$*)) </dev/null
	$(FUZZ_BUILD)/tests/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=120 -rss_limit_mb=2048 -max_len=20000 \
	  $(addprefix -dict=,$(wildcard tests/fuzz/$(or $(DICTIONARY_$*),$*).dict)) -print_final_stats=1 -verbosity=0 \
	  -artifact_prefix=$(FUZZ_BUILD)/crashes/$*- $(FUZZ_BUILD)/corpus/$* $(FUZZ_BUILD)/seeds/$*

# Format, static analysis, scripts, and the warnings of two compilers.
LINT_SOURCES = $(wildcard checker/*/*.[ch] checker/exec/*/*.[ch] hwsem/*.[ch] hwsem/*/*.[ch] tests/*/*.[ch]) checker/solve/cadical.cc checker/spirv/tools.cc
TIDY_FLAGS = -std=c17 -D_GNU_SOURCE -DLITSCOPE_VERSION=\"\" -DLITSCOPE_DATADIR=\"\" -I. -Ichecker/api $(shell pkg-config --cflags $(PACKAGES) $(DRAW_PACKAGES) 2>/dev/null)

lint: lint-format lint-structure lint-scripts lint-xml lint-man lint-gcc lint-clang lint-tidy

lint-format:
	$(call needs,clang-format,clang-format)
	@clang-format --dry-run -Werror $(LINT_SOURCES)

lint-structure:
	tests/structure

lint-tidy:
	$(call needs,clang-tidy,clang-tidy)
	printf '%s\n' $(filter-out checker/page/browser.c $(if $(MPI),,checker/cmd/mpi_messages.c),$(filter %.c,$(LINT_SOURCES))) | xargs -n 4 -P $(JOBS) sh -c 'clang-tidy --quiet --config-file=tests/clang-tidy "$$@" -- $(TIDY_FLAGS)' tidy

# All scripts, by their first line or their name.
SCRIPTS = $(shell find checker tests .ci -type f)
PERL_SCRIPTS = $(shell grep -lE '^\#!.*perl' $(SCRIPTS)) $(filter %.pl,$(SCRIPTS))
SHELL_SCRIPTS = $(shell grep -lE '^\#!/bin/sh' $(SCRIPTS)) $(filter %.sh,$(SCRIPTS))

lint-scripts:
	$(call needs,shellcheck,shellcheck)
	@for script in $(sort $(PERL_SCRIPTS)); do perl -Itests/bench -c $$script || exit 1; done
	shellcheck -s sh -S error $(sort $(SHELL_SCRIPTS))

lint-xml:
	$(call needs,xmllint,libxml2-utils)
	xmllint --noout --nonet $(wildcard mappings/*.xml mappings/*.rng)

# Long lines are as the source has them; other manuals are installed beside these.
lint-man: all
	$(call needs,mandoc,mandoc)
	'$(RUN)' help -format man > '$(BUILD)/litscope.1'
	@! mandoc -T lint -W style '$(BUILD)/litscope.1' checker/man/*.[15] | \
	  grep -v 'longer than 80 bytes\|referenced manual not found\|operating system explicitly specified'

lint-gcc lint-clang: lint-%:
	$(call needs,$*,$*)
	+$(MAKE) CC=$* BUILD=$(BUILD)-lint-$* PROGRAM=$(BUILD)-lint-$*/litscope CFLAGS='-O2 -Werror' tests

.PHONY: tests sanitized faults check check-rest check-whole check-quick check-long check-sanitized sanitized-in-idle-time fuzz fuzz-build lint lint-format lint-structure lint-tidy lint-scripts lint-xml lint-man lint-gcc lint-clang

# Benchmarks: never part of a check.
BENCH_JSON ?= $(BUILD)/bench.json

bench: all $(BUILD)/tests/bench/measure $(BUILD)/tests/bench/table
	tests/bench/run -litscope '$(RUN)' -build $(BUILD) -json $(BENCH_JSON) $(SECTIONS)

bench-compare:
	@tests/bench/compare '$(A)' '$(B)'

$(BUILD)/tests/bench/measure: $(BUILD)/tests/bench/measure.o
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/tests/bench/table: $(BUILD)/tests/bench/table.o $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

.PHONY: bench bench-compare
