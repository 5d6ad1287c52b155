/* SPDX-License-Identifier: MIT */
/* The GPU's steps and states as people read them: a step as the instruction
 * with its operands and what it reads, a state as lines of caches, queues and
 * locks. */
#include <inttypes.h>

#include "hwsem/machines/gpu_state.h"

static const char *line_name(const struct gpu *g, unsigned x) {
  return g->program->program->locations[g->location_of[x]].name;
}

enum step_kind gpu_step_kind(const struct machine *m, struct step step) {
  (void)m;
  return step.code == GPU_THREAD ? STEP_THREAD : STEP_ENVIRONMENT;
}

static const struct hw_instr *instr_of(const struct gpu *g, struct step step) {
  return &g->threads[step.agent].code->instrs[step.detail & 0xffffff];
}

static unsigned phase_of(struct step step) {
  return step.detail >> 24;
}

/* The value a thread's step read. */
static void print_read(const struct gpu_thread *t, const struct hw_instr *instr, const uint8_t *after, FILE *out) {
  int reg = instr->old_reg != NO_REG ? instr->old_reg : instr->reg;
  if (reg == NO_REG) return;
  unsigned pc = (unsigned)field_get(after, t->pc);
  if (reg < 64 && t->dead[pc] >> reg & 1) return; /* cleared: nobody looks at it again */
  int64_t value = value_get(after, t->regs[reg]);
  bool flag = instr->cas && !instr->returns_old && reg == instr->reg;
  if (flag)
    fputs(value ? " succeeds" : " fails", out);
  else
    fprintf(out, " reads %" PRId64, value);
}

static void print_thread_step(const struct gpu *g, struct step step, const uint8_t *after, FILE *out) {
  const struct gpu_thread *t = &g->threads[step.agent];
  const struct hw_instr *instr = instr_of(g, step);
  fprintf(out, "%s: ", t->code->thread->name);
  hw_instr_print(g->program, t->code, instr, out);
  bool stays = field_get(after, t->phase) != 0;
  if (instr->op == HW_LD || instr->op == HW_RMW) print_read(t, instr, after, out);
  if (instr->op == HW_FLU && stays) fputs(phase_of(step) ? " goes on" : " begins", out);
  if (instr->op == HW_FLU && !stays && phase_of(step)) fputs(" ends", out);
}

/* The cache that a step of the environment is about. */
static const struct cache *cache_of(const struct gpu *g, struct step step) {
  bool l2 = step.code == GPU_WB2 || step.code == GPU_FETCH2 || step.code == GPU_EVICT2;
  return l2 ? &g->l2[step.agent] : &g->l1[step.agent];
}

static void print_environment(const struct gpu *g, struct step step, const uint8_t *after, FILE *out) {
  static const char *const NAMES[] = {[GPU_WB1] = "WB1",       [GPU_WB2] = "WB2",       [GPU_FETCH1] = "FETCH1",
                                      [GPU_FETCH2] = "FETCH2", [GPU_EVICT1] = "EVICT1", [GPU_EVICT2] = "EVICT2"};
  unsigned x = step.detail;
  const struct cache *cache = cache_of(g, step);
  fprintf(out, "%s(%s%u) %s", NAMES[step.code], cache->level == LEVEL_L1 ? "wg" : "dev", cache->owner, line_name(g, x));
  if (step.code == GPU_EVICT1 || step.code == GPU_EVICT2) return;
  struct gpu_cell changed = cache->lines[x].value;
  if (step.code == GPU_WB1) changed = gpu_l2_value(g, cache->dev, x);
  if (step.code == GPU_WB2) changed = g->memory[x];
  fprintf(out, "=%" PRId64, value_get(after, changed));
}

static void print_meet(const struct gpu *g, struct step step, FILE *out) {
  fprintf(out, "MEET(wg%u)", (unsigned)step.agent);
  if (step.detail) fprintf(out, " %s", g->program->program->barrier_labels[step.detail - 1]);
}

void gpu_print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  const struct gpu *g = m->self;
  uint8_t s[GPU_BUFFER];
  (void)before;
  memcpy(s, after, g->state_size);
  if (step.code == GPU_INV1)
    fprintf(out, "INV1(wg%u) of P%u", (unsigned)step.agent, (unsigned)step.detail);
  else if (step.code == GPU_THREAD)
    print_thread_step(g, step, s, out);
  else if (step.code == GPU_MEET)
    print_meet(g, step, out);
  else
    print_environment(g, step, s, out);
}

