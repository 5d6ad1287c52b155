/* SPDX-License-Identifier: MIT */
/* A litmus test's program: threads of instructions over registers and locations.
 *
 * Front-ends (litmus/) lower their syntax trees to this; the axiomatic engine
 * (exec/), the compiler mappings and the operational machines (hwsem/) read it.
 * It knows nothing of source languages: an OpenCL, a C and an HSA test that
 * mean the same make the same program.
 *
 * Control flow is a flat instruction list with jumps.  A backward jump is a
 * loop; engines bound how often each is taken (`-unroll`).
 *
 * ADSM programs (adsm.c) have objects, and host threads that launch kernels.  A
 * kernel's body lies inline after each CALL, up to its RETURN, and uses
 * registers of its own among the caller's: the caller goes on at CALL's
 * `target` without waiting, and what is between runs as a work-item of the
 * accelerator.  Bodies do not nest, and no jump enters or leaves one.
 *
 * Everything lives in the arena of the test and is read-only once built.
 */
#ifndef LITSCOPE_PROGRAM_PROGRAM_H
#define LITSCOPE_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/diag.h"
#include "checker/base/tag_set.h"

/* Memory order; ORDER_NA marks an ordinary (non-atomic) access.  Not compared by <: acquire and release are not
 * ordered. */
enum order { ORDER_NA, ORDER_RLX, ORDER_CON, ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL, ORDER_SC };

/* Does an operation or fence of this order release, or acquire? */
static inline bool order_releases(enum order order) {
  return order == ORDER_REL || order == ORDER_ACQ_REL || order == ORDER_SC;
}
static inline bool order_acquires(enum order order) {
  return order == ORDER_ACQ || order == ORDER_ACQ_REL || order == ORDER_SC;
}
/* Does it order other accesses at all? */
static inline bool order_synchronizes(enum order order) {
  return order != ORDER_NA && order != ORDER_RLX;
}
/* A compare-and-swap's one order in place of two: it does what both do. */
static inline enum order order_of_both(enum order success, enum order failure) {
  bool acquires = failure == ORDER_ACQ || failure == ORDER_CON;
  if (failure == ORDER_SC) return ORDER_SC;
  if (acquires && success == ORDER_RLX) return ORDER_ACQ;
  return acquires && success == ORDER_REL ? ORDER_ACQ_REL : success;
}

/* Scope levels, inner to outer, so that < says which is the smaller; SCOPE_NONE for ordinary accesses and for C.
 * PTX's cta, gpu and sys are WG, DEV and SYS; Vulkan's queue family is QF. */
enum scope { SCOPE_NONE, SCOPE_WI, SCOPE_SG, SCOPE_WG, SCOPE_QF, SCOPE_DEV, SCOPE_SYS };

/* Address spaces; a fence may name both. */
/* Private memory is each thread's own; only assembly has locations there. */
enum region { REGION_GLOBAL = 1, REGION_LOCAL = 2, REGION_PRIVATE = 4 };

const char *order_name(enum order order); /* "na", "rlx", "con", "acq", "rel", "ar", "sc" */
const char *scope_name(enum scope scope); /* "", "wi", "sg", "wg", "qf", "dev", "sys" */

/* Pure expressions over one thread's registers.  Arithmetic is on 64-bit
 * integers that wrap; comparisons and logic give 0 or 1. */
