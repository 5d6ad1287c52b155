/* SPDX-License-Identifier: MIT */
/* Sequential consistency: threads take turns on one memory, an access at a time.
 *
 * A state: each thread's instruction and how far it is in it, what it holds between
 * the accesses of a compare-and-swap, registers, memory, and which control barriers
 * have been reached.
 */
#include <string.h>

#include "checker/certify/machine.h"

/* Accesses of a compare-and-swap: its expected value, itself, the value found put
 * back.  At a control barrier: 0 before it is reached, 1 while it is waited for. */
enum { STAGES = 3 };

struct sc {
  struct machine machine;
  unsigned held, registers[MOST_THREADS], memory, reached[MOST_THREADS];
};

int64_t value_of_registers(const struct expr *e, const int64_t *registers) {
  if (e->op == E_CONST) return e->value;
  if (e->op == E_REG) return registers[e->reg];
  int64_t a = value_of_registers(e->a, registers), b = e->b ? value_of_registers(e->b, registers) : 0;
  return apply(e->op, a, b, e->c ? value_of_registers(e->c, registers) : 0);
}

int cell_at(const struct program *p, const struct cell *cell, const int64_t *registers) {
  int64_t i = cell->index ? value_of_registers(cell->index, registers) : 0;
  if (i < 0 || i >= (int64_t)cell->size) return -1;
  return (int)p->locations[cell->base + (unsigned)i].physical;
}

int64_t updated(const struct instr *in, int64_t old, int64_t operand) {
  int64_t value = operand;
  bool least = in->op == OP_MIN || in->op == OP_UMIN;
  if (chooses(in->op))
    value = (apply(less_of(in->op), old, operand, 0) != 0) == least ? old : operand;
  else if (in->op != OP_EXCHANGE)
    value = apply((enum operator_)in->op, old, operand, 0);
  unsigned spare = 64 - in->bits;
  if (!in->bits) return value;
  if (in->bits == 1) return value != 0;
  return in->is_signed ? (int64_t)((uint64_t)value << spare) >> spare : (int64_t)((uint64_t)value << spare >> spare);
}

static unsigned place(const int64_t *s, unsigned t) {
  return (unsigned)(s[t] / STAGES);
}

static bool has_ended(const struct program *p, const int64_t *s, unsigned t) {
  return place(s, t) == p->threads[t].instr_count;
}

static const struct instr *at(const struct program *p, const int64_t *s, unsigned t) {
  return has_ended(p, s, t) ? NULL : &p->threads[t].instrs[place(s, t)];
}

static void put(int64_t *registers, int reg, int64_t value) {
  if (reg >= 0) registers[reg] = value;
}

/* ---- Control barriers ------------------------------------------------------------------------ */

static bool can_meet(const struct program *p, unsigned t, const struct instr *a, unsigned u, const struct instr *b) {
  return b->kind == I_MEET && a->label == b->label && !a->resource == !b->resource &&
         (!a->resource || a->resource->value == b->resource->value) && p->threads[t].place[1] == p->threads[u].place[1];
}

/* Every barrier of the text that this one can meet has been reached. */
static bool passes(const struct sc *sc, const int64_t *s, unsigned t, const struct instr *in) {
  const struct program *p = sc->machine.program;
  for (unsigned u = 0; u < p->thread_count; u++)
    for (unsigned i = 0; i < p->threads[u].instr_count; i++)
      if (can_meet(p, t, in, u, &p->threads[u].instrs[i]) && !s[sc->reached[u] + i]) return false;
  return true;
}

/* A thread that only arrived does not end before the others have come. */
static bool is_owed(const struct sc *sc, const int64_t *s, unsigned t) {
  const struct thread *thread = &sc->machine.program->threads[t];
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    if (in->kind == I_MEET && in->arrives && s[sc->reached[t] + i] && !passes(sc, s, t, in)) return true;
  }
  return false;
}

