/* SPDX-License-Identifier: MIT */
/* Sequential consistency as a machine (Lamport, IEEE ToC 1979): one memory, and
 * threads that take turns, an access at a time.
 *
 * A state is an array of 64-bit words: each thread's place and the value that it
 * holds between the accesses of a compare-and-swap, then all registers, then
 * memory, then what control barriers have been reached (sc_barriers.h).  A compare-and-swap that keeps its expected
 * value in memory reads it first, then does its operation, and may then write back what it found: three accesses,
 * between which others may come.  Work-items wait at a barrier for those of their work-group that can still come to it.
 */
#include "hwsem/machines/sc.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "checker/program/interpreter.h"
#include "checker/program/outcome.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/machines/sc_barriers.h"

enum code { CODE_THREAD, CODE_FAIL, CODE_MEET }; /* of steps; FAIL: a weak compare-and-swap that fails though equal */

struct sc {
  const struct program *program;
  const struct observable *observables;
  unsigned *registers; /* by thread: where its registers begin */
  unsigned held;       /* where values held begin, by thread */
  unsigned memory;     /* where memory begins */
  struct meets meets;
  unsigned reached; /* where the control barriers' words begin */
  unsigned words;   /* of a state */
};

/* A thread's word: its instruction, and how far it is in it. */
static unsigned place_of(const int64_t *s, unsigned t) {
  return (unsigned)(s[t] / THREAD_STAGES);
}
static enum thread_stage stage_of(const int64_t *s, unsigned t) {
  return (enum thread_stage)(s[t] % THREAD_STAGES);
}

static struct thread_run thread_at(const struct sc *sc, const int64_t *s, unsigned t) {
  return (struct thread_run){.program = sc->program,
                             .thread = &sc->program->threads[t],
                             .registers = (int64_t *)s + sc->registers[t],
                             .place = place_of(s, t),
                             .stage = stage_of(s, t),
                             .held = s[sc->held + t]};
}

/* The cell of a thread's next access, or NULL: outside its array. */
static int64_t *cell_of(const struct sc *sc, int64_t *s, const struct thread_run *run) {
  int location = thread_access(run).location;
  return location < 0 ? NULL : &s[sc->memory + (unsigned)location];
}

/* Is it taking a lock that somebody has, or waiting for what nobody has stored? */
static bool must_wait(const struct sc *sc, const int64_t *s, unsigned t, const struct instr *instr) {
  if (!instr->awaits && (instr->kind != INSTR_LOCK || instr->lock != LOCK_TAKE)) return false;
  struct thread_run run = thread_at(sc, s, t);
  const int64_t *cell = cell_of(sc, (int64_t *)s, &run);
  return cell && (instr->awaits ? *cell == instr->nothing : *cell != 0);
}

/* Reaches a control barrier, and then passes it. */
static void meet_arrive(const struct sc *sc, int64_t *s, unsigned t, struct thread_run *run) {
  const struct instr *instr = thread_instr(run);
  if (run->stage != STAGE_WAITING) {
    int64_t resource = instr->resource ? thread_evaluate(run, instr->resource) : 0;
    meets_reach(&sc->meets, &s[sc->reached], t, run->place, resource);
    run->stage = STAGE_WAITING;
    if (!instr->arrive) return;
  }
  thread_pass(run);
}

/* A thread's next step. */
static void step_thread(const struct sc *sc, int64_t *s, unsigned t, bool fails) {
  struct thread_run run = thread_at(sc, s, t);
  const struct instr *instr = thread_instr(&run);
  assert(instr); /* who has ended makes no step */
  if (instr_is_access(instr))
    thread_perform(&run, cell_of(sc, s, &run), fails);
  else if (instr->kind == INSTR_MEET)
    meet_arrive(sc, s, t, &run);
  else
    thread_pass(&run);
  s[t] = (int64_t)run.place * THREAD_STAGES + run.stage;
  s[sc->held + t] = run.held;
}

static bool ended(const struct sc *sc, const int64_t *s, unsigned t) {
  return place_of(s, t) == sc->program->threads[t].instr_count;
}

static const struct instr *instr_at(const struct sc *sc, const int64_t *s, unsigned t) {
  return ended(sc, s, t) ? NULL : &sc->program->threads[t].instrs[place_of(s, t)];
}

const struct instr *sc_next(const struct machine *machine, const void *state, unsigned thread) {
  return instr_at(machine->self, state, thread);
}

