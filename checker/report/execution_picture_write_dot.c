/* SPDX-License-Identifier: MIT */
/* Nodes, edges and defaults as DOT text. */
#include "checker/report/execution_picture_drawing.h"

/* In quotes a quote is escaped; a backslash before it must not be taken for what does so. */
static void write_quoted(FILE *out, const char *text) {
  bool escapes = false;
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputs(escapes ? "\\\\" : "\\", out);
    escapes = *text == '\\' && !escapes;
    fputc(*text, out);
  }
  fputs(escapes ? "\\\"" : "\"", out);
}

void drawing_begin(struct drawing *d, const char *object) {
  fprintf(d->text.out, "%s [", object);
}

void drawing_set(struct drawing *d, const char *name, const char *value) {
  fprintf(d->text.out, "%s=", name);
  write_quoted(d->text.out, value);
  fputc(' ', d->text.out);
}

void drawing_end(struct drawing *d) {
  fputs("];\n", d->text.out);
}
