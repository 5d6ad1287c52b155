/* SPDX-License-Identifier: MIT */
/* Unfolding: an interpreter of one thread whose registers hold numbers or
 * expressions over loaded values.  Where it needs the truth of an expression it
 * makes a fork, and interprets the same instruction again on both sides, each
 * with the answer noted.
 *
 * Pointers are numbers: the upper word says to what (a location, the results,
 * the kernel's arguments), the lower is an offset.  Address arithmetic is then
 * arithmetic.
 */
#include "hwsem/amd/unfold.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "checker/base/vec.h"

enum {
  KERNARG = 0x4000, /* upper words of pointers; location k: k + 1 */
  OUT = 0x8000,
  OUTS = 64,      /* results of a thread */
  SPILLS = 256,   /* private words, and lanes of registers */
  ISSUED = 256,   /* operations that a counter has counted */
  FORKS = 24,     /* on one path */
  NODES = 20000,  /* of a thread */
  NO_SLOT = 0xff, /* done when issued */
  LOCAL_STEP = 4 * 301
};

unsigned amd_local_offset(unsigned i) {
  return i * LOCAL_STEP;
}

/* ---- values ---- */

enum value_kind {
  UNSET,
  NUMBER,
  EXPRESSION,
  OPAQUE /* depends on loaded data in a way that is not followed */
};

struct value {
  enum value_kind kind;
  uint32_t number;
  const struct amd_expr *expr;
};

struct cell {
  struct value value;
  uint8_t pending; /* slot + 1 of a load that has not been waited for */
};

/* A spilled word: of private memory, or a lane of a register. */
struct spill {
  uint64_t key;
  struct value value;
};

struct decision {
  const struct amd_expr *expr;
  bool truth;
};

/* Where interpretation is on one path. */
struct path {
  struct cell regs[AMD_REGISTERS];
  struct spill spills[SPILLS];
  struct value out[OUTS];
  uint8_t issued[AMD_CLASSES][ISSUED]; /* by counter: slots, in order */
  unsigned issued_count[AMD_CLASSES];
  struct decision decisions[FORKS];
  uint16_t by_slot[AMD_SLOTS];
  unsigned spill_count, decision_count, slots;
  unsigned parent, branch; /* the node whose next[branch] comes now */
};

struct unfolding {
  struct arena *arena;
  const struct amd_target *target;
  const struct amd_thread_input *thread;
  const struct location *locations;
  unsigned location_count;
  struct diags *diags;
  VEC(struct amd_node) nodes;
  const struct amd_instr *instr; /* being interpreted */
  unsigned slots;
  bool failed;
};

/* Adds an error at the instruction; always false. */
__attribute__((format(printf, 2, 3))) static bool fail(struct unfolding *u, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(u->arena, format, args);
  va_end(args);
  if (!u->failed)
    diag_error(u->diags, u->thread->code->source, u->instr ? u->instr->span : (struct span){0, 0}, "%s", message);
  u->failed = true;
  return false;
}

static struct value number(uint32_t n) {
  return (struct value){.kind = NUMBER, .number = n};
}

static struct value opaque_of(struct value a, struct value b) {
  return (struct value){.kind = a.kind == UNSET || b.kind == UNSET ? UNSET : OPAQUE};
}

static const struct amd_expr *expression(struct unfolding *u, struct value v) {
  if (v.kind == EXPRESSION) return v.expr;
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_NUMBER, .number = (int32_t)v.number};
  return e;
}

/* ---- arithmetic ---- */

static uint64_t apply(enum amd_fn fn, uint64_t a, uint64_t b, unsigned words) {
  unsigned bits = words == 2 ? 64 : 32;
  int64_t sa = words == 2 ? (int64_t)a : (int32_t)a, sb = words == 2 ? (int64_t)b : (int32_t)b;
  switch (fn) {
    case AMD_COPY:
      return a;
    case AMD_NOT:
      return ~a;
    case AMD_AND:
      return a & b;
    case AMD_OR:
      return a | b;
    case AMD_XOR:
      return a ^ b;
    case AMD_ANDN:
      return a & ~b;
    case AMD_ORN:
      return a | ~b;
    case AMD_ADD:
      return a + b;
    case AMD_SUB:
      return a - b;
    case AMD_MUL:
      return a * b;
    case AMD_SHL:
      return a << (b & (bits - 1));
    case AMD_SHR:
      return a >> (b & (bits - 1));
    case AMD_SAR:
      return (uint64_t)(sa >> (b & (bits - 1)));
    case AMD_MINU:
      return a < b ? a : b;
    case AMD_MAXU:
      return a > b ? a : b;
    case AMD_MINI:
      return sa < sb ? a : b;
    case AMD_MAXI:
      return sa > sb ? a : b;
    case AMD_EQ:
      return a == b;
    case AMD_NE:
      return a != b;
    case AMD_LTU:
      return a < b;
    case AMD_LEU:
      return a <= b;
    case AMD_GTU:
      return a > b;
    case AMD_GEU:
      return a >= b;
    case AMD_LTI:
      return sa < sb;
    case AMD_LEI:
      return sa <= sb;
    case AMD_GTI:
      return sa > sb;
    case AMD_GEI:
      return sa >= sb;
  }
  return 0;
}

int32_t amd_expr_value(const struct amd_expr *e, const int32_t *slots) {
  if (e->kind == AMD_EXPR_NUMBER) return e->number;
  if (e->kind == AMD_EXPR_SLOT) return slots[e->slot];
  uint32_t a = (uint32_t)amd_expr_value(e->a, slots), b = e->b ? (uint32_t)amd_expr_value(e->b, slots) : 0;
  return (int32_t)(uint32_t)apply(e->fn, a, b, 1);
}

