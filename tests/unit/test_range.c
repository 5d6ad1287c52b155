/* SPDX-License-Identifier: MIT */
/* Ranges of random expressions, and cells that random indices may name, against all values of their reads. */
#include "checker/base/array.h"
#include "checker/exec/paths/expression_range.h"
#include "checker/exec/paths/symbolic.h"
#include "checker/program/possible_cells.h"
#include "tests/unit/unit.h"

enum { READS = 2, ROUNDS = 20000 };

static uint32_t seed = 1;

static uint32_t draw(uint32_t n) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 16) % n;
}

static const struct expr *random_expr(struct arena *arena, unsigned depth) {
  static const enum expr_kind kinds[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL,  EXPR_DIV, EXPR_MOD,  EXPR_AND, EXPR_OR,
                                         EXPR_XOR, EXPR_SHL, EXPR_SHR,  EXPR_EQ,  EXPR_NE,   EXPR_LT,  EXPR_LE,
                                         EXPR_GT,  EXPR_GE,  EXPR_LAND, EXPR_LOR, EXPR_UMOD, EXPR_ULT, EXPR_UDIV,
                                         EXPR_NEG, EXPR_NOT, EXPR_LNOT, EXPR_COND};
  struct expr *e = ARENA_NEW(arena, struct expr);
  if (!depth || !draw(4)) {
    bool read = draw(2);
    *e = (struct expr){.kind = read ? EXPR_REG : EXPR_CONST, .reg = draw(READS), .value = (int64_t)draw(8) - 2};
    if (!read && !draw(4)) e->value = draw(2) ? 32 : (int64_t)8589934592;
    return e;
  }
  e->kind = kinds[draw(ARRAY_COUNT(kinds))];
  e->a = random_expr(arena, depth - 1);
  if (e->kind != EXPR_NEG && e->kind != EXPR_NOT && e->kind != EXPR_LNOT) e->b = random_expr(arena, depth - 1);
  if (e->kind == EXPR_COND) e->c = random_expr(arena, depth - 1);
  if (!draw(6)) { /* as integers of fewer bits are made to fit */
    const struct expr *shift = expr_constant(arena, 32);
    struct expr *left = ARENA_NEW(arena, struct expr), *right = ARENA_NEW(arena, struct expr);
    *left = (struct expr){.kind = EXPR_SHL, .a = e, .b = shift};
    *right = (struct expr){.kind = EXPR_SHR, .a = left, .b = shift};
    return right;
  }
  return e;
}

static int64_t value_of(const struct expr *e, const int64_t *reads) {
  if (e->kind == EXPR_CONST) return e->value;
  if (e->kind == EXPR_REG) return reads[e->reg];
  int64_t b = e->b ? value_of(e->b, reads) : 0, c = e->c ? value_of(e->c, reads) : 0;
  return expr_apply(e->kind, value_of(e->a, reads), b, c, NULL);
}

static struct range random_range(void) {
  int64_t low = (int64_t)draw(6) - 2;
  return (struct range){low, low + draw(5)};
}

TEST(every_value_is_in_the_range) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct arena *arena = arena_new();
    const struct expr *e = random_expr(arena, 3);
    const struct range reads[READS] = {random_range(), random_range()};
    struct range r = range_of(e, reads);
    int64_t v[READS];
    for (v[0] = reads[0].low; v[0] <= reads[0].high; v[0]++)
      for (v[1] = reads[1].low; v[1] <= reads[1].high; v[1]++) {
        int64_t value = value_of(e, v);
        assert_true(r.low <= value && value <= r.high);
      }
    arena_free(arena);
  }
}

enum { CELLS = 70, LOADS = 12 };

static struct instr assign(struct arena *arena, int reg, enum expr_kind kind, unsigned of, int64_t number) {
  const struct expr *value = expr_new(arena, kind, expr_register(arena, of), expr_constant(arena, number), NULL);
  return (struct instr){.kind = INSTR_ASSIGN, .reg = reg, .value = value};
}

/* r3 is loaded; r2 = r3 << some, which r0 has some bits of; r1 counts in steps from where it begins. */
TEST(every_index_names_a_possible_cell) {
  unsigned excluded = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct arena *arena = arena_new();
    int64_t shift = (int64_t)draw(5), bits = (int64_t)draw(6), step = (int64_t)draw(9), first = (int64_t)draw(5);
    const struct expr *index = random_expr(arena, 3);
    struct instr code[] = {{.kind = INSTR_LOAD, .reg = 3, .address = {.size = CELLS}},
                           assign(arena, 2, EXPR_SHL, 3, shift),
                           assign(arena, 0, draw(2) ? EXPR_OR : EXPR_ADD, 2, bits),
                           assign(arena, 1, draw(2) ? EXPR_ADD : EXPR_SUB, 1, step),
                           {.kind = INSTR_STORE, .reg = NO_REG, .address = {.size = CELLS, .index = index}}};
    int64_t initial[] = {0, first, 0, 0};
    struct thread thread = {.instrs = code, .instr_count = 5, .reg_count = 4, .reg_init = initial};
    struct program program = {.thread_count = 1, .threads = &thread};
    possible_cells_find(arena, &program);
    for (unsigned load = 0; load < LOADS; load++) {
      int64_t loaded = (int64_t)draw(40) - 4, by = code[3].value->kind == EXPR_ADD ? step : -step;
      int64_t read[] = {expr_apply(code[2].value->kind, loaded * (1 << shift), bits, 0, NULL), first + by * draw(20)};
      int64_t at = value_of(index, read);
      assert_true(at < 0 || at >= CELLS || address_may_have(&code[4].address, (unsigned)at));
    }
    for (unsigned c = 0; c < CELLS; c++) excluded += !address_may_have(&code[4].address, c);
    arena_free(arena);
  }
  assert_true(excluded > ROUNDS);
}

