/* SPDX-License-Identifier: MIT */
/* Execution of one thread over symbolic values; see paths.h. */
#include "checker/exec/paths.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/exec/await_bound.h"
#include "checker/exec/reads.h"
#include "checker/exec/rounds.h"
#include "checker/exec/symbolic.h"

/* ---- Sets of reads ------------------------------------------------------- */

static const struct reads no_reads = {0};

static const struct reads *reads_union(struct arena *arena, const struct reads *a, const struct reads *b) {
  if (!a->count || a == b) return b;
  if (!b->count) return a;
  struct reads *both = arena_alloc(arena, sizeof *both + (a->count + b->count) * sizeof both->at[0]);
  unsigned i = 0, j = 0;
  while (i < a->count || j < b->count) {
    bool left = j == b->count || (i < a->count && a->at[i] <= b->at[j]);
    unsigned next = left ? a->at[i] : b->at[j];
    if (i < a->count && a->at[i] == next) i++;
    if (j < b->count && b->at[j] == next) j++;
    both->at[both->count++] = next;
  }
  return both;
}

static const struct reads *reads_one(struct arena *arena, unsigned read) {
  struct reads *one = arena_alloc(arena, sizeof *one + sizeof one->at[0]);
  one->count = 1;
  one->at[0] = read;
  return one;
}

/* ---- Expressions --------------------------------------------------------- */

static unsigned arity(enum expr_kind kind) {
  switch (kind) {
    case EXPR_CONST:
    case EXPR_REG:
      return 0;
    case EXPR_NEG:
    case EXPR_NOT:
    case EXPR_LNOT:
      return 1;
    case EXPR_COND:
      return 3;
    default:
      return 2;
  }
}

bool path_value(const struct expr *e, const bool *known, const int64_t *value, int64_t *result) {
  int64_t part[3] = {0};
  switch (arity(e->kind)) {
    case 0:
      *result = e->kind == EXPR_CONST ? e->value : value[e->reg];
      return e->kind == EXPR_CONST || known[e->reg];
    case 3:
      if (!path_value(e->c, known, value, &part[2])) return false; /* fall through */
    case 2:
      if (!path_value(e->b, known, value, &part[1])) return false; /* fall through */
    default:
      if (!path_value(e->a, known, value, &part[0])) return false;
  }
  *result = expr_apply(e->kind, part[0], part[1], part[2], NULL);
  return true;
}

/* ---- A thread on its way ------------------------------------------------- */

struct thread_state {
  struct path path; /* so far */
  enum thread_end end;
  unsigned pc;
  const struct reads **dependencies; /* by register: reads its value depends on */
  const struct reads *ctrl;
  unsigned launch, kernel;       /* in a kernel's body: as in struct event */
  const struct reads *host_ctrl; /* in a kernel's body: its caller's ctrl */
  unsigned *taken;               /* by instruction: times its backward jump was taken */
  unsigned *failed;              /* and those behind failed rounds, which do not count among them */
  unsigned *rounds;              /* by barrier label + 1 */
  int64_t pinned[2];      /* this instruction's indices, once forked on: of `address`, of `expected_at`; -1: not yet */
  bool divisions_checked; /* by the fork that led here, for the instruction at pc */
  unsigned event_room, condition_room, repeat_room; /* a copy makes its own room before it adds */
  const struct round **rounds_at;      /* `stops`, `awaits`, by instruction: when it was last begun with; NULL: never */
  VEC(struct thread_state *) branches; /* THREAD_OPEN: how it can go on */
};

/* A thread being run. */
struct runner {
  struct arena *arena;
  const struct program *program;
  const struct thread *thread;
  unsigned thread_index;
  const struct path_limits *limits;
  bool too_long;
};

