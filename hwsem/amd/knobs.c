/* SPDX-License-Identifier: MIT */
/* The AMD machine's knobs by name: what AMD_KNOB_LIST says, as a table. */
#include "checker/base/array.h"
#include "hwsem/amd/machine.h"

static const struct knob ROWS[] = {
#define KNOB_ROW(member, name, words, initial, meaning) \
  {name, words, offsetof(struct amd_knobs, member), meaning, initial},
    AMD_KNOB_LIST(KNOB_ROW)
#undef KNOB_ROW
};
const struct knobs amd_knob_table = {"AMD", "amdgpu", ROWS, ARRAY_COUNT(ROWS)};

struct amd_knobs amd_knobs_default(void) {
  struct amd_knobs knobs;
  knobs_reset(&amd_knob_table, &knobs);
  return knobs;
}
