/* SPDX-License-Identifier: MIT */
/* The hash of a test: 128 bits over its printed program and what it observes,
 * so that layout, comments, dialect and the condition itself do not matter.  Of
 * C tests, which herd7 has too, herd7's, so that its tools take logs of both. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* In an order that logs once had, so that hashes stay: by the names alone. */
static int by_name(const void *a, const void *b, void *program) {
  const struct observable *x = a, *y = b;
  if (x->thread != y->thread || x->thread >= 0) return observable_compare(program, *x, *y);
  return strcmp(observable_name(program, *x), observable_name(program, *y));
}

static void print_observables(struct arena *arena, const struct litmus_test *test, FILE *out) {
  unsigned count = test->observable_count;
  struct observable *at = ARENA_COPY(arena, struct observable, test->observables, count);
  qsort_r(at, count, sizeof *at, by_name, test->program);
  for (unsigned i = 0; i < count; i++) fprintf(out, "observe %d:%u\n", at[i].thread, at[i].index);
}

void draft_hash(struct draft *draft, struct litmus_test *test) {
  if (test->language == LANG_C) {
    struct litmus_test own = draft_own_observables(draft, test);
    if (draft_hash_herd(draft->reader.arena, &own, test->hash)) return;
  }
  bool hexadecimal = test->program->hexadecimal;
  test->program->hexadecimal = false;
  struct text text = text_new();
  program_print(test->program, text.out);
  test->program->hexadecimal = hexadecimal;
  print_observables(draft->reader.arena, test, text.out);
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
