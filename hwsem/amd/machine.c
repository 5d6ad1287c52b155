/* SPDX-License-Identifier: MIT */
/* The AMD machine: a function for each rule.
 *
 * After every step the state is settled: waits that can go on do, forks are
 * taken, and what nobody can see any more (lines that no load will look up,
 * values that nothing will use) is cleared.  Settling loses no outcome: a wait
 * that goes on enables nothing that it would not enable later and disables
 * nothing; a line that is not looked up only changes by steps that nobody sees.
 *
 * Sources: the memory model sections of the LLVM AMDGPU user guide; README.md
 * beside this file tells them from readings.
 */
#include "hwsem/amd/machine.h"

#include <string.h>

#include "hwsem/amd/state.h"

/* ---- looking at states ---- */

/* Slots that are issued and not done. */
static uint32_t outstanding(const struct amd *m, const int32_t *s, unsigned t) {
  unsigned issued = amd_node_of(m, s, t)->slots;
  uint32_t all = issued >= 32 ? UINT32_MAX : (1u << issued) - 1;
  return all & ~(uint32_t)s[m->done[t]];
}

static bool ended(const struct amd *m, const int32_t *s, unsigned t) {
  return amd_node_of(m, s, t)->kind == AMD_NODE_END;
}

static bool has_arrived(const struct amd *m, const int32_t *s, unsigned t) {
  return s[m->arrived] >> t & 1;
}

static bool several(const struct amd *m) {
  return m->l2s > 1;
}

/* ---- settling ---- */

static void set_line(int32_t *line, enum amd_line state, int32_t value) {
  line[0] = (int32_t)state;
  line[1] = state == AMD_ABSENT ? 0 : value;
}

static void drop_clean(int32_t *line) {
  if (line[0] == AMD_CLEAN) set_line(line, AMD_ABSENT, 0);
}

static bool wait_is_over(const struct amd *m, const int32_t *s, unsigned t, const struct amd_node *node) {
  return !(outstanding(m, s, t) & node->must);
}

/* Passes nodes that are no steps of their own. */
static void advance(const struct amd *m, int32_t *s, unsigned t) {
  for (;;) {
    const struct amd_node *node = amd_node_of(m, s, t);
    unsigned side = 0;
    if (node->kind == AMD_NODE_FORK)
      side = amd_expr_value(node->condition, s + m->value[t]) != 0;
    else if (node->kind == AMD_NODE_WAIT && m->knobs.reduce && wait_is_over(m, s, t, node))
      side = 0;
    else if (node->kind == AMD_NODE_MEET && !has_arrived(m, s, t))
      side = 0;
    else
      return;
    s[m->node[t]] = node->next[side];
  }
}

static uint32_t members(const struct amd *m, unsigned wg) {
  uint32_t set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->program->threads[t].wg == wg) set |= 1u << t;
  return set;
}

/* A barrier may open when every thread of the work-group has arrived or ended. */
static bool barrier_complete(const struct amd *m, const int32_t *s, unsigned wg) {
  bool any = false;
  for (unsigned t = 0; t < m->threads; t++) {
    if (m->program->threads[t].wg != wg) continue;
    if (has_arrived(m, s, t))
      any = true;
    else if (!ended(m, s, t))
      return false;
  }
  return any;
}

static void open_barrier(const struct amd *m, int32_t *s, unsigned wg) {
  s[m->arrived] &= (int32_t)~members(m, wg);
}

/* Whether threads wait by an instruction of their own, which then is the step
 * that opens the barrier. */
static bool waits_apart(const struct amd *m, const int32_t *s, unsigned wg) {
  for (unsigned t = 0; t < m->threads; t++) {
    const struct amd_node *node = amd_node_of(m, s, t);
    bool in = m->program->threads[t].wg == wg && has_arrived(m, s, t);
    if (in && !(node->kind == AMD_NODE_MEET && node->instr->op == AMD_OP_BARRIER)) return true;
  }
  return false;
}

static bool opens(const struct amd *m, const int32_t *s, unsigned wg) {
  return barrier_complete(m, s, wg) && !waits_apart(m, s, wg);
}