static struct thread_state *copy_state(const struct runner *r, const struct thread_state *from) {
  struct arena *arena = r->arena;
  const struct thread *thread = r->thread;
  struct thread_state *copy = ARENA_NEW(arena, struct thread_state);
  *copy = *from;
  copy->path.registers = ARENA_ARRAY(arena, const struct expr *, thread->reg_count);
  copy->dependencies = ARENA_ARRAY(arena, const struct reads *, thread->reg_count);
  copy->taken = ARENA_ARRAY(arena, unsigned, thread->instr_count);
  copy->failed = ARENA_ARRAY(arena, unsigned, thread->instr_count);
  copy->rounds = ARENA_ARRAY(arena, unsigned, r->program->barrier_label_count + 1);
  if (thread->reg_count) {
    memcpy(copy->path.registers, from->path.registers, thread->reg_count * sizeof *copy->path.registers);
    memcpy(copy->dependencies, from->dependencies, thread->reg_count * sizeof *copy->dependencies);
  }
  if (thread->instr_count) memcpy(copy->taken, from->taken, thread->instr_count * sizeof *copy->taken);
  if (thread->instr_count) memcpy(copy->failed, from->failed, thread->instr_count * sizeof *copy->failed);
  memcpy(copy->rounds, from->rounds, (r->program->barrier_label_count + 1) * sizeof *copy->rounds);
  if (from->rounds_at) copy->rounds_at = rounds_copy(arena, thread, from->rounds_at);
  copy->event_room = copy->condition_room = copy->repeat_room = 0;
  copy->branches.at = NULL;
  copy->branches.count = copy->branches.room = 0;
  return copy;
}

/* One of the branches along which an open thread can go on. */
static struct thread_state *add_branch(const struct runner *r, struct thread_state *s) {
  struct thread_state *branch = copy_state(r, s);
  branch->end = THREAD_RUNNING;
  branch->path.identity = s->path.identity * 31 + s->branches.count + 1;
  *vec_push(r->arena, &s->branches) = branch;
  return branch;
}

static void make_room(struct arena *arena, void **at, unsigned *room, unsigned count, size_t size) {
  if (count < *room) return;
  *room = count < 8 ? 16 : count * 2;
  void *larger = arena_array(arena, *room, size);
  if (count) memcpy(larger, *at, count * size);
  *at = larger;
}

/* Adds what must hold from here on; a condition that can be decided and does
 * not hold ends this branch. */
static void require(const struct runner *r, struct thread_state *s, const struct expr *e, bool nonzero) {
  if (e->kind == EXPR_CONST) {
    if ((e->value != 0) != nonzero) s->end = THREAD_IMPOSSIBLE;
    return;
  }
  make_room(r->arena, (void **)&s->path.conditions, &s->condition_room, s->path.condition_count,
            sizeof *s->path.conditions);
  s->path.conditions[s->path.condition_count++] = (struct path_condition){e, nonzero};
}

/* Reads on which a source expression's value depends. */
static const struct reads *dependencies_of(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST) return &no_reads;
  if (e->kind == EXPR_REG) return s->dependencies[e->reg];
  const struct reads *dependencies = dependencies_of(r, s, e->a);
  dependencies = reads_union(r->arena, dependencies, dependencies_of(r, s, e->b));
  return reads_union(r->arena, dependencies, dependencies_of(r, s, e->c));
}

static const struct expr *value_of(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  return symbolic_substitute(r->arena, e, s->path.registers);
}

static tag_set tags_of(const struct instr *instr, enum event_kind kind) {
  tag_set half = kind == EVENT_READ ? instr->read_tags : kind == EVENT_WRITE ? instr->write_tags : 0;
  return instr->tags | half;
}

/* The order of an event: all of the instruction's, or what its half of it is. */
static enum order order_of(const struct instr *instr, enum event_kind kind) {
  enum order whole = instr->order;
  if (!instr->split) return whole;
  enum order own = kind == EVENT_READ ? ORDER_ACQ : ORDER_REL;
  return whole == own || whole == ORDER_ACQ_REL ? own : ORDER_RLX;
}

/* What events of all kinds have from their instruction. */
static struct event event_of(const struct thread *thread, unsigned thread_index, const struct instr *instr,
                             enum event_kind kind) {
  return (struct event){.kind = kind,
                        .thread = (int)thread_index,
                        .instr = (int)(instr - thread->instrs),
                        .location = -1,
                        .name = -1,
                        .order = order_of(instr, kind),
                        .scope = instr->scope,
                        .implicit_scope = instr->implicit_scope,
                        .tags = tags_of(instr, kind),
                        .barrier_instance = -1};
}

/* The next event of the path. */
static struct path_event *add_event(struct runner *r, struct thread_state *s, enum event_kind kind,
                                    const struct instr *instr) {
  if (s->path.event_count == r->limits->max_events) r->too_long = true;
  make_room(r->arena, (void **)&s->path.events, &s->event_room, s->path.event_count, sizeof *s->path.events);
  struct path_event *e = &s->path.events[s->path.event_count++];
  *e = (struct path_event){0};
  e->event = event_of(r->thread, r->thread_index, instr, kind);
  e->event.po_index = s->path.event_count - 1;
  e->event.launch = s->launch;
  e->event.kernel = s->kernel;
  e->ctrl = s->ctrl->at;
  e->ctrl_count = s->ctrl->count;
  return e;
}

