/* SPDX-License-Identifier: MIT */
/* Unfolding: an interpreter of one thread whose registers hold numbers or
 * expressions over loaded values.  Where it needs the truth of an expression it
 * makes a fork, and interprets the same instruction again on both sides, each
 * with the answer noted.
 *
 * Pointers are numbers: the upper word says to what (a location, the results,
 * the kernel's arguments), the lower is an offset.  Address arithmetic is then
 * arithmetic.
 */
#include "hwsem/amd/unfold_assembly.h"

#include <string.h>

#include "hwsem/amd/unfold_internal.h"

/* ---- control ---- */

static bool take_branch(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, bool *taken) {
  bool bit = false;
  const struct amd_value *mask = &p->regs[i->fn == AMD_VCCZ || i->fn == AMD_VCCNZ ? AMD_VCC : AMD_EXEC].value;
  switch ((enum amd_jump)i->fn) {
    case AMD_ALWAYS:
      *taken = true;
      return true;
    case AMD_SCC0:
    case AMD_SCC1:
      if (!unfold_decide(u, p, AMD_NE, p->regs[AMD_SCC].value, value_number(0), &bit)) return false;
      *taken = bit == (i->fn == AMD_SCC1);
      return true;
    default:
      if (!unfold_mask_bit(u, p, mask, &bit)) return false;
      *taken = bit == (i->fn == AMD_EXECNZ || i->fn == AMD_VCCNZ);
      return true;
  }
}

static void finish(struct amd_unfolding *u, struct amd_path *p) {
  const struct amd_thread_input *thread = u->head;
  const struct amd_expr **results = ARENA_ARRAY(u->arena, const struct amd_expr *, thread->watch_count + 1);
  for (unsigned i = 0; i < thread->watch_count; i++) {
    const struct amd_watch *watch = &thread->watches[i];
    struct amd_value v = {.kind = VALUE_UNSET};
    if (watch->kind == AMD_WATCH_REGISTER)
      v = p->regs[watch->index].value;
    else if (watch->kind == AMD_WATCH_PRIVATE)
      v = *unfold_private_word(u, p, amd_pointer(u->locations, watch->index, false).word[0]);
    else if (watch->index < OUTS)
      v = p->out[watch->index];
    if (v.kind == VALUE_UNSET) v = value_number(0); /* nothing has set it */
    if (v.kind == VALUE_OPAQUE)
      unfold_fail(u, "the value of %s at the end of %s is outside the machine", watch->name, thread->name);
    results[i] = value_expression(u, v);
  }
  unfold_node(u, p, AMD_NODE_END)->results = results;
}

static bool interpret(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  if (amd_is_buffer(i) && amd_op_space(i->op) != AMD_SPACE_NONE) return unfold_buffer(u, p, i);
  switch (i->op) {
    case AMD_OP_NOTHING:
    case AMD_OP_END:
    case AMD_OP_BRANCH:
      return true;
    case AMD_OP_GLOBAL_LOAD:
    case AMD_OP_DS_LOAD:
    case AMD_OP_FLAT_LOAD:
      return unfold_load(u, p, i);
    case AMD_OP_GLOBAL_STORE:
    case AMD_OP_DS_STORE:
    case AMD_OP_FLAT_STORE:
      return unfold_store(u, p, i);
    case AMD_OP_GLOBAL_RMW:
    case AMD_OP_GLOBAL_CAS:
    case AMD_OP_DS_RMW:
    case AMD_OP_DS_CAS:
    case AMD_OP_DS_CAS_OLD:
    case AMD_OP_FLAT_RMW:
    case AMD_OP_FLAT_CAS:
      return unfold_rmw(u, p, i);
    case AMD_OP_PRIVATE_LOAD:
    case AMD_OP_PRIVATE_STORE:
      return unfold_private(u, p, i);
    case AMD_OP_SCALAR_LOAD:
      return unfold_scalar_load(u, p, i);
    case AMD_OP_WAIT:
      return wait_counters_wait(u, p, i);
    case AMD_OP_CACHE:
      return unfold_cache(u, p, i);
    case AMD_OP_BARRIER:
      unfold_node(u, p, AMD_NODE_ARRIVE);
      unfold_node(u, p, AMD_NODE_MEET);
      return true;
    case AMD_OP_SIGNAL:
    case AMD_OP_BARRIER_WAIT:
      if (i->at[0].kind != AMD_NUMBER || (int32_t)(i->at[0].number & 0xffff) != 0xffff)
        return unfold_fail(u, "%s of any barrier but the work-group's (-1) is outside the machine", i->name);
      unfold_node(u, p, i->op == AMD_OP_SIGNAL ? AMD_NODE_ARRIVE : AMD_NODE_MEET);
      return true;
    case AMD_OP_CARRY_OUT:
    case AMD_OP_CARRY_INOUT:
    case AMD_OP_CARRY_SCC:
      return unfold_carry(u, p, i);
    case AMD_OP_MAD_WIDE:
      return unfold_mad_wide(u, p, i);
    case AMD_OP_COMPARE:
    case AMD_OP_COMPARE_EXEC:
    case AMD_OP_COMPARE_SCC:
      return unfold_compare(u, p, i);
    case AMD_OP_BIT_SCC:
      return unfold_test_bit(u, p, i);
    case AMD_OP_SAVE_EXEC:
      return unfold_save_exec(u, p, i);
    case AMD_OP_READ_LANE:
    case AMD_OP_WRITE_LANE:
      return unfold_lane(u, p, i);
    default:
      return unfold_compute(u, p, i);
  }
}

