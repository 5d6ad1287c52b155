/* SPDX-License-Identifier: MIT */
/* Any bytes as a compiler mapping. */
#include "fuzz.h"
#include "hwsem/mapping.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_input(data, size);
  const char *const folders[] = {"mappings"};
  struct xml_search search = {.folders = folders, .folder_count = 1};
  fuzz_check_read(&in, mapping_load(in.arena, in.path, &search, &in.diags));
  return fuzz_done(&in);
}
