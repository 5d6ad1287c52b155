/* SPDX-License-Identifier: MIT */
/* Any bytes as a machine description: of a GPU, of an ADSM runtime, and of a
 * timed machine, whose rows are then read as its tables ask for them. */
#include <stdlib.h>

#include "fuzz.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/prices/parameters.h"

static void use(struct arena *arena, const struct description *description, struct diags *diags) {
  const struct assignments none = {0};
  const struct setting given = {
      description, &none, &none, "given", ARENA_ARRAY(arena, bool, description->parameters.count), diags};
  for (size_t i = 0; i < description->rows.count; i++) {
    struct row_choice choice = {.table = description->rows.at[i].table};
    struct settings settings = settings_of_table(arena, &given, &choice);
    for (size_t k = 0; k < settings.list.count; k++)
      for (size_t p = 0; p < description->parameters.count; p++) {
        if (description->parameters.at[p].kind == PARAMETER_NUMBER)
          setting_number(&settings.list.at[k], description->parameters.at[p].name);
        else
          setting_text(&settings.list.at[k], description->parameters.at[p].name);
      }
  }
  if (diags->errors) abort(); /* what a description has can be asked for */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_input(data, size);
  const char *const folders[] = {"mappings"};
  struct xml_folders search = {.folders = folders, .folder_count = 1};
  struct gpu_knobs knobs = {0};
  struct adsm_machine_options options = {0};
  fuzz_check_read(&in, machine_kind_load(&gpu_kind, in.arena, in.path, &search, &knobs, &in.diags));
  in.diags = diags_new(in.arena);
  fuzz_check_read(&in, machine_kind_load(&adsm_kind, in.arena, in.path, &search, &options, &in.diags));
  in.diags = diags_new(in.arena);
  struct description *description = description_load(in.arena, in.path, &search, &in.diags);
  fuzz_check_read(&in, description);
  if (description) use(in.arena, description, &in.diags);
  xml_root_name(in.arena, in.path, &search);
  return fuzz_done(&in);
}
