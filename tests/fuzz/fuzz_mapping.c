/* SPDX-License-Identifier: MIT */
/* Any bytes as a compiler mapping, by which a test is then compiled. */
#include <stdlib.h>

#include "checker/litmus/litmus.h"
#include "fuzz.h"
#include "hwsem/compile_by_mapping.h"

static const struct program *load_program(void) {
  static struct arena *arena;
  static const struct litmus_test *test;
  if (arena) return test->program;
  arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct source *source = source_read(arena, "litmus/rsp/RSP_Test2.litmus", &diags);
  test = source ? litmus_parse(arena, source, NULL, &diags) : NULL;
  if (!test) abort();
  return test->program;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_input(data, size);
  const char *const folders[] = {"mappings"};
  struct xml_folders search = {.folders = folders, .folder_count = 1};
  const struct mapping *mapping = mapping_load(in.arena, in.path, &search, &in.diags);
  fuzz_check_read(&in, mapping);
  if (mapping) {
    const struct hw_program *program = compile_program(in.arena, load_program(), mapping, &in.diags);
    fuzz_check_read(&in, program);
    if (program) hw_program_print(program, fuzz_nowhere());
  }
  return fuzz_done(&in);
}
