/* SPDX-License-Identifier: MIT */
/* The AMD machine: the state it starts in, and the layout of states. */
#include "hwsem/amd/machine.h"

#include <string.h>

#include "checker/base/array.h"
#include "hwsem/amd/rules.h"

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
  amd_normalize(m, s);
  memcpy(state, s, m->words * sizeof *s);
}

/* Does a thread access a location, or write it? */
static bool touches(const struct amd_tree *tree, unsigned x, bool writes) {
  ARRAY_EACH (const struct amd_node, node, tree->nodes, tree->count)
    if ((writes ? amd_node_writes(node) : amd_node_is_access(node)) && node->location == x) return true;
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

/* Compute units, shader arrays and L2s, by the placement.
 *
 * Where a WGP has one L0, each wave has queues as a compute unit has on other GPUs, without an L0 of its own, and the
 * L0 of the WGP is what one of several L2s is to others: it acknowledges stores, which reach the L2 (the memory here)
 * some time later, or before a write-back is done; and it has lines that another one's stores do not change.
 */
static void place(struct amd *m) {
  const struct amd_program *p = m->program;
  bool group_l0 = p->target->group_l0;
  bool split = group_l0 || (p->target->mode->split && m->knobs.place != AMD_PACKED);
  bool one_array = m->knobs.place == AMD_NEAR || m->knobs.place == AMD_ONE;
  for (unsigned t = 0; t < m->threads; t++) {
    unsigned wg = p->threads[t].wg;
    m->cu[t] = split ? t : m->knobs.place == AMD_ONE ? 0 : wg;
    m->array[m->cu[t]] = one_array ? 0 : wg;
    m->l2[m->cu[t]] = m->knobs.l2 ? wg % 2 : group_l0 && m->knobs.place != AMD_ONE ? wg : 0;
    if (m->cu[t] >= m->cus) m->cus = m->cu[t] + 1;
    if (wg >= m->groups) m->groups = wg + 1;
  }
  m->arrays = one_array ? 1 : m->groups;
  m->fronted = m->knobs.l2 || group_l0;
  m->l2s = m->knobs.l2 ? 2 : group_l0 && m->knobs.place != AMD_ONE ? m->groups : 1;
  for (unsigned x = 0; x < m->locations; x++) {
    m->home[x] = group_l0 ? (unsigned)AMD_NOWHERE : x % m->l2s;
    m->marked[x] = !in_array(p, x) || any_touches(p, x, false);
    m->shown[x] = group_of(m, x);
  }
}

/* Requests that a thread may have on a location at once, at most. */
static unsigned requests(const struct amd_tree *tree, unsigned x, bool local) {
  amd_slot_set slots = 0;
  ARRAY_EACH (const struct amd_node, node, tree->nodes, tree->count) {
    bool here = node->kind == AMD_NODE_WRITE_BACK ? !local : !node->local && node->location == x;
    if (amd_node_is_request(node) && here && !amd_node_is_scalar(node)) slots |= amd_slot(node->slot);
  }
  return (unsigned)amd_count(slots);
}

/* A store that leaves bits of its location as they are; NULL: there is none. */
static const struct amd_node *stored_in_part(const struct amd_program *p) {
  for (unsigned t = 0; t < p->thread_count; t++)
    ARRAY_EACH (const struct amd_node, node, p->threads[t].tree->nodes, p->threads[t].tree->count)
      if (node->kind == AMD_NODE_STORE && node->kept && !node->local) return node;
  return NULL;
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
    m->done_words[t] = p->threads[t].tree->slots ? (p->threads[t].tree->slots + 31) / 32 : 1;
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
  m->caches[KIND_L0] = p->target->group_l0 ? 0 : m->cus;
  m->caches[KIND_GL1] = m->gl1 ? m->arrays : 0;
  m->caches[KIND_L2] = amd_several(m) ? m->l2s : 0;
  m->caches[KIND_SCALAR] = m->scalars ? m->cus : 0;
  for (unsigned kind = 0; kind < AMD_KINDS; kind++)
    m->lines[kind] = take_words(m, line * (kind == KIND_L0 ? m->cus : m->caches[kind]));
  m->memory = take_words(m, m->width * m->locations);
  m->local = take_words(m, m->width * m->groups * m->locations);
}

/* Locations to which a thread does what nobody does to a counter. */
static amd_location_set no_counters(const struct amd_tree *tree) {
  amd_location_set set = 0;
  ARRAY_EACH (const struct amd_node, node, tree->nodes, tree->count)
    if (amd_node_writes(node) && !unfold_counts(node)) set |= amd_only(node->location);
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
  INSTR_EACH (instr, program) {
    const struct address *to = &instr->address;
    if (instr->kind != INSTR_STORE && instr->kind != INSTR_RMW && instr->kind != INSTR_CAS) continue;
    unsigned end = to->base + address_cells(to);
    for (unsigned x = to->base; x < end && x < AMD_LOCATIONS; x++) set |= amd_only(x);
  }
  return set;
}

bool amd_program_unfold(struct arena *arena, const struct program *program, amd_unfold_thread *unfold, void *context,
                        struct amd_program *code) {
  struct amd_thread *threads = ARENA_ARRAY(arena, struct amd_thread, program->thread_count + 1);
  struct amd_facts facts = {.counters = ~(amd_location_set)0, .fixed = program->kernel_launch != NULL};
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

/* Whether a load is done by then decides what is read there: no step comes as well before as after it. */
static bool goes_past_hazards(const struct amd_program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].tree->count; i++)
      if (program->threads[t].tree->nodes[i].goes_on) return true;
  return false;
}

