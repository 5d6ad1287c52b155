/* SPDX-License-Identifier: MIT */
/* PTX's control of clusters that have not been launched:
 *
 *   clusterlaunchcontrol.try_cancel.async[.shared::cta].COMPLETION[.multicast::cluster::all].b128 [to], [b]
 *   clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 register, response
 *   clusterlaunchcontrol.query_cancel.get_first_ctaid(.v4 | ::x).b32.b128 register, response
 */
#include "checker/litmus/ptx_async.h"

/* The response, which programs must not look into: the number of the first block whose launch is canceled, or, as in a
 * test, all of whose blocks run, that there is none. */
enum { NOTHING_CANCELED = -1, RESPONSE_BYTES = 16 };

/* Writes a response as a copy writes what it copies (ISA, clusterlaunchcontrol.try_cancel). */
static void lower_try_cancel(struct column_cell *cell, struct opcode *op) {
  struct ptx_copy copy = {.update = -1, .cells = 1};
  if (!opcode_require(cell, op, "async")) return;
  opcode_skip_word(op, "shared::cta");
  if (!opcode_require(cell, op, "mbarrier::complete_tx::bytes")) return;
  if (opcode_skip_word(op, "multicast::cluster::all")) copy.address = PTX_CLUSTER;
  struct opcode type = *op;
  if (!opcode_expect_word(cell, &type, "b128", "a type")) return;
  ptx_take_type(op, &copy.to.place);
  opcode_end(cell, op);
  const struct token *first = cell->reader->token;
  copy.to.target = ptx_take_target(cell, &copy.to.place, copy.address);
  struct span where = reader_span_from(cell->reader, first);
  assembly_comma(cell, op, "[to], [mbarrier]");
  const struct draft_location *to = copy.to.target.location, *mbarrier = ptx_take_mbarriers(cell, &copy);
  if (cell->reader->failed) return;
  if (to->array) reader_fail(cell->reader, where, "'%s' is an array, and a response is one value", to->name);
  if (to->regions != REGION_LOCAL)
    reader_fail(cell->reader, where, "'%s' is not in shared memory, where a response is written", to->name);
  copy.blocks = ((int64_t)1 << to->blocks) - 1;
  ptx_set_strengths(&copy, TAG_ASYNC);
  ptx_emit_writes(cell, op, &copy, 0, draft_constant(cell->draft, NOTHING_CANCELED));
  ptx_emit_completions(cell, op, &copy, mbarrier, RESPONSE_BYTES);
}

/* What a response says: of a block, its x, while its y and z are 0. */
static void lower_query_cancel(struct column_cell *cell, struct opcode *op) {
  enum { IS_CANCELED, ALL, X, OTHER };
  static const struct word_row questions[] = {{"is_canceled", IS_CANCELED},  {"get_first_ctaid", ALL},
                                              {"get_first_ctaid::x", X},     {"get_first_ctaid::y", OTHER},
                                              {"get_first_ctaid::z", OTHER}, {NULL, 0}};
  int question = opcode_expect(cell, op, questions, "a question");
  struct ptx_place place = {.vector = question == ALL ? 4 : 0};
  if (question < 0 || (question == ALL && !opcode_expect_word(cell, op, "v4", "a number of registers")) ||
      !opcode_expect_word(cell, op, question == IS_CANCELED ? "pred" : "b32", "a type") ||
      !opcode_expect_word(cell, op, "b128", "a type"))
    return;
  opcode_end(cell, op);
  int regs[VECTOR_LIMIT] = {0};
  ptx_take_registers(cell, &place, regs);
  assembly_comma(cell, op, "register, response");
  const struct expr *response = assembly_value(cell), *nothing = draft_constant(cell->draft, NOTHING_CANCELED);
  for (unsigned i = 0; i < ptx_elements(&place) && !cell->reader->failed; i++) {
    const struct expr *said = question == IS_CANCELED ? draft_operation(cell->draft, EXPR_NE, response, nothing, NULL)
                              : question == OTHER || i > 0 ? draft_constant(cell->draft, 0)
                                                           : response;
    assembly_assign(cell, op, regs[i], said);
  }
}

void ptx_lower_launch_control(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  static const struct word_row words[] = {{"try_cancel", true}, {"query_cancel", false}, {NULL, 0}};
  int tries = opcode_expect(cell, op, words, "an action");
  if (tries > 0) lower_try_cancel(cell, op);
  if (!tries) lower_query_cancel(cell, op);
}
