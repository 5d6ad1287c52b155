/* SPDX-License-Identifier: MIT */
/* What the parts of unfolding share: values, where a path is, and what they do
 * for each other.
 *
 * Functions that return bool interpret an instruction, or a part of one; false:
 * the path has ended, by an error, a hazard or a fork.
 */
#ifndef LITSCOPE_HWSEM_AMD_UNFOLD_INTERNAL_H
#define LITSCOPE_HWSEM_AMD_UNFOLD_INTERNAL_H

#include "checker/base/hash_table.h"
#include "checker/base/vec.h"
#include "hwsem/amd/unfold_assembly.h"

enum {
  KERNARG = 0x4000, /* upper words of pointers; location k: k + 1 */
  OUT = 0x8000,
  OUTS = 64,      /* results of a thread */
  SPILLS = 512,   /* private words, and lanes of registers */
  ISSUED = 256,   /* operations that a counter has counted */
  FORKS = 192,    /* on one path */
  EARLY = 8,      /* hazards of one instruction */
  NO_SLOT = 0xff, /* done when issued */
};

enum amd_value_kind {
  VALUE_UNSET,
  VALUE_NUMBER,
  VALUE_EXPRESSION,
  VALUE_OPAQUE /* depends on loaded data in a way that is not followed */
};

struct amd_value {
  enum amd_value_kind kind;
  uint32_t number; /* of an expression: what it is as an address (is_address) */
  const struct amd_expr *expr;
  bool is_address; /* a number that a load on its way may still overwrite: addresses do not wait for that */
};

struct amd_cell {
  struct amd_value value;
  uint8_t pending; /* slot + 1 of a load that has not been waited for */
  /* Of private and scalar loads, which have no slot: the counter, + 1, and how many operations it has
   * counted since. */
  uint8_t counter, since;
  const struct amd_instr *load;
};

/* A spilled word: of private memory, or a lane of a register. */
struct amd_spill {
  uint64_t key;
  struct amd_value value;
};

struct amd_decision {
  const struct amd_expr *expr;
  bool truth;
};

/* What the instruction that is being interpreted has met so far of hazards that the
 * run goes past: interpreted again after a fork, it meets the same. */
struct amd_early {
  const struct amd_instr *instr;
  unsigned reg, slot; /* slot: of the hazard */
};

/* Where interpretation is on one path. */
struct amd_path {
  struct amd_cell regs[AMD_REGISTERS];
  struct amd_spill spills[SPILLS];
  struct amd_value out[OUTS];
  uint8_t issued[AMD_CLASSES][ISSUED]; /* by counter: slots, in order */
  unsigned issued_count[AMD_CLASSES];
  struct amd_decision decisions[FORKS];
  uint16_t by_slot[AMD_SLOTS];
  amd_slot_set together[AMD_SLOTS];   /* slots of one instruction with this one, which counters count once */
  struct amd_value before[AMD_SLOTS]; /* what the register held that the slot's load fills */
  struct amd_early early[EARLY];
  unsigned spill_count, decision_count, early_count, slots;
  int32_t least[AMD_SLOTS];     /* what a slot has read is no less */
  int32_t added[AMD_LOCATIONS]; /* to counters, so far */
  amd_slot_set known;           /* slots that a wait has covered: done */
  const struct amd_thread_input *piece;
  unsigned accesses;       /* of the piece */
  bool waited;             /* for the piece's result, at its end */
  unsigned parent, branch; /* the node whose next[branch] comes now */
};

/* A way to come to an instruction where paths meet. */
struct amd_joint {
  const uint32_t *words; /* what is known there */
  unsigned count, node, pc;
  struct amd_path *path; /* to go on with */
};

