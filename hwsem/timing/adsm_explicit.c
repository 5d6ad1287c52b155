/* SPDX-License-Identifier: MIT */
/* What a careful programmer copies by hand, without a runtime: an input before the
 * next call, once; an output when the host reads it and a kernel has written it;
 * a cell where only a cell is needed.  The baseline of the paper's Figure 7. */
#include "hwsem/prices/adsm_patterns.h"

enum { OBJECTS = ADSM_PATTERN_OBJECTS };

struct by_hand {
  struct adsm_host host; /* first: patterns know this part */
  enum adsm_pattern pattern;
  struct adsm_cost cost;
  int64_t calls;
  bool whole[OBJECTS];    /* to be copied before the next call */
  int64_t cells[OBJECTS]; /* else so many cells of it */
  bool stale[OBJECTS];    /* a kernel has written it since */
};

static struct by_hand *of_host(struct adsm_host *host) {
  return (struct by_hand *)(void *)host;
}

static void copy(struct by_hand *h, bool up, int64_t bytes) {
  *(up ? &h->cost.up : &h->cost.down) += bytes;
  *(up ? &h->cost.up_time : &h->cost.down_time) += adsm_transfer_time(h->host.p, up, bytes);
}

static void fill(struct by_hand *h, int64_t object, int64_t rate) {
  h->whole[object] = true;
  h->stale[object] = false;
  h->cells[object] = 0;
  h->cost.host_time += h->host.p->s * rate / 1024;
}

static void sweep(struct adsm_host *host, int64_t object, enum adsm_event event) {
  struct by_hand *h = of_host(host);
  if (event == ADSM_WRITE) fill(h, object, host->p->produce);
  if (h->stale[object]) copy(h, false, host->p->s);
  h->stale[object] = false;
}

static void input(struct adsm_host *host, int64_t object) {
  fill(of_host(host), object, host->p->input);
}

static void touch(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event) {
  struct by_hand *h = of_host(host);
  (void)byte;
  if (event == ADSM_WRITE)
    h->cells[object]++;
  else if (h->stale[object])
    copy(h, false, host->p->cell);
}

static void call(struct adsm_host *host) {
  struct by_hand *h = of_host(host);
  h->calls++;
  for (int64_t object = 0; object < adsm_pattern_objects(h->pattern); object++) {
    if (h->whole[object]) copy(h, true, host->p->s);
    for (int64_t i = 0; !h->whole[object] && i < h->cells[object]; i++) copy(h, true, host->p->cell);
    h->whole[object] = false;
    h->cells[object] = 0;
    h->stale[object] |= adsm_pattern_writes(h->pattern, object);
  }
}

static void sync_host(struct adsm_host *host) {
  (void)host;
}

static void forget(struct adsm_host *host) {
  struct by_hand *h = of_host(host);
  h->cost = (struct adsm_cost){0};
  h->calls = 0;
}

struct adsm_cost adsm_explicit_cost(const struct adsm_parameters *p, enum adsm_pattern pattern, int64_t *calls) {
  struct by_hand h = {.host = {p, sweep, input, touch, call, sync_host, forget}, .pattern = pattern};
  adsm_pattern_run(pattern, &h.host);
  *calls = h.calls;
  return h.cost;
}
