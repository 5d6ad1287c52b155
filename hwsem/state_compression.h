/* SPDX-License-Identifier: MIT */
/* Compressed states, without loss (tree compression: Laarman, van de Pol, Weber, "Parallel
 * Recursive State Compression for Free", SPIN 2011).
 *
 * States of a run are combinations of few parts.  So a state is cut into words of eight
 * bytes; each word's place has a dictionary that numbers the words seen there; two
 * numbers side by side are a word again, with a dictionary of its own, and so on until
 * two are left: the root, which is all that is kept of a state (packed_number_pairs.h).  Two states are equal
 * if and only if their roots are: nothing rests on hashes.
 *
 * Several threads may fold and unfold at once.
 */
#ifndef LITSCOPE_HWSEM_STATE_COMPRESSION_H
#define LITSCOPE_HWSEM_STATE_COMPRESSION_H

#include "hwsem/state_compression_dictionary.h"

struct tree;

/* For states of so many bytes; NULL: no memory. */
struct tree *tree_new(size_t state_size);
void tree_free(struct tree *tree); /* NULL does nothing */

/* The roots of `count` states, `stride` bytes apart, which is whole words; what lies after a state does
 * not count.  false: no memory, or a dictionary is full. */
bool tree_fold(struct tree *tree, const void *states, size_t stride, uint32_t count, uint64_t *roots);

/* Unfolds a root into `state`, which has room for whole words; returns it. */
const void *tree_unfold(const struct tree *tree, uint64_t root, void *state);

/* Bytes in use, of all dictionaries.  Others may be folding. */
uint64_t tree_bytes(struct tree *tree);

#endif
