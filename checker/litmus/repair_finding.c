/* SPDX-License-Identifier: MIT */
/* Templates filled in, and what the front end makes of texts with changes. */
#include "checker/litmus/repair_finding.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/lex.h"

/* ---- templates ---- */

static const struct move_list *list_of(const struct move_words *words, char letter) {
  for (const struct move_list *list = words->lists; list->letter; list++)
    if (list->letter == letter) return list;
  return NULL;
}

static const char *field_of(struct arena *arena, const struct operation *op, char letter) {
  switch (letter) {
    case 't':
      return *op->name ? arena_printf(arena, ".%s", op->name) : "";
    case 'n':
      return op->name;
    case 'm':
      return op->first;
    case 'c':
      return op->class;
    case 'a':
      return op->operands;
    default:
      return NULL;
  }
}

void templates_expand(struct arena *arena, const struct move_words *words, const char *template,
                      const struct operation *op, const char *done, struct move_texts *texts) {
  const char *percent = strchr(template, '%');
  if (!percent) {
    *vec_push(arena, &texts->all) = arena_printf(arena, "%s%s", done, template);
    return;
  }
  const char *field = field_of(arena, op, percent[1]);
  const struct move_list *list = field ? NULL : list_of(words, percent[1]);
  done = arena_printf(arena, "%s%.*s", done, (int)(percent - template), template);
  if (field) templates_expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, field), texts);
  for (size_t i = 0; list && list->words && list->words[i]; i++)
    templates_expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, list->words[i]), texts);
  for (const struct word_row *row = list ? list->rows : NULL; row && row->text; row++)
    templates_expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, row->text), texts);
}

/* ---- what the front end makes of a changed text ---- */

static int compare_edits(const void *a, const void *b) {
  const struct edit *x = a, *y = b;
  if (x->span.at != y->span.at) return x->span.at < y->span.at ? -1 : 1;
  if (x->span.length != y->span.length)
    return x->span.length < y->span.length ? -1 : 1; /* what is put in comes first */
  return strcmp(x->text, y->text);
}

const struct source *edits_apply(struct arena *arena, const struct source *source, struct edit *edits, size_t count) {
  size_t from = 0;
  if (count) qsort(edits, count, sizeof *edits, compare_edits);
  struct text text = text_new();
  for (size_t i = 0; i < count; i++) {
    if (i && !compare_edits(&edits[i - 1], &edits[i])) continue;
    if (edits[i].span.at < from && edits[i].span.length) continue;
    if (edits[i].span.at > from) fwrite(source->text + from, 1, edits[i].span.at - from, text.out);
    fputs(edits[i].text, text.out);
    if (edits[i].span.at + edits[i].span.length > from) from = edits[i].span.at + edits[i].span.length;
  }
  fwrite(source->text + from, 1, source->size - from, text.out);
  text_end(&text);
  const struct source *result = source_from_text(arena, source->name, text.at, text.size);
  text_free(&text);
  return result;
}

size_t finding_instr_count(const struct litmus_test *test) {
  size_t count = 0;
  for (unsigned t = 0; t < test->program->thread_count; t++) count += test->program->threads[t].instr_count;
  return count;
}

size_t finding_count_at(const struct litmus_test *test, size_t at) {
  size_t count = 0;
  INSTR_EACH (instr, test->program) count += instr->span.at == at;
  return count;
}

const struct instr *finding_instr_at(const struct litmus_test *test, unsigned thread, size_t at) {
  const struct thread *t = &test->program->threads[thread];
  for (unsigned i = 0; i < t->instr_count; i++)
    if (t->instrs[i].span.at == at) return &t->instrs[i];
  return NULL;
}

const struct litmus_test *finding_read(const struct finding *f, struct arena *arena, struct edit *edits, size_t count) {
  struct diags diags = diags_new(arena);
  const struct source *source = edits_apply(arena, f->test->source, edits, count);
  const struct litmus_test *test = litmus_parse(arena, source, f->options, &diags);
  return diags.count <= f->messages ? test : NULL;
}

void finding_add_form(struct finding *f, struct place *place, const char *text, const struct edit *edits,
                      size_t edit_count, const struct form_strength *counted) {
  struct form_strength strength = *counted;
  strength.tags &= ~f->idle;
  for (size_t i = 0; i < place->form_count; i++)
    if (strength_equal(&place->forms[i].strength, &strength)) return;
  struct form *forms = ARENA_ARRAY(f->arena, struct form, place->form_count + 1);
  if (place->form_count) memcpy(forms, place->forms, place->form_count * sizeof *forms);
  forms[place->form_count++] = (struct form){text, edits, edit_count, strength, 0, NULL};
  place->forms = forms;
}

size_t edits_moved(const struct edit *edits, size_t count, uint32_t at) {
  size_t to = at;
  for (size_t i = 0; i < count; i++)
    if (edits[i].span.at < at) to += strlen(edits[i].text) - edits[i].span.length;
  return to;
}

bool finding_touches_memory(const struct instr *instr) {
  return instr_is_access(instr) || instr->kind == INSTR_FENCE || strength_waits(instr);
}
