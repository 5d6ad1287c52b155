/* SPDX-License-Identifier: MIT */
/* The IR, line by line; see rewrite_llvm_ir.h. */
#include "checker/spirv/rewrite_llvm_ir.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/spirv/debug_metadata.h"

/* ---- OpenCL's functions ---- */

enum builtin_kind {
  BUILTIN_LOAD,
  BUILTIN_STORE,
  BUILTIN_INIT,
  BUILTIN_RMW,
  BUILTIN_STEP, /* by one */
  BUILTIN_CAS,
  BUILTIN_LEGACY_CAS, /* returns the old value */
  BUILTIN_SET_FLAG,
  BUILTIN_CLEAR_FLAG,
  BUILTIN_FENCE,
  BUILTIN_LEGACY_FENCE,
  BUILTIN_BARRIER,
  BUILTIN_ANY, /* of the highest bits of a vector's elements */
  BUILTIN_ALL
};

/* Orders as OpenCL's header numbers them. */
enum { RELAXED, ACQUIRE = 2, RELEASE, ACQ_REL, SEQ_CST };

struct builtin {
  const char *name;
  enum builtin_kind kind;
  const char *op, *signed_op; /* __spirv_Atomic...; signed_op: where it differs */
  int order;                  /* if no argument says it */
  int scope;                  /* BARRIER: SPIR-V's, of those that wait */
};

/* `_explicit` after these names, then order and scope; with the old prefixes also `atom_`. */
static const struct builtin builtins[] = {
    {"atomic_load", BUILTIN_LOAD, "Load", NULL, SEQ_CST, 0},
    {"atomic_store", BUILTIN_STORE, "Store", NULL, SEQ_CST, 0},
    {"atomic_init", BUILTIN_INIT, NULL, NULL, 0, 0},
    {"atomic_exchange", BUILTIN_RMW, "Exchange", NULL, SEQ_CST, 0},
    {"atomic_fetch_add", BUILTIN_RMW, "IAdd", NULL, SEQ_CST, 0},
    {"atomic_fetch_sub", BUILTIN_RMW, "ISub", NULL, SEQ_CST, 0},
    {"atomic_fetch_or", BUILTIN_RMW, "Or", NULL, SEQ_CST, 0},
    {"atomic_fetch_xor", BUILTIN_RMW, "Xor", NULL, SEQ_CST, 0},
    {"atomic_fetch_and", BUILTIN_RMW, "And", NULL, SEQ_CST, 0},
    {"atomic_fetch_min", BUILTIN_RMW, "UMin", "SMin", SEQ_CST, 0},
    {"atomic_fetch_max", BUILTIN_RMW, "UMax", "SMax", SEQ_CST, 0},
    {"atomic_compare_exchange_strong", BUILTIN_CAS, "CompareExchange", NULL, SEQ_CST, 0},
    {"atomic_compare_exchange_weak", BUILTIN_CAS, "CompareExchange", NULL, SEQ_CST, 0},
    {"atomic_flag_test_and_set", BUILTIN_SET_FLAG, "Exchange", NULL, SEQ_CST, 0},
    {"atomic_flag_clear", BUILTIN_CLEAR_FLAG, "Store", NULL, SEQ_CST, 0},
    {"atomic_add", BUILTIN_RMW, "IAdd", NULL, RELAXED, 0},
    {"atomic_sub", BUILTIN_RMW, "ISub", NULL, RELAXED, 0},
    {"atomic_xchg", BUILTIN_RMW, "Exchange", NULL, RELAXED, 0},
    {"atomic_or", BUILTIN_RMW, "Or", NULL, RELAXED, 0},
    {"atomic_xor", BUILTIN_RMW, "Xor", NULL, RELAXED, 0},
    {"atomic_and", BUILTIN_RMW, "And", NULL, RELAXED, 0},
    {"atomic_min", BUILTIN_RMW, "UMin", "SMin", RELAXED, 0},
    {"atomic_max", BUILTIN_RMW, "UMax", "SMax", RELAXED, 0},
    {"atomic_inc", BUILTIN_STEP, "IAdd", NULL, RELAXED, 0},
    {"atomic_dec", BUILTIN_STEP, "ISub", NULL, RELAXED, 0},
    {"atomic_cmpxchg", BUILTIN_LEGACY_CAS, "CompareExchange", NULL, RELAXED, 0},
    {"atomic_work_item_fence", BUILTIN_FENCE, NULL, NULL, SEQ_CST, 0},
    {"mem_fence", BUILTIN_LEGACY_FENCE, NULL, NULL, ACQ_REL, 0},
    {"read_mem_fence", BUILTIN_LEGACY_FENCE, NULL, NULL, ACQUIRE, 0},
    {"write_mem_fence", BUILTIN_LEGACY_FENCE, NULL, NULL, RELEASE, 0},
    {"barrier", BUILTIN_BARRIER, NULL, NULL, 0, 2},
    {"work_group_barrier", BUILTIN_BARRIER, NULL, NULL, 0, 2},
    {"sub_group_barrier", BUILTIN_BARRIER, NULL, NULL, 0, 3},
    {"any", BUILTIN_ANY, NULL, NULL, 0, 0},
    {"all", BUILTIN_ALL, NULL, NULL, 0, 0},
};

