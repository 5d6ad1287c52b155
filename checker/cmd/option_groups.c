/* SPDX-License-Identifier: MIT */
/* Which option belongs where in help, and which matter first. */
#include "checker/cmd/option_groups.h"

/* clang-format off */
#define SHOWN_LIST(X) \
  X(WHY) X(SHOW) X(OUTCOME) X(OUTPUT) X(SYNTH_OUTPUT) X(COMPILE_OUTPUT) X(SUFFIX) X(DOT) X(SVG) X(PDF) X(TIKZ) \
  X(DOSHOW) X(UNSHOW) X(GRAPH) X(SHOWLEGEND) X(INSTRUCTIONS) X(HEXA) X(NSHOW) X(EXPLORE_COST) X(CSV) X(COST_JSON) X(IR) X(TRACE) \
  X(DUMP) X(RUN_DUMP) X(EMIT) X(EMIT_RULES) X(DEVICES) X(STATS) X(QUIET) X(VERBOSE)
#define RESULTS_LIST(X) X(EXPECT) X(FAIL_ON) X(FAIL_ON_ENDLESS) X(JSON) X(JUNIT) X(CERTIFY) X(RECORD)
#define SELECTION_LIST(X) X(SELECT) X(NAMES) X(OKNAMES) X(EXCL) X(NONAMES) X(RENAME) X(KINDS) X(CONDS)
#define LIMITS_LIST(X) \
  X(TIMEOUT) X(RUN_TIMEOUT) X(MAX_EVENTS) X(MAX_MEMORY) X(MAX_STATES) X(JOBS) X(SHARD) X(JOURNAL) X(SPEEDCHECK) X(ENGINE) X(PRUNE) \
  X(POR) X(SYMMETRY) X(COMPRESS) X(EXIT)
#define HERD_LIST(X) \
  X(CONF) X(BELL) X(MACROS) X(THROUGH) X(SKIPCHECK) X(SKIPCHECKS) X(STRICTSKIP) X(FAILING) X(SHOWFLAG) X(BADFLAG) \
  X(THROUGHFLAG) X(RESTRICT) X(OUTCOMEREADS) X(BADEXECS) X(CHECKFILTER) X(LETTERS) X(CANDIDATES)
#define FIRST_LIST(X) \
  X(MODEL) X(MACHINE) X(TARGET) X(VARIANT) X(SCHEDULER) X(VERIFY_FAMILY) X(FAMILY) X(CYCLE) X(CYCLES) X(CELLS) \
  X(SYNTH_FAMILY) X(STEPS) X(CHECK) X(WANT) X(WEAKEN) X(UNROLL) X(DEVICE) X(INSTANCES) X(LAUNCHES) X(STRESS) X(COST_MACHINE) \
  X(WHY) X(OUTCOME) X(OUTPUT) X(SYNTH_OUTPUT) X(COMPILE_OUTPUT) X(SVG) X(CSV) X(EMIT) X(DEVICES) \
  X(EXPECT) X(FAIL_ON_ENDLESS) X(JUNIT) X(SELECT) X(TIMEOUT)
/* clang-format on */

static const unsigned char groups[OPTION_COUNT] = {
#define SHOWN(id) [OPTION_##id] = GROUP_SHOWN,
    SHOWN_LIST(SHOWN)
#define RESULTS(id) [OPTION_##id] = GROUP_RESULTS,
        RESULTS_LIST(RESULTS)
#define SELECTION(id) [OPTION_##id] = GROUP_SELECTION,
            SELECTION_LIST(SELECTION)
#define LIMITS(id) [OPTION_##id] = GROUP_LIMITS,
                LIMITS_LIST(LIMITS)
#define HERD(id) [OPTION_##id] = GROUP_HERD,
                    HERD_LIST(HERD)};

static const bool first[OPTION_COUNT] = {
#define FIRST(id) [OPTION_##id] = true,
    FIRST_LIST(FIRST)};

const char *group_title(enum option_group group) {
  static const char *const titles[GROUPS] = {"What is asked", "What is shown",    "Results and expectations",
                                             "Which tests",   "Limits and speed", "As in herd7"};
  return titles[group];
}

enum option_group group_of(enum option_id id) {
  return (enum option_group)groups[id];
}

bool group_is_first(enum command_id command, enum option_id id) {
  if (id == OPTION_PARAMS) return command == COMMAND_COST;
  if (id == OPTION_MAPPING) return command != COMMAND_CHECK;
  return first[id];
}