struct cell {
  int location, name;               /* `name`: as in struct event */
  const struct reads *dependencies; /* of the index */
};

static void set_access(struct runner *r, struct path_event *e, struct cell cell, const struct reads *data) {
  e->event.location = cell.location;
  e->event.name = cell.name;
  e->event.regions = r->program->locations[cell.location].region;
  e->addr = cell.dependencies->at;
  e->addr_count = cell.dependencies->count;
  e->data = data->at;
  e->data_count = data->count;
}

/* A read whose value is the variable named after it; returns its index. */
static unsigned add_read(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  struct path_event *e = add_event(r, s, EVENT_READ, instr);
  set_access(r, e, cell, &no_reads);
  e->value = symbolic_read(r->arena, e->event.po_index);
  return e->event.po_index;
}

static void add_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                      const struct expr *value, const struct reads *data) {
  struct path_event *e = add_event(r, s, EVENT_WRITE, instr);
  set_access(r, e, cell, data);
  e->value = value;
}

/* The write half of a read-modify-write whose read half is event `read`. */
static void add_rmw_write(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                          unsigned read, const struct expr *value, const struct reads *data) {
  add_write(r, s, instr, cell, value, data);
  s->path.events[read].event.rmw = true;
  s->path.events[s->path.event_count - 1].event.rmw = true;
}

static void set_register(struct thread_state *s, int reg, const struct expr *value, const struct reads *dependencies) {
  if (reg == NO_REG) return;
  s->path.registers[reg] = value;
  s->dependencies[reg] = dependencies;
}

/* Division by what may be zero: on that branch the program is undefined.  Operands
 * that C would not evaluate are left alone: their value is then not used either.
 * The last branch is the one on which nothing divides by zero. */
static struct thread_state *guard_divisions(const struct runner *r, struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST || e->kind == EXPR_REG) return s;
  s = guard_divisions(r, s, e->a);
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR || e->kind == EXPR_COND) return s;
  s = guard_divisions(r, s, e->b);
  if (e->kind != EXPR_DIV && e->kind != EXPR_MOD) return s;
  const struct expr *divisor = value_of(r, s, e->b);
  if (divisor->kind == EXPR_CONST) {
    if (!divisor->value) s->end = THREAD_UNDEFINED;
    return s;
  }
  s->end = THREAD_OPEN;
  struct thread_state *zero = add_branch(r, s);
  require(r, zero, divisor, false);
  zero->end = THREAD_UNDEFINED;
  struct thread_state *other = add_branch(r, s);
  require(r, other, divisor, true);
  return other;
}

static bool divides(const struct expr *e) {
  return e && (e->kind == EXPR_DIV || e->kind == EXPR_MOD || divides(e->a) || divides(e->b) || divides(e->c));
}

/* A branch for each value that an unknown index can have, and one for an index
 * outside the array. */
static void fork_on_index(const struct runner *r, struct thread_state *s, const struct expr *index, unsigned size,
                          unsigned which) {
  struct arena *arena = r->arena;
  s->end = THREAD_OPEN;
  for (unsigned i = 0; i < size; i++) {
    struct thread_state *branch = add_branch(r, s);
    branch->pinned[which] = i;
    require(r, branch, symbolic_apply(arena, EXPR_EQ, index, symbolic_constant(arena, i), NULL), true);
  }
  struct thread_state *outside = add_branch(r, s);
  const struct expr *low = symbolic_apply(arena, EXPR_LT, index, symbolic_constant(arena, 0), NULL);
  const struct expr *high = symbolic_apply(arena, EXPR_GE, index, symbolic_constant(arena, size), NULL);
  require(r, outside, symbolic_apply(arena, EXPR_LOR, low, high, NULL), true);
  outside->end = THREAD_UNDEFINED;
}

/* Finds the cell that an address names; leaves THREAD_RUNNING when the thread
 * forks on the index or ends. */
