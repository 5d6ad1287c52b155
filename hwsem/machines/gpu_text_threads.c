/* SPDX-License-Identifier: MIT */
/* The GPU's threads as text: what synchronises (gpu_sync.c), and each instruction's
 * rules. */
#include "hwsem/machines/gpu_text.h"

static const struct hw_instr *instruction(const struct gpu_text *x, unsigned t, unsigned pc) {
  return &x->g->threads[t].code->instrs[pc];
}

/* ---- what stalls ---- */

static const char *awaits_posted(const struct gpu_text *x, unsigned t, const struct hw_instr *instr) {
  const struct gpu *g = x->g;
  bool waits = hw_is_access(instr->op) && (instr->op != HW_ST || g->knobs.rmw_blocks == RMW_BLOCKS_SYNC);
  const char *posted = RULES_FALSE;
  for (unsigned u = 0; waits && g->posts && u < g->thread_count; u++)
    posted = rules_or(x->r, posted, rules_is(x->r, gpu_name_posted(x, g->threads[t].wg, u), 1));
  return posted;
}

static const char *stalled(const struct gpu_text *x, unsigned t, const struct hw_instr *instr) {
  const struct gpu *g = x->g;
  unsigned w = g->threads[t].wg;
  if (!instr->atomic) return RULES_FALSE;
  const char *other = RULES_FALSE; /* another work-group's thread has the L1 */
  for (unsigned u = 0; g->knobs.rmw_blocks == RMW_BLOCKS_SYNC && g->rmw1[w].bits && u < g->thread_count; u++)
    if (g->threads[u].wg != w) other = rules_or(x->r, other, rules_is(x->r, gpu_name_rmw(x, gpu_text_l1(x, w)), u + 1));
  return rules_or(x->r, awaits_posted(x, t, instr), rules_and(x->r, other, gpu_text_stalls(x, w, t)));
}

/* ---- FLU, INV ---- */

static unsigned targets(const struct gpu_text *x, unsigned t, const struct hw_instr *instr,
                        struct gpu_text_cache *found) {
  const struct gpu *g = x->g;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned count = 0;
  if (instr->level == LEVEL_L2) {
    for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
      if (instr->target == TARGET_SYS || d == thread->dev) found[count++] = gpu_text_l2(x, d);
    return count;
  }
  for (unsigned w = 0; w < g->wg_count; w++)
    if (instr->target == TARGET_SYS || w == thread->wg || (instr->target == TARGET_DEV && g->wg_dev[w] == thread->dev))
      found[count++] = gpu_text_l1(x, w);
  return count;
}

static unsigned in_turn(const struct gpu_text *x, unsigned count, unsigned i) {
  return x->g->knobs.broadcast == BROADCAST_ASCENDING ? i : count - 1 - i;
}

static const char *in_phase(const struct gpu_text *x, unsigned t, unsigned phase) {
  return rules_is(x->r, gpu_name_thread(x, "phase", t), phase);
}

static void set_phase(const struct gpu_text *x, unsigned t, unsigned phase) {
  rules_set(x->r, gpu_name_thread(x, "phase", t), rules_number(x->r, phase));
  rules_end_rule(x->r);
}

/* Thread t's marker has come to an L1 that its LK_rmw holds. */
static void begin_stall(const struct gpu_text *x, struct gpu_text_cache c, unsigned t) {
  if (!c.l1 || !x->g->begun[c.number].bits) return;
  rules_if(x->r, rules_is(x->r, gpu_name_rmw(x, c), t + 1));
  rules_set(x->r, gpu_name_begun(x, c.number), "1");
  rules_end_if(x->r, false);
}

/* The cache is told of thread t's FLU. */
static void mark(const struct gpu_text *x, struct gpu_text_cache c, unsigned t) {
  begin_stall(x, c, t);
  if (!c.cache->capacity) return;
  rules_if(x->r, rules_not(x->r, gpu_text_empty(x, c)));
  gpu_text_append(x, c, entry_of_flush(x->g, t));
  rules_end_if(x->r, false);
}

