/* SPDX-License-Identifier: MIT */
/* Accesses and fences of PTX text (PTX ISA, "ld", "st", "atom", "red", "membar, fence"): of locations, of private
 * memory, which becomes registers of the test, and of parameters, whose values are known. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/ptx/reading.h"

/* `[%SP+24]`: the name of this place, as a register has one; NULL: not private memory. */
static const char *private_place(struct ptx_reading *r, const char *operand, bool stores) {
  struct ptx_known known;
  int64_t offset;
  const char *base = nvptx_split_address(r, operand, &offset);
  if (!base || !nvptx_known_value(r, base, &known) || known.kind != KNOWN_PRIVATE) return NULL;
  if (known.index) nvptx_fail(r, "which place in private memory this is, only a run knows");
  struct ptx_slot slot = {known.offset + offset, nvptx_bits(nvptx_type(r))};
  bool found = false;
  for (size_t i = 0; i < r->slots.count; i++) {
    struct ptx_slot old = r->slots.at[i];
    bool apart = old.offset + old.bits / 8 <= slot.offset || slot.offset + slot.bits / 8 <= old.offset;
    bool same = old.offset == slot.offset && (stores ? old.bits == slot.bits : old.bits >= slot.bits);
    if (!apart && !same) nvptx_fail(r, "a place in private memory is a part of another one");
    found |= same;
  }
  if (!found) *vec_push(r->arena, &r->slots) = slot;
  return arena_printf(r->arena, "[private+%" PRId64 "]", slot.offset);
}

/* What a register holds of so many bits, without a sign or with it. */
static void cut(struct ptx_reading *r, const char *to, const char *from, unsigned bits) {
  bool has_sign = *nvptx_type(r) == 's';
  if (has_sign)
    CELL(r, "mov.s%u %s, %s", bits, to, from);
  else
    CELL(r, "and %s, %s, %" PRIu64, to, from, ((uint64_t)1 << bits) - 1);
}

/* A number that is known, of so many bits. */
static struct ptx_known of_bits(struct ptx_known known, unsigned bits, bool has_sign) {
  struct width width = {.bits = bits, .is_signed = has_sign};
  if (known.kind == KNOWN_NUMBER && !known.index && bits < 32) known.offset = width_fit(width, known.offset);
  return known;
}

/* Addresses and the thread's number, which is known, go through private memory, too. */
static void move_private(struct ptx_reading *r, const char *to, const char *from) {
  const struct ptx_known *known = nvptx_known(r, from), *knew = nvptx_known(r, to);
  bool address = known && known->kind != KNOWN_NUMBER, named = false;
  for (size_t i = 0; i < r->registers.count; i++) named |= !strcmp(r->registers.at[i].from, to);
  unsigned bits = nvptx_bits(nvptx_type(r));
  if (address ? named : knew && knew->kind != KNOWN_NUMBER)
    nvptx_fail(r, "a place in private memory holds now an address, now a value");
  else if (known)
    nvptx_know(r, to, of_bits(*known, bits, *nvptx_type(r) == 's'));
  else if (bits < 32)
    cut(r, nvptx_register(r, to), nvptx_value(r, from), bits);
  else
    CELL(r, "ld %s, %s", nvptx_register(r, to), nvptx_value(r, from));
}

/* false: the access is of other memory. */
static bool read_private(struct ptx_reading *r, const char *address, const char *other, bool stores) {
  const char *place = private_place(r, address, stores);
  if (!place) return false;
  if (stores)
    move_private(r, place, other);
  else
    move_private(r, other, place);
  return true;
}

/* `ld.acquire.gpu`, with a type where that of the location is no word. */
static const char *access_of(struct ptx_reading *r, const struct ptx_strength *s, const char *type) {
  bool strong = s->order && strcmp(s->order, "weak") != 0;
  const char *weak = s->noncoherent ? "global.nc" : "weak";
  const char *how = strong ? arena_printf(r->arena, "%s.%s", s->order, s->scope ? s->scope : "?") : weak;
  return arena_printf(r->arena, "%s.%s%s%s", r->words[0], how, *type ? "." : "", type);
}

/* The type of what is accessed, with a sign, so that the same bits are always the same number; "": a word, which
 * registers hold so. */
static const char *cell_type(struct ptx_reading *r, const struct ptx_strength *s, unsigned location_bits, bool whole) {
  unsigned bits = s->type ? nvptx_bits(s->type) : 0;
  if (!bits) nvptx_fail(r, "an access without a type");
  if (bits != location_bits && (whole || bits > location_bits))
    nvptx_fail(r, arena_printf(r->arena, "an access of %u bits, and the location has %u", bits, location_bits));
  return bits == 32 && location_bits == 32 ? "" : arena_printf(r->arena, "s%u", bits);
}

