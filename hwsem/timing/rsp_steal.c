/* SPDX-License-Identifier: MIT */
/* Every compute unit is a small state machine that runs, when its turn comes,
 * to the next point where time passes.  Turns are taken in the order of (time,
 * compute unit).  What an instruction changes, it changes when it starts. */
#include "hwsem/timing/rsp_steal.h"

#include "checker/base/number.h"

enum phase { PHASE_NEXT, PHASE_OPERATION, PHASE_PROBE, PHASE_FETCHED, PHASE_ASLEEP, PHASE_FINISHED };

struct worker {
  enum phase phase;
  int64_t time;  /* of the next turn */
  int64_t tasks; /* left in its own queue */
  bool stealing; /* the operation under way is a steal from `victim` */
  int64_t victim;
  int64_t distance; /* to the queue looked at */
  size_t at;        /* next instruction of the operation */
  int64_t began;    /* start of the operation */
  int64_t weight;   /* of the task under way */
};

struct simulation {
  struct rsp_machine machine;
  const struct steal_workload *load;
  const struct steal_scenario *scenario;
  struct worker *workers;
  int64_t holder; /* of the lock, -1: free */
  struct steal_result result;
};

/* The worker whose turn is next, or -1. */
static int64_t next_turn(const struct simulation *s) {
  int64_t best = -1;
  for (int64_t c = 0; c < s->machine.p.n; c++) {
    const struct worker *w = &s->workers[c];
    if (w->phase == PHASE_ASLEEP || w->phase == PHASE_FINISHED) continue;
    if (best < 0 || w->time < s->workers[best].time) best = c;
  }
  return best;
}

static void wake_all(struct simulation *s, int64_t now) {
  for (int64_t c = 0; c < s->machine.p.n; c++)
    if (s->workers[c].phase == PHASE_ASLEEP) {
      s->workers[c].phase = PHASE_OPERATION;
      s->workers[c].time = larger(s->workers[c].time, now);
    }
}

/* Waits for the queue length of the next victim, which is read from the L2. */
static void probe(struct simulation *s, int64_t c) {
  s->workers[c].phase = PHASE_PROBE;
  s->workers[c].time = rsp_access_l2(&s->machine, s->workers[c].time);
}

static void start_operation(struct worker *w, bool stealing) {
  w->stealing = stealing;
  w->at = 0;
  w->began = w->time;
  w->phase = PHASE_OPERATION;
}

/* Each of the following advances a worker by one phase.  They return true when
 * the worker's turn is over: time passes, it sleeps, or it has finished. */

static bool decide(struct simulation *s, int64_t c) {
  struct worker *w = &s->workers[c];
  if (w->tasks > 0) {
    start_operation(w, false);
    return false;
  }
  if (!s->scenario->steals || s->machine.p.n == 1) {
    w->phase = PHASE_FINISHED;
    return true;
  }
  w->distance = 1;
  probe(s, c);
  return true;
}

static bool look(struct simulation *s, int64_t c) {
  struct worker *w = &s->workers[c];
  w->victim = (c + w->distance) % s->machine.p.n;
  if (s->workers[w->victim].tasks > 0) {
    start_operation(w, true);
    return false;
  }
  if (++w->distance == s->machine.p.n)
    w->phase = PHASE_FINISHED;
  else
    probe(s, c);
  return true;
}

/* The fetches of a task. */
static bool start_task(struct simulation *s, int64_t c, int64_t queue) {
  struct worker *w = &s->workers[c];
  struct rsp_cu *cu = &s->machine.cus[c];
  const struct rsp_parameters *p = &s->machine.p;
  s->workers[queue].tasks--;
  w->weight = queue < s->load->h ? s->load->f : 100;
  w->phase = PHASE_FETCHED;
  int64_t lines = s->load->S * w->weight / 100;
  if (s->load->W > cu->warm) lines += s->load->W - cu->warm;
  cu->warm = s->load->W;
  s->result.fetches += lines;
  if (lines == 0) return false;
  w->time = rsp_reserve(&s->machine, w->time + p->l1 + p->net, lines) + lines - 1 + p->net;
  return true;
}

/* The rest of a task. */
static bool compute(struct simulation *s, int64_t c) {
  struct worker *w = &s->workers[c];
  for (int64_t i = s->load->Dd * w->weight / 100; i > 0; i--) w->time += rsp_push(&s->machine, c);
  w->time += s->load->C * w->weight / 100;
  w->phase = PHASE_NEXT;
  return true;
}

static bool end_operation(struct simulation *s, int64_t c) {
  struct worker *w = &s->workers[c];
  int64_t queue = w->stealing ? w->victim : c;
  bool lost = s->workers[queue].tasks == 0; /* another was faster */
  if (w->stealing) {
    s->result.steal_cycles += w->time - w->began;
    *(lost ? &s->result.fails : &s->result.steals) += 1;
  }
  w->phase = PHASE_NEXT;
  return lost ? false : start_task(s, c, queue);
}

/* Runs the pop or steal to the next instruction that ends a turn.  An own or
 * posted invalidation does not: the next instruction starts in the same turn. */
static bool operate(struct simulation *s, int64_t c) {
  struct worker *w = &s->workers[c];
  struct rsp_sequence sequence = w->stealing ? s->scenario->steal : s->scenario->pop;
  if (w->at > 0 && sequence.at[w->at - 1] == RSP_UNLK) {
    s->holder = -1;
    wake_all(s, w->time);
  }
  bool passed = false;
  while (w->at < sequence.count) {
    enum rsp_instr instr = sequence.at[w->at];
    if ((w->at == 0 || instr == RSP_LK) && s->holder >= 0) {
      w->phase = PHASE_ASLEEP;
      return true;
    }
    if (instr == RSP_LK) s->holder = c;
    w->time = rsp_execute(&s->machine, c, instr, w->time);
    w->at++;
    passed = instr == RSP_INV_WG || instr == RSP_POSTED_INV_DV;
    if (!passed) return true;
  }
  return passed ? true : end_operation(s, c);
}

static bool advance(struct simulation *s, int64_t c) {
  switch (s->workers[c].phase) {
    case PHASE_NEXT:
      return decide(s, c);
    case PHASE_PROBE:
      return look(s, c);
    case PHASE_OPERATION:
      return operate(s, c);
    case PHASE_FETCHED:
      return compute(s, c);
    case PHASE_ASLEEP:
    case PHASE_FINISHED:
      break;
  }
  return true;
}

struct steal_result steal_simulate(struct arena *arena, const struct rsp_parameters *parameters,
                                   const struct steal_workload *workload, const struct steal_scenario *scenario,
                                   struct cost_limit *limit) {
  struct simulation s = {.machine = rsp_machine_new(arena, parameters),
                         .load = workload,
                         .scenario = scenario,
                         .workers = ARENA_ARRAY(arena, struct worker, (size_t)parameters->n),
                         .holder = -1};
  for (int64_t c = 0; c < parameters->n; c++) s.workers[c].tasks = workload->nT;
  for (int64_t c; (c = next_turn(&s)) >= 0 && !cost_limit_met(limit);)
    for (s.result.events++; !advance(&s, c);) continue;
  for (int64_t c = 0; c < parameters->n; c++)
    if (s.workers[c].time > s.result.time) s.result.time = s.workers[c].time;
  return s.result;
}
