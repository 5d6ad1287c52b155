/* SPDX-License-Identifier: MIT */
/* PTX's asynchronous multiplication of matrices by a warpgroup, for which a thread of a test stands:
 *
 *   wgmma.fence.sync.aligned    wgmma.commit_group.sync.aligned    wgmma.wait_group.sync.aligned N
 *   wgmma.mma_async[.sp].sync.aligned.SHAPE[.satfinite].DTYPE.ATYPE.BTYPE[.and.popc] D, A, B [, metadata, selector],
 *       scale-d [, imm-scale-a, imm-scale-b [, imm-trans-a], imm-trans-b]
 *
 *   D = { register } | register      A = { register } | matrix      B = matrix      matrix = location of shared memory
 *
 * Each matrix has one element here, a number without a fraction, and a location is named in place of its descriptor.
 * The reads are weak ones through the async proxy; D has the sum once `wgmma.wait_group` has waited for it, and is
 * undefined until then (ISA, "wgmma.wait_group").
 */
#include "checker/litmus/ptx_async.h"

enum element { HALF, BFLOAT, TENSOR_FLOAT, BYTE_FLOAT, INTEGER, BIT };

static const struct word_row elements[] = {{"f16", HALF},        {"bf16", BFLOAT},     {"tf32", TENSOR_FLOAT},
                                           {"e4m3", BYTE_FLOAT}, {"e5m2", BYTE_FLOAT}, {"s8", INTEGER},
                                           {"u8", INTEGER},      {"b1", BIT},          {NULL, 0}};

enum sum { F16 = 1, F32 = 2, S32 = 4 };

static const struct word_row sums[] = {{"f16", F16}, {"f32", F32}, {"s32", S32}, {NULL, 0}};

/* What is multiplied: how many bytes and bits of K a dense matrix has, which sums there are, and how many operands
 * negate and transpose. */
static const struct {
  unsigned depth, sums, scales, transposes;
} kinds[] = {[HALF] = {16, F16 | F32, 2, 2},       [BFLOAT] = {16, F32, 2, 2},  [TENSOR_FLOAT] = {8, F32, 2, 0},
             [BYTE_FLOAT] = {32, F16 | F32, 2, 0}, [INTEGER] = {32, S32, 0, 0}, [BIT] = {256, S32, 0, 0}};

struct multiplication {
  enum element element;
  bool sparse;
  const struct expr *a, *b; /* what was read, or a register's value */
  bool in_register;         /* `a` is */
  bool begun;
};

/* --- the name ---------------------------------------------------------------------------------- */

static bool is_shape(const char *text, unsigned depth) {
  unsigned n = 0, k = 0;
  char rest;
  return sscanf(text, "m64n%3uk%3u%c", &n, &k, &rest) == 2 && n >= 8 && n <= 256 && n % 8 == 0 && k == depth;
}

static bool check_types(struct column_cell *cell, const struct opcode *op, const struct token *shape, int sum,
                        const struct multiplication *m) {
  unsigned depth = kinds[m->element].depth * (m->sparse ? 2 : 1);
  const struct token *last = op->words[op->next - 1];
  if (!(kinds[m->element].sums & (unsigned)sum))
    reader_fail(cell->reader, last->span, "sums of products of '%s' have another type", last->text);
  else if (!is_shape(shape->text, depth))
    reader_fail(cell->reader, shape->span, "'%s' is no shape here: m64n8k%u to m64n256k%u", shape->text, depth, depth);
  return !cell->reader->failed;
}

static bool take_types(struct column_cell *cell, struct opcode *op, struct multiplication *m) {
  static const struct token none = {.text = ""};
  const struct token *shape = op->next < op->count ? op->words[op->next++] : &none;
  bool saturates = opcode_skip_word(op, "satfinite");
  int sum = opcode_expect(cell, op, sums, "a type of sums");
  int a = sum < 0 ? -1 : opcode_expect(cell, op, elements, "a type of elements");
  int b = a < 0 ? -1 : opcode_expect(cell, op, elements, "a type of elements");
  if (b < 0) return false;
  m->element = (enum element)a;
  if (a != b)
    reader_fail(cell->reader, op->words[op->next - 1]->span, "'%s' and '%s' are not multiplied",
                op->words[op->next - 2]->text, op->words[op->next - 1]->text);
  if (cell->reader->failed || !check_types(cell, op, shape, sum, m)) return false;
  if (a == BIT && (!opcode_require(cell, op, "and") || !opcode_require(cell, op, "popc"))) return false;
  if (saturates && a != INTEGER) reader_fail(cell->reader, shape->span, "only sums of bytes have '.satfinite'");
  opcode_end(cell, op);
  return !cell->reader->failed;
}

/* --- operands ------------------------------------------------------------------------------------ */

static const char usage[] = "D, A, B, scale-d and what negates or transposes";

