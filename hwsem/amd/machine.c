/* SPDX-License-Identifier: MIT */
/* The AMD machine: the steps from a state, the state it starts in, and the
 * layout of states.
 */
#include "hwsem/amd/machine.h"

#include <string.h>

#include "hwsem/amd/rules.h"

/* ---- successors ---- */

struct stepping {
  const struct amd *m;
  const int32_t *from;
  struct successor_sink *sink;
  int32_t *next;
  bool any, stopped;
};

static void restart(struct stepping *w) {
  memcpy(w->next, w->from, w->m->words * sizeof *w->next);
}

/* `next` has been changed: a successor. */
static void emit(struct stepping *w, enum amd_step_code code, unsigned agent, unsigned detail) {
  amd_settle(w->m, w->next);
  w->any = true;
  struct step step = {(uint16_t)code, (uint16_t)agent, detail};
  if (!w->stopped && !w->sink->emit(w->sink, step, w->next)) w->stopped = true;
  restart(w);
}

/* Scalar loads come back in any order. */
static void step_scalars(struct stepping *w, unsigned t) {
  amd_slot_set left = w->m->scalars ? amd_outstanding(w->m, w->from, t) : 0;
  for (unsigned slot = 0; slot < AMD_SLOTS && left >> slot; slot++) {
    if (!(left >> slot & 1) || !amd_node_is_scalar(amd_slot_node(w->m, w->from, t, slot))) continue;
    amd_serve_scalar(w->m, w->next, t, slot);
    emit(w, AMD_STEP_SCALAR, t, slot);
  }
}

static void step_threads(struct stepping *w) {
  for (unsigned t = 0; t < w->m->threads; t++) {
    unsigned node = (unsigned)w->from[w->m->node[t]];
    if (amd_step_thread(w->m, w->next, t)) emit(w, AMD_STEP_THREAD, t, node);
    step_scalars(w, t);
    int slot = amd_oldest_local(w->m, w->from, t);
    if (slot < 0) continue;
    amd_serve_local(w->m, w->next, t, (unsigned)slot);
    emit(w, AMD_STEP_LOCAL, t, (unsigned)slot);
  }
}

/* Barriers that the end of a thread has completed. */
static void open_barriers(struct stepping *w) {
  for (unsigned g = 0; w->from[w->m->arrived] && g < w->m->groups; g++) {
    if (!amd_barrier_opens(w->m, w->from, g)) continue;
    amd_open_barrier(w->m, w->next, g);
    emit(w, AMD_STEP_OPEN, g, 0);
  }
}

static void serve_all(struct stepping *w) {
  const struct amd *m = w->m;
  for (unsigned c = 0; c < m->cus; c++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (!m->room[c * m->locations + x] || !amd_queue(m, w->next, c, x)[0]) continue;
      amd_serve(m, w->next, c, x);
      emit(w, AMD_STEP_SERVE, c, x);
    }
  }
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) {
    for (unsigned x = 0; x < m->locations; x++) {
      if (amd_l2_line(m, w->next, g, x)[0] != AMD_DIRTY) continue;
      amd_write_line_back(m, w->next, g, x);
      emit(w, AMD_STEP_WRITE_BACK, g, x);
    }
  }
}

static bool queue_empty(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  return !m->room[c * m->locations + x] || !amd_queue(m, s, c, x)[0];
}

/* A line that is only read is evicted, or fetched where `wanted`. */
static void change(struct stepping *w, enum amd_step_code evict, enum amd_step_code fetch, unsigned agent, unsigned x,
                   int32_t *line, bool wanted, int64_t value) {
  if (line[0]) {
    amd_set_line(w->m, line, AMD_ABSENT, 0);
    emit(w, evict, agent, x);
  } else if (wanted && w->m->knobs.fill) {
    amd_set_line(w->m, line, AMD_CLEAN, value);
    emit(w, fetch, agent, x);
  }
}

static void change0(struct stepping *w, unsigned c, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  const int32_t *line1 = amd_l1(m, w->next, m->array[c], x);
  int64_t value = m->gl1 && line1[0] ? amd_line_value(m, line1) : amd_peek_l2(m, w->next, m->l2[c], x);
  wanted = wanted && queue_empty(m, w->next, c, x);
  change(w, AMD_STEP_EVICT0, AMD_STEP_FETCH0, c, x, amd_l0(m, w->next, c, x), wanted, value);
}

