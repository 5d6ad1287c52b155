/* SPDX-License-Identifier: MIT */
/* Where results go: standard output, -json and -junit. */
#ifndef LITSCOPE_CMD_RESULT_FILES_H
#define LITSCOPE_CMD_RESULT_FILES_H

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/report/result.h"

struct result_files {
  struct invocation *call;
  FILE *out;                /* where text goes: standard output, or nowhere when JSON takes that */
  FILE *json;               /* NULL: no -json */
  struct outfile json_file; /* unless that is standard output */
  struct text line;         /* of JSON, while it is written */
  bool begun;               /* the results array has an item */
  struct results results;   /* for -junit */
};

/* Opens what the options ask for.  On failure adds errors and returns false. */
bool result_files_open(struct invocation *call, struct result_files *files, struct diags *diags);

/* The next item of the results array is written to this stream, a line of JSON, wanted or not. */
FILE *result_files_begin_json(struct result_files *files);
void result_files_end_json(struct result_files *files);

/* Items that were written before, each on a line of its own. */
void result_files_add_json(struct result_files *files, const char *lines, size_t size);

/* The exit status that a result asks for. */
int result_status(enum result_kind kind);

/* A test case of the JUnit report; its strings must live until the files are closed.  Returns the exit status that it
 * asks for. */
int result_files_add_result(struct result_files *files, struct result result);

/* Ends the documents.  Not `whole`: the JSON file that was there before stays.  Returns STATUS_DONE, or reports errors
 * and returns STATUS_BAD. */
int result_files_close(struct result_files *files, bool whole);

/* Without memory for an end: what was there before stays. */
void result_files_drop(struct result_files *files);

/* `Total 12 Sound 11 Unsound 1`: results by kind, where they are more than one sees at once, and -json is not on
 * standard output. */
void totals_print(const struct invocation *call, const char *const *names, const size_t *counts, unsigned kinds);

#endif