static struct value combine(struct unfolding *u, enum amd_fn fn, struct value a, struct value b) {
  if (a.kind == NUMBER && b.kind == NUMBER) return number((uint32_t)apply(fn, a.number, b.number, 1));
  if (a.kind == UNSET || b.kind == UNSET || a.kind == OPAQUE || b.kind == OPAQUE) return opaque_of(a, b);
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_FN, .fn = fn, .a = expression(u, a), .b = expression(u, b)};
  return (struct value){.kind = EXPRESSION, .expr = e};
}

/* Two words at once. */
struct wide {
  struct value at[2];
};

static bool is_bitwise(enum amd_fn fn) {
  return fn <= AMD_ORN;
}

static struct wide combine_wide(struct unfolding *u, enum amd_fn fn, unsigned words, struct wide a, struct wide b) {
  struct wide result = {{{0}}};
  if (words == 1 || is_bitwise(fn)) {
    for (unsigned i = 0; i < words; i++) result.at[i] = combine(u, fn, a.at[i], b.at[i]);
    return result;
  }
  bool known = a.at[0].kind == NUMBER && a.at[1].kind == NUMBER && b.at[0].kind == NUMBER && b.at[1].kind == NUMBER;
  if (!known) {
    struct value low = opaque_of(a.at[0], b.at[0]), high = opaque_of(a.at[1], b.at[1]);
    result.at[0] = result.at[1] = opaque_of(low, high);
    return result;
  }
  uint64_t n =
      apply(fn, (uint64_t)a.at[1].number << 32 | a.at[0].number, (uint64_t)b.at[1].number << 32 | b.at[0].number, 2);
  result.at[0] = number((uint32_t)n);
  result.at[1] = number((uint32_t)(n >> 32));
  return result;
}

/* ---- nodes ---- */

static struct amd_node *add_node(struct unfolding *u, struct path *p, enum amd_node_kind kind) {
  if (u->nodes.count >= NODES) {
    fail(u, "%s can go too many ways for the machine", u->thread->name);
    u->nodes.count--; /* the last one is made again, so that callers need not look */
  }
  struct amd_node *node = vec_push(u->arena, &u->nodes);
  unsigned index = (unsigned)u->nodes.count - 1;
  *node = (struct amd_node){.kind = kind, .instr = u->instr, .next = {AMD_NO_NODE, AMD_NO_NODE}};
  if (index) u->nodes.at[p->parent].next[p->branch] = (uint16_t)index;
  uint16_t *by_slot = ARENA_ARRAY(u->arena, uint16_t, p->slots + 1);
  memcpy(by_slot, p->by_slot, p->slots * sizeof *by_slot);
  node->by_slot = by_slot;
  node->slots = p->slots;
  p->parent = index;
  p->branch = 0;
  return node;
}

static void count_issue(struct unfolding *u, struct path *p, enum amd_class class, unsigned slot) {
  for (unsigned i = 0; i < u->target->counter_count; i++) {
    if (!(u->target->counters[i].classes >> class & 1)) continue;
    if (p->issued_count[i] == ISSUED) {
      fail(u, "too many operations of one thread for the machine");
      return;
    }
    p->issued[i][p->issued_count[i]++] = (uint8_t)slot;
  }
}

/* An operation on memory, with its slot. */
static struct amd_node *add_operation(struct unfolding *u, struct path *p, enum amd_node_kind kind,
                                      enum amd_class class) {
  struct amd_node *node = add_node(u, p, kind);
  if (p->slots == AMD_SLOTS) {
    fail(u, "more than %d operations of one thread are outside the machine", AMD_SLOTS);
    return node;
  }
  node->slot = p->slots;
  p->by_slot[p->slots++] = (uint16_t)p->parent;
  if (p->slots > u->slots) u->slots = p->slots;
  count_issue(u, p, class, node->slot);
  return node;
}

/* ---- registers ---- */

/* Looks at a register that an instruction reads or overwrites; false: the load
 * that fills it has not been waited for. */
static bool covered(struct unfolding *u, struct path *p, unsigned reg) {
  unsigned pending = p->regs[reg].pending;
  if (!pending) return true;
  const struct amd_instr *load = u->nodes.at[p->by_slot[pending - 1]].instr;
  add_node(u, p, AMD_NODE_HAZARD)->load = load;
  return false;
}

static bool read_register(struct unfolding *u, struct path *p, unsigned reg, struct value *value) {
  *value = number(0);
  if (reg == AMD_NULL) return true;
  if (!covered(u, p, reg)) return false;
  *value = p->regs[reg].value;
  return true;
}

static bool write_register(struct unfolding *u, struct path *p, unsigned reg, struct value value) {
  if (reg == AMD_NULL) return true;
  if (!covered(u, p, reg)) return false;
  p->regs[reg] = (struct cell){.value = value};
  return true;
}

/* Word `i` of an operand. */
static bool read_word(struct unfolding *u, struct path *p, const struct amd_operand *operand, unsigned i,
                      struct value *value) {
  switch (operand->kind) {
    case AMD_REG:
      if (operand->words > i) return read_register(u, p, operand->reg + i, value);
      *value = number(0);
      return true;
    case AMD_NUMBER:
      *value = number((uint32_t)(operand->number >> (32 * i)));
      return true;
    case AMD_NAME: /* the address of local memory, which is the only thing with one */
      if (!strncmp(operand->name, "lds@", 4)) {
        *value = number(0);
        return true;
      }
      break;
    case AMD_OFF:
      break;
  }
  return fail(u, "this operand of %s is not in the machine's instruction set", u->instr->name);
}

static bool read_wide(struct unfolding *u, struct path *p, const struct amd_operand *operand, unsigned words,
                      struct wide *wide) {
  wide->at[1] = number(0);
  for (unsigned i = 0; i < words && i < 2; i++)
    if (!read_word(u, p, operand, i, &wide->at[i])) return false;
  return true;
}

