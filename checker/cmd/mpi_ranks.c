/* SPDX-License-Identifier: MIT */
/* The processes of one run: which of them this is, and what becomes of its output. */
#include "checker/cmd/mpi_ranks.h"

#include <stdlib.h>
#include <unistd.h>

#include "checker/cmd/command.h"
#include "checker/cmd/mpi_messages.h"

struct ranks {
  unsigned own, count;
  struct dispatcher *dispatcher;
  struct worker *worker;
  FILE *said; /* by another rank than 0, on standard error */
};

/* Standard error goes to a file without a name, standard output nowhere. */
static void silence(struct ranks *ranks) {
  if (!freopen("/dev/null", "w", stdout)) fclose(stdout);
  ranks->said = tmpfile();
  if (ranks->said && dup2(fileno(ranks->said), STDERR_FILENO) < 0) ranks->said = NULL;
}

struct ranks *ranks_open(void) {
  struct ranks ranks = {0};
  if (!mpi_open(&ranks.own, &ranks.count)) return NULL;
  struct ranks *kept = malloc(sizeof *kept);
  if (!kept) mpi_abort(STATUS_LIMIT);
  *kept = ranks;
  if (ranks.own) {
    silence(kept);
    kept->worker = worker_new();
  } else {
    kept->dispatcher = dispatcher_new(ranks.count);
  }
  return kept;
}

/* Up to 4,000 bytes of it. */
static const char *what_was_said(struct ranks *ranks, char text[4001]) {
  fflush(stderr);
  text[0] = '\0';
  if (!ranks->said) return text;
  rewind(ranks->said);
  text[fread(text, 1, 4000, ranks->said)] = '\0';
  return text;
}

int ranks_close(struct ranks *ranks, int status) {
  char said[4001];
  if (!ranks) return status;
  bool all = true;
  if (ranks->own) {
    worker_free(ranks->worker, status, what_was_said(ranks, said));
    status = STATUS_DONE;
  } else {
    all = dispatcher_free(ranks->dispatcher, status);
  }
  if (!all) {
    fputs("litscope: warning: some ranks do not answer: they are ended\n", stderr);
    mpi_abort(status);
  }
  mpi_close();
  free(ranks);
  return status;
}

unsigned ranks_own(const struct ranks *ranks) {
  return ranks ? ranks->own : 0;
}

const struct parts_team *ranks_team(struct ranks *ranks) {
  if (!ranks) return NULL;
  return ranks->own ? worker_team(ranks->worker) : dispatcher_team(ranks->dispatcher);
}

void ranks_begin(struct ranks *ranks, struct parts *parts, bool quiet) {
  if (!ranks) return;
  if (ranks->own)
    worker_begin(ranks->worker, parts);
  else
    dispatcher_begin(ranks->dispatcher, parts, quiet);
}

void ranks_end(struct ranks *ranks) {
  if (!ranks) return;
  if (ranks->own)
    worker_end(ranks->worker);
  else
    dispatcher_end(ranks->dispatcher);
}
