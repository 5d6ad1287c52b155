/* SPDX-License-Identifier: MIT */
/* What the GPU does of itself, as text: the rules of gpu_environment.c. */
#include "hwsem/machines/gpu_text.h"

static void begin(const struct gpu_text *x, const char *what, struct gpu_text_cache c, unsigned line,
                  const char *guard) {
  const char *location = x->g->program->program->locations[x->g->location_of[line]].name;
  const char *place =
      arena_printf(x->r->arena, "%s%d(%s%u) %s", what, c.l1 ? 1 : 2, c.l1 ? "wg" : "dev", c.number, location);
  rules_rule(x->r, place, guard, false);
}

/* ---- locks on lines ---- */

static const char *line_locked(const struct gpu_text *x, unsigned w, unsigned line) {
  const struct gpu *g = x->g;
  const char *name = gpu_name_line_lock(x, g->wg_dev[w], line), *locked = RULES_FALSE;
  for (unsigned t = 0; t < g->thread_count; t++)
    if (g->threads[t].dev == g->wg_dev[w] && (g->threads[t].wg != w || g->knobs.line_blocks == LINE_BLOCKS_ALL))
      locked = rules_or(x->r, locked, rules_is(x->r, name, t + 1));
  return locked;
}

static const char *blocks_fetch(const struct gpu_text *x, unsigned w, unsigned line) {
  unsigned blocks = x->g->knobs.line_blocks;
  if (!x->g->locks_lines || blocks == LINE_BLOCKS_WRITE_BACK || blocks == LINE_BLOCKS_NOTHING) return RULES_FALSE;
  return line_locked(x, w, line);
}

static const char *flush_behind(const struct gpu_text *x, struct gpu_text_cache c, unsigned i) {
  const char *behind = RULES_FALSE;
  while (++i < c.cache->capacity)
    behind = rules_or(x->r, behind,
                      rules_compare(x->r, gpu_name_entry(x, c, i), CMP_GT, rules_number(x->r, x->g->line_count)));
  return behind;
}

static const char *blocks_write_back(const struct gpu_text *x, unsigned w, unsigned line, unsigned i) {
  unsigned blocks = x->g->knobs.line_blocks;
  if (!x->g->locks_lines || blocks == LINE_BLOCKS_FETCH || blocks == LINE_BLOCKS_NOTHING) return RULES_FALSE;
  const char *locked = line_locked(x, w, line);
  if (blocks != LINE_BLOCKS_UNFLUSHED || locked == RULES_FALSE) return locked;
  return rules_and(x->r, locked, rules_not(x->r, flush_behind(x, gpu_text_l1(x, w), i)));
}

/* ---- write-backs ---- */

/* The line's address is entry i, and not before it. */
static const char *is_first(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, unsigned i) {
  const char *first = gpu_text_holds(x, c, i, entry_of_line(line));
  for (unsigned k = 0; k < i; k++)
    first = rules_and(x->r, first, rules_not(x->r, gpu_text_holds(x, c, k, entry_of_line(line))));
  return first;
}

static void write_back(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, unsigned i) {
  const char *guard = rules_and(x->r, is_first(x, c, line, i), gpu_text_dirty(x, c, line));
  unsigned dev = c.l1 ? x->g->wg_dev[c.number] : c.number;
  if (c.l1) guard = rules_and(x->r, guard, rules_not(x->r, blocks_write_back(x, c.number, line, i)));
  if (c.l1 && !x->g->flat) guard = rules_and(x->r, guard, gpu_text_has_entry(x, gpu_text_l2(x, dev), line));
  if (guard == RULES_FALSE) return;
  begin(x, "WB", c, line, guard);
  gpu_text_remove(x, c, i);
  if (c.l1)
    gpu_text_write_l2(x, dev, line, gpu_name_value(x, c, line));
  else
    rules_set(x->r, gpu_name_memory(x, line), gpu_name_value(x, c, line));
  gpu_text_clean_line(x, c, line);
  rules_end_rule(x->r);
}

static void write_backs(const struct gpu_text *x, struct gpu_text_cache c) {
  unsigned entries = x->g->knobs.write_back == WRITE_BACK_FIFO && c.cache->capacity ? 1 : c.cache->capacity;
  for (unsigned i = 0; i < entries; i++)
    for (unsigned line = 0; line < x->g->line_count; line++) write_back(x, c, line, i);
}

/* ---- INVs that were posted ---- */

