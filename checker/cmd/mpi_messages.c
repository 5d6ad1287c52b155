/* SPDX-License-Identifier: MIT */
/* Messages by MPI. Only processes that mpirun or Slurm started begin it, since that
 * takes a while; receiving is by probes, since Open MPI waits with a busy processor. */
#include "checker/cmd/mpi_messages.h"

#include <mpi.h>
#include <stdlib.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"

static bool is_started(void) {
  static const char *const SIGNS[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < ARRAY_COUNT(SIGNS); i++)
    if (getenv(SIGNS[i])) return true;
  return false;
}

bool mpi_open(unsigned *rank, unsigned *count) {
  int own = 0, all = 1, given;
  *rank = 0;
  *count = 1;
  if (!is_started()) return false;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  *rank = (unsigned)own;
  *count = (unsigned)all;
  if (all > 1) return true;
  MPI_Finalize();
  return false;
}

void mpi_send(unsigned to, int tag, const void *bytes, size_t size) {
  MPI_Send(bytes, (int)size, MPI_BYTE, (int)to, tag, MPI_COMM_WORLD);
}

bool mpi_poll(struct mpi_message *message) {
  int some = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &some, &status);
  if (!some) return false;
  MPI_Get_count(&status, MPI_BYTE, &size);
  message->from = (unsigned)status.MPI_SOURCE;
  message->tag = status.MPI_TAG;
  message->size = (size_t)size;
  message->at = guard_must(malloc(message->size + 1));
  MPI_Recv(message->at, size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  message->at[size] = '\0';
  return true;
}

void mpi_close(void) {
  MPI_Finalize();
}

void mpi_abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  _Exit(status);
}
