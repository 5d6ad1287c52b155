/* SPDX-License-Identifier: MIT */
/* Where paths meet: in threads with loops, at instructions to which branches lead; in others, where slots would run
 * out.
 *
 * A path that comes there is rewritten first, so that ways to the same place that
 * differ in nothing that matters look alike: operations that may be on their way get
 * the first slots, in their order; what registers hold of operations that are done, or
 * was computed from that, the next ones.  Numbers stay numbers: a loop with a counter
 * has a way to its head for each count.  If the same has been met before, the path
 * goes on there; a node (MOVE) says which slot becomes which.
 */
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/amd/unfold_internal.h"

enum { MOST_COUNTED = 64 /* waits let fewer be outstanding */, NOT_KEPT = 0xff };

struct joining {
  struct amd_unfolding *u;
  struct amd_path *p;    /* being rewritten */
  amd_slot_set known;    /* before that */
  uint8_t to[AMD_SLOTS]; /* new numbers of slots, or NOT_KEPT */
  struct amd_move moves[AMD_SLOTS];
  unsigned count;
  struct amd_node issued[AMD_SLOTS]; /* by new slot: what may be on its way */
  VEC(uint32_t) words;
};

/* ---- slots ---- */

static unsigned add_move(struct joining *j, struct amd_move move) {
  if (j->count == AMD_SLOTS) {
    unfold_fail(j->u, "the machine handles at most %d operations of one thread at a time", AMD_SLOTS);
    return 0;
  }
  j->moves[j->count] = move;
  return j->count++;
}

static void keep(struct joining *j, amd_slot_set slots) {
  for (; slots; slots &= slots - 1) {
    unsigned slot = amd_first_of(slots);
    if (j->to[slot] == NOT_KEPT) j->to[slot] = (uint8_t)add_move(j, (struct amd_move){.from = slot});
  }
}

/* The slot that holds an expression's value from here on. */
static unsigned compute(struct joining *j, const struct amd_expr *e) {
  for (unsigned k = 0; k < j->count; k++)
    if (j->moves[k].expr && unfold_same(j->moves[k].expr, e)) return k;
  return add_move(j, (struct amd_move){.expr = e});
}

/* An expression over kept slots, with their new numbers. */
static const struct amd_expr *rename_slots(const struct joining *j, const struct amd_expr *e) {
  if (!e || e->kind == AMD_EXPR_NUMBER) return e;
  struct amd_expr *renamed = ARENA_COPY(j->u->arena, struct amd_expr, e, 1);
  if (e->kind == AMD_EXPR_SLOT) {
    renamed->slot = j->to[e->slot];
    return renamed;
  }
  renamed->a = rename_slots(j, e->a);
  renamed->b = rename_slots(j, e->b);
  return renamed;
}

static const struct amd_expr *keep_expression(struct joining *j, const struct amd_expr *e) {
  keep(j, unfold_slots_of(e));
  return j->u->failed ? e : rename_slots(j, e);
}

static void rewrite_value(struct joining *j, struct amd_value *v) {
  if (v->kind != VALUE_EXPRESSION) return;
  if (v->expr->kind == AMD_EXPR_SLOT || unfold_slots_of(v->expr) & ~j->known)
    v->expr = keep_expression(j, v->expr);
  else
    *v = value_of_slot(j->u, compute(j, v->expr), 0);
}

/* ---- a path ---- */

/* What may still be on its way keeps its order. */
static void rewrite_issued(struct joining *j, const struct amd_path *from) {
  keep(j, amd_first_slots(from->slots) & ~j->known);
  unsigned issued = j->count;
  for (unsigned k = 0; k < issued; k++) {
    struct amd_node node = j->u->nodes.at[from->by_slot[j->moves[k].from]];
    node.slot = k;
    for (unsigned w = 0; w < 2; w++) {
      node.data.word[w] = keep_expression(j, node.data.word[w]);
      node.expected.word[w] = keep_expression(j, node.expected.word[w]);
    }
    j->issued[k] = node;
  }
  for (unsigned k = 0; k < issued; k++) {
    j->p->together[k] = 0;
    for (amd_slot_set others = from->together[j->moves[k].from] & ~j->known; others; others &= others - 1)
      j->p->together[k] |= amd_slot(j->to[amd_first_of(others)]);
  }
  for (unsigned k = 0; k < issued && j->u->thread->past_hazards; k++) {
    j->p->before[k] = from->before[j->moves[k].from];
    rewrite_value(j, &j->p->before[k]);
  }
}

static void rewrite_registers(struct joining *j) {
  struct amd_path *p = j->p;
  for (unsigned r = 0; r < AMD_REGISTERS; r++) {
    rewrite_value(j, &p->regs[r].value);
    if (p->regs[r].pending) p->regs[r].pending = (uint8_t)(j->to[p->regs[r].pending - 1] + 1);
  }
  for (unsigned i = 0; i < p->spill_count; i++) rewrite_value(j, &p->spills[i].value);
  for (unsigned i = 0; i < OUTS; i++) rewrite_value(j, &p->out[i]);
}

