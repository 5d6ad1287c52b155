/* SPDX-License-Identifier: MIT */
/* Are axioms certain to hold, whatever open reads see?
 *
 * An upper bound says so by itself only where it meets them, and that of a read with
 * two sources has the read both before and after the newer write, so that it is
 * cyclic.  Here every read is looked at under each of its sources in turn, with all
 * others open: the upper bounds that result hold in every execution in which the read
 * sees that write.  So of a pair of events, what none of some read's sources allows is
 * in no execution; and for cycles, a read is several nodes, one for each source, with
 * the edges that this source allows it.  A cycle of an execution is one of this larger
 * graph, since it sees one write by each read; where the graph has none, no
 * execution has one.
 */
#ifndef LITSCOPE_EXEC_DEDUCTIONS_PROVEN_AXIOMS_H
#define LITSCOPE_EXEC_DEDUCTIONS_PROVEN_AXIOMS_H

#include "checker/exec/search/partial_candidate.h"

/* Do all axioms hold in every completion of a frame that leaves nothing open but
 * what reads see?  false: not known.  `below`: an estimate of the number of these
 * completions; where it is small, nothing is tried.  `arena`: for scratch. */
bool axioms_proven(struct arena *arena, const struct frames *all, const struct frame *f, const struct plan *plan,
                   const bool *skip, double below);

#endif
