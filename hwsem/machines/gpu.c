/* SPDX-License-Identifier: MIT */
/* The GPU's rules: what can happen in a state.  One function a rule; each
 * copies the state, changes the copy and hands it to the explorer.  Names of
 * rules and helpers (WB1, FETCH1, wr1, tidy, ...) are those of gpu.h and of the
 * talk. */
#include <assert.h>

#include "hwsem/machines/gpu_state.h"

/* One expansion. */
struct moves {
  const struct gpu *g;
  const uint8_t *now;
  uint8_t *next;
  struct successor_sink *sink;
  bool outgrown; /* a value did not fit */
  bool reduced;  /* leave out what no outcome depends on */
};

/* Buffers have room to copy whole words. */
static uint8_t *begin(struct moves *m) {
  for (size_t i = 0; i < m->g->state_size; i += sizeof(uint64_t)) memcpy(m->next + i, m->now + i, sizeof(uint64_t));
  return m->next;
}

static unsigned pc_of(const uint8_t *s, const struct gpu_thread *t) {
  return (unsigned)field_get(s, t->pc);
}

/* Lines that some thread of the work-group may yet read in its L1. */
static uint64_t near_lines(const struct gpu *g, const uint8_t *s, unsigned w) {
  uint64_t lines = 0;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (g->threads[t].wg == w) lines |= g->threads[t].near[pc_of(s, &g->threads[t])];
  return lines;
}

/* Lines that some thread of the device may yet need in its L2. */
static uint64_t far_lines(const struct gpu *g, const uint8_t *s, unsigned d) {
  uint64_t lines = 0;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (g->threads[t].dev == d) lines |= g->threads[t].far[pc_of(s, &g->threads[t])];
  return lines;
}

static bool has_line(uint64_t lines, unsigned x) {
  return x >= 64 || (lines >> x & 1);
}

/* Clean lines that nobody reads again are as good as absent. */
static void drop_unread(const struct gpu *g, uint8_t *s, const struct cache *cache, uint64_t lines) {
  for (unsigned x = 0; x < g->line_count; x++)
    if (!has_line(lines, x) && line_state(s, cache->lines[x]) == CV) line_drop(s, cache->lines[x]);
}

static void forget_unread(const struct gpu *g, uint8_t *s) {
  for (unsigned w = 0; w < g->wg_count; w++) drop_unread(g, s, &g->l1[w], near_lines(g, s, w));
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++) drop_unread(g, s, &g->l2[d], far_lines(g, s, d));
}

static bool emit(struct moves *m, enum gpu_code code, unsigned agent, unsigned detail) {
  if (m->outgrown) return false;
  if (m->reduced && code != GPU_FETCH1 && code != GPU_FETCH2) forget_unread(m->g, m->next);
  assert(gpu_state_is_sound(m->g, m->next));
  return m->sink->emit(m->sink, (struct step){(uint16_t)code, (uint16_t)agent, detail}, m->next);
}

/* Caches. */

static void put(struct moves *m, uint8_t *s, struct gpu_cell c, int64_t value) {
  if (!value_set(s, c, value)) m->outgrown = true;
}

/* Drops queue heads that are markers, or addresses whose line is not dirty. */
static void tidy(const struct gpu *g, uint8_t *s, const struct cache *cache) {
  queue q = queue_get(s, cache->queue), before = q;
  for (unsigned head; (head = queue_entry(g, q, 0)); q >>= g->entry_bits)
    if (!entry_is_flush(g, head) && is_dirty(line_state(s, cache->lines[head - 1]))) break;
  if (q != before) queue_set(s, cache->queue, q);
}

static void append(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned entry) {
  queue q = queue_get(s, cache->queue);
  queue_set(s, cache->queue, q | (queue)entry << (queue_length(g, q) * g->entry_bits));
}

/* Where a line may be queued again (gpu_queues_again), it is so twice at most:
 * a third entry would add nothing, as the line is written back at its first. */
static bool queued_twice(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned entry) {
  unsigned count = 0;
  for (queue q = queue_get(s, cache->queue); q; q >>= g->entry_bits) count += queue_entry(g, q, 0) == entry;
  return count > 1;
}

static bool last_is(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned entry) {
  queue q = queue_get(s, cache->queue);
  unsigned length = queue_length(g, q);
  return length > 0 && queue_entry(g, q, length - 1) == entry;
}

/* wr1, wr2: a write to a line of a cache; returns the place of its value. */
static struct gpu_cell write_line(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x) {
  struct gpu_line line = cache->lines[x];
  unsigned entry = entry_of_line(x);
  bool queue_it = !is_dirty(line_state(s, line)) || (g->knobs.duplicates && !last_is(g, s, cache, entry));
  if (queue_it && !(gpu_queues_again(&g->knobs) && queued_twice(g, s, cache, entry))) append(g, s, cache, entry);
  field_set(s, line.state, DV);
  return line.value;
}

/* wr2 on either kind of L2. */
static struct gpu_cell write_l2(const struct gpu *g, uint8_t *s, unsigned dev, unsigned x) {
  return g->flat ? g->memory[x] : write_line(g, s, &g->l2[dev], x);
}

