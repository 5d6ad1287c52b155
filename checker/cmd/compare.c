/* SPDX-License-Identifier: MIT */
/* `compare`: which tests gained or lost states between two logs, as mcompare
 * does for herd's. */
#include <string.h>

#include "checker/cmd/command.h"
#include "checker/cmd/command_forms.h"
#include "checker/report/baseline.h"

struct tally {
  size_t same, different, gained, lost, only_first, only_second;
  size_t fewer; /* of those different: hardware that shows some of what is allowed, and nothing else */
};

/* By test, then by model; 0: results to compare with each other. */
static int order(const struct baseline_result *a, const struct baseline_result *b) {
  int tests = strcmp(a->test, b->test);
  return tests || !a->model || !b->model ? tests : strcmp(a->model, b->model);
}

static void print_name(const struct baseline_result *result) {
  printf("%s%s%s", result->test, result->model ? " " : "", result->model ? result->model : "");
}

/* ---- pairs ---- */

/* Calls `visit` on the results in order; those of one test and model together,
 * others with NULL for what is missing. */
static void visit_pairs(const struct baseline *a, const struct baseline *b,
                        void (*visit)(void *context, const struct baseline_result *a, const struct baseline_result *b),
                        void *context) {
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    const struct baseline_result *first = i < a->count ? &a->at[i] : NULL, *second = j < b->count ? &b->at[j] : NULL;
    int which = !second ? -1 : !first ? 1 : order(first, second);
    if (which < 0) second = NULL;
    if (which > 0) first = NULL;
    visit(context, first, second);
    i += first != NULL;
    j += second != NULL;
  }
}

struct comparison {
  struct arena *arena;
  const struct baseline *a, *b;
  bool same_hashes;   /* both logs hash alike: programs can be told apart by it */
  size_t on_hardware; /* tests that one side ran on hardware, and the other did not */
  size_t too_strong;  /* those of which hardware showed a state that the other side lacks */
  size_t undefined;   /* those of which the other side allows anything */
  struct tally tally;
};

static void find_same_hashes(void *context, const struct baseline_result *a, const struct baseline_result *b) {
  struct comparison *comparison = context;
  if (a && b && a->hash && b->hash) comparison->same_hashes |= !strcmp(a->hash, b->hash);
}

static bool has_line(const char *text, const char *beginning) {
  return strstr(text, beginning) != NULL;
}

/* Hardware need not show all that is allowed, but what it shows must be: a model
 * or machine that lacks it is too strong for that hardware, unless the program is
 * undefined there.  True: all is among the states of the other side, or allowed so. */
static bool judge_hardware(struct comparison *comparison, const struct baseline_result *a,
                           const struct baseline_result *b, const char *difference) {
  if (a->joins == b->joins || !a->states || !b->states) return false;
  bool lacks = difference && has_line(difference, b->joins ? "  + " : "  - ");
  bool undefined = a->joins ? b->undefined : a->undefined, too_strong = lacks && !undefined;
  comparison->on_hardware++;
  comparison->undefined += lacks && undefined;
  comparison->too_strong += too_strong;
  return !too_strong;
}

static void compare_both(struct comparison *comparison, const struct baseline_result *a,
                         const struct baseline_result *b) {
  struct tally *tally = &comparison->tally;
  const char *difference = baseline_difference(comparison->arena, a, b);
  bool within = judge_hardware(comparison, a, b, difference);
  bool other_program = comparison->same_hashes && a->hash && b->hash && strcmp(a->hash, b->hash) != 0;
  if (!difference && !other_program) {
    tally->same++;
    return;
  }
  tally->different++;
  tally->fewer += within && !other_program;
  print_name(b);
  putchar('\n');
  if (other_program) puts("  another program: its hash differs");
  if (!difference) return;
  fputs(difference, stdout);
  tally->gained += has_line(difference, "  + ");
  tally->lost += has_line(difference, "  - ");
}

static void print_only(const struct baseline *baseline, const struct baseline_result *result, size_t *count) {
  printf("only in %s: ", baseline->path);
  print_name(result);
  putchar('\n');
  ++*count;
}

static void compare(void *context, const struct baseline_result *a, const struct baseline_result *b) {
  struct comparison *comparison = context;
  if (!b)
    print_only(comparison->a, a, &comparison->tally.only_first);
  else if (!a)
    print_only(comparison->b, b, &comparison->tally.only_second);
  else
    compare_both(comparison, a, b);
}

int command_compare(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  if (option_on(call, OPTION_SUM) && option_on(call, OPTION_TO_CONDS)) {
    diag_fail(&diags, "-sum and -to-conds exclude each other: -to-conds takes the sum of its logs");
    return diags_report(&diags);
  }
  if (option_on(call, OPTION_SUM)) return sum_print_log(call);
  if (option_on(call, OPTION_TO_CONDS)) return sum_print_conditions(call);
  if (call->word_count != 2) {
    diag_fail(&diags, "compare needs two logs, not %zu", call->word_count);
    return diags_report(&diags);
  }
  const struct baseline *a = baseline_read(call->arena, call->words[0], &diags);
  const struct baseline *b = baseline_read(call->arena, call->words[1], &diags);
  int status = diags_report(&diags);
  if (!a || !b) return status;
  struct comparison comparison = {.arena = call->arena, .a = a, .b = b};
  visit_pairs(a, b, find_same_hashes, &comparison);
  visit_pairs(a, b, compare, &comparison);
  const struct tally *tally = &comparison.tally;
  printf("%zu results in both: %zu same, %zu different; %zu only in the first, %zu only in the second\n",
         tally->same + tally->different, tally->same, tally->different, tally->only_first, tally->only_second);
  if (tally->gained || tally->lost) printf("states gained in %zu, lost in %zu\n", tally->gained, tally->lost);
  if (comparison.too_strong)
    printf(
        "on hardware: %zu of %zu tests show states that the other side lacks: its model or machine is too strong for "
        "this hardware\n",
        comparison.too_strong, comparison.on_hardware);
  else if (comparison.on_hardware > comparison.undefined)
    puts("on hardware: all that was seen is among the states of the other side");
  if (comparison.undefined)
    printf("undefined on the other side, so that nothing is concluded: %zu of %zu tests on hardware\n",
           comparison.undefined, comparison.on_hardware);
  return tally->different > tally->fewer || tally->only_first || tally->only_second ? STATUS_DIFFERS : STATUS_DONE;
}
