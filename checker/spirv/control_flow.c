/* SPDX-License-Identifier: MIT */
/* Points of a work-item's code and the ways between them; see kernel_internal.h. */
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

enum { MOST_NODES = 100000, MOST_ROUNDS = 5000, MOST_ALIKE = 3, MOST_SLOTS = 1 << 16 };

/* ---- states ---- */

static struct state copy_state(struct work_item *w, const struct state *from) {
  struct state copy = *from;
  copy.slots = ARENA_COPY(w->scratch, struct scalar, from->slots, from->slot_count);
  copy.frames = ARENA_COPY(w->scratch, struct frame, from->frames, from->depth);
  for (unsigned d = 0; d < from->depth; d++) {
    size_t loops = from->frames[d].function->loops.count;
    struct frame *frame = &copy.frames[d];
    frame->rounds = ARENA_COPY(w->scratch, unsigned, from->frames[d].rounds, loops);
    frame->tests = ARENA_COPY(w->scratch, bool, from->frames[d].tests, loops);
  }
  return copy;
}

/* The work-item's own objects, as the frames have them. */
static void rebuild_objects(struct work_item *w) {
  w->own.count = 0;
  ARRAY_EACH (const struct frame, frame, w->state.frames, w->state.depth) {
    for (size_t i = 0; i < frame->function->variables.count; i++) {
      struct memory *object = vec_push(w->scratch, &w->own);
      *object = frame->function->variables.at[i];
      object->first += frame->base;
      object->address = object_address(w->k, w->k->objects.count + w->own.count - 1);
    }
  }
}

static bool push_frame(struct work_item *w, const struct function *f, unsigned call) {
  struct state *s = &w->state;
  unsigned base = s->depth ? s->slot_count : w->fixed_slots;
  if (!f->blocks.count)
    return module_fail(&w->k->module, &w->k->module.insts[call], "%s, which has no body here, is called",
                       module_name(&w->k->module, f->inst->result));
  if (s->depth == MOST_CALLS || base + f->slot_count > MOST_SLOTS)
    return module_fail(&w->k->module, &w->k->module.insts[call], "calls within calls: more than %d", MOST_CALLS);
  struct frame *frames = ARENA_ARRAY(w->scratch, struct frame, s->depth + 1u);
  if (s->depth) memcpy(frames, s->frames, s->depth * sizeof *frames);
  s->frames = frames;
  struct frame *frame = &frames[s->depth++];
  size_t loops = f->loops.count + 1;
  *frame = (struct frame){.function = f,
                          .base = base,
                          .call = call,
                          .rounds = ARENA_ARRAY(w->scratch, unsigned, loops),
                          .tests = ARENA_ARRAY(w->scratch, bool, loops)};
  struct scalar *slots = ARENA_ARRAY(w->scratch, struct scalar, base + f->slot_count + 1u);
  if (s->slot_count) memcpy(slots, s->slots, s->slot_count * sizeof *slots);
  s->slots = slots;
  s->slot_count = base + f->slot_count;
  ARRAY_EACH (const struct memory, object, f->variables.at, f->variables.count) {
    for (unsigned c = 0; object->fixed && c < object->cell_count; c++)
      slots[base + object->first + c] = object->fixed[c];
  }
  rebuild_objects(w);
  w->at = f->blocks.at[0].first;
  return true;
}

/* ---- finding nodes ---- */

static void add_key(struct work_item *w, uint64_t word) {
  *vec_push(w->scratch, &w->key) = word;
}

static uint64_t likeness_hash(struct work_item *w, const struct state *s, enum likeness by) {
  w->key.count = 0;
  add_key(w, by);
  ARRAY_EACH (const struct frame, frame, s->frames, s->depth) {
    add_key(w, (uint64_t)frame->call << 32 | frame->block);
    for (size_t l = 0; by == LIKE_ROUNDS && l < frame->function->loops.count; l++) add_key(w, frame->rounds[l]);
  }
  for (unsigned i = 0; by == LIKE_STATE && i < s->slot_count; i++) {
    struct scalar slot = s->slots[i];
    bool in_register = slot.kind == SCALAR_HELD && slot.expr && slot.expr->kind == EXPR_REG;
    add_key(w, slot.kind);
    add_key(w, slot.kind == SCALAR_KNOWN ? (uint64_t)slot.value : in_register ? (uint64_t)slot.expr->reg : 0);
  }
  return hash_bytes(w->key.at, w->key.count * sizeof *w->key.at);
}

