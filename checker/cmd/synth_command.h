/* SPDX-License-Identifier: MIT */
/* What `synth` of mappings (synth.c) and its certificates (synth_certificate.c) share. */
#ifndef LITSCOPE_CMD_SYNTH_COMMAND_H
#define LITSCOPE_CMD_SYNTH_COMMAND_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "checker/cmd/command.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/program_search/synth.h"

struct synth_command {
  struct invocation *call;
  struct pricing *pricing;
  struct target target;
  struct small_family family;
  struct synth_options options;
  struct synth *synth;
  struct synth_result result;
};

/* Reads what is asked for: the operations whose texts match `cells`.  On failure adds errors. */
bool synth_prepare(struct synth_command *command, const char *family, const char *cells, unsigned steps,
                   struct diags *diags);

/* As reports have them, in `arena`. */

void synth_write_certificate(const struct synth_command *command, const struct synth_result *result, FILE *out);

/* `-check FILE`: the exit status. */
int synth_check_certificate(struct synth_command *command, const char *path);

/* -cells, which texts of operations are matched against; NULL, with an error: it is no regular expression. */
pcre2_code *synth_cells(const char *pattern, struct diags *diags);
bool synth_cells_match(const pcre2_code *cells, const char *text, size_t length);

/* A list of words as the one text that gives it again; "" where there is none. */
const char *synth_words(struct invocation *call, enum option_id id);

#endif
