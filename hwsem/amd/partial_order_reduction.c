/* SPDX-License-Identifier: MIT */
/* Partial-order reduction: fewer states and steps of the AMD machine that reach every end, and every deadlock.
 *
 * Lines are fresh where they can be (amd_freshen), and steps are left out.
 *
 * Of some steps it makes no difference whether they come first or later, whatever else is done: from such
 * a state that step alone is taken.  Whatever run there is from the state, there is one to the same end that begins
 * with the step.
 *
 *   - A request is issued: no other thread of the compute unit will access the location, so the order of the queue is
 *     the same in any case.  A load either hits in L0 now, or it joins the queue: that it would hit later, when the
 *     line has changed, is as if it were in the queue and is served then.
 *   - Lines are invalidated: nobody else looks up one that is stale.
 *   - A write-back is issued, or a thread arrives at a barrier: nobody waits for less.
 *   - A request is served: no other compute unit has a request on the location, or will have, that changes what it
 *     reads, or reads what it writes, and nobody a scalar load; and nothing that it finds on its way is stale. Likewise
 * local accesses and scalar loads, and lines that are written back.
 *
 * Two conditions are checked of the state that a step leads to.  No hazard has ended the run there, as another
 * thread's may come first.  And no thread with loops has gone back, so that on every circle of the graph there
 * is a state from which all steps are taken.
 */
#include <assert.h>
#include <string.h>

#include "hwsem/amd/steps.h"

/* ---- what is left to be done ---- */

struct left {
  amd_location_set reads, writes;
  amd_location_set scalars; /* of the reads, those through the scalar cache, which are in no queue */
};

static void add_access(struct left *left, const struct amd_node *node) {
  if (!amd_node_is_access(node)) return;
  if (node->kind != AMD_NODE_STORE) left->reads |= amd_only(node->location);
  if (amd_node_is_scalar(node)) left->scalars |= amd_only(node->location);
  if (node->kind != AMD_NODE_LOAD) left->writes |= amd_only(node->location);
}

/* By a thread: what it has not issued, and what is on its way. */
static struct left left_of(const struct amd *m, const int32_t *s, unsigned t) {
  const struct amd_node *node = amd_node_of(m, s, t);
  struct left left = {node->reads, node->writes, node->scalars};
  amd_slot_set outstanding = amd_outstanding(m, s, t);
  for (unsigned slot = 0; slot < AMD_SLOTS && outstanding >> slot; slot++)
    if (outstanding >> slot & 1) add_access(&left, amd_slot_node(m, s, t, slot));
  return left;
}

struct reducing {
  struct amd_steps steps;
  const struct amd *m;
  struct left left[AMD_THREADS];
};

/* Will threads for which `other` holds conflict with an access that writes, or only reads? */
static bool conflicts(const struct reducing *r, bool (*other)(const struct amd *m, unsigned u, unsigned by),
                      unsigned by, unsigned x, bool writes) {
  amd_location_set set = 0;
  for (unsigned u = 0; u < r->m->threads; u++)
    if (other(r->m, u, by)) set |= r->left[u].writes | (writes ? r->left[u].reads : 0);
  return set >> x & 1;
}

static bool elsewhere(const struct amd *m, unsigned u, unsigned cu) {
  return m->cu[u] != cu;
}

static bool beyond_l2(const struct amd *m, unsigned u, unsigned l2) {
  return m->l2[m->cu[u]] != l2;
}

static bool in_group(const struct amd *m, unsigned u, unsigned t) {
  return u != t && m->program->threads[u].wg == m->program->threads[t].wg;
}

static bool anyone(const struct amd *m, unsigned u, unsigned by) {
  (void)m;
  (void)u;
  (void)by;
  return true;
}

static bool dirty_elsewhere(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++)
    if (g != l2 && amd_l2_line(m, s, g, x)[0] == AMD_DIRTY) return true;
  return false;
}

static bool is_stale(const struct amd *m, const int32_t *line, int64_t value) {
  return line[0] != AMD_ABSENT && amd_line_value(m, line) != value;
}

/* ---- threads ---- */

/* Would one of these lines be missed? */
static bool any_dropped(const struct amd *m, const int32_t *line, amd_location_set set, const int64_t *values) {
  for (unsigned x = 0; x < m->locations && set >> x; x++, line += 1 + m->width)
    if (set >> x & 1 && (m->knobs.fill ? is_stale(m, line, values[x]) : line[0] != AMD_ABSENT)) return true;
  return false;
}

