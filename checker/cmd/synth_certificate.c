/* SPDX-License-Identifier: MIT */
/* Certificates of mappings that synth found. Of one operation: each cheaper candidate, in
 * the order of the prices, with a program that refutes it. Of several: the conflicts, each
 * with its program. `-check` runs those programs and searches nothing: candidates are
 * listed again, and the cheapest choice without a conflict is worked out again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/synth_certificate_format.h"
#include "checker/cmd/synth_command.h"
#include "checker/program_search/cell_pattern.h"
#include "hwsem/machines/gpu.h"

static const char CERTIFICATE[] = "litscope-certificate 3", DEFAULT_PRICE[] = "timing-rsp";

/* What was asked for, a line each, before the steps. */
static const struct synth_option HEAD[] = {{"model", OPTION_MODEL},         {"variant", OPTION_VARIANT},
                                           {"family", OPTION_SYNTH_FAMILY}, {"mapping", OPTION_MAPPING},
                                           {"price", OPTION_COST},          {"params", OPTION_PARAMS}};
enum { HEAD_COUNT = ARRAY_COUNT(HEAD) };

/* ---- writing ---- */

static void write_conflict(const struct synth_command *command, const struct synth_conflict *conflict, FILE *out) {
  struct arena *arena = arena_new();
  fputs(conflict->stuck ? "stuck " : "conflict ", out);
  small_print(conflict->program, out);
  fprintf(out, " : %s", conflict->order == WRITE_BACK_FIFO ? "fifo" : "any");
  for (size_t i = 0; i < command->options.key_count; i++)
    if (conflict->patterns[i])
      fprintf(out, " | %s: %s", mapping_key_text(arena, command->options.keys[i]),
              mapping_cell_text(arena, conflict->patterns[i]));
  fputc('\n', out);
  arena_free(arena);
}

static void write_refutation(const struct synth_refutation *refuted, FILE *out) {
  struct arena *arena = arena_new();
  fprintf(out, "refuted %s: ", mapping_cell_text(arena, refuted->cell));
  small_print(refuted->program, out);
  fprintf(out, " : %s\n", refuted->order == WRITE_BACK_FIFO ? "fifo" : "any");
  arena_free(arena);
}

void synth_write_certificate(const struct synth_command *command, const struct synth_result *r, FILE *out) {
  struct invocation *call = command->call;
  fprintf(out, "%s\n", CERTIFICATE);
  for (unsigned i = 0; i < HEAD_COUNT; i++) {
    const char *text = synth_words(call, HEAD[i].id);
    if (HEAD[i].id == OPTION_MODEL) text = command->options.model.name;
    if (HEAD[i].id == OPTION_MAPPING && !*text) text = command->target.name;
    if (HEAD[i].id == OPTION_COST && !*text) text = DEFAULT_PRICE;
    fprintf(out, "%s %s\n", HEAD[i].word, text);
  }
  fprintf(out, "steps %u\nsweep %" PRIu64 " programs %" PRIu64 " race-free %s\n", command->options.steps, r->programs,
          r->race_free, r->sound ? "sound" : "unsound");
  ARRAY_EACH (const struct synth_cell, cell, r->cells, r->cell_count) {
    fprintf(out, "cell %s: %s\n", mapping_key_text(call->arena, cell->key),
            mapping_cell_text(call->arena, cell->found));
    for (size_t k = 0; k < cell->refuted_count; k++) write_refutation(&cell->refuted[k], out);
  }
  for (size_t i = 0; i < r->conflict_count; i++) write_conflict(command, &r->conflicts[i], out);
  fputs("end\n", out);
}

/* ---- reading ---- */

/* `CELL: PROGRAM : ORDER` */
struct claim {
  const char *cell;
  struct small_program program;
  unsigned order;
};

/* A cell that the certificate names, and what it says of cheaper candidates. */
struct claimed_cell {
  struct mapping_key key;
  const char *found;
  VEC(struct claim) refuted;
};

struct certificate {
  struct arena *arena;
  struct synth_command *command;
  struct synth_lines lines;
  VEC(struct claimed_cell) cells;
  VEC(char *) conflicts; /* as lines */
  VEC(struct span) conflict_spans;
};

/* The text up to a separator, which ends it; NULL: there is none. */
static char *split(char **text, const char *separator) {
  char *at = *text, *end = strstr(at, separator);
  if (!end) return NULL;
  *end = '\0';
  *text = end + strlen(separator);
  return at;
}

/* `PROGRAM : ` at the front of a text, which is moved past it. */
static bool read_program(char **text, struct small_program *program) {
  const char *notation = split(text, " : ");
  return notation && !small_read(notation, &small_opencl, program);
}

static bool read_order(const char *text, unsigned *order) {
  *order = !strcmp(text, "fifo") ? WRITE_BACK_FIFO : WRITE_BACK_ANY;
  return !strcmp(text, "fifo") || !strcmp(text, "any");
}