enum expr_kind {
  EXPR_CONST,
  EXPR_REG,
  EXPR_ADD,
  EXPR_SUB,
  EXPR_MUL,
  EXPR_DIV,
  EXPR_MOD,
  EXPR_AND,
  EXPR_OR,
  EXPR_XOR,
  EXPR_SHL,
  EXPR_SHR,
  EXPR_EQ,
  EXPR_NE,
  EXPR_LT,
  EXPR_LE,
  EXPR_GT,
  EXPR_GE,
  EXPR_LAND,
  EXPR_LOR, /* both sides are pure, so no short circuit is needed */
  EXPR_NEG,
  EXPR_NOT,
  EXPR_LNOT,
  EXPR_COND, /* a ? b : c */
  /* Of values without sign. */
  EXPR_UDIV,
  EXPR_UMOD,
  EXPR_ULT,
  /* IEEE arithmetic on the bits of doubles; floats (HNARROW, HWIDEN: of 16 bits) are widened, and their results
   * narrowed, which rounds as arithmetic on floats does.  Bits of a float have a
   * sign, like other values of 32 bits. */
  EXPR_FADD,
  EXPR_FSUB,
  EXPR_FMUL,
  EXPR_FDIV,
  EXPR_FADDF, /* the bits of the float next to the sum of two doubles, rounded once */
  EXPR_FEQ,   /* both ordered: false of what is no number */
  EXPR_FLT,
  EXPR_FNARROW,
  EXPR_FWIDEN,
  EXPR_HNARROW,
  EXPR_HWIDEN,
  EXPR_FFROM, /* of an integer, of one without sign */
  EXPR_FFROMU,
  EXPR_FTO, /* an integer, towards zero; what does not fit gives 0 */
  EXPR_FTOU
};
enum { EXPR_KINDS = EXPR_FTOU + 1 };

/* Does it make a float of another value, or another value of a float? */
static inline bool expr_converts(enum expr_kind kind) {
  return kind >= EXPR_FNARROW && kind <= EXPR_FTOU;
}

/* How many operands it has. */
static inline unsigned expr_arity(enum expr_kind kind) {
  if (kind == EXPR_CONST || kind == EXPR_REG) return 0;
  if (kind == EXPR_NEG || kind == EXPR_NOT || kind == EXPR_LNOT || expr_converts(kind)) return 1;
  return kind == EXPR_COND ? 3 : 2;
}

/* Is it arithmetic on values without sign? */
static inline bool expr_is_unsigned(enum expr_kind kind) {
  return kind == EXPR_UDIV || kind == EXPR_UMOD || kind == EXPR_ULT;
}

/* Is it arithmetic on floats? */
static inline bool expr_is_float(enum expr_kind kind) {
  return kind == EXPR_FADD || kind == EXPR_FSUB || kind == EXPR_FMUL || kind == EXPR_FDIV || kind == EXPR_FADDF ||
         kind == EXPR_FEQ || kind == EXPR_FLT || expr_converts(kind);
}

/* What an operation that C has no operator for is called; NULL: C has one. */
const char *expr_call(enum expr_kind kind);

/* C's operator between two operands (of EXPR_COND, after the first); `text` NULL: it has none. */
struct infix {
  const char *text;
  int binds; /* a higher number binds tighter */
};

struct infix expr_infix(enum expr_kind kind);

/* Does it compare whole numbers with a sign? */
static inline bool expr_compares(enum expr_kind kind) {
  return kind == EXPR_EQ || kind == EXPR_NE || kind == EXPR_LT || kind == EXPR_LE || kind == EXPR_GT || kind == EXPR_GE;
}

/* Is it one of C's operators whose value is 0 or 1? */
static inline bool expr_is_condition(enum expr_kind kind) {
  return expr_compares(kind) || kind == EXPR_LAND || kind == EXPR_LOR || kind == EXPR_LNOT;
}

/* Are 0 and 1 all its values? */
static inline bool expr_is_truth(enum expr_kind kind) {
  return expr_is_condition(kind) || kind == EXPR_ULT || kind == EXPR_FEQ || kind == EXPR_FLT;
}

struct expr {
  enum expr_kind kind;
  int64_t value;                /* EXPR_CONST */
  unsigned reg;                 /* EXPR_REG: index into the thread's registers */
  unsigned size;                /* parts, as often as they occur, itself included; UINT_MAX: that many or more */
  const struct expr *a, *b, *c; /* operands */
};

