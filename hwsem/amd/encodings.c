/* SPDX-License-Identifier: MIT */
/* What the encodings of a GPU have no room for: modifiers and registers that it lacks, registers of the wrong kind or
 * number, offsets that are too large, more constants than an instruction can have.  LLVM's assembler refuses the same
 * (tests/scripts/amd_llvm_mc.sh).
 */
#include "hwsem/amd/encodings.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

/* ---- modifiers ---- */

static const struct hint {
  const char *text;
  unsigned gpus;
} HINTS[] = {{"slc", AMD_TO(AMD_GFX11_5) & ~(AMD_GFX940 | AMD_GFX950)},
             {"nt", AMD_GFX940 | AMD_GFX950},
             {"nv", AMD_GFX12_5},
             {"offen", AMD_EVERY_GPU},
             {"addr64", AMD_GFX6 | AMD_GFX7}};

static const struct hint *find_hint(const char *at, size_t length) {
  for (unsigned i = 0; i < ARRAY_COUNT(HINTS); i++)
    if (text_part_is(at, length, HINTS[i].text)) return &HINTS[i];
  return NULL;
}

static bool is_store(const struct amd_instr *i) {
  return i->op == AMD_OP_GLOBAL_STORE || i->op == AMD_OP_FLAT_STORE || i->op == AMD_OP_PRIVATE_STORE;
}

static bool is_cas(const struct amd_instr *i) {
  return i->op == AMD_OP_GLOBAL_CAS || i->op == AMD_OP_FLAT_CAS || i->op == AMD_OP_DS_CAS || i->op == AMD_OP_DS_CAS_OLD;
}

static bool is_rmw(const struct amd_instr *i) {
  return is_cas(i) || i->op == AMD_OP_GLOBAL_RMW || i->op == AMD_OP_FLAT_RMW || i->op == AMD_OP_DS_RMW;
}

