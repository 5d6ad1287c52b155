/* SPDX-License-Identifier: MIT */
/* Accesses to memory as text: the rules of gpu_access.c. */
#include "hwsem/machines/gpu_text.h"

/* One access at one place: `cell` is what is read and written there. */
struct access {
  const struct gpu_text *x;
  unsigned t, pc, dev, line;
  struct gpu_text_cache l1;
  const struct hw_instr *instr;
  const char *cell;
  enum hw_level place;
};

static struct gpu_text_cache own_l2(const struct access *a) {
  return gpu_text_l2(a->x, a->dev);
}

static void store(const struct access *a, const char *value) {
  switch (a->place) {
    case LEVEL_L1:
      gpu_text_write(a->x, a->l1, a->line, value);
      break;
    case LEVEL_L2:
      gpu_text_write_l2(a->x, a->dev, a->line, value);
      break;
    case LEVEL_GL:
    case LEVEL_LOCAL:
      rules_set(a->x->r, a->cell, value);
      break;
  }
}

/* Drops what must not stay in nearer caches. */
static void tidy_own(const struct access *a) {
  const struct gpu *g = a->x->g;
  bool beyond = a->place == LEVEL_L2 || a->place == LEVEL_GL;
  bool drops = g->knobs.own_line == OWN_LINE_DROP || g->knobs.own_line == OWN_LINE_DISCARD;
  if (beyond && drops) gpu_text_drop(a->x, a->l1, a->line);
  if (beyond && g->knobs.own_line == OWN_LINE_DISCARD) gpu_text_tidy(a->x, a->l1);
  if (a->place == LEVEL_GL && !g->flat) gpu_text_drop(a->x, own_l2(a), a->line);
}

static void set_register(const struct access *a, int reg, const char *value) {
  if (reg != NO_REG) rules_set(a->x->r, a->x->names[a->t][reg], value);
}

static void finish(const struct access *a, const char *old, const char *result) {
  if (a->instr->op == HW_RMW) set_register(a, a->instr->old_reg, old);
  set_register(a, a->instr->reg, result);
  gpu_text_end(a->x, a->t, a->pc + 1);
}

static void load(const struct access *a, const char *guard) {
  gpu_text_begin(a->x, a->t, a->pc, guard, false);
  tidy_own(a);
  finish(a, a->cell, a->cell);
}

static void plain_store(const struct access *a, const char *guard) {
  gpu_text_begin(a->x, a->t, a->pc, guard, false);
  store(a, rules_value(a->x->r, a->instr->value, a->x->names[a->t]));
  tidy_own(a);
  gpu_text_end(a->x, a->t, a->pc + 1);
}

/* A compare-and-swap, in one of its ways. */
static void swap(const struct access *a, const char *guard, bool writes, const char *result) {
  struct rules *r = a->x->r;
  gpu_text_begin(a->x, a->t, a->pc, guard, true);
  rules_set(r, RULES_OLD, a->cell);
  if (writes) store(a, rules_value(r, a->instr->value, a->x->names[a->t]));
  tidy_own(a);
  finish(a, RULES_OLD, a->instr->returns_old ? RULES_OLD : result);
}

static void compare_and_swap(const struct access *a, const char *guard) {
  struct rules *r = a->x->r;
  const char *equal = rules_compare(r, a->cell, CMP_EQ, rules_value(r, a->instr->expected, a->x->names[a->t]));
  swap(a, rules_and(r, guard, equal), true, "1");
  swap(a, rules_and(r, guard, rules_not(r, equal)), false, "0");
  if (a->instr->weak) swap(a, rules_and(r, guard, equal), false, "0");
}

static void modify(const struct access *a, const char *guard) {
  struct rules *r = a->x->r;
  const char *operand = rules_value(r, a->instr->value, a->x->names[a->t]);
  gpu_text_begin(a->x, a->t, a->pc, guard, true);
  rules_set(r, RULES_OLD, a->cell);
  store(a, rules_modified(r, a->instr->function, a->instr->width, RULES_OLD, operand));
  tidy_own(a);
  finish(a, RULES_OLD, RULES_OLD);
}

static void perform(const struct access *a, const char *guard) {
  if (guard == RULES_FALSE) return;
  if (a->instr->op == HW_LD)
    load(a, guard);
  else if (a->instr->op == HW_ST)
    plain_store(a, guard);
  else if (a->instr->cas)
    compare_and_swap(a, guard);
  else
    modify(a, guard);
}

/* ---- conditions, by place ---- */

