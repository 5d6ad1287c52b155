/* SPDX-License-Identifier: MIT */
/* `cost`: what tests cost (cost_mapping.c, cost_adsm.c) is answered here; views of the timed machines are another
 * program's, litscope-cost (checker/cost/), which takes over with the same command line. */
#include <string.h>

#include "checker/cmd/cost_adsm.h"
#include "checker/cmd/cost_mapping.h"

static int refuse(struct invocation *call, const char *message) {
  struct diags diags = diags_new(call->arena);
  diag_error(&diags, NULL, (struct span){0}, "%s", message);
  return diags_report(&diags);
}

static int go_on_with_views(struct invocation *call) {
  call->successor = search_program(call->arena, "litscope-cost");
  if (call->successor) return STATUS_DONE;
  return refuse(call, "litscope-cost, the program that has the views, is not in the folder of litscope");
}

int command_cost(struct invocation *call) {
  const char *first = call->word_count ? call->words[0] : "";
  bool mapping = !strcmp(first, "mapping"), tests = !strcmp(first, "adsm") && call->word_count > 1;
  if ((mapping || tests) && option_given(call, OPTION_OUTPUT))
    return refuse(call, "option -o of cost is for the tables of a view under -csv, or its plots under -svg");
  if (option_on(call, OPTION_MEASURE) && (strcmp(first, "adsm") != 0 || tests))
    return refuse(call, "option -run of cost is for view adsm, which takes no tests then");
  if (mapping) return cost_mapping(call);
  if (tests) return cost_adsm(call);
  if (strcmp(first, "help") != 0 || call->word_count != 2 || strcmp(call->words[1], "mapping") != 0)
    return go_on_with_views(call);
  cost_mapping_help(stdout);
  return STATUS_DONE;
}
