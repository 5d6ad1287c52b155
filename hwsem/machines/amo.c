/* SPDX-License-Identifier: MIT */
/* The protocol between cores, caches and homes (amo.h).  A transaction: the core
 * sends a request; the home begins it when no other of the line is under way, and
 * snoops whoever must give the line up; when all have answered, it sends the line,
 * or does the far operation itself; the line's arrival frees it for the next.
 *
 * Reduction: an answer that arrives, and the end of a posted operation, concern
 * their core alone (the home of a line that is on its way serves nobody else), so
 * that they may as well come at once. */
#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/program/outcome.h"
#include "hwsem/machines/amo_state.h"

enum { SLOTS = AMO_POSTED + 1 };

static unsigned core_of(unsigned transaction) {
  return (transaction - 1) / SLOTS;
}
static unsigned slot_of(unsigned transaction) {
  return (transaction - 1) % SLOTS;
}

/* ---- policies: Table 1 ---- */

static const char *const POLICIES[] = {"NNNNN", "NNFFF", "NNNNF", "NNFNF", "NNFFN", "FFFFF"}; /* UC UD SC SD I */

enum amo_where amo_place(const struct amo_knobs *knobs, enum amo_line state) {
  if (knobs->place[state] != PLACE_BY_POLICY) return (enum amo_where)knobs->place[state];
  if (knobs->policy == 0) return PLACE_ANY;
  return POLICIES[knobs->policy - 1][state] == 'N' ? PLACE_NEAR : PLACE_FAR;
}

/* ---- homes ---- */

static enum amo_request request_of(const void *s, unsigned transaction) {
  const struct amo_core *core = amo_core(s, core_of(transaction));
  return slot_of(transaction) == AMO_POSTED ? (enum amo_request)core->request : REQUEST_FAR;
}

/* Does the home take a core for one that has the line?  Without acknowledgements
 * also one that a line is still under way to. */
static bool holds(const struct amo *amo, const void *s, unsigned core, unsigned line) {
  const struct amo_core *c = amo_core(s, core);
  bool fills = c->request == REQUEST_SHARED || c->request == REQUEST_UNIQUE;
  return amo_copy(amo, s, core, line)->valid || (fills && c->phase == PHASE_ANSWERED && c->line == line);
}

static bool is_owner(const struct amo *amo, const void *s, unsigned core, unsigned line) {
  enum amo_line state = amo_state(amo_copy(amo, s, core, line));
  return state == LINE_UC || state == LINE_UD || state == LINE_SD;
}

/* The cores that must answer before a transaction of the line. */
static unsigned targets(const struct amo *amo, const void *s, unsigned line, unsigned transaction) {
  enum amo_request request = request_of(s, transaction);
  unsigned set = 0, self = 1u << core_of(transaction);
  for (unsigned t = 0; t < amo->cores; t++) {
    bool asked = request == REQUEST_SHARED ? is_owner(amo, s, t, line) : holds(amo, s, t, line);
    set |= (unsigned)asked << t;
  }
  if (request != REQUEST_FAR) return set & ~self;
  if (amo->knobs.snoops == SNOOPS_NONE) return 0;
  return amo->knobs.snoops == SNOOPS_OTHERS ? set & ~self : set;
}

static bool others_hold(const struct amo *amo, const void *s, unsigned line, unsigned core) {
  bool some = false;
  for (unsigned t = 0; t < amo->cores; t++) some |= t != core && holds(amo, s, t, line);
  return some;
}

/* All have answered. */
static void ready(const struct amo *amo, void *s, unsigned line) {
  struct amo_home *home = amo_home(amo, s, line);
  unsigned t = core_of(home->busy), slot = slot_of(home->busy);
  struct amo_core *core = amo_core(s, t);
  bool far = request_of(s, home->busy) == REQUEST_FAR;
  if (slot == AMO_POSTED) {
    core->phase = PHASE_ANSWERED;
    core->answer = home->data;
    core->alone = home->alone;
    struct thread_run thread = amo_thread(amo, s, t);
    if (far) home->memory = thread_written(&thread, home->data, false);
  } else {
    struct amo_posted *posted = &core->queue[slot];
    const struct instr *instr = &amo->program->threads[t].instrs[posted->place];
    home->memory = width_fit(instr->width, rmw_apply(instr->op, home->data, posted->operand));
    posted->phase = PHASE_ANSWERED;
  }
  bool keeps = !far && amo->knobs.ack == AMO_YES;
  home->data = 0;
  home->alone = 0;
  if (!keeps) home->busy = 0;
}