static const struct builtin *builtin_named(const char *name, size_t length) {
  static const char explicit[] = "_explicit";
  size_t extra = sizeof explicit - 1, skip = length > 5 && !strncmp(name, "atom_", 5) ? 5 : 0;
  if (length > extra && !strncmp(name + length - extra, explicit, extra)) length -= extra;
  for (size_t i = 0; i < ARRAY_COUNT(builtins); i++) {
    const char *known = builtins[i].name + (skip ? 7 : 0);
    bool fits = !skip || (!strncmp(builtins[i].name, "atomic_", 7) && builtins[i].order == RELAXED);
    if (fits && text_part_is(name + skip, length - skip, known)) return &builtins[i];
  }
  return NULL;
}

/* ---- a line's words ---- */

enum { MOST_ARGUMENTS = 8 };

struct word {
  const char *type, *value;
};

struct call {
  const char *result, *type; /* `%3`, `i32`; result: NULL: none */
  const struct builtin *builtin;
  const char *mangled; /* after the name */
  struct word arguments[MOST_ARGUMENTS];
  unsigned count;
};

struct rewriting {
  struct arena *arena;
  const char *rest; /* of the text, after the line */
  const struct source *source;
  struct diags *diags;
  struct metadata metadata;
  FILE *out;
  VEC(const char *) declared; /* `i32 @_Z18__spirv_AtomicLoad...(ptr, i32, i32)` */
  VEC(struct ir_argument) arguments;
  unsigned line, column; /* that the code is at; 0: none */
  unsigned names;        /* values made so far */
  bool failed;
};

static void fail(struct rewriting *r, unsigned location, const char *message) {
  unsigned line, column;
  struct span span = {0};
  if (metadata_place(&r->metadata, location, &line, &column)) {
    uint32_t at = 0;
    for (; line > 1 && at < r->source->size; at++) line -= r->source->text[at] == '\n';
    span = (struct span){at + (column ? column - 1 : 0), 1};
  }
  if (!r->failed) diag_error(r->diags, r->source, span, "%s", message);
  r->failed = true;
}

/* `ptr addrspace(4)`, `i32`, `<2 x i32>`, `{ i32, i1 }`: where a type ends. */
static const char *type_end(const char *at) {
  int depth = 0;
  for (; *at && (depth || *at != ' '); at++) {
    if (strchr("<{[(", *at)) depth++;
    if (strchr(">}])", *at) && --depth < 0) return at;
  }
  if (!strncmp(at, " addrspace(", 11)) at += strcspn(at, ")") + 1;
  return at;
}

static bool is_attribute(const char *at, size_t length) {
  static const char *const words[] = {"noundef", "zeroext", "signext", "nonnull", "captures(none)"};
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
    if (text_part_is(at, length, words[i])) return true;
  return false;
}

static const char *skip_attributes(const char *at) {
  for (;;) {
    at += strspn(at, " ");
    size_t length = strcspn(at, " ");
    if (!strncmp(at, "align ", 6))
      at += 6 + strspn(at + 6, "0123456789");
    else if (is_attribute(at, length))
      at += length;
    else
      return at;
  }
}

/* Where an argument or operand ends: at a comma, or the bracket that closes what is around it. */
static const char *argument_end(const char *at) {
  int depth = 0;
  for (; *at; at++) {
    if (strchr("<{[(", *at)) depth++;
    if (strchr(">}])", *at) && --depth < 0) return at;
    if (!depth && *at == ',') return at;
  }
  return at;
}

static struct word take_word(struct rewriting *r, const char **at) {
  const char *end = type_end(*at), *value = skip_attributes(end), *last = argument_end(value);
  struct word word = {arena_strndup(r->arena, *at, (size_t)(end - *at)),
                      arena_strndup(r->arena, value, (size_t)(last - value))};
  *at = last;
  return word;
}

/* `  %r = call spir_func i32 @_Z11atomic_load...(...)`; false: it is no call of these functions. */
static bool take_call(struct rewriting *r, const char *line, struct call *call) {
  const char *at = line + strspn(line, " "), *name = strstr(at, " @_Z"),
             *equals = *at == '%' ? strstr(at, " = ") : NULL;
  const char *verb = equals ? equals + 3 : at;
  if (!strncmp(verb, "tail ", 5)) verb += 5;
  if (!name || strncmp(verb, "call ", 5) != 0) return false;
  char *digits;
  size_t length = strtoul(name + 4, &digits, 10);
  if (strlen(digits) < length) return false;
  *call = (struct call){.builtin = builtin_named(digits, length)};
  if (!call->builtin) return false;
  bool tests = call->builtin->kind == BUILTIN_ANY || call->builtin->kind == BUILTIN_ALL;
  if (tests && !strchr("csilD", digits[length])) return false; /* somebody's own function of this name */
  if (equals) call->result = arena_strndup(r->arena, at, (size_t)(equals - at));
  const char *type = name;
  while (type > verb && type[-1] != ' ') type--;
  call->type = arena_strndup(r->arena, type, (size_t)(name - type));
  const char *open = strchr(digits, '(');
  if (!open) return false;
  call->mangled = arena_strndup(r->arena, digits + length, (size_t)(open - digits) - length);
  for (at = open + 1; *at && *at != ')' && call->count < MOST_ARGUMENTS; at += strspn(at, ", "))
    call->arguments[call->count++] = take_word(r, &at);
  return true;
}

