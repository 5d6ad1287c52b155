/* SPDX-License-Identifier: MIT */
/* The discrete-event simulation of the mesh of atomics: what cores execute, and the
 * run.  Cores execute one instruction at a time. */
#include "hwsem/timing/amo.h"

#include <stdlib.h>

#include "hwsem/timing/amo_parts.h"

/* ---- cores ---- */

static void signal_turn(struct amo_machine *m, int64_t now) {
  m->turn++;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].waiting) continue;
    m->cores[node].waiting = false;
    amo_post_step(m, node, now);
  }
}

/* ---- threads of a work ---- */

static enum amo_op op_of(const struct work_request *r) {
  switch (r->kind) {
    case WORK_LOAD:
    case WORK_GATHER:
      return AMO_LOAD;
    case WORK_STORE:
    case WORK_SCATTER:
      return AMO_STORE;
    case WORK_AMO:
      return r->forgets ? AMO_UPDATE : AMO_FETCH;
    case WORK_COMPUTE:
    case WORK_BARRIER:
    case WORK_KINDS:
      break;
  }
  return AMO_COMPUTE;
}

/* A lane's part of a vector access. */
static void take_lane(struct amo_core *core, struct work_request *r) {
  core->lane_word = *r;
  core->lane_word.address = r->at[core->lane];
  core->lane_word.value = r->values[core->lane];
  if (core->result) core->result = &r->values[core->lane];
  core->word = &core->lane_word;
}

/* The next instruction of a core's thread; false when it has ended. */
static bool feed(struct amo_machine *m, int node, int64_t now) {
  struct amo_core *core = &m->cores[node];
  struct work_request *r = core->request;
  if (r && core->lane + 1 < r->lanes) {
    core->lane++;
  } else {
    core->request = r = work_next(m->work, (unsigned)node, now);
    core->lane = 0;
  }
  if (!r) return false;
  core->word = r;
  core->result = r->kind == WORK_STORE || r->kind == WORK_SCATTER ? NULL : &r->value;
  if (r->lanes) take_lane(core, r);
  core->step = (struct amo_instr){op_of(r), core->word->address / WORK_LINE, r->cycles};
  core->pc = 0;
  core->count = 1;
  return true;
}

/* Lets all threads go on when each waits at the barrier or has ended. */
static void meet(struct amo_machine *m, int64_t now) {
  bool any = false;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].fed || m->cores[node].ended) continue;
    if (!m->cores[node].meets) return;
    any = true;
  }
  if (!any) return;
  work_meet(m->work);
  for (int node = 0; node < AMO_NODES; node++) {
    struct amo_core *core = &m->cores[node];
    if (!core->meets) continue;
    core->meets = false;
    core->pc = 1;
    core->next = now;
    amo_post_step(m, node, now);
  }
}

/* What a thread has to do before its instruction: false when it waits. */
static bool fetch_instr(struct amo_machine *m, int node, int64_t now) {
  struct amo_core *core = &m->cores[node];
  if (core->meets) return false;
  if (core->ended) return true;
  if (core->pc == core->count && !feed(m, node, now)) {
    core->ended = true;
    meet(m, now);
    return true;
  }
  enum work_kind kind = core->word->kind;
  bool orders = core->word->scope != WORK_PLAIN && kind != WORK_LOAD;
  if ((orders || kind == WORK_BARRIER) && core->outstanding > 0) return false;
  if (kind != WORK_BARRIER) return true;
  core->meets = true;
  meet(m, now);
  return false;
}