static bool write_wide(struct unfolding *u, struct path *p, const struct amd_operand *operand, unsigned words,
                       struct wide wide) {
  if (operand->kind != AMD_REG || operand->words < words)
    return fail(u, "%s cannot write to this operand", u->instr->name);
  for (unsigned i = 0; i < words && i < 2; i++)
    if (!write_register(u, p, operand->reg + i, wide.at[i])) return false;
  return true;
}

/* ---- conditions ---- */

static bool same_expr(const struct amd_expr *a, const struct amd_expr *b) {
  if (a == b) return true;
  if (!a || !b || a->kind != b->kind) return false;
  if (a->kind == AMD_EXPR_NUMBER) return a->number == b->number;
  if (a->kind == AMD_EXPR_SLOT) return a->slot == b->slot;
  return a->fn == b->fn && same_expr(a->a, b->a) && same_expr(a->b, b->b);
}

static void run(struct unfolding *u, struct path *p, unsigned pc);

/* Both answers, each followed to its ends. */
static void fork(struct unfolding *u, struct path *p, const struct amd_expr *e) {
  if (p->decision_count == FORKS) {
    fail(u, "more than %d conditions of one thread are outside the machine", FORKS);
    return;
  }
  add_node(u, p, AMD_NODE_FORK)->condition = e;
  const struct amd_instr *instr = u->instr;
  for (unsigned truth = 0; truth < 2 && !u->failed; truth++) {
    struct path side = *p;
    side.decisions[side.decision_count++] = (struct decision){e, truth};
    side.branch = truth;
    u->instr = instr;
    run(u, &side, (unsigned)(instr - u->thread->code->instrs));
  }
}

/* The truth of fn(a, b) on this path.  false: the path ends here, and goes on
 * on both sides of a fork. */
static bool decide(struct unfolding *u, struct path *p, enum amd_fn fn, struct value a, struct value b, bool *truth) {
  bool negated = fn == AMD_NE;
  struct value result = combine(u, negated ? AMD_EQ : fn, a, b);
  if (result.kind == UNSET) return fail(u, "%s reads a register that nothing has set", u->instr->name);
  if (result.kind == OPAQUE) return fail(u, "the condition depends on memory in a way that is outside the machine");
  if (result.kind == NUMBER) {
    *truth = (result.number != 0) != negated;
    return true;
  }
  for (unsigned i = 0; i < p->decision_count; i++)
    if (same_expr(p->decisions[i].expr, result.expr)) {
      *truth = p->decisions[i].truth != negated;
      return true;
    }
  fork(u, p, result.expr);
  return false;
}

/* Masks have one bit, and on every path it is known. */
static bool mask_bit(struct unfolding *u, const struct value *value, bool *bit) {
  if (value->kind != NUMBER) return fail(u, "%s reads a mask that is not known", u->instr->name);
  *bit = value->number & 1;
  return true;
}

static bool lane_active(const struct path *p) {
  return p->regs[AMD_EXEC].value.number & 1;
}

static bool set_scc(struct unfolding *u, struct path *p, struct wide result, unsigned words) {
  struct value any = words == 2 ? combine(u, AMD_OR, result.at[0], result.at[1]) : result.at[0];
  p->regs[AMD_SCC].value = combine(u, AMD_NE, any, number(0));
  return true;
}

/* ---- computing ---- */

static bool is_scalar(const struct amd_instr *instr) {
  return instr->name[0] == 's';
}

/* The result of an instruction with one destination. */
static bool compute(struct unfolding *u, struct path *p, const struct amd_instr *i, struct wide *result) {
  struct wide a, b, c;
  bool bit = false;
  static const struct amd_operand VCC = {.kind = AMD_REG, .reg = AMD_VCC, .words = 1};
  if (!read_wide(u, p, &i->at[1], i->words, &a)) return false;
  if (i->op == AMD_OP_MOVE) {
    *result = combine_wide(u, (enum amd_fn)i->fn, i->words, a, (struct wide){{number(0), number(0)}});
    if (i->fn == AMD_COPY) *result = a;
    return true;
  }
  if (!read_wide(u, p, &i->at[2], i->words, &b)) return false;
  switch (i->op) {
    case AMD_OP_BINARY:
      *result = combine_wide(u, (enum amd_fn)i->fn, i->words, a, b);
      return true;
    case AMD_OP_REVERSED:
      if (i->words == 2) a.at[1] = number(0); /* a shift's count is one word */
      *result = combine_wide(u, (enum amd_fn)i->fn, i->words, b, a);
      return true;
    case AMD_OP_TERNARY:
      if (!read_wide(u, p, &i->at[3], i->words, &c)) return false;
      *result = combine_wide(u, (enum amd_fn)i->fn2, i->words, combine_wide(u, (enum amd_fn)i->fn, i->words, a, b), c);
      return true;
    case AMD_OP_SELECT: /* half of a dual instruction names no mask: vcc */
      if (!read_word(u, p, i->count == 4 ? &i->at[3] : &VCC, 0, &c.at[0]) || !mask_bit(u, &c.at[0], &bit)) return false;
      *result = bit ? b : a;
      return true;
    case AMD_OP_SELECT_SCC:
      if (!decide(u, p, AMD_NE, p->regs[AMD_SCC].value, number(0), &bit)) return false;
      *result = bit ? a : b;
      return true;
    default: /* MBCNT: no lane is below the only one */
      *result = b;
      return true;
  }
}