/* What a thread's later nodes, and its requests, still read. */
static uint32_t live_slots(const struct amd *m, const int32_t *s, unsigned t) {
  uint32_t live = amd_node_of(m, s, t)->live, left = outstanding(m, s, t);
  for (unsigned slot = 0; left >> slot; slot++)
    if (left >> slot & 1) live |= amd_slot_node(m, s, t, slot)->uses;
  return live;
}

static void clear_values(const struct amd *m, int32_t *s, unsigned t) {
  unsigned count = amd_node_of(m, s, t)->slots;
  uint32_t live = live_slots(m, s, t);
  for (unsigned slot = 0; slot < count; slot++)
    if (!(live >> slot & 1)) s[m->value[t] + slot] = 0;
}

/* Locations that loads of the threads on a compute unit will look up in L0. */
static uint32_t looked_up0(const struct amd *m, const int32_t *s, unsigned cu) {
  uint32_t set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->cu[t] == cu) set |= amd_node_of(m, s, t)->loads0;
  return set;
}

/* Locations of loads on their way that do not bypass a cache. */
static uint32_t on_the_way(const struct amd *m, const int32_t *s, unsigned t, enum amd_cache cache) {
  uint32_t set = 0, left = outstanding(m, s, t);
  for (unsigned slot = 0; left >> slot; slot++) {
    const struct amd_node *node = left >> slot & 1 ? amd_slot_node(m, s, t, slot) : NULL;
    if (node && node->kind == AMD_NODE_LOAD && !node->local && !(node->passes & cache)) set |= 1u << node->location;
  }
  return set;
}

/* The same in GL1, where requests on their way look too. */
static uint32_t looked_up1(const struct amd *m, const int32_t *s, unsigned array) {
  uint32_t set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->array[m->cu[t]] == array) set |= amd_node_of(m, s, t)->loads1 | on_the_way(m, s, t, AMD_GL1);
  return set;
}

/* The same in one of several L2s. */
static uint32_t looked_up2(const struct amd *m, const int32_t *s, unsigned l2) {
  uint32_t set = 0;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->l2[m->cu[t]] == l2) set |= amd_node_of(m, s, t)->loads2 | on_the_way(m, s, t, AMD_L2);
  return set;
}

/* Lines that nobody will look up.  A dirty one of an L2 is still to be written back. */
static void drop_lines(const struct amd *m, int32_t *s) {
  for (unsigned c = 0; c < m->cus; c++) {
    uint32_t set = looked_up0(m, s, c);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) set_line(amd_l0(m, s, c, x), AMD_ABSENT, 0);
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) {
    uint32_t set = looked_up1(m, s, a);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) set_line(amd_l1(m, s, a, x), AMD_ABSENT, 0);
  }
  for (unsigned g = 0; several(m) && g < m->l2s; g++) {
    uint32_t set = looked_up2(m, s, g);
    for (unsigned x = 0; x < m->locations; x++)
      if (!(set >> x & 1)) drop_clean(amd_l2_line(m, s, g, x));
  }
}

/* What follows at once from a step. */
static void settle(const struct amd *m, int32_t *s) {
  for (unsigned t = 0; t < m->threads; t++) advance(m, s, t);
  for (unsigned t = 0; t < m->threads; t++) clear_values(m, s, t);
  if (m->knobs.reduce) drop_lines(m, s);
}

/* ---- the L2 ---- */

/* A clean line where its memory is at home is as good as absent. */
static void set_clean(const struct amd *m, int32_t *s, unsigned l2, unsigned x, int32_t value) {
  set_line(amd_l2_line(m, s, l2, x), m->home[x] == l2 ? AMD_ABSENT : AMD_CLEAN, value);
}

static void drop_home(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  if (m->home[x] != l2) set_line(amd_l2_line(m, s, m->home[x], x), AMD_ABSENT, 0);
}

/* One L2 is plain memory. */
static int32_t read_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x, bool passes) {
  if (!several(m)) return s[m->memory + x];
  int32_t *line = amd_l2_line(m, s, l2, x);
  if (passes) drop_clean(line);
  if (line[0] == AMD_ABSENT) set_clean(m, s, l2, x, s[m->memory + x]);
  return line[0] == AMD_ABSENT ? s[m->memory + x] : line[1];
}

