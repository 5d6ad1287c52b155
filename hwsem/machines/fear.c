/* SPDX-License-Identifier: MIT */
/* The mutex protocol of FEAR: what each step does to a state, and which steps there
 * are.  Layout and packing of states are in fear_state.h, words in fear_print.c.
 */
#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/machines/fear_state.h"

/* ---- multisets ---- */

static void add_spec(uint8_t *specs, uint8_t spec) {
  int i = 0;
  assert(!specs[FEAR_OPS - 1]);
  while (specs[i] > spec) i++;
  for (uint8_t moved = spec, next; moved; moved = next, i++) {
    next = specs[i];
    specs[i] = moved;
    if (i + 1 == FEAR_OPS) break;
  }
}

static void remove_spec(uint8_t *specs, int i) {
  memmove(&specs[i], &specs[i + 1], (size_t)(FEAR_OPS - 1 - i));
  specs[FEAR_OPS - 1] = 0;
}

/* The same on sets of 16-bit elements, `room` of them. */
static void add(uint16_t *set, int room, uint16_t element) {
  int i = 0;
  assert(room && !set[room - 1]);
  while (i < room && set[i] > element) i++;
  memmove(&set[i + 1], &set[i], (size_t)(room - 1 - i) * sizeof *set);
  set[i] = element;
}

static void drop(uint16_t *set, int room, int i) {
  memmove(&set[i], &set[i + 1], (size_t)(room - 1 - i) * sizeof *set);
  set[room - 1] = 0;
}

/* ---- transitions ------------------------------------------------------------------ */

struct walk {
  const struct fear_protocol *t;
  const struct fear_state *before;
  struct fear_state next; /* to be changed and emitted */
  struct successor_sink *sink;
  uint8_t *bytes;
  size_t size;
};

static struct fear_state *begin(struct walk *w) {
  w->next = *w->before;
  return &w->next;
}

static bool emit(struct walk *w, enum fear_transition code, int agent, uint32_t detail) {
  assert(fear_state_is_sound(w->t, &w->next));
  memset(w->bytes, 0, w->size);
  fear_pack(w->t, &w->next, &(struct packer){.to = w->bytes});
  struct step step = {(uint16_t)code, (uint16_t)agent, detail};
  return w->sink->emit(w->sink, step, w->bytes);
}

/* The operation of requester i takes place on the value `old`. */
static void perform(const struct fear_protocol *t, struct fear_state *s, int i, unsigned old) {
  struct fear_requester *r = &s->requesters[i];
  unsigned address = fear_address_of(t, s, i), mutex = fear_mutex_of(t, address);
  r->olds[r->op++] = (uint8_t)old;
  r->control = IDLE;
  r->stale = r->grant = r->fetch = 0;
  if (t->rules.lut) r->lookup[mutex] = (uint8_t)(1 + address);
  r->cache[address] = (uint8_t)(2 + old);
  add(s->writes, t->total, fear_write_of((unsigned)i, address, old + 1));
  if (!t->rules.piggy) s->releases[mutex]++;
}

/* The requester does without its speculative fetches. */
static void kill_specs(const struct fear_protocol *t, struct fear_requester *r) {
  uint8_t old[FEAR_OPS];
  memcpy(old, r->specs, sizeof old);
  memset(r->specs, 0, sizeof r->specs);
  for (int i = 0; i < FEAR_OPS && old[i]; i++) {
    bool dead = fear_spec_dead(old[i]) || t->rules.discard != FEAR_KEEP;
    if (fear_spec_phase(old[i]) != ARRIVED)
      add_spec(r->specs, fear_spec_of(fear_spec_phase(old[i]), fear_spec_value(old[i]), dead));
  }
}

/* Index of the speculative answer that has arrived, or -1. */
static int find_arrived(const struct fear_requester *r) {
  for (int i = 0; i < FEAR_OPS && r->specs[i]; i++)
    if (fear_spec_phase(r->specs[i]) == ARRIVED) return i;
  return -1;
}

