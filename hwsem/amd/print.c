/* SPDX-License-Identifier: MIT */
/* The AMD machine's steps and states as people read them, and as arrows between
 * lanes of a diagram. */
#include <inttypes.h>
#include <string.h>

#include "hwsem/amd/state.h"

/* ---- instructions ---- */

static void print_operand(const struct amd_operand *operand, FILE *out) {
  struct arena *arena = arena_new();
  if (operand->kind == AMD_REG)
    fputs(amd_register_name(arena, operand->reg, operand->words), out);
  else if (operand->kind == AMD_NUMBER)
    fprintf(out, "%" PRId64, (int64_t)operand->number);
  else
    fputs(operand->kind == AMD_OFF ? "off" : operand->name, out);
  arena_free(arena);
}

/* The data operands of a memory instruction, with the location for its address. */
static void print_access(const struct amd_node *node, const struct location *locations, FILE *out) {
  const struct amd_instr *i = node->instr;
  const char *name = locations[node->location].name;
  bool returns = node->returns;
  if (returns) {
    fputc(' ', out);
    print_operand(&i->at[0], out);
  }
  fprintf(out, "%s %s", returns ? "," : "", name);
  unsigned first = (returns ? 1u : 0u) + 1, last = i->count - (amd_op_space(i->op) == AMD_SPACE_LOCAL ? 0u : 1u);
  if (amd_is_buffer(i)) first = 0, last = 1; /* a buffer's address comes after its data */
  for (unsigned k = first; node->kind != AMD_NODE_LOAD && k < last; k++) {
    fputs(", ", out);
    print_operand(&i->at[k], out);
  }
}

/* A node as a trace prints it: `global_load_dword v0, y glc`. */
static void amd_node_print(const struct amd_node *node, const struct location *locations, FILE *out) {
  const struct amd_instr *i = node->instr;
  if (node->kind == AMD_NODE_END || !i) {
    fputs("end", out);
    return;
  }
  fputs(i->name, out);
  if (amd_node_is_access(node)) print_access(node, locations, out);
  for (unsigned b = 0; b < AMD_BITS; b++)
    if (i->bits >> b & 1) fprintf(out, " %s%s", amd_bit_field(b), amd_bit_name(b));
}

/* Where a WGP has one L0, it is what one of several L2s is elsewhere, and each wave has queues (machine.c). */
static const char *queue_of(const struct amd *m) {
  return m->program->target->group_l0 ? "wave" : "CU";
}

static const char *l2_name(const struct amd *m) {
  return m->program->target->group_l0 ? "L0 of WGP" : "L2";
}

/* What they are in front of. */
static const char *memory_name(const struct amd *m) {
  return amd_several(m) && !m->program->target->group_l0 ? "memory" : "L2";
}

/* ---- steps ---- */

static const char *location_name(const struct amd *m, unsigned x) {
  return m->program->locations[x].name;
}

enum step_kind amd_step_kind(const struct machine *machine, struct step step) {
  (void)machine;
  return step.code == AMD_STEP_THREAD ? STEP_THREAD : STEP_ENVIRONMENT;
}

/* ---- steps ---- */

static bool becomes_done(const struct amd *m, const int32_t *after, unsigned t, unsigned slot) {
  return amd_done(m, after, t) >> slot & 1;
}

static void print_issue(const struct amd *m, const struct amd_node *node, unsigned t, const int32_t *before,
                        const int32_t *after, FILE *out) {
  if (node->local || amd_node_is_scalar(node)) {
    fputs(node->local ? " -> queue of local memory" : " -> scalar cache", out);
  } else if (node->kind == AMD_NODE_LOAD && becomes_done(m, after, t, node->slot)) {
    int32_t s[m->words];
    memcpy(s, before, sizeof s);
    fprintf(out, " hits in L0 of CU %u: %" PRId64, m->cu[t], amd_line_value(m, amd_l0(m, s, m->cu[t], node->location)));
  } else if (node->kind == AMD_NODE_WRITE_BACK && becomes_done(m, after, t, node->slot)) {
    fputs(" does nothing", out);
  } else {
    fprintf(out, " -> queue%s of %s %u", node->kind == AMD_NODE_WRITE_BACK ? "s" : "", queue_of(m), m->cu[t]);
  }
}

