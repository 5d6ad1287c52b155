/* SPDX-License-Identifier: MIT */
/* The kernel of the axiomatic engine.  Rows are words, so that composition
 * ors whole rows and closure is Warshall's algorithm a row at a time; the
 * one-word case, nearly every test, has its own loops, which compilers
 * vectorise. */
#include "checker/base/rel.h"

#include <assert.h>
#include <string.h>

/* The loops that compilers vectorise are built for wider registers too, and
 * chosen when the program starts, which is glibc's to do; not under sanitizers, which cannot run before
 * the choice is made. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

static _Thread_local uint64_t work;

uint64_t rel_work(void) {
  return work;
}

void rel_work_add(uint64_t words) {
  work += words;
}

WIDE void many_words_or(size_t count, word *out, const word *a, const word *b) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] | b[i];
}

WIDE void many_words_and(size_t count, word *out, const word *a, const word *b) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] & b[i];
}

WIDE void many_words_minus(size_t count, word *out, const word *a, const word *b) {
  for (size_t i = 0; i < count; i++) out[i] = a[i] & ~b[i];
}

WIDE bool words_equal(size_t count, const word *a, const word *b) {
  word different = 0;
  for (size_t i = 0; i < count; i++) different |= a[i] ^ b[i];
  return !different;
}

WIDE bool many_words_empty(size_t count, const word *a) {
  word any = 0;
  for (size_t i = 0; i < count; i++) any |= a[i];
  return !any;
}

WIDE bool many_words_within(size_t count, const word *a, const word *b) {
  word outside = 0;
  for (size_t i = 0; i < count; i++) outside |= a[i] & ~b[i];
  return !outside;
}

WIDE bool many_words_meet(size_t count, const word *a, const word *b) {
  word common = 0;
  for (size_t i = 0; i < count; i++) common |= a[i] & b[i];
  return common;
}

WIDE size_t words_popcount(size_t count, const word *a) {
  size_t bits = 0;
  for (size_t i = 0; i < count; i++) bits += (size_t)__builtin_popcountll(a[i]);
  return bits;
}

/* The word that holds the last events of a row: ones below n, zeros above. */
static word last_word(struct shape s) {
  return s.n % 64 ? ((word)1 << (s.n % 64)) - 1 : s.n ? ~(word)0 : 0;
}

void set_fill(struct shape s, word *out) {
  for (unsigned i = 0; i + 1 < s.w; i++) out[i] = ~(word)0;
  out[s.w - 1] = last_word(s);
}

void set_complement(struct shape s, word *out, const word *a) {
  for (unsigned i = 0; i + 1 < s.w; i++) out[i] = ~a[i];
  out[s.w - 1] = ~a[s.w - 1] & last_word(s);
}

void rel_fill(struct shape s, word *out) {
  for (unsigned a = 0; a < s.n; a++) set_fill(s, rel_row(s, out, a));
}

WIDE void rel_complement(struct shape s, word *out, const word *r) {
  if (s.w == 1) {
    word mask = last_word(s);
    for (unsigned a = 0; a < s.n; a++) out[a] = ~r[a] & mask;
    return;
  }
  for (unsigned a = 0; a < s.n; a++) set_complement(s, rel_row(s, out, a), rel_row_const(s, r, a));
}

void rel_identity(struct shape s, word *out) {
  words_clear(rel_words(s), out);
  rel_reflexive(s, out);
}

void rel_on_set(struct shape s, word *out, const word *set) {
  words_clear(rel_words(s), out);
  SET_EACH (a, s.w, set) rel_add(s, out, a, a);
}

/* Of one word a row: the row of each event of a set, and no other. */
static inline void keep_rows(unsigned n, word *out, word set, const word *r, word to) {
  for (unsigned a = 0; a < n; a++) out[a] = (r ? r[a] : to) & -(set >> a & 1);
}

