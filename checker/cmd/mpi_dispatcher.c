/* SPDX-License-Identifier: MIT */
/* Rank 0: its thread answers the other ranks; its own threads take parts as they do. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checker/base/clock.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/part_dispatcher.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/mpi_messages.h"
#include "checker/cmd/mpi_ranks.h"

/* Seconds to the first report, and at most between two; and how long ranks may take
 * to leave. */
static const double FIRST_REPORT = 2, LAST_REPORT = 60, FAREWELL = 10;

struct peer {
  bool waits, told, left; /* for a hand; that it is over; and has said so itself */
  int64_t status;
  char *said;
};

struct dispatcher {
  struct parts_team team;
  pthread_t thread;
  bool started;
  pthread_mutex_t lock;
  pthread_cond_t news;
  struct parts *parts; /* NULL: not yet, or no more */
  struct part_dispatcher *dispatcher;
  bool ending, closing, quiet;
  double start, next, between, closed;
  unsigned count;
  struct peer *peers;
};

/* ---- rank 0's own part of the work ---- */

/* Now and then even without news: what others have had for long is handed out again. */
static void wait_for_news(struct dispatcher *d) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 100 * 1000 * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&d->news, &d->lock, &until);
}

static bool claim(void *context, uint64_t *part) {
  struct dispatcher *d = context;
  size_t count = 0;
  pthread_mutex_lock(&d->lock);
  while (!d->ending && !(count = part_dispatcher_take(d->dispatcher, 0, monotonic_seconds(), part, 1)) &&
         !part_dispatcher_is_over(d->dispatcher) && !tests_interrupted())
    wait_for_news(d);
  pthread_mutex_unlock(&d->lock);
  return count > 0;
}

static bool hand_in(void *context, uint64_t part, const char *text, bool cut) {
  struct dispatcher *d = context;
  parts_hand_in_here(d->parts, part, text, cut); /* may go back to the guard: not under the lock */
  pthread_mutex_lock(&d->lock);
  part_dispatcher_done(d->dispatcher, 0, part);
  pthread_cond_broadcast(&d->news);
  pthread_mutex_unlock(&d->lock);
  return true;
}

static void set_total(void *context, uint64_t total) {
  (void)context;
  (void)total;
}

/* ---- the others ---- */

static void take_result(struct dispatcher *d, const struct mpi_message *m) {
  uint64_t part;
  if (!d->parts) return; /* too late */
  memcpy(&part, m->at, sizeof part);
  bool cut = part & RANKS_CUT;
  part &= ~RANKS_CUT;
  parts_hand_in_here(d->parts, part, m->at + sizeof part, cut);
  part_dispatcher_done(d->dispatcher, m->from, part);
  pthread_cond_broadcast(&d->news);
}

static void take_total(struct dispatcher *d, const struct mpi_message *m) {
  uint64_t total;
  memcpy(&total, m->at, sizeof total);
  if (!d->parts) return;
  parts_set_total_here(d->parts, total);
  pthread_cond_broadcast(&d->news);
}

static void take_leave(struct dispatcher *d, const struct mpi_message *m) {
  struct peer *peer = &d->peers[m->from];
  memcpy(&peer->status, m->at, sizeof peer->status);
  peer->said = strdup(m->at + sizeof peer->status);
  peer->left = true;
  if (d->dispatcher) part_dispatcher_leave(d->dispatcher, m->from);
}

static void take_message(struct dispatcher *d, const struct mpi_message *m) {
  switch (m->tag) {
    case RANKS_ASK:
      d->peers[m->from].waits = true;
      break;
    case RANKS_RESULT:
      take_result(d, m);
      break;
    case RANKS_TOTAL:
      take_total(d, m);
      break;
    case RANKS_LEAVE:
      take_leave(d, m);
      break;
  }
}

static bool give_hand(struct dispatcher *d, unsigned rank) {
  uint64_t hand[1 + DISPATCH_MOST / 2];
  size_t count = part_dispatcher_take(d->dispatcher, rank, monotonic_seconds(), hand + 1, DISPATCH_MOST / 2);
  if (!count) return false;
  hand[0] = parts_total(d->parts);
  mpi_send(rank, RANKS_HAND, hand, (1 + count) * sizeof *hand);
  d->peers[rank].waits = false;
  return true;
}

static bool answer(struct dispatcher *d, unsigned rank) {
  struct peer *peer = &d->peers[rank];
  if (peer->left || peer->told) return false;
  if (!d->ending) return d->parts && peer->waits && give_hand(d, rank);
  mpi_send(rank, RANKS_STOP, "", 0);
  peer->told = true;
  return true;
}

