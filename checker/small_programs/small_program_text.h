/* SPDX-License-Identifier: MIT */
/* Small programs as texts: litmus tests of their language, and names.  What is
 * written is read back (litmus.h) as the same program that small_test makes.
 */
#ifndef LITSCOPE_SMALL_PROGRAMS_SMALL_PROGRAM_TEXT_H
#define LITSCOPE_SMALL_PROGRAMS_SMALL_PROGRAM_TEXT_H

#include "checker/small_programs/small_program.h"

/* The instruction that an operation of a language in columns is, with register r0; no barrier's number. */
const char *small_instruction(struct arena *arena, const struct small_program *program, const struct small_op *op);

/* `MP-Wxn.Wyd+Ryd.Rxn-wg01`: the name of its shape where that has one (MP, SB, LB,
 * R, S, 2+2W, the tests of coherence, WRC, ISA2, IRIW, ...), the operations, and
 * where not all threads are apart, who is in which work-group and on which device. */
const char *small_name(struct arena *arena, const struct small_program *program);

/* The name of a shape, of kinds and locations alone: `Wx Wy|Ry Rx` is MP.  NULL: it has none. */
const char *small_shape(const char *ops);

/* Writes it as a test.  `comment` is a line below its name, or NULL; `condition` as
 * `exists (0:r0=1)`; all registers and locations are shown whatever it asks. */
void small_write(const struct small_program *program, const char *name, const char *comment, const char *condition,
                 FILE *out);

/* The same as the text of a file. */
const struct source *small_source(struct arena *arena, const struct small_program *program, const char *file,
                                  const char *name, const char *comment, const char *condition);

/* The threads of a test, in languages of both kinds (small_language_words.h). */
void small_write_functions(const struct small_program *program, FILE *out);
void small_write_columns(const struct small_program *program, FILE *out);

/* `r0 & MASK` is added to an address or value that depends on a register: nothing, which no compiler knows, since no
 * value, not even a sum, has this bit. */
int small_nothing_mask(const struct small_program *program);

/* The name of an access's location, "" of others; the name by which it has it: `x`, `x_surface`. */
const char *small_location_of(const struct small_op *op);
const char *small_name_used(struct arena *arena, const struct small_op *op);

/* The length of an operation's words, before the proxy of the name that it uses; the proxy, or NULL. */
int small_words_of(const struct small_op *op, const char **proxy);

#endif
