/* SPDX-License-Identifier: MIT */
/* Compiler mappings: for each operation of a program (kind, scope, order,
 * remote flag, region) the instructions of the machine, with their targets and
 * the spans of locks.
 *
 * Mappings are data: mappings/NAME.xml, checked against mappings/mapping.rng,
 * which is the reference for the format.  compile_by_mapping.h turns programs into
 * instructions; hwsem/timing prices the same steps.
 */
#ifndef LITSCOPE_HWSEM_MAPPING_H
#define LITSCOPE_HWSEM_MAPPING_H

#include "checker/program/program.h"
#include "hwsem/xml_folders.h"

/* Instructions of the machine.  A lock's span is the steps between LOCK and its
 * UNLOCK; spans nest. */
enum hw_op {
  HW_LD,  /* reg := [x] */
  HW_ST,  /* [x] := value */
  HW_RMW, /* read-modify-write, of any function */
  HW_FLU, /* write the target caches' dirty lines back */
  HW_INV, /* drop the target caches' clean lines */
  HW_LOCK_RMW,
  HW_UNLOCK_RMW,
  HW_LOCK_LINE,
  HW_UNLOCK_LINE,
  HW_MEET, /* wait for the other work-items of the work-group */
  /* Made by compile_by_mapping.c from the program, never by a mapping. */
  HW_ASSIGN,
  HW_BRANCH,
  HW_JUMP
};

/* Does it load or store a cell? */
static inline bool hw_is_access(enum hw_op op) {
  return op == HW_LD || op == HW_ST || op == HW_RMW;
}

/* Does it take a lock, or let it go? */
static inline bool hw_is_lock(enum hw_op op) {
  return op == HW_LOCK_RMW || op == HW_LOCK_LINE;
}
static inline bool hw_is_unlock(enum hw_op op) {
  return op == HW_UNLOCK_RMW || op == HW_UNLOCK_LINE;
}

static inline bool hw_jumps(enum hw_op op) {
  return op == HW_BRANCH || op == HW_JUMP;
}

/* Was it made by compile_by_mapping.c from the program's own, not by a mapping? */
static inline bool hw_is_control(enum hw_op op) {
  return op == HW_ASSIGN || hw_jumps(op);
}

/* Where an access is done. */
enum hw_level { LEVEL_L1, LEVEL_L2, LEVEL_GL, LEVEL_LOCAL };

/* Which caches FLU and INV reach, which LK_rmw covers. */
enum hw_target { TARGET_WG, TARGET_DEV, TARGET_SYS };

struct mapping_step {
  enum hw_op op;
  enum hw_level level;   /* LD, ST, RMW; FLU and INV: LEVEL_L1 or LEVEL_L2 */
  enum hw_target target; /* FLU, INV, LOCK_RMW and its UNLOCK */
  bool posted;           /* INV: the issuer does not wait for acknowledgements (priced, not explored) */
};

enum mapping_kind { MAP_LOAD, MAP_STORE, MAP_RMW, MAP_FENCE, MAP_BARRIER };

static inline bool mapping_kind_is_access(enum mapping_kind kind) {
  return kind == MAP_LOAD || kind == MAP_STORE || kind == MAP_RMW;
}

/* The operations a cell serves: sets of 1 << enum scope, 1 << enum order, 1 <<
 * remote, and enum region. */
struct mapping_cell {
  enum mapping_kind kind;
  unsigned scopes, orders, remotes, regions;
  unsigned step_count;
  struct mapping_step *steps;
  struct span span; /* in the mapping's source; also names the cell in reports */
};

struct mapping {
  const char *name, *title, *about;
  const struct source *source;
  unsigned cell_count;
  struct mapping_cell *cells; /* the first that matches is used */
};

/* What is asked of a mapping. */
struct mapping_key {
  enum mapping_kind kind;
  enum scope scope;
  enum order order;
  bool remote;
  enum region region;
};

bool mapping_key_equal(struct mapping_key a, struct mapping_key b);

/* Reads a mapping by name or path.  Adds diagnostics and returns NULL on
 * failure; operations of it that can never match are warned of.  Lives in
 * `arena`. */
struct mapping *mapping_load(struct arena *arena, const char *name, const struct xml_folders *search,
                             struct diags *diags);

/* The cell for an operation, or NULL: the mapping does not know it. */
const struct mapping_cell *mapping_find(const struct mapping *mapping, struct mapping_key key);

/* The mapping with a cell in front for this operation alone; in `arena`. */
const struct mapping *mapping_with(struct arena *arena, const struct mapping *mapping, struct mapping_key key,
                                   const struct mapping_cell *cell);

/* Does a cell serve an operation? */
bool mapping_cell_matches(const struct mapping_cell *cell, struct mapping_key key);

const char *mapping_kind_name(enum mapping_kind kind); /* "load", "store", "rmw", "fence", "barrier" */

/* A mapping's kind for an instruction; false: it has none. */
bool mapping_kind_of(enum instr_kind instr, enum mapping_kind *kind);

const char *hw_target_name(enum hw_target target); /* "WG", "DV", "SY" */

/* A step as in the assembly notation without operands: `FLU_L1 DV`, `LD`, `LK_rmw SY`. */
void mapping_step_print(struct mapping_step step, FILE *out);

/* A whole cell: `LK_rmw DV { FLU_L1 DV; INV_L1 DV; ST; FLU_L1 WG; INV_L1 DV }`. */
void mapping_cell_print(const struct mapping_cell *cell, FILE *out);
const char *mapping_cell_text(struct arena *arena, const struct mapping_cell *cell);

/* What a cell serves: `store dev remote`, for reports. */
const char *mapping_key_text(struct arena *arena, struct mapping_key key);

#endif
