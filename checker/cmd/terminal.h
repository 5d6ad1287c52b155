/* SPDX-License-Identifier: MIT */
/* What a terminal gets besides plain text: colour in messages, progress.
 *
 * Colour only on a terminal, and never with NO_COLOR (no-color.org) or
 * TERM=dumb.  Progress only where standard error is a terminal.
 */
#ifndef LITSCOPE_CMD_TERMINAL_H
#define LITSCOPE_CMD_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes messages to standard error, the words `error` and `warning` in colour
 * where that is wanted. */
void terminal_write_messages(const char *text, size_t size);

/* Before the program ends: the status, if everything that was printed has reached its place, or that of bad input, with
 * a message.  A reader that closed the pipe (`| head`) knows why: no message. */
int output_finish(int status);

struct progress {
  bool shown;   /* standard error is a terminal and progress is wanted */
  bool on_line; /* something stands on the terminal's last line */
  double start, last;
};

struct progress progress_new(bool wanted);

/* Shows `done` of `total` (0: not known) tests or the like, and after two seconds what the rest may take; seldom enough
 * to cost nothing. */
void progress_show(struct progress *progress, uint64_t done, uint64_t total, const char *what);

/* Until the line is cleared: for work of one piece that takes longer than two seconds, says
 * how long it has taken and, where it has a `limit` in seconds (0: none), what is left.  Both
 * the progress and `what` must live until then. */
void progress_watch(const struct progress *progress, const char *what, double limit);

/* Clears the line: before anything else is printed, and at the end. */
void progress_clear(struct progress *progress);

#endif
