/* SPDX-License-Identifier: MIT */
/* The solver's answer is read literal by literal; values then spread from writes to reads and over the
 * expressions of the threads, as in the search. */
#include "checker/solve/candidate.h"

#include <assert.h>

#include "checker/exec/predefined_relations.h"

/* A thread on its way again. */
struct following {
  int node;
  const struct thread_state *state;
  bool apart; /* it has come to a node by another way than the tree has it */
  VEC(unsigned) events;
};

static int taken_child(const struct formula *f, int node) {
  const struct tree_node *nodes = f->tree->nodes.at;
  int child = nodes[nodes[node].goes_on].first_child;
  while (!sat_holds(f->sat, f->taken[child])) child = nodes[child].next_child;
  return child;
}

static void go_on(struct arena *arena, const struct formula *f, struct following *at) {
  const struct tree *tree = f->tree;
  const struct tree_node *from = &tree->nodes.at[at->node];
  at->apart |= from->goes_on != at->node;
  at->node = taken_child(f, at->node);
  const struct tree_node *to = &tree->nodes.at[at->node];
  at->state =
      at->apart ? thread_resume(arena, tree->program, to->thread, &tree->limits, at->state, to->branch) : to->state;
}

static void read_path(struct arena *arena, const struct formula *f, struct candidate_events *c, unsigned thread) {
  const struct tree *tree = f->tree;
  struct following at = {.node = (int)tree->first_node[thread]};
  for (at.state = tree->nodes.at[at.node].state;; go_on(arena, f, &at)) {
    const struct tree_node *node = &tree->nodes.at[at.node];
    for (unsigned i = node->first_event; i < node->path->event_count; i++)
      *vec_push(arena, &at.events) = node->events[i];
    if (node->end != THREAD_OPEN || tree_is_joined(tree, at.node)) *vec_push(arena, &c->told_by[thread].at) = at.node;
    if (node->end != THREAD_OPEN) break;
  }
  c->leaf[thread] = at.node;
  c->paths[thread] = thread_path(at.state);
  c->path_numbers[thread] = at.events.at;
  assert(c->paths[thread]->event_count == at.events.count && thread_end(at.state) == tree->nodes.at[at.node].end);
}

static void read_paths(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  const struct tree *tree = f->tree;
  unsigned threads = tree->program->thread_count;
  bool *ended = ARENA_ARRAY(arena, bool, threads);
  c->paths = ARENA_ARRAY(arena, const struct path *, threads);
  c->path_numbers = ARENA_ARRAY(arena, unsigned *, threads);
  c->leaf = ARENA_ARRAY(arena, int, threads);
  c->told_by = ARENA_ARRAY(arena, struct nodes_told, threads);
  for (unsigned t = 0; t < threads; t++) {
    read_path(arena, f, c, t);
    ended[t] = formula_ends_at(f, &tree->nodes.at[c->leaf[t]]);
  }
  c->structure = structure_build(arena, tree->program, c->paths, ended);
  for (unsigned t = 0; t < threads; t++)
    if (tree->nodes.at[c->leaf[t]].end == THREAD_BLOCKED)
      c->structure->events[c->structure->offset[t] + c->paths[t]->event_count - 1].blocked = true;
}

void candidate_add_path(const struct formula *f, const struct candidate_events *c, unsigned thread,
                        struct literals *out) {
  for (size_t i = 0; i < c->told_by[thread].at.count; i++) literals_add(out, f->taken[c->told_by[thread].at.at[i]]);
}

static unsigned initial_number(const struct formula *f, int location) {
  unsigned i = 0;
  while (f->tree->events.at[i].event.location != location) i++;
  return i;
}

static void number_events(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  const struct structure *s = c->structure;
  c->number = ARENA_ARRAY(arena, unsigned, s->execution.shape.n);
  for (unsigned e = 0; e < s->init_count; e++) c->number[e] = initial_number(f, s->events[e].location);
  for (unsigned t = 0; t < f->tree->program->thread_count; t++)
    for (unsigned i = 0; i < s->paths[t]->event_count; i++) c->number[s->offset[t] + i] = c->path_numbers[t][i];
}

static void read_relations(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  struct execution *x = &c->structure->execution;
  struct shape s = x->shape;
  word *rf = ARENA_ARRAY(arena, word, rel_words(s)), *co = ARENA_ARRAY(arena, word, rel_words(s));
  word *fences = ARENA_ARRAY(arena, word, rel_words(s));
  c->source = ARENA_ARRAY(arena, unsigned, s.n);
  for (unsigned a = 0; a < s.n; a++) {
    bool write = x->events[a].kind == EVENT_WRITE;
    for (unsigned b = 0; b < s.n; b++) {
      int order = formula_order(f, c->number[a], c->number[b]);
      if (order && sat_holds(f->sat, order)) rel_add(s, write ? co : fences, a, b);
      if (!write || x->events[b].kind != EVENT_READ || !sat_holds(f->sat, formula_reads(f, c->number[a], c->number[b])))
        continue;
      rel_add(s, rf, a, b);
      c->source[b] = a;
    }
  }
  x->rf = rf;
  x->co = co;
  x->sync_fence = fences;
}

