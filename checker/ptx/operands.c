/* SPDX-License-Identifier: MIT */
/* The operands of PTX text: which register or location of the test each is of, what
 * address registers hold, and what the words of an opcode say.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/ptx/reading.h"

bool nvptx_fail(struct ptx_reading *r, const char *what) {
  if (!r->failed) diag_error(r->diags, r->kernel->source, r->span, "%s: %s", r->kernel->thread, what);
  r->failed = true;
  return false;
}

/* ---- cells ---- */

void nvptx_cell(struct ptx_reading *r, bool label, const char *text) {
  *vec_push(r->arena, r->column) = (struct column_entry){text, label, label ? 0 : r->line, r->span};
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
  struct ptx_named label = {arena_strdup(r->arena, name), new_label(r), r->span, false};
  *vec_push(r->arena, &r->labels) = label;
  return label.to;
}

static struct ptx_joined *find_joined(const struct ptx_reading *r, const char *reg) {
  for (size_t i = 0; i < r->joined.count; i++)
    if (!strcmp(r->joined.at[i].known.reg, reg)) return &r->joined.at[i];
  return NULL;
}

/* Which of its arrays the address is in; adds it. */
static unsigned array_of(struct ptx_reading *r, struct ptx_joined *joined, struct ptx_known base) {
  for (unsigned i = 0; i < joined->arrays.count; i++) {
    const struct ptx_known *array = &joined->arrays.at[i];
    if (array->kind == base.kind && array->parameter == base.parameter && array->start == base.start) return i;
  }
  base.offset = 0;
  base.index = NULL;
  *vec_push(r->arena, &joined->arrays) = base;
  return (unsigned)joined->arrays.count - 1;
}

static struct ptx_known based(const struct ptx_reading *r, struct ptx_known known);

/* From now on the register is followed in a run: the text is read again. */
static void join(struct ptx_reading *r, const char *reg, bool value, struct ptx_known known) {
  if (r->failed) return;
  struct ptx_joined *joined = vec_push(r->arena, &r->joined);
  *joined = (struct ptx_joined){.value = value, .known = based(r, known)};
  joined->known.reg = arena_strdup(r->arena, reg);
  joined->known.scale = 1;
  joined->known.offset = 0;
  if (!value) array_of(r, joined, joined->known);
  r->failed = r->again = true;
}

static bool is_named(const struct ptx_reading *r, const char *name) {
  for (size_t i = 0; i < r->registers.count; i++)
    if (!strcmp(r->registers.at[i].from, name)) return true;
  return false;
}

const char *nvptx_register(struct ptx_reading *r, const char *name) {
  const struct ptx_known *known = nvptx_known(r, name);
  if (known && known->kind == KNOWN_NUMBER)
    join(r, name, true, *known);
  else if (known)
    nvptx_fail(r, "a register holds now an address of a location, now a value");
  for (size_t i = 0; i < r->registers.count; i++)
    if (!strcmp(r->registers.at[i].from, name)) return r->registers.at[i].to;
  struct ptx_named named = {arena_strdup(r->arena, name), nvptx_new_register(r), r->span, false};
  *vec_push(r->arena, &r->registers) = named;
  return named.to;
}

/* ---- addresses ---- */

const struct ptx_known *nvptx_known(const struct ptx_reading *r, const char *reg) {
  const struct ptx_joined *joined = find_joined(r, reg);
  if (joined) return joined->value ? NULL : &joined->known;
  for (size_t i = r->known.count; i-- > 0;)
    if (!strcmp(r->known.at[i].reg, reg)) return &r->known.at[i];
  return NULL;
}