/* ---- writing ---- */

static const char *new_name(struct rewriting *r) {
  return arena_printf(r->arena, "%%litscope.%u", r->names++);
}

/* How C++ mangles a type, as the back end reads it. */
static const char *mangle(struct rewriting *r, const char *type, const char *pointee) {
  static const struct {
    const char *type, *mangled;
  } scalars[] = {{"i8", "h"},    {"i16", "t"},   {"i32", "j"},   {"i64", "m"},
                 {"half", "Dh"}, {"float", "f"}, {"double", "d"}};
  assert(type);
  for (size_t i = 0; i < ARRAY_COUNT(scalars); i++)
    if (!strcmp(scalars[i].type, type)) return scalars[i].mangled;
  const char *space = strchr(type, '(');
  return space ? arena_printf(r->arena, "PU3AS%c%s", space[1], pointee) : arena_printf(r->arena, "P%s", pointee);
}

/* Calls __spirv_OP with these arguments; `result.value`: NULL: it has none. */
static void put_call(struct rewriting *r, struct word result, const char *op, const char *pointee,
                     const struct word *arguments, unsigned count) {
  struct text name = text_new(), types = text_new(), words = text_new();
  fprintf(name.out, "@_Z%zu__spirv_%s", strlen("__spirv_") + strlen(op), op);
  for (unsigned i = 0; i < count; i++) {
    fputs(mangle(r, arguments[i].type, pointee), name.out);
    fprintf(types.out, "%s%s", i ? ", " : "", arguments[i].type);
    fprintf(words.out, "%s%s %s", i ? ", " : "", arguments[i].type, arguments[i].value);
  }
  const char *called = text_keep(&name, r->arena), *taken = text_keep(&types, r->arena);
  fprintf(r->out, "  %s%scall spir_func %s %s(%s)\n", result.value ? result.value : "", result.value ? " = " : "",
          result.type, called, text_keep(&words, r->arena));
  const char *declaration = arena_printf(r->arena, "%s %s(%s)", result.type, called, taken);
  if (text_index(declaration, r->declared.at, r->declared.count) >= 0) return;
  *vec_push(r->arena, &r->declared) = declaration;
}

static struct word number(struct rewriting *r, unsigned value) {
  return (struct word){"i32", arena_printf(r->arena, "%u", value)};
}

/* SPIR-V's number for OpenCL's; -1: it is no constant, or no such thing. */
static int constant(const struct word *word, const int *numbers, int count) {
  if (!isdigit((unsigned char)*word->value)) return -1;
  long value = strtol(word->value, NULL, 10);
  return value < count ? numbers[value] : -1;
}

static int order_bits(const struct word *word) {
  static const int bits[] = {0, -1, 0x2, 0x4, 0x8, 0x10};
  return constant(word, bits, 6);
}

static int scope_number(const struct word *word) {
  static const int scopes[] = {4, 2, 1, 0, 3};
  return constant(word, scopes, 5);
}

/* CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2, CLK_IMAGE_MEM_FENCE 4. */
static int memory_bits(const struct word *word) {
  static const int bits[] = {0, 0x100, 0x200, 0x300, 0x800, 0x900, 0xA00, 0xB00};
  return constant(word, bits, 8);
}

/* ---- calls ---- */

/* Argument `index` as an order or a scope, or what stands for it where there is none. */
static int order_argument(const struct call *call, unsigned index) {
  struct word given = {"i32", (const char[]){(char)('0' + call->builtin->order), 0}};
  return order_bits(index < call->count ? &call->arguments[index] : &given);
}

static int scope_argument(const struct call *call, unsigned index) {
  enum { SCOPE_DEVICE = 1 };
  return index < call->count ? scope_number(&call->arguments[index]) : SCOPE_DEVICE;
}

/* `PU3AS4VU7_Atomicj`: the letter of what the pointer points to. */
static char pointee_letter(const char *mangled) {
  const char *at = mangled + strspn(mangled, "P");
  if (!strncmp(at, "U3AS", 4)) at += 5;
  at += strspn(at, "VK");
  if (!strncmp(at, "U7_Atomic", 9)) at += 9;
  return *at;
}

/* Does it compute a float? */
static bool is_of_floats(const struct call *call) {
  const char *type = call->count > 1 ? call->arguments[1].type : "";
  bool real = !strcmp(type, "float") || !strcmp(type, "double") || !strcmp(type, "half");
  return call->builtin->kind == BUILTIN_RMW && real && strcmp(call->builtin->op, "Exchange") != 0;
}

