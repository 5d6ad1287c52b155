/* SPDX-License-Identifier: MIT */
/* Points of a test where a fence, or a barrier of several threads, may be put in. */
#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/repair_finding.h"

/* In columns: a row before the instruction's or after it, with the other columns left blank. */
static struct edit row_edit(const struct finding *f, unsigned thread, struct point point, const char *fence) {
  const char *text = f->test->source->text;
  uint32_t line = point.instr->span.at;
  const char *row = "";
  while (line && text[line - 1] != '\n') line--;
  if (point.behind) {
    line += (uint32_t)strcspn(text + line, "\n");
    if (text[line])
      line++;
    else
      row = "\n"; /* the text ends with its last row */
  }
  for (unsigned t = 0; t < f->test->program->thread_count; t++)
    row = arena_printf(f->arena, "%s%s %s ", row, t ? "|" : "", t == thread ? fence : "");
  return (struct edit){{line, 0}, arena_printf(f->arena, "%s;\n", row)};
}

/* Where the statements of a thread end: before the bracket that closes the block around this place and all others. */
static bool body_end(const char *text, uint32_t at, uint32_t *end) {
  int depth = 1;
  for (uint32_t i = at; i > 0 && !(text[i - 1] == '\n' && text[i] == 'P'); i--)
    depth += (text[i - 1] == '{') - (text[i - 1] == '}');
  for (depth--; text[at] && depth > 0; at++) depth += (text[at] == '{') - (text[at] == '}');
  for (*end = at ? at - 1 : 0; *end && isspace((unsigned char)text[*end - 1]);) --*end;
  return !depth && *end;
}

/* Where the statement begins that has the instruction, if it is one of a list of statements. */
static bool statement_begin(const char *text, uint32_t at, uint32_t *begin) {
  int depth = 0;
  uint32_t i = at;
  for (; i; i--) {
    char c = text[i - 1];
    depth += c == ')';
    depth -= c == '(';
    if (c == '{' || c == '}' || (c == ';' && depth >= 0)) break;
  }
  *begin = i + (uint32_t)strspn(text + i, " \t\n");
  return i && !text_begins(text + *begin, "else");
}

/* A statement before the one that begins there; on a line of its own where that is. */
static struct edit line_edit(const struct finding *f, uint32_t begin, const char *fence) {
  const char *text = f->test->source->text;
  uint32_t line = begin;
  while (line && (text[line - 1] == ' ' || text[line - 1] == '\t')) line--;
  bool own_line = line && text[line - 1] == '\n';
  return (struct edit){{begin, 0},
                       own_line ? arena_printf(f->arena, "%s;\n%.*s", fence, (int)(begin - line), text + line)
                                : arena_printf(f->arena, "%s; ", fence)};
}

static bool fence_edit(const struct finding *f, unsigned thread, struct point point, const char *fence,
                       struct edit *edit) {
  const char *text = f->test->source->text;
  uint32_t begin;
  if (f->words->separator) {
    *edit = row_edit(f, thread, point, fence);
    return true;
  }
  if (point.behind) {
    if (!body_end(text, point.instr->span.at, &begin)) return false;
    *edit = (struct edit){{begin, 0}, arena_printf(f->arena, "\n  %s;", fence)};
    return true;
  }
  if (!statement_begin(text, point.instr->span.at, &begin)) return false;
  *edit = line_edit(f, begin, fence);
  return true;
}

static void try_fence(struct finding *f, struct place *place, struct point point, const char *text) {
  struct edit *edit = ARENA_NEW(f->arena, struct edit);
  if (!fence_edit(f, place->thread, point, text, edit)) return;
  struct arena *arena = arena_new();
  const struct litmus_test *test = finding_read(f, arena, edit, 1);
  size_t at = edit->span.at + (size_t)(strstr(edit->text, text) - edit->text);
  const struct instr *made = test ? finding_instr_at(test, place->thread, at) : NULL;
  if (made && finding_instr_count(test) == finding_instr_count(f->test) + 1) {
    struct form_strength strength = strength_of_instr(made);
    place->at = edit->span.at;
    finding_add_form(f, place, text, edit, 1, &strength);
  }
  arena_free(arena);
}

/* Between two operations of a thread, unless a point is there already. */
void finding_add_point(struct finding *f, unsigned thread, struct point point) {
  struct place place = {.thread = thread, .inserted = true};
  const struct operation none = {"", "", "", ""};
  struct move_texts texts = {0};
  finding_add_form(f, &place, "", NULL, 0, &(struct form_strength){0});
  for (size_t i = 0; f->words->fences && f->words->fences[i]; i++)
    templates_expand(f->arena, f->words, f->words->fences[i], &none, "", &texts);
  for (size_t i = 0; i < texts.all.count; i++) try_fence(f, &place, point, texts.all.at[i]);
  ARRAY_EACH (const struct place, other, f->places.at, f->places.count)
    if (other->inserted && other->thread == thread && other->at == place.at) return;
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

/* ---- lines of a module of PTX ---- */

static const char *const module_lines[] = {
    "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.acq_rel.sys", "fence.sc.cta",
    "fence.sc.gpu",      "fence.sc.sys",      "bar.sync 0",        NULL};
static const char *const old_module_lines[] = {"membar.cta", "membar.gl", "membar.sys", "bar.sync 0", NULL};

static bool has_line(const struct finding *f, uint32_t at) {
  ARRAY_EACH (const struct place, place, f->places.at, f->places.count)
    if (place->inserted && place->at == at) return true;
  return false;
}

/* Do all threads of a block that has one come to it, as far as can be told from their code?  PTX leaves open what a
 * barrier does where some go past it. */
static bool is_for_all(const struct litmus_test *test, uint32_t at) {
  const struct program *program = test->program;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned u = 0; u < program->thread_count && finding_instr_at(test, t, at); u++)
      if (program->threads[u].wg == program->threads[t].wg && !finding_instr_at(test, u, at)) return false;
  return true;
}

