/* SPDX-License-Identifier: MIT */
/* Which options go with which, as a table.  What depends on more than which options are given (on a value, on what a
 * file holds) is for the commands to check. */
#include "checker/cmd/option_conflicts.h"

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

enum { END = -1, TESTS = OPTION_COUNT /* stands for operands, where a command can do without */ };

/* Each of `options`, if given, needs one of `others` (WITHOUT them it is idle), or goes with none of them (WITH). */
struct rule {
  uint32_t commands;
  enum { WITHOUT, WITH, WARN_WITHOUT } kind;
  const int *others, *options;
};

#define LIST(...) ((const int[]){__VA_ARGS__, END})

#define SELECTION                                                                                                      \
  OPTION_NAMES, OPTION_OKNAMES, OPTION_EXCL, OPTION_NONAMES, OPTION_RENAME, OPTION_KINDS, OPTION_CONDS, OPTION_SELECT, \
      OPTION_CONFIG, OPTION_KERNEL, OPTION_INPUT, OPTION_OUTPUT_CONDITION, OPTION_FILTER, OPTION_SOURCE_OPTIONS
#define RESULTS OPTION_JSON, OPTION_JUNIT, OPTION_EXPECT, OPTION_CERTIFY, OPTION_FAIL_ON, OPTION_STATS
#define DRAWINGS OPTION_DOT, OPTION_SVG, OPTION_PDF, OPTION_TIKZ
#define PICTURES OPTION_OUTPUT, DRAWINGS
#define DEVICE_RUNS OPTION_INSTANCES, OPTION_LAUNCHES, OPTION_TIME, OPTION_SEED, OPTION_STRESS

static const struct rule rules[] = {
    /* check */
    {FOR(CHECK), WARN_WITHOUT, LIST(PICTURES),
     LIST(OPTION_SHOW, OPTION_SHOWFLAG, OPTION_FAILING, OPTION_NSHOW, OPTION_SUFFIX, OPTION_DOSHOW, OPTION_UNSHOW,
          OPTION_GRAPH, OPTION_LETTERS, OPTION_SHOWLEGEND, OPTION_INSTRUCTIONS)},
    {FOR(CHECK), WITH, LIST(OPTION_TIKZ), LIST(OPTION_PDF, OPTION_SVG, OPTION_DOT)},
    {FOR(CHECK), WITH, LIST(OPTION_PDF), LIST(OPTION_SVG, OPTION_DOT)},
    {FOR(CHECK), WITHOUT, LIST(OPTION_SKIPCHECK, OPTION_SKIPCHECKS), LIST(OPTION_STRICTSKIP)},
    {FOR(CHECK), WITH, LIST(OPTION_DUMP),
     LIST(RESULTS, PICTURES, OPTION_WHY, OPTION_CANDIDATES, OPTION_SPEEDCHECK, OPTION_ENGINE, OPTION_PRUNE,
          OPTION_THROUGH, OPTION_THROUGHFLAG, OPTION_BADFLAG, OPTION_RESTRICT, OPTION_OUTCOMEREADS, OPTION_BADEXECS,
          OPTION_MAX_EVENTS)},
    /* machines */
    {FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPORT) | FOR(REPAIR), WITHOUT,
     LIST(OPTION_TARGET, OPTION_BLOCKS, OPTION_CHECK),
     LIST(OPTION_COMPILER, OPTION_COMPILER_OPTION, OPTION_COMPILER_INPUT, OPTION_PLACE, OPTION_IR)},
    {FOR(COMPILE) | FOR(EXPLORE) | FOR(VERIFY) | FOR(SYNTH) | FOR(REPAIR), WITH, LIST(OPTION_TARGET),
     LIST(OPTION_MAPPING, OPTION_MACHINE, OPTION_WRITE_BACK)},
    {FOR(COMPILE), WITHOUT, LIST(OPTION_MAPPING, OPTION_TARGET), LIST(OPTION_COMPILE_OUTPUT)},
    {FOR(EXPLORE) | FOR(VERIFY), WITHOUT, LIST(OPTION_MAPPING, OPTION_TARGET), LIST(OPTION_TARGET_MODEL)},
    {FOR(EXPLORE), WITHOUT, LIST(OPTION_MAPPING, OPTION_TARGET), LIST(OPTION_FORCE)},
    {FOR(EXPLORE), WITHOUT, LIST(OPTION_EXPLORE_COST), LIST(OPTION_PARAMS)},
    {FOR(EXPLORE), WITH, LIST(OPTION_EMIT_RULES),
     LIST(RESULTS, OPTION_SHOW, OPTION_EXPLORE_COST, OPTION_SVG, OPTION_HEXA, OPTION_MAX_STATES, OPTION_COMPRESS)},
    {FOR(REPORT), WITHOUT, LIST(OPTION_MAPPING, OPTION_MACHINE, OPTION_TARGET),
     LIST(OPTION_WRITE_BACK, OPTION_KNOB, OPTION_POR, OPTION_SYMMETRY, OPTION_COMPRESS, OPTION_MAX_STATES)},
    {FOR(VERIFY), WITH, LIST(OPTION_ABLATE), LIST(OPTION_OUTPUT)},
    {FOR(VERIFY), WITH, LIST(OPTION_VERIFY_FAMILY, OPTION_ABLATE),
     LIST(SELECTION, DRAWINGS, OPTION_EXPECT, OPTION_STATS, OPTION_CERTIFY)},
    {FOR(VERIFY), WITH, LIST(OPTION_BLOCKS),
     LIST(SELECTION, OPTION_DOT, OPTION_SVG, OPTION_EXPECT, OPTION_STATS, OPTION_CERTIFY, OPTION_VERIFY_FAMILY,
          OPTION_ABLATE, OPTION_MAPPING, OPTION_MACHINE, OPTION_STRICT)},
    /* progress */
    {FOR(PROGRESS), WITHOUT, LIST(OPTION_MODEL), LIST(OPTION_ENGINE, OPTION_UNROLL, OPTION_MAX_EVENTS, OPTION_FORCE)},
    {FOR(PROGRESS), WITH, LIST(OPTION_MODEL),
     LIST(OPTION_SCHEDULER, OPTION_CERTIFY, OPTION_OUTPUT, OPTION_SVG, OPTION_POR, OPTION_MAX_STATES)},
    /* searches */
    {FOR(DIFF), WITHOUT, LIST(TESTS), LIST(SELECTION, OPTION_CHANGES)},
    {FOR(DIFF), WITH, LIST(TESTS), LIST(OPTION_FAMILY, OPTION_OUTPUT, OPTION_JSON)},
    {FOR(GEN), WITHOUT, LIST(OPTION_CYCLES), LIST(OPTION_SAFE, OPTION_RELAX)},
    {FOR(GEN), WITHOUT, LIST(OPTION_CYCLE, OPTION_CYCLES),
     LIST(OPTION_ORDERS, OPTION_SCOPES, OPTION_TREES, OPTION_CLASSES, OPTION_LANGUAGE)},
    {FOR(GEN), WITHOUT, LIST(OPTION_MODEL), LIST(OPTION_VARIANT, OPTION_FORCE, OPTION_UNDEFINED, OPTION_MAX_EVENTS)},
    {FOR(GEN), WITH, LIST(OPTION_CYCLE, OPTION_CYCLES),
     LIST(SELECTION, OPTION_SUITE, OPTION_FAMILY, OPTION_CHANGES, OPTION_UNDEFINED, OPTION_BUDGET, OPTION_JSON)},
    {FOR(GEN), WITH, LIST(OPTION_SUITE), LIST(OPTION_FAMILY)},
    /* devices */
    {FOR(RUN), WITH, LIST(OPTION_EMIT),
     LIST(OPTION_JSON, OPTION_JUNIT, OPTION_EXPECT, OPTION_STATS, OPTION_MODEL, OPTION_DEVICES, OPTION_DEVICE,
          DEVICE_RUNS, OPTION_TUNE, OPTION_RUN_TIMEOUT, OPTION_RUN_DUMP)},
    {FOR(RUN), WITH, LIST(OPTION_RUN_DUMP, OPTION_DEVICES),
     LIST(OPTION_JSON, OPTION_JUNIT, OPTION_EXPECT, OPTION_STATS, OPTION_TUNE)},
    {FOR(REPORT), WITHOUT, LIST(OPTION_DEVICE), LIST(DEVICE_RUNS, OPTION_PARAMS_FILE, OPTION_REWRITE)},
};