static void print_thread(const struct amd *m, struct step step, const int32_t *before, const int32_t *after,
                         FILE *out) {
  unsigned t = step.agent;
  const struct amd_node *node = &m->program->threads[t].tree->nodes[step.detail];
  fprintf(out, "%s: ", m->program->threads[t].name);
  amd_node_print(node, m->program->locations, out);
  if (amd_node_is_request(node)) print_issue(m, node, t, before, after, out);
  if (node->instr && node->instr->source_line) fprintf(out, "   [line %u]", node->instr->source_line);
}

/* What a request found, and left. */
struct served {
  int64_t read, left;
};

static void print_served(const struct amd *m, const struct amd_node *node, unsigned t, const int32_t *before,
                         struct served served, FILE *out) {
  const char *x = node->kind == AMD_NODE_WRITE_BACK ? "" : location_name(m, node->location);
  const char *thread = m->program->threads[t].name;
  switch (node->kind) {
    case AMD_NODE_LOAD:
      fprintf(out, "load %s=%" PRId64 " of %s", x, served.read, thread);
      break;
    case AMD_NODE_STORE:
      fprintf(out, "store %s=%" PRId64 " of %s", x, amd_stored(m, before, t, node, served.read), thread);
      break;
    case AMD_NODE_WRITE_BACK:
      fprintf(out, "write-back of %s", thread);
      break;
    default:
      fprintf(out, "%s %s of %s reads %" PRId64 ", leaves %" PRId64, node->instr->name, x, thread, served.read,
              served.left);
      break;
  }
}

static int64_t value_at(const struct amd *m, int32_t *s, unsigned c, unsigned x) {
  const int32_t *line = amd_several(m) ? amd_l2_line(m, s, m->l2[c], x) : NULL;
  return line && line[0] ? amd_line_value(m, line) : amd_get(m, amd_memory(m, s, x));
}

/* What the first request of a queue reads: before the step, since the state
 * after it may have forgotten the value. */
static int64_t value_read(const struct amd *m, int32_t *s, unsigned c, unsigned x, const struct amd_node *node) {
  const int32_t *line = amd_l1(m, s, m->array[c], x);
  if (node->kind == AMD_NODE_LOAD && m->gl1 && !(node->passes & AMD_GL1) && line[0]) return amd_line_value(m, line);
  const int32_t *own = amd_several(m) ? amd_l2_line(m, s, m->l2[c], x) : NULL;
  if (own && node->kind == AMD_NODE_LOAD && node->passes & AMD_L2 && own[0] == AMD_CLEAN)
    return amd_get(m, amd_memory(m, s, x));
  return value_at(m, s, c, x);
}

static void print_serve(const struct amd *m, struct step step, int32_t *before, int32_t *after, FILE *out) {
  unsigned c = step.agent, x = step.detail;
  int32_t request = amd_queue(m, before, c, x)[0];
  unsigned t = amd_request_thread(request);
  const struct amd_node *node = amd_slot_node(m, before, t, amd_request_slot(request));
  const int32_t *line = amd_l1(m, before, m->array[c], x);
  bool gl1 = node->kind == AMD_NODE_LOAD && m->gl1 && !(node->passes & AMD_GL1) && line[0];
  if (gl1)
    fprintf(out, "GL1 of SA %u: ", m->array[c]);
  else if (amd_several(m))
    fprintf(out, "%s %u: ", l2_name(m), m->l2[c]);
  else
    fputs("L2: ", out);
  struct served served = {value_read(m, before, c, x, node), value_at(m, after, c, x)};
  print_served(m, node, t, before, served, out);
  if (node->kind == AMD_NODE_WRITE_BACK) fprintf(out, " passes %s", location_name(m, x));
}