/* Machines with GL1 have one L2. */
static void change1(struct stepping *w, unsigned a, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int64_t value = amd_peek_l2(m, w->next, 0, x);
  change(w, AMD_STEP_EVICT1, AMD_STEP_FETCH1, a, x, amd_l1(m, w->next, a, x), wanted, value);
}

/* A scalar cache is filled from the L2. */
static void change_scalar(struct stepping *w, unsigned c, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int64_t value = amd_peek_l2(m, w->next, m->l2[c], x);
  change(w, AMD_STEP_EVICT_SCALAR, AMD_STEP_FETCH_SCALAR, c, x, amd_scalar_line(m, w->next, c, x), wanted, value);
}

static void change2(struct stepping *w, unsigned g, unsigned x, bool wanted) {
  const struct amd *m = w->m;
  int32_t *line = amd_l2_line(m, w->next, g, x);
  if (m->home[x] == g) return;
  if (line[0] == AMD_CLEAN) {
    amd_set_line(m, line, AMD_ABSENT, 0);
    emit(w, AMD_STEP_EVICT2, g, x);
  } else if (line[0] == AMD_ABSENT && wanted && m->knobs.fill) {
    amd_set_line(m, line, AMD_CLEAN, amd_get(m, w->from + m->memory + m->width * x));
    emit(w, AMD_STEP_FETCH2, g, x);
  }
}

/* Locations that have lines in caches. */
static amd_location_set cached_locations(const struct amd *m) {
  amd_location_set set = 0;
  for (unsigned x = 0; x < m->locations; x++)
    if (m->program->locations[x].region == REGION_GLOBAL) set |= amd_only(x);
  return set;
}

/* Fetches and evictions, at any time. */
static void change_lines(struct stepping *w) {
  const struct amd *m = w->m;
  amd_location_set all = m->knobs.reduce ? 0 : cached_locations(m);
  for (unsigned c = 0; c < m->cus; c++) {
    amd_location_set set = amd_looked_up0(m, w->from, c);
    for (unsigned x = 0; x < m->locations; x++) change0(w, c, x, (all | set) >> x & 1);
  }
  for (unsigned c = 0; m->scalars && c < m->cus; c++) {
    amd_location_set set = amd_looked_up_scalar(m, w->from, c);
    for (unsigned x = 0; x < m->locations; x++) change_scalar(w, c, x, (all | set) >> x & 1);
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) {
    amd_location_set set = amd_looked_up1(m, w->from, a);
    for (unsigned x = 0; x < m->locations; x++) change1(w, a, x, (all | set) >> x & 1);
  }
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) {
    amd_location_set set = amd_looked_up2(m, w->from, g);
    for (unsigned x = 0; x < m->locations; x++) change2(w, g, x, (all | set) >> x & 1);
  }
}

static bool is_final(const struct machine *machine, const void *state) {
  const struct amd *m = machine->self;
  const int32_t *s = state;
  if (amd_hazard_ends(m, s)) return true;
  for (unsigned t = 0; t < m->threads; t++)
    if (!amd_ended(m, s, t) || amd_outstanding(m, s, t)) return false;
  for (unsigned i = 0; amd_several(m) && i < m->l2s * m->locations; i++)
    if (s[m->l2_lines + (1 + m->width) * i] == AMD_DIRTY) return false;
  return true;
}

/* Fetching and evicting alone help nobody: a state with no other step is stuck,
 * and has no successors. */
static bool successors(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct amd *m = machine->self;
  int32_t from[m->words + 3], next[m->words + 3];
  memcpy(from, state, m->words * sizeof *from);
  memset(next + m->words, 0, 3 * sizeof *next);
  struct stepping w = {.m = m, .from = from, .sink = sink, .next = next};
  restart(&w);
  if (is_final(machine, from)) return true;
  step_threads(&w);
  open_barriers(&w);
  serve_all(&w);
  if (w.any) change_lines(&w);
  return !w.stopped;
}

/* ---- the machine ---- */

static void initial(const struct machine *machine, void *state) {
  const struct amd *m = machine->self;
  int32_t s[m->words + 3];
  memset(s, 0, sizeof s);
  for (unsigned x = 0; x < m->locations; x++) {
    int64_t value = amd_initial(&m->program->locations[x]);
    bool local = m->program->locations[x].region == REGION_LOCAL;
    if (m->program->locations[x].region == REGION_GLOBAL) amd_put(m, amd_memory(m, s, x), value);
    for (unsigned g = 0; local && g < m->groups; g++) amd_put(m, amd_local(m, s, g, x), value);
  }
  amd_settle(m, s);
  memcpy(state, s, m->words * sizeof *s);
}