TEST(conditions_keep_what_they_hold_of) {
  unsigned narrowed = 0, impossible = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct arena *arena = arena_new();
    const struct expr *e = random_expr(arena, 3);
    const struct range before[READS] = {random_range(), random_range()};
    struct range after[READS] = {before[0], before[1]};
    bool nonzero = draw(2);
    bool possible = range_require(e, nonzero, after);
    impossible += !possible;
    int64_t v[READS];
    for (v[0] = before[0].low; v[0] <= before[0].high; v[0]++)
      for (v[1] = before[1].low; v[1] <= before[1].high; v[1]++) {
        if ((value_of(e, v) != 0) != nonzero) continue;
        assert_true(possible);
        for (unsigned i = 0; i < READS; i++) assert_true(after[i].low <= v[i] && v[i] <= after[i].high);
      }
    for (unsigned i = 0; i < READS; i++) narrowed += after[i].low > before[i].low || after[i].high < before[i].high;
    arena_free(arena);
  }
  assert_true(narrowed > ROUNDS / 20);
  assert_true(impossible > ROUNDS / 20);
}

/* An element of an array by a value that is read: 4 bytes each, the address in 64 bits. */
TEST(elements_of_arrays_say_which_value) {
  struct arena *arena = *state;
  const struct expr *four = expr_constant(arena, 4), *none = expr_constant(arena, -1);
  const struct expr *at = symbolic_apply(arena, EXPR_MUL, expr_register(arena, 0), four, NULL);
  const struct expr *index = none;
  for (int64_t i = 3; i-- > 0;) {
    const struct expr *is = symbolic_apply(arena, EXPR_EQ, at, expr_constant(arena, 4 * i), NULL);
    index = symbolic_apply(arena, EXPR_COND, is, expr_constant(arena, i), index);
  }
  for (int64_t i = 0; i < 3; i++) {
    struct range read = {0, 100};
    range_require(symbolic_apply(arena, EXPR_EQ, index, expr_constant(arena, i), NULL), true, &read);
    assert_int_equal(read.low, i);
    assert_int_equal(read.high, i);
  }
}

/* `(r == 0) != 1` and `!!r` say what `r` does. */
TEST(conditions_settle_their_negations) {
  struct arena *arena = *state;
  const struct expr *r = expr_register(arena, 0), *one = expr_constant(arena, 1), *two = expr_constant(arena, 2);
  const struct expr *is_zero = symbolic_apply(arena, EXPR_EQ, r, expr_constant(arena, 0), NULL);
  const struct expr *not_one = symbolic_apply(arena, EXPR_NE, is_zero, one, NULL);
  bool result = false;
  assert_true(symbolic_settles(r, true, not_one, &result) && result);
  assert_true(symbolic_settles(r, false, symbolic_apply(arena, EXPR_LNOT, not_one, NULL, NULL), &result) && result);
  assert_false(symbolic_settles(r, true, symbolic_apply(arena, EXPR_NE, r, one, NULL), &result));
  assert_false(symbolic_settles(r, true, symbolic_apply(arena, EXPR_NE, is_zero, two, NULL), &result));
}

/* Of what a read must not be, its range loses an end; what needs a read without a value has none itself. */
TEST(ends_of_ranges_are_left_out) {
  struct arena *arena = *state;
  const struct expr *r = expr_register(arena, 0), *zero = expr_constant(arena, 0);
  struct range read = {0, 1};
  range_require(symbolic_apply(arena, EXPR_EQ, r, zero, NULL), false, &read);
  assert_int_equal(read.low, 1);
  assert_false(range_require(r, false, &read));
  read = (struct range){1, 0};
  const struct expr *sum = symbolic_apply(arena, EXPR_ADD, r, expr_constant(arena, 5), NULL);
  assert_true(range_is_empty(range_of(sum, &read)));
  const struct expr *other = symbolic_apply(arena, EXPR_COND, expr_register(arena, 1), sum, zero);
  const struct range reads[] = {{1, 0}, {0, 1}};
  assert_int_equal(range_of(other, reads).high, 0);
}

/* `i < 0 || i >= 3`, on which an access to three cells is undefined: where `i` is none of it, or only the latter. */
TEST(indices_outside_are_on_the_side_that_can_be) {
  struct arena *arena = *state;
  const struct expr *i = expr_register(arena, 0), *low, *high;
  low = symbolic_apply(arena, EXPR_LT, i, expr_constant(arena, 0), NULL);
  high = symbolic_apply(arena, EXPR_GE, i, expr_constant(arena, 3), NULL);
  const struct expr *outside = symbolic_apply(arena, EXPR_LOR, low, high, NULL);
  struct range read = {0, 2};
  assert_false(range_require(outside, true, &read));
  read.high = 7;
  assert_true(range_require(outside, true, &read));
  assert_int_equal(read.low, 3);
}
