/* SPDX-License-Identifier: MIT */
/* Work that is divided: numbered parts, each with a result that is one text.
 *
 * A sweep claims parts until none is left, does each, and hands in its text; in
 * the end it reads all texts in the order of the parts and prints.  So whoever
 * does a part, and when, makes no difference: threads, another run of which this
 * is a shard, or an earlier one that was killed and had a journal.
 *
 *     parts_open(...)
 *     while (parts_claim(parts, &part)) parts_hand_in(parts, part, text of it);
 *     if (parts_complete(parts)) for each part parts_text(parts, part) ...
 *
 * The file of a shard and a journal are one format, a line each:
 *
 *     litscope-parts 4
 *     version SUM VERSION          of the litscope that wrote it
 *     command SUM WORD...          of the whole, without what divides it
 *     files SUM DIGEST             of the contents of what the command reads
 *     of SUM TOTAL                 how many parts, once somebody knows
 *     part SUM NUMBER TEXT         TEXT with \n and \\ for line ends and backslashes
 *     cut SUM NUMBER TEXT          the same of work that ended for lack of memory or time (out_of_memory_guard.h)
 *
 * SUM is a checksum of the rest of its line.  A last line that is not whole (a run was
 * killed while it wrote) counts for nothing, and so does one that is damaged, with a
 * warning.  What was cut is merged where nobody came further, and done again by a run
 * that goes on with a journal.  Two results of a part must agree but for times.
 */
#ifndef LITSCOPE_BASE_PARTS_H
#define LITSCOPE_BASE_PARTS_H

#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

struct parts;

/* No part's number, and no total; numbers are below 2^26. */
#define PARTS_END UINT64_MAX
#define PARTS_UNKNOWN UINT64_MAX

/* Several processes that do the parts together (MPI).  Called from several threads. */
struct parts_team {
  void *context;
  /* The next part for this process, awaited; false: there is none any more. */
  bool (*claim)(void *context, uint64_t *part);
  /* Takes a result, which a limit may have cut; false: it is kept here. */
  bool (*hand_in)(void *context, uint64_t part, const char *text, bool cut);
  void (*set_total)(void *context, uint64_t total);
};

struct parts_division {
  unsigned shard, shards;        /* this run does the shard-th of shards, from 1; 0: all */
  const char *version;           /* of this litscope */
  const char *journal;           /* file to go on from and to write to, or NULL */
  const char *command;           /* what the parts are of */
  const char *files;             /* and a digest of the contents of its files */
  const struct parts_team *team; /* NULL: this process does them alone */
};

/* NULL, with diagnostics: the journal cannot be used, is of another command or version, of files that were other
 * then, or contradicts itself.  A damaged line is a warning, as below. */
struct parts *parts_open(struct arena *arena, const struct parts_division *division, struct diags *diags);

/* Reads a file of parts into the store, for merging: the command it is of must be
 * `command`, and its files as they were.  false, with diagnostics. */
bool parts_read(struct parts *parts, const char *path, struct diags *diags);

/* The command that a file of parts is of, in `arena`; NULL, with diagnostics. */
const char *parts_command(struct arena *arena, const char *path, struct diags *diags);

/* Tells `progress`, from one thread at a time, how many parts are done whenever one is. */
void parts_watch(struct parts *parts, void (*progress)(void *context, uint64_t done, uint64_t total), void *context);

/* Nothing is done here: what is missing is missing. */
void parts_only_merge(struct parts *parts);

/* Who has all parts may do others, numbered after them: what is there of these is none too many. */
void parts_go_on(struct parts *parts);

/* The next part that is to be done here and that nobody has claimed: ascending, but
 * that a team may hand out a part again.  false: none, as far as the total is known.  From
 * several threads. */
bool parts_claim(struct parts *parts, uint64_t *part);

/* A claimed part's result, which is copied.  From the thread that claimed it, of several. */
void parts_hand_in(struct parts *parts, uint64_t part, const char *text);

/* A part's counts and the seconds that it took, at the head of its text; returns what follows them, or NULL: text does
 * not begin with so many counts. */
void parts_write_counts(FILE *out, const uint64_t *counts, size_t count, double seconds);
const char *parts_read_counts(const char *text, uint64_t *counts, size_t count, double *seconds);

/* There are so many parts: said at any time, and again.  From several threads. */
void parts_set_total(struct parts *parts, uint64_t total);
uint64_t parts_total(struct parts *parts); /* PARTS_UNKNOWN */

/* Does what is to be done here, by so many threads, of parts that need nothing of each
 * other; their total was set.  `work` writes a part's text; false: it was cancelled, its
 * thread goes no further, and the text, unless it is empty, is of a part that was cut. */
void parts_run(struct parts *parts, unsigned workers, bool (*work)(void *context, uint64_t part, FILE *out),
               void *context);

/* The same for the team's own use: this process's store, whoever did the part. */
bool parts_claim_here(struct parts *parts, uint64_t *part);
void parts_hand_in_here(struct parts *parts, uint64_t part, const char *text, bool cut);
void parts_set_total_here(struct parts *parts, uint64_t total);

/* Done so far, of all. */
uint64_t parts_done(struct parts *parts);

/* Has every part its text, and none two that contradict each other?  If not, adds errors. */
bool parts_complete(struct parts *parts, struct diags *diags);

/* Is some part there that was cut, and that nobody has done to its end? */
bool parts_some_cut(struct parts *parts);

/* A part's text, NULL: it is not there. */
const char *parts_text(struct parts *parts, uint64_t part);

/* Writes the store as a file of parts. */
void parts_write(struct parts *parts, FILE *out);

/* Could the journal be written? */
bool parts_close(struct parts *parts, struct diags *diags);

#endif