WIDE void rel_cross(struct shape s, word *out, const word *from, const word *to) {
  if (s.w == 1) {
    keep_rows(s.n, out, *from, NULL, *to);
    return;
  }
  for (unsigned a = 0; a < s.n; a++) {
    if (set_has(from, a))
      words_copy(s.w, rel_row(s, out, a), to);
    else
      words_clear(s.w, rel_row(s, out, a));
  }
}

void rel_domain(struct shape s, word *out, const word *r) {
  words_clear(s.w, out);
  for (unsigned a = 0; a < s.n; a++)
    if (!words_empty(s.w, rel_row_const(s, r, a))) set_add(out, a);
}

WIDE void rel_range(struct shape s, word *out, const word *r) {
  words_clear(s.w, out);
  if (s.w == 1) {
    word any = 0;
    for (unsigned a = 0; a < s.n; a++) any |= r[a];
    *out = any;
    return;
  }
  for (unsigned a = 0; a < s.n; a++) words_or(s.w, out, out, rel_row_const(s, r, a));
}

/* Does a relation hold whatever two steps of it make? */
__attribute__((unused)) static bool is_transitive(struct shape s, const word *r) {
  for (unsigned a = 0; a < s.n; a++)
    SET_EACH (b, s.w, rel_row_const(s, r, a))
      if (!words_within(s.w, rel_row_const(s, r, b), rel_row_const(s, r, a))) return false;
  return true;
}

bool rel_check(struct shape s, const word *r) {
  word none = s.n % 64 ? ~(word)0 << s.n % 64 : 0;
  for (unsigned a = 0; a < s.n; a++)
    if (r[(size_t)a * s.w + s.w - 1] & none) return false;
  return true;
}

/* Does a row have more than `most` events, on average?  Of one word a row. */
static inline bool is_dense(unsigned n, const word *r, unsigned most) {
  unsigned bits = 0;
  for (unsigned a = 0; a < n; a++) bits += (unsigned)__builtin_popcountll(r[a]);
  return bits > n * most;
}

/* Above these, looking at each event of a row takes longer than at all rows at once. */
enum { MOST_FOR_INVERSE = 5, MOST_FOR_COMPOSE = 8 };

/* Squares of 2 * side words off the diagonal change places, of which `low` has the lower half of each row. */
static inline void exchange_squares(word *rows, unsigned side, word low) {
  for (unsigned square = 0; square < 64; square += 2 * side)
    for (unsigned a = square; a < square + side; a++) {
      word moved = (rows[a] >> side ^ rows[a + side]) & low;
      rows[a] ^= moved << side;
      rows[a + side] ^= moved;
    }
}

/* Of one word a row; a part of each version of what calls it. */
static inline __attribute__((always_inline)) void transpose(unsigned n, word *out, const word *r) {
  word rows[64];
  memcpy(rows, r, n * sizeof *rows);
  memset(rows + n, 0, (64 - n) * sizeof *rows);
  exchange_squares(rows, 32, 0x00000000ffffffff);
  exchange_squares(rows, 16, 0x0000ffff0000ffff);
  exchange_squares(rows, 8, 0x00ff00ff00ff00ff);
  exchange_squares(rows, 4, 0x0f0f0f0f0f0f0f0f);
  exchange_squares(rows, 2, 0x3333333333333333);
  exchange_squares(rows, 1, 0x5555555555555555);
  memcpy(out, rows, n * sizeof *rows);
}

WIDE void rel_inverse(struct shape s, word *out, const word *r) {
  assert(rel_check(s, r));
  work += rel_words(s);
  if (s.w == 1 && is_dense(s.n, r, MOST_FOR_INVERSE)) {
    transpose(s.n, out, r);
    return;
  }
  words_clear(rel_words(s), out);
  for (unsigned a = 0; a < s.n; a++) {
    const word *row = rel_row_const(s, r, a);
    for (unsigned i = 0; i < s.w; i++)
      for (word bits = row[i]; bits; bits &= bits - 1) rel_add(s, out, i * 64 + (unsigned)__builtin_ctzll(bits), a);
  }
}

