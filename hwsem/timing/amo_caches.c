/* SPDX-License-Identifier: MIT */
/* Where lines are: private caches, the homes' AMO buffers, the last-level cache. */
#include "hwsem/timing/amo_parts.h"

/* ---- lines and cores ---- */

static void set_up_line(const struct amo_machine *m, struct amo_line *line, int64_t id) {
  enum { SETS = 1 << 14 };
  line->name = (amo_way)(id + 1);
  line->l1_set = (uint32_t)(id % m->p->l1sets) % SETS;
  line->l2_set = (uint32_t)(id % m->p->l2sets) % SETS;
}

/* Lines, and room behind them, from the start of one of the processor's on. */
static void *lines_new(struct amo_machine *m, size_t size) {
  enum { ALIGNED = 64 };
  char *bytes = arena_alloc(m->arena, size + ALIGNED);
  return bytes + (ALIGNED - (uintptr_t)bytes % ALIGNED);
}

static struct amo_line *find_other_line(struct amo_machine *m, int64_t id) {
  if (!m->buckets) m->buckets = ARENA_ARRAY(m->arena, struct amo_other_line *, AMO_BUCKETS);
  struct amo_other_line **bucket = &m->buckets[(uint64_t)id * 0x9E3779B97F4A7C15u >> 50];
  for (struct amo_other_line *other = *bucket; other; other = other->chain)
    if (amo_number(&other->line) == id) return &other->line;
  struct amo_other_line *other = lines_new(m, sizeof *other);
  set_up_line(m, &other->line, id);
  other->chain = *bucket;
  *bucket = other;
  return &other->line;
}

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id) {
  if (id >= m->line_count) return find_other_line(m, id);
  struct amo_line **block = &m->lines[id / AMO_BLOCK];
  if (!*block) {
    *block = lines_new(m, AMO_BLOCK * sizeof **block);
    for (int64_t i = 0; i < AMO_BLOCK; i++) set_up_line(m, &(*block)[i], id / AMO_BLOCK * AMO_BLOCK + i);
  }
  return &(*block)[id % AMO_BLOCK];
}

static int64_t nearest_home(const struct amo_machine *m, int node) {
  int64_t nearest = m->latency[node][0];
  for (int home = 1; home < AMO_NODES; home++)
    if (m->latency[node][home] < nearest) nearest = m->latency[node][home];
  return nearest;
}

struct amo_core *amo_core_of(struct amo_machine *m, int node) {
  struct amo_core *core = &m->cores[node];
  if (core->l1) return core;
  core->l1 = ARENA_ARRAY(m->arena, amo_way, (size_t)(m->p->l1sets * m->p->l1ways));
  core->l2 = ARENA_ARRAY(m->arena, amo_way, (size_t)(m->p->l2sets * m->p->l2ways));
  core->flying = ARENA_ARRAY(m->arena, struct amo_line *, (size_t)m->p->win);
  core->flights = ARENA_ARRAY(m->arena, struct amo_flight, (size_t)m->p->win);
  core->predictor = amo_predictor_new(m->arena, m->p, m->policy);
  core->predicts = m->policy >= AMO_METRIC && m->policy != AMO_TABLE;
  for (unsigned state = AMO_UC; state <= AMO_UD; state++)
    if (amo_predictor_near(core->predictor, 0, (enum amo_state)state, 0)) core->keeps |= (uint8_t)(1u << state);
  core->node = (unsigned)node;
  core->bit = amo_bit(node);
  core->line = &m->nowhere;
  core->ahead = m->p->dir + nearest_home(m, node) + 1;
  return core;
}

/* ---- sets ---- */

/* Where a set has a line; `ways`: nowhere. */
static int64_t find_way(const amo_way *set, int64_t ways, amo_way name) {
  int64_t at = 0;
  while (at < ways && set[at] != name) at++;
  return at;
}

/* The name to the front of so many ways, whose others move behind; returns the last, for which
 * there is no room. */