/* Reads a matrix of shared memory, through the async proxy. */
static const struct expr *take_matrix(struct column_cell *cell, const struct opcode *op, struct multiplication *m) {
  static const struct ptx_strength weak = {
      ORDER_NA, SCOPE_NONE,
      (tag_set)1 << TAG_WEAK | (tag_set)1 << TAG_ASYNC | (tag_set)1 << TAG_MATRIX | (tag_set)1 << TAG_DETACHED};
  const struct token *token = cell->reader->token;
  const struct draft_location *location = ptx_location(cell, NULL);
  if (!location) return draft_constant(cell->draft, 0);
  if (cell->draft->locations.at[location->physical].regions != REGION_LOCAL)
    reader_fail(cell->reader, token->span, "'%s' is not in shared memory: declare it as '%s @ shared = 0'",
                location->name, location->name);
  struct instr *load = ptx_emit(cell, op, INSTR_LOAD, &weak);
  unsigned value = draft_new_temporary(cell->draft, cell->thread);
  load->reg = (int)value;
  if (!m->begun) load->tags |= tag_bit(TAG_BEGINS);
  m->begun = true;
  assembly_access(cell, load, location);
  return draft_register_value(cell->draft, value);
}

/* `{ r0 }`: one register, of one element; false, having taken nothing, where there is no vector. */
static bool take_vector(struct column_cell *cell, void (*take)(struct column_cell *cell, void *into), void *into) {
  if (!reader_skip(cell->reader, "{")) return false;
  take(cell, into);
  if (reader_is(cell->reader, ","))
    reader_fail(cell->reader, cell->reader->token->span, "not supported: matrices of several elements");
  reader_expect(cell->reader, "}", "after a register, since a matrix has one element here");
  return true;
}

static void take_destination(struct column_cell *cell, void *into) {
  *(int *)into = assembly_destination(cell);
}

static void take_value(struct column_cell *cell, void *into) {
  *(const struct expr **)into = assembly_value(cell);
}

/* -1 or 1, so many times: what they are together. */
static int64_t take_signs(struct column_cell *cell, const struct opcode *op, unsigned count) {
  int64_t sign = 1;
  for (unsigned i = 0; i < count && !cell->reader->failed; i++) {
    assembly_comma(cell, op, usage);
    const struct token *token = cell->reader->token;
    int64_t one = reader_take_number(cell->reader, "1, or -1 to negate");
    if (!cell->reader->failed && one != 1 && one != -1)
      reader_fail(cell->reader, token->span, "expected 1, or -1 to negate");
    sign *= one;
  }
  return sign;
}

/* What comes after the matrices: is the sum added to what D has, and with which sign is the product? */
static const struct expr *take_scales(struct column_cell *cell, const struct opcode *op, const struct multiplication *m,
                                      int64_t *sign) {
  if (m->sparse)
    for (int i = 0; i < 2 && !cell->reader->failed; i++) {
      assembly_comma(cell, op, usage);
      assembly_value(cell);
    }
  assembly_comma(cell, op, usage);
  const struct expr *scale = assembly_value(cell);
  *sign = take_signs(cell, op, kinds[m->element].scales);
  unsigned transposes = kinds[m->element].transposes;
  if (m->in_register && transposes) transposes--;
  for (unsigned i = 0; i < transposes && !cell->reader->failed; i++) {
    assembly_comma(cell, op, usage);
    ptx_take_count(cell, "whether it is transposed", 0, 1);
  }
  return scale;
}

static void lower_multiplication(struct column_cell *cell, struct opcode *op, struct multiplication *m) {
  int reg = NO_REG;
  if (!take_vector(cell, take_destination, &reg)) reg = assembly_destination(cell);
  assembly_comma(cell, op, usage);
  m->in_register = take_vector(cell, take_value, &m->a);
  if (!m->in_register) m->a = take_matrix(cell, op, m);
  assembly_comma(cell, op, usage);
  m->b = take_matrix(cell, op, m);
  int64_t sign = 1;
  const struct expr *scale = take_scales(cell, op, m, &sign);
  if (cell->reader->failed) return;
  struct draft *draft = cell->draft;
  const struct expr *product = draft_operation(draft, EXPR_MUL, m->a, m->b, NULL);
  if (sign < 0) product = draft_operation(draft, EXPR_SUB, draft_constant(draft, 0), product, NULL);
  const struct expr *before =
      draft_operation(draft, EXPR_COND, scale, draft_register_value(draft, (unsigned)reg), draft_constant(draft, 0));
  /* An assignment is no event: ptx_check_sums knows it by the tag. */
  assembly_assign(cell, op, reg, draft_operation(draft, EXPR_ADD, before, product, NULL))->tags = tag_bit(TAG_MATRIX);
}

