/* SPDX-License-Identifier: MIT */
/* Symmetries of a program on the GPU: ways to exchange threads, together with
 * their work-groups and devices, and locations, that leave the program as it
 * is.  A state stands for its whole class; the least image represents it. */
#include "hwsem/machines/gpu_state.h"

enum { MOST_THREADS = 6, MOST_IMAGES = 32 };

/* Everything goes to the image's number. */
struct gpu_image {
  unsigned *thread, *wg, *dev, *line;
};

/* Partial maps between small numbers, kept one to one. */

static bool map(int *forth, int *back, unsigned from, unsigned to) {
  if (forth[from] < 0 && back[to] < 0) {
    forth[from] = (int)to;
    back[to] = (int)from;
  }
  return forth[from] == (int)to && back[to] == (int)from;
}

struct search {
  struct arena *arena;
  const struct gpu *g;
  int thread[MOST_THREADS];
  int *wg, *wg_back, *dev, *dev_back, *line, *line_back;
  struct gpu_image found[MOST_IMAGES];
  unsigned count;
};

static bool same_address(struct search *s, const struct hw_instr *a, const struct hw_instr *b) {
  if (!hw_is_access(a->op) && a->op != HW_LOCK_LINE) return true;
  if (a->address.index || b->address.index) return false;
  int from = s->g->line_of[a->address.base], to = s->g->line_of[b->address.base];
  if (from < 0 || to < 0) return from == to; /* local memory stays where it is */
  return map(s->line, s->line_back, (unsigned)from, (unsigned)to);
}

static bool same_instr(struct search *s, const struct hw_instr *a, const struct hw_instr *b) {
  return a->op == b->op && a->level == b->level && a->target == b->target && a->reg == b->reg &&
         a->old_reg == b->old_reg && a->destination == b->destination && a->cas == b->cas && a->weak == b->weak &&
         a->returns_old == b->returns_old && a->function == b->function && a->meeting == b->meeting &&
         expr_same(a->value, b->value) && expr_same(a->expected, b->expected) && same_address(s, a, b);
}

/* What threads and lines keep can be exchanged as it is. */
static bool same_domain(const struct domain *a, const struct domain *b) {
  if (a->bits != b->bits || a->count != b->count) return false;
  return a->count == 0 || !memcmp(a->values, b->values, a->count * sizeof *a->values);
}

static bool same_thread(struct search *s, unsigned from, unsigned to) {
  const struct gpu_thread *a = &s->g->threads[from], *b = &s->g->threads[to];
  if (a->code->instr_count != b->code->instr_count || a->code->reg_count != b->code->reg_count) return false;
  if (!map(s->wg, s->wg_back, a->wg, b->wg) || !map(s->dev, s->dev_back, a->dev, b->dev)) return false;
  for (unsigned r = 0; r < a->code->reg_count; r++)
    if (a->code->reg_init[r] != b->code->reg_init[r] || !same_domain(a->domains[r], b->domains[r])) return false;
  for (unsigned i = 0; i <= a->code->instr_count; i++)
    if (a->dead[i] != b->dead[i]) return false;
  for (unsigned i = 0; i < a->code->instr_count; i++)
    if (!same_instr(s, &a->code->instrs[i], &b->code->instrs[i])) return false;
  return true;
}

/* Lines that no thread touches stay where they are; initial values must agree. */
static bool complete_lines(struct search *s) {
  const struct location *locations = s->g->program->program->locations;
  for (unsigned x = 0; x < s->g->line_count; x++) {
    if (s->line[x] < 0 && !map(s->line, s->line_back, x, x)) return false;
    unsigned from = s->g->location_of[x], to = s->g->location_of[s->line[x]];
    if (locations[from].init != locations[to].init || !same_domain(s->g->domains[from], s->g->domains[to]))
      return false;
  }
  return true;
}

static unsigned *copy_map(struct search *s, const int *forth, unsigned count) {
  unsigned *copy = ARENA_ARRAY(s->arena, unsigned, count + 1);
  for (unsigned i = 0; i < count; i++) copy[i] = forth[i] < 0 ? i : (unsigned)forth[i];
  return copy;
}

static void clear(int *a, int *b, unsigned count) {
  for (unsigned i = 0; i < count; i++) a[i] = b[i] = -1;
}

static void try_order(struct search *s) {
  const struct gpu *g = s->g;
  clear(s->wg, s->wg_back, g->wg_count);
  clear(s->dev, s->dev_back, g->dev_count);
  clear(s->line, s->line_back, g->line_count);
  for (unsigned t = 0; t < g->thread_count; t++)
    if (!same_thread(s, t, (unsigned)s->thread[t])) return;
  if (!complete_lines(s) || s->count == MOST_IMAGES) return;
  s->found[s->count++] = (struct gpu_image){copy_map(s, s->thread, g->thread_count), copy_map(s, s->wg, g->wg_count),
                                            copy_map(s, s->dev, g->dev_count), copy_map(s, s->line, g->line_count)};
}

static void permute(struct search *s, unsigned t) {
  if (t >= s->g->thread_count || t >= MOST_THREADS) {
    try_order(s);
    return;
  }
  for (unsigned to = 0; to < s->g->thread_count; to++) {
    bool taken = s->g->threads[t].code->instr_count != s->g->threads[to].code->instr_count;
    for (unsigned u = 0; u < t; u++) taken |= s->thread[u] == (int)to;
    if (taken) continue;
    s->thread[t] = (int)to;
    permute(s, t + 1);
  }
}

