/* SPDX-License-Identifier: MIT */
/* Types and the init section.
 *
 *   init  = "{" { [item] ";" } [item] "}"
 *   item  = [type {"*"}] name ["[" number "]"] ["=" value]
 *         | [type {"*"}] "[" name "]" ["=" value]
 *         | [type {"*"}] thread ":" name ["=" value]
 *         | "*" name ["=" value]
 *   value = ["-"] number | wrap "(" value ")" | "{" value {"," value} "}" | ["&"] name ["[" number "]"]
 *   wrap  = "ATOMIC_VAR_INIT" | "ATOMIC_INIT" | "ATOMIC_FLAG_INIT"
 */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

enum { ARRAY_LIMIT = 256 };

/* --- types -------------------------------------------------------------------- */

enum type_word { WORD_PLAIN, WORD_WIDE, WORD_ATOMIC, WORD_QUALIFIER, WORD_GLOBAL, WORD_LOCAL };

static const struct {
  const char *text;
  enum type_word means;
} type_words[] = {
    {"int", WORD_PLAIN},
    {"atomic_t", WORD_ATOMIC},
    {"atomic64_t", WORD_ATOMIC},
    {"spinlock_t", WORD_PLAIN},
    {"srcu_struct", WORD_PLAIN}, /* after `struct` */
    {"mtx_t", WORD_ATOMIC},
    {"atomic_int", WORD_ATOMIC},
    {"global", WORD_GLOBAL},
    {"local", WORD_LOCAL},
    {"__global", WORD_GLOBAL},
    {"__local", WORD_LOCAL},
    {"group", WORD_LOCAL}, /* in HSA tests only */
    {"volatile", WORD_QUALIFIER},
    {"const", WORD_QUALIFIER},
    {"restrict", WORD_QUALIFIER},
    {"global_fga", WORD_GLOBAL},
    {"__global_fga", WORD_GLOBAL},
    {"private", WORD_QUALIFIER},
    {"__private", WORD_QUALIFIER},
    {"_Atomic", WORD_ATOMIC},
    {"unsigned", WORD_PLAIN},
    {"signed", WORD_PLAIN},
    {"char", WORD_PLAIN},
    {"short", WORD_PLAIN},
    {"long", WORD_PLAIN},
    {"uint", WORD_PLAIN},
    {"uchar", WORD_PLAIN},
    {"ushort", WORD_PLAIN},
    {"ulong", WORD_PLAIN},
    {"bool", WORD_PLAIN},
    {"_Bool", WORD_PLAIN},
    {"size_t", WORD_PLAIN},
    {"int8_t", WORD_PLAIN},
    {"int16_t", WORD_PLAIN},
    {"int32_t", WORD_PLAIN},
    {"int64_t", WORD_PLAIN},
    {"uint8_t", WORD_PLAIN},
    {"uint16_t", WORD_PLAIN},
    {"uint32_t", WORD_PLAIN},
    {"uint64_t", WORD_PLAIN},
    {"__int128", WORD_WIDE},
    {"__int128_t", WORD_WIDE},
    {"__uint128", WORD_WIDE},
    {"__uint128_t", WORD_WIDE},
    {"intptr_t", WORD_PLAIN},
    {"uintptr_t", WORD_PLAIN},
    {"atomic_uint", WORD_ATOMIC},
    {"atomic_long", WORD_ATOMIC},
    {"atomic_ulong", WORD_ATOMIC},
    {"atomic_llong", WORD_ATOMIC},
    {"atomic_char", WORD_ATOMIC},
    {"atomic_uchar", WORD_ATOMIC},
    {"atomic_schar", WORD_ATOMIC},
    {"atomic_ushort", WORD_ATOMIC},
    {"atomic_short", WORD_ATOMIC},
    {"atomic_bool", WORD_ATOMIC},
    {"atomic_flag", WORD_ATOMIC},
    {"atomic_size_t", WORD_ATOMIC},
    {"atomic_intptr_t", WORD_ATOMIC},
    {"atomic_uintptr_t", WORD_ATOMIC},
};
enum { TYPE_WORDS = ARRAY_COUNT(type_words) };

static int find_type_word(const struct draft *draft, const struct token *token) {
  if (token->kind != TOKEN_NAME) return -1;
  if (!draft->dialect->group_memory && !strcmp(token->text, "group")) return -1;
  return ROW_INDEX(type_words, TYPE_WORDS, text, token->text);
}

static void fail_unknown_type(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  reader_fail(reader, token->span, "unknown type '%s'%s", token->text,
              reader_hint(reader, token->text, ROW_TEXTS(reader->arena, type_words, TYPE_WORDS, text)));
}

