/* SPDX-License-Identifier: MIT */
/* Any bytes as recorded results: a log of any of the tools, or a table.  What
 * was read equals itself, and each result is found by its name. */
#include <stdlib.h>

#include "checker/report/baseline.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_input(data, size);
  struct baseline *baseline = baseline_read(in.arena, in.path, &in.diags);
  fuzz_check_read(&in, baseline);
  for (size_t i = 0; baseline && i < baseline->count; i++) {
    const struct baseline_result *result = &baseline->at[i];
    if (baseline_difference(in.arena, result, result)) abort();
    if (!baseline_find(baseline, result->test, result->model ? result->model : "sc")) abort();
  }
  return fuzz_done(&in);
}
