/* SPDX-License-Identifier: MIT */
/* Where lines are: private caches, the homes' AMO buffers, the last-level cache. */
#include "hwsem/timing/amo_timed_state.h"

/* ---- lines and cores ---- */

/* Lines, and room after them, from the start of one of the processor's on. */
static void *lines_new(struct amo_machine *m, size_t size) {
  enum { ALIGNED = 64 };
  char *bytes = arena_alloc(m->arena, size + ALIGNED);
  return bytes + (ALIGNED - (uintptr_t)bytes % ALIGNED);
}

static struct amo_other_line **bucket_of(const struct amo_machine *m, int64_t id) {
  return &m->buckets[(uint64_t)id * 0x9E3779B97F4A7C15u >> (64 - m->bucket_bits)];
}

/* Twice as many as before. */
static void add_buckets(struct amo_machine *m) {
  enum { FEW = 6 };
  struct amo_other_line **old = m->buckets;
  size_t count = old ? (size_t)1 << m->bucket_bits : 0;
  m->bucket_bits = old ? m->bucket_bits + 1 : FEW;
  m->buckets = ARENA_ARRAY(m->arena, struct amo_other_line *, (size_t)1 << m->bucket_bits);
  for (size_t i = 0; i < count; i++)
    for (struct amo_other_line *other = old[i], *next; other; other = next) {
      struct amo_other_line **bucket = bucket_of(m, amo_number(&other->line));
      next = other->chain;
      other->chain = *bucket;
      *bucket = other;
    }
}

static struct amo_line *find_other_line(struct amo_machine *m, int64_t id) {
  if (!m->buckets) add_buckets(m);
  struct amo_other_line **bucket = bucket_of(m, id);
  for (struct amo_other_line *other = *bucket; other; other = other->chain)
    if (amo_number(&other->line) == id) return &other->line;
  struct amo_other_line *other = lines_new(m, sizeof *other);
  other->line.name = (amo_way)(id + 1);
  other->chain = *bucket;
  *bucket = other;
  if (2 * ++m->other_count >> m->bucket_bits) add_buckets(m);
  return &other->line;
}

struct amo_line *amo_find_line(struct amo_machine *m, int64_t id) {
  if (id >= m->line_count) return find_other_line(m, id);
  struct amo_line **block = &m->lines[id / AMO_BLOCK];
  if (!*block) {
    *block = lines_new(m, AMO_BLOCK * sizeof **block);
    for (int64_t i = 0; i < AMO_BLOCK; i++) (*block)[i].name = (amo_way)(id / AMO_BLOCK * AMO_BLOCK + i + 1);
  }
  return &(*block)[id % AMO_BLOCK];
}

struct amo_core *amo_core_of(struct amo_machine *m, int node) {
  struct amo_core *core = &m->cores[node];
  if (core->l1) return core;
  core->l1 = ARENA_ARRAY(m->arena, amo_way, (size_t)(m->p->l1sets * m->p->l1ways));
  core->flying = ARENA_ARRAY(m->arena, struct amo_line *, (size_t)m->p->win);
  core->flights = ARENA_ARRAY(m->arena, struct amo_flight, (size_t)m->p->win);
  core->predictor = amo_predictor_new(m->arena, m->p, m->policy);
  core->predicts = amo_policy_predicts(m->policy);
  for (unsigned state = AMO_UC; state <= AMO_UD; state++)
    if (amo_predictor_near(core->predictor, 0, (enum amo_state)state, 0)) core->keeps |= (uint8_t)(1u << state);
  core->node = (unsigned)node;
  core->bit = amo_bit(node);
  core->line = &m->nowhere;
  return core;
}

/* ---- sets ---- */

/* As in amo_move_first, all ways are gone through. */
static void take_out(amo_way *set, int64_t ways, amo_way name) {
  bool found = false;
  for (int64_t at = 0; at + 1 < ways; at++) {
    found |= set[at] == name;
    set[at] = found ? set[at + 1] : set[at];
  }
  if (found || set[ways - 1] == name) set[ways - 1] = 0;
}

static struct amo_line *line_named(struct amo_machine *m, amo_way name) {
  return amo_line_of(m, (int64_t)name - 1);
}

/* ---- private caches ---- */

static amo_way *l2_set_of(const struct amo_machine *m, const struct amo_core *core, const struct amo_line *line) {
  return &core->l2[amo_set(line, m->p->l2sets, m->l2_mask, m->p->l2ways)];
}

void amo_drop(struct amo_machine *m, struct amo_core *core, struct amo_line *line) {
  if (amo_in_l1(line, core))
    take_out(amo_l1_set(m, core, line), m->p->l1ways, line->name);
  else
    take_out(l2_set_of(m, core, line), m->p->l2ways, line->name);
  amo_set_state(line, core, AMO_I);
  line->holders &= ~core->bit;
  line->in_l2 &= ~core->bit;
}

void amo_fill_l2(struct amo_machine *m, struct amo_core *core, struct amo_line *line) {
  if (!core->l2) core->l2 = ARENA_ARRAY(m->arena, amo_way, (size_t)(m->p->l2sets * m->p->l2ways));
  amo_way *set = l2_set_of(m, core, line), last = set[m->p->l2ways - 1];
  if (last) amo_drop(m, core, line_named(m, last)); /* the victim's data is in the last-level cache at once */
  amo_move_first(set, m->p->l2ways, line->name);
  line->in_l2 |= core->bit;
}

void amo_fill_l1(struct amo_machine *m, struct amo_core *core, struct amo_line *line, enum amo_state state,
                 int64_t now) {
  if (line->holders & core->bit) amo_drop(m, core, line);
  amo_way *set = amo_l1_set(m, core, line), gone = set[m->p->l1ways - 1];
  amo_move_first(set, m->p->l1ways, line->name);
  amo_set_state(line, core, state);
  line->holders |= core->bit;
  if (!gone) return;
  struct amo_line *victim = line_named(m, gone);
  amo_note(core, victim, AMO_EVICTED, now);
  amo_fill_l2(m, core, victim);
}

void amo_leave_l1(struct amo_machine *m, struct amo_core *core, const struct amo_line *line) {
  take_out(amo_l1_set(m, core, line), m->p->l1ways, line->name);
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
  amo_way last = (*ways)[m->p->hb - 1];
  if (!amo_move_first(*ways, m->p->hb, line->name) && last) line_named(m, last)->buffered = false;
  line->buffered = true;
}

bool amo_hit_llc(struct amo_machine *m, const struct amo_line *line) {
  const struct amo_parameters *p = m->p;
  if (!m->llc) return true;
  uint32_t set = (uint32_t)amo_number(line) / AMO_NODES % (uint32_t)p->llcsets;
  amo_way *ways = &m->llc[(amo_home(line) * p->llcsets + set) * p->llcways];
  bool hit = amo_move_first(ways, p->llcways, line->name);
  m->result.memory_lines += !hit;
  return hit;
}
