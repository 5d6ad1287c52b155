/* SPDX-License-Identifier: MIT */
/* The relation kernel against matrices of bool, on random sets and relations
 * of sizes around the word boundaries. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/rel.h"
#include "tests/unit/unit.h"

enum { MOST = 131, ROUNDS = 6 };

static const unsigned SIZES[] = {0, 1, 2, 3, 31, 63, 64, 65, 127, 128, 130};
enum { SIZE_COUNT = ARRAY_COUNT(SIZES) };

/* The naive twins: one bool for each element. */
struct plain_set {
  bool has[MOST];
};
struct plain_rel {
  bool has[MOST][MOST];
};

/* xorshift64*: the same tests on every machine. */
static uint64_t random_next(uint64_t *seed) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return *seed * 0x2545f4914f6cdd1du;
}

static bool chance(uint64_t *seed, unsigned percent) {
  return random_next(seed) % 100 < percent;
}

/* A random set and relation in both forms. */
static void random_set(struct shape s, uint64_t *seed, unsigned percent, word *set, struct plain_set *plain) {
  memset(plain, 0, sizeof *plain);
  words_clear(set_words(s), set);
  for (unsigned a = 0; a < s.n; a++)
    if (chance(seed, percent)) {
      plain->has[a] = true;
      set_add(set, a);
    }
}

static void random_rel(struct shape s, uint64_t *seed, unsigned percent, word *rel, struct plain_rel *plain) {
  memset(plain, 0, sizeof *plain);
  words_clear(rel_words(s), rel);
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = 0; b < s.n; b++)
      if (chance(seed, percent)) {
        plain->has[a][b] = true;
        rel_add(s, rel, a, b);
      }
}

/* Equality with the naive form, and no bit at or above n. */
static void assert_set(struct shape s, const word *set, const struct plain_set *plain) {
  for (unsigned a = 0; a < s.w * 64; a++) assert_int_equal(set_has(set, a), a < s.n && plain->has[a]);
}

static void assert_rel(struct shape s, const word *rel, const struct plain_rel *plain) {
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = 0; b < s.w * 64; b++)
      assert_int_equal(set_has(rel_row_const(s, rel, a), b), b < s.n && plain->has[a][b]);
}

/* One round's storage: relations a and b, sets p and q, and room for results. */
struct fixture {
  struct shape s;
  struct plain_rel pa, pb, expected;
  struct plain_set pp, pq, expected_set;
  word *a, *b, *out, *p, *q, *set_out, *scratch;
};

static word *storage(size_t count) {
  word *words = malloc((count ? count : 1) * sizeof *words);
  assert_non_null(words);
  memset(words, 0xa5, (count ? count : 1) * sizeof *words);
  return words;
}

static struct fixture *fixture_new(unsigned n, uint64_t *seed, unsigned percent) {
  struct fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->s = shape_of(n);
  f->a = storage(rel_words(f->s));
  f->b = storage(rel_words(f->s));
  f->out = storage(rel_words(f->s));
  f->p = storage(set_words(f->s));
  f->q = storage(set_words(f->s));
  f->set_out = storage(set_words(f->s));
  f->scratch = storage(set_words(f->s));
  random_rel(f->s, seed, percent, f->a, &f->pa);
  random_rel(f->s, seed, percent, f->b, &f->pb);
  random_set(f->s, seed, percent, f->p, &f->pp);
  random_set(f->s, seed, 50, f->q, &f->pq);
  return f;
}

static void fixture_free(struct fixture *f) {
  word *blocks[] = {f->a, f->b, f->out, f->p, f->q, f->set_out, f->scratch};
  for (size_t i = 0; i < ARRAY_COUNT(blocks); i++) free(blocks[i]);
  free(f);
}

