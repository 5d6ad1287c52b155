/* SPDX-License-Identifier: MIT */
/* What -mapping names when it is a mapping to a language. */
#include "checker/cmd/translated.h"

#include "checker/cmd/models.h"

bool translated_finish(struct invocation *call, struct translated_setup *setup, struct diags *diags) {
  const char *named = option_text(call, OPTION_TARGET_MODEL);
  setup->unroll = (unsigned)option_number(call, OPTION_UNROLL);
  if (!named && setup->translator.to == LANG_VULKAN)
    named = "vulkan-final"; /* the source's final values are compared */
  setup->model = named ? models_read(call, named, diags) : models_read_default(call, setup->translator.to, diags);
  return setup->model != NULL;
}

struct translated_setup *translated_read(struct invocation *call, const char *name, const struct xml_search *search,
                                         struct diags *diags) {
  struct translated_setup *setup = ARENA_NEW(call->arena, struct translated_setup);
  setup->mapping = language_load(call->arena, name, search, diags);
  if (!setup->mapping) return NULL;
  setup->translator = translator_by_mapping(setup->mapping);
  return setup;
}

struct translated_setup *translated_load(struct invocation *call, const char *name, const struct xml_search *search,
                                         struct diags *diags) {
  struct translated_setup *setup = translated_read(call, name, search, diags);
  return setup && translated_finish(call, setup, diags) ? setup : NULL;
}