static void flush_at_once(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard,
                          const struct gpu_text_cache *caches, unsigned count) {
  const char *empty = RULES_TRUE;
  guard = rules_and(x->r, guard, in_phase(x, t, 0));
  for (unsigned i = 0; i < count; i++) {
    empty = rules_and(x->r, empty, gpu_text_empty(x, caches[i]));
    guard = rules_and(x->r, guard, gpu_text_has_marker_entry(x, caches[i]));
  }
  gpu_text_begin(x, t, pc, rules_and(x->r, guard, empty), false);
  for (unsigned i = 0; i < count; i++) begin_stall(x, caches[i], t);
  gpu_text_end(x, t, pc + 1);
  if (empty == RULES_TRUE) return;
  gpu_text_begin(x, t, pc, rules_and(x->r, guard, rules_not(x->r, empty)), false);
  for (unsigned i = 0; i < count; i++) mark(x, caches[i], t);
  set_phase(x, t, 1);
}

static void flush(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  struct gpu_text_cache caches[x->g->wg_count + x->g->dev_count];
  unsigned count = targets(x, t, instruction(x, t, pc), caches);
  bool one_by_one = x->g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  if (!one_by_one) flush_at_once(x, t, pc, guard, caches, count);
  for (unsigned i = 0; one_by_one && i < count; i++) {
    struct gpu_text_cache c = caches[in_turn(x, count, i)];
    const char *turn = rules_and(x->r, in_phase(x, t, i), gpu_text_has_marker_entry(x, c));
    gpu_text_begin(x, t, pc, rules_and(x->r, guard, turn), false);
    mark(x, c, t);
    set_phase(x, t, i + 1);
  }
  const char *end = rules_and(x->r, guard, in_phase(x, t, one_by_one ? count : 1));
  for (unsigned i = 0; i < count; i++) end = rules_and(x->r, end, rules_not(x->r, gpu_text_marked(x, caches[i], t)));
  gpu_text_begin(x, t, pc, end, false);
  gpu_text_end(x, t, pc + 1);
}

static void post(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard,
                 const struct gpu_text_cache *caches, unsigned count) {
  struct gpu_text_cache own = gpu_text_l1(x, x->g->threads[t].wg);
  if (x->g->knobs.invalidate == INVALIDATE_DRAIN) guard = rules_and(x->r, guard, gpu_text_clean(x, own));
  gpu_text_begin(x, t, pc, guard, false);
  for (unsigned i = 0; i < count; i++)
    if (caches[i].cache == own.cache)
      gpu_text_invalidate(x, own);
    else
      rules_set(x->r, gpu_name_posted(x, caches[i].number, t), "1");
  gpu_text_end(x, t, pc + 1);
}

static void invalidate(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  const struct gpu *g = x->g;
  const struct hw_instr *instr = instruction(x, t, pc);
  struct gpu_text_cache caches[g->wg_count + g->dev_count];
  unsigned count = targets(x, t, instr, caches);
  if (g->posts && instr->posted && instr->level == LEVEL_L1) {
    post(x, t, pc, guard, caches, count);
    return;
  }
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  for (unsigned turn = 0; turn < (one_by_one ? count : 1); turn++) {
    unsigned first = one_by_one ? in_turn(x, count, turn) : 0, end = one_by_one ? first + 1 : count;
    const char *when = one_by_one ? rules_and(x->r, guard, in_phase(x, t, turn)) : guard;
    for (unsigned i = first; i < end && g->knobs.invalidate == INVALIDATE_DRAIN; i++)
      when = rules_and(x->r, when, gpu_text_clean(x, caches[i]));
    gpu_text_begin(x, t, pc, when, false);
    for (unsigned i = first; i < end; i++) gpu_text_invalidate(x, caches[i]);
    if (one_by_one && turn + 1 < count)
      set_phase(x, t, turn + 1);
    else
      gpu_text_end(x, t, pc + 1);
  }
}

/* ---- locks ---- */

