/* SPDX-License-Identifier: MIT */
/* Any bytes as a compiler mapping. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "hwsem/mapping.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int file;
  char path[64];
  fuzz_file(data, size, &file, path);
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const char *const folders[] = {"mappings"};
  struct xml_search search = {.folders = folders, .folder_count = 1};
  struct mapping *mapping = mapping_load(arena, path, &search, &diags);
  if (!mapping != (diags.errors > 0)) abort();
  FILE *nowhere = fuzz_nowhere();
  diags_print(&diags, nowhere);
  arena_free(arena);
  close(file);
  return 0;
}