static void resolve(const struct runner *r, struct thread_state *s, const struct address *address, unsigned which,
                    struct cell *cell) {
  *cell = (struct cell){(int)address->base, (int)address->base, &no_reads};
  if (!address->index) return;
  cell->dependencies = dependencies_of(r, s, address->index);
  const struct expr *index = value_of(r, s, address->index);
  if (index->kind != EXPR_CONST && s->pinned[which] < 0) {
    fork_on_index(r, s, index, address->size, which);
    return;
  }
  int64_t at = index->kind == EXPR_CONST ? index->value : s->pinned[which];
  if (at >= 0 && at < (int64_t)address->size)
    cell->name = cell->location += (int)at;
  else
    s->end = THREAD_UNDEFINED;
}

static enum expr_kind rmw_kind(enum rmw_op op) {
  switch (op) {
    case RMW_ADD:
      return EXPR_ADD;
    case RMW_SUB:
      return EXPR_SUB;
    case RMW_OR:
      return EXPR_OR;
    case RMW_XOR:
      return EXPR_XOR;
    case RMW_AND:
      return EXPR_AND;
    case RMW_MUL:
      return EXPR_MUL;
    case RMW_DIV:
      return EXPR_DIV;
    default:
      return EXPR_CONST;
  }
}

static const struct expr *rmw_result(struct arena *arena, enum rmw_op op, const struct expr *old,
                                     const struct expr *operand) {
  switch (op) {
    case RMW_EXCHANGE:
      return operand;
    case RMW_MIN:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_LT, old, operand, NULL), old, operand);
    case RMW_MAX:
      return symbolic_apply(arena, EXPR_COND, symbolic_apply(arena, EXPR_GT, old, operand, NULL), old, operand);
    default:
      return symbolic_apply(arena, rmw_kind(op), old, operand, NULL);
  }
}

/* A value reduced to a type, as width_fit does it. */
static const struct expr *fit(struct arena *arena, struct width width, const struct expr *value) {
  if (!width.bits) return value;
  const struct expr *shift = symbolic_constant(arena, 64 - (int64_t)width.bits);
  if (width.bits == 1) return symbolic_apply(arena, EXPR_NE, value, symbolic_constant(arena, 0), NULL);
  if (width.is_signed)
    return symbolic_apply(arena, EXPR_SHR, symbolic_apply(arena, EXPR_SHL, value, shift, NULL), shift, NULL);
  return symbolic_apply(arena, EXPR_AND, value, symbolic_constant(arena, ((int64_t)1 << width.bits) - 1), NULL);
}

static void step_rmw(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  const struct expr *operand = value_of(r, s, instr->value);
  const struct reads *data = dependencies_of(r, s, instr->value);
  unsigned read = add_read(r, s, instr, cell);
  const struct expr *old = s->path.events[read].value;
  const struct reads *from = reads_one(r->arena, read);
  const struct reads *into = instr->op == RMW_EXCHANGE ? data : reads_union(r->arena, data, from);
  const struct expr *result = rmw_result(r->arena, instr->op, old, operand);
  add_rmw_write(r, s, instr, cell, read, fit(r->arena, instr->width, result), into);
  set_register(s, instr->reg, old, from);
}

/* The read of what is expected, for languages that keep it in memory.  It is
 * an ordinary access (the reference semantics: see the corpus' notes). */
static void make_ordinary(struct event *event) {
  event->order = ORDER_NA;
  event->scope = SCOPE_NONE;
  event->implicit_scope = false;
  event->tags = 0;
}

static const struct expr *expected_value(struct runner *r, struct thread_state *s, const struct instr *instr,
                                         struct cell at, const struct reads **dependencies) {
  if (!instr->expected_in_memory) {
    *dependencies = dependencies_of(r, s, instr->expected);
    return value_of(r, s, instr->expected);
  }
  unsigned read = add_read(r, s, instr, at);
  make_ordinary(&s->path.events[read].event);
  *dependencies = reads_one(r->arena, read);
  return s->path.events[read].value;
}

static void cas_fails(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                      struct cell at, const struct expr *expected) {
  unsigned read = add_read(r, s, instr, cell);
  s->path.events[read].event.order = instr->failure;
  const struct expr *seen = s->path.events[read].value;
  if (!instr->weak) require(r, s, symbolic_apply(r->arena, EXPR_NE, seen, expected, NULL), true);
  const struct reads *from = reads_one(r->arena, read);
  if (instr->writeback && instr->expected_in_memory) {
    add_write(r, s, instr, at, seen, from);
    make_ordinary(&s->path.events[s->path.event_count - 1].event);
  }
  set_register(s, instr->reg, instr->returns_old ? seen : symbolic_constant(r->arena, 0), from);
  s->pc++;
}

