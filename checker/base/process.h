/* SPDX-License-Identifier: MIT */
/* Another program as a function: text in, text out. */
#ifndef LITSCOPE_BASE_PROCESS_H
#define LITSCOPE_BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "checker/base/arena.h"

enum process_end {
  PROCESS_EXITED,
  PROCESS_KILLED,   /* by a signal of its own: it crashed */
  PROCESS_TIMEOUT,  /* ran longer than it may; it was ended */
  PROCESS_TOO_LONG, /* wrote more than it may; it was ended */
  PROCESS_FAILED    /* could not be started */
};

struct process_limits {
  double seconds;
  size_t bytes; /* of output, and of errors */
};

struct process_result {
  enum process_end end;
  int status;      /* exit status, or the signal's number */
  const char *out; /* what it wrote, in the arena, NUL-terminated */
  size_t out_size;
  const char *err;
};

/* Runs argv[0] (looked for on PATH unless it has a slash) with `input` as its
 * standard input, without a shell. */
struct process_result process_run(struct arena *arena, const char *const *argv, const char *input, size_t input_size,
                                  const struct process_limits *limits);

/* Starts a program with these as its standard streams; argv[0] as for process_run.  It meets
 * SIGPIPE as programs do.  Returns 0, or an error number; the program is the caller's to
 * wait for. */
int process_spawn(pid_t *pid, const char *const *argv, int in, int out, int err);

/* Reads so many bytes from a pipe or socket; false: it ends before, or fails. */
bool descriptor_read(int descriptor, void *data, size_t size);

/* Waits for the end of a child; its status. */
int process_wait(pid_t pid);

/* A new file in $TMPDIR, or else in /tmp, for what another program reads or writes: its descriptor, and *path in the
 * arena; -1: none can be made, and *path is the folder. */
int temporary_file(struct arena *arena, const char *ending, const char **path);

#endif
