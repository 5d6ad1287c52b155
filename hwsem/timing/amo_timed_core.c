/* SPDX-License-Identifier: MIT */
/* What cores execute: instructions one at a time, and what threads of a work ask.  What nobody can
 * tell from being done in its time is done at once, in a row: hits in the L1 before any snoop for their
 * line can come, and requests for lines that the core does not hold. */
#include "checker/base/array.h"
#include "hwsem/timing/amo_timed_state.h"

/* ---- ahead of time ---- */

/* An access from `now` on, if its line is in the L1 in a state that will do, and not on the way of a
 * far operation. */
static inline bool hits(struct amo_machine *m, struct amo_core *core, enum amo_op op, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct amo_line *line = core->line;
  bool loads = op == AMO_LOAD, atomic = amo_atomic(op);
  if (!(line->holders & ~line->in_l2 & (loads ? line->holders : line->unique) & core->bit)) return false;
  if (atomic && (core->decided || !(core->keeps >> amo_state_of(line, core) & 1))) return false;
  int64_t end = now + p->l1 + (atomic ? p->alu : 0);
  amo_note(core, line, AMO_HIT, now);
  amo_keep_busy(core, now, end);
  core->next = end;
  if (atomic) {
    amo_note(core, line, AMO_DONE, end);
    core->next += p->iss;
    m->result.near++;
    m->result.performed += m->limit < 0 || end <= m->limit;
  }
  if (!loads) line->dirty |= core->bit;
  amo_touch(m, core, line);
  if (core->fed) {
    amo_perform(m, core->word);
    amo_go_on(m, core);
  } else {
    core->pc++;
  }
  return true;
}

/* Before this time no snoop for the line comes to the core.  Whoever does not want it yet looks into its
 * L1 first, and asks the line's home then, which looks it up. */
static inline int64_t undisturbed(const struct amo_machine *m, const struct amo_core *core,
                                  const struct amo_line *line) {
  int64_t now = m->events.now, way = m->p->dir + amo_latency(m, (int)core->node, line);
  if (!line->wanted) return now + m->p->l1 + m->nearest + way;
  return core->snoops ? now : now + way;
}

/* Can nobody tell whether the core does at once what it wants at `core->next`?  A line that it
 * does not hold is asked for: that neither depends on others, nor do they see it before the request
 * arrives.  What it holds in the L1 it has for itself until a snoop comes; a line that moves up from the
 * L2 drives others out, which homes see.  Metric's counters age while snoops are counted. */
static inline bool is_free_to(const struct amo_machine *m, const struct amo_core *core) {
  const struct amo_line *line = core->line;
  if (core->busy_count > AMO_AHEAD) return false;
  if (core->outstanding && (core->outstanding == m->p->win || amo_flies(core, line))) return false;
  if (m->policy == AMO_METRIC && (core->snoops || core->next >= m->events.now + m->p->dir + m->nearest)) return false;
  if (!(line->holders & core->bit)) return true;
  return !(line->in_l2 & core->bit) && core->next < undisturbed(m, core, line);
}

/* An access whose time has come. */
static void begin(struct amo_machine *m, struct amo_core *core, enum amo_op op, int64_t now) {
  bool flies = core->outstanding > 0 && amo_flies(core, core->line);
  if ((!flies && hits(m, core, op, now)) || amo_begin_access(m, core, op, core->line, now)) amo_run_on(m, core);
}

/* ---- instructions ---- */

static void signal_turn(struct amo_machine *m, int64_t now) {
  m->turn++;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].waiting) continue;
    m->cores[node].waiting = false;
    amo_post_step(m, &m->cores[node], now);
  }
}

/* The access that comes next, if one does; pauses before it pass. */
static bool program_access(struct amo_machine *m, struct amo_core *core, enum amo_op *op) {
  while (core->pc < core->count && (m->limit < 0 || core->next <= m->limit)) {
    const struct amo_instr *instr = &core->instrs[core->pc];
    switch (instr->op) {
      case AMO_COMPUTE:
        core->pc++;
        core->next += instr->value;
        m->result.events++;
        break;
      case AMO_LOOP:
        core->pc = 0;
        break;
      case AMO_SIGNAL:
      case AMO_WAIT:
      case AMO_SPIN:
        return false;
      case AMO_LOAD:
      case AMO_STORE:
      case AMO_FETCH:
      case AMO_UPDATE:
        *op = instr->op;
        core->line = amo_line_of(m, instr->line);
        return true;
    }
  }
  return false;
}

