/* SPDX-License-Identifier: MIT */
/* Folders that run a test where litscope is not: kernel, host program, build
 * file, and a page that says how.  What the program prints is a log as litmus7
 * writes it, which `litscope compare` reads.
 */
#ifndef LITSCOPE_DEVICE_STANDALONE_FOLDER_H
#define LITSCOPE_DEVICE_STANDALONE_FOLDER_H

#include "checker/device/kernel_writer.h"
#include "checker/program/outcome.h"

/* The test as the host program must know it. */
struct emit_test {
  const char *name, *kind, *condition_text, *hash;
  const struct prop *condition, *filter; /* filter: NULL: none */
  const struct observable *observables;
  unsigned observable_count;
  const char *const *observable_names; /* `0:r0`, `[x]` */
  const char *text;                    /* the test's source */
  unsigned lanes; /* instances side by side in a work-group; 0: as many as the language allows, up to 32 */
};

struct emit_file {
  const char *name;
  const char *text;
};

/* The words of -emit. */
enum emit_language { EMIT_OPENCL, EMIT_CUDA, EMIT_HIP, EMIT_VULKAN, EMIT_WEBGPU };

/* The files of the folder, in the arena; NULL, with errors, where the language
 * has no words for the test. */
const struct emit_file *emit_files(struct arena *arena, enum emit_language language, const struct layout *layout,
                                   const struct emit_test *test, size_t *count, struct diags *diags);

#endif
