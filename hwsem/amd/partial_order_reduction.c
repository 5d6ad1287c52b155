/* SPDX-License-Identifier: MIT */
/* Partial-order reduction: fewer states and steps of the AMD machine that reach every end, and every deadlock.
 *
 * Lines are fresh where they can be (amd_freshen), and steps are left out.
 *
 * From a state only a set of its steps is taken, such that whatever else may be done before the first of them makes no
 * difference to any of them (a persistent set).  So whatever run there is from the state, there is one to the same end
 * that begins with one of these steps.  What must be so for a step to be one of them:
 *
 *   - A request is issued: no other thread of the compute unit accesses the location before, so the order of the queue
 *     is the same in any case.  A load either hits in L0 now, or it joins the queue: that it would hit later, when the
 *     line has changed, is as if it were in the queue and is served then.
 *   - Lines are invalidated: nobody else looks up one that is stale.
 *   - A write-back is issued, or a thread arrives at a barrier: nobody waits for less.
 *   - A request is served: no other compute unit has a request on the location that changes what it reads, or reads
 *     what it writes, or will have one before, and nobody a scalar load; and nothing that is found on the way is stale.
 *     Likewise local accesses and scalar loads, and lines that are written back.
 *
 * Who might do otherwise can only do so after something else: a request that is first in its queue; a thread's next
 * step; if it waits for operations, one of these; if it waits at a barrier, the next step of a thread that has yet to
 * arrive.  That is then one of the steps, too, and what must be so of it is asked in turn (add_mover).  And
 * before a thread arrives at a barrier, others of its work-group do what comes before that barrier, and no more
 * (may_come): where each stores to what is its own until all have met, the stores are issued, and served, one after
 * the other.
 *
 * Two conditions are checked of the states that the steps lead to.  No hazard has ended the run there, as another
 * thread's may come first.  And in one of them no thread with loops has gone back: so from every state there are steps
 * to one from which all steps are taken, and what a run does is not put off for ever.
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
  for (amd_slot_set issued = amd_outstanding(m, s, t); issued; issued &= issued - 1)
    add_access(&left, amd_slot_node(m, s, t, amd_first_of(issued)));
  return left;
}

/* A set of steps. */
struct chosen {
  uint32_t threads, locals; /* threads that take a step; whose oldest local access is served */
  uint32_t asked;           /* threads of which it is known that one of the steps comes before their next */
  amd_location_set queues[AMD_THREADS],
      lines[AMD_THREADS];            /* whose first request is served, by compute unit; written back, by L2 */
  amd_slot_set scalars[AMD_THREADS]; /* scalar loads that are served */
};

struct reducing {
  struct amd_steps steps;
  const struct amd *m;
  struct left left[AMD_THREADS];
  struct chosen chosen, best; /* what is being tried; the fewest steps so far, `count` of them */
  unsigned count;
};

/* Will threads for which `other` holds conflict with an access that writes, or only reads? */
static bool conflicts(const struct reducing *r, bool (*other)(const struct amd *m, unsigned u, unsigned by),
                      unsigned by, unsigned x, bool writes) {
  amd_location_set set = 0;
  for (unsigned u = 0; u < r->m->threads; u++)
    if (other(r->m, u, by)) set |= r->left[u].writes | (writes ? r->left[u].reads : 0);
  return set >> x & 1;
}

static bool beyond_l2(const struct amd *m, unsigned u, unsigned l2) {
  return m->l2[m->cu[u]] != l2;
}

