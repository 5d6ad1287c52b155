/* SPDX-License-Identifier: MIT */
/* AMDGPU assembly.
 *
 *   line        = { label ":" } [ instruction ] [ comment ] | directive
 *   instruction = name [ operand { "," operand } ] { modifier } [ "::" instruction ]
 *   operand     = register | number | "off" | label
 *   modifier    = ( "offset:" | "offset0:" | "offset1:" ) number | "scope:" bit | "th:" bit | bit | counter "(" number
 * ")"
 *
 * Names are looked up in assembly_names.c; what is after a name without effect
 * is not looked at.
 */
#include "hwsem/amd/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/amd/assembly_names.h"
#include "hwsem/amd/encodings.h"

/* ---- a line ---- */

static bool is_text(const char *at, size_t length, const char *text) {
  return strlen(text) == length && !memcmp(at, text, length);
}

struct jump {
  unsigned from;
  const char *label;
  struct span span;
};

struct label {
  const char *name;
  unsigned at;
  struct span span;
};

enum { AMD_MODIFIERS = 16 }; /* no instruction has more */

struct assembler {
  struct arena *arena;
  const struct amd_target *target;
  const struct source *source;
  struct diags *diags;
  VEC(struct amd_instr) instrs;
  VEC(struct label) labels;
  unsigned private_segment, dispatch, queue, kernarg; /* directives about user registers */
  unsigned user_registers;
  bool has_kernarg;
  unsigned source_line; /* of the last .loc */
  const char *symbol;   /* the last that an operand named */
  unsigned since;       /* bytes of code after the last s_getpc_b64 */
  const char *at, *end; /* of the line */
  bool failed;
};

static struct span span_of(const struct assembler *a, const char *from, size_t length) {
  return (struct span){(uint32_t)(from - a->source->text), (uint32_t)length};
}

#define FAIL(a, span, ...) ((a)->failed = true, diag_error((a)->diags, (a)->source, span, __VA_ARGS__))

static void skip_space(struct assembler *a) {
  while (a->at < a->end && isspace((unsigned char)*a->at)) a->at++;
}

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* The length of the word here; 0: none. */
static size_t word_length(const struct assembler *a) {
  const char *p = a->at;
  while (p < a->end && is_word_char(*p)) p++;
  return (size_t)(p - a->at);
}

static bool take(struct assembler *a, const char *text) {
  skip_space(a);
  size_t length = strlen(text);
  if ((size_t)(a->end - a->at) < length || memcmp(a->at, text, length) != 0) return false;
  a->at += length;
  return true;
}

static bool take_number(struct assembler *a, int64_t *value) {
  skip_space(a);
  char text[32];
  size_t length = 0;
  const char *p = a->at;
  if (p < a->end && *p == '-') text[length++] = *p++;
  while (p < a->end && isalnum((unsigned char)*p) && length < sizeof text - 1) text[length++] = *p++;
  text[length] = '\0';
  char *stop;
  if (!strncmp(text, "-0x", 3) || isdigit((unsigned char)text[0]) ||
      (text[0] == '-' && isdigit((unsigned char)text[1])))
    *value = text[0] == '-' ? -(int64_t)strtoull(text + 1, &stop, 0) : (int64_t)strtoull(text, &stop, 0);
  else
    return false;
  if (*stop || (p < a->end && *p == '.')) return false;
  a->at = p;
  return true;
}

/* `0.5`, `-1.0`: the floats that the code of an instruction has room for; on numbers of 64 bits they are doubles. */
static bool take_float(struct assembler *a, bool wide, int64_t *value) {
  static const struct {
    const char *text;
    uint32_t bits;
    uint64_t wide;
  } FLOATS[] = {{"0.5", 0x3f000000, 0x3fe0000000000000},
                {"1.0", 0x3f800000, 0x3ff0000000000000},
                {"2.0", 0x40000000, 0x4000000000000000},
                {"4.0", 0x40800000, 0x4010000000000000}};
  bool negative = *a->at == '-';
  const char *from = a->at + negative;
  for (size_t i = 0; i < sizeof FLOATS / sizeof *FLOATS; i++) {
    if ((size_t)(a->end - from) < 3 || memcmp(from, FLOATS[i].text, 3) != 0) continue;
    if (a->end - from > 3 && is_word_char(from[3])) continue;
    uint64_t bits = wide ? FLOATS[i].wide | (uint64_t)negative << 63 : FLOATS[i].bits | (uint32_t)negative << 31;
    *value = (int64_t)bits;
    a->at = from + 3;
    return true;
  }
  return false;
}

static bool at_end(struct assembler *a) {
  skip_space(a);
  return a->at >= a->end || (a->end - a->at >= 2 && a->at[0] == ':' && a->at[1] == ':');
}

static bool fail_operand(struct assembler *a, const struct amd_instr *instr) {
  size_t length = 0;
  if (at_end(a)) return FAIL(a, instr->span, "%s lacks an operand", instr->name);
  while (a->at + length < a->end && !isspace((unsigned char)a->at[length]) && a->at[length] != ',') length++;
  return FAIL(a, span_of(a, a->at, length ? length : 1), "'%.*s' of %s is not in the machine's instruction set",
              (int)length, a->at, instr->name);
}

/* A register, with its range, as one word. */
static size_t register_length(const struct assembler *a) {
  size_t length = word_length(a);
  if (a->at + length < a->end && a->at[length] == '[') {
    const char *close = memchr(a->at + length, ']', (size_t)(a->end - a->at) - length);
    if (close) length = (size_t)(close - a->at) + 1;
  }
  return length;
}