static bool find_key(const struct synth_command *command, const char *text, size_t *key) {
  for (*key = 0; *key < command->options.key_count; ++*key)
    if (!strcmp(mapping_key_text(command->call->arena, command->options.keys[*key]), text)) return true;
  return false;
}

static bool read_cell(struct certificate *c, char *text) {
  const char *key = split(&text, ": ");
  size_t number;
  if (!key || !find_key(c->command, key, &number)) return false;
  for (size_t i = 0; i < c->cells.count; i++)
    if (mapping_key_equal(c->cells.at[i].key, c->command->options.keys[number])) return false;
  *vec_push(c->arena, &c->cells) = (struct claimed_cell){.key = c->command->options.keys[number], .found = text};
  return true;
}

static bool read_claim(struct certificate *c, char *text) {
  if (!c->cells.count) return false;
  struct claim *claim = vec_push(c->arena, &c->cells.at[c->cells.count - 1].refuted);
  claim->cell = split(&text, ": ");
  return claim->cell && read_program(&text, &claim->program) && read_order(text, &claim->order);
}

static bool read_line(struct certificate *c) {
  char *text;
  if ((text = synth_line_behind(c->lines.line, "cell"))) return !c->conflicts.count && read_cell(c, text);
  if ((text = synth_line_behind(c->lines.line, "refuted"))) return !c->conflicts.count && read_claim(c, text);
  if (!synth_line_behind(c->lines.line, "conflict") && !synth_line_behind(c->lines.line, "stuck")) return false;
  *vec_push(c->arena, &c->conflicts) = c->lines.line;
  *vec_push(c->arena, &c->conflict_spans) = c->lines.span;
  return c->cells.count > 1;
}

static bool read_head(struct certificate *c, unsigned *steps) {
  struct synth_lines *l = &c->lines;
  if (!synth_lines_head(l, c->command->call, CERTIFICATE, HEAD, HEAD_COUNT, OPTION_COUNT)) return false;
  const char *text = synth_lines_next(l) ? synth_line_behind(l->line, "steps") : NULL;
  int64_t number;
  if (!text || !text_is_number(text, 1, SYNTH_STEPS, &number)) return false;
  *steps = (unsigned)number;
  return synth_lines_next(l) && synth_line_behind(l->line, "sweep");
}

/* ---- checking ---- */

static int stopped(void) {
  fprintf(stderr, "litscope: synth: %s, nothing is certain\n", tests_stop_reason());
  return STATUS_LIMIT;
}

static bool check_claims(const struct synth_command *command, const struct claimed_cell *cell,
                         struct mapping_cell *const *candidates) {
  const struct synth_options *o = &command->options;
  for (size_t i = 0; i < cell->refuted.count; i++) {
    struct arena *arena = arena_new();
    const struct claim *claim = &cell->refuted.at[i];
    const char *text = mapping_cell_text(arena, candidates[i]);
    bool good = !strcmp(text, claim->cell) &&
                synth_refutes(o, mapping_with(arena, command->target.mapping, cell->key, candidates[i]),
                              &claim->program, claim->order);
    if (!good && !*o->verify.explore.cancel) printf("Not refuted: %s: %s\n", mapping_key_text(arena, cell->key), text);
    arena_free(arena);
    if (!good) return false;
  }
  return true;
}

/* One operation: what was found is the first candidate after those that are refuted. */
static int check_one(struct certificate *c) {
  const struct claimed_cell *cell = c->cells.at;
  size_t count;
  struct mapping_cell **candidates = synth_candidates(c->arena, &c->command->options, cell->key, &count);
  if (cell->refuted.count >= count ||
      strcmp(mapping_cell_text(c->arena, candidates[cell->refuted.count]), cell->found) != 0) {
    printf("Not the next candidate: %s: %s\n", mapping_key_text(c->arena, cell->key), cell->found);
    return STATUS_DIFFERS;
  }
  if (!check_claims(c->command, cell, candidates))
    return *c->command->options.verify.explore.cancel ? stopped() : STATUS_DIFFERS;
  printf("Certificate holds: %zu candidates refuted\n", cell->refuted.count);
  return STATUS_DONE;
}

/* `KEY: PATTERN` */
static bool read_pattern(const struct synth_command *command, char *text, struct synth_conflict *conflict) {
  const char *name = split(&text, ": ");
  size_t key;
  if (!name || !find_key(command, name, &key) || conflict->patterns[key]) return false;
  conflict->patterns[key] = pattern_parse(command->call->arena, text, command->options.keys[key].kind);
  return conflict->patterns[key] != NULL;
}