/* On success the value read is the value expected, not a variable: a cycle of
 * values that only passes through the comparison is no cycle (as herd unifies
 * the two). */
static void cas_succeeds(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                         const struct expr *expected, const struct reads *dependencies) {
  const struct expr *desired = value_of(r, s, instr->value);
  const struct reads *data = dependencies_of(r, s, instr->value);
  unsigned read = add_read(r, s, instr, cell);
  const struct reads *from = reads_one(r->arena, read);
  require(r, s, symbolic_apply(r->arena, EXPR_EQ, s->path.events[read].value, expected, NULL), true);
  s->path.events[read].value = expected;
  const struct reads *ctrl = s->ctrl;
  s->ctrl = reads_union(r->arena, ctrl, reads_union(r->arena, dependencies, from));
  add_rmw_write(r, s, instr, cell, read, desired, data);
  s->ctrl = ctrl;
  set_register(s, instr->reg, instr->returns_old ? expected : symbolic_constant(r->arena, 1),
               reads_union(r->arena, dependencies, from));
  s->pc++;
}

/* PTX's writes back what it read where that is not what was expected. */
static void cas_rewrites(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  const struct expr *expected = value_of(r, s, instr->expected), *desired = value_of(r, s, instr->value);
  const struct reads *data =
      reads_union(r->arena, dependencies_of(r, s, instr->expected), dependencies_of(r, s, instr->value));
  unsigned read = add_read(r, s, instr, cell);
  const struct expr *old = s->path.events[read].value;
  const struct reads *from = reads_one(r->arena, read);
  const struct expr *equal = symbolic_apply(r->arena, EXPR_EQ, old, expected, NULL);
  const struct expr *value = symbolic_apply(r->arena, EXPR_COND, equal, desired, old);
  add_rmw_write(r, s, instr, cell, read, value, reads_union(r->arena, data, from));
  set_register(s, instr->reg, old, from);
  s->pc++;
}

static void step_cas(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell,
                     struct cell at) {
  if (instr->rewrites) {
    cas_rewrites(r, s, instr, cell);
    return;
  }
  const struct reads *dependencies;
  const struct expr *expected = expected_value(r, s, instr, at, &dependencies);
  s->end = THREAD_OPEN;
  cas_fails(r, add_branch(r, s), instr, cell, at, expected);
  cas_succeeds(r, add_branch(r, s), instr, cell, expected, dependencies);
}

static void step_barrier(struct runner *r, struct thread_state *s, const struct instr *instr) {
  unsigned round = s->rounds[instr->barrier_label + 1]++;
  for (int exit = 0; exit <= 1; exit++) {
    struct path_event *e = add_event(r, s, EVENT_FENCE, instr);
    e->event.order = exit ? ORDER_ACQ : ORDER_REL;
    e->event.regions = instr->regions;
    e->event.barrier_entry = !exit;
    e->event.barrier_exit = exit;
    e->barrier_label = instr->barrier_label;
    e->barrier_round = round;
  }
}

/* Whether the thread passes is for the whole execution to say (meet.h). */
static void step_meet(struct runner *r, struct thread_state *s, const struct instr *instr) {
  struct path_event *e = add_event(r, s, EVENT_MEET, instr);
  e->event.meeting = instr->barrier_label;
  e->event.arrive = instr->arrive;
  e->event.has_resource = instr->resource;
  e->event.has_quorum = instr->quorum;
  e->resource = instr->resource ? value_of(r, s, instr->resource) : NULL;
  e->quorum = instr->quorum ? value_of(r, s, instr->quorum) : NULL;
  e->event.resource_known = !e->resource || e->resource->kind == EXPR_CONST;
  if (e->resource && e->resource->kind == EXPR_CONST) e->event.resource = e->resource->value;
  e->event.quorum_known = !e->quorum || e->quorum->kind == EXPR_CONST;
  if (e->quorum && e->event.quorum_known) e->event.quorum = e->quorum->value;
}

/* The kernel's body follows; on its own, it does not hold up what is behind it. */
static void step_call(struct runner *r, struct thread_state *s, const struct instr *instr) {
  struct path_event *e = add_event(r, s, EVENT_CALL, instr);
  e->event.kernel = s->kernel = instr->kernel;
  s->launch = e->event.po_index + 1;
  s->host_ctrl = s->ctrl;
}

static void step_return(struct thread_state *s) {
  s->launch = s->kernel = 0;
  s->ctrl = s->host_ctrl;
}