static bool l2_readable(const struct gpu *g, const uint8_t *s, unsigned dev, unsigned x) {
  if (g->flat) return true;
  enum line_state state = line_state(s, g->l2[dev].lines[x]);
  return state == CV || state == DV;
}

static struct gpu_cell l2_value(const struct gpu *g, unsigned dev, unsigned x) {
  return g->flat ? g->memory[x] : g->l2[dev].lines[x].value;
}

/* A line has been written back. */
static void clean_line(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned x) {
  if (line_state(s, cache->lines[x]) == DI)
    line_drop(s, cache->lines[x]);
  else
    field_set(s, cache->lines[x].state, CV);
  tidy(g, s, cache);
}

static void invalidate_line(const struct gpu *g, uint8_t *s, struct gpu_line line) {
  enum line_state state = line_state(s, line);
  if (state == CV || (state != ABSENT && g->knobs.invalidate == INVALIDATE_DROP))
    line_drop(s, line);
  else if (state == DV && g->knobs.invalidate == INVALIDATE_MARK)
    field_set(s, line.state, DI);
}

static void invalidate_cache(const struct gpu *g, uint8_t *s, const struct cache *cache) {
  for (unsigned x = 0; x < g->line_count; x++) invalidate_line(g, s, cache->lines[x]);
  if (g->knobs.invalidate == INVALIDATE_DROP) tidy(g, s, cache);
}

static bool cache_is_clean(const struct gpu *g, const uint8_t *s, const struct cache *cache) {
  for (unsigned x = 0; x < g->line_count; x++)
    if (is_dirty(line_state(s, cache->lines[x]))) return false;
  return true;
}

/* Locks. */

static unsigned holder(const uint8_t *s, struct field lock) {
  return (unsigned)field_get(s, lock);
}

static bool free_for(const uint8_t *s, struct field lock, unsigned t) {
  unsigned h = holder(s, lock);
  return h == 0 || h == t + 1;
}

static struct field line_lock(const struct gpu *g, unsigned dev, unsigned x) {
  return g->lk[dev * g->line_count + x];
}

/* Another L1's (or, under LINE_BLOCKS_ALL, anyone's) lock on x stands in w's way. */
static bool line_locked(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  unsigned h = holder(s, line_lock(g, g->wg_dev[w], x));
  if (h == 0) return false;
  return g->threads[h - 1].wg != w || g->knobs.line_blocks == LINE_BLOCKS_ALL;
}

static bool lock_blocks_fetch(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  bool blocks = g->knobs.line_blocks != LINE_BLOCKS_WRITE_BACK && g->knobs.line_blocks != LINE_BLOCKS_NOTHING;
  return blocks && line_locked(g, s, w, x);
}

static bool flush_behind(const struct gpu *g, queue q, unsigned i) {
  for (unsigned entry; (entry = queue_entry(g, q, ++i));)
    if (entry_is_flush(g, entry)) return true;
  return false;
}

/* Entry i of w's queue is x. */
static bool lock_blocks_write_back(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x, queue q, unsigned i) {
  if (g->knobs.line_blocks == LINE_BLOCKS_FETCH || g->knobs.line_blocks == LINE_BLOCKS_NOTHING) return false;
  if (!line_locked(g, s, w, x)) return false;
  return g->knobs.line_blocks != LINE_BLOCKS_UNFLUSHED || !flush_behind(g, q, i);
}

/* Environment. */

static void write_back(struct moves *m, uint8_t *s, const struct cache *cache, unsigned i) {
  queue_set(s, cache->queue, queue_remove(m->g, queue_get(s, cache->queue), i));
}

static bool wb1_entry(struct moves *m, unsigned w, queue q, unsigned i) {
  const struct gpu *g = m->g;
  unsigned x = queue_entry(g, q, i) - 1;
  if (!is_dirty(line_state(m->now, g->l1[w].lines[x])) || lock_blocks_write_back(g, m->now, w, x, q, i)) return true;
  uint8_t *s = begin(m);
  write_back(m, s, &g->l1[w], i);
  copy_value(s, g->l1[w].lines[x].value, write_l2(g, s, g->wg_dev[w], x));
  clean_line(g, s, &g->l1[w], x);
  return emit(m, GPU_WB1, w, x);
}

static bool wb2_entry(struct moves *m, unsigned d, queue q, unsigned i) {
  const struct gpu *g = m->g;
  unsigned x = queue_entry(g, q, i) - 1;
  if (!is_dirty(line_state(m->now, g->l2[d].lines[x]))) return true;
  uint8_t *s = begin(m);
  write_back(m, s, &g->l2[d], i);
  copy_value(s, g->l2[d].lines[x].value, g->memory[x]);
  clean_line(g, s, &g->l2[d], x);
  return emit(m, GPU_WB2, d, x);
}

/* An address that is queued twice is written back once. */
static bool queued_before(const struct gpu *g, queue q, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (queue_entry(g, q, k) == queue_entry(g, q, i)) return true;
  return false;
}

