/* SPDX-License-Identifier: MIT */
/* Code that orders everything a target can order, from its description. */
#include <stdio.h>
#include <string.h>

#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/verify/legalizer_blocks_internal.h"

enum { EXCHANGE = INSTR_FENCE + 1, KINDS, STRENGTHS = 3 }; /* other read-modify-writes are additions */
enum strength { PLAIN, RELAXED, STRONG };
enum memory { GLOBAL, LOCAL, PRIVATE, MEMORIES };

struct strong_code {
  const struct amd_code *at[KINDS][MEMORIES][STRENGTHS][2]; /* by kind, memory, strength, whether it waits */
};

static void print_bits(unsigned bits, FILE *out) {
  for (unsigned b = 0; b < AMD_BITS; b++)
    if (bits >> b & 1) fprintf(out, " %s%s", amd_bit_field(b), amd_bit_name(b));
}

/* Waits for everything. */
static void print_waits(const struct amd_target *target, FILE *out) {
  bool joint = !strncmp(target->counters[0].name, "vm", 2);
  if (joint) fputs("s_waitcnt vmcnt(0) lgkmcnt(0)\n", out);
  for (unsigned i = 0; i < target->counter_count; i++) {
    const char *name = target->counters[i].name;
    if (!strcmp(name, "vscnt"))
      fputs("s_waitcnt_vscnt null, 0x0\n", out);
    else if (!joint)
      fprintf(out, "s_wait_%s 0x0\n", name);
  }
}

static bool rule_is_here(const struct amd_target *target, const struct amd_rule *rule) {
  return !rule->mode || !strcmp(rule->mode, target->mode->name);
}

/* The highest cache of a rule. */
static unsigned level_of(const struct amd_rule *rule) {
  return rule->caches & AMD_L2 ? AMD_L2 : rule->caches & AMD_GL1 ? AMD_GL1 : rule->caches;
}

/* As few instructions as reach every cache, those of higher levels first. */
static void print_rules(const struct amd_target *target, enum amd_rules kind, FILE *out) {
  unsigned reached = 0;
  for (unsigned level = AMD_L2; level; level >>= 1) {
    for (unsigned i = 0; i < target->rule_count[kind]; i++) {
      const struct amd_rule *rule = &target->rules[kind][i];
      if (level_of(rule) != level || !rule_is_here(target, rule) || !(rule->caches & ~reached)) continue;
      reached |= rule->caches;
      fputs(rule->instruction, out);
      print_bits(rule->bits, out);
      fputc('\n', out);
    }
  }
}

static void print_release(const struct amd_target *target, const struct amd_knobs *knobs, FILE *out) {
  bool nothing = !target->several_l2s && !target->group_l0 && !knobs->write_back; /* to write back */
  print_waits(target, out);
  if (nothing || !target->rule_count[AMD_WRITE_BACK]) return;
  print_rules(target, AMD_WRITE_BACK, out);
  print_waits(target, out);
}

/* A load does not release: what its thread has stored before, the stores themselves must have brought as far as their
 * order and scope say. */
static void print_before(const struct amd_target *target, const struct amd_knobs *knobs, unsigned kind, FILE *out) {
  if (kind == INSTR_LOAD)
    print_waits(target, out);
  else
    print_release(target, knobs, out);
}

static void print_acquire(const struct amd_target *target, FILE *out) {
  print_waits(target, out);
  print_rules(target, AMD_INVALIDATE, out);
}

static void print_private(unsigned kind, FILE *out) {
  if (kind == INSTR_LOAD) fputs("buffer_load_dword v4, v0, s[0:3], 0 offen\n", out);
  if (kind == INSTR_STORE) fputs("buffer_store_dword v1, v0, s[0:3], 0 offen\n", out);
}

static void print_operation(const struct amd_target *target, unsigned kind, bool local, enum strength strength,
                            FILE *out) {
  unsigned load_bits = strength != PLAIN && target->rule_count[AMD_LOAD] ? target->rules[AMD_LOAD][0].bits : 0;
  unsigned store_bits = strength != PLAIN && target->rule_count[AMD_STORE] ? target->rules[AMD_STORE][0].bits : 0;
  switch (kind) {
    case INSTR_LOAD:
      fputs(local ? "ds_read_b32 v4, v0" : "global_load_dword v4, v0, s[0:1]", out);
      if (!local) print_bits(load_bits, out);
      break;
    case INSTR_STORE:
      fputs(local ? "ds_write_b32 v0, v1" : "global_store_dword v0, v1, s[0:1]", out);
      if (!local) print_bits(store_bits, out);
      break;
    case INSTR_RMW:
      fputs(local ? "ds_add_rtn_u32 v4, v0, v1" : "global_atomic_add v4, v0, v1, s[0:1]", out);
      if (!local) print_bits(target->return_bits, out);
      break;
    case EXCHANGE: /* a relaxed one of global memory returns nothing */
      fputs(local                 ? "ds_wrxchg_rtn_b32 v4, v0, v1"
            : strength == RELAXED ? "global_atomic_swap v0, v1, s[0:1]"
                                  : "global_atomic_swap v4, v0, v1, s[0:1]",
            out);
      if (!local && strength != RELAXED) print_bits(target->return_bits, out);
      break;
    case INSTR_CAS:
      fputs(local ? "ds_cmpstore_rtn_b32 v4, v0, v2, v3" : "global_atomic_cmpswap v4, v0, v[2:3], s[0:1]", out);
      if (!local) print_bits(target->return_bits, out);
      break;
    default:
      return;
  }
  fputc('\n', out);
}

static const struct amd_code *assemble(struct arena *arena, const struct amd_target *target, const char *text,
                                       struct diags *diags) {
  VEC(struct span) lines = {0};
  const struct source *source = source_from_text(arena, "(strong code)", text, strlen(text));
  struct cursor rest = cursor_at_start(source);
  for (struct span line; cursor_take_line(&rest, &line);) *vec_push(arena, &lines) = line;
  return amd_assemble(arena, target, source, lines.at, lines.count, diags);
}

struct strong_code *strong_code_new(struct arena *arena, const struct amd_target *target, const struct amd_knobs *knobs,
                                    struct diags *diags) {
  struct strong_code *code = ARENA_NEW(arena, struct strong_code);
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned memory = 0; memory < MEMORIES; memory++)
      for (unsigned strength = 0; strength < STRENGTHS; strength++)
        for (unsigned waits = 0; waits < 2; waits++) {
          struct text text;
          text_open(&text);
          if (strength == STRONG) print_before(target, knobs, kind, text.out);
          if (memory == PRIVATE)
            print_private(kind, text.out);
          else
            print_operation(target, kind, memory == LOCAL, (enum strength)strength, text.out);
          if (strength == STRONG && kind != INSTR_STORE) print_acquire(target, text.out);
          if (waits) print_waits(target, text.out);
          code->at[kind][memory][strength][waits] = assemble(arena, target, text_keep(&text, arena), diags);
          if (!code->at[kind][memory][strength][waits]) return NULL;
        }
  return code;
}

const struct amd_code *strong_code_for(const struct strong_code *code, const struct instr *instr, enum region region,
                                       bool waits) {
  enum strength strength = instr->order == ORDER_NA ? PLAIN : instr->order == ORDER_RLX ? RELAXED : STRONG;
  bool exchange = instr->kind == INSTR_RMW && instr->op == RMW_EXCHANGE;
  enum memory memory = region == REGION_LOCAL ? LOCAL : region == REGION_PRIVATE ? PRIVATE : GLOBAL;
  return code->at[exchange ? EXCHANGE : (unsigned)instr->kind][memory][strength][waits];
}