/* Is the option there, with a value that is not the usual one? */
static bool asks(const struct invocation *call, int id) {
  if (!option_given(call, (enum option_id)id)) return false;
  const char *usual = option_table[id].kind == OPTION_SWITCH ? NULL : option_table[id].initial;
  return !usual || !option_is(call, (enum option_id)id, usual);
}

static bool has(const struct invocation *call, int other) {
  return other == TESTS ? call->word_count > 0 : option_given(call, (enum option_id)other);
}

static const char *name_of(const struct invocation *call, int other) {
  return other == TESTS ? "tests" : arena_printf(call->arena, "-%s", option_table[other].name);
}

/* `-a, -b or -c`, of those that the command has. */
static const char *names_of(const struct invocation *call, const int *others) {
  VEC(const char *) names = {0};
  for (; *others != END; others++)
    if (*others == TESTS || option_table[*others].commands >> call->command & 1)
      *vec_push(call->arena, &names) = name_of(call, *others);
  return text_list(call->arena, names.at, names.count, " or ");
}

static void check_rule(const struct invocation *call, const struct rule *rule, struct diags *diags) {
  int there = END;
  for (const int *other = rule->others; *other != END && there == END; other++)
    if (has(call, *other)) there = *other;
  if ((there == END) == (rule->kind == WITH)) return;
  for (const int *id = rule->options; *id != END; id++) {
    if (!(option_table[*id].commands >> call->command & 1) || !asks(call, *id)) continue;
    if (rule->kind == WARN_WITHOUT)
      diag_warning(diags, NULL, (struct span){0}, "option -%s has no meaning without %s: nothing is drawn",
                   option_table[*id].name, names_of(call, rule->others));
    else
      diag_fail(diags, "option -%s has no meaning %s %s", option_table[*id].name,
                rule->kind == WITH ? "with" : "without",
                rule->kind == WITH ? name_of(call, there) : names_of(call, rule->others));
  }
}

bool options_go_together(const struct invocation *call, struct diags *diags) {
  if (option_given(call, OPTION_CONF)) return true; /* files of options are for many uses */
  for (size_t i = 0; i < ARRAY_COUNT(rules) && !diags->errors; i++)
    if (rules[i].commands >> call->command & 1) check_rule(call, &rules[i], diags);
  return diags->errors == 0;
}
