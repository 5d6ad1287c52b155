/* SPDX-License-Identifier: MIT */
/* The generator of small ADSM programs and the count of those that deviate. */
#include "hwsem/machines/adsm_sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/program/outcome.h"
#include "checker/program/program.h"

enum { CELLS = 4, KERNELS = 2, OPERATIONS = 2 * CELLS + KERNELS + 1 };

enum { OP_WRITE = 0, OP_READ = CELLS, OP_CALL = 2 * CELLS, OP_SYNC = 2 * CELLS + KERNELS };

static const char *const cell_names[CELLS] = {"x[0]", "x[1]", "y", "z"};
static const unsigned object_of[CELLS] = {0, 0, 1, 2};

/* Kernels read a cell, add a number, and write another cell. */
static const struct {
  const char *name;
  unsigned from, to;
  int64_t plus;
} kernels[KERNELS] = {{"k", 0, 2, 10}, {"l", 2, 1, 20}};

const char *adsm_rule_name(enum adsm_rule rule) {
  static const char *const names[ADSM_RULES] = {"own", "obj-any", "obj-conf", "byte"};
  return names[rule];
}

uint64_t adsm_sweep_count(unsigned operations) {
  uint64_t count = 1;
  while (operations--) count *= OPERATIONS;
  return count;
}

static bool is_write(unsigned op) {
  return op < OP_READ;
}
static bool is_read(unsigned op) {
  return op >= OP_READ && op < OP_CALL;
}
static bool is_call(unsigned op) {
  return op >= OP_CALL && op < OP_SYNC;
}

/* The operations of a program, first first. */
static void decode(struct adsm_sweep_id id, unsigned *ops) {
  for (unsigned i = id.operations; i > 0; i--, id.number /= OPERATIONS) ops[i - 1] = (unsigned)(id.number % OPERATIONS);
}

/* ---- What is legal, and what comes out of it ----------------------------- */

/* An access while kernel k is pending. */
static void check_access(unsigned op, unsigned k, bool *legal) {
  unsigned cell = op % CELLS, from = kernels[k].from, to = kernels[k].to;
  bool reads_object = object_of[cell] == object_of[from], writes_object = object_of[cell] == object_of[to];
  legal[ADSM_OWN] = false;
  if (reads_object || writes_object) legal[ADSM_OBJ_ANY] = false;
  if (writes_object || (reads_object && is_write(op))) legal[ADSM_OBJ_CONF] = false;
  if (cell == to || (cell == from && is_write(op))) legal[ADSM_BYTE] = false;
}

static void check_rules(const unsigned *ops, unsigned count, bool *legal) {
  bool pending[KERNELS] = {false};
  for (unsigned rule = 0; rule < ADSM_RULES; rule++) legal[rule] = true;
  for (unsigned i = 0; i < count; i++) {
    if (is_call(ops[i])) pending[ops[i] - OP_CALL] = true;
    if (ops[i] == OP_SYNC) memset(pending, 0, sizeof pending);
    for (unsigned k = 0; k < KERNELS; k++)
      if (pending[k] && ops[i] < OP_CALL) check_access(ops[i], k, legal);
  }
}

static void run_in_order(const unsigned *ops, unsigned count, int64_t *reads) {
  int64_t memory[CELLS] = {0};
  for (unsigned i = 0; i < count; i++) {
    if (is_write(ops[i])) memory[ops[i]] = i + 1;
    if (is_read(ops[i])) *reads++ = memory[ops[i] - OP_READ];
    if (is_call(ops[i])) {
      unsigned k = ops[i] - OP_CALL;
      memory[kernels[k].to] = memory[kernels[k].from] + kernels[k].plus;
    }
  }
}

/* ---- Programs ------------------------------------------------------------ */

static const struct expr *plus(struct arena *arena, unsigned reg, int64_t value) {
  return expr_new(arena, EXPR_ADD, expr_register(arena, reg), expr_constant(arena, value), NULL);
}

static struct instr load(unsigned reg, unsigned cell) {
  return (struct instr){.kind = INSTR_LOAD, .reg = (int)reg, .address = {.base = cell, .size = 1}};
}

static struct instr store(unsigned cell, const struct expr *value) {
  return (struct instr){.kind = INSTR_STORE, .reg = NO_REG, .address = {.base = cell, .size = 1}, .value = value};
}

/* Registers: one for each kernel, then one for each read. */
static void add_call(struct arena *arena, struct thread *thread, unsigned k) {
  struct instr *at = &thread->instrs[thread->instr_count];
  thread->instr_count += 4;
  at[0] = (struct instr){.kind = INSTR_CALL, .reg = NO_REG, .kernel = k, .target = thread->instr_count};
  at[1] = load(k, kernels[k].from);
  at[2] = store(kernels[k].to, plus(arena, k, kernels[k].plus));
  at[3] = (struct instr){.kind = INSTR_RETURN, .reg = NO_REG};
}

