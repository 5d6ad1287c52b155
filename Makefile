# SPDX-License-Identifier: MIT
# litscope: `make demo` and `make check` do everything on a fresh Debian machine.
VERSION = 0.9.0
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
PKG_CONFIG ?= pkg-config
CFLAGS ?= $(OPTIMISE) -g1 -DNDEBUG
# Where CFLAGS leaves $(OPTIMISE) to the room: searching for executions is faster by a twentieth with -O3, which takes a third
# more time; rooms in which nothing waits for the processor are compiled faster still.
HOT = -O3
WARM = -O2
COLD = -O1
OPTIMISE = $(WARM)
HOT_ROOMS = checker/base checker/exec
COLD_ROOMS = $(patsubst %,checker/%,api cmd compiler cost device draw explain litmus models_in_c ptx report spirv translate) \
  hwsem/prices hwsem/workloads tests/fuzz tests/unit
WARNINGS = -Wall -Wextra -Wshadow -Wconversion
# GRAPHVIZ=no: without pictures of executions, for which nothing else is needed.
GRAPHVIZ ?= yes
# OPENCL=no: without devices of this machine, as where OpenCL's headers are missing.
OPENCL ?= yes
# SPIRV=no: without kernels in SPIR-V, for which SPIRV-Tools is needed.
SPIRV ?= yes
# CADICAL=no: without the solver (-engine solve), for which CaDiCaL is needed.
CADICAL ?= yes
# MPI=1: `mpirun -n N litscope ...` divides sweeps among its processes.
MPI ?=
PACKAGES = libxml-2.0 libpcre2-8 zlib $(if $(filter no,$(SPIRV)),,SPIRV-Tools)
MPI_PACKAGE = $(if $(MPI),mpi-c)
DRAW_PACKAGES = $(if $(filter no,$(GRAPHVIZ)),,libcgraph libgvc)
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) $(DRAW_PACKAGES) 2>/dev/null | sed 's/-I/-isystem /g')
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -I. $(WARNINGS) \
  -DLITSCOPE_VERSION='"$(VERSION)"' -pthread -MMD -MP -fPIC -fvisibility=hidden \
  $(if $(filter no,$(OPENCL)),-DWITHOUT_OPENCL) $(PACKAGE_CFLAGS) $(CPPFLAGS) $(CFLAGS)
# SPIRV-Tools and CaDiCaL are in C++, and static libraries: in litscope.pc too, C++'s library comes behind them.
SPIRV_LIBS := $(if $(filter no,$(SPIRV)),,$(shell $(PKG_CONFIG) --libs SPIRV-Tools 2>/dev/null))
CADICAL_LIBS := $(if $(filter no,$(CADICAL)),,-lcadical)
CXX_LIBS := $(if $(SPIRV_LIBS)$(CADICAL_LIBS),$(SPIRV_LIBS) $(CADICAL_LIBS) -lstdc++)
LIBRARY_LIBS := $(shell $(PKG_CONFIG) --libs $(filter-out SPIRV-Tools,$(PACKAGES)) 2>/dev/null) $(CXX_LIBS) -lm -pthread
LIBS := $(LIBRARY_LIBS) $(if $(MPI),$(shell $(PKG_CONFIG) --libs $(MPI_PACKAGE) 2>/dev/null))
DRAW_LIBS := $(shell $(PKG_CONFIG) --libs $(DRAW_PACKAGES) 2>/dev/null) -lm

BUILD ?= build
PICTURES := $(filter-out checker/report/execution_picture_stub.c,$(wildcard checker/report/execution_picture*.c))
SOLVER := $(filter-out checker/solve/solve_stub.c,$(wildcard checker/solve/*.c))
KERNELS := $(filter-out checker/spirv/spirv_stub.c,$(wildcard checker/spirv/*.c))
COST_SOURCES := $(wildcard checker/cost/*.c hwsem/timing/*.c hwsem/workloads/*.c hwsem/machines/fear*.c)
SOURCES := $(filter-out checker/cmd/main.c $(if $(filter no,$(SPIRV)),$(KERNELS),checker/spirv/spirv_stub.c) $(if $(filter no,$(CADICAL)),$(SOLVER),checker/solve/solve_stub.c) \
  $(if $(MPI),checker/cmd/mpi_messages_stub.c,checker/cmd/mpi_messages.c) \
  $(if $(filter no,$(GRAPHVIZ)),$(PICTURES),checker/report/execution_picture_stub.c),\
  $(filter-out checker/certify/% checker/draw/% checker/page/% $(COST_SOURCES),\
  $(wildcard checker/*/*.c checker/exec/*/*.c hwsem/*.c hwsem/*/*.c)))
