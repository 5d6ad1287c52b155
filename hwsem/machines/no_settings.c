/* SPDX-License-Identifier: MIT */
/* Descriptions of machines without settings. */
#include "hwsem/machines/no_settings.h"

#include "hwsem/xml.h"

const char *machine_load_plain(struct arena *arena, const char *name, const struct xml_search *search,
                               struct diags *diags) {
  struct xml_file file;
  if (!xml_open(arena, name, "machine.rng", "machine", search, &file, diags)) return NULL;
  const char *own_name = xml_value(file.root, "name");
  return own_name;
}
