/* SPDX-License-Identifier: MIT */
/* A thread of assembly as the graph of what it can do to memory: a tree, but where
 * a thread has loops.
 *
 * Everything that does not touch memory (addresses, masks, spills, results) is
 * done here, once: registers hold numbers, or expressions over what loads have
 * read.  Where a condition depends on a load's value the tree forks, so that on
 * every path the mask of the one active lane, all addresses, what each wait
 * waits for, and which registers may be read are known.  What is left for the
 * machine are nodes: memory operations, waits, invalidates, barriers, forks.
 *
 * An operation on memory has a slot, its number among those of its path.  A
 * slot's value is what the operation read.
 *
 * Where a thread has loops, paths that come to the same instruction in the same
 * way go on as one (unfold_join.c).  For this slots get new numbers there, those
 * that are done and that no register needs none; and what registers hold that
 * was computed from slots becomes a slot's value.
 */
#ifndef LITSCOPE_HWSEM_AMD_UNFOLD_ASSEMBLY_H
#define LITSCOPE_HWSEM_AMD_UNFOLD_ASSEMBLY_H

#include "hwsem/amd/assembly.h"

/* A number, what a slot has read, or fn of two expressions. */
struct amd_expr {
  enum { AMD_EXPR_NUMBER, AMD_EXPR_SLOT, AMD_EXPR_FN } kind;
  enum amd_fn fn;
  int32_t number;
  unsigned slot, word; /* 0: of what it has read the lower word, 1: the upper one */
  const struct amd_expr *a, *b;
};

/* Its value, where each slot has `width` words. */
int32_t amd_expr_value(const struct amd_expr *e, const int32_t *slots, unsigned width);

/* What is written to a cell; word[1] is NULL where it has no more than 32 bits. */
struct amd_words {
  const struct amd_expr *word[2];
};

int64_t amd_words_value(const struct amd_words *words, const int32_t *slots, unsigned width);

enum amd_node_kind {
  AMD_NODE_LOAD,
  AMD_NODE_STORE,
  AMD_NODE_RMW,
  AMD_NODE_CAS,
  AMD_NODE_WRITE_BACK, /* has a slot too */
  AMD_NODE_INVALIDATE,
  AMD_NODE_WAIT,
  AMD_NODE_ARRIVE, /* at the barrier */
  AMD_NODE_MEET,   /* goes on when all have arrived */
  AMD_NODE_FORK,
  AMD_NODE_MOVE, /* slots get new numbers */
  AMD_NODE_JOIN, /* where paths meet */
  AMD_NODE_END,
  AMD_NODE_HAZARD /* reads or overwrites a register before the load that fills it was waited for; may have a slot too:
                   * 1 where the load was done by then, else 0 */
};

enum { AMD_SLOTS = 128, AMD_LOCATIONS = 128, AMD_NO_NODE = 0xffff };

