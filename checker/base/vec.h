/* SPDX-License-Identifier: MIT */
/* Vectors that grow in an arena: struct { T *at; size_t count, room; }.
 *
 *     VEC(struct token) tokens = {0};
 *     *vec_push(arena, &tokens) = token;
 */
#ifndef LITSCOPE_BASE_VEC_H
#define LITSCOPE_BASE_VEC_H

#include "checker/base/arena.h"

#define VEC(type)       \
  struct {              \
    type *at;           \
    size_t count, room; \
  }

/* Pointer to a new zeroed last element. */
#define vec_push(arena, vec)                                                                     \
  (vec_reserve((arena), (void **)&(vec)->at, &(vec)->room, (vec)->count + 1, sizeof *(vec)->at), \
   &(vec)->at[(vec)->count++])

/* Makes room for `wanted` elements of `size` bytes; the old block stays in the
 * arena, which at a growth factor of two wastes at most as much as is used. */
void vec_reserve(struct arena *arena, void **at, size_t *room, size_t wanted, size_t size);

#endif