/* Does the register have more bits than what is loaded without a sign? */
static bool is_extended(const char *reg, const char *type) {
  unsigned width = text_begins(reg, "%rd") ? 64 : text_begins(reg, "%rs") ? 16 : 32;
  return *type != 's' && width > nvptx_bits(type);
}

/* An access of the place; of the locations that it may be, the one that the address is of. An address of none of them
 * is undefined, as an index past the end of an array is. */
static void emit_access(struct ptx_reading *r, const struct ptx_place *place, const char *before, const char *after) {
  if (!place->address) {
    CELL(r, "%s%s%s", before, place->name, after);
    return;
  }
  const char *end = nvptx_label(r, arena_printf(r->arena, "accessed %zu", r->column->count));
  for (size_t i = 0; i < place->all.count; i++) {
    const char *next = nvptx_label(r, arena_printf(r->arena, "not %zu of %s", i, end));
    CELL(r, "bne %s, %" PRId64 ", %s", place->address, place->all.at[i].address, next);
    CELL(r, "%s%s%s", before, place->all.at[i].name, after);
    CELL(r, "goto %s", end);
    nvptx_cell(r, true, arena_printf(r->arena, "%s:", next));
  }
  nvptx_undefined(r);
  nvptx_cell(r, true, arena_printf(r->arena, "%s:", end));
}

/* What a load makes of a number that is known: without a sign in a register that has more bits. */
static struct ptx_known extended(const struct ptx_reading *r, struct ptx_known known) {
  unsigned bits = nvptx_bits(nvptx_type(r));
  bool number = known.kind == KNOWN_NUMBER && !known.index;
  if (number && is_extended(r->operands[0], nvptx_type(r))) known.offset &= (int64_t)(((uint64_t)1 << bits) - 1);
  return known;
}

bool nvptx_is_passed(struct ptx_reading *r, const char *operand) {
  int64_t offset;
  const char *base = nvptx_split_address(r, operand, &offset);
  const struct ptx_known *known = base ? nvptx_known(r, base) : NULL;
  return known && known->kind == KNOWN_PRIVATE;
}

/* What a parameter holds is known, or it is the one of this number. */
static void read_parameter(struct ptx_reading *r) {
  int64_t offset;
  const char *name = nvptx_operands_are(r, 2) ? nvptx_split_address(r, r->operands[1], &offset) : NULL;
  const struct ptx_known *address = name ? nvptx_known(r, name) : NULL;
  if (address && address->kind == KNOWN_CONTENT && !address->index) {
    name = address->content;
    offset += address->offset;
  }
  const struct ptx_known *known =
      name ? nvptx_known(r, arena_printf(r->arena, "[%s+%" PRId64 "]", name, offset)) : NULL;
  const char *number = name ? strstr(name, "_param_") : NULL;
  if (known && known->bytes && 8 * known->bytes != nvptx_bits(nvptx_type(r)))
    nvptx_fail(r, "the member of the structure has another size");
  else if (known)
    nvptx_know(r, r->operands[0], extended(r, *known));
  else if (number && !r->kernel->known_count)
    nvptx_know(r, r->operands[0],
               (struct ptx_known){.kind = KNOWN_PARAMETER, .parameter = (unsigned)strtoul(number + 7, NULL, 10)});
  else
    nvptx_fail(r, "a parameter that is not known here");
}

void nvptx_read_load(struct ptx_reading *r) {
  struct ptx_strength s;
  struct ptx_place place;
  if (nvptx_has(r, "param") && !(r->operand_count == 2 && nvptx_is_passed(r, r->operands[1]))) {
    read_parameter(r);
    return;
  }
  if (!nvptx_operands_are(r, 2) || read_private(r, r->operands[1], r->operands[0], false)) return;
  if (!nvptx_take_strength(r, false, &s) || !nvptx_find_place(r, r->operands[1], &place)) return;
  if (place.kind == PLACE_RESULT) nvptx_fail(r, "a result is read");
  const char *type = cell_type(r, &s, place.bits, false), *to = nvptx_register(r, r->operands[0]);
  emit_access(r, &place, arena_printf(r->arena, "%s %s, ", access_of(r, &s, type), to), "");
  if (s.type && is_extended(r->operands[0], s.type)) cut(r, to, to, nvptx_bits(s.type));
}