static bool is_wait(const struct amd_instr *i) {
  return i->op == AMD_OP_WAIT || (i->op == AMD_OP_NOTHING && !strncmp(i->name, "s_wait", 6));
}

static void add_size(const struct amd_code *code, const struct amd_target *target, struct code_size *size) {
  size->instructions += code->count;
  ARRAY_EACH (const struct amd_instr, instr, code->instrs, code->count) {
    size->waits += is_wait(instr);
    if (instr->op != AMD_OP_CACHE) continue;
    size->invalidates += amd_target_names(target, AMD_INVALIDATE, instr->name);
    size->write_backs += amd_target_names(target, AMD_WRITE_BACK, instr->name);
  }
}

static struct code_size code_size(const struct machine *machine) {
  const struct amd_program *p = ((const struct amd *)machine->self)->program;
  struct code_size size = {0};
  for (unsigned t = 0; t < p->thread_count; t++) {
    bool counted = false;
    for (unsigned u = 0; u < t; u++) counted |= p->threads[u].tree->code == p->threads[t].tree->code;
    if (!counted) add_size(p->threads[t].tree->code, p->target, &size);
  }
  return size;
}

bool amd_machine(struct arena *arena, const struct amd_program *program, const struct amd_knobs *knobs,
                 struct amd_observables observables, struct machine *machine, struct diags *diags) {
  if (program->thread_count > AMD_THREADS)
    return diag_fail(diags, "the machine handles at most %d threads", AMD_THREADS);
  if (knobs->l2 && !program->target->several_l2s)
    return diag_fail(diags, "knob l2: an agent of %s has one L2", program->target->name);
  struct amd *m = ARENA_NEW(arena, struct amd);
  *m = (struct amd){.program = program,
                    .knobs = *knobs,
                    .observables = observables,
                    .threads = program->thread_count,
                    .locations = program->location_count,
                    .gl1 = program->target->gl1};
  const struct amd_node *part;
  for (unsigned t = 0; t < m->threads; t++) m->scalars |= program->threads[t].tree->nodes[0].scalars != 0;
  place(m);
  if (amd_several(m) && (part = stored_in_part(program)) != NULL)
    return diag_fail(diags, "%s stores a part of %s, which is not followed where %s", part->instr->name,
                     program->locations[part->location].name,
                     program->target->group_l0 ? "an L0 keeps what is stored" : "there are several L2s");
  lay_out(m);
  *machine = (struct machine){.name = program->target->full,
                              .state_size = m->words * sizeof(int32_t),
                              .self = m,
                              .initial = initial,
                              .successors = amd_successors,
                              .ample = knobs->reduce && !goes_past_hazards(program) ? amd_ample : NULL,
                              .final = amd_is_final,
                              .step_kind = amd_step_kind,
                              .print_step = amd_print_step,
                              .print_state = amd_print_state,
                              .code_size = code_size,
                              .lane_count = amd_lane_count(m),
                              .print_lane = amd_print_lane,
                              .route = amd_route,
                              .observable_count = observables.count + 1,
                              .fault = observables.count + 1,
                              .print_fault = amd_print_fault,
                              .observe = amd_observe};
  return true;
}