static bool invalidates_alone(const struct reducing *r, unsigned t, unsigned caches) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  unsigned c = m->cu[t];
  amd_location_set set0 = 0, set1 = 0, set2 = 0;
  int64_t l0[AMD_LOCATIONS], l2[AMD_LOCATIONS], memory[AMD_LOCATIONS];
  for (unsigned u = 0; u < m->threads; u++) {
    const struct amd_node *node = amd_node_of(m, s, u);
    bool near = m->array[m->cu[u]] == m->array[c], same = m->l2[m->cu[u]] == m->l2[c];
    if (u != t && m->cu[u] == c) set0 |= node->loads0;
    if (near) set1 |= amd_on_the_way(m, s, u, KIND_GL1) | (u != t ? node->loads1 : 0);
    if (same) set2 |= amd_on_the_way(m, s, u, KIND_L2) | (u != t ? node->loads2 : 0);
  }
  for (unsigned x = 0; x < m->locations; x++) {
    l0[x] = amd_behind(m, s, KIND_L0, c, x);
    l2[x] = amd_peek_l2(m, s, m->l2[c], x);
    memory[x] = amd_get(m, amd_memory(m, s, x));
  }
  if (caches & AMD_L0 && any_dropped(m, amd_l0(m, s, c, 0), set0, l0)) return false;
  if (caches & AMD_GL1 && m->gl1 && any_dropped(m, amd_l1(m, s, m->array[c], 0), set1, l2)) return false;
  return !(caches & AMD_L2 && amd_several(m) && any_dropped(m, amd_l2_line(m, s, m->l2[c], 0), set2, memory));
}

static bool issues_alone(const struct reducing *r, unsigned t, const struct amd_node *node) {
  const struct amd *m = r->m;
  if (node->local || amd_node_is_scalar(node)) return true;
  for (unsigned u = 0; u < m->threads; u++) {
    const struct amd_node *other = amd_node_of(m, r->steps.from, u);
    if (u != t && m->cu[u] == m->cu[t] && (other->reads | other->writes) >> node->location & 1) return false;
  }
  /* Where it would hit later, it must find the same below L0 now. */
  if (node->kind == AMD_NODE_LOAD && !(node->passes & AMD_L0))
    return !(m->gl1 && node->passes & AMD_GL1) && !(amd_several(m) && node->passes & AMD_L2);
  /* A line that comes later would be written in place. */
  return !(m->knobs.update && node->kind == AMD_NODE_STORE && node->loads0 >> node->location & 1 &&
           !amd_l0(m, r->steps.next, m->cu[t], node->location)[0]);
}

static bool steps_alone(const struct reducing *r, unsigned t) {
  const struct amd_node *node = amd_node_of(r->m, r->steps.from, t);
  if (amd_node_is_access(node)) return issues_alone(r, t, node);
  if (node->kind == AMD_NODE_INVALIDATE) return invalidates_alone(r, t, node->caches);
  return node->kind == AMD_NODE_WRITE_BACK || node->kind == AMD_NODE_ARRIVE;
}

/* ---- requests ---- */

static bool l2_is_stale(const struct amd *m, int32_t *s, unsigned g, unsigned x) {
  const int32_t *line = amd_several(m) ? amd_l2_line(m, s, g, x) : NULL;
  return line && line[0] == AMD_CLEAN && is_stale(m, line, amd_get(m, amd_memory(m, s, x)));
}

static bool serves_alone(const struct reducing *r, unsigned c, unsigned x) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  if (amd_queue_is_empty(m, s, c, x)) return false;
  const struct amd_node *node = amd_request_node(m, s, amd_queue(m, s, c, x)[0]);
  if (node->kind == AMD_NODE_WRITE_BACK || dirty_elsewhere(m, s, m->l2[c], x) ||
      conflicts(r, elsewhere, c, x, amd_node_writes(node)))
    return false;
  for (unsigned u = 0; u < m->threads; u++)
    if (amd_node_writes(node) && r->left[u].scalars >> x & 1) return false;
  if (node->kind != AMD_NODE_LOAD) return true;
  if (l2_is_stale(m, s, m->l2[c], x)) return false;
  int64_t value = amd_peek_l2(m, s, m->l2[c], x);
  return !(m->gl1 && is_stale(m, amd_l1(m, s, m->array[c], x), value)) && !is_stale(m, amd_l0(m, s, c, x), value);
}

static bool writes_back_alone(const struct reducing *r, unsigned g, unsigned x) {
  int32_t *s = r->steps.next;
  return amd_l2_line(r->m, s, g, x)[0] == AMD_DIRTY && !dirty_elsewhere(r->m, s, g, x) &&
         !conflicts(r, beyond_l2, g, x, true);
}

/* A local access, or a scalar load. */
static bool finishes_alone(const struct reducing *r, unsigned t, unsigned slot) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  const struct amd_node *node = amd_slot_node(m, s, t, slot);
  unsigned x = node->location;
  if (node->local) return !conflicts(r, in_group, t, x, amd_node_writes(node));
  return !conflicts(r, anyone, t, x, false) && !dirty_elsewhere(m, s, m->l2[m->cu[t]], x) &&
         !l2_is_stale(m, s, m->l2[m->cu[t]], x) &&
         !is_stale(m, amd_scalar_line(m, s, m->cu[t], x), amd_peek_l2(m, s, m->l2[m->cu[t]], x));
}

/* ---- one step alone ---- */

/* Keeps successors until it is known that they may be taken alone. */
struct holding {
  struct successor_sink sink;
  const struct reducing *reducing;
  struct step steps[2]; /* a load hits, or it does not */
  unsigned count;
  bool fit;
  int32_t *states[2];
};

