/* SPDX-License-Identifier: MIT */
/* What cores execute: instructions one at a time, and what threads of a work ask.  A thread's
 * accesses that hit the L1 before any snoop can come are done in a row. */
#include "hwsem/timing/amo_parts.h"

/* ---- instructions ---- */

static void signal_turn(struct amo_machine *m, int64_t now) {
  m->turn++;
  for (int node = 0; node < AMO_NODES; node++) {
    if (!m->cores[node].waiting) continue;
    m->cores[node].waiting = false;
    amo_post_step(m, &m->cores[node], now);
  }
}

/* Executes instructions until one takes time or cannot go on. */
static void step_program(struct amo_machine *m, struct amo_core *core, int64_t now) {
  while (!core->blocked && !core->finished && now >= core->next) {
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
        amo_post_step(m, core, core->next);
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
        amo_begin_access(m, core, instr->op, amo_line_of(m, instr->line), now);
        return;
      case AMO_LOAD:
      case AMO_STORE:
      case AMO_FETCH:
      case AMO_UPDATE:
        amo_begin_access(m, core, instr->op, amo_line_of(m, instr->line), now);
        return;
    }
  }
}

/* ---- threads: barriers and ends ---- */

/* Lets all threads go on when each waits at the barrier or has ended. */
static void meet(struct amo_machine *m, int64_t now) {
  bool any = false;
  for (int node = 0; node < AMO_NODES; node++) {
    const struct amo_core *core = &m->cores[node];
    if (!core->fed || core->ended) continue;
    if (!core->meets) return;
    any = true;
  }
  if (!any) return;
  work_meet(m->work);
  for (int node = 0; node < AMO_NODES; node++) {
    struct amo_core *core = &m->cores[node];
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
  m->result.finish = amo_max(m->result.finish, now);
}

/* ---- threads: steps ---- */

static bool is_load(enum work_kind kind) {
  return kind == WORK_LOAD || kind == WORK_GATHER;
}

/* What the thread wants, from `now` on, if its line is in the L1 in a state that will do. */
static inline bool hits(struct amo_machine *m, struct amo_core *core, int64_t now) {
  const struct amo_parameters *p = m->p;
  struct work_request *word = core->word;
  struct amo_line *line = core->line;
  bool loads = is_load(word->kind);
  if (!(line->holders & ~line->in_l2 & (loads ? line->holders : line->unique) & core->bit)) return false;
  bool atomic = word->kind == WORK_AMO;
  if (atomic && (core->decided || !(core->keeps >> amo_state_of(line, core) & 1))) return false;
  int64_t end = now + p->l1 + (atomic ? p->alu : 0);
  amo_note(core, line, AMO_HIT, now);
  core->busy_until = core->next = end;
  if (atomic) {
    amo_note(core, line, AMO_DONE, end);
    core->next += p->iss;
    m->result.near++;
    m->result.performed++;
  }
  if (!loads) line->dirty |= core->bit;
  amo_touch(m, core, line);
  amo_perform(m, word);
  amo_go_on(m, core);
  return true;
}

/* From `now` on, as many as hit before a snoop can come: none is on its way, and those that have
 * not left yet need time.  Until then all that they touch is the core's own. */
static bool hits_in_a_row(struct amo_machine *m, struct amo_core *core, int64_t now) {
  int64_t end = core->snoops ? now : now + core->ahead;
  if (core->outstanding > 0 || !core->word || !hits(m, core, now)) return false;
  while (core->next < end && core->word && hits(m, core, core->next)) m->result.events++;
  amo_post_step(m, core, core->next);
  return true;
}

static enum amo_op op_of(const struct work_request *word) {
  if (word->kind == WORK_AMO) return word->forgets ? AMO_UPDATE : AMO_FETCH;
  return is_load(word->kind) ? AMO_LOAD : AMO_STORE;
}

static void step_thread(struct amo_machine *m, struct amo_core *core, int64_t now) {
  if (core->blocked || now < core->next || hits_in_a_row(m, core, now)) return;
  if (core->finished || core->meets) return;
  const struct work_request *word = core->word;
  if (!word) {
    end(m, core, now);
    return;
  }
  bool meets = word->kind == WORK_BARRIER, orders = word->scope != WORK_PLAIN && word->kind != WORK_LOAD;
  if ((meets || orders) && core->outstanding > 0) return;
  if (!meets) {
    amo_begin_access(m, core, op_of(word), core->line, now);
    return;
  }
  core->meets = true;
  meet(m, now);
}

void amo_step(struct amo_machine *m, struct amo_core *core, int64_t now) {
  (core->fed ? step_thread : step_program)(m, core, now);
}
