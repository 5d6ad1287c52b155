/* SPDX-License-Identifier: MIT */
/* Builds the GPU machine for a program: numbers lines and cells, finds dead
 * registers, and lays the packed state out. */
#include <assert.h>
#include <stdlib.h>

#include "checker/base/array.h"
#include "checker/program/outcome.h"
#include "hwsem/machines/gpu_state.h"

struct builder {
  struct arena *arena;
  struct gpu *g;
  const struct hw_program *program;
  struct diags *diags;
  uint32_t bits; /* laid out so far */
};

static unsigned bits_for(uint64_t values) {
  unsigned bits = 0;
  while (bits < 63 && (UINT64_C(1) << bits) < values) bits++;
  return bits;
}

static struct field lay(struct builder *b, unsigned bits) {
  if (b->bits % 64 + bits > 64) b->bits = (b->bits + 63) & ~63u;
  struct field f = {ones(bits), b->bits, bits};
  b->bits += bits;
  return f;
}

static struct gpu_cell lay_cell(struct builder *b, const struct domain *domain) {
  return (struct gpu_cell){lay(b, domain->bits), domain};
}

/* Locations: lines of the caches, and cells of local memory. */

static void number_locations(struct builder *b) {
  const struct program *program = b->program->program;
  struct gpu *g = b->g;
  g->line_of = ARENA_ARRAY(b->arena, int, program->location_count + 1);
  g->location_of = ARENA_ARRAY(b->arena, unsigned, program->location_count + 1);
  for (unsigned i = 0; i < program->location_count; i++) {
    if (program->locations[i].region == REGION_LOCAL) {
      g->line_of[i] = -1 - (int)g->local_count++;
    } else {
      g->location_of[g->line_count] = i;
      g->line_of[i] = (int)g->line_count++;
    }
  }
}

bool gpu_touches(const struct gpu *g, const struct hw_instr *instr, int line) {
  if (!hw_is_access(instr->op)) return false;
  for (unsigned i = 0; i < address_cells(&instr->address); i++)
    if (g->line_of[instr->address.base + i] == line) return true;
  return false;
}

/* Lines read at or after each instruction: `level_limit` LEVEL_L1 counts what is
 * read in the L1, LEVEL_L2 also what is done in the L2. */
static uint64_t *find_future_reads(struct builder *b, const struct hw_thread *code, enum hw_level level_limit) {
  uint64_t *future = ARENA_ARRAY(b->arena, uint64_t, code->instr_count + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned pc = code->instr_count; pc-- > 0;) {
      const struct hw_instr *instr = &code->instrs[pc];
      uint64_t set = instr->op == HW_JUMP ? 0 : future[pc + 1];
      if (hw_jumps(instr->op)) set |= future[instr->destination];
      bool reads =
          hw_is_access(instr->op) && instr->level <= level_limit && (instr->op != HW_ST || instr->level > LEVEL_L1);
      for (unsigned x = 0; reads && x < b->g->line_count && x < 64; x++)
        if (gpu_touches(b->g, instr, (int)x)) set |= UINT64_C(1) << x;
      changed |= set != future[pc];
      future[pc] = set;
    }
  }
  return future;
}

/* Registers.  Live: read on some way on, or observed at the end. Set: written
 * on some way here, or not zero at the start.  Dead is set and not live. */

static uint64_t reg_bit(int reg) {
  return reg >= 0 && reg < 64 ? UINT64_C(1) << reg : 0;
}

static bool add_bit(void *context, unsigned reg) {
  *(uint64_t *)context |= reg_bit((int)reg);
  return true;
}

static uint64_t used(const struct hw_instr *instr) {
  uint64_t bits = 0;
  expr_registers(instr->value, add_bit, &bits);
  expr_registers(instr->expected, add_bit, &bits);
  expr_registers(instr->address.index, add_bit, &bits);
  return bits;
}

static uint64_t written(const struct hw_instr *instr) {
  return reg_bit(instr->reg) | reg_bit(instr->old_reg);
}

static void successors_of(const struct hw_thread *code, unsigned pc, unsigned next[2], unsigned *count) {
  const struct hw_instr *instr = &code->instrs[pc];
  *count = 0;
  if (instr->op != HW_JUMP) next[(*count)++] = pc + 1;
  if (hw_jumps(instr->op)) next[(*count)++] = instr->destination;
}