static void release(const struct gpu_text *x, const char *lock, unsigned t, const char *begun) {
  rules_if(x->r, rules_is(x->r, lock, t + 1));
  rules_set(x->r, lock, "0");
  if (begun) rules_set(x->r, begun, "0");
  rules_end_if(x->r, false);
}

void gpu_text_release_rmw(const struct gpu_text *x, unsigned t) {
  const struct gpu *g = x->g;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (g->rmw1[w].bits)
      release(x, gpu_name_rmw(x, gpu_text_l1(x, w)), t, g->begun[w].bits ? gpu_name_begun(x, w) : NULL);
  for (unsigned d = 0; d < g->dev_count; d++)
    if (g->rmw2[d].bits) release(x, gpu_name_rmw(x, gpu_text_l2(x, d)), t, NULL);
}

void gpu_text_release_lines(const struct gpu_text *x, unsigned t) {
  for (unsigned line = 0; x->g->locks_lines && line < x->g->line_count; line++)
    release(x, gpu_name_line_lock(x, x->g->threads[t].dev, line), t, NULL);
}

/* The locks of an LK_rmw in the order in which they are taken; the own first is there twice. */
static unsigned locks_of(const struct gpu_text *x, unsigned t, const struct hw_instr *instr, const char **locks) {
  const struct gpu *g = x->g;
  unsigned count = 0;
  if (g->knobs.rmw_taken == RMW_TAKEN_OWN_FIRST) locks[count++] = gpu_name_rmw(x, gpu_text_l1(x, g->threads[t].wg));
  for (unsigned w = 0; w < g->wg_count; w++)
    if (instr->target == TARGET_SYS || g->wg_dev[w] == g->threads[t].dev)
      locks[count++] = gpu_name_rmw(x, gpu_text_l1(x, w));
  for (unsigned d = 0; instr->target == TARGET_SYS && d < g->dev_count; d++)
    locks[count++] = gpu_name_rmw(x, gpu_text_l2(x, d));
  return count;
}

static const char *all_held(const struct gpu_text *x, unsigned t, const char **locks, unsigned from, unsigned to) {
  const char *held = RULES_TRUE;
  for (unsigned i = from; i < to; i++) held = rules_and(x->r, held, rules_is(x->r, locks[i], t + 1));
  return held;
}

/* One lock at a time: the first that is not held. */
static void lock_in_turn(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard, const char **locks,
                         unsigned count) {
  gpu_text_begin(x, t, pc, rules_and(x->r, guard, all_held(x, t, locks, 0, count)), false);
  gpu_text_end(x, t, pc + 1);
  for (unsigned i = 0; i < count; i++) {
    const char *first = rules_and(x->r, all_held(x, t, locks, 0, i), rules_is(x->r, locks[i], 0));
    gpu_text_begin(x, t, pc, rules_and(x->r, guard, first), false);
    rules_set(x->r, locks[i], rules_number(x->r, t + 1));
    rules_if(x->r, all_held(x, t, locks, 0, count));
    gpu_text_go_to(x, t, pc + 1);
    rules_end_if(x->r, false);
    rules_end_rule(x->r);
  }
}

static void lock_rmw(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  const char *locks[x->g->wg_count + x->g->dev_count + 1];
  unsigned count = locks_of(x, t, instruction(x, t, pc), locks);
  if (x->g->knobs.rmw_taken != RMW_TAKEN_AT_ONCE) {
    lock_in_turn(x, t, pc, guard, locks, count);
    return;
  }
  for (unsigned i = 0; i < count; i++)
    guard = rules_and(x->r, guard, rules_or(x->r, rules_is(x->r, locks[i], 0), rules_is(x->r, locks[i], t + 1)));
  gpu_text_begin(x, t, pc, guard, false);
  for (unsigned i = 0; i < count; i++) rules_set(x->r, locks[i], rules_number(x->r, t + 1));
  gpu_text_end(x, t, pc + 1);
}

/* What LK waits for: an UNLK that waits for acknowledgements. */
static const char *owes_nothing(const struct gpu_text *x, unsigned t) {
  if (!x->g->threads[t].owed.bits) return RULES_TRUE;
  return rules_and(x->r, rules_is(x->r, gpu_name_thread(x, "owes_rmw", t), 0),
                   rules_is(x->r, gpu_name_thread(x, "owes_lines", t), 0));
}

