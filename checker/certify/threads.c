/* SPDX-License-Identifier: MIT */
/* Threads, run with unknown read values: what a load returns is a variable, named
 * by the thread's event that reads.  Where it matters for control (a branch, the
 * outcome of a compare-and-swap, an index), the thread forks, and each way to go on
 * keeps what must hold on it.  A backward jump is taken so often as the certificate
 * says, and no more: then the thread is cut.
 */
#include <assert.h>
#include <string.h>

#include "checker/certify/certify.h"

enum { MOST_STEPS = 20000, MOST_CONDITIONS = 200, MOST_VALUE_SIZE = 1000 };

/* ---- Values ------------------------------------------------------------------------------ */

int64_t apply(enum operator_ op, int64_t a, int64_t b, int64_t c) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
    case E_ADD:
      return (int64_t)(x + y);
    case E_SUB:
      return (int64_t)(x - y);
    case E_MUL:
      return (int64_t)(x * y);
    case E_DIV:
      return b == 0 ? 0 : b == -1 ? (int64_t)(0 - x) : a / b;
    case E_MOD:
      return b == 0 || b == -1 ? 0 : a % b;
    case E_AND:
      return (int64_t)(x & y);
    case E_OR:
      return (int64_t)(x | y);
    case E_XOR:
      return (int64_t)(x ^ y);
    case E_SHL:
      return (int64_t)(x << (y & 63));
    case E_SHR:
      return a >> (y & 63);
    case E_EQ:
      return a == b;
    case E_NE:
      return a != b;
    case E_LT:
      return a < b;
    case E_LE:
      return a <= b;
    case E_GT:
      return a > b;
    case E_GE:
      return a >= b;
    case E_LAND:
      return a && b;
    case E_LOR:
      return a || b;
    case E_UDIV:
      return y == 0 ? 0 : (int64_t)(x / y);
    case E_UMOD:
      return y == 0 ? 0 : (int64_t)(x % y);
    case E_ULT:
      return x < y;
    case E_NEG:
      return (int64_t)(0 - x);
    case E_NOT:
      return (int64_t)~x;
    case E_LNOT:
      return !a;
    case E_COND:
      return a ? b : c;
    default:
      return a;
  }
}

static const struct expr *constant(int64_t value) {
  struct expr *e = make(sizeof *e);
  e->value = value;
  return e;
}

static bool same(const struct expr *a, const struct expr *b) {
  if (a == b) return true;
  if (!a || !b || a->op != b->op || a->value != b->value || a->reg != b->reg) return false;
  return same(a->a, b->a) && same(a->b, b->b) && same(a->c, b->c);
}

static unsigned size_of(const struct expr *e, unsigned most) {
  unsigned size = 1;
  const struct expr *operands[] = {e->a, e->b, e->c};
  for (unsigned i = 0; i < 3 && operands[i] && size < most; i++) size += size_of(operands[i], most - size);
  return size;
}

/* The laws that decide whether a value depends on a read at all (r ^ r does not);
 * NULL: none applies. */
static const struct expr *simplify(enum operator_ op, const struct expr *a, const struct expr *b,
                                   const struct expr *c) {
  bool twice = b && same(a, b), left = b && !a->op && !a->value, right = b && !b->op && !b->value;
  bool commutes = op == E_ADD || op == E_MUL || op == E_AND || op == E_OR || op == E_XOR || op == E_LAND;
  const struct expr *other = right ? a : b;
  if (op == E_COND) return !a->op ? (a->value ? b : c) : same(b, c) ? b : NULL;
  if (twice && (op == E_SUB || op == E_XOR || op == E_NE || op == E_LT || op == E_GT || op == E_ULT))
    return constant(0);
  if (twice && (op == E_EQ || op == E_LE || op == E_GE)) return constant(1);
  if (twice) return op == E_AND || op == E_OR ? a : NULL;
  if (right || (left && commutes)) {
    if (op == E_MUL || op == E_AND || op == E_LAND) return constant(0);
    if (op == E_ADD || op == E_OR || op == E_XOR || (right && (op == E_SUB || op == E_SHL || op == E_SHR)))
      return other;
    return NULL;
  }
  if (op == E_MUL && !b->op && b->value == 1) return a;
  return op == E_MUL && !a->op && a->value == 1 ? b : NULL;
}