/* ---- Barriers of work-groups ----------------------------------------------------------------- */

static bool waits_with(const struct program *p, const int64_t *s, unsigned t, unsigned u) {
  const struct instr *a = at(p, s, t), *b = at(p, s, u);
  return a && b && a->kind == I_BARRIER && b->kind == I_BARRIER && a->label == b->label &&
         p->threads[t].place[1] == p->threads[u].place[1];
}

/* May the thread still come to a barrier of this label? */
static bool may_come(const struct program *p, const int64_t *s, unsigned t, unsigned label) {
  const struct thread *thread = &p->threads[t];
  unsigned from = place(s, t);
  for (unsigned i = from; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    if ((in->kind == I_BRANCH || in->kind == I_JUMP) && in->target < from) i = from = in->target;
  }
  for (unsigned i = from; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == I_BARRIER && thread->instrs[i].label == label) return true;
  return false;
}

static void open_barrier(const struct sc *sc, const int64_t *s, unsigned t, struct steps *steps) {
  const struct program *p = sc->machine.program;
  struct step step = {S_MEET, t, 0, 0};
  int64_t next[MOST_WORDS];
  memcpy(next, s, sc->machine.words * sizeof *s);
  for (unsigned u = 0; u < p->thread_count; u++) {
    if (waits_with(p, s, t, u)) {
      if (u < t) return; /* it is the step of the first of them */
      step.movers |= BIT(u);
      next[u] = (int64_t)(place(s, u) + 1) * STAGES;
    } else if (p->threads[u].place[1] == p->threads[t].place[1] && may_come(p, s, u, at(p, s, t)->label)) {
      return;
    }
  }
  steps->take(steps, step, next);
}

/* ---- Instructions ------------------------------------------------------------------------------ */

/* Returns how far it is in the instruction then; STAGES: done. */
static unsigned compare(const struct sc *sc, int64_t *s, unsigned t, const struct instr *in, bool fails) {
  const struct program *p = sc->machine.program;
  int64_t *registers = s + sc->registers[t], *held = s + sc->held + t, *memory = s + sc->memory;
  unsigned stage = (unsigned)(s[t] % STAGES);
  int beside = in->expected ? -1 : cell_at(p, &in->expected_at, registers);
  if (stage == 0 && !in->expected) return *held = beside < 0 ? 0 : memory[beside], 1;
  if (stage == 2) {
    if (beside >= 0) memory[beside] = *held;
    return *held = 0, STAGES;
  }
  int cell = cell_at(p, &in->cell, registers);
  int64_t expected = in->expected ? value_of_registers(in->expected, registers) : *held;
  *held = 0;
  if (cell < 0) return STAGES;
  int64_t old = memory[cell];
  bool succeeds = old == expected && !fails;
  if (succeeds) memory[cell] = value_of_registers(in->value, registers);
  put(registers, in->reg, in->returns_old ? old : succeeds);
  if (succeeds || !in->writes_back) return STAGES;
  return *held = old, 2;
}

static void access_memory(const struct sc *sc, int64_t *s, unsigned t, const struct instr *in) {
  int64_t *registers = s + sc->registers[t], *memory = s + sc->memory;
  int cell = cell_at(sc->machine.program, &in->cell, registers);
  if (cell < 0) return;
  int64_t old = memory[cell];
  if (in->kind == I_STORE) memory[cell] = value_of_registers(in->value, registers);
  if (in->kind == I_RMW) memory[cell] = updated(in, old, value_of_registers(in->value, registers));
  if (in->kind != I_STORE) put(registers, in->reg, old);
}

