/* SPDX-License-Identifier: MIT */
/* The request nodes: accesses of their cores, near or far, and snoops. */
#include "hwsem/timing/amo_parts.h"

/* ---- the values of a program ---- */

static void perform(const struct amo_machine *m, const struct work_request *operation, int32_t *result) {
  int32_t *word = &m->work->memory[operation->address], old = *word;
  if (operation->kind == WORK_STORE || operation->kind == WORK_SCATTER)
    *word = operation->value;
  else if (operation->kind == WORK_AMO)
    *word = work_amo_result(operation, old);
  if (result) *result = old;
}

/* A core's access to a line that it holds. */
static void perform_near(struct amo_machine *m, const struct amo_core *core) {
  if (core->fed) perform(m, core->word, core->result);
}

void amo_perform_far(struct amo_machine *m, const struct amo_line *line, int node) {
  struct amo_core *core = &m->cores[node];
  int64_t i = 0;
  if (!core->fed) return;
  while (core->flying[i] != line || core->flights[i].performed) i++;
  perform(m, &core->flights[i].operation, core->flights[i].result);
  core->flights[i].performed = true;
}

/* ---- what arrives ---- */

void amo_on_snoop(struct amo_machine *m, struct amo_line *line, const struct event *event) {
  int node = amo_destination(event), home = amo_source(event);
  struct amo_core *core = &m->cores[node];
  if (core->busy_until > event->time) {
    amo_post(m, core->busy_until, EVENT_SNOOP, node, home, line, NOTE_NONE);
    return;
  }
  bool near = amo_in_l1(line, node);
  enum amo_state state = amo_state_of(line, node);
  int64_t delay = m->p->l1 + (near ? 0 : m->p->l2), back = amo_latency(m, node, line);
  amo_count_hops(m, back, state == AMO_UD || state == AMO_SD);
  if (line->serving->type == READ_SHARED) {
    if (amo_unique(state)) amo_set_state(line, node, state == AMO_UD ? AMO_SD : AMO_SC);
  } else if (state != AMO_I) {
    amo_drop(m, node, line);
    if (near) amo_note(core, line, AMO_SNOOPED, event->time);
  }
  amo_post(m, event->time + delay + back, EVENT_AT_HOME, home, node, line, NOTE_NONE);
}

/* Does a far operation hold its core until it completes? */
static bool blocks(const struct amo_machine *m, enum amo_request_type type) {
  return type == ATOMIC_FETCH || m->p->win == 1;
}

/* A near access ends at `end`: the core goes on.  Its predictor may be told at once, as
 * until then the core asks it nothing and snoops wait. */
static void end_access(struct amo_machine *m, int node, const struct amo_line *line, enum amo_op op, int64_t end) {
  struct amo_core *core = &m->cores[node];
  if (amo_atomic(op)) amo_note(core, line, AMO_DONE, end);
  core->blocked = core->decided = false;
  core->busy_until = end;
  core->next = end;
  if (op == AMO_SPIN)
    core->next += m->p->spin;
  else
    core->pc++;
  if (amo_atomic(op)) {
    core->next += m->p->iss;
    m->result.near++;
    if (m->limit < 0 || end <= m->limit) m->result.performed++;
  }
  amo_post_step(m, node, core->next);
}

/* The line has arrived for the access under way. */
static void on_fill(struct amo_machine *m, struct amo_line *line, int node, int64_t now) {
  struct amo_core *core = &m->cores[node];
  enum amo_op op = core->instrs[core->pc].op;
  perform_near(m, core);
  bool shared = line->serving->type == READ_SHARED;
  amo_fill_l1(m, node, line, !shared ? AMO_UD : line->serving->exclusive ? AMO_UC : AMO_SC, now);
  if (amo_atomic(op)) amo_note(core, line, AMO_FETCHED, now);
  amo_post(m, now + amo_latency(m, node, line), EVENT_AT_HOME, line->home, node, line, NOTE_FREE);
  end_access(m, node, line, op, now + (amo_atomic(op) ? m->p->alu : 0));
}