static bool write_backs(struct moves *m, const struct cache *cache, unsigned agent,
                        bool (*entry)(struct moves *, unsigned, queue, unsigned)) {
  const struct gpu *g = m->g;
  queue q = queue_get(m->now, cache->queue);
  if (!q) return true;
  if (g->knobs.write_back == WRITE_BACK_FIFO) return entry(m, agent, q, 0);
  for (unsigned i = 0; queue_entry(g, q, i); i++)
    if (!entry_is_flush(g, queue_entry(g, q, i)) && !queued_before(g, q, i) && !entry(m, agent, q, i)) return false;
  return true;
}

/* Copies a line in when that changes anything. */
static bool fetch(struct moves *m, struct gpu_line line, enum line_state state, struct gpu_cell from,
                  enum gpu_code code, unsigned agent, unsigned x) {
  if (state == CV && same_value(m->now, line.value, from)) return true;
  uint8_t *s = begin(m);
  field_set(s, line.state, CV);
  field_set(s, line.value.field, field_get(m->now, from.field));
  return emit(m, code, agent, x);
}

static bool fetch1(struct moves *m, unsigned w, unsigned x) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l1[w].lines[x];
  enum line_state state = line_state(m->now, line);
  unsigned dev = g->wg_dev[w];
  if (is_dirty(state) || !l2_readable(g, m->now, dev, x) || lock_blocks_fetch(g, m->now, w, x)) return true;
  return fetch(m, line, state, l2_value(g, dev, x), GPU_FETCH1, w, x);
}

static bool fetch2(struct moves *m, unsigned d, unsigned x) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l2[d].lines[x];
  enum line_state state = line_state(m->now, line);
  if (is_dirty(state)) return true;
  return fetch(m, line, state, g->memory[x], GPU_FETCH2, d, x);
}

static bool evict(struct moves *m, struct gpu_line line, enum gpu_code code, unsigned agent, unsigned x) {
  if (line_state(m->now, line) != CV) return true;
  line_drop(begin(m), line);
  return emit(m, code, agent, x);
}

static bool fetches_into_l1(struct moves *m, unsigned w) {
  const struct gpu *g = m->g;
  uint64_t lines = m->reduced ? near_lines(g, m->now, w) : ~UINT64_C(0);
  for (unsigned x = 0; x < g->line_count; x++) {
    if (has_line(lines, x) && !fetch1(m, w, x)) return false;
    if (g->knobs.evict_clean && !evict(m, g->l1[w].lines[x], GPU_EVICT1, w, x)) return false;
  }
  return true;
}

static bool fetches_into_l2(struct moves *m, unsigned d) {
  const struct gpu *g = m->g;
  uint64_t lines = m->reduced ? far_lines(g, m->now, d) : ~UINT64_C(0);
  for (unsigned x = 0; x < g->line_count; x++) {
    if (has_line(lines, x) && !fetch2(m, d, x)) return false;
    if (g->knobs.evict_clean && !evict(m, g->l2[d].lines[x], GPU_EVICT2, d, x)) return false;
  }
  return true;
}

static bool fetches(struct moves *m) {
  const struct gpu *g = m->g;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (!fetches_into_l1(m, w)) return false;
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    if (!fetches_into_l2(m, d)) return false;
  return true;
}

static bool all_write_backs(struct moves *m) {
  const struct gpu *g = m->g;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (!write_backs(m, &g->l1[w], w, wb1_entry)) return false;
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    if (!write_backs(m, &g->l2[d], d, wb2_entry)) return false;
  return true;
}

/* Threads: expressions, and moving on. */

static int64_t eval(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, const struct expr *e) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return value_get(s, t->regs[e->reg]);
  int64_t a = eval(g, s, t, e->a);
  int64_t b = e->b ? eval(g, s, t, e->b) : 0;
  int64_t c = e->c ? eval(g, s, t, e->c) : 0;
  return expr_apply(e->kind, a, b, c, NULL);
}

static void set_register(struct moves *m, uint8_t *s, const struct gpu_thread *t, int reg, int64_t value) {
  if (reg != NO_REG) put(m, s, t->regs[reg], value);
}

/* Arithmetic and branches up to the next step.  A backward jump is a step of
 * its own, so that this ends. */
static unsigned run_pure(struct moves *m, uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  for (; pc < t->code->instr_count; pc++) {
    const struct hw_instr *instr = &t->code->instrs[pc];
    if (instr->op == HW_ASSIGN) {
      set_register(m, s, t, instr->reg, eval(m->g, s, t, instr->value));
    } else if (instr->op == HW_BRANCH && instr->goal > pc) {
      if (eval(m->g, s, t, instr->value) == 0) pc = instr->goal - 1;
    } else if (instr->op == HW_JUMP && instr->goal > pc) {
      pc = instr->goal - 1;
    } else {
      break;
    }
  }
  return pc;
}

/* Registers that are never read again are cleared: states that differ in
 * nothing else are one. */
static void forget_dead(uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  for (uint64_t dead = t->dead[pc]; dead; dead &= dead - 1) field_set(s, t->regs[__builtin_ctzll(dead)].field, 0);
}

static void go_to(struct moves *m, uint8_t *s, const struct gpu_thread *t, unsigned pc) {
  pc = run_pure(m, s, t, pc);
  field_set(s, t->pc, pc);
  field_set(s, t->phase, 0);
  forget_dead(s, t, pc);
}