static bool in_group(const struct amd *m, unsigned u, unsigned t) {
  return m->program->threads[u].wg == m->program->threads[t].wg;
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

/* ---- who might conflict ---- */

/* What thread u does before thread t of its work-group has arrived at the barrier: not what comes after that. */
static bool is_held(const struct amd *m, const int32_t *s, unsigned u, unsigned t) {
  return in_group(m, u, t) && !amd_has_arrived(m, s, t) && (amd_has_arrived(m, s, u) || !amd_node_of(m, s, u)->meets);
}

/* May thread u yet issue an access to x, or one that writes, before thread t arrives at the barrier?  t == u: at any
 * time. */
static bool may_come(const struct reducing *r, unsigned u, unsigned t, unsigned x, bool reads) {
  const struct amd_node *node = amd_node_of(r->m, r->steps.from, u);
  bool soon = t != u && is_held(r->m, r->steps.from, u, t);
  amd_location_set set = soon ? node->soon_writes : node->writes;
  if (reads) set |= soon ? node->soon_reads : node->reads;
  return set >> x & 1;
}

static bool l2_is_stale(const struct amd *m, int32_t *s, unsigned g, unsigned x) {
  const int32_t *line = amd_several(m) ? amd_l2_line(m, s, g, x) : NULL;
  return line && line[0] == AMD_CLEAN && is_stale(m, line, amd_get(m, amd_memory(m, s, x)));
}

/* Has a cache of a compute unit a line of x that may be fetched again, or written back? */
static bool lines_change(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  int64_t value = amd_peek_l2(m, s, m->l2[c], x);
  return dirty_elsewhere(m, s, m->l2s, x) || l2_is_stale(m, s, m->l2[c], x) || is_stale(m, amd_l0(m, s, c, x), value) ||
         (m->gl1 && is_stale(m, amd_l1(m, s, m->array[c], x), value));
}

/* ---- steps that are taken together ---- */

static bool add_mover(struct reducing *r, unsigned u);
static bool add_slot(struct reducing *r, unsigned t, unsigned slot);

/* What must come before thread u conflicts with an access.  The access has come before thread t arrives at the
 * barrier, unless t == u. */
static bool add_conflicting(struct reducing *r, unsigned u, unsigned t, const struct amd_node *node) {
  const struct amd *m = r->m;
  for (amd_slot_set left = amd_outstanding(m, r->steps.from, u); left; left &= left - 1) {
    const struct amd_node *other = amd_slot_node(m, r->steps.from, u, amd_first_of(left));
    if (amd_node_is_access(other) && other->location == node->location &&
        (amd_node_writes(other) || amd_node_writes(node)) && !add_slot(r, u, amd_first_of(left)))
      return false;
  }
  if (!may_come(r, u, u, node->location, amd_node_writes(node))) return true;
  if (!node->local && lines_change(m, r->steps.next, m->cu[u], node->location)) return false;
  return !may_come(r, u, t, node->location, amd_node_writes(node)) || add_mover(r, u);
}

/* Does its thread have to wait for a slot before it goes on? */
static bool is_waited_for(const struct reducing *r, unsigned t, unsigned slot) {
  const struct amd_node *node = amd_node_of(r->m, r->steps.from, t);
  return node->kind == AMD_NODE_WAIT && node->must >> slot & 1;
}

/* Is a location yet read through a scalar cache? */
static bool scalars_read(const struct reducing *r, unsigned x) {
  for (unsigned u = 0; u < r->m->threads; u++)
    if (r->left[u].scalars >> x & 1) return true;
  return false;
}

/* Does a request find the same, and leave the same, whatever lines are fetched and written back before? */
static bool serves_unseen(const struct reducing *r, unsigned c, unsigned x, const struct amd_node *node) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  if (node->kind == AMD_NODE_WRITE_BACK || dirty_elsewhere(m, s, m->l2[c], x)) return false;
  if (amd_node_writes(node) && scalars_read(r, x)) return false;
  if (node->kind != AMD_NODE_LOAD) return true;
  if (l2_is_stale(m, s, m->l2[c], x)) return false;
  int64_t value = amd_peek_l2(m, s, m->l2[c], x);
  return !(m->gl1 && is_stale(m, amd_l1(m, s, m->array[c], x), value)) && !is_stale(m, amd_l0(m, s, c, x), value);
}

static bool add_queue(struct reducing *r, unsigned c, unsigned x) {
  const struct amd *m = r->m;
  if (r->chosen.queues[c] >> x & 1) return true;
  r->chosen.queues[c] |= amd_only(x);
  int32_t request = amd_queue(m, r->steps.next, c, x)[0];
  unsigned t = amd_request_thread(request);
  const struct amd_node *node = amd_request_node(m, r->steps.from, request);
  bool waited = is_waited_for(r, t, amd_request_slot(request));
  if (!serves_unseen(r, c, x, node)) return false;
  for (unsigned u = 0; u < m->threads; u++)
    if (m->cu[u] != c && !add_conflicting(r, u, waited ? t : u, node)) return false;
  return true;
}

static bool add_local(struct reducing *r, unsigned t) {
  const struct amd *m = r->m;
  if (r->chosen.locals >> t & 1) return true;
  r->chosen.locals |= 1u << t;
  unsigned slot = (unsigned)amd_oldest_local(m, r->steps.from, t);
  bool waited = is_waited_for(r, t, slot);
  for (unsigned u = 0; u < m->threads; u++)
    if (u != t && in_group(m, u, t) && !add_conflicting(r, u, waited ? t : u, amd_slot_node(m, r->steps.from, t, slot)))
      return false;
  return true;
}