/* ---- control barriers ---- */

static bool meet_passes(const struct sc *sc, const int64_t *s, unsigned t, unsigned place) {
  const struct expr *quorum = sc->program->threads[t].instrs[place].quorum;
  struct thread_run run = thread_at(sc, s, t);
  return meets_pass(&sc->meets, &s[sc->reached], t, place, quorum ? thread_evaluate(&run, quorum) : 0);
}

/* Has a thread announced itself at a barrier to which too few have come?  Such a
 * thread does not end. */
static bool owes_meeting(const struct sc *sc, const int64_t *s, unsigned t) {
  const struct thread *thread = &sc->program->threads[t];
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_MEET && thread->instrs[i].arrive && !thread->instrs[i].silent &&
        meets_reached(&sc->meets, &s[sc->reached], t, i) && !meet_passes(sc, s, t, i))
      return true;
  return false;
}

/* ---- barriers ---- */

static const struct instr *barrier_at(const struct sc *sc, const int64_t *s, unsigned t) {
  const struct instr *instr = instr_at(sc, s, t);
  return instr && instr->kind == INSTR_BARRIER ? instr : NULL;
}

/* Do both wait, at one barrier? */
static bool waits_with(const struct sc *sc, const int64_t *s, unsigned t, unsigned u) {
  const struct instr *a = barrier_at(sc, s, t), *b = barrier_at(sc, s, u);
  return a && b && a->barrier_label == b->barrier_label && sc->program->threads[t].wg == sc->program->threads[u].wg;
}

/* The first of those that wait with it. */
static bool is_first(const struct sc *sc, const int64_t *s, unsigned t) {
  for (unsigned u = 0; u < t; u++)
    if (waits_with(sc, s, t, u)) return false;
  return true;
}

/* The lowest instruction that a thread can still come to: loops go back. */
static unsigned lowest_ahead(const struct sc *sc, const int64_t *s, unsigned t) {
  const struct thread *thread = &sc->program->threads[t];
  unsigned low = place_of(s, t);
  for (unsigned i = low; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (instr_jumps(instr) && instr->target < low) i = low = instr->target;
  }
  return low;
}

static bool can_come(const struct sc *sc, const int64_t *s, unsigned t, int label) {
  const struct thread *thread = &sc->program->threads[t];
  for (unsigned i = lowest_ahead(sc, s, t); i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_BARRIER && thread->instrs[i].barrier_label == label) return true;
  return false;
}

/* Opens the barrier at which a thread waits, if it is time. */
static bool meet(const struct sc *sc, const int64_t *s, unsigned t, struct successor_sink *sink) {
  const struct program *program = sc->program;
  int label = barrier_at(sc, s, t)->barrier_label;
  if (!is_first(sc, s, t)) return true;
  for (unsigned u = 0; u < program->thread_count; u++)
    if (program->threads[u].wg == program->threads[t].wg && !waits_with(sc, s, t, u) && can_come(sc, s, u, label))
      return true;
  int64_t next[sc->words];
  memcpy(next, s, sizeof next);
  for (unsigned u = t; u < program->thread_count; u++)
    if (waits_with(sc, s, t, u)) step_thread(sc, next, u, false);
  return sink->emit(sink, (struct step){CODE_MEET, (uint16_t)t, (uint32_t)place_of(s, t)}, next);
}

/* ---- the machine ---- */

static void initial(const struct machine *m, void *state) {
  const struct sc *sc = m->self;
  int64_t *s = state;
  memset(s, 0, m->state_size);
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    for (unsigned r = 0; sc->program->threads[t].reg_init && r < sc->program->threads[t].reg_count; r++)
      s[sc->registers[t] + r] = sc->program->threads[t].reg_init[r];
  for (unsigned i = 0; i < sc->program->location_count; i++)
    if (program_physical(sc->program, i) == i) s[sc->memory + i] = sc->program->locations[i].init;
}

static bool emit(const struct sc *sc, const int64_t *s, unsigned t, enum code code, struct successor_sink *sink) {
  int64_t next[sc->words];
  memcpy(next, s, sizeof next);
  step_thread(sc, next, t, code == CODE_FAIL);
  uint32_t detail = (uint32_t)stage_of(s, t) << 24 | place_of(s, t);
  return sink->emit(sink, (struct step){(uint16_t)code, (uint16_t)t, detail}, next);
}

