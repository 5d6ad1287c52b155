/* SPDX-License-Identifier: MIT */
/* The operands of PTX text: which register or location of the test each is of, what
 * address registers hold, and what the words of an opcode say.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/translate/nvptx_internal.h"

void nvptx_fail(struct ptx_reading *r, const char *what) {
  if (!r->failed) diag_error(r->diags, r->kernel->source, r->span, "%s: %s", r->kernel->thread, what);
  r->failed = true;
}

/* ---- cells ---- */

void nvptx_cell(struct ptx_reading *r, bool label, const char *text) {
  *vec_push(r->arena, r->column) = (struct column_entry){text, label, label ? 0 : r->line, r->span.at};
}

const char *nvptx_new_register(struct ptx_reading *r) {
  return arena_printf(r->arena, "r%u", r->next++);
}

static const char *new_label(struct ptx_reading *r) {
  return arena_printf(r->arena, "LC%u%02zu", r->kernel->number, r->labels.count);
}

const char *nvptx_label(struct ptx_reading *r, const char *name) {
  for (size_t i = 0; i < r->labels.count; i++)
    if (!strcmp(r->labels.at[i].from, name)) return r->labels.at[i].to;
  struct ptx_named label = {arena_strdup(r->arena, name), new_label(r)};
  *vec_push(r->arena, &r->labels) = label;
  return label.to;
}

const char *nvptx_register(struct ptx_reading *r, const char *name) {
  if (nvptx_known(r, name)) nvptx_fail(r, "an address is not known before running");
  for (size_t i = 0; i < r->registers.count; i++)
    if (!strcmp(r->registers.at[i].from, name)) return r->registers.at[i].to;
  struct ptx_named named = {arena_strdup(r->arena, name), nvptx_new_register(r)};
  *vec_push(r->arena, &r->registers) = named;
  return named.to;
}

/* ---- addresses ---- */

const struct ptx_known *nvptx_known(const struct ptx_reading *r, const char *reg) {
  for (size_t i = r->known.count; i-- > 0;)
    if (!strcmp(r->known.at[i].reg, reg)) return &r->known.at[i];
  return NULL;
}

static bool is_number(const char *text) {
  const char *digits = text + (*text == '-');
  return *digits && strspn(digits, "0123456789") == strlen(digits);
}

void nvptx_know(struct ptx_reading *r, const char *reg, struct ptx_known known) {
  const struct ptx_known *old = nvptx_known(r, reg);
  known.reg = arena_strdup(r->arena, reg);
  bool same_index =
      old && old->scale == known.scale && !strcmp(old->index ? old->index : "", known.index ? known.index : "");
  if (old &&
      (old->kind != known.kind || old->parameter != known.parameter || old->offset != known.offset || !same_index))
    nvptx_fail(r, "an address is not known before running");
  for (size_t i = 0; i < r->registers.count; i++)
    if (!strcmp(r->registers.at[i].from, reg)) nvptx_fail(r, "an address is not known before running");
  if (!old) *vec_push(r->arena, &r->known) = known;
}

bool nvptx_is_shared(const char *operand) {
  size_t length = strlen(operand);
  return *operand != '%' && (!strncmp(operand, "lds", 3) || (length > 3 && !strcmp(operand + length - 3, "lds")));
}

bool nvptx_known_value(struct ptx_reading *r, const char *operand, struct ptx_known *known) {
  const struct ptx_known *found = nvptx_known(r, operand);
  *known = (struct ptx_known){.kind = KNOWN_NUMBER};
  if (found)
    *known = *found;
  else if (is_number(operand))
    known->offset = strtoll(operand, NULL, 0);
  else if (nvptx_is_shared(operand))
    known->kind = KNOWN_SHARED;
  else if (!strncmp(operand, "__local_depot", 13))
    known->kind = KNOWN_PRIVATE;
  else
    return false;
  return true;
}

const char *nvptx_split_address(struct ptx_reading *r, const char *operand, int64_t *offset) {
  size_t length = strlen(operand);
  if (*operand != '[' || operand[length - 1] != ']') return NULL;
  char *inside = arena_strndup(r->arena, operand + 1, length - 2), *sign = strpbrk(inside + 1, "+-");
  *offset = 0;
  if (sign) *offset = strtoll(sign + (*sign == '+'), NULL, 10);
  if (sign) *sign = '\0';
  return inside;
}

/* The element of the array to which the location of that name belongs, so many bytes and `known.scale` times the index
 * after it; NULL: it belongs to none. */
static const char *element(struct ptx_reading *r, const char *location, const struct ptx_known *known, int64_t bytes,
                           int64_t unit) {
  const char *bracket = strchr(location, '[');
  if (!bracket) return NULL;
  int64_t first = strtoll(bracket + 1, NULL, 10) * unit + bytes;
  const char *number = known->index;
  if (known->scale != unit || first) {
    number = nvptx_new_register(r);
    CELL(r, "mul %s, %s, %" PRId64, number, known->index, known->scale);
    CELL(r, "add %s, %s, %" PRId64, number, number, first);
    CELL(r, "div %s, %s, %" PRId64, number, number, unit);
  }
  return arena_printf(r->arena, "%.*s[%s]", (int)(bracket - location), location, number);
}