/* A far operation's answer has arrived: one that blocks the core lets it go on. */
static void on_far_completion(struct amo_machine *m, struct amo_line *line, int node, enum amo_request_type type,
                              int64_t now) {
  struct amo_core *core = &m->cores[node];
  int64_t i = 0;
  while (core->flying[i] != line || (core->fed && !core->flights[i].performed)) i++;
  core->outstanding--;
  for (; i < core->outstanding; i++) {
    core->flying[i] = core->flying[i + 1];
    core->flights[i] = core->flights[i + 1];
  }
  if (blocks(m, type)) {
    core->blocked = false;
    core->next = now + m->p->iss;
  }
  amo_post_step(m, node, amo_max(now, core->next));
}

void amo_on_completion(struct amo_machine *m, struct amo_line *line, const struct event *event) {
  if (event->note <= (int)READ_UNIQUE)
    on_fill(m, line, amo_destination(event), event->time);
  else
    on_far_completion(m, line, amo_destination(event), (enum amo_request_type)event->note, event->time);
}

/* ---- accesses ---- */

static bool flies(const struct amo_core *core, const struct amo_line *line) {
  for (int64_t i = 0; i < core->outstanding; i++)
    if (core->flying[i] == line) return true;
  return false;
}

static void request(struct amo_machine *m, int node, struct amo_line *line, enum amo_request_type type,
                    int64_t leaves) {
  amo_count_hops(m, amo_latency(m, node, line), false);
  amo_post(m, leaves + amo_latency(m, node, line), EVENT_REQUEST, line->home, node, line, (int)type);
}

/* An access in the own caches, or a request for the line. */
static void access_near(struct amo_machine *m, int node, struct amo_line *line, enum amo_op op, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct amo_core *core = &m->cores[node];
  bool reads = op == AMO_LOAD || op == AMO_SPIN, near = amo_in_l1(line, node);
  enum amo_state state = amo_state_of(line, node);
  int64_t looked_up = now + p->l1 + (near ? 0 : p->l2);
  bool hit = reads ? state != AMO_I : amo_unique(state);
  if (near && (hit || op == AMO_STORE)) amo_note(core, line, AMO_HIT, now);
  if (!hit) {
    core->blocked = true;
    request(m, node, line, reads ? READ_SHARED : READ_UNIQUE, looked_up);
    return;
  }
  if (!reads) state = AMO_UD;
  perform_near(m, core);
  if (near) {
    amo_touch(m, node, line);
    amo_set_state(line, node, state);
  } else {
    amo_fill_l1(m, node, line, state, now);
    if (amo_atomic(op)) amo_note(core, line, AMO_FETCHED, now);
  }
  end_access(m, node, line, op, looked_up + (amo_atomic(op) ? p->alu : 0));
}

static void access_far(struct amo_machine *m, int node, struct amo_line *line, enum amo_op op, int64_t now) {
  struct amo_core *core = &m->cores[node];
  if (core->outstanding == m->p->win) return; /* until a completion */
  enum amo_request_type type = op == AMO_FETCH ? ATOMIC_FETCH : ATOMIC_UPDATE;
  request(m, node, line, type, now + m->p->l1);
  if (core->fed)
    core->flights[core->outstanding] = (struct amo_flight){*core->word, blocks(m, type) ? core->result : NULL, false};
  core->flying[core->outstanding++] = line;
  core->decided = false;
  core->pc++;
  m->result.far++;
  if (blocks(m, type)) {
    core->blocked = true;
  } else {
    core->next = now + m->p->l1 + m->p->iss;
    amo_post_step(m, node, core->next);
  }
}

void amo_begin_access(struct amo_machine *m, int node, const struct amo_instr *instr, int64_t now) {
  struct amo_core *core = &m->cores[node];
  struct amo_line *line = amo_line_of(m, instr->line);
  bool in_flight = core->outstanding > 0 && flies(core, line);
  if (amo_atomic(instr->op) && !core->decided) {
    enum amo_state state = amo_in_l1(line, node) ? amo_state_of(line, node) : AMO_I;
    core->near = in_flight ? amo_unique(state) : amo_predictor_near(core->predictor, line->id, state, now);
    core->decided = true;
  }
  if (amo_atomic(instr->op) && !core->near)
    access_far(m, node, line, instr->op, now);
  else if (in_flight)
    core->decided = false; /* until the completion */
  else
    access_near(m, node, line, instr->op, now);
}