COMMANDS := $(filter checker/cmd/%,$(SOURCES))
LIBRARY := $(filter-out $(COMMANDS),$(SOURCES))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY_OBJECTS := $(LIBRARY:%.c=$(BUILD)/%.o) $(if $(filter no,$(CADICAL)),,$(BUILD)/checker/solve/cadical.o) \
  $(if $(filter no,$(SPIRV)),,$(BUILD)/checker/spirv/tools.o)

# The program, and how to call it from here.
PROGRAM ?= litscope
CERTIFY = $(dir $(PROGRAM))litscope-certify
COST = $(dir $(PROGRAM))litscope-cost
DRAW = $(if $(filter no,$(GRAPHVIZ)),,$(dir $(PROGRAM))litscope-draw)
RUN = $(if $(findstring /,$(PROGRAM)),,./)$(PROGRAM)

# make cannot tell a blank in a target's name from one between targets.
ifneq ($(words $(BUILD)) $(words $(PROGRAM)),1 1)
$(error BUILD='$(BUILD)' PROGRAM='$(PROGRAM)': blanks are possible in PREFIX and DESTDIR, not in these)
endif

# V=1 shows whole commands.
ifneq ($(V),1)
brief = @printf '  %-4s %s\n' $(1) '$@';
.SILENT: stage
endif

all: $(PROGRAM) $(CERTIFY) $(COST) $(DRAW)

# What the program, and the archive of its commands, were last made from: they are made again when MPI and the like change.
PARTS = $(BUILD)/parts-of-$(subst /,-,$(PROGRAM))
ARCHIVED = $(BUILD)/parts-of-commands.a
$(PARTS) $(ARCHIVED): always
	@mkdir -p $(@D); echo '$(COMMANDS)' | cmp -s - $@ || echo '$(COMMANDS)' >$@

$(PROGRAM): $(COMMANDS:%.c=$(BUILD)/%.o) $(BUILD)/checker/cmd/main.o $(BUILD)/liblitscope.a $(PARTS)
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(PARTS),$^) $(LIBS)