/* Runs `body` on several random fixtures of every size, from sparse to dense. */
static void on_fixtures(void (*body)(struct fixture *f)) {
  static const unsigned PERCENTS[ROUNDS] = {0, 1, 3, 20, 60, 100};
  uint64_t seed = 20151021;
  for (unsigned i = 0; i < SIZE_COUNT; i++)
    for (unsigned round = 0; round < ROUNDS; round++) {
      struct fixture *f = fixture_new(SIZES[i], &seed, PERCENTS[round]);
      body(f);
      fixture_free(f);
    }
}

#define EACH_PAIR(f, a, b)                \
  for (unsigned a = 0; a < (f)->s.n; a++) \
    for (unsigned b = 0; b < (f)->s.n; b++)

/* After the call, `out` has the pairs (a, b) of which this holds, and `set_out` those events. */
#define ASSERT_REL(f, call, holds)                       \
  do {                                                   \
    EACH_PAIR(f, a, b)(f)->expected.has[a][b] = (holds); \
    call;                                                \
    assert_rel((f)->s, (f)->out, &(f)->expected);        \
  } while (false)
#define ASSERT_SET(f, call, event, holds)                      \
  do {                                                         \
    memset(&(f)->expected_set, 0, sizeof(f)->expected_set);    \
    EACH_PAIR(f, a, b)(f)->expected_set.has[event] |= (holds); \
    call;                                                      \
    assert_set((f)->s, (f)->set_out, &(f)->expected_set);      \
  } while (false)

/* The same of a product: `row` and `column` are related for each (a, b) of the first relation, and c, of which this
 * holds. */
#define ASSERT_PRODUCT(f, call, row, column, holds)                                                         \
  do {                                                                                                      \
    memset(&(f)->expected, 0, sizeof(f)->expected);                                                         \
    EACH_PAIR(f, a, b)                                                                                      \
    for (unsigned c = 0; (f)->pa.has[a][b] && c < (f)->s.n; c++) (f)->expected.has[row][column] |= (holds); \
    call;                                                                                                   \
    assert_rel((f)->s, (f)->out, &(f)->expected);                                                           \
  } while (false)

static void check_words(struct fixture *f) {
  size_t count = rel_words(f->s), bits = 0;
  bool within = true, meet = false, equal = true, empty = true;
  EACH_PAIR(f, a, b) {
    bool x = f->pa.has[a][b], y = f->pb.has[a][b];
    bits += x;
    within &= !x || y;
    meet |= x && y;
    equal &= x == y;
    empty &= !x;
  }
  assert_int_equal(words_popcount(count, f->a), bits);
  assert_int_equal(words_within(count, f->a, f->b), within);
  assert_int_equal(words_meet(count, f->a, f->b), meet);
  assert_int_equal(words_equal(count, f->a, f->b), equal);
  assert_int_equal(words_empty(count, f->a), empty);
  assert_true(words_equal(count, f->a, f->a));

  words_copy(count, f->out, f->a);
  assert_rel(f->s, f->out, &f->pa);
  ASSERT_REL(f, words_or(count, f->out, f->a, f->b), f->pa.has[a][b] || f->pb.has[a][b]);
  ASSERT_REL(f, words_and(count, f->out, f->a, f->b), f->pa.has[a][b] && f->pb.has[a][b]);
  ASSERT_REL(f, words_minus(count, f->out, f->a, f->b), f->pa.has[a][b] && !f->pb.has[a][b]);
}

TEST(test_words) {
  on_fixtures(check_words);
}

static void check_constants(struct fixture *f) {
  ASSERT_REL(f, rel_fill(f->s, f->out), true);
  ASSERT_REL(f, rel_identity(f->s, f->out), a == b);
  ASSERT_REL(f, rel_complement(f->s, f->out, f->a), !f->pa.has[a][b]);

  for (unsigned a = 0; a < f->s.n; a++) f->expected_set.has[a] = true;
  set_fill(f->s, f->set_out);
  assert_set(f->s, f->set_out, &f->expected_set);
  for (unsigned a = 0; a < f->s.n; a++) f->expected_set.has[a] = !f->pp.has[a];
  set_complement(f->s, f->set_out, f->p);
  assert_set(f->s, f->set_out, &f->expected_set);
}

