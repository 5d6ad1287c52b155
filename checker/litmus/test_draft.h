/* SPDX-License-Identifier: MIT */
/* A litmus test while it is being read: what all dialects share.
 *
 * litmus.c reads the header, then calls the dialect for the init section and
 * the threads, then reads the scope tree and the condition (scope.c,
 * condition.c), calls the dialect again to lower its threads to instructions,
 * and assembles the program.  A dialect fills the draft's tables of locations,
 * threads and registers by the functions below; it never builds a struct
 * program itself.
 *
 * A new dialect is one file with a `struct dialect` and one line in the table
 * of litmus.c.
 */
#ifndef LITSCOPE_LITMUS_TEST_DRAFT_H
#define LITSCOPE_LITMUS_TEST_DRAFT_H

#include "checker/base/vec.h"
#include "checker/litmus/lex.h"
#include "checker/litmus/repair_moves.h"

/* A text above the size or with more cells, threads, labels, or registers or
 * instructions of a thread than this is no litmus test; it is refused rather than
 * looked at for minutes. */
enum { DRAFT_SIZE_LIMIT = 1 << 20, DRAFT_COUNT_LIMIT = 4096, DRAFT_CODE_LIMIT = 100000 };

/* A location or an array of `size` cells.  What is known of it grows as the
 * init section and the threads' parameters are read. */
struct draft_location {
  const char *name;
  struct span span;
  unsigned size;
  bool array;            /* cells print as name[i] */
  int64_t *init;         /* of each cell */
  unsigned regions;      /* set of enum region that declarations named: 0 none yet */
  bool plain;            /* it is not atomic, says a parameter or, without any, the init section */
  bool mbarrier;         /* PTX: it is an mbarrier object */
  bool arrivals;         /* PTX: it counts arrivals at the barrier of a cluster */
  unsigned multimem;     /* PTX: to so many places its address points: to its own and those of the next in the table */
  unsigned blocks;       /* PTX: its address is that of so many locations, one in each block of a cluster: */
  const unsigned *block; /* their indices into the table */
  unsigned tensors;      /* PTX: 1 + index of the array, of which it holds the number of an element: a tensor map */
  bool parameter;        /* some thread has it as a parameter */
  bool initialised;      /* the init section names it */
  bool pointer;          /* it holds addresses, says a declaration or the init section */
  bool typed;            /* some declaration says its type, the first parameter's or, without any, the init section's */
  struct width width;    /* what it says */
  unsigned first;        /* index of its first cell in the program, once assembled */
  unsigned physical, generic; /* indices into the table: its own, unless it is an alias (see struct location) */
};

struct draft_register {
  const char *name; /* NULL: a temporary */
  int64_t init;
  bool assigned; /* declared, written, or set by the init section */
  bool declared;
  bool pointer; /* it holds addresses, says its declaration or the init section */
  struct width width;
  struct span span; /* of its first use */
};

/* A place above a thread as the text gives it; numbers are the text's own and
 * need not be consecutive. */
#define NO_PLACE UINT32_MAX /* a level that a thread does not name */

struct placement {
  bool given;
  unsigned sg, wg, qf, dev; /* instances across the whole program, once resolved */
  unsigned grid;            /* its number in the order of grids, as in the text */
};

struct draft_thread {
  unsigned number; /* 2 for P2 */
  const char *name;
  struct span span;
  struct placement place;
  VEC(struct draft_register) registers;
  VEC(struct instr) code;
  void *body; /* the dialect's tree */
};

/* `0:r0=2` in the init section: kept until the threads are known. */
struct draft_register_init {
  unsigned number;
  const char *name;
  int64_t value;
  bool pointer; /* it is an address */
  struct span span;
};

/* `x = &y`, `0:r0 = &a[1]` in the init section: kept until all locations are known. */
struct draft_address {
  size_t owner;     /* index of a location, or of a register init */
  bool of_register; /* which of the two */
  unsigned cell;    /* of the owner, a location */
  const char *name; /* whose address */
  unsigned offset;  /* cell of that */
  struct span span;
};

