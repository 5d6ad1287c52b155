/* SPDX-License-Identifier: MIT */
/* Branches that only choose what registers hold.
 *
 * `if (r0 == 1) c = c + 1;` forks no control flow that an event sees: both arms make
 * the same events, and what c holds after them is one value, `r0 == 1 ? c + 1 : c`.
 * Fourteen such branches are one path so, and not sixteen thousand.
 *
 * Values may depend on themselves through expressions but not through control flow, and
 * an event's dependencies are those of the path that was taken.  So this is only done
 * where no register that an arm sets ever comes to an event, be it by way of other
 * registers or of branches that stay forks; and a branch within an arm, on which what
 * comes later depends only if it is reached, only where no event comes later.
 */

#include "checker/exec/paths/symbolic.h"
#include "checker/exec/paths/thread_state.h"

/* Operations of the largest value that is made: beyond, paths fork. */
enum { MOST_OPERATIONS = 512 };

/* ---- Where arms meet again -------------------------------------------------------- */

static unsigned join_of(const struct thread *thread, const bool *shown, unsigned branch);

/* One instruction on along an arm; instr_count + 1 where that cannot be folded. */
static unsigned advance(const struct thread *thread, const bool *shown, unsigned pc) {
  const struct instr *instr = &thread->instrs[pc];
  unsigned never = thread->instr_count + 1;
  if (instr->kind == INSTR_ASSIGN)
    return (instr->reg == NO_REG || shown[instr->reg]) && !expr_has(instr->value, expr_divides) ? pc + 1 : never;
  if (instr->kind == INSTR_JUMP) return instr->target > pc ? instr->target : never;
  return instr->kind == INSTR_BRANCH ? join_of(thread, shown, pc) : never;
}

static bool events_follow(const struct thread *thread, unsigned pc) {
  for (; pc < thread->instr_count; pc++) {
    enum instr_kind kind = thread->instrs[pc].kind;
    if (kind != INSTR_ASSIGN && kind != INSTR_JUMP && kind != INSTR_BRANCH) return true;
  }
  return false;
}

/* The instruction at which both arms of a branch meet, having set registers that are
 * only shown; instr_count + 1 if they do more. */
static unsigned join_of(const struct thread *thread, const bool *shown, unsigned branch) {
  const struct instr *instr = &thread->instrs[branch];
  unsigned never = thread->instr_count + 1, a = branch + 1, b = instr->target;
  bool nested = false;
  if (b <= branch || expr_has(instr->value, expr_divides)) return never;
  while (a != b && a < never && b < never) {
    unsigned *least = a < b ? &a : &b;
    if (*least == thread->instr_count) return never;
    nested |= thread->instrs[*least].kind == INSTR_BRANCH;
    *least = advance(thread, shown, *least);
  }
  return a != b || (nested && events_follow(thread, a)) ? never : a;
}

/* ---- Registers that are only shown --------------------------------------------------- */

struct shown_registers {
  bool *shown, news; /* `news`: some were shown so far */
};

/* The register comes to an event. */
static bool use(void *context, unsigned reg) {
  struct shown_registers *s = context;
  s->news |= s->shown[reg];
  s->shown[reg] = false;
  return true;
}

static bool use_all(const struct instr *instr, bool *shown) {
  struct shown_registers s = {shown, false};
  const struct expr *used[INSTR_EXPRESSIONS];
  for (unsigned i = instr_expressions(instr, used); i-- > 0;) expr_registers(used[i], use, &s);
  return s.news;
}

static bool is_used(const struct thread *thread, const bool *shown, unsigned pc) {
  const struct instr *instr = &thread->instrs[pc];
  if (instr->kind == INSTR_ASSIGN)
    return instr->reg == NO_REG || !shown[instr->reg] || expr_has(instr->value, expr_divides);
  return instr->kind != INSTR_BRANCH || join_of(thread, shown, pc) > thread->instr_count;
}