static void print_local(const struct amd *m, struct step step, int32_t *before, int32_t *after, FILE *out) {
  unsigned t = step.agent;
  const struct amd_node *node = amd_slot_node(m, before, t, step.detail);
  unsigned wg = m->program->threads[t].wg, x = node->location;
  fprintf(out, "local memory of work-group %u: ", wg);
  struct served served = {amd_get(m, amd_local(m, before, wg, x)), amd_get(m, amd_local(m, after, wg, x))};
  print_served(m, node, t, before, served, out);
}

static void print_scalar(const struct amd *m, struct step step, int32_t *before, int32_t *after, FILE *out) {
  unsigned t = step.agent, c = m->cu[t];
  const struct amd_node *node = amd_slot_node(m, before, t, step.detail);
  const int32_t *line = amd_scalar_line(m, before, c, node->location);
  fprintf(out, "%sscalar cache of %s %u: ", line[0] ? "" : "L2, for the ", queue_of(m), c);
  int64_t below = m->program->target->group_l0 ? amd_get(m, amd_memory(m, after, node->location))
                                               : value_at(m, after, c, node->location);
  int64_t value = line[0] ? amd_line_value(m, line) : below;
  print_served(m, node, t, before, (struct served){value, 0}, out);
}

static void print_line_step(const struct amd *m, struct step step, int32_t *before, int32_t *after, FILE *out) {
  const char *const caches[AMD_KINDS] = {"L0 of CU", "GL1 of SA", l2_name(m), "scalar cache of CU"};
  bool back = step.code == AMD_STEP_WRITE_BACK, evict = step.code >= AMD_STEP_EVICT0;
  enum amd_kind kind = back ? KIND_L2 : step.code - (unsigned)(evict ? AMD_STEP_EVICT0 : AMD_STEP_FETCH0);
  const int32_t *line = amd_line_at(m, back || evict ? before : after, kind, step.agent, step.detail);
  fprintf(out, "%s %u: line %s=%" PRId64 " %s", caches[kind], (unsigned)step.agent, location_name(m, step.detail),
          amd_line_value(m, line),
          back    ? m->program->target->group_l0 ? "reaches the L2" : "written back"
          : evict ? "evicted"
                  : "fetched");
}

void amd_print_step(const struct machine *machine, struct step step, const void *before, const void *after, FILE *out) {
  const struct amd *m = machine->self;
  int32_t from[m->words + 3], to[m->words + 3];
  memcpy(from, before, m->words * sizeof *from);
  memcpy(to, after, m->words * sizeof *to);
  if (step.code == AMD_STEP_THREAD)
    print_thread(m, step, from, to, out);
  else if (step.code == AMD_STEP_SERVE)
    print_serve(m, step, from, to, out);
  else if (step.code == AMD_STEP_LOCAL)
    print_local(m, step, from, to, out);
  else if (step.code == AMD_STEP_SCALAR)
    print_scalar(m, step, from, to, out);
  else if (step.code == AMD_STEP_OPEN)
    fprintf(out, "the barrier of work-group %u opens", (unsigned)step.agent);
  else
    print_line_step(m, step, from, to, out);
}

static void print_line(const struct amd_instr *instr, FILE *out) {
  fputs(instr->name, out);
  for (unsigned i = 0; i < instr->count; i++) {
    const struct amd_operand *operand = &instr->at[i];
    if (operand->kind == AMD_OFF && amd_op_space(instr->op) == AMD_SPACE_FLAT) break; /* the code has none there */
    struct arena *arena = arena_new();
    fputs(i ? ", " : " ", out);
    if (operand->kind == AMD_REG)
      fputs(amd_register_name(arena, operand->reg, operand->words), out);
    else if (operand->kind == AMD_NUMBER)
      fprintf(out, "%lld", (long long)operand->number);
    else
      fputs(operand->kind == AMD_OFF ? "off" : operand->name, out);
    arena_free(arena);
  }
}

