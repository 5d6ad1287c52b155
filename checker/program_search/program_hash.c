/* SPDX-License-Identifier: MIT */
/* Names count by the order in which they are first met, and of all orders of the
 * threads the least hash is taken. */
#include "checker/program_search/program_hash.h"

#include "checker/base/array.h"
#include "checker/base/number.h"

enum { MOST_NAMES = 64 };

/* Numbers in the order in which they are first met. */
struct names {
  unsigned count, known[MOST_NAMES];
};

static uint64_t name_of(struct names *names, unsigned what) {
  unsigned i = 0;
  while (i < names->count && names->known[i] != what) i++;
  if (i == names->count && i < MOST_NAMES) names->known[names->count++] = what;
  return i;
}

static void mix(uint64_t *hash, uint64_t value) {
  *hash = (*hash ^ value) * UINT64_C(0xa0761d6478bd642f);
  *hash ^= *hash >> 29;
}

struct naming {
  struct names locations, sgs, wgs, qfs, devs, labels;
  uint64_t hash;
};

static void mix_expression(struct naming *n, struct names *registers, const struct expr *e) {
  mix(&n->hash, e ? 1 + (uint64_t)e->kind : 0);
  if (!e) return;
  mix(&n->hash, e->kind == EXPR_REG ? name_of(registers, e->reg) : (uint64_t)e->value);
  if (e->kind == EXPR_CONST || e->kind == EXPR_REG) return;
  mix_expression(n, registers, e->a);
  mix_expression(n, registers, e->b);
  mix_expression(n, registers, e->c);
}

uint64_t instruction_hash(const struct instr *i) {
  uint64_t hash = 1;
  const uint64_t words[] = {(uint64_t)i->kind,    (uint64_t)i->order, (uint64_t)i->scope, i->tags,
                            i->read_tags,         i->write_tags,      i->regions,         (uint64_t)i->op,
                            (uint64_t)i->failure, i->target,          i->arrive,          i->silent};
  for (size_t k = 0; k < ARRAY_COUNT(words); k++) mix(&hash, words[k]);
  return hash;
}

static void mix_instruction(struct naming *n, struct names *registers, const struct instr *i) {
  mix(&n->hash, instruction_hash(i));
  if (instr_is_access(i)) {
    mix(&n->hash, name_of(&n->locations, i->address.base));
    mix(&n->hash, i->alias ? 1 + name_of(&n->locations, i->alias - 1) : 0);
  }
  if (i->kind == INSTR_MEET || i->kind == INSTR_BARRIER) mix(&n->hash, name_of(&n->labels, (unsigned)i->barrier_label));
  if (i->awaits) mix(&n->hash, (uint64_t)i->nothing);
  if (i->reg != NO_REG) mix(&n->hash, name_of(registers, (unsigned)i->reg));
  mix_expression(n, registers, i->value);
  mix_expression(n, registers, i->expected);
}

static uint64_t hash_in_order(const struct program *program, const unsigned *order) {
  struct naming n = {.hash = 1};
  for (unsigned k = 0; k < program->thread_count; k++) {
    const struct thread *thread = &program->threads[order[k]];
    struct names registers = {0};
    mix(&n.hash, name_of(&n.sgs, thread->sg));
    mix(&n.hash, name_of(&n.wgs, thread->wg));
    mix(&n.hash, name_of(&n.qfs, thread->qf));
    mix(&n.hash, name_of(&n.devs, thread->dev));
    for (unsigned i = 0; i < thread->instr_count; i++) mix_instruction(&n, &registers, &thread->instrs[i]);
  }
  return n.hash;
}

/* ---- orders of threads ---- */

void thread_orders_visit(unsigned count, void (*take)(void *context, const unsigned *order), void *context) {
  unsigned order[MOST_ORDERED];
  for (unsigned t = 0; t < MOST_ORDERED; t++) order[t] = t;
  do take(context, order);
  while (next_order(order, count));
}

/* ---- the least of all orders ---- */

struct hashing {
  const struct program *program;
  uint64_t least;
};

static void take_order(void *context, const unsigned *order) {
  struct hashing *h = context;
  uint64_t hash = hash_in_order(h->program, order);
  if (hash < h->least) h->least = hash;
}

uint64_t program_hash(const struct program *program) {
  unsigned order[64];
  if (program->thread_count > 64) return 0;
  for (unsigned t = 0; t < program->thread_count; t++) order[t] = t;
  struct hashing h = {program, UINT64_MAX};
  if (program->thread_count > MOST_ORDERED)
    take_order(&h, order);
  else
    thread_orders_visit(program->thread_count, take_order, &h);
  return h.least ? h.least : 1;
}