static const struct expr *build(enum operator_ op, const struct expr *a, const struct expr *b, const struct expr *c) {
  bool divides = op == E_DIV || op == E_MOD || op == E_UDIV || op == E_UMOD;
  assert(b || (!divides && op != E_MUL));
  if (divides && (b->op || !b->value)) bad(NULL, "a division by zero, or by what is not constant");
  if (!a->op && (!b || !b->op) && (!c || !c->op))
    return constant(apply(op, a->value, b ? b->value : 0, c ? c->value : 0));
  const struct expr *simple = simplify(op, a, b, c);
  if (simple) return simple;
  struct expr *e = make(sizeof *e);
  *e = (struct expr){.op = op, .a = a, .b = b, .c = c};
  if (size_of(e, MOST_VALUE_SIZE + 1) > MOST_VALUE_SIZE) bad(NULL, "the values of a thread grow too large");
  return e;
}

static const struct expr *value_in(const struct run *r, const struct expr *e) {
  assert(e);
  if (e->op == E_CONST) return e;
  if (e->op == E_REG) return r->regs[e->reg];
  const struct expr *a = value_in(r, e->a), *b = e->b ? value_in(r, e->b) : NULL;
  return build(e->op, a, b, e->c ? value_in(r, e->c) : NULL);
}

/* Reads that an expression depends on. */
static mask deps_in(const struct run *r, const struct expr *e) {
  if (!e || e->op == E_CONST) return 0;
  return e->op == E_REG ? r->deps[e->reg] : deps_in(r, e->a) | deps_in(r, e->b) | deps_in(r, e->c);
}

/* ---- Going on ------------------------------------------------------------------------------ */

static void *copy(const void *from, size_t size) {
  return memcpy(make(size + 1), from, size);
}

static struct run *copy_run(const struct program *p, const struct thread *t, const struct run *from) {
  struct run *r = copy(from, sizeof *from);
  r->conditions = copy(from->conditions, MOST_CONDITIONS * sizeof *r->conditions);
  r->regs = copy(from->regs, t->reg_count * sizeof *r->regs);
  r->deps = copy(from->deps, t->reg_count * sizeof *r->deps);
  r->hangs = copy(from->hangs, t->reg_count * sizeof *r->hangs);
  r->arms = copy(from->arms, t->instr_count * sizeof *r->arms);
  r->begun = copy(from->begun, t->instr_count * sizeof *r->begun);
  r->taken = copy(from->taken, t->instr_count * sizeof *r->taken);
  r->rounds = copy(from->rounds, p->label_count * sizeof *r->rounds);
  r->branches = NULL;
  r->branch_count = 0;
  r->end = RUNNING;
  return r;
}

static struct run *add_branch(const struct program *p, const struct thread *t, struct run *r) {
  if (!r->branches) r->branches = make((p->location_count + 3) * sizeof *r->branches);
  r->end = OPEN;
  return r->branches[r->branch_count++] = copy_run(p, t, r);
}

static void require(struct run *r, const struct expr *e, bool nonzero) {
  if (e->op == E_CONST) {
    if ((e->value != 0) != nonzero) r->end = IMPOSSIBLE;
    return;
  }
  if (r->condition_count == MOST_CONDITIONS) bad(NULL, "a thread branches too often");
  r->conditions[r->condition_count++] = (struct condition){e, nonzero};
}

struct place {
  int location, name;
  mask deps;
};

static struct event *add_event(struct run *r, enum event_kind kind, mask words, const struct place *at) {
  static const mask KIND[] = {BIT(W_R) | BIT(W_M), BIT(W_W) | BIT(W_M), BIT(W_F), 0, 0};
  if (r->count == MOST_EVENTS) bad(NULL, "a thread has more than %d events", MOST_EVENTS);
  struct event *e = &r->events[r->count++];
  *e = (struct event){
      .kind = kind, .words = words | BIT(W_ALL) | KIND[kind], .ctrl = r->ctrl, .location = -1, .name = -1, .label = -1};
  if (at) e->location = at->location, e->name = at->name, e->addr = at->deps;
  return e;
}