/* Two names in a row can only be a declaration, so the first is a type. */
static bool misspells_type(const struct draft *draft) {
  const struct token *token = draft->reader.token;
  return token->kind == TOKEN_NAME && token[1].kind == TOKEN_NAME;
}

/* Types that tests of others have, and why not these. */
static const struct {
  const char *text, *why;
} foreign_types[] = {
    {"float", "values are integers"},
    {"double", "values are integers"},
    {"half", "values are integers"},
    {"struct", "values are integers"},
    {"union", "values are integers"},
    {"int128_t", "C's type is __int128"},
    {"uint128_t", "C's type is unsigned __int128"},
    {"void", "locations have a type, such as int"},
    {"mutex", "C's type is mtx_t"},
};

static bool fail_foreign_type(struct draft *draft) {
  const struct token *token = draft->reader.token;
  for (size_t i = 0; i < ARRAY_COUNT(foreign_types); i++) {
    if (!token_is(token, foreign_types[i].text) || token[1].kind == TOKEN_END) continue;
    if (token[1].kind != TOKEN_NAME && !token_is(token + 1, "*")) continue;
    reader_fail(&draft->reader, token->span, "'%s' is not supported: %s", token->text, foreign_types[i].why);
    return true;
  }
  return false;
}

static void warn_of_width(struct draft *draft) {
  if (!draft->wide)
    diag_warning(draft->reader.diags, draft->reader.source, draft->reader.token->span,
                 "values of '%s' have 64 bits and a sign here: larger ones wrap", draft->reader.token->text);
  draft->wide = true;
}

/* Words that make a type narrow.  `int` and wider ones are not: an int that
 * overflows is undefined in C, and herd counts on. */
static void narrow(struct type *type, const char *word, bool *is_unsigned) {
  static const struct {
    const char *text;
    unsigned bits;
  } words[] = {{"char", 8}, {"short", 16}, {"int8_t", 8}, {"int16_t", 16}, {"bool", 1}, {"_Bool", 1}, {"flag", 1}};
  const char *plain = text_begins(word, "atomic_") ? word + 7 : word;
  bool u = plain[0] == 'u' && (text_begins(plain, "uint") || !strcmp(plain, "unsigned") || !strcmp(plain, "uchar") ||
                               !strcmp(plain, "ushort") || !strcmp(plain, "ulong"));
  if (u) *is_unsigned = true;
  if (u && (!strcmp(plain, "uint") || !strcmp(plain, "uint32_t") || !strcmp(plain, "unsigned")) && !type->width.bits)
    type->width.bits = 32;
  if (u && strcmp(plain, "unsigned") != 0) plain++;
  int i = ROW_INDEX(words, ARRAY_COUNT(words), text, plain);
  if (i >= 0) type->width.bits = words[i].bits;
  if (!strcmp(plain, "long") || !strcmp(plain, "llong") || strstr(plain, "64_t") || strstr(plain, "ptr_t") ||
      strstr(plain, "int128"))
    type->width.bits = 64;
}

bool draft_parse_type(struct draft *draft, struct type *type) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  *type = (struct type){0};
  bool base = false;
  bool open = false, is_unsigned = false;
  for (int word; !reader->failed; reader_take(reader)) {
    if (reader->token != first && token_is(reader->token - 1, "_Atomic")) open |= reader_skip(reader, "(");
    if (token_is(reader->token, "struct") && token_is(reader->token + 1, "srcu_struct")) reader_take(reader);
    word = find_type_word(draft, reader->token);
    if (word < 0) break;
    enum type_word means = type_words[word].means;
    if (means == WORD_WIDE) warn_of_width(draft);
    base |= means == WORD_PLAIN || means == WORD_WIDE ||
            (means == WORD_ATOMIC && strcmp(reader->token->text, "_Atomic") != 0);
    type->atomic |= means == WORD_ATOMIC;
    narrow(type, reader->token->text, &is_unsigned);
    type->pointer |= strstr(reader->token->text, "intptr_t") != NULL;
    if (means == WORD_GLOBAL) type->regions |= REGION_GLOBAL;
    if (means == WORD_LOCAL) type->regions |= REGION_LOCAL;
  }
  if (!base) {
    if (fail_foreign_type(draft)) return false;
    if (misspells_type(draft))
      fail_unknown_type(draft);
    else if (reader->token != first)
      reader_fail_expected(reader, "a type such as int or atomic_int");
  }
  type->width.is_long = type->width.bits == 64;
  if (type->width.is_long) type->width.bits = 0;
  type->width.is_signed = !is_unsigned;
  while (open && reader_skip(reader, "*")) type->pointer = true;
  if (open) reader_expect(reader, ")", "after the type");
  type->span = reader_span_from(reader, first);
  if (type->regions == (REGION_GLOBAL | REGION_LOCAL))
    reader_fail(reader, type->span, "a location is either global or local");
  return !reader->failed && reader->token != first;
}

