/* SPDX-License-Identifier: MIT */
/* States of the machine of near and far atomic operations (amo.h), for its parts:
 * the protocol (amo.c), cores (amo_core.c), words (amo_print.c).
 *
 * A state is an array of cores, one of copies (by core and line), one of homes,
 * and the registers.  What is not in use is zero.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_AMO_STATE_H
#define LITSCOPE_HWSEM_MACHINES_AMO_STATE_H

#include "checker/program/interpreter.h"
#include "hwsem/machines/amo.h"

enum { AMO_CORES = 16, AMO_LINES = 64, AMO_POSTED = 2 };

/* Besides the stages of its thread (interpreter.h): a core's near operation has read,
 * and is to write (near-holds=no). */
enum { STAGE_HALF = THREAD_STAGES };

enum amo_request { REQUEST_NONE, REQUEST_SHARED, REQUEST_UNIQUE, REQUEST_FAR };

/* A request is on its way; a home serves it; the answer is on its way. */
enum amo_phase { PHASE_SENT, PHASE_SERVED, PHASE_ANSWERED };

struct amo_posted {
  int64_t operand;
  uint16_t place; /* its instruction */
  uint8_t line, phase;
  uint8_t zero[4];
};

struct amo_core {
  int64_t held;   /* a value between the accesses of an instruction */
  int64_t answer; /* of the request, when the answer is on its way */
  uint16_t place;
  uint8_t stage;
  uint8_t request, phase, line; /* the one that the core waits for */
  uint8_t alone;                /* the answer is the only copy */
  uint8_t posted;               /* how many of `queue` */
  struct amo_posted queue[AMO_POSTED];
};

struct amo_copy {
  int64_t value;
  uint8_t valid; /* 1 + enum amo_line; 0: no copy */
  uint8_t below; /* in the L2, not in the L1 */
  uint8_t zero[6];
};

struct amo_home {
  int64_t memory;  /* what the last-level cache has */
  int64_t data;    /* of the transaction: what its answer will say */
  uint16_t busy;   /* 1 + core * (AMO_POSTED + 1) + slot of the transaction; slot AMO_POSTED: the core's request */
  uint16_t snoops; /* cores that have not answered */
  uint8_t alone;
  uint8_t zero[3];
};

struct amo {
  const struct program *program;
  const struct observable *observables;
  struct amo_knobs knobs;
  unsigned cores, lines;
  unsigned *line_of;                  /* by location */
  unsigned *location_of;              /* by line */
  unsigned *registers;                /* by core: where its registers begin */
  bool *wanted;                       /* by core and line: an atomic operation of the core may be on the line */
  size_t copies, homes, values, size; /* offsets, in bytes */
};

/* Steps; `agent` is a core, or a line for START; `detail` by step. */
enum amo_step {
  STEP_CORE,     /* detail: enum amo_variant */
  STEP_ARRIVE,   /* the answer of the core's request */
  STEP_START,    /* detail: the transaction, as amo_home.busy */
  STEP_SNOOP,    /* detail: the line */
  STEP_COMPLETE, /* detail: the posted operation that is over */
  STEP_LOWER,    /* from the L1 to the L2; detail: the line */
  STEP_EVICT     /* from the L2 or the L1; detail: the line */
};

enum amo_variant { VARIANT_PLAIN, VARIANT_NEAR, VARIANT_FAR };

/* Parts of a state.  Steps change copies of states; whoever looks at one that is the explorer's changes nothing. */
static inline void *amo_part(const void *state, size_t at) {
  return (char *)(uintptr_t)state + at;
}
static inline struct amo_core *amo_core(const void *state, unsigned core) {
  return (struct amo_core *)amo_part(state, 0) + core;
}
static inline struct amo_copy *amo_copy(const struct amo *amo, const void *state, unsigned core, unsigned line) {
  return (struct amo_copy *)amo_part(state, amo->copies) + core * amo->lines + line;
}
static inline struct amo_home *amo_home(const struct amo *amo, const void *state, unsigned line) {
  return (struct amo_home *)amo_part(state, amo->homes) + line;
}
static inline int64_t *amo_registers(const struct amo *amo, const void *state, unsigned core) {
  return (int64_t *)amo_part(state, amo->values) + amo->registers[core];
}

static inline enum amo_line amo_state(const struct amo_copy *copy) {
  return copy->valid ? (enum amo_line)(copy->valid - 1) : LINE_I;
}
static inline bool amo_unique(const struct amo_copy *copy) {
  return amo_state(copy) == LINE_UC || amo_state(copy) == LINE_UD;
}
static inline void amo_put(struct amo_copy *copy, enum amo_line state, int64_t value) {
  *copy = (struct amo_copy){.value = state == LINE_I ? 0 : value, .valid = (uint8_t)(state == LINE_I ? 0 : state + 1)};
}

/* A core's thread, and what a step has made of it. */
struct thread_run amo_thread(const struct amo *amo, const void *state, unsigned core);
void amo_keep(void *state, unsigned core, const struct thread_run *thread);

/* The instruction that a core is at, or NULL at its end. */
const struct instr *amo_instr(const struct amo *amo, const void *state, unsigned core);

/* The access that it is to make next: what it wants of which line. */
struct amo_access {
  enum access_kind kind;
  int line; /* -1: the instruction is none, or outside of its array */
};
struct amo_access amo_access(const struct amo *amo, const void *state, unsigned core);

/* Is the instruction posted, when it is done far? */
bool amo_posts(const struct amo *amo, const struct instr *instr);

/* May the core begin its next access or fence, as far as what it has posted goes?
 * `posts`: the access would be posted too, and comes after these. */
bool amo_in_order(const struct amo *amo, const void *state, unsigned core, struct amo_access access, bool posts);

/* Makes the access in a cell of the core's cache: the whole of it, or one half. */
void amo_perform(const struct amo *amo, void *state, unsigned core, int64_t *cell);

/* ---- amo_print.c: the members of struct machine for reports ---- */

enum step_kind amo_step_kind(const struct machine *m, struct step step);
void amo_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out);
void amo_print_state(const struct machine *m, const void *state, FILE *out);
void amo_print_lane(const struct machine *m, unsigned lane, FILE *out);
void amo_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to);

#endif
