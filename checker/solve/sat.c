/* SPDX-License-Identifier: MIT */
/* CaDiCaL through its C interface. */
#include "checker/solve/sat.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/guard.h"

/* Bytes of a clause and of its watches, without its literals, as CaDiCaL keeps them. */
enum { CLAUSES_TO_POLL = 1024, BYTES_OF_CLAUSE = 112 };

struct sat {
  CCaDiCaL *solver;
  struct guarded guarded;
  int variables;
  unsigned clauses;
  size_t size;
  bool *answer; /* by variable, of the last answer: clauses may be added while it is read */
  int answered; /* variables that it has */
  int *proof;   /* clauses learnt, each ended by 0 */
  size_t proof_count, proof_room;
  bool proof_lost; /* memory ran out while it was noted */
  bool (*stop)(void *context);
  void *context;
};

static void free_sat(void *object) {
  struct sat *sat = object;
  ccadical_release(sat->solver);
  free(sat->answer);
  free(sat->proof);
  free(sat);
}

static int asked_to_stop(void *context) {
  const struct sat *sat = context;
  return sat->stop(sat->context);
}

/* Called by CaDiCaL, which is not to be left by a jump: that memory ran out is said once it has returned. */
static void keep_learnt(void *context, int *clause) {
  struct sat *sat = context;
  size_t count = 1;
  while (clause[count - 1]) count++;
  if (sat->proof_count + count > sat->proof_room) {
    size_t room = 2 * (sat->proof_count + count);
    int *larger = realloc(sat->proof, room * sizeof *larger);
    sat->proof_lost |= !larger;
    if (!larger) return;
    sat->proof = larger;
    sat->proof_room = room;
  }
  memcpy(sat->proof + sat->proof_count, clause, count * sizeof *clause);
  sat->proof_count += count;
}

struct sat *sat_new(bool (*stop)(void *context), void *context, bool proves) {
  struct sat *sat = guard_must(calloc(1, sizeof *sat));
  sat->solver = ccadical_init();
  sat->stop = stop;
  sat->context = context;
  guard_own(&sat->guarded, free_sat, sat);
  ccadical_set_option(sat->solver, "quiet", 1);
  ccadical_set_terminate(sat->solver, sat, asked_to_stop);
  if (proves) {
    ccadical_set_option(sat->solver, "inprocessing", 0); /* what it derives in between is not told */
    ccadical_set_learn(sat->solver, sat, INT_MAX, keep_learnt);
  }
  sat->variables = SAT_TRUE;
  sat_clause(sat, (const int[]){SAT_TRUE}, 1);
  return sat;
}

void sat_free(struct sat *sat) {
  guard_disown(&sat->guarded);
  free_sat(sat);
}

void sat_poll(struct sat *sat) {
  if (sat->stop(sat->context)) guard_give_up("stopped");
}

size_t sat_size(const struct sat *sat) {
  return sat->size;
}

int sat_variable(struct sat *sat) {
  return ++sat->variables;
}

void sat_clause(struct sat *sat, const int *literals, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (literals[i] == SAT_TRUE && sat->variables > SAT_TRUE) return;
  for (size_t i = 0; i < count; i++)
    if (literals[i] != SAT_FALSE) ccadical_add(sat->solver, literals[i]);
  ccadical_add(sat->solver, 0);
  sat->size += BYTES_OF_CLAUSE + count * sizeof *literals;
  if (++sat->clauses % CLAUSES_TO_POLL == 0) sat_poll(sat);
}

void sat_clause_2(struct sat *sat, int a, int b) {
  sat_clause(sat, (const int[]){a, b}, 2);
}

void sat_clause_3(struct sat *sat, int a, int b, int c) {
  sat_clause(sat, (const int[]){a, b, c}, 3);
}

int sat_and(struct sat *sat, int a, int b) {
  if (a == SAT_FALSE || b == SAT_FALSE || a == -b) return SAT_FALSE;
  if (a == SAT_TRUE || a == b) return b;
  if (b == SAT_TRUE) return a;
  int c = sat_variable(sat);
  sat_clause_2(sat, -c, a);
  sat_clause_2(sat, -c, b);
  sat_clause_3(sat, c, -a, -b);
  return c;
}

int sat_or(struct sat *sat, int a, int b) {
  return -sat_and(sat, -a, -b);
}

int sat_xor(struct sat *sat, int a, int b) {
  if (a == SAT_FALSE) return b;
  if (b == SAT_FALSE) return a;
  if (a == SAT_TRUE) return -b;
  if (b == SAT_TRUE) return -a;
  if (a == b) return SAT_FALSE;
  if (a == -b) return SAT_TRUE;
  int c = sat_variable(sat);
  sat_clause_3(sat, -c, a, b);
  sat_clause_3(sat, -c, -a, -b);
  sat_clause_3(sat, c, -a, b);
  sat_clause_3(sat, c, a, -b);
  return c;
}

int sat_if(struct sat *sat, int condition, int then, int otherwise) {
  if (condition == SAT_TRUE || then == otherwise) return then;
  if (condition == SAT_FALSE) return otherwise;
  if (then == SAT_TRUE || then == SAT_FALSE || otherwise == SAT_TRUE || otherwise == SAT_FALSE)
    return sat_or(sat, sat_and(sat, condition, then), sat_and(sat, -condition, otherwise));
  int c = sat_variable(sat);
  sat_clause_3(sat, -condition, -c, then);
  sat_clause_3(sat, -condition, c, -then);
  sat_clause_3(sat, condition, -c, otherwise);
  sat_clause_3(sat, condition, c, -otherwise);
  return c;
}

const int *sat_proof(const struct sat *sat, size_t *count) {
  *count = sat->proof_count;
  return sat->proof;
}

void sat_assume(struct sat *sat, int literal) {
  ccadical_assume(sat->solver, literal);
}

static void keep_answer(struct sat *sat) {
  if (sat->variables > sat->answered) {
    sat->answer = guard_must(realloc(sat->answer, ((size_t)sat->variables + 1) * sizeof *sat->answer));
    sat->answered = sat->variables;
  }
  for (int i = 1; i <= sat->variables; i++) sat->answer[i] = ccadical_val(sat->solver, i) > 0;
}

enum sat_answer sat_solve(struct sat *sat, unsigned most_conflicts) {
  if (most_conflicts) ccadical_limit(sat->solver, "conflicts", (int)most_conflicts);
  int answer = ccadical_solve(sat->solver);
  if (sat->proof_lost) guard_out_of_memory();
  if (answer == 10) keep_answer(sat);
  return answer == 10 ? SAT_YES : answer == 20 ? SAT_NO : SAT_STOPPED;
}

bool sat_holds(const struct sat *sat, int literal) {
  int variable = literal < 0 ? -literal : literal;
  return (variable <= sat->answered && sat->answer[variable]) == (literal > 0);
}
