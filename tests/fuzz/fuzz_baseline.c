/* SPDX-License-Identifier: MIT */
/* Any bytes as recorded results: a log of any of the tools, or a table.  What
 * was read equals itself, and each result is found by its name. */
#include <stdlib.h>
#include <unistd.h>

#include "checker/report/baseline.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int file;
  char path[64];
  fuzz_file(data, size, &file, path);
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct baseline *baseline = baseline_read(arena, path, &diags);
  if (!baseline != (diags.errors > 0)) abort();
  for (size_t i = 0; baseline && i < baseline->count; i++) {
    const struct baseline_result *result = &baseline->at[i];
    if (baseline_difference(arena, result, result)) abort();
    if (!baseline_find(baseline, result->test, result->model ? result->model : "sc")) abort();
  }
  arena_free(arena);
  close(file);
  return 0;
}