bool ptx_number(const char *text, int64_t *value) {
  bool minus = *text == '-', binary = text_begins(text + minus, "0b") || text_begins(text + minus, "0B");
  const char *digits = text + minus + 2 * binary;
  bool hexadecimal = *digits == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (!isdigit((unsigned char)*digits) || (hexadecimal && !isxdigit((unsigned char)digits[2]))) return false;
  char *end;
  errno = 0;
  uint64_t bits = strtoull(digits, &end, binary ? 2 : 0);
  *value = (int64_t)(minus ? -bits : bits);
  return !errno && !end[*end == 'U'];
}

bool ptx_constant(const char *text, int64_t *value) {
  if (!text_begins(text, "0f") && !text_begins(text, "0d")) return ptx_number(text, value);
  uint64_t bits = strtoull(text + 2, NULL, 16);
  *value = text[1] == 'f' ? (int32_t)bits : (int64_t)bits;
  return true;
}

/* Which element of its array a location is. */
static unsigned element_number(const char *location) {
  const char *bracket = strchr(location, '[');
  return bracket ? (unsigned)strtoul(bracket + 1, NULL, 10) : 0;
}

static unsigned bits_of(const struct ptx_kernel *k, unsigned location) {
  return k->bytes ? 8 * k->bytes[location] : 32;
}

/* Into which array it points; of parameters, each element is one. */
static struct ptx_known based(const struct ptx_reading *r, struct ptx_known known) {
  const struct ptx_kernel *k = r->kernel;
  bool shared = known.kind == KNOWN_SHARED;
  if (known.based) return known;
  known.based = true;
  if (known.kind == KNOWN_PARAMETER && known.parameter > 0 && known.parameter <= k->location_count) {
    unsigned location = k->locations[known.parameter - 1], number = element_number(k->names[location]);
    known.parameter -= number;
    known.offset += number * bits_of(k, location) / 8;
  }
  uint64_t at = shared ? (uint64_t)known.offset / k->shared_stride : k->shared_count;
  if (at >= k->shared_count) return known;
  known.start = (int64_t)((at - element_number(k->names[k->shared[at]])) * k->shared_stride);
  known.offset -= known.start;
  return known;
}

/* The bytes after the beginning of its array, in the register of the test. */
static void assign_joined(struct ptx_reading *r, struct ptx_joined *joined, struct ptx_known known) {
  const char *to = joined->value ? nvptx_register(r, joined->known.reg) : joined->known.index;
  if (!joined->value && !known.joined) {
    size_t arrays = joined->arrays.count;
    known = based(r, known);
    known.offset += (int64_t)array_of(r, joined, known) * PTX_APART;
    if (joined->arrays.count > arrays) r->failed = r->again = true;
  } else if (known.joined && known.joined != joined) {
    nvptx_fail(r, "which of several arrays an address is of, only a run knows");
  }
  if (known.index && known.scale != 1)
    CELL(r, "mul %s, %s, %" PRId64, to, known.index, known.scale);
  else if (!known.index)
    CELL(r, "ld %s, %" PRId64, to, known.offset);
  else if (!known.offset)
    CELL(r, "ld %s, %s", to, known.index);
  if (known.index && known.offset)
    CELL(r, "add %s, %s, %" PRId64, to, known.scale == 1 ? known.index : to, known.offset);
}

static bool is_same(const struct ptx_known *a, const struct ptx_known *b) {
  return a->kind == b->kind && a->content == b->content && a->parameter == b->parameter && a->offset == b->offset &&
         a->start == b->start && a->scale == b->scale && !strcmp(a->index ? a->index : "", b->index ? b->index : "");
}

void nvptx_know(struct ptx_reading *r, const char *reg, struct ptx_known known) {
  struct ptx_joined *joined = find_joined(r, reg);
  if (joined) {
    assign_joined(r, joined, known);
    return;
  }
  const struct ptx_known *old = nvptx_known(r, reg);
  bool number = known.kind == KNOWN_NUMBER, named = is_named(r, reg);
  if ((named && !number) || (old && number != (old->kind == KNOWN_NUMBER)))
    nvptx_fail(r, "a register holds now a value, now an address of a location");
  if ((old && !is_same(old, &known)) || named) join(r, reg, number, old ? *old : known);
  known.reg = arena_strdup(r->arena, reg);
  if (!old) *vec_push(r->arena, &r->known) = known;
}