/* A fence leaves all else as it is; a barrier may be counted in another way then. */
static void try_line(struct finding *f, struct place *place, const char *line) {
  struct edit *edit = ARENA_NEW(f->arena, struct edit);
  *edit = line_edit(f, place->at, line);
  struct arena *arena = arena_new();
  const struct litmus_test *test = finding_read(f, arena, edit, 1);
  const struct instr *made = test ? finding_instr_at(test, place->thread, place->at) : NULL;
  size_t all = made ? finding_count_at(test, place->at) + finding_instr_count(f->test) : 0;
  if (made && (strength_waits(made) ? is_for_all(test, place->at) : finding_instr_count(test) == all)) {
    struct form_strength strength = strength_of_instr(made);
    finding_add_form(f, place, line, edit, 1, &strength);
  }
  arena_free(arena);
}

void finding_add_line(struct finding *f, unsigned thread, const struct instr *instr) {
  struct place place = {.thread = thread, .at = instr->span.at, .inserted = true};
  if (has_line(f, place.at)) return;
  finding_add_form(f, &place, "", NULL, 0, &(struct form_strength){0});
  for (const char *const *line = f->old ? old_module_lines : module_lines; *line; line++) try_line(f, &place, *line);
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

/* ---- barriers, which all threads of a work-group get ---- */

enum { MOST_MEETINGS = 64 };

/* The threads of a work-group, and where in each the barrier stands. */
struct meeting {
  unsigned threads[8], count;
  struct point at[8];
};

/* One barrier is one place: put into some of the threads only, it would never be passed. */
static void try_meeting(struct finding *f, const struct meeting *m, const char *text) {
  struct edit *edits = ARENA_ARRAY(f->arena, struct edit, m->count);
  bool rows = f->words->separator;
  const char *shown = arena_printf(f->arena, "%s%s", text, m->at[0].behind && !rows ? " after it" : "");
  for (unsigned i = 0; i < m->count; i++)
    if (!fence_edit(f, m->threads[i], m->at[i], text, &edits[i])) return;
  struct place place = {.thread = m->threads[0], .at = edits[0].span.at, .inserted = true};
  for (unsigned i = 1; i < m->count; i++) {
    unsigned line, column;
    source_position(f->test->source, edits[i].span.at, &line, &column);
    shown = arena_printf(f->arena, "%s, and %s %s line %u", shown, m->at[i].behind && !rows ? "after" : "at",
                         f->test->program->threads[m->threads[i]].name, line);
  }
  struct arena *arena = arena_new();
  struct edit *copy = ARENA_COPY(arena, struct edit, edits, m->count);
  const struct litmus_test *test = finding_read(f, arena, copy, m->count);
  size_t at = edits_moved(edits, m->count, edits[0].span.at) + (size_t)(strstr(edits[0].text, text) - edits[0].text);
  const struct instr *made = test ? finding_instr_at(test, m->threads[0], at) : NULL;
  if (made && finding_instr_count(test) == finding_instr_count(f->test) + m->count) {
    struct form_strength strength = strength_of_instr(made);
    finding_add_form(f, &place, "", NULL, 0, &(struct form_strength){0});
    finding_add_form(f, &place, shown, edits, m->count, &strength);
    *vec_push(f->arena, &f->places) = place;
  }
  arena_free(arena);
}

/* Chooses where the barrier stands in the threads from `i` on. */
static void find_meetings(struct finding *f, struct meeting *m, unsigned i, const char *text, unsigned *left) {
  if (i == m->count) {
    if (*left) try_meeting(f, m, text);
    if (*left) --*left;
    return;
  }
  const struct thread *thread = &f->test->program->threads[m->threads[i]];
  const struct instr *last = NULL;
  for (unsigned k = 0; k < thread->instr_count; k++) {
    if (!finding_touches_memory(&thread->instrs[k])) continue;
    last = &thread->instrs[k];
    m->at[i] = (struct point){last, false};
    find_meetings(f, m, i + 1, text, left);
  }
  m->at[i] = (struct point){last, true};
  if (last) find_meetings(f, m, i + 1, text, left);
}

void finding_add_barriers(struct finding *f) {
  const struct program *program = f->test->program;
  const struct operation none = {"", "", "", ""};
  struct move_texts texts = {0};
  for (size_t i = 0; f->words->barriers && f->words->barriers[i]; i++)
    templates_expand(f->arena, f->words, f->words->barriers[i], &none, "", &texts);
  for (unsigned wg = 0; wg < program->wg_count; wg++) {
    struct meeting m = {.count = 0};
    unsigned left = MOST_MEETINGS;
    for (unsigned t = 0; t < program->thread_count && m.count < 8; t++)
      if (program->threads[t].wg == wg) m.threads[m.count++] = t;
    for (size_t i = 0; m.count > 1 && i < texts.all.count; i++) find_meetings(f, &m, 0, texts.all.at[i], &left);
  }
}
