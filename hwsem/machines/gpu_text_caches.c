/* SPDX-License-Identifier: MIT */
/* One cache of the GPU as text: what gpu_cache.c does, by variables. */
#include <ctype.h>

#include "hwsem/machines/gpu_text.h"

/* ---- names ---- */

const char *gpu_name_thread(const struct gpu_text *x, const char *what, unsigned t) {
  return arena_printf(x->r->arena, "%s_%u", what, t);
}

/* A name as an identifier, told from all others by its number where it is none. */
static const char *identifier(const struct gpu_text *x, const char *name, unsigned number) {
  char *text = arena_strdup(x->r->arena, name);
  bool plain = true;
  for (char *at = text; *at; at++) {
    if (isalnum((unsigned char)*at)) continue;
    *at = '_';
    plain = false;
  }
  return plain ? text : arena_printf(x->r->arena, "%s_%u", text, number);
}

static const char *location_name(const struct gpu_text *x, unsigned location) {
  return identifier(x, x->g->program->program->locations[location].name, location);
}

static const char *line_name(const struct gpu_text *x, unsigned line) {
  return location_name(x, x->g->location_of[line]);
}

const char *gpu_name_register(const struct gpu_text *x, unsigned t, unsigned reg) {
  const struct thread *thread = x->g->threads[t].code->thread;
  const char *name = reg < thread->reg_count ? thread->reg_names[reg] : NULL;
  return name ? arena_printf(x->r->arena, "P%u_%s", t, identifier(x, name, reg))
              : arena_printf(x->r->arena, "temporary_%u_%u", t, reg);
}

const char *gpu_name_memory(const struct gpu_text *x, unsigned line) {
  return arena_printf(x->r->arena, "mem_%s", line_name(x, line));
}

const char *gpu_name_local(const struct gpu_text *x, unsigned location) {
  return arena_printf(x->r->arena, "local_%s", location_name(x, location));
}

/* A procedure of a cache, such as tidy_l1_0. */
static const char *gpu_name_of(const struct gpu_text *x, const char *procedure, struct gpu_text_cache c) {
  return arena_printf(x->r->arena, "%s_%s_%u", procedure, c.l1 ? "l1" : "l2", c.number);
}

static const char *name_line(const struct gpu_text *x, struct gpu_text_cache c, const char *what, unsigned line) {
  return arena_printf(x->r->arena, "%s_%s", gpu_name_of(x, what, c), line_name(x, line));
}

const char *gpu_name_state(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  return name_line(x, c, "state", line);
}

const char *gpu_name_value(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  return name_line(x, c, "value", line);
}

const char *gpu_name_entry(const struct gpu_text *x, struct gpu_text_cache c, unsigned i) {
  return arena_printf(x->r->arena, "%s_%u", gpu_name_of(x, "queue", c), i);
}

const char *gpu_name_rmw(const struct gpu_text *x, struct gpu_text_cache c) {
  return gpu_name_of(x, "rmw", c);
}

const char *gpu_name_line_lock(const struct gpu_text *x, unsigned dev, unsigned line) {
  return arena_printf(x->r->arena, "lock_%u_%s", dev, line_name(x, line));
}

const char *gpu_name_begun(const struct gpu_text *x, unsigned w) {
  return arena_printf(x->r->arena, "begun_%u", w);
}

const char *gpu_name_posted(const struct gpu_text *x, unsigned w, unsigned t) {
  return arena_printf(x->r->arena, "posted_%u_%u", w, t);
}

/* ---- lines ---- */

const char *gpu_text_in_state(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, enum line_state state) {
  if (c.cache->lines[line].state.bits < 2 && state > CV) return RULES_FALSE;
  return rules_is(x->r, gpu_name_state(x, c, line), state);
}

const char *gpu_text_dirty(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  if (c.cache->lines[line].state.bits < 2) return RULES_FALSE;
  return rules_compare(x->r, gpu_name_state(x, c, line), CMP_GE, rules_number(x->r, DV));
}

static const char *kept(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  return rules_or(x->r, gpu_text_in_state(x, c, line, CV), gpu_text_in_state(x, c, line, DV));
}

const char *gpu_text_clean(const struct gpu_text *x, struct gpu_text_cache c) {
  const char *clean = RULES_TRUE;
  for (unsigned line = 0; line < x->g->line_count; line++)
    clean = rules_and(x->r, clean, rules_not(x->r, gpu_text_dirty(x, c, line)));
  return clean;
}

const char *gpu_text_full(const struct gpu_text *x, struct gpu_text_cache c) {
  unsigned room = gpu_capacity(x->g->knobs.l1_lines);
  const char *count = "0";
  if (!room) return RULES_FALSE;
  for (unsigned line = 0; line < x->g->line_count; line++)
    count = rules_operation(x->r, count, "+", rules_choose(x->r, kept(x, c, line), "1", "0"));
  return rules_compare(x->r, count, CMP_GE, rules_number(x->r, room));
}