/* The condition as read, before names are looked up. */
struct syntax_operand {
  enum { OPERAND_NUMBER, OPERAND_REGISTER, OPERAND_LOCATION, OPERAND_ADDRESS } kind;
  int64_t value;   /* NUMBER, and the cell of an array's LOCATION or ADDRESS */
  bool cell;       /* LOCATION, ADDRESS: written with an index */
  unsigned number; /* REGISTER: of the thread */
  const char *name;
  struct span span;
};

struct syntax_prop {
  enum prop_kind kind;
  enum compare compare;
  struct syntax_operand left, right;
  const struct syntax_prop *a, *b;
  const struct syntax_operand *array; /* of all of its cells, with `values`; NULL: it makes no comparison with those */
  const struct syntax_operand *values;
  unsigned count;
};

struct syntax_condition {
  enum quantifier quantifier;
  const struct syntax_prop *prop, *filter; /* NULL: none */
  VEC(struct syntax_operand) locations;
  uint32_t at;                        /* where it begins in the test's text */
  const struct source *source;        /* of `prop`, when it replaces the test's own; else NULL */
  const struct syntax_prop *replaced; /* the test's own then */
};

struct dialect;
struct ast_stmt; /* ast.h */

struct draft {
  struct reader reader;
  unsigned depth; /* of nesting, while statements are parsed */
  const struct dialect *dialect;
  const struct litmus_options *options;
  const char *name;
  VEC(struct draft_location) locations;
  VEC(struct draft_thread) threads;
  VEC(struct draft_register_init) register_inits;
  VEC(struct draft_address) addresses; /* in initial values */
  bool takes_addresses;                /* some value may be an address */
  bool wide;                           /* some type has more bits than values */
  bool order_chosen;                   /* somewhere, of operands that C does not order */
  VEC(const char *) barrier_labels;
  VEC(const char *) annotations; /* as in struct program */
  VEC(struct thread_pair) pairs; /* by number */
  VEC(struct assertion) assertions;
  bool placed; /* some thread has a place */
  bool tree;   /* given by a scope tree rather than after the threads' names */
  struct syntax_condition condition;
  struct program *program; /* once assembled */
  void *own;               /* what else the dialect keeps */
};

struct dialect {
  const char *const *words; /* first words of a header, ending in NULL */
  bool nameless;            /* there is no header: they are the text's first, and the file's name is the test's */
  enum litmus_language language;
  const char *name;       /* as messages call it */
  const char *model;      /* that its tests are checked against by default */
  unsigned lexis;         /* set of enum lexis */
  bool scoped;            /* threads have places, operations scopes */
  bool barriers;          /* there are barriers of work-groups */
  bool fence_scopes;      /* the scope of a barrier is that of its fences only */
  bool remote;            /* there are remote operations */
  bool may_keep_expected; /* -variant cas-keeps-expected: a failing compare-and-swap leaves the expected value alone */
  bool group_memory;      /* `group` is a type word, for local memory */
  bool partial_coherence; /* as in struct program */
  bool free_values;       /* as in struct program */
  const char *const *scope_words, *const *level_words; /* as in struct program */
  const char *const *places;      /* levels that a thread's head must name, outermost last, ending in NULL; NULL: any */
  bool proxies;                   /* accesses have proxies, and an alias names one; locations have a space */
  bool guards;                    /* `@` before what is no label begins an instruction, which a register guards */
  bool clusters;                  /* it may also name a cluster of blocks (else place.qf is NO_PLACE) and a grid */
  const struct move_words *moves; /* how its operations are written, stronger or weaker; NULL: `repair` cannot */
  bool colon_assigns;             /* `:=` assigns as `=` does */
  bool typed_by_accesses;         /* a location has no type of its own: numbers next to it in conditions are its bits */
  bool kernels;                   /* the text may go on with a kernel where others have a thread */
  /* In place of C's statements, where these are no blocks and control no flow; NULL: C's. */
  const struct ast_stmt *(*parse_statement)(struct draft *draft);
  /* Reads from the init section to just before the scope tree or condition; of a
   * nameless text, which has none, all. */
  void (*parse)(struct draft *draft);
  /* Fills every thread's code and registers. */
  void (*lower)(struct draft *draft);
  /* Adds to the assembled program what only this dialect knows; NULL: nothing. */
  void (*assemble)(struct draft *draft, struct program *program);
};

