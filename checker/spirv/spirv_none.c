/* SPDX-License-Identifier: MIT */
/* In place of all other files of this folder where litscope is built without SPIRV-Tools. */
#include <string.h>

#include "checker/spirv/spirv.h"

bool spirv_is_kernel(const struct source *source) {
  static const char *const endings[] = {".spvasm", ".spv", ".cl", ".comp"};
  const char *dot = strrchr(source->name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i])) return true;
  return false;
}

bool spirv_read(struct arena *arena, const struct source *source, const struct spirv_options *options,
                struct spirv_test *test, struct diags *diags) {
  (void)arena, (void)options, (void)test;
  diag_error(diags, source, (struct span){0}, "litscope was built without SPIRV-Tools, so that it reads no kernels");
  return false;
}
