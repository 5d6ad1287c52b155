/* SPDX-License-Identifier: MIT */
/* Coroutines by whichever switch they were compiled with: many in turn, each of which
 * keeps its own variables in registers and on its stack, some freed in the middle. */
#include <stdio.h>

#include "hwsem/workloads/coroutine.h"

enum { COUNT = 20, TURNS = 1000, MIDDLE = 15 };

struct counter {
  struct coroutine *self;
  long sum;
  double product;
};

static void run(void *context) {
  struct counter *c = context;
  long step = c->sum;
  double factor = 1 + (double)step / TURNS;
  c->product = 1;
  for (int i = 0; i < TURNS; i++) {
    coroutine_stop(c->self);
    c->sum += step;
    c->product = c->product * factor / factor;
  }
}

int main(void) {
  struct counter counters[COUNT] = {{0}};
  int faults = 0;
  for (int i = 0; i < COUNT; i++) {
    counters[i].sum = i;
    counters[i].self = coroutine_new(run, &counters[i]);
    if (!counters[i].self) return 1;
  }
  for (int turn = 0; turn <= TURNS; turn++)
    for (int i = 0; i < (turn < TURNS / 2 ? COUNT : MIDDLE); i++)
      faults += coroutine_resume(counters[i].self) != (turn < TURNS);
  for (int i = 0; i < COUNT; i++) {
    long turns = i < MIDDLE ? TURNS : TURNS / 2 - 1;
    faults += counters[i].sum != i + i * turns || counters[i].product < 0.999 || counters[i].product > 1.001;
    coroutine_free(counters[i].self);
  }
  printf("%d faults\n", faults);
  return faults != 0;
}
