/* SPDX-License-Identifier: MIT */
/* The hash of a test: 128 bits over its printed program and what it observes,
 * so that layout, comments, dialect and the condition itself do not matter.  Of
 * C tests, which herd7 has too, herd7's, so that its tools take logs of both. */
#include "checker/base/text.h"
#include "checker/litmus/draft.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

void draft_hash(struct draft *draft, struct litmus_test *test) {
  if (test->language == LANG_C) {
    struct litmus_test own = draft_own_observables(draft, test);
    if (draft_hash_herd(draft->reader.arena, &own, test->hash)) return;
  }
  struct text text;
  bool hexadecimal = test->program->hexadecimal;
  test->program->hexadecimal = false;
  text_open(&text);
  program_print(test->program, text.out);
  test->program->hexadecimal = hexadecimal;
  for (unsigned i = 0; i < test->observable_count; i++)
    fprintf(text.out, "observe %d:%u\n", test->observables[i].thread, test->observables[i].index);
  const struct assembly *assembly = test->program->assembly;
  for (unsigned t = 0; assembly && t < test->program->thread_count; t++)
    for (size_t i = 0; i < assembly->threads[t].line_count; i++)
      fprintf(text.out, "%.*s\n", (int)assembly->threads[t].lines[i].length,
              test->source->text + assembly->threads[t].lines[i].at);
  text_end(&text);
  XXH128_hash_t hash = XXH3_128bits(text.at, text.size);
  snprintf(test->hash, sizeof test->hash, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
  text_free(&text);
}
