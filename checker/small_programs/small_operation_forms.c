/* SPDX-License-Identifier: MIT */
/* The forms of operations in PTX and Vulkan: those that litmus/repair_moves.h finds for a test with
 * nothing but the operation, by each name that a location can have. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/repair_moves.h"
#include "checker/small_programs/small_family.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

/* Forms of operations at the first location, next to another thread that accesses both: where `apart`, they are in two
 * storage classes. */
struct finding {
  struct arena *arena;
  const struct small_language *language;
  const struct small_unwanted *unwanted;
  struct small_forms *forms;
  bool apart;
  uint8_t class; /* of the first location */
};

/* `st.weak`, of `st.weak x, 1`. */
static const char *words_of(struct arena *arena, const char *instruction) {
  return arena_strndup(arena, instruction, strcspn(instruction, " "));
}

/* A program with `op`, once or twice, in a thread of its own. */
static struct small_program context_of(const struct finding *f, struct small_op op, unsigned count) {
  const struct small_op x = {.kind = 'R', .scope = 'n'}, y = {.kind = 'R', .scope = 'n', .location = 1};
  return (struct small_program){.language = f->language,
                                .threads = 2,
                                .count = {count, 2},
                                .ops = {{op, op}, {x, y}},
                                .wg = {0, 1},
                                .cluster = {0, 1},
                                .clusters = f->unwanted->clusters,
                                .class = {f->class, f->apart ? !f->class : f->class}};
}

static bool is_own(const struct finding *f, char kind, const char *words) {
  ARRAY_EACH (const struct small_op, own, f->unwanted->own, f->unwanted->own_count) {
    const struct small_program p = context_of(f, *own, 1);
    if (own->kind == kind && !strcmp(words, words_of(f->arena, small_instruction(f->arena, &p, own)))) return true;
  }
  return false;
}

/* Has a form a word, between dots and what is before its proxy? */
static bool has_word(const char *words, const char *word) {
  for (const char *at = words; *at; at += *at != '\0') {
    size_t length = strcspn(at, ".@");
    if (text_part_is(at, length, word)) return true;
    at += length;
    if (!*at) break;
  }
  return false;
}

static struct small_form *find_form(const struct small_forms *forms, char kind, const char *words) {
  for (size_t i = 0; i < forms->count; i++)
    if (forms->at[i].kind == kind && !strcmp(forms->at[i].words, words)) return &forms->at[i];
  return NULL;
}

static void add_form(const struct finding *f, char kind, const char *words) {
  for (const char *const *word = f->unwanted->words; *word; word++)
    if (has_word(words, *word) && !(kind == 'B' && !strcmp(*word, f->unwanted->innermost))) return;
  if (is_own(f, kind, words)) return;
  struct small_form *form = find_form(f->forms, kind, words);
  if (!form) {
    form = vec_push(f->arena, f->forms);
    *form = (struct small_form){.kind = kind, .class = f->class, .words = words};
  }
  form->contexts |= (uint8_t)(1u << f->apart);
}

/* Those of an operation that is written like this, or of fences that may be put in next to it;
 * `proxy`: of the name that it uses, or NULL. */
static void add_forms(const struct finding *f, char kind, const char *words, const char *proxy, bool inserted) {
  const char *by = proxy ? arena_printf(f->arena, "@%s", proxy) : "";
  const char *whole = words ? arena_printf(f->arena, "%s%s", words, by) : NULL;
  struct small_op op = {.kind = kind,
                        .scope = kind == 'B' ? 'w' : 'd',
                        .words = whole,
                        .word_length = whole ? (uint8_t)strlen(whole) : 0};
  const struct small_program p = context_of(f, op, 1 + inserted);
  const struct litmus_options options = {0};
  struct diags diags = diags_new(f->arena);
  const struct source *source = small_source(f->arena, &p, "form", "form", NULL, "exists (true)");
  const struct litmus_test *test = litmus_parse(f->arena, source, NULL, &diags);
  if (!test) return;
  struct places places = moves_find(f->arena, test, &options);
  ARRAY_EACH (const struct place, place, places.at, places.count) {
    for (size_t k = 0; !place->thread && place->inserted == inserted && k < place->form_count; k++)
      if (*place->forms[k].text)
        add_form(f, kind, arena_printf(f->arena, "%s%s", words_of(f->arena, place->forms[k].text), by));
  }
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

static void add_kinds(const struct finding *f, const char *kinds) {
  for (; *kinds; kinds++) {
    add_forms(f, *kinds, NULL, NULL, false);
    if (*kinds == 'F') add_forms(f, 'F', NULL, NULL, true);
    add_aliases(f, litmus_move_words(f->language->tests), *kinds);
  }
}

/* ---- storage classes ---- */

/* `st.atom.rel.dv.sc1.semsc0.semav` of `st.atom.rel.dv.sc0.semsc1.semav`: classes 0 and 1 change places, but several
 * that are named together stay in order. */
static const char *swapped(struct arena *arena, const char *words, const char *class) {
  const char *both = arena_printf(arena, ".sem%s0.sem%s1", class, class);
  const char *together = strstr(words, both);
  char *copy = arena_strdup(arena, words);
  for (char *at = copy; (at = strstr(at, class)); at += strlen(class)) {
    char *number = at + strlen(class);
    if (together && at > copy + (together - words) && at < copy + (together - words) + strlen(both)) continue;
    if (*number == '0' || *number == '1') *number ^= 1;
  }
  return copy;
}

static void find_twins(const struct finding *f) {
  const char *class = small_class_word(f->language);
  for (size_t i = 0; class && i < f->forms->count; i++) {
    struct small_form *form = &f->forms->at[i];
    const struct small_form *twin = find_form(f->forms, form->kind, swapped(f->arena, form->words, class));
    form->twin = twin ? (uint16_t)(twin - f->forms->at + 1) : 0;
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
  struct finding f = {.arena = arena, .language = language, .unwanted = unwanted, .forms = forms};
  if (!small_has_words(language)) return;
  add_kinds(&f, kinds);
  f.apart = true;
  for (unsigned class = 0; unwanted->classes > 1 && class < unwanted->classes; class ++) {
    f.class = (uint8_t) class;
    add_kinds(&f, kinds);
  }
  for (size_t i = 0; i < forms->count; i++) forms->at[i].rarity = rarity_of(arena, forms, forms->at[i].words);
  if (forms->count) qsort(forms->at, forms->count, sizeof *forms->at, compare_forms);
  find_twins(&f);
}