/* `TH_LOAD_NT` of a load, and so on. */
static bool is_policy(const struct amd_instr *instr, const char *at, size_t length) {
  static const char *const USUAL[] = {"TH_DEFAULT", "TH_LOAD_RT", "TH_STORE_RT", "TH_ATOMIC_RT", NULL};
  static const char *const LOAD[] = {"NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", "BYPASS", NULL};
  static const char *const STORE[] = {"NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "BYPASS", NULL};
  static const char *const ATOMIC[] = {"NT", "CASCADE_RT", "CASCADE_NT", NULL};
  const char *kind = is_store(instr) ? "TH_STORE_" : is_rmw(instr) ? "TH_ATOMIC_" : "TH_LOAD_";
  size_t begins = strlen(kind);
  for (const char *const *word = USUAL; *word; word++)
    if (text_part_is(at, length, *word)) return true;
  if (length <= begins || memcmp(at, kind, begins) != 0) return false;
  for (const char *const *word = is_store(instr) ? STORE : is_rmw(instr) ? ATOMIC : LOAD; *word; word++)
    if (text_part_is(at + begins, length - begins, *word)) return true;
  return false;
}

bool amd_is_hint(const struct amd_instr *instr, const char *at, size_t length, bool policy) {
  return policy ? is_policy(instr, at, length) : find_hint(at, length) != NULL;
}

/* The parts of an address in vector registers; the caches' instructions have bits of their own. */
static bool has_bit(const struct amd_target *target, const struct amd_instr *instr, unsigned bit) {
  enum amd_gpu gpu = target->gpu;
  bool scalar = instr->op == AMD_OP_SCALAR_LOAD, old = bit == 1u << AMD_BIT_GLC || bit == 1u << AMD_BIT_DLC;
  if (scalar) return old && gpu >= (bit == 1u << AMD_BIT_GLC ? AMD_GFX8 : AMD_GFX10) && gpu <= AMD_GFX11_5;
  return !(bit & ~amd_target_bits(target)) && (instr->op != AMD_OP_CACHE || (!old && gpu != AMD_GFX90A));
}

bool amd_has_modifier(const struct amd_target *target, const struct amd_instr *instr, const char *at, size_t length,
                      unsigned bit) {
  enum amd_space space = amd_op_space(instr->op);
  enum amd_gpu gpu = target->gpu;
  bool scalar = instr->op == AMD_OP_SCALAR_LOAD, local = space == AMD_SPACE_LOCAL, cache = instr->op == AMD_OP_CACHE;
  bool shared = space != AMD_SPACE_NONE && !local, newer = gpu >= AMD_GFX12, buffer = shared && amd_is_buffer(instr);
  const struct hint *hint = find_hint(at, length);
  const struct amd_operand *address = &instr->at[1], *last = &instr->at[instr->count ? instr->count - 1 : 0];
  if ((hint && !(hint->gpus & gpu)) || (bit == 1u << AMD_BIT_TH_RETURN && !is_rmw(instr))) return false;
  if (text_part_is(at, length, "offen") || text_part_is(at, length, "addr64"))
    return buffer && (instr->count < 4 || (address->kind == AMD_REG && address->words == (*at == 'o' ? 1 : 2)));
  if (hint) return shared || (*at == 'n' && (cache || (scalar && gpu == AMD_GFX12_5)));
  if (text_part_is(at, length, "offset"))
    return scalar ? gpu >= AMD_GFX900 && instr->at[2].kind == AMD_REG
                  : shared || (local && !amd_has_two_addresses(instr));
  if (text_part_is(at, length, "scale_offset"))
    return gpu == AMD_GFX12_5 && !buffer &&
           (space == AMD_SPACE_PRIVATE || (last->kind == AMD_REG && last->reg < AMD_V));
  bool field = text_part_is(at, length, "scope") || text_part_is(at, length, "th");
  if (field && (!bit || scalar))
    return newer && (shared || scalar || cache || (instr->op == AMD_OP_NOTHING && *at == 's'));
  return !bit || ((shared || scalar || cache || (field && instr->op == AMD_OP_NOTHING)) && has_bit(target, instr, bit));
}

struct check {
  struct arena *arena;
  const struct amd_target *target;
  const struct amd_instr *instr;
  const char *wrong; /* NULL: nothing yet */
  struct span span;
};

/* ---- operands ---- */

static bool has(const struct check *c, unsigned gpus) {
  return c->target->gpu & gpus;
}

#define FAIL(c, where, ...) ((c)->wrong = arena_printf((c)->arena, __VA_ARGS__), (c)->span = (where), false)

static bool is_vector(const struct amd_operand *o) {
  return o->kind == AMD_REG && o->reg >= AMD_V;
}

static bool is_scalar(const struct amd_operand *o) {
  return o->kind == AMD_REG && o->reg < AMD_V;
}

/* Does the GPU have the register, and may several begin there? */
static bool is_there(struct check *c, const struct amd_operand *o) {
  if (o->kind != AMD_REG) return true;
  unsigned last = o->reg + o->words - 1, numbered = has(c, AMD_TO(AMD_GFX7))     ? 103
                                                    : has(c, AMD_TO(AMD_GFX950)) ? 101
                                                                                 : 105;
  bool many = o->reg < AMD_VCC && last > numbered, none = o->reg == AMD_NULL && has(c, AMD_TO(AMD_GFX950));
  bool accumulates = o->reg >= AMD_A && !has(c, AMD_GFX908 | AMD_GFX90A | AMD_GFX940 | AMD_GFX950);
  if (many || none || accumulates) return FAIL(c, o->span, "%s does not have this register", c->target->name);
  bool pairs = has(c, AMD_GFX90A | AMD_GFX940 | AMD_GFX950 | AMD_GFX12_5) && o->words > 1;
  unsigned apart = o->reg < AMD_VCC ? o->words > 2 ? 4 : o->words : is_vector(o) && pairs ? 2 : 1;
  if (o->reg % apart) return FAIL(c, o->span, "on %s such registers begin at a multiple of %u", c->target->name, apart);
  return true;
}

enum kinds {
  NOTHING = 0,
  VECTOR = 1,
  SCALAR = 2,
  NUMBER = 4,
  OFF = 8,
  ACCUMULATOR = 16,
  SOURCE = VECTOR | SCALAR | NUMBER
};

/* "a vector register or a number" */
static const char *kinds_in_words(struct arena *arena, unsigned kinds) {
  static const char *const WORDS[] = {"a vector register", "a scalar register", "a number", "off", "an accumulator"};
  const char *text = NULL;
  for (unsigned k = 0; k < ARRAY_COUNT(WORDS); k++)
    if (kinds >> k & 1) text = text ? arena_printf(arena, "%s or %s", text, WORDS[k]) : WORDS[k];
  return text;
}

enum { MASK = 0, ANY = 255 }; /* words: two, or one where a wave has 32 lanes; not asked here */

/* Is it of one of these kinds, and has it so many words? */
static bool is_of(struct check *c, unsigned k, unsigned kinds, unsigned words) {
  const struct amd_operand *o = &c->instr->at[k];
  if (k >= c->instr->count) return true;
  bool symbol = o->kind == AMD_NAME && kinds & NUMBER;
  enum kinds kind = o->kind == AMD_NUMBER ? NUMBER
                    : o->kind == AMD_OFF  ? OFF
                    : o->kind != AMD_REG  ? NOTHING
                    : o->reg < AMD_V      ? SCALAR
                    : o->reg < AMD_A      ? VECTOR
                                          : ACCUMULATOR;
  if (!(kind & kinds) && !symbol)
    return FAIL(c, o->span, "%s takes %s here", c->instr->name, kinds_in_words(c->arena, kinds));
  bool fits = words == ANY || o->words == words;
  if (words == MASK) fits = o->words <= 2 && has(c, o->words == 1 ? AMD_FROM(AMD_GFX10) : AMD_TO(AMD_GFX12));
  if (o->kind == AMD_REG && o->reg != AMD_NULL && !fits)
    return FAIL(c, o->span, words == 1 ? "%s takes one register here" : "%s takes %u registers here", c->instr->name,
                words ? words : 2);
  return true;
}

/* ---- memory ---- */

/* Loads and stores of these GPUs may be of accumulators, too. */
static unsigned data_kinds(const struct check *c) {
  return has(c, AMD_GFX90A | AMD_GFX940 | AMD_GFX950) ? VECTOR | ACCUMULATOR : VECTOR;
}

/* The address in one register and a base in scalar ones, or in two. */
static bool check_address(struct check *c, unsigned vector, unsigned scalar) {
  bool pair = c->instr->at[scalar].kind == AMD_OFF;
  if (!is_of(c, vector, VECTOR, ANY) || !is_of(c, scalar, SCALAR | OFF, 2)) return false;
  if (c->instr->at[vector].words == (pair ? 2 : 1)) return true;
  return FAIL(c, c->instr->at[vector].span,
              "the address of %s is in a pair of vector registers, or in one and in a pair of scalar registers",
              c->instr->name);
}

/* Private memory: a vector register, a scalar one, both or none, by GPU. */
static bool check_private_address(struct check *c, unsigned vector, unsigned scalar) {
  bool off[2] = {c->instr->at[vector].kind == AMD_OFF, c->instr->at[scalar].kind == AMD_OFF};
  if (!is_of(c, vector, VECTOR | OFF, 1) || !is_of(c, scalar, SCALAR | OFF, 1)) return false;
  bool none = has(c, AMD_GFX940 | AMD_GFX950 | AMD_FROM(AMD_GFX10_3)),
       both = has(c, AMD_GFX940 | AMD_GFX950 | AMD_FROM(AMD_GFX11));
  if ((off[0] && off[1] && !none) || (!off[0] && !off[1] && !both))
    return FAIL(c, c->instr->at[scalar].span, "%s of %s does not have such an address", c->instr->name,
                c->target->name);
  return true;
}

static bool check_buffer(struct check *c, unsigned data, bool cas) {
  const struct amd_instr *i = c->instr;
  unsigned words = i->at[1].kind == AMD_REG && i->at[1].words == 2 ? 2 : 1;
  if (i->count != 4) return FAIL(c, i->span, "%s cannot have %u operands", i->name, i->count);
  return is_of(c, 0, data_kinds(c), cas ? 2 * data : data) && is_of(c, 1, VECTOR | OFF, words) &&
         is_of(c, 2, SCALAR, 4) && is_of(c, 3, has(c, AMD_FROM(AMD_GFX12)) ? SCALAR : SCALAR | NUMBER, 1);
}

/* A read-modify-write returns what was there if it has a place for it, and a bit, or its name, that says so. */
static bool check_rmw(struct check *c, enum amd_space space, bool cas) {
  const struct amd_instr *i = c->instr;
  bool local = space == AMD_SPACE_LOCAL;
  unsigned least = local && !cas ? 2 : 3, data = local || !cas ? i->words : 2 * i->words;
  bool to = i->count > least, returns = local ? i->returns : (i->bits & c->target->return_bits) != 0;
  if (to != returns)
    return FAIL(c, i->span,
                returns ? "%s returns what it read, and has no register for it"
                        : "%s has a register for what it read, and does not return it",
                i->name);
  if (to && !is_of(c, 0, data_kinds(c), i->words)) return false;
  if (!is_of(c, to + 1u, data_kinds(c), data)) return false;
  if (local) return is_of(c, to, VECTOR, 1) && (!cas || is_of(c, to + 2u, data_kinds(c), data));
  return check_address(c, to, to + 2u);
}

static bool check_scalar_load(struct check *c) {
  const struct amd_instr *i = c->instr;
  unsigned offset = has(c, AMD_FROM(AMD_GFX10)) || i->at[2].reg != AMD_NULL ? SCALAR | NUMBER : NUMBER;
  return is_of(c, 0, SCALAR, i->words) && is_of(c, 1, SCALAR, 2) && is_of(c, 2, offset, 1);
}

static bool check_memory(struct check *c) {
  const struct amd_instr *i = c->instr;
  enum amd_space space = amd_op_space(i->op);
  unsigned data = i->words;
  bool store = is_store(i), cas = is_cas(i);
  if (i->op == AMD_OP_SCALAR_LOAD) return check_scalar_load(c);
  if (amd_is_buffer(i)) return check_buffer(c, data, cas);
  if (is_rmw(i)) return check_rmw(c, space, cas);
  if (i->op == AMD_OP_DS_LOAD) return is_of(c, 0, data_kinds(c), data) && is_of(c, 1, VECTOR, 1);
  if (i->op == AMD_OP_DS_STORE) {
    unsigned each = i->count == 3 ? data / 2 : data;
    return is_of(c, 0, VECTOR, 1) && is_of(c, 1, data_kinds(c), each) && is_of(c, 2, data_kinds(c), each);
  }
  bool addressed = space == AMD_SPACE_PRIVATE ? check_private_address(c, !store, 2) : check_address(c, !store, 2);
  return addressed && is_of(c, store, data_kinds(c), data);
}

/* ---- offsets ---- */

static bool is_between(struct check *c, int64_t number, int64_t least, int64_t most, struct span span) {
  if (number >= least && number <= most) return true;
  if (!most) return FAIL(c, span, "%s of %s has no offset", c->instr->name, c->target->name);
  return FAIL(c, span, "an offset of %s of %s is between %lld and %lld", c->instr->name, c->target->name,
              (long long)least, (long long)most);
}

static bool check_offset(struct check *c) {
  const struct amd_instr *i = c->instr;
  enum amd_space space = amd_op_space(i->op);
  const struct amd_operand *scalar = &i->at[2];
  int64_t far = 1 << 23;
  if (i->op == AMD_OP_SCALAR_LOAD) {
    int64_t number = scalar->kind == AMD_NUMBER ? (int64_t)scalar->number : i->offset;
    int64_t most = has(c, AMD_GFX6)              ? 1024
                   : has(c, AMD_GFX7)            ? (int64_t)1 << 34
                   : has(c, AMD_TO(AMD_GFX11_5)) ? 1 << 20
                                                 : far;
    return is_between(c, number, has(c, AMD_TO(AMD_GFX8)) ? 0 : -most, most - 1,
                      scalar->kind == AMD_NUMBER ? scalar->span : i->offset_span);
  }
  if (space == AMD_SPACE_NONE) return true;
  int64_t least = 0, most = 4095, step = i->fn2 && space == AMD_SPACE_LOCAL && i->op <= AMD_OP_DS_STORE ? i->fn2 : 1;
  if (space == AMD_SPACE_LOCAL)
    most = step > 1 ? 255 * step : 65535;
  else if (has(c, AMD_FROM(AMD_GFX12)))
    most = far - 1, least = amd_is_buffer(i) ? 0 : -far;
  else if (!amd_is_buffer(i)) {
    bool narrow = has(c, AMD_GFX10 | AMD_GFX10_3);
    most = has(c, AMD_TO(AMD_GFX8)) ? 0 : narrow ? 2047 : 4095;
    least = space == AMD_SPACE_FLAT ? 0 : -most - 1;
  }
  return is_between(c, i->offset, least, most, i->offset_span) &&
         is_between(c, i->second, 0, space == AMD_SPACE_LOCAL ? most : INT64_MAX, i->offset_span);
}

/* ---- what is computed ---- */

static bool is_shift(unsigned fn) {
  return fn == AMD_SHL || fn == AMD_SHR || fn == AMD_SAR;
}

/* How many words operand k has. */
static unsigned words_of(const struct amd_instr *i, unsigned k) {
  switch (i->op) {
    case AMD_OP_BINARY:
      return k == 2 && is_shift(i->fn) ? 1 : i->words;
    case AMD_OP_REVERSED:
      return k == 1 && is_shift(i->fn) ? 1 : i->words;
    case AMD_OP_TERNARY:
      return k == 2 && is_shift(i->fn) ? 1 : i->words;
    case AMD_OP_TWO_MOVES:
      return 2;
    case AMD_OP_FIELD:
      return k > 1 ? 1 : i->words;
    case AMD_OP_BIT_SCC:
      return k == 1 ? 1 : i->words;
    case AMD_OP_CARRY_OUT:
    case AMD_OP_CARRY_INOUT:
      return k == 1 || k == 4 ? MASK : i->words;
    case AMD_OP_MAD_WIDE:
      return k == 1 ? MASK : k == 0 || k == 4 ? 2 : 1;
    case AMD_OP_COMPARE_EXEC:
      return k == 2 ? MASK : i->words;
    case AMD_OP_COMPARE:
      return k == 0 ? MASK : i->words;
    case AMD_OP_SELECT:
      return k == 3 ? MASK : i->words;
    default:
      return i->words;
  }
}

/* A number that needs a word of its own in the code. */
static bool is_literal(const struct amd_operand *o) {
  int64_t number = (int64_t)o->number;
  bool short_float = o->number <= UINT32_MAX && !(o->number & 0x7fffff) && ((o->number >> 23 & 0xff) - 126) < 4;
  return o->kind == AMD_NUMBER && !o->named && !short_float && (uint32_t)(number + 16) > 80;
}

/* A vector instruction reads one scalar register or long number, from GFX10 on two; a long number before in the short
 * forms only, whose first source it is then. */
static bool check_constants(struct check *c, unsigned first) {
  const struct amd_instr *i = c->instr;
  bool own = strstr(i->name, "aak") || strstr(i->name, "amk"), scalar = i->name[0] == 's';
  unsigned literals = 0, registers = 0, most = has(c, AMD_FROM(AMD_GFX10)) ? 2 : 1;
  bool longer = i->op == AMD_OP_TERNARY || i->op == AMD_OP_MEDIAN || (i->op == AMD_OP_FUSED && i->count == 4) ||
                (i->op >= AMD_OP_FIELD && i->op <= AMD_OP_PERMUTE) || i->op == AMD_OP_MAD_WIDE || i->op == AMD_OP_BITS;
  for (unsigned k = first; k < (i->op == AMD_OP_COMPARE_EXEC ? 2 : i->count); k++) {
    const struct amd_operand *o = &i->at[k];
    bool again = false;
    for (unsigned m = first; m < k; m++)
      again |= o->kind == i->at[m].kind && (is_scalar(o) ? o->reg == i->at[m].reg : o->number == i->at[m].number);
    if (is_scalar(o) && o->reg != AMD_NULL && !again) registers++;
    if (!is_literal(o) || again) continue;
    bool late = has(c, AMD_TO(AMD_GFX950)) && !scalar && !own && (longer || k > first || i->longer);
    bool wide = (int64_t)o->number > UINT32_MAX || (int64_t)o->number < INT32_MIN;
    bool room = i->words == 2 && has(c, AMD_GFX12_5) && !strncmp(i->name, "s_mov", 5);
    if (++literals > 1 || late || (wide && !room))
      return FAIL(c, o->span, "%s of %s has no room for this number", i->name, c->target->name);
  }
  if (scalar || registers + literals <= most) return true;
  return FAIL(c, i->span, "%s of %s reads at most %u scalar register%s or long number%s", i->name, c->target->name,
              most, most > 1 ? "s" : "", most > 1 ? "s" : "");
}

static bool check_computation(struct check *c) {
  const struct amd_instr *i = c->instr;
  bool vector = i->name[0] == 'v', lane = i->op == AMD_OP_READ_LANE || !strcmp(i->name, "v_readfirstlane_b32");
  bool writes = i->op != AMD_OP_COMPARE_EXEC && i->op != AMD_OP_COMPARE_SCC && i->op != AMD_OP_BIT_SCC;
  bool carries = i->op == AMD_OP_CARRY_OUT || i->op == AMD_OP_CARRY_INOUT || i->op == AMD_OP_MAD_WIDE;
  bool to_mask = i->op == AMD_OP_COMPARE, accumulates = !strncmp(i->name, "v_accvgpr_", 10);
  for (unsigned k = 0; k < i->count; k++) {
    bool result = writes && k == 0, mask = words_of(i, k) == MASK;
    unsigned kinds = !vector || lane || to_mask || mask ? SCALAR : VECTOR;
    if (!result) kinds = !vector ? SCALAR | NUMBER : mask ? SCALAR : SOURCE;
    if (!result && lane) kinds = k == 1 ? VECTOR : SCALAR | NUMBER;
    if (!result && i->op == AMD_OP_WRITE_LANE) kinds = SCALAR | NUMBER;
    if (accumulates) kinds |= ACCUMULATOR;
    if (i->op == AMD_OP_SELECT && k == 3 && i->at[k].kind == AMD_NUMBER) continue;
    if (!is_of(c, k, kinds, words_of(i, k))) return false;
  }
  return lane || i->op == AMD_OP_WRITE_LANE || check_constants(c, carries ? 2 : writes);
}

const char *amd_misfit(struct arena *arena, const struct amd_target *target, const struct amd_instr *instr,
                       struct span *span) {
  struct check c = {.arena = arena, .target = target, .instr = instr};
  bool fits = true, memory = amd_op_space(instr->op) != AMD_SPACE_NONE || instr->op == AMD_OP_SCALAR_LOAD;
  for (unsigned k = 0; k < instr->count && fits; k++) fits = is_there(&c, &instr->at[k]);
  if (fits && memory)
    (void)(check_memory(&c) && check_offset(&c)); /* what is wrong is in c */
  else if (fits && instr->op >= AMD_OP_MOVE)
    (void)check_computation(&c);
  *span = c.span;
  return c.wrong;
}
