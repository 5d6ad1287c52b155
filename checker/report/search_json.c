/* SPDX-License-Identifier: MIT */
/* Searches as JSON: counts by class, and programs in the notation of small_program.h. */
#include "checker/report/search_json.h"

#include <string.h>

#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"
#include "hwsem/machines/gpu.h"

/* The words of `diff`'s table, as keys. */
static const char *const CLASS_KEYS[CLASSES] = {"same",   "both_undefined", "only_a_undefined", "only_b_undefined",
                                                "a_more", "b_more",         "neither",          "undecided"};

static void put_program(struct json *j, const struct small_program *program) {
  struct arena *arena = arena_new();
  json_put_string(j, "name", small_name(arena, program));
  json_put_string(j, "program", small_text(arena, program));
  arena_free(arena);
}

static void put_counts(struct json *j, const struct diff_result *r) {
  json_open_array(j, "counts");
  for (unsigned size = 0; size < DIFF_SIZES; size++) {
    uint64_t programs = 0;
    for (int c = 0; c < CLASSES; c++) programs += r->counts[size][c];
    if (!programs) continue;
    json_begin_object(j);
    json_put_unsigned(j, "operations", size);
    for (int c = 0; c < CLASSES; c++) {
      json_put_unsigned(j, CLASS_KEYS[c], r->counts[size][c]);
    }
    json_end_object(j);
  }
  json_end_array(j);
}

/* From 1 on, in the order of their first programs. */
static uint64_t group_number(const struct diff_result *r, size_t first) {
  uint64_t number = 0;
  for (size_t i = 0; i <= first; i++) number += r->minimal[i].group == i;
  return number;
}

void json_write_diff(FILE *out, const char *family, const struct diff_options *options, size_t b,
                     const struct diff_result *r) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "a", options->a.name);
  json_put_string(&j, "b", options->b[b].name);
  json_put_string(&j, "family", family);
  json_put_string(&j, "language", litmus_language_word(options->family.language->tests));
  put_counts(&j, r);
  json_open_array(&j, "minimal");
  for (size_t i = 0; i < r->minimal_count; i++) {
    json_begin_object(&j);
    json_put_string(&j, "class", CLASS_KEYS[r->minimal[i].class]);
    put_program(&j, &r->minimal[i].program);
    json_put_string(&j, "rule", r->minimal[i].rule);
    json_put_unsigned(&j, "group", group_number(r, r->minimal[i].group));
    json_end_object(&j);
  }
  json_end_array(&j);
  json_end_line(&j);
}

/* ---- synth ---- */

/* null: there is none. */
static void put_price(struct json *j, const char *key, int64_t price) {
  if (price >= 0)
    json_put_integer(j, key, price);
  else
    json_put_string(j, key, NULL);
}

/* `CELL` and its cycles, null where a cell has none; null: there is no cell. */
static void put_cell(struct json *j, const char *key, const struct mapping_cell *cell, int64_t price) {
  struct arena *arena = arena_new();
  json_key(j, key);
  if (cell) {
    json_begin_object(j);
    json_put_string(j, "steps", mapping_cell_text(arena, cell));
    put_price(j, "cycles", price);
    json_end_object(j);
  } else {
    json_string(j, NULL);
  }
  arena_free(arena);
}

/* The program that refutes something, and how. */
static void put_refuting(struct json *j, const struct small_program *program, unsigned order, bool stuck) {
  put_program(j, program);
  json_put_string(j, "write_back", order == WRITE_BACK_FIFO ? "fifo" : "any");
  json_put_string(j, "answer", stuck ? "Deadlock" : "Unsound");
}

static void put_refutation(struct json *j, const struct synth_refutation *r) {
  json_begin_object(j);
  put_cell(j, "cell", r->cell, r->price);
  put_refuting(j, r->program, r->order, r->stuck);
  json_end_object(j);
}

static void put_solution(struct json *j, const struct synth_cell *cell) {
  struct arena *arena = arena_new();
  json_begin_object(j);
  json_put_string(j, "operation", mapping_key_text(arena, cell->key));
  put_cell(j, "before", cell->before, cell->price_before);
  put_cell(j, "found", cell->found, cell->price);
  json_open_array(j, "refuted");
  for (size_t i = 0; i < cell->refuted_count; i++) put_refutation(j, &cell->refuted[i]);
  json_end_array(j);
  json_key(j, "smallest");
  if (cell->smallest) {
    json_begin_object(j);
    put_program(j, cell->smallest);
    json_end_object(j);
  } else {
    json_string(j, NULL);
  }
  json_end_object(j);
  arena_free(arena);
}