static void begin(struct amd_unfolding *u, struct amd_path *p, const struct amd_thread_input *piece);
static void run(struct amd_unfolding *u, struct amd_path *p, unsigned pc, bool joined);

/* Both answers to what the instruction left undecided, each followed to its ends. */
static void fork(struct amd_unfolding *u, struct amd_path *p, unsigned pc) {
  const struct amd_expr *e = u->undecided;
  u->undecided = NULL;
  if (p->decision_count == FORKS) {
    unfold_fail(u, "the machine handles at most %d conditions of one thread", FORKS);
    return;
  }
  unfold_node(u, p, AMD_NODE_FORK)->condition = e;
  for (unsigned truth = 0; truth < 2 && !u->failed; truth++) {
    struct amd_path *side = unfold_path_copy(u, p);
    side->decisions[side->decision_count++] = (struct amd_decision){e, truth};
    side->branch = truth;
    run(u, side, pc, true);
    unfold_path_done(u, side);
  }
}

/* Whoever looks at a piece's result has waited for it, if the piece has not. */
static void wait_for_result(struct amd_unfolding *u, struct amd_path *p) {
  const struct amd_value *result = &p->out[p->piece->result];
  bool read = result->kind == VALUE_EXPRESSION && result->expr->kind == AMD_EXPR_SLOT;
  if (read && !p->waited) {
    unfold_node(u, p, AMD_NODE_WAIT)->must = amd_slot(result->expr->slot);
    p->known |= amd_slot(result->expr->slot);
  }
  p->waited = true;
}

/* Whether a thread goes on after a piece of its code.  false: that has ended the path. */
static bool goes_on(struct amd_unfolding *u, struct amd_path *p, bool *more) {
  const struct amd_thread_input *piece = p->piece;
  bool other = true;
  *more = piece->next != NULL;
  if (piece->guard == AMD_GOES_ON) return true;
  wait_for_result(u, p);
  if (!unfold_decide(u, p, AMD_NE, p->out[piece->result], value_number(0), &other)) return false;
  *more &= other == (piece->guard == AMD_GOES_ON_UNLESS_0);
  return true;
}

/* Whether an instruction may need more slots than are left: one for each byte that it accesses, at most. */
static bool slots_run_out(const struct amd_path *p, const struct amd_instr *i) {
  bool cache = i->op == AMD_OP_CACHE, memory = amd_op_space(i->op) || i->op == AMD_OP_SCALAR_LOAD;
  return (cache || memory) && p->slots + (cache ? 1 : i->bytes) > AMD_SLOTS;
}