static bool run_compute(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  struct wide first, second = {{{0}}};
  if (!compute(u, p, i, &first)) return false;
  if (i->dual && !compute(u, p, i->dual, &second)) return false;
  if (!write_wide(u, p, &i->at[0], i->words, first)) return false;
  if (i->dual && !write_wide(u, p, &i->dual->at[0], i->dual->words, second)) return false;
  bool logic = is_scalar(i) && (i->op == AMD_OP_BINARY || i->fn == AMD_NOT) && i->op != AMD_OP_SELECT_SCC;
  return !logic || set_scc(u, p, first, i->words);
}

/* Sums with carries; carries of loaded data are not followed. */
static bool run_carry(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool scc = i->op == AMD_OP_CARRY_SCC;
  unsigned from = scc ? 1 : 2;
  struct value a, b, in = number(0);
  if (!read_word(u, p, &i->at[from], 0, &a) || !read_word(u, p, &i->at[from + 1], 0, &b)) return false;
  if (scc && i->fn2) in = p->regs[AMD_SCC].value;
  if (i->op == AMD_OP_CARRY_INOUT && !read_word(u, p, &i->at[4], 0, &in)) return false;
  struct value sum, carry;
  if (a.kind == NUMBER && b.kind == NUMBER && in.kind == NUMBER) {
    uint64_t n = i->fn == AMD_ADD ? (uint64_t)a.number + b.number + (in.number & 1) : (uint64_t)a.number - b.number;
    sum = number((uint32_t)n);
    carry = number((uint32_t)(n >> 32) & 1);
  } else {
    sum = in.kind == NUMBER && !(in.number & 1) ? combine(u, (enum amd_fn)i->fn, a, b) : opaque_of(a, b);
    carry = opaque_of(a, b);
  }
  struct wide low = {{sum, number(0)}}, mask = {{carry, number(0)}};
  if (!write_wide(u, p, &i->at[0], 1, low)) return false;
  if (!scc) return write_wide(u, p, &i->at[1], i->at[1].words, mask);
  p->regs[AMD_SCC].value = carry;
  return true;
}

static bool run_compare(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  unsigned from = i->op == AMD_OP_COMPARE ? 1 : 0;
  struct wide a, b;
  bool truth = false;
  bool reads = i->op == AMD_OP_COMPARE_SCC || lane_active(p);
  if (reads) {
    if (!read_wide(u, p, &i->at[from], i->words, &a) || !read_wide(u, p, &i->at[from + 1], i->words, &b)) return false;
    if (i->words == 2 && (a.at[1].kind != NUMBER || b.at[1].kind != NUMBER || a.at[1].number != b.at[1].number))
      return fail(u, "%s of a value that depends on memory is outside the machine", i->name);
    if (!decide(u, p, (enum amd_fn)i->fn, a.at[0], b.at[0], &truth)) return false;
  }
  struct wide mask = {{number(truth), number(0)}};
  if (i->op == AMD_OP_COMPARE) return write_wide(u, p, &i->at[0], i->at[0].words, mask);
  p->regs[i->op == AMD_OP_COMPARE_EXEC ? AMD_EXEC : AMD_SCC].value = number(truth);
  return true;
}

static bool run_save_exec(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  struct wide a, exec = {{p->regs[AMD_EXEC].value, p->regs[AMD_EXEC + 1].value}};
  if (!read_wide(u, p, &i->at[1], i->words, &a)) return false;
  struct wide result = combine_wide(u, (enum amd_fn)i->fn, i->words, a, exec);
  bool bit = false;
  if (!mask_bit(u, &result.at[0], &bit) || !write_wide(u, p, &i->at[0], i->words, exec)) return false;
  p->regs[AMD_EXEC].value = result.at[0];
  return set_scc(u, p, result, 1);
}

/* ---- spills ---- */

static struct value *find_spill(struct unfolding *u, struct path *p, uint64_t key) {
  for (unsigned i = 0; i < p->spill_count; i++)
    if (p->spills[i].key == key) return &p->spills[i].value;
  if (p->spill_count == SPILLS) {
    fail(u, "more than %d spilled words of one thread are outside the machine", SPILLS);
    return &p->spills[0].value;
  }
  p->spills[p->spill_count] = (struct spill){.key = key};
  return &p->spills[p->spill_count++].value;
}

static bool run_lane(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool reads = i->op == AMD_OP_READ_LANE;
  const struct amd_operand *lane = &i->at[2], *reg = &i->at[reads];
  if (lane->kind != AMD_NUMBER || reg->kind != AMD_REG || reg->reg < AMD_V)
    return fail(u, "%s needs a vector register and the number of a lane", i->name);
  uint64_t key = (uint64_t)1 << 48 | (uint64_t)reg->reg << 8 | (lane->number & 63);
  struct wide word = {{{0}}};
  if (reads) {
    word.at[0] = *find_spill(u, p, key);
    return write_wide(u, p, &i->at[0], 1, word);
  }
  if (!read_word(u, p, &i->at[1], 0, &word.at[0])) return false;
  *find_spill(u, p, key) = word.at[0];
  return true;
}

/* The address of a private word: what the operands after the data add up to.
 * The base of the stack is not known, and does not matter. */
static bool private_address(struct unfolding *u, struct path *p, const struct amd_instr *i, uint64_t *key) {
  bool buffer = i->name[0] == 'b';
  bool store = i->op == AMD_OP_PRIVATE_STORE;
  uint64_t sum = (uint64_t)i->offset;
  for (unsigned k = 0; k < i->count; k++) {
    const struct amd_operand *operand = &i->at[k];
    bool data = k == (buffer || !store ? 0u : 1u), resource = buffer && k == 2;
    struct value v = {0};
    if (data || resource || operand->kind == AMD_OFF) continue;
    if (!read_word(u, p, operand, 0, &v)) return false;
    if (v.kind == EXPRESSION || v.kind == OPAQUE) return fail(u, "the address is not known before running");
    if (v.kind == NUMBER) sum += v.number;
  }
  *key = (uint32_t)sum;
  return true;
}