void draft_declare_location(struct draft *draft, struct draft_location *location, const struct type *type,
                            struct span span, bool parameter) {
  if (type->regions && location->regions && type->regions != location->regions)
    reader_fail(&draft->reader, span, "'%s' is %s here but was %s before", location->name,
                type->regions == REGION_LOCAL ? "local" : "global",
                location->regions == REGION_LOCAL ? "local" : "global");
  location->regions |= type->regions;
  if (parameter && !location->parameter) location->plain = false;
  if (!location->typed || (parameter && !location->parameter)) location->width = type->width;
  location->typed = true;
  location->parameter |= parameter;
  location->pointer |= type->pointer;
  location->plain |= !type->atomic;
}

/* --- the init section ------------------------------------------------------------ */

/* Whose initial value is being read. */
struct owner {
  bool is_register;
  size_t index; /* of a location, or of the next register init */
  unsigned cell;
};

/* `&x`, `x`, `&a[1]`: what address that is shows when all locations are known. */
static int64_t parse_address(struct draft *draft, struct owner owner) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  reader_skip(reader, "&");
  struct draft_address address = {.owner = owner.index, .of_register = owner.is_register, .cell = owner.cell};
  address.name = reader_take_name(reader, "a location after '&'");
  if (reader_skip(reader, "[")) {
    int64_t cell = reader_take_number(reader, "the number of a cell");
    address.offset = cell < 0 || cell > ARRAY_LIMIT ? ARRAY_LIMIT : (unsigned)cell;
    reader_expect(reader, "]", "after the number of the cell");
  }
  address.span = reader_span_from(reader, first);
  if (!reader->failed) *vec_push(reader->arena, &draft->addresses) = address;
  return 0;
}

static int64_t parse_value(struct draft *draft, struct owner owner) {
  struct reader *reader = &draft->reader;
  static const char *const wraps[] = {"ATOMIC_VAR_INIT", "ATOMIC_INIT", "atomic_init"};
  if (reader_skip(reader, "NULL") || reader_skip(reader, "ATOMIC_FLAG_INIT")) return 0;
  bool wrapped = false;
  for (size_t i = 0; i < ARRAY_COUNT(wraps); i++) wrapped |= reader_skip(reader, wraps[i]);
  if (wrapped) reader_expect(reader, "(", "before the initial value");
  bool address = reader_is(reader, "&") || reader_is_name(reader);
  int64_t value = address ? parse_address(draft, owner) : reader_take_number(reader, "an initial value");
  if (wrapped) reader_expect(reader, ")", "after the initial value");
  return value;
}

static struct owner cell_of(const struct draft *draft, const struct draft_location *location, unsigned cell) {
  return (struct owner){.index = (size_t)(location - draft->locations.at), .cell = cell};
}

static void fail_address(struct draft *draft, const struct draft_address *address) {
  reader_fail(&draft->reader, address->span, "expected a number or the address of a location: '%s' is neither%s",
              address->name, draft_location_hint(draft, address->name));
}

/* In C, as in herd7, an address in the init section may be all that is said of a location. */
void draft_add_addressed(struct draft *draft) {
  for (size_t i = 0; i < draft->addresses.count && draft->dialect->language == LANG_C; i++) {
    const struct draft_address *address = &draft->addresses.at[i];
    if (draft_find_location(draft, address->name)) continue;
    diag_warning(draft->reader.diags, draft->reader.source, address->span,
                 "'%s' is known by its address only: it is an ordinary location, initially 0", address->name);
    draft_add_location(draft, address->name, address->span)->plain = true;
  }
}

void draft_resolve_addresses(struct draft *draft) {
  for (size_t i = 0; i < draft->addresses.count && !draft->reader.failed; i++) {
    const struct draft_address *address = &draft->addresses.at[i];
    const struct draft_location *to = draft_find_location(draft, address->name);
    if (!to) {
      fail_address(draft, address);
      return;
    }
    if (address->offset >= to->size)
      reader_fail(&draft->reader, address->span, "'%s' has cells 0 to %u", to->name, to->size - 1);
    int64_t value = ADDRESS_FIRST + to->first + address->offset;
    draft->takes_addresses = true;
    if (address->of_register) {
      draft->register_inits.at[address->owner].value = value;
      draft->register_inits.at[address->owner].pointer = true;
    } else {
      draft->locations.at[address->owner].init[address->cell] = value;
      draft->locations.at[address->owner].pointer = true;
    }
  }
}

static void grow_location(struct draft *draft, struct draft_location *location, unsigned size) {
  int64_t *init = ARENA_ARRAY(draft->reader.arena, int64_t, size);
  for (unsigned i = 0; i < location->size && i < size; i++) init[i] = location->init[i];
  location->init = init;
  location->size = size;
}

