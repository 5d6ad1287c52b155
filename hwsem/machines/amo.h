/* SPDX-License-Identifier: MIT */
/* Near and far atomic operations over a directory protocol like AMBA 5 CHI's, for
 * the explorer: does a policy that places them keep coherence, atomicity and
 * order?  After Soria-Pardos et al., "DynAMO" (ISCA 2023), sections 2 and 3.
 *
 * Every thread has a core with a cache of lines in the states UD, UC, SD, SC and
 * I, in the L1 or below it in the private L2; every location is a line with a
 * home.  A near atomic operation is done in the own L1, which makes the line
 * unique first; a far one by the home, which takes the line from all caches.
 * Which, the policy says by the line's state in the L1 (one that is in the L2
 * alone counts as I), as Table 1 does; `any` leaves it open, and so stands for
 * every policy and every predictor.  A far operation whose result nobody wants (an
 * AtomicStore) is posted: the core goes on at once, and fences and releases wait.
 *
 * A home serves one transaction of a line at a time, and begins with any of those
 * under way: how long a message takes is not known.  Instructions are otherwise in
 * order.  Scopes mean nothing here.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_AMO_H
#define LITSCOPE_HWSEM_MACHINES_AMO_H

#include "hwsem/machine_with_mapping.h"

/* Of a line in a cache; the order of the paper's Table 1. */
enum amo_line { LINE_UC, LINE_UD, LINE_SC, LINE_SD, LINE_I, LINE_STATES };

enum amo_where { PLACE_BY_POLICY, PLACE_NEAR, PLACE_FAR, PLACE_ANY };
enum amo_post { POST_RELAXED, POST_ALL, POST_NONE };
enum amo_fences { FENCES_ALL, FENCES_RELEASE, FENCES_NONE };
enum amo_snoops { SNOOPS_ALL, SNOOPS_OTHERS, SNOOPS_NONE };
enum amo_switch { AMO_YES, AMO_NO };

/* What machines differ in: X(member, attribute, words in the order of the enum,
 * meaning).  All zero is the sound protocol under every policy. */
#define AMO_KNOB_LIST(X)                                                                                         \
  X(policy, "policy", "any all-near unique-near present-near dirty-near shared-far all-far", "Table 1's policy") \
  X(place[LINE_UC], "unique-clean", "policy near far any", "where an atomic operation on a UC line is done")     \
  X(place[LINE_UD], "unique-dirty", "policy near far any", "the same for UD")                                    \
  X(place[LINE_SC], "shared-clean", "policy near far any", "the same for SC")                                    \
  X(place[LINE_SD], "shared-dirty", "policy near far any", "the same for SD")                                    \
  X(place[LINE_I], "invalid", "policy near far any", "the same for a line that is not in the L1")                \
  X(post, "post", "relaxed all none", "which far operations without a result the core does not wait for")        \
  X(fences, "fences-wait", "all release none", "which fences wait for the operations that were posted")          \
  X(releases, "releases-wait", "yes no", "accesses that release wait for the operations that were posted")       \
  X(same_line, "same-line-waits", "yes no", "accesses wait for operations on their line that were posted")       \
  X(snoops, "far-snoops", "all others none", "from whom the home takes the line before a far operation")         \
  X(holds, "near-holds", "yes no", "a near operation keeps the line between its read and its write")             \
  X(ack, "completion-ack", "yes no", "a home waits until the line has come before the next transaction of it")   \
  X(evict, "evict", "yes no", "lines may leave the L1 and the L2")

struct amo_knobs {
  unsigned policy, place[LINE_STATES], post, fences, releases, same_line, snoops, holds, ack, evict;
};

/* Is an atomic operation on a line in this state of the L1 near, far, or either? */
enum amo_where amo_place(const struct amo_knobs *knobs, enum amo_line state);

/* The machine for a request's program.  Fills *machine; false, with a diagnostic,
 * when the program has an operation that is another machine's, or too many
 * threads or locations. */
bool amo_machine(const struct amo_knobs *knobs, const struct explore_request *request, struct machine *machine,
                 struct diags *diags);

#endif