/* `v0.l`, `v0.h`. */
static enum amd_piece register_half(const char *at, size_t *length) {
  if (*length < 4 || *at != 'v' || at[*length - 2] != '.') return AMD_WHOLE;
  enum amd_piece piece = at[*length - 1] == 'l' ? AMD_LOW : at[*length - 1] == 'h' ? AMD_HIGH : AMD_WHOLE;
  if (piece) *length -= 2;
  return piece;
}

/* `table@rel32@lo+4`: the address of `table` minus that of these four bytes of code, plus 4. */
static bool take_symbol(struct assembler *a, struct amd_operand *operand, const char *from, size_t length) {
  const char *name = arena_strndup(a->arena, from, length);
  char *kind = strchr(name, '@');
  if (!kind || (strcmp(kind, "@rel32@lo") != 0 && strcmp(kind, "@rel32@hi") != 0 && strcmp(kind, "@rel64") != 0))
    return false;
  operand->kind = AMD_NAME;
  operand->upper = !strcmp(kind, "@rel32@hi");
  *kind = '\0';
  operand->name = a->symbol = name;
  a->at += length;
  int64_t more = 0;
  if (a->at < a->end && *a->at == '+') {
    a->at++;
    if (!take_number(a, &more)) return false;
  }
  operand->number = (uint64_t)more - a->since - 4;
  return true;
}

/* What these registers hold. */
static bool take_aperture(const char *from, size_t length, uint64_t *number) {
  bool local = is_text(from, length, "src_shared_base"), upper = is_text(from, length, "src_flat_scratch_base_hi");
  bool private = is_text(from, length, "src_private_base") || is_text(from, length, "src_flat_scratch_base_lo");
  *number = (uint64_t)(local ? AMD_LOCAL_APERTURE : AMD_PRIVATE_APERTURE) << (upper ? 0 : 32);
  return local || upper || private;
}

static bool take_operand(struct assembler *a, struct amd_instr *instr, struct amd_operand *operand) {
  skip_space(a);
  int64_t number;
  bool sext = instr->selects && take(a, "sext(");
  const char *from = a->at;
  size_t length = register_length(a), whole = length;
  operand->piece = register_half(from, &whole);
  int reg = amd_register(from, whole, &operand->words);
  if (reg >= 0) {
    operand->kind = AMD_REG;
    operand->reg = (unsigned)reg;
    a->at += length;
  } else if (is_text(from, length, "off")) {
    operand->kind = AMD_OFF;
    a->at += length;
  } else if (take_aperture(from, length, &operand->number)) {
    operand->kind = AMD_NUMBER;
    operand->named = true;
    a->at += length;
  } else if ((operand->named = take_float(a, text_ends_in(instr->name, "64"), &number)) || take_number(a, &number)) {
    operand->kind = AMD_NUMBER;
    operand->number = (uint64_t)number;
  } else if (take_symbol(a, operand, from, length)) {
    /* that is all */
  } else if (length && !isdigit((unsigned char)*from)) {
    operand->kind = AMD_NAME;
    operand->name = arena_strndup(a->arena, from, length);
    a->at += length;
  } else {
    return fail_operand(a, instr);
  }
  operand->span = span_of(a, from, (size_t)(a->at - from));
  operand->is_signed = sext;
  if (!sext || take(a, ")")) return true;
  return fail_operand(a, instr);
}

/* What only says how long a line is wanted, or that nobody changes it, since caches may drop lines at any time
 * anyway; and that registers are part of an address, which their being there says. */
static bool take_hint(struct assembler *a, const struct amd_instr *instr) {
  const char *from = a->at;
  bool policy = take(a, "th:");
  size_t length = word_length(a);
  if (amd_is_hint(instr, a->at, length, policy)) {
    a->at += length;
    return true;
  }
  a->at = from;
  return false;
}

/* `dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD`: pieces of the operands of an instruction on such (SDWA).  A
 * comparison has no destination that could be one. */
