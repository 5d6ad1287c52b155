/* SPDX-License-Identifier: MIT */
/* PTX's barrier of a cluster, whose two halves are instructions of their own:
 *
 *   barrier.cluster.arrive[.release | .relaxed][.aligned]
 *   barrier.cluster.wait[.acquire][.aligned]
 *
 * (ISA, 9.7.13.3.)  Each phase of a cluster's barrier is a location that counts: who
 * arrives adds 1, by a reduction of cluster scope that releases unless it is relaxed,
 * and who waits reads it, with acquire, until all have arrived.  All are the threads
 * that have the phase: those that exit without arriving are not waited for.  Which
 * phase an instruction is of is seen in the text, hence no jumps past it.
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/ptx_qualifiers.h"

static bool counts_arrivals(const struct draft *draft, const struct instr *instr) {
  return instr_is_access(instr) && ptx_location_of(draft, instr->address.base)->arrivals;
}

static bool arrives(const struct draft *draft, const struct instr *instr) {
  return instr->kind == INSTR_RMW && counts_arrivals(draft, instr);
}

static bool waits(const struct draft *draft, const struct instr *instr) {
  return instr->kind == INSTR_LOAD && counts_arrivals(draft, instr);
}

static unsigned count_of(const struct draft *draft, const struct draft_thread *thread,
                         bool (*is)(const struct draft *draft, const struct instr *instr)) {
  unsigned count = 0;
  for (size_t i = 0; i < thread->code.count; i++) count += is(draft, &thread->code.at[i]);
  return count;
}

/* The arrivals at a phase of the barrier of the thread's cluster. */
static const struct draft_location *counter_of(struct column_cell *cell, const struct opcode *op, unsigned phase) {
  struct draft *draft = cell->draft;
  const struct ptx_test *test = draft->own;
  const struct placement *place = &cell->thread->place;
  const char *name = arena_printf(draft->reader.arena, "gpu%u.%s%u.phase%u", place->dev,
                                  test->clusters ? "cluster" : "cta", test->clusters ? place->qf : place->wg, phase);
  struct draft_location *counter = draft_add_location(draft, name, op->words[0]->span);
  counter->initialised = counter->arrivals = true;
  return counter;
}

static void take_end(struct column_cell *cell, struct opcode *op) {
  opcode_skip_word(op, "aligned");
  opcode_end(cell, op);
}

static void lower_arrival(struct column_cell *cell, struct opcode *op, unsigned phase) {
  static const struct word_row orders[] = {{"release", ORDER_REL}, {"relaxed", ORDER_RLX}, {NULL, 0}};
  int order = opcode_skip(op, orders);
  take_end(cell, op);
  struct ptx_strength strength = {order < 0 ? ORDER_REL : (enum order)order, ptx_scope(cell, SCOPE_QF),
                                  tag_bit(TAG_GEN)};
  struct instr *instr = ptx_emit(cell, op, INSTR_RMW, &strength);
  instr->op = RMW_ADD;
  instr->split = true;
  instr->read_tags = tag_bit(TAG_REDUCTION);
  instr->value = draft_constant(cell->draft, 1);
  assembly_access(cell, instr, counter_of(cell, op, phase));
}

/* A load and a branch back to it; until when is known in the end. */
static void lower_wait(struct column_cell *cell, struct opcode *op, unsigned phase) {
  opcode_skip_word(op, "acquire");
  take_end(cell, op);
  unsigned seen = draft_new_temporary(cell->draft, cell->thread);
  struct ptx_strength strength = {ORDER_ACQ, ptx_scope(cell, SCOPE_QF), tag_bit(TAG_GEN)};
  struct instr *load = ptx_emit(cell, op, INSTR_LOAD, &strength);
  load->reg = (int)seen;
  assembly_access(cell, load, counter_of(cell, op, phase));
  unsigned start = (unsigned)cell->thread->code.count - 1;
  assembly_emit(cell, op, INSTR_BRANCH)->target = start;
}

/* --- barriers that carry values ----------------------------------------------------------------- */

/* `barrier.cta.red.popc.u32 r0, 0, r1`: how many of the threads that meet have a predicate that is not 0; `.and.pred`
 * and `.or.pred`: whether all or any have.  Each thread adds its own to a number of the block before the barrier, and
 * reads that after it. */
