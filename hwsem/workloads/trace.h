/* SPDX-License-Identifier: MIT */
/* Traces: what threads ask of a machine, as text, one request per line.
 *
 *   litscope-trace 1              the first line
 *   threads 32                    threads have numbers from 0
 *   words 4096                    words of memory; addresses are below
 *   init ADDRESS VALUE            a word that is not zero at the start
 *   T load ADDRESS SCOPE
 *   T store ADDRESS VALUE SCOPE
 *   T amo OP ADDRESS VALUE SCOPE [forget]
 *   T amo cas ADDRESS VALUE SCOPE EXPECTED
 *   T gather ADDRESS ...          one load per lane
 *   T scatter ADDRESS=VALUE ...
 *   T compute CYCLES
 *   T barrier
 *
 * T is a thread; numbers are decimal; SCOPE is plain, group, device or remote; OP
 * is add, min, max, or, swap or cas.  Lines that begin with # are comments.
 * Requests of one thread are in its order; how those of different threads lie
 * between each other does not matter.  What the host changes in memory between
 * kernels is not part of a trace: a request is replayed as it was made, whatever
 * its answer.  A file may be compressed by gzip: zlib reads both.
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_TRACE_H
#define LITSCOPE_HWSEM_WORKLOADS_TRACE_H

#include "checker/base/diag.h"
#include "hwsem/workloads/workload.h"

/* A work that asks what a trace says.  On failure adds a diagnostic and returns NULL. */
struct work *trace_read(struct arena *arena, const char *path, struct diags *diags);

#endif
