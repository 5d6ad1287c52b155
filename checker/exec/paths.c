/* Depth-first execution of one thread over symbolic values; see paths.h. */
#include "exec/paths.h"

#include <string.h>

#include "base/vec.h"

/* ---- Values that a location can hold ------------------------------------ */

enum { VALUES_LIMIT = 64, COMBINATIONS_LIMIT = 4096, ROUNDS_LIMIT = 24, READS_LIMIT = 4 };

struct value_set {
  unsigned count;
  bool any; /* more than the limit: anything */
  int64_t at[VALUES_LIMIT];
};

static bool value_set_add(struct value_set *set, int64_t value) {
  if (set->any) return false;
  for (unsigned i = 0; i < set->count; i++)
    if (set->at[i] == value) return false;
  if (set->count == VALUES_LIMIT)
    set->any = true;
  else
    set->at[set->count++] = value;
  return true;
}

/* ---- Sets of reads ------------------------------------------------------- */

/* Immutable, ascending; shared between states. */
struct reads {
  unsigned count;
  unsigned at[];
};

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

static const struct expr *constant(struct arena *arena, int64_t value) {
  struct expr *e = ARENA_NEW(arena, struct expr);
  *e = (struct expr){.kind = EXPR_CONST, .value = value};
  return e;
}

static const struct expr *variable(struct arena *arena, unsigned read) {
  struct expr *e = ARENA_NEW(arena, struct expr);
  *e = (struct expr){.kind = EXPR_REG, .reg = read};
  return e;
}

static const struct expr *apply(struct arena *arena, enum expr_kind kind, const struct expr *a,
                                const struct expr *b, const struct expr *c) {
  bool known = a->kind == EXPR_CONST && (!b || b->kind == EXPR_CONST) && (!c || c->kind == EXPR_CONST);
  if (known) return constant(arena, expr_apply(kind, a->value, b ? b->value : 0, c ? c->value : 0, NULL));
  struct expr *e = ARENA_NEW(arena, struct expr);
  *e = (struct expr){.kind = kind, .a = a, .b = b, .c = c};
  return e;
}

