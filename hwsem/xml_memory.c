/* SPDX-License-Identifier: MIT */
/* libxml2's four functions: a block begins with its size, and is given back with the arena.  What the library sets up
 * once, its tables of types, stays, and comes from whoever gave it memory before. */
#include "hwsem/xml_memory.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <libxml/xmlschemastypes.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "checker/base/out_of_memory_guard.h"

struct xml_memory {
  struct arena *arena;
  struct guarded guarded;
};

static struct {
  xmlFreeFunc free;
  xmlMallocFunc malloc;
  xmlReallocFunc realloc;
  xmlStrdupFunc strdup;
} theirs;

static _Thread_local struct arena *pool; /* NULL: memory is theirs, */
static _Thread_local bool must_be_there; /* and may not be missing */

struct block {
  size_t size;
  alignas(max_align_t) char bytes[];
};

static void *must(void *memory) {
  return must_be_there ? guard_must(memory) : memory;
}

static void *take(size_t size) {
  if (!pool) return must(theirs.malloc(size));
  if (size > SIZE_MAX / 2) guard_out_of_memory();
  struct block *block = arena_alloc(pool, sizeof *block + size);
  block->size = size;
  return block->bytes;
}

static void *take_again(void *memory, size_t size) {
  if (!pool) return must(theirs.realloc(memory, size));
  size_t before = memory ? ((struct block *)((char *)memory - offsetof(struct block, bytes)))->size : 0;
  if (memory && size <= before) return memory;
  char *larger = take(size);
  if (before) memcpy(larger, memory, before);
  return larger;
}

static char *copy(const char *text) {
  if (!pool) return must(theirs.strdup(text));
  size_t size = strlen(text) + 1;
  return memcpy(take(size), text, size);
}

static void give_back(void *memory) {
  if (!pool) theirs.free(memory);
}

/* ---- once ---- */

static pthread_mutex_t preparing = PTHREAD_MUTEX_INITIALIZER;

/* Also on the way back to a guard. */
static void end_preparing(void *context) {
  (void)context;
  must_be_there = false;
  pthread_mutex_unlock(&preparing);
}

static void prepare(void) {
  static bool prepared;
  static struct guarded guarded;
  pthread_mutex_lock(&preparing);
  guard_own(&guarded, end_preparing, NULL);
  must_be_there = true;
  if (!theirs.malloc) {
    xmlInitParser();
    xmlMemGet(&theirs.free, &theirs.malloc, &theirs.realloc, &theirs.strdup);
    xmlMemSetup(give_back, take, take_again, copy);
  }
  if (!prepared) {
    xmlSchemaInitTypes();
    if (xmlRelaxNGInitTypes()) guard_out_of_memory();
  }
  prepared = true;
  guard_disown(&guarded);
  end_preparing(NULL);
}

/* ---- use ---- */

/* Also on the way back to a guard, before the arena is freed: the last error's texts lie in it. */
static void leave(void *memory) {
  (void)memory;
  xmlResetLastError();
  pool = NULL;
}

struct xml_memory *xml_memory_begin(struct arena *arena) {
  prepare();
  xmlResetLastError();
  struct xml_memory *memory = ARENA_NEW(arena, struct xml_memory);
  memory->arena = arena_new();
  guard_own(&memory->guarded, leave, memory);
  pool = memory->arena;
  return memory;
}

void xml_memory_end(struct xml_memory *memory) {
  guard_disown(&memory->guarded);
  leave(memory);
  arena_free(memory->arena);
}