/* Executes instructions until one takes time or cannot go on. */
static void on_step(struct amo_machine *m, int node, int64_t now) {
  struct amo_core *core = &m->cores[node];
  while (core->active && !core->blocked && !core->finished && now >= core->next) {
    if (core->fed && !fetch_instr(m, node, now)) return;
    if (core->pc == core->count) {
      if (core->outstanding > 0) return;
      core->finished = true;
      m->result.finish = amo_max(m->result.finish, now);
      return;
    }
    const struct amo_instr *instr = &core->instrs[core->pc];
    switch (instr->op) {
      case AMO_COMPUTE:
        core->pc++;
        core->next = now + instr->value;
        amo_post_step(m, node, core->next);
        return;
      case AMO_SIGNAL:
        if (core->outstanding > 0) return;
        core->pc++;
        signal_turn(m, now);
        break;
      case AMO_WAIT:
        if (core->outstanding > 0) return;
        if (m->turn < instr->value) {
          core->waiting = true;
          return;
        }
        core->pc++;
        break;
      case AMO_LOOP:
        core->pc = 0;
        break;
      case AMO_SPIN:
        if (m->turn >= instr->value) {
          core->pc++;
          break;
        }
        amo_begin_access(m, node, instr, now);
        return;
      case AMO_LOAD:
      case AMO_STORE:
      case AMO_FETCH:
      case AMO_UPDATE:
        amo_begin_access(m, node, instr, now);
        return;
    }
  }
}

/* ---- the whole ----------------------------------------------------------------- */

/* Request and home nodes form a checkerboard on the 8x8 mesh. */
static int64_t hops(int node, int home) {
  int y = node / 4, home_y = home / 4;
  int x = 2 * (node % 4) + (y & 1), home_x = 2 * (home % 4) + 1 - (home_y & 1);
  return abs(x - home_x) + abs(y - home_y);
}

struct amo_machine *amo_machine_new(struct arena *arena, const struct amo_parameters *parameters,
                                    enum amo_policy policy) {
  struct amo_machine *m = ARENA_NEW(arena, struct amo_machine);
  m->arena = m->events.arena = arena;
  m->p = parameters;
  m->policy = policy;
  m->limit = -1;
  for (int node = 0; node < AMO_NODES; node++)
    for (int home = 0; home < AMO_NODES; home++) m->latency[node][home] = parameters->hop * hops(node, home);
  return m;
}

void amo_place_line(struct amo_machine *m, int node, int64_t id, enum amo_state state, enum amo_place place) {
  struct amo_line *line = amo_line_of(m, id);
  amo_fill_l1(m, node, line, state, 0);
  if (place == AMO_IN_L1) return;
  amo_leave_l1(m, node, line);
  amo_fill_l2(m, node, line);
}

void amo_buffer_line(struct amo_machine *m, int64_t id) {
  amo_enter_buffer(m, amo_line_of(m, id));
}

void amo_set_program(struct amo_machine *m, int node, const struct amo_instr *instrs, size_t count) {
  struct amo_core *core = amo_core_of(m, node);
  core->instrs = instrs;
  core->count = count;
  core->active = true;
  amo_post_step(m, node, 0);
}

void amo_set_work(struct amo_machine *m, struct work *work) {
  const struct amo_parameters *p = m->p;
  m->work = work;
  m->line_count = work->words / WORK_LINE + 1; /* memory does not grow while kernels run */
  m->lines = ARENA_ARRAY(m->arena, struct amo_line *, (size_t)m->line_count / AMO_BLOCK + 1);
  if (p->llcsets) m->llc = ARENA_ARRAY(m->arena, amo_way, (size_t)(AMO_NODES * p->llcsets * p->llcways));
  for (unsigned i = 0; i < work->threads; i++) {
    struct amo_core *core = amo_core_of(m, (int)i);
    amo_set_program(m, (int)i, &core->step, 0);
    core->fed = true;
  }
}

static void dispatch(struct amo_machine *m, const struct event *event) {
  struct amo_line *line = event->subject;
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
      amo_on_completion(m, line, event);
      break;
    case EVENT_STEP:
      on_step(m, amo_destination(event), event->time);
      break;
  }
}

struct amo_result amo_run(struct amo_machine *m, int64_t until, struct cost_limit *limit) {
  m->limit = until;
  for (struct event event; !cost_limit_met(limit) && event_queue_pop(&m->events, &event);) {
    if (until >= 0 && event.time > until) break;
    m->result.events++;
    dispatch(m, &event);
  }
  for (int node = 0; node < AMO_NODES; node++)
    m->result.stuck |= m->cores[node].active && m->cores[node].fed && !m->cores[node].finished;
  struct amo_result result = m->result; /* messages were counted in cycles of their way */
  result.control_hops = m->p->hop ? result.control_hops / m->p->hop : 0;
  result.data_hops = m->p->hop ? result.data_hops / m->p->hop : 0;
  return result;
}