/* Ends the step of thread t at instruction pc. */
static bool finish(struct moves *m, unsigned t, unsigned pc, unsigned phase) {
  go_to(m, m->next, &m->g->threads[t], pc + 1);
  return emit(m, GPU_THREAD, t, pc | phase << 24);
}

/* Ends a step that stays at its instruction, in another phase. */
static bool stay(struct moves *m, unsigned t, unsigned pc, unsigned phase, unsigned next_phase) {
  field_set(m->next, m->g->threads[t].phase, next_phase);
  return emit(m, GPU_THREAD, t, pc | phase << 24);
}

bool gpu_locate(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, const struct address *address,
                unsigned *location) {
  *location = address->base;
  if (!address->index) return true;
  int64_t index = eval(g, s, t, address->index);
  if (index < 0 || index >= (int64_t)address->size) return false;
  *location += (unsigned)index;
  return true;
}

/* Threads: accesses.  A read-modify-write as a function of what it reads. */

struct update {
  bool writes;
  int64_t value;  /* written */
  int64_t result; /* for the register */
};

static struct update apply_inc(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t,
                               const struct hw_instr *instr, int64_t old) {
  int64_t operand = eval(g, s, t, instr->value);
  if (!instr->cas) return (struct update){true, width_fit(instr->width, rmw_apply(instr->function, old, operand)), old};
  bool equal = old == eval(g, s, t, instr->expected);
  return (struct update){equal, operand, instr->returns_old ? old : equal};
}

/* One access at one place: `old` is what is read there. `store` writes. */
struct access {
  unsigned t, pc, w, dev, x;
  const struct gpu_thread *thread;
  const struct hw_instr *instr;
};

typedef void store_at(struct moves *m, uint8_t *s, const struct access *a, int64_t value);

static void store_l1(struct moves *m, uint8_t *s, const struct access *a, int64_t value) {
  put(m, s, write_line(m->g, s, &m->g->l1[a->w], a->x), value);
}

static void store_l2(struct moves *m, uint8_t *s, const struct access *a, int64_t value) {
  put(m, s, write_l2(m->g, s, a->dev, a->x), value);
}

static void store_memory(struct moves *m, uint8_t *s, const struct access *a, int64_t value) {
  put(m, s, m->g->memory[a->x], value);
}

static void store_local(struct moves *m, uint8_t *s, const struct access *a, int64_t value) {
  put(m, s, m->g->local[a->x], value);
}

static bool finish_read(struct moves *m, const struct access *a, uint8_t *s, int64_t old, int64_t result,
                        bool spurious) {
  set_register(m, s, a->thread, a->instr->old_reg, old);
  set_register(m, s, a->thread, a->instr->reg, result);
  return finish(m, a->t, a->pc, spurious);
}

/* A weak compare-and-swap may also fail where it would succeed. */
static bool fail_spuriously(struct moves *m, const struct access *a, int64_t old,
                            void (*tidy_own)(struct moves *, uint8_t *, const struct access *)) {
  uint8_t *s = begin(m);
  if (tidy_own) tidy_own(m, s, a);
  return finish_read(m, a, s, old, a->instr->returns_old ? old : 0, true);
}

/* The access itself, its conditions being met: LD, ST or INC by the
 * instruction.  `tidy_own` drops what must not stay in nearer caches. */
static bool perform(struct moves *m, const struct access *a, int64_t old, store_at *store,
                    void (*tidy_own)(struct moves *, uint8_t *, const struct access *)) {
  const struct hw_instr *instr = a->instr;
  struct update update = {instr->op == HW_ST, 0, old};
  if (instr->op == HW_ST) update.value = eval(m->g, m->now, a->thread, instr->value);
  if (instr->op == HW_RMW) update = apply_inc(m->g, m->now, a->thread, instr, old);
  uint8_t *s = begin(m);
  if (update.writes) store(m, s, a, update.value);
  if (tidy_own) tidy_own(m, s, a);
  if (!finish_read(m, a, s, old, update.result, false)) return false;
  if (!instr->cas || !instr->weak || !update.writes) return true;
  return fail_spuriously(m, a, old, tidy_own);
}

static bool access_l1(struct moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  struct gpu_line line = g->l1[a->w].lines[a->x];
  enum line_state state = line_state(m->now, line);
  int64_t value = value_get(m->now, line.value);
  if (a->instr->op == HW_ST) return perform(m, a, value, store_l1, NULL);
  bool inc = a->instr->op == HW_RMW;
  bool hits_marked = inc ? g->knobs.inc_hits_marked : g->knobs.ld_hits_marked;
  if (state == ABSENT || (state == DI && !hits_marked)) return true;
  if (inc && !free_for(m->now, g->rmw1[a->w], a->t)) return true;
  if (inc && state == CV && g->knobs.inc_hits == INC_HITS_FRESH &&
      (!l2_readable(g, m->now, a->dev, a->x) || !same_value(m->now, l2_value(g, a->dev, a->x), line.value)))
    return true;
  return perform(m, a, value, store_l1, NULL);
}