static bool is_sum(const struct call *call) {
  return !strcmp(call->builtin->op, "IAdd") || !strcmp(call->builtin->op, "ISub");
}

static const char *op_of(const struct call *call) {
  if (is_of_floats(call)) return "FAddEXT";
  char letter = pointee_letter(call->mangled);
  bool is_signed = letter && strchr("ilascx", letter) != NULL;
  return call->builtin->signed_op && is_signed ? call->builtin->signed_op : call->builtin->op;
}

/* Orders and scope of a call. */
struct meant {
  int order, failed, scope, memory;
};

static const struct word nothing = {"void", NULL};

/* `more`: values, of which the first is of the type that is accessed where there is no result. */
static void put_atomic(struct rewriting *r, const struct call *call, struct word result, const struct meant *meant,
                       const struct word *more, unsigned more_count) {
  struct word words[MOST_ARGUMENTS] = {call->arguments[0], number(r, (unsigned)meant->scope),
                                       number(r, (unsigned)meant->order)};
  for (unsigned i = 0; i < more_count; i++) words[3 + i] = more[i];
  const char *accessed = result.type == nothing.type ? more->type : result.type;
  put_call(r, result, arena_printf(r->arena, "Atomic%s", op_of(call)), mangle(r, accessed, ""), words, 3 + more_count);
}

/* A value as a number of its bits, which is all that a compare-and-swap takes. */
static struct word as_bits(struct rewriting *r, struct word value) {
  const char *type = !strcmp(value.type, "float") ? "i32" : !strcmp(value.type, "double") ? "i64" : NULL;
  if (!type) return value;
  const char *bits = new_name(r);
  fprintf(r->out, "  %s = bitcast %s %s to %s\n", bits, value.type, value.value, type);
  return (struct word){type, bits};
}

/* Expected and found value: the first is read from memory, and the other written there if it differs; in all other
 * cases the same value is there already. */
static void put_cas(struct rewriting *r, const struct call *call, const struct meant *meant) {
  const struct word *expected = &call->arguments[1], desired = as_bits(r, call->arguments[2]);
  const char *type = desired.type, *before = new_name(r), *old = new_name(r);
  fprintf(r->out, "  %s = load %s, %s %s\n", before, type, expected->type, expected->value);
  struct word words[] = {number(r, (unsigned)meant->failed), desired, {type, before}};
  put_atomic(r, call, (struct word){type, old}, meant, words, 3);
  fprintf(r->out, "  store %s %s, %s %s\n", type, old, expected->type, expected->value);
  if (call->result) fprintf(r->out, "  %s = icmp eq %s %s, %s\n", call->result, type, old, before);
}

static void put_fence(struct rewriting *r, const struct call *call, int scope, int bits) {
  struct word words[] = {number(r, (unsigned)call->builtin->scope), number(r, (unsigned)scope),
                         number(r, (unsigned)bits)};
  if (call->builtin->kind == BUILTIN_BARRIER)
    put_call(r, nothing, "ControlBarrier", "", words, 3);
  else
    put_call(r, nothing, "MemoryBarrier", "", words + 1, 2);
}

/* The back end would take numbers for truth values here, which is not valid. */
static void put_test(struct rewriting *r, const struct call *call) {
  const struct word *value = &call->arguments[0];
  const char *join = call->builtin->kind == BUILTIN_ANY ? "or" : "and", *result = NULL;
  unsigned lanes = *value->type == '<' ? (unsigned)strtoul(value->type + 1, NULL, 10) : 0;
  const char *negative = new_name(r);
  fprintf(r->out, "  %s = icmp slt %s %s, %s\n", negative, value->type, value->value, lanes ? "zeroinitializer" : "0");
  for (unsigned i = 0; i < lanes; i++) {
    const char *lane = new_name(r), *joined = i ? new_name(r) : lane;
    fprintf(r->out, "  %s = extractelement <%u x i1> %s, i32 %u\n", lane, lanes, negative, i);
    if (i) fprintf(r->out, "  %s = %s i1 %s, %s\n", joined, join, result, lane);
    result = joined;
  }
  if (call->result) fprintf(r->out, "  %s = zext i1 %s to i32\n", call->result, result ? result : negative);
}

