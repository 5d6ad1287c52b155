/* SPDX-License-Identifier: MIT */
/* Any lines as the words of a command line; and any bytes as the files of
 * -names, -kinds and -conds, with the first line as the expression of -select; and as
 * the knobs of `run`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/cmd/select_tests.h"
#include "checker/device/stress_settings.h"
#include "fuzz.h"

enum { WORDS = 64 };

static void parse_words(const uint8_t *data, size_t size) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  char *words[WORDS + 2] = {arena_strdup(arena, "litscope")};
  char *rest = arena_strndup(arena, (const char *)data, size);
  int count = 1;
  while (rest && count <= WORDS) words[count++] = strsep(&rest, "\n");
  struct invocation *call = ARENA_NEW(arena, struct invocation);
  call->arena = arena;
  if (invocation_parse(call, count, words, &diags) != !diags.errors) abort();
  FILE *nowhere = fuzz_nowhere();
  diags_print(&diags, nowhere);
  arena_free(arena);
}

static void give(struct invocation *call, enum option_id id, const char *value) {
  call->values[id].at = ARENA_NEW(call->arena, const char *);
  call->values[id].at[0] = value;
  call->values[id].count = 1;
}

static void select_by(enum option_id id, const char *path, const char *name) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct invocation *call = ARENA_NEW(arena, struct invocation);
  call->arena = arena;
  give(call, id, path);
  if (*name) give(call, OPTION_SELECT, name);
  struct selection *selection = selection_new(call, &diags);
  if (!selection != (diags.errors > 0)) abort();
  if (selection) {
    selection_wants(selection, name, &diags);
    selection_condition(selection, name);
    selection_free(selection);
  }
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse_words(data, size);
  int file;
  char path[64];
  fuzz_file(data, size, &file, path);
  struct arena *arena = arena_new();
  const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
  const char *line = arena_strndup(arena, (const char *)data, newline ? (size_t)(newline - data) : size);
  select_by(OPTION_NAMES, path, line);
  select_by(OPTION_KINDS, path, line);
  select_by(OPTION_CONDS, path, line);
  struct settings settings = settings_new();
  struct diags diags = diags_new(arena);
  settings_read(&settings, source_from_text(arena, "fuzz", (const char *)data, size), &diags);
  selection_peek_name(arena, source_from_text(arena, "fuzz", (const char *)data, size));
  arena_free(arena);
  close(file);
  return 0;
}
