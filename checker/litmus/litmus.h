/* SPDX-License-Identifier: MIT */
/* Litmus tests as text: the one entry for all front-ends.
 *
 * `litmus_parse` looks at the header word, hands the text to the dialect
 * (opencl.c for OpenCL and C, hsa.c, ptx.c, vulkan.c, khronos_test_file.c, adsm.c) and returns a test whose
 * program the engines can run.  Grammar and examples: litmus/README.md at the top.
 */
#ifndef LITSCOPE_LITMUS_LITMUS_H
#define LITSCOPE_LITMUS_LITMUS_H

#include "checker/base/arena.h"
#include "checker/base/cursor.h"
#include "checker/program/outcome.h"
#include "checker/spirv/spirv.h"

enum litmus_language { LANG_OPENCL, LANG_C, LANG_HSA, LANG_ADSM, LANG_PTX, LANG_VULKAN, LANG_AMDGPU };
enum { LANGUAGES = LANG_AMDGPU + 1 };

/* Where the first word is, after comments. */
struct cursor litmus_header(const struct source *source);

/* The language that a test's text begins with.  False: it begins with none. */
bool litmus_find_language(const struct source *source, enum litmus_language *language);

/* The model, by name, that a language's tests are checked against by default;
 * NULL: machine code, which means what its machine does. */
const char *litmus_default_model(enum litmus_language language);

/* Sets what a language says of its programs: how coherence and values are chosen,
 * and its words for scopes and levels. */
void litmus_set_traits(enum litmus_language language, struct program *program);

/* What headers of the language's tests begin with: "OpenCL", "C", ... */
const char *litmus_language_word(enum litmus_language language);

/* The executions of a program, told apart by whether the model accepts them and
 * whether they have a data race. */
enum world { WORLD_INCONSISTENT, WORLD_INCONSISTENT_RACY, WORLD_CONSISTENT, WORLD_RACY, WORLDS };

/* What Khronos' tests assert: some execution is in one of these worlds, or none is
 * (khronos_assertion.h in this folder). */
struct assertion {
  bool satisfiable; /* SATISFIABLE, else NOSOLUTION */
  bool chains;      /* availability and visibility operations make chains: no NOCHAINS */
  unsigned worlds;  /* set of enum world, and of WORLDS + these: those in which the count is so */
  bool counts;      /* it asks whether the release sequences have from `least` to `most` pairs */
  long least, most;
  const char *text;        /* as written, after the first word */
  const char *unsupported; /* why it cannot be judged; NULL: it can */
  bool ended;              /* its text ends too early */
};

struct litmus_test {
  const char *name;
  enum litmus_language language;
  const struct source *source;
  struct program *program;
  bool kernel; /* its text is a kernel (checker/spirv): executions are many, and not for counting */

  enum quantifier quantifier;
  const struct prop *condition; /* PROP_TRUE when the test has none */
  const struct prop *filter;    /* NULL: none */
  uint32_t condition_at;        /* where it begins in the source, or its `locations` and `filter` do; not of kernels */
  const char *condition_text;   /* as the log prints it: `exists (0:r0=1 /\ [x]=2)` */
  const char *filter_text;      /* `filter (1:r0=1)`; NULL: none, or the test is a kernel */

  /* What a state shows, in the log's order: by thread, then name; then
   * locations by name.  Union of the condition's and the `locations` line's. */
  unsigned observable_count;
  struct observable *observables;
  /* By observable: how many, from it on, are the cells of an array that is shown as a whole, `a={1,2}`, where
   * herd7 does so; 0: it is shown by itself.  NULL: all are. */
  const unsigned *whole;

  /* Of tests from Khronos' .test files; others have none. */
  const struct assertion *assertions;
  size_t assertion_count;

  char hash[33]; /* lower-case hexadecimal; of the program and not of its layout, but for C herd7's, of its text */
};

/* What the command line may ask of the front-ends. */
struct litmus_options {
  bool cas_keeps_expected;     /* -variant cas-keeps-expected */
  bool hexadecimal;            /* -hexa: as in struct program */
  bool linux_v2;               /* -variant lkmmv2: both halves of a read-modify-write have its annotation */
  const struct macros *macros; /* -macros; NULL: none */
  struct spirv_options kernel; /* -source-options, -input, -output, -filter, -config */
  const char *condition;       /* -conds: a text to read in place of the test's own condition; NULL: none */
};

/* Parses one test.  On any error adds diagnostics and returns NULL.  The test
 * and all it points to live in `arena`. */
struct litmus_test *litmus_parse(struct arena *arena, const struct source *source, const struct litmus_options *options,
                                 struct diags *diags);

struct spirv_code; /* spirv/operation_changes.h */
struct spirv_changes;

/* The test of a kernel that has been read, with changes. */
struct litmus_test *litmus_of_kernel(struct arena *arena, const struct source *source, const struct spirv_code *code,
                                     const struct spirv_changes *changes, const struct litmus_options *options,
                                     struct diags *diags);

#endif
