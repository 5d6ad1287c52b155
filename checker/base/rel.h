/* SPDX-License-Identifier: MIT */
/* Sets and relations of events as bit matrices: the hot kernel.
 *
 * Over n events a set is w = ceil(n / 64) words and a relation n rows of w
 * words; bit b of row a says (a, b).  Nearly every test has w == 1, and every
 * operation has that fast path.  Callers own the storage; nothing allocates.
 * Bits at and above n are always zero.
 */
#ifndef LITSCOPE_BASE_REL_H
#define LITSCOPE_BASE_REL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word;

/* The shape of all sets and relations of one event structure. */
struct shape {
  unsigned n; /* events */
  unsigned w; /* words a row */
};

static inline struct shape shape_of(unsigned n) {
  struct shape s = {n, n ? (n + 63) / 64 : 1};
  return s;
}

static inline size_t set_words(struct shape s) {
  return s.w;
}
static inline size_t rel_words(struct shape s) {
  return (size_t)s.n * s.w;
}

static inline word *rel_row(struct shape s, word *r, unsigned a) {
  assert(a < s.n);
  return r + (size_t)a * s.w;
}
static inline const word *rel_row_const(struct shape s, const word *r, unsigned a) {
  assert(a < s.n);
  return r + (size_t)a * s.w;
}

static inline bool set_has(const word *set, unsigned a) {
  return set[a / 64] >> (a % 64) & 1;
}
static inline void set_add(word *set, unsigned a) {
  set[a / 64] |= (word)1 << (a % 64);
}
/* Adds the events from `from` to before `to`. */
static inline void set_add_range(word *set, unsigned from, unsigned to) {
  while (from < to) {
    unsigned end = from / 64 < to / 64 ? (from / 64 + 1) * 64 : to;
    set[from / 64] |= ~(word)0 >> (64 - (end - from)) << from % 64;
    from = end;
  }
}
static inline void set_drop(word *set, unsigned a) {
  set[a / 64] &= ~((word)1 << (a % 64));
}
static inline bool rel_has(struct shape s, const word *r, unsigned a, unsigned b) {
  assert(a < s.n && b < s.n);
  return set_has(r + (size_t)a * s.w, b);
}
static inline void rel_add(struct shape s, word *r, unsigned a, unsigned b) {
  assert(a < s.n && b < s.n);
  set_add(r + (size_t)a * s.w, b);
}
static inline void rel_drop(struct shape s, word *r, unsigned a, unsigned b) {
  assert(a < s.n && b < s.n);
  set_drop(r + (size_t)a * s.w, b);
}

/* The first event of a set of `words` words at or after `from`; 64 * words: none. */
static inline unsigned set_next(unsigned words, const word *set, unsigned from) {
  if (words == 1) {
    word bits = from < 64 ? *set & ~(word)0 << from : 0;
    return bits ? (unsigned)__builtin_ctzll(bits) : 64;
  }
  for (unsigned i = from / 64; i < words; i++) {
    word bits = i == from / 64 ? set[i] & ~(word)0 << (from % 64) : set[i];
    if (bits) return i * 64 + (unsigned)__builtin_ctzll(bits);
  }
  return words * 64;
}
static inline unsigned set_first(unsigned words, const word *set) {
  return set_next(words, set, 0);
}

/* for each event of a set, in ascending order.  The body may drop the event at hand and those after it. */
#define SET_EACH(event, words, set) \
  for (unsigned event = set_first(words, set); event < (words)*64; event = set_next(words, set, event + 1))

/* Exactly one event? */
static inline bool set_single(unsigned words, const word *set) {
  if (words == 1) return *set && !(*set & (*set - 1));
  unsigned first = set_first(words, set);
  return first < words * 64 && set_next(words, set, first + 1) == words * 64;
}

/* Of many words; words_or and the like are for any number. */
void many_words_or(size_t count, word *out, const word *a, const word *b);
void many_words_and(size_t count, word *out, const word *a, const word *b);
void many_words_minus(size_t count, word *out, const word *a, const word *b);
bool many_words_empty(size_t count, const word *a);
bool many_words_within(size_t count, const word *a, const word *b);
bool many_words_meet(size_t count, const word *a, const word *b);