static bool add_scalar(struct reducing *r, unsigned t, unsigned slot) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  unsigned x = amd_slot_node(m, s, t, slot)->location, c = m->cu[t];
  unsigned g = m->program->target->group_l0 ? m->l2s : m->l2[c]; /* no L0 of a WGP is asked */
  r->chosen.scalars[t] |= amd_slot(slot);
  return !conflicts(r, anyone, t, x, false) && !dirty_elsewhere(m, s, g, x) &&
         !(g < m->l2s && l2_is_stale(m, s, g, x)) &&
         !is_stale(m, amd_scalar_line(m, s, c, x), amd_behind(m, s, KIND_SCALAR, c, x));
}

static bool add_line(struct reducing *r, unsigned g, unsigned x) {
  r->chosen.lines[g] |= amd_only(x);
  return !dirty_elsewhere(r->m, r->steps.next, g, x) && !conflicts(r, beyond_l2, g, x, true) && !scalars_read(r, x);
}

/* Locations of which an invalidation drops a line that would be missed, by what is looked up where. */
static bool any_missed(const struct reducing *r, unsigned c, unsigned caches, const amd_location_set set[3]) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  int64_t l0[AMD_LOCATIONS], l2[AMD_LOCATIONS], memory[AMD_LOCATIONS];
  for (unsigned x = 0; x < m->locations; x++) {
    l0[x] = amd_behind(m, s, KIND_L0, c, x);
    l2[x] = amd_peek_l2(m, s, m->l2[c], x);
    memory[x] = amd_get(m, amd_memory(m, s, x));
  }
  if (caches & AMD_L0 && any_dropped(m, amd_l0(m, s, c, 0), set[0], l0)) return true;
  if (caches & AMD_GL1 && m->gl1 && any_dropped(m, amd_l1(m, s, m->array[c], 0), set[1], l2)) return true;
  return caches & AMD_L2 && amd_several(m) && any_dropped(m, amd_l2_line(m, s, m->l2[c], 0), set[2], memory);
}

/* Whoever looks up a line that would be missed comes before, or is held. */
static bool add_invalidate(struct reducing *r, unsigned t, unsigned caches) {
  const struct amd *m = r->m;
  unsigned c = m->cu[t];
  for (unsigned u = 0; u < m->threads; u++) {
    const struct amd_node *node = amd_node_of(m, r->steps.from, u);
    amd_location_set near = m->array[m->cu[u]] == m->array[c] ? ~(amd_location_set)0 : 0;
    amd_location_set same = m->l2[m->cu[u]] == m->l2[c] ? ~(amd_location_set)0 : 0;
    amd_location_set before = u == t ? 0 : is_held(m, r->steps.from, u, t) ? node->soon_reads : ~(amd_location_set)0;
    amd_location_set way[3] = {0, near & amd_on_the_way(m, r->steps.from, u, KIND_GL1),
                               same & amd_on_the_way(m, r->steps.from, u, KIND_L2)};
    amd_location_set yet[3] = {m->cu[u] == c ? before & node->finds[KIND_L0] : 0, before & near & node->finds[KIND_GL1],
                               before & same & node->finds[KIND_L2]};
    if (any_missed(r, c, caches, way) || (any_missed(r, c, caches, yet) && !add_mover(r, u))) return false;
  }
  return true;
}

/* The first of the requests without which an operation is not done. */
static bool add_slot(struct reducing *r, unsigned t, unsigned slot) {
  const struct amd *m = r->m;
  const struct amd_node *node = amd_slot_node(m, r->steps.from, t, slot);
  unsigned c = m->cu[t], x = 0;
  if (node->local) return add_local(r, t);
  if (amd_node_is_scalar(node)) return add_scalar(r, t, slot);
  if (node->kind != AMD_NODE_WRITE_BACK) return add_queue(r, c, node->location);
  while (x < m->locations && !amd_is_queued(m, r->steps.next, c, x, amd_request(t, slot))) x++;
  return x < m->locations && add_queue(r, c, x);
}

/* Where a load would hit later, it must find the same below L0 now; a line that comes later would be written in place.
 */
