/* SPDX-License-Identifier: MIT */
/* Work-stealing deques in simulated memory: the owner pushes and pops at the
 * tail, thieves take one or several tasks from the head.
 *
 * Head and tail are the halves of one word, so that every operation takes effect
 * in one read-modify-write: with two words, as in Arora's and Cederman's queues,
 * a pop is only right when its store of the tail comes before its load of the
 * head in an order that acquire and release do not give (litmus/rsp/WSQ2.litmus
 * and its like).  The owner's operations have the scope that the scenario gives
 * them; a thief's are remote when that is the work-group's.
 *
 * Source: Orr et al., ASPLOS 2015, sections 3 and 5.1.
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_DEQUE_H
#define LITSCOPE_HWSEM_WORKLOADS_DEQUE_H

#include "hwsem/workloads/workload.h"

enum { DEQUE_TASKS = 0x7FF0 }; /* most pushes to one deque between two fillings */

struct deque_counts {
  int64_t pops, pushes;
  int64_t steals, stolen; /* a steal takes one or more tasks */
  int64_t fails;          /* steals that lost a race for the head */
  int64_t vain;           /* looks that promised tasks where there were none any more */
};

struct deques {
  unsigned count;       /* one per thread */
  uint32_t word, tasks; /* lines of their own: word + 16 i; tasks + room i */
  uint32_t room;
  enum work_scope pop, steal; /* scopes of the owner and of thieves */
  bool steals;
  bool spawns;   /* tasks push tasks: a thief's look promotes the owner's scope, else it may not see them */
  unsigned most; /* tasks of one steal */
  struct deque_counts counts;
};

/* Deques with room for `room` tasks each, empty. */
void deques_place(struct deques *d, struct work *work, uint32_t room);

/* By the host, between kernels: deque i holds tasks first .. first + count - 1. */
void deques_fill(const struct deques *d, struct work *work, unsigned i, int32_t first, uint32_t count);

/* The thread's next task: its own, else a stolen one, of which further ones are
 * pushed to its own deque.  False when every deque looks empty. */
bool deques_take(struct deques *d, struct work_thread *t, int32_t *task);

/* Pushes a task to the thread's deque; false when it is full. */
bool deques_push(struct deques *d, struct work_thread *t, int32_t task);

#endif
