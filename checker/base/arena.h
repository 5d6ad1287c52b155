/* SPDX-License-Identifier: MIT */
/* Arena: memory that is given back all at once.
 *
 * One arena serves one test or one model: blocks are zeroed, and never freed one
 * by one.  Functions here do not return when memory runs out: they go back to
 * the guard of their thread (out_of_memory_guard.h), which frees the arenas opened since.
 */
#ifndef LITSCOPE_BASE_ARENA_H
#define LITSCOPE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* Goes back to the guard: for other memory than an arena's. */
void arena_out_of_memory(void) __attribute__((noreturn));

/* A fresh arena; the caller owns it and ends it with arena_free. */
struct arena *arena_new(void);

/* Gives back every block of the arena and the arena itself.  NULL is allowed. */
void arena_free(struct arena *arena);

/* Makes the blocks of `other` the arena's, and ends it. */
void arena_adopt(struct arena *arena, struct arena *other);

/* `size` zeroed bytes, aligned for any type.  Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes; memory is out when the product
 * overflows. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* The same without zeros, for what is written before it is read. */
void *arena_raw(struct arena *arena, size_t count, size_t size);

/* The same as a copy of what is at `from`, which may be NULL where `count` is 0. */
void *arena_copy(struct arena *arena, const void *from, size_t count, size_t size);

/* Bytes that the arena holds, whether used or not. */
size_t arena_size(struct arena *arena);

/* Copies of strings, NUL-terminated. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* A formatted string, as by printf. */
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), (count), sizeof(type)))
#define ARENA_RAW(arena, type, count) ((type *)arena_raw((arena), (count), sizeof(type)))
#define ARENA_COPY(arena, type, from, count) ((type *)arena_copy((arena), (from), (count), sizeof(type)))

/* A structure with these members, as an initializer lists them. */
#define ARENA_MAKE(arena, type, ...) ARENA_COPY(arena, type, &((type){__VA_ARGS__}), 1)

#endif