static uint64_t observed(const struct gpu *g, unsigned count, unsigned t) {
  uint64_t set = 0;
  for (unsigned i = 0; i < count; i++)
    if (g->observables[i].thread == (int)t) set |= reg_bit((int)g->observables[i].index);
  return set;
}

static void find_live(const struct hw_thread *code, uint64_t *live) {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned pc = code->instr_count; pc-- > 0;) {
      const struct hw_instr *instr = &code->instrs[pc];
      unsigned next[2], count;
      uint64_t set = 0;
      successors_of(code, pc, next, &count);
      for (unsigned i = 0; i < count; i++) set |= live[next[i]];
      set = (set & ~written(instr)) | used(instr);
      changed |= set != live[pc];
      live[pc] = set;
    }
  }
}

static void find_set(const struct hw_thread *code, uint64_t *set) {
  for (unsigned r = 0; r < code->reg_count; r++)
    if (code->reg_init[r]) set[0] |= reg_bit((int)r);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned pc = 0; pc < code->instr_count; pc++) {
      unsigned next[2], count;
      uint64_t after = set[pc] | written(&code->instrs[pc]);
      successors_of(code, pc, next, &count);
      for (unsigned i = 0; i < count; i++) {
        changed |= (after & ~set[next[i]]) != 0;
        set[next[i]] |= after;
      }
    }
  }
}

static void find_dead(struct builder *b, unsigned t, unsigned observable_count) {
  struct gpu_thread *thread = &b->g->threads[t];
  const struct hw_thread *code = thread->code;
  uint64_t *live = ARENA_ARRAY(b->arena, uint64_t, code->instr_count + 1);
  uint64_t *set = ARENA_ARRAY(b->arena, uint64_t, code->instr_count + 1);
  live[code->instr_count] = observed(b->g, observable_count, t);
  find_live(code, live);
  find_set(code, set);
  for (unsigned pc = 0; pc <= code->instr_count; pc++) set[pc] &= ~live[pc];
  thread->dead = set;
}

/* Widths. */

static void widen(unsigned *bits, int64_t value) {
  uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;
  unsigned needed = magnitude ? 65 - (unsigned)__builtin_clzll(magnitude) : 1;
  if (needed > *bits) *bits = needed;
}

static void widen_by_expr(unsigned *bits, const struct expr *e) {
  if (!e) return;
  if (e->kind == EXPR_CONST) widen(bits, e->value);
  widen_by_expr(bits, e->a);
  widen_by_expr(bits, e->b);
  widen_by_expr(bits, e->c);
}

/* Bits for the program's constants, and for the sum of those that are added. */
static unsigned first_guess(const struct builder *b) {
  unsigned bits = 2;
  int64_t sum = 0;
  const struct program *program = b->program->program;
  for (unsigned i = 0; i < program->location_count; i++) widen(&bits, program->locations[i].init);
  ARRAY_EACH (const struct hw_thread, code, b->program->threads, b->program->thread_count) {
    for (unsigned r = 0; r < code->reg_count; r++) widen(&bits, code->reg_init[r]);
    ARRAY_EACH (const struct hw_instr, instr, code->instrs, code->instr_count) {
      widen_by_expr(&bits, instr->value);
      widen_by_expr(&bits, instr->expected);
      bool adds = instr->op == HW_RMW && !instr->cas && instr->function == RMW_ADD;
      if (adds && instr->value->kind == EXPR_CONST) {
        __builtin_add_overflow(sum, instr->value->value, &sum);
        widen(&bits, sum);
      }
    }
  }
  return bits;
}

static bool has_op(const struct hw_thread *code, enum hw_op op) {
  for (unsigned i = 0; i < code->instr_count; i++)
    if (code->instrs[i].op == op) return true;
  return false;
}

static bool any_op(const struct hw_program *program, enum hw_op op) {
  for (unsigned t = 0; t < program->thread_count; t++)
    if (has_op(&program->threads[t], op)) return true;
  return false;
}

static bool may_dirty(const struct gpu *g, unsigned t, enum hw_level level, unsigned x) {
  const struct hw_thread *code = g->threads[t].code;
  ARRAY_EACH (const struct hw_instr, instr, code->instrs, code->instr_count) {
    bool beyond = instr->level == LEVEL_GL || (level == LEVEL_L1 && instr->level == LEVEL_L2);
    if (instr->op != HW_LD && !beyond && gpu_touches(g, instr, (int)x)) return true;
  }
  return false;
}

