/* SPDX-License-Identifier: MIT */
/* Messages between the processes of one run: MPI (mpi_messages.c, `make MPI=1`), or none
 * (mpi_messages_stub.c).  One thread at a time. */
#ifndef LITSCOPE_CMD_MPI_MESSAGES_H
#define LITSCOPE_CMD_MPI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

struct mpi_message {
  unsigned from;
  int tag;
  char *at; /* the receiver's, in malloc's memory; a zero byte follows */
  size_t size;
};

/* Joins the other processes that were started together: false: there are none. */
bool mpi_open(unsigned *rank, unsigned *count);

void mpi_send(unsigned to, int tag, const void *bytes, size_t size);

/* Takes the next message from any process; false: there is none now.  Messages of one
 * process come in their order. */
bool mpi_poll(struct mpi_message *message);

/* Waits for the others to close, too. */
void mpi_close(void);

/* Ends all processes, this one with them. */
void mpi_abort(int status) __attribute__((noreturn));

#endif
