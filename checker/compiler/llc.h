/* SPDX-License-Identifier: MIT */
/* LLVM's compilers as they are installed, llc and clang: which there are, and
 * batches of kernels through one.  A file of assembly, which any compiler or somebody
 * by hand has written, stands for a compiler that has written it.
 *
 * Many tests share threads.  A batch keeps each distinct kernel once, compiles
 * all of them in one process, and hands back the assembly of each.
 */
#ifndef LITSCOPE_COMPILER_LLC_H
#define LITSCOPE_COMPILER_LLC_H

#include <stdatomic.h>

#include "checker/compiler/write_llvm_ir.h"

/* Programs that compile: llc IR, clang source. */
enum llc_tool { LLC_TOOL, CLANG_TOOL };

struct llc {
  enum llc_tool tool;
  const char *path;
  unsigned version;             /* 22 */
  const char *release;          /* "22.1.0" */
  const char *build;            /* the rest of the line that says so: "22.1.0 (1+b1)", "23.0.0git" */
  const char *name;             /* "llvm-22", "clang-22", as results name it; "mine(22.1.8)" of a program that is
                                 * called otherwise; of a file, its name without ending */
  const struct source *written; /* NULL, or the file's text: nothing is run */
  _Atomic uint64_t *module;     /* of a file: the digest of the one module that it is the code of; 0: none yet */
};

/* Finds a compiler: a path, `llvm-N` (or `clang-N`), or NULL for the newest `llc-N`
 * or `llc` (`clang-N` or `clang`) on PATH.  A path that ends in .ptx or .s is assembly,
 * whose kernels are called as the module calls them (t0, t1, ...).  On failure adds a
 * diagnostic that says where it was looked for. */
bool llc_find(struct arena *arena, enum llc_tool tool, const char *wanted, struct llc *llc, struct diags *diags);

/* All `llc-N` and `llc`, or all clangs, on PATH, newest first. */
struct llc *llc_list(struct arena *arena, enum llc_tool tool, unsigned *count);

struct llc_options {
  const char *processor;
  const char *features;     /* "+cumode", or NULL */
  const char *level;        /* "-O2" */
  const char *const *extra; /* -compiler-option; NULL: none */
  unsigned extra_count;
  struct ir_options ir;
};

struct llc_batch;

/* An empty batch; everything lives in the arena. */
struct llc_batch *llc_batch_new(struct arena *arena, const struct llc *llc, const struct llc_options *options);

/* Adds a kernel, unless it is there; its number. */
unsigned llc_batch_add(struct llc_batch *batch, const struct ir_kernel *kernel);

/* Compiles what has been added.  false, with diagnostics: the compiler failed,
 * crashed, or took too long; the message has its first error and says where the
 * input was kept. */
bool llc_batch_run(struct llc_batch *batch, struct diags *diags);

/* The same, but what fails is the kernels that cannot be compiled: they are found by
 * halving the batch, and the others are compiled without them.  false: nothing can
 * be compiled. */
bool llc_batch_run_each(struct llc_batch *batch, struct diags *diags);

/* The compiler's error about a kernel of such a batch, or NULL: it was compiled. */
const char *llc_batch_error(const struct llc_batch *batch, unsigned kernel);

/* The number of a kernel that was added, or -1. */
int llc_batch_find(const struct llc_batch *batch, const struct ir_kernel *kernel);

/* The assembly, as one text for all kernels and the lines of one of them. */
const struct source *llc_batch_source(const struct llc_batch *batch);
const struct span *llc_batch_lines(const struct llc_batch *batch, unsigned kernel, size_t *count);

/* The module as the compiler gets it, but for people: without `#line`. */
const char *llc_batch_shown(struct llc_batch *batch);

#endif
