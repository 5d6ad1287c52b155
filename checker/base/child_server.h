/* SPDX-License-Identifier: MIT */
/* Another program that answers one request after another: what may end on the way,
 * and is slow to start, in a process of its own. */
#ifndef LITSCOPE_BASE_CHILD_SERVER_H
#define LITSCOPE_BASE_CHILD_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct server {
  const char *path; /* of the program; it reads standard input and writes standard output */
  pid_t pid;        /* 0: it does not run, and is started by the next request */
  int socket;
};

/* Sends a request, whole, and takes an answer: a line with its size, and so many
 * bytes.  They are the caller's, from malloc.  NULL: the program cannot be started,
 * or ended on the way, or there is no memory for the answer (then errno is ENOMEM);
 * the next request starts it again.  From one thread at a time; allocates nothing
 * but the answer. */
char *server_ask(struct server *server, const char *request, size_t size, size_t *answer_size);

/* Waits for its end. */
void server_end(struct server *server);

#endif