static bool issues_unseen(const struct reducing *r, unsigned t, const struct amd_node *node) {
  const struct amd *m = r->m;
  if (node->kind == AMD_NODE_LOAD && !(node->passes & AMD_L0))
    return !(m->gl1 && node->passes & AMD_GL1) && !(amd_several(m) && node->passes & AMD_L2);
  return !(m->knobs.update && node->kind == AMD_NODE_STORE && node->loads[KIND_L0] >> node->location & 1 &&
           !amd_l0(m, r->steps.next, m->cu[t], node->location)[0]);
}

static bool add_issue(struct reducing *r, unsigned t, const struct amd_node *node) {
  const struct amd *m = r->m;
  if (node->local || amd_node_is_scalar(node)) return true;
  for (unsigned u = 0; u < m->threads; u++)
    if (u != t && m->cu[u] == m->cu[t] && may_come(r, u, t, node->location, true) && !add_mover(r, u)) return false;
  return issues_unseen(r, t, node);
}

/* What thread u waits for at a barrier: a thread to arrive. */
static bool add_arrival(struct reducing *r, unsigned u, const struct amd_node *node) {
  const struct amd *m = r->m;
  for (unsigned v = 0; v < m->threads; v++)
    if (in_group(m, v, u) && !amd_has_arrived(m, r->steps.from, v) && !amd_ended(m, r->steps.from, v))
      return add_mover(r, v);
  r->chosen.threads |= 1u << u;
  return node->instr->op == AMD_OP_BARRIER_WAIT;
}

/* What thread u waits for: an operation. */
static bool add_awaited(struct reducing *r, unsigned u, const struct amd_node *node) {
  return add_slot(r, u, amd_first_of(node->must & ~amd_done(r->m, r->steps.from, u)));
}

/* What must come before thread u does anything. */
static bool add_mover(struct reducing *r, unsigned u) {
  const struct amd_node *node = amd_node_of(r->m, r->steps.from, u);
  if (r->chosen.asked >> u & 1) return true;
  r->chosen.asked |= 1u << u;
  if (node->kind == AMD_NODE_WAIT) return add_awaited(r, u, node);
  if (node->kind == AMD_NODE_MEET) return add_arrival(r, u, node);
  if (node->kind == AMD_NODE_END || !amd_node_is_step(node)) return true; /* it does nothing */
  r->chosen.threads |= 1u << u;
  if (amd_node_is_access(node)) return add_issue(r, u, node);
  return node->kind != AMD_NODE_INVALIDATE || add_invalidate(r, u, node->caches);
}

/* ---- the set of fewest steps ---- */

/* Keeps successors until it is known that they suffice. */
struct holding {
  struct successor_sink sink;
  const struct reducing *reducing;
  struct step *steps;
  int32_t *states;
  unsigned count;
  bool hazard, goes_on;
};

static bool goes_back(const struct amd *m, const int32_t *from, const int32_t *to) {
  for (unsigned t = 0; t < m->threads; t++)
    if (m->program->threads[t].tree->loops && to[m->node[t]] < from[m->node[t]]) return true;
  return false;
}

static bool hold(struct successor_sink *sink, struct step step, const void *next) {
  struct holding *h = (struct holding *)sink;
  const struct amd *m = h->reducing->m;
  assert(memcmp(h->reducing->steps.from, next, m->words * sizeof(int32_t)) != 0); /* else it is for ever */
  memcpy(h->states + h->count * (m->words + 3), next, m->words * sizeof(int32_t));
  h->steps[h->count++] = step;
  h->hazard |= amd_hazard_ends(m, next);
  h->goes_on |= !goes_back(m, h->reducing->steps.from, next);
  return true;
}

static unsigned chosen_count(const struct chosen *chosen) {
  int count = __builtin_popcount(chosen->threads) + __builtin_popcount(chosen->locals);
  for (unsigned i = 0; i < AMD_THREADS; i++)
    count += amd_count(chosen->queues[i]) + amd_count(chosen->lines[i]) + amd_count(chosen->scalars[i]);
  return (unsigned)count;
}

static void step_chosen_thread(struct reducing *r, const struct chosen *chosen, unsigned t) {
  struct amd_steps *w = &r->steps;
  if (chosen->threads >> t & 1) amd_steps_of_thread(w, t);
  if (chosen->locals >> t & 1) {
    unsigned slot = (unsigned)amd_oldest_local(w->m, w->from, t);
    amd_serve_local(w->m, w->next, t, slot);
    amd_steps_emit(w, AMD_STEP_LOCAL, t, slot);
  }
  for (amd_slot_set left = chosen->scalars[t]; left; left &= left - 1) {
    amd_serve_scalar(w->m, w->next, t, amd_first_of(left));
    amd_steps_emit(w, AMD_STEP_SCALAR, t, amd_first_of(left));
  }
}

