/* SPDX-License-Identifier: MIT */
/* Words and numbers of a line of AMDGPU assembly, operands and modifiers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/amd/assembly_internal.h"
#include "hwsem/amd/encodings.h"

enum { MODIFIERS = 16 }; /* no instruction has more */

/* ---- words and numbers ---- */

struct span assembler_span(const struct assembler *a, const char *from, size_t length) {
  return (struct span){(uint32_t)(from - a->source->text), (uint32_t)length};
}

void assembler_skip_space(struct assembler *a) {
  while (a->at < a->end && isspace((unsigned char)*a->at)) a->at++;
}

static bool is_part_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* The length of the word here; 0: none. */
size_t assembler_word_length(const struct assembler *a) {
  const char *p = a->at;
  while (p < a->end && is_part_of_word(*p)) p++;
  return (size_t)(p - a->at);
}

bool assembler_take(struct assembler *a, const char *text) {
  assembler_skip_space(a);
  size_t length = strlen(text);
  if ((size_t)(a->end - a->at) < length || memcmp(a->at, text, length) != 0) return false;
  a->at += length;
  return true;
}

bool assembler_take_number(struct assembler *a, int64_t *value) {
  assembler_skip_space(a);
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
  for (size_t i = 0; i < ARRAY_COUNT(FLOATS); i++) {
    if ((size_t)(a->end - from) < 3 || memcmp(from, FLOATS[i].text, 3) != 0) continue;
    if (a->end - from > 3 && is_part_of_word(from[3])) continue;
    uint64_t bits = wide ? FLOATS[i].wide | (uint64_t)negative << 63 : FLOATS[i].bits | (uint32_t)negative << 31;
    *value = (int64_t)bits;
    a->at = from + 3;
    return true;
  }
  return false;
}

bool assembler_at_end(struct assembler *a) {
  assembler_skip_space(a);
  return a->at >= a->end || (a->end - a->at >= 2 && a->at[0] == ':' && a->at[1] == ':');
}

bool assembler_fail_operand(struct assembler *a, const struct amd_instr *instr) {
  size_t length = 0;
  if (assembler_at_end(a)) return ASSEMBLER_FAIL(a, instr->span, "%s lacks an operand", instr->name);
  while (a->at + length < a->end && !isspace((unsigned char)a->at[length]) && a->at[length] != ',') length++;
  return ASSEMBLER_FAIL(a, assembler_span(a, a->at, length ? length : 1),
                        "'%.*s' of %s is not in the machine's instruction set", (int)length, a->at, instr->name);
}

/* ---- operands and modifiers ---- */

/* A register, with its range, as one word. */
static size_t register_length(const struct assembler *a) {
  size_t length = assembler_word_length(a);
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
    if (!assembler_take_number(a, &more)) return false;
  }
  operand->number = (uint64_t)more - a->since - 4;
  return true;
}

/* What these registers hold. */
static bool take_aperture(const char *from, size_t length, uint64_t *number) {
  bool local = text_part_is(from, length, "src_shared_base"),
       upper = text_part_is(from, length, "src_flat_scratch_base_hi");
  bool private =
      text_part_is(from, length, "src_private_base") || text_part_is(from, length, "src_flat_scratch_base_lo");
  *number = (uint64_t)(local ? AMD_LOCAL_APERTURE : AMD_PRIVATE_APERTURE) << (upper ? 0 : 32);
  return local || upper || private;
}

bool assembler_take_operand(struct assembler *a, struct amd_instr *instr, struct amd_operand *operand) {
  assembler_skip_space(a);
  int64_t number;
  bool sext = instr->selects && assembler_take(a, "sext(");
  const char *from = a->at;
  size_t length = register_length(a), whole = length;
  operand->piece = register_half(from, &whole);
  int reg = amd_register(from, whole, &operand->words);
  if (reg >= 0) {
    operand->kind = AMD_REG;
    operand->reg = (unsigned)reg;
    a->at += length;
  } else if (text_part_is(from, length, "off")) {
    operand->kind = AMD_OFF;
    a->at += length;
  } else if (take_aperture(from, length, &operand->number)) {
    operand->kind = AMD_NUMBER;
    operand->named = true;
    a->at += length;
  } else if ((operand->named = take_float(a, text_ends_in(instr->name, "64"), &number)) ||
             assembler_take_number(a, &number)) {
    operand->kind = AMD_NUMBER;
    operand->number = (uint64_t)number;
  } else if (take_symbol(a, operand, from, length)) {
    /* that is all */
  } else if (length && !isdigit((unsigned char)*from)) {
    operand->kind = AMD_NAME;
    operand->name = arena_strndup(a->arena, from, length);
    a->at += length;
  } else {
    return assembler_fail_operand(a, instr);
  }
  operand->span = assembler_span(a, from, (size_t)(a->at - from));
  operand->is_signed = sext;
  if (!sext || assembler_take(a, ")")) return true;
  return assembler_fail_operand(a, instr);
}

/* What only says how long a line is wanted, or that nobody changes it, since caches may drop lines at any time
 * anyway; and that registers are part of an address, which their being there says. */