void ptx_lower_reducing_barrier(struct column_cell *cell, struct opcode *op) {
  static const struct word_row operations[] = {{"popc", RMW_ADD}, {"and", RMW_AND}, {"or", RMW_OR}, {NULL, 0}};
  static const struct word_row types[] = {{"u32", 0}, {"pred", 0}, {NULL, 0}};
  struct draft *draft = cell->draft;
  opcode_skip_word(op, "aligned");
  int operation = opcode_expect(cell, op, operations, "an operation");
  if (operation < 0) return;
  opcode_skip_word(op, "aligned");
  opcode_skip(op, types);
  opcode_end(cell, op);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, barrier, predicate");
  const struct placement *place = &cell->thread->place;
  const char *name =
      arena_printf(draft->reader.arena, "gpu%u.cta%u.barrier%s", place->dev, place->wg, assembly_barrier_name(cell));
  assembly_comma(cell, op, "register, barrier, predicate");
  const struct expr *one = draft_operation(draft, EXPR_NE, assembly_value(cell), draft_constant(draft, 0), NULL);
  struct draft_location *number = draft_add_location(draft, name, op->words[0]->span);
  number->initialised = true;
  if (operation == RMW_AND) number->init[0] = 1;
  struct ptx_strength strength = {ORDER_RLX, SCOPE_WG, tag_bit(TAG_GEN)};
  struct instr *instr = ptx_emit(cell, op, INSTR_RMW, &strength);
  instr->op = (enum rmw_op)operation;
  instr->split = true;
  instr->read_tags = tag_bit(TAG_REDUCTION);
  instr->value = one;
  assembly_access(cell, instr, number);
  instr = assembly_emit(cell, op, INSTR_MEET);
  instr->barrier_label = draft_barrier_label(draft, strrchr(name, 'r') + 1);
  instr->tags = tag_bit(TAG_F);
  instr = ptx_emit(cell, op, INSTR_LOAD, &strength);
  instr->reg = reg;
  assembly_access(cell, instr, number);
}

void ptx_lower_cluster_barrier(struct column_cell *cell, struct opcode *op) {
  static const struct word_row halves[] = {{"arrive", true}, {"wait", false}, {NULL, 0}};
  int arrive = opcode_expect(cell, op, halves, "a half");
  if (arrive < 0) return;
  unsigned arrived = count_of(cell->draft, cell->thread, arrives), waited = count_of(cell->draft, cell->thread, waits);
  if (arrive && arrived > waited)
    reader_fail(cell->reader, op->words[0]->span,
                "%s arrives again without having waited: a thread must arrive once only before the barrier completes",
                cell->thread->name);
  else if (!arrive && arrived == waited)
    reader_fail(cell->reader, op->words[0]->span, "%s waits at the barrier of its cluster without having arrived",
                cell->thread->name);
  else if (arrive)
    lower_arrival(cell, op, arrived);
  else
    lower_wait(cell, op, waited);
}

/* Does a jump lead past an instruction, or back to one before it? */
static bool jumped_past(const struct draft_thread *thread, size_t at) {
  for (size_t i = 0; i < thread->code.count; i++) {
    const struct instr *jump = &thread->code.at[i];
    bool jumps = instr_jumps(jump);
    if (jumps && i != at + 1 && (i < at) == (jump->target > at)) return true;
  }
  return false;
}

static unsigned arrivals_at(const struct draft *draft, unsigned counter) {
  unsigned count = 0;
  for (size_t t = 0; t < draft->threads.count; t++)
    ARRAY_EACH (const struct instr, instr, draft->threads.at[t].code.at, draft->threads.at[t].code.count)
      count += arrives(draft, instr) && instr->address.base == counter;
  return count;
}

void ptx_count_arrivals(struct draft *draft) {
  for (size_t t = 0; t < draft->threads.count && !draft->reader.failed; t++) {
    const struct draft_thread *thread = &draft->threads.at[t];
    for (size_t i = 0; i < thread->code.count && !draft->reader.failed; i++) {
      const struct instr *instr = &thread->code.at[i];
      if (!counts_arrivals(draft, instr)) continue;
      if (jumped_past(thread, i))
        reader_fail(&draft->reader, instr->span, "not supported: a jump past the barrier of a cluster");
      else if (instr->kind == INSTR_LOAD)
        thread->code.at[i + 1].value =
            draft_operation(draft, EXPR_EQ, draft_register_value(draft, (unsigned)instr->reg),
                            draft_constant(draft, arrivals_at(draft, instr->address.base)), NULL);
    }
  }
}