/* 1 + the newest node with the likeness of the state, or one with the same hash; 0: none. */
static unsigned newest_like(struct work_item *w, const struct state *s, enum likeness by) {
  uint64_t hash = likeness_hash(w, s, by);
  HASH_EACH (at, &w->newest, hash) return 1 + hash_number(&w->newest, at);
  return 0;
}

/* The node can be found from here on by what its state is now. */
static void note_like(struct work_item *w, unsigned index, enum likeness by) {
  struct node *node = &w->nodes.at[index];
  uint64_t hash = likeness_hash(w, &node->state, by);
  node->older[by] = 0;
  HASH_EACH (at, &w->newest, hash) {
    node->older[by] = 1 + hash_number(&w->newest, at);
    w->newest.slots[at].number = index;
    return;
  }
  hash_add(w->scratch, &w->newest, hash, index);
}

/* ---- nodes ---- */

static void queue_node(struct work_item *w, unsigned node) {
  if (w->nodes.at[node].queued) return;
  w->nodes.at[node].queued = true;
  *vec_push(w->scratch, &w->queue) = node;
}

/* One that is written at once, or once it is queued. */
static unsigned new_node(struct work_item *w, int edge) {
  struct state state = copy_state(w, &w->state);
  const struct node *from = w->nodes.count ? item_node(w) : NULL;
  bool chosen = from && (from->chosen || from->end == NODE_BRANCH);
  *vec_push(w->scratch, &w->nodes) = (struct node){.state = state, .edge = edge, .chosen = chosen};
  if (w->nodes.count > MOST_NODES)
    module_fail(&w->k->module, item_inst(w), "P%u takes more than %d steps", w->number, MOST_NODES);
  return (unsigned)w->nodes.count - 1;
}

static unsigned add_node(struct work_item *w, int edge) {
  unsigned node = new_node(w, edge);
  queue_node(w, node);
  return node;
}

static void go_to(struct work_item *w, unsigned to) {
  struct node *node = item_node(w);
  node->end = NODE_GOTO;
  node->to[0] = to;
  *vec_push(w->scratch, &w->nodes.at[to].ways) = (struct way){w->node, node->version};
  w->stopped = true;
}

static bool same_place(const struct state *a, const struct state *b) {
  if (a->depth != b->depth || a->frames[a->depth - 1].block != b->frames[b->depth - 1].block) return false;
  for (unsigned d = 0; d < a->depth; d++)
    if (a->frames[d].function != b->frames[d].function || a->frames[d].call != b->frames[d].call ||
        (d + 1 < a->depth && a->frames[d].block != b->frames[d].block))
      return false;
  return true;
}

static bool same_rounds(const struct state *a, const struct state *b) {
  for (unsigned d = 0; d < a->depth; d++)
    if (memcmp(a->frames[d].rounds, b->frames[d].rounds,
               a->frames[d].function->loops.count * sizeof *a->frames[d].rounds) != 0)
      return false;
  return true;
}

/* 1 + the object that a value points into, if it is an address; else 0. */
static unsigned pointed_to(const struct work_item *w, struct scalar scalar) {
  if (scalar.kind == SCALAR_HELD) return scalar.object;
  int64_t index = scalar.value >> w->k->shift;
  bool is = scalar.kind == SCALAR_KNOWN && index > 0 && index <= (int64_t)(w->k->objects.count + w->own.count);
  return is ? (unsigned)index : 0;
}

/* Can one come from a state to the node, with held slots set on the way? */
static bool fits(const struct work_item *w, const struct node *node, const struct state *s) {
  for (unsigned i = 0; i < s->slot_count; i++) {
    struct scalar a = node->state.slots[i], b = s->slots[i];
    if (scalar_same(a, b)) continue;
    if (!node->wide || a.kind != SCALAR_HELD || b.kind == SCALAR_UNSET || (a.object && a.object != pointed_to(w, b)) ||
        (a.reach && !scalar_reach_same(a, b)))
      return false;
  }
  return true;
}