/* Is it a product of two floats and a float, rounded together? */
bool expr_is_fused(const struct expr *e);

/* New ones; an operation has NULL for operands that it lacks. */
const struct expr *expr_constant(struct arena *arena, int64_t value);
const struct expr *expr_register(struct arena *arena, unsigned reg);
const struct expr *expr_new(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                            const struct expr *c);

/* An operation, carried out on constants at once, so that `-1` is one; a division by zero stays for the engine to
 * report. */
const struct expr *expr_operation(struct arena *arena, enum expr_kind kind, const struct expr *a, const struct expr *b,
                                  const struct expr *c);

/* Is it undefined where the right operand is 0; and may this be 0? */
static inline bool expr_divides(const struct expr *e) {
  return e->kind == EXPR_DIV || e->kind == EXPR_MOD || e->kind == EXPR_UDIV || e->kind == EXPR_UMOD;
}
static inline bool expr_may_divide_by_0(const struct expr *e) {
  return expr_divides(e) && !(e->b->kind == EXPR_CONST && e->b->value);
}

/* Is it walked by its distinct parts, since it may have very many others (shared_subexpressions.h)? */
enum { EXPR_LARGE = 4096 };
static inline bool expr_is_large(const struct expr *e) {
  return e->size >= EXPR_LARGE;
}

/* Visits the parts of an expression (NULL: nothing), each before its own and from left to right, until a visit returns
 * false: then it returns that.  Of a large one a part that comes again is left out. */
bool expr_visit(const struct expr *e, bool (*visit)(void *context, const struct expr *part), void *context);

/* Does this hold of an expression, or of a part of it?  NULL has none. */
bool expr_has(const struct expr *e, bool (*holds)(const struct expr *part));

/* The same of the registers that an expression names. */
bool expr_registers(const struct expr *e, bool (*visit)(void *context, unsigned reg), void *context);

/* The same to set their marks, or to ask whether some register is marked. */
void expr_mark_registers(const struct expr *e, bool *marks);
bool expr_names_marked(const struct expr *e, const bool *marks);

/* The meaning of one operator.  Division by zero gives 0 and sets *undefined
 * (which may be NULL); shifts use the low six bits of their count. */
int64_t expr_apply(enum expr_kind kind, int64_t a, int64_t b, int64_t c, bool *undefined);

/* What values of a type fit in: those of narrow types are reduced when they are
 * kept, as in C.  `bits` is 0 for types that are not narrow (their values
 * are any of 64 bits), and 1 for truth values. */
struct width {
  unsigned bits;
  bool is_signed;
  bool is_real; /* the bits are those of a float of 32 or 64 bits: for printing alone */
  bool is_long; /* not narrow, and of 64 bits where an int has 32: for printing in hexadecimal alone */
};

int64_t width_fit(struct width width, int64_t value);

/* The same as operations, which `apply` makes. */
typedef const struct expr *expr_maker(struct arena *arena, enum expr_kind kind, const struct expr *a,
                                      const struct expr *b, const struct expr *c);
const struct expr *expr_fit(struct arena *arena, struct width width, const struct expr *value, expr_maker *apply);

/* A memory cell.  Arrays are consecutive cells named `a[0]`, `a[1]`, ...
 *
 * An alias is a further name of another location's cell: it has that cell as
 * `physical`, and is never an address' `base` nor an event's location, but may
 * be an observable, whose final value is one of its cell.  Names that reach the
 * cell by the same generic address have equal `generic` ones. */
struct location {
  const char *name;
  int64_t init;
  bool any; /* `init` says nothing: its initial value is not known, and may be any */
  enum region region;
  bool atomic;        /* declared atomic_int: an atomic location (else `nonatomicloc`) */
  struct width width; /* of its type, for printing */
  unsigned cell;      /* its number in an array; 0: the first, or no array */
  unsigned at, bytes; /* code for machines: where its array has it, and its size; 0 bytes: a word, at 4 * cell */
  unsigned object;    /* index into program.objects, where the program has any */
  unsigned physical, generic; /* 1 + location; 0: itself; see program_physical, program_generic */
};

