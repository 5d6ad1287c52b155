/* SPDX-License-Identifier: MIT */
/* Code that orders everything a target can order, from its description. */
#include <stdio.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/verify/legalizer_blocks_internal.h"

enum { EXCHANGE = INSTR_BARRIER + 1, OWN, KINDS, STRENGTHS = 3 }; /* INSTR_RMW: additions; OWN: of its function */
enum strength { PLAIN, RELAXED, STRONG };
enum memory { GLOBAL, LOCAL, PRIVATE, MEMORIES };

struct strong_code {
  const struct amd_target *target;
  unsigned bytes;
  enum rmw_op op;
  const struct amd_code *at[KINDS][MEMORIES][STRENGTHS][2]; /* by kind, memory, strength, whether it waits */
};

static void print_bits(unsigned bits, FILE *out) {
  for (unsigned b = 0; b < AMD_BITS; b++)
    if (bits >> b & 1) fprintf(out, " %s%s", amd_bit_field(b), amd_bit_name(b));
}

/* Waits for everything. */
static void print_waits(const struct amd_target *target, FILE *out) {
  bool joint = text_begins(target->counters[0].name, "vm");
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
    ARRAY_EACH (const struct amd_rule, rule, target->rules[kind], target->rule_count[kind]) {
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

/* Words of mnemonics for locations of some size, and registers that hold a value. */
struct forms {
  const char *load, *store, *local_load, *local_store, *atomic, *bits;
  const char *result, *value, *wanted, *expected, *pair;
};

static const struct forms NARROW = {NULL, NULL, NULL, NULL, "", "32", "v8", "v6", "v2", "v3", "v[2:3]"};
static const struct forms WIDE = {"dwordx2", "dwordx2", "b64",    "b64",    "_x2",   "64",
                                  "v[8:9]",  "v[6:7]",  "v[2:3]", "v[4:5]", "v[2:5]"};

static struct forms forms_of(unsigned bytes) {
  struct forms forms = NARROW;
  if (bytes == 8) return WIDE;
  forms.load = bytes == 1 ? "ubyte" : bytes == 2 ? "ushort" : "dword";
  forms.store = bytes == 1 ? "byte" : bytes == 2 ? "short" : "dword";
  forms.local_load = bytes == 1 ? "u8" : bytes == 2 ? "u16" : "b32";
  forms.local_store = bytes == 1 ? "b8" : bytes == 2 ? "b16" : "b32";
  return forms;
}

/* An operation's names in global and in local memory, and the type that the latter has. */
static const struct {
  const char *global, *local, *type;
} UPDATES[RMW_OPS] = {
    [RMW_ADD] = {"add", "add", "u"},  [RMW_SUB] = {"sub", "sub", "u"},   [RMW_AND] = {"and", "and", "b"},
    [RMW_OR] = {"or", "or", "b"},     [RMW_XOR] = {"xor", "xor", "b"},   [RMW_MIN] = {"smin", "min", "i"},
    [RMW_MAX] = {"smax", "max", "i"}, [RMW_UMIN] = {"umin", "min", "u"}, [RMW_UMAX] = {"umax", "max", "u"},
    [RMW_INC] = {"inc", "inc", "u"},  [RMW_DEC] = {"dec", "dec", "u"}};

static void print_private(const struct strong_code *code, unsigned kind, FILE *out) {
  const struct forms f = forms_of(code->bytes);
  if (kind == INSTR_LOAD) fprintf(out, "buffer_load_%s %s, v0, s[0:3], 0 offen\n", f.load, f.result);
  if (kind == INSTR_STORE) fprintf(out, "buffer_store_%s %s, v0, s[0:3], 0 offen\n", f.store, f.value);
}

static void print_local(const struct strong_code *code, unsigned kind, FILE *out) {
  const struct forms f = forms_of(code->bytes);
  enum rmw_op op = kind == OWN ? code->op : RMW_ADD;
  switch (kind) {
    case INSTR_LOAD:
      fprintf(out, "ds_read_%s %s, v0", f.local_load, f.result);
      break;
    case INSTR_STORE:
      fprintf(out, "ds_write_%s v0, %s", f.local_store, f.value);
      break;
    case INSTR_RMW:
    case OWN:
      fprintf(out, "ds_%s_rtn_%s%s %s, v0, %s", UPDATES[op].local, UPDATES[op].type, f.bits, f.result, f.value);
      break;
    case EXCHANGE:
      fprintf(out, "ds_wrxchg_rtn_b%s %s, v0, %s", f.bits, f.result, f.value);
      break;
    case INSTR_CAS:
      fprintf(out, "ds_cmpstore_rtn_b%s %s, v0, %s, %s", f.bits, f.result, f.wanted, f.expected);
  }
}

/* A relaxed exchange of global memory returns nothing. */
static void print_global(const struct strong_code *code, unsigned kind, enum strength strength, FILE *out) {
  const struct forms f = forms_of(code->bytes);
  const struct amd_target *target = code->target;
  unsigned load_bits = strength != PLAIN && target->rule_count[AMD_LOAD] ? target->rules[AMD_LOAD][0].bits : 0;
  unsigned store_bits = strength != PLAIN && target->rule_count[AMD_STORE] ? target->rules[AMD_STORE][0].bits : 0;
  bool returns = kind != EXCHANGE || strength != RELAXED;
  const char *name = kind == INSTR_CAS  ? "cmpswap"
                     : kind == EXCHANGE ? "swap"
                                        : UPDATES[kind == OWN ? code->op : RMW_ADD].global;
  if (kind == INSTR_LOAD) {
    fprintf(out, "global_load_%s %s, v0, s[0:1]", f.load, f.result);
  } else if (kind == INSTR_STORE) {
    fprintf(out, "global_store_%s v0, %s, s[0:1]", f.store, f.value);
  } else {
    fprintf(out, "global_atomic_%s%s %s%sv0, %s, s[0:1]", name, f.atomic, returns ? f.result : "", returns ? ", " : "",
            kind == INSTR_CAS ? f.pair : f.value);
  }
  print_bits(kind == INSTR_LOAD    ? load_bits
             : kind == INSTR_STORE ? store_bits
             : returns             ? target->return_bits
                                   : 0,
             out);
}

/* Read-modify-writes are of 32 bits and more. */
static bool has_operation(const struct strong_code *code, unsigned kind) {
  bool update = kind == INSTR_RMW || kind == EXCHANGE || kind == OWN || kind == INSTR_CAS;
  return update ? code->bytes >= 4 : kind == INSTR_LOAD || kind == INSTR_STORE;
}

static void print_operation(const struct strong_code *code, unsigned kind, bool local, enum strength strength,
                            FILE *out) {
  if (kind == INSTR_BARRIER) fputs("s_barrier\n", out);
  if (!has_operation(code, kind)) return;
  if (local)
    print_local(code, kind, out);
  else
    print_global(code, kind, strength, out);
  fputc('\n', out);
}

static const struct amd_code *assemble(struct arena *arena, const struct amd_target *target, const char *text,
                                       struct diags *diags) {
  VEC(struct span) lines = {0};
  const struct source *source = source_from_text(arena, "(strong code)", text, strlen(text));
  struct cursor rest = cursor_at_start(source);
  struct amd_target any = *target;
  any.gpu = AMD_EVERY_GPU;
  for (struct span line; cursor_take_line(&rest, &line);) *vec_push(arena, &lines) = line;
  return amd_assemble(arena, &any, source, lines.at, lines.count, diags);
}

struct strong_code *strong_code_new(struct arena *arena, const struct amd_target *target, const struct amd_knobs *knobs,
                                    unsigned bytes, enum rmw_op op, struct diags *diags) {
  struct strong_code *code = ARENA_MAKE(arena, struct strong_code, .target = target, .bytes = bytes, .op = op);
  for (unsigned kind = 0; kind < KINDS; kind++)
    for (unsigned memory = 0; memory < MEMORIES; memory++)
      for (unsigned strength = 0; strength < STRENGTHS; strength++)
        for (unsigned waits = 0; waits < 2; waits++) {
          struct text text = text_new();
          if (strength == STRONG) print_before(target, knobs, kind, text.out);
          if (memory == PRIVATE)
            print_private(code, kind, text.out);
          else
            print_operation(code, kind, memory == LOCAL, (enum strength)strength, text.out);
          if (strength == STRONG && kind != INSTR_STORE) print_acquire(target, text.out);
          if (waits) print_waits(target, text.out);
          code->at[kind][memory][strength][waits] = assemble(arena, target, text_keep(&text, arena), diags);
          if (!code->at[kind][memory][strength][waits]) return NULL;
        }
  return code;
}

bool strong_code_is(const struct strong_code *code, unsigned bytes, enum rmw_op op) {
  return code->bytes == bytes && code->op == op;
}

const struct amd_code *strong_code_for(const struct strong_code *code, const struct instr *instr, enum region region,
                                       bool waits) {
  bool plain = instr->order == ORDER_NA && instr->kind != INSTR_BARRIER;
  enum strength strength = plain ? PLAIN : instr->order == ORDER_RLX ? RELAXED : STRONG;
  unsigned kind = instr->kind != INSTR_RMW    ? instr->kind
                  : instr->op == RMW_EXCHANGE ? EXCHANGE
                  : instr->op == RMW_ADD      ? INSTR_RMW
                                              : OWN;
  enum memory memory = region == REGION_LOCAL ? LOCAL : region == REGION_PRIVATE ? PRIVATE : GLOBAL;
  return code->at[kind][memory][strength][waits];
}
