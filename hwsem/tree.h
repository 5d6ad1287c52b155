/* SPDX-License-Identifier: MIT */
/* Compressed states, without loss (tree compression: Laarman, van de Pol, Weber, "Parallel
 * Recursive State Compression for Free", SPIN 2011).
 *
 * States of a run are combinations of few parts.  So a state is cut into words of eight
 * bytes; each word's place has a dictionary that numbers the words seen there; two
 * numbers side by side are a word again, with a dictionary of its own, and so on until
 * two are left: the root, which is all that is kept of a state.  Where the two
 * dictionaries under the roots have at most 2^16 entries a root takes 4 bytes, up to
 * 2^24 6 bytes, else 8.  Two states are equal if and only if their roots are: nothing
 * rests on hashes.
 *
 * One thread folds and appends; others may read states that they were handed.
 */
#ifndef LITSCOPE_HWSEM_TREE_H
#define LITSCOPE_HWSEM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree;

/* For states of so many bytes; NULL: no memory. */
struct tree *tree_new(size_t state_size);
void tree_free(struct tree *tree); /* NULL does nothing */

/* The root of a state, behind which bytes up to a whole word are readable.  false: no
 * memory, or a dictionary is full. */
bool tree_fold(struct tree *tree, const void *state, uint64_t *root);

/* Keeps the root of state `index`; indices come in order from 0.  false: no memory. */
bool tree_append(struct tree *tree, uint32_t index, uint64_t root);

uint64_t tree_root(const struct tree *tree, uint32_t index);
const void *tree_root_place(const struct tree *tree, uint32_t index); /* to fetch ahead */

/* Unfolds state `index` into `state`, which has room for whole words; returns it. */
const void *tree_read(const struct tree *tree, uint32_t index, void *state);

/* Bytes in use: roots, and all dictionaries. */
uint64_t tree_bytes(const struct tree *tree);

/* Roots are small numbers: mixed twice they make a hash. */
static inline uint64_t tree_hash(uint64_t root) {
  root = (root ^ root >> 32) * UINT64_C(0xd6e8feb86659fd93);
  root = (root ^ root >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return root ^ root >> 32;
}

#endif