static bool take_selection(struct assembler *a, struct amd_instr *instr) {
  static const char *const NAMES[] = {"DWORD", "WORD_0", "WORD_1", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", NULL};
  struct amd_operand *to = &instr->at[0];
  unsigned first = instr->op == AMD_OP_CARRY_OUT || instr->op == AMD_OP_CARRY_INOUT ? 2 : 1;
  if (instr->op == AMD_OP_COMPARE_EXEC) first = instr->count == 3;
  if (take(a, "dst_unused:UNUSED_PRESERVE")) return true;
  if (take(a, "dst_unused:UNUSED_PAD")) return to->alone = true;
  if (take(a, "src0_sel:"))
    to = &instr->at[first];
  else if (take(a, "src1_sel:"))
    to = &instr->at[first + 1];
  else if (!take(a, "dst_sel:"))
    return false;
  size_t length = word_length(a);
  for (unsigned k = 0; NAMES[k]; k++) {
    if (!is_text(a->at, length, NAMES[k])) continue;
    to->piece = (enum amd_piece)k;
    a->at += length;
    return true;
  }
  return false;
}

/* Of the lanes' words, or of their halves. */
static bool is_sum(const struct amd_instr *instr) {
  return instr->vector && instr->words == 1 && (instr->op == AMD_OP_BINARY || instr->op == AMD_OP_REVERSED) &&
         (instr->fn == AMD_ADD || instr->fn == AMD_SUB);
}

/* `glc`, `offset:4`, `scope:SCOPE_DEV` */
static bool take_modifier(struct assembler *a, struct amd_instr *instr) {
  skip_space(a);
  const char *from = a->at;
  if (take(a, "offset:")) return take_number(a, &instr->offset);
  if (take_hint(a, instr) || (instr->selects && take_selection(a, instr))) return true;
  if (amd_has_two_addresses(instr) && take(a, "offset0:")) return take_number(a, &instr->offset);
  if (amd_has_two_addresses(instr) && take(a, "offset1:")) return take_number(a, &instr->second);
  if (instr->op == AMD_OP_BITS && take(a, "bitop3:")) return take_number(a, &instr->second);
  bool of_floats = instr->op == AMD_OP_FUSED || amd_fn_is_float((enum amd_fn)instr->fn);
  if (of_floats && amd_op_space(instr->op) == AMD_SPACE_NONE && take(a, "clamp")) return instr->clamps = true;
  if (is_sum(instr) && take(a, "clamp")) return instr->saturates = true;
  enum amd_space space = amd_op_space(instr->op);
  bool offset = (space != AMD_SPACE_NONE && space != AMD_SPACE_LOCAL) || instr->op == AMD_OP_SCALAR_LOAD;
  if (offset && take(a, "scale_offset")) return instr->scales = true;
  bool named = take(a, "scope:") || take(a, "th:");
  size_t length = word_length(a);
  unsigned bit = amd_bit(a->at, length);
  if (is_text(a->at, length, "TH_ATOMIC_RT_RETURN") || is_text(a->at, length, "TH_ATOMIC_NT_RETURN"))
    bit = 1u << AMD_BIT_TH_RETURN;
  bool spelled = bit && named == (bit >= 1u << AMD_BIT_SCOPE_SE);
  bool nothing = named && is_text(a->at, length, "SCOPE_CU");
  if (!spelled && !nothing) {
    a->at = from;
    return false;
  }
  instr->bits |= bit;
  a->at += length;
  return true;
}

static bool modifier_next(struct assembler *a, const struct amd_instr *instr) {
  const char *from = a->at;
  struct amd_instr scratch = *instr;
  bool is = take_modifier(a, &scratch);
  a->at = from;
  return is;
}

/* `v_pk_mov_b32 d, a, b op_sel:[0,1]` takes the lower word of a and the upper one of
 * b: with b = a it moves both.  Without op_sel it takes the lower words. */
static void parse_packed_move(struct assembler *a, struct amd_instr *instr) {
  static const char *const SELECTED[] = {"op_sel:[0,0]", "op_sel:[1,0]", "op_sel:[0,1]", "op_sel:[1,1]"};
  const struct amd_operand *from = &instr->at[1];
  unsigned upper = 0;
  for (unsigned i = 0; i < sizeof SELECTED / sizeof *SELECTED; i++)
    if (take(a, SELECTED[i])) upper = i;
  bool both =
      upper == 2 && instr->count == 3 && from->kind == AMD_REG && from[1].kind == AMD_REG && from[1].reg == from->reg;
  if (both) {
    instr->count = 2;
    return;
  }
  instr->op = AMD_OP_TWO_MOVES;
  instr->fn2 = upper;
}

/* `global_load_lds_dword`, and `buffer_load_dword ... lds`. */
static void fail_copy(struct assembler *a, const char *name, struct span span) {
  FAIL(a, span, "'%s' copies memory to local memory without a register, which the machine does not do", name);
}

/* `sc0`, or what comes before the colon of `offset:4`. */
static struct span modifier_name(struct assembler *a) {
  skip_space(a);
  return span_of(a, a->at, word_length(a));
}

static bool same_text(const struct assembler *a, struct span x, struct span y) {
  return x.length == y.length && !memcmp(a->source->text + x.at, a->source->text + y.at, x.length);
}

/* Each once, and such as the target has. */
static bool parse_modifiers(struct assembler *a, struct amd_instr *instr) {
  struct span seen[AMD_MODIFIERS];
  for (unsigned count = 0; !at_end(a); count++) {
    struct span name = modifier_name(a);
    unsigned before = instr->bits;
    if (!take_modifier(a, instr) || count == AMD_MODIFIERS) {
      if (is_text(a->source->text + name.at, name.length, "lds") && strstr(instr->name, "_load_"))
        fail_copy(a, instr->name, name);
      else
        fail_operand(a, instr);
      return false;
    }
    seen[count] = name;
    for (unsigned i = 0; i < count; i++)
      if (same_text(a, seen[i], name))
        return FAIL(a, name, "%s has '%.*s' twice", instr->name, (int)name.length, a->source->text + name.at);
    struct span whole = span_of(a, a->source->text + name.at, (size_t)(a->at - a->source->text) - name.at);
    if (!strncmp(a->source->text + name.at, "offset", 6)) instr->offset_span = whole;
    if (amd_has_modifier(a->target, instr, a->source->text + name.at, name.length, instr->bits & ~before)) continue;
    return FAIL(a, whole, "%s of %s does not take '%.*s'", instr->name, a->target->name, (int)whole.length,
                a->source->text + name.at);
  }
  return true;
}

static bool parse_operands(struct assembler *a, struct amd_instr *instr) {
  while (!at_end(a) && !modifier_next(a, instr)) {
    if (instr->count == AMD_OPERANDS) return fail_operand(a, instr);
    if (!take_operand(a, instr, &instr->at[instr->count])) return false;
    instr->count++;
    if (!take(a, ",")) break;
  }
  if (!strcmp(instr->name, "v_pk_mov_b32")) parse_packed_move(a, instr);
  return parse_modifiers(a, instr);
}

/* ---- waits ---- */

static bool set_wait(struct assembler *a, struct amd_instr *instr, const char *name, int64_t most, struct span span) {
  const struct amd_counter *counter = amd_target_counter(a->target, name);
  if (!counter) return FAIL(a, span, "%s has no counter %s", a->target->name, name);
  if (most > counter->most) return FAIL(a, span, "%s of %s is at most %u", name, a->target->name, counter->most);
  for (unsigned k = 0; k < AMD_CLASSES; k++)
    if (counter->classes >> k & 1) instr->wait[k] = (int)most;
  return true;
}

/* `vmcnt(0) lgkmcnt(0)` with `&` or nothing between */
static bool parse_waitcnt(struct assembler *a, struct amd_instr *instr) {
  do {
    skip_space(a);
    const char *from = a->at;
    size_t length = word_length(a);
    const char *counter = arena_strndup(a->arena, from, length);
    int64_t most;
    a->at += length;
    if (!length || !take(a, "(") || !take_number(a, &most) || most < 0 || !take(a, ")")) {
      a->at = from;
      return fail_operand(a, instr);
    }
    if (!set_wait(a, instr, counter, most, span_of(a, from, (size_t)(a->at - from)))) return false;
  } while (take(a, "&") || take(a, ",") || !at_end(a));
  return true;
}

/* s_wait_storecnt 0x0, s_wait_loadcnt_dscnt 0x0 (two counters: high byte, low byte), s_waitcnt_vscnt null, 0x0 */
static bool parse_wait(struct assembler *a, struct amd_instr *instr) {
  for (int k = 0; k < AMD_CLASSES; k++) instr->wait[k] = -1;
  if (!strcmp(instr->name, "s_waitcnt")) return parse_waitcnt(a, instr);
  int64_t most;
  const char *from = a->at;
  if (!strcmp(instr->name, "s_waitcnt_vscnt") && (!take(a, "null") || !take(a, ","))) return fail_operand(a, instr);
  if (!take_number(a, &most) || most < 0 || most > 0xffff) {
    a->at = from;
    return fail_operand(a, instr);
  }
  struct span span = span_of(a, from, (size_t)(a->at - from));
  const char *counter = !strncmp(instr->name, "s_wait_", 7) ? instr->name + 7 : instr->name + strlen("s_waitcnt_");
  const char *second = strchr(counter, '_');
  if (!second) return set_wait(a, instr, counter, most, span);
  return set_wait(a, instr, arena_strndup(a->arena, counter, (size_t)(second - counter)), most >> 8, span) &&
         set_wait(a, instr, second + 1, most & 0xff, span);
}

/* ---- instructions ---- */

static const char *plain_name(struct assembler *a, const char *at, size_t length) {
  if (text_part_ends_in(at, length, "_e32") || text_part_ends_in(at, length, "_e64")) length -= 4;
  if (text_part_ends_in(at, length, "_sdwa")) length -= 5;
  return arena_strndup(a->arena, at, length);
}

static bool is_dual(const struct amd_instr *instr) {
  return !strncmp(instr->name, "v_dual_", 7);
}

/* v_dual_mov_b32 is v_mov_b32 */
static const struct amd_name *look_up(struct assembler *a, const char *text) {
  bool dual = !strncmp(text, "v_dual_", 7);
  const char *single = dual ? arena_printf(a->arena, "v_%s", text + 7) : text;
  return amd_name_find(single, strlen(single), a->target->gpu);
}

static bool known_cache_instruction(const struct amd_target *target, const char *name) {
  return amd_target_names(target, AMD_INVALIDATE, name) || amd_target_names(target, AMD_WRITE_BACK, name);
}

/* `_Z10vload_halfjPU3AS1KDh` is vload_half. */
static void fail_call(struct assembler *a, const char *name, struct span span) {
  const char *called = a->symbol;
  size_t length = called ? strlen(called) : 0;
  if (called && !strncmp(called, "_Z", 2)) {
    char *end;
    size_t plain = strtoul(called + 2, &end, 10);
    if (plain && plain <= strlen(end)) {
      called = end;
      length = plain;
    }
  }
  if (called)
    FAIL(a, span, "'%s' calls %.*s(), which is not in the code: the compiler takes it from a library", name,
         (int)length, called);
  else
    FAIL(a, span, "'%s' calls a function that is not in the code", name);
}

static void fail_name(struct assembler *a, const char *name, struct span span) {
  unsigned count;
  if (!strcmp(name, "s_swappc_b64")) { /* the compiler inlines all others */
    fail_call(a, name, span);
    return;
  }
  if (strstr(name, "_lds_")) {
    fail_copy(a, name, span);
    return;
  }
  const struct amd_name *names = amd_names(&count);
  const char **words = ARENA_ARRAY(a->arena, const char *, count + 1);
  for (unsigned i = 0, k = 0; i < count; i++)
    if (names[i].gpus & a->target->gpu) words[k++] = names[i].text;
  FAIL(a, span, "'%s' is not in the machine's instruction set of %s%s", name, a->target->name,
       suggest_hint(a->arena, suggest(name, words)));
}

/* What the GPU has for an instruction of others that does the same; NULL: nothing. */
static const char *same_elsewhere(const struct assembler *a, const struct amd_name *of) {
  unsigned count;
  const struct amd_name *names = amd_names(&count);
  for (unsigned i = 0; i < count && of->op != AMD_OP_NOTHING; i++) {
    const struct amd_name *name = &names[i];
    bool same = name->op == of->op && name->fn == of->fn && name->fn2 == of->fn2 && name->words == of->words;
    if (same && name->gpus & a->target->gpu && !strncmp(name->text, of->text, 2)) return name->text;
  }
  return NULL;
}

static bool is_load_or_store(enum amd_op op) {
  return op == AMD_OP_GLOBAL_LOAD || op == AMD_OP_GLOBAL_STORE || op == AMD_OP_DS_LOAD || op == AMD_OP_DS_STORE ||
         op == AMD_OP_FLAT_LOAD || op == AMD_OP_FLAT_STORE || op == AMD_OP_PRIVATE_LOAD || op == AMD_OP_PRIVATE_STORE ||
         op == AMD_OP_SCALAR_LOAD;
}

/* How much of memory an instruction accesses, and where in a register. */
static void set_size(struct amd_instr *instr) {
  enum amd_part part = is_load_or_store(instr->op) ? (enum amd_part)instr->fn : AMD_WORDS;
  instr->bytes = part == AMD_WORDS ? 4 * instr->words : part == AMD_U8 || part == AMD_I8 ? 1 : 2;
  instr->extends = part == AMD_I8 ? AMD_SEXT8 : part == AMD_I16 ? AMD_SEXT16 : 0;
  if (part != AMD_WORDS && strstr(instr->name, "d16"))
    instr->piece = strstr(instr->name, "d16_hi") ? AMD_HIGH : AMD_LOW;
}

static bool start(struct assembler *a, struct amd_instr *instr) {
  size_t length = word_length(a);
  struct span span = span_of(a, a->at, length ? length : 1);
  instr->name = plain_name(a, a->at, length);
  instr->selects = text_part_ends_in(a->at, length, "_sdwa");
  instr->longer = text_part_ends_in(a->at, length, "_e64");
  instr->span = span_of(a, a->at, (size_t)(a->end - a->at));
  instr->source_line = a->source_line;
  const struct amd_name *name = look_up(a, instr->name);
  a->at += length;
  if (!name && known_cache_instruction(a->target, instr->name)) {
    instr->op = AMD_OP_CACHE;
    return true;
  }
  unsigned gpus = name ? name->gpus : 0;
  if (instr->selects) gpus &= AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX10_3);
  if (is_dual(instr)) gpus &= AMD_FROM(AMD_GFX11);
  if (!(gpus & a->target->gpu)) {
    if (name)
      FAIL(a, span, "%s does not have '%s'%s", a->target->name, instr->name,
           suggest_hint(a->arena, same_elsewhere(a, name)));
    else if (length)
      fail_name(a, instr->name, span);
    else
      FAIL(a, span, "expected an instruction");
    return false;
  }
  instr->op = name->op;
  instr->fn = name->fn;
  instr->fn2 = name->fn2;
  instr->words = name->words;
  instr->returns = name->returns;
  set_size(instr);
  instr->vector = !strncmp(instr->name, "v_", 2) || amd_op_space(instr->op) != AMD_SPACE_NONE;
  if (!strcmp(instr->name, "v_readfirstlane_b32") || instr->op == AMD_OP_READ_LANE || instr->op == AMD_OP_WRITE_LANE)
    instr->vector = false;
  return true;
}