static void issue(const struct fear_protocol *t, struct fear_state *s, int i) {
  struct fear_requester *r = &s->requesters[i];
  r->control = WAIT_GRANT;
  r->request = 1;
  r->stale = 0;
  if (t->rules.spec) add_spec(r->specs, fear_spec_of(TO_L2, fear_address_of(t, s, i), false));
}

static void arrive_request(const struct fear_protocol *t, struct fear_state *s, int i) {
  struct fear_member *m = &s->members[fear_mutex_of(t, fear_address_of(t, s, i))][i % t->rules.K];
  s->requesters[i].request = 0;
  m->queue[m->queued++] = (uint8_t)(1 + i);
}

static void read_spec(struct fear_state *s, int i, int element) {
  struct fear_requester *r = &s->requesters[i];
  uint8_t spec = r->specs[element];
  remove_spec(r->specs, element);
  add_spec(r->specs, fear_spec_of(TO_REQUESTER, s->l2[fear_spec_value(spec)], fear_spec_dead(spec)));
}

static void arrive_spec(const struct fear_protocol *t, struct fear_state *s, int i, int element) {
  struct fear_requester *r = &s->requesters[i];
  uint8_t spec = r->specs[element];
  remove_spec(r->specs, element);
  if (fear_spec_dead(spec) || (r->control != WAIT_GRANT && r->control != WAIT_ANSWER)) return;
  if (r->control == WAIT_ANSWER) {
    perform(t, s, i, fear_spec_value(spec));
    return;
  }
  for (int old; (old = find_arrived(r)) >= 0;) remove_spec(r->specs, old);
  add_spec(r->specs, fear_spec_of(ARRIVED, fear_spec_value(spec), false));
}

/* Mutexes of one ring with equal numbers share a busy wire. */
static unsigned wire_of(const struct fear_protocol *t, unsigned mutex) {
  return mutex / (unsigned)t->rules.rings % (unsigned)t->rules.wires;
}

static bool is_busy(const struct fear_protocol *t, const struct fear_state *s, unsigned mutex) {
  for (int e = 0; e < t->update_room && s->updates[e]; e++) {
    unsigned other = fear_update_mutex(s->updates[e]);
    if (fear_ring_of(t, other) == fear_ring_of(t, mutex) && wire_of(t, other) == wire_of(t, mutex)) return true;
  }
  return false;
}

/* May a member of its ring change a mutex' table? */
static bool can_change(const struct fear_protocol *t, const struct fear_state *s, unsigned mutex, int at) {
  if (t->rules.K == 1) return true;
  return s->stick[fear_ring_of(t, mutex)] == at && (!t->rules.busy || !is_busy(t, s, mutex));
}

static void tell_others(const struct fear_protocol *t, struct fear_state *s, unsigned mutex, int at, unsigned kind,
                        unsigned owner) {
  unsigned K = (unsigned)t->rules.K, from = (unsigned)at;
  if (K > 1) add(s->updates, t->update_room, fear_update_of(mutex, from, (from + 1) % K, kind, owner));
}

static void grant(const struct fear_protocol *t, struct fear_state *s, unsigned mutex, int at) {
  struct fear_member *m = &s->members[mutex][at];
  uint8_t head = m->queue[0];
  memmove(m->queue, m->queue + 1, sizeof m->queue - 1);
  m->queue[--m->queued] = 0;
  s->requesters[head - 1].grant =
      (uint8_t)(GRANTED | (m->mature ? GRANT_MATURE : 0) | (m->last == head ? GRANT_SAME : 0));
  m->available = 0;
  m->last = head;
  tell_others(t, s, mutex, at, ACQUIRED, head);
}

static void receive(const struct fear_protocol *t, struct fear_state *s, int i) {
  struct fear_requester *r = &s->requesters[i];
  unsigned address = fear_address_of(t, s, i);
  bool mature = r->grant & GRANT_MATURE, same = r->grant & GRANT_SAME;
  if (same && r->cache[address] && (!t->rules.lut || r->lookup[fear_mutex_of(t, address)] == 1 + address)) {
    kill_specs(t, r);
    perform(t, s, i, r->cache[address] - 1u);
    return;
  }
  bool speculate = t->rules.spec && (!t->rules.epoch || (mature && !r->stale));
  int arrived = find_arrived(r);
  if (speculate && arrived >= 0) {
    unsigned value = fear_spec_value(r->specs[arrived]);
    remove_spec(r->specs, arrived);
    perform(t, s, i, value);
    return;
  }
  r->control = speculate ? WAIT_ANSWER : WAIT_FETCH;
  r->stale = r->grant = 0;
  if (speculate) return;
  kill_specs(t, r);
  r->fetch = FETCH_TO_L2;
}