static void add_operation(struct arena *arena, struct thread *thread, unsigned op, unsigned i) {
  struct instr *at = &thread->instrs[thread->instr_count];
  if (is_call(op)) {
    add_call(arena, thread, op - OP_CALL);
    return;
  }
  thread->instr_count++;
  if (is_write(op))
    *at = store(op, expr_constant(arena, i + 1));
  else if (is_read(op))
    *at = load(thread->reg_count++, op - OP_READ);
  else
    *at = (struct instr){.kind = INSTR_SYNC, .reg = NO_REG};
}

static struct thread *make_thread(struct arena *arena, const unsigned *ops, unsigned count) {
  struct thread *thread = ARENA_NEW(arena, struct thread);
  *thread = (struct thread){.name = "P0",
                            .instrs = ARENA_ARRAY(arena, struct instr, 4 * count),
                            .reg_count = KERNELS,
                            .reg_names = ARENA_ARRAY(arena, const char *, KERNELS + count),
                            .reg_init = ARENA_ARRAY(arena, int64_t, KERNELS + count)};
  for (unsigned i = 0; i < count; i++) add_operation(arena, thread, ops[i], i);
  for (unsigned k = 0; k < KERNELS; k++) thread->reg_names[k] = arena_printf(arena, "%s:t", kernels[k].name);
  for (unsigned r = KERNELS; r < thread->reg_count; r++)
    thread->reg_names[r] = arena_printf(arena, "r%u", r - KERNELS + 1);
  return thread;
}

static struct program *make_program(struct arena *arena, const unsigned *ops, unsigned count) {
  static const bool assigned[KERNELS] = {true, true};
  static const struct object objects[] = {{"x", 0, 2, true, true, assigned, false, 0, false},
                                          {"y", 2, 1, true, true, assigned, false, 0, false},
                                          {"z", 3, 1, true, true, assigned, false, 0, false}};
  static const struct kernel names[KERNELS] = {{"k", 0}, {"l", 0}};
  struct location *locations = ARENA_ARRAY(arena, struct location, CELLS);
  for (unsigned c = 0; c < CELLS; c++)
    locations[c] = (struct location){.name = cell_names[c], .region = REGION_GLOBAL, .object = object_of[c]};
  struct program *program = ARENA_NEW(arena, struct program);
  *program = (struct program){.name = "sweep",
                              .thread_count = 1,
                              .threads = make_thread(arena, ops, count),
                              .location_count = CELLS,
                              .locations = locations,
                              .sg_count = 1,
                              .wg_count = 1,
                              .dev_count = 1,
                              .object_count = ARRAY_COUNT(objects),
                              .objects = objects,
                              .kernel_count = KERNELS,
                              .kernels = names};
  return program;
}

struct adsm_sweep_program *adsm_sweep_program(struct arena *arena, struct adsm_sweep_id id) {
  unsigned ops[ADSM_SWEEP_MOST], reads = 0, calls = 0;
  decode(id, ops);
  for (unsigned i = 0; i < id.operations; i++) reads += is_read(ops[i]), calls += is_call(ops[i]);
  struct adsm_sweep_program *p = ARENA_MAKE(
      arena, struct adsm_sweep_program, .counted = reads && calls, .program = make_program(arena, ops, id.operations),
      .observable_count = reads, .observables = ARENA_ARRAY(arena, struct observable, reads));
  for (unsigned r = 0; r < reads; r++) p->observables[r] = (struct observable){0, KERNELS + r};
  p->outcome = ARENA_ARRAY(arena, int64_t, reads);
  run_in_order(ops, id.operations, p->outcome);
  check_rules(ops, id.operations, p->legal);
  return p;
}

void adsm_sweep_print(struct adsm_sweep_id id, FILE *out) {
  unsigned ops[ADSM_SWEEP_MOST], reads = 0;
  decode(id, ops);
  for (unsigned i = 0; i < id.operations; i++) {
    if (i) fputs("; ", out);
    if (is_write(ops[i]))
      fprintf(out, "%s=%u", cell_names[ops[i]], i + 1);
    else if (is_read(ops[i]))
      fprintf(out, "r%u=%s", ++reads, cell_names[ops[i] - OP_READ]);
    else if (is_call(ops[i]))
      fprintf(out, "call %s", kernels[ops[i] - OP_CALL].name);
    else
      fputs("sync", out);
  }
}

/* ---- The sweep ----------------------------------------------------------- */

struct adsm_sweep_run {
  const struct adsm_sweep_options *options;
  struct adsm_sweep *result;
  struct explorer *explorer;
};

int adsm_sweep_deviation(const struct adsm_sweep_program *program, const struct exploration *result) {
  size_t bytes = program->observable_count * sizeof(int64_t);
  for (size_t i = 0; i < result->outcome_count; i++)
    if (memcmp(result->outcomes[i].values, program->outcome, bytes) != 0) return (int)i;
  return -1;
}