/* How many operands an instruction takes; the first number is the least. */
static bool count_fits(const struct amd_instr *instr) {
  static const uint8_t MOST[][2] = {
      [AMD_OP_GLOBAL_LOAD] = {3, 3}, [AMD_OP_GLOBAL_STORE] = {3, 3},    [AMD_OP_GLOBAL_RMW] = {3, 4},
      [AMD_OP_GLOBAL_CAS] = {3, 4},  [AMD_OP_DS_LOAD] = {2, 2},         [AMD_OP_DS_STORE] = {2, 3},
      [AMD_OP_DS_RMW] = {2, 3},      [AMD_OP_DS_CAS] = {3, 4},          [AMD_OP_DS_CAS_OLD] = {3, 4},
      [AMD_OP_FLAT_LOAD] = {3, 3},   [AMD_OP_FLAT_STORE] = {3, 3},      [AMD_OP_FLAT_RMW] = {3, 4},
      [AMD_OP_FLAT_CAS] = {3, 4},    [AMD_OP_PRIVATE_LOAD] = {3, 4},    [AMD_OP_PRIVATE_STORE] = {3, 4},
      [AMD_OP_SCALAR_LOAD] = {3, 3}, [AMD_OP_SIGNAL] = {1, 1},          [AMD_OP_BARRIER_WAIT] = {1, 1},
      [AMD_OP_BRANCH] = {1, 1},      [AMD_OP_PROGRAM_COUNTER] = {1, 1}, [AMD_OP_MOVE] = {2, 2},
      [AMD_OP_BINARY] = {3, 3},      [AMD_OP_REVERSED] = {3, 3},        [AMD_OP_TERNARY] = {4, 4},
      [AMD_OP_BITS] = {3, 4},        [AMD_OP_MEDIAN] = {4, 4},          [AMD_OP_FUSED] = {3, 4},
      [AMD_OP_TWO_MOVES] = {3, 3},   [AMD_OP_CARRY_OUT] = {4, 4},       [AMD_OP_CARRY_INOUT] = {5, 5},
      [AMD_OP_CARRY_SCC] = {3, 3},   [AMD_OP_COMPARE] = {3, 3},         [AMD_OP_COMPARE_EXEC] = {2, 3},
      [AMD_OP_COMPARE_SCC] = {2, 2}, [AMD_OP_BIT_SCC] = {2, 2},         [AMD_OP_SELECT] = {3, 4},
      [AMD_OP_SELECT_SCC] = {3, 3},  [AMD_OP_SAVE_EXEC] = {2, 2},       [AMD_OP_READ_LANE] = {3, 3},
      [AMD_OP_WRITE_LANE] = {3, 3},  [AMD_OP_MBCNT] = {3, 3},           [AMD_OP_MAD_WIDE] = {5, 5},
      [AMD_OP_FIELD] = {3, 4},       [AMD_OP_INSERT] = {4, 4},          [AMD_OP_ALIGN] = {4, 4},
      [AMD_OP_PERMUTE] = {4, 4}};
  if (instr->op == AMD_OP_DS_STORE) return instr->count == (amd_has_two_addresses(instr) ? 3 : 2);
  return instr->count >= MOST[instr->op][0] && instr->count <= MOST[instr->op][1];
}

