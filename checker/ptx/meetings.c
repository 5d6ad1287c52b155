/* SPDX-License-Identifier: MIT */
/* Where threads meet: barriers of a block and of a warp, and what the threads of a warp do together (PTX ISA, "bar",
 * "bar.warp.sync", "shfl.sync", "vote.sync", "match.sync", "redux.sync").
 *
 * The k-th time that a thread comes to what has the same qualifiers and mask it meets the others of the mask at their
 * k-th time: so these have names.  What a thread gives and takes is, in the column, stored and loaded at one place, of
 * which others know what it means (ptx_module_gatherings.h). */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/ptx/reading.h"

/* Does the statement assign the register, as its first operand or among its first? */
static bool assigns(const char *text, const char *reg) {
  const char *at = text + (*text == '@' ? strcspn(text, " ") + 1 : 0), *end = at + strcspn(at, ",;");
  size_t length = strlen(reg);
  at += strcspn(at, " ");
  if (strchr(at, '{') == at + strspn(at, " ")) end = at + strcspn(at, "};");
  for (const char *name = at; (name = strstr(name, reg)) && name < end; name += length)
    if (strchr(" {,|", name[-1]) && strchr(" },|;", name[length])) return true;
  return false;
}

/* Compilers give numbers to registers, once: `mov.u32 %r7, -1;`. */
static bool find_constant(const struct ptx_reading *r, const char *reg, int64_t *number) {
  unsigned count = 0;
  for (size_t i = 0; i < r->kernel->statement_count; i++) {
    const char *text = r->kernel->statements[i].text;
    if (!assigns(text, reg)) continue;
    const char *comma = strchr(text, ',');
    char *digits = arena_strdup(r->arena, comma ? comma + 1 + strspn(comma + 1, " ") : "");
    digits[strcspn(digits, "; ")] = '\0';
    if (count++ || !text_begins(text, "mov.") || !ptx_number(digits, number)) return false;
  }
  return count == 1;
}

static bool find_number(struct ptx_reading *r, const char *operand, int64_t *number) {
  struct ptx_known known;
  if (!nvptx_known_value(r, operand, &known)) return *operand == '%' && find_constant(r, operand, number);
  *number = known.offset;
  return known.kind == KNOWN_NUMBER && !known.index;
}

static const char WHICH[] = "which barrier this is, and of whom, only a run knows";

/* The number that an operand is; a fault where only a run knows it. */
static int64_t number_known(struct ptx_reading *r, const char *operand, const char *unknown) {
  int64_t number = 0;
  if (!find_number(r, operand, &number)) nvptx_fail(r, unknown);
  return number;
}

/* The k-th time that a thread comes to what has this name, it meets others at their k-th time, so many in all. */
static void meet_in_turn(struct ptx_reading *r, const struct ptx_meeting *meeting, int64_t threads) {
  struct ptx_meetings *all = r->kernel->meetings;
  const char *name = meeting->name, *reached = nvptx_register(r, arena_printf(r->arena, "times at %s", name));
  struct ptx_meeting *known = NULL;
  for (size_t i = 0; all && i < all->all.count && !known; i++)
    if (!strcmp(all->all.at[i].name, name)) known = &all->all.at[i];
  if (known) {
    known->counted |= meeting->counted;
    known->aligned |= meeting->aligned;
  } else if (all) {
    *vec_push(r->arena, &all->all) = *meeting;
  }
  CELL(r, "bar.cta.sync %s, %s, %" PRId64, name, reached, threads);
  CELL(r, "add %s, %s, 1", reached, reached);
}

/* ---- barriers ---- */

/* Of what some threads of a warp do, by a mask: those that there are; false: it goes no further.  What a thread does
 * that is not among them is undefined. */
static bool members_of_warp(struct ptx_reading *r, const char *operand, uint32_t *members) {
  const struct ptx_kernel *k = r->kernel;
  uint64_t mask = (uint64_t)number_known(r, operand, WHICH) & (((uint64_t)1 << (k->warp_size & 63)) - 1);
  if (k->warp_size < 1 || k->warp_size > 32) nvptx_fail(r, "the threads of a warp meet, which has 1 to 32 of them");
  *members = (uint32_t)mask;
  bool is_member = mask >> (k->lane & 63) & 1;
  if (!r->failed && !is_member) nvptx_undefined(r);
  return !r->failed && is_member;
}

/* `bar.warp.sync 0xffffffff`: those of the warp that the mask has. */
static void meet_in_warp(struct ptx_reading *r) {
  uint32_t members;
  if (!nvptx_operands_are(r, 1) || !members_of_warp(r, r->operands[0], &members)) return;
  unsigned warp = r->kernel->warp;
  struct ptx_meeting meeting = {.of_warp = true, .warp = warp, .mask = members};
  meeting.name = arena_printf(r->arena, "warp%u_%x", warp, members);
  meet_in_turn(r, &meeting, __builtin_popcount(members));
}

