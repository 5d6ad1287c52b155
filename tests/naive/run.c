/* SPDX-License-Identifier: MIT */
/* Runs of threads on concrete values: a read returns each value of its
 * location's domain in turn. */
#include <string.h>

#include "naive.h"

/* Which reads of the run a value depends on, and which of them it is computed
 * from (a value known from a comparison is not). */
struct taint {
  bool of[MAX_RUN], flows[MAX_RUN];
};

struct machine {
  struct arena *arena;
  const struct program *program;
  const struct thread *thread;
  int thread_index;
  unsigned unroll;
  const struct domain *domain;
  run_list *out;
  bool free; /* branches and comparisons go both ways, whatever the values */
  int forks;
  bool too_long;
};

/* Arms of a condition, and what held outside them. */
struct arms {
  unsigned meet; /* the instruction at which they do */
  struct taint control, setting;
};

enum { MAX_DEPTH = 32 };

/* The state of a run under way; copied where it forks. */
struct state {
  unsigned pc;
  int64_t *registers;
  struct taint *taints; /* by register: of its value */
  struct taint *hangs;  /* by register: on what it hangs in every way */
  struct taint control; /* of events */
  struct taint setting; /* of registers that are set here */
  struct arms arms[MAX_DEPTH];
  int depth;
  int *begun;      /* by instruction: events before it was last done */
  unsigned *taken; /* by instruction: times its backward jump was taken */
  struct run run;
};

static void join(struct taint *into, const struct taint *from) {
  for (int i = 0; i < MAX_RUN; i++) {
    into->of[i] |= from->of[i];
    into->flows[i] |= from->flows[i];
  }
}

static struct state *fork_state(struct machine *m, const struct state *s) {
  m->too_long |= ++m->forks > MAX_FORKS;
  struct state *copy = ARENA_NEW(m->arena, struct state);
  *copy = *s;
  unsigned registers = m->thread->reg_count, instrs = m->thread->instr_count;
  copy->registers = ARENA_ARRAY(m->arena, int64_t, registers);
  copy->taints = ARENA_ARRAY(m->arena, struct taint, registers);
  copy->hangs = ARENA_ARRAY(m->arena, struct taint, registers);
  copy->begun = ARENA_ARRAY(m->arena, int, instrs);
  copy->taken = ARENA_ARRAY(m->arena, unsigned, instrs);
  memcpy(copy->registers, s->registers, registers * sizeof *s->registers);
  memcpy(copy->taints, s->taints, registers * sizeof *s->taints);
  memcpy(copy->hangs, s->hangs, registers * sizeof *s->hangs);
  memcpy(copy->begun, s->begun, instrs * sizeof *s->begun);
  memcpy(copy->taken, s->taken, instrs * sizeof *s->taken);
  return copy;
}

static int64_t value_of(const struct state *s, const struct expr *e) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return s->registers[e->reg];
  bool undefined = false;
  return expr_apply(e->kind, value_of(s, e->a), e->b ? value_of(s, e->b) : 0, e->c ? value_of(s, e->c) : 0, &undefined);
}

/* `r ^ r` depends on r, but is 0 whatever r is. */
static bool hangs_on_nothing(const struct expr *e) {
  return e->kind == EXPR_XOR && e->a->kind == EXPR_REG && e->b->kind == EXPR_REG && e->a->reg == e->b->reg;
}

static void taint_of(const struct state *s, const struct expr *e, struct taint *taint) {
  if (!e) return;
  if (e->kind == EXPR_REG) join(taint, &s->taints[e->reg]);
  if (e->kind == EXPR_CONST || e->kind == EXPR_REG) return;
  if (hangs_on_nothing(e)) {
    for (int i = 0; i < MAX_RUN; i++) taint->of[i] |= s->taints[e->a->reg].of[i];
    return;
  }
  taint_of(s, e->a, taint);
  taint_of(s, e->b, taint);
  taint_of(s, e->c, taint);
}

static void set_register(struct state *s, int reg, int64_t value, const struct taint *taint) {
  if (reg == NO_REG) return;
  s->registers[reg] = value;
  s->taints[reg] = s->hangs[reg] = *taint;
  join(&s->hangs[reg], &s->setting);
}