struct amd_unfolding {
  struct arena *arena;
  const struct amd_target *target;
  const struct amd_thread_input *thread, *head; /* the piece that is interpreted; the first */
  const struct location *locations;
  unsigned location_count;
  struct diags *diags;
  amd_location_set constants; /* as in struct amd_tree */
  VEC(struct amd_node) nodes;
  bool loops; /* of any piece */
  VEC(struct amd_joint) joints;
  struct hash_table joints_table; /* by what is known there */
  size_t joints_done;
  VEC(struct amd_path *) idle;      /* memory for paths */
  const struct amd_instr *instr;    /* being interpreted */
  const struct amd_expr *undecided; /* what it needs the truth of, for the interpreter to fork on; or NULL */
  unsigned slots;
  bool failed;
};

/* Two words at once. */
struct amd_wide {
  struct amd_value at[2];
};

/* ---- values (unfold_values.c) ---- */

struct amd_value value_number(uint32_t n);

/* Are two expressions written alike?  The slots that one reads. */
bool unfold_same(const struct amd_expr *a, const struct amd_expr *b);
amd_slot_set unfold_slots_of(const struct amd_expr *e);

/* A word of what a slot has read. */
struct amd_value value_of_slot(struct amd_unfolding *u, unsigned slot, unsigned word);

const struct amd_expr *value_expression(struct amd_unfolding *u, struct amd_value v);
struct amd_value value_combine(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b);
/* a + b + in, or a - b - in; and the carry, 0 or 1. */
struct amd_value value_carry(struct amd_unfolding *u, enum amd_fn fn, struct amd_value a, struct amd_value b,
                             struct amd_value in, struct amd_value *carry);

/* Of three floats a * b + c, rounded once; opaque where not all are numbers. */
struct amd_value value_fused(struct amd_value a, struct amd_value b, struct amd_value c);

/* Two words shifted by a known number of bits. */
struct amd_wide value_shift_wide(struct amd_unfolding *u, enum amd_fn fn, struct amd_wide a, unsigned by);

/* The product of two words, in two; `upper`: AMD_MULHU or AMD_MULHI. */
struct amd_wide value_product(struct amd_unfolding *u, enum amd_fn upper, struct amd_value a, struct amd_value b);
struct amd_wide value_combine_wide(struct amd_unfolding *u, enum amd_fn fn, unsigned words, struct amd_wide a,
                                   struct amd_wide b);

/* ---- nodes, conditions, errors (unfold_nodes.c) ---- */

/* Adds an error at the instruction; always false. */
__attribute__((format(printf, 2, 3))) bool unfold_fail(struct amd_unfolding *u, const char *format, ...);

struct amd_node *unfold_node(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind);

/* A node that is on no path; its number. */
uint16_t unfold_apart(struct amd_unfolding *u, const struct amd_node *node);

/* A node with a slot. */
struct amd_node *unfold_slot(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind);

/* The truth of fn(a, b) on this path.  false: the path ends here; where both
 * may be, it goes on on both sides of a fork (`undecided`). */
bool unfold_decide(struct amd_unfolding *u, struct amd_path *p, enum amd_fn fn, struct amd_value a, struct amd_value b,
                   bool *truth);

/* Masks have one bit, and on every path it is known.  As unfold_decide. */
bool unfold_mask_bit(struct amd_unfolding *u, struct amd_path *p, const struct amd_value *value, bool *bit);
bool unfold_lane_active(const struct amd_path *p);

/* ---- wait counters, while a thread is unfolded (wait_counters.c; rules.h has how they are counted down) ---- */

/* Counters count what is issued; NO_SLOT: nothing can wait for it. */
void wait_counters_increment(struct amd_unfolding *u, struct amd_path *p, enum amd_class class, unsigned slot);

/* A node with a slot for an operation on memory, which counters count. */
struct amd_node *unfold_operation(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind,
                                  enum amd_class class);

/* A load without a slot has filled these registers: they may be read once its counter was waited for. */
void wait_counters_guard(struct amd_unfolding *u, struct amd_path *p, unsigned reg, unsigned words,
                         enum amd_class class);