/* `bar.sync 1, 64`: of a block, or of so many of its threads, in whole warps. */
static void meet_in_block(struct ptx_reading *r) {
  const struct ptx_kernel *k = r->kernel;
  bool counted = r->operand_count > 1;
  int64_t number = number_known(r, r->operands[0], WHICH);
  int64_t count = counted ? number_known(r, r->operands[1], WHICH) : k->block;
  if (number < 0 || number > 15)
    nvptx_fail(r, "the barriers of a block have numbers from 0 to 15");
  else if (count > k->block)
    nvptx_fail(
        r, arena_printf(r->arena, "this barrier waits for %" PRId64 " threads, and the block has %u", count, k->block));
  else if (count <= 0 || (k->warp_size && count % k->warp_size))
    nvptx_fail(r, arena_printf(r->arena, "a barrier waits for whole warps, of %u threads each, and not for %" PRId64,
                               k->warp_size, count));
  struct ptx_meeting meeting = {.counted = counted};
  meeting.aligned = !strcmp(r->words[0], "bar") || nvptx_has(r, "aligned");
  meeting.name = arena_printf(r->arena, "%" PRId64, number);
  meet_in_turn(r, &meeting, count);
}

void nvptx_read_barrier(struct ptx_reading *r) {
  bool sync = nvptx_has(r, "sync") && !nvptx_has(r, "cluster");
  if (sync && nvptx_has(r, "warp"))
    meet_in_warp(r);
  else if (!sync || nvptx_has(r, "red") || r->operand_count < 1 || r->operand_count > (r->kernel->block ? 2 : 1))
    nvptx_fail(r, "this barrier is not known here");
  else if (!r->kernel->block)
    CELL(r, "bar.cta.sync %u", r->barriers++);
  else
    meet_in_block(r);
}

/* ---- what the threads of a warp do together ---- */

static const struct {
  const char *words; /* of the opcode, without its type */
  const char *type;
  enum ptx_gathering gathers;
} GATHERINGS[] = {
    {"shfl.sync.up", "b32", PTX_SOURCE},         {"shfl.sync.down", "b32", PTX_SOURCE},
    {"shfl.sync.bfly", "b32", PTX_SOURCE},       {"shfl.sync.idx", "b32", PTX_SOURCE},
    {"vote.sync.all", "pred", PTX_ALL},          {"vote.sync.any", "pred", PTX_ANY},
    {"vote.sync.uni", "pred", PTX_UNIFORM},      {"vote.sync.ballot", "b32", PTX_BALLOT},
    {"match.any.sync", "b32", PTX_MATCH_ANY},    {"match.any.sync", "b64", PTX_MATCH_ANY},
    {"match.all.sync", "b32", PTX_MATCH_ALL},    {"match.all.sync", "b64", PTX_MATCH_ALL},
    {"redux.sync.add", "u32", PTX_ADD},          {"redux.sync.add", "s32", PTX_ADD},
    {"redux.sync.and", "b32", PTX_AND},          {"redux.sync.or", "b32", PTX_OR},
    {"redux.sync.xor", "b32", PTX_XOR},          {"redux.sync.min", "s32", PTX_MIN},
    {"redux.sync.max", "s32", PTX_MAX},          {"redux.sync.min", "u32", PTX_MIN_UNSIGNED},
    {"redux.sync.max", "u32", PTX_MAX_UNSIGNED},
};

/* Of an opcode; PTX_NOTHING: a fault was told.  `name`: its words, as part of a name. */
static enum ptx_gathering gathering_of(struct ptx_reading *r, const char **name) {
  const char *words = r->words[0];
  *name = words;
  for (unsigned i = 1; i + 1 < r->word_count; i++) words = arena_printf(r->arena, "%s.%s", words, r->words[i]);
  for (unsigned i = 1; i < r->word_count; i++) *name = arena_printf(r->arena, "%s_%s", *name, r->words[i]);
  for (size_t i = 0; i < ARRAY_COUNT(GATHERINGS); i++)
    if (!strcmp(GATHERINGS[i].words, words) && !strcmp(GATHERINGS[i].type, nvptx_type(r))) return GATHERINGS[i].gathers;
  nvptx_fail(r, nvptx_has(r, "sync") ? "what the threads of a warp do together here is not known"
                                     : "without .sync, PTX does not say which threads of a warp take part");
  return PTX_NOTHING;
}

/* A register of the test with a predicate of the text, or with what it is not: `!%p1`. */
static const char *predicate(struct ptx_reading *r, const char *operand) {
  bool negated = *operand == '!';
  const char *value = nvptx_value(r, operand + negated);
  if (!negated) return value;
  const char *opposite = nvptx_new_register(r);
  CELL(r, "set.eq %s, %s, 0", opposite, value);
  return opposite;
}