static void step_chosen(struct reducing *r, const struct chosen *chosen) {
  struct amd_steps *w = &r->steps;
  for (unsigned t = 0; t < r->m->threads; t++) step_chosen_thread(r, chosen, t);
  for (unsigned c = 0; c < AMD_THREADS; c++)
    for (unsigned x = 0; x < r->m->locations && (chosen->queues[c] | chosen->lines[c]) >> x; x++) {
      if (chosen->queues[c] >> x & 1) {
        amd_serve(w->m, w->next, c, x);
        amd_steps_emit(w, AMD_STEP_SERVE, c, x);
      }
      if (chosen->lines[c] >> x & 1) {
        amd_write_line_back(w->m, w->next, c, x);
        amd_steps_emit(w, AMD_STEP_WRITE_BACK, c, x);
      }
    }
}

static bool take(struct reducing *r, const struct chosen *chosen, unsigned count) {
  const struct amd *m = r->m;
  struct step steps[2 * count]; /* a load hits, or it does not */
  int32_t states[2 * count][m->words + 3];
  struct holding h = {.sink = {.emit = hold}, .reducing = r, .steps = steps, .states = states[0]};
  struct successor_sink *sink = r->steps.sink;
  r->steps.sink = &h.sink;
  step_chosen(r, chosen);
  r->steps.sink = sink;
  if (h.hazard || !h.goes_on) return false;
  for (unsigned i = 0; i < h.count && !r->steps.stopped; i++) {
    memset(states[i] + m->words, 0, 3 * sizeof(int32_t));
    if (!sink->emit(sink, steps[i], states[i])) r->steps.stopped = true;
  }
  return true;
}

/* Takes a step if it suffices; else keeps the set that it is in if none has been smaller.  What is being tried is
 * empty again. */
static bool suffices(struct reducing *r, bool fit) {
  unsigned count = fit ? chosen_count(&r->chosen) : 0;
  bool taken = count == 1 && take(r, &r->chosen, 1);
  if (count > 1 && (!r->count || count < r->count)) {
    r->best = r->chosen;
    r->count = count;
  }
  r->chosen = (struct chosen){0};
  return taken;
}

static bool some_thread_suffices(struct reducing *r) {
  for (unsigned t = 0; t < r->m->threads; t++)
    if (suffices(r, add_mover(r, t))) return true;
  return false;
}

static bool some_slot_suffices(struct reducing *r) {
  const struct amd *m = r->m;
  for (unsigned t = 0; t < m->threads; t++) {
    if (amd_oldest_local(m, r->steps.from, t) >= 0 && suffices(r, add_local(r, t))) return true;
    for (amd_slot_set left = m->scalars ? amd_outstanding(m, r->steps.from, t) : 0; left; left &= left - 1)
      if (amd_node_is_scalar(amd_slot_node(m, r->steps.from, t, amd_first_of(left))) &&
          suffices(r, add_scalar(r, t, amd_first_of(left))))
        return true;
  }
  return false;
}

static bool some_request_suffices(struct reducing *r) {
  const struct amd *m = r->m;
  int32_t *s = r->steps.next;
  for (unsigned c = 0; c < m->cus; c++)
    for (unsigned x = 0; x < m->locations; x++)
      if (!amd_queue_is_empty(m, s, c, x) && suffices(r, add_queue(r, c, x))) return true;
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++)
    for (unsigned x = 0; x < m->locations; x++)
      if (amd_l2_line(m, s, g, x)[0] == AMD_DIRTY && suffices(r, add_line(r, g, x))) return true;
  return false;
}

bool amd_ample(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct amd *m = machine->self;
  AMD_STATE(from, m);
  AMD_STATE(next, m);
  struct reducing r = {.steps = {.sink = sink, .reduced = true}, .m = m};
  amd_steps_begin(&r.steps, machine, state, from, next);
  if (amd_is_final(machine, from)) return true;
  for (unsigned t = 0; t < m->threads && (m->scalars || amd_several(m)); t++) r.left[t] = left_of(m, from, t);
  if (some_thread_suffices(&r) || some_slot_suffices(&r) || some_request_suffices(&r)) return !r.steps.stopped;
  if (!r.count || !take(&r, &r.best, r.count)) amd_steps_all(&r.steps);
  return !r.steps.stopped;
}
