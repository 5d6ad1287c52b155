/* SPDX-License-Identifier: MIT */
/* The strength of forms; see operation_strength.h. */
#include "checker/litmus/operation_strength.h"

#include "checker/base/array.h"
#include "checker/base/tags.h"

enum {
  PART_ATOMIC = 1,
  PART_ACQUIRES = 2,
  PART_RELEASES = 4,
  PART_SC = 8,
  PARTS = 4,
  PART_THERE = 1 << 8,
  PART_BOTH = 1 << 9
};

static uint64_t parts_of(enum order order) {
  switch (order) {
    case ORDER_NA:
      return 0;
    case ORDER_RLX:
      return PART_ATOMIC;
    case ORDER_CON:
    case ORDER_ACQ:
      return PART_ATOMIC | PART_ACQUIRES;
    case ORDER_REL:
      return PART_ATOMIC | PART_RELEASES;
    case ORDER_ACQ_REL:
      return PART_ATOMIC | PART_ACQUIRES | PART_RELEASES;
    case ORDER_SC:
      return PART_ATOMIC | PART_ACQUIRES | PART_RELEASES | PART_SC;
  }
  return 0;
}

/* What says where an access goes, and not how strong it is. */
static tag_set kinds_of_access(void) {
  return tag_bit(TAG_WEAK) | tag_bit(TAG_GEN) | tag_bit(TAG_TEX) | tag_bit(TAG_SUR) | tag_bit(TAG_CON) |
         tag_bit(TAG_SC0) | tag_bit(TAG_SC1) | tag_bit(TAG_SC2) | tag_bit(TAG_SC3);
}

uint64_t strength_parts(enum order order, enum order failure) {
  return PART_THERE | parts_of(order) | parts_of(failure) << PARTS;
}

/* A fence of PTX that says no space is about all, and one that is not about initialisations alone orders more. */
static void count_what_is_ordered(const struct instr *instr, struct form_strength *strength) {
  if (instr->kind != INSTR_FENCE || !tags_have(instr->tags, TAG_GEN)) return;
  if (!strength->regions) strength->regions = REGION_GLOBAL | REGION_LOCAL;
  strength->tags ^= tag_bit(TAG_MBAR);
}

struct form_strength strength_of_instr(const struct instr *instr) {
  uint64_t both = instr->kind == INSTR_RMW || instr->kind == INSTR_CAS ? PART_BOTH : 0;
  struct form_strength strength = {
      .parts = both | strength_parts(instr->order, instr->kind == INSTR_CAS ? instr->failure : ORDER_NA),
      .tags = (instr->tags | instr->read_tags | instr->write_tags) & ~(instr_is_access(instr) ? kinds_of_access() : 0),
      .scope = instr->scope,
      .regions = instr->regions,
      .kind = strength_waits(instr) ? STRENGTH_WAITS : STRENGTH_PLAIN};
  count_what_is_ordered(instr, &strength);
  return strength;
}

tag_set strength_idle_tags(const struct program *program) {
  static const enum tag CLASSES[][2] = {
      {TAG_SC0, TAG_SEMSC0}, {TAG_SC1, TAG_SEMSC1}, {TAG_SC2, TAG_SEMSC2}, {TAG_SC3, TAG_SEMSC3}};
  tag_set accessed = 0, idle = 0;
  INSTR_EACH (instr, program) accessed |= instr->tags;
  for (size_t i = 0; i < ARRAY_COUNT(CLASSES); i++)
    if (!tags_have(accessed, CLASSES[i][0])) idle |= tag_bit(CLASSES[i][1]);
  return idle;
}

bool strength_within(const struct form_strength *a, const struct form_strength *b) {
  return a->kind == b->kind && !(a->parts & ~b->parts) && !(a->tags & ~b->tags) && a->scope <= b->scope &&
         !(a->regions & ~b->regions);
}

bool strength_equal(const struct form_strength *a, const struct form_strength *b) {
  return strength_within(a, b) && strength_within(b, a);
}

/* A remote operation makes others give up what they hold, which costs more than a wider scope. */
static unsigned weight_of(uint64_t parts, uint64_t tags, unsigned regions) {
  unsigned weight = tags_have(tags, TAG_REMOTE) ? 2 : 0;
  return weight + (unsigned)(__builtin_popcountll(parts) + __builtin_popcountll(tags) + __builtin_popcount(regions));
}

static unsigned reach_of(enum scope scope) {
  static const unsigned reaches[] = {[SCOPE_SG] = 1, [SCOPE_WG] = 2, [SCOPE_QF] = 3, [SCOPE_DEV] = 3, [SCOPE_SYS] = 4};
  return reaches[scope];
}

unsigned strength_weight(const struct form_strength *strength) {
  return reach_of(strength->scope) + weight_of(strength->parts, strength->tags, strength->regions);
}

unsigned strength_added(const struct form_strength *a, const struct form_strength *b) {
  unsigned was = reach_of(a->scope), is = reach_of(b->scope);
  return (is > was ? is - was : 0) + weight_of(b->parts & ~a->parts, b->tags & ~a->tags, b->regions & ~a->regions);
}

unsigned strength_differences(const struct form_strength *a, const struct form_strength *b) {
  return (unsigned)(a->parts != b->parts) + (a->tags != b->tags) + (a->scope != b->scope) + (a->regions != b->regions);
}
