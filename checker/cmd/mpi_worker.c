/* SPDX-License-Identifier: MIT */
/* A rank that works: a queue of parts that were handed out to it, and what it has to send.
 * Parts are asked for when half of a hand is left, so that threads do not wait. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/part_dispatcher.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/mpi_messages.h"
#include "checker/cmd/mpi_ranks.h"

/* A message to be sent. */
struct letter {
  struct letter *next;
  int tag;
  size_t size;
  char at[];
};

struct worker {
  struct parts_team team;
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;
  pthread_cond_t news;
  struct parts *parts; /* NULL: none */
  uint64_t hand[DISPATCH_MOST];
  size_t hand_count, hand_next;
  bool asked; /* a hand is on its way */
  bool over;  /* there is no work any more */
  bool leaving;
  struct letter *first, **last;
};

/* ---- from the threads that work ---- */

static void post(struct worker *w, int tag, const void *head, size_t head_size, const char *text) {
  size_t length = text ? strlen(text) : 0;
  struct letter *letter = guard_must(malloc(sizeof *letter + head_size + length));
  *letter = (struct letter){.tag = tag, .size = head_size + length};
  memcpy(letter->at, head, head_size);
  if (length) memcpy(letter->at + head_size, text, length);
  pthread_mutex_lock(&w->lock);
  *w->last = letter;
  w->last = &letter->next;
  pthread_mutex_unlock(&w->lock);
}

static bool claim(void *context, uint64_t *part) {
  struct worker *w = context;
  pthread_mutex_lock(&w->lock);
  while (!w->over && w->hand_next == w->hand_count) pthread_cond_wait(&w->news, &w->lock);
  bool some = w->hand_next < w->hand_count && !w->over;
  if (some) *part = w->hand[w->hand_next++];
  pthread_mutex_unlock(&w->lock);
  return some;
}

static bool hand_in(void *context, uint64_t part, const char *text, bool cut) {
  if (cut) part |= RANKS_CUT;
  post(context, RANKS_RESULT, &part, sizeof part, text);
  return true;
}

static void set_total(void *context, uint64_t total) {
  post(context, RANKS_TOTAL, &total, sizeof total, NULL);
}

/* ---- the thread that sends and receives ---- */

static bool send_all(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  struct letter *letter = w->first;
  w->first = NULL;
  w->last = &w->first;
  pthread_mutex_unlock(&w->lock);
  bool some = letter != NULL;
  for (struct letter *next; letter; letter = next) {
    next = letter->next;
    mpi_send(0, letter->tag, letter->at, letter->size);
    free(letter);
  }
  return some;
}

static void stop(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  bool works = w->parts && !w->over;
  w->over = true;
  pthread_cond_broadcast(&w->news);
  pthread_mutex_unlock(&w->lock);
  if (works) tests_interrupt();
}

/* A hand: how many parts there are, and the numbers of those that this rank gets. */
static void take_hand(struct worker *w, const struct mpi_message *message) {
  uint64_t total;
  memcpy(&total, message->at, sizeof total);
  pthread_mutex_lock(&w->lock);
  if (w->parts && total != PARTS_UNKNOWN) parts_set_total_here(w->parts, total);
  size_t left = w->hand_count - w->hand_next, count = message->size / sizeof total - 1;
  memmove(w->hand, w->hand + w->hand_next, left * sizeof *w->hand);
  if (left + count > DISPATCH_MOST) count = DISPATCH_MOST - left;
  memcpy(w->hand + left, message->at + sizeof total, count * sizeof *w->hand);
  w->hand_next = 0;
  w->hand_count = left + count;
  w->asked = false;
  pthread_cond_broadcast(&w->news);
  pthread_mutex_unlock(&w->lock);
}

static bool ask(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  size_t left = w->hand_count - w->hand_next;
  bool wanted = w->parts && !w->over && !w->asked && 2 * left <= w->hand_count && left <= DISPATCH_MOST / 2;
  if (wanted) w->asked = true;
  pthread_mutex_unlock(&w->lock);
  uint64_t room = DISPATCH_MOST / 2;
  if (wanted) mpi_send(0, RANKS_ASK, &room, sizeof room);
  return wanted;
}

static void communicate(void *context) {
  struct worker *w = context;
  struct mpi_message message;
  bool leaving = false;
  for (unsigned idle = 0; !leaving;) {
    pthread_mutex_lock(&w->lock);
    leaving = w->leaving;
    pthread_mutex_unlock(&w->lock);
    bool sent = send_all(w), asked = ask(w), busy = sent || asked;
    if (mpi_poll(&message)) {
      if (message.tag == RANKS_HAND) take_hand(w, &message);
      if (message.tag == RANKS_STOP) stop(w);
      free(message.at);
      busy = true;
    }
    if (busy)
      idle = 0;
    else if (!leaving)
      monotonic_back_off(&idle);
  }
}

static void *run(void *context) {
  if (!guard_run(communicate, context)) mpi_abort(3);
  return NULL;
}

/* ---- its life ---- */

struct worker *worker_new(void) {
  struct worker *w = calloc(1, sizeof *w);
  if (!w) mpi_abort(3);
  w->team = (struct parts_team){w, claim, hand_in, set_total};
  w->last = &w->first;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->news, NULL);
  w->started = !pthread_create(&w->thread, NULL, run, w);
  return w;
}

const struct parts_team *worker_team(struct worker *w) {
  return &w->team;
}

void worker_begin(struct worker *w, struct parts *parts) {
  pthread_mutex_lock(&w->lock);
  w->parts = parts;
  w->over |= !w->started;
  pthread_mutex_unlock(&w->lock);
}

void worker_end(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  w->parts = NULL;
  w->over = true;
  pthread_mutex_unlock(&w->lock);
}

void worker_free(struct worker *w, int status, const char *said) {
  int64_t own = status;
  post(w, RANKS_LEAVE, &own, sizeof own, said);
  pthread_mutex_lock(&w->lock);
  w->leaving = true;
  pthread_mutex_unlock(&w->lock);
  if (w->started) pthread_join(w->thread, NULL);
  send_all(w);
  pthread_mutex_destroy(&w->lock);
  pthread_cond_destroy(&w->news);
  free(w);
}