static void write_line_back(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  int32_t *line = amd_l2_line(m, s, l2, x);
  if (line[0] != AMD_DIRTY) return;
  s[m->memory + x] = line[1];
  set_clean(m, s, l2, x, line[1]);
  drop_home(m, s, l2, x);
}

static void store_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x, int32_t value, bool through) {
  if (!several(m)) {
    s[m->memory + x] = value;
    return;
  }
  set_line(amd_l2_line(m, s, l2, x), AMD_DIRTY, value);
  if (through) write_line_back(m, s, l2, x);
}

/* ---- serving requests ---- */

static int32_t rmw_value(const struct amd_node *node, int32_t old, const int32_t *slots) {
  int32_t operand = amd_expr_value(node->data, slots);
  if (node->kind == AMD_NODE_CAS) return old == amd_expr_value(node->expected, slots) ? operand : old;
  return (int32_t)rmw_apply(node->op, old, operand);
}

static void finish_slot(const struct amd *m, int32_t *s, unsigned t, unsigned slot, int32_t value) {
  s[m->done[t]] |= (int32_t)(1u << slot);
  s[m->value[t] + slot] = value;
}

static bool younger_write(const struct amd *m, const int32_t *s, const int32_t *queue, unsigned room) {
  for (unsigned i = 1; i < room && queue[i]; i++) {
    enum amd_node_kind kind = amd_slot_node(m, s, amd_request_thread(queue[i]), amd_request_slot(queue[i]))->kind;
    if (kind == AMD_NODE_STORE || kind == AMD_NODE_RMW || kind == AMD_NODE_CAS) return true;
  }
  return false;
}

static int32_t serve_load(const struct amd *m, int32_t *s, unsigned c, unsigned x, const struct amd_node *node) {
  int32_t *line1 = amd_l1(m, s, m->array[c], x), *line0 = amd_l0(m, s, c, x);
  const int32_t *queue = amd_queue(m, s, c, x);
  bool in_gl1 = m->gl1 && !(node->passes & AMD_GL1);
  int32_t value = in_gl1 && line1[0] ? line1[1] : read_l2(m, s, m->l2[c], x, node->passes & AMD_L2);
  if (m->gl1) set_line(line1, in_gl1 ? AMD_CLEAN : AMD_ABSENT, value);
  if (!(node->passes & AMD_L0) && !younger_write(m, s, queue, m->room[c * m->locations + x]))
    set_line(line0, AMD_CLEAN, value);
  return value;
}

static int32_t serve_rmw(const struct amd *m, int32_t *s, unsigned c, unsigned t, unsigned x,
                         const struct amd_node *node) {
  unsigned l2 = m->l2[c];
  if (several(m)) {
    write_line_back(m, s, l2, x);
    write_line_back(m, s, m->home[x], x);
    set_line(amd_l2_line(m, s, l2, x), AMD_ABSENT, 0);
    drop_home(m, s, l2, x);
  }
  int32_t old = s[m->memory + x];
  s[m->memory + x] = rmw_value(node, old, s + m->value[t]);
  return old;
}

static bool has_marker(const struct amd *m, int32_t *s, unsigned c, int32_t request) {
  for (unsigned x = 0; x < m->locations; x++) {
    const int32_t *queue = amd_queue(m, s, c, x);
    for (unsigned i = 0; i < m->room[c * m->locations + x] && queue[i]; i++)
      if (queue[i] == request) return true;
  }
  return false;
}

static void drop_head(int32_t *queue, unsigned room) {
  memmove(queue, queue + 1, (room - 1) * sizeof *queue);
  queue[room - 1] = 0;
}