/* Sets what a wide node has in registers and is known on the way. */
static void set_held(struct work_item *w, struct node *from, const struct state *known, const struct node *to) {
  for (unsigned i = 0; i < known->slot_count; i++) {
    if (to->state.slots[i].kind != SCALAR_HELD || known->slots[i].kind == SCALAR_HELD) continue;
    struct instr *assign = item_emit_into(w, from, INSTR_ASSIGN, (struct span){0});
    assign->reg = (int)item_register(w, i);
    assign->value = scalar_expr(w->arena, scalar_known(known->slots[i].value));
  }
}

/* Makes the node one that its state and another fit: slots that differ are held.
 * What led to it sets them; it is written anew. */
static void widen(struct work_item *w, unsigned index) {
  struct node *node = &w->nodes.at[index];
  struct state old = copy_state(w, &node->state);
  for (unsigned i = 0; i < old.slot_count; i++) {
    struct scalar a = old.slots[i], b = w->state.slots[i];
    if (scalar_same(a, b)) continue;
    struct scalar both = {.object = pointed_to(w, a) == pointed_to(w, b) ? pointed_to(w, a) : 0};
    if (scalar_reach_same(a, b)) both.reach = a.reach;
    node->state.slots[i] = item_held(w, item_register(w, i), both);
  }
  for (size_t i = 0; i < node->ways.count; i++) {
    struct way way = node->ways.at[i];
    struct node *from = &w->nodes.at[way.from];
    if (from->version == way.version && from->end == NODE_GOTO && from->to[0] == index) set_held(w, from, &old, node);
  }
  if (!node->wide) note_like(w, index, LIKE_WIDE);
  node->wide = true;
  node->code.count = 0;
  node->end = NODE_OPEN;
  node->version++;
  for (unsigned d = 0; d < node->state.depth; d++)
    memset(node->state.frames[d].tests, 0, node->state.frames[d].function->loops.count);
  if (index == w->node) node->queued = false;
  queue_node(w, index);
}

/* ---- coming to a block ---- */

/* Values that nothing uses from here on are the same in all states. */
static void forget_dead(struct work_item *w, const struct frame *frame, const struct block *block) {
  const struct function *f = frame->function;
  for (unsigned id = 0; id < w->k->module.bound; id++) {
    if (f->slot[id] < 0 || block->live[id]) continue;
    const struct inst *def = w->k->module.defs[id];
    unsigned leaves = types_get(&w->k->types, def->type)->leaves;
    for (unsigned i = 0; i < leaves; i++) w->state.slots[frame->base + (unsigned)f->slot[id] + i] = (struct scalar){0};
  }
  ARRAY_EACH (const struct memory, object, f->variables.at, f->variables.count) {
    if (!f->plain[object->id] || block->live[object->id]) continue;
    for (unsigned i = 0; i < object->cell_count; i++)
      w->state.slots[frame->base + object->first + i] = (struct scalar){0};
  }
}

struct phi_value {
  unsigned slot;
  struct scalar scalar;
};

/* All phis of a block at once: registers that others still read are copied first. */
static void take_phis(struct work_item *w, const struct block *from, const struct block *to) {
  const struct frame *frame = item_frame(w);
  VEC(struct phi_value) all = {0};
  for (unsigned i = to->first; i < to->end && w->k->module.insts[i].opcode == SpvOpPhi; i++) {
    const struct inst *phi = &w->k->module.insts[i];
    for (unsigned o = 0; o + 1 < phi->operand_count; o += 2) {
      if (phi->operands[o + 1] != from->label) continue;
      struct value value = item_value(w, phi->operands[o]);
      for (unsigned l = 0; value.at && l < value.type->leaves; l++)
        *vec_push(w->scratch, &all) =
            (struct phi_value){frame->base + (unsigned)frame->function->slot[phi->result] + l, value.at[l]};
      break;
    }
  }
  for (size_t i = 0; i < all.count; i++) {
    const struct expr *e = all.at[i].scalar.kind == SCALAR_HELD ? all.at[i].scalar.expr : NULL;
    bool read_later = false;
    for (size_t j = 0; e && j < i; j++) read_later |= e->reg == item_register(w, all.at[j].slot);
    if (!read_later) continue;
    unsigned copy = item_temporary(w);
    struct instr *assign = item_emit(w, INSTR_ASSIGN);
    assign->reg = (int)copy;
    assign->value = e;
    all.at[i].scalar = item_held(w, copy, all.at[i].scalar);
  }
  for (size_t i = 0; i < all.count; i++) item_set_slot(w, all.at[i].slot, all.at[i].scalar);
}