bool nvptx_is_shared(const char *operand) {
  size_t length = strlen(operand);
  return *operand != '%' && (text_begins(operand, "lds") || (length > 3 && !strcmp(operand + length - 3, "lds")));
}

bool nvptx_known_value(struct ptx_reading *r, const char *operand, struct ptx_known *known) {
  const struct ptx_known *found = nvptx_known(r, operand);
  int64_t number;
  *known = (struct ptx_known){.kind = KNOWN_NUMBER};
  if (found && find_joined(r, operand)) { /* what it holds now */
    *known = *found;
    known->index = nvptx_new_register(r);
    CELL(r, "ld %s, %s", known->index, found->index);
    if (find_joined(r, operand)->arrays.count > 1) known->joined = find_joined(r, operand);
  } else if (found)
    *known = *found;
  else if (ptx_number(operand, &number))
    known->offset = number;
  else if (nvptx_is_shared(operand))
    known->kind = KNOWN_SHARED;
  else if (text_begins(operand, "__local_depot"))
    known->kind = KNOWN_PRIVATE;
  else
    return false;
  return true;
}

static char *without_blanks(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_strndup(arena, text, length), *end = copy;
  for (const char *from = copy; *from; from++)
    if (!strchr(" \t", *from)) *end++ = *from;
  *end = '\0';
  return copy;
}

const char *nvptx_split_address(struct ptx_reading *r, const char *operand, int64_t *offset) {
  size_t length = strlen(operand);
  if (*operand != '[' || operand[length - 1] != ']') return NULL;
  char *inside = without_blanks(r->arena, operand + 1, length - 2), *sign = *inside ? strpbrk(inside + 1, "+-") : NULL;
  *offset = 0;
  if (sign && !ptx_number(sign + (*sign == '+'), offset)) nvptx_fail(r, "this offset is no number that fits");
  if (sign) *sign = '\0';
  return inside;
}

void nvptx_undefined(struct ptx_reading *r) {
  CELL(r, "div.s32 %s, 1, 0", nvptx_new_register(r));
}

/* What lies between two elements is undefined, as what lies outside of all is (nvptx_undefined). */
static void refuse_remainder(struct ptx_reading *r, const char *bytes, int64_t unit) {
  const char *rest = nvptx_new_register(r),
             *next = nvptx_label(r, arena_printf(r->arena, "aligned %zu", r->column->count));
  CELL(r, "rem %s, %s, %" PRId64, rest, bytes, unit);
  CELL(r, "beq %s, 0, %s", rest, next);
  nvptx_undefined(r);
  nvptx_cell(r, true, arena_printf(r->arena, "%s:", next));
}

/* The element of the array to which the location of that name belongs, so many bytes and `known.scale` times the index
 * after it; NULL: it belongs to none. */
static const char *element(struct ptx_reading *r, const char *location, const struct ptx_known *known, int64_t bytes,
                           int64_t unit) {
  const char *bracket = strchr(location, '[');
  if (!bracket) return NULL;
  int64_t first = element_number(location) * unit + bytes;
  const char *number = known->index;
  if (known->scale != unit || first) {
    number = nvptx_new_register(r);
    CELL(r, "mul %s, %s, %" PRId64, number, known->index, known->scale);
    CELL(r, "add %s, %s, %" PRId64, number, number, first);
    if (known->scale % unit || first % unit) refuse_remainder(r, number, unit);
    CELL(r, "div %s, %s, %" PRId64, number, number, unit);
  }
  return arena_printf(r->arena, "%.*s[%s]", (int)(bracket - location), location, number);
}

