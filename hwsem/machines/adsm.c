/* SPDX-License-Identifier: MIT */
/* The ADSM machine: host threads, kernels in call order, and one protocol.
 *
 * A state holds the two memories, the state of every unit, the dirty blocks in
 * the order in which they became dirty, the evictions on their way, and for
 * each host thread its registers, its place and its queue of calls.  Every
 * instruction of a host or a kernel is one step, with all the transfers that it
 * causes; only an eviction's upload goes on by itself and ends in a step of the
 * environment.  An upload may read its block when it ends: whoever changes the
 * block before the next call has it uploaded again.
 */
#include "checker/base/array.h"
#include "checker/program/outcome.h"
#include "hwsem/machines/adsm_state.h"

enum { CELLS_LIMIT = 4096, CALLS_IN_LOOPS = 8, UPLOADS_LIMIT = 16 };

/* ---- The seam ------------------------------------------------------------ */

static void initial(const struct machine *m, void *state) {
  const struct adsm *a = m->self;
  unsigned char *s = state;
  memset(s, 0, m->state_size);
  const struct program *program = a->program;
  for (unsigned i = 0; i < program->location_count; i++) {
    put_value(s, a->host, i, program->locations[i].init);
    if (a->unit_of[i] >= 0) put_value(s, a->device, i, program->locations[i].init);
  }
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      put_value(s, a->registers, a->first_register[t] + r, program->threads[t].reg_init[r]);
  for (unsigned u = 0; u < a->unit_count; u++) {
    bool allocated = program->objects[a->units[u].object].allocated;
    s[a->unit_states + u] = (unsigned char)(allocated ? adsm_initial_state(a->options.protocol) : ADSM_ABSENT);
  }
}

static bool emit(const struct machine *m, const void *state, struct step step, struct successor_sink *sink) {
  _Alignas(int64_t) unsigned char next[m->state_size];
  struct adsm_effects silent = {NULL, NULL};
  memcpy(next, state, m->state_size);
  adsm_take_step(m->self, next, step, &silent);
  return sink->emit(sink, step, next);
}

/* The next step of a host thread (place 0), or of its running kernel on an accelerator
 * (place 1 + its number). */
static bool next_step(const struct adsm *a, const unsigned char *s, unsigned t, unsigned place, struct step *step) {
  bool kernel = place > 0;
  unsigned pc = kernel ? kernel_pc(a, s, t, place - 1) : host_pc(a, s, t);
  if (kernel ? !list_count(s, calls_of(a, t, place - 1)) : pc >= a->program->threads[t].instr_count) return false;
  if (!kernel && !adsm_is_enabled(a, s, t, &a->program->threads[t].instrs[pc])) return false;
  *step = (struct step){.code = kernel ? STEP_KERNEL : STEP_HOST, .agent = (uint16_t)t, .detail = pc};
  return true;
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct adsm *a = m->self;
  struct step step;
  for (unsigned t = 0; t < a->program->thread_count; t++)
    for (unsigned place = 0; place <= a->accelerators; place++)
      if (next_step(a, state, t, place, &step) && !emit(m, state, step, sink)) return false;
  if (!list_count(state, a->uploads)) return true;
  step = (struct step){.code = STEP_UPLOAD, .detail = list_get(state, a->uploads, 0)};
  return emit(m, state, step, sink);
}

/* A step that touches nothing but its own thread's registers and place commutes
 * with all others and needs no alternatives. */
static bool ample(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct adsm *a = m->self;
  struct step step;
  for (unsigned t = 0; t < a->program->thread_count; t++)
    for (unsigned place = 0; place <= a->accelerators; place++) {
      if (!next_step(a, state, t, place, &step)) continue;
      if (instr_is_control(&a->program->threads[t].instrs[step.detail])) return emit(m, state, step, sink);
    }
  return successors(m, state, sink);
}

static bool final(const struct machine *m, const void *state) {
  const struct adsm *a = m->self;
  if (list_count(state, a->uploads)) return false;
  for (unsigned t = 0; t < a->program->thread_count; t++)
    if (host_pc(a, state, t) < a->program->threads[t].instr_count || any_call(a, state, t)) return false;
  return true;
}

static enum step_kind step_kind(const struct machine *m, struct step step) {
  (void)m;
  return step.code == STEP_UPLOAD ? STEP_ENVIRONMENT : STEP_THREAD;
}

const struct instr *adsm_step_instr(const struct program *program, struct step step) {
  return step.code == STEP_UPLOAD ? NULL : &program->threads[step.agent].instrs[step.detail];
}

unsigned adsm_machine_units(const struct machine *m) {
  const struct adsm *a = m->self;
  return a->unit_count;
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct adsm *a = m->self;
  const unsigned char *s = state;
  if (i >= a->observable_count) return get_value(s, a->counters, i - a->observable_count);
  const struct observable *what = &a->observables[i];
  if (what->thread >= 0) return get_register(a, s, (unsigned)what->thread, what->index);
  int u = a->unit_of[what->index];
  bool on_device = u >= 0 && s[a->unit_states + (unsigned)u] == ADSM_INVALID;
  return get_value(s, on_device ? a->device : a->host, what->index);
}

/* ---- Building one -------------------------------------------------------- */

static bool runs_here(const struct program *program, const struct adsm_machine_options *options, struct diags *diags) {
  unsigned shared = 0;
  for (unsigned i = 0; i < program->object_count; i++) shared += program->objects[i].shared;
  struct span nowhere = {0, 0};
  if (!program->object_count)
    diag_error(diags, program->source, nowhere, "%s has no ADSM objects: the machines of ADSM run ADSM tests only",
               program->name);
  else if (options->max_objects && shared > options->max_objects)
    diag_error(diags, program->source, nowhere, "%s has %u shared objects; the machine holds %u", program->name, shared,
               options->max_objects);
  else if (program->location_count > CELLS_LIMIT)
    diag_error(diags, program->source, nowhere, "%s has %u cells; the machine holds %d", program->name,
               program->location_count, CELLS_LIMIT);
  else
    return true;
  return false;
}