/* Does a thread access a location, or write it? */
static bool touches(const struct amd_tree *tree, unsigned x, bool writes) {
  for (unsigned i = 0; i < tree->count; i++) {
    const struct amd_node *node = &tree->nodes[i];
    if ((writes ? amd_node_writes(node) : amd_node_is_access(node)) && node->location == x) return true;
  }
  return false;
}

static bool any_touches(const struct amd_program *program, unsigned x, bool writes) {
  for (unsigned t = 0; t < program->thread_count; t++)
    if (touches(program->threads[t].tree, x, writes)) return true;
  return false;
}

static bool in_array(const struct amd_program *p, unsigned x) {
  return p->locations[x].cell || (x + 1 < p->location_count && p->locations[x + 1].cell);
}

/* The work-group that uses a local location, there being but one in tests that
 * look at it; otherwise the first thread's. */
static unsigned group_of(const struct amd *m, unsigned x) {
  const struct amd_thread *threads = m->program->threads;
  for (unsigned t = 0; t < m->threads; t++)
    if (touches(threads[t].tree, x, false)) return threads[t].wg;
  return threads[0].wg;
}

/* Compute units, shader arrays and L2s, by the placement. */
static void place(struct amd *m) {
  const struct amd_program *p = m->program;
  bool split = p->target->mode->split && m->knobs.place != AMD_PACKED;
  bool one_array = m->knobs.place == AMD_NEAR || m->knobs.place == AMD_ONE;
  for (unsigned t = 0; t < m->threads; t++) {
    unsigned wg = p->threads[t].wg;
    m->cu[t] = split ? t : m->knobs.place == AMD_ONE ? 0 : wg;
    m->array[m->cu[t]] = one_array ? 0 : wg;
    m->l2[m->cu[t]] = m->knobs.l2 ? wg % 2 : 0;
    if (m->cu[t] >= m->cus) m->cus = m->cu[t] + 1;
    if (wg >= m->groups) m->groups = wg + 1;
  }
  m->arrays = one_array ? 1 : m->groups;
  m->l2s = m->knobs.l2 ? 2 : 1;
  for (unsigned x = 0; x < m->locations; x++) {
    m->home[x] = x % m->l2s;
    m->marked[x] = !in_array(p, x) || any_touches(p, x, false);
    m->shown[x] = group_of(m, x);
  }
}

/* Requests that a thread may have on a location at once, at most. */
static unsigned requests(const struct amd_tree *tree, unsigned x, bool local) {
  amd_slot_set slots = 0;
  for (unsigned i = 0; i < tree->count; i++) {
    const struct amd_node *node = &tree->nodes[i];
    bool here = node->kind == AMD_NODE_WRITE_BACK ? !local : !node->local && node->location == x;
    if (amd_node_is_request(node) && here && !amd_node_is_scalar(node)) slots |= amd_slot(node->slot);
  }
  return (unsigned)__builtin_popcountll(slots);
}

static unsigned take_words(struct amd *m, unsigned count) {
  unsigned at = m->words;
  m->words += count;
  return at;
}

static void lay_out(struct amd *m) {
  const struct amd_program *p = m->program;
  m->width = 1;
  for (unsigned x = 0; x < m->locations; x++)
    if (amd_bytes(&p->locations[x]) > 4) m->width = 2;
  unsigned line = (1 + m->width) * m->locations;
  for (unsigned t = 0; t < m->threads; t++) {
    m->node[t] = take_words(m, 1);
    m->done_words[t] = p->threads[t].tree->slots > 32 ? 2 : 1;
    m->done[t] = take_words(m, m->done_words[t]);
    m->value[t] = take_words(m, m->width * p->threads[t].tree->slots);
  }
  m->arrived = take_words(m, 1);
  m->hazard = take_words(m, 1);
  for (unsigned c = 0; c < m->cus; c++) {
    for (unsigned x = 0; x < m->locations; x++) {
      unsigned i = c * m->locations + x;
      for (unsigned t = 0; t < m->threads; t++)
        if (m->cu[t] == c)
          m->room[i] += requests(p->threads[t].tree, x, p->locations[x].region != REGION_GLOBAL || !m->marked[x]);
      m->queue[i] = take_words(m, m->room[i]);
    }
  }
  m->l0 = take_words(m, line * m->cus);
  m->l1 = take_words(m, m->gl1 ? line * m->arrays : 0);
  m->l2_lines = take_words(m, m->l2s > 1 ? line * m->l2s : 0);
  m->scalar_lines = take_words(m, m->scalars ? line * m->cus : 0);
  m->memory = take_words(m, m->width * m->locations);
  m->local = take_words(m, m->width * m->groups * m->locations);
}

