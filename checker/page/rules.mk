# SPDX-License-Identifier: MIT
# The page, included by the Makefile: README.md beside this says what is what.
#
#   page         $(BUILD)/page/index.html; it wants what deps-page installs, and the network once
#   deps-page    Emscripten, which is large: nothing else wants it
#   page-if-possible  the same where Emscripten and what it compiles are here or can be fetched, for `check`, which
#                     links it without optimising the whole once more

EMCC ?= emcc
# Debian's Emscripten finds Debian's modules for node where it runs another node too.
EMSCRIPTEN = NODE_PATH=$(firstword $(NODE_PATH) /usr/share/nodejs) EMCC='$(EMCC)'
PAGE = $(BUILD)/page
WASM = $(BUILD)/wasm
PAGE_LIBRARIES = $(WASM)/libraries/libraries.a

# The same sources, but for what a browser has not: other programs, kernels' SPIRV-Tools, and what only other commands use.
PAGE_SOURCES := checker/cmd/main.c $(wildcard checker/page/*.c) $(filter-out checker/base/child_server.c checker/cmd/main.c checker/cmd/serve.c \
  checker/report/execution_picture_stub.c checker/cmd/mpi_messages.c $(KERNELS) $(wildcard checker/spirv/*.c) $(SOLVER) checker/program_search/% $(COST_SOURCES), \
  $(filter-out checker/certify/% checker/draw/% checker/page/%,$(wildcard checker/*/*.c checker/exec/*/*.c hwsem/*.c hwsem/*/*.c))) \
  checker/spirv/spirv_stub.c
PAGE_OBJECTS := $(PAGE_SOURCES:%.c=$(WASM)/%.o)
PAGE_CFLAGS = -std=c17 -D_GNU_SOURCE -I. -DLITSCOPE_VERSION='"$(VERSION)"' -DLITSCOPE_DATADIR='""' -DLITSCOPE_LIBEXECDIR='""' \
  -DWITHOUT_OPENCL -include checker/page/browser.h -isystem $(WASM)/libraries/include -MMD -MP -Os -DNDEBUG
# Linking optimises the whole once more, which takes half as long as to compile all of it: tests do without.
PAGE_LEVEL = -Os
PAGE_LINK = $(PAGE_LEVEL) -sMODULARIZE=1 -sEXPORT_NAME=Engine -sENVIRONMENT=worker,node -sINVOKE_RUN=0 -sEXIT_RUNTIME=1 \
  -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,callMain -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=8MB

$(PAGE_LIBRARIES): checker/page/libraries.sh | $(WASM)/compiler
	$(call brief,LIB)$(EMSCRIPTEN) checker/page/libraries.sh $(@D) "$$(cat $(WASM)/compiler)"

# As $(BUILD)/flags: compiled again when the compiler or its options change.
$(WASM)/flags: always
	@mkdir -p $(@D); printf '%s\n' $(call quoted,$(EMCC) $(PAGE_CFLAGS)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(EMCC) $(PAGE_CFLAGS)) >$@

# What emcc runs, asked once: for most files it takes longer to start than Clang to compile. Where it does not tell, emcc.
$(WASM)/compiler: $(WASM)/flags
	@echo 'int empty;' >$@.c; $(EMSCRIPTEN) $(EMCC) -Os -v -c $@.c -o $@.o 2>&1 | \
	  sed -n '/-target wasm32.* -v -c [^ ]* -o [^ ]*$$/{s/ -v -c .*//; s/"//g; p; q}' >$@.new; \
	  test -s $@.new || echo '$(EMCC)' >$@.new; mv $@.new $@

$(WASM)/%.o: %.c $(WASM)/compiler | $(PAGE_LIBRARIES)
	$(call brief,EMCC)$(call compiled,$(EMSCRIPTEN) $$(cat $(WASM)/compiler) $(PAGE_CFLAGS))
$(WASM)/checker/device/standalone_folder.o: $(wildcard checker/device/hosts/*)
$(WASM)/hwsem/xml_schema.o: $(wildcard mappings/*.rng)

$(WASM)/objects.a: $(PAGE_OBJECTS)
	$(call brief,AR)rm -f $@ && $(EMSCRIPTEN) emar rcs $@ $^

$(WASM)/link: always
	@mkdir -p $(@D); echo '$(PAGE_LINK)' | cmp -s - $@ || echo '$(PAGE_LINK)' >$@

$(WASM)/engine.js: $(WASM)/objects.a $(PAGE_LIBRARIES) $(WASM)/link
	$(call brief,LINK)$(EMSCRIPTEN) $(EMCC) $(PAGE_LINK) -o $@ $(WASM)/checker/cmd/main.o $(filter %.a,$^)

# Graphviz for pictures, from npm.
GRAPHVIZ_VERSION = 1.29.2
PAGE_GRAPHVIZ = $(WASM)/graphviz-$(GRAPHVIZ_VERSION)
$(PAGE_GRAPHVIZ)/dist/index.js:
	$(call brief,NPM)rm -rf $(PAGE_GRAPHVIZ) && mkdir -p $(PAGE_GRAPHVIZ) && cd $(PAGE_GRAPHVIZ) && \
	  npm pack --silent @hpcc-js/wasm-graphviz@$(GRAPHVIZ_VERSION) >/dev/null && tar xzf *.tgz --strip-components=1

$(PAGE)/index.html: $(WASM)/engine.js $(PAGE_GRAPHVIZ)/dist/index.js $(wildcard checker/page/* models/*.cat mappings/*.xml litmus/*/*.litmus)
	$(call brief,PAGE)mkdir -p $(@D) && \
	  node checker/page/assemble.js $(WASM) $(PAGE_GRAPHVIZ) $(VERSION) $(WASM)/libraries >$@.new && mv $@.new $@

page: $(PAGE)/index.html

# For `check`: what comes from the network may be missing, and then the page's tests are skipped. That it does not compile
# may not.
page-fetched: $(PAGE_LIBRARIES) $(PAGE_GRAPHVIZ)/dist/index.js
page-if-possible:
	+@if ! command -v $(EMCC) >/dev/null; then \
	  echo "no $(EMCC) (make deps-page installs it): tests of the page are skipped"; \
	elif ! $(MAKE) page-fetched; then \
	  echo "what the page is made of is not here and cannot be fetched: tests of the page are skipped"; \
	else $(MAKE) PAGE_LEVEL=-O1 page; fi

# Where there is an npm already, Debian's would not go with it.
deps-page:
	@if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	  $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
	  emscripten dpkg-dev libxxhash-dev chromium $$(command -v npm >/dev/null || echo npm)

.PHONY: page page-fetched page-if-possible deps-page