/* Whether the line can become dirty in the cache. */
static bool is_dirtied(const struct gpu *g, const struct cache *cache, unsigned x) {
  for (unsigned t = 0; t < g->thread_count; t++)
    if (cache_serves(cache, &g->threads[t]) && may_dirty(g, t, cache->level, x)) return true;
  return false;
}

static bool may_flush(const struct gpu *g, unsigned t, const struct cache *cache) {
  const struct gpu_thread *thread = &g->threads[t];
  ARRAY_EACH (const struct hw_instr, instr, thread->code->instrs, thread->code->instr_count)
    if (instr->op == HW_FLU && gpu_reaches(g, thread, instr, cache)) return true;
  return false;
}

/* Entries a queue may hold: lines that can become dirty, and one marker a
 * thread. */
static unsigned queue_capacity(const struct gpu *g, const struct cache *cache) {
  unsigned capacity = 0;
  for (unsigned x = 0; x < g->line_count; x++) capacity += is_dirtied(g, cache, x);
  if (capacity == 0) return 0; /* never written to: never flushed */
  if (gpu_queues_again(&g->knobs)) capacity += capacity;
  for (unsigned t = 0; t < g->thread_count; t++) capacity += may_flush(g, t, cache);
  unsigned entries = gpu_capacity(g->knobs.fifo_entries);
  return entries && entries < capacity ? entries : capacity;
}

/* Layout. */

static bool is_dirtied_anywhere(const struct gpu *g, unsigned x) {
  for (unsigned t = 0; t < g->thread_count; t++)
    if (may_dirty(g, t, LEVEL_L1, x) || (!g->flat && may_dirty(g, t, LEVEL_L2, x))) return true;
  return false;
}

static void lay_slots(struct builder *b) {
  struct gpu *g = b->g;
  struct gpu_slots *slots = &g->slots;
  unsigned at = 0;
  slots->slot = ARENA_ARRAY(b->arena, uint64_t, g->line_count + 1);
  slots->at = ARENA_ARRAY(b->arena, uint8_t, g->line_count + 1);
  for (unsigned x = 0; x < g->line_count; x++) {
    unsigned value = g->domains[g->location_of[x]]->bits, state = is_dirtied_anywhere(g, x) ? 2 : 1;
    if (at + value + state > 64) return;
    assert(value < 64 && at + value < 64);
    slots->slot[x] = ones(value + state) << at;
    slots->at[x] = (uint8_t)at;
    slots->values |= ones(value) << at;
    at += value;
    slots->low |= UINT64_C(1) << at;
    slots->line_at[at] = (uint8_t)x;
    if (state == 2) slots->high |= UINT64_C(2) << at;
    at += state;
  }
  slots->bits = at;
}

/* The part of a field from bit `from` on. */
static struct field part(struct field whole, unsigned from, unsigned bits) {
  return (struct field){ones(bits), whole.at + from, bits};
}

static void lay_lines(struct builder *b, struct cache *cache) {
  struct gpu *g = b->g;
  cache->slots = lay(b, g->slots.bits);
  for (unsigned x = 0; x < g->line_count; x++) {
    const struct domain *domain = g->domains[g->location_of[x]];
    struct gpu_line *line = &cache->lines[x];
    unsigned state = is_dirtied(g, cache, x) ? 2 : 1;
    if (g->slots.bits) {
      unsigned at = g->slots.at[x];
      line->value = (struct gpu_cell){part(cache->slots, at, domain->bits), domain};
      line->state = part(cache->slots, at + domain->bits, state);
    } else {
      line->state = lay(b, state);
      line->value = lay_cell(b, domain);
    }
  }
}

static bool lay_cache(struct builder *b, struct cache *cache) {
  struct gpu *g = b->g;
  cache->capacity = queue_capacity(g, cache);
  if (cache->capacity * g->entry_bits > 128)
    return diag_error(
        b->diags, b->program->program->source, (struct span){0, 0},
        "too many threads and locations for the GPU machine: a queue of %u entries of %u bits does not fit",
        cache->capacity, g->entry_bits);
  cache->queue = lay(b, cache->capacity * g->entry_bits);
  cache->lines = ARENA_ARRAY(b->arena, struct gpu_line, g->line_count + 1);
  lay_lines(b, cache);
  return true;
}