/* False: some are no constants. */
static bool find_meant(const struct call *call, struct meant *meant) {
  *meant = (struct meant){0};
  switch (call->builtin->kind) {
    case BUILTIN_INIT:
      return call->count == 2;
    case BUILTIN_LOAD:
    case BUILTIN_SET_FLAG:
    case BUILTIN_CLEAR_FLAG:
    case BUILTIN_STEP:
      *meant = (struct meant){.order = order_argument(call, 1), .scope = scope_argument(call, 2)};
      return true;
    case BUILTIN_STORE:
    case BUILTIN_RMW:
      *meant = (struct meant){.order = order_argument(call, 2), .scope = scope_argument(call, 3)};
      return call->count > 1;
    case BUILTIN_CAS:
      *meant = (struct meant){
          .order = order_argument(call, 3), .failed = order_argument(call, 4), .scope = scope_argument(call, 5)};
      return call->count > 2;
    case BUILTIN_LEGACY_CAS:
      meant->scope = 1;
      return call->count == 3;
    case BUILTIN_FENCE:
      *meant = (struct meant){order_argument(call, 1), 0, scope_argument(call, 2), memory_bits(&call->arguments[0])};
      return call->count == 3;
    case BUILTIN_LEGACY_FENCE:
      *meant = (struct meant){order_argument(call, 1), 0, 2, memory_bits(&call->arguments[0])};
      return call->count == 1;
    case BUILTIN_ANY:
    case BUILTIN_ALL:
      return call->count == 1;
    case BUILTIN_BARRIER:
      *meant = (struct meant){order_bits(&(struct word){"i32", "5"}), 0, call->builtin->scope,
                              memory_bits(&call->arguments[0])};
      if (call->count > 1) meant->scope = scope_number(&call->arguments[1]);
      return call->count > 0;
  }
  return false;
}

static bool put_builtin(struct rewriting *r, const struct call *call) {
  const struct word *value = &call->arguments[1], one = {call->type, "1"}, set[] = {{"i32", "1"}, {"i32", "0"}};
  const struct word result = {call->type, call->result};
  struct word negated;
  struct meant m;
  if (!find_meant(call, &m) || m.order < 0 || m.failed < 0 || m.scope < 0 || m.memory < 0) return false;
  switch (call->builtin->kind) {
    case BUILTIN_LOAD:
      put_atomic(r, call, result, &m, NULL, 0);
      return true;
    case BUILTIN_STORE:
      put_atomic(r, call, nothing, &m, value, 1);
      return true;
    case BUILTIN_INIT:
      fprintf(r->out, "  store %s %s, %s %s\n", value->type, value->value, call->arguments[0].type,
              call->arguments[0].value);
      return true;
    case BUILTIN_RMW:
      if (is_of_floats(call) && !strcmp(call->builtin->op, "ISub")) {
        negated = (struct word){value->type, new_name(r)};
        fprintf(r->out, "  %s = fneg %s %s\n", negated.value, negated.type, value->value);
        value = &negated;
      }
      put_atomic(r, call, result, &m, value, 1);
      return true;
    case BUILTIN_STEP:
      put_atomic(r, call, result, &m, &one, 1);
      return true;
    case BUILTIN_CAS:
      put_cas(r, call, &m);
      return true;
    case BUILTIN_LEGACY_CAS:
      put_atomic(r, call, result, &m, (const struct word[]){number(r, 0), call->arguments[2], call->arguments[1]}, 3);
      return true;
    case BUILTIN_SET_FLAG: {
      const char *old = new_name(r);
      put_atomic(r, call, (struct word){"i32", old}, &m, &set[0], 1);
      if (call->result) fprintf(r->out, "  %s = icmp ne i32 %s, 0\n", call->result, old);
      return true;
    }
    case BUILTIN_CLEAR_FLAG:
      put_atomic(r, call, nothing, &m, &set[1], 1);
      return true;
    case BUILTIN_ANY:
    case BUILTIN_ALL:
      put_test(r, call);
      return true;
    case BUILTIN_FENCE:
    case BUILTIN_LEGACY_FENCE:
    case BUILTIN_BARRIER:
      put_fence(r, call, m.scope, m.order | m.memory);
      return true;
  }
  return false;
}

/* ---- LLVM's own atomic loads and stores ---- */

static int find_number(const char *text, const char *const *words, const int *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strncmp(text, words[i], strlen(words[i]))) return numbers[i];
  return -1;
}

/* ` syncscope("device") acquire, align 4`: without a scope, all devices. */
static bool take_order(const char *at, int *scope, int *order) {
  static const char *const scope_words[] = {"singlethread", "subgroup", "workgroup", "device", "all_svm_devices"};
  static const int scopes[] = {4, 3, 2, 1, 0};
  static const char *const order_words[] = {"unordered", "monotonic", "acquire", "release", "seq_cst"};
  static const int orders[] = {0, 0, 0x2, 0x4, 0x10};
  *scope = 0;
  at += strspn(at, " ");
  if (!strncmp(at, "syncscope(\"", 11)) {
    *scope = find_number(at + 11, scope_words, scopes, 5);
    at += strcspn(at, ")") + 1;
    at += strspn(at, " ");
  }
  *order = find_number(at, order_words, orders, 5);
  return *scope >= 0 && *order >= 0;
}

/* An operand after which the order comes. */
static struct word take_pointer(struct rewriting *r, const char **at) {
  const char *end = type_end(*at), *value = end + strspn(end, " "), *last = value;
  for (int depth = 0; *last && (depth || *last != ' '); last++) depth += (*last == '(') - (*last == ')');
  if (!strncmp(value, "addrspacecast ", 14) || !strncmp(value, "getelementptr ", 14)) {
    last = strchr(value, '(');
    int depth = 0;
    while (last && *last) {
      depth += (*last == '(') - (*last == ')');
      last++;
      if (!depth) break;
    }
    if (!last) last = value;
  }
  struct word word = {arena_strndup(r->arena, *at, (size_t)(end - *at)),
                      arena_strndup(r->arena, value, (size_t)(last - value))};
  *at = last;
  return word;
}