bool gpu_source(const struct machine *m, struct step step, unsigned *thread, unsigned *instr) {
  if (step.code != GPU_THREAD) return false;
  *thread = step.agent;
  *instr = instr_of(m->self, step)->source;
  return true;
}

/* Locations are named by their number in the program, as all else is. */
void gpu_name_step(const struct machine *m, struct step step, FILE *out) {
  static const char *const NAMES[] = {[GPU_THREAD] = "thread", [GPU_WB1] = "wb1",       [GPU_WB2] = "wb2",
                                      [GPU_FETCH1] = "fetch1", [GPU_FETCH2] = "fetch2", [GPU_EVICT1] = "evict1",
                                      [GPU_EVICT2] = "evict2", [GPU_INV1] = "inv1",     [GPU_MEET] = "meet"};
  const struct gpu *g = m->self;
  fprintf(out, "(%s %u", NAMES[step.code], (unsigned)step.agent);
  if (step.code == GPU_MEET || step.code == GPU_INV1)
    fprintf(out, " %u", (unsigned)step.detail);
  else if (step.code != GPU_THREAD)
    fprintf(out, " %u", g->location_of[step.detail]);
  fputc(')', out);
}

/* States. */

static void print_queue(const struct gpu *g, const uint8_t *s, const struct cache *cache, FILE *out) {
  fputs(" [", out);
  const char *separator = "";
  for (queue q = queue_get(s, cache->queue); q; q >>= g->entry_bits, separator = " ") {
    unsigned entry = queue_entry(g, q, 0);
    if (entry_is_flush(g, entry))
      fprintf(out, "%sFLUSH_%s", separator, g->threads[entry - 1 - g->line_count].code->thread->name);
    else
      fprintf(out, "%s%s", separator, line_name(g, entry - 1));
  }
  fputs("]", out);
}

static void print_cache(const struct gpu *g, const uint8_t *s, const struct cache *cache, FILE *out) {
  static const char *const STATES[] = {"-", "clean", "dirty", "dirty, invalidated"};
  fprintf(out, "  %s %u:", cache->level == LEVEL_L1 ? "L1 of wg" : "L2 of device", cache->owner);
  for (unsigned x = 0; x < g->line_count; x++) {
    enum line_state state = line_state(s, cache->lines[x]);
    if (state == ABSENT) continue;
    fprintf(out, " %s=%" PRId64 " (%s)", line_name(g, x), value_get(s, cache->lines[x].value), STATES[state]);
  }
  print_queue(g, s, cache, out);
  fputc('\n', out);
}

static void print_thread(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, FILE *out) {
  unsigned pc = (unsigned)field_get(s, t->pc);
  fprintf(out, "  %s at ", t->code->thread->name);
  if (pc == t->code->instr_count)
    fputs("its end", out);
  else
    hw_instr_print(g->program, t->code, &t->code->instrs[pc], out);
  for (unsigned r = 0; r < t->code->thread->reg_count; r++)
    if (t->code->thread->reg_names[r])
      fprintf(out, " %s=%" PRId64, t->code->thread->reg_names[r], value_get(s, t->regs[r]));
  fputc('\n', out);
}

static void print_lock(const struct gpu *g, const uint8_t *s, struct field lock, const char *name, FILE *out) {
  unsigned holder = (unsigned)field_get(s, lock);
  if (holder) fprintf(out, "  %s held by %s\n", name, g->threads[holder - 1].code->thread->name);
}

static void print_locks(const struct gpu *g, const uint8_t *s, FILE *out) {
  char name[64];
  for (unsigned w = 0; w < g->wg_count; w++) {
    snprintf(name, sizeof name, "LK_rmw of wg %u", w);
    print_lock(g, s, g->rmw1[w], name, out);
  }
  for (unsigned d = 0; d < g->dev_count; d++) {
    snprintf(name, sizeof name, "LK_rmw of device %u", d);
    print_lock(g, s, g->rmw2[d], name, out);
    for (unsigned x = 0; x < g->line_count; x++) {
      snprintf(name, sizeof name, "LK %.40s", line_name(g, x));
      print_lock(g, s, g->lk[d * g->line_count + x], name, out);
    }
  }
}

