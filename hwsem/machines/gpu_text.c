/* SPDX-License-Identifier: MIT */
/* The GPU as guarded commands: its variables, and what a final state shows. */
#include "hwsem/machines/gpu_text.h"

#include "hwsem/machines/kinds.h"

/* ---- variables ---- */

static void cell(const struct gpu_text *x, const uint8_t *s, const char *name, struct gpu_cell c) {
  const struct domain *domain = c.domain;
  int64_t low = 0, high = 0;
  if (!domain->count) {
    low = -(INT64_C(1) << (domain->bits - 1));
    high = -(low + 1);
  } else {
    low = high = domain->values[0];
    for (unsigned i = 1; i < domain->count; i++) {
      if (domain->values[i] < low) low = domain->values[i];
      if (domain->values[i] > high) high = domain->values[i];
    }
  }
  rules_variable(x->r, name, low, high, value_get(s, c));
}

static void number(const struct gpu_text *x, const uint8_t *s, const char *name, struct field f, unsigned high) {
  if (f.bits) rules_variable(x->r, name, 0, high, (int64_t)field_get(s, f));
}

static void flag(const struct gpu_text *x, const char *name, struct field f) {
  if (f.bits) rules_variable(x->r, name, 0, 1, 0);
}

static void cache(const struct gpu_text *x, const uint8_t *s, struct gpu_text_cache c) {
  const struct gpu *g = x->g;
  for (unsigned line = 0; line < g->line_count; line++) {
    struct gpu_line *at = &c.cache->lines[line];
    number(x, s, gpu_name_state(x, c, line), at->state, at->state.bits > 1 ? DI : CV);
    cell(x, s, gpu_name_value(x, c, line), at->value);
  }
  for (unsigned i = 0; i < c.cache->capacity; i++)
    rules_variable(x->r, gpu_name_entry(x, c, i), 0, g->line_count + g->thread_count, 0);
  number(x, s, gpu_name_rmw(x, c), c.l1 ? g->rmw1[c.number] : g->rmw2[c.number], g->thread_count);
  if (c.l1) flag(x, gpu_name_begun(x, c.number), g->begun[c.number]);
  for (unsigned t = 0; c.l1 && g->posts && t < g->thread_count; t++)
    rules_variable(x->r, gpu_name_posted(x, c.number, t), 0, 1, 0);
}

static void thread(const struct gpu_text *x, const uint8_t *s, unsigned t) {
  const struct gpu_thread *thread = &x->g->threads[t];
  rules_variable(x->r, gpu_name_thread(x, "pc", t), 0, thread->code->instr_count, (int64_t)field_get(s, thread->pc));
  number(x, s, gpu_name_thread(x, "phase", t), thread->phase, 1 + x->g->wg_count + x->g->dev_count);
  flag(x, gpu_name_thread(x, "owes_rmw", t), thread->owed);
  flag(x, gpu_name_thread(x, "owes_lines", t), thread->owed);
  for (unsigned i = 0; i < thread->code->reg_count; i++) cell(x, s, x->names[t][i], thread->regs[i]);
}

static void variables(const struct gpu_text *x, const uint8_t *s) {
  const struct gpu *g = x->g;
  const struct program *program = g->program->program;
  for (unsigned i = 0; i < program->location_count; i++) {
    int line = g->line_of[i];
    if (line >= 0)
      cell(x, s, gpu_name_memory(x, (unsigned)line), g->memory[line]);
    else
      cell(x, s, gpu_name_local(x, i), g->local[-1 - line]);
  }
  for (unsigned w = 0; w < g->wg_count; w++) cache(x, s, gpu_text_l1(x, w));
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++) cache(x, s, gpu_text_l2(x, d));
  for (unsigned d = 0; g->locks_lines && d < g->dev_count; d++)
    for (unsigned line = 0; line < g->line_count; line++)
      number(x, s, gpu_name_line_lock(x, d, line), g->lk[d * g->line_count + line], g->thread_count);
  for (unsigned t = 0; t < g->thread_count; t++) thread(x, s, t);
}

