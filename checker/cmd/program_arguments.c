/* SPDX-License-Identifier: MIT */
/* Small programs on the command line, and whose programs models are asked about. */
#include "checker/cmd/program_arguments.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/text.h"
#include "checker/cmd/files.h"
#include "checker/verify/small_family.h"
#include "checker/verify/small_program_words.h"

/* By what names of models begin with; the others are OpenCL's. */
static const struct {
  const char *prefix;
  int language; /* -1: of any */
} LANGUAGES_OF[] = {{"ptx", LANG_PTX}, {"vulkan", LANG_VULKAN}, {"rc11-scoped", LANG_OPENCL},
                    {"rc11", LANG_C},  {"c11", LANG_C},         {"sc", -1}};

static int language_of(const char *model) {
  const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model;
  for (size_t i = 0; i < sizeof LANGUAGES_OF / sizeof *LANGUAGES_OF; i++)
    if (!strncmp(name, LANGUAGES_OF[i].prefix, strlen(LANGUAGES_OF[i].prefix))) return LANGUAGES_OF[i].language;
  return LANG_OPENCL;
}

/* One of those that are common so far (-1: of any) and of a model. A program of OpenCL is
 * one of C with scopes besides; other languages do not meet. */
static bool join_language(int *common, const char *model) {
  int own = language_of(model);
  if (own < 0 || own == *common) return true;
  bool c = *common == LANG_C || own == LANG_C, opencl = *common == LANG_OPENCL || own == LANG_OPENCL;
  if (*common >= 0 && !(c && opencl)) return false;
  *common = *common < 0 ? own : LANG_OPENCL;
  return true;
}

bool programs_language(const char *const *models, size_t count, enum litmus_language *language) {
  int common = -1;
  bool meet = true;
  for (size_t i = 0; i < count; i++) meet &= join_language(&common, models[i]);
  *language = common < 0 ? LANG_OPENCL : (enum litmus_language)common;
  return meet;
}

const struct source *programs_read_word(const struct invocation *call, struct arena *arena, const char *word,
                                        struct diags *diags) {
  struct small_program program;
  enum litmus_language language;
  size_t count;
  struct text text;
  if (!strchr(word, '|') || access(word, F_OK) == 0) return files_read(arena, word, diags);
  const struct source *source = source_from_text(arena, "(program)", word, strlen(word));
  struct span span = {0, (uint32_t)strlen(word)};
  const char **models = option_words(call, OPTION_MODEL, &count);
  if (!programs_language(models, count, &language)) {
    diag_error(diags, source, span,
               "these models are of different languages, and a small program is in one: ask them one by one");
    return NULL;
  }
  if (!small_read_line(source, span, language, &program, diags)) return NULL;
  text_open(&text);
  small_write(&program, small_name(arena, &program), NULL, "exists (true)", text.out);
  text_end(&text);
  source = source_from_text(arena, word, text.at, text.size);
  text_free(&text);
  return source;
}