/* Executes instructions until one takes time or cannot go on. */
static void step_program(struct amo_machine *m, struct amo_core *core, int64_t now) {
  while (!core->blocked && !core->finished && now >= core->next) {
    core->busy_count = 0;
    if (core->pc == core->count) {
      if (core->outstanding > 0) return;
      core->finished = true;
      m->result.finish = larger(m->result.finish, now);
      return;
    }
    const struct amo_instr *instr = &core->instrs[core->pc];
    switch (instr->op) {
      case AMO_COMPUTE:
        core->pc++;
        core->next = now + instr->value;
        amo_run_on(m, core);
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
        core->line = amo_line_of(m, instr->line);
        if (amo_begin_access(m, core, instr->op, core->line, now)) amo_run_on(m, core);
        return;
      case AMO_LOAD:
      case AMO_STORE:
      case AMO_FETCH:
      case AMO_UPDATE:
        core->line = amo_line_of(m, instr->line);
        begin(m, core, instr->op, now);
        return;
    }
  }
}

/* ---- threads: barriers and ends ---- */

/* Lets all threads go on when each waits at the barrier or has ended. */
static void meet(struct amo_machine *m, int64_t now) {
  bool any = false;
  ARRAY_EACH (const struct amo_core, core, m->cores, AMO_NODES) {
    if (!core->fed || core->ended) continue;
    if (!core->meets) return;
    any = true;
  }
  if (!any) return;
  work_meet(m->work);
  ARRAY_EACH (struct amo_core, core, m->cores, AMO_NODES) {
    if (!core->meets) continue;
    core->meets = false;
    core->next = now;
    amo_go_on(m, core);
    amo_post_step(m, core, core->next);
  }
}

static void end(struct amo_machine *m, struct amo_core *core, int64_t now) {
  if (!core->ended) {
    core->ended = true;
    meet(m, now);
  }
  if (core->outstanding > 0) return;
  core->finished = true;
  m->result.finish = larger(m->result.finish, now);
}

/* ---- threads: steps ---- */

static enum amo_op op_of(const struct work_request *word) {
  if (word->kind == WORK_AMO) return word->forgets ? AMO_UPDATE : AMO_FETCH;
  return word->kind == WORK_LOAD ? AMO_LOAD : AMO_STORE;
}

/* Does the thread wait until its far operations have been completed? */
static inline bool orders(const struct work_request *word) {
  return word->kind == WORK_BARRIER || (word->scope != WORK_PLAIN && word->kind != WORK_LOAD);
}

/* The access that a thread wants, if it is one, and may be done.  After a pause it is not looked at before
 * its time: its line, which will be in the processor's cache then, would be waited for. */
static inline bool thread_access(const struct amo_machine *m, const struct amo_core *core, enum amo_op *op) {
  const struct work_request *word = core->word;
  if (core->next - m->events.now >= m->soon) return false;
  if (!word || word->kind == WORK_BARRIER || (core->outstanding && orders(word))) return false;
  *op = op_of(word);
  return true;
}

void amo_run_on(struct amo_machine *m, struct amo_core *core) {
  enum amo_op op = AMO_LOAD;
  for (bool goes_on = true; goes_on;) {
    m->result.events++;
    if (!(core->fed ? thread_access(m, core, &op) : program_access(m, core, &op)) || !is_free_to(m, core)) {
      event_queue_mark(&m->events, core->next, core->node);
      return;
    }
    goes_on = hits(m, core, op, core->next) || amo_begin_access(m, core, op, core->line, core->next);
  }
}

static void step_thread(struct amo_machine *m, struct amo_core *core, int64_t now) {
  if (core->blocked || now < core->next || core->finished || core->meets) return;
  const struct work_request *word = core->word;
  if (!word) {
    end(m, core, now);
    return;
  }
  if (core->outstanding > 0 && orders(word)) return;
  if (word->kind == WORK_BARRIER) {
    core->meets = true;
    meet(m, now);
    return;
  }
  core->busy_count = 0;
  begin(m, core, op_of(word), now);
}

void amo_step(struct amo_machine *m, struct amo_core *core, int64_t now) {
  (core->fed ? step_thread : step_program)(m, core, now);
}
