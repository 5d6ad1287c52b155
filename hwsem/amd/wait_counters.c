/* SPDX-License-Identifier: MIT */
/* Wait counters (vmcnt, lgkmcnt, loadcnt, ...): counted up, waited for, counted down.
 *
 * No state has a counter's number.  While a thread is unfolded, each path knows which operations every counter has
 * counted, in order; a wait for N becomes the set of slots that must be done: all but the last N.  In the machine, a
 * counter is decremented when a slot is done, and the wait is over when all slots of its set are.
 */
#include "checker/base/array.h"
#include "hwsem/amd/rules.h"
#include "hwsem/amd/unfold_internal.h"

/* ---- counted up ---- */

void wait_counters_increment(struct amd_unfolding *u, struct amd_path *p, enum amd_class class, unsigned slot) {
  for (unsigned i = 0; i < u->target->counter_count; i++) {
    if (!(u->target->counters[i].classes >> class & 1)) continue;
    if (p->issued_count[i] == ISSUED) {
      unfold_fail(u, "too many operations of one thread for the machine");
      return;
    }
    p->issued[i][p->issued_count[i]++] = (uint8_t)slot;
    for (unsigned r = 0; r < AMD_REGISTERS; r++)
      if (p->regs[r].counter == i + 1 && p->regs[r].since < UINT8_MAX) p->regs[r].since++;
  }
}

struct amd_node *unfold_operation(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind,
                                  enum amd_class class) {
  struct amd_node *node = unfold_slot(u, p, kind);
  if (!u->failed) wait_counters_increment(u, p, class, node->slot);
  return node;
}

void wait_counters_guard(struct amd_unfolding *u, struct amd_path *p, unsigned reg, unsigned words,
                         enum amd_class class) {
  unsigned counter = 0;
  while (counter < u->target->counter_count && !(u->target->counters[counter].classes >> class & 1)) counter++;
  if (counter == u->target->counter_count || u->thread->past_hazards) return;
  for (unsigned k = 0; k < words; k++) {
    p->regs[reg + k].counter = (uint8_t)(counter + 1);
    p->regs[reg + k].since = 0;
    p->regs[reg + k].load = u->instr;
  }
}

/* ---- waited for ---- */

static void cover(struct amd_path *p, amd_slot_set slots) {
  for (unsigned r = 0; r < AMD_REGISTERS; r++)
    if (p->regs[r].pending && slots >> (p->regs[r].pending - 1) & 1) p->regs[r].pending = 0;
}

/* Loads without slots: scalar ones come back in any order. */
static void cover_counted(struct amd_path *p, unsigned counter, unsigned most) {
  ARRAY_EACH (struct amd_cell, cell, p->regs, AMD_REGISTERS) {
    bool scalar = cell->counter && cell->load->op == AMD_OP_SCALAR_LOAD;
    if (cell->counter == counter + 1 && (scalar ? most == 0 : cell->since >= most)) cell->counter = 0;
  }
}

/* Is it an operation that those after it come back after?  Scalar loads are none. */
static bool in_order(const struct amd_unfolding *u, const struct amd_path *p, unsigned slot) {
  return slot != NO_SLOT && !amd_node_is_scalar(&u->nodes.at[p->by_slot[slot]]);
}

bool wait_counters_wait(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  amd_slot_set must = 0;
  bool any = false;
  for (unsigned c = 0; c < u->target->counter_count; c++) {
    int most = -1;
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if (u->target->counters[c].classes >> k & 1) most = i->wait[k];
    for (unsigned n = 0; most >= 0 && n + (unsigned)most < p->issued_count[c]; n++)
      if (in_order(u, p, p->issued[c][n]) || (most == 0 && p->issued[c][n] != NO_SLOT))
        must |= amd_slot(p->issued[c][n]) | p->together[p->issued[c][n]];
    any |= most >= 0 && (unsigned)most < p->issued_count[c];
    if (most >= 0) cover_counted(p, c, (unsigned)most);
  }
  struct amd_node *node = unfold_node(u, p, AMD_NODE_WAIT);
  node->must = must;
  node->any = any;
  p->known |= must;
  cover(p, must);
  return true;
}

bool wait_counters_are_low(const struct amd *m, const int32_t *s, unsigned t, const struct amd_node *node) {
  return !(amd_outstanding(m, s, t) & node->must);
}

/* ---- counted down ---- */

void wait_counters_decrement(const struct amd *m, int32_t *s, unsigned t, unsigned slot) {
  amd_set_done(m, s, t, amd_done(m, s, t) | amd_slot(slot));
}
