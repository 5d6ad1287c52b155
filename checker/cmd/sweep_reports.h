/* SPDX-License-Identifier: MIT */
/* What commands that generate their programs write beside their tables: -json
 * and -junit; and the options that they refuse, since they mean nothing without
 * tests. */
#ifndef LITSCOPE_CMD_SWEEP_REPORTS_H
#define LITSCOPE_CMD_SWEEP_REPORTS_H

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/report/result.h"

struct sweep_files {
  struct invocation *call;
  FILE *out;                /* where tables go: standard output, or nowhere when JSON takes that */
  FILE *json;               /* NULL: no -json */
  struct outfile json_file; /* unless that is standard output */
  struct text line;         /* of JSON, while it is written */
  bool begun;               /* the results array has an item */
  struct results results;   /* for -junit */
};

/* Opens what the options ask for.  On failure adds errors and returns false. */
bool sweep_files_open(struct invocation *call, struct sweep_files *files, struct diags *diags);

/* The next item of the results array is written to this stream, a line of JSON (report/sweep_json.h). */
FILE *sweep_files_begin_json(struct sweep_files *files);
void sweep_files_end_json(struct sweep_files *files);

/* A test case of the JUnit report; its strings must live until the files are closed. */
void sweep_files_add_result(struct sweep_files *files, struct result result);

/* Ends the documents.  Returns STATUS_DONE, or reports errors and returns STATUS_BAD. */
int sweep_files_close(struct sweep_files *files);

#endif