void nvptx_read_store(struct ptx_reading *r) {
  struct ptx_strength s;
  struct ptx_place place;
  if (!nvptx_operands_are(r, 2) || read_private(r, r->operands[0], r->operands[1], true)) return;
  if (!nvptx_take_strength(r, false, &s) || !nvptx_find_place(r, r->operands[0], &place)) return;
  const char *value = nvptx_value(r, r->operands[1]), *type = cell_type(r, &s, place.bits, true);
  if (!*type && text_begins(r->operands[1], "%rd")) { /* its lower half */
    const char *half = nvptx_new_register(r);
    CELL(r, "mov.s32 %s, %s", half, value);
    value = half;
  }
  if (place.kind == PLACE_RESULT)
    CELL(r, "ld %s, %s", place.name, value);
  else
    emit_access(r, &place, arena_printf(r->arena, "%s ", access_of(r, &s, type)),
                arena_printf(r->arena, ", %s", value));
}

/* The type where it matters: sums are cut, and of extremes a sign is what they are about. */
static const char *update_type(struct ptx_reading *r, const struct ptx_strength *s, const struct ptx_place *place) {
  const char *type = cell_type(r, s, place->bits, true);
  bool sums = !strcmp(s->op, "add"), extreme = !strcmp(s->op, "min") || !strcmp(s->op, "max");
  bool wraps = !strcmp(s->op, "inc") || !strcmp(s->op, "dec");
  if (sums && *s->type == 'f') return s->type;
  if (!*type && sums) return "s32";
  return extreme || wraps ? s->type : type;
}

void nvptx_read_atomic(struct ptx_reading *r) {
  static const char *const OPS[] = {"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec", NULL};
  struct ptx_strength s;
  struct ptx_place place;
  bool reduces = !strcmp(r->words[0], "red");
  if (!nvptx_take_strength(r, true, &s)) return;
  bool floats = s.op && s.type && *s.type == 'f', summed = floats && !strcmp(s.op, "add") && nvptx_bits(s.type) >= 32;
  if (!s.op || !text_is_one_of(s.op, OPS) || !s.type || (floats && !summed)) {
    nvptx_refuse_word(r, s.op && floats ? s.type : s.op ? s.op : "");
    return;
  }
  bool cas = !strcmp(s.op, "cas");
  if (!nvptx_operands_are(r, cas ? 4 : reduces ? 2 : 3) || !nvptx_find_place(r, r->operands[!reduces], &place)) return;
  if (place.kind == PLACE_RESULT) nvptx_fail(r, "a result is changed");
  const char *type = update_type(r, &s, &place);
  const char *head = arena_printf(r->arena, "%s.%s.%s.%s%s%s", r->words[0], s.order ? s.order : "relaxed",
                                  s.scope ? s.scope : "gpu", s.op, *type ? "." : "", type);
  const char *value = nvptx_value(r, r->operands[reduces ? 1 : 2]);
  if (floats) { /* what a test computes with floats makes its sums of them IEEE's */
    const char *operand = nvptx_new_register(r);
    CELL(r, "mov.%s %s, %s", s.type, operand, value);
    value = operand;
  }
  const char *to = reduces ? NULL : nvptx_register(r, r->operands[0]);
  const char *new_value = cas ? arena_printf(r->arena, ", %s", nvptx_value(r, r->operands[3])) : "";
  emit_access(r, &place, arena_printf(r->arena, to ? "%s %s, " : "%s ", head, to),
              arena_printf(r->arena, ", %s%s", value, new_value));
  if (to && *type == 'u') CELL(r, "mov.s%u %s, %s", place.bits, to, to);
}

void nvptx_read_fence(struct ptx_reading *r) {
  static const char *const ORDERS[] = {"sc", "acq_rel", "acquire", "release", NULL};
  const char *order = r->word_count > 1 ? r->words[1] : "", *scope = r->word_count > 2 ? r->words[2] : "";
  if (r->word_count == 3 && text_is_one_of(order, ORDERS))
    CELL(r, "fence.%s.%s", order, scope);
  else
    nvptx_refuse_word(r, order);
}

void nvptx_read_membar(struct ptx_reading *r) {
  const char *scope = r->word_count == 2 ? r->words[1] : "";
  if (strcmp(scope, "cta") != 0 && strcmp(scope, "gl") != 0 && strcmp(scope, "sys") != 0)
    nvptx_refuse_word(r, scope);
  else
    CELL(r, "fence.sc.%s", !strcmp(scope, "gl") ? "gpu" : scope);
}
