/* SPDX-License-Identifier: MIT */
/* Writes what threads ask of a machine, in the format of trace.h. */
#ifndef LITSCOPE_HWSEM_WORKLOADS_TRACE_WRITE_H
#define LITSCOPE_HWSEM_WORKLOADS_TRACE_WRITE_H

#include "checker/base/diag.h"
#include "hwsem/workloads/workload.h"

/* The words of a trace; NULL at the end. */
extern const char *const work_kind_names[WORK_KINDS + 1], *const work_amo_names[WORK_AMOS + 1],
                                                              *const work_scope_names[WORK_SCOPES + 1];

/* Writes what `work`, which is ready to run, asks to a file from now on;
 * compressed when its name ends in .gz.  On failure adds a diagnostic and returns false. */
bool trace_record(struct work *work, const char *path, struct diags *diags);
/* Ends the file; on failure adds a diagnostic. */
bool trace_close(struct work *work, struct diags *diags);

/* For workload.c: a request of a thread. */
void trace_write(struct work_record *record, unsigned thread, const struct work_request *request);

#endif
