/* SPDX-License-Identifier: MIT */
/* Annotations of events: one table.
 *
 * A front end puts tags on instructions, events inherit them, and a model names
 * them like any set.  Nothing between the two knows what a tag means, so a new
 * annotation is a line here and the front end that writes it.  A name that a
 * model uses is known when it is here, whatever the language of the test: sets
 * that a language does not fill are empty.
 *
 * A tag may have the name of a predefined set of the models (F, CON): that set
 * then holds the tagged events too.
 */
#ifndef LITSCOPE_BASE_TAGS_H
#define LITSCOPE_BASE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* X(identifier, names separated by spaces) */
/* clang-format off */
#define TAG_LIST(X) \
  X(REMOTE, "remote REM") /* HSA and OpenCL: promotes the scope of somebody else's operation */
/* clang-format on */

enum tag {
#define TAG_ENUM(id, names) TAG_##id,
  TAG_LIST(TAG_ENUM)
#undef TAG_ENUM
      TAG_COUNT
};

typedef uint64_t tag_set;

_Static_assert(TAG_COUNT <= 64, "a set of tags is one word");

static inline tag_set tag_bit(enum tag tag) {
  return (tag_set)1 << tag;
}

static inline bool tags_have(tag_set tags, enum tag tag) {
  return tags >> tag & 1;
}

/* All spellings of a tag. */
const char *tag_names(enum tag tag);

/* The tags of which some spelling is among `names`, which are separated by
 * spaces. */
tag_set tags_named(const char *names);

#endif