/* At the head of a loop: counts the round.  Must the ways join? */
static bool begin_round(struct work_item *w, struct frame *frame, unsigned loop, bool again) {
  const struct loop *of = &frame->function->loops.at[loop];
  bool tests = frame->tests[loop];
  frame->tests[loop] = false;
  frame->rounds[loop] = again ? frame->rounds[loop] + 1 : 0;
  if (of->barrier) {
    unsigned slot = frame->base + of->slot;
    struct scalar next =
        again ? scalar_apply(w->arena, EXPR_ADD, w->state.slots[slot], scalar_known(1)) : scalar_known(0);
    item_set_slot(w, slot, next);
  }
  return again && (!tests || frame->rounds[loop] > MOST_ROUNDS);
}

/* A count of rounds is of no use outside its loop. */
static void leave_loops(struct work_item *w, struct frame *frame, unsigned target) {
  for (size_t l = 0; l < frame->function->loops.count; l++) {
    const struct loop *loop = &frame->function->loops.at[l];
    if (loop->body[target]) continue;
    frame->rounds[l] = 0;
    if (loop->barrier) w->state.slots[frame->base + loop->slot] = (struct scalar){0};
  }
}

/* 1 + the newest node that one can come to in this state; 0: none.  In one that is not wide all slots are the same. */
static unsigned find_fitting(struct work_item *w) {
  static const enum likeness likenesses[] = {LIKE_STATE, LIKE_WIDE};
  unsigned newest = 0;
  for (size_t l = 0; l < ARRAY_COUNT(likenesses); l++)
    for (unsigned i = newest_like(w, &w->state, likenesses[l]); i > newest;
         i = w->nodes.at[i - 1].older[likenesses[l]]) {
      const struct node *node = &w->nodes.at[i - 1];
      if (same_place(&node->state, &w->state) && fits(w, node, &w->state)) newest = i;
    }
  return newest;
}

/* 1 + the newest node at this place, with these rounds too unless the ways must join; 0: none that is to be joined. */
static unsigned find_joined(struct work_item *w, bool join) {
  enum likeness by = join ? LIKE_PLACE : LIKE_ROUNDS;
  unsigned newest = 0, alike = 0, wanted = join ? 1 : MOST_ALIKE;
  for (unsigned i = newest_like(w, &w->state, by); i && alike < wanted; i = w->nodes.at[i - 1].older[by]) {
    const struct state *state = &w->nodes.at[i - 1].state;
    if (!same_place(state, &w->state) || !(join || same_rounds(state, &w->state))) continue;
    if (!alike++) newest = i;
  }
  return alike == wanted ? newest : 0;
}

/* The node for this state among those at its place, or a new one. */
static unsigned find_node(struct work_item *w, bool join) {
  unsigned fitting = find_fitting(w);
  if (fitting) return fitting - 1;
  unsigned joined = find_joined(w, join);
  if (joined) {
    widen(w, joined - 1);
    return joined - 1;
  }
  unsigned node = add_node(w, -1);
  note_like(w, node, LIKE_PLACE);
  note_like(w, node, LIKE_ROUNDS);
  note_like(w, node, LIKE_STATE);
  return node;
}

