/* SPDX-License-Identifier: MIT */
/* glibc's obstack with this project's policy: blocks are zeroed, counted for
 * limits, and never freed one by one; out of memory ends the process. */
#include "checker/base/arena.h"

#include <limits.h>
#include <obstack.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena {
  struct obstack stack;
};

void arena_out_of_memory(void) {
  fputs("litscope: out of memory\n", stderr);
  exit(3);
}

static void *chunk_alloc(size_t size) {
  void *chunk = malloc(size);
  if (!chunk) arena_out_of_memory();
  return chunk;
}

#define obstack_chunk_alloc chunk_alloc
#define obstack_chunk_free free

struct arena *arena_new(void) {
  struct arena *arena = chunk_alloc(sizeof *arena);
  obstack_begin(&arena->stack, 16 * 1024 - 64);
  return arena;
}

void arena_free(struct arena *arena) {
  if (!arena) return;
  obstack_free(&arena->stack, NULL);
  free(arena);
}

/* obstack's macros align by offsets from a null pointer. */
__attribute__((no_sanitize("pointer-overflow"))) void *arena_alloc(struct arena *arena, size_t size) {
  if (size > INT_MAX / 2) arena_out_of_memory(); /* obstack counts in int */
  void *block = obstack_alloc(&arena->stack, (int)(size ? size : 1));
  return memset(block, 0, size);
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size) arena_out_of_memory();
  return arena_alloc(arena, count * size);
}

size_t arena_size(struct arena *arena) {
  return (size_t)obstack_memory_used(&arena->stack);
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