/* Replaces registers by what they hold. */
static const struct expr *substitute(struct arena *arena, const struct expr *e, const struct expr *const *registers) {
  if (e->kind == EXPR_CONST) return e;
  if (e->kind == EXPR_REG) return registers[e->reg];
  const struct expr *a = substitute(arena, e->a, registers);
  const struct expr *b = e->b ? substitute(arena, e->b, registers) : NULL;
  const struct expr *c = e->c ? substitute(arena, e->c, registers) : NULL;
  if (a == e->a && b == e->b && c == e->c) return e;
  return apply(arena, e->kind, a, b, c);
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

/* The reads of an expression, each once; false when there are more than
 * READS_LIMIT. */
static bool collect_reads(const struct expr *e, unsigned *reads, unsigned *count) {
  if (e->kind == EXPR_CONST) return true;
  if (e->kind == EXPR_REG) {
    for (unsigned i = 0; i < *count; i++)
      if (reads[i] == e->reg) return true;
    if (*count == READS_LIMIT) return false;
    reads[(*count)++] = e->reg;
    return true;
  }
  return collect_reads(e->a, reads, count) && (!e->b || collect_reads(e->b, reads, count)) &&
         (!e->c || collect_reads(e->c, reads, count));
}

/* ---- A thread on its way ------------------------------------------------- */

struct state {
  unsigned pc;
  const struct expr **registers;
  const struct reads **taint; /* by register: reads its value depends on */
  const struct reads *ctrl;
  unsigned launch, kernel;       /* in a kernel's body: as in struct event */
  const struct reads *host_ctrl; /* in a kernel's body: its caller's ctrl */
  unsigned *taken;  /* by instruction: times its backward jump was taken */
  unsigned *rounds; /* by barrier label + 1 */
  int64_t pinned[2]; /* this instruction's indices, once forked on: of `address`, of `expected_at`; -1: not yet */
  VEC(struct path_event) events;
  VEC(struct path_condition) conditions;
};

struct runner {
  struct arena *arena;
  const struct program *program;
  const struct thread *thread;
  unsigned thread_index;
  const struct path_limits *limits;
  const struct value_set *values; /* by location */
  VEC(struct path) paths;
  bool *cut;
  bool keep_cut; /* paths that the unrolling bound ends count: what they wrote lets others go further */
  enum paths_end end;
  /* Scratch for evaluation, by event of the path. */
  bool *known;
  int64_t *value;
};

static struct state *fork_state(const struct runner *r, const struct state *from) {
  struct arena *arena = r->arena;
  const struct thread *thread = r->thread;
  struct state *copy = ARENA_NEW(arena, struct state);
  *copy = *from;
  copy->registers = ARENA_ARRAY(arena, const struct expr *, thread->reg_count);
  copy->taint = ARENA_ARRAY(arena, const struct reads *, thread->reg_count);
  copy->taken = ARENA_ARRAY(arena, unsigned, thread->instr_count);
  copy->rounds = ARENA_ARRAY(arena, unsigned, r->program->barrier_label_count + 1);
  if (thread->reg_count) {
    memcpy(copy->registers, from->registers, thread->reg_count * sizeof *copy->registers);
    memcpy(copy->taint, from->taint, thread->reg_count * sizeof *copy->taint);
  }
  if (thread->instr_count) memcpy(copy->taken, from->taken, thread->instr_count * sizeof *copy->taken);
  memcpy(copy->rounds, from->rounds, (r->program->barrier_label_count + 1) * sizeof *copy->rounds);
  copy->events.at = NULL, copy->events.room = 0, copy->events.count = 0;
  copy->conditions.at = NULL, copy->conditions.room = 0, copy->conditions.count = 0;
  for (size_t i = 0; i < from->events.count; i++) *vec_push(arena, &copy->events) = from->events.at[i];
  for (size_t i = 0; i < from->conditions.count; i++) *vec_push(arena, &copy->conditions) = from->conditions.at[i];
  return copy;
}

/* Goes on with every combination of the values that reads[i ..] can hold;
 * `visit` returns false to stop. */
static bool combine(const struct runner *r, const struct state *s, const unsigned *reads, unsigned count,
                    bool (*visit)(void *context), void *context) {
  if (!count) return visit(context);
  const struct value_set *set = &r->values[s->events.at[reads[0]].event.location];
  r->known[reads[0]] = true;
  bool on = true;
  for (unsigned i = 0; on && i < set->count; i++) {
    r->value[reads[0]] = set->at[i];
    on = combine(r, s, reads + 1, count - 1, visit, context);
  }
  r->known[reads[0]] = false;
  return on;
}

/* Can every combination be tried?  Fills reads and count. */
static bool enumerable(const struct runner *r, const struct state *s, const struct expr *e, unsigned *reads,
                       unsigned *count) {
  *count = 0;
  if (!collect_reads(e, reads, count)) return false;
  unsigned combinations = 1;
  for (unsigned i = 0; i < *count; i++) {
    const struct value_set *set = &r->values[s->events.at[reads[i]].event.location];
    if (set->any) return false;
    combinations *= set->count;
    if (combinations > COMBINATIONS_LIMIT) return false;
  }
  return true;
}

struct feasibility {
  const struct runner *runner;
  const struct path_condition *condition;
  bool feasible;
};

static bool try_condition(void *context) {
  struct feasibility *f = context;
  int64_t value;
  if (path_value(f->condition->value, f->runner->known, f->runner->value, &value) &&
      (value != 0) == f->condition->nonzero)
    f->feasible = true;
  return !f->feasible;
}

/* Adds what must hold from here on; false when it cannot. */
static bool require(const struct runner *r, struct state *s, const struct expr *e, bool nonzero) {
  if (e->kind == EXPR_CONST) return (e->value != 0) == nonzero;
  struct path_condition condition = {e, nonzero};
  unsigned reads[READS_LIMIT], count;
  if (enumerable(r, s, e, reads, &count)) {
    struct feasibility f = {r, &condition, false};
    combine(r, s, reads, count, try_condition, &f);
    if (!f.feasible) return false;
  }
  *vec_push(r->arena, &s->conditions) = condition;
  return true;
}

static void finish(struct runner *r, const struct state *s, bool undefined) {
  if (r->paths.count == r->limits->max_paths) {
    r->end = PATHS_TOO_MANY;
    return;
  }
  *vec_push(r->arena, &r->paths) = (struct path){.events = s->events.at,
                                                 .event_count = (unsigned)s->events.count,
                                                 .conditions = s->conditions.at,
                                                 .condition_count = (unsigned)s->conditions.count,
                                                 .registers = s->registers,
                                                 .undefined = undefined};
}

/* Reads on which a source expression's value depends. */
static const struct reads *taint_of(const struct runner *r, const struct state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST) return &no_reads;
  if (e->kind == EXPR_REG) return s->taint[e->reg];
  const struct reads *taint = taint_of(r, s, e->a);
  taint = reads_union(r->arena, taint, taint_of(r, s, e->b));
  return reads_union(r->arena, taint, taint_of(r, s, e->c));
}