static void tidy_own_l1(struct moves *m, uint8_t *s, const struct access *a) {
  const struct gpu *g = m->g;
  if (g->knobs.own_line == OWN_LINE_KEEP || g->knobs.own_line == OWN_LINE_IGNORE) return;
  line_drop(s, g->l1[a->w].lines[a->x]);
  if (g->knobs.own_line == OWN_LINE_DISCARD) tidy(g, s, &g->l1[a->w]);
}

/* The own line must have been written back before an access further out. */
static bool own_line_ready(const struct gpu *g, const uint8_t *s, const struct access *a) {
  if (g->knobs.own_line == OWN_LINE_IGNORE || g->knobs.own_line == OWN_LINE_DISCARD) return true;
  return !is_dirty(line_state(s, g->l1[a->w].lines[a->x]));
}

static bool access_l2(struct moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  if (!own_line_ready(g, m->now, a) || !l2_readable(g, m->now, a->dev, a->x)) return true;
  if (!free_for(m->now, g->rmw2[a->dev], a->t) || !free_for(m->now, line_lock(g, a->dev, a->x), a->t)) return true;
  if (g->knobs.rmw_blocks == RMW_BLOCKS_RMW && !free_for(m->now, g->rmw1[a->w], a->t)) return true;
  return perform(m, a, value_get(m->now, l2_value(g, a->dev, a->x)), store_l2, tidy_own_l1);
}

static void tidy_own_l2(struct moves *m, uint8_t *s, const struct access *a) {
  tidy_own_l1(m, s, a);
  if (!m->g->flat) line_drop(s, m->g->l2[a->dev].lines[a->x]);
}

static bool access_memory(struct moves *m, const struct access *a) {
  const struct gpu *g = m->g;
  if (!own_line_ready(g, m->now, a)) return true;
  if (is_dirty(line_state(m->now, g->l2[a->dev].lines[a->x]))) return true;
  return perform(m, a, value_get(m->now, g->memory[a->x]), store_memory, tidy_own_l2);
}