static void write_back(const struct fear_protocol *t, struct fear_state *s, int element) {
  uint16_t write = s->writes[element];
  drop(s->writes, t->total, element);
  s->l2[write >> 8 & 7] = (uint8_t)write;
  if (t->rules.piggy) s->releases[fear_mutex_of(t, write >> 8 & 7)]++;
}

static void release(const struct fear_protocol *t, struct fear_state *s, unsigned mutex, int at) {
  struct fear_member *m = &s->members[mutex][at];
  m->releases--;
  m->available = 1;
  m->mature = 0;
  tell_others(t, s, mutex, at, RELEASED, 0);
}

static void move_update(const struct fear_protocol *t, struct fear_state *s, int element) {
  unsigned update = s->updates[element], mutex = fear_update_mutex(update);
  unsigned from = update >> 12 & 7, at = update >> 8 & 7, kind = update >> 7 & 1, owner = update & 0x1f;
  struct fear_member *m = &s->members[mutex][at];
  drop(s->updates, t->update_room, element);
  if (at == from) return;
  m->available = kind == RELEASED;
  if (kind == RELEASED)
    m->mature = 0;
  else
    m->last = (uint8_t)owner;
  add(s->updates, t->update_room, fear_update_of(mutex, from, (at + 1) % (unsigned)t->rules.K, kind, owner));
}

/* The end of an epoch, as requesters and as members see it; true when it changes anything. */
static bool end_epoch_of_requesters(const struct fear_protocol *t, struct fear_state *s) {
  bool changed = false;
  ARRAY_EACH (struct fear_requester, r, s->requesters, t->program.requesters) {
    if (r->control != WAIT_GRANT || r->stale) continue;
    r->stale = 1;
    changed = true;
  }
  return changed;
}

static bool end_epoch_of_members(const struct fear_protocol *t, struct fear_state *s) {
  bool changed = false;
  for (int m = 0; m < t->rules.mutexes; m++)
    for (int at = 0; at < t->rules.K; at++) {
      if (s->members[m][at].mature) continue;
      s->members[m][at].mature = 1;
      changed = true;
    }
  return changed;
}

/* ---- successors --------------------------------------------------------------------- */

static bool may_issue(const struct fear_protocol *t, const struct fear_state *s, int i) {
  const struct fear_requester *r = &s->requesters[i];
  return r->control == IDLE && r->op < t->program.ops[i] && (t->rules.discard != FEAR_DRAIN || !r->specs[0]);
}

static bool walk_specs(struct walk *w, int i) {
  const struct fear_requester *r = &w->before->requesters[i];
  for (int e = 0; e < FEAR_OPS && r->specs[e]; e++) {
    uint8_t spec = r->specs[e];
    if ((e > 0 && r->specs[e - 1] == spec) || fear_spec_phase(spec) == ARRIVED) continue;
    bool reads = fear_spec_phase(spec) == TO_L2;
    if (reads)
      read_spec(begin(w), i, e);
    else
      arrive_spec(w->t, begin(w), i, e);
    if (!emit(w, reads ? SPEC_AT_L2 : SPEC_ARRIVES, i, spec)) return false;
  }
  return true;
}