/* The first request of a queue meets GL1 and the L2. */
static void serve(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  int32_t *queue = amd_queue(m, s, c, x), request = queue[0];
  unsigned t = amd_request_thread(request), slot = amd_request_slot(request), room = m->room[c * m->locations + x];
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  int32_t read = 0;
  if (node->kind == AMD_NODE_LOAD) {
    read = serve_load(m, s, c, x, node);
  } else if (node->kind == AMD_NODE_WRITE_BACK) {
    if (several(m)) write_line_back(m, s, m->l2[c], x);
  } else {
    if (node->kind == AMD_NODE_STORE)
      store_l2(m, s, m->l2[c], x, amd_expr_value(node->data, s + m->value[t]), node->through);
    else
      read = serve_rmw(m, s, c, t, x, node);
    if (m->gl1) set_line(amd_l1(m, s, m->array[c], x), AMD_ABSENT, 0);
  }
  drop_head(queue, room);
  if (node->kind == AMD_NODE_WRITE_BACK && has_marker(m, s, c, request)) return;
  finish_slot(m, s, t, slot, node->returns ? read : 0);
}

/* Local memory: the oldest access of a wave. */
static int oldest_local(const struct amd *m, const int32_t *s, unsigned t) {
  uint32_t left = outstanding(m, s, t);
  for (unsigned slot = 0; left >> slot; slot++)
    if (left >> slot & 1 && amd_slot_node(m, s, t, slot)->local) return (int)slot;
  return -1;
}

static void serve_local(const struct amd *m, int32_t *s, unsigned t, unsigned slot) {
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  int32_t *cell = s + m->local + m->program->threads[t].wg * m->locations + node->location, old = *cell;
  if (node->kind == AMD_NODE_STORE)
    *cell = amd_expr_value(node->data, s + m->value[t]);
  else if (node->kind != AMD_NODE_LOAD)
    *cell = rmw_value(node, old, s + m->value[t]);
  finish_slot(m, s, t, slot, node->returns ? old : 0);
}

/* ---- threads ---- */

static void enqueue(const struct amd *m, int32_t *s, unsigned c, unsigned x, int32_t request) {
  int32_t *queue = amd_queue(m, s, c, x);
  while (*queue) queue++;
  *queue = request;
}

/* `next` is already the thread's node, so that slots can be looked up. */
static void issue_access(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  unsigned c = m->cu[t], x = node->location;
  int32_t *line = amd_l0(m, s, c, x);
  if (node->local) return; /* outstanding local accesses are the queue */
  if (node->kind == AMD_NODE_LOAD && !(node->passes & AMD_L0) && line[0]) {
    finish_slot(m, s, t, node->slot, line[1]);
    return;
  }
  if (node->kind == AMD_NODE_STORE && m->knobs.update && line[0] && !node->through)
    line[1] = amd_expr_value(node->data, s + m->value[t]);
  else if (node->kind != AMD_NODE_LOAD || node->passes & AMD_L0)
    set_line(line, AMD_ABSENT, 0);
  enqueue(m, s, c, x, amd_request(t, node->slot));
}

static void issue_write_back(const struct amd *m, int32_t *s, unsigned t, const struct amd_node *node) {
  bool nothing = !several(m) && m->knobs.write_back == 0;
  bool any = false;
  for (unsigned x = 0; !nothing && x < m->locations; x++) {
    if (m->program->locations[x].region == REGION_LOCAL) continue;
    enqueue(m, s, m->cu[t], x, amd_request(t, node->slot));
    any = true;
  }
  if (!any) finish_slot(m, s, t, node->slot, 0);
}

static void invalidate(const struct amd *m, int32_t *s, unsigned t, unsigned caches) {
  unsigned c = m->cu[t];
  for (unsigned x = 0; x < m->locations; x++) {
    if (caches & AMD_L0) set_line(amd_l0(m, s, c, x), AMD_ABSENT, 0);
    if (caches & AMD_GL1 && m->gl1) set_line(amd_l1(m, s, m->array[c], x), AMD_ABSENT, 0);
    if (several(m) && caches & AMD_L2) drop_clean(amd_l2_line(m, s, m->l2[c], x));
  }
}

/* s_barrier_wait: opens the barrier for all. */
static bool step_barrier_wait(const struct amd *m, int32_t *s, unsigned t) {
  unsigned wg = m->program->threads[t].wg;
  if (!barrier_complete(m, s, wg)) return false;
  open_barrier(m, s, wg);
  return true;
}

/* The last thread to arrive opens the barrier for all. */
static void arrive(const struct amd *m, int32_t *s, unsigned t) {
  unsigned wg = m->program->threads[t].wg;
  s[m->arrived] |= (int32_t)(1u << t);
  if (opens(m, s, wg)) open_barrier(m, s, wg);
}