static void arrive(struct work_item *w, unsigned target) {
  struct frame *frame = &w->state.frames[w->state.depth - 1];
  const struct function *f = frame->function;
  const struct block *from = &f->blocks.at[frame->block], *to = &f->blocks.at[target];
  bool join = false;
  take_phis(w, from, to);
  leave_loops(w, frame, target);
  if (to->head >= 0) join = begin_round(w, frame, (unsigned)to->head, f->loops.at[to->head].body[frame->block]);
  frame->block = target;
  forget_dead(w, frame, to);
  w->at = to->first;
  if (to->pred_count < 2 && to->head < 0) return;
  unsigned node = find_node(w, join);
  if (node == w->node && item_node(w)->end == NODE_OPEN && !item_node(w)->code.count && item_node(w)->queued) {
    w->stopped = true; /* it is being written anew */
    return;
  }
  set_held(w, item_node(w), &w->state, &w->nodes.at[node]);
  go_to(w, node);
}

/* ---- instructions of control ---- */

/* Notes loops that a test of what is known may leave here. */
static void note_exits(struct frame *frame) {
  const struct block *block = &frame->function->blocks.at[frame->block];
  for (size_t l = 0; l < frame->function->loops.count; l++) {
    const struct loop *loop = &frame->function->loops.at[l];
    bool leaves = false;
    for (unsigned s = 0; loop->body[frame->block] && s < block->succ_count; s++) leaves |= !loop->body[block->succs[s]];
    frame->tests[l] |= leaves;
  }
}

static void branch(struct work_item *w, struct scalar condition, unsigned yes, unsigned no) {
  struct node *node = item_node(w);
  node->end = NODE_BRANCH;
  node->condition = condition.expr;
  node->span = item_span(w);
  unsigned to[] = {add_node(w, (int)yes), add_node(w, (int)no)}; /* they move the nodes */
  memcpy(w->nodes.at[w->node].to, to, sizeof to);
  w->stopped = true;
}

static void eval_branch(struct work_item *w, const struct inst *inst) {
  struct frame *frame = &w->state.frames[w->state.depth - 1];
  const struct block *block = &frame->function->blocks.at[frame->block];
  struct scalar condition = item_scalar(w, inst->operands[0]);
  if (condition.kind == SCALAR_KNOWN && !w->k->constants[inst->operands[0]]) note_exits(frame);
  if (block->succs[0] == block->succs[1])
    arrive(w, block->succs[0]);
  else if (condition.kind == SCALAR_KNOWN)
    arrive(w, block->succs[condition.value ? 0 : 1]);
  else
    branch(w, condition, block->succs[0], block->succs[1]);
}

static int64_t case_value(const struct work_item *w, const struct inst *inst, unsigned at, unsigned bits) {
  uint64_t value = inst->operands[at];
  if (switch_case_words(w->k, inst) == 3) value |= (uint64_t)inst->operands[at + 1] << 32;
  return width_fit((struct width){.bits = bits >= 64 ? 0 : bits, .is_signed = true}, (int64_t)value);
}

/* One case after the other; each that is not known splits off. */
static void eval_switch(struct work_item *w, const struct inst *inst) {
  struct frame *frame = &w->state.frames[w->state.depth - 1];
  const struct block *block = &frame->function->blocks.at[frame->block];
  struct value selector = item_value(w, inst->operands[0]);
  struct scalar value = item_scalar(w, inst->operands[0]);
  if (!selector.at) return;
  unsigned words = switch_case_words(w->k, inst), bits = selector.type->bits;
  if (value.kind == SCALAR_KNOWN) note_exits(frame);
  for (unsigned i = 1; i < block->succ_count; i++) {
    struct scalar is =
        scalar_apply(w->arena, EXPR_EQ, value, scalar_known(case_value(w, inst, i * words - words + 2, bits)));
    if (is.kind == SCALAR_KNOWN && is.value) {
      arrive(w, block->succs[i]);
      return;
    }
    if (is.kind == SCALAR_KNOWN) continue;
    struct node *node = item_node(w);
    node->end = NODE_BRANCH;
    node->condition = is.expr;
    node->span = item_span(w);
    unsigned here = w->node, yes = add_node(w, (int)block->succs[i]), no = new_node(w, -1);
    w->nodes.at[here].to[0] = yes;
    w->nodes.at[here].to[1] = no;
    w->node = no;
  }
  arrive(w, block->succs[0]);
}