/* An instruction on numbers of 16 bits reads lower halves of registers that say nothing else; GFX8 and
 * GFX9 clear the upper half of what they write, but for GFX9's newer multiplication, others leave it. */
static void take_halves(const struct assembler *a, struct amd_instr *instr) {
  const char *type = strrchr(instr->name, '_');
  bool vector = instr->vector && amd_op_space(instr->op) == AMD_SPACE_NONE;
  instr->short_numbers = vector && type && !strcmp(type + 2, "16");
  if (!instr->short_numbers) return;
  bool compares = instr->op == AMD_OP_COMPARE || instr->op == AMD_OP_COMPARE_EXEC, gfx9 = a->target->name[3] == '9';
  bool clears = a->target->name[3] == '8' || (gfx9 && strcmp(instr->name, "v_mad_u16") != 0);
  unsigned sources = instr->op == AMD_OP_SELECT ? 3 : instr->op == AMD_OP_COMPARE_EXEC ? 2 : instr->count;
  for (unsigned k = instr->op == AMD_OP_COMPARE; k < sources; k++) {
    struct amd_operand *operand = &instr->at[k];
    if (!operand->piece) operand->piece = AMD_LOW;
    operand->is_signed |= type[1] == 'i' && (operand->piece == AMD_LOW || operand->piece == AMD_HIGH);
  }
  if (!instr->selects) instr->at[0].alone = !compares && clears;
}

