/* SPDX-License-Identifier: MIT */
/* Small programs on the command line, and whose programs models are asked about. */
#include "checker/cmd/small_program_arguments.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/cmd/test_files.h"
#include "checker/small_programs/small_family.h"
#include "checker/small_programs/small_language_list.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

/* Of models that begin with the longest of the words that languages say; NULL: of any. */
static const struct small_language *language_of(const char *model) {
  static const char ANY[] = "sc";
  const char *name = path_last(model);
  const struct small_language *found = &small_opencl;
  size_t longest = 0;
  if (text_begins(name, ANY)) return NULL;
  for (const struct small_language *const *l = small_languages; *l; l++)
    for (const char *const *word = (*l)->models; *word; word++)
      if (text_begins(name, *word) && strlen(*word) > longest) {
        found = *l;
        longest = strlen(*word);
      }
  return found;
}

/* One of those that are common so far (NULL: of any) and of a model. A program of a wider language is one of
 * the other with more besides; other languages do not meet. */
static bool join_language(const struct small_language **common, const char *model) {
  const struct small_language *own = language_of(model);
  if (!own || own == *common || (*common && own->wider == *common)) return true;
  if (*common && (*common)->wider != own) return false;
  *common = own;
  return true;
}

bool programs_language(const char *const *models, size_t count, const struct small_language **language) {
  const struct small_language *common = NULL;
  bool meet = true;
  for (size_t i = 0; i < count; i++) meet &= join_language(&common, models[i]);
  *language = common ? common : &small_opencl;
  return meet;
}

const struct source *programs_read_word(const struct invocation *call, struct arena *arena, const char *word,
                                        struct diags *diags) {
  struct small_program program;
  const struct small_language *language;
  size_t count;
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
  return small_source(arena, &program, word, small_name(arena, &program), NULL, "exists (true)");
}
