/* SPDX-License-Identifier: MIT */
/* The search, written down as the tree of a certificate (checker/certify/decision_tree.c
 * has its grammar): each decision with its branches, each conclusion, and what
 * closes each leaf.  Of one worker's search only.
 *
 * Who searches tells of what he does; nothing is told where `record` is NULL.
 */
#ifndef LITSCOPE_EXEC_SEARCH_RECORD_DECISION_TREE_H
#define LITSCOPE_EXEC_SEARCH_RECORD_DECISION_TREE_H

#include <stdio.h>

#include "checker/cat/ir.h"
#include "checker/exec/paths/event_structure.h"

struct record {
  FILE *out;
  bool steps; /* the node that is open has conclusions before it */
  unsigned depth;
};

/* A node of the tree begins and ends; between the two, one of the others says what
 * it is. */
bool record_node(struct record *record);
void record_end(struct record *record, bool before);

/* Words of the tree, as in printf. */
void record_say(struct record *record, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `WORD EVENT` or `WORD EVENT EVENT`, with what is to stand before and after. */
void record_event(struct record *record, const char *before, const struct structure *structure, unsigned event,
                  const char *after);
void record_pair(struct record *record, const char *before, const struct structure *structure, unsigned a, unsigned b,
                 const char *after);

/* A conclusion about two events: `drop`, `order`, `apart`, ... */
void record_step(struct record *record, const char *step, const struct structure *structure, unsigned a, unsigned b);

/* The leaf of an axiom that fails on a value: a shortest cycle, the event or the pair. */
void record_axiom(struct record *record, const struct structure *structure, const struct cat_check *check, bool of_set,
                  const word *value);

#endif