const char *gpu_text_room(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  return rules_or(x->r, kept(x, c, line), rules_not(x->r, gpu_text_full(x, c)));
}

const char *gpu_text_readable(const struct gpu_text *x, unsigned dev, unsigned line) {
  return x->g->flat ? RULES_TRUE : kept(x, gpu_text_l2(x, dev), line);
}

const char *gpu_text_l2_value(const struct gpu_text *x, unsigned dev, unsigned line) {
  return x->g->flat ? gpu_name_memory(x, line) : gpu_name_value(x, gpu_text_l2(x, dev), line);
}

/* ---- queues ---- */

const char *gpu_text_holds(const struct gpu_text *x, struct gpu_text_cache c, unsigned i, unsigned entry) {
  return i < c.cache->capacity ? rules_is(x->r, gpu_name_entry(x, c, i), entry) : entry ? RULES_FALSE : RULES_TRUE;
}

const char *gpu_text_empty(const struct gpu_text *x, struct gpu_text_cache c) {
  return gpu_text_holds(x, c, 0, 0);
}

static const char *has_entries(const struct gpu_text *x, struct gpu_text_cache c) {
  unsigned entries = gpu_capacity(x->g->knobs.fifo_entries);
  return entries && entries <= c.cache->capacity ? gpu_text_holds(x, c, entries - 1, 0) : RULES_TRUE;
}

const char *gpu_text_has_entry(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  const char *queued = gpu_queues_again(&x->g->knobs) ? RULES_FALSE : gpu_text_dirty(x, c, line);
  return rules_or(x->r, queued, has_entries(x, c));
}

const char *gpu_text_has_marker_entry(const struct gpu_text *x, struct gpu_text_cache c) {
  return rules_or(x->r, gpu_text_empty(x, c), has_entries(x, c));
}

const char *gpu_text_marked(const struct gpu_text *x, struct gpu_text_cache c, unsigned t) {
  const char *marked = RULES_FALSE;
  for (unsigned i = 0; i < c.cache->capacity; i++)
    marked = rules_or(x->r, marked, gpu_text_holds(x, c, i, entry_of_flush(x->g, t)));
  return marked;
}

/* The line's address is the last that is queued. */
static const char *is_last(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  const char *last = RULES_FALSE;
  for (unsigned i = 0; i < c.cache->capacity; i++)
    last = rules_or(x->r, last,
                    rules_and(x->r, gpu_text_holds(x, c, i, entry_of_line(line)), gpu_text_holds(x, c, i + 1, 0)));
  return last;
}

static const char *queued_twice(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  const char *twice = RULES_FALSE;
  for (unsigned i = 0; i < c.cache->capacity; i++)
    for (unsigned k = 0; k < i; k++)
      twice = rules_or(
          x->r, twice,
          rules_and(x->r, gpu_text_holds(x, c, i, entry_of_line(line)), gpu_text_holds(x, c, k, entry_of_line(line))));
  return twice;
}

void gpu_text_append(const struct gpu_text *x, struct gpu_text_cache c, unsigned entry) {
  unsigned last = c.cache->capacity - 1;
  for (unsigned i = 0; i < last; i++) {
    rules_if(x->r, gpu_text_holds(x, c, i, 0));
    rules_set(x->r, gpu_name_entry(x, c, i), rules_number(x->r, entry));
    rules_else(x->r);
  }
  rules_set(x->r, gpu_name_entry(x, c, last), rules_number(x->r, entry));
  for (unsigned i = 0; i < last; i++) rules_end_if(x->r, true);
}

void gpu_text_remove(const struct gpu_text *x, struct gpu_text_cache c, unsigned i) {
  for (; i + 1 < c.cache->capacity; i++) rules_set(x->r, gpu_name_entry(x, c, i), gpu_name_entry(x, c, i + 1));
  rules_set(x->r, gpu_name_entry(x, c, c.cache->capacity - 1), "0");
}

/* A head that is a marker, or the address of a line that is not dirty. */
static const char *head_is_done(const struct gpu_text *x, struct gpu_text_cache c) {
  const char *head = gpu_name_entry(x, c, 0);
  const char *done = rules_compare(x->r, head, CMP_GT, rules_number(x->r, x->g->line_count));
  for (unsigned line = 0; line < x->g->line_count; line++)
    done = rules_or(
        x->r, done,
        rules_and(x->r, gpu_text_holds(x, c, 0, entry_of_line(line)), rules_not(x->r, gpu_text_dirty(x, c, line))));
  return done;
}

