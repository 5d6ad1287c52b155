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
