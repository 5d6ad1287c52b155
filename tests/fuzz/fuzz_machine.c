/* SPDX-License-Identifier: MIT */
/* Any bytes as a machine description: of a GPU, of an ADSM runtime, and of a
 * timed machine, whose rows are then read as its tables ask for them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
  int file;
  char path[64];
  fuzz_file(data, size, &file, path);
  struct arena *arena = arena_new();
  const char *const folders[] = {"mappings"};
  struct xml_folders search = {.folders = folders, .folder_count = 1};
  struct diags of_gpu = diags_new(arena), of_adsm = diags_new(arena), of_timed = diags_new(arena);
  struct gpu_knobs knobs = {0};
  struct adsm_machine_options options = {0};
  if (!machine_kind_load(&gpu_kind, arena, path, &search, &knobs, &of_gpu) != (of_gpu.errors > 0)) abort();
  if (!machine_kind_load(&adsm_kind, arena, path, &search, &options, &of_adsm) != (of_adsm.errors > 0)) abort();
  struct description *description = description_load(arena, path, &search, &of_timed);
  if (!description != (of_timed.errors > 0)) abort();
  if (description) use(arena, description, &of_timed);
  xml_root_name(arena, path, &search);
  FILE *nowhere = fuzz_nowhere();
  diags_print(&of_gpu, nowhere);
  diags_print(&of_adsm, nowhere);
  diags_print(&of_timed, nowhere);
  arena_free(arena);
  close(file);
  return 0;
}
