/* SPDX-License-Identifier: MIT */
/* Tests with everything observed. */
#include "checker/verify/test_observing_all.h"

#include <inttypes.h>

#include "checker/program/program.h"

/* The machine knows no atomic locations, and a language in which atomic
 * operations touch others gives such programs no meaning: whatever an atomic
 * operation touches counts as atomic. */
static struct program *make_atomic(struct arena *arena, const struct program *program) {
  struct program *copy = ARENA_COPY(arena, struct program, program, 1);
  copy->locations = ARENA_COPY(arena, struct location, program->locations, program->location_count);
  INSTR_EACH (instr, program) {
    unsigned cells = address_cells(&instr->address);
    if (!instr_is_access(instr) || instr->order == ORDER_NA) continue;
    for (unsigned k = 0; k < cells; k++) copy->locations[instr->address.base + k].atomic = true;
  }
  return copy;
}

struct litmus_test *test_observing_all(struct arena *arena, const struct litmus_test *test) {
  static const struct prop TRUE_PROP = {.kind = PROP_TRUE};
  struct litmus_test *full = ARENA_COPY(arena, struct litmus_test, test, 1);
  full->quantifier = QUANT_EXISTS;
  full->condition = &TRUE_PROP;
  full->condition_text = "exists (true)";
  full->filter = NULL;
  full->program = make_atomic(arena, test->program);
  /* of a kernel's memory, what its condition does not ask for may have no last value in the program */
  if (!test->kernel) full->observables = observables_all(arena, test->program, &full->observable_count);
  full->whole = NULL;
  return full;
}

void test_observing_ask(struct arena *arena, struct litmus_test *test, const int64_t *values) {
  const struct program *program = test->program;
  const struct prop *all = NULL;
  const char *text = "";
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable what = test->observables[i];
    struct prop *equal = ARENA_MAKE(arena, struct prop, .kind = PROP_COMPARE, .compare = CMP_EQ, .left = {.what = what},
                                    .right = {.constant = true, .value = values[i]});
    struct prop *both = ARENA_MAKE(arena, struct prop, .kind = PROP_AND, .a = all, .b = equal);
    const char *separator = i ? " /\\ " : "";
    text = what.thread < 0 ? arena_printf(arena, "%s%s[%s]=%" PRId64, text, separator,
                                          program->locations[what.index].name, values[i])
                           : arena_printf(arena, "%s%s%d:%s=%" PRId64, text, separator, what.thread,
                                          program->threads[what.thread].reg_names[what.index], values[i]);
    all = all ? both : equal;
  }
  if (all) test->condition = all;
  test->condition_text = arena_printf(arena, "exists (%s)", *text ? text : "true");
}
