/* SPDX-License-Identifier: MIT */
/* The processes of one run under MPI.
 *
 * Rank 0 keeps the parts of the work (base/parts.h), hands them out (base/part_dispatcher.h), does
 * some itself, and prints.  The others ask for parts and send results; what they print
 * is dropped, but for errors that rank 0 did not meet.  In each a thread of its own
 * does all messages.
 *
 *     ASK     a rank wants parts              HAND   numbers of parts, and how many there are
 *     RESULT  a part and its text             STOP   nothing more is to be done
 *     TOTAL   how many parts there are
 *     LEAVE   the rank ends: its status and what it would have said
 */
#ifndef LITSCOPE_CMD_MPI_RANKS_H
#define LITSCOPE_CMD_MPI_RANKS_H

#include "checker/base/parts.h"

struct ranks;

/* NULL: this process is alone. */
struct ranks *ranks_open(void);

/* Ends: `status` is what the command returned; returns what the process is to. */
int ranks_close(struct ranks *ranks, int status);

/* 0: the first, or the only one (NULL). */
unsigned ranks_own(const struct ranks *ranks);

/* How the ranks divide their work; NULL for NULL. */
const struct parts_team *ranks_team(struct ranks *ranks);

/* The team's parts from here on to ranks_end.  Rank 0 tells how far it is on standard
 * error unless it is to be quiet. */
void ranks_begin(struct ranks *ranks, struct parts *parts, bool quiet);
void ranks_end(struct ranks *ranks);

/* ---- between the files of this ---- */

struct dispatcher; /* of rank 0 */
struct worker;     /* of another rank */

/* In the number of a part whose work a limit has cut (parts.h). */
#define RANKS_CUT (UINT64_C(1) << 63)

enum { RANKS_ASK = 1, RANKS_HAND, RANKS_RESULT, RANKS_TOTAL, RANKS_LEAVE, RANKS_STOP };

struct dispatcher *dispatcher_new(unsigned ranks);
const struct parts_team *dispatcher_team(struct dispatcher *dispatcher);
void dispatcher_begin(struct dispatcher *dispatcher, struct parts *parts, bool quiet);
void dispatcher_end(struct dispatcher *dispatcher);
/* Waits for the other ranks to leave, and says why where one failed.  false: some have
 * not left for long. */
bool dispatcher_free(struct dispatcher *dispatcher, int status);

struct worker *worker_new(void);
const struct parts_team *worker_team(struct worker *worker);
void worker_begin(struct worker *worker, struct parts *parts);
void worker_end(struct worker *worker);
/* Leaves. */
void worker_free(struct worker *worker, int status, const char *said);

#endif
