/* SPDX-License-Identifier: MIT */
/* For an error, a line becomes a text again, with as many empty ones before it as the file had lines.  zlib opens files
 * that are compressed and files that are not. */
#include "hwsem/workloads/line_file.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/infile.h"

enum { LINE_ROOM = 1 << 16 }; /* at first */

bool line_file_open(struct line_file *f, struct arena *arena, const char *path, struct diags *diags) {
  *f = (struct line_file){.path = path, .room = LINE_ROOM, .arena = arena, .diags = diags};
  f->line = arena_array(arena, f->room, 1);
  int descriptor = infile_descriptor(path, false);
  if (descriptor >= 0 && !(f->file = gzdopen(descriptor, "rb"))) close(descriptor);
  return f->file || line_file_fail(f, infile_reason());
}

void line_file_close(struct line_file *f) {
  gzclose(f->file);
}

bool line_file_next(struct line_file *f) {
  size_t length = 0;
  while (gzgets(f->file, f->line + length, (int)(f->room - length))) {
    length += strlen(f->line + length);
    if (length + 1 < f->room || f->line[length - 1] == '\n') break;
    char *longer = arena_array(f->arena, f->room, 2);
    memcpy(longer, f->line, length);
    f->line = longer;
    f->room *= 2;
  }
  f->number += length > 0;
  f->at = f->line;
  return length > 0;
}

bool line_file_is_whole(struct line_file *f) {
  int error;
  gzerror(f->file, &error);
  return error == Z_OK || error == Z_STREAM_END || line_file_fail(f, "the file is damaged");
}

bool line_file_fail(struct line_file *f, const char *what) {
  return diag_fail(f->diags, "%s: %s", f->path, what);
}

bool line_file_fail_at(struct line_file *f, const char *at, const char *what) {
  struct arena *arena = f->diags->arena;
  size_t before = f->number - 1, length = strcspn(f->line, "\r\n");
  char *text = arena_array(arena, before + length + 1, 1);
  memset(text, '\n', before);
  memcpy(text + before, f->line, length);
  const struct source *source = source_from_text(arena, arena_strdup(arena, f->path), text, before + length);
  struct span span = {(uint32_t)before, (uint32_t)length};
  if (at) {
    at += strspn(at, " \t");
    size_t column = (size_t)(at - f->line) < length ? (size_t)(at - f->line) : length;
    span = (struct span){(uint32_t)(before + column), (uint32_t)strcspn(f->line + column, " \t\r\n")};
  }
  return diag_error(f->diags, source, span, "%s", what);
}
