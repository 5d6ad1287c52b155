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
#include "hwsem/machines/adsm_state.h"

enum { CELLS_LIMIT = 4096, CALLS_IN_LOOPS = 8, UPLOADS_LIMIT = 16 };

/* ---- Transfers and faults ------------------------------------------------ */

static void count(const struct adsm *a, unsigned char *s, enum adsm_counter counter, unsigned by) {
  if (a->options.count) put_value(s, a->counters, counter, get_value(s, a->counters, counter) + by);
}

void adsm_print_unit(const struct adsm *a, unsigned u, FILE *out) {
  const struct adsm_unit *unit = &a->units[u];
  const struct object *object = &a->program->objects[unit->object];
  if (unit->size == object->size)
    fputs(object->name, out);
  else if (unit->size == 1)
    fprintf(out, "%s[%u]", object->name, unit->base - object->base);
  else
    fprintf(out, "%s[%u..%u]", object->name, unit->base - object->base, unit->base - object->base + unit->size - 1);
}

static void copy_unit(const struct adsm *a, unsigned char *s, unsigned u, size_t to, size_t from) {
  const struct adsm_unit *unit = &a->units[u];
  size_t bytes = unit->size * sizeof(int64_t), at = unit->base * sizeof(int64_t);
  memcpy(s + to + at, s + from + at, bytes);
}

/* Takes a unit along its edge.  An eviction's cells move later. */
static void follow(const struct adsm *a, unsigned char *s, unsigned u, enum adsm_event event,
                   struct adsm_effects *effects) {
  struct adsm_edge edge = adsm_edge(a->options.protocol, s[a->unit_states + u], event);
  s[a->unit_states + u] = (unsigned char)edge.next;
  if (edge.fault) count(a, s, ADSM_FAULTS, 1);
  if (effects->out && edge.fault) fputs(", fault", effects->out);
  if (effects->visitor) effects->visitor->visit(effects->visitor->context, edge, event, a->units[u].size);
  if (edge.transfer == ADSM_STAY) return;
  bool up = edge.transfer == ADSM_UP;
  count(a, s, up ? ADSM_CELLS_UP : ADSM_CELLS_DOWN, a->units[u].size);
  if (effects->out) {
    fputs(event == ADSM_EVICT ? ", evict " : up ? ", up " : ", down ", effects->out);
    adsm_print_unit(a, u, effects->out);
  }
  if (event == ADSM_EVICT)
    list_push(s, a->uploads, u);
  else
    copy_unit(a, s, u, up ? a->device : a->host, up ? a->host : a->device);
}

/* How many blocks may be dirty: the factor counts objects that are allocated. */
unsigned adsm_rolling_size(const struct adsm *a, const unsigned char *s) {
  if (a->options.rolling) return a->options.rolling;
  unsigned objects = 0;
  for (unsigned u = 0; u < a->unit_count; u++)
    objects += s[a->unit_states + u] != ADSM_ABSENT && (!u || a->units[u].object != a->units[u - 1].object);
  return objects * a->options.per_object;
}

/* A block has become dirty: the oldest goes when there are too many. */
static void roll(const struct adsm *a, unsigned char *s, unsigned u, struct adsm_effects *effects) {
  list_push(s, a->dirty, u);
  if (list_count(s, a->dirty) <= adsm_rolling_size(a, s)) return;
  unsigned oldest = list_get(s, a->dirty, 0);
  list_remove(s, a->dirty, 0);
  follow(a, s, oldest, ADSM_EVICT, effects);
}

/* The host is about to access a cell. */
static void detect(const struct adsm *a, unsigned char *s, unsigned cell, enum adsm_event event,
                   struct adsm_effects *effects) {
  if (a->unit_of[cell] < 0) return;
  unsigned u = (unsigned)a->unit_of[cell];
  bool clean = s[a->unit_states + u] != ADSM_DIRTY;
  follow(a, s, u, event, effects);
  if (a->options.protocol == ADSM_ROLLING && clean && s[a->unit_states + u] == ADSM_DIRTY) roll(a, s, u, effects);
}

/* ---- Instructions -------------------------------------------------------- */