/* From an instruction to the ends of all paths, or to where they meet others.  `joined`: here they have. */
static void run(struct amd_unfolding *u, struct amd_path *p, unsigned pc, bool joined) {
  u->thread = p->piece;
  while (!u->failed) {
    const struct amd_code *code = p->piece->code;
    const struct amd_instr *i = pc < code->count ? &code->instrs[pc] : NULL;
    bool taken = false, more;
    if (i) u->instr = i;
    if (i && !joined && ((i->joins && u->loops) || slots_run_out(p, i))) {
      unfold_join(u, p, pc);
      return;
    }
    joined = false;
    if (!i || i->op == AMD_OP_END) {
      if (!goes_on(u, p, &more)) {
        if (u->undecided) fork(u, p, pc);
        return;
      }
      if (!more) break;
      begin(u, p, p->piece->next);
      pc = 0;
      continue;
    }
    bool masks = i->op == AMD_OP_COMPARE || i->op == AMD_OP_COMPARE_EXEC;
    bool idle = i->vector && !masks && !unfold_lane_active(p);
    if ((!idle && !interpret(u, p, i)) || (i->op == AMD_OP_BRANCH && !take_branch(u, p, i, &taken))) {
      if (u->undecided) fork(u, p, pc);
      return;
    }
    pc = taken ? i->target : pc + 1;
  }
  if (!u->failed) finish(u, p);
}

/* ---- the start ---- */

static void set_pointer(struct amd_path *p, unsigned reg, uint32_t upper) {
  p->regs[reg].value = value_number(0);
  p->regs[reg + 1].value = value_number(upper);
}

static void bind(struct amd_unfolding *u, struct amd_path *p, const struct amd_binding *b) {
  struct amd_pointer pointer;
  switch (b->kind) {
    case AMD_BIND_NUMBER:
      for (unsigned i = 0; i < b->words && i < 2; i++)
        p->regs[b->reg + i].value = value_number((uint32_t)((uint64_t)b->number >> (32 * i)));
      return;
    case AMD_BIND_OUT:
      set_pointer(p, b->reg, OUT);
      return;
    case AMD_BIND_KERNARG:
      set_pointer(p, b->reg, KERNARG);
      return;
    case AMD_BIND_LOCATION:
      pointer = amd_pointer(u->locations, b->location, b->words == 2); /* of local memory too: two words are flat */
      pointer.word[0] -= b->before;
      for (unsigned i = 0; i < pointer.words; i++) p->regs[b->reg + i].value = value_number(pointer.word[i]);
      return;
  }
}

/* Private memory starts with the test's values. */
static void fill_private(struct amd_unfolding *u, struct amd_path *p) {
  for (unsigned x = 0; x < u->location_count; x++) {
    if (u->locations[x].region != REGION_PRIVATE) continue;
    *unfold_private_word(u, p, amd_pointer(u->locations, x, false).word[0]) =
        value_number((uint32_t)u->locations[x].init);
  }
}

/* A piece of code begins: with its own registers. */
static void begin(struct amd_unfolding *u, struct amd_path *p, const struct amd_thread_input *piece) {
  memset(p->regs, 0, sizeof p->regs);
  p->piece = u->thread = piece;
  p->accesses = p->early_count = 0;
  p->waited = false;
  p->regs[AMD_EXEC].value = value_number(1);
  p->regs[AMD_EXEC + 1].value = p->regs[AMD_V].value = value_number(0);
  if (piece->code->kernarg >= 0) set_pointer(p, (unsigned)piece->code->kernarg, KERNARG);
  for (unsigned i = 0; i < piece->binding_count; i++) bind(u, p, &piece->bindings[i]);
}

static void start(struct amd_unfolding *u, struct amd_path *p) {
  const struct amd_thread_input *thread = u->thread;
  begin(u, p, thread);
  fill_private(u, p);
  for (unsigned i = 0; thread->initial && i < thread->watch_count; i++)
    if (thread->watches[i].kind == AMD_WATCH_RESULT && thread->watches[i].index < OUTS)
      p->out[thread->watches[i].index] = value_number((uint32_t)thread->initial[i]);
}

/* ---- what is known of the rest ---- */

static const unsigned CACHES[] = {AMD_L0, AMD_GL1, AMD_L2};

