/* SPDX-License-Identifier: MIT */
/* Any bytes as a litmus test.  What parses must print, and have a condition
 * that can be evaluated. */
#include "checker/litmus/litmus.h"
#include "checker/program/program.h"
#include "fuzz.h"

static int64_t zero(void *context, struct observable what) {
  (void)context;
  (void)what;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_text(data, size);
  struct litmus_test *test = litmus_parse(in.arena, in.source, NULL, &in.diags);
  fuzz_check_read(&in, test);
  if (test) {
    program_print(test->program, fuzz_nowhere());
    prop_holds(test->condition, zero, NULL);
  }
  return fuzz_done(&in);
}