static bool deviates(struct adsm_sweep_run *s, struct arena *arena, const struct adsm_sweep_program *p,
                     const struct adsm_machine_options *options) {
  struct diags diags = diags_new(arena);
  struct machine *machine = adsm_machine_new(arena, p->program, p->observables, p->observable_count, options, &diags);
  struct exploration result;
  explore(s->explorer, machine, &(struct explore_options){.por = true}, &result);
  return adsm_sweep_deviation(p, &result) >= 0 || result.stats.deadlocks;
}

static void try_machines(struct adsm_sweep_run *s, struct arena *arena, const struct adsm_sweep_program *p,
                         struct adsm_sweep_id id) {
  unsigned count = s->options->machine_count;
  for (unsigned m = 0; m < count; m++) {
    if (!deviates(s, arena, p, &s->options->machines[m])) continue;
    for (unsigned rule = 0; rule < ADSM_RULES; rule++) {
      struct adsm_sweep_cell *cell = &s->result->cells[rule * count + m];
      if (!p->legal[rule]) continue;
      if (id.operations == s->options->operations) cell->deviating++;
      if (!cell->shortest.operations) cell->shortest = id;
    }
  }
}

static void try_program(struct adsm_sweep_run *s, struct adsm_sweep_id id) {
  struct arena *arena = arena_new();
  struct adsm_sweep_program *p = adsm_sweep_program(arena, id);
  if (p->counted && id.operations == s->options->operations) {
    s->result->programs++;
    for (unsigned rule = 0; rule < ADSM_RULES; rule++) s->result->legal[rule] += p->legal[rule];
  }
  /* Rules are nested: what breaks the weakest breaks all. */
  if (p->counted && p->legal[ADSM_RULES - 1]) try_machines(s, arena, p, id);
  arena_free(arena);
}

/* ---- In parts ------------------------------------------------------------ */

enum { PART = 2048 };

static uint64_t parts_of(unsigned operations) {
  return (adsm_sweep_count(operations) + PART - 1) / PART;
}

static void print_part(const struct adsm_sweep_run *s, FILE *out) {
  const struct adsm_sweep *r = s->result;
  fprintf(out, "%" PRIu64, r->programs);
  for (unsigned rule = 0; rule < ADSM_RULES; rule++) fprintf(out, " %" PRIu64, r->legal[rule]);
  for (unsigned c = 0; c < ADSM_RULES * s->options->machine_count; c++)
    fprintf(out, " %" PRIu64 " %u %" PRIu64, r->cells[c].deviating, r->cells[c].shortest.operations,
            r->cells[c].shortest.number);
}

static bool do_part(void *context, uint64_t part, FILE *out) {
  const struct adsm_sweep_options *options = context;
  struct arena *arena = arena_new();
  struct adsm_sweep_run s = {options, ARENA_NEW(arena, struct adsm_sweep), explorer_new()};
  unsigned operations = 1;
  s.result->cells = ARENA_ARRAY(arena, struct adsm_sweep_cell, ADSM_RULES * options->machine_count);
  for (; part >= parts_of(operations); operations++) part -= parts_of(operations);
  uint64_t end = (part + 1) * PART, count = adsm_sweep_count(operations);
  bool cancelled = false;
  for (uint64_t number = part * PART; number < count && number < end && !cancelled; number++) {
    try_program(&s, (struct adsm_sweep_id){operations, number});
    cancelled = is_cancelled(options->cancel);
  }
  print_part(&s, out);
  explorer_free(s.explorer);
  arena_free(arena);
  return !cancelled;
}

bool adsm_sweep_run(struct parts *parts, const struct adsm_sweep_options *options, unsigned workers) {
  uint64_t total = 0;
  for (unsigned n = 1; n <= options->operations; n++) total += parts_of(n);
  parts_set_total(parts, total);
  parts_run(parts, workers, do_part, (void *)(uintptr_t)options);
  return !is_cancelled(options->cancel);
}

static uint64_t read_number(const char **text) {
  char *end;
  uint64_t number = strtoull(*text, &end, 10);
  *text = end;
  return number;
}

struct adsm_sweep *adsm_sweep_sum(struct arena *arena, struct parts *parts, const struct adsm_sweep_options *options) {
  struct adsm_sweep *sum = ARENA_NEW(arena, struct adsm_sweep);
  unsigned cells = ADSM_RULES * options->machine_count;
  sum->cells = ARENA_ARRAY(arena, struct adsm_sweep_cell, cells);
  sum->complete = true;
  for (uint64_t part = 0; part < parts_total(parts); part++) {
    const char *text = parts_text(parts, part);
    sum->complete &= text != NULL;
    if (!text) continue;
    sum->programs += read_number(&text);
    for (unsigned rule = 0; rule < ADSM_RULES; rule++) sum->legal[rule] += read_number(&text);
    for (unsigned c = 0; c < cells; c++) {
      sum->cells[c].deviating += read_number(&text);
      struct adsm_sweep_id shortest = {.operations = (unsigned)read_number(&text)};
      shortest.number = read_number(&text);
      if (!sum->cells[c].shortest.operations) sum->cells[c].shortest = shortest;
    }
  }
  return sum;
}