/* The location of the parameter, or in shared memory, at that many bytes; NULL: there is none. */
static const char *location_at(const struct ptx_reading *r, const struct ptx_known *known, int64_t offset,
                               unsigned *bits) {
  const struct ptx_kernel *k = r->kernel;
  bool shared = known->kind == KNOWN_SHARED;
  unsigned count = shared ? k->shared_count : k->location_count;
  const unsigned *all = shared ? k->shared : k->locations;
  uint64_t first = shared ? (uint64_t)known->start / k->shared_stride : known->parameter - 1u;
  if (first >= count) return NULL;
  int64_t unit = shared ? (int64_t)k->shared_stride : bits_of(k, all[first]) / 8;
  uint64_t at = first + (uint64_t)(offset / unit);
  if (offset < 0 || offset % unit || at >= count) return NULL;
  *bits = bits_of(k, all[at]);
  const char *base = k->names[all[first]], *name = k->names[all[at]];
  size_t same = strcspn(base, "[");
  bool one = at == first || (shared && !known->based) || (base[same] && !strncmp(base, name, same + 1));
  return one ? name : NULL;
}

/* All locations of the arrays that the address may be in. */
static void find_candidates(struct ptx_reading *r, const struct ptx_known *known, int64_t offset,
                            struct ptx_place *place) {
  for (unsigned i = 0; i < known->joined->arrays.count; i++) {
    const struct ptx_known *array = &known->joined->arrays.at[i];
    int64_t unit = array->kind == KNOWN_SHARED ? (int64_t)r->kernel->shared_stride : 0, at = 0;
    unsigned bits = 0;
    for (const char *name; (name = location_at(r, array, at, &bits)); at += unit ? unit : bits / 8) {
      if (place->all.count && bits != place->bits) nvptx_fail(r, "it may point to locations of several sizes");
      place->bits = bits;
      *vec_push(r->arena, &place->all) = (struct ptx_candidate){name, i * (int64_t)PTX_APART + at};
      place->name = name;
    }
  }
  place->address = known->index;
  if (!offset) return;
  place->address = nvptx_new_register(r);
  CELL(r, "add %s, %s, %" PRId64, place->address, known->index, offset);
}

/* The size of an object's elements is that of its first access: then they have their places, and reading begins anew.
 */
static void find_type(struct ptx_reading *r, const struct ptx_known *known) {
  const struct ptx_kernel *k = r->kernel;
  if (!k->found || known->kind != KNOWN_PARAMETER || bits_of(k, k->locations[known->parameter - 1])) return;
  k->found[k->locations[known->parameter - 1]] = nvptx_type(r);
  r->failed = true;
}

static bool find_types(struct ptx_reading *r, const struct ptx_known *known) {
  find_type(r, known);
  for (size_t i = 0; known->joined && i < known->joined->arrays.count; i++) find_type(r, &known->joined->arrays.at[i]);
  return !r->failed;
}

/* An element by a number that only a run looks at: one that is past the end is undefined where it is accessed. */
static const char *element_past_end(struct ptx_reading *r, const struct ptx_known *known, int64_t offset,
                                    struct ptx_place *place) {
  const char *first = location_at(r, known, 0, &place->bits), *bracket = first ? strchr(first, '[') : NULL;
  int64_t unit = known->kind == KNOWN_SHARED ? (int64_t)r->kernel->shared_stride : place->bits / 8;
  if (!bracket || offset % unit) return NULL;
  const char *number = nvptx_new_register(r);
  CELL(r, "ld %s, %" PRId64, number, element_number(first) + offset / unit);
  return arena_printf(r->arena, "%.*s[%s]", (int)(bracket - first), first, number);
}

