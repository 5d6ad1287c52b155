/* SPDX-License-Identifier: MIT */
/* Certificates of synth, of mappings (synth_certificate.c) and of what compilers emit (synth_target.c), line by line:
 * what they are, the options of the search, and the words with which lines begin.
 */
#ifndef LITSCOPE_CMD_SYNTH_CERTIFICATE_FORMAT_H
#define LITSCOPE_CMD_SYNTH_CERTIFICATE_FORMAT_H

#include "checker/cmd/command.h"

struct synth_lines {
  const struct source *source;
  char *rest;       /* after the line that is read, NULL: at the end */
  char *line;       /* without its end */
  struct span span; /* its place */
  bool is_short;    /* there was no line any more */
};

/* An option that a certificate holds, and the word of its line. */
struct synth_option {
  const char *word;
  enum option_id id;
};

/* Reads the file; lines live as long as the call.  On failure adds errors and returns false. */
bool synth_lines_open(struct invocation *call, const char *path, struct synth_lines *lines, struct diags *diags);

/* Goes on to the next line; false: there is none. */
bool synth_lines_next(struct synth_lines *lines);

/* The rest of a line after a word; NULL: it begins otherwise. */
char *synth_line_behind(char *line, const char *word);

/* Reads the first line, which is `first`, and takes the options for those of the call, but for one that is to be kept
 * (OPTION_COUNT: none).  false: the line that is read is another. */
bool synth_lines_head(struct synth_lines *lines, struct invocation *call, const char *first,
                      const struct synth_option *options, size_t count, enum option_id kept);

/* Says that the line that is read is none of a certificate; returns STATUS_BAD. */
int synth_lines_refuse(const struct synth_lines *lines, struct diags *diags);

#endif