/* A choice between two places is a branch: addresses stay known. */
static bool eval_choice(struct work_item *w, const struct inst *inst) {
  if (types_get(&w->k->types, inst->type)->kind != TYPE_POINTER) return false;
  struct scalar ways[] = {item_scalar(w, inst->operands[1]), item_scalar(w, inst->operands[2])};
  struct scalar condition = item_scalar(w, inst->operands[0]);
  if (condition.kind != SCALAR_HELD || ways[0].kind != SCALAR_KNOWN || ways[1].kind != SCALAR_KNOWN) return false;
  struct node *node = item_node(w);
  node->end = NODE_BRANCH;
  node->condition = condition.expr;
  node->span = item_span(w);
  unsigned here = w->node;
  w->at++;
  for (unsigned i = 0; i < 2; i++) {
    item_define_one(w, inst->result, ways[i]);
    unsigned to = new_node(w, -1);
    w->nodes.at[to].at = w->at;
    w->nodes.at[here].to[i] = to;
    if (i)
      w->node = to; /* written here */
    else
      queue_node(w, to);
  }
  return true;
}

/* The copy that a parameter of the innermost frame points to; NULL: it points where the argument does. */
static const struct memory *copy_for(const struct work_item *w, uint32_t parameter) {
  size_t count = item_frame(w)->function->variables.count;
  ARRAY_EACH (const struct memory, object, w->own.at + w->own.count - count, count)
    if (object->id == parameter) return object;
  return NULL;
}

static void fill_copy(struct work_item *w, const struct memory *copy, struct scalar from) {
  for (unsigned c = 0; c < copy->cell_count; c++) {
    if (copy->cells[c].hidden) continue;
    struct place place = place_find(w, from, copy->cells[c].offset, copy->cells[c].type);
    if (!place.object) return;
    item_set_slot(w, copy->first + c, memory_load(w, &place, 0, item_inst(w)->operand_count));
  }
}

static void eval_call(struct work_item *w, const struct inst *inst) {
  const struct function *f = function_of(w->k, inst->operands[0]);
  unsigned call = w->at;
  if (!f || inst->operand_count - 1 != f->parameters.count) {
    module_fail(&w->k->module, inst, "this calls a function that is not in the module");
    return;
  }
  VEC(struct value) arguments = {0};
  for (unsigned i = 1; i < inst->operand_count; i++) {
    struct value value = item_value(w, inst->operands[i]);
    if (!value.at) return;
    *vec_push(w->scratch, &arguments) = value;
  }
  if (!push_frame(w, f, call)) return;
  w->at = call; /* for places, until the arguments are there */
  for (size_t i = 0; i < arguments.count; i++) {
    const struct memory *copy = copy_for(w, f->parameters.at[i]);
    if (copy) fill_copy(w, copy, arguments.at[i].at[0]);
    if (copy)
      item_define_one(w, f->parameters.at[i], scalar_known(copy->address));
    else
      item_define(w, f->parameters.at[i], arguments.at[i].at, arguments.at[i].type->leaves);
  }
  if (!w->stopped) w->at = f->blocks.at[0].first;
}

static void eval_return(struct work_item *w, const struct inst *inst) {
  struct value value = {0};
  if (inst->opcode == SpvOpReturnValue) value = item_value(w, inst->operands[0]);
  if (w->state.depth == 1) {
    item_stop(w);
    return;
  }
  struct frame gone = *item_frame(w);
  w->state.depth--;
  w->at = gone.call;
  if (value.at) item_define(w, item_inst(w)->result, value.at, value.type->leaves);
  w->state.slot_count = gone.base;
  rebuild_objects(w);
  w->at++;
}

/* False: the instruction is none of control. */
static bool eval_control(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  switch (inst->opcode) {
    case SpvOpBranch:
      eval_inserted(w);
      arrive(w, item_frame(w)->function->blocks.at[item_frame(w)->block].succs[0]);
      return true;
    case SpvOpBranchConditional:
      eval_inserted(w);
      eval_branch(w, inst);
      return true;
    case SpvOpSwitch:
      eval_inserted(w);
      eval_switch(w, inst);
      return true;
    case SpvOpFunctionCall:
      eval_call(w, inst);
      return true;
    case SpvOpSelect:
      return eval_choice(w, inst);
    case SpvOpReturn:
    case SpvOpReturnValue:
      eval_return(w, inst);
      return true;
    case SpvOpUnreachable:
      item_undefined(w, NULL);
      return true;
    case SpvOpKill:
    case SpvOpTerminateInvocation:
      item_stop(w);
      return true;
    case SpvOpPhi:
    case SpvOpLabel:
    case SpvOpNop:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
    case SpvOpVariable:
    case SpvOpConstant:
      w->at++;
      return true;
    default:
      return false;
  }
}