/* Of two or three words, mostly: too few for a call. */
static inline void add_row(struct shape s, word *row, const word *more) {
  for (unsigned i = 0; i < s.w; i++) row[i] |= more[i];
}

/* Of one word a row: all rows of `a` that lead to an event, one event after the other. */
static inline void compose_dense(unsigned n, word *restrict out, const word *restrict a, const word *restrict b) {
  words_clear(n, out);
  for (unsigned k = 0; k < n; k++) {
    word through = b[k];
    for (unsigned i = 0; through && i < n; i++) out[i] |= through & -(a[i] >> k & 1);
  }
}

WIDE void rel_compose(struct shape s, word *out, const word *a, const word *b) {
  assert(rel_check(s, a) && rel_check(s, b));
  work += rel_words(s);
  if (s.w == 1 && is_dense(s.n, a, MOST_FOR_COMPOSE)) {
    compose_dense(s.n, out, a, b);
    return;
  }
  if (s.w == 1) {
    for (unsigned i = 0; i < s.n; i++) {
      word row = 0;
      for (word bits = a[i]; bits; bits &= bits - 1) row |= b[__builtin_ctzll(bits)];
      out[i] = row;
    }
    return;
  }
  words_clear(rel_words(s), out);
  for (unsigned i = 0; i < s.n; i++) {
    const word *row = rel_row_const(s, a, i);
    word *to = rel_row(s, out, i);
    for (unsigned k = 0; k < s.w; k++)
      for (word bits = row[k]; bits; bits &= bits - 1)
        add_row(s, to, rel_row_const(s, b, k * 64 + (unsigned)__builtin_ctzll(bits)));
  }
}

/* Of two or three words, mostly. */
static inline bool rows_meet(unsigned words, const word *a, const word *b) {
  word common = 0;
  for (unsigned i = 0; i < words; i++) common |= a[i] & b[i];
  return common;
}

/* Of one word a row, or of two: whose rows of `a` meet one of `b`. */
static inline void meet_row(unsigned n, word *restrict out, const word *restrict a, word row, unsigned column) {
  for (unsigned x = 0; row && x < n; x++) out[x] |= (word)((a[x] & row) != 0) << column;
}

static inline void meet_pair(unsigned n, word *restrict out, const word *restrict a, const word *row, unsigned column) {
  word low = row[0], high = row[1];
  for (unsigned x = 0; (low | high) && x < n; x++)
    out[2 * x + column / 64] |= (word)(((a[2 * x] & low) | (a[2 * x + 1] & high)) != 0) << column % 64;
}

WIDE void rel_compose_with_inverse(struct shape s, word *restrict out, const word *restrict a, const word *restrict b,
                                   const word *columns) {
  word all[s.w];
  work += rel_words(s);
  words_clear(rel_words(s), out);
  if (!columns) set_fill(s, all);
  SET_EACH (y, s.w, columns ? columns : all) {
    const word *row = b + (size_t)y * s.w;
    if (s.w == 1)
      meet_row(s.n, out, a, *row, y);
    else if (s.w == 2)
      meet_pair(s.n, out, a, row, y);
    else
      for (unsigned x = 0; x < s.n; x++)
        if (rows_meet(s.w, row, rel_row_const(s, a, x))) rel_add(s, out, x, y);
  }
}

