/* SPDX-License-Identifier: MIT */
/* What the ADSM machine shows of itself: its invariants, steps and states as text, and
 * the lanes of its diagrams. */
#include <inttypes.h>

#include "hwsem/machines/adsm_state.h"

/* ---- Invariants ---------------------------------------------------------- */

/* Has the host given the unit up, to a thread's kernel that has not been waited for and
 * may write it? */
static bool given_up_by(const struct adsm *a, const unsigned char *s, unsigned u, unsigned t, size_t calls) {
  for (unsigned i = 0; i < list_count(s, calls); i++) {
    const struct instr *call = &a->program->threads[t].instrs[list_get(s, calls, i)];
    if (adsm_uses(a, call->kernel, u) && adsm_may_write(a, call, u)) return true;
  }
  return false;
}

static bool given_up(const struct adsm *a, const unsigned char *s, unsigned u) {
  for (unsigned t = 0; t < a->program->thread_count; t++)
    for (unsigned i = 0; i < a->accelerators; i++)
      if (given_up_by(a, s, u, t, calls_of(a, t, i))) return true;
  return false;
}

static bool same_copies(const struct adsm *a, const unsigned char *s, unsigned u) {
  const struct adsm_unit *unit = &a->units[u];
  size_t at = unit->base * sizeof(int64_t);
  return !memcmp(s + a->host + at, s + a->device + at, unit->size * sizeof(int64_t));
}

static const char *broken_in_unit(const struct adsm *a, const unsigned char *s, unsigned u) {
  enum adsm_state state = s[a->unit_states + u];
  bool batch = a->options.protocol == ADSM_BATCH, pending = given_up(a, s, u);
  if (state == ADSM_ABSENT) return NULL;
  if (pending && state != ADSM_INVALID) return "a unit is valid on the host while a call is pending";
  if (pending && list_times(s, a->uploads, u)) return "a unit is being uploaded while a call is pending";
  if (state == ADSM_READ_ONLY && !list_times(s, a->uploads, u) && !same_copies(a, s, u))
    return "the copies of a read-only unit differ";
  if (batch && state == ADSM_READ_ONLY) return "batch-update knows no read-only units";
  if (a->options.protocol == ADSM_ROLLING && !list_times(s, a->dirty, u) == (state == ADSM_DIRTY))
    return "the queue is not that of the dirty blocks";
  return NULL;
}

const char *adsm_broken_invariant(const struct machine *m, const void *state) {
  const struct adsm *a = m->self;
  unsigned dirty = 0;
  for (unsigned u = 0; u < a->unit_count; u++) {
    const char *broken = broken_in_unit(a, state, u);
    if (broken) return broken;
    dirty += ((const unsigned char *)state)[a->unit_states + u] == ADSM_DIRTY;
  }
  if (a->options.protocol != ADSM_ROLLING) return NULL;
  if (dirty > adsm_rolling_size(a, state)) return "too many blocks are dirty";
  return list_count(state, a->dirty) == dirty ? NULL : "a block is in the queue twice";
}

/* ---- Steps and states ---- */

static void print_value(const struct thread_run *after, const struct instr *instr, FILE *out) {
  if (instr->kind == INSTR_LOAD && instr->reg != NO_REG) fprintf(out, " reads %" PRId64, after->registers[instr->reg]);
  if (instr->kind == INSTR_STORE && instr->value->kind != EXPR_CONST)
    fprintf(out, " writes %" PRId64, thread_evaluate(after, instr->value));
}