static bool access_cell(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  struct access a = {
      .t = t, .pc = pc, .w = g->threads[t].wg, .dev = g->threads[t].dev, .thread = &g->threads[t], .instr = instr};
  unsigned location;
  if (!gpu_locate(g, m->now, a.thread, &instr->address, &location)) return finish_read(m, &a, begin(m), 0, 0, false);
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

/* Threads: FLU, INV. */

/* The caches an instruction reaches: `first` .. `first + count - 1` of l1 or l2
 * (filtered by device for the L1s of one). */
static unsigned targets(const struct gpu *g, const struct gpu_thread *t, const struct hw_instr *instr,
                        const struct cache **found) {
  unsigned count = 0;
  if (instr->level == LEVEL_L2) {
    for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
      if (instr->target == TARGET_SYS || d == t->dev) found[count++] = &g->l2[d];
    return count;
  }
  for (unsigned w = 0; w < g->wg_count; w++)
    if (instr->target == TARGET_SYS || w == t->wg || (instr->target == TARGET_DEV && g->wg_dev[w] == t->dev))
      found[count++] = &g->l1[w];
  return count;
}

static bool holds_marker(const struct gpu *g, const uint8_t *s, const struct cache *cache, unsigned t) {
  for (queue q = queue_get(s, cache->queue); q; q >>= g->entry_bits)
    if (queue_entry(g, q, 0) == entry_of_flush(g, t)) return true;
  return false;
}

static bool mark(const struct gpu *g, uint8_t *s, const struct cache *cache, unsigned t) {
  if (!queue_get(s, cache->queue)) return false;
  append(g, s, cache, entry_of_flush(g, t));
  return true;
}

static bool any_marker(const struct gpu *g, const uint8_t *s, const struct cache **caches, unsigned count, unsigned t) {
  for (unsigned i = 0; i < count; i++)
    if (holds_marker(g, s, caches[i], t)) return true;
  return false;
}

/* The cache that phase i of a broadcast one at a time reaches. */
static const struct cache *in_turn(const struct gpu *g, const struct cache **caches, unsigned count, unsigned i) {
  return caches[g->knobs.broadcast == BROADCAST_ASCENDING ? i : count - 1 - i];
}

static bool flush_at_once(struct moves *m, unsigned t, unsigned pc, const struct cache **caches, unsigned count) {
  uint8_t *s = begin(m);
  bool waits = false;
  for (unsigned i = 0; i < count; i++) waits |= mark(m->g, s, caches[i], t);
  return waits ? stay(m, t, pc, 0, 1) : finish(m, t, pc, 0);
}

static bool flush(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  unsigned phase = (unsigned)field_get(m->now, g->threads[t].phase);
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  if (!one_by_one && phase == 0) return flush_at_once(m, t, pc, caches, count);
  if (one_by_one && phase < count) {
    uint8_t *s = begin(m);
    mark(g, s, in_turn(g, caches, count, phase), t);
    return stay(m, t, pc, phase, phase + 1);
  }
  if (any_marker(g, m->now, caches, count, t)) return true;
  begin(m);
  return finish(m, t, pc, phase);
}

static bool invalidate(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  unsigned phase = (unsigned)field_get(m->now, g->threads[t].phase);
  bool one_by_one = g->knobs.broadcast != BROADCAST_AT_ONCE && count > 1;
  unsigned first = one_by_one ? phase : 0, end = one_by_one ? phase + 1 : count;
  for (unsigned i = first; i < end && g->knobs.invalidate == INVALIDATE_DRAIN; i++)
    if (!cache_is_clean(g, m->now, one_by_one ? in_turn(g, caches, count, i) : caches[i])) return true;
  uint8_t *s = begin(m);
  for (unsigned i = first; i < end; i++) invalidate_cache(g, s, one_by_one ? in_turn(g, caches, count, i) : caches[i]);
  return end < count ? stay(m, t, pc, phase, phase + 1) : finish(m, t, pc, phase);
}

/* Threads: locks. */

static bool covers(const struct gpu *g, unsigned t, const struct hw_instr *instr, unsigned dev) {
  return instr->target == TARGET_SYS || dev == g->threads[t].dev;
}

static bool lock_rmw_at_once(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  uint8_t *s = begin(m);
  for (unsigned w = 0; w < g->wg_count; w++) {
    if (!covers(g, t, instr, g->wg_dev[w])) continue;
    if (!free_for(m->now, g->rmw1[w], t)) return true;
    field_set(s, g->rmw1[w], t + 1);
  }
  for (unsigned d = 0; instr->target == TARGET_SYS && d < g->dev_count; d++) {
    if (!free_for(m->now, g->rmw2[d], t)) return true;
    field_set(s, g->rmw2[d], t + 1);
  }
  return finish(m, t, pc, 0);
}

/* The lock to be taken next, one at a time; false: all are held. */
static bool next_lock(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr,
                      struct field *next) {
  unsigned own = g->threads[t].wg;
  *next = g->rmw1[own];
  if (g->knobs.rmw_taken == RMW_TAKEN_OWN_FIRST && holder(s, *next) != t + 1) return true;
  for (unsigned w = 0; w < g->wg_count; w++) {
    *next = g->rmw1[w];
    if (covers(g, t, instr, g->wg_dev[w]) && holder(s, *next) != t + 1) return true;
  }
  for (unsigned d = 0; instr->target == TARGET_SYS && d < g->dev_count; d++) {
    *next = g->rmw2[d];
    if (holder(s, *next) != t + 1) return true;
  }
  return false;
}

static bool lock_rmw(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  if (g->knobs.rmw_taken == RMW_TAKEN_AT_ONCE) return lock_rmw_at_once(m, t, pc, instr);
  struct field lock;
  uint8_t *s = begin(m);
  if (next_lock(g, s, t, instr, &lock)) {
    if (!free_for(s, lock, t)) return true;
    field_set(s, lock, t + 1);
  }
  return next_lock(g, s, t, instr, &lock) ? stay(m, t, pc, 0, 0) : finish(m, t, pc, 0);
}

static void release(uint8_t *s, struct field lock, unsigned t) {
  if (holder(s, lock) == t + 1) field_set(s, lock, 0);
}

static bool unlock_rmw(struct moves *m, unsigned t, unsigned pc) {
  const struct gpu *g = m->g;
  uint8_t *s = begin(m);
  for (unsigned w = 0; w < g->wg_count; w++) release(s, g->rmw1[w], t);
  for (unsigned d = 0; d < g->dev_count; d++) release(s, g->rmw2[d], t);
  return finish(m, t, pc, 0);
}

static bool lock_line(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu *g = m->g;
  unsigned location;
  uint8_t *s = begin(m);
  if (gpu_locate(g, s, &g->threads[t], &instr->address, &location) && g->line_of[location] >= 0) {
    struct field lock = line_lock(g, g->threads[t].dev, (unsigned)g->line_of[location]);
    if (!free_for(s, lock, t)) return true;
    field_set(s, lock, t + 1);
  }
  return finish(m, t, pc, 0);
}

/* The address may have changed since (x's index may depend on what was
 * loaded), so whatever the thread holds is released. */
static bool unlock_line(struct moves *m, unsigned t, unsigned pc) {
  const struct gpu *g = m->g;
  uint8_t *s = begin(m);
  for (unsigned x = 0; x < g->line_count; x++) release(s, line_lock(g, g->threads[t].dev, x), t);
  return finish(m, t, pc, 0);
}

/* Under RMW_BLOCKS_SYNC an atomic operation of another work-group waits. */
static bool stalled(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (g->knobs.rmw_blocks != RMW_BLOCKS_SYNC) return false;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned h = holder(s, g->rmw1[thread->wg]);
  if (h == 0 || g->threads[h - 1].wg == thread->wg) return false;
  return instr->atomic;
}

static bool backward_jump(struct moves *m, unsigned t, unsigned pc, const struct hw_instr *instr) {
  const struct gpu_thread *thread = &m->g->threads[t];
  uint8_t *s = begin(m);
  bool taken = instr->op == HW_JUMP || eval(m->g, s, thread, instr->value) == 0;
  go_to(m, s, thread, taken ? instr->goal : pc + 1);
  return emit(m, GPU_THREAD, t, pc);
}

static bool thread_step(struct moves *m, unsigned t) {
  const struct gpu *g = m->g;
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = pc_of(m->now, thread);
  if (pc == thread->code->instr_count) return true;
  const struct hw_instr *instr = &thread->code->instrs[pc];
  if (stalled(g, m->now, t, instr)) return true;
  switch (instr->op) {
    case HW_LD:
    case HW_ST:
    case HW_RMW:
      return access_cell(m, t, pc, instr);
    case HW_FLU:
      return flush(m, t, pc, instr);
    case HW_INV:
      return invalidate(m, t, pc, instr);
    case HW_LOCK_RMW:
      return lock_rmw(m, t, pc, instr);
    case HW_UNLOCK_RMW:
      return unlock_rmw(m, t, pc);
    case HW_LOCK_LINE:
      return lock_line(m, t, pc, instr);
    case HW_UNLOCK_LINE:
      return unlock_line(m, t, pc);
    case HW_BRANCH:
    case HW_JUMP:
      return backward_jump(m, t, pc, instr);
    case HW_MEET:
    case HW_ASSIGN:
      return true;
  }
  return true;
}

/* Barriers. */

/* The thread waits at a barrier; *label is its. */
static bool waits(const struct gpu *g, const uint8_t *s, unsigned t, int *label) {
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = pc_of(s, thread);
  if (pc == thread->code->instr_count || thread->code->instrs[pc].op != HW_MEET) return false;
  *label = thread->code->instrs[pc].meeting;
  return true;
}

static bool all_wait(const struct gpu *g, const uint8_t *s, unsigned w) {
  int label;
  for (unsigned t = 0; t < g->thread_count; t++) {
    bool finished = pc_of(s, &g->threads[t]) == g->threads[t].code->instr_count;
    if (g->threads[t].wg == w && !finished && !waits(g, s, t, &label)) return false;
  }
  return true;
}

static unsigned count_waiting(const struct gpu *g, const uint8_t *s, unsigned w, int label) {
  unsigned count = 0;
  int other;
  for (unsigned t = 0; t < g->thread_count; t++)
    count += g->threads[t].wg == w && waits(g, s, t, &other) && other == label;
  return count;
}

/* Lets all of a work-group that wait at one label go on. */
static bool meet(struct moves *m, unsigned w, int label) {
  const struct gpu *g = m->g;
  uint8_t *s = begin(m);
  int other;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (g->threads[t].wg == w && waits(g, m->now, t, &other) && other == label)
      go_to(m, s, &g->threads[t], pc_of(m->now, &g->threads[t]) + 1);
  return emit(m, GPU_MEET, w, (unsigned)(label + 1));
}

/* A barrier opens when every work-item of the work-group that has not finished
 * waits at some barrier, and two or more at this one; one that nobody else
 * comes to (a diverged barrier, undefined in the language) opens when there is
 * no other. */
static bool meetings(struct moves *m, unsigned w) {
  const struct gpu *g = m->g;
  if (!all_wait(g, m->now, w)) return true;
  bool opened = false;
  for (unsigned pass = 0; pass < 2 && !opened; pass++) {
    for (unsigned t = 0; t < g->thread_count; t++) {
      int label, other;
      if (g->threads[t].wg != w || !waits(g, m->now, t, &label)) continue;
      bool seen = false;
      for (unsigned u = 0; u < t; u++) seen |= g->threads[u].wg == w && waits(g, m->now, u, &other) && other == label;
      if (seen || (pass == 0 && count_waiting(g, m->now, w, label) < 2)) continue;
      opened = true;
      if (!meet(m, w, label)) return false;
    }
  }
  return true;
}

static bool has_meetings(const struct gpu *g, const uint8_t *s) {
  int label;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (waits(g, s, t, &label)) return true;
  return false;
}

bool gpu_may_refetch(const struct gpu *g, const uint8_t *s, unsigned w, unsigned x) {
  struct gpu_line line = g->l1[w].lines[x];
  unsigned dev = g->wg_dev[w];
  return line_state(s, line) == CV && l2_readable(g, s, dev, x) && !lock_blocks_fetch(g, s, w, x) &&
         same_value(s, l2_value(g, dev, x), line.value);
}

bool gpu_cas_succeeds(const struct gpu *g, const uint8_t *s, const struct gpu_thread *t, const struct hw_instr *instr,
                      unsigned location) {
  int line = g->line_of[location];
  int64_t old = line < 0                   ? value_get(s, g->local[-1 - line])
                : instr->level == LEVEL_L1 ? value_get(s, g->l1[t->wg].lines[line].value)
                : instr->level == LEVEL_L2 ? value_get(s, l2_value(g, t->dev, (unsigned)line))
                                           : value_get(s, g->memory[line]);
  return old == eval(g, s, t, instr->expected);
}

/* The machine. */

bool gpu_all_finished(const struct gpu *g, const uint8_t *s) {
  for (unsigned t = 0; t < g->thread_count; t++)
    if (pc_of(s, &g->threads[t]) != g->threads[t].code->instr_count) return false;
  return true;
}

static bool all_steps(struct moves *m) {
  const struct gpu *g = m->g;
  if (!all_write_backs(m)) return false;
  if (gpu_all_finished(g, m->now)) return true;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (!thread_step(m, t)) return false;
  for (unsigned w = 0; has_meetings(g, m->now) && w < g->wg_count; w++)
    if (!meetings(m, w)) return false;
  return fetches(m);
}

bool gpu_successors(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct gpu *g = machine->self;
  _Alignas(uint64_t) uint8_t now[GPU_BUFFER], next[GPU_BUFFER];
  memcpy(now, state, g->state_size);
  struct moves m = {.g = g, .now = now, .next = next, .sink = sink};
  return all_steps(&m);
}

/* Partial-order reduction.  Some steps may as well be taken at once, alone: each
 * run that takes them later has one that takes them now and ends the same.
 *
 *   UNLK                a lock held longer only keeps others from steps;
 *   a FLU's end         changes nothing but its thread's place;
 *   a FLU of nothing    later it might have to wait, and waiting adds nothing;
 *   an INV of nothing   later it might drop or mark lines; a line not dropped
 *                       can be fetched anew wherever the dropped one had to be,
 *                       and a dirty line not marked can only be read more often.
 *
 * The last two may avoid a deadlock, so they count only where no line lock stops
 * write-back and nobody but other L1s is kept from fetching; an INV that loses
 * writes never counts.  Every such step moves its thread forwards, and backward
 * jumps are not among them, so no step is put off for ever.  Besides, lines are
 * fetched only while someone may yet read them. */

static bool waits_are_harmless(const struct gpu *g) {
  return g->knobs.line_blocks == LINE_BLOCKS_FETCH || g->knobs.line_blocks == LINE_BLOCKS_NOTHING;
}

static bool flushes_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  if (field_get(s, g->threads[t].phase) > 0)
    return g->knobs.broadcast == BROADCAST_AT_ONCE && !any_marker(g, s, caches, count, t);
  for (unsigned i = 0; i < count; i++)
    if (queue_get(s, caches[i]->queue)) return false;
  return waits_are_harmless(g) && g->knobs.broadcast == BROADCAST_AT_ONCE;
}