static const char *l1_allows(const struct access *a) {
  const struct gpu_text *x = a->x;
  const struct gpu_knobs *knobs = &x->g->knobs;
  bool inc = a->instr->op == HW_RMW;
  const char *allows = a->instr->op == HW_LD ? RULES_TRUE : gpu_text_has_entry(x, a->l1, a->line);
  if (a->instr->op == HW_ST)
    return knobs->allocate == ALLOCATE_YES ? rules_and(x->r, allows, gpu_text_room(x, a->l1, a->line)) : allows;
  allows = rules_and(x->r, allows, rules_not(x->r, gpu_text_in_state(x, a->l1, a->line, ABSENT)));
  if (!(inc ? knobs->inc_hits_marked : knobs->ld_hits_marked))
    allows = rules_and(x->r, allows, rules_not(x->r, gpu_text_in_state(x, a->l1, a->line, DI)));
  if (!inc) return allows;
  allows = rules_and(x->r, allows, rules_not(x->r, gpu_text_stalls(x, a->l1.number, a->t)));
  if (knobs->inc_hits != INC_HITS_FRESH) return allows;
  const char *same = rules_compare(x->r, a->cell, CMP_EQ, gpu_text_l2_value(x, a->dev, a->line));
  const char *fresh = rules_and(x->r, gpu_text_readable(x, a->dev, a->line), same);
  return rules_and(x->r, allows, rules_or(x->r, rules_not(x->r, gpu_text_in_state(x, a->l1, a->line, CV)), fresh));
}

static const char *own_line_ready(const struct access *a) {
  unsigned own_line = a->x->g->knobs.own_line;
  if (own_line == OWN_LINE_IGNORE || own_line == OWN_LINE_DISCARD) return RULES_TRUE;
  return rules_not(a->x->r, gpu_text_dirty(a->x, a->l1, a->line));
}

static const char *l2_allows(const struct access *a) {
  const struct gpu_text *x = a->x;
  const struct gpu *g = x->g;
  const char *allows = rules_and(x->r, own_line_ready(a), gpu_text_readable(x, a->dev, a->line));
  allows = rules_and(x->r, allows, gpu_text_free(x, g->rmw2[a->dev], gpu_name_rmw(x, own_l2(a)), a->t));
  allows = rules_and(
      x->r, allows,
      gpu_text_free(x, g->lk[a->dev * g->line_count + a->line], gpu_name_line_lock(x, a->dev, a->line), a->t));
  if (g->knobs.rmw_blocks == RMW_BLOCKS_RMW)
    allows = rules_and(x->r, allows, rules_not(x->r, gpu_text_stalls(x, a->l1.number, a->t)));
  return g->flat ? allows : rules_and(x->r, allows, gpu_text_has_entry(x, own_l2(a), a->line));
}

static const char *allows(const struct access *a) {
  switch (a->place) {
    case LEVEL_L1:
      return l1_allows(a);
    case LEVEL_L2:
      return l2_allows(a);
    case LEVEL_GL:
      return rules_and(a->x->r, own_line_ready(a), rules_not(a->x->r, gpu_text_dirty(a->x, own_l2(a), a->line)));
    case LEVEL_LOCAL:
      break;
  }
  return RULES_TRUE;
}

/* ---- which place ---- */

static void access_location(const struct access *all, unsigned location, const char *guard) {
  struct access a = *all;
  int line = a.x->g->line_of[location];
  if (line < 0) {
    a.place = LEVEL_LOCAL;
    a.cell = gpu_name_local(a.x, location);
  } else {
    a.line = (unsigned)line;
    a.place = a.instr->level == LEVEL_LOCAL ? LEVEL_L1 : a.instr->level;
    a.cell = a.place == LEVEL_L1   ? gpu_name_value(a.x, a.l1, a.line)
             : a.place == LEVEL_L2 ? gpu_text_l2_value(a.x, a.dev, a.line)
                                   : gpu_name_memory(a.x, a.line);
  }
  perform(&a, rules_and(a.x->r, guard, allows(&a)));
}

/* Outside of its array an access reads 0 and writes nothing. */
static void access_outside(const struct access *a, const char *guard) {
  gpu_text_begin(a->x, a->t, a->pc, guard, false);
  finish(a, "0", "0");
}

void gpu_text_access(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard) {
  const struct gpu_thread *thread = &x->g->threads[t];
  const struct hw_instr *instr = &thread->code->instrs[pc];
  struct access a = {.x = x, .t = t, .pc = pc, .dev = thread->dev, .l1 = gpu_text_l1(x, thread->wg), .instr = instr};
  const struct address *address = &instr->address;
  if (!address->index) {
    access_location(&a, address->base, guard);
    return;
  }
  const char *index = rules_value(x->r, address->index, x->names[t]), *inside = RULES_FALSE;
  for (unsigned i = 0; i < address->size; i++) {
    const char *here = rules_is(x->r, index, i);
    inside = rules_or(x->r, inside, here);
    access_location(&a, address->base + i, rules_and(x->r, guard, here));
  }
  access_outside(&a, rules_and(x->r, guard, rules_not(x->r, inside)));
}
