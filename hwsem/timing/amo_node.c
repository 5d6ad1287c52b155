/* SPDX-License-Identifier: MIT */
/* The request nodes: accesses of their cores, near or far, and snoops. */
#include "hwsem/timing/amo_timed_state.h"

/* ---- the values of a program ---- */

/* A core's access to a line that it holds. */
static void perform_near(const struct amo_machine *m, const struct amo_core *core) {
  if (core->fed) amo_perform(m, core->word);
}

void amo_perform_far(struct amo_machine *m, const struct amo_line *line, int node) {
  struct amo_core *core = &m->cores[node];
  int64_t i = 0;
  if (!core->fed) return;
  while (core->flying[i] != line || core->flights[i].performed) i++;
  struct amo_flight *flight = &core->flights[i];
  amo_perform(m, &flight->operation);
  if (flight->result) *flight->result = flight->operation.value;
  flight->performed = true;
}

/* ---- what arrives ---- */

/* When the access ends that the core is about at `now`: `now`, if none. */
static int64_t free_at(const struct amo_core *core, int64_t now) {
  for (unsigned i = 0; i < core->busy_count; i++)
    if (core->busy[i].begin < now && core->busy[i].end > now) return core->busy[i].end;
  return now;
}

void amo_on_snoop(struct amo_machine *m, struct amo_line *line, const struct event_node *event) {
  int node = amo_destination(event), home = amo_source(event);
  int64_t now = m->events.now;
  struct amo_core *core = &m->cores[node];
  int64_t free = free_at(core, now);
  if (free > now) {
    amo_post(m, free, (struct amo_message){EVENT_SNOOP, node, home, line, NOTE_NONE});
    return;
  }
  bool near = amo_in_l1(line, core);
  enum amo_state state = amo_state_of(line, core);
  int64_t delay = m->p->l1 + (near ? 0 : m->p->l2), back = amo_latency(m, node, line);
  core->snoops--;
  amo_count_hops(m, back, state == AMO_UD || state == AMO_SD);
  if (amo_served(m, line)->type == READ_SHARED) {
    if (amo_unique(state)) amo_set_state(line, core, state == AMO_UD ? AMO_SD : AMO_SC);
  } else if (state != AMO_I) {
    amo_drop(m, core, line);
    if (near) amo_note(core, line, AMO_SNOOPED, now);
  }
  amo_post(m, now + delay + back, (struct amo_message){EVENT_AT_HOME, home, node, line, NOTE_NONE});
}

/* Does a far operation hold its core until it completes? */
static bool blocks(const struct amo_machine *m, enum amo_request_type type) {
  return type == ATOMIC_FETCH || m->p->win == 1;
}

/* What the core wanted has been done, and it may go on at `core->next`. */
static void go_on(struct amo_machine *m, struct amo_core *core) {
  if (core->fed)
    amo_go_on(m, core);
  else
    core->pc++;
}

/* A near access ends at `end`: the core goes on.  Its predictor may be told at once, as
 * until then the core asks it nothing and snoops wait. */
static void end_access(struct amo_machine *m, struct amo_core *core, const struct amo_line *line, enum amo_op op,
                       int64_t begin, int64_t end) {
  if (amo_atomic(op)) amo_note(core, line, AMO_DONE, end);
  core->blocked = core->decided = false;
  amo_keep_busy(core, begin, end);
  core->next = end;
  if (amo_atomic(op)) {
    core->next += m->p->iss;
    m->result.near++;
    if (m->limit < 0 || end <= m->limit) m->result.performed++;
  }
  if (op == AMO_SPIN)
    core->next += m->p->spin;
  else
    go_on(m, core);
}

/* The line has arrived for the access under way. */
static void on_fill(struct amo_machine *m, struct amo_line *line, struct amo_core *core, int64_t now) {
  enum amo_op op = core->op;
  perform_near(m, core);
  bool shared = amo_served(m, line)->type == READ_SHARED;
  amo_fill_l1(m, core, line, !shared ? AMO_UD : amo_served(m, line)->exclusive ? AMO_UC : AMO_SC, now);
  if (amo_atomic(op)) amo_note(core, line, AMO_FETCHED, now);
  amo_end_at(m, line, now + amo_latency(m, (int)core->node, line));
  core->busy_count = 0;
  /* Snoops of this cycle that are still to come find the core busy. */
  end_access(m, core, line, op, now - 1, now + (amo_atomic(op) ? m->p->alu : 0));
}