/* The next event, as one of a set; add_event sees to it that there is room. */
static mask next_bit(const struct run *r) {
  return BIT(r->count % MOST_EVENTS);
}

/* A read whose value is the variable named after it. */
static const struct expr *add_read(struct run *r, mask words, const struct place *at) {
  struct expr *e = make(sizeof *e);
  *e = (struct expr){.op = E_REG, .reg = r->count};
  struct event *event = add_event(r, EV_READ, words, at);
  event->own = true;
  return event->value = e;
}

static void add_write(struct run *r, mask words, const struct place *at, const struct expr *value, mask data) {
  struct event *event = add_event(r, EV_WRITE, words, at);
  event->value = value;
  event->data = data;
}

/* The write half of a read-modify-write, right after its read. */
static void add_rmw(struct run *r, mask words, const struct place *at, const struct expr *value, mask data) {
  struct event *read = &r->events[r->count - 1];
  read->rmw = true;
  read->words |= BIT(W_RMW);
  add_write(r, words | BIT(W_RMW), at, value, data);
  r->events[r->count - 1].rmw = true;
}

static void set(struct run *r, int reg, const struct expr *value, mask deps) {
  if (reg < 0) return;
  r->regs[reg] = value;
  r->deps[reg] = deps;
  r->hangs[reg] = deps | r->hidden;
}

/* The cell of an access; an unknown index forks, one way for each cell and one for
 * what lies outside. */
static bool resolve(const struct program *p, const struct thread *t, struct run *r, const struct cell *cell,
                    unsigned which, struct place *at) {
  *at = (struct place){(int)cell->base, (int)cell->base, deps_in(r, cell->index)};
  if (cell->index) {
    const struct expr *index = value_in(r, cell->index);
    if (index->op != E_CONST && r->pinned[which] < 0) {
      for (unsigned i = 0; i < cell->size; i++) {
        struct run *branch = add_branch(p, t, r);
        branch->pinned[which] = i;
        require(branch, build(E_EQ, index, constant(i), NULL), true);
      }
      struct run *outside = add_branch(p, t, r);
      const struct expr *low = build(E_LT, index, constant(0), NULL),
                        *high = build(E_GE, index, constant(cell->size), NULL);
      require(outside, build(E_LOR, low, high, NULL), true);
      outside->end = UNDEFINED;
      return false;
    }
    int64_t i = index->op ? r->pinned[which] : index->value;
    if (i < 0 || i >= (int64_t)cell->size) return r->end = UNDEFINED, false;
    at->name = at->location += (int)i;
  }
  if (cell->name >= 0) at->name = cell->name;
  return true;
}

static const struct expr *fit(const struct instr *in, const struct expr *value) {
  if (!in->bits) return value;
  if (in->bits == 1) return build(E_NE, value, constant(0), NULL);
  const struct expr *shift = constant(64 - (int64_t)in->bits);
  if (in->is_signed) return build(E_SHR, build(E_SHL, value, shift, NULL), shift, NULL);
  return build(E_AND, value, constant(((int64_t)1 << in->bits) - 1), NULL);
}

static void step_rmw(struct run *r, const struct instr *in, const struct place *at) {
  const struct expr *operand = value_in(r, in->value), *result = operand;
  mask data = deps_in(r, in->value), own = next_bit(r);
  const struct expr *old = add_read(r, in->read, at);
  bool least = in->op == OP_MIN || in->op == OP_UMIN;
  if (chooses(in->op))
    result =
        build(E_COND, least ? build(less_of(in->op), old, operand, NULL) : build(less_of(in->op), operand, old, NULL),
              old, operand);
  else if (in->op != OP_EXCHANGE)
    result = build((enum operator_)in->op, old, operand, NULL);
  add_rmw(r, in->write, at, fit(in, result), in->op == OP_EXCHANGE ? data : data | own);
  set(r, in->reg, old, own);
}