/* `s_movk_i32 d, 0x8000`: the numbers of such instructions have 16 bits, and mostly a sign: -32768. */
static bool take_short_number(struct assembler *a, struct amd_instr *instr) {
  const char *name = strchr(instr->name, '_');
  struct amd_operand *last = &instr->at[instr->count ? instr->count - 1 : 0];
  bool compares = !strncmp(name, "_cmpk_", 6), sign = !compares || text_ends_in(name, "_i32");
  bool has = compares || !strcmp(name, "_movk_i32") || !strcmp(name, "_addk_i32") || !strcmp(name, "_mulk_i32");
  if (!has || last->kind != AMD_NUMBER) return true;
  int64_t number = (int64_t)last->number;
  if (number < INT16_MIN || number > UINT16_MAX) return FAIL(a, last->span, "a number of %s has 16 bits", instr->name);
  if (sign) last->number = (uint64_t)(int64_t)(int16_t)number;
  return true;
}

/* `s_addk_i32 d, 1` is s_add_i32 d, d, 1. */
static void repeat_operand(struct amd_instr *instr) {
  if (instr->count != 2 || (strcmp(instr->name, "s_addk_i32") != 0 && strcmp(instr->name, "s_mulk_i32") != 0)) return;
  instr->at[instr->count++] = instr->at[1];
  instr->at[1] = instr->at[0];
}

/* `v_mad_nc_u64_u32 d, a, b, c` has no carry. */
static void add_carry(struct amd_instr *instr) {
  if (instr->op != AMD_OP_MAD_WIDE || instr->count != 4 || !strstr(instr->name, "_nc_")) return;
  for (unsigned k = instr->count++; k > 1; k--) instr->at[k] = instr->at[k - 1];
  instr->at[1] = (struct amd_operand){.kind = AMD_REG, .reg = AMD_NULL, .words = 1};
}

/* GFX6 to GFX8 add and subtract words with a carry: `v_add_i32 d, carry, a, b`. */
static void take_carry(const struct assembler *a, struct amd_instr *instr) {
  bool has = a->target->gpu <= AMD_GFX8 && text_ends_in(instr->name, "32") && is_sum(instr);
  if (!has || instr->count != 4) {
    if (has) instr->op = AMD_OP_CARRY_OUT; /* and too few operands */
    return;
  }
  if (instr->saturates) { /* nobody asks for the carry */
    instr->at[1] = instr->at[2];
    instr->at[2] = instr->at[--instr->count];
    return;
  }
  instr->fn2 = instr->op == AMD_OP_REVERSED;
  instr->op = AMD_OP_CARRY_OUT;
}

/* Before GFX10, what writes the mask of lanes writes another one too, its first operand (VCC where none is named); here
 * the last. */
static bool take_mask(const struct assembler *a, struct amd_instr *instr) {
  if (instr->op != AMD_OP_COMPARE_EXEC) return true;
  if (a->target->gpu > AMD_GFX950) return instr->count == 2;
  struct amd_operand mask = {.kind = AMD_REG, .reg = AMD_VCC, .words = 2};
  if (instr->count == 3) {
    mask = instr->at[0];
    instr->at[0] = instr->at[1];
    instr->at[1] = instr->at[2];
  }
  instr->at[2] = mask;
  instr->count += instr->count == 2;
  return true;
}

/* GFX6 and GFX7 count the offset of a scalar load in words. */
static void take_words(const struct assembler *a, struct amd_instr *instr) {
  struct amd_operand *offset = &instr->at[2];
  if (a->target->scalar_words && instr->op == AMD_OP_SCALAR_LOAD && offset->kind == AMD_NUMBER) offset->number *= 4;
}

/* `s_pack_lh_b32_b16 d, a, b`: of a the lower half, of b the upper one. */
static void take_packed(struct amd_instr *instr) {
  if (instr->fn != AMD_PACK || instr->op != AMD_OP_BINARY) return;
  for (unsigned k = 0; k < 2; k++)
    instr->at[k + 1].piece = instr->name[strlen("s_pack_") + k] == 'h' ? AMD_HIGH : AMD_LOW;
}

/* A flat instruction may do without a base in scalar registers, as a global one says with `off`. */
static void take_no_base(struct amd_instr *instr) {
  const struct amd_operand *last = &instr->at[instr->count ? instr->count - 1 : 0];
  bool base = instr->count > 1 && last->kind == AMD_REG && last->reg < AMD_V;
  if (amd_op_space(instr->op) == AMD_SPACE_FLAT && !base && instr->count < AMD_OPERANDS)
    instr->at[instr->count++] = (struct amd_operand){.kind = AMD_OFF};
}