static bool put_native(struct rewriting *r, const char *line) {
  const char *load = strstr(line, " = load atomic "), *store = !load ? strstr(line, "  store atomic ") : NULL;
  if (!load && !store) return false;
  const char *at = load ? load + strlen(" = load atomic ") : store + strlen("  store atomic ");
  if (!strncmp(at, "volatile ", 9)) at += 9;
  struct word value = {0};
  if (load) {
    const char *end = type_end(at);
    if (end > at && end[-1] == ',') end--;
    value.type = arena_strndup(r->arena, at, (size_t)(end - at));
    at = end;
  } else {
    value = take_word(r, &at);
  }
  at += strspn(at, ", ");
  struct word pointer = take_pointer(r, &at);
  int scope, order;
  if (!take_order(at, &scope, &order)) return false;
  struct word words[] = {pointer, number(r, (unsigned)scope), number(r, (unsigned)order), value};
  const char *pointee = mangle(r, value.type, ""), *start = line + strspn(line, " ");
  if (load)
    put_call(r, (struct word){value.type, arena_strndup(r->arena, start, (size_t)(load - start))}, "AtomicLoad",
             pointee, words, 3);
  else
    put_call(r, nothing, "AtomicStore", pointee, words, 4);
  return true;
}

/* ---- vectors of three ---- */

/* clang loads and stores them as vectors of four, through values of these names, and would touch bytes that
 * are nobody's. */
static const char *as_three(struct rewriting *r, const char *line) {
  const char *four = strstr(line, "<4 x ");
  bool loads = strstr(line, "%loadVecN") != NULL, makes = !strncmp(line, "  %extractVec", 13);
  bool stores = !strncmp(line, "  store <4 x ", 13) || !strncmp(line, "  store volatile <4 x ", 22);
  bool extends = makes ? strstr(line, " = shufflevector <3 x ") != NULL : stores && strstr(line, "%extractVec");
  if (!four || (!loads && !extends)) return line;
  char *three = arena_strdup(r->arena, line);
  for (char *at = three; (at = strstr(at, "<4 x ")); at += 5) at[1] = '3';
  char *last = strstr(three, "i32 0, i32 1, i32 2, ");
  if (extends && last) memmove(last + 19, strchr(last, '>'), strlen(strchr(last, '>')) + 1);
  return three;
}

/* ---- loads for nothing ---- */

/* What nobody uses of what is loaded from memory that others may write: the back end would leave the access out, and
 * with it a race. */
static const char *as_kept(struct rewriting *r, const char *line) {
  const char *load = strstr(line, " = load "), *name = line + 2;
  if (!load || *name != '%' || !strstr(load, ", ptr addrspace(") || !strncmp(load + 8, "volatile ", 9)) return line;
  size_t length = (size_t)(load - name);
  const char *end = strstr(r->rest, "\n}"), *at = r->rest;
  const char *whole = arena_strndup(r->arena, name, length);
  while ((at = strstr(at, whole)) && at < end) {
    at += length;
    if (!isalnum((unsigned char)*at) && !strchr("._-$", *at)) return line;
  }
  return arena_printf(r->arena, "%.*s = load volatile %s", (int)(load - line), line, load + 8);
}

/* ---- truncations ---- */

/* Of a number that is cut and extended again the back end makes a mask of another type, which is not valid: it does not
 * look through `freeze`, which leaves no instruction. */
static bool put_truncation(struct rewriting *r, const char *line) {
  const char *cut = strstr(line, " = trunc "), *to = cut ? strstr(cut, " to ") : NULL;
  if (!to) return false;
  const char *type = to + 4, *end = type_end(type), *start = line + strspn(line, " ");
  while (end > type && end[-1] == ',') end--;
  if (strstr(type, "i1>") || (end - type == 2 && !strncmp(type, "i1", 2))) return false;
  const char *name = new_name(r);
  fprintf(r->out, "  %s%s\n  %.*s = freeze %.*s %s\n", name, cut, (int)(cut - start), start, (int)(end - type), type,
          name);
  return true;
}

/* ---- conversions ---- */

struct number_type {
  const char *name, *mangled, *ir;
  unsigned bits;
  bool real, plain; /* plain: without a sign */
};

static const struct number_type number_types[] = {
    {"char", "c", "i8", 8, false, false},      {"uchar", "h", "i8", 8, false, true},
    {"short", "s", "i16", 16, false, false},   {"ushort", "t", "i16", 16, false, true},
    {"int", "i", "i32", 32, false, false},     {"uint", "j", "i32", 32, false, true},
    {"long", "l", "i64", 64, false, false},    {"ulong", "m", "i64", 64, false, true},
    {"half", "Dh", "half", 16, true, false},   {"float", "f", "float", 32, true, false},
    {"double", "d", "double", 64, true, false}};