static const struct expr *value_of(const struct runner *r, const struct state *s, const struct expr *e) {
  return substitute(r->arena, e, s->registers);
}

/* The next event of the path, with what events of all kinds have. */
static struct path_event *add_event(struct runner *r, struct state *s, enum event_kind kind,
                                    const struct instr *instr) {
  if (s->events.count == r->limits->max_events) r->end = PATHS_TOO_LONG;
  struct path_event *e = vec_push(r->arena, &s->events);
  e->event = (struct event){.kind = kind,
                            .thread = (int)r->thread_index,
                            .po_index = (unsigned)s->events.count - 1,
                            .instr = (int)(instr - r->thread->instrs),
                            .location = -1,
                            .order = instr->order,
                            .scope = instr->scope,
                            .implicit_scope = instr->implicit_scope,
                            .remote = instr->remote,
                            .barrier_instance = -1,
                            .launch = s->launch,
                            .kernel = s->kernel};
  e->ctrl = s->ctrl->at;
  e->ctrl_count = s->ctrl->count;
  return e;
}

struct cell {
  int location;
  const struct reads *taint; /* of the index */
};

static void set_access(struct runner *r, struct path_event *e, struct cell cell, const struct reads *data) {
  e->event.location = cell.location;
  e->event.regions = r->program->locations[cell.location].region;
  e->addr = cell.taint->at;
  e->addr_count = cell.taint->count;
  e->data = data->at;
  e->data_count = data->count;
}

/* A read whose value is the variable named after it; returns its index. */
static unsigned add_read(struct runner *r, struct state *s, const struct instr *instr, struct cell cell) {
  struct path_event *e = add_event(r, s, EVENT_READ, instr);
  set_access(r, e, cell, &no_reads);
  e->value = variable(r->arena, e->event.po_index);
  return e->event.po_index;
}

static void add_write(struct runner *r, struct state *s, const struct instr *instr, struct cell cell,
                      const struct expr *value, const struct reads *data) {
  struct path_event *e = add_event(r, s, EVENT_WRITE, instr);
  set_access(r, e, cell, data);
  e->value = value;
}

/* The write half of a read-modify-write whose read half is event `read`. */
static void add_rmw_write(struct runner *r, struct state *s, const struct instr *instr, struct cell cell,
                          unsigned read, const struct expr *value, const struct reads *data) {
  add_write(r, s, instr, cell, value, data);
  s->events.at[read].event.rmw = true;
  s->events.at[s->events.count - 1].event.rmw = true;
}

static void set_register(struct state *s, int reg, const struct expr *value, const struct reads *taint) {
  if (reg == NO_REG) return;
  s->registers[reg] = value;
  s->taint[reg] = taint;
}

static void run(struct runner *r, struct state *s);

/* Division by what may be zero: that side is undefined.  Operands that C would
 * not evaluate are left alone: their value is then not used either. */
static bool guard_divisions(struct runner *r, struct state *s, const struct expr *e) {
  if (e->kind == EXPR_CONST || e->kind == EXPR_REG) return true;
  if (!guard_divisions(r, s, e->a)) return false;
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR || e->kind == EXPR_COND) return true;
  if (e->b && !guard_divisions(r, s, e->b)) return false;
  if (e->kind != EXPR_DIV && e->kind != EXPR_MOD) return true;
  const struct expr *divisor = value_of(r, s, e->b);
  struct state *zero = fork_state(r, s);
  if (require(r, zero, divisor, false)) finish(r, zero, true);
  return require(r, s, divisor, true);
}

/* Runs the rest of the thread once for each value that an unknown index can
 * have, and for an index outside the array. */