static void parse_array_values(struct draft *draft, struct draft_location *location, bool sized) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  unsigned count = 0;
  reader_expect(reader, "{", "before an array's values");
  while (!reader->failed && !reader_is(reader, "}")) {
    if (!sized && count >= location->size) grow_location(draft, location, location->size * 2);
    if (count >= location->size || count >= ARRAY_LIMIT) {
      reader_fail(reader, reader->token->span, "more values than cells");
      return;
    }
    location->init[count] = parse_value(draft, cell_of(draft, location, count));
    count++;
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, "}", "after an array's values");
  if (!count) reader_fail(reader, first->span, "an array without cells");
  if (!sized && count) grow_location(draft, location, count);
}

void draft_parse_array(struct draft *draft, struct draft_location *location) {
  struct reader *reader = &draft->reader;
  location->array = true;
  bool sized = !reader_is(reader, "]");
  if (sized) {
    const struct token *number = reader->token;
    int64_t size = reader_take_number(reader, "the array's size");
    if (size < 1 || size > ARRAY_LIMIT)
      reader_fail(reader, number->span, "an array has 1 to %d cells", ARRAY_LIMIT);
    else
      grow_location(draft, location, (unsigned)size);
  }
  reader_expect(reader, "]", "after the array's size");
  if (reader_skip(reader, "=")) {
    parse_array_values(draft, location, sized);
  } else if (!sized) {
    reader_fail_expected(reader, "the array's values, since its size is not given");
  }
}

static void parse_location(struct draft *draft, const struct type *type) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  bool bracketed = reader_skip(reader, "[");
  const struct token *name = reader->token;
  unsigned number;
  if (draft_is_thread_name(name, &number)) reader_fail_expected(reader, "'}' before the threads");
  reader_take_name(reader, bracketed ? "a location" : "a location, a register such as 0:r0, or '}'");
  if (bracketed) reader_expect(reader, "]", "after the location");
  if (reader->failed) return;
  struct draft_location *location = draft_add_location(draft, name->text, name->span);
  if (location->initialised)
    reader_fail(reader, reader_span_from(reader, first), "'%s' is initialised twice", name->text);
  location->initialised = true;
  if (type) draft_declare_location(draft, location, type, name->span, false);
  if (!bracketed && reader_skip(reader, "["))
    draft_parse_array(draft, location);
  else if (reader_skip(reader, "="))
    location->init[0] = parse_value(draft, cell_of(draft, location, 0));
}

bool draft_skip_thread(struct reader *reader, unsigned *number) {
  enum { MOST = 100000 };
  const struct token *token = reader->token;
  if (!token_is(token + (token != reader->end), ":")) return false;
  if (token->kind == TOKEN_NUMBER)
    *number = token->value > MOST ? MOST : (unsigned)token->value;
  else if (!draft_is_thread_name(token, number))
    return false;
  reader_take(reader);
  reader_take(reader);
  return true;
}

void draft_init_register(struct draft *draft, unsigned number, const char *name, int64_t value, struct span span) {
  if (!draft->reader.failed)
    *vec_push(draft->reader.arena, &draft->register_inits) =
        (struct draft_register_init){.number = number, .name = name, .value = value, .span = span};
}

static void parse_register(struct draft *draft, const struct token *first, unsigned number) {
  struct reader *reader = &draft->reader;
  const char *name = reader_take_name(reader, "a register");
  struct span span = reader_span_from(reader, first);
  struct owner owner = {.is_register = true, .index = draft->register_inits.count};
  draft_init_register(draft, number, name, reader_skip(reader, "=") ? parse_value(draft, owner) : 0, span);
}

static void parse_item(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct type type;
  bool typed = draft_parse_type(draft, &type);
  while (reader_skip(reader, "*")) continue;
  const struct token *first = reader->token;
  unsigned number;
  if (draft_skip_thread(reader, &number))
    parse_register(draft, first, number);
  else
    parse_location(draft, typed ? &type : NULL);
}

void draft_parse_items(struct draft *draft, void (*item)(struct draft *draft), const char *behind) {
  struct reader *reader = &draft->reader;
  while (!reader->failed && !reader_is(reader, "}")) {
    if (reader_skip(reader, ";")) continue;
    item(draft);
    if (!reader_is(reader, "}")) reader_expect(reader, ";", behind);
  }
  reader_skip(reader, "}");
}

void draft_parse_init_items(struct draft *draft, void (*item)(struct draft *draft)) {
  reader_expect(&draft->reader, "{", "before the initial values");
  draft_parse_items(draft, item, "after an initial value");
  reader_skip(&draft->reader, ";");
}

void draft_parse_init(struct draft *draft) {
  draft_parse_init_items(draft, parse_item);
}
