/* SPDX-License-Identifier: MIT */
/* The table of kinds, and what kinds without settings share. */
#include "hwsem/machines/kinds.h"

#include <string.h>

#include "hwsem/xml.h"

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

const char *machine_load_plain(struct arena *arena, const char *name, const struct xml_search *search,
                               struct diags *diags) {
  struct xml_file file;
  if (!xml_open(arena, name, "machine.rng", "machine", search, &file, diags)) return NULL;
  const char *own_name = xml_value(file.root, "name");
  return own_name;
}
