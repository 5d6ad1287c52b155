/* SPDX-License-Identifier: MIT */
/* litscope-certify: is a certificate of a verdict right?
 *
 * A program of its own.  It shares no code with litscope, whose engines search;
 * it only follows.  A certificate has a test's program, a model's definitions, the
 * verdict, and a tree of decisions.  Here threads are run again (threads.c), the
 * model is evaluated by the book on what is decided and what is open (evaluate_model.c),
 * and the tree is walked (decision_tree.c): its branches must leave nothing out, and each
 * leaf must be closed by what it names, or be an execution, whose final state is
 * computed and counted here.  What machines do is followed by small machines of its
 * own (machine.h).
 *
 * At most 128 events, so that a set of events is a word and a relation 128 of them.
 */
#ifndef LITSCOPE_CERTIFY_CERTIFY_H
#define LITSCOPE_CERTIFY_CERTIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_EVENTS = 128, MOST_THREADS = 32, MOST_NODES = 2000, MOST_CHECKS = 64, MOST_DEPTH = 1000 };
enum { MOST_INSTRUCTIONS = 2000, MOST_REGISTERS = 1000 }; /* of a thread */

__extension__ typedef unsigned __int128 mask;
#define BIT(i) ((mask)1 << (i))

static inline unsigned first_bit(mask m) {
  uint64_t low = (uint64_t)m;
  return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(m >> 64)));
}
static inline bool is_single(mask m) {
  return m && !(m & (m - 1));
}

/* ---- s_expressions.c: lists of words in parentheses ------------------------------- */

/* A word, or a list of items; its place in the text. */
struct item {
  const char *word; /* NULL: a list */
  const struct item *first, *next;
  unsigned line, column, count;
};

