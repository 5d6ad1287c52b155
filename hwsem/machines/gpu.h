/* SPDX-License-Identifier: MIT */
/* The GPU: work-items in order, an L1 with a FIFO of dirty addresses for each
 * work-group, an L2 with one for each device, memory below; FLU, INV, LK and
 * read-modify-writes at each level.
 *
 * State, after the talk "Remote-Scope Promotion: Clarified, Rectified,
 * Verified" (OOPSLA 2015).  A line is ABSENT, clean (CV), dirty (DV), or dirty
 * and invalidated (DI: to be written back, not to be read); a clean line that
 * was invalidated is as good as absent.  Queues hold addresses of dirty lines,
 * each once, and FLUSH markers.  With one device and nothing that reaches
 * beyond it, the L2 is plain memory: outcomes are the same, states far fewer.
 *
 * Steps of the environment: WB1, WB2 (write a dirty line back) and FETCH1,
 * FETCH2 (copy a line in; at any time, since prefetching is what shows stale
 * lines in small programs).  Steps of threads: one instruction each, two for a
 * FLU that has to wait; arithmetic and branches are part of the step before.
 * Final states have all threads finished and no dirty line.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_GPU_H
#define LITSCOPE_HWSEM_MACHINES_GPU_H

#include "hwsem/compile_by_mapping.h"
#include "hwsem/machine_with_mapping.h"

enum gpu_write_back { WRITE_BACK_FIFO, WRITE_BACK_ANY };
enum gpu_invalidate { INVALIDATE_MARK, INVALIDATE_SKIP, INVALIDATE_DRAIN, INVALIDATE_DROP };
enum gpu_inc_hits { INC_HITS_VALID, INC_HITS_FRESH };
enum gpu_rmw_blocks { RMW_BLOCKS_RMW1, RMW_BLOCKS_RMW, RMW_BLOCKS_SYNC };
enum gpu_rmw_taken { RMW_TAKEN_AT_ONCE, RMW_TAKEN_OWN_FIRST, RMW_TAKEN_IN_ORDER };
enum gpu_line_blocks {
  LINE_BLOCKS_FETCH,      /* FETCH of x by other L1s of the device */
  LINE_BLOCKS_WRITE_BACK, /* WB of x by other L1s */
  LINE_BLOCKS_OTHERS,     /* both, by other L1s */
  LINE_BLOCKS_ALL,        /* both, by every L1 of the device */
  LINE_BLOCKS_UNFLUSHED,  /* FETCH, and WB unless a FLUSH is queued after x, by other L1s */
  LINE_BLOCKS_NOTHING
};
enum gpu_own_line { OWN_LINE_DROP, OWN_LINE_KEEP, OWN_LINE_IGNORE, OWN_LINE_DISCARD };
enum gpu_broadcast { BROADCAST_AT_ONCE, BROADCAST_ASCENDING, BROADCAST_DESCENDING };
enum gpu_l2 { L2_AUTO, L2_MEMORY, L2_MODELLED };
enum gpu_switch { GPU_NO, GPU_YES };
enum gpu_posted {
  POSTED_AT_ONCE, /* as if nothing were posted */
  POSTED_ACKED,   /* at each other L1 some time later; until all have been, the issuer's UNLK release nothing */
  POSTED_LAZY     /* the same, and UNLK does not wait */
};
enum gpu_stalls { STALLS_LOCK, STALLS_INSERTED, STALLS_REACHED };
enum gpu_allocate { ALLOCATE_YES, ALLOCATE_NO };

/* What machines differ in: X(member, attribute, words in the order of the enum,
 * meaning).  All zero is the baseline. */
#define GPU_KNOB_LIST(X)                                                                                             \
  X(write_back, "write-back", "fifo any", "which dirty line an L1 or L2 may write back")                             \
  X(invalidate, "invalidate-dirty", "mark skip drain drop", "what INV does to dirty lines")                          \
  X(inc_hits, "inc-l1-hits", "valid fresh", "which clean lines INC_L1 may use")                                      \
  X(ld_hits_marked, "ld-hits-marked", "no yes", "LD may read a dirty line that was invalidated")                     \
  X(inc_hits_marked, "inc-hits-marked", "no yes", "INC_L1 may use a dirty line that was invalidated")                \
  X(rmw_blocks, "lock-rmw-blocks", "rmw1 rmw sync", "what LK_rmw keeps others from")                                 \
  X(rmw_taken, "lock-rmw-taken", "at-once own-first in-order", "how LK_rmw takes the locks of several L1s")          \
  X(line_blocks, "lock-line-blocks", "fetch write-back others all unflushed nothing", "what LK x keeps others from") \
  X(own_line, "inc-l2-own-line", "drop keep ignore discard", "what INC_L2 does with the line in its own L1")         \
  X(broadcast, "broadcast", "at-once ascending descending", "how FLU and INV reach several caches")                  \
  X(duplicates, "queue-duplicates", "no yes", "a store to a dirty line is queued again")                             \
  X(evict_clean, "evict-clean", "no yes", "clean lines may be dropped at any time")                                  \
  X(l2, "l2", "auto memory modelled", "whether the L2 is a cache or plain memory")                                   \
  X(posted, "posted-invalidate", "at-once acked lazy", "when a posted INV reaches the L1s of others")                \
  X(stalls, "lock-rmw-stalls", "lock inserted reached", "from when on LK_rmw keeps others off")                      \
  X(allocate, "write-allocate", "yes no", "a write that misses takes a line of the cache")                           \
  X(fifo_entries, "fifo-entries", "unbounded 1 2 4 8", "entries of a queue, markers among them")                     \
  X(l1_lines, "l1-lines", "unbounded 1 2 4 8", "lines of an L1")

struct gpu_knobs {
#define GPU_KNOB_MEMBER(member, attribute, words, meaning) unsigned member;
  GPU_KNOB_LIST(GPU_KNOB_MEMBER)
#undef GPU_KNOB_MEMBER
};

/* What a capacity's word says: entries or lines, 0 without bound. */
static inline unsigned gpu_capacity(unsigned choice) {
  return choice ? 1u << (choice - 1) : 0;
}

/* Builds the machine for the compiled program of a request.  Values are kept in
 * `value_bits` bits (2 .. 64); 0 takes as many as the program seems to need, and
 * a run that needs more ends with EXPLORE_MACHINE.  On failure (more threads and
 * locations than a queue can hold, an L2 as memory where it must be modelled)
 * adds a diagnostic and returns false. */
bool gpu_machine(const struct hw_program *program, const struct gpu_knobs *knobs, const struct explore_request *request,
                 unsigned value_bits, struct machine *machine, struct diags *diags);

/* Is the L2 plain memory: told so, or where nothing goes beyond one device? */
bool gpu_l2_is_memory(const struct hw_program *program, const struct gpu_knobs *knobs);

/* The kind (machines/kinds.h): its settings are struct gpu_knobs. */
extern const struct machine_kind gpu_kind;

/* A step of the GPU's that is a thread's: which instruction of its code it does, or
 * goes on with, since `phase` is 0 only where it begins. */
struct gpu_thread_step {
  unsigned thread, instr, phase;
};

/* Is it a thread's?  Else *out is not touched. */
bool gpu_thread_step(struct step step, struct gpu_thread_step *out);

#endif
