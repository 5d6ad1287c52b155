/* SPDX-License-Identifier: MIT */
/* Memory orders and scopes that an operation has no use for.
 *
 * The languages forbid them, yet tests have them, and every model makes the same
 * of them: a store cannot acquire, so what is left of its order is the other
 * half.  Such a test is read, with a warning that says how.  One warning a test:
 * who writes one of these writes many.
 */
#include "checker/litmus/test_draft.h"

/* What the kind of operation cannot do, and what becomes of the order then. */
struct remainder {
  const char *what;
  enum order order; /* what the order is taken as */
};

static struct remainder after_load(enum order order) {
  if (order == ORDER_REL) return (struct remainder){"a load does not release", ORDER_RLX};
  if (order == ORDER_ACQ_REL) return (struct remainder){"a load does not release", ORDER_ACQ};
  return (struct remainder){NULL, order};
}

static struct remainder after_store(enum order order) {
  if (order == ORDER_ACQ || order == ORDER_CON) return (struct remainder){"a store does not acquire", ORDER_RLX};
  if (order == ORDER_ACQ_REL) return (struct remainder){"a store does not acquire", ORDER_REL};
  return (struct remainder){NULL, order};
}

/* What remains of an instruction's orders; its `what` is NULL when all does. */
static struct remainder remainder_of(const struct instr *instr, enum order *written) {
  *written = instr->order;
  switch (instr->kind) {
    case INSTR_LOAD:
      return after_load(instr->order);
    case INSTR_STORE:
      return after_store(instr->order);
    case INSTR_CAS: {
      struct remainder failure = after_load(instr->failure);
      *written = instr->failure;
      if (failure.what) failure.what = "a compare-and-swap that fails does not release";
      return failure;
    }
    default:
      return (struct remainder){NULL, instr->order};
  }
}

static const char *name_of(enum order order) {
  static const char *const names[] = {
      [ORDER_NA] = "ordinary",
      [ORDER_RLX] = "relaxed",
      [ORDER_CON] = "consume",
      [ORDER_ACQ] = "acquire",
      [ORDER_REL] = "release",
      [ORDER_ACQ_REL] = "acquire-release",
      [ORDER_SC] = "sequentially consistent",
  };
  return names[order];
}

/* Warns of the instruction; false when there is nothing to warn of. */
static bool warn_of(struct draft *draft, const struct instr *instr) {
  const struct reader *reader = &draft->reader;
  enum order written;
  struct remainder left = remainder_of(instr, &written);
  if (left.what) {
    diag_warning(reader->diags, reader->source, instr->span, "%s: its order, %s, is taken as %s", left.what,
                 name_of(written), name_of(left.order));
    return true;
  }
  const char *what = NULL;
  if (instr->kind == INSTR_FENCE && instr->order == ORDER_RLX) what = "a relaxed fence orders nothing";
  if (instr->kind == INSTR_BARRIER && instr->scope != SCOPE_WG && draft->dialect->fence_scopes)
    what = "a barrier always joins a work-group: its scope is only that of its fences";
  if (what) diag_warning(reader->diags, reader->source, instr->span, "%s", what);
  return what != NULL;
}

void draft_check_orders(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count; i++)
    for (size_t j = 0; j < draft->threads.at[i].code.count; j++)
      if (warn_of(draft, &draft->threads.at[i].code.at[j])) return;
}