static void cas_fails(struct run *r, const struct instr *in, const struct place *at, const struct place *expected_at,
                      const struct expr *expected) {
  mask own = next_bit(r);
  const struct expr *seen = add_read(r, in->fail, at);
  if (!in->weak) require(r, build(E_NE, seen, expected, NULL), true);
  if (in->writes_back) add_write(r, in->ordinary, expected_at, seen, own);
  set(r, in->reg, in->returns_old ? seen : constant(0), own);
  r->pc++;
}

/* On success the value read is what was expected, and no variable. */
static void cas_succeeds(struct run *r, const struct instr *in, const struct place *at, const struct expr *expected,
                         mask deps) {
  const struct expr *desired = value_in(r, in->value);
  mask data = deps_in(r, in->value), ctrl = r->ctrl, own = next_bit(r);
  require(r, build(E_EQ, add_read(r, in->read, at), expected, NULL), true);
  r->events[r->count - 1].value = expected;
  r->events[r->count - 1].own = false;
  r->ctrl |= deps | own;
  add_rmw(r, in->write, at, desired, data);
  r->ctrl = ctrl;
  set(r, in->reg, in->returns_old ? expected : constant(1), deps | own);
  r->pc++;
}

static void step_cas(const struct program *p, const struct thread *t, struct run *r, const struct instr *in,
                     const struct place *at, const struct place *expected_at) {
  if (!in->rewrites) { /* what it expects is read before it is known which way it goes */
    mask deps = in->expected ? deps_in(r, in->expected) : next_bit(r);
    const struct expr *expected = in->expected ? value_in(r, in->expected) : add_read(r, in->ordinary, expected_at);
    cas_fails(add_branch(p, t, r), in, at, expected_at, expected);
    cas_succeeds(add_branch(p, t, r), in, at, expected, deps);
    return;
  }
  const struct expr *expected = value_in(r, in->expected), *desired = value_in(r, in->value);
  mask data = deps_in(r, in->expected) | deps_in(r, in->value), own = next_bit(r);
  const struct expr *old = add_read(r, in->read, at);
  add_rmw(r, in->write, at, build(E_COND, build(E_EQ, old, expected, NULL), desired, old), data | own);
  set(r, in->reg, old, own);
  r->pc++;
}

static void step_barrier(struct run *r, const struct instr *in) {
  unsigned round = r->rounds[in->label]++;
  for (int exit = 0; exit < 2; exit++) {
    struct event *e = add_event(r, EV_FENCE, exit ? in->write : in->read, NULL);
    e->label = (int)in->label;
    e->round = (int)round;
  }
}

static void step_meet(struct run *r, const struct instr *in) {
  struct event *e = add_event(r, EV_MEET, in->read, NULL);
  e->meets = in;
  if (in->resource) e->resource = value_in(r, in->resource);
  if (in->quorum) e->quorum = value_in(r, in->quorum);
}

static void jump(const struct program *p, struct run *r, unsigned target) {
  if (target > r->pc) {
    r->pc = target;
  } else if (r->taken[r->pc] >= p->unroll) {
    r->end = CUT;
  } else {
    r->taken[r->pc]++;
    memset(&r->taken[target], 0, (r->pc - target) * sizeof *r->taken); /* loops inside start afresh */
    r->pc = target;
  }
}

static mask hangs_in(const struct run *r, const struct expr *e) {
  if (!e || e->op == E_CONST) return 0;
  return e->op == E_REG ? r->hangs[e->reg] : hangs_in(r, e->a) | hangs_in(r, e->b) | hangs_in(r, e->c);
}

static void step_assign(struct run *r, const struct instr *in) {
  mask hangs = hangs_in(r, in->value);
  set(r, in->reg, value_in(r, in->value), deps_in(r, in->value));
  if (in->reg >= 0) r->hangs[in->reg] |= hangs;
}

/* ---- Arms ----------------------------------------------------------------------------------- */

/* The instruction after which a branch decides nothing: of those that every way from
 * it to the end passes, the one that still has all the others before it. */
