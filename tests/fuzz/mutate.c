/* SPDX-License-Identifier: MIT */
/* Changes of real inputs for libFuzzer, which by itself changes bytes: words and lines are left out, said twice, put in
 * each other's place and taken from another input, numbers become huge, and brackets are nested deeply.  Every other
 * change is libFuzzer's own, which knows the dictionaries. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static const char *const NUMBERS[] = {"0",
                                      "1",
                                      "-1",
                                      "007",
                                      "64",
                                      "255",
                                      "65536",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483649",
                                      "4294967296",
                                      "1e308",
                                      "1.5",
                                      "0x1p-1074",
                                      "9223372036854775807",
                                      "nan",
                                      "-9223372036854775808",
                                      "18446744073709551616",
                                      "0xffffffffffffffffffff",
                                      "1000000000000000000000000000000"};
static const char BRACKETS[] = "()[]{}<>~\"!-";

struct text {
  uint8_t *at;
  size_t size, max;
};

struct range {
  size_t from, to;
};

static unsigned below(unsigned *seed, size_t bound) {
  return bound ? (unsigned)((size_t)rand_r(seed) % bound) : 0;
}

static bool is_word(uint8_t c) {
  return isalnum(c) || c == '_' || c == '.' || c == '%';
}

/* The word, the blanks or the sign at a place. */
static struct range token_at(const uint8_t *at, size_t size, size_t place) {
  struct range r = {place, place + 1};
  bool word = is_word(at[place]), blank = isspace(at[place]);
  while ((word || blank) && r.from && (word ? is_word(at[r.from - 1]) : isspace(at[r.from - 1]))) r.from--;
  while ((word || blank) && r.to < size && (word ? is_word(at[r.to]) : isspace(at[r.to]))) r.to++;
  return r;
}

static struct range line_at(const uint8_t *at, size_t size, size_t place) {
  struct range r = {place, place};
  while (r.from && at[r.from - 1] != '\n') r.from--;
  while (r.to < size && at[r.to] != '\n') r.to++;
  r.to += r.to < size;
  return r;
}

/* A few tokens or lines in a row, or none where there is nothing. */
static struct range some(unsigned *seed, const uint8_t *at, size_t size) {
  struct range (*part)(const uint8_t *, size_t, size_t) = below(seed, 3) ? token_at : line_at;
  if (!size) return (struct range){0, 0};
  struct range r = part(at, size, below(seed, size));
  for (unsigned more = below(seed, 4); more && r.to < size; more--) r.to = part(at, size, r.to).to;
  return r;
}

/* Puts bytes in the place of a range, unless there is no room for them. */
static void put(struct text *t, struct range r, const void *bytes, size_t count) {
  if (t->size - (r.to - r.from) + count > t->max) return;
  memmove(t->at + r.from + count, t->at + r.to, t->size - r.to);
  memcpy(t->at + r.from, bytes, count);
  t->size += count - (r.to - r.from);
}

/* Puts part of another text in the place of a range. */
static void take(unsigned *seed, struct text *t, struct range r, const uint8_t *other, size_t size) {
  struct range taken = some(seed, other, size);
  put(t, r, other + taken.from, taken.to - taken.from);
}

static void nest(unsigned *seed, struct text *t, struct range r) {
  uint8_t signs[4096];
  unsigned kind = below(seed, sizeof BRACKETS / 2) * 2;
  size_t depth = (size_t)1 << below(seed, 13);
  memset(signs, BRACKETS[kind + 1], depth);
  put(t, (struct range){r.to, r.to}, signs, depth);
  memset(signs, BRACKETS[kind], depth);
  put(t, (struct range){r.from, r.from}, signs, depth);
}

static void lengthen(unsigned *seed, struct text *t, struct range r) {
  for (unsigned twice = below(seed, 12); twice && r.to <= t->size; twice--) {
    size_t length = r.to - r.from;
    uint8_t *copy = malloc(length + 1);
    if (!copy) return;
    memcpy(copy, t->at + r.from, length);
    put(t, (struct range){r.to, r.to}, copy, length);
    r.to += length;
    free(copy);
  }
}

static void change(unsigned *seed, struct text *t, const uint8_t *before, size_t size) {
  struct range r = some(seed, t->at, t->size), here = {r.from, r.from};
  const char *number = NUMBERS[below(seed, ARRAY_COUNT(NUMBERS))];
  switch (below(seed, 6)) {
    case 0:
      put(t, r, "", 0);
      break;
    case 1:
      put(t, t->size ? token_at(t->at, t->size, r.from < t->size ? r.from : 0) : r, number, strlen(number));
      break;
    case 2:
      nest(seed, t, r);
      break;
    case 3:
      lengthen(seed, t, r);
      break;
    case 4:
      take(seed, t, here, before, size);
      break;
    default:
      take(seed, t, r, before, size);
  }
}

/* Fills *t with some changes of a text, by parts of itself or of another. */
static void change_some(unsigned seed, struct text *t, const uint8_t *other, size_t size) {
  for (unsigned more = 1 + below(&seed, 4); more; more--) change(&seed, t, other, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  if (seed % 2 || !size) return LLVMFuzzerMutate(data, size, max_size);
  uint8_t *before = malloc(size);
  if (!before) return size;
  memcpy(before, data, size);
  struct text t = {data, size, max_size};
  change_some(seed, &t, before, size);
  free(before);
  return t.size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed) {
  struct text t = {out, size < max_size ? size : max_size, max_size};
  memcpy(out, data, t.size);
  change_some(seed, &t, other, other_size);
  return t.size;
}