/* One step of a thread; false: it has none. */
static bool step_thread(const struct amd *m, int32_t *s, unsigned t) {
  const struct amd_node *node = amd_node_of(m, s, t);
  if (node->kind == AMD_NODE_WAIT && !wait_is_over(m, s, t, node)) return false;
  if (node->kind == AMD_NODE_MEET && node->instr->op == AMD_OP_BARRIER_WAIT) return step_barrier_wait(m, s, t);
  if (node->kind >= AMD_NODE_MEET) return false;
  s[m->node[t]] = node->next[0];
  switch (node->kind) {
    case AMD_NODE_WRITE_BACK:
      issue_write_back(m, s, t, node);
      break;
    case AMD_NODE_INVALIDATE:
      invalidate(m, s, t, node->caches);
      break;
    case AMD_NODE_WAIT:
      break;
    case AMD_NODE_ARRIVE:
      arrive(m, s, t);
      break;
    default:
      issue_access(m, s, t, node);
      break;
  }
  return true;
}

/* ---- successors ---- */

struct stepping {
  const struct amd *m;
  const int32_t *from;
  struct successor_sink *sink;
  int32_t *next;
  bool any, stopped;
};

static void restart(struct stepping *w) {
  memcpy(w->next, w->from, w->m->words * sizeof *w->next);
}

/* `next` has been changed: a successor. */
static void emit(struct stepping *w, enum amd_step_code code, unsigned agent, unsigned detail) {
  settle(w->m, w->next);
  w->any = true;
  struct step step = {(uint16_t)code, (uint16_t)agent, detail};
  if (!w->stopped && !w->sink->emit(w->sink, step, w->next)) w->stopped = true;
  restart(w);
}

static void step_threads(struct stepping *w) {
  for (unsigned t = 0; t < w->m->threads; t++) {
    unsigned node = (unsigned)w->from[w->m->node[t]];
    if (step_thread(w->m, w->next, t)) emit(w, AMD_STEP_THREAD, t, node);
    int slot = oldest_local(w->m, w->from, t);
    if (slot < 0) continue;
    serve_local(w->m, w->next, t, (unsigned)slot);
    emit(w, AMD_STEP_LOCAL, t, (unsigned)slot);
  }
}

/* Barriers that the end of a thread has completed. */
static void open_barriers(struct stepping *w) {
  for (unsigned g = 0; w->from[w->m->arrived] && g < w->m->groups; g++) {
    if (!opens(w->m, w->from, g)) continue;
    open_barrier(w->m, w->next, g);
    emit(w, AMD_STEP_OPEN, g, 0);
  }
}

static void serve_all(struct stepping *w) {
  const struct amd *m = w->m;
  for (unsigned c = 0; c < m->cus; c++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (!m->room[c * m->locations + x] || !amd_queue(m, w->next, c, x)[0]) continue;
      serve(m, w->next, c, x);
      emit(w, AMD_STEP_SERVE, c, x);
    }
  }
  for (unsigned g = 0; several(m) && g < m->l2s; g++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (amd_l2_line(m, w->next, g, x)[0] != AMD_DIRTY) continue;
      write_line_back(m, w->next, g, x);
      emit(w, AMD_STEP_WRITE_BACK, g, x);
    }
  }
}

static bool queue_empty(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  return !m->room[c * m->locations + x] || !amd_queue(m, s, c, x)[0];
}

static int32_t peek_l2(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  if (!several(m)) return s[m->memory + x];
  const int32_t *line = amd_l2_line(m, s, l2, x);
  return line[0] ? line[1] : s[m->memory + x];
}

static void change0(struct stepping *w, unsigned c, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int32_t *line = amd_l0(m, w->next, c, x);
  const int32_t *line1 = amd_l1(m, w->next, m->array[c], x);
  if (line[0]) {
    set_line(line, AMD_ABSENT, 0);
    emit(w, AMD_STEP_EVICT0, c, x);
  } else if (wanted && m->knobs.fill && queue_empty(m, w->next, c, x)) {
    set_line(line, AMD_CLEAN, m->gl1 && line1[0] ? line1[1] : peek_l2(m, w->next, m->l2[c], x));
    emit(w, AMD_STEP_FETCH0, c, x);
  }
}