static void name_registers(struct gpu_text *x) {
  x->names = ARENA_ARRAY(x->r->arena, const char **, x->g->thread_count + 1);
  for (unsigned t = 0; t < x->g->thread_count; t++) {
    unsigned count = x->g->threads[t].code->reg_count;
    x->names[t] = ARENA_ARRAY(x->r->arena, const char *, count + 1);
    for (unsigned i = 0; i < count; i++) x->names[t][i] = gpu_name_register(x, t, i);
  }
}

/* ---- what a state shows ---- */

static const char *shown(const struct gpu_text *x, struct operand o) {
  if (o.constant) return rules_number(x->r, o.value);
  if (o.what.thread >= 0) return x->names[o.what.thread][o.what.index];
  int line = x->g->line_of[o.what.index];
  return line >= 0 ? gpu_name_memory(x, (unsigned)line) : gpu_name_local(x, o.what.index);
}

static const char *proposition(const struct gpu_text *x, const struct prop *p) {
  switch (p->kind) {
    case PROP_TRUE:
      return RULES_TRUE;
    case PROP_FALSE:
      return RULES_FALSE;
    case PROP_COMPARE:
      return rules_compare(x->r, shown(x, p->left), p->compare, shown(x, p->right));
    case PROP_AND:
      return rules_and(x->r, proposition(x, p->a), proposition(x, p->b));
    case PROP_OR:
      return rules_or(x->r, proposition(x, p->a), proposition(x, p->b));
    case PROP_IMPLIES:
      return rules_or(x->r, rules_not(x->r, proposition(x, p->a)), proposition(x, p->b));
    case PROP_NOT:
      return rules_not(x->r, proposition(x, p->a));
  }
  return RULES_TRUE;
}

static const char * final(const struct gpu_text *x) {
  const struct gpu *g = x->g;
  const char *final = gpu_text_finished(x);
  for (unsigned w = 0; w < g->wg_count; w++) {
    final = rules_and(x->r, final, gpu_text_clean(x, gpu_text_l1(x, w)));
    for (unsigned t = 0; g->posts && t < g->thread_count; t++)
      final = rules_and(x->r, final, rules_is(x->r, gpu_name_posted(x, w, t), 0));
  }
  for (unsigned d = 0; !g->flat && d < g->dev_count; d++)
    final = rules_and(x->r, final, gpu_text_clean(x, gpu_text_l2(x, d)));
  return final;
}

static bool modifies(const struct gpu *g) {
  for (unsigned t = 0; t < g->thread_count; t++)
    for (unsigned pc = 0; pc < g->threads[t].code->instr_count; pc++)
      if (g->threads[t].code->instrs[pc].op == HW_RMW) return true;
  return false;
}

void gpu_write_rules(const struct machine *machine, const struct prop *wanted, struct rules *rules) {
  struct gpu_text x = {.r = rules, .g = machine->self};
  uint8_t s[GPU_BUFFER] = {0};
  gpu_initial(machine, s);
  name_registers(&x);
  variables(&x, s);
  gpu_text_procedures(&x);
  rules_begin(rules, modifies(x.g));
  gpu_text_environment(&x);
  for (unsigned t = 0; t < x.g->thread_count; t++) gpu_text_thread(&x, t);
  for (unsigned w = 0; w < x.g->wg_count; w++) gpu_text_meetings(&x, w);
  rules_finish(rules, final(&x), proposition(&x, wanted));
}

bool gpu_has_lists(const struct machine *machine) {
  const struct gpu *g = machine->self;
  for (unsigned i = 0; i < g->program->program->location_count; i++)
    if (!g->domains[i]->count) return false;
  for (unsigned t = 0; t < g->thread_count; t++)
    for (unsigned i = 0; i < g->threads[t].code->reg_count; i++)
      if (!g->threads[t].domains[i]->count) return false;
  return true;
}