/* ADSM: consecutive cells that the runtime knows as one thing.  Shared objects
 * live in the accelerator's memory and appear in the host's; the others are the
 * host's alone. */
struct object {
  const char *name;
  unsigned base, size; /* locations base .. base + size - 1 */
  bool shared;
  bool allocated;       /* before the program starts; else by an ALLOC in it */
  const bool *assigned; /* by kernel: the kernel may use it */
  bool freed;           /* by a FREE in it */
  unsigned accelerator; /* in whose memory it lies */
  bool safe;            /* its address on the host is not that on the accelerator (adsmSafeAlloc) */
};

struct kernel {
  const char *name;
  unsigned accelerator; /* on which it runs */
};

/* Addresses are values: that of location i is ADDRESS_FIRST + i, so that those of
 * an array's cells follow each other, and 0 is the address of nothing.  The
 * number is far from any that tests count to; it is read as an address only in
 * programs that take some (program.addresses). */
#define ADDRESS_FIRST ((int64_t)1 << 62)

/* What an access touches: cell `base` when index is NULL, otherwise cell
 * base + index, which must lie in base .. base + size - 1 (outside, the
 * execution is undefined: engines report it as a flag, not as a crash). */
struct address {
  unsigned base, size;
  const struct expr *index;
  const uint64_t *possible; /* a set of the cells that the index may name (possible_cells.h); NULL: any */
};

/* How many cells it may be, from `base` on. */
static inline unsigned address_cells(const struct address *address) {
  return address->index ? address->size : 1;
}

static inline bool address_may_have(const struct address *address, unsigned cell) {
  return cell < address_cells(address) && (!address->possible || (address->possible[cell / 64] >> cell % 64 & 1));
}
static inline bool address_may_be(const struct address *address, unsigned location) {
  return location >= address->base && address_may_have(address, location - address->base);
}

enum rmw_op {
  RMW_EXCHANGE,
  RMW_ADD,
  RMW_SUB,
  RMW_OR,
  RMW_XOR,
  RMW_AND,
  RMW_MIN,
  RMW_MAX,
  RMW_MUL,
  RMW_DIV,
  RMW_UMIN,
  RMW_UMAX,
  RMW_INC, /* one more, but 0 from the operand on; one less, but the operand from 0 and from above it; without sign */
  RMW_DEC,
  RMW_FADD, /* sums of floats of 32 bits, by their bits; of those that take numbers below the normal ones as 0; of 64 */
  RMW_FADD_FLUSH,
  RMW_FADD_LONG,
  RMW_MBARRIER /* adds to the counters of an mbarrier, whose phase ends when none is left (program/mbarrier.h) */
};

enum { RMW_OPS = RMW_MBARRIER + 1 };

/* Does it compare values without sign? */
static inline bool rmw_is_unsigned(enum rmw_op op) {
  return op == RMW_UMIN || op == RMW_UMAX || op == RMW_INC || op == RMW_DEC;
}

/* Does it add floats? */
static inline bool rmw_is_float(enum rmw_op op) {
  return op == RMW_FADD || op == RMW_FADD_FLUSH || op == RMW_FADD_LONG;
}

int64_t rmw_apply(enum rmw_op op, int64_t old, int64_t operand);

/* The sum of one that adds floats, as operations. */
const struct expr *rmw_float_sum(struct arena *arena, enum rmw_op op, const struct expr *old,
                                 const struct expr *operand, expr_maker *apply);

/* Bits of a float of 32 bits: of one below the normal numbers, those of 0 with its sign. */
const struct expr *expr_flush(struct arena *arena, const struct expr *bits, expr_maker *apply);

const char *rmw_name(enum rmw_op op); /* "exchange", "fetch_add", ... */

