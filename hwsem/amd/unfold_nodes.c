/* SPDX-License-Identifier: MIT */
/* What interpreting an instruction leaves: nodes, conditions that were decided, and errors. */
#include <stdarg.h>

#include "checker/base/vec.h"
#include "hwsem/amd/unfold_internal.h"

enum { NODES = 20000 /* of a thread */ };

bool unfold_fail(struct amd_unfolding *u, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(u->arena, format, args);
  va_end(args);
  if (!u->failed)
    diag_error(u->diags, u->thread->code->source, u->instr ? u->instr->span : (struct span){0, 0}, "%s", message);
  u->failed = true;
  return false;
}

/* ---- nodes ---- */

static struct amd_node *add_node(struct amd_unfolding *u) {
  if (u->nodes.count >= NODES) {
    unfold_fail(u, "%s has too many paths for the machine", u->thread->name);
    u->nodes.count--; /* the last one is made again, so that callers need not look */
  }
  return vec_push(u->arena, &u->nodes);
}

uint16_t unfold_apart(struct amd_unfolding *u, const struct amd_node *node) {
  *add_node(u) = *node;
  return (uint16_t)(u->nodes.count - 1);
}

struct amd_node *unfold_node(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind) {
  struct amd_node *node = add_node(u);
  unsigned index = (unsigned)u->nodes.count - 1;
  *node = (struct amd_node){.kind = kind, .instr = u->instr, .next = {AMD_NO_NODE, AMD_NO_NODE}};
  if (index) u->nodes.at[p->parent].next[p->branch] = (uint16_t)index;
  node->by_slot = ARENA_COPY(u->arena, uint16_t, p->by_slot, p->slots);
  node->slots = p->slots;
  p->parent = index;
  p->branch = 0;
  return node;
}

bool amd_node_is_scalar(const struct amd_node *node) {
  return node->kind == AMD_NODE_LOAD && node->instr->op == AMD_OP_SCALAR_LOAD;
}

struct amd_node *unfold_slot(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind) {
  struct amd_node *node = unfold_node(u, p, kind);
  if (p->slots == AMD_SLOTS) {
    unfold_fail(u, "the machine handles at most %d operations of one thread at a time", AMD_SLOTS);
    return node;
  }
  node->slot = p->slots;
  p->together[p->slots] = 0;
  p->least[p->slots] = INT32_MIN;
  p->by_slot[p->slots++] = (uint16_t)p->parent;
  if (p->slots > u->slots) u->slots = p->slots;
  return node;
}

/* ---- conditions ---- */

bool unfold_decide(struct amd_unfolding *u, struct amd_path *p, enum amd_fn fn, struct amd_value a, struct amd_value b,
                   bool *truth) {
  bool negated = fn == AMD_NE;
  struct amd_value result = value_combine(u, negated ? AMD_EQ : fn, a, b);
  if (result.kind == VALUE_UNSET) return unfold_fail(u, "%s reads a register that nothing has set", u->instr->name);
  if (result.kind == VALUE_OPAQUE)
    return unfold_fail(u, "the condition depends on memory in a way that the machine does not model");
  if (result.kind == VALUE_NUMBER) {
    *truth = (result.number != 0) != negated;
    return true;
  }
  for (unsigned i = 0; i < p->decision_count; i++)
    if (unfold_same(p->decisions[i].expr, result.expr)) {
      *truth = p->decisions[i].truth != negated;
      return true;
    }
  if (unfold_settled(p, result.expr, truth)) {
    *truth = *truth != negated;
    return true;
  }
  u->undecided = result.expr;
  return false;
}

bool unfold_mask_bit(struct amd_unfolding *u, struct amd_path *p, const struct amd_value *value, bool *bit) {
  if (value->kind == VALUE_EXPRESSION)
    return unfold_decide(u, p, AMD_NE, value_combine(u, AMD_AND, *value, value_number(1)), value_number(0), bit);
  if (value->kind != VALUE_NUMBER) return unfold_fail(u, "%s reads a mask that is not known", u->instr->name);
  *bit = value->number & 1;
  return true;
}

bool unfold_lane_active(const struct amd_path *p) {
  return p->regs[AMD_EXEC].value.number & 1;
}

bool unfold_note_access(struct amd_unfolding *u, struct amd_path *p, unsigned location, const struct amd_value *read) {
  bool result = read && u->thread->reads && !p->accesses;
  if (&u->locations[location] == u->thread->given) return false;
  p->accesses++;
  if (result) p->out[u->thread->result] = *read;
  return result;
}

enum {
  LOCAL_STEP = 4 * 301, /* too far apart for one instruction to reach two */
  PRIVATE_STEP = 0x10000
};

struct amd_pointer amd_pointer(const struct location *locations, unsigned location, bool flat) {
  const struct location *l = &locations[location];
  unsigned array = 0, at = l->bytes ? l->at : 4 * l->cell;
  for (unsigned k = 0; k < location; k++) array += locations[k].region == l->region && locations[k].cell == 0;
  if (l->cell && array) array--; /* the first cell is before it */
  switch (l->region) {
    case REGION_LOCAL:
      return (struct amd_pointer){{array * LOCAL_STEP + at, flat ? AMD_LOCAL_APERTURE : 0}, 1 + flat};
    case REGION_PRIVATE:
      return (struct amd_pointer){{(array + 1) * PRIVATE_STEP + at, flat ? AMD_PRIVATE_APERTURE : 0}, 1 + flat};
    default:
      return (struct amd_pointer){{at, location - l->cell + 1}, 2};
  }
}
