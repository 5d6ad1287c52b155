/* SPDX-License-Identifier: MIT */
/* The forms of operations in PTX and Vulkan: those that litmus/repair_moves.h finds for a test with
 * nothing but the operation, by each name that a location can have. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/repair_moves.h"
#include "checker/verify/small_family.h"
#include "checker/verify/small_language.h"
#include "checker/verify/small_program_words.h"

struct finding {
  struct arena *arena;
  const struct small_language *language;
  const struct small_unwanted *unwanted;
  struct small_forms *forms;
};

/* `st.weak`, of `st.weak x, 1`. */
static const char *words_of(struct arena *arena, const char *instruction) {
  return arena_strndup(arena, instruction, strcspn(instruction, " "));
}

static bool is_own(const struct finding *f, char kind, const char *words) {
  for (size_t i = 0; i < f->unwanted->own_count; i++)
    if (f->unwanted->own[i].kind == kind &&
        !strcmp(words, words_of(f->arena, small_instruction(f->arena, f->language, &f->unwanted->own[i]))))
      return true;
  return false;
}

/* Has a form a word, between dots and what is before its proxy? */
static bool has_word(const char *words, const char *word) {
  for (const char *at = words; *at; at += *at != '\0') {
    size_t length = strcspn(at, ".@");
    if (length == strlen(word) && !memcmp(at, word, length)) return true;
    at += length;
    if (!*at) break;
  }
  return false;
}

static void add_form(const struct finding *f, char kind, const char *words) {
  for (size_t i = 0; i < f->forms->count; i++)
    if (f->forms->at[i].kind == kind && !strcmp(f->forms->at[i].words, words)) return;
  for (const char *const *word = f->unwanted->words; *word; word++)
    if (has_word(words, *word) && !(kind == 'B' && !strcmp(*word, f->unwanted->innermost))) return;
  if (!is_own(f, kind, words)) *vec_push(f->arena, f->forms) = (struct small_form){kind, words, 0};
}

/* Those of an operation that is written like this, or of fences that may be put in beside it;
 * `proxy`: of the name that it uses, or NULL. */
static void add_forms(const struct finding *f, char kind, const char *words, const char *proxy, bool inserted) {
  const char *by = proxy ? arena_printf(f->arena, "@%s", proxy) : "";
  const char *whole = words ? arena_printf(f->arena, "%s%s", words, by) : NULL;
  struct small_op op = {.kind = kind,
                        .scope = kind == 'B' ? 'w' : 'd',
                        .words = whole,
                        .word_length = whole ? (uint8_t)strlen(whole) : 0};
  struct small_program p = {.language = f->language,
                            .threads = 1,
                            .count = {1 + inserted},
                            .ops = {{op, op}},
                            .clusters = f->unwanted->clusters};
  const struct litmus_options options = {0};
  struct diags diags = diags_new(f->arena);
  struct text text;
  text_open(&text);
  small_write(&p, "form", NULL, "exists (true)", text.out);
  text_end(&text);
  const struct litmus_test *test =
      litmus_parse(f->arena, source_from_text(f->arena, "form", text.at, text.size), NULL, &diags);
  text_free(&text);
  if (!test) return;
  struct places places = moves_find(f->arena, test, &options);
  for (size_t i = 0; i < places.count; i++)
    for (size_t k = 0; places.at[i].inserted == inserted && k < places.at[i].form_count; k++)
      if (*places.at[i].forms[k].text)
        add_form(f, kind, arena_printf(f->arena, "%s%s", words_of(f->arena, places.at[i].forms[k].text), by));
}

/* By the other names of a location. */
static void add_aliases(const struct finding *f, const struct move_words *language, char kind) {
  for (const struct move_proxy *proxy = language->proxies; proxy && proxy->name; proxy++) {
    const char *word = kind == 'R' ? proxy->load : kind == 'W' ? proxy->store : kind == 'U' ? proxy->update : NULL;
    if (word)
      add_forms(f, kind, arena_printf(f->arena, kind == 'U' ? "%s.relaxed.gpu.add" : "%s.weak", word), proxy->name,
                false);
  }
}

/* ---- rarity ---- */

static unsigned rarity_of(struct arena *arena, const struct small_forms *forms, const char *words) {
  unsigned least = UINT32_MAX;
  char *copy = arena_strdup(arena, words), *rest = copy, *word;
  while ((word = strsep(&rest, ".@"))) {
    unsigned count = 0;
    for (size_t i = 0; i < forms->count; i++) count += has_word(forms->at[i].words, word);
    if (count < least) least = count;
  }
  return least;
}

static int compare_forms(const void *a, const void *b) {
  static const char KINDS[] = "BFUWR"; /* in how few programs they are */
  const struct small_form *x = a, *y = b;
  const char *k = strchr(KINDS, x->kind), *l = strchr(KINDS, y->kind);
  if (k != l) return k < l ? -1 : 1;
  if (x->rarity != y->rarity) return x->rarity < y->rarity ? -1 : 1;
  return strcmp(x->words, y->words);
}

void small_forms_find(struct arena *arena, const struct small_language *language, const char *kinds,
                      const struct small_unwanted *unwanted, struct small_forms *forms) {
  const struct move_words *words = litmus_move_words(language->tests);
  struct finding f = {arena, language, unwanted, forms};
  for (; small_has_words(language) && *kinds; kinds++) {
    add_forms(&f, *kinds, NULL, NULL, false);
    if (*kinds == 'F') add_forms(&f, 'F', NULL, NULL, true);
    add_aliases(&f, words, *kinds);
  }
  for (size_t i = 0; i < forms->count; i++) forms->at[i].rarity = rarity_of(arena, forms, forms->at[i].words);
  if (forms->count) qsort(forms->at, forms->count, sizeof *forms->at, compare_forms);
}