static void acknowledge(const struct gpu_text *x, unsigned w, unsigned t) {
  const struct gpu *g = x->g;
  const char *rest = RULES_FALSE;
  rules_set(x->r, gpu_name_posted(x, w, t), "0");
  if (!g->threads[t].owed.bits) return;
  for (unsigned v = 0; v < g->wg_count; v++) rest = rules_or(x->r, rest, rules_is(x->r, gpu_name_posted(x, v, t), 1));
  rules_if(x->r, rules_not(x->r, rest));
  rules_if(x->r, rules_is(x->r, gpu_name_thread(x, "owes_rmw", t), 1));
  rules_set(x->r, gpu_name_thread(x, "owes_rmw", t), "0");
  gpu_text_release_rmw(x, t);
  rules_end_if(x->r, false);
  rules_if(x->r, rules_is(x->r, gpu_name_thread(x, "owes_lines", t), 1));
  rules_set(x->r, gpu_name_thread(x, "owes_lines", t), "0");
  gpu_text_release_lines(x, t);
  rules_end_if(x->r, false);
  rules_end_if(x->r, false);
}

static void posted_invalidations(const struct gpu_text *x, unsigned w) {
  struct gpu_text_cache c = gpu_text_l1(x, w);
  for (unsigned t = 0; t < x->g->thread_count; t++) {
    const char *guard = rules_is(x->r, gpu_name_posted(x, w, t), 1);
    if (x->g->knobs.invalidate == INVALIDATE_DRAIN) guard = rules_and(x->r, guard, gpu_text_clean(x, c));
    rules_rule(x->r, arena_printf(x->r->arena, "INV1(wg%u) of P%u", w, t), guard, false);
    gpu_text_invalidate(x, c);
    acknowledge(x, w, t);
    rules_end_rule(x->r);
  }
}

/* ---- fetches, evictions ---- */

static void fetch(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, const char *guard,
                  const char *from) {
  const char *value = gpu_name_value(x, c, line);
  const char *same = rules_and(x->r, gpu_text_in_state(x, c, line, CV), rules_compare(x->r, value, CMP_EQ, from));
  guard = rules_and(x->r, guard, rules_not(x->r, gpu_text_dirty(x, c, line)));
  guard = rules_and(x->r, guard, rules_not(x->r, same));
  begin(x, "FETCH", c, line, rules_and(x->r, rules_not(x->r, gpu_text_finished(x)), guard));
  rules_set(x->r, gpu_name_state(x, c, line), rules_number(x->r, CV));
  rules_set(x->r, value, from);
  rules_end_rule(x->r);
}

static void evict(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, const char *when) {
  const char *guard = rules_and(x->r, when, gpu_text_in_state(x, c, line, CV));
  if (guard == RULES_FALSE) return;
  begin(x, "EVICT", c, line, rules_and(x->r, rules_not(x->r, gpu_text_finished(x)), guard));
  gpu_text_drop(x, c, line);
  rules_end_rule(x->r);
}

static void fetches_into_l1(const struct gpu_text *x, unsigned w) {
  struct gpu_text_cache c = gpu_text_l1(x, w);
  unsigned dev = x->g->wg_dev[w];
  for (unsigned line = 0; line < x->g->line_count; line++) {
    const char *guard = rules_not(x->r, blocks_fetch(x, w, line));
    guard = rules_and(x->r, guard, gpu_text_readable(x, dev, line));
    guard = rules_and(x->r, guard, gpu_text_room(x, c, line));
    fetch(x, c, line, guard, gpu_text_l2_value(x, dev, line));
    evict(x, c, line, x->g->knobs.evict_clean ? RULES_TRUE : gpu_text_full(x, c));
  }
}

static void fetches_into_l2(const struct gpu_text *x, unsigned d) {
  struct gpu_text_cache c = gpu_text_l2(x, d);
  for (unsigned line = 0; line < x->g->line_count; line++) {
    fetch(x, c, line, RULES_TRUE, gpu_name_memory(x, line));
    evict(x, c, line, x->g->knobs.evict_clean ? RULES_TRUE : RULES_FALSE);
  }
}

void gpu_text_environment(const struct gpu_text *x) {
  const struct gpu *g = x->g;
  for (unsigned w = 0; w < g->wg_count; w++) {
    write_backs(x, gpu_text_l1(x, w));
    if (g->posts) posted_invalidations(x, w);
    fetches_into_l1(x, w);
  }
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++) {
    write_backs(x, gpu_text_l2(x, d));
    fetches_into_l2(x, d);
  }
}
