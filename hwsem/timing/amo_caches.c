/* SPDX-License-Identifier: MIT */
/* Where lines are: private caches, the homes' AMO buffers, the last-level cache.
 * A way that is free has stamp 0, and is taken before all others. */
#include "hwsem/timing/amo_parts.h"

/* ---- lines and cores ---- */

static struct amo_line *line_new(struct amo_machine *m, int64_t id) {
  const struct amo_parameters *p = m->p;
  struct amo_line *line = ARENA_NEW(m->arena, struct amo_line);
  line->id = id;
  line->home = (int)(id % AMO_NODES);
  line->tail = &line->queue;
  line->l1_set = (uint32_t)(id % p->l1sets * p->l1ways);
  line->l2_set = (uint32_t)(id % p->l2sets * p->l2ways);
  return line;
}

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id) {
  if (id < m->line_count) {
    if (!m->lines[id]) m->lines[id] = line_new(m, id);
    return m->lines[id];
  }
  if (!m->buckets) m->buckets = ARENA_ARRAY(m->arena, struct amo_line *, AMO_BUCKETS);
  struct amo_line **bucket = &m->buckets[(uint64_t)id * 0x9E3779B97F4A7C15u >> 50];
  for (struct amo_line *line = *bucket; line; line = line->chain)
    if (line->id == id) return line;
  struct amo_line *line = line_new(m, id);
  line->chain = *bucket;
  return *bucket = line;
}

struct amo_core *amo_core_of(struct amo_machine *m, int node) {
  struct amo_core *core = &m->cores[node];
  if (core->l1) return core;
  core->l1 = ARENA_ARRAY(m->arena, struct amo_way, (size_t)(m->p->l1sets * m->p->l1ways));
  core->l2 = ARENA_ARRAY(m->arena, struct amo_way, (size_t)(m->p->l2sets * m->p->l2ways));
  core->flying = ARENA_ARRAY(m->arena, struct amo_line *, (size_t)m->p->win);
  core->flights = ARENA_ARRAY(m->arena, struct amo_flight, (size_t)m->p->win);
  core->predictor = amo_predictor_new(m->arena, m->p, m->policy);
  core->predicts = m->policy >= AMO_METRIC && m->policy != AMO_TABLE;
  return core;
}

/* ---- sets ---- */

/* The way that holds a line, or NULL. */
static struct amo_way *find_way(struct amo_way *set, int64_t ways, const struct amo_line *line) {
  for (int64_t i = 0; i < ways; i++)
    if (set[i].line == line) return &set[i];
  return NULL;
}

/* A way to fill: the first free one, else the one with the lowest stamp. */
static struct amo_way *choose_way(struct amo_way *set, int64_t ways) {
  struct amo_way *way = set;
  for (int64_t i = 1; i < ways; i++)
    if (set[i].stamp < way->stamp) way = &set[i];
  return way;
}

/* ---- private caches ---- */

void amo_drop(struct amo_machine *m, int node, struct amo_line *line) {
  struct amo_core *core = &m->cores[node];
  struct amo_way *way = amo_in_l1(line, node) ? find_way(&core->l1[line->l1_set], m->p->l1ways, line)
                                              : find_way(&core->l2[line->l2_set], m->p->l2ways, line);
  if (way) *way = (struct amo_way){0};
  amo_set_state(line, node, AMO_I);
  line->holders &= ~amo_bit(node);
  line->in_l2 &= ~amo_bit(node);
}

void amo_fill_l2(struct amo_machine *m, int node, struct amo_line *line) {
  struct amo_way *way = choose_way(&amo_core_of(m, node)->l2[line->l2_set], m->p->l2ways);
  if (way->line) amo_drop(m, node, way->line); /* the victim's data is in the last-level cache at once */
  *way = (struct amo_way){line, ++m->clock};
  line->in_l2 |= amo_bit(node);
}

void amo_fill_l1(struct amo_machine *m, int node, struct amo_line *line, enum amo_state state, int64_t now) {
  struct amo_core *core = amo_core_of(m, node);
  if (line->holders & amo_bit(node)) amo_drop(m, node, line);
  struct amo_way *way = choose_way(&core->l1[line->l1_set], m->p->l1ways);
  struct amo_line *victim = way->line;
  *way = (struct amo_way){line, ++m->clock};
  amo_set_state(line, node, state);
  line->holders |= amo_bit(node);
  if (!victim) return;
  amo_note(core, victim, AMO_EVICTED, now);
  amo_fill_l2(m, node, victim);
}

void amo_leave_l1(struct amo_machine *m, int node, const struct amo_line *line) {
  *find_way(&m->cores[node].l1[line->l1_set], m->p->l1ways, line) = (struct amo_way){0};
}

void amo_touch(struct amo_machine *m, int node, const struct amo_line *line) {
  find_way(&m->cores[node].l1[line->l1_set], m->p->l1ways, line)->stamp = ++m->clock;
}

/* ---- a home's buffer and slice ---- */

void amo_unbuffer(struct amo_machine *m, struct amo_line *line) {
  if (!line->buffered) return;
  *find_way(m->buffers[line->home], m->p->hb, line) = (struct amo_way){0};
  line->buffered = false;
}

void amo_enter_buffer(struct amo_machine *m, struct amo_line *line) {
  struct amo_way **ways = &m->buffers[line->home];
  if (m->p->hb == 0) return;
  if (!*ways) *ways = ARENA_ARRAY(m->arena, struct amo_way, (size_t)m->p->hb);
  struct amo_way *way = line->buffered ? find_way(*ways, m->p->hb, line) : choose_way(*ways, m->p->hb);
  if (way->line) way->line->buffered = false;
  *way = (struct amo_way){line, ++m->clock};
  line->buffered = true;
}

bool amo_hit_llc(struct amo_machine *m, struct amo_line *line) {
  const struct amo_parameters *p = m->p;
  if (!m->llc) return true;
  int64_t set = line->id / AMO_NODES % p->llcsets;
  struct amo_way *ways = &m->llc[(line->home * p->llcsets + set) * p->llcways], *way = find_way(ways, p->llcways, line);
  bool hit = way != NULL;
  if (!hit) way = choose_way(ways, p->llcways);
  *way = (struct amo_way){line, ++m->clock};
  m->result.memory_lines += !hit;
  return hit;
}
