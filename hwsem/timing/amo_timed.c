/* SPDX-License-Identifier: MIT */
/* The discrete-event simulation of the mesh of atomics: how it is set up, and the run. */
#include "hwsem/timing/amo_timed.h"

#include <stdlib.h>

#include "hwsem/timing/amo_timed_state.h"

/* Request and home nodes form a checkerboard on the 8x8 mesh. */
static void set_latencies(struct amo_machine *m) {
  int32_t hop = (int32_t)m->p->hop;
  for (int node = 0; node < AMO_NODES; node++)
    for (int home = 0; home < AMO_NODES; home++) {
      int y = node / 4, home_y = home / 4;
      int x = 2 * (node % 4) + (y & 1), home_x = 2 * (home % 4) + 1 - (home_y & 1);
      m->latency[node][home] = hop * (abs(x - home_x) + abs(y - home_y));
    }
  m->nearest = hop; /* every node has a home next to it, and every home a node */
}

static uint32_t mask_of(int64_t sets) {
  return sets & (sets - 1) ? 0 : (uint32_t)sets - 1;
}

/* As many as there can be at once: a core waits for one answer, and has some far operations outstanding. */
static void make_requests(struct amo_machine *m) {
  int64_t count = AMO_NODES * (m->p->win + 1);
  m->requests = ARENA_ARRAY(m->arena, struct amo_request, (size_t)count + 1);
  for (int64_t i = 1; i < count; i++) m->requests[i].next = (amo_request_number)(i + 1);
  m->free_requests = 1;
}

struct amo_machine *amo_machine_new(struct arena *arena, const struct amo_parameters *parameters,
                                    enum amo_policy policy) {
  struct amo_machine *m = ARENA_NEW(arena, struct amo_machine);
  m->arena = m->events.arena = arena;
  m->p = parameters;
  m->policy = policy;
  m->limit = -1;
  set_latencies(m);
  m->soon = parameters->l1 + parameters->dir + 3 * m->nearest;
  m->l1_mask = mask_of(parameters->l1sets);
  m->l2_mask = mask_of(parameters->l2sets);
  make_requests(m);
  return m;
}

void amo_place_line(struct amo_machine *m, int node, int64_t id, enum amo_state state, enum amo_place place) {
  struct amo_line *line = amo_line_of(m, id);
  struct amo_core *core = amo_core_of(m, node);
  amo_fill_l1(m, core, line, state, 0);
  if (place == AMO_IN_L1) return;
  amo_leave_l1(m, core, line);
  amo_fill_l2(m, core, line);
}

void amo_buffer_line(struct amo_machine *m, int64_t id) {
  amo_enter_buffer(m, amo_line_of(m, id));
}

void amo_set_program(struct amo_machine *m, int node, const struct amo_instr *instrs, size_t count) {
  struct amo_core *core = amo_core_of(m, node);
  core->instrs = instrs;
  core->count = count;
  amo_post_step(m, core, 0);
}

void amo_set_work(struct amo_machine *m, struct work *work) {
  const struct amo_parameters *p = m->p;
  m->work = work;
  work->runs_on = true;
  m->line_count = work->words / WORK_LINE + 1; /* memory does not grow while kernels run */
  m->lines = ARENA_ARRAY(m->arena, struct amo_line *, (size_t)m->line_count / AMO_BLOCK + 1);
  if (p->llcsets) m->llc = ARENA_ARRAY(m->arena, amo_way, (size_t)(AMO_NODES * p->llcsets * p->llcways));
  for (unsigned i = 0; i < work->threads; i++) amo_start_thread(m, amo_core_of(m, (int)i));
}

static void dispatch(struct amo_machine *m, const struct event_node *event) {
  struct amo_line *line = event->payload;
  switch (amo_kind(event)) {
    case EVENT_SNOOP:
      amo_on_snoop(m, line, event);
      break;
    case EVENT_AT_HOME:
      amo_on_home_event(m, line, event);
      break;
    case EVENT_REQUEST:
      amo_on_request(m, line, event);
      break;
    case EVENT_COMPLETION:
      if (amo_on_completion(m, line, event)) amo_run_on(m, &m->cores[amo_destination(event)]);
      break;
  }
}

/* All that happens at the calendar's time. */
static void run_cycle(struct amo_machine *m) {
  struct event_queue *events = &m->events;
  do {
    for (struct event_node *event; (event = event_queue_take(events)); event_node_free(events, event))
      dispatch(m, event);
    if (events->actors) amo_step(m, &m->cores[event_queue_actor(events)], events->now);
  } while (events->current || events->actors);
}

struct amo_result amo_run(struct amo_machine *m, int64_t until, struct cost_limit *limit) {
  m->limit = until;
  while (!cost_limit_met(limit) && event_queue_begin(&m->events) && (until < 0 || m->events.now <= until)) run_cycle(m);
  for (int node = 0; node < AMO_NODES; node++) m->result.stuck |= m->cores[node].fed && !m->cores[node].finished;
  struct amo_result result = m->result; /* messages were counted in cycles of their way */
  result.control_hops = m->p->hop ? result.control_hops / m->p->hop : 0;
  result.data_hops = m->p->hop ? result.data_hops / m->p->hop : 0;
  return result;
}