void rel_compose_inverse(struct shape s, word *out, const word *a, const word *b, const word *rows) {
  work += rel_words(s);
  words_clear(rel_words(s), out);
  if (s.w == 1) {
    word kept = rows ? *rows : ~(word)0;
    for (unsigned x = 0; x < s.n; x++)
      if (b[x])
        for (word bits = a[x] & kept; bits; bits &= bits - 1) out[__builtin_ctzll(bits)] |= b[x];
    return;
  }
  for (unsigned x = 0; x < s.n; x++) {
    const word *row = rel_row_const(s, a, x), *from = rel_row_const(s, b, x);
    if (words_empty(s.w, from)) continue;
    for (unsigned k = 0; k < s.w; k++)
      for (word bits = rows ? row[k] & rows[k] : row[k]; bits; bits &= bits - 1)
        add_row(s, rel_row(s, out, k * 64 + (unsigned)__builtin_ctzll(bits)), from);
  }
}

WIDE void rel_add_columns(struct shape s, word *restrict out, const word *restrict r, const word *set) {
  word kept = *set;
  for (unsigned a = 0; s.w == 1 && a < s.n; a++) out[a] |= r[a] & kept;
  for (unsigned a = 0; s.w > 1 && a < s.n; a++)
    for (unsigned i = 0; i < s.w; i++) rel_row(s, out, a)[i] |= rel_row_const(s, r, a)[i] & set[i];
}

WIDE void rel_new_ends(struct shape s, word *restrict from, word *restrict to, const word *restrict a,
                       const word *restrict b) {
  words_clear(s.w, from);
  words_clear(s.w, to);
  if (s.w == 1) {
    word begins = 0, ends = 0;
    for (unsigned x = 0; x < s.n; x++) {
      word more = a[x] & ~b[x];
      ends |= more;
      begins |= (word)(more != 0) << x;
    }
    *from = begins;
    *to = ends;
    return;
  }
  for (unsigned x = 0; x < s.n; x++) {
    word any = 0;
    for (unsigned i = 0; i < s.w; i++) {
      word more = rel_row_const(s, a, x)[i] & ~rel_row_const(s, b, x)[i];
      to[i] |= more;
      any |= more;
    }
    from[x / 64] |= (word)(any != 0) << x % 64;
  }
}

void rel_image(struct shape s, word *out, const word *set, const word *r) {
  SET_EACH (a, s.w, set) add_row(s, out, rel_row_const(s, r, a));
}

WIDE void rel_preimage(struct shape s, word *restrict out, const word *restrict r, const word *restrict set) {
  if (s.w == 1) {
    word wanted = *set, found = 0;
    for (unsigned a = 0; a < s.n; a++) found |= (word)((r[a] & wanted) != 0) << a;
    *out |= found;
    return;
  }
  for (unsigned a = 0; a < s.n; a++) out[a / 64] |= (word)rows_meet(s.w, rel_row_const(s, r, a), set) << a % 64;
}

WIDE void rel_keep_rows(struct shape s, word *out, const word *set, const word *r) {
  if (s.w == 1) {
    keep_rows(s.n, out, *set, r, 0);
    return;
  }
  for (unsigned a = 0; a < s.n; a++) {
    if (set_has(set, a))
      words_copy(s.w, rel_row(s, out, a), rel_row_const(s, r, a));
    else
      words_clear(s.w, rel_row(s, out, a));
  }
}

WIDE void rel_keep_columns(struct shape s, word *out, const word *r, const word *set) {
  if (s.w == 1) {
    word kept = *set;
    for (unsigned a = 0; a < s.n; a++) out[a] = r[a] & kept;
    return;
  }
  for (unsigned a = 0; a < s.n; a++) words_and(s.w, rel_row(s, out, a), rel_row_const(s, r, a), set);
}

/* Of two words a row: who comes to an event, which is one bit of his row's word `half`, comes to what that comes to. */
static inline void close_pairs(unsigned n, word *r, unsigned half) {
  for (unsigned k = 64 * half; k < n && k < 64 * half + 64; k++) {
    word low = r[2 * k], high = r[2 * k + 1];
    for (unsigned a = 0; (low | high) && a < n; a++) {
      word through = -(r[2 * a + half] >> k % 64 & 1);
      r[2 * a] |= low & through;
      r[2 * a + 1] |= high & through;
    }
  }
}