void ptx_lower_wgmma(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  enum { FENCE, MULTIPLY, COMMIT, WAIT };
  static const struct word_row words[] = {
      {"fence", FENCE}, {"mma_async", MULTIPLY}, {"commit_group", COMMIT}, {"wait_group", WAIT}, {NULL, 0}};
  struct multiplication m = {0};
  int what = opcode_expect(cell, op, words, "an action");
  if (what == MULTIPLY) m.sparse = opcode_skip_word(op, "sp");
  if (what < 0 || !opcode_require(cell, op, "sync") || !opcode_require(cell, op, "aligned")) return;
  if (what == FENCE) ptx_lower_mark(cell, op, tag_bit(TAG_MATRIX) | tag_bit(TAG_F));
  if (what == COMMIT) ptx_lower_mark(cell, op, tag_bit(TAG_MATRIX) | tag_bit(TAG_COMMIT));
  if (what == WAIT) ptx_lower_wait_group(cell, op, TAG_MATRIX);
  if (what == MULTIPLY) ptx_note_sum(cell, op);
  if (what == MULTIPLY && take_types(cell, op, &m)) lower_multiplication(cell, op, &m);
}

/* --- what registers hold ------------------------------------------------------------------------- */

/* Of a thread's registers, in the order of the text: when something else than a multiplication was last done to each,
 * and to which group the last sum that it gets belongs. */
struct sums {
  struct draft *draft;
  const struct draft_thread *thread;
  size_t *touched;   /* 1 + index of the instruction; 0: never */
  unsigned *pending; /* 1 + number of the group; 0: none */
  bool *used;        /* of the instruction at hand */
  size_t fence;      /* 1 + index of the last `wgmma.fence`; 0: none */
  unsigned group;    /* that is open */
};

static bool is_mark(const struct instr *instr, enum tag what) {
  return instr->kind == INSTR_MARK && tags_have(instr->tags, TAG_MATRIX) && tags_have(instr->tags, what);
}

static const char *register_name(const struct sums *s, size_t reg) {
  return s->thread->registers.at[reg].name;
}

/* The groups of which a wait leaves none under way. */
static void wait_for(struct sums *s, tag_set tags) {
  unsigned but = (unsigned)(tags_have(tags, TAG_BUT_ONE) + 2 * tags_have(tags, TAG_BUT_TWO));
  for (size_t reg = 0; reg < s->thread->registers.count; reg++)
    if (s->pending[reg] + but <= s->group) s->pending[reg] = 0;
}

static void check_register(struct sums *s, const struct instr *instr, size_t reg, bool multiplies) {
  if (multiplies && (!s->fence || s->fence < s->touched[reg]))
    reader_fail(&s->draft->reader, instr->span,
                "no 'wgmma.fence' comes between what else is done to '%s' and the multiplication: what it holds is "
                "undefined",
                register_name(s, reg));
  else if (!multiplies && s->pending[reg])
    reader_fail(&s->draft->reader, instr->span,
                "no 'wgmma.wait_group' has waited for the multiplication that writes '%s': what it holds is undefined",
                register_name(s, reg));
}

static void check_instruction(struct sums *s, size_t index) {
  const struct instr *instr = &s->thread->code.at[index];
  bool multiplies = instr->kind == INSTR_ASSIGN && tags_have(instr->tags, TAG_MATRIX);
  size_t count = s->thread->registers.count;
  memset(s->used, 0, count * sizeof *s->used);
  instr_mark_registers(instr, s->used);
  if (instr->reg != NO_REG) s->used[instr->reg] = true;
  for (size_t reg = 0; reg < count && !s->draft->reader.failed; reg++) {
    if (!s->used[reg] || !register_name(s, reg)) continue;
    check_register(s, instr, reg, multiplies);
    if (!multiplies) s->touched[reg] = index + 1;
  }
  if (multiplies) s->pending[instr->reg] = s->group + 1;
  if (is_mark(instr, TAG_F)) s->fence = index + 1;
  if (is_mark(instr, TAG_COMMIT)) s->group++;
  if (is_mark(instr, TAG_WAIT)) wait_for(s, instr->tags);
}

/* Jumps are not followed. */
static void check_thread(struct draft *draft, const struct draft_thread *thread) {
  struct arena *arena = draft->reader.arena;
  size_t count = thread->registers.count;
  struct sums s = {draft,
                   thread,
                   ARENA_ARRAY(arena, size_t, count),
                   ARENA_ARRAY(arena, unsigned, count),
                   ARENA_ARRAY(arena, bool, count),
                   0,
                   0};
  for (size_t i = 0; i < thread->code.count && !draft->reader.failed; i++) check_instruction(&s, i);
  for (size_t reg = 0; reg < count && !draft->reader.failed; reg++)
    if (s.pending[reg])
      reader_fail(&draft->reader, thread->span, "%s ends before 'wgmma.wait_group' has waited for what '%s' holds",
                  thread->name, register_name(&s, reg));
}

void ptx_check_sums(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count && !draft->reader.failed; i++) check_thread(draft, &draft->threads.at[i]);
}
