/* SPDX-License-Identifier: MIT */
/* Any bytes as a kernel in SPIR-V, as text or as words. */
#include "checker/program/program.h"
#include "checker/spirv/spirv.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_text(data, size);
  struct spirv_test test;
  bool read = spirv_read(in.arena, in.source, NULL, &test, &in.diags);
  fuzz_check_read(&in, read ? &test : NULL);
  if (read) program_print(test.program, fuzz_nowhere());
  return fuzz_done(&in);
}
