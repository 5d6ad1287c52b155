/* SPDX-License-Identifier: MIT */
/* The steps of the ADSM machine: transfers and faults along a protocol's edges,
 * instructions of hosts and kernels, and uploads that end. */
#include <assert.h>

#include "checker/base/tags.h"
#include "hwsem/machines/adsm_state.h"

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

/* Takes a unit along an edge.  An eviction's cells move later. */
static void take_edge(const struct adsm *a, unsigned char *s, unsigned u, struct adsm_edge edge, enum adsm_event event,
                      struct adsm_effects *effects) {
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
  assert(event != ADSM_EVICT || list_count(s, a->uploads) < a->uploads_room);
  if (event == ADSM_EVICT)
    list_push(s, a->uploads, u);
  else
    copy_unit(a, s, u, up ? a->device : a->host, up ? a->host : a->device);
}

static void follow(const struct adsm *a, unsigned char *s, unsigned u, enum adsm_event event,
                   struct adsm_effects *effects) {
  take_edge(a, s, u, adsm_edge(a->options.protocol, s[a->unit_states + u], event), event, effects);
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
  assert(list_count(s, a->dirty) < a->unit_count);
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

unsigned adsm_accelerator_at(const struct adsm *a, unsigned t, unsigned pc) {
  const struct instr *instrs = a->program->threads[t].instrs;
  if (a->accelerators == 1) return 0;
  while (instrs[pc].kind != INSTR_CALL) pc--;
  return a->program->kernels[instrs[pc].kernel].accelerator;
}

/* Kernels that are at their end make room for the next in the queue. */
static void retire(const struct adsm *a, unsigned char *s, unsigned t, unsigned accelerator) {
  const struct instr *instrs = a->program->threads[t].instrs;
  size_t calls = calls_of(a, t, accelerator);
  while (list_count(s, calls) && instrs[kernel_pc(a, s, t, accelerator)].kind == INSTR_RETURN) {
    list_remove(s, calls, 0);
    put_short(s, kernel_at(a, t, accelerator), 0, list_count(s, calls) ? list_get(s, calls, 0) + 1 : 0);
  }
}

static void drop_unit(unsigned char *s, size_t list, unsigned u) {
  for (unsigned i = list_count(s, list); i > 0; i--)
    if (list_get(s, list, i - 1) == u) list_remove(s, list, i - 1);
}

bool adsm_uses(const struct adsm *a, unsigned kernel, unsigned u) {
  return a->program->objects[a->units[u].object].assigned[kernel];
}

bool adsm_may_write(const struct adsm *a, const struct instr *call, unsigned u) {
  return !call->writes || call->writes[a->units[u].object];
}

/* The host gives up the objects that are assigned to the kernel. */
static void launch(const struct adsm *a, unsigned char *s, unsigned t, unsigned pc, struct adsm_effects *effects) {
  const struct instr *call = &a->program->threads[t].instrs[pc];
  unsigned accelerator = a->program->kernels[call->kernel].accelerator;
  size_t calls = calls_of(a, t, accelerator);
  for (unsigned u = 0; u < a->unit_count; u++) {
    if (!adsm_uses(a, call->kernel, u)) continue;
    if (adsm_may_write(a, call, u))
      follow(a, s, u, ADSM_CALL, effects);
    else
      take_edge(a, s, u, adsm_lent_edge(a->options.protocol, s[a->unit_states + u]), ADSM_CALL, effects);
    drop_unit(s, a->dirty, u);
  }
  if (!list_count(s, calls)) put_short(s, kernel_at(a, t, accelerator), 0, pc + 1);
  assert(list_count(s, calls) < a->calls_room);
  list_push(s, calls, pc);
  retire(a, s, t, accelerator);
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

/* A thread that does something undefined goes to its end (a kernel: of its body).
 * The model says that the program is undefined. */
static void give_up(struct thread_run *thread, bool kernel) {
  if (!kernel) thread->place = thread->thread->instr_count;
  while (kernel && thread_instr(thread)->kind != INSTR_RETURN) thread->place++;
}

/* A load or store, which is undefined when it lies outside its array, or a kernel does
 * it by an address that means nothing, or something else, on its accelerator. */
static void access_cell(const struct adsm *a, unsigned char *s, struct thread_run *thread, bool kernel,
                        struct adsm_effects *effects) {
  struct thread_access access = thread_access(thread);
  if (access.location < 0 || tags_have(thread_instr(thread)->tags, TAG_HOSTADDR)) {
    give_up(thread, kernel);
    return;
  }
  if (!kernel) detect(a, s, (unsigned)access.location, access.kind == ACCESS_LOAD ? ADSM_READ : ADSM_WRITE, effects);
  thread_perform(thread, values_of(s, kernel ? a->device : a->host) + access.location, false);
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

static unsigned home_of(const struct adsm *a, unsigned cell) {
  return a->program->objects[a->program->locations[cell].object].accelerator;
}

/* From one accelerator to another data goes through the host, which reads it as by any
 * access, and from there up. */
static void copy_across(const struct adsm *a, unsigned char *s, const struct instr *instr,
                        struct adsm_effects *effects) {
  struct adsm_edge up = {ADSM_INVALID, ADSM_UP, false};
  for (unsigned u = 0; u < a->unit_count; u++)
    if (overlaps(&a->units[u], &instr->from)) follow(a, s, u, ADSM_READ, effects);
  prepare_bulk(a, s, &instr->address, true, effects);
  for (unsigned i = 0; i < instr->address.size; i++)
    put_value(s, a->device, instr->address.base + i, get_value(s, a->host, instr->from.base + i));
  count(a, s, ADSM_CELLS_UP, instr->address.size);
  if (effects->out) fputs(", by way of the host", effects->out);
  if (effects->visitor) effects->visitor->visit(effects->visitor->context, up, ADSM_COVER, instr->address.size);
}

static void run_bulk(const struct adsm *a, unsigned char *s, const struct thread_run *thread,
                     struct adsm_effects *effects) {
  const struct instr *instr = thread_instr(thread);
  bool copy = instr->kind == INSTR_COPY, batch = a->options.protocol == ADSM_BATCH;
  size_t memory = batch ? a->host : a->device;
  int64_t value = copy ? 0 : thread_evaluate(thread, instr->value);
  if (copy && !batch && home_of(a, instr->from.base) != home_of(a, instr->address.base)) {
    copy_across(a, s, instr, effects);
    return;
  }
  if (copy) prepare_bulk(a, s, &instr->from, false, effects);
  prepare_bulk(a, s, &instr->address, true, effects);
  for (unsigned i = 0; i < instr->address.size; i++)
    put_value(s, memory, instr->address.base + i, copy ? get_value(s, memory, instr->from.base + i) : value);
}

bool adsm_is_enabled(const struct adsm *a, const unsigned char *s, unsigned t, const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_FILL:
    case INSTR_COPY:
      return !list_count(s, a->uploads);
    case INSTR_CALL:
      return !list_count(s, a->uploads) &&
             list_count(s, calls_of(a, t, a->program->kernels[instr->kernel].accelerator)) < a->calls_room;
    case INSTR_SYNC:
      return !any_call(a, s, t);
    case INSTR_STORE: /* it may evict */
      return list_count(s, a->uploads) < a->uploads_room;
    default:
      return true;
  }
}

/* Runs the instruction at `pc` of a host thread or of its kernel. */
static void run_instruction(const struct adsm *a, unsigned char *s, unsigned t, unsigned pc, bool kernel,
                            struct adsm_effects *effects) {
  struct thread_run thread = thread_of(a, s, t, pc);
  const struct instr *instr = thread_instr(&thread);
  if (instr_is_access(instr)) {
    access_cell(a, s, &thread, kernel, effects);
  } else {
    if (instr->kind == INSTR_CALL) launch(a, s, t, pc, effects);
    if (instr->kind == INSTR_SYNC) acquire(a, s, t, effects);
    if (instr->kind == INSTR_FILL || instr->kind == INSTR_COPY) run_bulk(a, s, &thread, effects);
    if (instr->kind == INSTR_ALLOC || instr->kind == INSTR_FREE) change_lifetime(a, s, instr);
    thread_pass(&thread);
  }
  unsigned accelerator = kernel ? adsm_accelerator_at(a, t, pc) : 0;
  put_short(s, kernel ? kernel_at(a, t, accelerator) : thread_at(a, t), 0, thread.place);
  if (kernel) retire(a, s, t, accelerator);
}

/* ---- What holds of every state, of legal programs or not ---- */

/* Calls are CALL instructions of their thread, and the kernel is in the body of the first. */
static bool calls_are_sound(const struct adsm *a, const unsigned char *s, unsigned t, unsigned accelerator) {
  const struct thread *thread = &a->program->threads[t];
  size_t calls = calls_of(a, t, accelerator);
  unsigned count = list_count(s, calls), pc = kernel_pc(a, s, t, accelerator);
  if (count > a->calls_room || (!count && pc)) return false;
  for (unsigned i = 0; i < count; i++)
    if (list_get(s, calls, i) >= thread->instr_count || thread->instrs[list_get(s, calls, i)].kind != INSTR_CALL)
      return false;
  return !count || (pc > list_get(s, calls, 0) && pc < thread->instr_count);
}

/* Under rolling-update the queue holds the dirty blocks, each once; otherwise it is empty. */
__attribute__((unused)) static bool is_sound(const struct adsm *a, const unsigned char *s) {
  bool rolling = a->options.protocol == ADSM_ROLLING;
  for (unsigned t = 0; t < a->program->thread_count; t++) {
    if (host_pc(a, s, t) > a->program->threads[t].instr_count) return false;
    for (unsigned i = 0; i < a->accelerators; i++)
      if (!calls_are_sound(a, s, t, i)) return false;
  }
  for (unsigned u = 0; u < a->unit_count; u++) {
    bool dirty = s[a->unit_states + u] == ADSM_DIRTY;
    if (s[a->unit_states + u] >= ADSM_STATES || list_times(s, a->dirty, u) != (rolling && dirty)) return false;
  }
  return list_count(s, a->uploads) <= a->uploads_room;
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
  assert(is_sound(a, s));
}

void adsm_visit_step(const struct machine *m, struct step step, const void *before,
                     const struct adsm_visitor *visitor) {
  _Alignas(int64_t) unsigned char scratch[m->state_size];
  struct adsm_effects effects = {NULL, visitor};
  memcpy(scratch, before, m->state_size);
  adsm_take_step(m->self, scratch, step, &effects);
}