static bool take_hint(struct assembler *a, const struct amd_instr *instr) {
  const char *from = a->at;
  bool policy = assembler_take(a, "th:");
  size_t length = assembler_word_length(a);
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
  if (assembler_take(a, "dst_unused:UNUSED_PRESERVE")) return true;
  if (assembler_take(a, "dst_unused:UNUSED_PAD")) return to->alone = true;
  if (assembler_take(a, "src0_sel:"))
    to = &instr->at[first];
  else if (assembler_take(a, "src1_sel:"))
    to = &instr->at[first + 1];
  else if (!assembler_take(a, "dst_sel:"))
    return false;
  size_t length = assembler_word_length(a);
  for (unsigned k = 0; NAMES[k]; k++) {
    if (!text_part_is(a->at, length, NAMES[k])) continue;
    to->piece = (enum amd_piece)k;
    a->at += length;
    return true;
  }
  return false;
}

/* Of the lanes' words, or of their halves. */
bool assembler_is_sum(const struct amd_instr *instr) {
  return instr->vector && instr->words == 1 && (instr->op == AMD_OP_BINARY || instr->op == AMD_OP_REVERSED) &&
         (instr->fn == AMD_ADD || instr->fn == AMD_SUB);
}

/* `glc`, `offset:4`, `scope:SCOPE_DEV` */
static bool take_modifier(struct assembler *a, struct amd_instr *instr) {
  assembler_skip_space(a);
  const char *from = a->at;
  if (assembler_take(a, "offset:")) return assembler_take_number(a, &instr->offset);
  if (take_hint(a, instr) || (instr->selects && take_selection(a, instr))) return true;
  if (amd_has_two_addresses(instr) && assembler_take(a, "offset0:")) return assembler_take_number(a, &instr->offset);
  if (amd_has_two_addresses(instr) && assembler_take(a, "offset1:")) return assembler_take_number(a, &instr->second);
  if (instr->op == AMD_OP_BITS && assembler_take(a, "bitop3:")) return assembler_take_number(a, &instr->second);
  bool of_floats = instr->op == AMD_OP_FUSED || amd_fn_is_float((enum amd_fn)instr->fn);
  if (of_floats && amd_op_space(instr->op) == AMD_SPACE_NONE && assembler_take(a, "clamp")) return instr->clamps = true;
  if (assembler_is_sum(instr) && assembler_take(a, "clamp")) return instr->saturates = true;
  enum amd_space space = amd_op_space(instr->op);
  bool offset = (space != AMD_SPACE_NONE && space != AMD_SPACE_LOCAL) || instr->op == AMD_OP_SCALAR_LOAD;
  if (offset && assembler_take(a, "scale_offset")) return instr->scales = true;
  bool named = assembler_take(a, "scope:") || assembler_take(a, "th:");
  size_t length = assembler_word_length(a);
  unsigned bit = amd_bit(a->at, length);
  if (text_part_is(a->at, length, "TH_ATOMIC_RT_RETURN") || text_part_is(a->at, length, "TH_ATOMIC_NT_RETURN"))
    bit = 1u << AMD_BIT_TH_RETURN;
  bool spelled = bit && named == (bit >= 1u << AMD_BIT_SCOPE_SE);
  bool nothing = named && text_part_is(a->at, length, "SCOPE_CU");
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
  for (unsigned i = 0; i < ARRAY_COUNT(SELECTED); i++)
    if (assembler_take(a, SELECTED[i])) upper = i;
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
void assembler_fail_copy(struct assembler *a, const char *name, struct span span) {
  ASSEMBLER_FAIL(a, span, "'%s' copies memory to local memory without a register, which the machine does not do", name);
}

/* `sc0`, or what comes before the colon of `offset:4`. */
static struct span modifier_name(struct assembler *a) {
  assembler_skip_space(a);
  return assembler_span(a, a->at, assembler_word_length(a));
}

static bool same_text(const struct assembler *a, struct span x, struct span y) {
  return x.length == y.length && !memcmp(a->source->text + x.at, a->source->text + y.at, x.length);
}

/* Each once, and such as the target has. */
static bool parse_modifiers(struct assembler *a, struct amd_instr *instr) {
  struct span seen[MODIFIERS];
  for (unsigned count = 0; !assembler_at_end(a); count++) {
    struct span name = modifier_name(a);
    unsigned before = instr->bits;
    if (!take_modifier(a, instr) || count == MODIFIERS) {
      if (text_part_is(a->source->text + name.at, name.length, "lds") && strstr(instr->name, "_load_"))
        assembler_fail_copy(a, instr->name, name);
      else
        assembler_fail_operand(a, instr);
      return false;
    }
    seen[count] = name;
    for (unsigned i = 0; i < count; i++)
      if (same_text(a, seen[i], name))
        return ASSEMBLER_FAIL(a, name, "%s has '%.*s' twice", instr->name, (int)name.length, a->source->text + name.at);
    struct span whole = assembler_span(a, a->source->text + name.at, (size_t)(a->at - a->source->text) - name.at);
    if (!strncmp(a->source->text + name.at, "offset", 6)) instr->offset_span = whole;
    if (amd_has_modifier(a->target, instr, a->source->text + name.at, name.length, instr->bits & ~before)) continue;
    return ASSEMBLER_FAIL(a, whole, "%s of %s does not take '%.*s'", instr->name, a->target->name, (int)whole.length,
                          a->source->text + name.at);
  }
  return true;
}

bool assembler_parse_operands(struct assembler *a, struct amd_instr *instr) {
  while (!assembler_at_end(a) && !modifier_next(a, instr)) {
    if (instr->count == AMD_OPERANDS) return assembler_fail_operand(a, instr);
    if (!assembler_take_operand(a, instr, &instr->at[instr->count])) return false;
    instr->count++;
    if (!assembler_take(a, ",")) break;
  }
  if (!strcmp(instr->name, "v_pk_mov_b32")) parse_packed_move(a, instr);
  return parse_modifiers(a, instr);
}
