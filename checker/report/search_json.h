/* SPDX-License-Identifier: MIT */
/* Results of searches over families of programs as JSON, in the frame of json.h. */
#ifndef LITSCOPE_REPORT_SEARCH_JSON_H
#define LITSCOPE_REPORT_SEARCH_JSON_H

#include "checker/program_search/diff.h"
#include "checker/program_search/redundant_code.h"
#include "checker/program_search/synth.h"
#include "checker/report/json.h"

/* Each writes one object on one line, ended by a newline. */
void json_write_diff(FILE *out, const char *family, const struct diff_options *options, size_t b,
                     const struct diff_result *result);
void json_write_synth(FILE *out, const char *family, const struct synth_options *options,
                      const struct synth_result *result);
/* What can be left out of a target's code of a family; `sound`: programs whose code is sound as it is emitted. */
struct redundancy_question {
  const char *target, *model, *family;
  const struct small_list *programs;
  size_t sound;
};

void json_write_redundant_code(FILE *out, const struct redundancy_question *question,
                               const struct redundancy_result *result);

#endif
