/* SPDX-License-Identifier: MIT */
/* cgraph's discipline of identifiers: named objects get even numbers, others odd. */
#include <stdlib.h>
#include <string.h>

#include "checker/draw/draw.h"

/* Names are cgraph's own counted strings: it looks into their heads when it
 * writes.  NULL: given back. */
struct ids {
  Agraph_t *graph;
  char **names;
  size_t count, room;
  IDTYPE anonymous;
};

static void *open_ids(Agraph_t *graph, Agdisc_t *discipline) {
  (void)discipline;
  struct ids *ids = calloc(1, sizeof *ids);
  if (ids) ids->graph = graph;
  return ids;
}

static void close_ids(void *state) {
  struct ids *ids = state;
  free(ids->names);
  free(ids);
}

static long add_name(struct ids *ids, char *name) {
  if (ids->count == ids->room) {
    size_t room = ids->room ? 2 * ids->room : 64;
    char **names = realloc(ids->names, room * sizeof *names);
    if (!names) return 0;
    ids->names = names;
    ids->room = room;
  }
  char *copy = agstrdup(ids->graph, name);
  if (copy) ids->names[ids->count++] = copy;
  return copy != NULL;
}

static long map_name(void *state, int kind, char *name, IDTYPE *id, int create) {
  (void)kind;
  struct ids *ids = state;
  if (!name) {
    *id = 2 * ids->anonymous++ + 1;
    return 1;
  }
  for (size_t i = 0; i < ids->count; i++)
    if (ids->names[i] && !strcmp(ids->names[i], name)) {
      *id = 2 * (IDTYPE)i + 2;
      return 1;
    }
  if (!create || !add_name(ids, name)) return 0;
  *id = 2 * (IDTYPE)ids->count;
  return 1;
}

/* Identifiers are never chosen by the caller. */
static long allocate(void *state, int kind, IDTYPE id) {
  (void)state;
  (void)kind;
  (void)id;
  return 0;
}

static void release(void *state, int kind, IDTYPE id) {
  (void)kind;
  struct ids *ids = state;
  if (id % 2 || id < 2) return;
  agstrfree(ids->graph, ids->names[id / 2 - 1]);
  ids->names[id / 2 - 1] = NULL;
}

static char *name_of(void *state, int kind, IDTYPE id) {
  (void)kind;
  const struct ids *ids = state;
  return id % 2 || id < 2 ? NULL : ids->names[id / 2 - 1];
}

static void register_object(void *state, int kind, void *object) {
  (void)state;
  (void)kind;
  (void)object;
}

static Agiddisc_t identifiers = {open_ids, map_name, allocate, release, name_of, close_ids, register_object};

Agdisc_t ids_discipline = {&AgMemDisc, &identifiers, &AgIoDisc};
