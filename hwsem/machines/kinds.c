/* SPDX-License-Identifier: MIT */
/* The table of kinds. */
#include "hwsem/machines/kinds.h"

#include <string.h>

const struct machine_kind *const machine_kinds[] = {
#define MACHINE_KIND_ROW(name) &name##_kind,
    MACHINE_KIND_LIST(MACHINE_KIND_ROW)
#undef MACHINE_KIND_ROW
        NULL};

const struct machine_kind *machine_kind_of_root(const char *root) {
  for (const struct machine_kind *const *kind = machine_kinds; root && *kind; kind++)
    if (!strcmp((*kind)->root, root)) return *kind;
  return NULL;
}
