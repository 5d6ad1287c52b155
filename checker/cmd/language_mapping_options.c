/* SPDX-License-Identifier: MIT */
/* What -mapping names when it is a mapping to a language. */
#include "checker/cmd/language_mapping_options.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/cmd/model_options.h"

bool translated_finish(struct invocation *call, struct translated_setup *setup, struct diags *diags) {
  const char *named = option_text(call, OPTION_TARGET_MODEL);
  setup->unroll = (unsigned)option_number(call, OPTION_UNROLL);
  if (!named && setup->translator.to == LANG_VULKAN)
    named = "vulkan-final"; /* the source's final values are compared */
  setup->model = named ? models_read(call, named, diags) : models_read_default(call, setup->translator.to, diags);
  return setup->model && models_check_programs(call, setup->model, setup->model->ir.name, setup->translator.to, diags);
}

static struct translated_setup *translated_read(struct invocation *call, const char *name,
                                                const struct xml_folders *search, struct diags *diags) {
  struct translated_setup *setup = ARENA_NEW(call->arena, struct translated_setup);
  setup->mapping = language_load(call->arena, name, search, diags);
  if (!setup->mapping) return NULL;
  setup->translator = translator_by_mapping(setup->mapping);
  return setup;
}

struct translated_setup *translated_load(struct invocation *call, const char *name, const struct xml_folders *search,
                                         struct diags *diags) {
  struct translated_setup *setup = translated_read(call, name, search, diags);
  return setup && translated_finish(call, setup, diags) ? setup : NULL;
}

struct translated_setup **translated_named(struct invocation *call, size_t *count, struct diags *diags) {
  size_t words_count;
  const char **words = option_words(call, OPTION_MAPPING, &words_count);
  struct xml_folders search = mapping_search(call);
  VEC(struct translated_setup *) setups = {0};
  for (size_t i = 0; i < words_count; i++) {
    const char *root = xml_root_name(call->arena, words[i], &search);
    if (root && strcmp(root, translated_kind.root) != 0) {
      diag_fail(diags,
                "option -mapping: '%s' is no mapping to a language, and check asks models: `explore` and `verify` have "
                "its machine",
                words[i]);
      continue;
    }
    struct translated_setup *setup = translated_load(call, words[i], &search, diags);
    if (setup) *vec_push(call->arena, &setups) = setup;
  }
  *count = setups.count;
  return setups.at;
}
