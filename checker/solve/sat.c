/* SPDX-License-Identifier: MIT */
/* Formulas for CaDiCaL.  A call that memory was too little for is followed by none but that which frees. */
#include "checker/solve/sat.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"
#include "checker/solve/cadical.h"

/* Bytes of a clause and of its watches, without its literals, as CaDiCaL keeps them. */
enum { CLAUSES_TO_POLL = 1024, BYTES_OF_CLAUSE = 112 };

enum gate_kind { GATE_AND, GATE_XOR, GATE_IF };

struct gate {
  enum gate_kind kind;
  int of[3];   /* its operands; 0 for those that it has not */
  int literal; /* that is as they say */
};

struct sat {
  struct cadical *solver;
  struct guarded guarded;
  int variables;
  unsigned clauses;
  size_t size;
  bool *answer; /* by variable, of the last answer: clauses may be added while it is read */
  int answered; /* variables that it has */
  struct arena *arena;
  VEC(struct gate) gates;
  struct hash_table gate_table; /* indices */
  int *proof;                   /* clauses learnt, each ended by 0 */
  size_t proof_count, proof_room;
  bool proof_lost; /* memory ran out while it was noted */
  bool (*stop)(void *context);
  void *context;
};

static void free_sat(void *object) {
  struct sat *sat = object;
  if (sat->solver) cadical_free(sat->solver);
  free(sat->answer);
  free(sat->proof);
  free(sat);
}

/* Goes back where memory has run out. */
static void must(bool done) {
  if (!done) guard_out_of_memory();
}

static bool asked_to_stop(void *context) {
  const struct sat *sat = context;
  return sat->stop(sat->context);
}

/* That memory ran out is said once CaDiCaL has returned. */
static void keep_learnt(void *context, int literal) {
  struct sat *sat = context;
  if (sat->proof_count == sat->proof_room) {
    size_t room = 2 * sat->proof_room + 64;
    int *larger = realloc(sat->proof, room * sizeof *larger);
    sat->proof_lost |= !larger;
    if (!larger) return;
    sat->proof = larger;
    sat->proof_room = room;
  }
  sat->proof[sat->proof_count++] = literal;
}

struct sat *sat_new(bool (*stop)(void *context), void *context, bool proves) {
  struct sat *sat = guard_must(calloc(1, sizeof *sat));
  const struct cadical_caller caller = {sat, asked_to_stop, proves ? keep_learnt : NULL};
  sat->stop = stop;
  sat->context = context;
  guard_own(&sat->guarded, free_sat, sat);
  sat->arena = arena_new();
  sat->solver = guard_must(cadical_new(&caller));
  sat->variables = SAT_TRUE;
  sat_clause(sat, (const int[]){SAT_TRUE}, 1);
  return sat;
}

void sat_free(struct sat *sat) {
  guard_disown(&sat->guarded);
  arena_free(sat->arena);
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
    if (literals[i] != SAT_FALSE) must(cadical_add(sat->solver, literals[i]));
  must(cadical_add(sat->solver, 0));
  sat->size += BYTES_OF_CLAUSE + count * sizeof *literals;
  if (++sat->clauses % CLAUSES_TO_POLL == 0) sat_poll(sat);
}

void sat_clause_2(struct sat *sat, int a, int b) {
  sat_clause(sat, (const int[]){a, b}, 2);
}

void sat_clause_3(struct sat *sat, int a, int b, int c) {
  sat_clause(sat, (const int[]){a, b, c}, 3);
}

/* ---- Gates ---------------------------------------------------------------------- */

/* The gate's literal; *is_new: its clauses have to be added. */
static int gate(struct sat *sat, enum gate_kind kind, int a, int b, int c, bool *is_new) {
  struct gate wanted = {kind, {a, b, c}, 0};
  uint64_t hash = (uint64_t)kind;
  for (unsigned i = 0; i < 3; i++) hash = hash_join(hash, (uint64_t)(int64_t)wanted.of[i]);
  HASH_EACH (at, &sat->gate_table, hash) {
    const struct gate *known = &sat->gates.at[hash_number(&sat->gate_table, at)];
    *is_new = known->kind != kind || memcmp(known->of, wanted.of, sizeof wanted.of) != 0;
    if (!*is_new) return known->literal;
  }
  *is_new = true;
  wanted.literal = sat_variable(sat);
  hash_add(sat->arena, &sat->gate_table, hash, (uint32_t)sat->gates.count);
  *vec_push(sat->arena, &sat->gates) = wanted;
  return wanted.literal;
}

int sat_and(struct sat *sat, int a, int b) {
  if (a == SAT_FALSE || b == SAT_FALSE || a == -b) return SAT_FALSE;
  if (a == SAT_TRUE || a == b) return b;
  if (b == SAT_TRUE) return a;
  bool is_new;
  int c = gate(sat, GATE_AND, a < b ? a : b, a < b ? b : a, 0, &is_new);
  if (!is_new) return c;
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
  if (a < 0) return -sat_xor(sat, -a, b);
  if (b < 0) return -sat_xor(sat, a, -b);
  bool is_new;
  int c = gate(sat, GATE_XOR, a < b ? a : b, a < b ? b : a, 0, &is_new);
  if (!is_new) return c;
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
  if (then == -otherwise) return -sat_xor(sat, condition, then);
  bool is_new;
  int c = gate(sat, GATE_IF, condition, then, otherwise, &is_new);
  if (!is_new) return c;
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
  must(cadical_assume(sat->solver, literal));
}

static void keep_answer(struct sat *sat) {
  if (sat->variables > sat->answered) {
    sat->answer = guard_must(realloc(sat->answer, ((size_t)sat->variables + 1) * sizeof *sat->answer));
    sat->answered = sat->variables;
  }
  for (int i = 1; i <= sat->variables; i++) must(cadical_value(sat->solver, i, &sat->answer[i]));
}

enum sat_answer sat_solve(struct sat *sat, unsigned most_conflicts) {
  int answer = 0;
  must(cadical_solve(sat->solver, (int)most_conflicts, &answer));
  if (sat->proof_lost) guard_out_of_memory();
  if (answer == 10) keep_answer(sat);
  return answer == 10 ? SAT_YES : answer == 20 ? SAT_NO : SAT_STOPPED;
}

bool sat_agrees(const struct sat *sat, int literal) {
  return sat_holds(sat, literal) || (literal < 0 ? -literal : literal) > sat->answered;
}

bool sat_holds(const struct sat *sat, int literal) {
  int variable = literal < 0 ? -literal : literal;
  return (variable <= sat->answered && sat->answer[variable]) == (literal > 0);
}