WIDE void rel_close(struct shape s, word *r) {
  assert(rel_check(s, r));
  work += rel_words(s) * s.n / 8;
  if (s.w == 1) {
    for (unsigned k = 0; k < s.n; k++) {
      word through = r[k], bit = (word)1 << k;
      if (!through) continue;
      for (unsigned a = 0; a < s.n; a++) r[a] |= through & -((r[a] & bit) >> k);
    }
    assert(is_transitive(s, r));
    return;
  }
  if (s.w == 2) {
    close_pairs(s.n, r, 0);
    close_pairs(s.n, r, 1);
    assert(is_transitive(s, r));
    return;
  }
  for (unsigned k = 0; k < s.n; k++) {
    const word *through = rel_row_const(s, r, k);
    for (unsigned a = 0; a < s.n; a++)
      if (a != k && rel_has(s, r, a, k)) add_row(s, rel_row(s, r, a), through);
  }
  assert(is_transitive(s, r));
}

/* A pair more in a closed relation: who comes to `a` comes to `b`, and to what that comes to. */
static inline void close_pair(struct shape s, word *r, unsigned a, unsigned b) {
  if (s.w == 1) {
    word after = r[b] | (word)1 << b;
    r[a] |= after;
    for (unsigned x = 0; x < s.n; x++) r[x] |= after & -(r[x] >> a & 1);
    return;
  }
  word after[s.w];
  words_copy(s.w, after, rel_row_const(s, r, b));
  set_add(after, b);
  add_row(s, rel_row(s, r, a), after);
  for (unsigned x = 0; x < s.n; x++)
    if (rel_has(s, r, x, a)) add_row(s, rel_row(s, r, x), after);
}

WIDE void rel_close_more(struct shape s, word *r, const word *more) {
  assert(is_transitive(s, r));
  word added[s.w];
  work += rel_words(s) * s.n / 8; /* as if from the beginning: the measure is the same whoever knows a part */
  for (unsigned a = 0; a < s.n; a++) {
    words_minus(s.w, added, rel_row_const(s, more, a), rel_row_const(s, r, a));
    for (unsigned i = 0; i < s.w; i++)
      for (word bits = added[i]; bits; bits &= bits - 1) {
        unsigned b = i * 64 + (unsigned)__builtin_ctzll(bits);
        if (!rel_has(s, r, a, b)) close_pair(s, r, a, b);
      }
  }
  assert(is_transitive(s, r));
}

WIDE void rel_reflexive(struct shape s, word *r) {
  for (unsigned a = 0; s.w == 1 && a < s.n; a++) r[a] |= (word)1 << a;
  for (unsigned a = 0; s.w > 1 && a < s.n; a++) rel_add(s, r, a, a);
}

bool rel_irreflexive(struct shape s, const word *r) {
  if (s.w == 1) {
    word loops = 0;
    for (unsigned a = 0; a < s.n; a++) loops |= r[a] & (word)1 << a;
    return !loops;
  }
  for (unsigned a = 0; a < s.n; a++)
    if (rel_has(s, r, a, a)) return false;
  return true;
}

/* Peels off events without successors until none is left or nothing changes: the last ones first, since threads' events
 * come in their order. */
bool rel_acyclic(struct shape s, const word *r, word *scratch) {
  if (s.w == 1) {
    word alive = last_word(s);
    for (word before = ~alive; before != alive;) {
      before = alive;
      for (unsigned a = s.n; a-- > 0;)
        if (!(r[a] & alive)) alive &= ~((word)1 << a);
    }
    return !alive;
  }
  word *alive = scratch;
  set_fill(s, alive);
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned a = s.n; a-- > 0;)
      if (set_has(alive, a) && !words_meet(s.w, rel_row_const(s, r, a), alive)) {
        set_drop(alive, a);
        moved = true;
      }
  }
  return words_empty(s.w, alive);
}