static void fork_on_index(struct runner *r, const struct state *s, const struct expr *index, unsigned size,
                          unsigned which) {
  struct arena *arena = r->arena;
  for (unsigned i = 0; i < size && r->end == PATHS_DONE; i++) {
    struct state *fork = fork_state(r, s);
    fork->pinned[which] = i;
    if (require(r, fork, apply(arena, EXPR_EQ, index, constant(arena, i), NULL), true)) run(r, fork);
  }
  struct state *outside = fork_state(r, s);
  const struct expr *low = apply(arena, EXPR_LT, index, constant(arena, 0), NULL);
  const struct expr *high = apply(arena, EXPR_GE, index, constant(arena, size), NULL);
  if (require(r, outside, apply(arena, EXPR_LOR, low, high, NULL), true)) finish(r, outside, true);
}

/* Finds the cell that an address names.  Returns false when this state ends
 * here: the index lies outside, or forks have taken over. */
static bool resolve(struct runner *r, struct state *s, const struct address *address, unsigned which,
                    struct cell *cell) {
  *cell = (struct cell){(int)address->base, &no_reads};
  if (!address->index) return true;
  if (!guard_divisions(r, s, address->index)) return false;
  cell->taint = taint_of(r, s, address->index);
  const struct expr *index = value_of(r, s, address->index);
  if (index->kind != EXPR_CONST && s->pinned[which] < 0) {
    fork_on_index(r, s, index, address->size, which);
    return false;
  }
  int64_t at = index->kind == EXPR_CONST ? index->value : s->pinned[which];
  bool inside = at >= 0 && at < (int64_t)address->size;
  if (inside)
    cell->location += (int)at;
  else
    finish(r, s, true);
  return inside;
}

static enum expr_kind rmw_kind(enum rmw_op op) {
  switch (op) {
    case RMW_ADD: return EXPR_ADD;
    case RMW_SUB: return EXPR_SUB;
    case RMW_OR: return EXPR_OR;
    case RMW_XOR: return EXPR_XOR;
    case RMW_AND: return EXPR_AND;
    default: return EXPR_CONST;
  }
}

static const struct expr *rmw_result(struct arena *arena, enum rmw_op op, const struct expr *old,
                                     const struct expr *operand) {
  switch (op) {
    case RMW_EXCHANGE:
      return operand;
    case RMW_MIN:
      return apply(arena, EXPR_COND, apply(arena, EXPR_LT, old, operand, NULL), old, operand);
    case RMW_MAX:
      return apply(arena, EXPR_COND, apply(arena, EXPR_GT, old, operand, NULL), old, operand);
    default:
      return apply(arena, rmw_kind(op), old, operand, NULL);
  }
}

static void step_rmw(struct runner *r, struct state *s, const struct instr *instr, struct cell cell) {
  const struct expr *operand = value_of(r, s, instr->value);
  const struct reads *data = taint_of(r, s, instr->value);
  unsigned read = add_read(r, s, instr, cell);
  const struct expr *old = s->events.at[read].value;
  const struct reads *from = reads_one(r->arena, read);
  const struct reads *into = instr->op == RMW_EXCHANGE ? data : reads_union(r->arena, data, from);
  add_rmw_write(r, s, instr, cell, read, rmw_result(r->arena, instr->op, old, operand), into);
  set_register(s, instr->reg, old, from);
}

/* The read of what is expected, for languages that keep it in memory.  It is
 * an ordinary access (the reference semantics: see the corpus' notes). */
static const struct expr *expected_value(struct runner *r, struct state *s, const struct instr *instr,
                                         struct cell at, const struct reads **taint) {
  if (!instr->expected_in_memory) {
    *taint = taint_of(r, s, instr->expected);
    return value_of(r, s, instr->expected);
  }
  unsigned read = add_read(r, s, instr, at);
  struct event *event = &s->events.at[read].event;
  event->order = ORDER_NA;
  event->scope = SCOPE_NONE;
  event->implicit_scope = event->remote = false;
  *taint = reads_one(r->arena, read);
  return s->events.at[read].value;
}