enum { NUMBER_TYPES = ARRAY_COUNT(number_types) };

/* `%result = call ... @_Z19convert_uchar4_satDv4_i(...)` */
struct conversion {
  const struct number_type *from, *to;
  const char *result, *lanes; /* `<4 x `, or nothing */
  bool saturated, rounds;     /* rounds: in another way than the usual one */
};

static bool take_conversion(struct rewriting *r, const char *line, struct conversion *c, struct word *value) {
  const char *name = strstr(line, " @_Z"), *equals = strstr(line, " = "), *start = line + strspn(line, " ");
  char *at;
  size_t length = name ? strtoul(name + 4, &at, 10) : 0;
  if (!length || !equals || equals > name || strlen(at) < length || strncmp(at, "convert_", 8) != 0) return false;
  const char *to = at + 8, *from = at + length, *open = strchr(from, '(');
  size_t letters = strspn(to, "abcdefghijklmnopqrstuvwxyz");
  if (letters > length - 8) letters = length - 8;
  *c = (struct conversion){.result = arena_strndup(r->arena, start, (size_t)(equals - start)), .lanes = ""};
  if (!strncmp(from, "Dv", 2)) from += strcspn(from, "_") + 1;
  for (const struct number_type *type = number_types; open && type < number_types + NUMBER_TYPES; type++) {
    if (strlen(type->name) == letters && !strncmp(to, type->name, letters)) c->to = type;
    if (strlen(type->mangled) == (size_t)(open - from) && !strncmp(from, type->mangled, (size_t)(open - from)))
      c->from = type;
  }
  if (!c->from || !c->to) return false;
  const char *how = to + letters + strspn(to + letters, "0123456789");
  c->saturated = !strncmp(how, "_sat", 4);
  if (c->saturated) how += 4;
  c->rounds = !strncmp(how, "_rt", 3) && how[3] != 'e';
  open++;
  *value = take_word(r, &open);
  if (*value->type == '<')
    c->lanes = arena_strndup(r->arena, value->type, (size_t)(strstr(value->type, "x ") + 2 - value->type));
  return true;
}

static const char *type_of(struct rewriting *r, const struct conversion *c, const char *element) {
  return arena_printf(r->arena, "%s%s%s", c->lanes, element, *c->lanes ? ">" : "");
}

/* The lesser (`test`: slt, ult) or the greater of a value and a bound of each of its elements. */
static void put_bound(struct rewriting *r, const struct conversion *c, struct word *value, const char *test,
                      int64_t bound) {
  const char *is = new_name(r), *chosen = new_name(r), *limit = arena_printf(r->arena, "%" PRId64, bound);
  if (*c->lanes) limit = arena_printf(r->arena, "splat (%s %s)", c->from->ir, limit);
  fprintf(r->out, "  %s = icmp %s %s %s, %s\n", is, test, value->type, value->value, limit);
  fprintf(r->out, "  %s = select %s %s, %s %s, %s %s\n", chosen, type_of(r, c, "i1"), is, value->type, value->value,
          value->type, limit);
  value->value = chosen;
}

static void put_bounds(struct rewriting *r, const struct conversion *c, struct word *value) {
  const struct number_type *from = c->from, *to = c->to;
  unsigned digits = to->bits - !to->plain;
  if (!from->plain && to->plain) put_bound(r, c, value, "sgt", 0);
  if (!from->plain && !to->plain && to->bits < from->bits) put_bound(r, c, value, "sgt", -(INT64_C(1) << digits));
  if (digits < from->bits - !from->plain)
    put_bound(r, c, value, from->plain ? "ult" : "slt", digits == 63 ? INT64_MAX : (INT64_C(1) << digits) - 1);
}

static const char *verb_of(const struct number_type *from, const struct number_type *to) {
  if (!from->real && to->real) return from->plain ? "uitofp" : "sitofp";
  if (from->bits == to->bits) return "bitcast";
  if (to->real) return from->bits < to->bits ? "fpext" : "fptrunc";
  return from->bits > to->bits ? "trunc" : from->plain ? "zext" : "sext";
}

/* Is every number of the one type one of the other? */
static bool is_exact(const struct number_type *from, const struct number_type *to) {
  unsigned digits = to->bits == 16 ? 11 : to->bits == 32 ? 24 : 53;
  return from->real ? from->bits <= to->bits : from->bits <= digits;
}

/* OpenCL's convert_ functions, but those from floats to integers: of the others the back end confuses the signs,
 * forgets how they round, or makes calls of functions that are nowhere. */
static bool put_conversion(struct rewriting *r, const char *line) {
  struct conversion c;
  struct word value;
  if (!take_conversion(r, line, &c, &value) || (c.from->real && !c.to->real)) return false;
  const char *type = type_of(r, &c, c.to->ir), *made = "undef"; /* any value */
  if (c.saturated) put_bounds(r, &c, &value);
  if (!c.to->real || !c.rounds || is_exact(c.from, c.to)) {
    made = new_name(r);
    fprintf(r->out, "  %s = %s %s %s to %s\n", made, verb_of(c.from, c.to), value.type, value.value, type);
  }
  fprintf(r->out, "  %s = freeze %s %s\n", c.result, type, made); /* as in put_truncation */
  return true;
}