void adsm_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  const struct adsm *a = m->self;
  if (step.code == STEP_UPLOAD) {
    fputs("upload of ", out);
    adsm_print_unit(a, step.detail, out);
    fputs(" ends", out);
    return;
  }
  const struct thread *thread = &a->program->threads[step.agent];
  const struct instr *instr = &thread->instrs[step.detail];
  fputs(thread->name, out);
  if (step.code == STEP_KERNEL) {
    unsigned accelerator = adsm_accelerator_at(a, step.agent, step.detail);
    unsigned call = list_get(before, calls_of(a, step.agent, accelerator), 0);
    fprintf(out, "/%s", a->program->kernels[thread->instrs[call].kernel].name);
  }
  fputs(": ", out);
  instr_print(a->program, thread, instr, out);
  struct thread_run run = thread_of(a, after, step.agent, step.detail);
  print_value(&run, instr, out);
  _Alignas(int64_t) unsigned char scratch[m->state_size];
  struct adsm_effects effects = {out, NULL};
  memcpy(scratch, before, m->state_size);
  adsm_take_step(a, scratch, step, &effects);
}

bool adsm_source(const struct machine *m, struct step step, unsigned *thread, unsigned *instr) {
  (void)m;
  if (step.code == STEP_UPLOAD) return false;
  *thread = step.agent;
  *instr = step.detail;
  return true;
}

void adsm_print_state(const struct machine *m, const void *state, FILE *out) {
  static const char *const names[ADSM_STATES] = {"absent", "invalid", "read-only", "dirty"};
  const struct adsm *a = m->self;
  const unsigned char *s = state;
  for (unsigned u = 0; u < a->unit_count; u++) {
    fputs(u ? "; " : "", out);
    adsm_print_unit(a, u, out);
    fprintf(out, " %s", names[s[a->unit_states + u]]);
    for (int device = 0; device <= 1; device++)
      for (unsigned i = 0; i < a->units[u].size; i++)
        fprintf(out, "%s%" PRId64,
                i        ? ","
                : device ? " device "
                         : " host ",
                get_value(s, device ? a->device : a->host, a->units[u].base + i));
  }
}

/* Lanes: host threads, the two memories, and the kernels of each thread. */
enum { MEMORIES = 2 };

static unsigned memory_lane(const struct adsm *a, bool device) {
  return a->program->thread_count + device;
}

static unsigned kernel_lane(const struct adsm *a, unsigned t) {
  return a->program->thread_count + MEMORIES + t;
}

unsigned adsm_lane_count(const struct adsm *a) {
  return kernel_lane(a, a->program->thread_count);
}

void adsm_print_lane(const struct machine *m, unsigned lane, FILE *out) {
  const struct adsm *a = m->self;
  if (lane < a->program->thread_count)
    fputs(a->program->threads[lane].name, out);
  else if (lane < kernel_lane(a, 0))
    fputs(lane == memory_lane(a, true) ? "device mem." : "host mem.", out);
  else
    fprintf(out, "kernels of %s", a->program->threads[lane - kernel_lane(a, 0)].name);
}

/* Does the step bring something from the device? */
static void note_fetch(void *context, struct adsm_edge edge, enum adsm_event event, unsigned cells) {
  (void)event;
  (void)cells;
  if (edge.transfer == ADSM_DOWN) *(bool *)context = true;
}

void adsm_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
                unsigned *to) {
  const struct adsm *a = m->self;
  (void)after;
  bool kernel = step.code == STEP_KERNEL, fetched = false;
  struct adsm_visitor visitor = {note_fetch, &fetched};
  *from = *to = kernel ? kernel_lane(a, step.agent) : step.agent;
  if (step.code == STEP_UPLOAD) {
    *from = memory_lane(a, false);
    *to = memory_lane(a, true);
    return;
  }
  adsm_visit_step(m, step, before, &visitor);
  switch (a->program->threads[step.agent].instrs[step.detail].kind) {
    case INSTR_LOAD:
      *from = memory_lane(a, kernel || fetched);
      break;
    case INSTR_STORE:
      *to = memory_lane(a, kernel);
      break;
    case INSTR_FILL:
    case INSTR_COPY:
      *to = memory_lane(a, a->options.protocol != ADSM_BATCH);
      break;
    case INSTR_CALL:
      *to = kernel_lane(a, step.agent);
      break;
    case INSTR_SYNC:
      *from = kernel_lane(a, step.agent);
      break;
    default:
      break;
  }
}
