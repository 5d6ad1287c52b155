/* SPDX-License-Identifier: MIT */
/* Targets from their description: one table a target, filled from XML that the
 * schema has checked. */
#include "hwsem/amd/target.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/xml.h"

static const char *const BITS[] = {
#define AMD_BIT_TEXT(id, text) text,
    AMD_BIT_LIST(AMD_BIT_TEXT)
#undef AMD_BIT_TEXT
};

unsigned amd_bit(const char *text, size_t length) {
  for (unsigned i = 0; i < AMD_BITS; i++)
    if (text_part_is(text, length, BITS[i])) return 1u << i;
  return 0;
}

const char *amd_bit_field(unsigned number) {
  return number >= AMD_BIT_TH_RETURN ? "th:" : number >= AMD_BIT_SCOPE_SE ? "scope:" : "";
}

const char *amd_bit_name(unsigned number) {
  return BITS[number];
}

struct reading {
  struct arena *arena;
  struct amd_target *target;
  VEC(struct amd_rule) rules[AMD_RULES];
  VEC(struct amd_mode) modes;
  VEC(struct amd_compiler) compilers;
};

/* A list of words as a set: bit i for the i-th of `names`. */
static unsigned read_set(const char *text, const char *const *names) {
  unsigned set = 0;
  for (unsigned i = 0; names[i]; i++) {
    const char *found = text ? strstr(text, names[i]) : NULL;
    if (found) set |= 1u << i;
  }
  return set;
}

static unsigned read_caches(const char *text) {
  static const char *const NAMES[] = {"L0", "GL1", "L2", NULL};
  return read_set(text, NAMES);
}

static bool has(const struct xml_node *node, const char *name, const char *value) {
  const char *text = xml_value(node, name);
  return text && !strcmp(text, value);
}

/* An L0 of a whole WGP is to the machine what one of several L2s is (machine.c). */
static void read_rule(struct reading *r, const struct xml_node *node, enum amd_rules kind, const char *caches) {
  const char *bits = xml_value(node, "bits");
  unsigned set = read_caches(xml_value(node, caches));
  *vec_push(r->arena, &r->rules[kind]) = (struct amd_rule){
      .instruction = xml_value(node, "instruction"),
      .bits = bits ? amd_bit(bits, strlen(bits)) : 0,
      .mode = xml_value(node, "mode"),
      .caches = r->target->group_l0 && set & AMD_L0 ? AMD_L2 : set,
      .counted = has(node, "counted", "loads"),
  };
}

static void read_cache(struct reading *r, const struct xml_node *node) {
  if (has(node, "name", "GL1")) r->target->gl1 = true;
  if (has(node, "shared-by", "several")) r->target->several_l2s = true;
  if (has(node, "shared-by", "wgp")) r->target->group_l0 = true;
}

static void read_counter(struct reading *r, const struct xml_node *node) {
  static const char *const NAMES[] = {"loads", "stores", "local", "scalar", NULL};
  const char *most = xml_value(node, "most"), *name = xml_value(node, "name");
  struct amd_counter counter = {name, read_set(xml_value(node, "counts"), NAMES),
                                most ? (unsigned)strtoul(most, NULL, 10) : UINT16_MAX};
  struct amd_target *target = r->target;
  struct amd_counter *at = counter.classes ? target->counters : &target->uncounted;
  while (counter.classes && at < target->counters + target->counter_count && strcmp(at->name, name) != 0) at++;
  if (at == target->counters + AMD_CLASSES) return;
  if (at == target->counters + target->counter_count) target->counter_count++;
  *at = counter;
}

static void read_child(struct reading *r, const struct xml_node *node) {
  if (xml_is(node, "counter"))
    read_counter(r, node);
  else if (xml_is(node, "cache"))
    read_cache(r, node);
  else if (xml_is(node, "load"))
    read_rule(r, node, AMD_LOAD, "passes");
  else if (xml_is(node, "store"))
    read_rule(r, node, AMD_STORE, "through");
  else if (xml_is(node, "invalidate"))
    read_rule(r, node, AMD_INVALIDATE, "caches");
  else if (xml_is(node, "write-back"))
    read_rule(r, node, AMD_WRITE_BACK, "caches");
  else if (xml_is(node, "return"))
    r->target->return_bits = amd_bit(xml_value(node, "bits"), strlen(xml_value(node, "bits")));
  else if (xml_is(node, "mode"))
    *vec_push(r->arena, &r->modes) = (struct amd_mode){xml_value(node, "name"), xml_value(node, "feature"),
                                                       has(node, "waves", "any"), has(node, "local", "yes")};
  else
    *vec_push(r->arena, &r->compilers) =
        (struct amd_compiler){(unsigned)atoi(xml_value(node, "since")), xml_value(node, "processor")};
}

static const struct amd_target *named(const struct amd_target *all, size_t count, const char *name) {
  return FIND_ROW(all, count, name, name);
}

/* `gfx90a`: by its number. */
static enum amd_gpu gpu_of(const char *name) {
  static const unsigned short FIRST[] = {0x600, 0x700,  0x800,  0x900,  0x906,  0x908,  0x90a, 0x940,
                                         0x950, 0x1000, 0x1030, 0x1100, 0x1150, 0x1200, 0x1250};
  unsigned long number = strtoul(name + strlen("gfx"), NULL, 16);
  unsigned k = ARRAY_COUNT(FIRST) - 1;
  while (k && number < FIRST[k]) k--;
  return (enum amd_gpu)(1u << k);
}

