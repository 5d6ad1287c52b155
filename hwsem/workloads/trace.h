/* SPDX-License-Identifier: MIT */
/* Traces: what threads ask of a machine, as text, one request per line.
 *
 *   litscope-trace 1           the first line
 *   threads 32                 ... and the second; threads have numbers from 0
 *   words 4096                 words of memory that are touched
 *   init ADDRESS VALUE         a word that is not zero at the start
 *   T load ADDRESS SCOPE
 *   T store ADDRESS VALUE SCOPE
 *   T amo OP ADDRESS VALUE [EXPECTED] SCOPE [forget]
 *   T gather ADDRESS ...       one load per lane
 *   T scatter ADDRESS=VALUE ...
 *   T compute CYCLES
 *   T barrier
 *
 * T is a thread; numbers are decimal; SCOPE is plain, group, device or remote; OP
 * is add, min, max, or, swap or cas (which has an EXPECTED value).  `#` begins a
 * comment.  Requests of one thread are in its order; how those of different
 * threads lie between each other does not matter.  A file may be compressed by gzip: zlib reads both.
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_TRACE_H
#define LITSCOPE_HWSEM_WORKLOADS_TRACE_H

#include "checker/base/diag.h"
#include "hwsem/workloads/work.h"

struct work_record;

/* Writes the requests of `work` to a file from now on; compressed when its name
 * ends in .gz.  On failure adds a diagnostic and returns NULL. */
struct work_record *trace_create(struct work *work, const char *path, struct diags *diags);
void trace_write(struct work_record *record, unsigned thread, const struct work_request *request);
/* Ends the file; false when something could not be written. */
bool trace_close(struct work_record *record);

/* A work that asks what a trace says.  On failure adds diagnostics and returns NULL. */
struct work *trace_read(struct arena *arena, const char *path, struct diags *diags);

#endif
