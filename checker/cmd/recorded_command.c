/* SPDX-License-Identifier: MIT */
/* What a line of a file may ask for: a list of what is harmless, so that an option that is added is refused until
 * somebody has thought about it. */
#include "checker/cmd/recorded_command.h"

#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/cat/find_models.h"

/* They choose what is computed; their words are numbers, words of litscope's own, or names. */
static const enum option_id HARMLESS[] = {
    OPTION_MODEL,         OPTION_TARGET_MODEL,  OPTION_MAPPING,      OPTION_MACHINE,    OPTION_COST,
    OPTION_VERIFY_FAMILY, OPTION_FAMILY,        OPTION_SYNTH_FAMILY, OPTION_KNOB,       OPTION_PARAMS,
    OPTION_VARIANT,       OPTION_CELLS,         OPTION_STEPS,        OPTION_ABLATE,     OPTION_STRICT,
    OPTION_WRITE_BACK,    OPTION_POR,           OPTION_SYMMETRY,     OPTION_COMPRESS,   OPTION_UNROLL,
    OPTION_ROUNDS,        OPTION_VERIFY_AWAITS, OPTION_MAX_STATES,   OPTION_MAX_EVENTS, OPTION_MAX_MEMORY,
    OPTION_STATS,         OPTION_BUDGET,        OPTION_UNDEFINED,
};

static bool is_harmless(enum option_id id) {
  for (size_t i = 0; i < ARRAY_COUNT(HARMLESS); i++)
    if (HARMLESS[i] == id) return true;
  return false;
}

/* The model that a name begins with, as models are looked up: with :WORDs and -CHECKs after it or not. */
static const char *model_path(const struct invocation *call, const char *name) {
  size_t count;
  struct cat_search search = {.folders = search_folders(call, "models", &count)};
  search.folder_count = (unsigned)count;
  for (;;) {
    const char *path = find_model(call->arena, &search, name);
    const char *end = path ? NULL : strrchr(name, ':') ? strrchr(name, ':') : strrchr(name, '-');
    if (!end) return path;
    name = arena_strndup(call->arena, name, (size_t)(end - name));
  }
}

/* Where a word of the option is looked for when it names a file. */
static const char *path_of(const struct invocation *call, enum option_id id, const char *name) {
  switch (id) {
    case OPTION_MODEL:
    case OPTION_TARGET_MODEL:
      return model_path(call, name);
    case OPTION_MAPPING:
    case OPTION_MACHINE:
    case OPTION_COST:
      return search_file(call, "mappings", name, ".xml");
    default:
      return access(name, F_OK) ? NULL : name;
  }
}

/* Does a value of the option name a file outside the folders of the installation?  Those have slashes in their paths.
 */
static bool reads_foreign(const struct invocation *call, enum option_id id) {
  for (size_t i = 0; i < call->values[id].count; i++) {
    const char *value = call->values[id].at[i];
    if (strchr(value, '/') || !access(value, F_OK)) return true;
  }
  size_t count;
  const char **words = option_words(call, id, &count);
  for (size_t i = 0; i < count; i++) {
    const char *path = path_of(call, id, words[i]);
    if (path && !strchr(path, '/')) return true;
  }
  return false;
}

const char *recorded_fault(const struct invocation *call) {
  if (call->word_count) return "files to read";
  for (int id = 0; id < OPTION_COUNT; id++) {
    if (!option_given(call, (enum option_id)id)) continue;
    if (!is_harmless((enum option_id)id)) return arena_printf(call->arena, "-%s", option_table[id].name);
    if (option_table[id].kind != OPTION_TEXT && option_table[id].kind != OPTION_LIST_OF) continue;
    if (reads_foreign(call, (enum option_id)id))
      return arena_printf(call->arena, "a file to read for -%s", option_table[id].name);
  }
  return NULL;
}
