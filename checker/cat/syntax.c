/* SPDX-License-Identifier: MIT */
/* Interned names, and fingerprints of trees. */
#include "checker/cat/syntax.h"

#include <string.h>

#include "checker/base/text.h"

struct symbols symbols_new(struct arena *arena) {
  enum { BUCKETS = 512 };
  return (struct symbols){arena, NULL, ARENA_ARRAY(arena, struct symbol *, BUCKETS), BUCKETS, 0, {0}};
}

struct symbols symbols_above(struct arena *arena, const struct symbols *below) {
  enum { BUCKETS = 16 };
  return (struct symbols){arena, below, ARENA_ARRAY(arena, struct symbol *, BUCKETS), BUCKETS, 0, {0}};
}

static void grow(struct symbols *symbols) {
  uint32_t count = symbols->bucket_count * 2;
  struct symbol **buckets = ARENA_ARRAY(symbols->arena, struct symbol *, count);
  for (uint32_t i = 0; i < symbols->bucket_count; i++) {
    for (struct symbol *s = symbols->buckets[i], *next; s; s = next) {
      next = s->next;
      s->next = buckets[s->hash & (count - 1)];
      buckets[s->hash & (count - 1)] = s;
    }
  }
  symbols->buckets = buckets;
  symbols->bucket_count = count;
}

static struct symbol *find(const struct symbols *symbols, const char *text, size_t length, uint32_t hash) {
  for (; symbols; symbols = symbols->below)
    for (struct symbol *s = symbols->buckets[hash & (symbols->bucket_count - 1)]; s; s = s->next)
      if (s->hash == hash && !strncmp(s->text, text, length) && !s->text[length]) return s;
  return NULL;
}

struct symbol *symbols_intern(struct symbols *symbols, const char *text, size_t length) {
  uint32_t hash = text_hash_part(TEXT_HASH, text, length);
  struct symbol *known = find(symbols, text, length, hash);
  if (known) return known;
  struct symbol **bucket = &symbols->buckets[hash & (symbols->bucket_count - 1)];
  struct symbol *symbol =
      ARENA_MAKE(symbols->arena, struct symbol, arena_strndup(symbols->arena, text, length), NULL, *bucket, hash);
  *bucket = symbol;
  if (++symbols->count > symbols->bucket_count) grow(symbols);
  return symbol;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 1099511628211u;
}

static uint64_t mix_pattern(uint64_t hash, const struct pattern *pattern) {
  hash = mix(hash, pattern->count);
  for (unsigned i = 0; i < pattern->count; i++) hash = mix(hash, pattern->names[i] ? pattern->names[i]->hash : 0);
  return hash;
}

/* The functions that are looked for are far from this deep. */
enum { DEPTH_LIMIT = 100 };

static uint64_t mix_exp(uint64_t hash, const struct exp *exp, unsigned depth) {
  if (!exp || depth > DEPTH_LIMIT) return mix(hash, 1);
  depth++;
  hash = mix(hash, (uint64_t)exp->kind + 2);
  if (exp->kind == EXP_NAME || exp->kind == EXP_TAG) hash = mix(hash, exp->symbol->hash);
  hash = mix_pattern(hash, &exp->pattern);
  hash = mix_exp(mix_exp(mix_exp(hash, exp->a, depth), exp->b, depth), exp->c, depth);
  for (unsigned i = 0; i < exp->item_count; i++) hash = mix_exp(hash, exp->items[i], depth);
  for (unsigned i = 0; i < exp->binding_count; i++)
    hash = mix_exp(mix_pattern(hash, &exp->bindings[i].pattern), exp->bindings[i].body, depth);
  for (unsigned i = 0; i < exp->clause_count; i++)
    hash = mix_exp(mix(hash, exp->clauses[i].tag ? exp->clauses[i].tag->hash : 0), exp->clauses[i].body, depth);
  return hash;
}

uint64_t exp_fingerprint(const struct exp *exp) {
  return mix_exp(14695981039346656037u, exp, 0);
}