static void do_instr(const struct sc *sc, int64_t *s, unsigned t, bool fails) {
  unsigned now = place(s, t), next = now + 1, stage = STAGES;
  const struct instr *in = at(sc->machine.program, s, t);
  int64_t *registers = s + sc->registers[t];
  if (in->kind == I_CAS) {
    stage = compare(sc, s, t, in, fails);
  } else if (accesses_memory(in)) {
    access_memory(sc, s, t, in);
  } else if (in->kind == I_ASSIGN) {
    put(registers, in->reg, value_of_registers(in->value, registers));
  } else if (in->kind == I_JUMP || (in->kind == I_BRANCH && !value_of_registers(in->value, registers))) {
    next = in->target;
  } else if (in->kind == I_MEET && s[t] % STAGES == 0) {
    s[sc->reached[t] + now] = 1;
    stage = in->arrives ? STAGES : 1;
  }
  s[t] = stage == STAGES ? (int64_t)next * STAGES : (int64_t)now * STAGES + stage;
}

static void thread_steps(const struct sc *sc, const int64_t *s, unsigned t, struct steps *steps) {
  const struct instr *in = at(sc->machine.program, s, t);
  if (!in) return;
  if (in->kind == I_BARRIER) {
    open_barrier(sc, s, t, steps);
    return;
  }
  if (in->kind == I_MEET && s[t] % STAGES == 1 && !passes(sc, s, t, in)) return;
  bool itself = in->kind == I_CAS && (in->expected || s[t] % STAGES == 1);
  for (unsigned fails = 0; fails <= (itself && in->weak); fails++) {
    int64_t next[MOST_WORDS];
    memcpy(next, s, sc->machine.words * sizeof *s);
    do_instr(sc, next, t, fails);
    steps->take(steps, (struct step){fails ? S_FAIL : S_THREAD, t, 0, BIT(t)}, next);
  }
}

/* ---- The machine -------------------------------------------------------------------------------- */

static void successors(const struct machine *m, const int64_t *s, struct steps *steps) {
  for (unsigned t = 0; t < m->program->thread_count; t++) thread_steps((const struct sc *)m, s, t, steps);
}

static void initial(const struct machine *m, int64_t *s) {
  const struct sc *sc = (const struct sc *)m;
  for (unsigned t = 0; t < m->program->thread_count; t++)
    for (unsigned r = 0; r < m->program->threads[t].reg_count; r++)
      s[sc->registers[t] + r] = m->program->threads[t].init[r];
  for (unsigned x = 0; x < m->program->location_count; x++) s[sc->memory + x] = m->program->locations[x].init;
}

static mask running(const struct machine *m, const int64_t *s) {
  mask threads = 0;
  for (unsigned t = 0; t < m->program->thread_count; t++)
    if (!has_ended(m->program, s, t) || is_owed((const struct sc *)m, s, t)) threads |= BIT(t);
  return threads;
}

static bool is_final(const struct machine *m, const int64_t *s) {
  return !running(m, s);
}

static int64_t observe(const struct machine *m, const int64_t *s, const struct observed *what) {
  const struct sc *sc = (const struct sc *)m;
  if (what->thread >= 0) return s[sc->registers[what->thread] + what->index];
  return s[sc->memory + m->program->locations[what->index].physical];
}

const struct machine *sc_machine(const struct program *p) {
  struct sc *sc = make(sizeof *sc);
  unsigned words = 2 * p->thread_count;
  sc->held = p->thread_count;
  for (unsigned t = 0; t < p->thread_count; t++) {
    sc->registers[t] = words;
    sc->reached[t] = words + p->threads[t].reg_count;
    for (unsigned i = 0; i < p->threads[t].instr_count; i++) {
      const struct instr *in = &p->threads[t].instrs[i];
      if (in->quorum || (in->resource && in->resource->op != E_CONST))
        bad(NULL, "barriers that machine sc does not know");
    }
    words = sc->reached[t] + p->threads[t].instr_count;
  }
  sc->memory = words;
  words += p->location_count;
  if (words > MOST_WORDS) bad(NULL, "states of machine sc have more than %d words here", MOST_WORDS);
  sc->machine = (struct machine){"sc", p, words, initial, successors, running, is_final, observe};
  return &sc->machine;
}