/* Every front end: X(name) stands for name_dialect. */
#define DIALECT_LIST(X) X(opencl) X(c) X(hsa) X(adsm) X(ptx) X(vulkan) X(khronos) X(amdgpu)

#define DIALECT_DECLARE(name) extern const struct dialect name##_dialect;
DIALECT_LIST(DIALECT_DECLARE)

/* --- locations ------------------------------------------------------------- */

/* The location of this name, NULL when there is none yet. */
struct draft_location *draft_find_location(struct draft *draft, const char *name);

/* The hint of a message that names no location: the nearest that there is; or "". */
const char *draft_location_hint(struct draft *draft, const char *name);

/* The part of an array after its name and '[' in the init section: its size, and
 * the initial values of its cells. */
void draft_parse_array(struct draft *draft, struct draft_location *location);

/* Fails once a table of so many is full; the element that did not fit is still made. */
void draft_check_count(struct draft *draft, size_t count, const char *what, struct span span);

/* The location of this name, made on first use.  Pointers into the table are
 * good until the next location is made. */
struct draft_location *draft_add_location(struct draft *draft, const char *name, struct span span);

/* The location of this name, for languages that need not declare them, and for C's
 * conditions: made of one cell and with a warning, once locations have numbers. */
const struct draft_location *draft_use_location(struct draft *draft, const char *name, struct span span);

/* Makes the locations that only the condition names, as herd does (its C has a 0
 * there); once registers are known, so that no register is taken for one. */
void draft_use_condition(struct draft *draft);

/* Whether the condition, the filter or `locations` name a thread's register. */
bool draft_condition_names(const struct draft *draft, unsigned thread, const char *name);

/* --- threads and registers --------------------------------------------------- */

/* Reads a thread's name, `P0`; false without moving when there is none. */
bool draft_is_thread_name(const struct token *token, unsigned *number);

/* Adds a thread; fails when its number is taken. */
struct draft_thread *draft_add_thread(struct draft *draft, const struct token *name);

/* A register of this name, made on first use, or -1.  Registers are numbers, as
 * in the instructions. */
int draft_find_register(const struct draft_thread *thread, const char *name);
unsigned draft_use_register(struct draft *draft, struct draft_thread *thread, const char *name, struct span span);

/* Warns of registers that are read and never set: they are 0, as in herd. */
void draft_check_registers(struct draft *draft);

/* unusable_orders.c: warns, once a test, of an order or scope that its operation has no use for. */
void draft_check_orders(struct draft *draft);

/* Warns of programs that mean something else than they seem to say (warnings.c). */
void draft_warn(struct draft *draft);

/* A register without a name. */
unsigned draft_new_temporary(struct draft *draft, struct draft_thread *thread);

/* The next instruction of a thread, to be filled in: reg is NO_REG, barrier
 * label -1. Good until the next one. */
struct instr *draft_emit(struct draft *draft, struct draft_thread *thread, enum instr_kind kind, struct span span);

/* The same before instruction `at`, once all jumps have their targets. */
struct instr *draft_insert(struct draft *draft, struct draft_thread *thread, size_t at, enum instr_kind kind,
                           struct span span);

/* Expressions in the test's arena. */
static inline const struct expr *draft_constant(struct draft *draft, int64_t value) {
  return expr_constant(draft->reader.arena, value);
}
static inline const struct expr *draft_register_value(struct draft *draft, unsigned reg) {
  return expr_register(draft->reader.arena, reg);
}
static inline const struct expr *draft_operation(struct draft *draft, enum expr_kind kind, const struct expr *a,
                                                 const struct expr *b, const struct expr *c) {
  return expr_operation(draft->reader.arena, kind, a, b, c);
}
static inline const struct expr *draft_binary(struct draft *draft, enum expr_kind kind, const struct expr *a,
                                              const struct expr *b) {
  return draft_operation(draft, kind, a, b, NULL);
}
static inline const struct expr *draft_with_constant(struct draft *draft, enum expr_kind kind, const struct expr *a,
                                                     int64_t b) {
  return draft_binary(draft, kind, a, draft_constant(draft, b));
}
static inline const struct expr *draft_conditional(struct draft *draft, const struct expr *condition,
                                                   const struct expr *a, const struct expr *b) {
  return draft_operation(draft, EXPR_COND, condition, a, b);
}
static inline const struct expr *draft_fit(struct draft *draft, struct width width, const struct expr *value) {
  return expr_fit(draft->reader.arena, width, value, expr_operation);
}

