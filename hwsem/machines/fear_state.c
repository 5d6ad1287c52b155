/* SPDX-License-Identifier: MIT */
/* States of FEAR's mutex protocol as bytes, one way and back: requesters, members
 * and multisets only as far as the program and the rules use them. */
#include "hwsem/machines/fear_state.h"

void fear_pack(const struct fear_protocol *t, struct fear_state *s, struct packer *p) {
  size_t addresses = (size_t)t->program.addresses;
  for (int i = 0; i < t->program.requesters; i++) {
    struct fear_requester *r = &s->requesters[i];
    pack(p, r, offsetof(struct fear_requester, lookup));
    pack(p, r->lookup, (size_t)t->rules.mutexes);
    pack(p, r->cache, addresses);
    pack(p, r->olds, (size_t)t->program.ops[i]);
    pack(p, r->specs, (size_t)t->spec_room[i]);
  }
  for (int m = 0; m < t->rules.mutexes; m++)
    for (int at = 0; at < t->rules.K; at++)
      pack(p, &s->members[m][at], offsetof(struct fear_member, queue) + (size_t)t->program.requesters);
  pack(p, s->stick, (size_t)t->rules.rings);
  pack(p, &s->half, 1);
  pack(p, s->releases, (size_t)t->rules.mutexes);
  pack(p, s->l2, addresses);
  pack(p, s->updates, (size_t)t->update_room * sizeof *s->updates);
  pack(p, s->writes, (size_t)t->total * sizeof *s->writes);
}

void fear_unpack(const struct fear_protocol *t, const void *bytes, struct fear_state *s) {
  memset(s, 0, sizeof *s);
  fear_pack(t, s, &(struct packer){.from = bytes});
}

/* ---- what holds of every state ---- */

/* Descending, and zeros at the end. */
static bool specs_are_sound(const struct fear_protocol *t, const struct fear_requester *r, int i) {
  for (int e = 0; e < FEAR_OPS; e++) {
    if (e >= t->spec_room[i] && r->specs[e]) return false;
    if (e > 0 && r->specs[e] > r->specs[e - 1]) return false;
  }
  return true;
}

static bool is_multiset(const uint16_t *set, int room) {
  for (int e = 1; e < room; e++)
    if (set[e] > set[e - 1]) return false;
  return true;
}

/* In how many queues a requester waits. */
static int times_queued(const struct fear_protocol *t, const struct fear_state *s, int i) {
  int times = 0;
  for (int m = 0; m < t->rules.mutexes; m++)
    for (int at = 0; at < t->rules.K; at++)
      for (int q = 0; q < s->members[m][at].queued; q++) times += s->members[m][at].queue[q] == 1 + i;
  return times;
}

/* A requester that waits for its grant has a request on its way, or in one queue, or the grant is on
 * its way; and a fetch is under way for one that waits for it. */
static bool requester_is_sound(const struct fear_protocol *t, const struct fear_state *s, int i) {
  const struct fear_requester *r = &s->requesters[i];
  bool waits = r->control == WAIT_GRANT;
  if (r->control > WAIT_FETCH || r->op > t->program.ops[i] || r->request > 1) return false;
  if (r->control != IDLE && r->op == t->program.ops[i]) return false;
  if ((r->request != 0) + (r->grant != 0) + times_queued(t, s, i) != waits) return false;
  return (r->fetch != 0) == (r->control == WAIT_FETCH) && (waits || !r->stale) && specs_are_sound(t, r, i);
}

static bool queue_is_sound(const struct fear_protocol *t, const struct fear_member *m) {
  if (m->queued > t->program.requesters || m->last > t->program.requesters) return false;
  for (int q = 0; q < FEAR_REQUESTERS; q++)
    if ((m->queue[q] != 0) != (q < m->queued)) return false;
  return true;
}

bool fear_state_is_sound(const struct fear_protocol *t, const struct fear_state *s) {
  for (int i = 0; i < t->program.requesters; i++)
    if (!requester_is_sound(t, s, i)) return false;
  for (int m = 0; m < t->rules.mutexes; m++)
    for (int at = 0; at < t->rules.K; at++)
      if (!queue_is_sound(t, &s->members[m][at])) return false;
  for (int ring = 0; ring < t->rules.rings; ring++)
    if (s->stick[ring] >= t->rules.K) return false;
  return is_multiset(s->updates, t->update_room) && is_multiset(s->writes, t->total);
}