/* Locations to which a thread does what nobody does to a counter. */
static amd_location_set no_counters(const struct amd_tree *tree) {
  amd_location_set set = 0;
  for (unsigned i = 0; i < tree->count; i++) {
    const struct amd_node *node = &tree->nodes[i];
    if (amd_node_writes(node) && !unfold_counts(node)) set |= amd_only(node->location);
  }
  return set;
}

/* Whether what was taken for true holds of the trees that were made with it.  If not, sets it right. */
static bool facts_hold(const struct amd_program *program, struct amd_facts *facts) {
  struct amd_facts before = *facts;
  amd_location_set read = 0;
  bool loops = false;
  for (unsigned t = 0; t < program->thread_count; t++) {
    read |= program->threads[t].tree->constants;
    loops |= program->threads[t].tree->loops;
    facts->counters &= ~no_counters(program->threads[t].tree);
  }
  for (unsigned x = 0; x < program->location_count; x++)
    if (read >> x & 1 && any_touches(program, x, true)) facts->changing |= amd_only(x);
  return facts->changing == before.changing && (facts->counters == before.counters || !loops);
}

/* What the source writes: its code does so, too. */
static amd_location_set written_by(const struct program *program) {
  amd_location_set set = 0;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      const struct address *to = &instr->address;
      if (instr->kind != INSTR_STORE && instr->kind != INSTR_RMW && instr->kind != INSTR_CAS) continue;
      unsigned end = to->base + (to->index ? to->size : 1);
      for (unsigned x = to->base; x < end && x < AMD_LOCATIONS; x++) set |= amd_only(x);
    }
  return set;
}

bool amd_program_unfold(struct arena *arena, const struct program *program, amd_unfold_thread *unfold, void *context,
                        struct amd_program *code) {
  struct amd_thread *threads = ARENA_ARRAY(arena, struct amd_thread, program->thread_count + 1);
  struct amd_facts facts = {.counters = UINT64_MAX, .fixed = program->kernel_origin != NULL};
  if (facts.fixed) facts.changing = written_by(program);
  code->threads = threads;
  code->thread_count = program->thread_count;
  do {
    for (unsigned t = 0; t < program->thread_count; t++) {
      threads[t] = (struct amd_thread){program->threads[t].name, program->threads[t].wg, unfold(context, t, facts)};
      if (!threads[t].tree) return false;
    }
  } while (!facts_hold(code, &facts));
  return true;
}

bool amd_machine(struct arena *arena, const struct amd_program *program, const struct amd_knobs *knobs,
                 const struct amd_observable *observables, unsigned observable_count, struct machine *machine,
                 struct diags *diags) {
  struct span nowhere = {0, 0};
  if (program->thread_count > AMD_THREADS) {
    diag_error(diags, NULL, nowhere, "the machine handles at most %d threads", AMD_THREADS);
    return false;
  }
  if (knobs->l2 && !program->target->several_l2s) {
    diag_error(diags, NULL, nowhere, "knob l2: an agent of %s has one L2", program->target->name);
    return false;
  }
  struct amd *m = ARENA_NEW(arena, struct amd);
  *m = (struct amd){.program = program,
                    .knobs = *knobs,
                    .observables = observables,
                    .observable_count = observable_count,
                    .threads = program->thread_count,
                    .locations = program->location_count,
                    .gl1 = program->target->gl1};
  for (unsigned t = 0; t < m->threads; t++) m->scalars |= program->threads[t].tree->nodes[0].scalars != 0;
  place(m);
  lay_out(m);
  *machine = (struct machine){.name = program->target->full,
                              .state_size = m->words * sizeof(int32_t),
                              .self = m,
                              .initial = initial,
                              .successors = successors,
                              .final = is_final,
                              .step_kind = amd_step_kind,
                              .print_step = amd_print_step,
                              .print_state = amd_print_state,
                              .lane_count = amd_lane_count(m),
                              .print_lane = amd_print_lane,
                              .route = amd_route,
                              .observable_count = observable_count + 1,
                              .fault = observable_count + 1,
                              .print_fault = amd_print_fault,
                              .observe = amd_observe};
  return true;
}