static void start(const struct amo *amo, void *s, unsigned line, unsigned transaction) {
  struct amo_home *home = amo_home(amo, s, line);
  unsigned t = core_of(transaction), slot = slot_of(transaction);
  struct amo_core *core = amo_core(s, t);
  const struct amo_copy *own = amo_copy(amo, s, t, line);
  home->busy = (uint16_t)transaction;
  home->snoops = (uint16_t)targets(amo, s, line, transaction);
  home->data = own->valid && request_of(s, transaction) == REQUEST_UNIQUE ? own->value : home->memory;
  home->alone = !others_hold(amo, s, line, t);
  *(slot == AMO_POSTED ? &core->phase : &core->queue[slot].phase) = PHASE_SERVED;
  if (!home->snoops) ready(amo, s, line);
}

/* A core answers a snoop. */
static void answer(const struct amo *amo, void *s, unsigned core, unsigned line) {
  struct amo_home *home = amo_home(amo, s, line);
  struct amo_copy *copy = amo_copy(amo, s, core, line);
  enum amo_line state = amo_state(copy);
  if (is_owner(amo, s, core, line)) home->data = copy->value;
  if (request_of(s, home->busy) != REQUEST_SHARED) {
    amo_put(copy, LINE_I, 0);
  } else if (copy->valid) {
    copy->valid = 1 + (state == LINE_UD || state == LINE_SD ? LINE_SD : LINE_SC);
  }
  home->snoops &= (uint16_t) ~(1u << core);
  if (!home->snoops) ready(amo, s, line);
}

/* ---- cores ---- */

static void arrive(const struct amo *amo, void *s, unsigned t) {
  struct amo_core *core = amo_core(s, t);
  struct amo_copy *copy = amo_copy(amo, s, t, core->line);
  enum amo_request request = core->request;
  int64_t value = core->answer;
  bool alone = core->alone;
  if (request != REQUEST_FAR && amo->knobs.ack == AMO_YES) amo_home(amo, s, core->line)->busy = 0;
  core->request = core->phase = core->line = core->alone = 0;
  core->answer = 0;
  if (request == REQUEST_FAR) {
    struct thread_run thread = amo_thread(amo, s, t);
    thread_deliver(&thread, value, false);
    amo_keep(s, t, &thread);
    return;
  }
  amo_put(copy, request == REQUEST_UNIQUE ? LINE_UD : alone ? LINE_UC : LINE_SC, value);
  amo_perform(amo, s, t, &copy->value);
}

/* A posted operation is over; those after it move up. */
static void complete(const struct amo *amo, void *s, unsigned t, unsigned slot) {
  struct amo_core *core = amo_core(s, t);
  for (unsigned line = 0; line < amo->lines; line++) {
    struct amo_home *home = amo_home(amo, s, line);
    bool behind = home->busy && core_of(home->busy) == t && slot_of(home->busy) < AMO_POSTED;
    if (behind && slot_of(home->busy) > slot) home->busy--;
  }
  core->posted--;
  for (unsigned i = slot; i < core->posted; i++) core->queue[i] = core->queue[i + 1];
  core->queue[core->posted] = (struct amo_posted){0};
}

static void ask(void *s, unsigned t, enum amo_request request, unsigned line) {
  struct amo_core *core = amo_core(s, t);
  core->request = (uint8_t)request;
  core->phase = PHASE_SENT;
  core->line = (uint8_t)line;
}

static void go_far(const struct amo *amo, void *s, unsigned t, unsigned line) {
  struct amo_core *core = amo_core(s, t);
  struct thread_run thread = amo_thread(amo, s, t);
  const struct instr *instr = thread_instr(&thread);
  if (!amo_posts(amo, instr)) {
    ask(s, t, REQUEST_FAR, line);
    return;
  }
  core->queue[core->posted++] = (struct amo_posted){.operand = thread_evaluate(&thread, instr->value),
                                                    .place = core->place,
                                                    .line = (uint8_t)line,
                                                    .phase = PHASE_SENT};
  thread_pass(&thread);
  amo_keep(s, t, &thread);
}

/* In the own cache, at once where the line's state allows it. */
static void go_near(const struct amo *amo, void *s, unsigned t, unsigned line, bool load) {
  struct amo_copy *copy = amo_copy(amo, s, t, line);
  if (load ? !copy->valid : !amo_unique(copy)) {
    ask(s, t, load ? REQUEST_SHARED : REQUEST_UNIQUE, line);
    return;
  }
  copy->below = 0;
  if (!load) copy->valid = 1 + LINE_UD;
  amo_perform(amo, s, t, &copy->value);
}