static bool thread_steps(const struct sc *sc, const int64_t *s, unsigned t, struct successor_sink *sink) {
  const struct instr *instr = instr_at(sc, s, t);
  if (!instr) return true;
  if (instr->kind == INSTR_BARRIER) return meet(sc, s, t, sink);
  if (instr->kind == INSTR_MEET && stage_of(s, t) == STAGE_WAITING && !meet_passes(sc, s, t, place_of(s, t)))
    return true;
  if (must_wait(sc, s, t, instr)) return true;
  if (!emit(sc, s, t, CODE_THREAD, sink)) return false;
  struct thread_run run = thread_at(sc, s, t);
  bool may_fail = instr->kind == INSTR_CAS && instr->weak && thread_access(&run).kind == ACCESS_ATOMIC;
  return !may_fail || emit(sc, s, t, CODE_FAIL, sink);
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct sc *sc = m->self;
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    if (!thread_steps(sc, state, t, sink)) return false;
  return true;
}

/* Nobody else sees or changes what the thread's next step does, which no loop
 * goes through. */
static bool is_local(const struct sc *sc, const int64_t *s, unsigned t) {
  const struct instr *instr = instr_at(sc, s, t);
  if (!instr) return false;
  if (instr_jumps(instr)) return instr->target > place_of(s, t);
  return instr->kind == INSTR_ASSIGN || instr->kind == INSTR_FENCE || instr->kind == INSTR_MARK;
}

static bool alone(const struct machine *m, const void *state, unsigned thread) {
  const struct sc *sc = m->self;
  if (!is_local(sc, state, thread)) return false;
  const struct instr *instr = instr_at(sc, state, thread);
  unsigned end = sc->program->threads[thread].instr_count, next = place_of(state, thread) + 1;
  return next < end && !(instr_jumps(instr) && instr->target == end);
}

static bool ample(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct sc *sc = m->self;
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    if (is_local(sc, state, t)) return thread_steps(sc, state, t, sink);
  return successors(m, state, sink);
}

static bool final(const struct machine *m, const void *state) {
  const struct sc *sc = m->self;
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    if (!ended(sc, state, t) || owes_meeting(sc, state, t)) return false;
  return true;
}

static uint64_t running(const struct machine *m, const void *state) {
  const struct sc *sc = m->self;
  uint64_t threads = 0;
  for (unsigned t = 0; t < sc->program->thread_count; t++)
    threads |= (uint64_t)(!ended(sc, state, t) || owes_meeting(sc, state, t)) << t;
  return threads;
}

static uint64_t movers(const struct machine *m, struct step step, const void *before) {
  const struct sc *sc = m->self;
  uint64_t threads = UINT64_C(1) << step.agent;
  for (unsigned t = 0; step.code == CODE_MEET && t < sc->program->thread_count; t++)
    threads |= (uint64_t)waits_with(sc, before, step.agent, t) << t;
  return threads;
}

static enum step_kind step_kind(const struct machine *m, struct step step) {
  (void)m;
  (void)step;
  return STEP_THREAD;
}

static const struct instr *instr_of(const struct sc *sc, struct step step) {
  return &sc->program->threads[step.agent].instrs[step.detail & 0xffffff];
}

static void print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  static const char *const STAGE_WORDS[] = {" (expected value)", "", " (write back)"};
  const struct sc *sc = m->self;
  const struct thread *thread = &sc->program->threads[step.agent];
  const struct instr *instr = instr_of(sc, step);
  const int64_t *s = before;
  (void)after;
  fprintf(out, "%s", thread->name);
  for (unsigned t = step.agent + 1; step.code == CODE_MEET && t < sc->program->thread_count; t++)
    if (waits_with(sc, s, step.agent, t)) fprintf(out, ", %s", sc->program->threads[t].name);
  fputs(": ", out);
  instr_print(sc->program, thread, instr, out);
  if (instr->kind == INSTR_CAS && instr->expected_in_memory) fputs(STAGE_WORDS[step.detail >> 24], out);
  if (instr->kind == INSTR_MEET) fputs(step.detail >> 24 ? " (passes)" : " (arrives)", out);
  if (step.code == CODE_FAIL) fputs(" fails", out);
}