static void change1(struct stepping *w, unsigned a, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int32_t *line = amd_l1(m, w->next, a, x);
  if (line[0]) {
    set_line(line, AMD_ABSENT, 0);
    emit(w, AMD_STEP_EVICT1, a, x);
  } else if (wanted && m->knobs.fill) {
    set_line(line, AMD_CLEAN, peek_l2(m, w->next, 0, x)); /* machines with GL1 have one L2 */
    emit(w, AMD_STEP_FETCH1, a, x);
  }
}

static void change2(struct stepping *w, unsigned g, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int32_t *line = amd_l2_line(m, w->next, g, x);
  if (m->home[x] == g) return;
  if (line[0] == AMD_CLEAN) {
    set_line(line, AMD_ABSENT, 0);
    emit(w, AMD_STEP_EVICT2, g, x);
  } else if (line[0] == AMD_ABSENT && wanted && m->knobs.fill) {
    set_line(line, AMD_CLEAN, w->from[m->memory + x]);
    emit(w, AMD_STEP_FETCH2, g, x);
  }
}

/* Fetches and evictions, at any time. */
static void change_lines(struct stepping *w) {
  const struct amd *m = w->m;
  bool all = !m->knobs.reduce;
  for (unsigned c = 0; c < m->cus; c++) {
    uint32_t set = looked_up0(m, w->from, c);
    for (unsigned x = 0; x < m->locations; x++) change0(w, c, x, all || set >> x & 1);
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) {
    uint32_t set = looked_up1(m, w->from, a);
    for (unsigned x = 0; x < m->locations; x++) change1(w, a, x, all || set >> x & 1);
  }
  for (unsigned g = 0; several(m) && g < m->l2s; g++) {
    uint32_t set = looked_up2(m, w->from, g);
    for (unsigned x = 0; x < m->locations; x++) change2(w, g, x, all || set >> x & 1);
  }
}

static bool is_final(const struct machine *machine, const void *state) {
  const struct amd *m = machine->self;
  const int32_t *s = state;
  if (amd_hazard_thread(m, s) >= 0) return true;
  for (unsigned t = 0; t < m->threads; t++)
    if (!ended(m, s, t) || outstanding(m, s, t)) return false;
  for (unsigned i = 0; several(m) && i < m->l2s * m->locations; i++)
    if (s[m->l2_lines + 2 * i] == AMD_DIRTY) return false;
  return true;
}

/* Fetching and evicting alone help nobody: a state with no other step is stuck,
 * and has no successors. */
static bool successors(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct amd *m = machine->self;
  int32_t from[m->words + 2], next[m->words + 2];
  memcpy(from, state, m->words * sizeof *from);
  next[m->words] = next[m->words + 1] = 0;
  struct stepping w = {.m = m, .from = from, .sink = sink, .next = next};
  restart(&w);
  if (amd_hazard_thread(m, from) >= 0 || is_final(machine, from)) return true;
  step_threads(&w);
  open_barriers(&w);
  serve_all(&w);
  if (w.any) change_lines(&w);
  return !w.stopped;
}

/* ---- the machine ---- */

static void initial(const struct machine *machine, void *state) {
  const struct amd *m = machine->self;
  int32_t s[m->words + 2];
  memset(s, 0, sizeof s);
  for (unsigned x = 0; x < m->locations; x++) {
    int32_t value = (int32_t)m->program->locations[x].init;
    bool local = m->program->locations[x].region == REGION_LOCAL;
    if (!local) s[m->memory + x] = value;
    for (unsigned g = 0; local && g < m->groups; g++) s[m->local + g * m->locations + x] = value;
  }
  settle(m, s);
  memcpy(state, s, m->words * sizeof *s);
}