/* Images of states. */

static uint64_t holder_image(const struct gpu_image *image, uint64_t holder) {
  return holder ? image->thread[holder - 1] + (uint64_t)1 : 0;
}

static void copy_lock(const struct gpu_image *image, const uint8_t *from, uint8_t *to, struct field a, struct field b) {
  field_set(to, b, holder_image(image, field_get(from, a)));
}

static queue queue_image(const struct gpu *g, const struct gpu_image *image, queue q) {
  queue out = 0;
  for (unsigned i = 0; q; q >>= g->entry_bits, i++) {
    unsigned entry = queue_entry(g, q, 0);
    unsigned other = entry_is_flush(g, entry) ? entry_of_flush(g, image->thread[entry - 1 - g->line_count])
                                              : entry_of_line(image->line[entry - 1]);
    out |= (queue)other << (i * g->entry_bits);
  }
  return out;
}

static void copy_cache(const struct gpu *g, const struct gpu_image *image, const uint8_t *from, uint8_t *to,
                       const struct cache *a, const struct cache *b) {
  queue_set(to, b->queue, queue_image(g, image, queue_get(from, a->queue)));
  for (unsigned x = 0; x < g->line_count; x++) {
    field_set(to, b->lines[image->line[x]].state, field_get(from, a->lines[x].state));
    field_set(to, b->lines[image->line[x]].value.field, field_get(from, a->lines[x].value.field));
  }
}

static void copy_thread(const uint8_t *from, uint8_t *to, const struct gpu_thread *a, const struct gpu_thread *b) {
  field_set(to, b->pc, field_get(from, a->pc));
  field_set(to, b->phase, field_get(from, a->phase));
  for (unsigned r = 0; r < a->code->reg_count; r++) field_set(to, b->regs[r].field, field_get(from, a->regs[r].field));
}

static void write_image(const struct gpu *g, const struct gpu_image *image, const uint8_t *from, uint8_t *to) {
  memset(to, 0, g->state_size);
  for (unsigned t = 0; t < g->thread_count; t++) copy_thread(from, to, &g->threads[t], &g->threads[image->thread[t]]);
  for (unsigned x = 0; x < g->line_count; x++)
    field_set(to, g->memory[image->line[x]].field, field_get(from, g->memory[x].field));
  for (unsigned i = 0; i < g->local_count; i++) field_set(to, g->local[i].field, field_get(from, g->local[i].field));
  for (unsigned w = 0; w < g->wg_count; w++) {
    copy_cache(g, image, from, to, &g->l1[w], &g->l1[image->wg[w]]);
    copy_lock(image, from, to, g->rmw1[w], g->rmw1[image->wg[w]]);
  }
  for (unsigned d = 0; d < g->dev_count; d++) {
    unsigned e = image->dev[d];
    if (!g->flat) copy_cache(g, image, from, to, &g->l2[d], &g->l2[e]);
    copy_lock(image, from, to, g->rmw2[d], g->rmw2[e]);
    for (unsigned x = 0; x < g->line_count; x++)
      copy_lock(image, from, to, g->lk[d * g->line_count + x], g->lk[e * g->line_count + image->line[x]]);
  }
}

static void canonical(const struct machine *m, void *state) {
  const struct gpu *g = m->self;
  uint8_t from[GPU_BUFFER], other[GPU_BUFFER];
  memcpy(from, state, g->state_size);
  for (unsigned k = 1; k < m->image_count; k++) {
    write_image(g, &g->images[k], from, other);
    if (memcmp(other, state, g->state_size) < 0) memcpy(state, other, g->state_size);
  }
}

static void write_kth_image(const struct machine *m, unsigned k, const void *state, void *image) {
  const struct gpu *g = m->self;
  uint8_t from[GPU_BUFFER], to[GPU_BUFFER];
  memcpy(from, state, g->state_size);
  write_image(g, &g->images[k], from, to);
  memcpy(image, to, g->state_size);
}

/* Images must form a group for the least one to be the same for a whole class:
 * all symmetries are taken, or none. LK_rmw one by one goes by number, which
 * exchanging work-groups does not respect. */
void gpu_find_symmetry(struct arena *arena, struct gpu *g, struct machine *machine) {
  bool kept_by_number = g->posts || g->knobs.stalls != STALLS_LOCK; /* write_image knows nothing of these fields */
  bool by_number = kept_by_number || g->knobs.rmw_taken != RMW_TAKEN_AT_ONCE || g->knobs.broadcast != BROADCAST_AT_ONCE;
  if (g->thread_count > MOST_THREADS || by_number) return;
  struct search s = {.arena = arena, .g = g};
  s.wg = ARENA_ARRAY(arena, int, g->wg_count + 1);
  s.wg_back = ARENA_ARRAY(arena, int, g->wg_count + 1);
  s.dev = ARENA_ARRAY(arena, int, g->dev_count + 1);
  s.dev_back = ARENA_ARRAY(arena, int, g->dev_count + 1);
  s.line = ARENA_ARRAY(arena, int, g->line_count + 1);
  s.line_back = ARENA_ARRAY(arena, int, g->line_count + 1);
  permute(&s, 0);
  if (s.count < 2 || s.count == MOST_IMAGES) return;
  g->images = ARENA_COPY(arena, struct gpu_image, s.found, s.count);
  machine->canonical = canonical;
  machine->image = write_kth_image;
  machine->image_count = s.count;
}