/* `all`: the targets before it. */
static bool read_target(struct arena *arena, const struct xml_node *node, const struct amd_target *all, size_t count,
                        struct amd_target *target) {
  struct reading r = {.arena = arena, .target = target};
  const char *like = xml_value(node, "like");
  const struct amd_target *other = like ? named(all, count, like) : NULL;
  if (like && !other) return false;
  if (other) *target = *other;
  target->name = target->full = xml_value(node, "name");
  target->gpu = gpu_of(target->name);
  target->scalar_words = has(node, "scalar-offsets", "words");
  target->signed_offsets = has(node, "vector-offsets", "signed");
  for (const struct xml_node *child = xml_first(node); child; child = xml_next(child)) read_child(&r, child);
  target->compilers = r.compilers.at;
  target->compiler_count = (unsigned)r.compilers.count;
  for (unsigned kind = 0; kind < AMD_RULES; kind++) {
    if (other && !r.rules[kind].count) continue; /* the other's */
    target->rules[kind] = r.rules[kind].at;
    target->rule_count[kind] = (unsigned)r.rules[kind].count;
  }
  if (other) return true;
  target->modes = target->mode = r.modes.at;
  target->mode_count = (unsigned)r.modes.count;
  return true;
}

const struct amd_target *amd_targets_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                          unsigned *count, struct diags *diags) {
  struct xml_file file;
  VEC(struct amd_target) all = {0};
  *count = 0;
  if (!xml_open(arena, name, (struct xml_kind){"amdgpu.rng", "machine"}, search, &file, diags)) return NULL;
  for (const struct xml_node *node = xml_first(file.root); node; node = xml_next(node))
    if (xml_is(node, "target")) {
      struct amd_target target = {0};
      if (!read_target(arena, node, all.at, all.count, &target)) {
        diag_error(diags, file.source, xml_span(&file, node),
                   "this target is like '%s', but no target before it has that name", xml_value(node, "like"));
        return NULL;
      }
      *vec_push(arena, &all) = target;
    }
  *count = (unsigned)all.count;
  return all.at;
}

static const char *all_names(struct arena *arena, const struct amd_target *targets, unsigned count) {
  const char *text = "";
  for (unsigned i = 0; i < count; i++)
    for (unsigned m = 0; m < targets[i].mode_count; m++)
      text = arena_printf(arena, "%s%s%s%s%s", text, *text ? ", " : "", targets[i].name, m ? ":" : "",
                          m ? targets[i].modes[m].name : "");
  return text;
}

const struct amd_target *amd_target_find(struct arena *arena, const struct amd_target *targets, unsigned count,
                                         const char *word, struct diags *diags) {
  size_t length = strcspn(word, ":");
  const char *mode = word[length] ? word + length + 1 : NULL;
  ARRAY_EACH (const struct amd_target, target, targets, count) {
    if (strlen(target->name) != length || memcmp(target->name, word, length) != 0) continue;
    for (unsigned m = 0; m < target->mode_count; m++) {
      if (mode && strcmp(target->modes[m].name, mode) != 0) continue;
      struct amd_target *found = ARENA_COPY(arena, struct amd_target, target, 1);
      found->mode = &target->modes[m];
      if (m) found->full = arena_printf(arena, "%s:%s", target->name, found->mode->name);
      return found;
    }
    diag_fail(diags, "target %s has no mode '%s'; there are %s", target->name, mode, all_names(arena, target, 1));
    return NULL;
  }
  diag_fail(diags, "unknown target '%s'; AMD's are %s (`litscope list targets` lists all)", word,
            all_names(arena, targets, count));
  return NULL;
}

const struct amd_rule *amd_target_rule(const struct amd_target *target, enum amd_rules kind, const char *instruction,
                                       unsigned bits) {
  ARRAY_EACH (const struct amd_rule, rule, target->rules[kind], target->rule_count[kind]) {
    if (instruction && strcmp(rule->instruction, instruction) != 0) continue;
    if (rule->mode && strcmp(rule->mode, target->mode->name) != 0) continue;
    if ((bits & rule->bits) == rule->bits) return rule;
  }
  return NULL;
}

bool amd_target_names(const struct amd_target *target, enum amd_rules kind, const char *instruction) {
  return ROW_INDEX(target->rules[kind], target->rule_count[kind], instruction, instruction) >= 0;
}

const struct amd_counter *amd_target_counter(const struct amd_target *target, const char *name) {
  const struct amd_counter *other = &target->uncounted;
  if (other->name && !strcmp(other->name, name)) return other;
  return FIND_ROW(target->counters, target->counter_count, name, name);
}

unsigned amd_target_bits(const struct amd_target *target) {
  unsigned bits = target->return_bits;
  for (unsigned kind = 0; kind < AMD_RULES; kind++)
    for (unsigned i = 0; i < target->rule_count[kind]; i++) bits |= target->rules[kind][i].bits;
  return bits;
}

const char *amd_target_processor(const struct amd_target *target, unsigned version) {
  for (unsigned i = 0; i < target->compiler_count; i++)
    if (version >= target->compilers[i].since) return target->compilers[i].processor;
  return NULL;
}