static void core_step(const struct amo *amo, void *s, unsigned t, enum amo_variant variant) {
  struct amo_access access = amo_access(amo, s, t);
  struct thread_run thread = amo_thread(amo, s, t);
  if (access.line < 0) {
    if (access.kind == ACCESS_NONE)
      thread_pass(&thread);
    else
      thread_perform(&thread, NULL, false);
    amo_keep(s, t, &thread);
  } else if (variant == VARIANT_FAR) {
    go_far(amo, s, t, (unsigned)access.line);
  } else {
    go_near(amo, s, t, (unsigned)access.line, access.kind == ACCESS_LOAD);
  }
}

/* May the core's next access be made so? */
static bool may(const struct amo *amo, const void *s, unsigned t, struct amo_access access, enum amo_variant variant) {
  const struct amo_core *core = amo_core(s, t);
  bool posts = variant == VARIANT_FAR && amo_posts(amo, amo_instr(amo, s, t));
  if (!amo_in_order(amo, s, t, access, posts)) return false;
  if (posts && core->posted == AMO_POSTED) return false;
  if (access.kind != ACCESS_ATOMIC || access.line < 0) return variant == VARIANT_PLAIN;
  const struct amo_copy *copy = amo_copy(amo, s, t, (unsigned)access.line);
  enum amo_where place = amo_place(&amo->knobs, copy->below ? LINE_I : amo_state(copy));
  if (core->stage == STAGE_HALF) return variant == VARIANT_NEAR;
  if (variant == VARIANT_NEAR) return place != PLACE_FAR;
  return variant == VARIANT_FAR && place != PLACE_NEAR;
}

/* ---- the machine ---- */

/* Single writer, or many readers: where homes wait and snoop as they should, who has the only copy of a line has it
 * alone, and of all copies one at most is to be written back. */
__attribute__((unused)) static bool lines_are_coherent(const struct amo *amo, const void *s) {
  if (amo->knobs.ack != 0 || amo->knobs.snoops != SNOOPS_ALL) return true;
  for (unsigned line = 0; line < amo->lines; line++) {
    unsigned owners = 0;
    for (unsigned t = 0; t < amo->cores; t++) {
      enum amo_line state = amo_state(amo_copy(amo, s, t, line));
      bool unique = state == LINE_UC || state == LINE_UD;
      if (unique && others_hold(amo, s, line, t)) return false;
      owners += is_owner(amo, s, t, line);
    }
    if (owners > 1) return false;
  }
  return true;
}

static void apply(const struct amo *amo, void *s, struct step step) {
  struct amo_copy *copy;
  switch ((enum amo_step)step.code) {
    case STEP_CORE:
      core_step(amo, s, step.agent, (enum amo_variant)step.detail);
      break;
    case STEP_ARRIVE:
      arrive(amo, s, step.agent);
      break;
    case STEP_START:
      start(amo, s, step.agent, step.detail);
      break;
    case STEP_SNOOP:
      answer(amo, s, step.agent, step.detail);
      break;
    case STEP_COMPLETE:
      complete(amo, s, step.agent, step.detail);
      break;
    case STEP_LOWER:
      amo_copy(amo, s, step.agent, step.detail)->below = 1;
      break;
    case STEP_EVICT:
      copy = amo_copy(amo, s, step.agent, step.detail);
      if (amo_state(copy) == LINE_UD || amo_state(copy) == LINE_SD) amo_home(amo, s, step.detail)->memory = copy->value;
      amo_put(copy, LINE_I, 0);
      break;
  }
  assert(lines_are_coherent(amo, s));
}

static bool emit(const struct amo *amo, const void *s, struct successor_sink *sink, enum amo_step code, unsigned agent,
                 unsigned detail) {
  int64_t next[amo->size / sizeof(int64_t)];
  struct step step = {(uint16_t)code, (uint16_t)agent, detail};
  memcpy(next, s, amo->size);
  apply(amo, next, step);
  return sink->emit(sink, step, next);
}

static bool core_steps(const struct amo *amo, const void *s, unsigned t, struct successor_sink *sink) {
  const struct amo_core *core = amo_core(s, t);
  if (core->request) return core->phase != PHASE_ANSWERED || emit(amo, s, sink, STEP_ARRIVE, t, 0);
  if (!amo_instr(amo, s, t)) return true;
  struct amo_access access = amo_access(amo, s, t);
  for (unsigned variant = VARIANT_PLAIN; variant <= VARIANT_FAR; variant++)
    if (may(amo, s, t, access, (enum amo_variant)variant) && !emit(amo, s, sink, STEP_CORE, t, variant)) return false;
  return true;
}