static void step(struct work_item *w) {
  w->k->module.here = item_span(w);
  if (eval_control(w)) return;
  eval_inserted(w);
  if (!eval_compute(w) && !eval_vectors(w) && !eval_memory(w) && !eval_image(w) && !eval_atomic(w) && !eval_group(w) &&
      !eval_group_copy(w))
    module_fail(&w->k->module, item_inst(w), "%s is not supported", module_opcode_name(item_inst(w)));
  w->at++;
}

static void write_node(struct work_item *w, unsigned index) {
  struct node *node = &w->nodes.at[index];
  w->node = index;
  node->queued = false;
  w->state = copy_state(w, &node->state);
  w->stopped = false;
  rebuild_objects(w);
  const struct frame *frame = item_frame(w);
  w->at = node->at ? node->at : frame->function->blocks.at[frame->block].first;
  if (node->edge >= 0) {
    w->at = frame->function->blocks.at[frame->block].end - 1;
    arrive(w, (unsigned)node->edge);
  }
  while (!w->stopped && !w->k->module.failed) step(w);
  w->k->module.here = (struct span){0};
}

/* ---- the start ---- */

static void start_private(struct work_item *w) {
  ARRAY_EACH (const struct memory, object, w->k->objects.at, w->k->objects.count) {
    for (unsigned c = 0; object->kind != OBJECT_FIXED && object->fixed && c < object->cell_count; c++) {
      int slot = object->kind == OBJECT_OWN ? (int)(object->first + c) : w->owned[memory_location(object, c)];
      if (slot >= 0) w->state.slots[slot] = object->fixed[c];
    }
  }
}

/* Slots for the elements that are the work-item's own. */
static void own_locations(struct work_item *w) {
  w->owned = ARENA_ARRAY(w->scratch, int, w->k->cell_count + 1u);
  w->fixed_slots = w->k->private_slots;
  for (unsigned l = 0; l < w->k->cell_count; l++) {
    bool own = w->k->settled && w->k->settled[l].by == w->number + 1;
    w->owned[l] = own ? (int)w->fixed_slots++ : -1;
  }
}

static void start_parameter(struct work_item *w, uint32_t id) {
  const struct inst *inst = w->k->module.defs[id];
  const struct kernel_type *type = types_get(&w->k->types, inst->type);
  const struct memory *object = object_of(w->k, id, item_group(w));
  const struct initial *given = constant_input(w->k, id);
  struct scalar *scalars = ARENA_ARRAY(w->scratch, struct scalar, type->leaves + 1u);
  if (given && !object) fill_given(w->k, type, given, scalars);
  for (unsigned i = 0; i < type->leaves; i++) {
    if (object)
      scalars[i] = scalar_known(object->address);
    else if (scalars[i].kind == SCALAR_UNSET)
      scalars[i] = item_argument(w, id, i);
  }
  item_define(w, id, scalars, type->leaves);
}

void flow_run(struct work_item *w) {
  const struct function *main = w->k->main;
  own_locations(w);
  w->state.slots = ARENA_ARRAY(w->arena, struct scalar, w->fixed_slots + 1u);
  w->state.slot_count = w->fixed_slots;
  start_private(w);
  w->at = main->first;
  if (!push_frame(w, main, main->first)) return;
  w->node = add_node(w, -1);
  for (size_t i = 0; i < main->parameters.count; i++) start_parameter(w, main->parameters.at[i]);
  w->nodes.at[0].state = copy_state(w, &w->state);
  for (size_t i = 0; i < w->queue.count && !w->k->module.failed; i++) write_node(w, w->queue.at[i]);
}
