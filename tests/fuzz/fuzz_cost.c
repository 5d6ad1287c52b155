/* SPDX-License-Identifier: MIT */
/* `cost VIEW -params TEXT`: the first byte chooses the view, the rest is the
 * text.  A view ends within its time limit, or soon after. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "hwsem/timing/view_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size || size > 4096) return 0;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const char *const folders[] = {"mappings"};
  struct xml_folders search = {.folders = folders, .folder_count = 1};
  const struct cost_request request = {.arena = arena,
                                       .search = &search,
                                       .parameters = arena_strndup(arena, (const char *)data + 1, size - 1),
                                       .timeout = 0.1,
                                       .max_memory = 64u << 20,
                                       .max_states = 1000};
  struct cost_report *report = cost_run(cost_views[data[0] % cost_view_count], &request, &diags);
  if (!report && !diags.errors) abort(); /* a refusal says why */
  FILE *nowhere = fuzz_nowhere();
  diags_print(&diags, nowhere);
  if (report) {
    cost_print_text(report, nowhere);
    cost_print_csv(report, nowhere);
    if (report->plots.count) plots_print_svg(report->plots.at, report->plots.count, nowhere);
  }
  arena_free(arena);
  return 0;
}