/* Is this the destination of a vector instruction that computes, but no vector register? */
static bool is_misplaced(const struct amd_operand *destination, const struct amd_instr *instr) {
  bool computes = (instr->op >= AMD_OP_MOVE && instr->op <= AMD_OP_MAD_WIDE) || instr->op == AMD_OP_SELECT ||
                  instr->op == AMD_OP_WRITE_LANE || instr->op == AMD_OP_MBCNT;
  bool reads_lane = !strcmp(instr->name, "v_readfirstlane_b32");
  return instr->vector && computes && !reads_lane && (destination->kind != AMD_REG || destination->reg < AMD_V);
}

/* What instructions that do nothing here may have: a number, `sendmsg(MSG_INTERRUPT)` and the like, or operands as
 * others have them. */
struct idle_form {
  const char *name;
  const char *call;   /* how its words begin that have parentheses; NULL: it has none */
  bool number, other; /* it takes a number; a comma and an operand after it */
};

static const struct idle_form IDLE[] = {
    {"s_nop", NULL, true, false},           {"s_clause", NULL, true, false},
    {"s_inst_prefetch", NULL, true, false}, {"s_set_inst_prefetch_distance", NULL, true, false},
    {"s_setprio", NULL, true, false},       {"s_delay_alu", "inst", true, false},
    {"s_sendmsg", "sendmsg", true, false},  {"s_setreg_imm32_b32", "hwreg", true, true},
    {"s_setreg_b32", "hwreg", true, true},  {"s_waitcnt_depctr", "depctr_", true, false},
    {"s_wait_alu", "depctr_", true, false}, {"s_wait_samplecnt", NULL, true, false},
    {"s_wait_bvhcnt", NULL, true, false},   {"s_wait_xcnt", NULL, true, false},
    {"s_wait_expcnt", NULL, true, false},   {"s_endpgm", NULL, true, false},
    {"v_nop", NULL, false, false},          {"s_code_end", NULL, false, false},
};

/* `instid0(VALU_DEP_1)` */
static bool take_call(struct assembler *a, const char *begins) {
  size_t length = word_length(a), begun = begins ? strlen(begins) : 0;
  const char *end = a->at + length;
  if (!begun || length < begun || memcmp(a->at, begins, begun) != 0 || end == a->end || *end != '(') return false;
  end++;
  while (end < a->end && (is_word_char(*end) || *end == ',' || *end == ' ' || *end == '-')) end++;
  if (end == a->end || *end != ')') return false;
  a->at = end + 1;
  return true;
}

static bool parse_idle_operand(struct assembler *a, const struct idle_form *form) {
  int64_t number;
  bool some = false;
  if (form->number && take_number(a, &number)) return true;
  while (take_call(a, form->call)) {
    some = true;
    if (!take(a, "|")) take(a, "&");
    skip_space(a);
  }
  return some;
}

/* Functions return to s[30:31]; other jumps through registers are not followed. */
static bool is_return(struct assembler *a, const struct amd_instr *instr) {
  const struct amd_operand *to = &instr->at[0];
  if (instr->count == 1 && to->kind == AMD_REG && to->reg == AMD_S + 30 && to->words == 2) return true;
  return FAIL(a, instr->span, "%s goes where only a run knows", instr->name);
}

static bool parse_idle(struct assembler *a, struct amd_instr *instr) {
  const struct idle_form *form = FIND_ROW(IDLE, sizeof IDLE / sizeof *IDLE, name, instr->name);
  skip_space(a);
  if (!form) return parse_operands(a, instr) && (instr->op != AMD_OP_END || is_return(a, instr));
  bool bare = at_end(a), may_be_bare = instr->op == AMD_OP_END || !form->number;
  if (bare ? may_be_bare : parse_idle_operand(a, form)) {
    if (!form->other) return true;
    if (take(a, ",")) return take_operand(a, instr, &instr->at[0]);
  }
  return fail_operand(a, instr);
}

static bool parse_rest(struct assembler *a, struct amd_instr *instr) {
  if (instr->op == AMD_OP_NOTHING || instr->op == AMD_OP_END) return parse_idle(a, instr);
  if (instr->op == AMD_OP_WAIT) return parse_wait(a, instr);
  if (!parse_operands(a, instr)) return false;
  if (!instr->vector && instr->name[0] == 's' && !take_short_number(a, instr)) return false;
  repeat_operand(instr);
  take_no_base(instr);
  bool fits = take_mask(a, instr);
  take_carry(a, instr);
  add_carry(instr);
  take_words(a, instr);
  take_packed(instr);
  take_halves(a, instr);
  if (amd_has_two_addresses(instr)) {
    instr->offset *= instr->fn2;
    instr->second *= instr->fn2;
  }
  if (!fits || !count_fits(instr)) return FAIL(a, instr->span, "%s cannot have %u operands", instr->name, instr->count);
  if (!is_misplaced(&instr->at[0], instr)) return true;
  return FAIL(a, instr->at[0].span, "%s writes a vector register, and this is none", instr->name);
}

/* How many bytes of code it takes, where symbols follow the program counter: a scalar instruction. */
static unsigned code_bytes(const struct amd_instr *instr) {
  bool longer = false;
  for (unsigned k = 0; k < instr->count; k++) {
    int64_t number = (int64_t)instr->at[k].number;
    longer |= instr->at[k].kind == AMD_NAME || (instr->at[k].kind == AMD_NUMBER && (number < -16 || number > 64));
  }
  return longer ? 8 : 4;
}