/* The operation whose result one of arithmetic writes; EXPR_CONST: there is no such operation. */
enum expr_kind rmw_arithmetic(enum rmw_op op);

enum instr_kind {
  INSTR_LOAD,    /* reg := [address]                                     */
  INSTR_STORE,   /* [address] := value                                   */
  INSTR_RMW,     /* reg := [address]; [address] := op(reg, value)        */
  INSTR_CAS,     /* if [address] == expected: [address] := value; reg := 1, else reg := 0 (see below) */
  INSTR_FENCE,   /* atomic_work_item_fence, atomic_thread_fence          */
  INSTR_BARRIER, /* work-group barrier: entry fence, then exit fence     */
  INSTR_ASSIGN,  /* reg := value                                         */
  INSTR_BRANCH,  /* if value == 0 go to target                           */
  INSTR_JUMP,    /* go to target                                         */
  INSTR_CALL,    /* start `kernel`, whose body follows; go to target     */
  INSTR_RETURN,  /* end of a kernel's body                               */
  INSTR_SYNC,    /* wait for this thread's earlier calls                 */
  INSTR_ALLOC,   /* begin `object`'s lifetime                            */
  INSTR_FREE,    /* end it                                               */
  INSTR_FILL,    /* memset: every cell of [address] := value             */
  INSTR_COPY,    /* memcpy: every cell of [address] := that of [from]    */
  INSTR_LOCK,    /* taking a lock, trying to, or looking at it: enum lock_op */
  INSTR_MEET,    /* control barrier, one event: see struct instr         */
  INSTR_MARK     /* an event that is only its tags; `address` too, if it has a size */
};

/* A lock is a location that holds 0 when nobody has it. */
enum lock_op {
  LOCK_TAKE, /* [address] := 1 where it is 0; an execution in which it is not counts for nothing */
  LOCK_TRY,  /* the same, reg := 1; where it is not 0, reg := 0 */
  LOCK_LOOK  /* reg := is it taken? */
};

enum { NO_REG = -1 };

struct instr {
  enum instr_kind kind;
  int reg; /* destination register, or NO_REG */
  struct address address;
  unsigned alias;           /* 1 + the location by whose name `address.base` is accessed; 0: its own */
  const struct expr *value; /* STORE: stored; RMW, CAS: operand / desired; ASSIGN; BRANCH: condition */
  enum rmw_op op;           /* RMW */
  struct width width;       /* RMW: of what is written; stored values are made to fit by the front end */
  enum order order;         /* LOAD, STORE, RMW, FENCE; CAS on success; ORDER_NA: ordinary */
  enum scope scope;
  bool implicit_scope;           /* the source names none: `scope` is the language's default */
  tag_set tags;                  /* of every event that it makes; TAG_REMOTE: promotion */
  tag_set read_tags, write_tags; /* further ones of its reads and of its writes: the halves of an RMW may differ */
  unsigned regions;              /* FENCE, BARRIER: set of enum region */
  bool split; /* RMW, CAS: the read half has the acquire part of `order`, the write half its release part
               * (ORDER_RLX where there is none); else both halves have the whole */

  /* CAS.  OpenCL and C keep the expected value in memory: it is read by an
   * ordinary load from `expected_at`, and, but under -variant cas-keeps-expected,
   * written back on failure.  HSA gives a value (`expected`) and returns the
   * old value rather than a flag. */
  bool expected_in_memory;
  struct address expected_at;
  const struct expr *expected;
  enum order failure;
  bool weak;        /* may fail though equal */
  bool returns_old; /* reg := value read (HSA, and the machines) */
  bool rewrites;    /* on failure the value read is written back to `address`: both halves exist always */
  bool writeback;   /* on failure the value read is stored at expected_at */
  bool unless;      /* [address] := what it was + value, where it was NOT the expected value */
  bool fails_apart; /* on failure the read has `failed_tags` in place of `read_tags` */
  tag_set failed_tags;
  tag_set around; /* on success there is a fence with these tags before and one after; 0: none */

