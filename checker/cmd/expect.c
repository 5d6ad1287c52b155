/* SPDX-License-Identifier: MIT */
/* Comparison with recorded results. */
#include "checker/cmd/expect.h"

bool expect_load(struct invocation *call, const struct recording **expected, struct diags *diags) {
  const char *path = option_text(call, OPTION_EXPECT);
  *expected = path ? recording_read(call->arena, path, diags) : NULL;
  return !path || *expected;
}

const char *expect_compare(const struct recording *expected, const struct recorded *found, const char *file,
                           struct test_output *output) {
  if (!expected) return NULL;
  const struct recorded *before = recording_find(expected, found->test, found->model);
  if (!before) {
    fprintf(output->err, "%s: warning: %s has no result for %s under %s\n", file, expected->path, found->test,
            found->model);
    return NULL;
  }
  const char *difference = recorded_difference(output->arena, before, found);
  if (!difference) return NULL;
  fprintf(output->err, "%s: %s under %s is not as expected\n%s", file, found->test, found->model, difference);
  output->status = status_join(output->status, STATUS_DIFFERS);
  return difference;
}