/* A posted operation goes to its home after earlier ones on its line. */
static bool is_next(const struct amo_core *core, unsigned slot) {
  if (core->queue[slot].phase != PHASE_SENT) return false;
  for (unsigned i = 0; i < slot; i++)
    if (core->queue[i].line == core->queue[slot].line && core->queue[i].phase == PHASE_SENT) return false;
  return true;
}

static bool start_steps(const struct amo *amo, const void *s, unsigned t, struct successor_sink *sink) {
  const struct amo_core *core = amo_core(s, t);
  unsigned first = 1 + t * SLOTS;
  if (core->request && core->phase == PHASE_SENT && !amo_home(amo, s, core->line)->busy &&
      !emit(amo, s, sink, STEP_START, core->line, first + AMO_POSTED))
    return false;
  for (unsigned i = 0; i < core->posted; i++) {
    unsigned line = core->queue[i].line;
    if (is_next(core, i) && !amo_home(amo, s, line)->busy && !emit(amo, s, sink, STEP_START, line, first + i))
      return false;
    if (core->queue[i].phase == PHASE_ANSWERED && !emit(amo, s, sink, STEP_COMPLETE, t, i)) return false;
  }
  return true;
}

/* Leaving the L1 for the L2 is of interest where it changes what the policy says. */
static bool may_lower(const struct amo *amo, const void *s, unsigned t, unsigned line) {
  const struct amo_copy *copy = amo_copy(amo, s, t, line);
  return !copy->below && amo->wanted[t * amo->lines + line] &&
         amo_place(&amo->knobs, amo_state(copy)) != amo_place(&amo->knobs, LINE_I);
}

static bool cache_steps(const struct amo *amo, const void *s, unsigned t, struct successor_sink *sink) {
  const struct amo_core *core = amo_core(s, t);
  for (unsigned line = 0; line < amo->lines; line++) {
    bool asked = amo_home(amo, s, line)->snoops >> t & 1;
    if (asked && !emit(amo, s, sink, STEP_SNOOP, t, line)) return false;
    bool leaves = !asked && amo->knobs.evict == AMO_YES && amo_copy(amo, s, t, line)->valid &&
                  !(core->request && core->line == line);
    if (leaves && !emit(amo, s, sink, STEP_EVICT, t, line)) return false;
    if (leaves && may_lower(amo, s, t, line) && !emit(amo, s, sink, STEP_LOWER, t, line)) return false;
  }
  return true;
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct amo *amo = m->self;
  for (unsigned t = 0; t < amo->cores; t++)
    if (!core_steps(amo, state, t, sink) || !start_steps(amo, state, t, sink) || !cache_steps(amo, state, t, sink))
      return false;
  return true;
}

/* The core's own business, in which no loop goes on. */
static bool is_local(const struct amo *amo, const void *s, unsigned t) {
  const struct instr *instr = amo_instr(amo, s, t);
  const struct amo_core *core = amo_core(s, t);
  if (core->request || !instr) return false;
  if (instr_jumps(instr)) return instr->target > core->place;
  return instr->kind == INSTR_ASSIGN || (instr->kind == INSTR_FENCE && !core->posted);
}

static bool ample(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct amo *amo = m->self;
  for (unsigned t = 0; t < amo->cores; t++) {
    const struct amo_core *core = amo_core(state, t);
    bool answered = core->request && core->phase == PHASE_ANSWERED;
    if (is_local(amo, state, t)) return core_steps(amo, state, t, sink);
    if (answered && (core->request == REQUEST_FAR || amo->knobs.ack == AMO_YES)) return core_steps(amo, state, t, sink);
    for (unsigned i = 0; i < core->posted; i++)
      if (core->queue[i].phase == PHASE_ANSWERED) return emit(amo, state, sink, STEP_COMPLETE, t, i);
  }
  return successors(m, state, sink);
}

static void initial(const struct machine *m, void *state) {
  const struct amo *amo = m->self;
  memset(state, 0, amo->size);
  for (unsigned t = 0; t < amo->cores; t++)
    for (unsigned r = 0; amo->program->threads[t].reg_init && r < amo->program->threads[t].reg_count; r++)
      amo_registers(amo, state, t)[r] = amo->program->threads[t].reg_init[r];
  for (unsigned line = 0; line < amo->lines; line++)
    amo_home(amo, state, line)->memory = amo->program->locations[amo->location_of[line]].init;
}

static bool runs_on(const struct amo *amo, const void *state, unsigned t) {
  const struct amo_core *core = amo_core(state, t);
  return core->posted || core->request || amo_instr(amo, state, t);
}

static uint64_t running(const struct machine *m, const void *state) {
  const struct amo *amo = m->self;
  uint64_t set = 0;
  for (unsigned t = 0; t < amo->cores; t++) set |= (uint64_t)runs_on(amo, state, t) << t;
  return set;
}