static bool walk_requester(struct walk *w, int i) {
  const struct fear_requester *r = &w->before->requesters[i];
  if (may_issue(w->t, w->before, i)) {
    issue(w->t, begin(w), i);
    if (!emit(w, ISSUE, i, 0)) return false;
  }
  if (r->request) {
    arrive_request(w->t, begin(w), i);
    if (!emit(w, REQUEST_ARRIVES, i, 0)) return false;
  }
  if (!walk_specs(w, i)) return false;
  if (r->grant) {
    receive(w->t, begin(w), i);
    if (!emit(w, RECEIVE, i, r->grant)) return false;
  }
  if (r->fetch == FETCH_TO_L2) {
    uint8_t value = w->before->l2[fear_address_of(w->t, w->before, i)];
    begin(w)->requesters[i].fetch = (uint8_t)(FETCH_ANSWER + value);
    return emit(w, FETCH_AT_L2, i, 0);
  }
  if (r->fetch >= FETCH_ANSWER) {
    perform(w->t, begin(w), i, r->fetch - (unsigned)FETCH_ANSWER);
    return emit(w, FETCH_ARRIVES, i, r->fetch - (unsigned)FETCH_ANSWER);
  }
  return true;
}

static bool walk_member(struct walk *w, unsigned mutex, int at) {
  const struct fear_member *m = &w->before->members[mutex][at];
  if (!can_change(w->t, w->before, mutex, at)) return true;
  if (m->available && m->queued) {
    grant(w->t, begin(w), mutex, at);
    if (!emit(w, GRANT, at, mutex << 8 | (m->queue[0] - 1u))) return false;
  }
  if (!m->releases) return true;
  release(w->t, begin(w), mutex, at);
  return emit(w, RELEASE, at, mutex << 8);
}

static bool walk_members(struct walk *w) {
  for (int mutex = 0; mutex < w->t->rules.mutexes; mutex++)
    for (int at = 0; at < w->t->rules.K; at++)
      if (!walk_member(w, (unsigned)mutex, at)) return false;
  return true;
}

static bool walk_releases(struct walk *w) {
  int last = w->t->rules.K - 1;
  for (int mutex = 0; mutex < w->t->rules.mutexes; mutex++) {
    if (!w->before->releases[mutex]) continue;
    struct fear_state *next = begin(w);
    next->releases[mutex]--;
    next->members[mutex][last].releases++;
    if (!emit(w, RELEASE_ARRIVES, last, (uint32_t)mutex << 8)) return false;
  }
  return true;
}

static bool walk_messages(struct walk *w) {
  const struct fear_state *s = w->before;
  for (int e = 0; e < w->t->total && s->writes[e]; e++) {
    if (e > 0 && s->writes[e] == s->writes[e - 1]) continue;
    write_back(w->t, begin(w), e);
    if (!emit(w, WRITE_BACK, s->writes[e] >> 12 & 7, s->writes[e])) return false;
  }
  if (!walk_releases(w)) return false;
  for (int e = 0; e < w->t->update_room && s->updates[e]; e++) {
    if (e > 0 && s->updates[e] == s->updates[e - 1]) continue;
    move_update(w->t, begin(w), e);
    if (!emit(w, UPDATE, s->updates[e] >> 8 & 7, s->updates[e])) return false;
  }
  return true;
}

static bool walk_epoch(struct walk *w) {
  enum fear_skew skew = w->t->rules.skew;
  struct fear_state *next = begin(w);
  if (skew == FEAR_TOGETHER) {
    bool requesters = end_epoch_of_requesters(w->t, next), members = end_epoch_of_members(w->t, next);
    return !(requesters || members) || emit(w, TICK, 0, 0);
  }
  if (skew == FEAR_APART) {
    if (end_epoch_of_requesters(w->t, next) && !emit(w, TICK_REQUESTERS, 0, 0)) return false;
    return !end_epoch_of_members(w->t, begin(w)) || emit(w, TICK_MEMBERS, 0, 0);
  }
  bool members = (skew == FEAR_MEMBERS_FIRST) == !next->half;
  if (members)
    end_epoch_of_members(w->t, next);
  else
    end_epoch_of_requesters(w->t, next);
  next->half ^= 1;
  return emit(w, members ? TICK_MEMBERS : TICK_REQUESTERS, 0, 0);
}

static bool walk_stick(struct walk *w) {
  for (int ring = 0; w->t->rules.K > 1 && ring < w->t->rules.rings; ring++) {
    struct fear_state *next = begin(w);
    next->stick[ring] = (uint8_t)((next->stick[ring] + 1) % w->t->rules.K);
    if (!emit(w, ROTATE, next->stick[ring], (uint32_t)ring)) return false;
  }
  return true;
}

