/* SPDX-License-Identifier: MIT */
/* Functions: their blocks, the natural loops of these, and which values are live where
 * (Aho, Sethi and Ullman, chapter 10). */
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/spirv/kernel_internal.h"

const struct function *function_of(const struct kernel_code *k, uint32_t id) {
  for (size_t i = 0; i < k->functions.count; i++)
    if (k->functions.at[i].inst->result == id) return &k->functions.at[i];
  return NULL;
}

/* ---- blocks ---- */

static bool ends_block(const struct inst *inst) {
  return inst->opcode == SpvOpBranch || inst->opcode == SpvOpBranchConditional || inst->opcode == SpvOpSwitch ||
         inst->opcode == SpvOpReturn || inst->opcode == SpvOpReturnValue || inst->opcode == SpvOpUnreachable ||
         inst->opcode == SpvOpKill || inst->opcode == SpvOpTerminateInvocation;
}

static int block_of(const struct function *f, uint32_t label) {
  for (size_t i = 0; i < f->blocks.count; i++)
    if (f->blocks.at[i].label == label) return (int)i;
  return -1;
}

static void add_succ(struct kernel_code *k, struct function *f, struct block *block, uint32_t label) {
  int to = block_of(f, label);
  if (to < 0) {
    module_fail(&k->module, &k->module.insts[block->end - 1],
                "a branch to something that is not a block of this function");
    return;
  }
  block->succs[block->succ_count++] = (unsigned)to;
  f->blocks.at[to].pred_count++;
}

/* The literals of a switch are as wide as its selector: words of each case. */
unsigned switch_case_words(const struct kernel_code *k, const struct inst *inst) {
  const struct inst *selector = k->module.defs[inst->operands[0]];
  const struct kernel_type *type = selector ? k->types.by_id[selector->type] : NULL;
  return type && type->bits > 32 ? 3 : 2;
}

static void connect(struct kernel_code *k, struct function *f, struct block *block) {
  const struct inst *last = &k->module.insts[block->end - 1];
  block->succs = ARENA_ARRAY(k->arena, unsigned, last->operand_count + 2u);
  if (last->opcode == SpvOpBranch) add_succ(k, f, block, last->operands[0]);
  if (last->opcode == SpvOpBranchConditional) {
    add_succ(k, f, block, last->operands[1]);
    add_succ(k, f, block, last->operands[2]);
  }
  if (last->opcode != SpvOpSwitch) return;
  unsigned words = switch_case_words(k, last);
  add_succ(k, f, block, last->operands[1]);
  for (unsigned i = 2; i + words <= last->operand_count; i += words)
    add_succ(k, f, block, last->operands[i + words - 1]);
}

static void find_blocks(struct kernel_code *k, struct function *f) {
  struct block *open = NULL;
  for (unsigned i = f->first; i < f->end; i++) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpFunctionParameter) *vec_push(k->arena, &f->parameters) = inst->result;
    if (inst->opcode == SpvOpLabel) {
      if (open) module_fail(&k->module, f->inst, "a block of this function does not end");
      open = vec_push(k->arena, &f->blocks);
      *open = (struct block){.label = inst->result, .first = i + 1, .head = -1};
    }
    if (!open || !ends_block(inst)) continue;
    open->end = i + 1;
    open = NULL;
  }
  if (open) module_fail(&k->module, f->inst, "a block of this function does not end");
  for (size_t i = 0; i < f->blocks.count && !k->module.failed; i++) connect(k, f, &f->blocks.at[i]);
}

/* ---- loops ---- */

struct walk {
  struct kernel_code *k;
  struct function *f;
  unsigned char *seen; /* by block: 1: on the way, 2: done */
};

static void add_body(const struct function *f, struct loop *loop, unsigned block) {
  if (loop->body[block]) return;
  loop->body[block] = true;
  for (size_t p = 0; p < f->blocks.count; p++)
    for (unsigned s = 0; s < f->blocks.at[p].succ_count; s++)
      if (f->blocks.at[p].succs[s] == block) add_body(f, loop, (unsigned)p);
}

static void add_loop(struct walk *w, unsigned head, unsigned from) {
  struct block *block = &w->f->blocks.at[head];
  if (block->head < 0) {
    block->head = (int)w->f->loops.count;
    struct loop *loop = vec_push(w->k->arena, &w->f->loops);
    *loop = (struct loop){.head = head, .body = ARENA_ARRAY(w->k->arena, bool, w->f->blocks.count)};
    loop->body[head] = true;
  }
  add_body(w->f, &w->f->loops.at[block->head], from);
}

