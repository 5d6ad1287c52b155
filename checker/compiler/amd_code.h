/* SPDX-License-Identifier: MIT */
/* Tests as code for the AMD machine: through LLVM, or from assembly.
 *
 *     struct amd_build *build = amd_build_new(arena, target, &llc, &settings, diags);
 *     amd_build_add(build, program, kernels, diags);   ... for many programs ...
 *     amd_build_run(build, diags);
 *     amd_build_program(arena, build, program, kernels, &code, diags);
 */
#ifndef LITSCOPE_COMPILER_AMD_CODE_H
#define LITSCOPE_COMPILER_AMD_CODE_H

#include "checker/compiler/llc.h"
#include "checker/program/outcome.h"
#include "hwsem/amd/machine.h"

struct amd_build_settings {
  const char *level;        /* "-O2"; NULL: that */
  const char *const *extra; /* -compiler-option */
  unsigned extra_count;
  enum ir_form form;
  bool one_as, lines; /* struct ir_options */
  bool past_hazards;  /* struct amd_thread_input */
};

struct amd_build;

/* NULL, with diagnostics, when the compiler does not know the target. */
struct amd_build *amd_build_new(struct arena *arena, const struct amd_target *target, const struct llc *llc,
                                const struct amd_build_settings *settings, struct diags *diags);

/* Adds a program's threads; `kernels` has room for one number each. */
bool amd_build_add(struct amd_build *build, const struct program *program, unsigned *kernels, struct diags *diags);

/* Compiles all that was added, in one process, and reads the assembly.  What
 * cannot be read is told of the programs that have it (amd_build_program). */
bool amd_build_run(struct amd_build *build, struct diags *diags);

/* The same, and reads all code: programs with threads that cannot be compiled or
 * read are told of (amd_build_program), and the others have their code.  After it
 * several workers may ask for programs. */
bool amd_build_run_each(struct amd_build *build, struct diags *diags);

/* A program whose threads were added.  Watch i of a thread is its i-th named
 * register. */
bool amd_build_program(struct arena *arena, struct amd_build *build, const struct program *program,
                       const unsigned *kernels, struct amd_program *code, struct diags *diags);

/* Threads in code that is given: edited assembly in place of what was compiled. */
struct amd_thread_codes {
  const unsigned *kernels; /* as amd_build_add numbered them */
  const struct amd_code *const *codes;
};

/* The same from given code. */
bool amd_build_threads(struct arena *arena, struct amd_build *build, const struct program *program,
                       struct amd_thread_codes threads, struct amd_program *out, struct diags *diags);

const struct llc_batch *amd_build_batch(const struct amd_build *build);

/* A kernel's code; NULL, with diagnostics, when its assembly cannot be read. */
const struct amd_code *amd_build_code(struct amd_build *build, unsigned kernel, struct diags *diags);

/* The machine's observables for those of a test: registers by their watches. */
struct amd_observables amd_observables(struct arena *arena, const struct program *program,
                                       const struct observable *observables, unsigned count);

#endif
