/* SPDX-License-Identifier: MIT */
/* Any bytes as a kernel in SPIR-V, as text or as words. */
#include <stdio.h>
#include <stdlib.h>

#include "checker/program/program.h"
#include "checker/spirv/spirv.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct source *source = source_from_text(arena, "fuzz.spvasm", (const char *)data, size);
  struct spirv_test test;
  bool read = spirv_read(arena, source, NULL, &test, &diags);
  if (read == (diags.errors > 0)) abort(); /* a kernel or an error, never neither or both */
  FILE *nowhere = fuzz_nowhere();
  diags_print(&diags, nowhere);
  if (read) program_print(test.program, nowhere);
  arena_free(arena);
  return 0;
}