/* Kernels that are at their end make room for the next in the queue. */
static void retire(const struct adsm *a, unsigned char *s, unsigned t) {
  const struct instr *instrs = a->program->threads[t].instrs;
  while (list_count(s, calls_of(a, t)) && instrs[kernel_pc(a, s, t)].kind == INSTR_RETURN) {
    list_remove(s, calls_of(a, t), 0);
    bool more = list_count(s, calls_of(a, t));
    set_pc(a, s, t, true, more ? list_get(s, calls_of(a, t), 0) + 1 : 0);
  }
}

static void drop_unit(unsigned char *s, size_t list, unsigned u) {
  for (unsigned i = list_count(s, list); i > 0; i--)
    if (list_get(s, list, i - 1) == u) list_remove(s, list, i - 1);
}

bool adsm_uses(const struct adsm *a, unsigned kernel, unsigned u) {
  return a->program->objects[a->units[u].object].assigned[kernel];
}

/* The host gives up the objects that are assigned to the kernel. */
static void launch(const struct adsm *a, unsigned char *s, unsigned t, unsigned pc, struct adsm_effects *effects) {
  unsigned kernel = a->program->threads[t].instrs[pc].kernel;
  for (unsigned u = 0; u < a->unit_count; u++) {
    if (!adsm_uses(a, kernel, u)) continue;
    follow(a, s, u, ADSM_CALL, effects);
    drop_unit(s, a->dirty, u);
  }
  if (!list_count(s, calls_of(a, t))) set_pc(a, s, t, true, pc + 1);
  list_push(s, calls_of(a, t), pc);
  retire(a, s, t);
}

/* ... and takes those of this thread's kernels back. */
static void acquire(const struct adsm *a, unsigned char *s, unsigned t, struct adsm_effects *effects) {
  for (unsigned u = 0; u < a->unit_count; u++)
    if (a->acquires[t * a->unit_count + u]) follow(a, s, u, ADSM_SYNC, effects);
}

/* Cells of a new object are zero on both sides; those of a freed one keep what
 * they last held, for the observer. */
static void change_lifetime(const struct adsm *a, unsigned char *s, const struct instr *instr) {
  const struct object *object = &a->program->objects[instr->object];
  bool begins = instr->kind == INSTR_ALLOC;
  for (unsigned u = 0; u < a->unit_count; u++) {
    if (a->units[u].object != instr->object) continue;
    if (s[a->unit_states + u] == ADSM_INVALID) copy_unit(a, s, u, a->host, a->device);
    s[a->unit_states + u] = (unsigned char)(begins ? adsm_initial_state(a->options.protocol) : ADSM_ABSENT);
    drop_unit(s, a->dirty, u);
    drop_unit(s, a->uploads, u);
  }
  for (unsigned i = 0; begins && i < object->size; i++) {
    put_value(s, a->host, object->base + i, 0);
    put_value(s, a->device, object->base + i, 0);
  }
}

/* The cell that an address names, -1 when outside its array. */
static int cell_of(const struct adsm *a, const unsigned char *s, unsigned t, const struct address *address) {
  if (!address->index) return (int)address->base;
  int64_t index = evaluate(a, s, t, address->index);
  return index >= 0 && index < (int64_t)address->size ? (int)(address->base + index) : -1;
}

/* A load or store; false when it lies outside its array. */
static bool access_cell(const struct adsm *a, unsigned char *s, unsigned t, const struct instr *instr, bool kernel,
                        struct adsm_effects *effects) {
  int cell = cell_of(a, s, t, &instr->address);
  if (cell < 0) return false;
  bool load = instr->kind == INSTR_LOAD;
  size_t memory = kernel ? a->device : a->host;
  if (!kernel) detect(a, s, (unsigned)cell, load ? ADSM_READ : ADSM_WRITE, effects);
  if (!load)
    put_value(s, memory, (unsigned)cell, evaluate(a, s, t, instr->value));
  else if (instr->reg != NO_REG)
    put_value(s, a->registers, a->first_register[t] + (unsigned)instr->reg, get_value(s, memory, (unsigned)cell));
  return true;
}

/* Where a thread stands that does something undefined: at its end (a kernel: of
 * its body).  The model says that the program is undefined. */
static unsigned give_up(const struct program *program, unsigned t, unsigned pc, bool kernel) {
  const struct thread *thread = &program->threads[t];
  if (!kernel) return thread->instr_count;
  while (thread->instrs[pc].kind != INSTR_RETURN) pc++;
  return pc;
}

