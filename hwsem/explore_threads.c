/* SPDX-License-Identifier: MIT */
/* A ring of portions, handed out in order and taken back in order.  One lock guards the
 * ring, held for a few instructions a portion. */
#include "hwsem/explore_threads.h"

#include <pthread.h>
#include <stdlib.h>

#include "hwsem/adaptive_lock.h"

/* Slots hold the portions under way, enough of them that a thread which the system holds up does not hold
 * up the others at once. */
enum { PORTION_MIN = 256, PORTION_MAX = 2048, SLOTS_A_THREAD = 16, SLOTS_MAX = 128 };

/* A portion on its way.  Its memory is used again by who used it last, and soon: it is in that core's cache. */
struct slot {
  struct portion portion;
  bool done;
  struct worker *worker;
  struct slot *next; /* free ones of the same worker */
  char apart[STORE_APART];
};

/* The caller is the first. */
struct worker {
  struct team *team;
  struct maker *maker;
  pthread_t thread;
  struct slot *free;
};

struct team {
  struct making making;
  struct visited *visited;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned waiting; /* threads that wait for it */
  struct slot *slots;
  unsigned slot_count, slots_used; /* used: ever */
  struct slot *ring[SLOTS_MAX];    /* those handed out, by turns */
  uint32_t next, count;            /* states not handed out begin here, and end here */
  visited_place open;              /* as they were numbered (visited_first_open) */
  uint64_t handed, taken;          /* portions handed out, and of these taken back */
  bool lent;                       /* the caller has portion `taken` */
  bool stop;
  unsigned worker_count;
  struct worker workers[];
};

/* Tasks, all with the lock held; it is let go of while they are done. */

static struct slot **slot_of(struct team *team, uint64_t portion) {
  return &team->ring[portion % team->slot_count];
}

/* The worker's last, a new one, or another's: as not all are handed out, there is one. */
static struct slot *take_slot(struct worker *worker) {
  struct team *team = worker->team;
  struct worker *from = worker;
  if (!worker->free && team->slots_used < team->slot_count) return &team->slots[team->slots_used++];
  for (unsigned i = 0; !from->free; i++) from = &team->workers[i];
  struct slot *slot = from->free;
  from->free = slot->next;
  return slot;
}

static void give_slot_back(struct slot *slot) {
  slot->next = slot->worker->free;
  slot->worker->free = slot;
}

static void note_change(struct team *team) {
  if (team->waiting > 0) pthread_cond_broadcast(&team->changed);
}

/* A share of what is left, or what there is when nothing is under way. */
static uint32_t states_to_hand_out(const struct team *team) {
  uint32_t left = team->count - team->next, share = left / (2 * team->worker_count);
  if (team->handed - team->taken == team->slot_count) return 0;
  if (share >= PORTION_MIN) return share < PORTION_MAX ? share : PORTION_MAX;
  return team->handed == team->taken ? left < PORTION_MIN ? left : PORTION_MIN : 0;
}

/* Does one task, if there is any. */
static bool work(struct worker *worker) {
  struct team *team = worker->team;
  uint32_t count = states_to_hand_out(team);
  if (count == 0) return false;
  struct slot *slot = *slot_of(team, team->handed++) = take_slot(worker);
  struct portion *p = &slot->portion;
  slot->done = false;
  slot->worker = worker;
  p->first = team->next;
  p->count = count;
  team->next += count;
  visited_place open = team->open;
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

/* Between two portions, so that nobody waits for one. */
static void prepare(struct team *team) {
  pthread_mutex_unlock(&team->lock);
  store_prepare(&team->visited->store);
  lock_soon(&team->lock);
}

static void *help(void *context) {
  struct worker *worker = context;
  struct team *team = worker->team;
  pthread_mutex_lock(&team->lock);
  while (!team->stop)
    if (work(worker))
      prepare(team);
    else
      wait_for_change(team);
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

/* Beginning and end. */

static bool add_helper(struct team *team, const void *known) {
  struct worker *worker = &team->workers[team->worker_count];
  struct maker *maker = maker_new();
  if (!maker) return false;
  *worker = (struct worker){.team = team, .maker = maker};
  maker_reset(maker, &team->making, store_stride(&team->visited->store));
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
  uint64_t buffer[store_stride(&team->visited->store) / sizeof(uint64_t) + 1];
  const void *known = visited_read(team->visited, visited_find(team->visited, 0), buffer);
  pthread_mutex_lock(&team->lock);
  while (team->worker_count < threads && add_helper(team, known)) continue;
  pthread_mutex_unlock(&team->lock);
  return team->worker_count > 1;
}

static void note_numbers(struct team *team) {
  team->count = team->visited->count;
  team->open = visited_first_open(team->visited);
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
  if (team->lent) give_slot_back(*slot_of(team, team->taken++));
  team->lent = false;
  note_numbers(team);
  note_change(team);
  while (team->taken < team->handed || team->next < team->count) {
    struct slot *slot = *slot_of(team, team->taken);
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
