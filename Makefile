# litscope: `make demo` and `make check` do everything on a fresh Debian machine.
VERSION = 0.9.0
PREFIX ?= /usr/local
CFLAGS ?= -O3 -g
WARNINGS = -Wall -Wextra -Wshadow -Wconversion
PACKAGES = libxml-2.0 libpcre2-8 libcgraph libgvc
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -Ichecker -Ihwsem $(WARNINGS) \
  -DLITSCOPE_VERSION='"$(VERSION)"' -DLITSCOPE_DATADIR='"$(PREFIX)/share/litscope"' -pthread -MMD -MP \
  $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null | sed 's/-I/-isystem /g') $(CFLAGS)
LIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm -pthread

BUILD ?= build
SOURCES := $(filter-out checker/cmd/main.c,$(wildcard checker/*/*.c hwsem/*.c hwsem/*/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)

PROGRAM ?= litscope

all: $(PROGRAM)

$(PROGRAM): $(BUILD)/checker/cmd/main.o $(BUILD)/liblitscope.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/liblitscope.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What building and testing need, installed where it is missing.
DEPENDENCIES = build-essential pkg-config libxml2-dev libpcre2-dev libgraphviz-dev libxxhash-dev libxml2-utils libcmocka-dev

deps:
	@{ pkg-config --exists $(PACKAGES) libxxhash cmocka && command -v xmllint >/dev/null; } || { \
	  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -qq -y $(DEPENDENCIES); }

# Everything on a fresh machine: installs what is missing, builds, shows.
demo:
	+$(MAKE) deps
	+$(MAKE) all
	tests/demo.sh ./$(PROGRAM) out

INSTALL = install
BINDIR = $(DESTDIR)$(PREFIX)/bin
DATADIR = $(DESTDIR)$(PREFIX)/share/litscope
LITMUS_FOLDERS := $(sort $(dir $(wildcard litmus/*/*.litmus)))

install: all
	$(INSTALL) -d $(BINDIR) $(DATADIR)/models $(DATADIR)/mappings
	$(INSTALL) $(PROGRAM) $(BINDIR)/litscope
	$(INSTALL) -m 644 models/*.cat $(DATADIR)/models
	$(INSTALL) -m 644 mappings/*.xml mappings/*.rng $(DATADIR)/mappings
	for folder in $(LITMUS_FOLDERS); do \
	  $(INSTALL) -d $(DATADIR)/$$folder && $(INSTALL) -m 644 $$folder*.litmus $(DATADIR)/$$folder || exit 1; done

uninstall:
	rm -rf $(BINDIR)/litscope $(DATADIR)

clean:
	rm -rf $(BUILD) $(BUILD)-* litscope out

-include $(OBJECTS:.o=.d) $(BUILD)/checker/cmd/main.d
include tests/rules.mk
.PHONY: all deps demo install uninstall clean