/* What one of them gives, and who it takes from. */
static void gather(struct ptx_reading *r, const char *name, enum ptx_gathering gathers, const char *mask,
                   const char *gives, const char *source) {
  uint32_t members;
  bool meets = members_of_warp(r, mask, &members), takes = strcmp(r->operands[0], "_") != 0;
  if (!meets && takes && !r->failed) CELL(r, "ld %s, 0", nvptx_register(r, r->operands[0]));
  if (!meets) return;
  bool wide = strstr(nvptx_type(r), "64") != NULL;
  const char *given = wide ? gives : nvptx_new_register(r); /* 4294967295 is -1 here */
  if (!wide) CELL(r, "mov.s32 %s, %s", given, gives);
  unsigned warp = r->kernel->warp;
  const char *place = r->kernel->gathered;
  struct ptx_meeting meeting = {.of_warp = true, .warp = warp, .mask = members, .gathers = gathers};
  meeting.wide = wide;
  meeting.name = arena_printf(r->arena, "%s_warp%u_%x", name, warp, members);
  CELL(r, "st.weak.s64 %s[0], %s", place, given);
  if (source) CELL(r, "st.weak.s64 %s[1], %s", place, source);
  meet_in_turn(r, &meeting, __builtin_popcount(members));
  if (takes) CELL(r, "ld.weak.s64 %s, %s[0]", nvptx_register(r, r->operands[0]), place);
}

/* The lane that a shuffle takes from, where only a run knows the offset; whether it is in range is put in `in_range`.
 */
static const char *lane_computed(struct ptx_reading *r, const char *by, int64_t last, int64_t segment,
                                 const char *in_range) {
  const char *bits = nvptx_new_register(r), *lane = nvptx_new_register(r), *mode = r->words[2];
  unsigned own = r->kernel->lane;
  CELL(r, "and %s, %s, 31", bits, nvptx_value(r, by));
  if (!strcmp(mode, "up"))
    CELL(r, "sub %s, %u, %s", lane, own, bits);
  else if (!strcmp(mode, "down"))
    CELL(r, "add %s, %u, %s", lane, own, bits);
  else if (!strcmp(mode, "bfly"))
    CELL(r, "xor %s, %u, %s", lane, own, bits);
  else {
    CELL(r, "and %s, %s, %" PRId64, lane, bits, ~segment & 31);
    CELL(r, "or %s, %s, %" PRId64, lane, lane, own & segment);
  }
  CELL(r, "set.%s %s, %s, %" PRId64, !strcmp(mode, "up") ? "ge" : "le", in_range, lane, last);
  const char *taken = nvptx_new_register(r);
  CELL(r, "selp.s32 %s, %s, %u, %s", taken, lane, own, in_range);
  return taken;
}

static int64_t lane_known(const struct ptx_reading *r, int64_t by, int64_t segment) {
  const char *mode = r->words[2];
  int64_t own = r->kernel->lane;
  return !strcmp(mode, "up")     ? own - (by & 31)
         : !strcmp(mode, "down") ? own + (by & 31)
         : !strcmp(mode, "bfly") ? (own ^ (by & 31))
                                 : ((own & segment) | (by & 31 & ~segment));
}

/* `shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1` */
static void read_shuffle(struct ptx_reading *r, const char *name) {
  int64_t offset, own = r->kernel->lane;
  int64_t clamp = number_known(r, r->operands[3], "how far this shuffle goes, which its clamp says, only a run knows");
  int64_t segment = clamp >> 8 & 31, last = (own & segment) | (clamp & 31 & ~segment);
  const char *gives = nvptx_value(r, r->operands[1]), *by = r->operands[2];
  if (!find_number(r, by, &offset)) {
    const char *in_range = r->predicate ? nvptx_register(r, r->predicate) : nvptx_new_register(r);
    gather(r, name, PTX_SOURCE, r->operands[4], gives, lane_computed(r, by, last, segment, in_range));
    return;
  }
  int64_t lane = lane_known(r, offset, segment);
  bool in_range = !strcmp(r->words[2], "up") ? lane >= last : lane <= last;
  if (r->predicate) nvptx_know(r, r->predicate, (struct ptx_known){.offset = in_range});
  gather(r, name, PTX_SOURCE, r->operands[4], gives, arena_printf(r->arena, "%" PRId64, in_range ? lane : own));
}

void nvptx_read_open(struct ptx_reading *r) {
  nvptx_fail(r, !strcmp(r->words[0], "elect") ? "which thread of a warp is elected, PTX leaves open"
                                              : "which threads of a warp are active at the same time, PTX leaves open");
}

void nvptx_read_gathering(struct ptx_reading *r) {
  const char *name;
  enum ptx_gathering gathers = gathering_of(r, &name);
  if (gathers == PTX_NOTHING || !nvptx_operands_are(r, gathers == PTX_SOURCE ? 5 : 3)) return;
  if (gathers == PTX_SOURCE) {
    read_shuffle(r, name);
    return;
  }
  bool votes = gathers == PTX_ALL || gathers == PTX_ANY || gathers == PTX_UNIFORM || gathers == PTX_BALLOT;
  const char *gives = votes ? predicate(r, r->operands[1]) : nvptx_value(r, r->operands[1]);
  if (r->predicate && !strcmp(r->operands[0], "_")) r->operands[0] = "the mask of all";
  gather(r, name, gathers, r->operands[2], gives, NULL);
  if (r->predicate && !r->failed) /* of match.all: all are the same where the mask of them is not empty */
    CELL(r, "set.ne %s, %s, 0", nvptx_register(r, r->predicate), nvptx_register(r, r->operands[0]));
}
