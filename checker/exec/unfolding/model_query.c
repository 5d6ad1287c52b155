/* SPDX-License-Identifier: MIT */
/* The events become paths of one thread each, and these an event structure, of which a prefix is searched. */
#include "checker/exec/unfolding/model_query.h"

#include <assert.h>
#include <string.h>

struct model_query query_new(const struct asked_model *asked) {
  struct model_query q = {.arena = arena_new(), .asked = asked};
  unsigned count = asked->test->program->thread_count;
  q.paths = ARENA_ARRAY(q.arena, struct path, count);
  for (unsigned t = 0; t < count; t++) q.paths[t].events = ARENA_ARRAY(q.arena, struct path_event, QUERY_EVENTS);
  return q;
}

struct query_event query_add(struct model_query *q, struct path_event event) {
  struct path *path = &q->paths[event.event.thread];
  unsigned index = path->event_count++;
  assert(index < QUERY_EVENTS);
  bool read = event.event.kind == EVENT_READ;
  event.value = read ? expr_register(q->arena, index) : expr_constant(q->arena, 0);
  event.event.po_index = index;
  path->events[index] = event;
  return (struct query_event){event.event.thread, index};
}

static void decide(struct model_query *q, struct query_event event, struct query_event from, bool orders) {
  assert(q->count < QUERY_DECISIONS);
  q->decisions[q->count++] = (struct decision){.thread = (unsigned)event.thread,
                                               .index = event.index,
                                               .source_thread = from.thread,
                                               .source_index = from.index,
                                               .orders = orders};
}

void query_reads(struct model_query *q, struct query_event read, struct query_event write) {
  decide(q, read, write, false);
}

void query_orders(struct model_query *q, struct query_event write, struct query_event before) {
  decide(q, write, before, true);
}

bool query_is_rejected(struct model_query *q) {
  const struct asked_model *asked = q->asked;
  assert(q->count);
  const struct program *program = asked->test->program;
  const struct path **paths = ARENA_ARRAY(q->arena, const struct path *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) paths[t] = &q->paths[t];
  bool *ended = ARENA_ARRAY(q->arena, bool, program->thread_count);
  struct structure *structure = structure_build(q->arena, program, paths, ended);
  for (unsigned i = 1; i < q->count; i++) q->decisions[i].before = &q->decisions[i - 1];
  bool rejected =
      search_is_rejected(q->arena, asked->test, asked->model, structure, asked->control, &q->decisions[q->count - 1]);
  arena_free(q->arena);
  return rejected;
}

struct query_answer *query_find(struct arena *arena, struct query_memo *memo, const int64_t key[QUERY_KEY]) {
  uint64_t hash = hash_bytes(key, QUERY_KEY * sizeof *key);
  HASH_EACH (at, &memo->by_key, hash) {
    struct query_answer *answer = memo->all.at[hash_number(&memo->by_key, at)];
    if (memcmp(answer->key, key, sizeof answer->key) != 0) continue;
    answer->known = true;
    return answer;
  }
  struct query_answer *answer = ARENA_NEW(arena, struct query_answer);
  memcpy(answer->key, key, sizeof answer->key);
  hash_add(arena, &memo->by_key, hash, (uint32_t)memo->all.count);
  return *vec_push(arena, &memo->all) = answer;
}