/* ---- what is printed ---- */

/* Output is no part of a condition; printf returns 0. */
static bool put_printf(struct rewriting *r, const char *line) {
  const char *called = strstr(line, "call spir_func i32 (ptr addrspace(2), ...) @printf("),
             *at = line + strspn(line, " ");
  if (!called) return false;
  const char *equals = *at == '%' ? strstr(at, " = ") : NULL;
  if (equals && equals < called) fprintf(r->out, "  %.*s = add i32 0, 0\n", (int)(equals - at), at);
  return true;
}

/* ---- lines ---- */

static unsigned location_of(const char *line) {
  const char *debug = strstr(line, ", !dbg !");
  return debug ? (unsigned)strtoul(debug + 8, NULL, 10) : 0;
}

/* Says where the code is, where that changes. */
static void put_place(struct rewriting *r, const char *line, unsigned location) {
  unsigned at, column;
  if (strstr(line, " = phi ") || strstr(line, " = alloca ") || !metadata_place(&r->metadata, location, &at, &column))
    return;
  if (at == r->line && column == r->column) return;
  r->line = at;
  r->column = column;
  fprintf(r->out, "  call spir_func void @" MODULE_LINE "(i32 %u, i32 %u)\n", at, column);
}

/* `define spir_kernel void @name(...) ... !dbg !12 {`: the types of its pointers. */
static void note_arguments(struct rewriting *r, const char *line) {
  const char *name = strstr(line, " @"), *debug = strstr(line, "!dbg !");
  if (!strstr(line, "spir_kernel ") || !name || !debug) return;
  const char *kernel = arena_strndup(r->arena, name + 2, strcspn(name + 2, "("));
  unsigned function = (unsigned)strtoul(debug + 6, NULL, 10);
  const struct metadata *m = &r->metadata;
  for (unsigned node = 0; node < m->count; node++) {
    uint64_t index = metadata_is(m, node, "DILocalVariable") ? metadata_number(m, node, "arg") : 0;
    if (!index || metadata_node(m, node, "scope") != function) continue;
    unsigned pointer = metadata_node(m, node, "type");
    while (metadata_is(m, pointer, "DIDerivedType") &&
           strncmp(metadata_field(m, pointer, "tag"), "DW_TAG_pointer_type", 19) != 0)
      pointer = metadata_node(m, pointer, "baseType"); /* a typedef, or `restrict` */
    const struct kernel_type *type = metadata_type(m, metadata_node(m, pointer, "baseType"));
    if (type) *vec_push(r->arena, &r->arguments) = (struct ir_argument){kernel, (unsigned)index - 1, type};
  }
}

static void put_line(struct rewriting *r, const char *line) {
  struct call call;
  unsigned location = location_of(line);
  if (!strncmp(line, "define ", 7)) note_arguments(r, line);
  if (*line != ' ') r->line = 0; /* another block */
  /* The location of a switch stands after its cases, where nothing can be put. */
  if (!strncmp(line, "  ", 2) && line[2] != ' ' && line[2] != ']') put_place(r, line, location);
  if (*line == ' ' && take_call(r, line, &call)) {
    if (is_of_floats(&call) && !is_sum(&call))
      fail(r, location, arena_printf(r->arena, "%s of floats is not supported", call.builtin->name));
    else if (!put_builtin(r, &call))
      fail(r, location,
           arena_printf(r->arena, "the order, scope or memory of this %s is not a constant that OpenCL has",
                        call.builtin->name));
  } else if (*line != ' ' ||
             !(put_native(r, line) || put_truncation(r, line) || put_conversion(r, line) || put_printf(r, line))) {
    fprintf(r->out, "%s\n", as_kept(r, as_three(r, line)));
  }
}

char *ir_prepare(struct arena *arena, const struct source *source, const char *text,
                 const struct ir_argument **arguments, unsigned *argument_count, struct diags *diags) {
  struct rewriting r = {.arena = arena, .source = source, .diags = diags, .metadata = metadata_find(arena, text)};
  struct text out = text_new();
  r.out = out.out;
  while (*text) {
    size_t length = strcspn(text, "\n");
    const char *line = text;
    text += length + (text[length] == '\n');
    r.rest = text;
    put_line(&r, arena_strndup(arena, line, length));
  }
  fprintf(r.out, "declare spir_func void @" MODULE_LINE "(i32, i32)\n");
  for (size_t i = 0; i < r.declared.count; i++) fprintf(r.out, "declare spir_func %s\n", r.declared.at[i]);
  char *made = text_keep(&out, arena);
  *arguments = r.arguments.at;
  *argument_count = (unsigned)r.arguments.count;
  return r.failed ? NULL : made;
}