static bool run_private(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool store = i->op == AMD_OP_PRIVATE_STORE;
  const struct amd_operand *data = &i->at[store && i->name[0] == 's' ? 1 : 0];
  uint64_t key = 0;
  if (data->kind != AMD_REG || data->words < i->words) return fail(u, "%s needs registers for its data", i->name);
  if (!private_address(u, p, i, &key)) return false;
  for (unsigned k = 0; k < i->words; k++) {
    struct value v = {0};
    if (store) {
      if (!read_register(u, p, data->reg + k, &v)) return false;
      *find_spill(u, p, key + 4 * k) = v;
    } else if (!write_register(u, p, data->reg + k, *find_spill(u, p, key + 4 * k))) {
      return false;
    }
  }
  count_issue(u, p, store ? AMD_STORES : AMD_LOADS, NO_SLOT);
  return true;
}

/* ---- addresses ---- */

/* Base and offset of a global access: `v0, s[0:1]` or `v[0:1], off`. */
static bool global_address(struct unfolding *u, struct path *p, const struct amd_instr *i,
                           const struct amd_operand *vector, const struct amd_operand *scalar, uint64_t *address) {
  struct wide v, s = {{number(0), number(0)}};
  bool pair = scalar->kind == AMD_OFF;
  if (vector->kind == AMD_REG && vector->words != (pair ? 2u : 1u))
    return fail(u, "the address of %s is a pair of vector registers, or one and a pair of scalar registers", i->name);
  if (!read_wide(u, p, vector, pair ? 2 : 1, &v)) return false;
  if (!pair && !read_wide(u, p, scalar, 2, &s)) return false;
  for (unsigned k = 0; k < 2; k++) {
    if (v.at[k].kind == UNSET || s.at[k].kind == UNSET)
      return fail(u, "the address of %s is in a register that nothing has set", i->name);
    if (v.at[k].kind != NUMBER || s.at[k].kind != NUMBER) return fail(u, "the address is not known before running");
  }
  *address = ((uint64_t)v.at[1].number << 32 | v.at[0].number) + ((uint64_t)s.at[1].number << 32 | s.at[0].number) +
             (uint64_t)i->offset;
  return true;
}

static bool find_location(struct unfolding *u, uint64_t address, unsigned *location) {
  uint64_t upper = address >> 32;
  if (upper >= 1 && upper <= u->location_count && (uint32_t)address == 0) {
    *location = (unsigned)upper - 1;
    return true;
  }
  return fail(u, "the address of %s is no location of the test", u->instr->name);
}

static bool local_location(struct unfolding *u, struct path *p, const struct amd_instr *i,
                           const struct amd_operand *operand, unsigned *location) {
  struct value v = {0};
  if (!u->target->mode->local) return fail(u, "local memory cannot be used in mode %s", u->target->mode->name);
  if (!read_word(u, p, operand, 0, &v)) return false;
  if (v.kind == UNSET) return fail(u, "the address of %s is in a register that nothing has set", i->name);
  if (v.kind != NUMBER) return fail(u, "the address is not known before running");
  unsigned next = 0;
  for (unsigned k = 0; k < u->location_count; k++) {
    if (u->locations[k].region != REGION_LOCAL) continue;
    if (v.number + (uint32_t)i->offset == amd_local_offset(next++)) {
      *location = k;
      return true;
    }
  }
  return fail(u, "the address of %s is no local location of the test", i->name);
}

/* ---- operations on memory ---- */

static bool read_data(struct unfolding *u, struct path *p, unsigned reg, const struct amd_expr **data) {
  struct value v = {0};
  if (!read_register(u, p, reg, &v)) return false;
  if (v.kind == UNSET) return fail(u, "%s writes a register that nothing has set", u->instr->name);
  if (v.kind == OPAQUE) return fail(u, "%s writes a value that is outside the machine", u->instr->name);
  *data = expression(u, v);
  return true;
}

static bool fill(struct unfolding *u, struct path *p, const struct amd_operand *to, unsigned slot) {
  struct amd_expr *e = ARENA_NEW(u->arena, struct amd_expr);
  *e = (struct amd_expr){.kind = AMD_EXPR_SLOT, .slot = slot};
  p->regs[to->reg] = (struct cell){{.kind = EXPRESSION, .expr = e}, (uint8_t)(slot + 1)};
  (void)u;
  return true;
}

static bool is_register(const struct amd_operand *operand, unsigned words) {
  return operand->kind == AMD_REG && operand->words == words && operand->reg >= AMD_V;
}

static bool run_load(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool local = i->op == AMD_OP_DS_LOAD;
  uint64_t address = 0;
  unsigned location;
  if (i->words != 1) return fail(u, "%s reads more than a location", i->name);
  if (!is_register(&i->at[0], 1)) return fail(u, "%s needs a vector register to load", i->name);
  if (local ? !local_location(u, p, i, &i->at[1], &location)
            : !global_address(u, p, i, &i->at[1], &i->at[2], &address) || !find_location(u, address, &location))
    return false;
  if (!covered(u, p, i->at[0].reg)) return false;
  struct amd_node *node = add_operation(u, p, AMD_NODE_LOAD, local ? AMD_LOCAL : AMD_LOADS);
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_LOAD, NULL, i->bits);
  if (!local && i->bits && !rule) return fail(u, "%s has no load with these bits", u->target->full);
  node->location = location;
  node->local = local;
  node->returns = true;
  node->passes = rule && !local ? rule->caches : 0;
  return fill(u, p, &i->at[0], node->slot);
}

