/* SPDX-License-Identifier: MIT */
/* One certificate while it is checked: what is asked, and what was seen so far. */
#ifndef LITSCOPE_CERTIFY_CERTIFICATE_H
#define LITSCOPE_CERTIFY_CERTIFICATE_H

#include "checker/certify/certify.h"

enum { MOST_OBSERVED = 64 };

struct observed {
  int thread; /* -1: a location */
  unsigned index;
};

struct certificate {
  const struct program *program;
  const struct item *threads;            /* the program's text */
  const struct model *model;             /* NULL: none is asked */
  const struct item *condition, *filter; /* NULL: none */
  struct observed observed[MOST_OBSERVED];
  unsigned observed_count;
  int64_t *states; /* those that were seen, observed_count values each */
  unsigned state_count;
  uint64_t positive, negative; /* executions */
  mask raised;                 /* checks */
  bool skipped, free_values;
  bool never_met, never_violated; /* no execution meets the condition; none violates it */
  mask never_raised;              /* checks */
  struct verdict *verdict;
};

/* ---- decision_tree.c ---- */

/* Walks the tree of decisions; what its executions show is noted. */
void check_tree(struct certificate *c, const struct item *tree);

/* Where all is decided: it is an execution, and what it shows is noted. */
void check_execution(struct certificate *c, const struct state *s, const struct item *at);

/* ---- check_certificate.c ---- */

/* Final states: is one left out by the filter; has it been seen; it is seen now. */
bool is_filtered(const struct certificate *c, const int64_t *values);
bool was_seen(const struct certificate *c, const int64_t *values);
void note_state(struct certificate *c, const int64_t *values);

/* The states and the observation that a list of claims has are those seen. */
void check_states(const struct certificate *c, const struct item *list);
void check_observation(const struct certificate *c, const struct item *claims);

#endif
