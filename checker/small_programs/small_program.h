/* SPDX-License-Identifier: MIT */
/* Small programs in a notation of their own, and the tests that they are. All sweeps print
 * it, and `-family FILE` reads it.
 *
 *     Wxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0)
 *
 * An operation is its kind: W store, R load, U fetch_add, X exchange, C compare-exchange
 * with 0, whose register says whether that succeeded, F fence, B barrier of the
 * work-group, which has nothing else; then the location, but for a fence: x y z u v w, a
 * and b in local memory; then how far: n ordinary, w work-group, q queue family
 * (Vulkan) or cluster (PTX), d device, D device remote, s all devices, S all devices remote, a atomic in a
 * language without scopes; then the order where it is not the usual one: r relaxed, q
 * acquire, l release, a both, c seq_cst; then the value stored or added, which may be
 * left out: stores are numbered 1, 2, ..., additions 8, 16, ..., 131072, 8, ....  Usually atomic loads
 * acquire, stores release, the others do both.  `|` separates threads, `!` guards the
 * rest of its thread: it runs only if what was read last is not 0 (`=`: is 0).  `&`
 * before an operation: its address depends on what was read last; `^`: the value stored
 * does.  In PTX and Vulkan all words of an instruction may stand in braces, in the place
 * of scope and order, `Wx{st.av.dv.sc0}1`, and after `@` the proxy of another name by which
 * it has the location: `Wx{sust.weak@surface}1`.  After the threads the work-group of each, and its device (in Vulkan
 * its queue family), which may be left out: threads then are in work-groups of their own. In PTX, the cluster of each
 * may stand between: `(wg 0,1,2 cluster 0,0,1 dev 0,0,0)`; else each work-group is a cluster. In Vulkan the storage
 * class of each location may follow: `(wg 0,1 dev 0,0 sc 0,1)`; else all are in class 0. Orders that are letters are
 * for all classes that the program accesses.
 */
#ifndef LITSCOPE_SMALL_PROGRAMS_SMALL_PROGRAM_H
#define LITSCOPE_SMALL_PROGRAMS_SMALL_PROGRAM_H

#include "checker/litmus/litmus.h"
#include "checker/small_programs/small_language_list.h"

enum {
  SMALL_THREADS = 8,
  SMALL_FAMILY_THREADS = 4, /* of families of a size, and of cycles */
  SMALL_OPS = 12,           /* of a thread */
  SMALL_FAMILY_OPS = 6,     /* of one in families of a size, and in cycles */
  SMALL_LOCATIONS = 8,
  SMALL_CLASSES = 4, /* of storage */
  SMALL_GLOBALS = 6  /* the locations before this one; the others are local */
};

struct small_op {
  char kind;       /* of SMALL_KINDS */
  char scope;      /* of SMALL_SCOPES; of a barrier 'w' */
  char order;      /* of SMALL_ORDERS, or 0: the usual one */
  char guard;      /* before it: '!', '=', or 0 */
  char dependency; /* on what was read last: '&', '^', or 0; families have none */
  uint8_t location;
  uint8_t word_length;
  uint16_t form; /* the number of its words in the family that it is of, or 0 */
  uint16_t twin; /* of these words where classes 0 and 1 have changed places, or 0: not known */
  int value;
  const char *words; /* in braces; NULL: scope and order say it all.  They belong to the text or family that had them */
};

#define SMALL_KINDS "WRUFXCB"

/* Letters of scopes, inner to outer, each remote one after its plain one. */
#define SMALL_SCOPES "nawqdDsS"

#define SMALL_ORDERS "rcqla"

struct small_program {
  const struct small_language *language;
  unsigned threads;
  unsigned count[SMALL_THREADS];
  struct small_op ops[SMALL_THREADS][SMALL_OPS];
  uint8_t wg[SMALL_THREADS];  /* of each thread */
  uint8_t dev[SMALL_THREADS]; /* in Vulkan its queue family */
  uint8_t cluster[SMALL_THREADS];
  bool clusters;                  /* threads name theirs */
  uint8_t class[SMALL_LOCATIONS]; /* storage class of each location */
  uint8_t globals;                /* so many global locations are there at least, used or not */
};

/* Does an operation access memory; read it; write it? */
static inline bool small_is_access(const struct small_op *op) {
  return op->kind != 'F' && op->kind != 'B';
}

static inline bool small_reads(const struct small_op *op) {
  return small_is_access(op) && op->kind != 'W';
}

static inline bool small_writes(const struct small_op *op) {
  return small_is_access(op) && op->kind != 'R';
}

/* Reads a program in the notation.  NULL: it was; else where the text is not well formed. */
const char *small_read(const char *text, const struct small_language *language, struct small_program *program);

/* What it has against the text at `stop`, up to where it has read `program`. */
const char *small_read_fault(const char *stop, const struct small_program *program);

/* The storage classes of the locations that it accesses, as bits; 1 if it accesses none. */
unsigned small_classes(const struct small_program *program);

/* How a language writes a barrier of a work-group; NULL: it has none. */
const char *small_barrier_word(const struct small_language *language);

/* What the front end of its language has against words in braces, or NULL: nothing. */
const char *small_fault(struct arena *arena, const struct small_program *program);

void small_print(const struct small_program *program, FILE *out);

/* That, as a text. */
const char *small_text(struct arena *arena, const struct small_program *program);

/* Gives all operations the values that are left out in the notation. */
void small_number_values(struct small_program *program);

unsigned small_size(const struct small_program *program); /* operations */

/* Does an operation's address or value depend on what was read? */
bool small_has_dependencies(const struct small_program *program);

/* Has it operations that no family of a size has? */
bool small_is_special(const struct small_program *program);

bool small_uses_local(const struct small_program *program);

/* Does it do something only where it has read a value, so that accesses to ordinary
 * memory after a flag have no race? */
bool small_is_guarded(const struct small_program *program);

/* The program as a test of its language that observes every register and global
 * location.  Registers that are read under a guard start at -1. */
struct litmus_test *small_test(struct arena *arena, const struct small_program *program);

extern const char *const small_location_names[SMALL_LOCATIONS];

/* Does it use system scope, or several devices? */
bool small_is_wide(const struct small_program *program);

#endif
