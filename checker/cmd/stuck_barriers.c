/* SPDX-License-Identifier: MIT */
/* States of machine sc in which nobody can go on, though not all have ended. */
#include "checker/cmd/stuck_barriers.h"

#include "checker/program/program.h"
#include "hwsem/fair_progress_components.h"
#include "hwsem/machines/sc.h"

enum { MOST_STATES = 20000, MOST_BYTES = 64 << 20, MOST_THREADS = 64 };

static bool has_barrier(const struct program *program) {
  INSTR_EACH (instr, program)
    if (instr->kind == INSTR_MEET) return true;
  return false;
}

/* The first node that no edge leaves, though some thread has not ended; count: none. */
static uint32_t find_stuck(const struct state_graph *graph) {
  uint32_t node = 0;
  while (node < graph->count && !progress_stands_still(graph, node)) node++;
  return node;
}

/* Who should come to the barrier at which the thread waits, and does not: preferably one that has ended. */
static unsigned find_absent(const struct program *program, const struct instr *const *at, unsigned waiting) {
  unsigned absent = waiting, best = 0;
  for (unsigned t = 0; t < program->thread_count; t++) {
    unsigned rank = !at[t] ? 3 : at[t]->barrier_label != at[waiting]->barrier_label ? 2 : 1;
    if (t == waiting || program->threads[t].wg != program->threads[waiting].wg || rank <= best) continue;
    absent = t;
    best = rank;
  }
  return absent;
}

static void warn(const struct litmus_test *test, const struct instr *const *at, struct diags *diags) {
  const struct program *program = test->program;
  unsigned waiting = 0;
  while (!at[waiting] || at[waiting]->kind != INSTR_MEET)
    if (++waiting == program->thread_count) return;
  unsigned absent = find_absent(program, at, waiting);
  struct counted counted = {0};
  const char *name = program->threads[waiting].name, *other = program->threads[absent].name;
  if (!at[absent])
    diag_warning(diags, test->source, at[waiting]->span,
                 "%s can wait at this barrier for ever: %s can end without coming to it", name, other);
  else
    diag_warning(diags, test->source, at[waiting]->span,
                 "%s can wait at this barrier for ever, while %s waits at line %u%s", name, other,
                 source_line(&counted, test->source, at[absent]->span.at),
                 at[absent]->barrier_label == at[waiting]->barrier_label ? " in another round of a loop" : "");
}

bool stuck_barriers_warn(struct arena *arena, const struct litmus_test *test, struct diags *diags) {
  const struct program *program = test->program;
  struct diags refused = diags_new(arena);
  struct explore_options options = {0};
  struct explore_request request = {.program = program, .options = &options, .arena = arena};
  struct machine machine;
  struct state_graph graph;
  if (program->thread_count > MOST_THREADS || !has_barrier(program) || !sc_machine(&request, &machine, &refused))
    return false;
  options.max_states = MOST_BYTES / (machine.state_size + 1) + 1;
  if (options.max_states > MOST_STATES) options.max_states = MOST_STATES;
  state_graph_build(arena, &machine, &options, &graph);
  uint32_t node = find_stuck(&graph);
  if (node == graph.count) return false;
  const struct instr **at = ARENA_ARRAY(arena, const struct instr *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) at[t] = sc_next(&machine, graph.states[node], t);
  size_t before = diags->count;
  warn(test, at, diags);
  return diags->count > before;
}
