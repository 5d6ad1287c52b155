/* SPDX-License-Identifier: MIT */
/* The ADSM machine from within: its states as bytes, for adsm.c, which has the steps, and
 * adsm_print.c, which shows them. */
#ifndef LITSCOPE_HWSEM_MACHINES_ADSM_STATE_H
#define LITSCOPE_HWSEM_MACHINES_ADSM_STATE_H

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "checker/program/interpreter.h"
#include "hwsem/machines/adsm.h"

/* Steps. */
enum { STEP_HOST, STEP_KERNEL, STEP_UPLOAD };

struct adsm_unit {
  unsigned object, base, size;
};

struct adsm {
  const struct program *program;
  const struct observable *observables;
  unsigned observable_count;
  struct adsm_machine_options options;
  unsigned unit_count;
  struct adsm_unit *units;
  int *unit_of;             /* by cell; -1: the host's own */
  bool *acquires;           /* by thread, then unit: assigned to a kernel that the thread calls */
  unsigned *first_register; /* by thread: place among all registers */
  unsigned accelerators;    /* on which the program's kernels run and its objects lie: 0 to this one less */
  unsigned calls_room, uploads_room;
  /* Where things lie in a state. */
  size_t host, device, registers, counters, threads, thread_size, dirty, uploads, unit_states;
};

/* Who wants to know what a step does besides its own access; NULL: nobody. */
struct adsm_effects {
  FILE *out;
  const struct adsm_visitor *visitor;
};

/* ---- States as bytes ----------------------------------------------------- */

static inline int64_t get_value(const unsigned char *s, size_t array, unsigned i) {
  int64_t value;
  memcpy(&value, s + array + i * sizeof value, sizeof value);
  return value;
}

static inline int64_t *values_of(const unsigned char *s, size_t array) {
  return (int64_t *)(void *)(uintptr_t)(s + array);
}

static inline void put_value(unsigned char *s, size_t array, unsigned i, int64_t value) {
  memcpy(s + array + i * sizeof value, &value, sizeof value);
}

static inline unsigned get_short(const unsigned char *s, size_t array, unsigned i) {
  uint16_t value;
  memcpy(&value, s + array + i * sizeof value, sizeof value);
  return value;
}

static inline void put_short(unsigned char *s, size_t array, unsigned i, unsigned value) {
  uint16_t small = (uint16_t)value;
  memcpy(s + array + i * sizeof small, &small, sizeof small);
}

/* A list of at most `room` short numbers: its length, then its elements; what is
 * after them is zero. */
static inline unsigned list_count(const unsigned char *s, size_t list) {
  return get_short(s, list, 0);
}
static inline unsigned list_get(const unsigned char *s, size_t list, unsigned i) {
  return get_short(s, list, i + 1);
}

/* How often a value is in it. */
static inline unsigned list_times(const unsigned char *s, size_t list, unsigned value) {
  unsigned times = 0;
  for (unsigned i = 0; i < list_count(s, list); i++) times += list_get(s, list, i) == value;
  return times;
}

static inline void list_push(unsigned char *s, size_t list, unsigned value) {
  unsigned count = list_count(s, list);
  put_short(s, list, count + 1, value);
  put_short(s, list, 0, count + 1);
}

static inline void list_remove(unsigned char *s, size_t list, unsigned at) {
  unsigned count = list_count(s, list);
  assert(at < count);
  for (unsigned i = at; i + 1 < count; i++) put_short(s, list, i + 1, list_get(s, list, i + 1));
  put_short(s, list, count, 0);
  put_short(s, list, 0, count - 1);
}

/* A thread: its instruction; and for each accelerator its running kernel's instruction and
 * its calls (as indices of CALL instructions), the running one first. */
static inline size_t thread_at(const struct adsm *a, unsigned t) {
  return a->threads + t * a->thread_size;
}
static inline size_t kernel_at(const struct adsm *a, unsigned t, unsigned accelerator) {
  return thread_at(a, t) + (1 + (size_t)accelerator * (2 + a->calls_room)) * sizeof(uint16_t);
}
static inline size_t calls_of(const struct adsm *a, unsigned t, unsigned accelerator) {
  return kernel_at(a, t, accelerator) + sizeof(uint16_t);
}
static inline unsigned host_pc(const struct adsm *a, const unsigned char *s, unsigned t) {
  return get_short(s, thread_at(a, t), 0);
}
static inline unsigned kernel_pc(const struct adsm *a, const unsigned char *s, unsigned t, unsigned accelerator) {
  return get_short(s, kernel_at(a, t, accelerator), 0);
}

/* The accelerator that a thread's call uses, or on which an instruction of a kernel's body runs. */
unsigned adsm_accelerator_at(const struct adsm *a, unsigned t, unsigned pc);

/* Is a call of the thread pending? */
static inline bool any_call(const struct adsm *a, const unsigned char *s, unsigned t) {
  for (unsigned i = 0; i < a->accelerators; i++)
    if (list_count(s, calls_of(a, t, i))) return true;
  return false;
}

static inline int64_t get_register(const struct adsm *a, const unsigned char *s, unsigned t, unsigned reg) {
  return get_value(s, a->registers, a->first_register[t] + reg);
}

/* A thread, or its running kernel, at an instruction. */
static inline struct thread_run thread_of(const struct adsm *a, const unsigned char *s, unsigned t, unsigned pc) {
  return (struct thread_run){.program = a->program,
                             .thread = &a->program->threads[t],
                             .registers = values_of(s, a->registers) + a->first_register[t],
                             .place = pc};
}

/* ---- adsm_rules.c, and adsm_visit_step of adsm.h ---- */

/* Does a kernel use the unit?  May the kernel of a call write it? */
bool adsm_uses(const struct adsm *a, unsigned kernel, unsigned u);
bool adsm_may_write(const struct adsm *a, const struct instr *call, unsigned u);

/* The most dirty blocks in a state. */
unsigned adsm_rolling_size(const struct adsm *a, const unsigned char *s);

/* Can thread `t` do this instruction now? */
bool adsm_is_enabled(const struct adsm *a, const unsigned char *s, unsigned t, const struct instr *instr);

void adsm_print_unit(const struct adsm *a, unsigned u, FILE *out);

/* Changes a state by a step. */
void adsm_take_step(const struct adsm *a, unsigned char *s, struct step step, struct adsm_effects *effects);

/* ---- adsm_print.c: members of the machine (machine.h) ---- */

bool adsm_source(const struct machine *m, struct step step, unsigned *thread, unsigned *instr);
void adsm_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out);
void adsm_print_state(const struct machine *m, const void *state, FILE *out);
unsigned adsm_lane_count(const struct adsm *a);
void adsm_print_lane(const struct machine *m, unsigned lane, FILE *out);
void adsm_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
                unsigned *to);

#endif
