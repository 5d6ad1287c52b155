/* SPDX-License-Identifier: MIT */
/* A ring of portions, handed out in order and taken back in order.  One lock guards the
 * ring, held for a few instructions a portion. */
#include "hwsem/team.h"

#include <pthread.h>
#include <stdlib.h>

#include "hwsem/lock.h"

/* Slots hold the portions under way, enough of them that a thread which the system holds up does not hold
 * up the others at once.  Shards are so many that one is mostly free. */
enum { PORTION = 512, SLOTS_A_THREAD = 16, SLOTS_MAX = 128, SHARDS_A_THREAD = 2 };

struct slot {
  struct portion portion;
  bool done;
};

/* The caller is the first. */
struct worker {
  struct team *team;
  struct maker *maker;
  pthread_t thread;
};

struct team {
  struct making making;
  struct visited *visited;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned waiting; /* threads that wait for it */
  struct slot *slots;
  unsigned slot_count;
  uint32_t next, count;          /* states not handed out begin here, and end here */
  uint32_t open[VISITED_SHARDS]; /* as they were numbered (visited_first_open) */
  uint64_t handed, taken;        /* portions handed out, and of these taken back */
  bool lent;                     /* the caller has portion `taken` */
  bool stop;
  unsigned worker_count;
  struct worker workers[];
};

unsigned team_shards(unsigned threads) {
  unsigned shards = 1;
  while (shards < SHARDS_A_THREAD * threads && shards < VISITED_SHARDS) shards *= 2;
  return shards;
}

/* Tasks, all with the lock held; it is let go of while they are done. */

static struct slot *slot_of(struct team *team, uint64_t portion) {
  return &team->slots[portion % team->slot_count];
}

static void note_change(struct team *team) {
  if (team->waiting > 0) pthread_cond_broadcast(&team->changed);
}

/* A whole portion, or what there is when nothing is under way. */
static uint32_t states_to_hand_out(const struct team *team) {
  uint32_t left = team->count - team->next;
  if (team->handed - team->taken == team->slot_count) return 0;
  if (left >= PORTION) return PORTION;
  return team->handed == team->taken ? left : 0;
}

/* Does one task, if there is any. */
static bool work(struct worker *worker) {
  struct team *team = worker->team;
  uint32_t count = states_to_hand_out(team), open[VISITED_SHARDS];
  if (count == 0) return false;
  struct slot *slot = slot_of(team, team->handed++);
  struct portion *p = &slot->portion;
  slot->done = false;
  p->first = team->next;
  p->count = count;
  team->next += count;
  memcpy(open, team->open, sizeof open);
  pthread_mutex_unlock(&team->lock);
  portion_make(p, team->visited, worker->maker, open);
  lock_soon(&team->lock);
  slot->done = true;
  note_change(team);
  return true;
}

static void wait_for_change(struct team *team) {
  team->waiting++;
  pthread_cond_wait(&team->changed, &team->lock);
  team->waiting--;
}

static void *help(void *context) {
  struct worker *worker = context;
  struct team *team = worker->team;
  pthread_mutex_lock(&team->lock);
  while (!team->stop)
    if (!work(worker)) wait_for_change(team);
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

/* Beginning and end. */

static bool add_helper(struct team *team, const void *known) {
  struct worker *worker = &team->workers[team->worker_count];
  struct maker *maker = maker_new();
  if (!maker) return false;
  *worker = (struct worker){.team = team, .maker = maker};
  maker_reset(maker, &team->making, store_stride(&team->visited->shards[0]));
  maker_remember(maker, team->visited, known);
  if (pthread_create(&worker->thread, NULL, help, worker)) {
    maker_free(maker);
    return false;
  }
  team->worker_count++;
  return true;
}

/* They wait for the lock until all are there. */
static bool add_helpers(struct team *team, unsigned threads) {
  uint64_t buffer[store_stride(&team->visited->shards[0]) / sizeof(uint64_t) + 1];
  const void *known = visited_read(team->visited, visited_find(team->visited, 0), buffer);
  pthread_mutex_lock(&team->lock);
  while (team->worker_count < threads && add_helper(team, known)) continue;
  pthread_mutex_unlock(&team->lock);
  return team->worker_count > 1;
}

static void note_numbers(struct team *team) {
  team->count = team->visited->count;
  memcpy(team->open, visited_first_open(team->visited), sizeof team->open);
}

struct team *team_new(const struct making *making, struct visited *v, struct maker *maker, uint32_t next,
                      unsigned threads) {
  struct team *team = calloc(1, sizeof *team + threads * sizeof *team->workers);
  unsigned slot_count = threads < SLOTS_MAX / SLOTS_A_THREAD ? SLOTS_A_THREAD * threads : SLOTS_MAX;
  struct slot *slots = calloc(slot_count, sizeof *slots);
  if (!team || !slots) {
    free(team);
    free(slots);
    return NULL;
  }
  team->making = *making;
  team->visited = v;
  team->slots = slots;
  team->slot_count = slot_count;
  team->next = next;
  note_numbers(team);
  team->workers[0] = (struct worker){.team = team, .maker = maker};
  team->worker_count = 1;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->changed, NULL);
  if (add_helpers(team, threads)) return team;
  team_free(team);
  return NULL;
}

void team_free(struct team *team) {
  if (!team) return;
  pthread_mutex_lock(&team->lock);
  team->stop = true;
  pthread_cond_broadcast(&team->changed);
  pthread_mutex_unlock(&team->lock);
  for (unsigned i = 1; i < team->worker_count; i++) {
    pthread_join(team->workers[i].thread, NULL);
    maker_free(team->workers[i].maker);
  }
  for (unsigned i = 0; i < team->slot_count; i++) portion_free(&team->slots[i].portion);
  pthread_mutex_destroy(&team->lock);
  pthread_cond_destroy(&team->changed);
  free(team->slots);
  free(team);
}

/* Taking back. */

struct portion *team_take(struct team *team) {
  struct portion *p = NULL;
  lock_soon(&team->lock);
  if (team->lent) team->taken++;
  team->lent = false;
  note_numbers(team);
  note_change(team);
  while (team->taken < team->handed || team->next < team->count) {
    struct slot *slot = slot_of(team, team->taken);
    if (team->taken < team->handed && slot->done) {
      p = &slot->portion;
      team->lent = true;
      break;
    }
    if (!work(&team->workers[0])) wait_for_change(team);
  }
  pthread_mutex_unlock(&team->lock);
  return p;
}