/* Each half of a read-modify-write has its part of the order. */
static void split_order(struct naive_event *e, enum order whole) {
  bool acquires = whole == ORDER_ACQ || whole == ORDER_ACQ_REL, releases = whole == ORDER_REL || whole == ORDER_ACQ_REL;
  if (e->kind == KIND_READ) e->order = acquires ? ORDER_ACQ : ORDER_RLX;
  if (e->kind == KIND_WRITE) e->order = releases ? ORDER_REL : ORDER_RLX;
}

/* Appends an event; NULL if the run is full. */
static struct naive_event *add(struct machine *m, struct state *s, enum kind kind, const struct instr *instr) {
  if (s->run.count == MAX_RUN) {
    m->too_long = true;
    return NULL;
  }
  struct naive_event *e = &s->run.events[s->run.count++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  e->thread = m->thread_index;
  e->location = -1;
  e->label = -1;
  e->order = instr->order;
  e->scope = instr->scope;
  e->tags = instr->tags;
  e->instr = (int)(instr - m->thread->instrs);
  e->name = -1;
  if (kind == KIND_READ) e->tags |= instr->read_tags;
  if (kind == KIND_WRITE) e->tags |= instr->write_tags;
  if (instr->split) split_order(e, instr->order);
  memcpy(e->ctrl, s->control.of, sizeof e->ctrl);
  return e;
}

static int location_of(const struct state *s, const struct address *address) {
  int64_t cell = address->index ? value_of(s, address->index) : 0;
  if (cell < 0 || cell >= (int64_t)address->size) return -1;
  return (int)address->base + (int)cell;
}

/* An access to a location; the taint of its address becomes its addr. */
static struct naive_event *access(struct machine *m, struct state *s, enum kind kind, const struct instr *instr,
                                  const struct address *address) {
  int location = location_of(s, address);
  if (location < 0) return NULL;
  struct naive_event *e = add(m, s, kind, instr);
  if (!e) return NULL;
  struct taint taint = {0};
  taint_of(s, address->index, &taint);
  memcpy(e->addr, taint.of, sizeof e->addr);
  e->location = location;
  e->name = instr->alias ? (int)instr->alias - 1 : location;
  e->regions = m->program->locations[location].region;
  return e;
}

static struct taint only(int read) {
  struct taint taint = {0};
  taint.of[read] = taint.flows[read] = true;
  return taint;
}

static void step(struct machine *m, struct state *s);

static void next(struct machine *m, struct state *s) {
  s->pc++;
  step(m, s);
}

static void do_load(struct machine *m, const struct state *before, const struct instr *instr) {
  int location = location_of(before, &instr->address);
  if (location < 0) return;
  const value_set *values = &m->domain->of[location];
  for (size_t i = 0; i < values->count; i++) {
    struct state *s = fork_state(m, before);
    struct naive_event *e = access(m, s, KIND_READ, instr, &instr->address);
    if (!e) return;
    e->value = values->at[i];
    struct taint taint = only(s->run.count - 1);
    set_register(s, instr->reg, e->value, &taint);
    next(m, s);
  }
}

static void do_store(struct machine *m, struct state *s, const struct instr *instr) {
  struct naive_event *e = access(m, s, KIND_WRITE, instr, &instr->address);
  if (!e) return;
  struct taint taint = {0};
  taint_of(s, instr->value, &taint);
  e->value = value_of(s, instr->value);
  memcpy(e->data, taint.of, sizeof e->data);
  memcpy(e->flows, taint.flows, sizeof e->flows);
  next(m, s);
}

/* The read half returns `old`; the write half stores `value`, computed from
 * `taint`. */
static bool add_halves(struct machine *m, struct state *s, const struct instr *instr, int64_t old, int64_t value,
                       const struct taint *taint) {
  struct naive_event *read = access(m, s, KIND_READ, instr, &instr->address);
  struct naive_event *write = read ? access(m, s, KIND_WRITE, instr, &instr->address) : NULL;
  if (!write) return false;
  read->value = old;
  read->rmw_read = true;
  write->value = value;
  write->rmw_write = true;
  memcpy(write->data, taint->of, sizeof write->data);
  memcpy(write->flows, taint->flows, sizeof write->flows);
  return true;
}

static void do_rmw(struct machine *m, const struct state *before, const struct instr *instr) {
  int location = location_of(before, &instr->address);
  if (location < 0) return;
  const value_set *values = &m->domain->of[location];
  for (size_t i = 0; i < values->count; i++) {
    struct state *s = fork_state(m, before);
    struct taint old = only(s->run.count), taint = {0};
    taint_of(s, instr->value, &taint);
    if (instr->op != RMW_EXCHANGE) join(&taint, &old);
    int64_t value = width_fit(instr->width, rmw_apply(instr->op, values->at[i], value_of(s, instr->value)));
    if (!add_halves(m, s, instr, values->at[i], value, &taint)) return;
    set_register(s, instr->reg, values->at[i], &old);
    next(m, s);
  }
}

/* A compare-and-swap that read `old` and fails.  `s` may be changed. */
static bool cas_fails(struct machine *m, struct state *s, const struct instr *instr, int64_t old) {
  int read = s->run.count;
  struct naive_event *e = access(m, s, KIND_READ, instr, &instr->address);
  if (!e) return false;
  e->value = old;
  e->order = instr->failure;
  if (instr->writeback) {
    struct naive_event *w = access(m, s, KIND_WRITE, instr, &instr->expected_at);
    if (!w) return false;
    w->value = old;
    w->order = ORDER_NA;
    w->scope = SCOPE_NONE;
    w->tags = 0;
    w->data[read] = w->flows[read] = true;
  }
  struct taint result = only(read);
  if (!instr->returns_old) result.flows[read] = false;
  set_register(s, instr->reg, instr->returns_old ? old : 0, &result);
  return true;
}

/* One that succeeds: its value is the one expected, computed from `compared`;
 * that it writes at all depends on both. */
static bool cas_succeeds(struct machine *m, struct state *s, const struct instr *instr, int64_t old,
                         const struct taint *compared) {
  int read = s->run.count;
  struct taint value = {0}, result = *compared;
  taint_of(s, instr->value, &value);
  if (!add_halves(m, s, instr, old, value_of(s, instr->value), &value)) return false;
  result.of[read] = true;
  s->run.events[read].compared = true;
  memcpy(s->run.events[read].flows, compared->flows, sizeof compared->flows);
  struct naive_event *write = &s->run.events[read + 1];
  for (int i = 0; i < MAX_RUN; i++) write->ctrl[i] |= result.of[i];
  if (!instr->returns_old) memset(result.flows, 0, sizeof result.flows);
  set_register(s, instr->reg, instr->returns_old ? old : 1, &result);
  return true;
}

static void cas_ends(struct machine *m, const struct state *before, const struct instr *instr, int64_t old,
                     const struct taint *compared, bool success) {
  struct state *s = fork_state(m, before);
  if (success ? cas_succeeds(m, s, instr, old, compared) : cas_fails(m, s, instr, old)) next(m, s);
}

static void cas_reads(struct machine *m, const struct state *s, const struct instr *instr, int64_t expected,
                      const struct taint *taint) {
  int location = location_of(s, &instr->address);
  if (location < 0) return;
  const value_set *values = &m->domain->of[location];
  for (size_t i = 0; i < values->count; i++) {
    bool equal = values->at[i] == expected;
    if (equal || m->free) cas_ends(m, s, instr, values->at[i], taint, true);
    if (!equal || instr->weak || m->free) cas_ends(m, s, instr, values->at[i], taint, false);
  }
}

/* PTX's: what it read is written back where it is not what was expected. */
static void do_rewriting_cas(struct machine *m, const struct state *before, const struct instr *instr) {
  int location = location_of(before, &instr->address);
  if (location < 0) return;
  const value_set *values = &m->domain->of[location];
  for (size_t i = 0; i < values->count; i++) {
    struct state *s = fork_state(m, before);
    struct taint old = only(s->run.count), taint = old;
    taint_of(s, instr->expected, &taint);
    taint_of(s, instr->value, &taint);
    bool equal = values->at[i] == value_of(s, instr->expected);
    if (!add_halves(m, s, instr, values->at[i], equal ? value_of(s, instr->value) : values->at[i], &taint)) return;
    set_register(s, instr->reg, values->at[i], &old);
    next(m, s);
  }
}

static void do_cas(struct machine *m, const struct state *before, const struct instr *instr) {
  if (instr->rewrites) {
    do_rewriting_cas(m, before, instr);
    return;
  }
  if (!instr->expected_in_memory) {
    struct taint taint = {0};
    taint_of(before, instr->expected, &taint);
    cas_reads(m, before, instr, value_of(before, instr->expected), &taint);
    return;
  }
  int location = location_of(before, &instr->expected_at);
  if (location < 0) return;
  const value_set *values = &m->domain->of[location];
  for (size_t i = 0; i < values->count; i++) {
    struct state *s = fork_state(m, before);
    struct naive_event *e = access(m, s, KIND_READ, instr, &instr->expected_at);
    if (!e) return;
    e->value = values->at[i];
    e->order = ORDER_NA;
    e->scope = SCOPE_NONE;
    e->tags = 0;
    struct taint taint = only(s->run.count - 1);
    cas_reads(m, s, instr, e->value, &taint);
  }
}

static void do_fence(struct machine *m, struct state *s, const struct instr *instr) {
  struct naive_event *e = add(m, s, KIND_FENCE, instr);
  if (!e) return;
  e->regions = instr->regions;
  next(m, s);
}

static void do_barrier(struct machine *m, struct state *s, const struct instr *instr) {
  int round = 0;
  for (int i = 0; i < s->run.count; i++)
    if (s->run.events[i].entry && s->run.events[i].label == instr->barrier_label) round++;
  for (int half = 0; half < 2; half++) {
    struct naive_event *e = add(m, s, KIND_FENCE, instr);
    if (!e) return;
    e->regions = instr->regions;
    e->order = half == 0 ? ORDER_REL : ORDER_ACQ;
    e->entry = half == 0;
    e->exit = half == 1;
    e->label = instr->barrier_label;
    e->round = round;
  }
  next(m, s);
}

static void do_meet(struct machine *m, struct state *s, const struct instr *instr) {
  struct naive_event *e = add(m, s, KIND_MEET, instr);
  if (!e) return;
  e->meeting = instr->barrier_label;
  e->arrive = instr->arrive;
  e->has_resource = instr->resource;
  e->has_quorum = instr->quorum;
  if (instr->resource) e->resource = value_of(s, instr->resource);
  if (instr->quorum) e->quorum = value_of(s, instr->quorum);
  next(m, s);
}

static void do_mark(struct machine *m, struct state *s, const struct instr *instr) {
  if (add(m, s, KIND_MARK, instr)) next(m, s);
}

/* Goes to `target`; a backward jump at most `unroll` times, and loops inside
 * the one that it closes start afresh. */
static void go(struct machine *m, struct state *s, unsigned target) {
  if (target <= s->pc) {
    if (s->taken[s->pc]++ == m->unroll) return;
    for (unsigned i = target; i < s->pc; i++) s->taken[i] = 0;
  }
  s->pc = target;
  step(m, s);
}

/* ---- Arms, by litmus/README.md ("Dependencies") ---- */

/* Can the thread's end be reached from `pc` without doing instruction `without`? */
static bool ends(const struct thread *t, unsigned pc, unsigned without, bool *been) {
  if (pc == without || (pc < t->instr_count && been[pc])) return false;
  if (pc == t->instr_count) return true;
  been[pc] = true;
  const struct instr *instr = &t->instrs[pc];
  bool jumps = instr->kind == INSTR_BRANCH || instr->kind == INSTR_JUMP;
  if (instr->kind != INSTR_JUMP && ends(t, pc + 1, without, been)) return true;
  return jumps && ends(t, instr->target, without, been);
}

static bool cannot_end_without(const struct thread *t, unsigned pc, unsigned without) {
  bool been[t->instr_count + 1];
  memset(been, 0, sizeof been);
  return !ends(t, pc, without, been);
}

/* Where the arms of a branch meet: at the first of the instructions that no way from it
 * to the end avoids, which is the one that none of the others comes before. */
static unsigned meeting_of(const struct thread *t, unsigned branch) {
  unsigned meet = t->instr_count;
  if (cannot_end_without(t, branch, t->instr_count + 1)) return meet;
  for (unsigned i = 0; i < t->instr_count; i++)
    if (i != branch && cannot_end_without(t, branch, i) && cannot_end_without(t, i, meet)) meet = i;
  return meet;
}

static void leave_arms(struct state *s) {
  while (s->depth > 0 && s->arms[s->depth - 1].meet == s->pc) {
    const struct arms *outside = &s->arms[--s->depth];
    s->control = outside->control;
    s->setting = outside->setting;
  }
}

/* On what the registers of an expression hang; or only those with a name. */
static void hangs_of(const struct machine *m, const struct state *s, const struct expr *e, bool named,
                     struct taint *taint) {
  if (!e || e->kind == EXPR_CONST) return;
  if (e->kind == EXPR_REG && (!named || m->thread->reg_names[e->reg])) join(taint, &s->hangs[e->reg]);
  hangs_of(m, s, e->a, named, taint);
  hangs_of(m, s, e->b, named, taint);
  hangs_of(m, s, e->c, named, taint);
}

/* What is in the arms depends on the reads that the condition has made, and on what its
 * registers hang on; what is set there, only on the latter, and on reads of it which
 * other reads of it take. */
static void enter_arms(struct machine *m, struct state *s, const struct instr *branch) {
  struct taint registers = {0}, reads = {0}, taken = {0};
  for (unsigned i = branch->condition - 1; i <= s->pc; i++) {
    const struct instr *instr = &m->thread->instrs[i];
    hangs_of(m, s, instr->value, true, &registers);
    hangs_of(m, s, instr->expected, true, &registers);
    hangs_of(m, s, instr->address.index, true, &registers);
    hangs_of(m, s, instr->expected_at.index, true, &registers);
  }
  int first = s->begun[branch->condition - 1];
  for (int i = first; i < s->run.count; i++) {
    const struct naive_event *e = &s->run.events[i];
    bool read = e->kind == KIND_READ, operand = e->rmw_write && e->order != ORDER_NA;
    if (read) reads.of[i] = true;
    for (int from = first; from < i; from++) {
      if (read && e->addr[from]) taken.of[from] = true;
      if (operand && (e->addr[from] || (e->data[from] && from != i - 1))) taken.of[from] = true;
    }
  }
  if (s->depth == MAX_DEPTH) {
    m->too_long = true;
    return;
  }
  s->arms[s->depth++] = (struct arms){meeting_of(m->thread, s->pc), s->control, s->setting};
  join(&s->control, &registers);
  join(&s->control, &reads);
  join(&s->setting, &registers);
  join(&s->setting, &taken);
}

static void do_branch(struct machine *m, struct state *s, const struct instr *instr) {
  if (instr->condition)
    enter_arms(m, s, instr);
  else
    taint_of(s, instr->value, &s->control);
  bool holds = value_of(s, instr->value);
  struct state *other = m->free ? fork_state(m, s) : NULL;
  if (holds || other) next(m, s);
  if (other) s = other;
  if (!holds || other) go(m, s, instr->target);
}

static void end(struct machine *m, struct state *s) {
  struct run *run = ARENA_NEW(m->arena, struct run);
  *run = s->run;
  run->registers = s->registers;
  *vec_push(m->arena, m->out) = run;
}

static void do_assign(struct machine *m, struct state *s, const struct instr *instr) {
  struct taint taint = {0};
  taint_of(s, instr->value, &taint);
  struct taint hangs = {0};
  hangs_of(m, s, instr->value, false, &hangs);
  set_register(s, instr->reg, value_of(s, instr->value), &taint);
  if (instr->reg != NO_REG) join(&s->hangs[instr->reg], &hangs);
  next(m, s);
}

static void step(struct machine *m, struct state *s) {
  if (m->too_long) return;
  leave_arms(s);
  if (s->pc >= m->thread->instr_count) {
    end(m, s);
    return;
  }
  s->begun[s->pc] = s->run.count;
  const struct instr *instr = &m->thread->instrs[s->pc];
  switch (instr->kind) {
    case INSTR_LOAD:
      do_load(m, s, instr);
      break;
    case INSTR_STORE:
      do_store(m, s, instr);
      break;
    case INSTR_RMW:
      do_rmw(m, s, instr);
      break;
    case INSTR_CAS:
      do_cas(m, s, instr);
      break;
    case INSTR_FENCE:
      do_fence(m, s, instr);
      break;
    case INSTR_BARRIER:
      do_barrier(m, s, instr);
      break;
    case INSTR_MEET:
      do_meet(m, s, instr);
      break;
    case INSTR_MARK:
      do_mark(m, s, instr);
      break;
    case INSTR_ASSIGN:
      do_assign(m, s, instr);
      break;
    case INSTR_BRANCH:
      do_branch(m, s, instr);
      break;
    case INSTR_JUMP:
      go(m, s, instr->target);
      break;
    default:
      m->too_long = true; /* hosts and kernels: not in these tests */
  }
}

static bool run_thread(struct machine m) {
  const struct thread *t = m.thread;
  struct state start = {.registers = ARENA_ARRAY(m.arena, int64_t, t->reg_count),
                        .taints = ARENA_ARRAY(m.arena, struct taint, t->reg_count),
                        .hangs = ARENA_ARRAY(m.arena, struct taint, t->reg_count),
                        .begun = ARENA_ARRAY(m.arena, int, t->instr_count),
                        .taken = ARENA_ARRAY(m.arena, unsigned, t->instr_count)};
  for (unsigned r = 0; r < t->reg_count; r++) start.registers[r] = t->reg_init[r];
  step(&m, fork_state(&m, &start));
  return !m.too_long;
}

bool naive_runs(struct arena *arena, const struct program *program, int thread, unsigned unroll,
                const struct domain *domain, run_list *out) {
  return run_thread((struct machine){.arena = arena,
                                     .program = program,
                                     .thread = &program->threads[thread],
                                     .thread_index = thread,
                                     .unroll = unroll,
                                     .domain = domain,
                                     .out = out});
}

/* ---- domains ---- */

static bool insert(struct arena *arena, value_set *set, int64_t value) {
  for (size_t i = 0; i < set->count; i++)
    if (set->at[i] == value) return false;
  *vec_push(arena, set) = value;
  return true;
}

/* Adds what one round of runs writes; returns whether anything was new. */
static bool grow(struct arena *arena, struct domain *domain, const run_list *runs, int *most_writes) {
  bool grown = false;
  *most_writes = 0;
  for (size_t i = 0; i < runs->count; i++) {
    int writes = 0;
    for (int j = 0; j < runs->at[i]->count; j++) {
      const struct naive_event *e = &runs->at[i]->events[j];
      if (e->kind != KIND_WRITE) continue;
      writes++;
      grown |= insert(arena, &domain->of[e->location], e->value);
    }
    if (writes > *most_writes) *most_writes = writes;
  }
  return grown;
}

bool naive_domain(struct arena *arena, const struct program *program, unsigned unroll, const value_set *guesses,
                  struct domain *domain) {
  domain->of = ARENA_ARRAY(arena, value_set, program->location_count);
  for (unsigned l = 0; l < program->location_count; l++) {
    insert(arena, &domain->of[l], program->locations[l].init);
    for (size_t i = 0; i < guesses->count; i++) insert(arena, &domain->of[l], guesses->at[i]);
  }
  /* A value first seen in round k needs a chain of k writes in one execution,
   * each computed from the one before.  Control flow is left open: a write may
   * stand behind a branch that it is itself read for (load buffering with
   * control dependences is no value out of thin air). */
  int writes = 0;
  bool grown = true;
  for (int round = 0; grown && round <= writes; round++) {
    struct arena *scratch = arena_new();
    run_list *runs = ARENA_ARRAY(scratch, run_list, program->thread_count);
    bool fits = true;
    grown = false;
    writes = 0;
    for (unsigned t = 0; t < program->thread_count; t++)
      fits &= run_thread((struct machine){.arena = scratch,
                                          .program = program,
                                          .thread = &program->threads[t],
                                          .thread_index = (int)t,
                                          .unroll = unroll,
                                          .domain = domain,
                                          .out = &runs[t],
                                          .free = true});
    for (unsigned t = 0; fits && t < program->thread_count; t++) {
      int most;
      grown |= grow(arena, domain, &runs[t], &most);
      writes += most;
    }
    arena_free(scratch);
    if (!fits) return false;
  }
  return true;
}