static bool goes_on(const struct amd *m, const int32_t *from, const int32_t *to) {
  if (amd_hazard_ends(m, to)) return false;
  for (unsigned t = 0; t < m->threads; t++)
    if (m->program->threads[t].tree->loops && to[m->node[t]] < from[m->node[t]]) return false;
  return true;
}

static bool hold(struct successor_sink *sink, struct step step, const void *next) {
  struct holding *h = (struct holding *)sink;
  const struct amd *m = h->reducing->m;
  assert(h->count < 2 &&
         memcmp(h->reducing->steps.from, next, m->words * sizeof(int32_t)) != 0); /* else it is for ever */
  h->steps[h->count] = step;
  memcpy(h->states[h->count++], next, m->words * sizeof(int32_t));
  h->fit &= goes_on(m, h->reducing->steps.from, next);
  return true;
}

static bool take_alone(struct reducing *r, void (*take)(struct amd_steps *w, unsigned a, unsigned b), unsigned a,
                       unsigned b) {
  const struct amd *m = r->m;
  AMD_STATE(first, m);
  AMD_STATE(second, m);
  struct holding h = {.sink = {.emit = hold}, .reducing = r, .fit = true, .states = {first, second}};
  struct successor_sink *sink = r->steps.sink;
  r->steps.sink = &h.sink;
  take(&r->steps, a, b);
  r->steps.sink = sink;
  if (!h.count || !h.fit) return false;
  for (unsigned i = 0; i < h.count && !r->steps.stopped; i++) {
    memset(h.states[i] + m->words, 0, 3 * sizeof(int32_t));
    if (!sink->emit(sink, h.steps[i], h.states[i])) r->steps.stopped = true;
  }
  return true;
}

static void take_thread(struct amd_steps *w, unsigned t, unsigned unused) {
  (void)unused;
  amd_steps_of_thread(w, t);
}

static void take_request(struct amd_steps *w, unsigned c, unsigned x) {
  amd_serve(w->m, w->next, c, x);
  amd_steps_emit(w, AMD_STEP_SERVE, c, x);
}

static void take_line(struct amd_steps *w, unsigned g, unsigned x) {
  amd_write_line_back(w->m, w->next, g, x);
  amd_steps_emit(w, AMD_STEP_WRITE_BACK, g, x);
}

static void take_slot(struct amd_steps *w, unsigned t, unsigned slot) {
  bool local = amd_slot_node(w->m, w->from, t, slot)->local;
  if (local)
    amd_serve_local(w->m, w->next, t, slot);
  else
    amd_serve_scalar(w->m, w->next, t, slot);
  amd_steps_emit(w, local ? AMD_STEP_LOCAL : AMD_STEP_SCALAR, t, slot);
}

static bool some_thread_alone(struct reducing *r) {
  const struct amd *m = r->m;
  for (unsigned t = 0; t < m->threads; t++)
    if (steps_alone(r, t) && take_alone(r, take_thread, t, 0)) return true;
  return false;
}

static bool some_slot_alone(struct reducing *r) {
  const struct amd *m = r->m;
  for (unsigned t = 0; t < m->threads; t++) {
    int oldest = amd_oldest_local(m, r->steps.from, t);
    amd_slot_set left = m->scalars ? amd_outstanding(m, r->steps.from, t) : 0;
    if (oldest >= 0 && finishes_alone(r, t, (unsigned)oldest) && take_alone(r, take_slot, t, (unsigned)oldest))
      return true;
    for (unsigned slot = 0; slot < AMD_SLOTS && left >> slot; slot++)
      if (left >> slot & 1 && amd_node_is_scalar(amd_slot_node(m, r->steps.from, t, slot)) &&
          finishes_alone(r, t, slot) && take_alone(r, take_slot, t, slot))
        return true;
  }
  return false;
}

static bool some_request_alone(struct reducing *r) {
  const struct amd *m = r->m;
  for (unsigned c = 0; c < m->cus; c++)
    for (unsigned x = 0; x < m->locations; x++)
      if (serves_alone(r, c, x) && take_alone(r, take_request, c, x)) return true;
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++)
    for (unsigned x = 0; x < m->locations; x++)
      if (writes_back_alone(r, g, x) && take_alone(r, take_line, g, x)) return true;
  return false;
}

bool amd_ample(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct amd *m = machine->self;
  AMD_STATE(from, m);
  AMD_STATE(next, m);
  struct reducing r = {.steps = {.sink = sink, .reduced = true}, .m = m};
  amd_steps_begin(&r.steps, machine, state, from, next);
  if (amd_is_final(machine, from)) return true;
  if (some_thread_alone(&r)) return !r.steps.stopped;
  for (unsigned t = 0; t < m->threads; t++) r.left[t] = left_of(m, from, t);
  if (!some_slot_alone(&r) && !some_request_alone(&r)) amd_steps_all(&r.steps);
  return !r.steps.stopped;
}
