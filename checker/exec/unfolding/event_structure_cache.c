/* SPDX-License-Identifier: MIT */
/* One place for each hash, taken by who comes last, unless somebody stands there. */
#include "checker/exec/unfolding/event_structure_cache.h"

#include <assert.h>
#include <string.h>

#include "checker/base/hash_table.h"

enum { PLACES = 512 };

struct kept_structures {
  unsigned threads;
  size_t room, size; /* bytes that may be kept, and are */
  struct standing at[PLACES];
};

struct kept_structures *kept_structures_new(struct arena *arena, unsigned threads, size_t room) {
  return ARENA_MAKE(arena, struct kept_structures, .threads = threads, .room = room);
}

static void drop(struct kept_structures *kept, struct standing *standing) {
  assert(!standing->users);
  kept->size -= standing->size;
  arena_free(standing->arena);
  *standing = (struct standing){0};
}

void kept_structures_free(struct kept_structures *kept) {
  for (unsigned i = 0; kept && i < PLACES; i++) drop(kept, &kept->at[i]);
}

/* By the choices that led there, which are the same in every run. */
static struct standing *place_of(struct kept_structures *kept, struct thread_state *const *threads) {
  uint64_t hash = 0;
  for (unsigned t = 0; t < kept->threads; t++) hash = hash_join(hash, thread_path(threads[t])->identity);
  return &kept->at[hash % PLACES];
}

struct standing *kept_structures_enter(struct kept_structures *kept, struct thread_state *const *threads) {
  for (unsigned t = 0; t < kept->threads; t++)
    if (!thread_is_kept(threads[t])) return NULL;
  struct standing *standing = place_of(kept, threads);
  bool same = standing->arena && !memcmp(standing->threads, threads, kept->threads * sizeof(struct thread_state *));
  if (!same && standing->users) return NULL;
  if (!same) {
    drop(kept, standing);
    standing->arena = arena_new();
    standing->threads = ARENA_ARRAY(standing->arena, struct thread_state *, kept->threads);
    memcpy(standing->threads, threads, kept->threads * sizeof(struct thread_state *));
  }
  standing->users++;
  return standing;
}

void kept_structures_leave(struct kept_structures *kept, struct standing *standing) {
  size_t size = arena_size(standing->arena);
  kept->size += size - standing->size;
  standing->size = size;
  if (!--standing->users && kept->size > kept->room) drop(kept, standing);
}
