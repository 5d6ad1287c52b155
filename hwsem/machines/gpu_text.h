/* SPDX-License-Identifier: MIT */
/* The GPU's rules as guarded commands (hwsem/guarded_commands.h), for other explorers.
 *
 * Internal to the gpu_text*.c files: names of the state's variables, and the
 * conditions and statements that rules of threads and of the environment share.
 * They say what gpu_rules.h and the files behind it do, variable by variable.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_TEXT_H
#define LITSCOPE_HWSEM_MACHINES_GPU_TEXT_H

#include "hwsem/guarded_commands.h"
#include "hwsem/machines/gpu_state.h"

struct gpu_text {
  struct rules *r;
  const struct gpu *g;
  const char ***names; /* of registers, by thread */
};

/* A cache: the L1 of a work-group or the L2 of a device. */
struct gpu_text_cache {
  const struct cache *cache;
  bool l1;
  unsigned number;
};

static inline struct gpu_text_cache gpu_text_l1(const struct gpu_text *x, unsigned w) {
  return (struct gpu_text_cache){&x->g->l1[w], true, w};
}

static inline struct gpu_text_cache gpu_text_l2(const struct gpu_text *x, unsigned d) {
  return (struct gpu_text_cache){&x->g->l2[d], false, d};
}

/* The rules of a machine that gpu_machine has built, and when its final states
 * meet `wanted`. */
void gpu_write_rules(const struct machine *machine, const struct prop *wanted, struct rules *rules);

/* Does it keep every value by its number in a list? */
bool gpu_has_lists(const struct machine *machine);

/* ---- names ---- */

const char *gpu_name_thread(const struct gpu_text *x, const char *what, unsigned t); /* pc, phase, ... */
const char *gpu_name_register(const struct gpu_text *x, unsigned t, unsigned reg);
const char *gpu_name_memory(const struct gpu_text *x, unsigned line);
const char *gpu_name_local(const struct gpu_text *x, unsigned location);
const char *gpu_name_state(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
const char *gpu_name_value(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
const char *gpu_name_entry(const struct gpu_text *x, struct gpu_text_cache c, unsigned i);
const char *gpu_name_rmw(const struct gpu_text *x, struct gpu_text_cache c); /* holder of LK_rmw */
const char *gpu_name_line_lock(const struct gpu_text *x, unsigned dev, unsigned line);
const char *gpu_name_begun(const struct gpu_text *x, unsigned w);
const char *gpu_name_posted(const struct gpu_text *x, unsigned w, unsigned t);

/* ---- conditions (gpu_text_caches.c) ---- */

const char *gpu_text_in_state(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, enum line_state state);
const char *gpu_text_dirty(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
const char *gpu_text_clean(const struct gpu_text *x, struct gpu_text_cache c); /* no dirty line */
const char *gpu_text_holds(const struct gpu_text *x, struct gpu_text_cache c, unsigned i, unsigned entry);
const char *gpu_text_empty(const struct gpu_text *x, struct gpu_text_cache c); /* nothing is queued */
const char *gpu_text_has_entry(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
const char *gpu_text_has_marker_entry(const struct gpu_text *x, struct gpu_text_cache c);
const char *gpu_text_marked(const struct gpu_text *x, struct gpu_text_cache c, unsigned t); /* t's marker is queued */
const char *gpu_text_full(const struct gpu_text *x, struct gpu_text_cache c);               /* l1-lines */
const char *gpu_text_room(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
const char *gpu_text_readable(const struct gpu_text *x, unsigned dev, unsigned line); /* the L2 has it */
const char *gpu_text_l2_value(const struct gpu_text *x, unsigned dev, unsigned line);

/* Is the lock free for thread t, or t's?  A lock that nobody takes is. */
const char *gpu_text_free(const struct gpu_text *x, struct field lock, const char *name, unsigned t);

/* Have all threads ended? */
const char *gpu_text_finished(const struct gpu_text *x);

/* ---- statements ---- */

void gpu_text_drop(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);
void gpu_text_append(const struct gpu_text *x, struct gpu_text_cache c, unsigned entry);
void gpu_text_remove(const struct gpu_text *x, struct gpu_text_cache c, unsigned i);
void gpu_text_tidy(const struct gpu_text *x, struct gpu_text_cache c);
void gpu_text_invalidate(const struct gpu_text *x, struct gpu_text_cache c);

/* `value` is written to a line of a cache, or of memory where the L2 is memory. */
void gpu_text_write(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, const char *value);
void gpu_text_write_l2(const struct gpu_text *x, unsigned dev, unsigned line, const char *value);

/* Thread t's locks are given back. */
void gpu_text_release_rmw(const struct gpu_text *x, unsigned t);
void gpu_text_release_lines(const struct gpu_text *x, unsigned t);

/* A line has been written back. */
void gpu_text_clean_line(const struct gpu_text *x, struct gpu_text_cache c, unsigned line);

/* Procedures of all caches, before the rules. */
void gpu_text_procedures(const struct gpu_text *x);

/* ---- rules ---- */

void gpu_text_environment(const struct gpu_text *x);                                        /* gpu_text_environment.c */
void gpu_text_thread(const struct gpu_text *x, unsigned t);                                 /* gpu_text_threads.c */
void gpu_text_access(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard); /* gpu_text_access.c */
void gpu_text_meetings(const struct gpu_text *x, unsigned w);

/* ---- steps of threads (gpu_text_steps.c) ---- */

const char *gpu_text_at(const struct gpu_text *x, unsigned t, unsigned pc); /* the thread is there */

/* A rule of thread t's instruction: its name and, where the thread is there, its guard. */
void gpu_text_begin(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard, bool keeps);

/* The rule ends at instruction `pc`, and what can be done at once after it. */
void gpu_text_go_to(const struct gpu_text *x, unsigned t, unsigned pc);
void gpu_text_end(const struct gpu_text *x, unsigned t, unsigned pc);

/* Another thread's LK_rmw keeps t from the L1 of w. */
const char *gpu_text_stalls(const struct gpu_text *x, unsigned w, unsigned t);

#endif