static bool fits(struct assembler *a, const struct amd_instr *instr) {
  struct span span = {0};
  const char *misfit = NULL;
  if (a->target->gpu != AMD_EVERY_GPU) misfit = amd_misfit(a->arena, a->target, instr, &span);
  if (misfit) FAIL(a, span, "%s", misfit);
  return !misfit;
}

static bool parse_instruction(struct assembler *a) {
  struct amd_instr instr = {.op = AMD_OP_NOTHING};
  if (!start(a, &instr) || !parse_rest(a, &instr) || !fits(a, &instr)) return false;
  bool dual = is_dual(&instr);
  if (dual != take(a, "::"))
    return FAIL(a, instr.span, dual ? "the other half of %s is missing" : "%s is no half of an instruction",
                instr.name);
  if (dual) {
    struct amd_instr *second = ARENA_NEW(a->arena, struct amd_instr);
    skip_space(a);
    if (!start(a, second) || !parse_rest(a, second) || !fits(a, second)) return false;
    instr.dual = second;
  }
  skip_space(a);
  if (a->at < a->end) return fail_operand(a, &instr);
  *vec_push(a->arena, &a->instrs) = instr;
  a->since = instr.op == AMD_OP_PROGRAM_COUNTER ? 0 : a->since + code_bytes(&instr);
  return true;
}

/* ---- lines ---- */

/* Directives that say which registers hold what when a kernel starts. */
static void parse_directive(struct assembler *a) {
  struct {
    const char *text;
    unsigned *value;
  } known[] = {{".amdhsa_user_sgpr_private_segment_buffer", &a->private_segment},
               {".amdhsa_user_sgpr_dispatch_ptr", &a->dispatch},
               {".amdhsa_user_sgpr_queue_ptr", &a->queue},
               {".amdhsa_user_sgpr_kernarg_segment_ptr", &a->kernarg},
               {".amdhsa_user_sgpr_count", &a->user_registers},
               {".loc", &a->source_line}};
  size_t length = word_length(a);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!is_text(a->at, length, known[i].text)) continue;
    int64_t value = 0;
    a->at += length;
    bool read = take_number(a, &value);
    if (read && known[i].value == &a->source_line) read = take_number(a, &value); /* after the file's number */
    if (read && value >= 0 && value < 1 << 20) *known[i].value = (unsigned)value;
    if (known[i].value == &a->kernarg && value) a->has_kernarg = true;
    return;
  }
}

/* Ends the line at a comment. */
static void cut_comment(struct assembler *a) {
  for (const char *p = a->at; p < a->end; p++)
    if (*p == ';' || (*p == '/' && p + 1 < a->end && p[1] == '/')) {
      a->end = p;
      return;
    }
}

static bool take_label(struct assembler *a) {
  size_t length = word_length(a);
  if (!length || a->at + length >= a->end || a->at[length] != ':') return false;
  if (a->at + length + 1 < a->end && a->at[length + 1] == ':') return false;
  const char *name = arena_strndup(a->arena, a->at, length);
  *vec_push(a->arena, &a->labels) = (struct label){name, (unsigned)a->instrs.count, span_of(a, a->at, length)};
  a->at += length + 1;
  return true;
}

static void parse_line(struct assembler *a, struct span line) {
  a->at = a->source->text + line.at;
  a->end = a->at + line.length;
  cut_comment(a);
  while (a->end > a->at && isspace((unsigned char)a->end[-1])) a->end--;
  skip_space(a);
  while (take_label(a)) skip_space(a);
  if (a->at >= a->end) return;
  if (*a->at == '.')
    parse_directive(a);
  else
    parse_instruction(a);
}

static int by_name(const void *a, const void *b) {
  const struct label *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->span.at < y->span.at ? -1 : 1;
}

/* By name, so that each is found in few steps; two of one name are next to each other then. */
static void sort_labels(struct assembler *a) {
  if (a->labels.count) qsort(a->labels.at, a->labels.count, sizeof *a->labels.at, by_name);
  for (size_t i = 1; i < a->labels.count; i++) {
    const struct label *label = &a->labels.at[i];
    if (!strcmp(label[-1].name, label->name)) FAIL(a, label->span, "duplicate label '%s'", label->name);
  }
}

static int named(const void *name, const void *label) {
  return strcmp(name, ((const struct label *)label)->name);
}

static bool resolve(struct assembler *a, bool *loops) {
  for (unsigned i = 0; i < a->instrs.count; i++) {
    struct amd_instr *instr = &a->instrs.at[i];
    if (instr->op != AMD_OP_BRANCH) continue;
    const struct amd_operand *operand = &instr->at[0];
    const struct label *found = NULL;
    if (operand->kind == AMD_NAME && a->labels.count)
      found = bsearch(operand->name, a->labels.at, a->labels.count, sizeof *a->labels.at, named);
    if (!found) {
      FAIL(a, operand->span, "unknown label");
      continue;
    }
    instr->target = found->at;
    *loops |= found->at <= i;
    if (found->at < a->instrs.count) a->instrs.at[found->at].joins = true;
  }
  return !a->failed;
}

struct amd_code *amd_assemble(struct arena *arena, const struct amd_target *target, const struct source *source,
                              const struct span *lines, size_t line_count, struct diags *diags) {
  struct assembler a = {.arena = arena, .target = target, .source = source, .diags = diags};
  for (size_t i = 0; i < line_count; i++) parse_line(&a, lines[i]);
  sort_labels(&a);
  bool loops = false;
  if (a.failed || !resolve(&a, &loops)) return NULL;
  struct amd_code *code =
      ARENA_MAKE(arena, struct amd_code, source, a.instrs.at, (unsigned)a.instrs.count, loops, a.user_registers, -1);
  if (a.has_kernarg) code->kernarg = (int)(4 * a.private_segment + 2 * a.dispatch + 2 * a.queue);
  return code;
}