TEST(test_constants_and_complement) {
  on_fixtures(check_constants);
}

TEST(test_ranges) {
  static const unsigned edges[] = {0, 1, 63, 64, 65, 127, 128, 130};
  enum { EDGES = ARRAY_COUNT(edges) };
  for (unsigned i = 0; i < EDGES * EDGES; i++) {
    word set[3] = {0};
    unsigned from = edges[i / EDGES], to = edges[i % EDGES];
    set_add_range(set, from, to);
    for (unsigned a = 0; a < 3 * 64; a++) assert_int_equal(set_has(set, a), from <= a && a < to);
  }
}

static void check_sets_and_relations(struct fixture *f) {
  ASSERT_REL(f, rel_on_set(f->s, f->out, f->p), a == b && f->pp.has[a]);
  ASSERT_REL(f, rel_cross(f->s, f->out, f->p, f->q), f->pp.has[a] && f->pq.has[b]);

  ASSERT_SET(f, rel_domain(f->s, f->set_out, f->a), a, f->pa.has[a][b]);
  ASSERT_SET(f, rel_range(f->s, f->set_out, f->a), b, f->pa.has[a][b]);
}

TEST(test_sets_and_relations) {
  on_fixtures(check_sets_and_relations);
}

static void check_compose(struct fixture *f) {
  ASSERT_REL(f, rel_inverse(f->s, f->out, f->a), f->pa.has[b][a]);

  ASSERT_PRODUCT(f, rel_compose(f->s, f->out, f->a, f->b), a, c, f->pb.has[b][c]);

  ASSERT_PRODUCT(f, rel_compose_inverse(f->s, f->out, f->a, f->b, NULL), b, c, f->pb.has[a][c]);

  ASSERT_PRODUCT(f, rel_compose_with_inverse(f->s, f->out, f->a, f->b, NULL), a, c, f->pb.has[c][b]);
}

/* Rows and columns of the events in b's first row. */
static void check_keep(struct fixture *f) {
  if (!f->s.n) return;
  ASSERT_REL(f, rel_keep_rows(f->s, f->out, rel_row_const(f->s, f->b, 0), f->a), f->pa.has[a][b] && f->pb.has[0][a]);

  ASSERT_REL(f, rel_keep_columns(f->s, f->out, f->a, rel_row_const(f->s, f->b, 0)), f->pa.has[a][b] && f->pb.has[0][b]);

  EACH_PAIR(f, a, b) f->expected.has[a][b] |= f->pb.has[a][b];
  words_copy(rel_words(f->s), f->out, f->b);
  rel_add_columns(f->s, f->out, f->a, rel_row_const(f->s, f->b, 0));
  assert_rel(f->s, f->out, &f->expected);
}

static void check_new_ends(struct fixture *f) {
  EACH_PAIR(f, a, b) f->expected_set.has[a] |= f->pa.has[a][b] && !f->pb.has[a][b];
  rel_new_ends(f->s, f->set_out, f->scratch, f->a, f->b);
  assert_set(f->s, f->set_out, &f->expected_set);
  memset(&f->expected_set, 0, sizeof f->expected_set);
  EACH_PAIR(f, a, b) f->expected_set.has[b] |= f->pa.has[a][b] && !f->pb.has[a][b];
  assert_set(f->s, f->scratch, &f->expected_set);
}

