/* SPDX-License-Identifier: MIT */
/* Sets of annotations: one word.
 *
 * Which annotations there are is in tags.h, for those who name one: most only
 * carry sets from an instruction to its events, and need not be compiled again
 * for a new annotation.
 */
#ifndef LITSCOPE_BASE_TAG_SET_H
#define LITSCOPE_BASE_TAG_SET_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t tag_set;

enum { TAG_ROOM = 64 };

/* `tag`: of enum tag, or an annotation of a program, which are numbered after
 * those. */
static inline tag_set tag_bit(unsigned tag) {
  return (tag_set)1 << tag;
}

static inline bool tags_have(tag_set tags, unsigned tag) {
  return tags >> tag & 1;
}

#endif