/* Cuts the shared objects into units. */
static void make_units(struct arena *arena, struct adsm *a) {
  const struct program *program = a->program;
  a->units = ARENA_ARRAY(arena, struct adsm_unit, program->location_count);
  a->unit_of = ARENA_ARRAY(arena, int, program->location_count);
  for (unsigned i = 0; i < program->location_count; i++) a->unit_of[i] = -1;
  for (unsigned o = 0; o < program->object_count; o++) {
    const struct object *object = &program->objects[o];
    unsigned block = a->options.protocol == ADSM_ROLLING ? a->options.block : object->size;
    for (unsigned at = 0; object->shared && at < object->size; at += block) {
      unsigned size = object->size - at < block ? object->size - at : block;
      for (unsigned i = 0; i < size; i++) a->unit_of[object->base + at + i] = (int)a->unit_count;
      a->units[a->unit_count++] = (struct adsm_unit){o, object->base + at, size};
    }
  }
}

static void find_acquired(struct arena *arena, struct adsm *a) {
  a->acquires = ARENA_ARRAY(arena, bool, a->program->thread_count * a->unit_count);
  for (unsigned t = 0; t < a->program->thread_count; t++)
    ARRAY_EACH (const struct instr, instr, a->program->threads[t].instrs, a->program->threads[t].instr_count) {
      for (unsigned u = 0; instr->kind == INSTR_CALL && u < a->unit_count; u++)
        if (adsm_uses(a, instr->kernel, u)) a->acquires[t * a->unit_count + u] = true;
    }
}

static void count_accelerators(struct adsm *a) {
  a->accelerators = 1;
  for (unsigned o = 0; o < a->program->object_count; o++)
    if (a->program->objects[o].accelerator >= a->accelerators) a->accelerators = a->program->objects[o].accelerator + 1;
  for (unsigned k = 0; k < a->program->kernel_count; k++)
    if (a->program->kernels[k].accelerator >= a->accelerators) a->accelerators = a->program->kernels[k].accelerator + 1;
}

/* Queues are as long as the program can need, and in loops of a fixed length. */
static void size_queues(struct adsm *a) {
  unsigned stores = 1;
  bool loops = program_has_loop(a->program);
  a->calls_room = 1;
  for (unsigned t = 0; t < a->program->thread_count; t++) {
    unsigned calls = 0;
    ARRAY_EACH (const struct instr, instr, a->program->threads[t].instrs, a->program->threads[t].instr_count) {
      calls += instr->kind == INSTR_CALL;
      stores += instr->kind == INSTR_STORE;
    }
    if (calls > a->calls_room) a->calls_room = calls;
  }
  if (loops && a->calls_room < CALLS_IN_LOOPS) a->calls_room = CALLS_IN_LOOPS;
  a->uploads_room = loops || stores > UPLOADS_LIMIT ? UPLOADS_LIMIT : stores;
  if (a->options.protocol != ADSM_ROLLING) a->uploads_room = 1;
}

/* Lays a state out; returns its size. */
static size_t lay_out(struct arena *arena, struct adsm *a) {
  const struct program *program = a->program;
  size_t at = 0, cells = program->location_count * sizeof(int64_t);
  a->host = at, at += cells;
  a->device = at, at += cells;
  a->registers = at;
  a->first_register = ARENA_ARRAY(arena, unsigned, program->thread_count);
  for (unsigned t = 0, first = 0; t < program->thread_count; t++) {
    a->first_register[t] = first;
    first += program->threads[t].reg_count;
    at = a->registers + first * sizeof(int64_t);
  }
  a->counters = at, at += a->options.count ? ADSM_COUNTERS * sizeof(int64_t) : 0;
  a->threads = at;
  a->thread_size = (1 + (size_t)a->accelerators * (2 + a->calls_room)) * sizeof(uint16_t);
  at += program->thread_count * a->thread_size;
  bool rolling = a->options.protocol == ADSM_ROLLING;
  a->dirty = at, at += (1 + (rolling ? a->unit_count : 0)) * sizeof(uint16_t);
  a->uploads = at, at += (1 + a->uploads_room) * sizeof(uint16_t);
  a->unit_states = at;
  return at + a->unit_count;
}

struct machine *adsm_machine_new(struct arena *arena, const struct program *program,
                                 const struct observable *observables, unsigned observable_count,
                                 const struct adsm_machine_options *options, struct diags *diags) {
  if (!runs_here(program, options, diags)) return NULL;
  struct adsm *a = ARENA_MAKE(arena, struct adsm, .program = program, .observables = observables,
                              .observable_count = observable_count, .options = *options);
  make_units(arena, a);
  find_acquired(arena, a);
  size_queues(a);
  count_accelerators(a);
  struct machine *m = ARENA_NEW(arena, struct machine);
  *m = (struct machine){.name = adsm_protocol_name(options->protocol),
                        .state_size = lay_out(arena, a),
                        .self = a,
                        .initial = initial,
                        .successors = successors,
                        .final = final,
                        .ample = ample,
                        .step_kind = step_kind,
                        .print_step = adsm_print_step,
                        .source = adsm_source,
                        .print_state = adsm_print_state,
                        .lane_count = adsm_lane_count(a),
                        .print_lane = adsm_print_lane,
                        .route = adsm_route,
                        .observable_count = observable_count + (options->count ? ADSM_COUNTERS : 0),
                        .observe = observe};
  return m;
}
