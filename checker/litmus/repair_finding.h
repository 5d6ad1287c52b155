/* SPDX-License-Identifier: MIT */
/* What the files that find places of a test share: repair_moves.c (operations and their forms),
 * repair_insertions.c (points where nothing stands yet). */
#ifndef LITSCOPE_LITMUS_REPAIR_FINDING_H
#define LITSCOPE_LITMUS_REPAIR_FINDING_H

#include "checker/base/vec.h"
#include "checker/litmus/repair_moves.h"

struct finding {
  struct arena *arena;
  const struct litmus_test *test;
  const struct litmus_options *options;
  const struct move_words *words;
  tag_set idle;    /* strength_idle_tags */
  size_t messages; /* that the test has as it is */
  bool old;        /* a module of PTX for GPUs that have no fences but membar, and no orders */
  VEC(struct place) places;
};

/* ---- templates ---- */

struct operation {
  const char *name, *first, *class, *operands; /* %n, %m, %c, %a */
};

struct move_texts {
  VEC(const char *) all;
};

/* Adds all texts of a template, of which `done` is what comes before. */
void templates_expand(struct arena *arena, const struct move_words *words, const char *template,
                      const struct operation *op, const char *done, struct move_texts *texts);

/* ---- what the front end makes of a changed text ---- */

/* Reads the test with these edits; NULL where the front end has anything against it
 * that it had not before. */
const struct litmus_test *finding_read(const struct finding *f, struct arena *arena, struct edit *edits, size_t count);

/* The text with these edits, which it sorts. Two places may have the same edit. Where edits overlap, the first counts;
 * but what is put in where something is taken out with the spaces before it stands after that. */
const struct source *edits_apply(struct arena *arena, const struct source *source, struct edit *edits, size_t count);

/* How far an edit at `at` is moved by those before it. */
size_t edits_moved(const struct edit *edits, size_t count, uint32_t at);

size_t finding_instr_count(const struct litmus_test *test);

/* How many instructions begin there: the text of a kernel is that of all threads. */
size_t finding_count_at(const struct litmus_test *test, size_t at);

/* The instruction that begins there, or NULL. */
const struct instr *finding_instr_at(const struct litmus_test *test, unsigned thread, size_t at);

/* Adds a form, unless the place has one that is as strong. */
void finding_add_form(struct finding *f, struct place *place, const char *text, const struct edit *edits,
                      size_t edit_count, const struct form_strength *counted);

bool finding_touches_memory(const struct instr *instr);

/* ---- points ---- */

/* A point: before an instruction, or after a thread's last one. */
struct point {
  const struct instr *instr;
  bool behind;
};

/* The fences that may be put in there, unless the point is one already. */
void finding_add_point(struct finding *f, unsigned thread, struct point point);

/* The same in the text of a module of PTX: a line before the instruction, for all threads, of a fence or a barrier. */
void finding_add_line(struct finding *f, unsigned thread, const struct instr *instr);

/* The barriers that all threads of a work-group may get. */
void finding_add_barriers(struct finding *f);

#endif