static void cas_fails(struct runner *r, struct state *s, const struct instr *instr, struct cell cell, struct cell at,
                      const struct expr *expected) {
  unsigned read = add_read(r, s, instr, cell);
  s->events.at[read].event.order = instr->failure;
  const struct expr *seen = s->events.at[read].value;
  if (!instr->weak && !require(r, s, apply(r->arena, EXPR_NE, seen, expected, NULL), true)) return;
  const struct reads *from = reads_one(r->arena, read);
  if (instr->writeback && instr->expected_in_memory) {
    add_write(r, s, instr, at, seen, from);
    struct event *event = &s->events.at[s->events.count - 1].event;
    event->order = ORDER_NA;
    event->scope = SCOPE_NONE;
    event->implicit_scope = event->remote = false;
  }
  set_register(s, instr->reg, instr->returns_old ? seen : constant(r->arena, 0), from);
  s->pc++;
  run(r, s);
}

/* Success and failure are two paths.  On success the value read is the value
 * expected, not a variable: a cycle of values that only passes through the
 * comparison is no cycle (as herd unifies the two). */
static void step_cas(struct runner *r, struct state *s, const struct instr *instr, struct cell cell, struct cell at) {
  const struct reads *taint;
  const struct expr *expected = expected_value(r, s, instr, at, &taint);
  cas_fails(r, fork_state(r, s), instr, cell, at, expected);
  const struct expr *desired = value_of(r, s, instr->value);
  const struct reads *data = taint_of(r, s, instr->value);
  unsigned read = add_read(r, s, instr, cell);
  const struct reads *from = reads_one(r->arena, read);
  if (!require(r, s, apply(r->arena, EXPR_EQ, s->events.at[read].value, expected, NULL), true)) return;
  s->events.at[read].value = expected;
  const struct reads *ctrl = s->ctrl;
  s->ctrl = reads_union(r->arena, ctrl, reads_union(r->arena, taint, from));
  add_rmw_write(r, s, instr, cell, read, desired, data);
  s->ctrl = ctrl;
  set_register(s, instr->reg, instr->returns_old ? expected : constant(r->arena, 1),
               reads_union(r->arena, taint, from));
  s->pc++;
  run(r, s);
}

