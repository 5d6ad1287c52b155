/* SPDX-License-Identifier: MIT */
/* The layout of the AMD machine's states, for the files that make,
 * observe and print them.
 *
 * A state is a row of 32-bit words: for each thread its node, the slots that
 * are done and the slots' values; a queue for each compute unit and location;
 * lines of caches; memory.  Words that say nothing are zero.  Values take a word
 * each, or two where some location has 64 bits.
 */
#ifndef LITSCOPE_HWSEM_AMD_STATE_H
#define LITSCOPE_HWSEM_AMD_STATE_H

#include "hwsem/amd/machine.h"

enum { AMD_THREADS = 16, AMD_NOWHERE = 0xffff };

enum amd_step_code {
  AMD_STEP_THREAD,
  AMD_STEP_SERVE,
  AMD_STEP_LOCAL,
  AMD_STEP_SCALAR,
  AMD_STEP_OPEN,
  AMD_STEP_WRITE_BACK,
  AMD_STEP_FETCH0,
  AMD_STEP_FETCH1,
  AMD_STEP_FETCH2,
  AMD_STEP_FETCH_SCALAR,
  AMD_STEP_EVICT0,
  AMD_STEP_EVICT1,
  AMD_STEP_EVICT2,
  AMD_STEP_EVICT_SCALAR
};

/* Kinds of caches, as the codes of steps have them; of scalar caches each compute unit has one. */
enum amd_kind { KIND_L0, KIND_GL1, KIND_L2, KIND_SCALAR, AMD_KINDS };

enum amd_line { AMD_ABSENT, AMD_CLEAN, AMD_DIRTY };

struct amd {
  const struct amd_program *program;
  struct amd_knobs knobs;
  struct amd_observables observables;

  unsigned threads, locations, cus, arrays, l2s, groups;
  unsigned width;                /* words of a value */
  bool gl1, scalars;             /* has GL1; has loads through scalar caches */
  bool fronted;                  /* there are caches of kind L2, in front of memory */
  unsigned caches[AMD_KINDS];    /* how many have lines: one L2 is the memory */
  unsigned cu[AMD_THREADS];      /* of each thread */
  unsigned array[AMD_THREADS];   /* of each compute unit */
  unsigned l2[AMD_THREADS];      /* of each compute unit */
  unsigned home[AMD_LOCATIONS];  /* the L2 that a location's memory belongs to; AMD_NOWHERE: none */
  bool marked[AMD_LOCATIONS];    /* write-backs pass its queue: not that of an array's cell that no thread touches */
  unsigned shown[AMD_LOCATIONS]; /* the work-group whose local memory shows a local location */

  /* Positions of words. */
  unsigned node[AMD_THREADS], done[AMD_THREADS], done_words[AMD_THREADS], value[AMD_THREADS], arrived, hazard;
  unsigned queue[AMD_THREADS * AMD_LOCATIONS], room[AMD_THREADS * AMD_LOCATIONS]; /* by compute unit and location */
  unsigned lines[AMD_KINDS], memory, local; /* lines: a word for the state, then the value */
  unsigned words;
};

/* A request in a queue: its thread and slot, never 0. */
static inline int32_t amd_request(unsigned thread, unsigned slot) {
  return (int32_t)(thread << 8 | slot) + 1;
}
static inline unsigned amd_request_thread(int32_t request) {
  return (unsigned)(request - 1) >> 8;
}
static inline unsigned amd_request_slot(int32_t request) {
  return (unsigned)(request - 1) & 0xff;
}

static inline int32_t *amd_line_at(const struct amd *m, int32_t *s, enum amd_kind kind, unsigned cache, unsigned x) {
  return s + m->lines[kind] + (1 + m->width) * (cache * m->locations + x);
}
static inline int32_t *amd_l0(const struct amd *m, int32_t *s, unsigned cu, unsigned x) {
  return amd_line_at(m, s, KIND_L0, cu, x);
}
static inline int32_t *amd_l1(const struct amd *m, int32_t *s, unsigned array, unsigned x) {
  return amd_line_at(m, s, KIND_GL1, array, x);
}
static inline int32_t *amd_l2_line(const struct amd *m, int32_t *s, unsigned l2, unsigned x) {
  return amd_line_at(m, s, KIND_L2, l2, x);
}
static inline int32_t *amd_scalar_line(const struct amd *m, int32_t *s, unsigned cu, unsigned x) {
  return amd_line_at(m, s, KIND_SCALAR, cu, x);
}
static inline int32_t *amd_memory(const struct amd *m, int32_t *s, unsigned x) {
  return s + m->memory + m->width * x;
}
static inline int32_t *amd_local(const struct amd *m, int32_t *s, unsigned wg, unsigned x) {
  return s + m->local + m->width * (wg * m->locations + x);
}
static inline int32_t *amd_queue(const struct amd *m, int32_t *s, unsigned cu, unsigned x) {
  return s + m->queue[cu * m->locations + x];
}

