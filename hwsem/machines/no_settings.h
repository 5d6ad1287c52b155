/* SPDX-License-Identifier: MIT */
/* What kinds of machine without settings share. */
#ifndef LITSCOPE_HWSEM_MACHINES_NO_SETTINGS_H
#define LITSCOPE_HWSEM_MACHINES_NO_SETTINGS_H

#include "hwsem/machines/kinds.h"

/* Reads a description without settings (machine.rng), as `load`. */
const char *machine_load_plain(struct arena *arena, const char *name, const struct xml_search *search,
                               struct diags *diags);

#endif