/* A set of slots; the one with a slot alone; the first so many; the first of some. */
typedef unsigned __int128 amd_slot_set;
static inline amd_slot_set amd_slot(unsigned slot) {
  return (amd_slot_set)1 << slot;
}
static inline amd_slot_set amd_first_slots(unsigned count) {
  return count >= AMD_SLOTS ? ~(amd_slot_set)0 : amd_slot(count) - 1;
}
static inline unsigned amd_first_of(amd_slot_set set) {
  return (uint64_t)set ? (unsigned)__builtin_ctzll((uint64_t)set)
                       : 64 + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

/* A set of locations; the one with location x alone. */
typedef unsigned __int128 amd_location_set;
static inline amd_location_set amd_only(unsigned x) {
  return (amd_location_set)1 << x;
}
static inline int amd_count(amd_location_set set) {
  int count = 0;
  for (; set; set &= set - 1) count++; /* most are empty */
  return count;
}

/* What becomes of a slot: another slot's operation and value, or the value of an expression. */
struct amd_move {
  unsigned from;
  const struct amd_expr *expr; /* NULL: from */
};

struct amd_node {
  enum amd_node_kind kind;
  const struct amd_instr *instr;
  uint16_t next[2]; /* FORK: where the condition is false, true; else the first */

  /* Operations on memory. */
  unsigned slot, location;
  bool local, returns, through; /* in LDS; fills a register; a store that goes through several L2s to memory */
  bool seen;                    /* what it reads is seen though it may fill no register */
  unsigned passes;              /* LOAD: set of enum amd_cache that it does not look into */
  enum rmw_op op;
  struct amd_words data, expected; /* STORE, RMW, CAS; CAS */
  uint64_t kept;                   /* STORE: bits of its location that stay as they are */

  unsigned caches;                  /* INVALIDATE */
  amd_slot_set must;                /* WAIT: slots that must be done */
  bool any;                         /* WAIT: operations of its kind come before it */
  const struct amd_expr *condition; /* FORK */
  const struct amd_instr *load;     /* HAZARD: what should have been waited for */
  bool goes_on;                     /* HAZARD: the run does, with what the register holds; it has a slot */
  unsigned load_slot;               /* HAZARD that goes on: the load's */
  const struct amd_expr **results;  /* END: one for each thing observed */
  const struct amd_move *moves;     /* MOVE: by new slot */
  unsigned move_count;

  /* What is known of the rest of the thread. */
  amd_slot_set uses;                        /* slots that this node's expressions read */
  amd_slot_set live;                        /* slots that this node or a later one reads */
  amd_location_set loads[3];                /* locations that this or a later load looks up in L0; in GL1; in L2 */
  amd_location_set finds[3];                /* of these, where no invalidate drops the line that is there now before */
  amd_location_set scalars;                 /* and through the scalar cache */
  amd_location_set reads, writes;           /* that this or a later access reads, writes */
  amd_location_set soon_reads, soon_writes; /* the same of accesses that come before it meets others at a barrier */
  bool meets;                               /* it may do so without arriving there again */
  const uint16_t *by_slot;                  /* the nodes of this path that issued slots 0 .. slots - 1 */
  unsigned slots;
};

/* Does it access a location; write one; take a slot of its own for what it does to memory? */
static inline bool amd_node_writes(const struct amd_node *node) {
  return node->kind == AMD_NODE_STORE || node->kind == AMD_NODE_RMW || node->kind == AMD_NODE_CAS;
}
static inline bool amd_node_is_access(const struct amd_node *node) {
  return node->kind == AMD_NODE_LOAD || amd_node_writes(node);
}
static inline bool amd_node_is_request(const struct amd_node *node) {
  return node->kind == AMD_NODE_WRITE_BACK || amd_node_is_access(node);
}

/* A load through the scalar cache, of a location that changes. */
bool amd_node_is_scalar(const struct amd_node *node);

/* An addition of a number above 0, such as counters are for. */
bool unfold_counts(const struct amd_node *node);

struct amd_tree {
  struct amd_node *nodes; /* the first begins; without loops, a child comes after its parent */
  unsigned count;
  unsigned slots; /* most on any path */
  bool loops;
  /* Locations that scalar loads have read as constants: no thread may write them. */
  amd_location_set constants;
  const struct amd_code *code;
};

/* What a register holds at the start. */
struct amd_binding {
  unsigned reg, words;
  enum { AMD_BIND_NUMBER, AMD_BIND_LOCATION, AMD_BIND_OUT, AMD_BIND_KERNARG } kind;
  int64_t number;
  unsigned location; /* local: its offset in LDS */
  uint32_t before;   /* so many bytes before it */
};

/* A kernel's argument: the address of a location, or of the results, or a number, or the bytes of anything. */
struct amd_argument {
  unsigned offset;
  enum { AMD_ARGUMENT_OUT, AMD_ARGUMENT_LOCATION, AMD_ARGUMENT_NUMBER, AMD_ARGUMENT_BYTES } kind;
  bool indexed; /* bytes that are read by addresses that are known only then */
  unsigned location;
  bool flat;       /* the location's flat address, which takes two words for any memory */
  uint32_t before; /* so many bytes before the location */
  uint32_t number;
  const unsigned char *bytes; /* `size` of them */
  size_t size;
};

/* What the code says is somewhere by name: a location, or bytes among the arguments. */
struct amd_symbol {
  const char *name;
  int location;    /* -1: bytes */
  unsigned offset; /* of those, among the arguments */
};

/* What is asked of a thread's end. */
struct amd_watch {
  enum {
    AMD_WATCH_REGISTER,
    AMD_WATCH_RESULT, /* what it stored to its results, at `index` */
    AMD_WATCH_PRIVATE /* its own copy of location `index`, of private memory */
  } kind;
  unsigned index;
  const char *name;
};

/* What is taken for true of all threads, in sets of locations, while each is unfolded (amd_program_unfold). */
struct amd_facts {
  amd_location_set changing; /* some thread writes them: scalar loads of them are loads */
  bool fixed;                /* other loads of those that do not change read their first values at once, too */
  amd_location_set counters; /* threads only read them and add numbers above 0 to them: used where there are loops */
};

struct amd_thread_input {
  const char *name;
  const struct amd_code *code;
  const struct amd_binding *bindings;
  unsigned binding_count;
  const struct amd_argument *arguments;
  unsigned argument_count;
  const struct amd_symbol *symbols;
  unsigned symbol_count;
  const struct amd_watch *watches;
  unsigned watch_count;
  struct amd_facts facts; /* of the first piece */
  bool past_hazards;      /* a hazard does not end a run: it goes on with what the register holds at that time */
  bool waits_for_values; /* this piece meets none: a register's own load is waited for where it is used, and no other */

  /* A thread may consist of several pieces of code, each with registers and arguments
   * of its own, of which the first has the watches.  What is outstanding where one
   * ends is so where the next begins. */
  const struct amd_thread_input *next; /* NULL: the thread ends */
  bool single;                         /* its first access is all that it does to memory: what it stores afterwards
                                        * are values for its caller, which count but go nowhere */
  bool reads;                          /* what its first access reads is a result, at `result` */
  unsigned result;
  enum { AMD_GOES_ON, AMD_GOES_ON_UNLESS_0, AMD_GOES_ON_IF_0 } guard; /* by that result */
  const struct location *given; /* what its first access writes is read from here, which is no access; NULL: nowhere */
  const int64_t *initial;       /* of the first piece: what results are that nothing sets, by watch; NULL: 0 */
};

/* The bytes of a location, 1, 2, 4 or 8, and what is in them at first, without a sign where they are fewer than 4. */
static inline unsigned amd_bytes(const struct location *location) {
  return location->bytes ? location->bytes : 4;
}
static inline int64_t amd_initial(const struct location *location) {
  unsigned bytes = amd_bytes(location);
  if (bytes < 4) return location->init & ((1 << 8 * bytes) - 1);
  return bytes == 8 ? location->init : (int32_t)location->init;
}

/* The address of a location: in LDS and private memory one word, elsewhere two;
 * a flat address has two everywhere.  Arrays are far apart. */
struct amd_pointer {
  uint32_t word[2];
  unsigned words;
};
struct amd_pointer amd_pointer(const struct location *locations, unsigned location, bool flat);

/* The tree of a thread.  `locations` are the program's.  NULL, with
 * diagnostics, for what the machine cannot run. */
const struct amd_tree *amd_unfold(struct arena *arena, const struct amd_target *target,
                                  const struct amd_thread_input *thread, const struct location *locations,
                                  unsigned location_count, struct diags *diags);

#endif
