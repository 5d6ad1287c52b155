/* SPDX-License-Identifier: MIT */
/* Dealing parts: a list of what is out, and each rank's speed. The list is short
 * (a few parts a rank), and is searched from its head, where the oldest are. */
#include "checker/base/part_dealer.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/guard.h"

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

struct deal {
  struct parts *parts;
  unsigned rank_count;
  struct rank *ranks;
  struct out *out;
  size_t count, room; /* no more is dealt than there is room for */
};

struct deal *deal_new(struct parts *parts, unsigned ranks) {
  struct deal *deal = guard_must(calloc(1, sizeof *deal));
  *deal = (struct deal){.parts = parts, .rank_count = ranks, .ranks = guard_must(calloc(ranks, sizeof *deal->ranks))};
  for (unsigned i = 0; i < ranks; i++) deal->ranks[i].first = -1;
  deal->room = 2 * DEAL_MOST * (size_t)ranks;
  deal->out = guard_must(malloc(deal->room * sizeof *deal->out));
  return deal;
}

void deal_free(struct deal *deal) {
  free(deal->ranks);
  free(deal->out);
  free(deal);
}

bool deal_is_over(const struct deal *deal) {
  uint64_t total = parts_total(deal->parts);
  return total != PARTS_UNKNOWN && parts_done(deal->parts) >= total;
}

uint64_t deal_count(const struct deal *deal, unsigned rank) {
  return deal->ranks[rank].won;
}

/* ---- what is out ---- */

static void note(struct deal *deal, unsigned rank, uint64_t part, double now) {
  deal->out[deal->count++] = (struct out){part, rank, now, PATIENCE};
}

static void forget(struct deal *deal, size_t at) {
  memmove(&deal->out[at], &deal->out[at + 1], (--deal->count - at) * sizeof *deal->out);
}

void deal_done(struct deal *deal, unsigned rank, uint64_t part) {
  deal->ranks[rank].done++;
  for (size_t i = 0; i < deal->count; i++) {
    if (deal->out[i].part != part) continue;
    deal->ranks[rank].won++;
    forget(deal, i);
    return;
  }
}

void deal_leave(struct deal *deal, unsigned rank) {
  for (size_t i = 0; i < deal->count; i++)
    if (deal->out[i].rank == rank) deal->out[i].patience = 0;
}

/* The part that another rank has had for longest, if that is long; twice as long the
 * next time. */
static bool take_again(struct deal *deal, unsigned rank, double now, uint64_t *part) {
  uint64_t total = parts_total(deal->parts);
  struct out *oldest = NULL;
  for (size_t i = 0; i < deal->count; i++) {
    struct out *o = &deal->out[i];
    bool wanted = o->part < total && now - o->since >= o->patience && (o->rank != rank || o->patience <= 0);
    if (wanted && (!oldest || o->since < oldest->since)) oldest = o;
  }
  if (!oldest) return false;
  *part = oldest->part;
  *oldest = (struct out){oldest->part, rank, now, oldest->patience > 0 ? 2 * oldest->patience : PATIENCE};
  return true;
}

/* ---- hands ---- */

static size_t hand_of(const struct deal *deal, unsigned rank, double now, size_t room) {
  const struct rank *r = &deal->ranks[rank];
  double hand = now > r->first ? (double)r->done / (now - r->first) * HAND : 1;
  uint64_t total = parts_total(deal->parts), known = parts_done(deal->parts) + deal->count;
  uint64_t left = total == PARTS_UNKNOWN ? UINT64_MAX : total > known ? total - known : 0;
  double share = (double)left / (2.0 * deal->rank_count) + 1;
  if (hand > share) hand = share;
  if (hand > (double)room) hand = (double)room;
  return hand < 1 ? 1 : (size_t)hand;
}

size_t deal_take(struct deal *deal, unsigned rank, double now, uint64_t *taken, size_t room) {
  size_t count = 0;
  if (deal->ranks[rank].first < 0) deal->ranks[rank].first = now;
  if (deal_is_over(deal)) return 0;
  for (size_t hand = hand_of(deal, rank, now, room);
       count < hand && deal->count < deal->room && parts_claim_here(deal->parts, &taken[count]);)
    note(deal, rank, taken[count++], now);
  return count ? count : take_again(deal, rank, now, &taken[0]);
}