/* Only some rows or columns of products. */
static void check_parts_of_products(struct fixture *f) {
  if (!f->s.n) return;
  ASSERT_PRODUCT(f, rel_compose_inverse(f->s, f->out, f->a, f->b, f->p), b, c, f->pp.has[b] && f->pb.has[a][c]);

  ASSERT_PRODUCT(f, rel_compose_with_inverse(f->s, f->out, f->a, f->b, f->p), a, c, f->pp.has[c] && f->pb.has[c][b]);

  EACH_PAIR(f, a, b) f->expected_set.has[b] |= f->pp.has[a] && f->pa.has[a][b];
  words_clear(set_words(f->s), f->set_out);
  rel_image(f->s, f->set_out, f->p, f->a);
  assert_set(f->s, f->set_out, &f->expected_set);
  EACH_PAIR(f, a, b) f->expected_set.has[a] |= f->pp.has[b] && f->pa.has[a][b];
  rel_preimage(f->s, f->set_out, f->a, f->p); /* which adds */
  assert_set(f->s, f->set_out, &f->expected_set);
}

TEST(test_inverse_and_composition) {
  on_fixtures(check_compose);
}

TEST(test_keeping_rows_and_columns) {
  on_fixtures(check_keep);
  on_fixtures(check_parts_of_products);
  on_fixtures(check_new_ends);
}

/* Closure by repeated squaring until nothing changes: not Warshall's way. */
static void plain_close(unsigned n, struct plain_rel *r) {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned a = 0; a < n; a++)
      for (unsigned b = 0; b < n; b++)
        for (unsigned c = 0; r->has[a][b] && c < n; c++)
          if (r->has[b][c] && !r->has[a][c]) changed = r->has[a][c] = true;
  }
}

static void check_closure(struct fixture *f) {
  f->expected = f->pa;
  plain_close(f->s.n, &f->expected);
  words_copy(rel_words(f->s), f->out, f->a);
  rel_close(f->s, f->out);
  assert_rel(f->s, f->out, &f->expected);

  bool cycle = false;
  for (unsigned a = 0; a < f->s.n; a++) cycle |= f->expected.has[a][a];
  assert_int_equal(rel_acyclic(f->s, f->a, f->scratch), !cycle);
  assert_int_equal(rel_irreflexive(f->s, f->out), !cycle);

  for (unsigned a = 0; a < f->s.n; a++) f->expected.has[a][a] = true;
  rel_reflexive(f->s, f->out);
  assert_rel(f->s, f->out, &f->expected);

  f->expected = f->pa;
  EACH_PAIR(f, a, b) f->expected.has[a][b] |= f->pb.has[a][b];
  plain_close(f->s.n, &f->expected);
  words_copy(rel_words(f->s), f->out, f->a);
  rel_close(f->s, f->out);
  rel_close_more(f->s, f->out, f->b);
  assert_rel(f->s, f->out, &f->expected);
}

TEST(test_closure_and_cycles) {
  on_fixtures(check_closure);
}

/* Random relations are cyclic at once; these are acyclic but for one edge. */
TEST(test_long_paths) {
  for (unsigned i = 0; i < SIZE_COUNT; i++) {
    struct shape s = shape_of(SIZES[i]);
    word *path = storage(rel_words(s)), *scratch = storage(set_words(s));
    words_clear(rel_words(s), path);
    for (unsigned a = 0; a + 1 < s.n; a++) rel_add(s, path, a, a + 1);
    assert_true(rel_acyclic(s, path, scratch));
    if (s.n) {
      rel_add(s, path, s.n - 1, 0);
      assert_false(rel_acyclic(s, path, scratch));
      rel_drop(s, path, s.n - 1, 0);
    }
    rel_close(s, path);
    assert_true(rel_irreflexive(s, path));
    assert_int_equal(words_popcount(rel_words(s), path), s.n ? (size_t)s.n * (s.n - 1) / 2 : 0);
    free(path);
    free(scratch);
  }
}

TEST(test_elements) {
  struct shape s = shape_of(130);
  word *set = storage(set_words(s));
  words_clear(set_words(s), set);
  set_add(set, 0);
  set_add(set, 64);
  set_add(set, 129);
  assert_int_equal(words_popcount(set_words(s), set), 3);
  set_drop(set, 64);
  set_drop(set, 63);
  assert_true(set_has(set, 0) && !set_has(set, 64) && set_has(set, 129));
  free(set);
}