void amd_print_fault(const struct machine *machine, int64_t value, FILE *out) {
  const struct amd *m = machine->self;
  unsigned thread;
  const struct amd_node *node = amd_hazard(machine, value, &thread);
  fprintf(out, "%s: '", m->program->threads[thread].name);
  print_line(node->instr, out);
  if (!node->load) {
    struct counted counted = {0};
    unsigned line = node->instr->source_line;
    const struct source *source = m->program->threads[thread].tree->code->source;
    if (!line) line = source_line(&counted, source, node->instr->span.at);
    fprintf(out, "' (line %u) accesses no location of the test", line);
    return;
  }
  fputs("' uses a register that '", out);
  print_line(node->load, out);
  fputs("' fills, before that was waited for", out);
}

/* ---- states ---- */

static void print_request(const struct amd *m, const int32_t *s, int32_t request, FILE *out) {
  unsigned t = amd_request_thread(request);
  const struct amd_node *node = amd_slot_node(m, s, t, amd_request_slot(request));
  fprintf(out, " [%s: %s]", m->program->threads[t].name, node->instr->name);
}

static void print_lines(const struct amd *m, const int32_t *line, const char *name, unsigned number, FILE *out) {
  static const char *const STATES[] = {"", "", " (dirty)"};
  bool any = false;
  for (unsigned x = 0; x < m->locations; x++, line += 1 + m->width) {
    if (!line[0]) continue;
    if (!any) fprintf(out, "  %s %u:", name, number);
    any = true;
    fprintf(out, " %s=%" PRId64 "%s", location_name(m, x), amd_line_value(m, line), STATES[line[0]]);
  }
  if (any) fputc('\n', out);
}

static void print_queues(const struct amd *m, int32_t *s, unsigned c, FILE *out) {
  for (unsigned x = 0; x < m->locations; x++) {
    const int32_t *queue = amd_queue(m, s, c, x);
    unsigned room = m->room[c * m->locations + x];
    if (!room || !queue[0]) continue;
    fprintf(out, "  queue of %s %u for %s:", queue_of(m), c, location_name(m, x));
    for (unsigned i = 0; i < room && queue[i]; i++) print_request(m, s, queue[i], out);
    fputc('\n', out);
  }
}

void amd_print_state(const struct machine *machine, const void *state, FILE *out) {
  const struct amd *m = machine->self;
  int32_t s[m->words + 3];
  memset(s, 0, sizeof s);
  if (state)
    memcpy(s, state, m->words * sizeof *s);
  else
    machine->initial(machine, s);
  for (unsigned t = 0; t < m->threads; t++) {
    const struct amd_node *node = amd_node_of(m, s, t);
    bool round = node->kind == AMD_NODE_JOIN || node->kind == AMD_NODE_MOVE || node->kind == AMD_NODE_FORK;
    fprintf(out, "  %s %s ", m->program->threads[t].name, round ? "goes round for ever, from" : "at");
    amd_node_print(node, m->program->locations, out);
    fputc('\n', out);
  }
  for (unsigned c = 0; c < m->cus; c++) {
    print_queues(m, s, c, out);
    print_lines(m, amd_l0(m, s, c, 0), "L0 of CU", c, out);
    if (m->scalars) print_lines(m, amd_scalar_line(m, s, c, 0), "scalar cache of CU", c, out);
  }
  for (unsigned a = 0; m->gl1 && a < m->arrays; a++) print_lines(m, amd_l1(m, s, a, 0), "GL1 of SA", a, out);
  for (unsigned g = 0; amd_several(m) && g < m->l2s; g++) print_lines(m, amd_l2_line(m, s, g, 0), l2_name(m), g, out);
  fprintf(out, "  %s:", memory_name(m));
  for (unsigned x = 0; x < m->locations; x++)
    if (m->program->locations[x].region == REGION_GLOBAL)
      fprintf(out, " %s=%" PRId64, location_name(m, x), amd_get(m, amd_memory(m, s, x)));
  fputc('\n', out);
}