/* Compute units, shader arrays and L2s, by the placement. */
static void place(struct amd *m) {
  const struct amd_program *p = m->program;
  bool split = p->target->mode->split && m->knobs.place != AMD_PACKED;
  bool one_array = m->knobs.place == AMD_NEAR || m->knobs.place == AMD_ONE;
  for (unsigned t = 0; t < m->threads; t++) {
    unsigned wg = p->threads[t].wg;
    m->cu[t] = split ? t : m->knobs.place == AMD_ONE ? 0 : wg;
    m->array[m->cu[t]] = one_array ? 0 : wg;
    m->l2[m->cu[t]] = m->knobs.l2 ? wg % 2 : 0;
    if (m->cu[t] >= m->cus) m->cus = m->cu[t] + 1;
    if (wg >= m->groups) m->groups = wg + 1;
  }
  m->arrays = one_array ? 1 : m->groups;
  m->l2s = m->knobs.l2 ? 2 : 1;
  for (unsigned x = 0; x < m->locations; x++) m->home[x] = x % m->l2s;
}

/* Requests that a thread may have on a location at once, at most. */
static unsigned requests(const struct amd_tree *tree, unsigned x, bool local) {
  uint32_t slots = 0;
  for (unsigned i = 0; i < tree->count; i++) {
    const struct amd_node *node = &tree->nodes[i];
    bool here = node->kind == AMD_NODE_WRITE_BACK ? !local : !node->local && node->location == x;
    if (node->kind <= AMD_NODE_WRITE_BACK && here) slots |= 1u << node->slot;
  }
  return (unsigned)__builtin_popcount(slots);
}

static unsigned take_words(struct amd *m, unsigned count) {
  unsigned at = m->words;
  m->words += count;
  return at;
}

static void lay_out(struct amd *m) {
  const struct amd_program *p = m->program;
  for (unsigned t = 0; t < m->threads; t++) {
    m->node[t] = take_words(m, 1);
    m->done[t] = take_words(m, 1);
    m->value[t] = take_words(m, p->threads[t].tree->slots);
  }
  m->arrived = take_words(m, 1);
  for (unsigned c = 0; c < m->cus; c++) {
    for (unsigned x = 0; x < m->locations; x++) {
      unsigned i = c * m->locations + x;
      for (unsigned t = 0; t < m->threads; t++)
        if (m->cu[t] == c) m->room[i] += requests(p->threads[t].tree, x, p->locations[x].region == REGION_LOCAL);
      m->queue[i] = take_words(m, m->room[i]);
    }
  }
  m->l0 = take_words(m, 2 * m->cus * m->locations);
  m->l1 = take_words(m, m->gl1 ? 2 * m->arrays * m->locations : 0);
  m->l2_lines = take_words(m, m->l2s > 1 ? 2 * m->l2s * m->locations : 0);
  m->memory = take_words(m, m->locations);
  m->local = take_words(m, m->groups * m->locations);
}

bool amd_machine(struct arena *arena, const struct amd_program *program, const struct amd_knobs *knobs,
                 const struct amd_observable *observables, unsigned observable_count, struct machine *machine,
                 struct diags *diags) {
  struct span nowhere = {0, 0};
  if (program->thread_count > AMD_THREADS) {
    diag_error(diags, NULL, nowhere, "more than %d threads are outside the machine", AMD_THREADS);
    return false;
  }
  if (knobs->l2 && !program->target->several_l2s) {
    diag_error(diags, NULL, nowhere, "knob l2: an agent of %s has one L2", program->target->name);
    return false;
  }
  struct amd *m = ARENA_NEW(arena, struct amd);
  *m = (struct amd){.program = program,
                    .knobs = *knobs,
                    .observables = observables,
                    .observable_count = observable_count,
                    .threads = program->thread_count,
                    .locations = program->location_count,
                    .gl1 = program->target->gl1};
  place(m);
  lay_out(m);
  *machine = (struct machine){.name = program->target->full,
                              .state_size = m->words * sizeof(int32_t),
                              .self = m,
                              .initial = initial,
                              .successors = successors,
                              .final = is_final,
                              .step_kind = amd_step_kind,
                              .print_step = amd_print_step,
                              .print_state = amd_print_state,
                              .lane_count = amd_lane_count(m),
                              .print_lane = amd_print_lane,
                              .route = amd_route,
                              .observable_count = observable_count + 1,
                              .fault = observable_count + 1,
                              .print_fault = amd_print_fault,
                              .observe = amd_observe};
  return true;
}
