/* SPDX-License-Identifier: MIT */
/* Any bytes as a litmus test.  What parses must print, and have a condition
 * that can be evaluated. */
#include <stdio.h>
#include <stdlib.h>

#include "checker/litmus/litmus.h"
#include "checker/program/program.h"
#include "fuzz.h"

static int64_t zero(void *context, struct observable what) {
  (void)context;
  (void)what;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct litmus_options options = {0};
  const struct source *source = source_from_text(arena, "fuzz.litmus", (const char *)data, size);
  struct litmus_test *test = litmus_parse(arena, source, &options, &diags);
  if (!test != (diags.errors > 0)) abort(); /* a test or an error, never neither or both */
  FILE *nowhere = fuzz_nowhere();
  diags_print(&diags, nowhere);
  if (test) {
    program_print(test->program, nowhere);
    prop_holds(test->condition, zero, NULL);
  }
  arena_free(arena);
  return 0;
}
