/* SPDX-License-Identifier: MIT */
/* Accesses to memory: LD, ST and read-modify-writes, at each level. */
#include "hwsem/machines/gpu_rules.h"

/* A read-modify-write as a function of what it reads. */
struct update {
  bool writes;
  int64_t value;  /* written */
  int64_t result; /* for the register */
};

static struct update apply_inc(const uint8_t *s, const struct gpu_thread *t, const struct hw_instr *instr,
                               int64_t old) {
  int64_t operand = gpu_eval(s, t, instr->value);
  if (!instr->cas) return (struct update){true, width_fit(instr->width, rmw_apply(instr->function, old, operand)), old};
  bool equal = old == gpu_eval(s, t, instr->expected);
  return (struct update){equal, operand, instr->returns_old ? old : equal};
}

/* One access at one place: `old` is what is read there. `store` writes. */
struct access {
  unsigned t, pc, w, dev, x;
  const struct gpu_thread *thread;
  const struct hw_instr *instr;
};

typedef void store_at(struct gpu_moves *m, uint8_t *s, const struct access *a, int64_t value);

static void store_l1(struct gpu_moves *m, uint8_t *s, const struct access *a, int64_t value) {
  gpu_put(m, s, cache_write(m->g, s, &m->g->l1[a->w], a->x), value);
}

static void store_l2(struct gpu_moves *m, uint8_t *s, const struct access *a, int64_t value) {
  gpu_put(m, s, gpu_write_l2(m->g, s, a->dev, a->x), value);
}

static void store_memory(struct gpu_moves *m, uint8_t *s, const struct access *a, int64_t value) {
  gpu_put(m, s, m->g->memory[a->x], value);
}

static void store_local(struct gpu_moves *m, uint8_t *s, const struct access *a, int64_t value) {
  gpu_put(m, s, m->g->local[a->x], value);
}

static bool finish_read(struct gpu_moves *m, const struct access *a, uint8_t *s, int64_t old, int64_t result,
                        bool spurious) {
  gpu_set_register(m, s, a->thread, a->instr->old_reg, old);
  gpu_set_register(m, s, a->thread, a->instr->reg, result);
  return gpu_finish(m, a->t, a->pc, spurious);
}

/* A weak compare-and-swap may also fail where it would succeed. */
static bool fail_spuriously(struct gpu_moves *m, const struct access *a, int64_t old,
                            void (*tidy_own)(struct gpu_moves *, uint8_t *, const struct access *)) {
  uint8_t *s = gpu_begin(m);
  if (tidy_own) tidy_own(m, s, a);
  return finish_read(m, a, s, old, a->instr->returns_old ? old : 0, true);
}

/* The access itself, its conditions being met: LD, ST or INC by the
 * instruction.  `tidy_own` drops what must not stay in nearer caches. */
static bool perform(struct gpu_moves *m, const struct access *a, int64_t old, store_at *store,
                    void (*tidy_own)(struct gpu_moves *, uint8_t *, const struct access *)) {
  const struct hw_instr *instr = a->instr;
  struct update update = {instr->op == HW_ST, 0, old};
  if (instr->op == HW_ST) update.value = gpu_eval(m->now, a->thread, instr->value);
  if (instr->op == HW_RMW) update = apply_inc(m->now, a->thread, instr, old);
  uint8_t *s = gpu_begin(m);
  if (update.writes) store(m, s, a, update.value);
  if (tidy_own) tidy_own(m, s, a);
  if (!finish_read(m, a, s, old, update.result, false)) return false;
  if (!instr->cas || !instr->weak || !update.writes) return true;
  return fail_spuriously(m, a, old, tidy_own);
}