/* A far operation's answer has arrived: one that blocks the core lets it go on. */
static bool on_far_completion(struct amo_machine *m, struct amo_line *line, struct amo_core *core,
                              enum amo_request_type type, int64_t now) {
  int64_t i = 0;
  while (core->flying[i] != line || (core->fed && !core->flights[i].performed)) i++;
  core->outstanding--;
  for (; i < core->outstanding; i++) {
    core->flying[i] = core->flying[i + 1];
    core->flights[i] = core->flights[i + 1];
  }
  if (!blocks(m, type)) {
    amo_post_step(m, core, larger(now, core->next));
    return false;
  }
  core->blocked = false;
  core->busy_count = 0;
  core->next = now + m->p->iss;
  go_on(m, core);
  return true;
}

bool amo_on_completion(struct amo_machine *m, struct amo_line *line, const struct event_node *event) {
  struct amo_core *core = &m->cores[amo_destination(event)];
  if (event->note > (int)READ_UNIQUE)
    return on_far_completion(m, line, core, (enum amo_request_type)event->note, m->events.now);
  on_fill(m, line, core, m->events.now);
  return true;
}

/* ---- accesses ---- */

static void request(struct amo_machine *m, const struct amo_core *core, struct amo_line *line,
                    enum amo_request_type type, int64_t leaves) {
  int node = (int)core->node;
  int64_t latency = amo_latency(m, node, line);
  line->wanted++;
  amo_count_hops(m, latency, false);
  amo_post(m, leaves + latency, (struct amo_message){EVENT_REQUEST, amo_home(line), node, line, (int)type});
}

/* An access in the own caches, or a request for the line. */
static bool access_near(struct amo_machine *m, struct amo_core *core, enum amo_op op, struct amo_line *line,
                        int64_t now) {
  const struct amo_parameters *p = m->p;
  bool reads = op == AMO_LOAD || op == AMO_SPIN, near = amo_in_l1(line, core);
  enum amo_state state = amo_state_of(line, core);
  int64_t looked_up = now + p->l1 + (near ? 0 : p->l2);
  bool hit = reads ? state != AMO_I : amo_unique(state);
  if (near && (hit || op == AMO_STORE)) amo_note(core, line, AMO_HIT, now);
  if (!hit) {
    core->blocked = true;
    core->op = op;
    request(m, core, line, reads ? READ_SHARED : READ_UNIQUE, looked_up);
    return false;
  }
  if (!reads) state = AMO_UD;
  perform_near(m, core);
  if (near) {
    amo_touch(m, core, line);
    amo_set_state(line, core, state);
  } else {
    amo_fill_l1(m, core, line, state, now);
    if (amo_atomic(op)) amo_note(core, line, AMO_FETCHED, now);
  }
  end_access(m, core, line, op, now, looked_up + (amo_atomic(op) ? p->alu : 0));
  return true;
}

static bool access_far(struct amo_machine *m, struct amo_core *core, enum amo_op op, struct amo_line *line,
                       int64_t now) {
  if (core->outstanding == m->p->win) return false; /* until a completion */
  enum amo_request_type type = op == AMO_FETCH ? ATOMIC_FETCH : ATOMIC_UPDATE;
  bool waits = blocks(m, type);
  request(m, core, line, type, now + m->p->l1);
  if (core->fed)
    core->flights[core->outstanding] = (struct amo_flight){*core->word, waits ? &core->word->value : NULL, false};
  core->flying[core->outstanding++] = line;
  core->decided = false;
  m->result.far++;
  core->blocked = waits;
  if (waits) return false;
  core->next = now + m->p->l1 + m->p->iss;
  go_on(m, core);
  return true;
}

bool amo_begin_access(struct amo_machine *m, struct amo_core *core, enum amo_op op, struct amo_line *line,
                      int64_t now) {
  bool in_flight = core->outstanding > 0 && amo_flies(core, line);
  if (amo_atomic(op) && !core->decided) {
    enum amo_state state = amo_in_l1(line, core) ? amo_state_of(line, core) : AMO_I;
    core->near = in_flight ? amo_unique(state) : amo_predictor_near(core->predictor, amo_number(line), state, now);
    core->decided = true;
  }
  if (amo_atomic(op) && !core->near) return access_far(m, core, op, line, now);
  if (!in_flight) return access_near(m, core, op, line, now);
  core->decided = false; /* until the completion */
  return false;
}