  enum lock_op lock; /* LOCK */

  /* LOAD: waits for another value than `nothing`: an execution in which it reads that counts for nothing. */
  bool awaits;
  int64_t nothing;

  /* BARRIER: work-items of a work-group meet at barriers of the same label and
   * loop iteration; barriers without one (-1) meet in order. */
  int barrier_label; /* index into program.barrier_labels */

  /* MEET: threads of one work-group meet at `barrier_label`, the barrier's name
   * in the text (never -1), and, where `resource` is not NULL, at its value when
   * the barrier is reached.  Those with and without a resource never meet.  Its
   * group is the barriers that it can meet, itself among them.  A thread passes
   *  - without `quorum`, when every MEET instruction of the group that stands in
   *    the program has been reached, also those in branches not taken (with a
   *    resource: those reached with its value, and those not reached whose
   *    resource is this constant);
   *  - with it, when at least that many of the group's have been reached.
   * Else it stays there for ever, and an execution in which a thread does not
   * end counts for nothing.  `arrive`: the thread goes on before the others have
   * come, yet does not end if they never do; nobody synchronises with it.
   * `silent`: it orders nothing; where it also arrives, the thread leaves: it is
   * about to end, and others need not come (instr_leaves). */
  const struct expr *resource, *quorum;
  bool arrive, silent;
  bool full; /* as many as the quorum are all that can ever come (barriers_for_all.h) */

  unsigned target; /* BRANCH, JUMP, CALL: instruction index; == instr_count is the thread's end */

  /* BRANCH: 1 + the first instruction of the condition, which ends here: what depends on
   * it is in the arms, and nothing after they meet (litmus/README.md, "Dependencies").
   * 0, of a jump that is written as one: all later events do. */
  unsigned condition;

  unsigned kernel;     /* CALL: index into program.kernels */
  const bool *writes;  /* CALL, by object: what the program says that the kernel writes; NULL: it does not say */
  unsigned translated; /* CALL: pointers that were translated for the accelerator (adsmSafe) */
  unsigned object;     /* ALLOC, FREE: index into program.objects */
  struct address from; /* COPY; as large as `address`; neither has an index */

  /* ASSIGN, that divides 0 by 0 in the place of an access outside all objects: what this does, in words. */
  const char *outside;

  struct span span; /* in the test's source */
};

/* Do they say the same, wherever they stand in the text? */
bool expr_same(const struct expr *a, const struct expr *b);

/* The same where `same_register` says which registers of the one are those of the other. */
bool expr_same_but_for(const struct expr *a, const struct expr *b,
                       bool (*same_register)(void *context, unsigned a, unsigned b), void *context);
bool instr_same(const struct instr *a, const struct instr *b);

/* Does the instruction load or store one cell (LOAD, STORE, RMW, CAS, LOCK)? */
static inline bool instr_is_access(const struct instr *instr) {
  return instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE || instr->kind == INSTR_RMW ||
         instr->kind == INSTR_CAS || instr->kind == INSTR_LOCK;
}

static inline bool instr_jumps(const struct instr *instr) {
  return instr->kind == INSTR_BRANCH || instr->kind == INSTR_JUMP;
}

/* Does a thread arrive there because it ends? */
static inline bool instr_leaves(const struct instr *instr) {
  return instr->arrive && instr->silent;
}

/* The expressions of an instruction, NULL among them; how many. */
enum { INSTR_EXPRESSIONS = 7 };
unsigned instr_expressions(const struct instr *instr, const struct expr **out);

/* As expr_has and expr_mark_registers, of all these. */
bool instr_has(const struct instr *instr, bool (*holds)(const struct expr *part));
void instr_mark_registers(const struct instr *instr, bool *marks);