static bool access_l1(struct gpu_moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l1[a->w].lines[a->x];
  enum line_state state = line_state(m->now, line);
  int64_t value = value_get(m->now, line.value);
  const struct cache *l1 = &g->l1[a->w];
  if (a->instr->op != HW_LD && !cache_has_entry(g, m->now, l1, a->x)) return true;
  if (a->instr->op == HW_ST) {
    bool takes_line = g->knobs.allocate == ALLOCATE_YES;
    return (takes_line && !cache_has_room(g, m->now, l1, a->x)) || perform(m, a, value, store_l1, NULL);
  }
  bool inc = a->instr->op == HW_RMW;
  bool hits_marked = inc ? g->knobs.inc_hits_marked : g->knobs.ld_hits_marked;
  if (state == ABSENT || (state == DI && !hits_marked)) return true;
  if (inc && gpu_rmw1_stalls(g, m->now, a->w, a->t)) return true;
  if (inc && state == CV && g->knobs.inc_hits == INC_HITS_FRESH &&
      (!gpu_l2_readable(g, m->now, a->dev, a->x) || !same_value(m->now, gpu_l2_value(g, a->dev, a->x), line.value)))
    return true;
  return perform(m, a, value, store_l1, NULL);
}

static void tidy_own_l1(struct gpu_moves *m, uint8_t *s, const struct access *a) {
  const struct gpu *g = m->g;
  if (g->knobs.own_line == OWN_LINE_KEEP || g->knobs.own_line == OWN_LINE_IGNORE) return;
  line_drop(s, g->l1[a->w].lines[a->x]);
  if (g->knobs.own_line == OWN_LINE_DISCARD) cache_tidy(g, s, &g->l1[a->w]);
}

/* The own line must have been written back before an access further out. */
static bool own_line_ready(const struct gpu *g, const uint8_t *s, const struct access *a) {
  if (g->knobs.own_line == OWN_LINE_IGNORE || g->knobs.own_line == OWN_LINE_DISCARD) return true;
  return !is_dirty(line_state(s, g->l1[a->w].lines[a->x]));
}

static bool access_l2(struct gpu_moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  if (!own_line_ready(g, m->now, a) || !gpu_l2_readable(g, m->now, a->dev, a->x)) return true;
  if (!lock_is_free(m->now, g->rmw2[a->dev], a->t) || !lock_is_free(m->now, gpu_line_lock(g, a->dev, a->x), a->t))
    return true;
  if (g->knobs.rmw_blocks == RMW_BLOCKS_RMW && gpu_rmw1_stalls(g, m->now, a->w, a->t)) return true;
  if (!g->flat && !cache_has_entry(g, m->now, &g->l2[a->dev], a->x)) return true;
  return perform(m, a, value_get(m->now, gpu_l2_value(g, a->dev, a->x)), store_l2, tidy_own_l1);
}

static void tidy_own_l2(struct gpu_moves *m, uint8_t *s, const struct access *a) {
  tidy_own_l1(m, s, a);
  if (!m->g->flat) line_drop(s, m->g->l2[a->dev].lines[a->x]);
}

static bool access_memory(struct gpu_moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  if (!own_line_ready(g, m->now, a)) return true;
  if (is_dirty(line_state(m->now, g->l2[a->dev].lines[a->x]))) return true;
  return perform(m, a, value_get(m->now, g->memory[a->x]), store_memory, tidy_own_l2);
}

bool gpu_access(struct gpu_moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  struct access a = {
      .t = t, .pc = pc, .w = g->threads[t].wg, .dev = g->threads[t].dev, .thread = &g->threads[t], .instr = instr};
  int location = gpu_locate(m->now, a.thread, &instr->address);
  if (location < 0) return finish_read(m, &a, gpu_begin(m), 0, 0, false);
  if (g->line_of[location] < 0) {
    a.x = (unsigned)(-1 - g->line_of[location]);
    return perform(m, &a, value_get(m->now, g->local[a.x]), store_local, NULL);
  }
  a.x = (unsigned)g->line_of[location];
  switch (instr->level) {
    case LEVEL_L1:
    case LEVEL_LOCAL:
      return access_l1(m, &a);
    case LEVEL_L2:
      return access_l2(m, &a);
    case LEVEL_GL:
      return access_memory(m, &a);
  }
  return true;
}

bool gpu_cas_succeeds(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, const struct hw_instr *instr,
                      unsigned location) {
  int line = g->line_of[location];
  int64_t old = line < 0                   ? value_get(s, g->local[-1 - line])
                : instr->level == LEVEL_L1 ? value_get(s, g->l1[t->wg].lines[line].value)
                : instr->level == LEVEL_L2 ? value_get(s, gpu_l2_value(g, t->dev, (unsigned)line))
                                           : value_get(s, g->memory[line]);
  return old == gpu_eval(s, t, instr->expected);
}