static struct cell at_cell(unsigned location) {
  return (struct cell){(int)location, (int)location, &no_reads};
}

/* memset and memcpy, as the accesses that they stand for. */
static void step_fill(struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr *value = value_of(r, s, instr->value);
  const struct reads *data = dependencies_of(r, s, instr->value);
  for (unsigned i = 0; i < instr->address.size; i++)
    add_write(r, s, instr, at_cell(instr->address.base + i), value, data);
}

static void step_copy(struct runner *r, struct thread_state *s, const struct instr *instr) {
  for (unsigned i = 0; i < instr->address.size; i++) {
    unsigned read = add_read(r, s, instr, at_cell(instr->from.base + i));
    add_write(r, s, instr, at_cell(instr->address.base + i), s->path.events[read].value, reads_one(r->arena, read));
  }
}

/* Where an object may have been another's memory before, its cells start again at
 * zero: initial writes are of the first lifetime only. */
static void step_lifetime(struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct object *object = &r->program->objects[instr->object];
  bool begins = instr->kind == INSTR_ALLOC;
  add_event(r, s, begins ? EVENT_ALLOC : EVENT_FREE, instr)->event.object = instr->object + 1;
  for (unsigned i = 0; begins && object->freed && i < object->size; i++)
    add_write(r, s, instr, at_cell(object->base + i), symbolic_constant(r->arena, 0), &no_reads);
}

/* Takes a backward jump, unless the bound on it, which counts in `taken`, is met. */
static void take_jump(struct thread_state *s, unsigned target, unsigned *taken, unsigned most) {
  unsigned from = s->pc;
  if (taken[from] >= most) {
    s->end = THREAD_CUT;
    return;
  }
  taken[from]++;
  /* Loops inside this one start afresh. */
  memset(&s->taken[target], 0, (from - target) * sizeof s->taken[0]);
  memset(&s->failed[target], 0, (from - target) * sizeof s->failed[0]);
  s->pc = target;
}

static void jump_back(const struct runner *r, struct thread_state *s, unsigned target) {
  take_jump(s, target, s->taken, r->limits->unroll);
}

/* A jump back where failed rounds are told apart. */
static void await(const struct runner *r, struct thread_state *s, unsigned target) {
  const struct round *round = s->rounds_at[target];
  if (!round || !round_may_fail(round, r->thread, &s->path, s->dependencies)) {
    jump_back(r, s, target);
    return;
  }
  struct repeat repeat;
  if (rounds_fail(r->arena, s->rounds_at, target, &s->path, &repeat)) {
    make_room(r->arena, (void **)&s->path.repeats, &s->repeat_room, s->path.repeat_count, sizeof repeat);
    s->path.repeats[s->path.repeat_count++] = repeat;
  }
  unsigned most = await_most_rounds(r->program, r->thread_index, &s->path, round), least = r->limits->unroll;
  take_jump(s, target, s->failed, most + 1 > least ? most : least - 1);
}

/* A jump back where threads may stop: behind a round that brings the thread to
 * where it was, if it reads the same for ever, it goes round for ever. */
static void stop_or_go_on(const struct runner *r, struct thread_state *s, unsigned target) {
  const struct round *round = s->rounds_at[target];
  s->path.busy = true;
  if (!round || !round_is_idle(round, &s->path)) {
    jump_back(r, s, target);
    return;
  }
  s->end = THREAD_OPEN;
  struct thread_state *idle = add_branch(r, s), *busy = add_branch(r, s);
  idle->end = THREAD_IDLE;
  idle->path.round = round->first;
  busy->path.busy = false;
  for (unsigned reg = 0; reg < r->thread->reg_count && idle->end == THREAD_IDLE; reg++) {
    if (!round->live[reg] || round->registers[reg] == s->path.registers[reg]) continue;
    require(r, idle, symbolic_apply(r->arena, EXPR_EQ, round->registers[reg], s->path.registers[reg], NULL), true);
    busy->path.busy = true;
  }
  jump_back(r, busy, target);
}

static void jump(const struct runner *r, struct thread_state *s, unsigned target) {
  if (target > s->pc)
    s->pc = target;
  else if (r->limits->stops)
    stop_or_go_on(r, s, target);
  else if (r->limits->awaits)
    await(r, s, target);
  else
    jump_back(r, s, target);
}