void find_joins(struct thread *t) {
  unsigned n = t->instr_count + 1;
  size_t mark = memory_mark();
  bool *passed = make((size_t)n * n * sizeof *passed); /* row: from there */
  memset(passed, true, (size_t)n * n * sizeof *passed);
  for (unsigned i = 0; i < n - 1; i++) passed[(n - 1) * n + i] = false;
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned i = n - 1; i-- > 0;) {
      const struct instr *in = &t->instrs[i];
      unsigned next = in->kind == I_JUMP ? in->target : i + 1, other = in->kind == I_BRANCH ? in->target : next;
      for (unsigned j = 0; j < n; j++) {
        bool now = i == j || (passed[next * n + j] && passed[other * n + j]);
        moved |= now != passed[i * n + j];
        passed[i * n + j] = now;
      }
    }
  }
  unsigned *after = make(n * sizeof *after);
  for (size_t k = 0; k < (size_t)n * n; k++) after[k / n] += passed[k];
  for (unsigned i = 0; i < n - 1; i++) {
    unsigned join = n - 1;
    for (unsigned j = 0; j < n - 1; j++)
      if (j != i && passed[i * n + j] && !passed[j * n + i] && after[j] > after[join]) join = j;
    t->instrs[i].join = join;
  }
  memory_drop(mark);
}

/* Its own reads that the condition hands on to others: as an address, or as what a
 * read-modify-write takes, which C has as one event. */
static mask handed_on(const struct run *r, unsigned first) {
  mask all = 0;
  for (unsigned i = first; i < r->count; i++) {
    const struct event *e = &r->events[i];
    if (e->kind == EV_READ) all |= e->addr;
    if (e->kind == EV_WRITE && e->rmw) all |= e->addr | (e->data & ~BIT(i - 1));
  }
  return all & ~(BIT(first % MOST_EVENTS) - 1);
}

/* Those around others meet later: there are no more of them than instructions. */
static void enter_arms(struct run *r, const struct instr *in) {
  mask named = 0, own = 0;
  unsigned first = r->begun[in->first];
  for (unsigned i = 0; i < in->named_count; i++) named |= r->hangs[in->named[i]];
  for (unsigned i = first; i < r->count; i++)
    if (r->events[i].kind == EV_READ) own |= BIT(i);
  if (!r->depth || r->arms[r->depth - 1].join != in->join)
    r->arms[r->depth++] = (struct arms){in->join, r->ctrl, r->hidden};
  r->ctrl |= named | own;
  r->hidden |= named | (first < r->count ? handed_on(r, first) : 0);
}

static void leave_arms(struct run *r) {
  for (; r->depth && r->arms[r->depth - 1].join == r->pc; r->depth--) {
    r->ctrl = r->arms[r->depth - 1].ctrl;
    r->hidden = r->arms[r->depth - 1].hidden;
  }
}

static void step_branch(const struct program *p, const struct thread *t, struct run *r, const struct instr *in) {
  const struct expr *condition = value_in(r, in->value);
  if (in->has_arms)
    enter_arms(r, in);
  else
    r->ctrl |= deps_in(r, in->value);
  if (condition->op == E_CONST) {
    if (condition->value)
      r->pc++;
    else
      jump(p, r, in->target);
    return;
  }
  struct run *on = add_branch(p, t, r), *away = add_branch(p, t, r);
  require(on, condition, true);
  on->pc++;
  require(away, condition, false);
  jump(p, away, in->target);
}

