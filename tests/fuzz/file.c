/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

void fuzz_file(const uint8_t *data, size_t size, int *file, char path[64]) {
  *file = memfd_create("fuzz", 0);
  if (*file < 0 || write(*file, data, size) != (ssize_t)size) abort();
  snprintf(path, 64, "/proc/self/fd/%d", *file);
}

struct fuzz_input fuzz_input(const uint8_t *data, size_t size) {
  struct fuzz_input in = {.arena = arena_new()};
  in.diags = diags_new(in.arena);
  fuzz_file(data, size, &in.file, in.path);
  return in;
}

struct fuzz_input fuzz_text(const uint8_t *data, size_t size) {
  struct arena *arena = arena_new();
  const struct source *source = source_from_text(arena, "fuzz", (const char *)data, size);
  return (struct fuzz_input){.arena = arena, .diags = diags_new(arena), .source = source, .file = -1};
}

void fuzz_check_read(struct fuzz_input *in, const void *read) {
  if (!read != (in->diags.errors > 0)) abort();
  diags_print(&in->diags, fuzz_nowhere());
}

int fuzz_done(struct fuzz_input *in) {
  arena_free(in->arena);
  if (in->file >= 0) close(in->file);
  return 0;
}

FILE *fuzz_nowhere(void) {
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  if (!nowhere) abort();
  return nowhere;
}
