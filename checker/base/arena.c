/* SPDX-License-Identifier: MIT */
/* Blocks one after the other in chunks.  A block larger than a chunk gets one of
 * its own, after the current one, which is used on. */
#include "checker/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"

struct chunk {
  struct chunk *next;
  alignas(max_align_t) char bytes[];
};

enum { ALIGNMENT = alignof(max_align_t), CHUNK = 16 * 1024 - 64 };

struct arena {
  char *at, *end; /* what is free of the current chunk, the first of the list */
  struct chunk *chunks;
  size_t held;
  struct guarded guarded;
};

void arena_out_of_memory(void) {
  guard_out_of_memory();
}

static void free_arena(void *object) {
  struct arena *arena = object;
  for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  free(arena);
}

struct arena *arena_new(void) {
  struct arena *arena = guard_must(calloc(1, sizeof *arena));
  guard_own(&arena->guarded, free_arena, arena);
  return arena;
}

void arena_free(struct arena *arena) {
  if (!arena) return;
  guard_disown(&arena->guarded);
  free_arena(arena);
}

/* After the current chunk. */
void arena_adopt(struct arena *arena, struct arena *other) {
  struct chunk **behind = arena->chunks ? &arena->chunks->next : &arena->chunks, *rest = *behind;
  *behind = other->chunks;
  while (*behind) behind = &(*behind)->next;
  *behind = rest;
  arena->held += other->held;
  other->chunks = NULL;
  arena_free(other);
}

static struct chunk *new_chunk(struct arena *arena, size_t size) {
  guard_poll();
  struct chunk *chunk = guard_must(malloc(sizeof *chunk + size));
  arena->held += sizeof *chunk + size;
  return chunk;
}

/* A block that does not fit into the current chunk. */
static void *alloc_elsewhere(struct arena *arena, size_t size) {
  struct chunk *chunk = new_chunk(arena, size > CHUNK / 4 ? size : CHUNK);
  if (size > CHUNK / 4 && arena->chunks) {
    chunk->next = arena->chunks->next;
    arena->chunks->next = chunk;
    return chunk->bytes;
  }
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  arena->at = chunk->bytes + size;
  arena->end = chunk->bytes + (size > CHUNK / 4 ? size : CHUNK);
  return chunk->bytes;
}

static void *allocate(struct arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) guard_out_of_memory();
  size_t room = (size + !size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *block = arena->at;
  if (room <= (size_t)(arena->end - arena->at))
    arena->at += room;
  else
    block = alloc_elsewhere(arena, room);
  return block;
}

void *arena_alloc(struct arena *arena, size_t size) {
  return memset(allocate(arena, size), 0, size);
}

void *arena_raw(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) guard_out_of_memory();
  return allocate(arena, count * size);
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) guard_out_of_memory();
  return arena_alloc(arena, count * size);
}

void *arena_copy(struct arena *arena, const void *from, size_t count, size_t size) {
  void *copy = arena_raw(arena, count, size);
  if (count) memcpy(copy, from, count * size);
  return copy;
}

size_t arena_size(struct arena *arena) {
  return arena->held;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
  return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length < 0) length = 0;
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}
