/* SPDX-License-Identifier: MIT */
/* Near and far atomic operations in words: steps, states, diagrams. */
#include <inttypes.h>

#include "hwsem/machines/amo_state.h"

static const char *const LINE_WORDS[] = {"UC", "UD", "SC", "SD", "I"};
static const char *const REQUESTS[] = {"", "ReadShared", "ReadUnique", "AtomicLoad"};
static const char *const PHASES[] = {"sent", "served", "answered"};

static const char *line_name(const struct amo *amo, unsigned line) {
  return amo->program->locations[amo->location_of[line]].name;
}
static const char *core_name(const struct amo *amo, unsigned core) {
  return amo->program->threads[core].name;
}

enum step_kind amo_step_kind(const struct machine *m, struct step step) {
  (void)m;
  return step.code == STEP_CORE || step.code == STEP_ARRIVE ? STEP_THREAD : STEP_ENVIRONMENT;
}

static void print_instr(const struct amo *amo, const void *before, unsigned core, FILE *out) {
  const struct instr *instr = amo_instr(amo, before, core);
  instr_print(amo->program, &amo->program->threads[core], instr, out);
}

static void print_core_step(const struct amo *amo, struct step step, const void *before, const void *after, FILE *out) {
  struct amo_core was = *amo_core(before, step.agent), is = *amo_core(after, step.agent);
  fprintf(out, "%s: ", core_name(amo, step.agent));
  print_instr(amo, before, step.agent, out);
  if (is.posted > was.posted) {
    fputs(", far: posts AtomicStore", out);
  } else if (is.request) {
    fprintf(out, "%s: sends %s",
            step.detail == VARIANT_NEAR  ? ", near"
            : step.detail == VARIANT_FAR ? ", far"
                                         : "",
            REQUESTS[is.request]);
  } else if (step.detail == VARIANT_NEAR) {
    fputs(is.stage == STAGE_HALF ? ", near: reads" : was.stage == STAGE_HALF ? ", near: writes" : ", near", out);
  }
}

static void print_arrival(const struct amo *amo, struct step step, const void *before, const void *after, FILE *out) {
  struct amo_core core = *amo_core(before, step.agent);
  fprintf(out, "%s: ", core_name(amo, step.agent));
  if (core.request == REQUEST_FAR) {
    fprintf(out, "learns that %s was %" PRId64, line_name(amo, core.line), core.answer);
    return;
  }
  struct amo_copy copy = *amo_copy(amo, after, step.agent, core.line);
  fprintf(out, "%s=%" PRId64 " arrives as %s; ", line_name(amo, core.line), core.answer, LINE_WORDS[amo_state(&copy)]);
  print_instr(amo, before, step.agent, out);
  if (amo_core(after, step.agent)->stage == STAGE_HALF) fputs(": reads", out);
  if (core.stage == STAGE_HALF) fputs(": writes", out);
}

static void print_start(const struct amo *amo, struct step step, const void *before, const void *after, FILE *out) {
  unsigned core = (step.detail - 1) / (AMO_POSTED + 1), slot = (step.detail - 1) % (AMO_POSTED + 1);
  struct amo_core asks = *amo_core(before, core);
  struct amo_home home = *amo_home(amo, after, step.agent);
  fprintf(out, "home of %s: serves %s's %s", line_name(amo, step.agent), core_name(amo, core),
          slot == AMO_POSTED ? REQUESTS[asks.request] : "AtomicStore");
  const char *between = home.snoops ? ", snoops " : "";
  for (unsigned t = 0; t < amo->cores; t++)
    if (home.snoops >> t & 1) {
      fprintf(out, "%s%s", between, core_name(amo, t));
      between = " and ";
    }
}

static void print_snoop(const struct amo *amo, struct step step, const void *before, const void *after, FILE *out) {
  struct amo_copy was = *amo_copy(amo, before, step.agent, step.detail);
  struct amo_copy is = *amo_copy(amo, after, step.agent, step.detail);
  fprintf(out, "%s: answers a snoop of %s (%s to %s)", core_name(amo, step.agent), line_name(amo, step.detail),
          LINE_WORDS[amo_state(&was)], LINE_WORDS[amo_state(&is)]);
}

void amo_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  const struct amo *amo = m->self;
  switch ((enum amo_step)step.code) {
    case STEP_CORE:
      print_core_step(amo, step, before, after, out);
      break;
    case STEP_ARRIVE:
      print_arrival(amo, step, before, after, out);
      break;
    case STEP_START:
      print_start(amo, step, before, after, out);
      break;
    case STEP_SNOOP:
      print_snoop(amo, step, before, after, out);
      break;
    case STEP_COMPLETE:
      fprintf(out, "%s: AtomicStore to %s is over", core_name(amo, step.agent),
              line_name(amo, amo_core(before, step.agent)->queue[step.detail].line));
      break;
    case STEP_LOWER:
      fprintf(out, "%s: %s leaves the L1 for the L2", core_name(amo, step.agent), line_name(amo, step.detail));
      break;
    case STEP_EVICT:
      fprintf(out, "%s: %s leaves the caches", core_name(amo, step.agent), line_name(amo, step.detail));
      break;
  }
}

static void print_core(const struct amo *amo, const void *state, unsigned t, FILE *out) {
  struct amo_core core = *amo_core(state, t);
  fprintf(out, "  %s: ", core_name(amo, t));
  if (amo_instr(amo, state, t)) {
    print_instr(amo, state, t, out);
  } else {
    fputs("ended", out);
  }
  if (core.request) fprintf(out, ", %s %s", REQUESTS[core.request], PHASES[core.phase]);
  for (unsigned i = 0; i < core.posted; i++)
    fprintf(out, ", AtomicStore to %s %s", line_name(amo, core.queue[i].line), PHASES[core.queue[i].phase]);
  for (unsigned line = 0; line < amo->lines; line++) {
    struct amo_copy copy = *amo_copy(amo, state, t, line);
    if (!copy.valid) continue;
    fprintf(out, ", %s=%" PRId64 " %s%s", line_name(amo, line), copy.value, LINE_WORDS[amo_state(&copy)],
            copy.below ? " in the L2" : "");
  }
  fputc('\n', out);
}

void amo_print_state(const struct machine *m, const void *state, FILE *out) {
  const struct amo *amo = m->self;
  for (unsigned t = 0; t < amo->cores; t++) print_core(amo, state, t, out);
  for (unsigned line = 0; line < amo->lines; line++) {
    struct amo_home home = *amo_home(amo, state, line);
    fprintf(out, "  home of %s: %" PRId64 "%s\n", line_name(amo, line), home.memory, home.busy ? ", busy" : "");
  }
}

/* ---- diagrams: cores, then all homes as one ---- */

void amo_print_lane(const struct machine *m, unsigned lane, FILE *out) {
  const struct amo *amo = m->self;
  fputs(lane < amo->cores ? core_name(amo, lane) : "homes", out);
}

void amo_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to) {
  const struct amo *amo = m->self;
  (void)before;
  *from = *to = step.code == STEP_START ? amo->cores : step.agent;
  struct amo_core core = *amo_core(after, step.code == STEP_START ? 0 : step.agent);
  bool sends = step.code == STEP_CORE && (core.request || core.posted > amo_core(before, step.agent)->posted);
  if (sends || step.code == STEP_SNOOP || step.code == STEP_EVICT) *to = amo->cores;
  if (step.code == STEP_ARRIVE || step.code == STEP_COMPLETE) *from = amo->cores;
}