# What checks certificates shares nothing with it.
CERTIFIER := $(patsubst %.c,$(BUILD)/%.o,$(wildcard checker/certify/*.c))
$(CERTIFY): $(CERTIFIER)
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

# The simulators: a program of their own, which has the command line from litscope's objects.
$(COST): $(BUILD)/checker/cost/main.o $(BUILD)/libcost.a $(BUILD)/commands.a $(BUILD)/liblitscope.a
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libcost.a: $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/main.c,$(COST_SOURCES)))
	$(call brief,AR)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/commands.a: $(COMMANDS:%.c=$(BUILD)/%.o) $(ARCHIVED)
	$(call brief,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# What draws pictures ends where Graphviz does, and litscope goes on.
DRAWER := $(patsubst %.c,$(BUILD)/%.o,$(wildcard checker/draw/*.c))
$(dir $(PROGRAM))litscope-draw: $(DRAWER)
	$(call brief,LINK)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(DRAW_LIBS)

$(BUILD)/liblitscope.a: $(LIBRARY_OBJECTS)
	$(call brief,AR)rm -f $@ && $(AR) rcs $@ $^

# Compiled again when the compiler or its options change.
FLAGS = $(CC) $(ALL_CFLAGS) $(HOT) in $(HOT_ROOMS) $(COLD) in $(COLD_ROOMS) $(CXX) $(CXXFLAGS)
$(BUILD)/flags: always
	@mkdir -p $(@D); printf '%s\n' $(call quoted,$(FLAGS)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(FLAGS)) >$@

# An object has the time from before the compiler read anything: what is saved meanwhile is newer.
compiled = { [ -d $(@D) ] || mkdir -p $(@D); } && : >$@.began && $(1) -MF $(@:.o=.d) -MT $@ -c -o $@.new $< && \
  touch -r $@.began $(@:.o=.d) $@.new && rm $@.began && mv $@.new $@

$(BUILD)/%.o: %.c $(BUILD)/flags | found
	$(call brief,CC)$(call compiled,$(CC) $(ALL_CFLAGS))

$(foreach room,$(HOT_ROOMS),$(eval $(BUILD)/$(room)/%.o: private OPTIMISE = $(HOT)))
$(foreach room,$(COLD_ROOMS),$(eval $(BUILD)/$(room)/%.o: private OPTIMISE = $(COLD)))

# One file alone is in C++.
CXXFLAGS ?= $(CFLAGS)
$(BUILD)/%.o: %.cc $(BUILD)/flags | found
	$(call brief,CXX)$(call compiled,$(CXX) -I. $(WARNINGS) -MMD -MP -fPIC -fvisibility=hidden $(CPPFLAGS) $(CXXFLAGS))

# One file alone knows MPI: with it, nothing else is compiled again.
$(BUILD)/checker/cmd/mpi_messages.o: private ALL_CFLAGS += $(shell $(PKG_CONFIG) --cflags mpi-c 2>/dev/null | sed 's/-I/-isystem /g')

# Taken in as they are (.incbin), which compilers do not list as dependencies.
$(BUILD)/checker/device/standalone_folder.o: $(wildcard checker/device/hosts/*)
$(BUILD)/hwsem/xml_schema.o: $(wildcard mappings/*.rng)
$(BUILD)/hwsem/machines/gpu_guarded_commands.o: hwsem/machines/gpu.rules

# Where the program and the library look for what is installed, compiled again when that changes.
PLACES = -DLITSCOPE_DATADIR=$(call quoted,"$(DATADIR)") -DLITSCOPE_LIBEXECDIR=$(call quoted,"$(LIBEXECDIR)")
$(BUILD)/checker/cmd/install_paths.o $(BUILD)/checker/api/session.o: ALL_CFLAGS += $(PLACES)
$(BUILD)/checker/cmd/install_paths.o $(BUILD)/checker/api/session.o: $(BUILD)/places
$(BUILD)/places: always
	@mkdir -p $(@D); printf '%s\n' $(call quoted,$(PLACES)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(PLACES)) >$@

# CaDiCaL has no file for pkg-config.
HAS_CADICAL = $(if $(filter no,$(CADICAL)),true,$(CXX) $(CPPFLAGS) -include cadical.hpp -E -x c++ /dev/null >/dev/null 2>&1)

found:
	@{ $(PKG_CONFIG) --exists --print-errors $(PACKAGES) $(MPI_PACKAGE) $(DRAW_PACKAGES) && $(HAS_CADICAL); } || { \
	  echo "litscope needs pkg-config and the development files of libxml2, PCRE2, zlib, SPIRV-Tools, CaDiCaL and Graphviz; 'make deps'" \
	    "installs them on Debian" >&2; exit 1; }

# What building needs, installed where it is missing; and what testing needs besides it.
# `run` opens OpenCL's loader when it is asked for; without a driver its tests are skipped.
DEPENDENCIES = build-essential pkg-config libxml2-dev libpcre2-dev libgraphviz-dev libxxhash-dev zlib1g-dev \
  spirv-tools spirv-headers opencl-headers libcadical-dev
TEST_DEPENDENCIES = libxml2-utils libcmocka-dev graphviz ocl-icd-opencl-dev pocl-opencl-icd

# What only compiles emitted sources, divides sweeps or opens reports; where the system does not have them, that test
# is skipped.
OPTIONAL = clang-22 glslang-tools libopenmpi-dev openmpi-bin chromium

# installed PACKAGES, TEST: has the packages installed where the test fails.
define installed
@{ $(2); } >/dev/null 2>&1 || { \
  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
  echo "installing what $(if $(filter $(1),$(DEPENDENCIES)),building,testing) needs: $(1)"; \
  command -v apt-get >/dev/null && { [ -z "$$sudo" ] || command -v sudo >/dev/null; } && \
  $$sudo apt-get update -qq && \
  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(1) || { \
  echo "litscope cannot install what it needs. As root, on Debian:" >&2; echo "  apt-get install $(1)" >&2; exit 1; }; }
endef

deps-build:
	$(call installed,$(DEPENDENCIES),command -v $(firstword $(CC)) && $(PKG_CONFIG) --exists $(PACKAGES) $(DRAW_PACKAGES) libxxhash && $(HAS_CADICAL))

deps: deps-build
	$(call installed,$(TEST_DEPENDENCIES),command -v xmllint && command -v dot && $(PKG_CONFIG) --exists cmocka OpenCL && ls /etc/OpenCL/vendors/*.icd)
	@$(MAKE) deps-compiler
	@for package in $(OPTIONAL); do \
	  dpkg -s $$package >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && sudo= || sudo='sudo -n'; \
	    echo "installing $$package, for tests of what uses it"; \
	    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$package >/dev/null 2>&1; } \
	    || echo "$$package is not there: a test that wants it is skipped" >&2; done

# A compiler for -target: tests that want one are skipped where there is none.
deps-compiler:
	@command -v llc-22 >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends llvm-22; } >/dev/null 2>&1 || \
	  echo "llvm-22 is not to be had: tests of compilers will be skipped"

# Everything on a fresh machine: installs what is missing, builds, shows.
demo: deps-build
	+@$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) $(PROGRAM) $(DRAW)
	tests/demo.sh '$(RUN)' out

# Folders may be given one by one, such as LIBDIR=/usr/lib/x86_64-linux-gnu.
INSTALL = install
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
LIBEXECDIR = $(PREFIX)/libexec/litscope
INCLUDEDIR = $(PREFIX)/include/litscope
DATADIR = $(PREFIX)/share/litscope
DOCDIR = $(PREFIX)/share/doc/litscope
MANDIR = $(PREFIX)/share/man
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
# Where Python below $(PREFIX) looks for packages; PYTHON=no: without the one for Python, as where there is no Python.
PYTHON ?= python3
PACKAGES_OF_PYTHON = import sys; p = sys.argv[1]; \
  print(next((d for d in sys.path if d.startswith(p + "/") and d.endswith("-packages")), p + "/lib/python3/dist-packages"))
PYTHONDIR = $(shell $(PYTHON) -c '$(PACKAGES_OF_PYTHON)' $(call quoted,$(PREFIX)) 2>/dev/null)

# Folders may be named from here, and are then looked for from anywhere.
define absolute
ifeq ($$(filter /%,$$(firstword $$($(1)) /)),)
override $(1) := $$(CURDIR)/$$($(1))
endif
endef
$(foreach folder,PREFIX BINDIR LIBDIR LIBEXECDIR INCLUDEDIR DATADIR DOCDIR MANDIR BASHDIR ZSHDIR \
  $(if $(filter-out file,$(origin PYTHONDIR)),PYTHONDIR),\
  $(eval $(call absolute,$(folder))))

LITMUS_FOLDERS := $(sort $(dir $(wildcard litmus/*/*.litmus)))
MAN5 := $(wildcard checker/man/*.5)
PAGES := $(wildcard */README.md */*/README.md)

# The shared library is made of the same objects: what is only for it would be a second compilation of everything.
SONAME = liblitscope.so.$(firstword $(subst ., ,$(VERSION)))
SHARED = $(BUILD)/liblitscope.so.$(VERSION)
shared: $(SHARED)

# Only what litscope.h declares is seen from outside, in the static library too: its objects are joined to one.  (There,
# what C++ code has in common with other C++ code is seen as well: linkers keep one of each.)
VERSION_SCRIPT = checker/api/litscope.map
OBJCOPY ?= objcopy

$(SHARED): $(LIBRARY_OBJECTS) $(VERSION_SCRIPT)
	$(call brief,LINK)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(VERSION_SCRIPT) $(ALL_CFLAGS) $(LDFLAGS) \
	  -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/public/liblitscope.a: $(LIBRARY_OBJECTS)
	$(call brief,AR)mkdir -p $(@D) && rm -f $@ && $(CC) -r -nostdlib -o $(@D)/litscope.o $^ && \
	  $(OBJCOPY) --wildcard --keep-global-symbol='litscope_*' --keep-global-symbol='_Z*' --keep-global-symbol='DW.ref.*' $(@D)/litscope.o && $(AR) rcs $@ $(@D)/litscope.o

# Words for the shell, whatever is in them: names of folders may have blanks and quotes.
quoted = '$(subst ','\'',$(1))'

# Everything is first laid out below $(STAGE); what is found there is copied and written down in $(MANIFEST), a line
# for each file and for each folder that had to be made, so that uninstalling removes just that.
STAGE = $(BUILD)/stage
MANIFEST = $(DATADIR)/manifest

# to FOLDER, FILES: lays out files, or what $(INSTALL)'s options say.
to = $(INSTALL) -d '$(STAGE)'$(call quoted,$(1)) && $(INSTALL) $(2) '$(STAGE)'$(call quoted,$(1))

stage: all shared $(BUILD)/public/liblitscope.a
	rm -rf '$(STAGE)'
	$(call to,$(BINDIR),'$(PROGRAM)' '$(CERTIFY)')
	$(call to,$(LIBEXECDIR),'$(COST)')
	$(if $(DRAW),$(call to,$(LIBEXECDIR),'$(DRAW)'))
	$(call to,$(DATADIR)/models,-m 644 models/*.cat)
	$(call to,$(DATADIR)/mappings,-m 644 mappings/*.xml mappings/*.rng)
	$(call to,$(DATADIR),-m 644 checker/report/results.schema.json)
	$(foreach folder,$(LITMUS_FOLDERS),$(call to,$(DATADIR)/$(folder),-m 644 $(folder)*.litmus $(folder)*.tsv) &&) true
	$(call to,$(LIBDIR),-m 644 '$(BUILD)/public/liblitscope.a' '$(SHARED)')
	ln -sf $(notdir $(SHARED)) '$(STAGE)'$(call quoted,$(LIBDIR)/$(SONAME))
	ln -sf $(SONAME) '$(STAGE)'$(call quoted,$(LIBDIR)/liblitscope.so)
	$(call to,$(INCLUDEDIR),-m 644 checker/api/litscope.h)
	folder=$(call quoted,$(PYTHONDIR)); [ -z "$$folder" ] || { $(INSTALL) -d '$(STAGE)'"$$folder" && \
	  $(INSTALL) -m 644 checker/python/litscope.py '$(STAGE)'"$$folder"; }
	$(call to,$(BINDIR),checker/editors/litscope-lsp)
	$(call to,$(DATADIR)/editors/vscode,-m 644 $(filter-out %/syntaxes,$(wildcard checker/editors/vscode/*)))
	$(call to,$(DATADIR)/editors/vscode/syntaxes,-m 644 checker/editors/vscode/syntaxes/*)
	$(foreach folder,$(notdir $(wildcard checker/editors/vim/*)),$(call to,$(DATADIR)/editors/vim/$(folder),-m 644 checker/editors/vim/$(folder)/*) &&) true
	$(pkgconfig_file) > '$(BUILD)/litscope.pc'
	$(call to,$(LIBDIR)/pkgconfig,-m 644 '$(BUILD)/litscope.pc')
	'$(RUN)' help -format man > '$(BUILD)/litscope.1'
	$(call to,$(MANDIR)/man1,-m 644 '$(BUILD)/litscope.1' checker/man/litscope-certify.1)
	$(call to,$(MANDIR)/man5,-m 644 $(MAN5))
	$(INSTALL) -d '$(STAGE)'$(call quoted,$(BASHDIR)) '$(STAGE)'$(call quoted,$(ZSHDIR))
	'$(RUN)' help -format bash > '$(STAGE)'$(call quoted,$(BASHDIR))/litscope
	'$(RUN)' help -format zsh > '$(STAGE)'$(call quoted,$(ZSHDIR))/_litscope
	$(call to,$(DOCDIR),-m 644 README.md LICENSE)
	$(if $(wildcard $(PAGE)/index.html),$(call to,$(DATADIR)/page,-m 644 '$(PAGE)/index.html'))
	$(foreach page,$(PAGES),$(call to,$(DOCDIR)/$(dir $(page)),-m 644 $(page)) &&) true
	$(call to,$(DOCDIR)/litmus/opencl,-m 644 litmus/opencl/Handshake.svg)
	$(call to,$(DOCDIR)/examples,-m 644 $(addprefix tests/api/,example.c CMakeLists.txt meson.build workflow.yml))

# The description for pkg-config, with folders named by the prefix where they are below it.
define pkgconfig_file
{ prefix=$(call quoted,$(PREFIX)); printf 'prefix=%s\n' "$$prefix"; \
  folder() { printf '%s=%s\n' "$$1" "$$(case $$2 in "$$prefix"/*) printf '$${prefix}/%s' "$${2#"$$prefix"/}";; \
    *) printf %s "$$2";; esac)"; }; \
  folder includedir $(call quoted,$(INCLUDEDIR)); folder libdir $(call quoted,$(LIBDIR)); \
  folder datadir $(call quoted,$(DATADIR)); \
  sed -e 's,@VERSION@,$(VERSION),; s,@LIBRARIES@,$(LIBRARY_LIBS),' checker/api/litscope.pc.in; }
endef

# What an earlier version has left is uninstalled with the rest: its manifest is kept within the new one.
install: stage
	@set -e; stage='$(STAGE)'; root=$(call quoted,$(DESTDIR)); manifest=$(call quoted,$(MANIFEST)); made='$(BUILD)/manifest'; \
	: >"$$stage$$manifest"; if [ -f "$$root$$manifest" ]; then cat "$$root$$manifest"; fi >"$$made"; \
	find "$$stage" -type d | LC_ALL=C sort | while IFS= read -r folder; do folder=$${folder#"$$stage"}; \
	  if [ -n "$$folder" ] && [ ! -d "$$root$$folder" ]; then \
	    $(INSTALL) -d "$$root$$folder"; printf '%s/\n' "$$folder" >>"$$made"; fi; done; \
	(cd "$$stage" && find . -type f -o -type l) | sed 's,^\./,,' | tr '\n' '\0' | \
	  tar -C "$$stage" -cf - --null -T - | tar -C "$$root/" -xpf -; \
	(cd "$$stage" && find . -type f -o -type l) | sed 's,^\.,,' >>"$$made"; \
	LC_ALL=C sort -u "$$made" >"$$root$$manifest"; chmod 644 "$$root$$manifest"; \
	rm -rf "$$stage"; echo "installed in $$root"$(call quoted,$(PREFIX))

# Removes the files that the manifest names, what Python made of one, and the folders that installing made, if empty.
uninstall:
	@root=$(call quoted,$(DESTDIR)); manifest=$$root$(call quoted,$(MANIFEST)); \
	[ -f "$$manifest" ] || { echo "make uninstall: no $$manifest: what is to be removed is not known" >&2; exit 1; }; \
	names=$$(LC_ALL=C sort -r "$$manifest"); \
	(cd "$$root/" && printf '%s\n' "$$names" | sed -n 's,^/\(.*[^/]\)$$,\1,p' | tr '\n' '\0' | xargs -0 rm -f --) || exit 1; \
	printf '%s\n' "$$names" | grep -e '/$$' -e '/litscope\.py$$' | while IFS= read -r name; do case $$name in \
	  */) rmdir "$$root$$name" 2>/dev/null || true;; \
	  *) kept=$$root$${name%/*}/__pycache__; \
	    rm -f "$$kept"/litscope.*.pyc; rmdir "$$kept" 2>/dev/null || true;; esac; done

# make print-LIBS: a variable's value, for tests that compile or link by themselves.
print-%:
	@echo '$($*)'

clean:
	rm -rf $(BUILD) $(BUILD)-* $(PROGRAM) $(CERTIFY) $(DRAW) out

include checker/page/rules.mk
include tests/rules.mk

# The headers of each object; where their list is lost, it is compiled again.
HEADERS := $(patsubst %.o,%.d,$(sort $(OBJECTS) $(LIBRARY_OBJECTS) $(COST_SOURCES:%.c=$(BUILD)/%.o) $(CERTIFIER) $(DRAWER) \
  $(BUILD)/checker/cmd/main.o $(PAGE_OBJECTS) $(TEST_OBJECTS)))
include $(wildcard $(HEADERS))
$(HEADERS): ;
$(HEADERS:.d=.o): %.o: %.d
.PHONY: all always found deps deps-build deps-compiler demo shared stage install uninstall clean
