/* SPDX-License-Identifier: MIT */
/* The machine of FEAR's mutex protocol (fear.h) from within, for its parts: the
 * protocol (fear.c), states as bytes (fear_state.c), words (fear_print.c).
 *
 * States are structs of bytes while they are worked on, and packed to what the
 * program needs in between.  Multisets are arrays in descending order, ended by
 * zeros, so that equal states are equal bytes.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_FEAR_STATE_H
#define LITSCOPE_HWSEM_MACHINES_FEAR_STATE_H

#include "hwsem/machines/fear.h"
#include "hwsem/machines/packer.h"

enum { FEAR_UPDATES = 2 * FEAR_TOTAL_OPS };

enum fear_control { IDLE, WAIT_GRANT, WAIT_ANSWER, WAIT_FETCH };
enum fear_phase { TO_L2 = 1, TO_REQUESTER, ARRIVED };
enum { FETCH_TO_L2 = 1, FETCH_ANSWER = 2 }; /* FETCH_ANSWER + v travels back */
enum { GRANTED = 1, GRANT_MATURE = 2, GRANT_SAME = 4 };
enum { ACQUIRED, RELEASED };

struct fear_requester {
  uint8_t control, op;
  uint8_t request;                /* on its way to the member */
  uint8_t stale;                  /* an epoch has ended since the request */
  uint8_t grant;                  /* on its way to the requester: a set of flags */
  uint8_t fetch;                  /* under way: see above */
  uint8_t lookup[FEAR_ADDRESSES]; /* by mutex: 1 + the address of the cached data; 0: none */
  uint8_t cache[FEAR_ADDRESSES];  /* 1 + value; 0: none */
  uint8_t olds[FEAR_OPS];         /* what the operations returned */
  uint8_t specs[FEAR_OPS];        /* speculative fetches, a multiset: see fear_spec_of */
};

/* What a member of a ring keeps of one mutex. */
struct fear_member {
  uint8_t available, last, mature; /* last: 1 + requester; 0: none */
  uint8_t releases;                /* that have arrived and wait */
  uint8_t queued;
  uint8_t queue[FEAR_REQUESTERS]; /* 1 + requester */
};

struct fear_state {
  struct fear_requester requesters[FEAR_REQUESTERS];
  struct fear_member members[FEAR_ADDRESSES][FEAR_MEMBERS]; /* by mutex */
  uint8_t stick[FEAR_ADDRESSES];                            /* by ring */
  uint8_t half;                                             /* an epoch's end has been seen by one side */
  uint8_t releases[FEAR_ADDRESSES];                         /* by mutex: on their way to the last member */
  uint8_t l2[FEAR_ADDRESSES];
  uint16_t updates[FEAR_UPDATES];  /* of the table, a multiset: see fear_update_of */
  uint16_t writes[FEAR_TOTAL_OPS]; /* write-backs, a multiset: see fear_write_of */
};

struct fear_protocol {
  struct fear_program program;
  struct fear_rules rules;
  int total; /* operations */
  int spec_room[FEAR_REQUESTERS], update_room;
};

/* The codes of steps. */
enum fear_transition {
  ISSUE,
  REQUEST_ARRIVES,
  SPEC_AT_L2,
  SPEC_ARRIVES,
  GRANT,
  RECEIVE,
  FETCH_AT_L2,
  FETCH_ARRIVES,
  WRITE_BACK,
  RELEASE_ARRIVES,
  RELEASE,
  UPDATE,
  ROTATE,
  TICK,
  TICK_REQUESTERS,
  TICK_MEMBERS
};

/* ---- elements of the multisets, never zero ---- */

static inline uint8_t fear_spec_of(enum fear_phase phase, unsigned value, bool dead) {
  return (uint8_t)((unsigned)phase << 6 | (unsigned)dead << 5 | value);
}

static inline enum fear_phase fear_spec_phase(uint8_t spec) {
  return (enum fear_phase)(spec >> 6);
}

static inline bool fear_spec_dead(uint8_t spec) {
  return spec >> 5 & 1;
}

static inline unsigned fear_spec_value(uint8_t spec) {
  return spec & 31;
}

/* Of a table: member `from` tells the others, `at` is next.  The owner: 1 + requester. */
static inline uint16_t fear_update_of(unsigned mutex, unsigned from, unsigned at, unsigned kind, unsigned owner) {
  return (uint16_t)(0x8000u | from << 12 | at << 8 | kind << 7 | mutex << 5 | owner);
}

static inline unsigned fear_update_mutex(unsigned update) {
  return update >> 5 & 3;
}

static inline uint16_t fear_write_of(unsigned requester, unsigned address, unsigned value) {
  return (uint16_t)(0x8000u | requester << 12 | address << 8 | value);
}

/* ---- states ---- */

/* The address of the operation that requester i is at. */
static inline unsigned fear_address_of(const struct fear_protocol *t, const struct fear_state *s, int i) {
  return t->program.address[i][s->requesters[i].op];
}

static inline unsigned fear_mutex_of(const struct fear_protocol *t, unsigned address) {
  return address % (unsigned)t->rules.mutexes;
}

static inline unsigned fear_ring_of(const struct fear_protocol *t, unsigned mutex) {
  return mutex % (unsigned)t->rules.rings;
}

/* Walks over what the program uses of a state: packs it, or only measures. */
void fear_pack(const struct fear_protocol *t, struct fear_state *s, struct packer *p);

/* The state of these bytes; what the program does not use is zero. */
void fear_unpack(const struct fear_protocol *t, const void *bytes, struct fear_state *s);

/* What holds of every state, whatever the rules: asserted on each that a step leads to, where
 * assertions are compiled in. */
bool fear_state_is_sound(const struct fear_protocol *t, const struct fear_state *s);

/* ---- words (fear_print.c), for struct machine ---- */

void fear_print_step(const struct machine *m, struct step step, const void *before_bytes, const void *after_bytes,
                     FILE *out);
void fear_print_state(const struct machine *m, const void *bytes, FILE *out);

#endif