static void lock_line(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  const struct gpu *g = x->g;
  const struct address *address = &instruction(x, t, pc)->address;
  const char *index = address->index ? rules_value(x->r, address->index, x->names[t]) : NULL, *inside = RULES_FALSE;
  for (unsigned i = 0; i < (index ? address->size : 1); i++) {
    const char *here = index ? rules_is(x->r, index, i) : RULES_TRUE;
    int line = g->line_of[address->base + i];
    if (line < 0) continue;
    inside = rules_or(x->r, inside, here);
    const char *lock = gpu_name_line_lock(x, g->threads[t].dev, (unsigned)line);
    const char *is_free = rules_or(x->r, rules_is(x->r, lock, 0), rules_is(x->r, lock, t + 1));
    gpu_text_begin(x, t, pc, rules_and(x->r, guard, rules_and(x->r, here, is_free)), false);
    rules_set(x->r, lock, rules_number(x->r, t + 1));
    gpu_text_end(x, t, pc + 1);
  }
  if (inside == RULES_TRUE) return;
  gpu_text_begin(x, t, pc, rules_and(x->r, guard, rules_not(x->r, inside)), false);
  gpu_text_end(x, t, pc + 1);
}

/* While INVs of the thread are under way, its locks stay held. */
static void unlock(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  bool rmw = instruction(x, t, pc)->op == HW_UNLOCK_RMW, owes = x->g->threads[t].owed.bits;
  const char *posted = RULES_FALSE;
  for (unsigned w = 0; owes && w < x->g->wg_count; w++)
    posted = rules_or(x->r, posted, rules_is(x->r, gpu_name_posted(x, w, t), 1));
  gpu_text_begin(x, t, pc, guard, false);
  if (owes) {
    rules_if(x->r, posted);
    rules_set(x->r, gpu_name_thread(x, rmw ? "owes_rmw" : "owes_lines", t), "1");
    rules_else(x->r);
  }
  if (rmw)
    gpu_text_release_rmw(x, t);
  else
    gpu_text_release_lines(x, t);
  if (owes) rules_end_if(x->r, true);
  gpu_text_end(x, t, pc + 1);
}

/* ---- barriers ---- */

/* Thread t waits at a barrier of this label; any label, where it is NULL. */
static const char *waits(const struct gpu_text *x, unsigned t, const int *label) {
  const struct hw_thread *code = x->g->threads[t].code;
  const char *waits = RULES_FALSE;
  for (unsigned pc = 0; pc < code->instr_count; pc++)
    if (code->instrs[pc].op == HW_MEET && (!label || code->instrs[pc].meeting == *label))
      waits = rules_or(x->r, waits, gpu_text_at(x, t, pc));
  return waits;
}

static const char *count_waiting(const struct gpu_text *x, unsigned w, int label) {
  const char *count = "0";
  for (unsigned t = 0; t < x->g->thread_count; t++)
    if (x->g->threads[t].wg == w)
      count = rules_operation(x->r, count, "+", rules_choose(x->r, waits(x, t, &label), "1", "0"));
  return count;
}

static void meet(const struct gpu_text *x, unsigned w, int label, const char *guard) {
  rules_rule(x->r, arena_printf(x->r->arena, "barrier %d of wg%u", label + 1, w), guard, false);
  for (unsigned t = 0; t < x->g->thread_count; t++) {
    const struct hw_thread *code = x->g->threads[t].code;
    unsigned open = 0;
    if (x->g->threads[t].wg != w) continue;
    for (unsigned pc = 0; pc < code->instr_count; pc++) {
      if (code->instrs[pc].op != HW_MEET || code->instrs[pc].meeting != label) continue;
      if (open++) rules_else(x->r);
      rules_if(x->r, gpu_text_at(x, t, pc));
      gpu_text_go_to(x, t, pc + 1);
    }
    for (unsigned i = 0; i < open; i++) rules_end_if(x->r, i > 0);
  }
  rules_end_rule(x->r);
}