/* Is it the thread's own business: registers and the flow of control? */
static inline bool instr_is_control(const struct instr *instr) {
  return instr->kind == INSTR_ASSIGN || instr_jumps(instr);
}

/* One work-item with its place in the scope tree.  Instances are numbered across
 * the whole program: two threads are in the same work-group exactly when their
 * `wg` are equal, and a smaller instance lies in one larger.  The queue family is
 * Vulkan's; elsewhere all threads of a device are in one. */
struct thread {
  const char *name; /* "P0" */
  unsigned sg, wg, qf, dev;
  unsigned instr_count;
  struct instr *instrs;
  unsigned reg_count;
  const char **reg_names;         /* NULL entries are temporaries made by lowering */
  int64_t *reg_init;              /* from the init section, else 0 */
  const struct width *reg_widths; /* of the first `reg_typed` registers, for printing; others are ints */
  unsigned reg_typed;
};

/* Takes the marked instructions out: who jumps to one comes to what follows.  `arena`: for the work. */
void thread_leave_out(struct arena *arena, struct thread *thread, const bool *out);

/* Does the instruction jump back, as the last of a loop?  Is it in a loop? */
bool thread_loop_ends_at(const struct thread *thread, unsigned instr);
bool thread_loops_at(const struct thread *thread, unsigned instr);

/* Does one of its instructions from .. end - 1 jump to `instr`? */
bool thread_jumps_to(const struct thread *thread, unsigned from, unsigned end, unsigned instr);

/* The same instructions, with registers that begin alike? */
bool thread_same_code(const struct thread *a, const struct thread *b);

/* For each instruction of a program, thread by thread; a `break` leaves only the thread. */
#define INSTR_EACH(name, program)                                                                                 \
  for (const struct thread *thread_ = (program)->threads; thread_ < (program)->threads + (program)->thread_count; \
       thread_++)                                                                                                 \
    for (struct instr *name = thread_->instrs; name && name < thread_->instrs + thread_->instr_count; name++)

/* Everything that thread `from` does happens before everything that `to` does
 * (Vulkan's system-synchronizes-with). */
struct thread_pair {
  unsigned from, to;
};

/* A thread's machine code: lines of the program's source, and what registers
 * hold at its start. */
struct assembly_binding {
  const char *reg;  /* "s[0:1]" */
  const char *word; /* a location, or another word that the machine knows; NULL: `number` */
  int64_t number;
  struct span span;
};

struct assembly_thread {
  const struct span *lines;
  size_t line_count;
  const struct assembly_binding *bindings;
  size_t binding_count;
};

/* An argument of a kernel: its offset, and a location or another word, or a number. */
struct assembly_argument {
  unsigned offset;
  const char *word; /* NULL: `number` */
  bool flat;        /* the location's flat address */
  int64_t number;
  struct span span;
};

struct assembly {
  const char *target; /* the machine, as "gfx942:tgsplit" */
  struct span target_span;
  const struct assembly_thread *threads;
  const struct assembly_argument *arguments;
  size_t argument_count;
};

struct program {
  const char *name;
  const struct source *source;
  unsigned thread_count;
  struct thread *threads;
  unsigned location_count;
  struct location *locations;
  unsigned sg_count, wg_count, qf_count, dev_count;
  unsigned barrier_label_count;
  const char **barrier_labels;
  unsigned annotation_count; /* by the text's own names: tag TAG_COUNT + i is annotations[i] */
  const char *const *annotations;
  unsigned object_count; /* ADSM: 0 in other languages */
  const struct object *objects;
  unsigned kernel_count;
  const struct kernel *kernels;
  unsigned pair_count; /* Vulkan */
  const struct thread_pair *pairs;
  /* Coherence is a strict partial order of the writes of each location, which has
   * the initial write first and is chosen with the execution; final values are
   * those of co-maximal writes, for each name of a location on its own.  Else it
   * is total. */
  bool partial_coherence;
  /* Values may justify each other around a cycle of rf and data (the language, or
   * its models, forbid it where they mean to): a value that nothing else fixes may
   * be any. */
  bool hexadecimal; /* values are printed so */
  bool free_values;
  bool addresses;                 /* some value may be the address of a location */
  const char *const *scope_words; /* by enum scope, how the language writes it; NULL: scope_name's */
  const char *const *level_words; /* by enum scope, what an instance is called where threads are placed; NULL in the
                                   * table: not placed. NULL: work-groups and devices */
  const struct kernel_launch *kernel_launch; /* kernel_launch.h; NULL: it is no kernel in OpenCL C */
  const struct assembly *assembly; /* threads' code as text, for the machine that reads it; NULL: their instructions */
  bool placed; /* the test names a scope tree or placements (else: each thread in its own work-group of one device) */
};

