/* Any bytes as a model. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cat/cat.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int file;
  char path[64];
  fuzz_file(data, size, &file, path);
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const char *const folders[] = {"models"};
  struct cat_search search = {.folders = folders, .folder_count = 1};
  struct cat_model *model = cat_load(arena, path, &search, &diags);
  if (!model != (diags.errors > 0)) abort();
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  diags_print(&diags, nowhere);
  arena_free(arena);
  close(file);
  return 0;
}