static bool walk_successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct fear_protocol *t = m->self;
  struct fear_state before;
  uint8_t bytes[m->state_size];
  fear_unpack(t, state, &before);
  struct walk w = {.t = t, .before = &before, .sink = sink, .bytes = bytes, .size = m->state_size};
  for (int i = 0; i < t->program.requesters; i++)
    if (!walk_requester(&w, i)) return false;
  if (!walk_members(&w) || !walk_messages(&w) || !walk_stick(&w)) return false;
  return !(t->rules.spec && t->rules.epoch) || walk_epoch(&w);
}

/* ---- the rest of the machine ----------------------------------------------------------- */

static void start(const struct machine *m, void *state) {
  const struct fear_protocol *t = m->self;
  struct fear_state s = {0};
  for (int mutex = 0; mutex < t->rules.mutexes; mutex++)
    for (int at = 0; at < t->rules.K; at++) s.members[mutex][at].available = s.members[mutex][at].mature = 1;
  memset(state, 0, m->state_size);
  fear_pack(t, &s, &(struct packer){.to = state});
}

static bool is_final(const struct machine *m, const void *state) {
  const struct fear_protocol *t = m->self;
  struct fear_state s;
  fear_unpack(t, state, &s);
  for (int i = 0; i < t->program.requesters; i++) {
    const struct fear_requester *r = &s.requesters[i];
    if (r->control != IDLE || r->op < t->program.ops[i] || r->specs[0]) return false;
  }
  for (int mutex = 0; mutex < t->rules.mutexes; mutex++) {
    if (s.releases[mutex]) return false;
    for (int at = 0; at < t->rules.K; at++)
      if (s.members[mutex][at].releases) return false;
  }
  return !s.updates[0] && !s.writes[0];
}

/* Have two operations on one address returned the same value? */
static bool has_lost(const struct machine *m, const void *state) {
  const struct fear_protocol *t = m->self;
  struct fear_state s;
  fear_unpack(t, state, &s);
  uint32_t seen[FEAR_ADDRESSES] = {0};
  for (int i = 0; i < t->program.requesters; i++)
    for (int j = 0; j < s.requesters[i].op; j++) {
      uint32_t bit = (uint32_t)1 << s.requesters[i].olds[j], *of = &seen[t->program.address[i][j]];
      if (*of & bit) return true;
      *of |= bit;
    }
  return false;
}

static int64_t observe(const struct machine *m, const void *state, unsigned index) {
  const struct fear_protocol *t = m->self;
  struct fear_state s;
  fear_unpack(t, state, &s);
  int at = (int)index;
  for (int i = 0; i < t->program.requesters; at -= t->program.ops[i++])
    if (at < t->program.ops[i]) return s.requesters[i].olds[at];
  return s.l2[at];
}

static enum step_kind kind_of_step(const struct machine *m, struct step step) {
  (void)m;
  return step.code == ISSUE || step.code == RECEIVE ? STEP_THREAD : STEP_ENVIRONMENT;
}

struct machine *fear_machine_new(struct arena *arena, const struct fear_program *program,
                                 const struct fear_rules *rules, bool until_lost) {
  struct fear_protocol *t = ARENA_MAKE(arena, struct fear_protocol, .program = *program, .rules = *rules);
  for (int i = 0; i < program->requesters; i++) {
    t->total += program->ops[i];
    if (rules->spec) t->spec_room[i] = rules->discard == FEAR_DRAIN ? 1 : program->ops[i];
  }
  if (rules->K > 1) t->update_room = rules->busy ? rules->mutexes : 2 * t->total;
  struct packer measure = {0};
  struct fear_state state = {0};
  fear_pack(t, &state, &measure);
  struct machine *m = ARENA_NEW(arena, struct machine);
  *m = (struct machine){.name = "fear",
                        .state_size = measure.at,
                        .self = t,
                        .initial = start,
                        .successors = walk_successors,
                        .final = until_lost ? has_lost : is_final,
                        .step_kind = kind_of_step,
                        .print_step = fear_print_step,
                        .print_state = fear_print_state,
                        .observable_count = (unsigned)(t->total + program->addresses),
                        .observe = observe};
  return m;
}