bool nvptx_find_place(struct ptx_reading *r, const char *operand, struct ptx_place *place) {
  const struct ptx_kernel *k = r->kernel;
  struct ptx_known known;
  int64_t offset;
  const char *base = nvptx_split_address(r, operand, &offset);
  if (!base || !nvptx_known_value(r, base, &known) || known.kind == KNOWN_NUMBER || known.kind == KNOWN_PRIVATE ||
      known.kind == KNOWN_CONTENT)
    return nvptx_fail(r, "the address is not known before running");
  if (known.index || known.kind == KNOWN_PARAMETER) known = based(r, known);
  if (!find_types(r, &known)) return false;
  offset += known.offset;
  bool result = known.kind == KNOWN_PARAMETER && known.parameter == 0, shared = known.kind == KNOWN_SHARED;
  *place = (struct ptx_place){.kind = result ? PLACE_RESULT : PLACE_CELL, .bits = 32};
  if (known.joined)
    find_candidates(r, &known, offset, place);
  else if (result && offset >= 0 && offset % 4 == 0 && offset / 4 < k->result_count && !known.index)
    place->name = k->results[offset / 4];
  else if (!result && !known.index && !(place->name = location_at(r, &known, offset, &place->bits)))
    place->name = element_past_end(r, &known, offset, place);
  else if (!result && known.index && (place->name = location_at(r, &known, 0, &place->bits)))
    place->name = element(r, place->name, &known, offset, shared ? (int64_t)k->shared_stride : place->bits / 8);
  if (!place->name) nvptx_fail(r, "this address is of no memory that is known here");
  return place->name != NULL;
}

/* ---- the opcode ---- */

bool nvptx_has(const struct ptx_reading *r, const char *wanted) {
  return r->word_count && text_index(wanted, r->words + 1, r->word_count - 1) >= 0;
}

const char *nvptx_type(const struct ptx_reading *r) {
  return r->words[r->word_count - 1];
}

const char *nvptx_first_type(const struct ptx_reading *r) {
  unsigned i = 1;
  while (i + 1 < r->word_count && !nvptx_bits(r->words[i])) i++;
  return r->words[i];
}

bool nvptx_is_unsigned(const struct ptx_reading *r) {
  return nvptx_type(r)[0] == 'u';
}

unsigned nvptx_bits(const char *type) {
  static const char *const BITS[] = {"8", "16", "32", "64", NULL};
  size_t prefix = strspn(type, "bfsu");
  if (prefix == 0 || prefix > 2 || (prefix == 2 && !text_begins(type, "bf"))) return 0;
  return text_is_one_of(type + prefix, BITS) ? (unsigned)strtoul(type + prefix, NULL, 10) : 0;
}

bool nvptx_is_wide(const struct ptx_reading *r) {
  return strstr(nvptx_type(r), "64") != NULL || nvptx_has(r, "wide");
}

/* Words that say nothing here: spaces are known by the address, and caches are for speed. */
static bool is_neutral(const char *text) {
  static const char *const NEUTRAL[] = {"global", "shared", "shared::cta", "const", "ca", "cg",
                                        "cs",     "lu",     "cv",          "wb",    "wt", NULL};
  return text_is_one_of(text, NEUTRAL) ||
         ((text_begins(text, "L1::") || text_begins(text, "L2::")) && !text_ends_in(text, "cache_hint"));
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
    if (!taken && i + 1 == r->word_count && nvptx_bits(text)) taken = true, s->type = text;
    if (!taken && text_is_one_of(text, ORDERS)) taken = true, s->order = text;
    if (!taken && text_is_one_of(text, SCOPES)) taken = true, s->scope = text;
    if (!taken && !atomic && !strcmp(text, "nc")) taken = s->noncoherent = true;
    if (!taken && !atomic && (!strcmp(text, "v2") || !strcmp(text, "v4"))) taken = true; /* read_elements */
    if (!taken && !atomic && !strcmp(text, "volatile")) {
      *s = (struct ptx_strength){.order = "relaxed", .scope = "sys", .type = s->type};
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
  int64_t whole;
  if (ptx_constant(operand, &whole)) return arena_printf(r->arena, "%" PRId64, whole);
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