static void step_barrier(struct runner *r, struct state *s, const struct instr *instr) {
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

/* The kernel's body follows; on its own, it does not hold up what is behind it. */
static void step_call(struct runner *r, struct state *s, const struct instr *instr) {
  struct path_event *e = add_event(r, s, EVENT_CALL, instr);
  e->event.kernel = s->kernel = instr->kernel;
  s->launch = e->event.po_index + 1;
  s->host_ctrl = s->ctrl;
}

static void step_return(struct state *s) {
  s->launch = s->kernel = 0;
  s->ctrl = s->host_ctrl;
}

/* memset and memcpy, as the accesses that they stand for. */
static void step_fill(struct runner *r, struct state *s, const struct instr *instr) {
  const struct expr *value = value_of(r, s, instr->value);
  const struct reads *data = taint_of(r, s, instr->value);
  for (unsigned i = 0; i < instr->address.size; i++)
    add_write(r, s, instr, (struct cell){(int)(instr->address.base + i), &no_reads}, value, data);
}

static void step_copy(struct runner *r, struct state *s, const struct instr *instr) {
  for (unsigned i = 0; i < instr->address.size; i++) {
    unsigned read = add_read(r, s, instr, (struct cell){(int)(instr->from.base + i), &no_reads});
    add_write(r, s, instr, (struct cell){(int)(instr->address.base + i), &no_reads}, s->events.at[read].value,
              reads_one(r->arena, read));
  }
}

static void step_lifetime(struct runner *r, struct state *s, const struct instr *instr) {
  add_event(r, s, instr->kind == INSTR_ALLOC ? EVENT_ALLOC : EVENT_FREE, instr)->event.object = instr->object + 1;
}

/* Takes a jump; false when the bound on a backward one is met. */
static bool jump(struct runner *r, struct state *s, unsigned target) {
  unsigned from = s->pc;
  if (target <= from) {
    if (s->taken[from] == r->limits->unroll) {
      *r->cut = true;
      if (r->keep_cut) finish(r, s, false);
      return false;
    }
    s->taken[from]++;
    /* Loops inside this one start afresh. */
    memset(&s->taken[target], 0, (from - target) * sizeof s->taken[0]);
  }
  s->pc = target;
  return true;
}

static void step_branch(struct runner *r, struct state *s, const struct instr *instr) {
  if (!guard_divisions(r, s, instr->value)) return;
  const struct expr *condition = value_of(r, s, instr->value);
  s->ctrl = reads_union(r->arena, s->ctrl, taint_of(r, s, instr->value));
  if (condition->kind == EXPR_CONST) {
    if (condition->value)
      s->pc++;
    else if (!jump(r, s, instr->target))
      return;
    run(r, s);
    return;
  }
  struct state *other = fork_state(r, s);
  if (require(r, s, condition, true)) {
    s->pc++;
    run(r, s);
  }
  if (require(r, other, condition, false) && jump(r, other, instr->target)) run(r, other);
}

/* One instruction that neither forks nor jumps. */
static bool step_plain(struct runner *r, struct state *s, const struct instr *instr, struct cell cell) {
  switch (instr->kind) {
    case INSTR_LOAD: {
      unsigned read = add_read(r, s, instr, cell);
      set_register(s, instr->reg, s->events.at[read].value, reads_one(r->arena, read));
      break;
    }
    case INSTR_STORE:
      add_write(r, s, instr, cell, value_of(r, s, instr->value), taint_of(r, s, instr->value));
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
    case INSTR_ASSIGN:
      set_register(s, instr->reg, value_of(r, s, instr->value), taint_of(r, s, instr->value));
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

/* Runs to the end of the thread; forks recurse. */
static void run(struct runner *r, struct state *s) {
  while (r->end == PATHS_DONE) {
    if (s->pc >= r->thread->instr_count) {
      finish(r, s, false);
      return;
    }
    const struct instr *instr = &r->thread->instrs[s->pc];
    struct cell cell = {-1, &no_reads}, at = {-1, &no_reads};
    if (has_address(instr->kind)) {
      if (!resolve(r, s, &instr->address, 0, &cell)) return;
      if (instr->kind == INSTR_CAS && instr->expected_in_memory && !resolve(r, s, &instr->expected_at, 1, &at)) return;
      s->pinned[0] = s->pinned[1] = -1;
      if (instr->value && !guard_divisions(r, s, instr->value)) return;
    } else if ((instr->kind == INSTR_ASSIGN || instr->kind == INSTR_FILL) && !guard_divisions(r, s, instr->value)) {
      return;
    }
    if (step_plain(r, s, instr, cell)) continue;
    if (instr->kind == INSTR_CAS) {
      step_cas(r, s, instr, cell, at);
      return;
    }
    if (instr->kind == INSTR_BRANCH) {
      step_branch(r, s, instr);
      return;
    }
    if (!jump(r, s, instr->target)) return;
  }
}

static struct state *initial_state(const struct runner *r) {
  struct state *s = ARENA_NEW(r->arena, struct state);
  s->registers = ARENA_ARRAY(r->arena, const struct expr *, r->thread->reg_count);
  s->taint = ARENA_ARRAY(r->arena, const struct reads *, r->thread->reg_count);
  s->taken = ARENA_ARRAY(r->arena, unsigned, r->thread->instr_count);
  s->rounds = ARENA_ARRAY(r->arena, unsigned, r->program->barrier_label_count + 1);
  s->ctrl = &no_reads;
  s->pinned[0] = s->pinned[1] = -1;
  for (unsigned reg = 0; reg < r->thread->reg_count; reg++) {
    s->registers[reg] = constant(r->arena, r->thread->reg_init[reg]);
    s->taint[reg] = &no_reads;
  }
  return s;
}

static enum paths_end run_thread(struct arena *arena, const struct program *program, unsigned thread,
                                 const struct path_limits *limits, const struct value_set *values, bool keep_cut,
                                 struct paths *out, bool *cut) {
  struct runner r = {.arena = arena,
                     .program = program,
                     .thread = &program->threads[thread],
                     .thread_index = thread,
                     .limits = limits,
                     .values = values,
                     .cut = cut,
                     .keep_cut = keep_cut,
                     .known = ARENA_ARRAY(arena, bool, limits->max_events + 4),
                     .value = ARENA_ARRAY(arena, int64_t, limits->max_events + 4)};
  run(&r, initial_state(&r));
  *out = (struct paths){r.paths.at, r.paths.count};
  return r.end;
}

/* ---- The fixpoint over values -------------------------------------------- */

struct harvest {
  const struct runner *runner;
  const struct path *path;
  const struct expr *value;
  struct value_set *into;
  bool grew;
};

/* One combination of read values: if it agrees with the path's conditions that
 * it decides, the value written can occur. */
static bool harvest_value(void *context) {
  struct harvest *h = context;
  const struct runner *r = h->runner;
  int64_t value;
  for (unsigned i = 0; i < h->path->condition_count; i++) {
    const struct path_condition *c = &h->path->conditions[i];
    if (path_value(c->value, r->known, r->value, &value) && (value != 0) != c->nonzero) return true;
  }
  if (path_value(h->value, r->known, r->value, &value)) h->grew |= value_set_add(h->into, value);
  return true;
}

static bool harvest_path(const struct runner *r, const struct path *path, struct value_set *next) {
  bool grew = false;
  struct state s = {.events = {path->events, path->event_count, path->event_count}};
  for (unsigned i = 0; i < path->event_count; i++) {
    const struct path_event *e = &path->events[i];
    if (e->event.kind != EVENT_WRITE) continue;
    struct harvest h = {r, path, e->value, &next[e->event.location], false};
    unsigned reads[READS_LIMIT], count;
    if (enumerable(r, &s, e->value, reads, &count)) {
      combine(r, &s, reads, count, harvest_value, &h);
    } else if (!h.into->any) {
      h.into->any = true;
      h.grew = true;
    }
    grew |= h.grew;
  }
  return grew;
}

/* Can a value decide where control goes? */
static bool forks(const struct program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      if (instr->kind == INSTR_BRANCH || instr->kind == INSTR_CAS || instr->address.index) return true;
    }
  return false;
}

/* Constants that are stored, whether or not control can get there: a store may
 * be what makes the branch to it be taken (load buffering with control
 * dependencies), which the model judges, and not this fixpoint. */
static void seed_constants(const struct program *program, struct value_set *values) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      bool stores = instr->kind == INSTR_STORE || instr->kind == INSTR_CAS ||
                    (instr->kind == INSTR_RMW && instr->op == RMW_EXCHANGE);
      if (!stores || !instr->value || instr->value->kind != EXPR_CONST) continue;
      for (unsigned x = 0; x < (instr->address.index ? instr->address.size : 1); x++)
        value_set_add(&values[instr->address.base + x], instr->value->value);
    }
}

