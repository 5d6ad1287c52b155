/* SPDX-License-Identifier: MIT */
/* Threads of a work.  What one asks next is known as soon as its last request has been done, before
 * its time has come, so that a pause takes no turn of the calendar. */
#include "hwsem/timing/amo_timed_state.h"

/* ---- what threads ask ---- */

/* The line will be wanted soon. */
static void aim(struct amo_machine *m, struct amo_core *core) {
  core->line = amo_line_of(m, core->word->address / WORK_LINE);
  __builtin_prefetch(core->line);
  __builtin_prefetch(&m->work->memory[core->word->address]);
}

void amo_go_on(struct amo_machine *m, struct amo_core *core) {
  if (core->word == &core->lane_word && work_next_lane(core->request, &core->lane, &core->lane_word)) {
    aim(m, core);
    return;
  }
  struct work_request *r;
  while ((r = work_next(m->work, core->node)) && r->kind == WORK_COMPUTE) {
    core->next += r->cycles;
    m->result.events++;
  }
  core->request = core->word = r;
  core->line = &m->nowhere;
  if (!r || r->kind == WORK_BARRIER) return;
  if (r->lanes) {
    core->lane = 0;
    core->lane_word = work_lane(r, 0);
    core->word = &core->lane_word;
  }
  aim(m, core);
}

void amo_start_thread(struct amo_machine *m, struct amo_core *core) {
  core->fed = true;
  amo_go_on(m, core);
  amo_post_step(m, core, core->next);
}
