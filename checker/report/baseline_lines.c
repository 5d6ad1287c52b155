/* SPDX-License-Identifier: MIT */
/* Files of results, line by line: what their formats share. */
#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/report/baseline_file.h"

bool line_begins(const struct text_line *line, const char *prefix) {
  size_t length = strlen(prefix);
  return line->length >= length && !memcmp(line->text, prefix, length);
}

const char *line_word(struct arena *arena, const struct text_line *line, int number) {
  size_t at = 0;
  for (int i = 0;; i++) {
    while (at < line->length && strchr(" \t", line->text[at])) at++;
    size_t start = at;
    while (at < line->length && !strchr(" \t", line->text[at])) at++;
    if (i == number || at == start) return arena_strndup(arena, line->text + start, at - start);
  }
}

const char *baseline_test_name(struct arena *arena, const char *name) {
  bool file = text_ends_in(name, ".litmus") && name[strlen(".litmus")];
  const char *start = file ? path_last(name) : name;
  char *kept = arena_strndup(arena, start, strlen(start) - (file ? strlen(".litmus") : 0));
  for (char *at = kept; *at;) { /* names are printed again */
    int control = control_length(at), other = utf8_length(at);
    if (control) memset(at, '?', (size_t)control);
    at += control ? control : other ? other : 1;
  }
  return kept;
}
