/* SPDX-License-Identifier: MIT */
/* What commands that generate their programs print of them and write beside that,
 * -json and -junit; and the options that they refuse, since they mean nothing without
 * tests. */
#ifndef LITSCOPE_CMD_SWEEP_REPORTS_H
#define LITSCOPE_CMD_SWEEP_REPORTS_H

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/report/result.h"
#include "checker/verify/sweep_result.h"
#include "checker/verify/verify.h"

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

/* A test case of the JUnit report; its strings must live until the files are closed.  Returns the exit status that it
 * asks for. */
int sweep_files_add_result(struct sweep_files *files, struct result result);

/* What a sweep has counted of one mapping or target, as text, JSON and a test case.  `example`: the run of the smallest
 * program, or NULL.  Returns the exit status. */
int sweep_files_add_sweep(struct sweep_files *files, const char *family, const char *target, const char *model,
                          const struct sweep_result *result, const struct verify_result *example);

/* Ends the documents.  Returns STATUS_DONE, or reports errors and returns STATUS_BAD. */
int sweep_files_close(struct sweep_files *files);

#endif