static bool source(const struct machine *m, struct step step, unsigned *thread, unsigned *instr) {
  (void)m;
  *thread = step.agent;
  *instr = step.detail & 0xffffff;
  return true;
}

static void name_step(const struct machine *m, struct step step, FILE *out) {
  static const char *const NAMES[] = {[CODE_THREAD] = "thread", [CODE_FAIL] = "fail", [CODE_MEET] = "meet"};
  (void)m;
  fprintf(out, "(%s %u)", NAMES[step.code], (unsigned)step.agent);
}

static void print_state(const struct machine *m, const void *state, FILE *out) {
  const struct sc *sc = m->self;
  const int64_t *s = state;
  for (unsigned t = 0; t < sc->program->thread_count; t++) {
    const struct instr *instr = instr_at(sc, s, t);
    fprintf(out, "  %s: ", sc->program->threads[t].name);
    if (instr) instr_print(sc->program, &sc->program->threads[t], instr, out);
    fputs(instr ? "\n" : "ended\n", out);
  }
  for (unsigned i = 0; i < sc->program->location_count; i++)
    if (program_physical(sc->program, i) == i)
      fprintf(out, "  %s=%" PRId64 "\n", sc->program->locations[i].name, s[sc->memory + i]);
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct sc *sc = m->self;
  struct observable what = sc->observables[i];
  unsigned at = what.thread < 0 ? sc->memory + program_physical(sc->program, what.index)
                                : sc->registers[what.thread] + what.index;
  return ((const int64_t *)state)[at];
}

/* ---- diagrams: threads, then memory ---- */

static void print_lane(const struct machine *m, unsigned lane, FILE *out) {
  const struct program *program = ((const struct sc *)m->self)->program;
  fputs(lane < program->thread_count ? program->threads[lane].name : "memory", out);
}

static void route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
                  unsigned *to) {
  const struct sc *sc = m->self;
  const struct instr *instr = instr_of(sc, step);
  (void)before;
  (void)after;
  *from = *to = step.agent;
  if (instr_is_access(instr)) *(instr->kind == INSTR_LOAD ? from : to) = sc->program->thread_count;
}

/* ---- building ---- */

static bool knows_all(const struct program *program, struct diags *diags) {
  INSTR_EACH (instr, program) {
    bool waits = instr->kind == INSTR_FENCE || instr->kind == INSTR_BARRIER || instr->kind == INSTR_MEET ||
                 instr->kind == INSTR_MARK;
    if (instr_is_access(instr) || instr_is_control(instr) || waits) continue;
    return diag_error(diags, program->source, instr->span, "machine sc does not run this operation");
  }
  return true;
}

bool sc_machine(const struct explore_request *request, struct machine *machine, struct diags *diags) {
  const struct program *program = request->program;
  struct sc *sc = ARENA_NEW(request->arena, struct sc);
  if (!knows_all(program, diags)) return false;
  sc->program = program;
  sc->observables = request->observables;
  sc->registers = ARENA_ARRAY(request->arena, unsigned, program->thread_count + 1);
  sc->held = program->thread_count;
  sc->words = 2 * program->thread_count;
  for (unsigned t = 0; t < program->thread_count; t++) {
    sc->registers[t] = sc->words;
    sc->words += program->threads[t].reg_count;
  }
  sc->memory = sc->words;
  sc->words += program->location_count;
  sc->meets = meets_of(request->arena, program);
  sc->reached = sc->words;
  sc->words += MEET_WORDS * sc->meets.count;
  *machine = (struct machine){.name = "sc",
                              .state_size = sc->words * sizeof(int64_t),
                              .self = sc,
                              .initial = initial,
                              .successors = successors,
                              .final = final,
                              .ample = ample,
                              .running = running,
                              .movers = movers,
                              .alone = alone,
                              .step_kind = step_kind,
                              .print_step = print_step,
                              .name_step = name_step,
                              .source = source,
                              .print_state = print_state,
                              .lane_count = program->thread_count + 1,
                              .print_lane = print_lane,
                              .route = route,
                              .observable_count = request->observable_count,
                              .observe = observe};
  return true;
}

/* ---- the kind ---- */

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  (void)target;
  (void)attempt;
  return sc_machine(request, machine, diags);
}

const struct machine_kind sc_kind = {.title = "SC",
                                     .root = "sc",
                                     .certified = true,
                                     .schema = "machine.rng",
                                     .runs = machine_runs_threads,
                                     .build = build};
