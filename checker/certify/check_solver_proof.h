/* SPDX-License-Identifier: MIT */
/* A verdict without a tree: questions that no execution answers, each refuted by clauses.
 *
 * The program is written down as clauses over numbered variables (program_clauses.c), by itself and not from what the
 * certificate says.  To these the certificate adds *lemmas*: few nodes, sources and orders that no execution has
 * together, which is checked by evaluating the model on them (check_solver_proof.c); and clauses that follow from those
 * before by unit propagation (unit_propagation.c), the last of which is empty.
 */
#ifndef LITSCOPE_CERTIFY_CHECK_SOLVER_PROOF_H
#define LITSCOPE_CERTIFY_CHECK_SOLVER_PROOF_H

#include "checker/certify/certificate.h"

/* ---- unit_propagation.c: clauses; a literal is a variable from 1 on, or its negative ---- */

enum { MOST_VARIABLES = 60000, MOST_LITERALS = 16384 /* of a clause */ };

void clauses_begin(void);
void clause_add(const int *literals, unsigned count);

/* Does unit propagation find a contradiction where none of the literals holds? */
bool clause_follows(const int *literals, unsigned count);

/* Has one been found where nothing is assumed? */
bool clauses_contradict(void);

/* ---- program_clauses.c: all paths of all threads ---- */

enum { MOST_TREE_NODES = 4000, MOST_TREE_EVENTS = 1500 };

struct node_of_tree {
  unsigned thread, first_event, first_index; /* of the events that it adds: number; place in the path */
  int parent;                                /* -1: a thread's start */
  const struct run *run;
};

struct event_of_tree {
  const struct event *of; /* NULL: an initial write */
  int node;               /* that adds it; -1: an initial write */
  unsigned index;         /* in its thread's path */
  int thread, location;   /* -1: none */
};

struct encoding {
  const struct certificate *certificate;
  unsigned node_count, event_count, variables;
  mask symmetric; /* threads whose order has been said */
  struct node_of_tree nodes[MOST_TREE_NODES];
  struct event_of_tree events[MOST_TREE_EVENTS];
};

/* Grows the trees, and gives every value that an event may have its place. */
struct encoding *encode_program(const struct certificate *c);

/* Can no value come from itself, whoever reads from whom? */
bool has_grounded_values(const struct encoding *e);

/* The literal; 0: there is none, since it cannot be. */
int literal_node(unsigned node);
int literal_reads(const struct encoding *e, unsigned write, unsigned read);
int literal_before(const struct encoding *e, unsigned a, unsigned b); /* neither is an initial write */
int literal_wanted(const struct encoding *e, unsigned a, unsigned b);

/* Is `a` on the way to `b`, or that itself? */
bool leads_to(const struct encoding *e, unsigned a, unsigned b);

/* Begins with the clauses of the program, and says: all threads end as the filter wants it, and the condition holds or
 * does not; or this check's relation has a pair (or its set an event). */
enum asked { MEETS, VIOLATES, RAISES };
void encode_question(struct encoding *e, enum asked asked, unsigned check);

/* Threads that are the same, of which nothing is observed: the first to write is the first of them, and so on. */
void encode_alike(struct encoding *e, const struct item *threads);

/* ---- check_solver_proof.c ---- */

/* Checks all of (solved ...), and notes what is shown and what is refuted. */
void check_solver_proof(struct certificate *c, const struct item *solved);

#endif