static bool invalidates_nothing(const struct gpu *g, const uint8_t *s, unsigned t, const struct hw_instr *instr) {
  if (!waits_are_harmless(g) || g->knobs.invalidate != INVALIDATE_MARK || g->knobs.broadcast != BROADCAST_AT_ONCE)
    return false;
  const struct cache *caches[g->wg_count + g->dev_count];
  unsigned count = targets(g, &g->threads[t], instr, caches);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned x = 0; x < g->line_count; x++) {
      enum line_state state = line_state(s, caches[i]->lines[x]);
      if (state == CV || state == DV) return false;
    }
  }
  return true;
}

static bool may_go_alone(const struct gpu *g, const uint8_t *s, unsigned t) {
  const struct gpu_thread *thread = &g->threads[t];
  unsigned pc = pc_of(s, thread);
  if (pc == thread->code->instr_count) return false;
  const struct hw_instr *instr = &thread->code->instrs[pc];
  if (stalled(g, s, t, instr)) return false;
  switch (instr->op) {
    case HW_UNLOCK_RMW:
    case HW_UNLOCK_LINE:
      return true;
    case HW_FLU:
      return flushes_nothing(g, s, t, instr);
    case HW_INV:
      return invalidates_nothing(g, s, t, instr);
    default:
      return false;
  }
}