static enum paths_end values_of_program(struct arena *arena, const struct program *program,
                                        const struct path_limits *limits, struct value_set *values) {
  for (unsigned x = 0; x < program->location_count; x++) value_set_add(&values[x], program->locations[x].init);
  seed_constants(program, values);
  for (unsigned round = 0;; round++) {
    struct value_set *next = ARENA_ARRAY(arena, struct value_set, program->location_count);
    memcpy(next, values, program->location_count * sizeof *next);
    bool grew = false;
    for (unsigned t = 0; t < program->thread_count; t++) {
      struct paths paths;
      bool cut = false;
      enum paths_end end = run_thread(arena, program, t, limits, values, true, &paths, &cut);
      if (end != PATHS_DONE) return end;
      struct runner r = {.values = values,
                         .known = ARENA_ARRAY(arena, bool, limits->max_events + 4),
                         .value = ARENA_ARRAY(arena, int64_t, limits->max_events + 4)};
      for (size_t i = 0; i < paths.count; i++) grew |= harvest_path(&r, &paths.at[i], next);
    }
    if (!grew) return PATHS_DONE;
    /* Values that keep growing (a counter in a loop of threads) are left open. */
    for (unsigned x = 0; x < program->location_count; x++)
      if (round >= ROUNDS_LIMIT && (next[x].count != values[x].count || next[x].any)) next[x].any = true;
    memcpy(values, next, program->location_count * sizeof *next);
  }
}

enum paths_end paths_of_program(struct arena *arena, const struct program *program,
                                const struct path_limits *limits, struct paths *out, bool *cut) {
  struct value_set *values = ARENA_ARRAY(arena, struct value_set, program->location_count);
  *cut = false;
  if (forks(program)) {
    enum paths_end end = values_of_program(arena, program, limits, values);
    if (end != PATHS_DONE) return end;
  } else {
    for (unsigned x = 0; x < program->location_count; x++) values[x].any = true;
  }
  for (unsigned t = 0; t < program->thread_count; t++) {
    enum paths_end end = run_thread(arena, program, t, limits, values, false, &out[t], cut);
    if (end != PATHS_DONE) return end;
  }
  return PATHS_DONE;
}
