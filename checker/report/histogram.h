/* SPDX-License-Identifier: MIT */
/* What a device showed of a test, as litmus7 writes it, and as JSON. */
#ifndef LITSCOPE_REPORT_HISTOGRAM_H
#define LITSCOPE_REPORT_HISTOGRAM_H

#include <stdio.h>

#include "checker/verify/device_outcomes.h"

/* How it was run. */
struct histogram_run {
  const char *device;
  const char *settings; /* NAME=VALUE,... */
  uint64_t instances, launches, seed;
  double seconds;
  const char *note; /* what is to be known of this run, or NULL */
};

/* Violations, and states not seen, that a log tells of. */
enum { HISTOGRAM_TOLD = 16 };

/* Writes the entry, with the empty line that ends it.  `why`: by violation, of
 * as many as are told, the lines that tell why the model forbids it; "" where
 * there is nothing to tell. */
void histogram_write(FILE *out, const struct seen *seen, const struct histogram_run *run, const char *const *why);

/* The same as an object on one line, ended by a newline. */
void histogram_write_json(FILE *out, const struct seen *seen, const struct histogram_run *run, const char *const *why);

/* An entry without a result: `reason` says why. */
void histogram_write_none(FILE *out, const struct litmus_test *test, const char *reason);
void histogram_write_none_json(FILE *out, const struct litmus_test *test, const char *device, const char *reason);

#endif