void gpu_print_state(const struct machine *m, const void *state, FILE *out) {
  const struct gpu *g = m->self;
  uint8_t s[GPU_BUFFER];
  memcpy(s, state, g->state_size);
  for (unsigned t = 0; t < g->thread_count; t++) print_thread(g, s, &g->threads[t], out);
  for (unsigned c = 0; c < g->cache_count; c++) print_cache(g, s, &g->caches[c], out);
  fputs(g->flat ? "  L2:" : "  memory:", out);
  for (unsigned x = 0; x < g->line_count; x++)
    fprintf(out, " %s=%" PRId64, line_name(g, x), value_get(s, g->memory[x]));
  fputc('\n', out);
  print_locks(g, s, out);
}

/* Lanes: threads, caches, memory. */

static unsigned memory_lane(const struct gpu *g) {
  return g->thread_count + g->cache_count;
}

unsigned gpu_lane_count(const struct gpu *g) {
  return memory_lane(g) + 1;
}

static unsigned cache_lane(const struct gpu *g, const struct cache *cache) {
  return g->thread_count + (unsigned)(cache - g->caches);
}

static unsigned l2_lane(const struct gpu *g, unsigned dev) {
  return g->flat ? memory_lane(g) : cache_lane(g, &g->l2[dev]);
}

void gpu_print_lane(const struct machine *m, unsigned lane, FILE *out) {
  const struct gpu *g = m->self;
  if (lane < g->thread_count) {
    fputs(g->threads[lane].code->thread->name, out);
  } else if (lane == memory_lane(g)) {
    fputs(g->flat ? "L2" : "memory", out);
  } else {
    const struct cache *cache = &g->caches[lane - g->thread_count];
    fprintf(out, "%s%u", cache->level == LEVEL_L1 ? "L1 wg" : "L2 dev", cache->owner);
  }
}

static unsigned level_lane(const struct gpu *g, const struct gpu_thread *t, enum hw_level level) {
  if (level == LEVEL_L2) return l2_lane(g, t->dev);
  return level == LEVEL_GL ? memory_lane(g) : cache_lane(g, &g->l1[t->wg]);
}

bool gpu_also_reaches(const struct machine *m, struct step step, unsigned lane) {
  const struct gpu *g = m->self;
  if (step.code != GPU_THREAD || lane < g->thread_count || lane >= memory_lane(g)) return false;
  const struct gpu_thread *t = &g->threads[step.agent];
  const struct hw_instr *instr = instr_of(g, step);
  if (instr->op != HW_FLU && instr->op != HW_INV) return false;
  return gpu_reaches(g, t, instr, &g->caches[lane - g->thread_count]);
}

/* A broadcast's arrow goes to the last cache that it reaches, past the others. */
static unsigned broadcast_lane(const struct machine *m, struct step step) {
  const struct gpu *g = m->self;
  unsigned last = step.agent;
  for (unsigned lane = g->thread_count; lane < memory_lane(g); lane++)
    if (gpu_also_reaches(m, step, lane)) last = lane;
  return last;
}

static void route_thread(const struct machine *m, struct step step, unsigned *from, unsigned *to) {
  const struct gpu *g = m->self;
  const struct gpu_thread *t = &g->threads[step.agent];
  const struct hw_instr *instr = instr_of(g, step);
  *from = *to = step.agent;
  if (instr->op == HW_LD) *from = level_lane(g, t, instr->level);
  if (instr->op == HW_ST || instr->op == HW_RMW) *to = level_lane(g, t, instr->level);
  if (instr->op == HW_FLU || instr->op == HW_INV) *to = broadcast_lane(m, step);
}

void gpu_route(const struct machine *m, struct step step, const void *before, const void *after, unsigned *from,
               unsigned *to) {
  const struct gpu *g = m->self;
  (void)before;
  (void)after;
  if (step.code == GPU_THREAD) {
    route_thread(m, step, from, to);
    return;
  }
  const struct cache *cache = cache_of(g, step);
  unsigned below = cache->level == LEVEL_L1 ? l2_lane(g, cache->dev) : memory_lane(g);
  *from = *to = cache_lane(g, cache);
  if (step.code == GPU_WB1 || step.code == GPU_WB2) *to = below;
  if (step.code == GPU_FETCH1 || step.code == GPU_FETCH2) *from = below;
  if (step.code == GPU_INV1) *from = cache_lane(g, &g->l1[g->threads[step.detail].wg]);
}
