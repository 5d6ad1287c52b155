/* SPDX-License-Identifier: MIT */
/* A ring of portions, handed out in order and taken back in order.  One lock guards the
 * ring, held for a few instructions a task; states and successors themselves are read
 * only when the lock has handed them over. */
#include "hwsem/team.h"

#include <pthread.h>
#include <stdlib.h>

/* A portion is so many states for each shard; slots hold the portions under way, enough of them that
 * a thread which the system holds up does not hold up the others at once. */
enum { STATES_A_SHARD = 128, PORTION_MAX = 1024, SLOTS_A_THREAD = 16, SLOTS_MAX = 128, SHARDS_A_THREAD = 2 };

struct slot {
  struct portion portion;
  bool made, failed;
  unsigned looked_up; /* shards that have done so */
};

struct shard {
  uint64_t at; /* the portion that it looks up next */
  uint64_t bytes;
  bool busy;
};

struct helper {
  struct team *team;
  struct maker *maker;
  pthread_t thread;
};

struct team {
  struct making making;
  struct visited *visited;
  struct maker *maker; /* the caller's */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned waiting; /* threads that wait for it */
  struct slot *slots;
  unsigned slot_count;
  uint32_t portion_size;
  struct shard shards[VISITED_SHARDS];
  struct visited_cursor next; /* states not handed out begin here, */
  uint32_t count;             /* and end here */
  uint64_t handed, taken;     /* portions handed out, and of these taken back */
  bool lent;                  /* the caller has portion `taken` */
  bool stop;
  unsigned helper_count;
  struct helper helpers[];
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

/* The shard that is furthest behind among those with something to do; NULL: none. */
static struct shard *find_shard(struct team *team) {
  struct shard *best = NULL;
  for (unsigned i = 0; i < team->visited->shard_count; i++) {
    struct shard *s = &team->shards[i];
    if (!s->busy && s->at < team->handed && slot_of(team, s->at)->made && (!best || s->at < best->at)) best = s;
  }
  return best;
}

static void look_up(struct team *team, struct shard *shard) {
  struct slot *slot = slot_of(team, shard->at);
  unsigned number = (unsigned)(shard - team->shards);
  bool ok = !slot->failed;
  shard->busy = true;
  pthread_mutex_unlock(&team->lock);
  ok = ok && portion_look_up(&slot->portion, team->visited, number);
  uint64_t bytes = store_bytes(&team->visited->shards[number]);
  pthread_mutex_lock(&team->lock);
  shard->busy = false;
  shard->at++;
  shard->bytes = bytes;
  slot->failed |= !ok;
  slot->looked_up++;
  note_change(team);
}

/* A whole portion, or what there is when nothing is under way. */
static uint32_t states_to_hand_out(const struct team *team) {
  uint32_t left = team->count - team->next.next;
  if (team->handed - team->taken == team->slot_count) return 0;
  if (left >= team->portion_size) return team->portion_size;
  return team->handed == team->taken ? left : 0;
}

static void make(struct team *team, struct maker *maker, uint32_t count) {
  struct slot *slot = slot_of(team, team->handed++);
  slot->made = false;
  slot->looked_up = 0;
  bool ok = portion_take(&slot->portion, team->visited, &team->next, count);
  pthread_mutex_unlock(&team->lock);
  if (ok) portion_make(&slot->portion, team->visited, maker);
  pthread_mutex_lock(&team->lock);
  slot->failed = !ok || slot->portion.failed;
  slot->made = true;
  note_change(team);
}

/* Does one task, if there is any. */
static bool work(struct team *team, struct maker *maker) {
  struct shard *shard = find_shard(team);
  uint32_t count;
  if (shard)
    look_up(team, shard);
  else if ((count = states_to_hand_out(team)) > 0)
    make(team, maker, count);
  else
    return false;
  return true;
}

static void wait_for_change(struct team *team) {
  team->waiting++;
  pthread_cond_wait(&team->changed, &team->lock);
  team->waiting--;
}

static void *help(void *context) {
  struct helper *helper = context;
  struct team *team = helper->team;
  pthread_mutex_lock(&team->lock);
  while (!team->stop)
    if (!work(team, helper->maker)) wait_for_change(team);
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

/* Beginning and end. */

static bool add_helper(struct team *team, const void *known) {
  struct helper *helper = &team->helpers[team->helper_count];
  struct maker *maker = maker_new();
  if (!maker) return false;
  *helper = (struct helper){.team = team, .maker = maker};
  maker_reset(maker, &team->making, store_stride(&team->visited->shards[0]));
  maker_remember(maker, team->visited, known);
  if (pthread_create(&helper->thread, NULL, help, helper)) {
    maker_free(maker);
    return false;
  }
  team->helper_count++;
  return true;
}

struct team *team_new(const struct making *making, struct visited *v, struct maker *maker, uint32_t next,
                      unsigned threads) {
  struct team *team = calloc(1, sizeof *team + threads * sizeof *team->helpers);
  unsigned slot_count = threads < SLOTS_MAX / SLOTS_A_THREAD ? SLOTS_A_THREAD * threads : SLOTS_MAX;
  struct slot *slots = calloc(slot_count, sizeof *slots);
  if (!team || !slots) {
    free(team);
    free(slots);
    return NULL;
  }
  team->making = *making;
  team->visited = v;
  team->maker = maker;
  team->slots = slots;
  team->slot_count = slot_count;
  team->portion_size = v->shard_count < PORTION_MAX / STATES_A_SHARD ? STATES_A_SHARD * v->shard_count : PORTION_MAX;
  team->next = visited_cursor_at(v, next);
  team->count = v->count;
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->changed, NULL);
  uint64_t buffer[store_stride(&v->shards[0]) / sizeof(uint64_t) + 1];
  const void *known = visited_read(v, visited_find(v, 0), buffer);
  while (team->helper_count + 1 < threads && add_helper(team, known)) continue;
  if (team->helper_count > 0) return team;
  team_free(team);
  return NULL;
}

void team_free(struct team *team) {
  if (!team) return;
  pthread_mutex_lock(&team->lock);
  team->stop = true;
  pthread_cond_broadcast(&team->changed);
  pthread_mutex_unlock(&team->lock);
  for (unsigned i = 0; i < team->helper_count; i++) {
    pthread_join(team->helpers[i].thread, NULL);
    maker_free(team->helpers[i].maker);
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
  pthread_mutex_lock(&team->lock);
  if (team->lent) team->taken++;
  team->lent = false;
  team->count = team->visited->count;
  note_change(team);
  while (team->taken < team->handed || team->next.next < team->count) {
    struct slot *slot = slot_of(team, team->taken);
    if (team->taken < team->handed && slot->made && slot->looked_up == team->visited->shard_count) {
      p = &slot->portion;
      p->failed |= slot->failed;
      team->lent = true;
      break;
    }
    if (!work(team, team->maker)) wait_for_change(team);
  }
  pthread_mutex_unlock(&team->lock);
  return p;
}

uint64_t team_bytes(struct team *team) {
  pthread_mutex_lock(&team->lock);
  uint64_t bytes = 0;
  for (unsigned i = 0; i < team->visited->shard_count; i++) bytes += team->shards[i].bytes;
  pthread_mutex_unlock(&team->lock);
  return bytes + visited_own_bytes(team->visited);
}
