/* SPDX-License-Identifier: MIT */
/* The table of views. */
#include "hwsem/timing/view_list.h"

#include <string.h>

#include "checker/base/array.h"

const struct cost_view *const cost_views[] = {
#define VIEW(name) &view_##name,
    COST_VIEW_LIST(VIEW)
#undef VIEW
};
const size_t cost_view_count = ARRAY_COUNT(cost_views);

const struct cost_view *cost_find_view(const char *name, struct diags *diags) {
  const char *names[ARRAY_COUNT(cost_views) + 1] = {0};
  for (size_t i = 0; i < cost_view_count; i++) {
    if (!strcmp(cost_views[i]->name, name)) return cost_views[i];
    names[i] = cost_views[i]->name;
  }
  const char *nearest = suggest(name, names);
  if (nearest)
    diag_fail(diags, "unknown view '%s'; did you mean '%s'?", name, nearest);
  else
    diag_fail(diags, "unknown view '%s'; `litscope cost` lists them", name);
  return NULL;
}
