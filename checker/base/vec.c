/* SPDX-License-Identifier: MIT */
/* Growth by doubling inside an arena: what is added costs the same on
 * average, and old blocks add up to no more than the new one. */
#include "checker/base/vec.h"

#include <string.h>

void vec_reserve(struct arena *arena, void **at, size_t *room, size_t wanted, size_t size) {
  if (wanted <= *room) return;
  size_t larger = *room ? *room * 2 : 8;
  while (larger < wanted) larger *= 2;
  void *block = arena_array(arena, larger, size);
  if (*room) memcpy(block, *at, *room * size);
  *at = block;
  *room = larger;
}