static void step(const struct program *p, const struct thread *t, struct run *r) {
  const struct instr *in = &t->instrs[r->pc];
  struct place at = {-1, -1, 0}, expected_at = at;
  leave_arms(r);
  r->begun[r->pc] = r->count;
  if (accesses_memory(in)) {
    if (!resolve(p, t, r, &in->cell, 0, &at)) return;
    if (in->kind == I_CAS && !in->expected && !resolve(p, t, r, &in->expected_at, 1, &expected_at)) return;
    r->pinned[0] = r->pinned[1] = -1;
  }
  switch (in->kind) {
    case I_LOAD: {
      mask own = next_bit(r);
      set(r, in->reg, add_read(r, in->read, &at), own);
      break;
    }
    case I_STORE:
      add_write(r, in->write, &at, value_in(r, in->value), deps_in(r, in->value));
      break;
    case I_RMW:
      step_rmw(r, in, &at);
      break;
    case I_FENCE:
    case I_MARK:
      add_event(r, in->kind == I_FENCE ? EV_FENCE : EV_MARK, in->read, NULL);
      break;
    case I_MEET:
      step_meet(r, in);
      break;
    case I_BARRIER:
      step_barrier(r, in);
      break;
    case I_ASSIGN:
      step_assign(r, in);
      break;
    case I_CAS:
      step_cas(p, t, r, in, &at, &expected_at);
      return;
    case I_BRANCH:
      step_branch(p, t, r, in);
      return;
    case I_JUMP:
      jump(p, r, in->target);
      return;
  }
  r->pc++;
}

static const struct run *go_on(const struct program *p, const struct thread *t, struct run *r) {
  for (unsigned steps = 0; r->end == RUNNING; steps++) {
    if (steps == MOST_STEPS) bad(NULL, "a thread runs too long");
    if (r->pc < t->instr_count)
      step(p, t, r);
    else
      r->end = ENDED;
  }
  return r;
}

const struct run *run_start(const struct program *p, unsigned thread) {
  const struct thread *t = &p->threads[thread];
  struct run *r = make(sizeof *r);
  r->conditions = make(MOST_CONDITIONS * sizeof *r->conditions);
  r->regs = make((t->reg_count + 1) * sizeof *r->regs);
  r->deps = make((t->reg_count + 1) * sizeof *r->deps);
  r->hangs = make((t->reg_count + 1) * sizeof *r->hangs);
  r->arms = make((t->instr_count + 1) * sizeof *r->arms);
  r->begun = make((t->instr_count + 1) * sizeof *r->begun);
  r->taken = make((t->instr_count + 1) * sizeof *r->taken);
  r->rounds = make((p->label_count + 1) * sizeof *r->rounds);
  r->pinned[0] = r->pinned[1] = -1;
  for (unsigned i = 0; i < t->reg_count; i++) r->regs[i] = constant(t->init[i]);
  return go_on(p, t, r);
}

const struct run *run_branch(const struct program *p, unsigned thread, const struct run *open, unsigned branch) {
  struct run *r = copy_run(p, &p->threads[thread], open->branches[branch]);
  r->end = open->branches[branch]->end;
  return go_on(p, &p->threads[thread], r);
}

/* ---- What may come -------------------------------------------------------------------------- */

static bool covers(const struct cell *cell, unsigned location) {
  return location >= cell->base && location < cell->base + cell->size;
}

bool writes(const struct instr *in, unsigned location, const int64_t *value) {
  bool back = in->kind == I_CAS && in->writes_back && covers(&in->expected_at, location);
  bool stores = in->kind == I_STORE || in->kind == I_RMW || in->kind == I_CAS;
  if (back || !stores || !covers(&in->cell, location)) return back;
  bool plain = in->kind == I_STORE || (in->kind == I_CAS && !in->rewrites) ||
               (in->kind == I_RMW && in->op == OP_EXCHANGE && !in->bits);
  return !(plain && value && in->value->op == E_CONST && in->value->value != *value);
}

bool may_write(const struct program *p, const struct run *run, unsigned thread, unsigned location,
               const int64_t *value) {
  const struct thread *t = &p->threads[thread];
  size_t mark = memory_mark();
  bool *seen = make(t->instr_count + 1), found = false;
  seen[run->pc] = true;
  for (bool moved = run->end == OPEN; moved && !found;) {
    moved = false;
    for (unsigned i = 0; i < t->instr_count && !found; i++) {
      const struct instr *in = &t->instrs[i];
      if (!seen[i]) continue;
      found = writes(in, location, value);
      if (in->kind != I_JUMP && !seen[i + 1]) seen[i + 1] = moved = true;
      if ((in->kind == I_BRANCH || in->kind == I_JUMP) && !seen[in->target]) seen[in->target] = moved = true;
    }
  }
  memory_drop(mark);
  return found;
}
