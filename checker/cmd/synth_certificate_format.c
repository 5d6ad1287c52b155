/* SPDX-License-Identifier: MIT */
/* Reading certificates of synth. */
#include "checker/cmd/synth_certificate_format.h"

#include <string.h>

#include "checker/base/vec.h"

bool synth_lines_open(struct invocation *call, const char *path, struct synth_lines *lines, struct diags *diags) {
  *lines = (struct synth_lines){.source = source_read(call->arena, path, diags)};
  if (lines->source) lines->rest = arena_strndup(call->arena, lines->source->text, lines->source->size);
  return lines->source != NULL;
}

bool synth_lines_next(struct synth_lines *l) {
  char *end = l->rest ? strchr(l->rest, '\n') : NULL;
  l->is_short = !end;
  if (!end) return false;
  *end = '\0';
  l->span.at += l->line ? l->span.length + 1 : 0;
  l->line = l->rest;
  l->span.length = (uint32_t)(end - l->line);
  l->rest = end + 1;
  return true;
}

char *synth_line_behind(char *line, const char *word) {
  size_t size = strlen(word);
  if (strncmp(line, word, size) != 0 || (line[size] && line[size] != ' ')) return NULL;
  return line + size + (line[size] == ' ');
}

bool synth_lines_head(struct synth_lines *l, struct invocation *call, const char *first,
                      const struct synth_option *options, size_t count, enum option_id kept) {
  if (!synth_lines_next(l) || strcmp(l->line, first) != 0) return false;
  for (size_t i = 0; i < count; i++) {
    enum option_id id = options[i].id;
    const char *text = synth_lines_next(l) ? synth_line_behind(l->line, options[i].word) : NULL;
    if (!text) return false;
    if (id == kept) continue;
    call->values[id].count = 0;
    if (*text || id == OPTION_PARAMS) *vec_push(call->arena, &call->values[id]) = text;
  }
  return true;
}

int synth_lines_refuse(const struct synth_lines *l, struct diags *diags) {
  diag_error(diags, l->source, l->span,
             l->is_short ? "the certificate stops here, without its last line" : "a certificate has no such line here");
  return diags_report(diags);
}
