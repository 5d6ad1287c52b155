/* SPDX-License-Identifier: MIT */
/* The knobs of the GPU, names and words from one table: set by option or read from a machine description. */
#include <stddef.h>

#include "checker/base/array.h"
#include "hwsem/machines/gpu_guarded_commands.h"

static const struct knob ROWS[] = {
#define KNOB_ROW(member, attribute, words, meaning) {attribute, words, offsetof(struct gpu_knobs, member), meaning, 0},
    GPU_KNOB_LIST(KNOB_ROW)
#undef KNOB_ROW
};
const struct knobs gpu_knob_table = {"GPU", "gpu", ROWS, ARRAY_COUNT(ROWS)};