/* To the results: what a thread leaves behind, and no traffic of memory. */
static bool store_results(struct unfolding *u, struct path *p, const struct amd_instr *i, uint64_t address) {
  unsigned first = (uint32_t)address / 4;
  if ((uint32_t)address % 4 || first + i->words > OUTS) return fail(u, "%s is outside the results", i->name);
  for (unsigned k = 0; k < i->words; k++) {
    struct value v = {0};
    if (!read_word(u, p, &i->at[1], k, &v)) return false;
    p->out[first + k] = v;
  }
  count_issue(u, p, AMD_STORES, NO_SLOT);
  return true;
}

static bool run_store(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool local = i->op == AMD_OP_DS_STORE;
  uint64_t address = 0;
  unsigned location;
  const struct amd_expr *data;
  if (!is_register(&i->at[1], i->words)) return fail(u, "%s needs vector registers to store", i->name);
  if (local) {
    if (!local_location(u, p, i, &i->at[0], &location)) return false;
  } else {
    if (!global_address(u, p, i, &i->at[0], &i->at[2], &address)) return false;
    if (address >> 32 == OUT) return store_results(u, p, i, address);
    if (!find_location(u, address, &location)) return false;
  }
  if (i->words != 1) return fail(u, "%s writes more than a location", i->name);
  if (!read_data(u, p, i->at[1].reg, &data)) return false;
  struct amd_node *node = add_operation(u, p, AMD_NODE_STORE, local ? AMD_LOCAL : AMD_STORES);
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_STORE, NULL, i->bits);
  node->location = location;
  node->local = local;
  node->data = data;
  node->through = rule && rule->caches;
  return true;
}

/* Operands of a read-modify-write: [destination] address data ... */
static bool run_rmw(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  bool local = i->op >= AMD_OP_DS_LOAD;
  bool cas = i->op == AMD_OP_GLOBAL_CAS || i->op == AMD_OP_DS_CAS || i->op == AMD_OP_DS_CAS_OLD;
  bool returns = local ? i->returns : (i->bits & u->target->return_bits) != 0;
  unsigned first = returns ? 1 : 0, expected_count = 2 + (local ? (cas ? 1u : 0u) : 1u) + first;
  uint64_t address = 0;
  unsigned location;
  if (i->count != expected_count) return fail(u, "%s cannot have %u operands here", i->name, i->count);
  const struct amd_operand *data = &i->at[first + 1];
  if (!is_register(data, cas && !local ? 2 : 1) || (returns && !is_register(&i->at[0], 1)))
    return fail(u, "%s needs vector registers for its data", i->name);
  if (local ? !local_location(u, p, i, &i->at[first], &location)
            : !global_address(u, p, i, &i->at[first], &i->at[first + 2], &address) ||
                  !find_location(u, address, &location))
    return false;
  unsigned other = !cas ? data->reg : local ? i->at[first + 2].reg : data->reg + 1;
  const struct amd_expr *a, *b = NULL;
  if (!read_data(u, p, data->reg, &a) || (cas && !read_data(u, p, other, &b))) return false;
  if (returns && !covered(u, p, i->at[0].reg)) return false;
  enum amd_class class = local ? AMD_LOCAL : returns ? AMD_LOADS : AMD_STORES;
  struct amd_node *node = add_operation(u, p, cas ? AMD_NODE_CAS : AMD_NODE_RMW, class);
  node->location = location;
  node->local = local;
  node->returns = returns;
  node->op = (enum rmw_op)i->fn;
  node->data = i->op == AMD_OP_DS_CAS_OLD ? b : a;
  node->expected = i->op == AMD_OP_DS_CAS_OLD ? a : b;
  return !returns || fill(u, p, &i->at[0], node->slot);
}

/* Kernel arguments; anything else would need a scalar cache. */
static bool run_scalar_load(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  struct wide base;
  if (!read_wide(u, p, &i->at[1], 2, &base)) return false;
  bool unset = base.at[0].kind == UNSET && base.at[1].kind == UNSET;
  bool kernarg = unset ? u->thread->argument_count > 0 : base.at[1].kind == NUMBER && base.at[1].number == KERNARG;
  if (!kernarg) return fail(u, "%s reads memory through the scalar cache; the machine has none", i->name);
  if (i->at[2].kind != AMD_NUMBER) return fail(u, "the address is not known before running");
  if (i->at[0].kind != AMD_REG || i->at[0].words != i->words)
    return fail(u, "%s needs %u registers to load", i->name, i->words);
  uint64_t offset = i->at[2].number + (uint64_t)i->offset + (unset ? 0 : base.at[0].number);
  for (unsigned k = 0; k < i->words; k++) {
    struct value v = {.kind = UNSET};
    for (unsigned n = 0; n < u->thread->argument_count; n++) {
      const struct amd_argument *argument = &u->thread->arguments[n];
      if (offset + 4 * k == argument->offset) v = number(0);
      if (offset + 4 * k == argument->offset + 4)
        v = number(argument->location < 0 ? OUT : (uint32_t)argument->location + 1);
    }
    if (!write_register(u, p, i->at[0].reg + k, v)) return false;
  }
  return true;
}

/* ---- waiting ---- */

static void cover(struct path *p, uint32_t slots) {
  for (unsigned r = 0; r < AMD_REGISTERS; r++)
    if (p->regs[r].pending && slots >> (p->regs[r].pending - 1) & 1) p->regs[r].pending = 0;
}

static bool run_wait(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  uint32_t must = 0;
  for (unsigned c = 0; c < u->target->counter_count; c++) {
    int most = -1;
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if (u->target->counters[c].classes >> k & 1) most = i->wait[k];
    for (unsigned n = 0; most >= 0 && n + (unsigned)most < p->issued_count[c]; n++)
      if (p->issued[c][n] != NO_SLOT) must |= 1u << p->issued[c][n];
  }
  add_node(u, p, AMD_NODE_WAIT)->must = must;
  cover(p, must);
  return true;
}

