/* SPDX-License-Identifier: MIT */
/* How instances are run: the knobs of `-stress`, `-params` and `-tune`. */
#ifndef LITSCOPE_DEVICE_STRESS_SETTINGS_H
#define LITSCOPE_DEVICE_STRESS_SETTINGS_H

#include <stdint.h>
#include <stdio.h>

#include "checker/base/diag.h"

/* X(member, name, default, low, high, help); 0 of those with low 0 and a default
 * of 0 that say so: as the device needs. */
/* clang-format off */
#define SETTING_LIST(X) \
  X(groups, "groups", 0, 0, 65535, "testing work-groups; 0: as many as the device runs at once") \
  X(lanes, "lanes", 0, 0, 1024, "instances side by side in a work-group; 0: 1 on a processor, up to 32 on a GPU") \
  X(stride, "stride", 16, 1, 1024, "distance of two cells, in values") \
  X(spins, "spins", 1024, 0, 1000000000, "how often a work-group looks whether the others of its instance are there") \
  X(gather, "gather", 0, 0, 1000000000, \
    "the same for all work-groups of a launch before its first instance; 0: 1048576 on a processor, 4096 on a GPU") \
  X(shuffle, "shuffle", 1, 0, 1, "shuffle roles, cells and instances") \
  X(pre_stress, "pre-stress", 0, 0, 4096, "accesses to other memory before each instance") \
  X(stress_groups, "stress-groups", 0, 0, 65535, "work-groups that only stress") \
  X(stress_rounds, "stress-rounds", 65536, 0, 1000000000, "accesses of a stressing work-group, at most") \
  X(stress_lines, "stress-lines", 64, 1, 65536, "places that are stressed") \
  X(stress_stride, "stress-stride", 16, 1, 4096, "distance of two such places, in values") \
  X(stress_pattern, "stress-pattern", 0, 0, 3, "0: store and load, 1: stores, 2: loads, 3: load and store")
/* clang-format on */

struct settings {
#define SETTING_MEMBER(member, name, initial, low, high, help) uint32_t member;
  SETTING_LIST(SETTING_MEMBER)
#undef SETTING_MEMBER
};

/* The defaults. */
struct settings settings_new(void);

/* Those of a level of stress: "none", "light" or "heavy". */
void settings_stress(struct settings *settings, const char *level);

/* Reads `NAME=VALUE`s, separated by commas or newlines; `#` begins a comment.
 * False, with errors, where one is unknown or out of range. */
bool settings_read(struct settings *settings, const struct source *source, struct diags *diags);

/* Writes them so that settings_read reads them: separated by `separator`. */
void settings_write(const struct settings *settings, const char *separator, FILE *out);

/* One line for each knob, for help texts: name, default, meaning. */
void settings_describe(FILE *out);

#endif
