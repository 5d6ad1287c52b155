# SPDX-License-Identifier: MIT
# litscope: `make demo` and `make check` do everything on a fresh Debian machine.
VERSION = 0.9.0
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O3 -g -DNDEBUG
WARNINGS = -Wall -Wextra -Wshadow -Wconversion
PACKAGES = libxml-2.0 libpcre2-8 libcgraph libgvc
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null | sed 's/-I/-isystem /g')
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. $(WARNINGS) \
  -DLITSCOPE_VERSION='"$(VERSION)"' -DLITSCOPE_DATADIR='"$(DATADIR)"' -pthread -MMD -MP \
  $(PACKAGE_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null) -lm -pthread

BUILD ?= build
SOURCES := $(filter-out checker/cmd/main.c,$(wildcard checker/*/*.c hwsem/*.c hwsem/*/*.c))
COMMANDS := $(filter checker/cmd/%,$(SOURCES))
LIBRARY := $(filter-out $(COMMANDS),$(SOURCES))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)

# The program, and how to call it from here.
PROGRAM ?= litscope
RUN = $(if $(findstring /,$(PROGRAM)),,./)$(PROGRAM)

# V=1 shows whole commands.
ifneq ($(V),1)
brief = @printf '  %-4s %s\n' $(1) '$@';
endif

all: $(PROGRAM)

$(PROGRAM): $(COMMANDS:%.c=$(BUILD)/%.o) $(BUILD)/checker/cmd/main.o $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/liblitscope.a: $(LIBRARY:%.c=$(BUILD)/%.o)
	$(call brief,AR)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c | found
	$(call brief,CC)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -c -o $@ $<

found:
	@$(PKG_CONFIG) --exists --print-errors $(PACKAGES) || { \
	  echo "litscope needs pkg-config and the development files of libxml2, PCRE2 and Graphviz; 'make deps' installs" \
	    "them on Debian" >&2; exit 1; }

# What building and testing need, installed where it is missing.
DEPENDENCIES = build-essential pkg-config libxml2-dev libpcre2-dev libgraphviz-dev libxxhash-dev libxml2-utils libcmocka-dev

deps:
	@{ command -v $(firstword $(CC)) && command -v xmllint && $(PKG_CONFIG) --exists $(PACKAGES) libxxhash cmocka; } \
	  >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  command -v apt-get >/dev/null && { [ -z "$$sudo" ] || command -v sudo >/dev/null; } && \
	  $$sudo apt-get update -qq && \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(DEPENDENCIES) || { \
	  echo "litscope cannot install what it needs to be built and tested. As root, on Debian:" >&2; \
	  echo "  apt-get install $(DEPENDENCIES)" >&2; exit 1; }; }

# Everything on a fresh machine: installs what is missing, builds, shows.
demo:
	+$(MAKE) deps
	+$(MAKE) all
	tests/demo.sh '$(RUN)' out

# Folders may be given one by one, such as LIBDIR=/usr/lib/x86_64-linux-gnu.
INSTALL = install
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include/litscope
DATADIR = $(PREFIX)/share/litscope
DOCDIR = $(PREFIX)/share/doc/litscope
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
LITMUS_FOLDERS := $(sort $(dir $(wildcard litmus/*/*.litmus)))
MAN5 := $(wildcard checker/man/*.5)

# What litscope.h is made of.
HEADERS = $(sort $(filter checker/% hwsem/%,$(shell $(CC) -std=c17 -I. -MM checker/litscope.h)))

# The shared library has objects of its own: code for it is a little slower.
SONAME = liblitscope.so.$(firstword $(subst ., ,$(VERSION)))
SHARED = $(BUILD)/liblitscope.so.$(VERSION)
shared: $(SHARED)

PIC_OBJECTS := $(LIBRARY:%.c=$(BUILD)/pic/%.o)

$(BUILD)/pic/%.o: %.c | found
	$(call brief,CC)mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fPIC -c -o $@ $<

$(SHARED): $(PIC_OBJECTS)
	$(call brief,LINK)$(CC) -shared -Wl,-soname,$(SONAME) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# to FOLDER, FILES: installs files, or what $(INSTALL)'s options say.
to = $(INSTALL) -d '$(DESTDIR)$(1)' && $(INSTALL) $(2) '$(DESTDIR)$(1)'

install: all shared
	$(call to,$(BINDIR),'$(PROGRAM)')
	$(call to,$(DATADIR)/models,-m 644 models/*.cat)
	$(call to,$(DATADIR)/mappings,-m 644 mappings/*.xml mappings/*.rng)
	$(call to,$(DATADIR),-m 644 checker/report/results.schema.json)
	for folder in $(LITMUS_FOLDERS); do \
	  $(call to,$(DATADIR)/'$$folder',-m 644 $$folder*.litmus $$folder*.tsv) || exit 1; done
	$(call to,$(LIBDIR),-m 644 '$(BUILD)/liblitscope.a' '$(SHARED)')
	ln -sf $(notdir $(SHARED)) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/liblitscope.so'
	$(call to,$(INCLUDEDIR),-m 644 checker/litscope.h)
	for header in $(filter-out checker/litscope.h,$(HEADERS)); do \
	  $(INSTALL) -D -m 644 $$header '$(DESTDIR)$(INCLUDEDIR)'/$$header || exit 1; done
	sed -e 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),; s,@PACKAGES@,$(PACKAGES),' $(foreach name,LIB INCLUDE DATA,\
	  -e 's,@$(name)DIR@,$($(name)DIR:$(PREFIX)/%=$${prefix}/%),') checker/litscope.pc.in > '$(BUILD)/litscope.pc'
	$(call to,$(LIBDIR)/pkgconfig,-m 644 '$(BUILD)/litscope.pc')
	'$(RUN)' help -format man > '$(BUILD)/litscope.1'
	$(call to,$(MANDIR)/man1,-m 644 '$(BUILD)/litscope.1')
	$(call to,$(MANDIR)/man5,-m 644 $(MAN5))
	$(INSTALL) -d '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)'
	'$(RUN)' help -format bash > '$(DESTDIR)$(BASHDIR)/litscope'
	'$(RUN)' help -format zsh > '$(DESTDIR)$(ZSHDIR)/_litscope'
	$(call to,$(DOCDIR),-m 644 README.md LICENSE)
	for folder in litmus models mappings; do \
	  $(call to,$(DOCDIR)/'$$folder',-m 644 $$folder/README.md) || exit 1; done
	$(call to,$(DOCDIR)/examples,-m 644 tests/api/example.c)

uninstall:
	rm -rf $(patsubst %,'$(DESTDIR)%',$(BINDIR)/litscope $(DATADIR) $(INCLUDEDIR) $(DOCDIR) \
	  $(LIBDIR)/liblitscope.a $(LIBDIR)/liblitscope.so $(LIBDIR)/$(SONAME) $(LIBDIR)/$(notdir $(SHARED)) \
	  $(LIBDIR)/pkgconfig/litscope.pc $(MANDIR)/man1/litscope.1 $(MAN5:checker/man/%=$(MANDIR)/man5/%) \
	  $(BASHDIR)/litscope $(ZSHDIR)/_litscope)

clean:
	rm -rf $(BUILD) $(BUILD)-* $(PROGRAM) out

-include $(OBJECTS:.o=.d) $(PIC_OBJECTS:.o=.d) $(BUILD)/checker/cmd/main.d
include tests/rules.mk
.PHONY: all found deps demo shared install uninstall clean
