/* SPDX-License-Identifier: MIT */
/* The instructions of the timed GPU and the price of sequences of them. */
#include "hwsem/prices/rsp_prices.h"

#include "checker/base/number.h"

struct rsp_machine rsp_machine_new(struct arena *arena, const struct rsp_parameters *parameters) {
  return (struct rsp_machine){.p = *parameters, .cus = ARENA_ARRAY(arena, struct rsp_cu, (size_t)parameters->n)};
}

int64_t rsp_reserve(struct rsp_machine *machine, int64_t at, int64_t lines) {
  int64_t served = larger(at, machine->port);
  machine->port = served + lines;
  return served;
}

int64_t rsp_push(struct rsp_machine *machine, int64_t cu) {
  struct rsp_cu *c = &machine->cus[cu];
  int64_t wait = 0;
  if (c->q == machine->p.F) {
    c->q--;
    if (c->d > 0) c->d--;
    wait = machine->p.pop;
  }
  c->q++;
  c->d++;
  return wait;
}

/* A marker enters the FIFO in a cycle, then the entries leave one by one; the
 * drain ends with the acknowledgement of the last line written. */
static int64_t drain(struct rsp_machine *machine, int64_t cu, int64_t start) {
  const struct rsp_parameters *p = &machine->p;
  struct rsp_cu *c = &machine->cus[cu];
  int64_t end = start + 1 + c->q * p->pop;
  if (c->d > 0) end = larger(end, rsp_reserve(machine, start + 1 + p->net, c->d) + c->d - 1 + p->net);
  c->q = c->d = 0;
  return end;
}

static int64_t drain_all(struct rsp_machine *machine, int64_t cu, int64_t start) {
  int64_t net = machine->p.net;
  int64_t end = drain(machine, cu, start);
  for (int64_t other = 0; other < machine->p.n; other++)
    if (other != cu) end = larger(end, drain(machine, other, start + net) + net);
  return end;
}

/* Dirty data stays in the FIFO. */
static void invalidate(struct rsp_cu *cu) {
  cu->line = false;
  cu->warm = 0;
}

static void invalidate_all(struct rsp_machine *machine) {
  for (int64_t cu = 0; cu < machine->p.n; cu++) invalidate(&machine->cus[cu]);
}

int64_t rsp_access_l2(struct rsp_machine *machine, int64_t start) {
  const struct rsp_parameters *p = &machine->p;
  return rsp_reserve(machine, start + p->l1 + p->net, 1) + p->net;
}

static int64_t load(struct rsp_machine *machine, int64_t cu, int64_t start) {
  bool hit = machine->cus[cu].line;
  machine->cus[cu].line = true;
  return hit ? start + machine->p.l1 : rsp_access_l2(machine, start);
}

/* At the L2: the copy in the own L1 is dropped in the same step. */
static int64_t access_past_l1(struct rsp_machine *machine, int64_t cu, int64_t start) {
  machine->cus[cu].line = false;
  return rsp_access_l2(machine, start);
}

int64_t rsp_wait(const struct rsp_parameters *p, enum rsp_instr instr, int64_t units) {
  int64_t there_and_back = units > 1 ? 2 * p->net : 0;
  return instr == RSP_LK ? 2 * p->net : instr == RSP_UNLK ? 1 : p->inv + (instr == RSP_INV_DV ? there_and_back : 0);
}

int64_t rsp_execute(struct rsp_machine *machine, int64_t cu, enum rsp_instr instr, int64_t start) {
  const struct rsp_parameters *p = &machine->p;
  switch (instr) {
    case RSP_LD:
      return load(machine, cu, start);
    case RSP_ST:
      machine->cus[cu].line = true;
      return start + rsp_push(machine, cu) + p->l1;
    case RSP_ST_L2:
      return access_past_l1(machine, cu, start);
    case RSP_INC_L1:
      return load(machine, cu, start + rsp_push(machine, cu)) + p->alu;
    case RSP_INC_L2:
      return access_past_l1(machine, cu, start) + p->alu;
    case RSP_FLU_WG:
      return drain(machine, cu, start);
    case RSP_FLU_DV:
      return drain_all(machine, cu, start);
    case RSP_INV_WG:
      invalidate(&machine->cus[cu]);
      break;
    case RSP_INV_DV:
    case RSP_POSTED_INV_DV:
      invalidate_all(machine);
      break;
    case RSP_LK:
    case RSP_UNLK:
      break;
  }
  return start + rsp_wait(p, instr, p->n);
}

struct rsp_price rsp_price_sequence(struct rsp_machine *machine, struct rsp_sequence sequence) {
  const struct rsp_parameters *p = &machine->p;
  struct rsp_price price = {0};
  int64_t now = 0, grant = 0, acknowledged = 0;
  for (size_t i = 0; i < sequence.count; i++) {
    enum rsp_instr instr = sequence.at[i];
    if (instr == RSP_POSTED_INV_DV) acknowledged = now + rsp_wait(p, RSP_INV_DV, p->n);
    now = rsp_execute(machine, 0, instr, now);
    if (instr == RSP_LK && !price.locked) grant = now;
    if (instr == RSP_LK) price.locked = true;
    if (instr == RSP_UNLK) price.hold = larger(now, acknowledged + 1) - grant;
  }
  price.latency = now;
  return price;
}