/* Barriers that stay away meet nobody. */
static void read_meetings(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  struct execution *x = &c->structure->execution;
  if (!f->some_stay_away) return;
  word *met = ARENA_COPY(arena, word, execution_base(arena, x, BASE_SAME_B, 0), rel_words(x->shape));
  for (unsigned e = c->structure->init_count; e < x->shape.n; e++)
    if (!sat_holds(f->sat, f->present[c->number[e]])) words_clear(x->shape.w, rel_row(x->shape, met, e));
  x->same_b = met;
}

struct candidate_events *candidate_read(struct arena *arena, const struct formula *f) {
  struct candidate_events *c = ARENA_NEW(arena, struct candidate_events);
  read_paths(arena, f, c);
  number_events(arena, f, c);
  read_relations(arena, f, c);
  read_meetings(arena, f, c);
  c->execution = &c->structure->execution;
  return c;
}

/* Is what the event reads a variable, not the value that a compare-and-swap has found? */
static bool is_variable(const struct structure *s, unsigned event) {
  const struct expr *e = s->value[event];
  return s->events[event].kind == EVENT_READ && e->kind == EXPR_REG && e->reg == s->events[event].po_index;
}

static bool spread(struct candidate_events *c) {
  const struct structure *s = c->structure;
  bool moved = false;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    if (!s->value[e] || c->known[e]) continue;
    unsigned offset = s->offset[s->events[e].thread];
    if (is_variable(s, e)) {
      c->known[e] = c->known[c->source[e]];
      c->value[e] = c->value[c->source[e]];
    } else {
      c->known[e] = path_value(s->value[e], c->known + offset, c->value + offset, &c->value[e]);
    }
    moved |= c->known[e];
  }
  return moved;
}

/* Of values that depend on themselves the solver has chosen one. */
static bool take_value(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  const struct structure *s = c->structure;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++) {
    if (!s->value[e] || c->known[e] || !is_variable(s, e)) continue;
    c->value[e] = bits_value(f->sat, f->value[c->number[e]]);
    *vec_push(arena, &c->guesses) = e;
    return c->known[e] = true;
  }
  return false;
}

static bool complete_registers(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  struct structure *s = c->structure;
  const struct program *program = f->tree->program;
  int64_t **registers = ARENA_ARRAY(arena, int64_t *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) {
    registers[t] = ARENA_ARRAY(arena, int64_t, program->threads[t].reg_count);
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (!path_value(s->paths[t]->registers[r], c->known + s->offset[t], c->value + s->offset[t], &registers[t][r]))
        return false;
  }
  s->execution.registers = (const int64_t *const *)registers;
  return true;
}

/* Does the name of a location end with what the event has written? */
static bool ends_with(const struct formula *f, const struct candidate_events *c, unsigned name, unsigned e) {
  const struct execution *x = c->execution;
  if (x->events[e].kind != EVENT_WRITE || x->events[e].location != (int)program_physical(f->tree->program, name))
    return false;
  const int *chosen = f->ends_with[name];
  return chosen ? sat_holds(f->sat, chosen[c->number[e]]) : words_empty(x->shape.w, rel_row_const(x->shape, x->co, e));
}

static void complete_final(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  struct structure *s = c->structure;
  const struct program *program = f->tree->program;
  int64_t *final = ARENA_ARRAY(arena, int64_t, program->location_count);
  for (unsigned x = 0; x < program->location_count; x++) {
    final[x] = program->locations[program_physical(program, x)].init;
    for (unsigned e = 0; e < s->execution.shape.n; e++)
      if (ends_with(f, c, x, e)) final[x] = s->events[e].value;
  }
  s->execution.final = final;
}

/* Does each read return what its source has written, as clauses say? */
__attribute__((unused)) static bool values_agree(const struct candidate_events *c) {
  const struct structure *s = c->structure;
  for (unsigned e = s->init_count; e < s->execution.shape.n; e++)
    if (s->events[e].kind == EVENT_READ && c->value[e] != c->value[c->source[e]]) return false;
  return true;
}

bool candidate_complete(struct arena *arena, const struct formula *f, struct candidate_events *c) {
  struct structure *s = c->structure;
  unsigned n = s->execution.shape.n;
  c->known = ARENA_ARRAY(arena, bool, n + 1);
  c->value = ARENA_ARRAY(arena, int64_t, n + 1);
  for (unsigned e = 0; e < s->init_count; e++) {
    c->known[e] = true;
    c->value[e] = s->events[e].value = bits_value(f->sat, f->value[c->number[e]]);
  }
  while (spread(c) || (f->thin_air && take_value(arena, f, c))) continue;
  for (unsigned e = s->init_count; e < n; e++) {
    if (!s->value[e]) continue;
    if (!c->known[e]) return false;
    s->events[e].value = c->value[e];
  }
  assert(values_agree(c));
  if (!complete_registers(arena, f, c)) return false;
  complete_final(arena, f, c);
  return true;
}