/* The instance of a scope from SCOPE_SG to SCOPE_DEV that a thread is in. */
unsigned thread_instance(const struct thread *thread, enum scope scope);

/* What an instance of a scope is called in the language; NULL: threads are not
 * placed by it. */
const char *program_level_name(const struct program *program, enum scope scope);

/* The language's word for a scope. */
const char *program_scope_name(const struct program *program, enum scope scope);

/* The location whose cell a location names: itself, but for an alias; and the one
 * whose generic address it has. */
static inline unsigned program_physical(const struct program *program, unsigned location) {
  unsigned physical = program->locations[location].physical;
  return physical ? physical - 1 : location;
}
static inline unsigned program_generic(const struct program *program, unsigned location) {
  unsigned generic = program->locations[location].generic;
  return generic ? generic - 1 : location;
}

/* The location whose address a value is, or -1. */
static inline int program_addressed(const struct program *program, int64_t value) {
  bool some =
      program && program->addresses && value >= ADDRESS_FIRST && value - ADDRESS_FIRST < program->location_count;
  return some ? (int)(value - ADDRESS_FIRST) : -1;
}

/* A value as text: a number, a float by as few digits as tell it from all others, or the name of the location whose
 * address it is.  In hexadecimal numbers have no sign: what is negative has the digits of its type, or of an int, if it
 * fits, else 16. */
void value_print(const struct program *program, int64_t value, FILE *out);
void value_print_typed(const struct program *program, struct width width, int64_t value, FILE *out);

/* Does the program use what only ADSM has: objects, kernels? */
bool program_is_adsm(const struct program *program);

bool program_has_loop(const struct program *program);

/* A cell of an array, named `x[1]`. */
bool location_is_cell(const struct location *location);

/* Does a location of a kernel stand for a value that nothing in its code fixes: an undefined one, or that of a function
 * which is not computed? */
bool location_is_open(const struct program *program, unsigned x);

/* Index of a thread's register or of a location by name, -1 when absent. */
int thread_find_register(const struct thread *thread, const char *name);
int program_find_location(const struct program *program, const char *name);

/* How many threads a work-group has. */
unsigned program_work_group_size(const struct program *program, unsigned wg);

/* An expression in C's notation, with the fewest parentheses; registers beyond
 * the thread's own print as `$N`, and addresses as numbers. */
void expr_print(const struct thread *thread, const struct expr *e, FILE *out);

/* Prints the program, one instruction a line (`-dump program`). */
void program_print(const struct program *program, FILE *out);

/* One instruction as text in the source language's spirit, such as
 * `r0 = atomic_load_explicit_remote(y, acquire, device)`, without newline. */
void instr_print(const struct program *program, const struct thread *thread, const struct instr *instr, FILE *out);

/* Has some instruction an annotation (a tag)? */
bool program_has_tags(const struct program *program);

/* The tag of the annotation of this name, as a set; empty: the program has none. */
tag_set program_annotation(const struct program *program, const char *name);

/* The text that shows a tag or annotation on an event that has these tags, or "". */
const char *program_tag_text(const struct program *program, unsigned tag, tag_set tags);

#endif
