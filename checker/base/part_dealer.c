/* SPDX-License-Identifier: MIT */
/* Dealing parts: a list of what is out, and each rank's speed. The list is short
 * (a few parts a rank), and is searched from its head, where the oldest are. */
#include "checker/base/part_dealer.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"

/* Seconds of work in a hand; after which a part is dealt a second time. */
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

struct part_dealer {
  struct parts *parts;
  unsigned rank_count;
  struct rank *ranks;
  struct out *out;
  size_t count, room; /* no more is dealt than there is room for */
};

struct part_dealer *part_dealer_new(struct parts *parts, unsigned ranks) {
  struct part_dealer *dealer = guard_must(calloc(1, sizeof *dealer));
  *dealer = (struct part_dealer){
      .parts = parts, .rank_count = ranks, .ranks = guard_must(calloc(ranks, sizeof *dealer->ranks))};
  for (unsigned i = 0; i < ranks; i++) dealer->ranks[i].first = -1;
  dealer->room = 2 * DEAL_MOST * (size_t)ranks;
  dealer->out = guard_must(malloc(dealer->room * sizeof *dealer->out));
  return dealer;
}

void part_dealer_free(struct part_dealer *dealer) {
  free(dealer->ranks);
  free(dealer->out);
  free(dealer);
}

bool part_dealer_is_over(const struct part_dealer *dealer) {
  uint64_t total = parts_total(dealer->parts);
  return total != PARTS_UNKNOWN && parts_done(dealer->parts) >= total;
}

uint64_t part_dealer_count(const struct part_dealer *dealer, unsigned rank) {
  return dealer->ranks[rank].won;
}

/* ---- what is out ---- */

static void note(struct part_dealer *dealer, unsigned rank, uint64_t part, double now) {
  dealer->out[dealer->count++] = (struct out){part, rank, now, PATIENCE};
}

static void forget(struct part_dealer *dealer, size_t at) {
  memmove(&dealer->out[at], &dealer->out[at + 1], (--dealer->count - at) * sizeof *dealer->out);
}

void part_dealer_done(struct part_dealer *dealer, unsigned rank, uint64_t part) {
  dealer->ranks[rank].done++;
  for (size_t i = 0; i < dealer->count; i++) {
    if (dealer->out[i].part != part) continue;
    dealer->ranks[rank].won++;
    forget(dealer, i);
    return;
  }
}

void part_dealer_leave(struct part_dealer *dealer, unsigned rank) {
  for (size_t i = 0; i < dealer->count; i++)
    if (dealer->out[i].rank == rank) dealer->out[i].patience = 0;
}

/* The part that another rank has had for longest, if that is long; twice as long the
 * next time. */
static bool take_again(struct part_dealer *dealer, unsigned rank, double now, uint64_t *part) {
  uint64_t total = parts_total(dealer->parts);
  struct out *oldest = NULL;
  for (size_t i = 0; i < dealer->count; i++) {
    struct out *o = &dealer->out[i];
    bool wanted = o->part < total && now - o->since >= o->patience && (o->rank != rank || o->patience <= 0);
    if (wanted && (!oldest || o->since < oldest->since)) oldest = o;
  }
  if (!oldest) return false;
  *part = oldest->part;
  *oldest = (struct out){oldest->part, rank, now, oldest->patience > 0 ? 2 * oldest->patience : PATIENCE};
  return true;
}

/* ---- hands ---- */

static size_t hand_of(const struct part_dealer *dealer, unsigned rank, double now, size_t room) {
  const struct rank *r = &dealer->ranks[rank];
  double hand = now > r->first ? (double)r->done / (now - r->first) * HAND : 1;
  uint64_t total = parts_total(dealer->parts), known = parts_done(dealer->parts) + dealer->count;
  uint64_t left = total == PARTS_UNKNOWN ? UINT64_MAX : total > known ? total - known : 0;
  double share = (double)left / (2.0 * dealer->rank_count) + 1;
  if (hand > share) hand = share;
  if (hand > (double)room) hand = (double)room;
  return hand < 1 ? 1 : (size_t)hand;
}

size_t part_dealer_take(struct part_dealer *dealer, unsigned rank, double now, uint64_t *taken, size_t room) {
  size_t count = 0;
  if (dealer->ranks[rank].first < 0) dealer->ranks[rank].first = now;
  if (part_dealer_is_over(dealer)) return 0;
  for (size_t hand = hand_of(dealer, rank, now, room);
       count < hand && dealer->count < dealer->room && parts_claim_here(dealer->parts, &taken[count]);)
    note(dealer, rank, taken[count++], now);
  return count ? count : take_again(dealer, rank, now, &taken[0]);
}