/* An instruction may both write back and invalidate: in this order. */
static bool run_cache(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  const struct amd_rule *back = amd_target_rule(u->target, AMD_WRITE_BACK, i->name, i->bits);
  const struct amd_rule *invalidate = amd_target_rule(u->target, AMD_INVALIDATE, i->name, i->bits);
  if (!back && !invalidate) return fail(u, "%s has no %s with these bits", u->target->full, i->name);
  if (back) add_operation(u, p, AMD_NODE_WRITE_BACK, AMD_STORES);
  if (!invalidate) return true;
  add_node(u, p, AMD_NODE_INVALIDATE)->caches = invalidate->caches;
  if (invalidate->counted) count_issue(u, p, AMD_LOADS, NO_SLOT);
  return true;
}

/* ---- control ---- */

static bool take_branch(struct unfolding *u, struct path *p, const struct amd_instr *i, bool *taken) {
  bool bit = false;
  const struct value *mask = &p->regs[i->fn == AMD_VCCZ || i->fn == AMD_VCCNZ ? AMD_VCC : AMD_EXEC].value;
  switch ((enum amd_jump)i->fn) {
    case AMD_ALWAYS:
      *taken = true;
      return true;
    case AMD_SCC0:
    case AMD_SCC1:
      if (!decide(u, p, AMD_NE, p->regs[AMD_SCC].value, number(0), &bit)) return false;
      *taken = bit == (i->fn == AMD_SCC1);
      return true;
    default:
      if (!mask_bit(u, mask, &bit)) return false;
      *taken = bit == (i->fn == AMD_EXECNZ || i->fn == AMD_VCCNZ);
      return true;
  }
}

static void finish(struct unfolding *u, struct path *p) {
  const struct amd_thread_input *thread = u->thread;
  const struct amd_expr **results = ARENA_ARRAY(u->arena, const struct amd_expr *, thread->watch_count + 1);
  for (unsigned i = 0; i < thread->watch_count; i++) {
    const struct amd_watch *watch = &thread->watches[i];
    struct value v = {.kind = UNSET};
    if (!watch->result)
      v = p->regs[watch->index].value;
    else if (watch->index < OUTS)
      v = p->out[watch->index];
    if (v.kind == UNSET && thread->unset_is_zero) v = number(0);
    if (v.kind == UNSET) fail(u, "%s ends without a value for %s", thread->name, watch->name);
    if (v.kind == OPAQUE) fail(u, "the value of %s at the end of %s is outside the machine", watch->name, thread->name);
    results[i] = expression(u, v);
  }
  add_node(u, p, AMD_NODE_END)->results = results;
}

static bool interpret(struct unfolding *u, struct path *p, const struct amd_instr *i) {
  switch (i->op) {
    case AMD_OP_NOTHING:
    case AMD_OP_END:
    case AMD_OP_BRANCH:
      return true;
    case AMD_OP_GLOBAL_LOAD:
    case AMD_OP_DS_LOAD:
      return run_load(u, p, i);
    case AMD_OP_GLOBAL_STORE:
    case AMD_OP_DS_STORE:
      return run_store(u, p, i);
    case AMD_OP_GLOBAL_RMW:
    case AMD_OP_GLOBAL_CAS:
    case AMD_OP_DS_RMW:
    case AMD_OP_DS_CAS:
    case AMD_OP_DS_CAS_OLD:
      return run_rmw(u, p, i);
    case AMD_OP_PRIVATE_LOAD:
    case AMD_OP_PRIVATE_STORE:
      return run_private(u, p, i);
    case AMD_OP_SCALAR_LOAD:
      return run_scalar_load(u, p, i);
    case AMD_OP_WAIT:
      return run_wait(u, p, i);
    case AMD_OP_CACHE:
      return run_cache(u, p, i);
    case AMD_OP_BARRIER:
      add_node(u, p, AMD_NODE_ARRIVE);
      add_node(u, p, AMD_NODE_MEET);
      return true;
    case AMD_OP_SIGNAL:
    case AMD_OP_BARRIER_WAIT:
      if (i->at[0].kind != AMD_NUMBER || (int32_t)(i->at[0].number & 0xffff) != 0xffff)
        return fail(u, "%s of any barrier but the work-group's (-1) is outside the machine", i->name);
      add_node(u, p, i->op == AMD_OP_SIGNAL ? AMD_NODE_ARRIVE : AMD_NODE_MEET);
      return true;
    case AMD_OP_CARRY_OUT:
    case AMD_OP_CARRY_INOUT:
    case AMD_OP_CARRY_SCC:
      return run_carry(u, p, i);
    case AMD_OP_COMPARE:
    case AMD_OP_COMPARE_EXEC:
    case AMD_OP_COMPARE_SCC:
      return run_compare(u, p, i);
    case AMD_OP_SAVE_EXEC:
      return run_save_exec(u, p, i);
    case AMD_OP_READ_LANE:
    case AMD_OP_WRITE_LANE:
      return run_lane(u, p, i);
    default:
      return run_compute(u, p, i);
  }
}

/* From an instruction to the ends of all paths. */
static void run(struct unfolding *u, struct path *p, unsigned pc) {
  const struct amd_code *code = u->thread->code;
  while (pc < code->count && !u->failed) {
    const struct amd_instr *i = &code->instrs[pc];
    bool taken = false;
    u->instr = i;
    if (i->op == AMD_OP_END) break;
    bool idle = i->vector && i->op != AMD_OP_COMPARE && !lane_active(p);
    if (!idle && !interpret(u, p, i)) return;
    if (i->op == AMD_OP_BRANCH && !take_branch(u, p, i, &taken)) return;
    pc = taken ? i->target : pc + 1;
  }
  if (!u->failed) finish(u, p);
}