/* What a node itself reads and looks up. */
static void look_at(struct amd_node *node, unsigned watch_count) {
  node->uses = unfold_slots_of(node->condition);
  for (unsigned w = 0; w < 2; w++)
    node->uses |= unfold_slots_of(node->data.word[w]) | unfold_slots_of(node->expected.word[w]);
  for (unsigned k = 0; node->results && k < watch_count; k++) node->uses |= unfold_slots_of(node->results[k]);
  node->live = node->uses;
  if (amd_node_is_access(node) && node->kind != AMD_NODE_STORE)
    node->reads = node->soon_reads = amd_only(node->location);
  if (amd_node_writes(node)) node->writes = node->soon_writes = amd_only(node->location);
  node->meets = node->kind == AMD_NODE_MEET;
  if (node->kind != AMD_NODE_LOAD || node->local) return;
  if (amd_node_is_scalar(node)) node->scalars = amd_only(node->location);
  for (unsigned k = 0; k < 3; k++)
    if (!(node->passes & CACHES[k])) node->loads[k] = node->finds[k] = amd_only(node->location);
}

/* The slots that are read before their new numbers, of those that are read with them. */
static amd_slot_set moved_from(const struct amd_node *node, amd_slot_set live) {
  amd_slot_set from = 0;
  for (unsigned k = 0; k < node->move_count; k++)
    if (live >> k & 1)
      from |= node->moves[k].expr ? unfold_slots_of(node->moves[k].expr) : amd_slot(node->moves[k].from);
  return from;
}

/* And what the node after it does; true: that was new. */
static bool add_next(struct amd_node *node, const struct amd_node *next) {
  struct amd_node before;
  memcpy(&before, node, sizeof before);
  node->live |= node->kind == AMD_NODE_MOVE ? moved_from(node, next->live) : next->live;
  for (unsigned k = 0; k < 3; k++) {
    node->loads[k] |= next->loads[k];
    if (!(node->caches & CACHES[k])) node->finds[k] |= next->finds[k];
    if (k) node->finds[k] |= node->finds[k - 1]; /* lines are filled from what lies below */
  }
  node->scalars |= next->scalars;
  node->reads |= next->reads;
  node->writes |= next->writes;
  if (node->kind != AMD_NODE_MEET) {
    node->soon_reads |= next->soon_reads;
    node->soon_writes |= next->soon_writes;
  }
  if (node->kind != AMD_NODE_ARRIVE) node->meets |= next->meets;
  return memcmp(&before, node, sizeof before) != 0; /* NOLINT(*-memory-comparison): one is a copy of the other */
}

static void look_ahead(struct amd_tree *tree, unsigned watch_count) {
  for (unsigned i = 0; i < tree->count; i++) look_at(&tree->nodes[i], watch_count);
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = tree->count; i-- > 0;)
      for (unsigned k = 0; k < 2; k++)
        if (tree->nodes[i].next[k] != AMD_NO_NODE)
          more |= add_next(&tree->nodes[i], &tree->nodes[tree->nodes[i].next[k]]);
    more &= tree->loops; /* in a tree once is enough */
  }
}

static bool any_loops(const struct amd_thread_input *piece) {
  for (; piece; piece = piece->next)
    if (piece->code->loops) return true;
  return false;
}

const struct amd_tree *amd_unfold(struct arena *arena, const struct amd_target *target,
                                  const struct amd_thread_input *thread, const struct location *locations,
                                  unsigned location_count, struct diags *diags) {
  struct amd_unfolding u = {.arena = arena,
                            .target = target,
                            .thread = thread,
                            .head = thread,
                            .locations = locations,
                            .location_count = location_count,
                            .diags = diags};
  if (location_count > AMD_LOCATIONS) {
    unfold_fail(&u, "the machine handles at most %d locations", AMD_LOCATIONS);
    return NULL;
  }
  struct amd_path *p = ARENA_NEW(arena, struct amd_path);
  start(&u, p);
  u.loops = any_loops(thread);
  run(&u, p, 0, false);
  for (unsigned pc; (p = unfold_next_joint(&u, &pc));) {
    run(&u, p, pc, true);
    unfold_path_done(&u, p);
  }
  if (u.failed) return NULL;
  struct amd_tree *tree = ARENA_MAKE(arena, struct amd_tree, u.nodes.at, (unsigned)u.nodes.count, u.slots,
                                     u.loops || u.joints.count, u.constants, thread->code);
  look_ahead(tree, thread->watch_count);
  return tree;
}