/* `OPERATION` and `CELL` of each that the program uses. */
static void put_conflict(struct json *j, const struct synth_result *r, const struct synth_conflict *conflict) {
  struct arena *arena = arena_new();
  json_begin_object(j);
  json_open_array(j, "cells");
  for (size_t i = 0; i < r->cell_count; i++) {
    if (!conflict->patterns[i]) continue;
    json_begin_object(j);
    json_put_string(j, "operation", mapping_key_text(arena, r->cells[i].key));
    json_put_string(j, "steps", mapping_cell_text(arena, conflict->patterns[i]));
    json_end_object(j);
  }
  json_end_array(j);
  put_refuting(j, conflict->program, conflict->order, conflict->stuck);
  json_end_object(j);
  arena_free(arena);
}

/* Of several operations together. */
static void put_sum(struct json *j, const struct synth_result *r) {
  put_price(j, "price", r->price);
  json_open_array(j, "conflicts");
  for (size_t i = 0; i < r->conflict_count; i++) put_conflict(j, r, &r->conflicts[i]);
  json_end_array(j);
}

void json_write_synth(FILE *out, const char *family, const struct synth_options *options,
                      const struct synth_result *r) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "mapping", options->target->name);
  json_put_string(&j, "model", options->model.name);
  json_put_string(&j, "family", family);
  json_put_unsigned(&j, "steps", options->steps);
  json_put_unsigned(&j, "programs", r->programs);
  json_put_unsigned(&j, "race_free", r->race_free);
  json_put_bool(&j, "sound", r->sound);
  json_open_array(&j, "cells");
  for (size_t i = 0; i < r->cell_count; i++) put_solution(&j, &r->cells[i]);
  json_end_array(&j);
  if (r->cell_count > 1) put_sum(&j, r);
  json_end_line(&j);
}

/* ---- synth -target ---- */

/* `OPERATION: CHANGE` */
static void put_change(struct json *j, const struct redundancy_element *element) {
  struct arena *arena = arena_new();
  size_t length = strcspn(element->name, ":");
  json_begin_object(j);
  json_put_string(j, "operation", arena_strndup(arena, element->name, length));
  json_put_string(j, "change", element->name[length] ? element->name + length + 2 : "");
  json_put_integer(j, "price", element->price);
  json_put_string(j, "answer", element->kept ? "needed" : "not needed");
  json_end_object(j);
  arena_free(arena);
}

static void put_set(struct json *j, const struct small_list *programs, const struct redundancy_result *r,
                    const struct redundancy_refutation *set) {
  struct arena *arena = arena_new();
  json_begin_object(j);
  json_put_string(j, "program", small_text(arena, &programs->at[set->program].program));
  arena_free(arena);
  json_open_array(j, "changes");
  for (size_t i = 0; i < set->count; i++) json_string(j, r->elements[set->elements[i]].name);
  json_end_array(j);
  json_end_object(j);
}

void json_write_redundant_code(FILE *out, const struct redundancy_question *question,
                               const struct redundancy_result *r) {
  struct json j = {.out = out};
  int64_t all = 0, kept = 0;
  for (size_t i = 0; i < r->element_count; i++) {
    all += r->elements[i].price;
    if (r->elements[i].kept) kept += r->elements[i].price;
  }
  json_begin_object(&j);
  json_put_string(&j, "target", question->target);
  json_put_string(&j, "model", question->model);
  json_put_string(&j, "family", question->family);
  json_put_unsigned(&j, "programs", question->programs->count);
  json_put_unsigned(&j, "sound_as_emitted", question->sound);
  json_put_integer(&j, "price", kept);
  json_put_integer(&j, "price_as_emitted", all);
  json_open_array(&j, "instructions");
  for (size_t i = 0; i < r->element_count; i++) put_change(&j, &r->elements[i]);
  json_end_array(&j);
  json_open_array(&j, "refuted");
  for (size_t i = 0; i < r->refuted_count; i++) put_set(&j, question->programs, r, &r->refuted[i]);
  json_end_array(&j);
  json_end_line(&j);
}
