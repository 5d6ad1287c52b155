/* SPDX-License-Identifier: MIT */
/* What PTX and Vulkan tests share besides columns: instructions whose words are
 * joined by points, operands, local instructions, control barriers, and an init
 * section with aliases.
 *
 *   init     = "{" { decl ";" } [decl] "}" [";"]
 *   decl     = location "=" (number | ["&"] location)      the latter copies the value
 *            | [type] location "[" size "]" ["=" "{" number { "," number } "}"] ["@" "shared"]
 *            | thread ":" register "=" number
 *            | location ["@" proxy] "aliases" location
 *            | location "@" ("multimem" | "cluster") "aliases" location { "," location }
 *            | location "@" "shared" ["=" number]
 *            | location "@" "tensormap" "of" array ["=" number]   the tensor is that element
 *            | location "@" "mbarrier" ["=" number]         the arrivals that it expects
 *   opcode   = word { "." word }         a word may be several joined by "::"
 *   register = "r" digits            every other name is a location
 *   value    = number | register
 *
 * Functions fail by reader_fail, as all of a front end do.
 */
#ifndef LITSCOPE_LITMUS_PTX_VULKAN_SYNTAX_H
#define LITSCOPE_LITMUS_PTX_VULKAN_SYNTAX_H

#include "checker/litmus/columns.h"

/* --- the init section ---------------------------------------------------------------- */

/* Reads the init section. */
void assembly_parse_init(struct draft *draft);

/* PTX's types by their bits; floats are numbers here, which fit in anything. */
enum { TYPE_SIGNED = 1 << 8, TYPE_REAL = 1 << 9 };
extern const struct word_row assembly_types[];

enum { CLUSTER_LIMIT = 16 }; /* blocks of a cluster */

/* A thread's number, as `P0` or `0`. */
unsigned assembly_take_thread(struct draft *draft);

/* --- opcodes --------------------------------------------------------------------------- */

enum { OPCODE_WORDS = 16 };

/* The words of an instruction's name, taken one after the other. */
struct opcode {
  unsigned count, next;
  const struct token *words[OPCODE_WORDS];
};

/* Reads an instruction's name; false after a failure. */
bool opcode_take(struct column_cell *cell, struct opcode *op);

/* Takes the next word when it is in the table: its value, else -1. */
int opcode_skip(struct opcode *op, const struct word_row *rows);

/* Takes the next word, which must be in the table: its value, or -1 after failing
 * with what is missing (`what`: "a scope") or unknown. */
int opcode_expect(struct column_cell *cell, struct opcode *op, const struct word_row *rows, const char *what);

/* Is the next word this one?  The second takes it then. */
bool opcode_is(const struct opcode *op, const char *word);
bool opcode_skip_word(struct opcode *op, const char *word);

/* Takes the next word, which must be this one; false after a failure, which says `what` is expected, or only the word.
 */
bool opcode_expect_word(struct column_cell *cell, struct opcode *op, const char *word, const char *what);
bool opcode_require(struct column_cell *cell, struct opcode *op, const char *word);

/* Fails when words are left. */
void opcode_end(struct column_cell *cell, const struct opcode *op);

/* --- operands ---------------------------------------------------------------------------- */

/* A comma, or failure that tells the instruction's operands (`usage`). */
void assembly_comma(struct column_cell *cell, const struct opcode *op, const char *usage);

int assembly_destination(struct column_cell *cell);
const struct expr *assembly_value(struct column_cell *cell);

/* A location; one that is not declared is made, with a warning. */
const struct draft_location *assembly_location(struct column_cell *cell);

/* Says what an instruction accesses; NULL, after a failure: nothing. */
void assembly_access(const struct column_cell *cell, struct instr *instr, const struct draft_location *location);

/* --- instructions -------------------------------------------------------------------------- */

/* The next instruction, spanning from the opcode to here. */
struct instr *assembly_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind);

/* One that assigns this to a register. */
struct instr *assembly_assign(struct column_cell *cell, const struct opcode *op, int reg, const struct expr *value);

/* Words of the operations of arithmetic (enum expr_kind) and of read-modify-writes
 * (enum rmw_op) that both languages have. */
extern const struct word_row assembly_arithmetic[], assembly_comparisons[], assembly_updates[];

/* Lowers arithmetic, `goto` and conditional jumps; false, having taken nothing,
 * when the opcode is another. */
bool assembly_local(struct column_cell *cell, struct opcode *op);

/* `register, value, value` of an assignment, which it emits; what is assigned is to be filled in. */
struct instr *assembly_operation(struct column_cell *cell, const struct opcode *op, const struct expr *operands[2]);

/* A barrier's name is a text: `00` is not `0`. */
const char *assembly_barrier_name(struct column_cell *cell);

/* `[name [, resource [, quorum]]]` of a control barrier, which it emits. */
struct instr *assembly_barrier(struct column_cell *cell, const struct opcode *op);

/* Fails with `unknown instruction`; `rows`: the language's own first words. */
void assembly_unknown(struct column_cell *cell, const struct opcode *op, const struct word_row *rows);

#endif
