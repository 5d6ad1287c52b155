/* SPDX-License-Identifier: MIT */
/* Helpers of an explorer: a ring of portions, handed out in order and taken back
 * in order.  A portion is PORTION states that have numbers; whoever is free makes
 * their successors into the portion's buffer.  One lock guards the ring, held for
 * a few instructions a portion; states and successors themselves are read only
 * when the lock has handed them over. */
#include "hwsem/team.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { PORTION = 64, SLOTS = 32, FIRST_ROOM = 8 * PORTION };

struct made {
  uint32_t begin, emitted, idle;
  bool complete, final;
};

struct portion {
  uint32_t first; /* number of its first state */
  bool done, failed;
  struct made made[PORTION];
  uint8_t *states; /* successors, one after another */
  size_t count, room;
};

struct team {
  struct team_job job;
  pthread_mutex_t lock;
  pthread_cond_t work, done; /* there is something to hand out; a portion is done */
  struct portion slots[SLOTS];
  uint64_t handed, taken; /* portions handed out, and of these taken back */
  uint32_t next, count;   /* states not handed out begin, and end, here */
  uint32_t own_end;       /* the caller makes those below itself */
  struct portion *at;     /* the caller reads it; else NULL */
  bool stop;
  unsigned helper_count;
  pthread_t helpers[];
};

/* Making a portion. */

struct maker {
  struct successor_sink sink;
  const struct team_job *job;
  struct portion *portion;
  struct made *now;
};

static bool reserve(struct maker *maker) {
  struct portion *p = maker->portion;
  size_t stride = store_stride(maker->job->store);
  if (p->count == p->room) {
    size_t room = p->room ? 2 * p->room : FIRST_ROOM;
    uint8_t *states = realloc(p->states, room * stride + MACHINE_SPARE);
    if (!states) return false;
    p->states = states;
    p->room = room;
  }
  maker->sink.place = p->states + p->count * stride;
  return true;
}

static bool keep(struct successor_sink *sink, struct step step, const void *next) {
  struct maker *maker = (struct maker *)sink;
  const struct machine *m = maker->job->machine;
  if (next != sink->place) memcpy(sink->place, next, maker->job->store->state_size);
  if (maker->job->symmetry && m->canonical) m->canonical(m, sink->place);
  maker->now->emitted++;
  maker->now->idle += m->idle && m->idle(m, step);
  maker->portion->count++;
  maker->portion->failed = !reserve(maker);
  return !maker->portion->failed;
}

static void make(const struct team_job *job, struct portion *p) {
  const struct machine *m = job->machine;
  struct maker maker = {.sink = {.emit = keep}, .job = job, .portion = p};
  p->count = 0;
  p->failed = !reserve(&maker);
  for (uint32_t i = 0; i < PORTION && !p->failed; i++) {
    const void *state = store_at(job->store, p->first + i);
    maker.now = &p->made[i];
    *maker.now = (struct made){.begin = (uint32_t)p->count};
    maker.now->complete = job->por && m->ample ? m->ample(m, state, &maker.sink) : m->successors(m, state, &maker.sink);
    maker.now->final = m->final(m, state);
  }
}

/* Handing out, with the lock held. */

static bool has_work(const struct team *team) {
  return team->handed - team->taken < SLOTS && team->count - team->next >= PORTION;
}

static void make_next(struct team *team) {
  struct portion *p = &team->slots[team->handed++ % SLOTS];
  p->first = team->next;
  p->done = false;
  team->next += PORTION;
  pthread_mutex_unlock(&team->lock);
  make(&team->job, p);
  pthread_mutex_lock(&team->lock);
  p->done = true;
  pthread_cond_signal(&team->done);
}

static void *help(void *context) {
  struct team *team = context;
  pthread_mutex_lock(&team->lock);
  while (!team->stop) {
    if (has_work(team))
      make_next(team);
    else
      pthread_cond_wait(&team->work, &team->lock);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

struct team *team_new(const struct team_job *job, unsigned helpers, uint32_t first) {
  struct team *team = calloc(1, sizeof *team + helpers * sizeof *team->helpers);
  if (!team) return NULL;
  team->job = *job;
  team->next = team->count = team->own_end = first;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->work, NULL);
  pthread_cond_init(&team->done, NULL);
  while (team->helper_count < helpers && !pthread_create(&team->helpers[team->helper_count], NULL, help, team))
    team->helper_count++;
  if (team->helper_count > 0) return team;
  team_free(team);
  return NULL;
}

void team_free(struct team *team) {
  if (!team) return;
  pthread_mutex_lock(&team->lock);
  team->stop = true;
  pthread_cond_broadcast(&team->work);
  pthread_mutex_unlock(&team->lock);
  for (unsigned i = 0; i < team->helper_count; i++) pthread_join(team->helpers[i], NULL);
  for (unsigned i = 0; i < SLOTS; i++) free(team->slots[i].states);
  pthread_mutex_destroy(&team->lock);
  pthread_cond_destroy(&team->work);
  pthread_cond_destroy(&team->done);
  free(team);
}

/* Taking back. */

/* At the first state of a portion, or of those that nobody has: sees to it that they
 * are made, or are the caller's. */
static void go_on(struct team *team, uint32_t index, uint32_t count) {
  pthread_mutex_lock(&team->lock);
  if (team->at) team->taken++;
  team->at = NULL;
  team->count = count;
  if (has_work(team)) pthread_cond_broadcast(&team->work);
  if (team->handed > team->taken) {
    team->at = &team->slots[team->taken % SLOTS];
    assert(team->at->first == index);
  } else {
    assert(team->next == index);
    team->own_end = count - index < PORTION ? count : index + PORTION;
    team->next = team->own_end;
  }
  while (team->at && !team->at->done) {
    if (has_work(team))
      make_next(team);
    else
      pthread_cond_wait(&team->done, &team->lock);
  }
  pthread_mutex_unlock(&team->lock);
}

bool team_take(struct team *team, uint32_t index, uint32_t count, struct team_successors *made) {
  if (index < team->own_end) return false;
  if (!team->at || index == team->at->first + PORTION) go_on(team, index, count);
  if (!team->at) return false;
  const struct portion *p = team->at;
  const struct made *m = &p->made[index - p->first];
  *made = (struct team_successors){.states = p->states + m->begin * store_stride(team->job.store),
                                   .emitted = m->emitted,
                                   .idle = m->idle,
                                   .complete = m->complete,
                                   .failed = p->failed,
                                   .final = m->final};
  return true;
}
