/* SPDX-License-Identifier: MIT */
/* The table of kinds. */
#include "hwsem/machines/kinds.h"

#include <string.h>

const struct machine_kind *const machine_kinds[] = {
#define MACHINE_KIND_ROW(name) &name##_kind,
    MACHINE_KIND_LIST(MACHINE_KIND_ROW)
#undef MACHINE_KIND_ROW
        NULL};

const char *machine_kind_load(const struct machine_kind *kind, struct arena *arena, const char *name,
                              const struct xml_folders *search, void *settings, struct diags *diags) {
  if (kind->load) return kind->load(arena, name, search, settings, diags);
  struct xml_file file;
  if (!xml_open(arena, name, (struct xml_kind){kind->schema, "machine"}, search, &file, diags)) return NULL;
  if (kind->knobs && !knobs_read(kind->knobs, settings, file.root, diags)) return NULL;
  return xml_value(file.root, "name");
}

bool machine_kind_sets(const struct machine_kind *kind) {
  return kind->knobs || kind->set;
}

bool machine_kind_has(const struct machine_kind *kind, const char *name) {
  return kind->knobs ? knobs_have(kind->knobs, name) : kind->has && kind->has(name);
}

bool machine_kind_set(const struct machine_kind *kind, void *settings, const char *name, const char *word,
                      struct diags *diags) {
  if (!kind->knobs) return kind->set(settings, name, word, diags);
  return knobs_set(kind->knobs, (char *)settings + kind->knobs_at, name, word, diags);
}

const struct machine_kind *machine_kind_of_root(const char *root) {
  for (const struct machine_kind *const *kind = machine_kinds; root && *kind; kind++)
    if (!strcmp((*kind)->root, root)) return *kind;
  return NULL;
}