/* What has been decided of slots that are kept. */
static void rewrite_decisions(struct joining *j) {
  struct amd_path *p = j->p;
  unsigned count = 0;
  amd_slot_set kept = 0;
  for (unsigned slot = 0; slot < AMD_SLOTS; slot++) kept |= (amd_slot_set)(j->to[slot] != NOT_KEPT) << slot;
  for (unsigned i = 0; i < p->decision_count; i++) {
    struct amd_decision decision = p->decisions[i];
    if (unfold_slots_of(decision.expr) & ~kept) continue;
    decision.expr = rename_slots(j, decision.expr);
    p->decisions[count++] = decision;
  }
  p->decision_count = count;
}

/* What a counter has counted and a later wait may still wait for, or count. */
static void rewrite_counted(struct joining *j, unsigned counter) {
  uint8_t *issued = j->p->issued[counter];
  unsigned total = j->p->issued_count[counter], count = 0;
  for (unsigned n = 0; n < total; n++) {
    bool done = issued[n] == NO_SLOT || j->known >> issued[n] & 1;
    if (done && (!count || total - n > MOST_COUNTED)) continue;
    issued[count++] = done ? NO_SLOT : j->to[issued[n]];
  }
  j->p->issued_count[counter] = count;
}

static int by_key(const void *a, const void *b) {
  const struct amd_spill *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

static void rewrite(struct joining *j, const struct amd_path *from) {
  struct amd_path *p = j->p;
  qsort(p->spills, p->spill_count, sizeof *p->spills, by_key);
  p->early_count = 0;
  rewrite_issued(j, from);
  rewrite_registers(j);
  rewrite_decisions(j);
  for (unsigned c = 0; c < AMD_CLASSES; c++) rewrite_counted(j, c);
  for (unsigned k = 0; k < j->count; k++)
    p->least[k] = j->moves[k].expr ? unfold_least(from, j->moves[k].expr) : from->least[j->moves[k].from];
  p->slots = j->count;
  p->known = 0;
  for (unsigned k = 0; k < j->count; k++)
    if (j->moves[k].expr || j->known >> j->moves[k].from & 1) p->known |= amd_slot(k);
}

static bool moves_anything(const struct joining *j, const struct amd_path *from) {
  for (unsigned k = 0; k < j->count; k++)
    if (j->moves[k].expr || j->moves[k].from != k) return true;
  return j->count != from->slots;
}

/* ---- what a path is known by ---- */

static void put(struct joining *j, uint32_t word) {
  *vec_push(j->u->arena, &j->words) = word;
}

static void put_wide(struct joining *j, uint64_t wide) {
  put(j, (uint32_t)wide);
  put(j, (uint32_t)(wide >> 32));
}

static void put_set(struct joining *j, amd_slot_set set) {
  put_wide(j, (uint64_t)set);
  put_wide(j, (uint64_t)(set >> 64));
}

static void put_pointer(struct joining *j, const void *pointer) {
  put_wide(j, (uint64_t)(uintptr_t)pointer);
}

static void put_expression(struct joining *j, const struct amd_expr *e) {
  put(j, e ? (uint32_t)e->kind + 1 : 0);
  if (!e) return;
  put(j, e->kind == AMD_EXPR_NUMBER ? (uint32_t)e->number
         : e->kind == AMD_EXPR_SLOT ? e->slot << 1 | e->word
                                    : (uint32_t)e->fn);
  if (e->kind != AMD_EXPR_FN) return;
  put_expression(j, e->a);
  put_expression(j, e->b);
}

static void put_value(struct joining *j, uint32_t place, const struct amd_value *v, uint32_t awaited) {
  if (v->kind == VALUE_UNSET && !awaited) return;
  put(j, place);
  put(j, (uint32_t)v->kind | (uint32_t)v->is_address << 8);
  put(j, awaited);
  put(j, v->number);
  put_expression(j, v->kind == VALUE_EXPRESSION ? v->expr : NULL);
}

static void put_issued(struct joining *j, const struct amd_node *node) {
  put_pointer(j, node->instr);
  put(j, (uint32_t)node->kind << 16 | node->location << 8 | node->slot);
  put_set(j, j->p->together[node->slot]);
  put_wide(j, node->kept);
  put(j, node->passes << 4 | (uint32_t)node->local | (uint32_t)node->returns << 1 | (uint32_t)node->through << 2 |
             (uint32_t)node->seen << 3);
  for (unsigned w = 0; w < 2; w++) {
    put_expression(j, node->data.word[w]);
    put_expression(j, node->expected.word[w]);
  }
}

static void put_counted(struct joining *j, unsigned counter) {
  put(j, j->p->issued_count[counter]);
  for (unsigned n = 0; n < j->p->issued_count[counter]; n++) put(j, j->p->issued[counter][n]);
}

static void describe(struct joining *j) {
  struct amd_path *p = j->p;
  put_pointer(j, p->piece);
  put(j, (uint32_t)(p->accesses != 0) << 1 | p->waited);
  put(j, p->slots);
  put_set(j, p->known);
  for (unsigned k = 0; k < p->slots; k++)
    if (!(p->known >> k & 1)) put_issued(j, &j->issued[k]);
  for (unsigned r = 0; r < AMD_REGISTERS; r++) {
    const struct amd_cell *cell = &p->regs[r];
    uint32_t counted = cell->counter ? (uint32_t)cell->counter << 8 | (uint32_t)cell->since << 16 : 0;
    put_value(j, r, &cell->value, cell->pending | counted);
  }
  for (unsigned i = 0; i < OUTS; i++) put_value(j, AMD_REGISTERS + i, &p->out[i], 0);
  for (unsigned k = 0; k < p->slots && j->u->thread->past_hazards; k++)
    if (!(p->known >> k & 1)) put_value(j, AMD_REGISTERS + OUTS + k, &p->before[k], 0);
  for (unsigned i = 0; i < p->spill_count; i++) {
    if (p->spills[i].value.kind == VALUE_UNSET) continue;
    put(j, (uint32_t)(p->spills[i].key >> 32));
    put_value(j, (uint32_t)p->spills[i].key, &p->spills[i].value, 0);
  }
  for (unsigned c = 0; c < AMD_CLASSES; c++) put_counted(j, c);
  for (unsigned k = 0; k < p->slots; k++) put(j, (uint32_t)p->least[k]);
  for (unsigned x = 0; x < j->u->location_count; x++) put(j, (uint32_t)p->added[x]);
  for (unsigned i = 0; i < p->decision_count; i++) {
    put(j, p->decisions[i].truth);
    put_expression(j, p->decisions[i].expr);
  }
}

/* ---- joints ---- */

struct amd_path *unfold_path_copy(struct amd_unfolding *u, const struct amd_path *from) {
  struct amd_path *path = u->idle.count ? u->idle.at[--u->idle.count] : ARENA_NEW(u->arena, struct amd_path);
  *path = *from;
  return path;
}

void unfold_path_done(struct amd_unfolding *u, struct amd_path *path) {
  *vec_push(u->arena, &u->idle) = path;
}

struct amd_path *unfold_next_joint(struct amd_unfolding *u, unsigned *pc) {
  if (u->failed || u->joints_done == u->joints.count) return NULL;
  struct amd_joint *joint = &u->joints.at[u->joints_done++];
  *pc = joint->pc;
  return joint->path;
}

static const struct amd_joint *find_joint(const struct joining *j, uint64_t hash, unsigned pc) {
  HASH_EACH (at, &j->u->joints_table, hash) {
    const struct amd_joint *joint = &j->u->joints.at[hash_number(&j->u->joints_table, at)];
    if (joint->pc == pc && joint->count == j->words.count &&
        !memcmp(joint->words, j->words.at, j->words.count * sizeof *joint->words))
      return joint;
  }
  return NULL;
}

/* What is on its way at a joint is as if nodes had issued it that are on no path. */
static void add_issued(struct joining *j) {
  struct amd_unfolding *u = j->u;
  for (unsigned k = 0; k < j->count; k++) {
    j->p->by_slot[k] = AMD_NO_NODE;
    if (j->p->known >> k & 1) continue;
    struct amd_node node = j->issued[k];
    node.next[0] = node.next[1] = AMD_NO_NODE;
    j->p->by_slot[k] = unfold_apart(u, &node);
  }
}

static void add_joint(struct joining *j, uint64_t hash, unsigned pc) {
  add_issued(j);
  unfold_node(j->u, j->p, AMD_NODE_JOIN);
  hash_add(j->u->arena, &j->u->joints_table, hash, (uint32_t)j->u->joints.count);
  *vec_push(j->u->arena, &j->u->joints) =
      (struct amd_joint){j->words.at, (unsigned)j->words.count, j->p->parent, pc, j->p};
}

void unfold_join(struct amd_unfolding *u, struct amd_path *from, unsigned pc) {
  struct joining j = {.u = u, .p = unfold_path_copy(u, from), .known = from->known};
  memset(j.to, NOT_KEPT, sizeof j.to);
  rewrite(&j, from);
  if (u->failed) return;
  describe(&j);
  if (moves_anything(&j, from)) {
    struct amd_node *node = unfold_node(u, from, AMD_NODE_MOVE);
    node->moves = ARENA_COPY(u->arena, struct amd_move, j.moves, j.count);
    node->move_count = j.count;
  }
  j.p->parent = from->parent;
  j.p->branch = from->branch;
  if (j.count > u->slots) u->slots = j.count;
  uint64_t hash = hash_bytes(j.words.at, j.words.count * sizeof *j.words.at);
  const struct amd_joint *joint = find_joint(&j, hash, pc);
  if (!joint) {
    add_joint(&j, hash, pc);
    return;
  }
  u->nodes.at[from->parent].next[from->branch] = (uint16_t)joint->node;
  unfold_path_done(u, j.p);
}