static struct field *lay_array(struct builder *b, unsigned count, unsigned bits) {
  struct field *fields = ARENA_ARRAY(b->arena, struct field, count + 1);
  for (unsigned i = 0; i < count; i++) fields[i] = lay(b, bits);
  return fields;
}

static void lay_threads(struct builder *b) {
  struct gpu *g = b->g;
  unsigned phases = g->knobs.broadcast == BROADCAST_AT_ONCE ? 2 : 1 + g->wg_count + g->dev_count;
  ARRAY_EACH (struct gpu_thread, thread, g->threads, g->thread_count) {
    bool waits = has_op(thread->code, HW_FLU) || (phases > 2 && has_op(thread->code, HW_INV));
    thread->pc = lay(b, bits_for(thread->code->instr_count + (uint64_t)1));
    thread->phase = lay(b, waits ? bits_for(phases) : 0);
    thread->regs = ARENA_ARRAY(b->arena, struct gpu_cell, thread->code->reg_count + 1);
    for (unsigned r = 0; r < thread->code->reg_count; r++) thread->regs[r] = lay_cell(b, thread->domains[r]);
  }
}

static void lay_locks(struct builder *b) {
  struct gpu *g = b->g;
  unsigned holders = bits_for(g->thread_count + (uint64_t)1);
  bool rmw = any_op(b->program, HW_LOCK_RMW), line = any_op(b->program, HW_LOCK_LINE);
  g->locks_lines = line;
  g->meets = any_op(b->program, HW_MEET);
  g->rmw1 = lay_array(b, g->wg_count, rmw ? holders : 0);
  g->rmw2 = lay_array(b, g->dev_count, rmw && b->program->system ? holders : 0);
  g->lk = lay_array(b, g->dev_count * g->line_count, line ? holders : 0);
  g->posts = g->knobs.posted != POSTED_AT_ONCE && hw_program_posts(b->program);
  g->posted = lay_array(b, g->wg_count, g->posts ? g->thread_count : 0);
  g->begun = lay_array(b, g->wg_count, rmw && g->knobs.stalls != STALLS_LOCK);
  for (unsigned t = 0; t < g->thread_count; t++)
    g->threads[t].owed = lay(b, g->posts && g->knobs.posted == POSTED_ACKED ? 2 : 0);
}

static void lay_memory(struct builder *b) {
  struct gpu *g = b->g;
  g->memory = ARENA_ARRAY(b->arena, struct gpu_cell, g->line_count + 1);
  g->local = ARENA_ARRAY(b->arena, struct gpu_cell, g->local_count + 1);
  for (unsigned i = 0; i < b->program->program->location_count; i++) {
    int line = g->line_of[i];
    *(line >= 0 ? &g->memory[line] : &g->local[-1 - line]) = lay_cell(b, g->domains[i]);
  }
}

static bool lay_out(struct builder *b) {
  struct gpu *g = b->g;
  lay_slots(b);
  lay_threads(b);
  lay_locks(b);
  g->entry_bits = bits_for(1 + (uint64_t)g->line_count + g->thread_count);
  lay_memory(b);
  for (unsigned c = 0; c < g->cache_count; c++)
    if (!lay_cache(b, &g->caches[c])) return false;
  g->state_size = (b->bits + 7) / 8;
  if (g->state_size <= GPU_MAX_STATE) return true;
  return diag_error(b->diags, b->program->program->source, (struct span){0, 0},
                    "the program is too large for the GPU machine: a state of %zu bytes, at most %d are possible",
                    g->state_size, GPU_MAX_STATE);
}

static void place_threads(struct builder *b) {
  struct gpu *g = b->g;
  const struct program *program = b->program->program;
  g->thread_count = program->thread_count;
  g->wg_count = program->wg_count;
  g->dev_count = program->dev_count;
  g->threads = ARENA_ARRAY(b->arena, struct gpu_thread, g->thread_count + 1);
  g->wg_dev = ARENA_ARRAY(b->arena, unsigned, g->wg_count + 1);
  for (unsigned t = 0; t < g->thread_count; t++) {
    g->threads[t].code = &b->program->threads[t];
    g->threads[t].wg = program->threads[t].wg;
    g->threads[t].dev = program->threads[t].dev;
    g->wg_dev[g->threads[t].wg] = g->threads[t].dev;
  }
}