/* ---- memset and memcpy --------------------------------------------------- */

static bool overlaps(const struct adsm_unit *unit, const struct address *range) {
  return unit->base < range->base + range->size && range->base < unit->base + unit->size;
}

static bool covers(const struct address *range, const struct adsm_unit *unit) {
  return range->base <= unit->base && unit->base + unit->size <= range->base + range->size;
}

/* Blocks that the accelerator reads, or writes in part, are uploaded first. */
static void prepare_bulk(const struct adsm *a, unsigned char *s, const struct address *range, bool written,
                         struct adsm_effects *effects) {
  for (unsigned u = 0; u < a->unit_count; u++) {
    if (!overlaps(&a->units[u], range)) continue;
    if (!written || !covers(range, &a->units[u])) follow(a, s, u, ADSM_FLUSH, effects);
    if (written) follow(a, s, u, ADSM_COVER, effects);
    if (s[a->unit_states + u] != ADSM_DIRTY) drop_unit(s, a->dirty, u);
  }
}

static void run_bulk(const struct adsm *a, unsigned char *s, unsigned t, const struct instr *instr,
                     struct adsm_effects *effects) {
  bool copy = instr->kind == INSTR_COPY;
  size_t memory = a->options.protocol == ADSM_BATCH ? a->host : a->device;
  int64_t value = copy ? 0 : evaluate(a, s, t, instr->value);
  if (copy) prepare_bulk(a, s, &instr->from, false, effects);
  prepare_bulk(a, s, &instr->address, true, effects);
  for (unsigned i = 0; i < instr->address.size; i++)
    put_value(s, memory, instr->address.base + i, copy ? get_value(s, memory, instr->from.base + i) : value);
}

/* Can the instruction run now? */
static bool enabled(const struct adsm *a, const unsigned char *s, unsigned t, const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_FILL:
    case INSTR_COPY:
      return !list_count(s, a->uploads);
    case INSTR_CALL:
      return !list_count(s, a->uploads) && list_count(s, calls_of(a, t)) < a->calls_room;
    case INSTR_SYNC:
      return !list_count(s, calls_of(a, t));
    case INSTR_STORE: /* it may evict */
      return list_count(s, a->uploads) < a->uploads_room;
    default:
      return true;
  }
}

/* Runs the instruction at `pc` of a host thread or of its kernel. */
static void run_instruction(const struct adsm *a, unsigned char *s, unsigned t, unsigned pc, bool kernel,
                            struct adsm_effects *effects) {
  const struct instr *instr = &a->program->threads[t].instrs[pc];
  unsigned next = pc + 1;
  switch (instr->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
      if (!access_cell(a, s, t, instr, kernel, effects)) next = give_up(a->program, t, pc, kernel);
      break;
    case INSTR_ASSIGN:
      put_value(s, a->registers, a->first_register[t] + (unsigned)instr->reg, evaluate(a, s, t, instr->value));
      break;
    case INSTR_BRANCH:
      if (!evaluate(a, s, t, instr->value)) next = instr->target;
      break;
    case INSTR_JUMP:
      next = instr->target;
      break;
    case INSTR_CALL:
      launch(a, s, t, pc, effects);
      next = instr->target;
      break;
    case INSTR_SYNC:
      acquire(a, s, t, effects);
      break;
    case INSTR_FILL:
    case INSTR_COPY:
      run_bulk(a, s, t, instr, effects);
      break;
    default:
      change_lifetime(a, s, instr);
      break;
  }
  set_pc(a, s, t, kernel, next);
  if (kernel) retire(a, s, t);
}

static void end_upload(const struct adsm *a, unsigned char *s) {
  copy_unit(a, s, list_get(s, a->uploads, 0), a->device, a->host);
  list_remove(s, a->uploads, 0);
}

void adsm_take_step(const struct adsm *a, unsigned char *s, struct step step, struct adsm_effects *effects) {
  if (step.code == STEP_UPLOAD)
    end_upload(a, s);
  else
    run_instruction(a, s, step.agent, step.detail, step.code == STEP_KERNEL, effects);
}

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
  unsigned char next[m->state_size];
  struct adsm_effects silent = {NULL, NULL};
  memcpy(next, state, m->state_size);
  adsm_take_step(m->self, next, step, &silent);
  return sink->emit(sink, step, next);
}

