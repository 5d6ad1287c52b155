/* SPDX-License-Identifier: MIT */
/* The tables of a test that is being read: locations, threads and registers
 * by name, made as the text first mentions them. */
#include "checker/litmus/test_draft.h"

#include <string.h>

#include "checker/base/tags.h"
#include "checker/base/text.h"

struct draft_location *draft_find_location(struct draft *draft, const char *name) {
  return FIND_ROW(draft->locations.at, draft->locations.count, name, name);
}

const char *draft_location_hint(struct draft *draft, const char *name) {
  return reader_hint(&draft->reader, name,
                     ROW_TEXTS(draft->reader.arena, draft->locations.at, draft->locations.count, name));
}

void draft_check_count(struct draft *draft, size_t count, const char *what, struct span span) {
  if (count == DRAFT_COUNT_LIMIT) reader_fail(&draft->reader, span, "more than %d %s", DRAFT_COUNT_LIMIT, what);
}

struct draft_location *draft_add_location(struct draft *draft, const char *name, struct span span) {
  struct draft_location *location = draft_find_location(draft, name);
  if (location) return location;
  draft_check_count(draft, draft->locations.count, "locations", span);
  location = vec_push(draft->reader.arena, &draft->locations);
  unsigned index = (unsigned)draft->locations.count - 1;
  *location = (struct draft_location){.name = name, .span = span, .size = 1, .physical = index, .generic = index};
  location->init = ARENA_NEW(draft->reader.arena, int64_t);
  for (unsigned i = 0; i < index; i++) location->first += draft->locations.at[i].size;
  return location;
}

/* Tests use locations that their init section leaves out; a slip, most often. */
const struct draft_location *draft_use_location(struct draft *draft, const char *name, struct span span) {
  struct draft_location *location = draft_find_location(draft, name);
  if (location) return location;
  const char *hint = draft_location_hint(draft, name);
  if (draft->dialect->language == LANG_C)
    diag_warning(draft->reader.diags, draft->reader.source, span, "no thread has a location '%s', so it reads as 0%s",
                 name, hint);
  else
    diag_warning(draft->reader.diags, draft->reader.source, span,
                 "'%s' is not in the init section: it is initially 0%s", name, hint);
  return draft_add_location(draft, name, span);
}

bool draft_is_thread_name(const struct token *token, unsigned *number) {
  if (token->kind != TOKEN_NAME || token->text[0] != 'P' || !token->text[1]) return false;
  *number = 0;
  for (const char *c = token->text + 1; *c; c++) {
    if (*c < '0' || *c > '9' || *number > 100000) return false;
    *number = *number * 10 + (unsigned)(*c - '0');
  }
  return true;
}

struct draft_thread *draft_add_thread(struct draft *draft, const struct token *name) {
  unsigned number = 0;
  if (!draft_is_thread_name(name, &number))
    reader_fail(&draft->reader, name->span, "expected a thread such as P0, found '%s'", name->text);
  for (size_t i = 0; i < draft->threads.count; i++)
    if (draft->threads.at[i].number == number) reader_fail(&draft->reader, name->span, "duplicate thread P%u", number);
  draft_check_count(draft, draft->threads.count, "threads", name->span);
  struct draft_thread *thread = vec_push(draft->reader.arena, &draft->threads);
  thread->number = number;
  thread->name = arena_printf(draft->reader.arena, "P%u", number);
  thread->span = name->span;
  return thread;
}

int draft_find_register(const struct draft_thread *thread, const char *name) {
  for (size_t i = 0; i < thread->registers.count; i++)
    if (thread->registers.at[i].name && !strcmp(thread->registers.at[i].name, name)) return (int)i;
  return -1;
}

unsigned draft_use_register(struct draft *draft, struct draft_thread *thread, const char *name, struct span span) {
  int found = draft_find_register(thread, name);
  if (found >= 0) return (unsigned)found;
  draft_check_count(draft, thread->registers.count, "registers", span);
  *vec_push(draft->reader.arena, &thread->registers) = (struct draft_register){.name = name, .span = span};
  return (unsigned)(thread->registers.count - 1);
}

static void check_register(struct draft *draft, const struct draft_thread *thread, size_t i) {
  const struct draft_register *reg = &thread->registers.at[i];
  if (reg->assigned) return;
  const char **words = ARENA_ARRAY(draft->reader.arena, const char *, thread->registers.count + 1);
  size_t count = 0;
  for (size_t j = 0; j < thread->registers.count; j++)
    if (j != i && thread->registers.at[j].name) words[count++] = thread->registers.at[j].name;
  diag_warning(draft->reader.diags, draft->reader.source, reg->span, "%s reads '%s', which nothing sets: it is 0%s",
               thread->name, reg->name, reader_hint(&draft->reader, reg->name, words));
}

void draft_check_registers(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count; i++)
    for (size_t j = 0; j < draft->threads.at[i].registers.count; j++) check_register(draft, &draft->threads.at[i], j);
}

unsigned draft_new_temporary(struct draft *draft, struct draft_thread *thread) {
  vec_push(draft->reader.arena, &thread->registers)->assigned = true;
  return (unsigned)(thread->registers.count - 1);
}

struct instr *draft_emit(struct draft *draft, struct draft_thread *thread, enum instr_kind kind, struct span span) {
  if (thread->code.count == DRAFT_CODE_LIMIT)
    reader_fail(&draft->reader, span, "%s has more than %d instructions", thread->name, DRAFT_CODE_LIMIT);
  struct instr *instr = vec_push(draft->reader.arena, &thread->code);
  *instr = (struct instr){.kind = kind, .reg = NO_REG, .barrier_label = -1, .span = span};
  return instr;
}

struct instr *draft_insert(struct draft *draft, struct draft_thread *thread, size_t at, enum instr_kind kind,
                           struct span span) {
  struct instr inserted = *draft_emit(draft, thread, kind, span);
  for (size_t k = thread->code.count - 1; k > at; k--) thread->code.at[k] = thread->code.at[k - 1];
  thread->code.at[at] = inserted;
  for (size_t k = 0; k < thread->code.count; k++)
    if (instr_jumps(&thread->code.at[k]) && thread->code.at[k].target >= at) thread->code.at[k].target++;
  return &thread->code.at[at];
}

tag_set draft_annotation(struct draft *draft, const char *name, struct span span) {
  size_t i = 0;
  while (i < draft->annotations.count && strcmp(draft->annotations.at[i], name) != 0) i++;
  if (i == TAG_ANNOTATIONS) reader_fail(&draft->reader, span, "more than %d annotations", TAG_ANNOTATIONS);
  if (draft->reader.failed) return 0;
  if (i == draft->annotations.count) *vec_push(draft->reader.arena, &draft->annotations) = name;
  return (tag_set)1 << (TAG_COUNT + i);
}

int draft_barrier_label(struct draft *draft, const char *label) {
  int known = text_index(label, draft->barrier_labels.at, draft->barrier_labels.count);
  if (known >= 0) return known;
  *vec_push(draft->reader.arena, &draft->barrier_labels) = label;
  return (int)draft->barrier_labels.count - 1;
}