static bool stays_on_device(const struct hw_program *program) {
  return program->program->dev_count <= 1 && !program->system;
}

bool gpu_l2_is_memory(const struct hw_program *program, const struct gpu_knobs *knobs) {
  return knobs->l2 == L2_MEMORY || (knobs->l2 == L2_AUTO && stays_on_device(program));
}

static bool choose_l2(struct builder *b) {
  struct gpu *g = b->g;
  g->flat = gpu_l2_is_memory(b->program, &g->knobs);
  if (!g->flat || stays_on_device(b->program)) return true;
  return diag_error(b->diags, b->program->program->source, (struct span){0, 0},
                    "the L2 cannot be plain memory here: the program %s",
                    g->dev_count > 1 ? "runs on several devices" : "has operations of system scope");
}

static void place_caches(struct builder *b) {
  struct gpu *g = b->g;
  g->cache_count = g->wg_count + (g->flat ? 0 : g->dev_count);
  g->caches = ARENA_ARRAY(b->arena, struct cache, g->wg_count + g->dev_count + 1);
  g->l1 = g->caches;
  g->l2 = g->caches + g->wg_count;
  for (unsigned w = 0; w < g->wg_count; w++)
    g->l1[w] = (struct cache){.level = LEVEL_L1, .owner = w, .dev = g->wg_dev[w]};
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    g->l2[d] = (struct cache){.level = LEVEL_L2, .owner = d, .dev = d};
}

static bool check_size(struct builder *b) {
  const struct program *program = b->program->program;
  if (program->thread_count <= 64 && program->location_count <= 1024) return true;
  return diag_error(
      b->diags, program->source, (struct span){0, 0},
      "too many threads or locations for the GPU machine: %u threads (at most 64), %u locations (at most 1024)",
      program->thread_count, program->location_count);
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct gpu *g = m->self;
  uint8_t s[GPU_BUFFER];
  memcpy(s, state, g->state_size);
  struct observable what = g->observables[i];
  if (what.thread >= 0) return value_get(s, g->threads[what.thread].regs[what.index]);
  int line = g->line_of[what.index];
  return value_get(s, line >= 0 ? g->memory[line] : g->local[-1 - line]);
}

static void fill(struct gpu *g, unsigned observable_count, struct machine *machine) {
  *machine = (struct machine){
      .name = "gpu",
      .state_size = g->state_size,
      .self = g,
      .initial = gpu_initial,
      .successors = gpu_successors,
      .final = gpu_final,
      .idle = g->knobs.evict_clean || g->knobs.l1_lines ? gpu_idle : NULL,
      .ample = gpu_ample,
      .step_kind = gpu_step_kind,
      .print_step = gpu_print_step,
      .name_step = gpu_name_step,
      .source = gpu_source,
      .print_state = gpu_print_state,
      .lane_count = gpu_lane_count(g),
      .print_lane = gpu_print_lane,
      .route = gpu_route,
      .also_reaches = gpu_also_reaches,
      .observable_count = observable_count,
      .observe = observe,
  };
}

bool gpu_machine(const struct hw_program *program, const struct gpu_knobs *knobs, const struct explore_request *request,
                 unsigned value_bits, struct machine *machine, struct diags *diags) {
  struct arena *arena = request->arena;
  struct gpu *g = ARENA_NEW(arena, struct gpu);
  struct builder b = {.arena = arena, .g = g, .program = program, .diags = diags};
  g->program = program;
  g->knobs = *knobs;
  g->observables = request->observables;
  if (!check_size(&b)) return false;
  place_threads(&b);
  number_locations(&b);
  g->value_bits = value_bits ? value_bits : first_guess(&b);
  gpu_find_values(arena, g, value_bits != 0);
  if (!choose_l2(&b)) return false;
  place_caches(&b);
  if (!lay_out(&b)) return false;
  for (unsigned t = 0; t < g->thread_count; t++) {
    find_dead(&b, t, request->observable_count);
    for (enum hw_level level = LEVEL_L1; level <= LEVEL_L2; level++)
      g->threads[t].needs[level] = find_future_reads(&b, g->threads[t].code, level);
  }
  fill(g, request->observable_count, machine);
  gpu_find_symmetry(arena, g, machine);
  return true;
}
