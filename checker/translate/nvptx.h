/* SPDX-License-Identifier: MIT */
/* Tests through LLVM's NVPTX back end: each thread is compiled, and the PTX text
 * that comes out is the thread of a PTX test.
 *
 *     struct nvptx *nvptx = nvptx_new(arena, target, &llc, &settings);
 *     struct translator translator = translator_by_compiler(nvptx);
 *
 * A translator compiles what it is asked for, unless nvptx_prepare has: one
 * process for all threads of many programs.
 */
#ifndef LITSCOPE_TRANSLATE_NVPTX_H
#define LITSCOPE_TRANSLATE_NVPTX_H

#include "checker/compiler/llc.h"
#include "checker/translate/model_as_machine.h"

struct nvptx_target {
  const char *name, *about;
  unsigned since; /* the first LLVM that knows it */
};

extern const struct nvptx_target nvptx_targets[];
enum { NVPTX_TARGETS = 5 };

/* The target of a name, or NULL. */
const struct nvptx_target *nvptx_find(const char *name);

struct nvptx_settings {
  const char *level;        /* "-O2"; NULL: that */
  const char *const *extra; /* -compiler-option */
  unsigned extra_count;
  enum ir_form form;
  bool lines; /* the source's lines are wanted */
};

struct nvptx;

/* Where the compiler does not know the target, what is asked of it is refused. */
struct nvptx *nvptx_new(struct arena *arena, const struct nvptx_target *target, const struct llc *llc,
                        const struct nvptx_settings *settings);

/* One that prepares its own threads, in `arena`. */
struct nvptx *nvptx_copy(struct arena *arena, const struct nvptx *nvptx);

/* Its name is `sm_70/llvm-22`. */
struct translator translator_by_compiler(struct arena *arena, const struct nvptx *nvptx);

/* Compiles the threads of many programs at once; those that have no IR, or that the
 * compiler refuses, are left for the translator to tell of.  Not while others use it. */
bool nvptx_prepare(struct nvptx *nvptx, const struct program *const *programs, size_t count, struct diags *diags);

/* Compiles the threads of one program; false, with the compiler's message: it refuses some. */
bool nvptx_prepare_test(struct nvptx *nvptx, const struct program *program, struct diags *diags);

/* The numbers of a program's threads that were prepared; returns how many. */
unsigned nvptx_numbers(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                       unsigned *numbers);

/* What a compiler made of a program, for people: the IR, its text, and each
 * thread's lines in it, which column_entry.from are places of. */
struct nvptx_text {
  const char *module;
  const struct source *source;
  const struct span *const *lines; /* by thread */
  const size_t *line_count;
};

/* The text of the threads that were prepared. */
bool nvptx_text_of(const struct nvptx *nvptx, struct arena *arena, const struct program *program,
                   struct nvptx_text *text);

#endif