/* Ends the check of this file: the certificate cannot be read (status 2), or is wrong (1). */
_Noreturn void bad(const struct item *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void reject(const struct item *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Memory of the current file, zeroed; all that came after a mark can be dropped. */
void *make(size_t size);
size_t memory_mark(void);
void memory_drop(size_t mark);

/* Items of the text, one after another. */
const struct item *read_items(char *text, size_t size);

bool is_list(const struct item *item, const char *head);
const struct item *part(const struct item *list, unsigned index); /* must be there; 0: the head */
void no_more_than(const struct item *list, unsigned parts);       /* else it is rejected */
const char *word_of(const struct item *item);
int64_t number_of(const struct item *item);
unsigned index_of(const struct item *item, unsigned below); /* a number from 0 to below - 1 */

/* Where `item` stands in a list of words that ends in NULL; else bad. */
unsigned choice_of(const struct item *item, const char *const *words, const char *what);

/* The list of this name, before the next certificate begins; NULL where there is none. */
const struct item *section(const struct item *items, const char *name, bool must);

/* Items up to the next certificate are lists of these heads, each there once at most. */
void check_heads(const struct item *items, const char *const *heads);

/* None of the lists of these names is there, before the next certificate begins; else it is rejected. */
void check_absent(const struct item *items, const char *const *names);

/* What has one answer, has one. */
void check_sizes(const struct item *items);

/* ---- threads.c: programs, and threads on their way ------------------------------- */

enum operator_ {
  E_CONST,
  E_REG,
  E_ADD,
  E_SUB,
  E_MUL,
  E_DIV,
  E_MOD,
  E_AND,
  E_OR,
  E_XOR,
  E_SHL,
  E_SHR,
  E_EQ,
  E_NE,
  E_LT,
  E_LE,
  E_GT,
  E_GE,
  E_LAND,
  E_LOR,
  E_UDIV, /* of values without sign */
  E_UMOD,
  E_ULT,
  E_NEG,
  E_NOT,
  E_LNOT,
  E_COND
};

struct expr {
  enum operator_ op;
  int64_t value; /* CONST */
  unsigned reg;  /* REG: a register, or in events the thread's event that reads */
  const struct expr *a, *b, *c;
};

int64_t apply(enum operator_ op, int64_t a, int64_t b, int64_t c);

struct cell {
  unsigned base, size;
  int name; /* accessed by this location's name; -1: its own */
  const struct expr *index;
};

enum instr_kind { I_LOAD, I_STORE, I_RMW, I_CAS, I_FENCE, I_BARRIER, I_ASSIGN, I_BRANCH, I_JUMP, I_MARK, I_MEET };

struct instr {
  enum instr_kind kind;
  int reg; /* -1: none */
  struct cell cell, expected_at;
  const struct expr *value, *expected; /* expected NULL: it is in memory */
  int op;                              /* RMW: an operator, or one of the OP_ below */
  unsigned bits, target, label;
  bool is_signed, weak, returns_old, writes_back, rewrites;
  bool arrives;                         /* MEET: a control barrier, `label` its name */
  const struct expr *resource, *quorum; /* of it, NULL: none */
  mask read, write, fail, ordinary;     /* words of its events; FENCE: read; BARRIER: read entry, write exit */
  bool has_arms;                        /* BRANCH: what follows `join` depends on it no more */
  unsigned first, join;                 /* its condition's first instruction */
  unsigned named_count, *named;         /* registers that the condition names */
};

enum { OP_EXCHANGE = 100, OP_MIN, OP_MAX, OP_UMIN, OP_UMAX };

/* Does it choose the smaller or the greater of two values, and how does it compare them? */
static inline bool chooses(int op) {
  return op == OP_MIN || op == OP_MAX || op == OP_UMIN || op == OP_UMAX;
}
static inline enum operator_ less_of(int op) {
  return op == OP_UMIN || op == OP_UMAX ? E_ULT : E_LT;
}

static inline bool accesses_memory(const struct instr *in) {
  return in->kind == I_LOAD || in->kind == I_STORE || in->kind == I_RMW || in->kind == I_CAS;
}

struct location {
  const char *name;
  int64_t init;
  unsigned generic, physical;
  mask words;
};

struct thread {
  unsigned place[4], instr_count, reg_count; /* place: sub-group, work-group, queue family, device */
  struct instr *instrs;
  int64_t *init;
};

struct program {
  unsigned thread_count, location_count, label_count, unroll;
  bool partial; /* co is a partial order */
  struct thread threads[MOST_THREADS];
  struct location *locations;
  unsigned pair_count;
  struct {
    unsigned from, to;
  } * pairs; /* ssw */
};

/* Words that events have, one bit each; these first, which are known here. */
enum { W_ALL, W_R, W_W, W_M, W_F, W_IW, W_RMW, W_SC, W_NA, W_SCOPE }; /* W_SCOPE and five more: WI to ALL */
mask words_in(const struct item *list, unsigned from);

enum event_kind { EV_READ, EV_WRITE, EV_FENCE, EV_MARK, EV_MEET };

struct event {
  enum event_kind kind;
  mask words, addr, data, ctrl; /* the latter by index in the thread */
  int location, name;           /* -1: none */
  const struct expr *value;     /* NULL: none */
  int label, round;             /* barrier fences; label -1: none */
  const struct instr *meets;    /* MEET, and its values */
  const struct expr *resource, *quorum;
  bool rmw, own; /* own: a read whose value is a variable */
};

enum run_end { RUNNING, OPEN, ENDED, CUT, UNDEFINED, IMPOSSIBLE };

struct condition {
  const struct expr *value;
  bool nonzero;
};

/* Arms of a condition: where they meet, and what held outside. */
struct arms {
  unsigned join;
  mask ctrl, hidden;
};

/* A thread on its way; where it forks, the ways to go on. */
struct run {
  enum run_end end;
  unsigned pc, count, condition_count, branch_count;
  struct event events[MOST_EVENTS];
  struct condition *conditions;
  const struct expr **regs;
  mask *deps, ctrl;
  mask *hangs, hidden; /* registers depend on reads also by the conditions under which they were set; `hidden`: now */
  struct arms *arms;
  unsigned depth, *begun; /* `begun`: events when an instruction was last done */
  unsigned *taken, *rounds;
  int64_t pinned[2];
  struct run **branches;
};

const struct program *read_program(const struct item *list);
const struct expr *read_expr(const struct item *item, unsigned registers, unsigned depth);
struct cell read_cell(const struct program *p, const struct item *item, unsigned registers);
int read_operator(const struct item *item); /* of a read-modify-write */
void find_joins(struct thread *thread);     /* of branches with arms */
const struct run *run_start(const struct program *program, unsigned thread);
const struct run *run_branch(const struct program *program, unsigned thread, const struct run *open, unsigned branch);

/* May the instruction write to the location; this value, where it is not NULL? */
bool writes(const struct instr *instr, unsigned location, const int64_t *value);

/* May the thread, from where it is? */
bool may_write(const struct program *program, const struct run *run, unsigned thread, unsigned location,
               const int64_t *value);

/* ---- evaluate_model.c: a model on a partial execution --------------------------------------- */

/* Two bounds of a relation, or in row 0 of a set: what is surely in it, and what may be. */
struct bounds {
  mask lo[MOST_EVENTS], up[MOST_EVENTS];
};

/* What is decided and what is open of one choice of events. */
struct state {
  const struct program *program;
  const struct run *runs[MOST_THREADS];
  unsigned count, init_count, first[MOST_THREADS];
  bool open; /* some thread goes on: more events will come */
  int ghost; /* an event of which only thread, place and words are known; -1: none */
  struct {
    const struct event *of; /* NULL: an initial write */
    int thread, location;   /* -1: none */
    mask words;
  } events[MOST_EVENTS];
  mask po[MOST_EVENTS], rmw[MOST_EVENTS], addr[MOST_EVENTS], data[MOST_EVENTS], ctrl[MOST_EVENTS];
  mask sources[MOST_EVENTS]; /* of a read */
  mask unfed;                /* reads that may see writes which are not there yet */
  mask known;
  int64_t value[MOST_EVENTS];
  struct bounds co, fences, joins; /* joins: barriers that synchronise, each with itself */
  unsigned identity;               /* of the choice of events */
};

static inline bool in(const mask *rows, unsigned a, unsigned b) {
  return rows[a] >> b & 1;
}
static inline bool is_read(const struct state *s, unsigned e) {
  return s->events[e].of && s->events[e].of->kind == EV_READ;
}
static inline bool is_decided(const struct state *s, unsigned read) {
  return is_single(s->sources[read]) && !(s->unfed >> read & 1);
}

/* ---- propagate_values.c: what follows from what is decided ------------------------------------- */

/* Reads decided so far, which count also when threads have gone on. */
struct decision {
  unsigned thread, index; /* of the read */
  int source_thread;      /* -1: an initial write */
  unsigned source_index;  /* in its thread; of an initial write, its location */
  const struct decision *before;
};

/* The events of threads that have come so far, with nothing decided but these. */
struct state *state_new(const struct program *program, const struct run *const *runs, const struct decision *decisions);
struct state *state_copy(const struct state *s);

/* Draws all conclusions about values; false when there is a contradiction. */
bool settle(struct state *s);

/* Some value can never be had, since it depends on itself. */
bool hangs_on_itself(const struct state *s);

/* Is the value of an expression over a thread's reads known? */
bool known_value(const struct state *s, unsigned thread, const struct expr *e, int64_t *value);

/* Decides a pair of writes, or of fences, or whether barrier a synchronises (b is it
 * again): (a, b) is taken or left out.  False when that contradicts what was decided. */
enum pairs { CO, FENCES, JOINS };
struct bounds *bounds_of(struct state *s, enum pairs which);
bool decide_pair(struct state *s, enum pairs which, unsigned a, unsigned b, bool taken);

/* ---- barriers.c ---- */

/* Control barriers: does one meet the other?  Do all threads get past theirs, or is it
 * not known yet which meet? */
enum answer { NO, MAYBE, YES };
enum answer meets(const struct state *s, unsigned a, unsigned b);
bool all_pass(const struct state *s);

/* If no more of a barrier's group may stay away, the others join; false when too few do. */
bool settle_group(struct state *s, unsigned barrier);

/* The event by its name, THREAD.INDEX or i.LOCATION; must be there. */
unsigned event_of(const struct state *s, const struct item *item);

enum role { REQUIRE, UNDEFINED_UNLESS, FLAG };

struct check {
  enum role role;
  unsigned kind, node; /* 0 acyclic, 1 irreflexive, 2 empty */
  bool negated;
  const char *name;
};

struct model {
  unsigned node_count, check_count;
  struct check checks[MOST_CHECKS];
};

const struct model *read_model(const struct item *definitions, const struct item *checks);

/* Do each other's scopes include the other's thread? */
bool inclusive(const struct state *s, unsigned a, unsigned b);

/* Begins with a state; then asks of each check whether it surely holds, and whether it
 * surely fails; and for some axiom that does, -1: none.  Only the definitions that are
 * asked for are evaluated: what value_of gives is right for those of such a check. */
void evaluate(const struct state *s);
bool surely_holds(const struct state *s, unsigned check);
bool surely_fails(const struct state *s, unsigned check);
int failing_axiom(const struct state *s);
const struct bounds *value_of(unsigned node);

/* Has the definition, as far as unions say, all of po, or else all of rf? */
bool has_all_of(unsigned node, bool po);
bool is_set(unsigned node);

/* Evaluates the state once for each way to choose what the model's definitions from
 * number `from` on choose, once where they do not; what they choose from is decided. */
typedef void visit_way(void *context);
void choose_from(const struct state *s, unsigned from, visit_way *each, void *context);

/* ---- check_certificate.c -------------------------------------------------------------------------- */

/* What a certificate says, checked: what it is, in words, for the answer. */
struct verdict {
  const char *test, *model, *machine, *observation; /* model, machine NULL: none is asked */
  unsigned cut, undefined;                          /* executions */
};

/* Checks the first of the certificates. */
void check_certificate(const struct item *items, struct verdict *verdict);

/* The items of the next one, or NULL. */
const struct item *next_certificate(const struct item *items);

#endif