/* Labels of the work-group's barriers. */
static unsigned labels_of(const struct gpu_text *x, unsigned w, int **labels) {
  unsigned count = 0, all = 0;
  for (unsigned t = 0; t < x->g->thread_count; t++) all += x->g->threads[t].code->instr_count;
  *labels = ARENA_ARRAY(x->r->arena, int, all + 1);
  for (unsigned t = 0; t < x->g->thread_count; t++)
    for (unsigned pc = 0; x->g->threads[t].wg == w && pc < x->g->threads[t].code->instr_count; pc++) {
      const struct hw_instr *instr = instruction(x, t, pc);
      bool seen = instr->op != HW_MEET;
      for (unsigned i = 0; i < count; i++) seen |= (*labels)[i] == instr->meeting;
      if (!seen) (*labels)[count++] = instr->meeting;
    }
  return count;
}

void gpu_text_meetings(const struct gpu_text *x, unsigned w) {
  int *labels;
  unsigned count = labels_of(x, w, &labels);
  const char *all_wait = RULES_TRUE, *some_meet = RULES_FALSE;
  for (unsigned t = 0; t < x->g->thread_count; t++)
    if (x->g->threads[t].wg == w)
      all_wait = rules_and(x->r, all_wait,
                           rules_or(x->r, gpu_text_at(x, t, x->g->threads[t].code->instr_count), waits(x, t, NULL)));
  for (unsigned i = 0; i < count; i++)
    some_meet = rules_or(x->r, some_meet, rules_compare(x->r, count_waiting(x, w, labels[i]), CMP_GE, "2"));
  for (unsigned i = 0; i < count; i++) {
    const char *here = count_waiting(x, w, labels[i]);
    const char *alone = rules_and(x->r, rules_is(x->r, here, 1), rules_not(x->r, some_meet));
    meet(x, w, labels[i], rules_and(x->r, all_wait, rules_or(x->r, rules_compare(x->r, here, CMP_GE, "2"), alone)));
  }
}

/* ---- a thread ---- */

static void backward_jump(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  const struct hw_instr *instr = instruction(x, t, pc);
  gpu_text_begin(x, t, pc, guard, false);
  if (instr->op == HW_JUMP) {
    gpu_text_end(x, t, instr->goal);
    return;
  }
  rules_if(x->r, rules_truth(x->r, instr->value, x->names[t]));
  gpu_text_go_to(x, t, pc + 1);
  rules_else(x->r);
  gpu_text_go_to(x, t, instr->goal);
  rules_end_if(x->r, true);
  rules_end_rule(x->r);
}

static void instruction_rules(const struct gpu_text *x, unsigned t, unsigned pc) {
  const struct hw_instr *instr = instruction(x, t, pc);
  const char *guard = rules_not(x->r, stalled(x, t, instr));
  switch (instr->op) {
    case HW_LD:
    case HW_ST:
    case HW_RMW:
      gpu_text_access(x, t, pc, guard);
      break;
    case HW_FLU:
      flush(x, t, pc, guard);
      break;
    case HW_INV:
      invalidate(x, t, pc, guard);
      break;
    case HW_LOCK_RMW:
      lock_rmw(x, t, pc, rules_and(x->r, guard, owes_nothing(x, t)));
      break;
    case HW_LOCK_LINE:
      lock_line(x, t, pc, rules_and(x->r, guard, owes_nothing(x, t)));
      break;
    case HW_UNLOCK_RMW:
    case HW_UNLOCK_LINE:
      unlock(x, t, pc, guard);
      break;
    case HW_BRANCH:
    case HW_JUMP:
      if (instr->goal <= pc) backward_jump(x, t, pc, guard);
      break;
    case HW_MEET:
    case HW_ASSIGN:
      break;
  }
}

void gpu_text_thread(const struct gpu_text *x, unsigned t) {
  for (unsigned pc = 0; pc < x->g->threads[t].code->instr_count; pc++) instruction_rules(x, t, pc);
}
