# Targets that test, measure and examine: included by the Makefile.
#
#   check           the whole suite, then again with sanitizers
#   check-quick     the whole suite once
#   check-KIND      one kind of test (tests/README.md lists them)
#   fuzz            every fuzzer for FUZZ_SECONDS
#   bench           the benchmark; bench-compare A=a.json B=b.json
#   lint            format, static analysis, two compilers' warnings as errors

SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZ_SECONDS ?= 60
JOBS ?= $(shell nproc)

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/test_*.c))
NAIVE_TOOLS := $(patsubst %,$(BUILD)/tests/naive/%,$(if $(wildcard tests/naive/*.c),naive generate))
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYERS := $(FUZZERS:%=$(BUILD)/tests/fuzz/replay_%)
TEST_PROGRAMS := $(UNIT_TESTS) $(NAIVE_TOOLS) $(REPLAYERS)

tests: all $(TEST_PROGRAMS)

check:
	+$(MAKE) check-quick
	+$(MAKE) check-sanitized

check-quick: tests
	tests/run -litscope ./litscope -build $(BUILD) -j $(JOBS)

# The same tests with every memory error, leak and undefined operation fatal.
check-sanitized:
	+$(MAKE) BUILD=$(BUILD)-sanitized PROGRAM=$(BUILD)-sanitized/litscope CFLAGS='-O1 -g $(SANITIZE)' tests
	tests/run -sanitized -litscope $(BUILD)-sanitized/litscope -build $(BUILD)-sanitized -j $(JOBS)

check-%: tests
	tests/run -litscope ./litscope -build $(BUILD) -j $(JOBS) $*

# Test programs are linked from objects made by the Makefile's rule for all.
TEST_SOURCES := $(wildcard tests/unit/*.c tests/naive/*.c tests/fuzz/*.c)
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/%.o)

$(UNIT_TESTS): %: %.o $(BUILD)/liblitscope.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

$(BUILD)/tests/naive/naive: $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/generate.c,$(wildcard tests/naive/*.c))) \
  $(BUILD)/liblitscope.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/naive/generate: $(BUILD)/tests/naive/generate.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

# A fuzz target with a main that reads files: replays what fuzzing once found.
$(REPLAYERS): $(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o \
  $(BUILD)/liblitscope.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

-include $(TEST_OBJECTS:.o=.d)
.SECONDARY: $(TEST_OBJECTS)
.PHONY: tests check check-quick check-sanitized