/* After 2 seconds, 4, 8 and so on, then every minute. */
static void report(struct dispatcher *d) {
  double now = monotonic_seconds();
  if (!d->parts || d->quiet || now < d->next) return;
  d->between = 2 * d->between < LAST_REPORT ? 2 * d->between : LAST_REPORT;
  d->next = now + d->between;
  uint64_t total = parts_total(d->parts);
  char of[32] = "";
  if (total != PARTS_UNKNOWN) snprintf(of, sizeof of, " of %" PRIu64, total);
  fprintf(stderr, "litscope: %" PRIu64 "%s parts, %u ranks, %.0f s\n", parts_done(d->parts), of, d->count,
          now - d->start);
}

static bool all_left(const struct dispatcher *d) {
  for (unsigned i = 1; i < d->count; i++)
    if (!d->peers[i].left) return false;
  return true;
}

static void serve(void *context) {
  struct dispatcher *d = context;
  struct mpi_message message = {0};
  unsigned idle = 0;
  for (bool over = false; !over;) {
    bool busy = mpi_poll(&message);
    pthread_mutex_lock(&d->lock);
    if (busy) take_message(d, &message);
    for (unsigned i = 1; i < d->count; i++) busy |= answer(d, i);
    report(d);
    over = d->closing && (all_left(d) || monotonic_seconds() - d->closed > FAREWELL);
    pthread_mutex_unlock(&d->lock);
    if (message.at) free(message.at);
    message.at = NULL;
    if (busy)
      idle = 0;
    else
      monotonic_back_off(&idle);
  }
}

static void *run(void *context) {
  if (!guard_run(serve, context)) mpi_abort(STATUS_LIMIT);
  return NULL;
}

/* ---- its life ---- */

struct dispatcher *dispatcher_new(unsigned ranks) {
  struct dispatcher *d = calloc(1, sizeof *d);
  struct peer *peers = calloc(ranks, sizeof *peers);
  if (!d || !peers) mpi_abort(STATUS_LIMIT);
  *d = (struct dispatcher){.team = {d, claim, hand_in, set_total}, .count = ranks, .peers = peers};
  pthread_mutex_init(&d->lock, NULL);
  pthread_cond_init(&d->news, NULL);
  if (pthread_create(&d->thread, NULL, run, d)) mpi_abort(STATUS_LIMIT);
  return d;
}

const struct parts_team *dispatcher_team(struct dispatcher *d) {
  return &d->team;
}

void dispatcher_begin(struct dispatcher *d, struct parts *parts, bool quiet) {
  struct part_dispatcher *dispatcher = part_dispatcher_new(parts, d->count);
  pthread_mutex_lock(&d->lock);
  d->parts = parts;
  d->dispatcher = dispatcher;
  d->quiet = quiet;
  d->start = monotonic_seconds();
  d->between = FIRST_REPORT;
  d->next = d->start + FIRST_REPORT;
  for (unsigned i = 1; i < d->count; i++)
    if (d->peers[i].left) part_dispatcher_leave(dispatcher, i);
  pthread_mutex_unlock(&d->lock);
}

static void sum_up(const struct dispatcher *d) {
  struct text text = text_new();
  fprintf(text.out, "litscope: %" PRIu64 " parts in %.2f s by %u ranks:", parts_done(d->parts),
          monotonic_seconds() - d->start, d->count);
  for (unsigned i = 0; i < d->count; i++) fprintf(text.out, " %" PRIu64, part_dispatcher_count(d->dispatcher, i));
  text_end(&text);
  fprintf(stderr, "%s\n", text.at);
  text_free(&text);
}

void dispatcher_end(struct dispatcher *d) {
  bool sums = d->parts && !d->quiet;
  pthread_mutex_lock(&d->lock);
  d->ending = true;
  pthread_mutex_unlock(&d->lock);
  if (sums) sum_up(d);
  pthread_mutex_lock(&d->lock);
  d->parts = NULL;
  pthread_mutex_unlock(&d->lock);
}

/* What kept another rank from its work, where that is not what ended this one. */
static void say(const struct dispatcher *d, int status) {
  for (unsigned i = 1; i < d->count; i++) {
    const struct peer *peer = &d->peers[i];
    if (peer->left && peer->status != STATUS_DONE && peer->status != status)
      fprintf(stderr, "litscope: warning: rank %u left with status %d: %s", i, (int)peer->status,
              peer->said && *peer->said ? peer->said : "\n");
  }
}

bool dispatcher_free(struct dispatcher *d, int status) {
  dispatcher_end(d);
  pthread_mutex_lock(&d->lock);
  d->closing = true;
  d->closed = monotonic_seconds();
  pthread_mutex_unlock(&d->lock);
  pthread_join(d->thread, NULL);
  bool all = all_left(d);
  say(d, status);
  for (unsigned i = 0; i < d->count; i++) free(d->peers[i].said);
  if (d->dispatcher) part_dispatcher_free(d->dispatcher);
  pthread_mutex_destroy(&d->lock);
  pthread_cond_destroy(&d->news);
  free(d->peers);
  free(d);
  return all;
}