static void find_loops(struct walk *w, unsigned block) {
  w->seen[block] = 1;
  for (unsigned s = 0; s < w->f->blocks.at[block].succ_count; s++) {
    unsigned to = w->f->blocks.at[block].succs[s];
    if (w->seen[to] == 1) add_loop(w, to, block);
    if (!w->seen[to]) find_loops(w, to);
  }
  w->seen[block] = 2;
}

/* ---- live values ---- */

/* Is the operand the place of a variable that is loaded or stored as a whole here? */
static bool is_whole_use(const struct inst *inst, unsigned operand) {
  return operand == 0 && (inst->opcode == SpvOpLoad || inst->opcode == SpvOpStore);
}

static void find_plain(struct kernel_code *k, struct function *f) {
  for (unsigned i = f->first; i < f->end; i++)
    if (k->module.insts[i].opcode == SpvOpVariable) f->plain[k->module.insts[i].result] = true;
  for (unsigned i = f->first; i < f->end; i++) {
    const struct inst *inst = &k->module.insts[i];
    for (unsigned o = 0; o < inst->operand_count; o++) {
      uint32_t id = inst->operands[o];
      if (id < k->module.bound && inst->opcode != SpvOpVariable && !is_whole_use(inst, o)) f->plain[id] = false;
    }
  }
}

/* What an instruction does to what is live, read backwards.  Words that are no ids
 * make live what need not be: that is all. */
static void step_back(const struct kernel_code *k, const struct function *f, const struct inst *inst, bool *live) {
  if (inst->result) live[inst->result] = false;
  if (inst->opcode == SpvOpPhi || inst->opcode == SpvOpLabel) return;
  bool stores = inst->opcode == SpvOpStore && f->plain[inst->operands[0]];
  if (stores) live[inst->operands[0]] = false;
  for (unsigned o = stores; o < inst->operand_count; o++)
    if (inst->operands[o] < k->module.bound) live[inst->operands[o]] = true;
}

/* What phis of `to` take on the way from `from`. */
static void add_phis(const struct kernel_code *k, const struct block *from, const struct block *to, bool *live) {
  for (unsigned i = to->first; i < to->end && k->module.insts[i].opcode == SpvOpPhi; i++) {
    const struct inst *phi = &k->module.insts[i];
    live[phi->result] = false;
    for (unsigned o = 0; o + 1 < phi->operand_count; o += 2)
      if (phi->operands[o + 1] == from->label) live[phi->operands[o]] = true;
  }
}

static bool find_live(struct kernel_code *k, struct function *f, struct block *block) {
  bool *live = ARENA_ARRAY(k->arena, bool, k->module.bound), moved = false;
  for (unsigned s = 0; s < block->succ_count; s++) {
    const struct block *to = &f->blocks.at[block->succs[s]];
    for (unsigned id = 0; to->live && id < k->module.bound; id++) live[id] |= to->live[id];
  }
  for (unsigned s = 0; s < block->succ_count; s++) add_phis(k, block, &f->blocks.at[block->succs[s]], live);
  for (unsigned i = block->end; i-- > block->first;) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpPhi) {
      live[inst->result] = true; /* set on the way here */
      continue;
    }
    step_back(k, f, inst, live);
  }
  for (unsigned id = 0; id < k->module.bound; id++) moved |= !block->live || block->live[id] != live[id];
  block->live = live;
  return moved;
}

/* ---- slots ---- */

static void add_variable(struct kernel_code *k, struct function *f, const struct inst *inst) {
  const struct kernel_type *pointer = types_get(&k->types, inst->type);
  struct memory object = {.kind = OBJECT_OWN,
                          .name = module_name(&k->module, inst->result),
                          .id = inst->result,
                          .storage = SpvStorageClassFunction,
                          .type = types_pointee(&k->types, pointer),
                          .first = f->slot_count,
                          .builtin = -1};
  object.cells = cells_of_variable(k, object.id, object.type, &object.cell_count);
  if (inst->operand_count > 1) {
    struct value value = constant_value(k, inst->operands[1]);
    struct scalar *fixed = ARENA_ARRAY(k->arena, struct scalar, object.cell_count + 1u);
    for (unsigned i = 0; value.at && i < value.type->leaves && i < object.cell_count; i++) fixed[i] = value.at[i];
    fill_paddings(k, &object, fixed);
    object.fixed = fixed;
  }
  f->slot_count += object.cell_count;
  *vec_push(k->arena, &f->variables) = object;
}

