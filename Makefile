# litscope: `make demo` and `make check` do everything on a fresh Debian machine.
VERSION = 0.9.0
MAKEFLAGS += --no-print-directory
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
	tests/demo.sh $(abspath $(PROGRAM)) out

INSTALL = install
BINDIR = $(DESTDIR)$(PREFIX)/bin
DATADIR = $(DESTDIR)$(PREFIX)/share/litscope
LIBDIR = $(DESTDIR)$(PREFIX)/lib
INCLUDEDIR = $(DESTDIR)$(PREFIX)/include/litscope
MANDIR = $(DESTDIR)$(PREFIX)/share/man
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
LITMUS_FOLDERS := $(sort $(dir $(wildcard litmus/*/*.litmus)))
MAN5 := $(wildcard checker/man/*.5)
HEADERS := $(filter-out checker/cmd/%,$(wildcard checker/*.h checker/*/*.h hwsem/*.h hwsem/*/*.h))

# The shared library has objects of its own: code for it is a little slower.
SONAME = liblitscope.so.$(firstword $(subst ., ,$(VERSION)))
SHARED = $(BUILD)/liblitscope.so.$(VERSION)
shared: $(SHARED)

$(SHARED): $(filter-out checker/cmd/%,$(SOURCES))
	+$(MAKE) BUILD=$(BUILD)/pic CFLAGS='$(CFLAGS) -fPIC' $(patsubst %.c,$(BUILD)/pic/%.o,$^)
	$(CC) -shared -Wl,-soname,$(SONAME) $(LDFLAGS) -o $@ $(patsubst %.c,$(BUILD)/pic/%.o,$^) $(LIBS)

install: all shared
	$(INSTALL) -d $(BINDIR) $(DATADIR)/models $(DATADIR)/mappings $(LIBDIR)/pkgconfig $(MANDIR)/man1 $(MANDIR)/man5 \
	  $(BASHDIR) $(ZSHDIR)
	$(INSTALL) $(PROGRAM) $(BINDIR)/litscope
	$(INSTALL) -m 644 models/*.cat $(DATADIR)/models
	$(INSTALL) -m 644 mappings/*.xml mappings/*.rng $(DATADIR)/mappings
	$(INSTALL) -m 644 checker/report/results.schema.json $(DATADIR)
	for folder in $(LITMUS_FOLDERS); do \
	  $(INSTALL) -d $(DATADIR)/$$folder && $(INSTALL) -m 644 $$folder*.litmus $(DATADIR)/$$folder || exit 1; done
	$(INSTALL) -m 644 $(BUILD)/liblitscope.a $(SHARED) $(LIBDIR)
	ln -sf $(notdir $(SHARED)) $(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(LIBDIR)/liblitscope.so
	for header in $(HEADERS); do \
	  $(INSTALL) -D -m 644 $$header $(INCLUDEDIR)/$$(echo $$header | sed 's,^[^/]*/,,') || exit 1; done
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),; s,@PACKAGES@,$(PACKAGES),' checker/litscope.pc.in \
	  > $(LIBDIR)/pkgconfig/litscope.pc
	$(abspath $(PROGRAM)) help -format man > $(MANDIR)/man1/litscope.1
	$(if $(MAN5),$(INSTALL) -m 644 $(MAN5) $(MANDIR)/man5)
	$(abspath $(PROGRAM)) help -format bash > $(BASHDIR)/litscope
	$(abspath $(PROGRAM)) help -format zsh > $(ZSHDIR)/_litscope

uninstall:
	rm -rf $(BINDIR)/litscope $(DATADIR) $(INCLUDEDIR) $(LIBDIR)/liblitscope.* $(LIBDIR)/pkgconfig/litscope.pc \
	  $(MANDIR)/man1/litscope.1 $(addprefix $(MANDIR)/man5/,$(notdir $(MAN5))) $(BASHDIR)/litscope $(ZSHDIR)/_litscope

clean:
	rm -rf $(BUILD) $(BUILD)-* litscope out

-include $(OBJECTS:.o=.d) $(BUILD)/checker/cmd/main.d
include tests/rules.mk
.PHONY: all deps demo shared install uninstall clean
