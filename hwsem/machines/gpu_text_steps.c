/* SPDX-License-Identifier: MIT */
/* A thread on the GPU as text: what gpu_thread.c does, and what all its rules
 * begin and end with. */
#include "checker/base/text.h"
#include "hwsem/machines/gpu_text.h"

static const struct hw_instr *instruction(const struct gpu_text *x, unsigned t, unsigned pc) {
  return &x->g->threads[t].code->instrs[pc];
}

/* ---- moving on ---- */

static void forget_dead(const struct gpu_text *x, unsigned t, unsigned pc) {
  const struct gpu_thread *thread = &x->g->threads[t];
  for (uint64_t dead = thread->dead[pc]; dead; dead &= dead - 1) {
    unsigned reg = (unsigned)__builtin_ctzll(dead);
    const struct domain *domain = thread->regs[reg].domain;
    rules_set(x->r, x->names[t][reg], rules_number(x->r, domain->count ? domain->values[0] : 0));
  }
}

void gpu_text_go_to(const struct gpu_text *x, unsigned t, unsigned pc) {
  const struct gpu_thread *thread = &x->g->threads[t];
  for (; pc < thread->code->instr_count; pc++) {
    const struct hw_instr *instr = instruction(x, t, pc);
    if (instr->op == HW_ASSIGN) {
      if (instr->reg != NO_REG) rules_set(x->r, x->names[t][instr->reg], rules_value(x->r, instr->value, x->names[t]));
    } else if (instr->op == HW_BRANCH && instr->goal > pc) {
      rules_if(x->r, rules_truth(x->r, instr->value, x->names[t]));
      gpu_text_go_to(x, t, pc + 1);
      rules_else(x->r);
      gpu_text_go_to(x, t, instr->goal);
      rules_end_if(x->r, true);
      return;
    } else if (instr->op == HW_JUMP && instr->goal > pc) {
      pc = instr->goal - 1;
    } else {
      break;
    }
  }
  rules_set(x->r, gpu_name_thread(x, "pc", t), rules_number(x->r, pc));
  if (thread->phase.bits) rules_set(x->r, gpu_name_thread(x, "phase", t), "0");
  forget_dead(x, t, pc);
}

void gpu_text_end(const struct gpu_text *x, unsigned t, unsigned pc) {
  gpu_text_go_to(x, t, pc);
  rules_end_rule(x->r);
}

const char *gpu_text_at(const struct gpu_text *x, unsigned t, unsigned pc) {
  return rules_is(x->r, gpu_name_thread(x, "pc", t), pc);
}

/* The instruction in the words of `litscope compile`, on one line. */
static const char *words(const struct gpu_text *x, unsigned t, unsigned pc) {
  struct text text;
  text_open(&text);
  hw_instr_print(x->g->program, x->g->threads[t].code, instruction(x, t, pc), text.out);
  return text_keep(&text, x->r->arena);
}

void gpu_text_begin(const struct gpu_text *x, unsigned t, unsigned pc, const char *guard, bool keeps) {
  const char *name = arena_printf(x->r->arena, "P%u: %s", t, words(x, t, pc));
  rules_rule(x->r, name, rules_and(x->r, gpu_text_at(x, t, pc), guard), keeps);
}

const char *gpu_text_finished(const struct gpu_text *x) {
  const char *finished = RULES_TRUE;
  for (unsigned t = 0; t < x->g->thread_count; t++)
    finished = rules_and(x->r, finished, gpu_text_at(x, t, x->g->threads[t].code->instr_count));
  return finished;
}

/* ---- what stalls ---- */

const char *gpu_text_free(const struct gpu_text *x, struct field lock, const char *name, unsigned t) {
  if (!lock.bits) return RULES_TRUE;
  return rules_or(x->r, rules_is(x->r, name, 0), rules_is(x->r, name, t + 1));
}

const char *gpu_text_stalls(const struct gpu_text *x, unsigned w, unsigned t) {
  const struct gpu *g = x->g;
  struct gpu_text_cache l1 = gpu_text_l1(x, w);
  const char *held = rules_not(x->r, gpu_text_free(x, g->rmw1[w], gpu_name_rmw(x, l1), t));
  if (held == RULES_FALSE || g->knobs.stalls == STALLS_LOCK) return held;
  held = rules_and(x->r, held, rules_is(x->r, gpu_name_begun(x, w), 1));
  const char *coming = RULES_FALSE; /* the holder's marker */
  for (unsigned u = 0; u < g->thread_count && g->knobs.stalls == STALLS_REACHED; u++)
    coming =
        rules_or(x->r, coming, rules_and(x->r, rules_is(x->r, gpu_name_rmw(x, l1), u + 1), gpu_text_marked(x, l1, u)));
  return rules_and(x->r, held, rules_not(x->r, coming));
}