/* `conflict PROGRAM : ORDER | KEY: PATTERN...` */
static bool read_conflict(struct certificate *c, char *line, struct synth_conflict *conflict) {
  struct small_program *program = ARENA_NEW(c->arena, struct small_program);
  *conflict = (struct synth_conflict){.program = program, .stuck = *line == 's'};
  char *text = synth_line_behind(line, conflict->stuck ? "stuck" : "conflict"), *order;
  if (!read_program(&text, program) || !(order = split(&text, " | ")) || !read_order(order, &conflict->order))
    return false;
  for (char *pattern = text; pattern;) {
    char *next = strstr(pattern, " | ");
    if (next) *next = '\0';
    if (!read_pattern(c->command, pattern, conflict)) return false;
    pattern = next ? next + 3 : NULL;
  }
  return true;
}

static void print_conflict(const struct synth_command *command, const struct synth_conflict *conflict) {
  const char *text = "";
  for (size_t i = 0; i < command->options.key_count; i++)
    if (conflict->patterns[i])
      text = arena_printf(command->call->arena, "%s%s%s: %s", text, *text ? " | " : "",
                          mapping_key_text(command->call->arena, command->options.keys[i]),
                          mapping_cell_text(command->call->arena, conflict->patterns[i]));
  printf("Not refuted: %s\n", text);
}

static const struct mapping_cell *find_candidate(const struct synth_options *o, struct arena *arena, size_t key,
                                                 const char *text) {
  size_t count;
  const struct mapping_cell **cells = synth_domain(arena, o, key, &count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(mapping_cell_text(arena, cells[i]), text)) return cells[i];
  return NULL;
}

/* Several: each conflict is one, and no choice without is cheaper than what was found. */
static int check_several(struct certificate *c, const struct synth_conflict *conflicts) {
  const struct synth_options *o = &c->command->options;
  int64_t price = 0;
  for (size_t i = 0; i < c->cells.count; i++) {
    const struct claimed_cell *cell = &c->cells.at[i];
    const struct mapping_cell *found = find_candidate(o, c->arena, i, cell->found);
    if (!found || cell->refuted.count) {
      printf("Not a candidate: %s: %s\n", mapping_key_text(c->arena, cell->key), cell->found);
      return STATUS_DIFFERS;
    }
    price += o->weights[i] * o->price(o->context, found);
  }
  for (size_t i = 0; i < c->conflicts.count; i++)
    if (!synth_is_conflict(o, &conflicts[i])) {
      if (*o->verify.explore.cancel) return stopped();
      print_conflict(c->command, &conflicts[i]);
      return STATUS_DIFFERS;
    }
  const struct mapping_cell *choice[SYNTH_CELLS] = {NULL};
  int64_t least = synth_least(o, conflicts, c->conflicts.count, c->arena, choice);
  bool same = least == price;
  for (size_t i = 0; i < c->cells.count && same; i++)
    same = !strcmp(mapping_cell_text(c->arena, choice[i]), c->cells.at[i].found);
  if (!same) {
    printf("Not the cheapest without these: %" PRId64 ", but %" PRId64 "\n", price, least);
    return STATUS_DIFFERS;
  }
  printf("Certificate holds: %zu sub-mappings refuted, %zu cells, price %" PRId64 "\n", c->conflicts.count,
         c->cells.count, price);
  return STATUS_DONE;
}

/* Of the operations just those that the certificate names. */
static void keep_keys(struct certificate *c) {
  c->command->options.key_count = c->cells.count;
  for (size_t i = 0; i < c->cells.count; i++) c->command->options.keys[i] = c->cells.at[i].key;
}

int synth_check_certificate(struct synth_command *command, const char *path) {
  struct invocation *call = command->call;
  struct diags diags = diags_new(call->arena);
  struct certificate c = {.arena = call->arena, .command = command};
  unsigned steps;
  if (!synth_lines_open(call, path, &c.lines, &diags)) return diags_report(&diags);
  if (!read_head(&c, &steps)) return synth_lines_refuse(&c.lines, &diags);
  if (!synth_prepare(command, option_text(call, OPTION_SYNTH_FAMILY), ".", steps, &diags)) return diags_report(&diags);
  bool good = true, ended = false;
  while (good && !ended) {
    good = synth_lines_next(&c.lines);
    ended = good && !strcmp(c.lines.line, "end");
    good = good && (ended || read_line(&c));
  }
  if (!good || !c.cells.count) return synth_lines_refuse(&c.lines, &diags);
  keep_keys(&c);
  const atomic_int *cancel = tests_watch_limits(call);
  command->options.verify.explore = hardware_explore_options(call, cancel);
  command->options.verify.model = families_limits(call, cancel);
  struct synth_conflict *conflicts = ARENA_ARRAY(call->arena, struct synth_conflict, c.conflicts.count + 1);
  for (size_t i = 0; i < c.conflicts.count; i++) {
    c.lines.span = c.conflict_spans.at[i];
    if (!read_conflict(&c, c.conflicts.at[i], &conflicts[i])) return synth_lines_refuse(&c.lines, &diags);
  }
  return c.cells.count == 1 ? check_one(&c) : check_several(&c, conflicts);
}