/* ---- lanes: threads, L0s, GL1s, L2s ---- */

unsigned amd_lane_count(const struct amd *m) {
  return m->threads + m->cus + (m->gl1 ? m->arrays : 0) + m->l2s + (amd_several(m));
}

static unsigned l0_lane(const struct amd *m, unsigned c) {
  return m->threads + c;
}

static unsigned l1_lane(const struct amd *m, unsigned a) {
  return m->threads + m->cus + a;
}

static unsigned l2_lane(const struct amd *m, unsigned g) {
  return m->threads + m->cus + (m->gl1 ? m->arrays : 0) + g;
}

void amd_print_lane(const struct machine *machine, unsigned lane, FILE *out) {
  const struct amd *m = machine->self;
  if (lane < m->threads)
    fputs(m->program->threads[lane].name, out);
  else if (lane < l1_lane(m, 0))
    fprintf(out, "%s %u", queue_of(m), lane - m->threads);
  else if (lane < l2_lane(m, 0))
    fprintf(out, "GL1 %u", lane - l1_lane(m, 0));
  else if (!amd_several(m))
    fputs(memory_name(m), out);
  else if (lane < l2_lane(m, m->l2s))
    fprintf(out, "%s %u", l2_name(m), lane - l2_lane(m, 0));
  else
    fputs(memory_name(m), out);
}

static void route_thread(const struct amd *m, struct step step, const int32_t *after, unsigned *from, unsigned *to) {
  const struct amd_node *node = &m->program->threads[step.agent].tree->nodes[step.detail];
  unsigned cache = l0_lane(m, m->cu[step.agent]);
  *from = *to = step.agent;
  if ((!amd_node_is_request(node) && node->kind != AMD_NODE_INVALIDATE) || node->local) return;
  *to = cache;
  if (node->kind == AMD_NODE_LOAD && becomes_done(m, after, step.agent, node->slot)) {
    *from = cache;
    *to = step.agent;
  }
}

void amd_route(const struct machine *machine, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to) {
  const struct amd *m = machine->self;
  int32_t s[m->words + 3];
  memcpy(s, after, m->words * sizeof *s);
  (void)before;
  unsigned agent = step.agent;
  switch (step.code) {
    case AMD_STEP_THREAD:
      route_thread(m, step, s, from, to);
      return;
    case AMD_STEP_SERVE:
      *from = l0_lane(m, agent);
      *to = l2_lane(m, m->l2[agent]);
      return;
    case AMD_STEP_FETCH0:
      *from = m->gl1 ? l1_lane(m, m->array[agent]) : l2_lane(m, m->l2[agent]);
      *to = l0_lane(m, agent);
      return;
    case AMD_STEP_FETCH1:
      *from = l2_lane(m, 0);
      *to = l1_lane(m, agent);
      return;
    case AMD_STEP_FETCH2:
    case AMD_STEP_WRITE_BACK:
      *from = step.code == AMD_STEP_FETCH2 ? l2_lane(m, m->l2s) : l2_lane(m, agent);
      *to = step.code == AMD_STEP_FETCH2 ? l2_lane(m, agent) : l2_lane(m, m->l2s);
      return;
    case AMD_STEP_SCALAR:
    case AMD_STEP_FETCH_SCALAR:
      *from = l2_lane(m, m->l2[step.code == AMD_STEP_SCALAR ? m->cu[agent] : agent]);
      *to = step.code == AMD_STEP_SCALAR ? agent : l0_lane(m, agent);
      return;
    case AMD_STEP_EVICT0:
    case AMD_STEP_EVICT_SCALAR:
      *from = *to = l0_lane(m, agent);
      return;
    case AMD_STEP_EVICT1:
      *from = *to = l1_lane(m, agent);
      return;
    case AMD_STEP_EVICT2:
      *from = *to = l2_lane(m, agent);
      return;
    default:
      *from = *to = agent;
      return;
  }
}