static amo_way put_first(amo_way *set, int64_t ways, amo_way name) {
  for (int64_t at = 0; at < ways; at++) {
    amo_way moved = set[at];
    set[at] = name;
    name = moved;
  }
  return name;
}

static void take_out(amo_way *set, int64_t ways, amo_way name) {
  int64_t at = find_way(set, ways, name);
  if (at == ways) return;
  for (; at + 1 < ways; at++) set[at] = set[at + 1];
  set[ways - 1] = 0;
}

static struct amo_line *line_named(struct amo_machine *m, amo_way name) {
  return amo_line_of(m, (int64_t)name - 1);
}

/* ---- private caches ---- */

static amo_way *l1_set_of(const struct amo_machine *m, const struct amo_core *core, const struct amo_line *line) {
  return &core->l1[line->l1_set * m->p->l1ways];
}

static amo_way *l2_set_of(const struct amo_machine *m, const struct amo_core *core, const struct amo_line *line) {
  return &core->l2[line->l2_set * m->p->l2ways];
}

void amo_drop(struct amo_machine *m, struct amo_core *core, struct amo_line *line) {
  if (amo_in_l1(line, core))
    take_out(l1_set_of(m, core, line), m->p->l1ways, line->name);
  else
    take_out(l2_set_of(m, core, line), m->p->l2ways, line->name);
  amo_set_state(line, core, AMO_I);
  line->holders &= ~core->bit;
  line->in_l2 &= ~core->bit;
}

void amo_fill_l2(struct amo_machine *m, struct amo_core *core, struct amo_line *line) {
  amo_way *set = l2_set_of(m, core, line), last = set[m->p->l2ways - 1];
  if (last) amo_drop(m, core, line_named(m, last)); /* the victim's data is in the last-level cache at once */
  put_first(set, m->p->l2ways, line->name);
  line->in_l2 |= core->bit;
}

void amo_fill_l1(struct amo_machine *m, struct amo_core *core, struct amo_line *line, enum amo_state state,
                 int64_t now) {
  if (line->holders & core->bit) amo_drop(m, core, line);
  amo_way gone = put_first(l1_set_of(m, core, line), m->p->l1ways, line->name);
  amo_set_state(line, core, state);
  line->holders |= core->bit;
  if (!gone) return;
  struct amo_line *victim = line_named(m, gone);
  amo_note(core, victim, AMO_EVICTED, now);
  amo_fill_l2(m, core, victim);
}

void amo_leave_l1(struct amo_machine *m, struct amo_core *core, const struct amo_line *line) {
  take_out(l1_set_of(m, core, line), m->p->l1ways, line->name);
}

/* ---- a home's buffer and slice ---- */

void amo_unbuffer(struct amo_machine *m, struct amo_line *line) {
  if (!line->buffered) return;
  take_out(m->buffers[amo_home(line)], m->p->hb, line->name);
  line->buffered = false;
}

void amo_enter_buffer(struct amo_machine *m, struct amo_line *line) {
  amo_way **ways = &m->buffers[amo_home(line)];
  if (m->p->hb == 0) return;
  if (!*ways) *ways = ARENA_ARRAY(m->arena, amo_way, (size_t)m->p->hb);
  if (line->buffered) {
    put_first(*ways, find_way(*ways, m->p->hb, line->name) + 1, line->name);
    return;
  }
  amo_way victim = put_first(*ways, m->p->hb, line->name);
  if (victim) line_named(m, victim)->buffered = false;
  line->buffered = true;
}

bool amo_hit_llc(struct amo_machine *m, const struct amo_line *line) {
  const struct amo_parameters *p = m->p;
  if (!m->llc) return true;
  uint32_t set = (uint32_t)amo_number(line) / AMO_NODES % (uint32_t)p->llcsets;
  amo_way *ways = &m->llc[(amo_home(line) * p->llcsets + set) * p->llcways];
  int64_t at = find_way(ways, p->llcways, line->name);
  bool hit = at < p->llcways;
  put_first(ways, hit ? at + 1 : p->llcways, line->name);
  m->result.memory_lines += !hit;
  return hit;
}