/* The tag of an annotation, as a set, made on first use. */
tag_set draft_annotation(struct draft *draft, const char *name, struct span span);

/* Index of a barrier label, made on first use. */
int draft_barrier_label(struct draft *draft, const char *label);

/* --- parts of the text that dialects share --------------------------------------- */

/* `0:` or `P0:`, before a register; false without moving where there is none. */
bool draft_skip_thread(struct reader *reader, unsigned *number);

/* What the init section says of a register of that thread; nothing after an error. */
void draft_init_register(struct draft *draft, unsigned number, const char *name, int64_t value, struct span span);

/* `item; item; }`, after the brace that opens it; `behind`: where a semicolon may be missing, "after an initial
 * value". */
void draft_parse_items(struct draft *draft, void (*item)(struct draft *draft), const char *behind);

/* `{ [x]=0; y=1; 0:r0=2; int z = 3; global int* d; local atomic_int e; int a[2] = {1,2}; }` */
void draft_parse_init(struct draft *draft);
void draft_parse_init_items(struct draft *draft, void (*item)(struct draft *draft)); /* of another form */

/* Makes the locations of which initial values are the addresses, and that nothing else mentions. */
void draft_add_addressed(struct draft *draft);

/* Fills in the addresses among the initial values, once cells have numbers. */
void draft_resolve_addresses(struct draft *draft);

/* What a type says: `volatile global atomic_int`. */
struct type {
  bool atomic;
  bool pointer; /* `_Atomic(int *)`, `intptr_t`: it can be an address */
  struct width width;
  unsigned regions; /* set of enum region: 0 when not said */
  struct span span;
};

/* Reads a type up to its stars; false without moving when the current token
 * does not start one. */
bool draft_parse_type(struct draft *draft, struct type *type);

/* Joins a declaration's type with what is known of a location; fails when two
 * declarations put it into different regions.  Whether it is atomic is for the
 * threads' parameters to say, and for the init section where none does: herd
 * heeds parameters only, and `{ int x = 0; }` is common with atomic_int* x. */
void draft_declare_location(struct draft *draft, struct draft_location *location, const struct type *type,
                            struct span span, bool parameter);

/* scope.c: `@wg 0, dev 0` after a thread's name, `scopeTree (...)` after the
 * threads; then the check that all or no threads have a place, and instance
 * numbers for all. */
void draft_parse_place(struct draft *draft, struct draft_thread *thread);
bool draft_at_scope_tree(const struct draft *draft);
void draft_parse_scope_tree(struct draft *draft);
void draft_resolve_places(struct draft *draft);

/* condition.c: `filter`, `locations` and the quantified proposition, up to the
 * end of the text. */
bool draft_at_condition(const struct draft *draft);
void draft_parse_condition(struct draft *draft);

/* All of some propositions, or one of them: a balanced tree, so that long chains do not nest deeply; NULL of none. */
const struct syntax_prop *draft_join(struct arena *arena, enum prop_kind kind, const struct syntax_prop *const *parts,
                                     size_t count);
void draft_replace_condition(struct draft *draft, const char *text);

/* condition_names.c: after the program is assembled, names looked up. */
void draft_resolve_condition(struct draft *draft, struct litmus_test *test);

/* What the test observes by its own condition, also where another replaced it. */
struct litmus_test draft_own_observables(struct draft *draft, const struct litmus_test *test);

/* hash.c */
void draft_hash(struct draft *draft, struct litmus_test *test);

/* hash_herd.c: the hash that herd7 computes of a C test; false where it is none
 * of herd7's. */
bool draft_hash_herd(struct arena *arena, const struct litmus_test *test, char hash[static 33]);

#endif
