/* SPDX-License-Identifier: MIT */
/* The table of conventions: how a word is looked for, and why it means anything.
 */
#include "checker/cat/naming_conventions.h"

#include <string.h>

#include "checker/base/text.h"

enum place { ANYWHERE, AT_END, WHOLE };

static const struct {
  enum place place;
  const char *words[8];
} table[CONVENTIONS] = {
    /* `flag ~empty r as racy`: a flag says nothing of what it means but by its name. */
    [FLAG_UNDEFINED] = {ANYWHERE, {"race", "racy", "undef", "diverg", "unsequenced"}},
    [FLAG_RACE] = {ANYWHERE, {"race", "racy"}},
    /* H, K, C and S are short names, which other models may miss as an error. */
    [TITLE_ADSM] = {ANYWHERE, {"ADSM"}},
    /* Published numbers of bad executions can only be compared when counted in the way of their tool.  Asked for by
     * name: by path, `models/opencl-published.cat`, the same file counts plainly. */
    [NAME_PUBLISHED] = {AT_END, {"-published"}},
    /* Parts of models do not count as models: lists leave them out. */
    [NAME_BASE] = {AT_END, {"-base"}},
    /* A model says in a comment whose tests it is for, which no statement of the language can. */
    [LANGUAGE] = {WHOLE, {"OpenCL", "C", "HSA", "ADSM", "PTX", "VULKAN", "AMDGPU"}},
    /* The one model with a judge in C. */
    [NAME_HRF_NATIVE] = {WHOLE, {"hrf-rsp-native"}},
};

static bool matches(enum place place, const char *text, const char *word) {
  if (place == ANYWHERE) return strcasestr(text, word);
  if (place == AT_END) return text_ends_in(text, word) && strcmp(text, word) != 0;
  return !strcmp(text, word);
}

/* PTX gives a meaning to races between accesses of one size: a flag of these informs. */
static bool informs(enum convention convention, const char *text) {
  static const char uniform[] = "uniform";
  return convention == FLAG_UNDEFINED && text_begins(text, uniform);
}

bool convention_holds(enum convention convention, const char *text) {
  if (!text || informs(convention, text)) return false;
  for (const char *const *word = table[convention].words; *word; word++)
    if (matches(table[convention].place, text, *word)) return true;
  return false;
}

const char *convention_meaning(struct arena *arena, const char *text, const char *flag) {
  static const char begin[] = "flags:\n";
  const char *line = strstr(text, begin), *end = line ? strstr(line, "*)") : NULL;
  size_t length = strlen(flag);
  while (line && end && line < end && (line = strchr(line, '\n')) && line < end) {
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, flag, length) != 0 || (line[length] != ' ' && line[length] != '\t')) continue;
    line += length + strspn(line + length, " \t");
    size_t rest = strcspn(line, "\n");
    if (line + rest > end) rest = (size_t)(end - line);
    while (rest && (line[rest - 1] == ' ' || line[rest - 1] == '\r')) rest--;
    return arena_strndup(arena, line, rest);
  }
  return NULL;
}

/* Does the line with `at` hold nothing before it but the title? */
static bool is_beside_title(const char *text, const char *title, const char *at) {
  const char *line = at;
  while (line > text && line[-1] != '\n') line--;
  line += strspn(line, " \t");
  bool quoted = *line == '"';
  line += quoted;
  size_t length = strlen(title);
  if (!length || strncmp(line, title, length) != 0) return false;
  line += length;
  if (quoted && *line++ != '"') return false;
  return line + strspn(line, " \t") == at;
}

struct span convention_languages(const char *text, const char *title) {
  static const char head[] = "(* languages:";
  const char *start = title ? strstr(text, head) : NULL;
  while (start && !is_beside_title(text, title, start)) start = strstr(start + 1, head);
  const char *end = start ? strstr(start, "*)") : NULL;
  if (!end) return (struct span){0};
  start += strlen(head);
  start += strspn(start, " \t\r\n");
  while (end > start && strchr(" \t\r\n", end[-1])) end--;
  return (struct span){(uint32_t)(start - text), (uint32_t)(end - start)};
}