/* The next step of a host thread, or of its running kernel. */
static bool next_step(const struct adsm *a, const unsigned char *s, unsigned t, bool kernel, struct step *step) {
  unsigned pc = kernel ? kernel_pc(a, s, t) : host_pc(a, s, t);
  if (kernel ? !list_count(s, calls_of(a, t)) : pc >= a->program->threads[t].instr_count) return false;
  if (!kernel && !enabled(a, s, t, &a->program->threads[t].instrs[pc])) return false;
  *step = (struct step){.code = kernel ? STEP_KERNEL : STEP_HOST, .agent = (uint16_t)t, .detail = pc};
  return true;
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct adsm *a = m->self;
  struct step step;
  for (unsigned t = 0; t < a->program->thread_count; t++)
    for (int kernel = 0; kernel <= 1; kernel++)
      if (next_step(a, state, t, kernel, &step) && !emit(m, state, step, sink)) return false;
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
    for (int kernel = 0; kernel <= 1; kernel++) {
      if (!next_step(a, state, t, kernel, &step)) continue;
      enum instr_kind kind = a->program->threads[t].instrs[step.detail].kind;
      if (kind == INSTR_ASSIGN || kind == INSTR_BRANCH || kind == INSTR_JUMP) return emit(m, state, step, sink);
    }
  return successors(m, state, sink);
}

static bool final(const struct machine *m, const void *state) {
  const struct adsm *a = m->self;
  if (list_count(state, a->uploads)) return false;
  for (unsigned t = 0; t < a->program->thread_count; t++)
    if (host_pc(a, state, t) < a->program->threads[t].instr_count || list_count(state, calls_of(a, t))) return false;
  return true;
}

static enum step_kind step_kind(const struct machine *m, struct step step) {
  (void)m;
  return step.code == STEP_UPLOAD ? STEP_ENVIRONMENT : STEP_THREAD;
}

unsigned adsm_machine_units(const struct machine *m) {
  const struct adsm *a = m->self;
  return a->unit_count;
}

void adsm_visit_step(const struct machine *m, struct step step, const void *before,
                     const struct adsm_visitor *visitor) {
  unsigned char scratch[m->state_size];
  struct adsm_effects effects = {NULL, visitor};
  memcpy(scratch, before, m->state_size);
  adsm_take_step(m->self, scratch, step, &effects);
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
    for (unsigned i = 0; i < a->program->threads[t].instr_count; i++) {
      const struct instr *instr = &a->program->threads[t].instrs[i];
      for (unsigned u = 0; instr->kind == INSTR_CALL && u < a->unit_count; u++)
        if (adsm_uses(a, instr->kernel, u)) a->acquires[t * a->unit_count + u] = true;
    }
}

/* Queues are as long as the program can need, and in loops of a fixed length. */
static void size_queues(struct adsm *a) {
  unsigned stores = 1;
  bool loops = false;
  a->calls_room = 1;
  for (unsigned t = 0; t < a->program->thread_count; t++) {
    unsigned calls = 0;
    for (unsigned i = 0; i < a->program->threads[t].instr_count; i++) {
      const struct instr *instr = &a->program->threads[t].instrs[i];
      calls += instr->kind == INSTR_CALL;
      stores += instr->kind == INSTR_STORE;
      loops |= (instr->kind == INSTR_BRANCH || instr->kind == INSTR_JUMP) && instr->target <= i;
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
  a->thread_size = (3 + a->calls_room) * sizeof(uint16_t);
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
  struct adsm *a = ARENA_NEW(arena, struct adsm);
  *a = (struct adsm){
      .program = program, .observables = observables, .observable_count = observable_count, .options = *options};
  make_units(arena, a);
  find_acquired(arena, a);
  size_queues(a);
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
                        .print_state = adsm_print_state,
                        .lane_count = adsm_lane_count(a),
                        .print_lane = adsm_print_lane,
                        .route = adsm_route,
                        .observable_count = observable_count + (options->count ? ADSM_COUNTERS : 0),
                        .observe = observe};
  return m;
}