/* At a control barrier: the thread goes on, or stops. */
static void fork_on_meeting(const struct runner *r, struct thread_state *s) {
  s->end = THREAD_OPEN;
  add_branch(r, s);
  add_branch(r, s)->end = THREAD_BLOCKED;
}

static void step_branch(const struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr *condition = value_of(r, s, instr->value);
  s->ctrl = reads_union(r->arena, s->ctrl, dependencies_of(r, s, instr->value));
  if (condition->kind == EXPR_CONST) {
    if (condition->value)
      s->pc++;
    else
      jump(r, s, instr->target);
    return;
  }
  s->end = THREAD_OPEN;
  struct thread_state *taken = add_branch(r, s);
  require(r, taken, condition, true);
  taken->pc++;
  struct thread_state *other = add_branch(r, s);
  require(r, other, condition, false);
  jump(r, other, instr->target);
}

/* One instruction that neither forks nor jumps. */
static bool step_plain(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  switch (instr->kind) {
    case INSTR_LOAD: {
      unsigned read = add_read(r, s, instr, cell);
      set_register(s, instr->reg, s->path.events[read].value, reads_one(r->arena, read));
      break;
    }
    case INSTR_STORE:
      add_write(r, s, instr, cell, value_of(r, s, instr->value), dependencies_of(r, s, instr->value));
      break;
    case INSTR_RMW:
      step_rmw(r, s, instr, cell);
      break;
    case INSTR_FENCE:
      add_event(r, s, EVENT_FENCE, instr)->event.regions = instr->regions;
      break;
    case INSTR_BARRIER:
      step_barrier(r, s, instr);
      break;
    case INSTR_MEET:
      step_meet(r, s, instr);
      break;
    case INSTR_MARK:
      add_event(r, s, EVENT_MARK, instr);
      break;
    case INSTR_ASSIGN:
      set_register(s, instr->reg, value_of(r, s, instr->value), dependencies_of(r, s, instr->value));
      break;
    case INSTR_CALL:
      step_call(r, s, instr);
      break;
    case INSTR_RETURN:
      step_return(s);
      break;
    case INSTR_SYNC:
      add_event(r, s, EVENT_SYNC, instr);
      break;
    case INSTR_ALLOC:
    case INSTR_FREE:
      step_lifetime(r, s, instr);
      break;
    case INSTR_FILL:
      step_fill(r, s, instr);
      break;
    case INSTR_COPY:
      step_copy(r, s, instr);
      break;
    default:
      return false;
  }
  s->pc++;
  return true;
}

static bool has_address(enum instr_kind kind) {
  return kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_RMW || kind == INSTR_CAS;
}

/* Does some expression that the instruction evaluates now divide by what is not
 * known to be other than zero?  Then forks have taken over, or the thread ends. */
static bool divides_badly(const struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr one = {.kind = EXPR_CONST, .value = 1}, quotient = {.kind = EXPR_DIV, .a = &one, .b = instr->value};
  bool by_value = instr->kind == INSTR_RMW && instr->op == RMW_DIV;
  const struct expr *evaluated[] = {instr->address.index, instr->expected_at.index,
                                    by_value ? &quotient : instr->value};
  if (s->divisions_checked) {
    s->divisions_checked = false;
    return false;
  }
  struct thread_state *last = s;
  for (unsigned i = 0; i < 3 && last->end != THREAD_UNDEFINED; i++)
    if (divides(evaluated[i])) last = guard_divisions(r, last, evaluated[i]);
  if (last != s) last->divisions_checked = true;
  return last != s || s->end != THREAD_RUNNING;
}

static void step(struct runner *r, struct thread_state *s) {
  const struct instr *instr = &r->thread->instrs[s->pc];
  struct cell cell = {-1, -1, &no_reads}, at = {-1, -1, &no_reads};
  if (divides_badly(r, s, instr)) return;
  if (has_address(instr->kind)) {
    resolve(r, s, &instr->address, 0, &cell);
    if (instr->alias) cell.name = (int)instr->alias - 1;
    if (s->end == THREAD_RUNNING && instr->kind == INSTR_CAS && instr->expected_in_memory)
      resolve(r, s, &instr->expected_at, 1, &at);
    if (s->end != THREAD_RUNNING) return;
    s->pinned[0] = s->pinned[1] = -1;
  }
  if (step_plain(r, s, instr, cell)) {
    if (r->limits->stops && instr->kind == INSTR_MEET && !instr->arrive) fork_on_meeting(r, s);
    return;
  }
  if (instr->kind == INSTR_CAS)
    step_cas(r, s, instr, cell, at);
  else if (instr->kind == INSTR_BRANCH)
    step_branch(r, s, instr);
  else
    jump(r, s, instr->target);
}