void gpu_text_tidy(const struct gpu_text *x, struct gpu_text_cache c) {
  if (c.cache->capacity) rules_call(x->r, gpu_name_of(x, "tidy", c));
}

static void tidy_procedure(const struct gpu_text *x, struct gpu_text_cache c) {
  rules_procedure(x->r, gpu_name_of(x, "tidy", c));
  for (unsigned i = 0; i < c.cache->capacity; i++) {
    rules_if(x->r, head_is_done(x, c));
    gpu_text_remove(x, c, 0);
  }
  for (unsigned i = 0; i < c.cache->capacity; i++) rules_end_if(x->r, false);
  rules_end_procedure(x->r);
}

/* ---- changes of lines ---- */

/* A line that is absent keeps the value that all do at first. */
void gpu_text_drop(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  const struct domain *domain = c.cache->lines[line].value.domain;
  rules_set(x->r, gpu_name_state(x, c, line), rules_number(x->r, ABSENT));
  rules_set(x->r, gpu_name_value(x, c, line), rules_number(x->r, domain->count ? domain->values[0] : 0));
}

void gpu_text_invalidate(const struct gpu_text *x, struct gpu_text_cache c) {
  if (x->g->line_count) rules_call(x->r, gpu_name_of(x, "invalidate", c));
}

static void invalidate_procedure(const struct gpu_text *x, struct gpu_text_cache c) {
  bool drops = x->g->knobs.invalidate == INVALIDATE_DROP, marks = x->g->knobs.invalidate == INVALIDATE_MARK;
  rules_procedure(x->r, gpu_name_of(x, "invalidate", c));
  for (unsigned line = 0; line < x->g->line_count; line++) {
    const char *marked = marks ? gpu_text_in_state(x, c, line, DV) : RULES_FALSE;
    rules_if(x->r, drops ? rules_not(x->r, gpu_text_in_state(x, c, line, ABSENT)) : gpu_text_in_state(x, c, line, CV));
    gpu_text_drop(x, c, line);
    if (marked != RULES_FALSE) {
      rules_else(x->r);
      rules_if(x->r, marked);
      rules_set(x->r, gpu_name_state(x, c, line), rules_number(x->r, DI));
      rules_end_if(x->r, false);
    }
    rules_end_if(x->r, marked != RULES_FALSE);
  }
  if (drops) gpu_text_tidy(x, c);
  rules_end_procedure(x->r);
}

void gpu_text_write(const struct gpu_text *x, struct gpu_text_cache c, unsigned line, const char *value) {
  const struct gpu_knobs *knobs = &x->g->knobs;
  const char *queue_it = rules_not(x->r, gpu_text_dirty(x, c, line));
  if (knobs->duplicates) queue_it = rules_or(x->r, queue_it, rules_not(x->r, is_last(x, c, line)));
  if (gpu_queues_again(knobs)) queue_it = rules_and(x->r, queue_it, rules_not(x->r, queued_twice(x, c, line)));
  const char *around = knobs->allocate == ALLOCATE_NO ? rules_not(x->r, kept(x, c, line)) : RULES_FALSE;
  rules_if(x->r, queue_it);
  gpu_text_append(x, c, entry_of_line(line));
  rules_end_if(x->r, false);
  rules_set(x->r, gpu_name_state(x, c, line),
            rules_choose(x->r, around, rules_number(x->r, DI), rules_number(x->r, DV)));
  rules_set(x->r, gpu_name_value(x, c, line), value);
}

void gpu_text_clean_line(const struct gpu_text *x, struct gpu_text_cache c, unsigned line) {
  rules_if(x->r, gpu_text_in_state(x, c, line, DI));
  gpu_text_drop(x, c, line);
  rules_else(x->r);
  rules_set(x->r, gpu_name_state(x, c, line), rules_number(x->r, CV));
  rules_end_if(x->r, true);
  gpu_text_tidy(x, c);
}

void gpu_text_write_l2(const struct gpu_text *x, unsigned dev, unsigned line, const char *value) {
  if (x->g->flat)
    rules_set(x->r, gpu_name_memory(x, line), value);
  else
    gpu_text_write(x, gpu_text_l2(x, dev), line, value);
}

void gpu_text_procedures(const struct gpu_text *x) {
  unsigned l2_count = x->g->flat ? 0 : x->g->dev_count;
  for (unsigned i = 0; x->g->line_count && i < x->g->wg_count + l2_count; i++) {
    struct gpu_text_cache c = i < x->g->wg_count ? gpu_text_l1(x, i) : gpu_text_l2(x, i - x->g->wg_count);
    if (c.cache->capacity) tidy_procedure(x, c);
    invalidate_procedure(x, c);
  }
}
