/* SPDX-License-Identifier: MIT */
/* The word of a deque: the head in the upper half, the tail in the lower; both
 * begin at 1, so that a pop of an empty deque cannot borrow from the head. */
#include "hwsem/workloads/deque.h"

enum { FIRST = 1 };

static uint32_t head_of(int32_t word) {
  return (uint32_t)word >> 16;
}
static uint32_t tail_of(int32_t word) {
  return (uint32_t)word & 0xFFFF;
}
static int32_t word_of(uint32_t head, uint32_t tail) {
  return (int32_t)(head << 16 | tail);
}
static bool is_empty(int32_t word) {
  return head_of(word) >= tail_of(word);
}

static uint32_t word_at(const struct deques *d, unsigned i) {
  return d->word + i * WORK_LINE;
}
static uint32_t task_at(const struct deques *d, unsigned i, uint32_t place) {
  return d->tasks + i * d->room + place;
}

void deques_place(struct deques *d, struct work *work, uint32_t room) {
  d->count = work->threads;
  d->room = (room + FIRST + WORK_LINE) / WORK_LINE * WORK_LINE;
  d->word = work_allocate(work, d->count * WORK_LINE);
  d->tasks = work_allocate(work, d->count * d->room);
  for (unsigned i = 0; i < d->count && !work->out_of_memory; i++) deques_fill(d, work, i, 0, 0);
}

void deques_fill(const struct deques *d, struct work *work, unsigned i, int32_t first, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) work->memory[task_at(d, i, FIRST + k)] = first + (int32_t)k;
  work->memory[word_at(d, i)] = word_of(FIRST, FIRST + count);
}

bool deques_push(struct deques *d, struct work_thread *t, int32_t task) {
  int32_t word = work_load(t, word_at(d, t->index), WORK_PLAIN);
  if (tail_of(word) >= d->room) return false;
  work_store(t, task_at(d, t->index, tail_of(word)), task, WORK_PLAIN);
  work_update(t, WORK_ADD, word_at(d, t->index), 1, d->pop);
  d->counts.pushes++;
  return true;
}

/* Only the owner moves the tail: a pop that finds nothing puts it back. */
static bool pop(struct deques *d, struct work_thread *t, int32_t *task) {
  int32_t word = work_amo(t, WORK_ADD, word_at(d, t->index), -1, d->pop);
  if (is_empty(word)) {
    work_update(t, WORK_ADD, word_at(d, t->index), 1, d->pop);
    return false;
  }
  *task = work_load(t, task_at(d, t->index, tail_of(word) - 1), WORK_PLAIN);
  d->counts.pops++;
  return true;
}

/* Tasks of `victim`, at most half of what is there. */
static bool steal_from(struct deques *d, struct work_thread *t, unsigned victim, int32_t *task) {
  /* A promoting load brings the owner's word to the common level; what it returns may be older. */
  if (d->steal == WORK_REMOTE) work_load(t, word_at(d, victim), WORK_REMOTE);
  int32_t word = work_load(t, word_at(d, victim), WORK_DEVICE);
  uint32_t head = head_of(word), tail = tail_of(word), count = is_empty(word) ? 0 : (tail - head + 1) / 2;
  if (count > d->most) count = d->most;
  if (!count) {
    d->counts.vain++;
    return false;
  }
  if (work_cas(t, word_at(d, victim), word, word_of(head + count, tail), d->steal) != word) {
    d->counts.fails++;
    return false;
  }
  *task = work_load(t, task_at(d, victim, head), WORK_PLAIN);
  d->counts.steals++;
  d->counts.stolen += count;
  for (uint32_t k = 1; k < count; k++) deques_push(d, t, work_load(t, task_at(d, victim, head + k), WORK_PLAIN));
  return true;
}

bool deques_take(struct deques *d, struct work_thread *t, int32_t *task) {
  if (pop(d, t, task)) return true;
  for (unsigned k = 1; d->steals && k < d->count;) {
    unsigned victim = (t->index + k) % d->count;
    if (d->spawns && d->steal == WORK_REMOTE) work_load(t, word_at(d, victim), WORK_REMOTE);
    if (is_empty(work_load(t, word_at(d, victim), WORK_DEVICE)))
      k++;
    else if (steal_from(d, t, victim, task))
      return true;
  }
  return false;
}