bool gpu_ample(const struct machine *machine, const void *state, struct successor_sink *sink) {
  const struct gpu *g = machine->self;
  _Alignas(uint64_t) uint8_t now[GPU_BUFFER], next[GPU_BUFFER];
  memcpy(now, state, g->state_size);
  struct moves m = {.g = g, .now = now, .next = next, .sink = sink, .reduced = true};
  for (unsigned t = 0; t < g->thread_count; t++)
    if (may_go_alone(g, now, t)) return thread_step(&m, t);
  return all_steps(&m);
}

void gpu_initial(const struct machine *machine, void *state) {
  const struct gpu *g = machine->self;
  uint8_t s[GPU_BUFFER] = {0};
  struct moves m = {.g = g};
  for (unsigned i = 0; i < g->program->program->location_count; i++) {
    int line = g->line_of[i];
    value_set(s, line >= 0 ? g->memory[line] : g->local[-1 - line], g->program->program->locations[i].init);
  }
  for (unsigned t = 0; t < g->thread_count; t++) {
    const struct gpu_thread *thread = &g->threads[t];
    for (unsigned r = 0; r < thread->code->reg_count; r++) value_set(s, thread->regs[r], thread->code->reg_init[r]);
    go_to(&m, s, thread, 0);
  }
  memcpy(state, s, g->state_size);
}

bool gpu_final(const struct machine *machine, const void *state) {
  const struct gpu *g = machine->self;
  uint8_t s[GPU_BUFFER];
  memcpy(s, state, g->state_size);
  if (!gpu_all_finished(g, s)) return false;
  for (unsigned w = 0; w < g->wg_count; w++)
    if (!cache_is_clean(g, s, &g->l1[w])) return false;
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    if (!cache_is_clean(g, s, &g->l2[d])) return false;
  return true;
}

bool gpu_idle(const struct machine *machine, struct step step) {
  (void)machine;
  return step.code == GPU_FETCH1 || step.code == GPU_FETCH2 || step.code == GPU_EVICT1 || step.code == GPU_EVICT2;
}
