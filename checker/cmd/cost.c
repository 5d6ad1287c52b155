/* SPDX-License-Identifier: MIT */
/* `cost`: what tests cost (cost_mapping.c, cost_adsm.c) is answered here; views of the timed machines are another
 * program's, litscope-cost (checker/cost/), which takes over with the same command line. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/cmd/cost_adsm.h"
#include "checker/cmd/cost_mapping.h"

static int refuse(struct invocation *call, const char *message) {
  struct diags diags = diags_new(call->arena);
  diag_fail(&diags, "%s", message);
  return diags_report(&diags);
}

static int go_on_with_views(struct invocation *call) {
  call->successor = search_program(call->arena, "litscope-cost");
  if (call->successor) return STATUS_DONE;
  return refuse(call,
                "litscope-cost, the program that has the views, is not in the folder of litscope (make builds it)");
}

static const enum option_id of_tests[] = {OPTION_MODEL,          OPTION_VARIANT, OPTION_FORCE,  OPTION_UNROLL,
                                          OPTION_NAMES,          OPTION_OKNAMES, OPTION_EXCL,   OPTION_NONAMES,
                                          OPTION_RENAME,         OPTION_KINDS,   OPTION_CONDS,  OPTION_SELECT,
                                          OPTION_CONFIG,         OPTION_INPUT,   OPTION_FILTER, OPTION_OUTPUT_CONDITION,
                                          OPTION_SOURCE_OPTIONS, OPTION_KERNEL};
static const enum option_id of_views[] = {OPTION_RECORD, OPTION_TRACE, OPTION_SVG, OPTION_STATS};
static const struct {
  enum option_id id;
  const char *views;
} of_some_views[] = {{OPTION_TRACE, " fear-check fear-network replay "},
                     {OPTION_MAX_STATES, " fear-check fear-network "},
                     {OPTION_MAPPING, " rsp-ops rsp-steal gpu-steal programs replay "}};

/* Adds an error for each option that is for the other half of this command, or for other views. */
static void refuse_idle(const struct invocation *call, const char *view, struct diags *diags) {
  const enum option_id *others = view ? of_tests : of_views;
  size_t count = view ? ARRAY_COUNT(of_tests) : ARRAY_COUNT(of_views);
  for (size_t i = 0; i < count; i++)
    if (option_given(call, others[i]))
      diag_fail(diags, "option -%s of cost is for %s", option_table[others[i]].name,
                view ? "tests, and this is a view" : "views, and these are tests");
  for (size_t i = 0; view && i < ARRAY_COUNT(of_some_views); i++)
    if (option_given(call, of_some_views[i].id) &&
        !strstr(of_some_views[i].views, arena_printf(call->arena, " %s ", view)))
      diag_fail(diags, "option -%s has no meaning for view %s: it is for%.*s", option_table[of_some_views[i].id].name,
                view, (int)strlen(of_some_views[i].views) - 1, of_some_views[i].views);
}

/* The call without its first word; with -json, as one to standard output. */
static int about_tests(struct invocation *call, int (*price)(struct invocation *call)) {
  struct invocation own = *call;
  own.words = call->words + 1;
  own.word_count = call->word_count - 1;
  if (option_on(call, OPTION_COST_JSON)) *vec_push(call->arena, &own.values[OPTION_JSON]) = "-";
  return price(&own);
}

int command_cost(struct invocation *call) {
  const char *first = call->word_count ? call->words[0] : "";
  bool mapping = !strcmp(first, "mapping"), tests = !strcmp(first, "adsm") && call->word_count > 1;
  if ((mapping || tests) && option_given(call, OPTION_OUTPUT))
    return refuse(call, "option -o of cost is for the tables of a view under -csv, or its plots under -svg");
  if (option_on(call, OPTION_MEASURE) && (strcmp(first, "adsm") != 0 || tests))
    return refuse(call, "option -run of cost is for view adsm, which takes no tests then");
  struct diags diags = diags_new(call->arena);
  if (*first && strcmp(first, "help") != 0) refuse_idle(call, mapping || tests ? NULL : first, &diags);
  if (diags.errors) return diags_report(&diags);
  if (mapping || tests) return about_tests(call, mapping ? cost_mapping : cost_adsm);
  if (strcmp(first, "help") != 0 || call->word_count != 2 || strcmp(call->words[1], "mapping") != 0)
    return go_on_with_views(call);
  cost_mapping_help(stdout);
  return STATUS_DONE;
}
