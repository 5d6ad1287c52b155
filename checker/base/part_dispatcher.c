/* SPDX-License-Identifier: MIT */
/* Handing out parts: a list of what is out, and each rank's speed. The list is short
 * (a few parts a rank), and is searched from its head, where the oldest are. */
#include "checker/base/part_dispatcher.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"

/* Seconds of work in a hand; after which a part is handed out a second time. */
static const double HAND = 0.1, PATIENCE = 2;

struct out {
  uint64_t part;
  unsigned rank;
  double since, patience;
};

struct rank {
  double first; /* when it first asked; < 0: not yet */
  uint64_t done, won;
};

struct part_dispatcher {
  struct parts *parts;
  unsigned rank_count;
  struct rank *ranks;
  struct out *out;
  size_t count, room; /* no more is handed out than there is room for */
};

struct part_dispatcher *part_dispatcher_new(struct parts *parts, unsigned ranks) {
  struct part_dispatcher *dispatcher = guard_must(calloc(1, sizeof *dispatcher));
  *dispatcher = (struct part_dispatcher){
      .parts = parts, .rank_count = ranks, .ranks = guard_must(calloc(ranks, sizeof *dispatcher->ranks))};
  for (unsigned i = 0; i < ranks; i++) dispatcher->ranks[i].first = -1;
  dispatcher->room = 2 * DISPATCH_MOST * (size_t)ranks;
  dispatcher->out = guard_must(malloc(dispatcher->room * sizeof *dispatcher->out));
  return dispatcher;
}

void part_dispatcher_free(struct part_dispatcher *dispatcher) {
  free(dispatcher->ranks);
  free(dispatcher->out);
  free(dispatcher);
}

bool part_dispatcher_is_over(const struct part_dispatcher *dispatcher) {
  uint64_t total = parts_total(dispatcher->parts);
  return total != PARTS_UNKNOWN && parts_done(dispatcher->parts) >= total;
}

uint64_t part_dispatcher_count(const struct part_dispatcher *dispatcher, unsigned rank) {
  return dispatcher->ranks[rank].won;
}

/* ---- what is out ---- */

static void note(struct part_dispatcher *dispatcher, unsigned rank, uint64_t part, double now) {
  dispatcher->out[dispatcher->count++] = (struct out){part, rank, now, PATIENCE};
}

static void forget(struct part_dispatcher *dispatcher, size_t at) {
  memmove(&dispatcher->out[at], &dispatcher->out[at + 1], (--dispatcher->count - at) * sizeof *dispatcher->out);
}

void part_dispatcher_done(struct part_dispatcher *dispatcher, unsigned rank, uint64_t part) {
  dispatcher->ranks[rank].done++;
  for (size_t i = 0; i < dispatcher->count; i++) {
    if (dispatcher->out[i].part != part) continue;
    dispatcher->ranks[rank].won++;
    forget(dispatcher, i);
    return;
  }
}

void part_dispatcher_leave(struct part_dispatcher *dispatcher, unsigned rank) {
  for (size_t i = 0; i < dispatcher->count; i++)
    if (dispatcher->out[i].rank == rank) dispatcher->out[i].patience = 0;
}

/* The part that another rank has had for longest, if that is long; twice as long the
 * next time. */
static bool take_again(struct part_dispatcher *dispatcher, unsigned rank, double now, uint64_t *part) {
  uint64_t total = parts_total(dispatcher->parts);
  struct out *oldest = NULL;
  ARRAY_EACH (struct out, o, dispatcher->out, dispatcher->count) {
    bool wanted = o->part < total && now - o->since >= o->patience && (o->rank != rank || o->patience <= 0);
    if (wanted && (!oldest || o->since < oldest->since)) oldest = o;
  }
  if (!oldest) return false;
  *part = oldest->part;
  *oldest = (struct out){oldest->part, rank, now, oldest->patience > 0 ? 2 * oldest->patience : PATIENCE};
  return true;
}

/* ---- hands ---- */

static size_t hand_of(const struct part_dispatcher *dispatcher, unsigned rank, double now, size_t room) {
  const struct rank *r = &dispatcher->ranks[rank];
  double hand = now > r->first ? (double)r->done / (now - r->first) * HAND : 1;
  uint64_t total = parts_total(dispatcher->parts), known = parts_done(dispatcher->parts) + dispatcher->count;
  uint64_t left = total == PARTS_UNKNOWN ? UINT64_MAX : total > known ? total - known : 0;
  double share = (double)left / (2.0 * dispatcher->rank_count) + 1;
  if (hand > share) hand = share;
  if (hand > (double)room) hand = (double)room;
  return hand < 1 ? 1 : (size_t)hand;
}

size_t part_dispatcher_take(struct part_dispatcher *dispatcher, unsigned rank, double now, uint64_t *taken,
                            size_t room) {
  size_t count = 0;
  if (dispatcher->ranks[rank].first < 0) dispatcher->ranks[rank].first = now;
  if (part_dispatcher_is_over(dispatcher)) return 0;
  for (size_t hand = hand_of(dispatcher, rank, now, room);
       count < hand && dispatcher->count < dispatcher->room && parts_claim_here(dispatcher->parts, &taken[count]);)
    note(dispatcher, rank, taken[count++], now);
  return count ? count : take_again(dispatcher, rank, now, &taken[0]);
}