const bool *path_shown(struct arena *arena, const struct thread *thread) {
  bool *shown = ARENA_ARRAY(arena, bool, thread->reg_count), branches = false;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    bool jumps = instr_jumps(instr);
    if (jumps && instr->target <= i) return NULL;
    branches |= instr->kind == INSTR_BRANCH;
  }
  if (!branches) return NULL;
  for (unsigned r = 0; r < thread->reg_count; r++) shown[r] = true;
  for (bool news = true; news;) {
    news = false;
    for (unsigned i = 0; i < thread->instr_count; i++)
      if (is_used(thread, shown, i)) news |= use_all(&thread->instrs[i], shown);
  }
  return shown;
}

/* ---- Both arms at once ------------------------------------------------------------------ */

static const struct expr **copy_registers(const struct runner *r, const struct expr **from) {
  return ARENA_COPY(r->arena, const struct expr *, from, r->thread->reg_count);
}

/* How many operations has the value, counted up to a limit? */
static unsigned operations(const struct expr *e, unsigned most) {
  if (!e || e->kind == EXPR_CONST || e->kind == EXPR_REG || !most) return 0;
  unsigned count = 1 + operations(e->a, most - 1);
  if (count < most) count += operations(e->b, most - count);
  if (count < most) count += operations(e->c, most - count);
  return count;
}

static bool has_neutral(enum expr_kind kind) {
  return kind == EXPR_ADD || kind == EXPR_SUB || kind == EXPR_OR || kind == EXPR_XOR;
}

/* `p ? x + k : x` is `x + (p ? k : 0)`: counters grow by one operation a branch. */
static const struct expr *choose(struct arena *arena, const struct expr *p, const struct expr *a,
                                 const struct expr *b) {
  const struct expr *zero = expr_constant(arena, 0);
  if (a == b) return a;
  if (has_neutral(a->kind) && a->a == b)
    return symbolic_apply(arena, a->kind, b, symbolic_apply(arena, EXPR_COND, p, a->b, zero), NULL);
  if (has_neutral(b->kind) && b->a == a)
    return symbolic_apply(arena, b->kind, a, symbolic_apply(arena, EXPR_COND, p, zero, b->b), NULL);
  return symbolic_apply(arena, EXPR_COND, p, a, b);
}

static bool fold(const struct runner *r, const bool *shown, const struct expr **registers, unsigned branch);

/* Follows an arm up to where it meets the other. */
static bool follow(const struct runner *r, const bool *shown, const struct expr **registers, unsigned pc,
                   unsigned join) {
  while (pc != join) {
    const struct instr *instr = &r->thread->instrs[pc];
    if (instr->kind == INSTR_ASSIGN && instr->reg != NO_REG)
      registers[instr->reg] = symbolic_substitute(r->arena, instr->value, registers);
    if (instr->kind == INSTR_BRANCH && !fold(r, shown, registers, pc)) return false;
    pc = advance(r->thread, shown, pc);
  }
  return true;
}

/* Registers after a branch; false when some value grows too large.  Nobody asks for
 * the dependencies of registers that are only shown. */
static bool fold(const struct runner *r, const bool *shown, const struct expr **registers, unsigned branch) {
  const struct instr *instr = &r->thread->instrs[branch];
  unsigned join = join_of(r->thread, shown, branch);
  const struct expr *p = symbolic_substitute(r->arena, instr->value, registers);
  const struct expr **taken = copy_registers(r, registers), **other = copy_registers(r, registers);
  if (!follow(r, shown, taken, branch + 1, join) || !follow(r, shown, other, instr->target, join)) return false;
  for (unsigned reg = 0; reg < r->thread->reg_count; reg++) {
    registers[reg] = choose(r->arena, p, taken[reg], other[reg]);
    if (operations(registers[reg], MOST_OPERATIONS) >= MOST_OPERATIONS) return false;
  }
  return true;
}

bool path_fold(const struct runner *r, struct thread_state *s) {
  if (!s->shown || join_of(r->thread, s->shown, s->pc) > r->thread->instr_count) return false;
  const struct expr **registers = copy_registers(r, s->path.registers);
  if (!fold(r, s->shown, registers, s->pc)) return false;
  s->path.registers = registers;
  s->pc = join_of(r->thread, s->shown, s->pc);
  return true;
}