/* A wait instruction: adds a WAIT node with the slots that must be done for its counters to be low enough. */
bool wait_counters_wait(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);

/* ---- ranges (unfold_ranges.c) ---- */

/* Is the truth of an expression known, as in conditions and counters?  The least and the most that it can be. */
bool unfold_settled(const struct amd_path *p, const struct amd_expr *e, bool *truth);
int32_t unfold_least(const struct amd_path *p, const struct amd_expr *e);
int32_t unfold_most(const struct amd_path *p, const struct amd_expr *e);

/* Notes an access of what may be a counter: a load, or such an addition (unfold_counts). */
void unfold_count(const struct amd_unfolding *u, struct amd_path *p, const struct amd_node *node);

/* ---- registers and operands (unfold_operands.c) ---- */

/* Looks at a register that an instruction reads or overwrites; false: the load
 * that fills it has not been waited for. */
bool unfold_covered(struct amd_unfolding *u, struct amd_path *p, unsigned reg);
bool unfold_read(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value *value);
bool unfold_write(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value value);

/* Word `i` of an operand; all words of one. */
bool unfold_read_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned i,
                      struct amd_value *value);
bool unfold_read_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned words,
                      struct amd_wide *wide);
bool unfold_write_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned words,
                       struct amd_wide wide);

/* An address must be a number, or something that is known when it is read. */
bool unfold_is_address(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value *v);

/* Base and offset of a global or flat access: `v0, s[0:1]` or `v[0:1], off`; of a buffer also `v[0:1], s[0:1]`. */
bool unfold_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                    const struct amd_operand *vector, const struct amd_operand *scalar, struct amd_wide *address);

/* A piece of a word. */
struct amd_value value_piece(struct amd_unfolding *u, struct amd_value v, enum amd_piece piece, bool is_signed);

/* A new piece of a register: to a word with it, in which the rest is as it was (`alone`: zero). */
bool unfold_join_piece(struct amd_unfolding *u, struct amd_path *p, unsigned reg, enum amd_piece piece, bool alone,
                       struct amd_value *value);

/* ---- where paths meet (unfold_join.c) ---- */

/* Ends a path at an instruction, to which branches lead or at which slots run out: what follows is interpreted
 * once for all paths that come there alike. */
void unfold_join(struct amd_unfolding *u, struct amd_path *p, unsigned pc);

/* The next of the joints from which nothing has been interpreted yet, with its path, which the
 * caller hands back; NULL: there is none. */
struct amd_path *unfold_next_joint(struct amd_unfolding *u, unsigned *pc);

/* A copy of a path, to go on with; it is done. */
struct amd_path *unfold_path_copy(struct amd_unfolding *u, const struct amd_path *from);
void unfold_path_done(struct amd_unfolding *u, struct amd_path *path);

/* ---- instructions that compute (unfold_compute.c) ---- */

bool unfold_compute(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_mad_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_carry(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_compare(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_test_bit(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_save_exec(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);

/* ---- instructions on memory (unfold_memory.c), on private memory (unfold_private.c) ---- */

bool unfold_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_store(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_rmw(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
/* Of a buffer instruction: of global memory where its resource holds an address, else of private memory. */
bool unfold_buffer(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_scalar_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_cache(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);
bool unfold_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);

/* Counts an access of the piece that is being interpreted, and keeps what its first one reads (`read`; NULL:
 * nothing) where that is its result: true. */
bool unfold_note_access(struct amd_unfolding *u, struct amd_path *p, unsigned location, const struct amd_value *read);

/* The word at an address of private memory, made where there is none yet. */
struct amd_value *unfold_private_word(struct amd_unfolding *u, struct amd_path *p, uint32_t address);
/* With all lanes switched on, those of a register follow it. */
void unfold_copy_lanes(struct amd_unfolding *u, struct amd_path *p, unsigned to, unsigned from);
bool unfold_lane(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i);

#endif