/* Word-wise operations serve sets (count = w, which is 1 nearly always) and relations (count = n * w). */
static inline void words_copy(size_t count, word *out, const word *a) {
  if (count == 1)
    *out = *a;
  else
    memcpy(out, a, count * sizeof *out);
}
static inline void words_clear(size_t count, word *out) {
  if (count == 1)
    *out = 0;
  else
    memset(out, 0, count * sizeof *out);
}
static inline void words_or(size_t count, word *out, const word *a, const word *b) {
  if (count == 1)
    *out = *a | *b;
  else
    many_words_or(count, out, a, b);
}
static inline void words_and(size_t count, word *out, const word *a, const word *b) {
  if (count == 1)
    *out = *a & *b;
  else
    many_words_and(count, out, a, b);
}
static inline void words_minus(size_t count, word *out, const word *a, const word *b) {
  if (count == 1)
    *out = *a & ~*b;
  else
    many_words_minus(count, out, a, b);
}
bool words_equal(size_t count, const word *a, const word *b);
static inline bool words_empty(size_t count, const word *a) {
  return count == 1 ? !*a : many_words_empty(count, a);
}
/* a is a subset of b. */
static inline bool words_within(size_t count, const word *a, const word *b) {
  return count == 1 ? !(*a & ~*b) : many_words_within(count, a, b);
}
/* a and b intersect. */
static inline bool words_meet(size_t count, const word *a, const word *b) {
  return count == 1 ? (*a & *b) != 0 : many_words_meet(count, a, b);
}
size_t words_popcount(size_t count, const word *a);

void set_fill(struct shape s, word *out); /* all events */
void set_complement(struct shape s, word *out, const word *a);
void rel_fill(struct shape s, word *out); /* the universal relation */
void rel_complement(struct shape s, word *out, const word *a);
void rel_identity(struct shape s, word *out);
void rel_on_set(struct shape s, word *out, const word *set); /* [set] */
void rel_cross(struct shape s, word *out, const word *from, const word *to);
void rel_domain(struct shape s, word *out, const word *r); /* out: set */
void rel_range(struct shape s, word *out, const word *r);  /* out: set */

/* About how many words this thread's operations on relations have gone through: a measure of work that is the same on
 * every machine. */
uint64_t rel_work(void);
/* Counts work whose result was at hand, so that the measure is the same whatever was kept. */
void rel_work_add(uint64_t words);

/* out may not alias the operands of the next two. */
void rel_inverse(struct shape s, word *out, const word *a);
void rel_compose(struct shape s, word *out, const word *a, const word *b);

/* out := a ; inverse(b), of that some columns, and out := inverse(a) ; b, of that some rows (NULL: all), without making
 * the inverse; out may not alias them. */
void rel_compose_with_inverse(struct shape s, word *out, const word *a, const word *b, const word *columns);
void rel_compose_inverse(struct shape s, word *out, const word *a, const word *b, const word *rows);

/* Adds r ; [set] to `out`. */
void rel_add_columns(struct shape s, word *out, const word *r, const word *set);

/* Adds to `out` the events to which r leads from some of a set, and those from which it does to some. */
void rel_image(struct shape s, word *out, const word *set, const word *r);
void rel_preimage(struct shape s, word *out, const word *r, const word *set);

/* domain(a \ b) and range(a \ b). */
void rel_new_ends(struct shape s, word *from, word *to, const word *a, const word *b);

/* [set] ; r and r ; [set]. */
void rel_keep_rows(struct shape s, word *out, const word *set, const word *r);
void rel_keep_columns(struct shape s, word *out, const word *r, const word *set);

/* Transitive closure in place (Warshall, a row at a time). */
void rel_close(struct shape s, word *r);
/* The same of r | more, where r is closed. */
void rel_close_more(struct shape s, word *r, const word *more);
/* Adds the identity in place. */
void rel_reflexive(struct shape s, word *r);

/* The invariant, for assertions: nothing stands at and above n. */
bool rel_check(struct shape s, const word *r);

bool rel_irreflexive(struct shape s, const word *r);
/* No cycle.  `scratch` holds w words. */
bool rel_acyclic(struct shape s, const word *r, word *scratch);

#endif
