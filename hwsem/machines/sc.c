/* SPDX-License-Identifier: MIT */
/* Sequential consistency as a machine.  A state is an array of 64-bit words:
 * the places of all threads, their registers, then memory; one instruction is
 * one step. */
#include "hwsem/machines/sc.h"

#include <inttypes.h>
#include <string.h>

#include "hwsem/machines/kinds.h"

struct sc {
  const struct program *program;
  const struct observable *observables;
  unsigned *registers; /* by thread: where its registers begin */
  unsigned memory;     /* where memory begins */
  unsigned words;      /* of a state */
};

static int64_t eval(const struct sc *sc, const int64_t *s, unsigned t, const struct expr *e) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return s[sc->registers[t] + e->reg];
  int64_t a = eval(sc, s, t, e->a), b = e->b ? eval(sc, s, t, e->b) : 0, c = e->c ? eval(sc, s, t, e->c) : 0;
  return expr_apply(e->kind, a, b, c, NULL);
}

/* The cell, or NULL: outside its array. */
static int64_t *locate(const struct sc *sc, int64_t *s, unsigned t, const struct address *address) {
  int64_t index = address->index ? eval(sc, s, t, address->index) : 0;
  if (index < 0 || index >= (int64_t)(address->size ? address->size : 1)) return NULL;
  return &s[sc->memory + address->base + (unsigned)index];
}

static void set_register(const struct sc *sc, int64_t *s, unsigned t, int reg, int64_t value) {
  if (reg != NO_REG) s[sc->registers[t] + (unsigned)reg] = value;
}

static void compare_and_swap(const struct sc *sc, int64_t *s, unsigned t, const struct instr *instr, int64_t *cell) {
  int64_t *in_memory = instr->expected_in_memory ? locate(sc, s, t, &instr->expected_at) : NULL;
  int64_t expected = in_memory ? *in_memory : instr->expected ? eval(sc, s, t, instr->expected) : 0;
  int64_t old = *cell;
  if (old == expected)
    *cell = eval(sc, s, t, instr->value);
  else if (instr->writeback && in_memory)
    *in_memory = old;
  set_register(sc, s, t, instr->reg, instr->returns_old ? old : old == expected);
}

static void access(const struct sc *sc, int64_t *s, unsigned t, const struct instr *instr) {
  int64_t *cell = locate(sc, s, t, &instr->address);
  if (!cell) return;
  int64_t old = *cell;
  switch (instr->kind) {
    case INSTR_LOAD:
      set_register(sc, s, t, instr->reg, old);
      break;
    case INSTR_STORE:
      *cell = eval(sc, s, t, instr->value);
      break;
    case INSTR_RMW:
      *cell = rmw_apply(instr->op, old, eval(sc, s, t, instr->value));
      set_register(sc, s, t, instr->reg, old);
      break;
    default:
      compare_and_swap(sc, s, t, instr, cell);
      break;
  }
}

static void run(const struct sc *sc, int64_t *s, unsigned t) {
  const struct instr *instr = &sc->program->threads[t].instrs[s[t]];
  int64_t next = s[t] + 1;
  if (instr->kind <= INSTR_CAS)
    access(sc, s, t, instr);
  else if (instr->kind == INSTR_ASSIGN)
    set_register(sc, s, t, instr->reg, eval(sc, s, t, instr->value));
  else if (instr->kind == INSTR_JUMP)
    next = instr->target;
  else if (instr->kind == INSTR_BRANCH && eval(sc, s, t, instr->value) == 0)
    next = instr->target;
  s[t] = next;
}

static bool ended(const struct sc *sc, const int64_t *s, unsigned t) {
  return s[t] == sc->program->threads[t].instr_count;
}

static void initial(const struct machine *m, void *state) {
  const struct sc *sc = m->self;
  int64_t *s = state;
  memset(s, 0, m->state_size);
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    for (unsigned r = 0; sc->program->threads[t].reg_init && r < sc->program->threads[t].reg_count; r++)
      s[sc->registers[t] + r] = sc->program->threads[t].reg_init[r];
  for (unsigned i = 0; i < sc->program->location_count; i++) s[sc->memory + i] = sc->program->locations[i].init;
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct sc *sc = m->self;
  for (unsigned t = 0; t < sc->program->thread_count; t++) {
    int64_t next[sc->words];
    memcpy(next, state, m->state_size);
    if (ended(sc, next, t)) continue;
    struct step step = {0, (uint16_t)t, (uint32_t)next[t]};
    run(sc, next, t);
    if (!sink->emit(sink, step, next)) return false;
  }
  return true;
}

static bool final(const struct machine *m, const void *state) {
  const struct sc *sc = m->self;
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    if (!ended(sc, state, t)) return false;
  return true;
}

static enum step_kind step_kind(const struct machine *m, struct step step) {
  (void)m;
  (void)step;
  return STEP_THREAD;
}

static void print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  const struct sc *sc = m->self;
  const struct thread *thread = &sc->program->threads[step.agent];
  (void)before;
  (void)after;
  fprintf(out, "%s: ", thread->name);
  instr_print(sc->program, thread, &thread->instrs[step.detail], out);
}

static void print_state(const struct machine *m, const void *state, FILE *out) {
  const struct sc *sc = m->self;
  const int64_t *s = state;
  for (unsigned i = 0; i < sc->program->location_count; i++)
    fprintf(out, "  %s=%" PRId64 "\n", sc->program->locations[i].name, s[sc->memory + i]);
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct sc *sc = m->self;
  struct observable what = sc->observables[i];
  unsigned at = what.thread < 0 ? sc->memory + program_physical(sc->program, what.index)
                                : sc->registers[what.thread] + what.index;
  return ((const int64_t *)state)[at];
}

bool sc_machine(const struct explore_request *request, struct machine *machine, struct diags *diags) {
  const struct program *program = request->program;
  struct arena *arena = request->arena;
  struct sc *sc = ARENA_NEW(arena, struct sc);
  sc->program = program;
  sc->observables = request->observables;
  sc->registers = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  sc->words = program->thread_count;
  for (unsigned t = 0; t < program->thread_count; t++) {
    sc->registers[t] = sc->words;
    sc->words += program->threads[t].reg_count;
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      if (program->threads[t].instrs[i].kind <= INSTR_JUMP) continue;
      diag_error(diags, program->source, program->threads[t].instrs[i].span, "this machine runs no ADSM programs");
      return false;
    }
  }
  sc->memory = sc->words;
  sc->words += program->location_count;
  *machine = (struct machine){.name = "sc",
                              .state_size = sc->words * sizeof(int64_t),
                              .self = sc,
                              .initial = initial,
                              .successors = successors,
                              .final = final,
                              .step_kind = step_kind,
                              .print_step = print_step,
                              .print_state = print_state,
                              .observable_count = request->observable_count,
                              .observe = observe};
  return true;
}

/* The kind. */

static bool runs(const struct program *program) {
  return !program_is_adsm(program);
}

static const char *load(struct arena *arena, const char *name, const struct xml_search *search, void *settings,
                        struct diags *diags) {
  (void)settings;
  return machine_load_plain(arena, name, search, diags);
}

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  (void)target;
  (void)attempt;
  return sc_machine(request, machine, diags);
}

const struct machine_kind sc_kind = {.title = "SC", .root = "sc", .runs = runs, .load = load, .build = build};