static inline const struct amd_node *amd_node_of(const struct amd *m, const int32_t *s, unsigned t) {
  return &m->program->threads[t].tree->nodes[s[m->node[t]]];
}

/* The node that issued a slot, on the path of its thread. */
static inline const struct amd_node *amd_slot_node(const struct amd *m, const int32_t *s, unsigned t, unsigned slot) {
  const struct amd_node *here = amd_node_of(m, s, t);
  return &m->program->threads[t].tree->nodes[here->by_slot[slot]];
}

/* The same of a request in a queue. */
static inline const struct amd_node *amd_request_node(const struct amd *m, const int32_t *s, int32_t request) {
  return amd_slot_node(m, s, amd_request_thread(request), amd_request_slot(request));
}

static inline bool amd_queue_is_empty(const struct amd *m, int32_t *s, unsigned cu, unsigned x) {
  return !m->room[cu * m->locations + x] || !amd_queue(m, s, cu, x)[0];
}

/* Slots that are done; those that are issued and not done. */
static inline amd_slot_set amd_done(const struct amd *m, const int32_t *s, unsigned t) {
  const int32_t *at = s + m->done[t];
  amd_slot_set done = (uint32_t)at[0];
  for (unsigned k = 1; k < m->done_words[t]; k++) done |= (amd_slot_set)(uint32_t)at[k] << 32 * k;
  return done;
}
static inline void amd_set_done(const struct amd *m, int32_t *s, unsigned t, amd_slot_set done) {
  for (unsigned k = 0; k < m->done_words[t]; k++) s[m->done[t] + k] = (int32_t)(done >> 32 * k);
}
static inline amd_slot_set amd_outstanding(const struct amd *m, const int32_t *s, unsigned t) {
  unsigned slots = amd_node_of(m, s, t)->slots;
  if (m->done_words[t] == 1) return (((uint64_t)1 << slots) - 1) & ~(uint64_t)(uint32_t)s[m->done[t]]; /* mostly so */
  return amd_first_slots(slots) & ~amd_done(m, s, t);
}

static inline bool amd_ended(const struct amd *m, const int32_t *s, unsigned t) {
  return amd_node_of(m, s, t)->kind == AMD_NODE_END;
}

static inline bool amd_has_arrived(const struct amd *m, const int32_t *s, unsigned t) {
  return s[m->arrived] >> t & 1;
}

/* Are there L2s with lines of their own in front of memory, or what is to the machine the same, L0s of WGPs?  One L2 is
 * the memory. */
static inline bool amd_several(const struct amd *m) {
  return m->fronted;
}

/* Values, of one word or two. */
static inline int64_t amd_get(const struct amd *m, const int32_t *at) {
  return m->width == 1 ? at[0] : (int64_t)((uint64_t)(uint32_t)at[1] << 32 | (uint32_t)at[0]);
}
static inline void amd_put(const struct amd *m, int32_t *at, int64_t value) {
  at[0] = (int32_t)value;
  if (m->width == 2) at[1] = (int32_t)(value >> 32);
}
static inline int64_t amd_written(const struct amd *m, const int32_t *s, unsigned t, const struct amd_words *words) {
  return amd_words_value(words, s + m->value[t], m->width);
}

/* What a store leaves where `old` was. */
static inline int64_t amd_stored(const struct amd *m, const int32_t *s, unsigned t, const struct amd_node *node,
                                 int64_t old) {
  int64_t value = amd_written(m, s, t, &node->data);
  if (!node->kept) return value;
  value |= (int64_t)((uint64_t)old & node->kept);
  return node->data.word[1] ? value : (int32_t)value;
}

static inline int64_t amd_line_value(const struct amd *m, const int32_t *line) {
  return amd_get(m, line + 1);
}
static inline void amd_set_line(const struct amd *m, int32_t *line, enum amd_line state, int64_t value) {
  line[0] = (int32_t)state;
  amd_put(m, line + 1, state == AMD_ABSENT ? 0 : value);
}

static inline void amd_drop_clean(const struct amd *m, int32_t *line) {
  if (line[0] == AMD_CLEAN) amd_set_line(m, line, AMD_ABSENT, 0);
}

/* ---- what is seen (observe.c) ---- */

/* Has a hazard ended the run? */
bool amd_hazard_ends(const struct amd *m, const int32_t *s);
int64_t amd_observe(const struct machine *machine, const void *state, unsigned i);

/* ---- for people (print.c) ---- */

enum step_kind amd_step_kind(const struct machine *machine, struct step step);
void amd_print_step(const struct machine *machine, struct step step, const void *before, const void *after, FILE *out);
void amd_print_state(const struct machine *machine, const void *state, FILE *out);
void amd_print_lane(const struct machine *machine, unsigned lane, FILE *out);
void amd_route(const struct machine *machine, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to);
unsigned amd_lane_count(const struct amd *m);
void amd_print_fault(const struct machine *machine, int64_t value, FILE *out);

#endif