/* ---- the start ---- */

static void set_pointer(struct path *p, unsigned reg, uint32_t upper) {
  p->regs[reg].value = number(0);
  p->regs[reg + 1].value = number(upper);
}

static void bind(struct unfolding *u, struct path *p, const struct amd_binding *b) {
  unsigned local = 0;
  switch (b->kind) {
    case AMD_BIND_NUMBER:
      for (unsigned i = 0; i < b->words && i < 2; i++)
        p->regs[b->reg + i].value = number((uint32_t)((uint64_t)b->number >> (32 * i)));
      return;
    case AMD_BIND_OUT:
      set_pointer(p, b->reg, OUT);
      return;
    case AMD_BIND_KERNARG:
      set_pointer(p, b->reg, KERNARG);
      return;
    case AMD_BIND_LOCATION:
      if (u->locations[b->location].region != REGION_LOCAL) {
        set_pointer(p, b->reg, b->location + 1);
        return;
      }
      for (unsigned i = 0; i < b->location; i++) local += u->locations[i].region == REGION_LOCAL;
      p->regs[b->reg].value = number(amd_local_offset(local));
      return;
  }
}

static void start(struct unfolding *u, struct path *p) {
  const struct amd_thread_input *thread = u->thread;
  p->regs[AMD_EXEC].value = number(1);
  p->regs[AMD_EXEC + 1].value = p->regs[AMD_V].value = number(0);
  if (thread->code->kernarg >= 0) set_pointer(p, (unsigned)thread->code->kernarg, KERNARG);
  for (unsigned i = 0; i < thread->binding_count; i++) bind(u, p, &thread->bindings[i]);
}

/* ---- what is known of the rest ---- */

static uint32_t slots_of(const struct amd_expr *e) {
  if (!e || e->kind == AMD_EXPR_NUMBER) return 0;
  if (e->kind == AMD_EXPR_SLOT) return 1u << e->slot;
  return slots_of(e->a) | slots_of(e->b);
}

static void look_ahead(struct amd_tree *tree, unsigned watch_count) {
  for (unsigned i = tree->count; i-- > 0;) {
    struct amd_node *node = &tree->nodes[i];
    node->uses = slots_of(node->data) | slots_of(node->expected) | slots_of(node->condition);
    for (unsigned k = 0; node->results && k < watch_count; k++) node->uses |= slots_of(node->results[k]);
    node->live = node->uses;
    if (node->kind == AMD_NODE_LOAD && !node->local) {
      if (!(node->passes & AMD_L0)) node->loads0 = 1u << node->location;
      if (!(node->passes & AMD_GL1)) node->loads1 = 1u << node->location;
    }
    for (unsigned k = 0; k < 2; k++) {
      if (node->next[k] == AMD_NO_NODE) continue;
      const struct amd_node *next = &tree->nodes[node->next[k]];
      node->live |= next->live;
      node->loads0 |= next->loads0;
      node->loads1 |= next->loads1;
    }
  }
}

const struct amd_tree *amd_unfold(struct arena *arena, const struct amd_target *target,
                                  const struct amd_thread_input *thread, const struct location *locations,
                                  unsigned location_count, struct diags *diags) {
  struct unfolding u = {.arena = arena,
                        .target = target,
                        .thread = thread,
                        .locations = locations,
                        .location_count = location_count,
                        .diags = diags};
  if (location_count > AMD_LOCATIONS) {
    fail(&u, "more than %d locations are outside the machine", AMD_LOCATIONS);
    return NULL;
  }
  struct path *p = ARENA_NEW(arena, struct path);
  start(&u, p);
  run(&u, p, 0);
  if (u.failed) return NULL;
  struct amd_tree *tree = ARENA_NEW(arena, struct amd_tree);
  *tree = (struct amd_tree){u.nodes.at, (unsigned)u.nodes.count, u.slots};
  look_ahead(tree, thread->watch_count);
  return tree;
}

/* ---- printing ---- */

static void print_operand(const struct amd_operand *operand, FILE *out) {
  struct arena *arena = arena_new();
  if (operand->kind == AMD_REG)
    fputs(amd_register_name(arena, operand->reg, operand->words), out);
  else if (operand->kind == AMD_NUMBER)
    fprintf(out, "%" PRId64, (int64_t)operand->number);
  else
    fputs(operand->kind == AMD_OFF ? "off" : operand->name, out);
  arena_free(arena);
}

/* The data operands of a memory instruction, with the location for its address. */
static void print_access(const struct amd_node *node, const struct location *locations, FILE *out) {
  const struct amd_instr *i = node->instr;
  const char *name = locations[node->location].name;
  bool returns = node->returns;
  if (returns) {
    fputc(' ', out);
    print_operand(&i->at[0], out);
  }
  fprintf(out, "%s %s", returns ? "," : "", name);
  unsigned first = (returns ? 1u : 0u) + 1, last = i->count - (node->local ? 0u : 1u);
  for (unsigned k = first; node->kind != AMD_NODE_LOAD && k < last; k++) {
    fputs(", ", out);
    print_operand(&i->at[k], out);
  }
}

void amd_node_print(const struct amd_node *node, const struct location *locations, FILE *out) {
  const struct amd_instr *i = node->instr;
  if (node->kind == AMD_NODE_END || !i) {
    fputs("end", out);
    return;
  }
  fputs(i->name, out);
  if (node->kind <= AMD_NODE_CAS) print_access(node, locations, out);
  for (unsigned b = 0; b < AMD_BITS; b++)
    if (i->bits >> b & 1)
      fprintf(out, " %s%s", b >= AMD_BIT_TH_RETURN ? "th:" : b >= AMD_BIT_SCOPE_SE ? "scope:" : "", amd_bit_name(b));
}