/* Is the parameter a pointer to a struct that the caller passes by value, so that each call has a copy of its own?
 * What the kernel itself is given is one already (memory_objects.c). */
static bool is_copied(const struct kernel_code *k, const struct function *f, uint32_t parameter) {
  if (f->inst->result == k->entry->operands[1]) return false;
  ARRAY_EACH (const struct inst, inst, k->module.insts, k->module.inst_count)
    if (inst->opcode == SpvOpDecorate && inst->operands[0] == parameter &&
        inst->operands[1] == SpvDecorationFuncParamAttr && inst->operands[2] == SpvFunctionParameterAttributeByVal)
      return true;
  return false;
}

static void give_slots(struct kernel_code *k, struct function *f) {
  f->slot = ARENA_ARRAY(k->arena, int, k->module.bound);
  f->plain = ARENA_ARRAY(k->arena, bool, k->module.bound);
  for (unsigned id = 0; id < k->module.bound; id++) f->slot[id] = -1;
  for (size_t i = 0; i < f->parameters.count; i++)
    if (is_copied(k, f, f->parameters.at[i])) add_variable(k, f, k->module.defs[f->parameters.at[i]]);
  for (unsigned i = f->first; i < f->end; i++) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpVariable) add_variable(k, f, inst);
    if (!inst->result || !inst->type || k->constants[inst->result] || inst->opcode == SpvOpVariable) continue;
    f->slot[inst->result] = (int)f->slot_count;
    f->slot_count += types_get(&k->types, inst->type)->leaves;
  }
}

static bool has_barrier(const struct kernel_code *k, const struct inst *inst) {
  const struct spirv_change *inserted = change_at(k, (unsigned)(inst - k->module.insts), true);
  if (inst->opcode == SpvOpControlBarrier || inst->opcode == SpvOpGroupWaitEvents || group_meets(inst) ||
      (inserted && inserted->kind == CHANGE_BARRIER))
    return true;
  const struct function *callee = inst->opcode == SpvOpFunctionCall ? function_of(k, inst->operands[0]) : NULL;
  return callee && callee->barrier;
}

/* Counts for the rounds of loops with a barrier. */
static void count_rounds(struct kernel_code *k, struct function *f) {
  for (size_t l = 0; l < f->loops.count; l++)
    for (size_t b = 0; b < f->blocks.count; b++)
      for (unsigned i = f->blocks.at[b].first; f->loops.at[l].body[b] && i < f->blocks.at[b].end; i++)
        f->loops.at[l].barrier |= has_barrier(k, &k->module.insts[i]);
  for (size_t l = 0; l < f->loops.count; l++)
    if (f->loops.at[l].barrier) f->loops.at[l].slot = f->slot_count++;
}

static void find_barriers(struct kernel_code *k) {
  for (bool moved = true; moved;) {
    moved = false;
    ARRAY_EACH (struct function, f, k->functions.at, k->functions.count) {
      for (unsigned j = f->first; j < f->end && !f->barrier; j++)
        if (has_barrier(k, &k->module.insts[j])) f->barrier = moved = true;
    }
  }
}

static void measure(struct kernel_code *k, struct function *f) {
  struct walk walk = {k, f, ARENA_ARRAY(k->arena, unsigned char, f->blocks.count + 1)};
  if (f->blocks.count) find_loops(&walk, 0);
  give_slots(k, f);
  count_rounds(k, f);
  find_plain(k, f);
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t b = f->blocks.count; b-- > 0;) moved |= find_live(k, f, &f->blocks.at[b]);
  }
}

void functions_find(struct kernel_code *k) {
  struct function *open = NULL;
  for (unsigned i = 0; i < k->module.inst_count; i++) {
    const struct inst *inst = &k->module.insts[i];
    if (inst->opcode == SpvOpFunction) {
      open = vec_push(k->arena, &k->functions);
      *open = (struct function){.inst = inst, .first = i + 1};
    }
    if (open && inst->opcode == SpvOpFunctionEnd) open->end = i, open = NULL;
  }
  for (size_t i = 0; i < k->functions.count && !k->module.failed; i++) find_blocks(k, &k->functions.at[i]);
  find_barriers(k);
  for (size_t i = 0; i < k->functions.count && !k->module.failed; i++) measure(k, &k->functions.at[i]);
}