bool nvptx_find_place(struct ptx_reading *r, const char *operand, struct ptx_place *place) {
  const struct ptx_kernel *k = r->kernel;
  struct ptx_known known;
  int64_t offset;
  const char *base = nvptx_split_address(r, operand, &offset);
  if (!base || !nvptx_known_value(r, base, &known) || known.kind == KNOWN_NUMBER || known.kind == KNOWN_PRIVATE) {
    nvptx_fail(r, "the address is not known before running");
    return false;
  }
  offset += known.offset;
  bool result = known.kind == KNOWN_PARAMETER && known.parameter == 0, shared = known.kind == KNOWN_SHARED;
  int64_t unit = shared ? PTX_SHARED_STRIDE : 4;
  uint64_t index = (uint64_t)offset / (uint64_t)unit;
  bool whole = offset >= 0 && offset % unit == 0;
  *place = (struct ptx_place){result ? PLACE_RESULT : PLACE_CELL, NULL};
  if (result && whole && index < k->result_count && !known.index)
    place->name = k->results[index];
  else if (shared && whole && index < k->shared_count)
    place->name = k->names[k->shared[index]];
  else if (!result && !shared && (offset == 0 || known.index) && known.parameter <= k->location_count)
    place->name = k->names[k->locations[known.parameter - 1]];
  if (place->name && known.index) place->name = element(r, place->name, &known, shared ? 0 : offset, unit);
  if (!place->name) nvptx_fail(r, "this address is of no location of the test");
  return place->name != NULL;
}

/* ---- the opcode ---- */

bool nvptx_has(const struct ptx_reading *r, const char *wanted) {
  return r->word_count && text_index(wanted, r->words + 1, r->word_count - 1) >= 0;
}

const char *nvptx_type(const struct ptx_reading *r) {
  return r->words[r->word_count - 1];
}

bool nvptx_is_unsigned(const struct ptx_reading *r) {
  return nvptx_type(r)[0] == 'u';
}

bool nvptx_is_wide(const struct ptx_reading *r) {
  return strstr(nvptx_type(r), "64") != NULL || nvptx_has(r, "wide");
}

/* Words that say nothing here: spaces are known by the address. */
static bool is_neutral(const char *text) {
  static const char *const NEUTRAL[] = {"global", "shared", "b32", "u32", "s32", NULL};
  return text_is_one_of(text, NEUTRAL);
}

void nvptx_refuse_word(struct ptx_reading *r, const char *text) {
  nvptx_fail(r, arena_printf(r->arena, "'.%s' of '%s' is not known here", text, r->words[0]));
}

bool nvptx_take_strength(struct ptx_reading *r, bool atomic, struct ptx_strength *s) {
  static const char *const ORDERS[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc", NULL};
  static const char *const SCOPES[] = {"cta", "gpu", "sys", NULL};
  *s = (struct ptx_strength){0};
  for (unsigned i = 1; i < r->word_count; i++) {
    const char *text = r->words[i];
    bool taken = is_neutral(text);
    if (!taken && text_is_one_of(text, ORDERS)) taken = true, s->order = text;
    if (!taken && text_is_one_of(text, SCOPES)) taken = true, s->scope = text;
    if (!taken && !atomic && !strcmp(text, "volatile")) {
      *s = (struct ptx_strength){"relaxed", "sys", NULL};
      taken = true;
    }
    if (!taken && atomic && !s->op && i + 1 < r->word_count) taken = true, s->op = text;
    if (!taken) nvptx_refuse_word(r, text);
  }
  return !r->failed;
}

bool nvptx_operands_are(struct ptx_reading *r, unsigned count) {
  if (r->operand_count != count)
    nvptx_fail(r, arena_printf(r->arena, "'%s' with %u operands is not known here", r->words[0], r->operand_count));
  return r->operand_count == count && !r->failed;
}

const char *nvptx_value(struct ptx_reading *r, const char *operand) {
  struct ptx_known known;
  if (*operand != '%' && is_number(operand)) return operand;
  if (nvptx_known_value(r, operand, &known)) {
    if (known.kind != KNOWN_NUMBER) nvptx_fail(r, "an address is used as a value");
    if (!known.index) return arena_printf(r->arena, "%" PRId64, known.offset);
    const char *number = nvptx_new_register(r);
    CELL(r, "mul %s, %s, %" PRId64, number, known.index, known.scale);
    CELL(r, "add %s, %s, %" PRId64, number, number, known.offset);
    return number;
  }
  if (*operand != '%' && *operand != '[')
    nvptx_fail(r, arena_printf(r->arena, "operand '%s' is not known here", operand));
  return nvptx_register(r, operand);
}