static bool run(struct runner *r, struct thread_state *s) {
  while (s->end == THREAD_RUNNING && !r->too_long) {
    if (s->rounds_at)
      rounds_note(r->arena, r->thread, s->rounds_at, s->pc, &s->path, s->dependencies, !r->limits->stops);
    if (s->pc < r->thread->instr_count)
      step(r, s);
    else
      s->end = THREAD_ENDED;
  }
  return !r->too_long;
}

/* ---- Entry ----------------------------------------------------------------- */

struct thread_state *thread_start(struct arena *arena, const struct program *program, unsigned thread,
                                  const struct path_limits *limits) {
  struct runner r = {arena, program, &program->threads[thread], thread, limits, false};
  struct thread_state *s = ARENA_NEW(arena, struct thread_state);
  s->path.registers = ARENA_ARRAY(arena, const struct expr *, r.thread->reg_count);
  s->path.identity = 1;
  s->dependencies = ARENA_ARRAY(arena, const struct reads *, r.thread->reg_count);
  s->taken = ARENA_ARRAY(arena, unsigned, r.thread->instr_count);
  s->failed = ARENA_ARRAY(arena, unsigned, r.thread->instr_count);
  s->rounds = ARENA_ARRAY(arena, unsigned, program->barrier_label_count + 1);
  s->ctrl = &no_reads;
  s->pinned[0] = s->pinned[1] = -1;
  if (limits->stops || limits->awaits) s->rounds_at = rounds_new(arena, r.thread);
  for (unsigned reg = 0; reg < r.thread->reg_count; reg++) {
    s->path.registers[reg] = symbolic_constant(arena, r.thread->reg_init[reg]);
    s->dependencies[reg] = &no_reads;
  }
  return run(&r, s) ? s : NULL;
}

struct thread_state *thread_resume(struct arena *arena, const struct program *program, unsigned thread,
                                   const struct path_limits *limits, const struct thread_state *open, unsigned branch) {
  struct runner r = {arena, program, &program->threads[thread], thread, limits, false};
  struct thread_state *s = copy_state(&r, open->branches.at[branch]);
  s->branches = open->branches.at[branch]->branches;
  return run(&r, s) ? s : NULL;
}

enum thread_end thread_end(const struct thread_state *state) {
  return state->end;
}

const struct path *thread_path(const struct thread_state *state) {
  return &state->path;
}

unsigned thread_branch_count(const struct thread_state *state) {
  return (unsigned)state->branches.count;
}

const struct path *thread_branch(const struct thread_state *state, unsigned branch) {
  return state->branches.at[branch]->end == THREAD_IMPOSSIBLE ? NULL : &state->branches.at[branch]->path;
}

/* ---- What a thread may still write ------------------------------------------ */

bool instr_writes(const struct program *program, const struct instr *instr, unsigned location) {
  if (instr->kind == INSTR_ALLOC) {
    const struct object *object = &program->objects[instr->object];
    return object->freed && location >= object->base && location < object->base + object->size;
  }
  bool whole = instr->kind == INSTR_FILL || instr->kind == INSTR_COPY;
  bool stores = whole || instr->kind == INSTR_STORE || instr->kind == INSTR_RMW || instr->kind == INSTR_CAS;
  const struct address *a = &instr->address, *e = &instr->expected_at;
  if (stores && location >= a->base && location < a->base + (a->index || whole ? a->size : 1)) return true;
  return instr->kind == INSTR_CAS && instr->writeback && instr->expected_in_memory && location >= e->base &&
         location < e->base + (e->index ? e->size : 1);
}

unsigned thread_position(const struct thread_state *state) {
  return state->pc;
}

struct event path_write(const struct program *program, unsigned thread, unsigned instr, unsigned location, bool back) {
  const struct thread *t = &program->threads[thread];
  const struct instr *from = &t->instrs[instr];
  struct event event = event_of(t, thread, from, EVENT_WRITE);
  event.location = (int)location;
  event.name = from->alias ? (int)from->alias - 1 : (int)location;
  event.regions = program->locations[location].region;
  event.rmw = !back && (from->kind == INSTR_RMW || from->kind == INSTR_CAS);
  if (back) make_ordinary(&event);
  return event;
}