static bool final(const struct machine *m, const void *state) {
  return running(m, state) == 0;
}

static uint64_t movers(const struct machine *m, struct step step, const void *before) {
  (void)m;
  (void)before;
  bool own = step.code == STEP_CORE || step.code == STEP_ARRIVE;
  return (uint64_t)own << (own ? step.agent : 0);
}

/* The value of a line: its dirty copy's, where there is one. */
static int64_t line_value(const struct amo *amo, const void *s, unsigned line) {
  for (unsigned t = 0; t < amo->cores; t++) {
    const struct amo_copy *copy = amo_copy(amo, s, t, line);
    if (amo_state(copy) == LINE_UD || amo_state(copy) == LINE_SD) return copy->value;
  }
  return amo_home(amo, s, line)->memory;
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct amo *amo = m->self;
  struct observable what = amo->observables[i];
  if (what.thread >= 0) return amo_registers(amo, state, (unsigned)what.thread)[what.index];
  return line_value(amo, state, amo->line_of[program_physical(amo->program, what.index)]);
}

/* ---- building ---- */

static bool fits(const struct program *program, struct diags *diags) {
  if (program->thread_count > AMO_CORES || program->location_count > AMO_LINES)
    return diag_error(diags, program->source, (struct span){0, 0},
                      "machine amo has %d cores and %d lines; the program has %u threads and %u locations", AMO_CORES,
                      AMO_LINES, program->thread_count, program->location_count);
  INSTR_EACH (instr, program) {
    bool access = instr_is_access(instr) && instr->kind != INSTR_LOCK;
    if (access || instr_is_control(instr) || instr->kind == INSTR_FENCE) continue;
    return diag_error(diags, program->source, instr->span, "machine amo does not run this operation");
  }
  return true;
}

/* Which lines atomic operations of a core may be on. */
static void note_wanted(struct amo *amo, unsigned t) {
  const struct thread *thread = &amo->program->threads[t];
  ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
    if (instr->kind != INSTR_RMW && instr->kind != INSTR_CAS) continue;
    unsigned count = address_cells(&instr->address);
    for (unsigned c = 0; c < count; c++) {
      unsigned location = program_physical(amo->program, instr->address.base + c);
      amo->wanted[t * amo->lines + amo->line_of[location]] = true;
    }
  }
}

static void lay_out(struct arena *arena, struct amo *amo) {
  const struct program *program = amo->program;
  amo->cores = program->thread_count;
  amo->line_of = ARENA_ARRAY(arena, unsigned, program->location_count + 1);
  amo->location_of = ARENA_ARRAY(arena, unsigned, program->location_count + 1);
  for (unsigned i = 0; i < program->location_count; i++)
    if (program_physical(program, i) == i) {
      amo->line_of[i] = amo->lines;
      amo->location_of[amo->lines++] = i;
    }
  amo->registers = ARENA_ARRAY(arena, unsigned, amo->cores + 1);
  unsigned registers = 0;
  for (unsigned t = 0; t < amo->cores; t++) {
    amo->registers[t] = registers;
    registers += program->threads[t].reg_count;
  }
  amo->copies = amo->cores * sizeof(struct amo_core);
  amo->homes = amo->copies + (size_t)amo->cores * amo->lines * sizeof(struct amo_copy);
  amo->values = amo->homes + amo->lines * sizeof(struct amo_home);
  amo->size = amo->values + registers * sizeof(int64_t);
  amo->wanted = ARENA_ARRAY(arena, bool, (size_t)amo->cores * amo->lines + 1);
  for (unsigned t = 0; t < amo->cores; t++) note_wanted(amo, t);
}

bool amo_machine(const struct amo_knobs *knobs, const struct explore_request *request, struct machine *machine,
                 struct diags *diags) {
  if (!fits(request->program, diags)) return false;
  struct amo *amo = ARENA_MAKE(request->arena, struct amo, .program = request->program,
                               .observables = request->observables, .knobs = *knobs);
  lay_out(request->arena, amo);
  *machine = (struct machine){.name = "amo",
                              .state_size = amo->size,
                              .self = amo,
                              .initial = initial,
                              .successors = successors,
                              .final = final,
                              .ample = ample,
                              .running = running,
                              .movers = movers,
                              .step_kind = amo_step_kind,
                              .print_step = amo_print_step,
                              .print_state = amo_print_state,
                              .lane_count = amo->cores + 1,
                              .print_lane = amo_print_lane,
                              .route = amo_route,
                              .observable_count = request->observable_count,
                              .observe = observe};
  return true;
}
