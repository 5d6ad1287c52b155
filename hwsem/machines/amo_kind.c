/* SPDX-License-Identifier: MIT */
/* Near and far atomic operations as a kind of machine. */
#include <stddef.h>

#include "checker/base/array.h"
#include "hwsem/machines/amo.h"
#include "hwsem/machines/kinds.h"

static const struct knob ROWS[] = {
#define KNOB_ROW(member, attribute, words, meaning) {attribute, words, offsetof(struct amo_knobs, member), meaning, 0},
    AMO_KNOB_LIST(KNOB_ROW)
#undef KNOB_ROW
};
static const struct knobs KNOBS = {"AMO", "amo", ROWS, ARRAY_COUNT(ROWS)};

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  (void)attempt;
  return amo_machine(target->settings, request, machine, diags);
}

const struct machine_kind amo_kind = {.title = "AMO",
                                      .root = "amo",
                                      .settings_size = sizeof(struct amo_knobs),
                                      .runs = machine_runs_threads,
                                      .schema = "amo.rng",
                                      .knobs = &KNOBS,
                                      .build = build};
