/* SPDX-License-Identifier: MIT */
/* A line becomes a text again, with as many empty ones before it as the file had lines. */
#include "hwsem/workloads/line_error.h"

#include <string.h>

void line_error(struct diags *diags, const char *path, unsigned number, const char *line, const char *at,
                const char *what) {
  size_t before = number - 1, length = strcspn(line, "\r\n");
  char *text = arena_array(diags->arena, before + length + 1, 1);
  memset(text, '\n', before);
  memcpy(text + before, line, length);
  const struct source *source =
      source_from_text(diags->arena, arena_printf(diags->arena, "%s", path), text, before + length);
  struct span span = {(uint32_t)before, (uint32_t)length};
  if (at) {
    at += strspn(at, " \t");
    size_t column = (size_t)(at - line) < length ? (size_t)(at - line) : length;
    span = (struct span){(uint32_t)(before + column), (uint32_t)strcspn(line + column, " \t\r\n")};
  }
  diag_error(diags, source, span, "%s", what);
}
