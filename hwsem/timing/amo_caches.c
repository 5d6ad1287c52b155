/* SPDX-License-Identifier: MIT */
/* Where lines are: private caches, the homes' AMO buffers, the last-level cache. */
#include "hwsem/timing/amo_parts.h"

/* ---- lines and cores ---- */

static void set_up_line(struct amo_machine *m, struct amo_line *line, int64_t id) {
  const struct amo_parameters *p = m->p;
  line->id = (uint32_t)id;
  line->home = (uint8_t)(id % AMO_NODES);
  line->l1_set = (uint32_t)(id % p->l1sets * p->l1ways);
  line->l2_set = (uint32_t)(id % p->l2sets * p->l2ways);
}

static struct amo_line *lines_new(struct amo_machine *m, size_t count) {
  enum { ALIGNED = 64 };
  char *bytes = arena_alloc(m->arena, count * sizeof(struct amo_line) + ALIGNED);
  return (struct amo_line *)(void *)(bytes + (ALIGNED - (uintptr_t)bytes % ALIGNED));
}

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id) {
  if (id < m->line_count) {
    struct amo_line **block = &m->lines[id / AMO_BLOCK];
    if (*block) return &(*block)[id % AMO_BLOCK];
    *block = lines_new(m, AMO_BLOCK);
    for (int64_t i = 0; i < AMO_BLOCK; i++) set_up_line(m, &(*block)[i], id / AMO_BLOCK * AMO_BLOCK + i);
    return &(*block)[id % AMO_BLOCK];
  }
  if (!m->buckets) m->buckets = ARENA_ARRAY(m->arena, struct amo_line *, AMO_BUCKETS);
  struct amo_line **bucket = &m->buckets[(uint64_t)id * 0x9E3779B97F4A7C15u >> 50];
  for (struct amo_line *line = *bucket; line; line = line->chain)
    if (line->id == id) return line;
  struct amo_line *line = lines_new(m, 1);
  set_up_line(m, line, id);
  line->chain = *bucket;
  return *bucket = line;
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
  return core;
}

/* ---- sets ---- */

static amo_way name_of(const struct amo_line *line) {
  return line->id + 1;
}

/* Where a set has a line; `ways`: nowhere. */
static int64_t find_way(const amo_way *set, int64_t ways, amo_way name) {
  int64_t at = 0;
  while (at < ways && set[at] != name) at++;
  return at;
}

/* What is before `at` moves behind, and the name to the front. */
static void put_first(amo_way *set, int64_t at, amo_way name) {
  for (; at > 0; at--) set[at] = set[at - 1];
  set[0] = name;
}

/* Puts a line into a set that lacks it, and returns what must go: 0: nothing. */
static amo_way insert(amo_way *set, int64_t ways, amo_way name) {
  amo_way victim = set[ways - 1];
  put_first(set, ways - 1, name);
  return victim;
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

void amo_drop(struct amo_machine *m, int node, struct amo_line *line) {
  struct amo_core *core = &m->cores[node];
  if (amo_in_l1(line, node))
    take_out(&core->l1[line->l1_set], m->p->l1ways, name_of(line));
  else
    take_out(&core->l2[line->l2_set], m->p->l2ways, name_of(line));
  amo_set_state(line, node, AMO_I);
  line->holders &= ~amo_bit(node);
  line->in_l2 &= ~amo_bit(node);
}

void amo_fill_l2(struct amo_machine *m, int node, struct amo_line *line) {
  amo_way *set = &amo_core_of(m, node)->l2[line->l2_set], last = set[m->p->l2ways - 1];
  if (last) amo_drop(m, node, line_named(m, last)); /* the victim's data is in the last-level cache at once */
  insert(set, m->p->l2ways, name_of(line));
  line->in_l2 |= amo_bit(node);
}

void amo_fill_l1(struct amo_machine *m, int node, struct amo_line *line, enum amo_state state, int64_t now) {
  struct amo_core *core = amo_core_of(m, node);
  if (line->holders & amo_bit(node)) amo_drop(m, node, line);
  amo_way gone = insert(&core->l1[line->l1_set], m->p->l1ways, name_of(line));
  amo_set_state(line, node, state);
  line->holders |= amo_bit(node);
  if (!gone) return;
  struct amo_line *victim = line_named(m, gone);
  amo_note(core, victim, AMO_EVICTED, now);
  amo_fill_l2(m, node, victim);
}

void amo_leave_l1(struct amo_machine *m, int node, const struct amo_line *line) {
  take_out(&m->cores[node].l1[line->l1_set], m->p->l1ways, name_of(line));
}

void amo_touch(struct amo_machine *m, int node, const struct amo_line *line) {
  amo_way *set = &m->cores[node].l1[line->l1_set], name = name_of(line);
  if (set[0] != name) put_first(set, find_way(set, m->p->l1ways, name), name);
}

/* ---- a home's buffer and slice ---- */

void amo_unbuffer(struct amo_machine *m, struct amo_line *line) {
  if (!line->buffered) return;
  take_out(m->buffers[line->home], m->p->hb, name_of(line));
  line->buffered = false;
}

void amo_enter_buffer(struct amo_machine *m, struct amo_line *line) {
  amo_way **ways = &m->buffers[line->home], name = name_of(line);
  if (m->p->hb == 0) return;
  if (!*ways) *ways = ARENA_ARRAY(m->arena, amo_way, (size_t)m->p->hb);
  if (line->buffered) {
    put_first(*ways, find_way(*ways, m->p->hb, name), name);
    return;
  }
  amo_way victim = insert(*ways, m->p->hb, name);
  if (victim) line_named(m, victim)->buffered = false;
  line->buffered = true;
}

bool amo_hit_llc(struct amo_machine *m, struct amo_line *line) {
  const struct amo_parameters *p = m->p;
  if (!m->llc) return true;
  int64_t set = line->id / AMO_NODES % p->llcsets;
  amo_way *ways = &m->llc[(line->home * p->llcsets + set) * p->llcways], name = name_of(line);
  int64_t at = find_way(ways, p->llcways, name);
  bool hit = at < p->llcways;
  put_first(ways, hit ? at : p->llcways - 1, name);
  m->result.memory_lines += !hit;
  return hit;
}
