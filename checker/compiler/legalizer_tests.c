/* SPDX-License-Identifier: MIT */
/* LLVM's memory-legalizer tests: RUN lines, functions, CHECK lines. */
#include "checker/compiler/legalizer_tests.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/process.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

/* The lines after a label, of one prefix. */
struct legalizer_lines {
  const char *prefix, *function;
  VEC(struct span) at;
};

typedef VEC(const char *) words;

struct reading {
  struct arena *arena;
  const struct source *source;
  VEC(struct legalizer_run) runs;
  VEC(struct legalizer_function) functions;
  VEC(struct legalizer_lines) lines;
};

/* Where a line's comment begins that is all of it; NULL: it has other text. */
static const char *comment_of(const struct text_line *line) {
  size_t blanks = strspn(line->text, " \t");
  return blanks < line->length && line->text[blanks] == ';' ? line->text + blanks : NULL;
}

/* Words, apart by spaces and commas; what is in quotes or parentheses stays whole. */
static words split(struct arena *arena, const char *at, size_t length) {
  words all = {0};
  for (const char *end = at + length; at < end;) {
    if (isspace((unsigned char)*at) || *at == ',') {
      at++;
      continue;
    }
    const char *from = at;
    unsigned depth = 0;
    bool quoted = false;
    while (at < end && (depth || quoted || !(isspace((unsigned char)*at) || *at == ','))) {
      if (*at == '"') quoted = !quoted;
      if (!quoted && (*at == '(' || *at == '{')) depth++;
      if (!quoted && (*at == ')' || *at == '}') && depth) depth--;
      at++;
    }
    *vec_push(arena, &all) = arena_strndup(arena, from, (size_t)(at - from));
  }
  return all;
}

/* ---- runs ---- */

static const char *after(const char *word, const char *option) {
  while (*word == '-') word++;
  size_t length = strlen(option);
  return !strncmp(word, option, length) ? word + length : NULL;
}

static void add_prefixes(struct reading *r, words *prefixes, const char *list) {
  for (const char **prefix = text_split(r->arena, list, ",", NULL); *prefix; prefix++)
    *vec_push(r->arena, prefixes) = *prefix;
}

/* The GPU that a triple names: gfx1010 of `amdgpu10.10-amd-amdhsa`.  NULL: none, or what several GPUs have in common,
 * as in `amdgpu9.4`. */
static const char *triple_processor(struct arena *arena, const char *triple) {
  const char *version = after(triple, "amdgpu");
  size_t major = version ? strspn(version, "0123456789") : 0;
  if (!major || version[major] != '.') return NULL;
  const char *minor = version + major + 1;
  size_t length = strcspn(minor, "-");
  return length == 2 ? arena_printf(arena, "gfx%.*s%.*s", (int)major, version, (int)length, minor) : NULL;
}

static void add_feature(struct arena *arena, struct legalizer_run *run, const char *feature) {
  run->features =
      run->features ? arena_printf(arena, "%s,+%s", run->features, feature) : arena_printf(arena, "+%s", feature);
}

/* Without an operating system that says otherwise, a kernel's arguments come after nine words about its launch. */
static unsigned first_argument(const char *triple) {
  static const char *const NONE_BEFORE[] = {"-amdhsa", "-amdpal", "-mesa3d"};
  for (size_t i = 0; i < ARRAY_COUNT(NONE_BEFORE); i++)
    if (strstr(triple, NONE_BEFORE[i])) return 0;
  return 36;
}

/* GFX10 and later have waves of 32 lanes, unless they are told otherwise. */
static unsigned usual_lanes(const char *processor) {
  return strlen(processor) > 6 && text_begins(processor, "gfx1") ? 32 : 64;
}

/* ; RUN: llc ... -mcpu=gfx1010 -mattr=+cumode < %s | FileCheck --check-prefixes=GFX10-CU %s */
static void read_run(struct reading *r, const char *at, size_t length) {
  static const char *const MODES[] = {"cumode", "tgsplit"};
  words line = split(r->arena, at, length), prefixes = {0};
  struct legalizer_run run = {.assembly = true};
  const char *processor = NULL;
  bool wide = false;
  for (size_t i = 0; i < line.count; i++) {
    const char *list = after(line.at[i], "check-prefixes=");
    if (!list) list = after(line.at[i], "check-prefix=");
    if (list) add_prefixes(r, &prefixes, list);
    if (after(line.at[i], "stop-")) run.assembly = false;
    if (after(line.at[i], "mcpu=")) processor = after(line.at[i], "mcpu=");
    const char *triple = after(line.at[i], "mtriple=");
    if (triple) run.processor = triple_processor(r->arena, triple);
    if (triple) run.arguments = first_argument(triple);
    if (after(line.at[i], "amdgcn-skip-cache-invalidations")) run.option = line.at[i];
    const char *features = after(line.at[i], "mattr=");
    if (strstr(line.at[i], "\"amdgpu-tg-split\"")) features = "+tgsplit"; /* sed gives it to functions: LLVM 23 */
    for (size_t k = 0; features && k < ARRAY_COUNT(MODES); k++)
      if (strstr(features, MODES[k])) add_feature(r->arena, &run, run.mode = MODES[k]);
    wide |= features && strstr(features, "+wavefrontsize64");
  }
  if (processor) run.processor = processor;
  if (!run.processor || !prefixes.count) return;
  if (wide) add_feature(r->arena, &run, "wavefrontsize64");
  run.lanes = wide ? 64 : usual_lanes(run.processor);
  run.label = run.mode ? arena_printf(r->arena, "%s:%s", run.processor, run.mode) : run.processor;
  if (wide) run.label = arena_printf(r->arena, "%s:wavefrontsize64", run.label);
  if (run.option) run.label = arena_printf(r->arena, "%s:%s", run.label, run.option + strspn(run.option, "-"));
  run.prefixes = prefixes.at;
  run.prefix_count = (unsigned)prefixes.count;
  *vec_push(r->arena, &r->runs) = run;
}

/* ---- CHECK lines ---- */

static struct legalizer_lines *last_of(struct reading *r, const char *prefix, size_t length) {
  for (size_t i = r->lines.count; i-- > 0;)
    if (text_part_is(prefix, length, r->lines.at[i].prefix)) return &r->lines.at[i];
  return NULL;
}

/* `; GFX10-CU-NEXT:    s_endpgm` */
static void read_check(struct reading *r, const struct text_line *line) {
  const char *at = comment_of(line) + 1, *end = line->text + line->length;
  while (at < end && *at == ' ') at++;
  const char *colon = memchr(at, ':', (size_t)(end - at));
  if (!colon) return;
  size_t length = (size_t)(colon - at);
  const char *text = colon + 1;
  while (text < end && isspace((unsigned char)*text)) text++;
  if (length == 3 && !memcmp(at, "RUN", 3)) {
    read_run(r, text, (size_t)(end - text));
  } else if (length > 6 && !memcmp(colon - 6, "-LABEL", 6)) {
    size_t name = strcspn(text, ": \n");
    *vec_push(r->arena, &r->lines) = (struct legalizer_lines){.prefix = arena_strndup(r->arena, at, length - 6),
                                                              .function = arena_strndup(r->arena, text, name)};
  } else {
    if (length > 5 && !memcmp(colon - 5, "-NEXT", 5)) length -= 5;
    struct legalizer_lines *lines = last_of(r, at, length);
    if (lines && text < end)
      *vec_push(r->arena, &lines->at) = (struct span){(uint32_t)(text - r->source->text), (uint32_t)(end - text)};
  }
}

/* ---- functions ---- */

/* Names of pointers that are parameters, or some bytes after one. */
struct pointer {
  const char *name;
  unsigned parameter;
  int64_t bytes;
};

struct function {
  struct legalizer_function f;
  VEC(struct pointer) pointers;
  VEC(struct pointer) loaded; /* values that loads have read, and from where */
  bool chosen, flagged;       /* an operation was; it is no ordinary one */
  unsigned operations;        /* that are none */
  unsigned barriers, fences;
  enum order before, after; /* of fences before a barrier and after it */
  const char *scope;        /* of fences */
  bool scopes_differ;
};

static unsigned space_of(const char *word) {
  return text_begins(word, "addrspace(") ? (unsigned)atoi(word + 10) : 0;
}

/* The size of a type: numbers and floats of up to 64 bits.  0: another. */
static unsigned type_bytes(const char *word) {
  static const struct {
    const char *type;
    unsigned bytes;
  } TYPES[] = {{"i8", 1},    {"i16", 2}, {"half", 2},   {"bfloat", 2}, {"i32", 4},
               {"float", 4}, {"i64", 8}, {"double", 8}, {"ptr", 8}};
  int i = ROW_INDEX(TYPES, ARRAY_COUNT(TYPES), type, word);
  return i < 0 ? 0 : TYPES[i].bytes;
}

static void add_parameter(struct reading *r, struct function *fn, const words *text) {
  struct legalizer_function *f = &fn->f;
  if (text->count < 2 || f->parameter_count == LEGALIZER_PARAMETERS) return;
  struct legalizer_parameter *p = &f->parameters[f->parameter_count];
  *p = (struct legalizer_parameter){.name = text->at[text->count - 1], .pointer = !strcmp(text->at[0], "ptr")};
  p->space = p->pointer ? space_of(text->at[1]) : 0;
  p->bytes = p->pointer && p->space > 1 ? 4 : type_bytes(text->at[0]);
  if (!p->bytes) p->bytes = 4;
  unsigned at = f->parameter_count ? p[-1].offset + p[-1].bytes : 0;
  p->offset = f->called ? (at + 3) / 4 * 4 : (at + p->bytes - 1) / p->bytes * p->bytes;
  if (p->pointer) *vec_push(r->arena, &fn->pointers) = (struct pointer){p->name, f->parameter_count, 0};
  f->parameter_count++;
}

/* `ptr addrspace(1) %in, i32 %old` */
static void read_parameters(struct reading *r, struct function *fn, const char *at, size_t length) {
  const char *end = at + length;
  while (at < end) {
    size_t one = 0;
    while (at + one < end && at[one] != ',') one++;
    words text = split(r->arena, at, one);
    add_parameter(r, fn, &text);
    at += one + 1;
  }
}

static int parameter_named(const struct legalizer_function *f, const char *name) {
  return ROW_INDEX(f->parameters, f->parameter_count, name, name);
}

static const struct pointer *pointer_named(const struct pointer *all, size_t count, const char *name) {
  return FIND_ROW(all, count, name, name);
}

/* The pointer that a word of an operand is; NULL: none. */
static const struct pointer *pointer_of(const struct function *fn, const char *word) {
  return pointer_named(fn->pointers.at, fn->pointers.count, word);
}

/* The address of a load or store: the word after `ptr` and its address space. */
static const struct pointer *address_in(const struct function *fn, const words *w) {
  for (size_t i = 0; i + 1 < w->count; i++) {
    if (strcmp(w->at[i], "ptr") != 0) continue;
    return pointer_of(fn, w->at[space_of(w->at[i + 1]) && i + 2 < w->count ? i + 2 : i + 1]);
  }
  return NULL;
}

/* `%val = load i32, ptr %in`: what a store may write. */
static void note_loaded(struct reading *r, struct function *fn, const words *w) {
  const struct pointer *from = address_in(fn, w);
  if (from) *vec_push(r->arena, &fn->loaded) = (struct pointer){w->at[0], from->parameter, from->bytes};
}

static bool read_order(const char *word, enum order *order) {
  static const struct {
    const char *text;
    enum order order;
  } ORDERS[] = {{"unordered", ORDER_NA}, {"monotonic", ORDER_RLX},   {"acquire", ORDER_ACQ},
                {"release", ORDER_REL},  {"acq_rel", ORDER_ACQ_REL}, {"seq_cst", ORDER_SC}};
  int i = ROW_INDEX(ORDERS, ARRAY_COUNT(ORDERS), text, word);
  if (i >= 0) *order = ORDERS[i].order;
  return i >= 0;
}

/* Where there are no clusters of work-groups, one is the whole agent. */
static void read_scope(struct arena *arena, struct legalizer_function *f, const char *word) {
  const char *quote = strchr(word, '"');
  if (!quote) return;
  quote++;
  size_t length = strcspn(quote, "\"");
  f->one_as = length >= 6 && !memcmp(quote + length - 6, "one-as", 6);
  if (f->one_as) length -= length > 6 ? strlen("-one-as") : strlen("one-as");
  static const struct {
    const char *name;
    enum scope scope;
  } SCOPES[] = {{"", SCOPE_SYS},         {"agent", SCOPE_DEV},    {"cluster", SCOPE_DEV},
                {"workgroup", SCOPE_WG}, {"wavefront", SCOPE_SG}, {"singlethread", SCOPE_SG}};
  const char *name = arena_strndup(arena, quote, length);
  int known = ROW_INDEX(SCOPES, ARRAY_COUNT(SCOPES), name, name);
  f->cluster = !strcmp(name, "cluster");
  f->unknown_scope = known < 0;
  if (known >= 0) f->scope = SCOPES[known].scope;
}

/* The node that `!N` names, in the file; NULL: none. */
static const char *metadata_named(const struct reading *r, const char *name) {
  struct text_line line;
  size_t length = 1 + strspn(name + 1, "0123456789");
  struct cursor lines = cursor_at_start(r->source);
  while (length > 1 && cursor_next_line(&lines, &line))
    if (line.length > length + 3 && !strncmp(line.text, name, length) && text_begins(line.text + length, " = "))
      return arena_strndup(r->arena, line.text + length + 3, line.length - length - 3);
  return NULL;
}

/* Address spaces that an operation's memory model relaxation annotations name: `!N`, a tag `!{!"key", !"value"}`, or a
 * node of tags.  Older LLVMs read the key amdgpu-as, newer ones the other. */
static void read_regions(const struct reading *r, struct legalizer_function *f, const char *node, unsigned depth) {
  if (*node == '!' && isdigit((unsigned char)node[1])) node = metadata_named(r, node);
  if (!node || depth > 4) return;
  for (const char *at = node; (at = strchr(at, '!')); at++) {
    bool tag = text_begins(at, "!\"amdgpu-as\"") || text_begins(at, "!\"amdgpu-synchronize-as\"");
    const char *value = tag ? strchr(at + 1, '!') : NULL;
    if (value && text_begins(value, "!\"local\"")) f->regions |= REGION_LOCAL;
    if (value && text_begins(value, "!\"global\"")) f->regions |= REGION_GLOBAL;
    if (text_begins(at, "!\"amdgcn-av\", !\"none\""))
      f->refusal = "it makes nothing available or visible, and the models of blocks know no such synchronization";
    if (isdigit((unsigned char)at[1])) read_regions(r, f, at, depth + 1);
  }
}

/* Bits of `1`, `-1` or `1.0`, without a sign where they are fewer than 32; false: of another constant. */
static bool read_constant(const char *type, const char *word, int64_t *bits) {
  char *end;
  double number = strtod(word, &end);
  float narrow = (float)number;
  int32_t low;
  memcpy(&low, &narrow, sizeof low);
  bool is_integer = *type == 'i', is_float = !strcmp(type, "float"), is_double = !strcmp(type, "double");
  if (end == word || *end || word[strspn(word, "-0")] == 'x') return false;
  if (is_double) memcpy(bits, &number, sizeof *bits);
  if (is_float) *bits = low;
  if (is_integer) *bits = strtoll(word, NULL, 10);
  if (type_bytes(type) < 4) *bits &= (1 << 8 * type_bytes(type)) - 1;
  return is_integer || is_float || is_double;
}

static struct legalizer_value read_value(const struct legalizer_function *f, const char *type, const char *word) {
  struct legalizer_value value = {.parameter = parameter_named(f, word)};
  if (value.parameter < 0) value.constant = read_constant(type, word, &value.number);
  return value;
}

static bool is_known(const struct legalizer_value *value) {
  return value->parameter >= 0 || value->constant;
}

static bool is_wide(const struct legalizer_value *value) {
  return value->constant && (value->number < INT32_MIN || value->number > INT32_MAX);
}

static void read_operand_words(struct reading *r, struct function *fn, const words *w, size_t from) {
  struct legalizer_function *f = &fn->f;
  enum order orders[2] = {ORDER_NA, ORDER_NA};
  unsigned count = 0;
  static const struct legalizer_value NONE = {.parameter = -1};
  struct legalizer_value values[2] = {NONE, NONE};
  unsigned value_count = 0;
  bool addressed = false;
  f->scope = SCOPE_SYS;
  for (size_t i = from; i < w->count; i++) {
    const char *word = w->at[i], *next = i + 1 < w->count ? w->at[i + 1] : "";
    if (count < 2 && read_order(word, &orders[count])) count++;
    if (text_begins(word, "syncscope(")) read_scope(r->arena, f, word);
    if (!strcmp(word, "ptr") && !addressed) {
      addressed = true;
      f->space = space_of(next);
      const struct pointer *pointer = address_in(fn, w);
      if (pointer) f->pointer = pointer->parameter;
      if (pointer) f->before = (unsigned)pointer->bytes;
      if (!pointer) f->refusal = "its address is not an argument";
    }
    bool type = type_bytes(word) && strcmp(word, "ptr") != 0;
    if (type) f->bytes = type_bytes(word);
    if (type && f->kind != INSTR_LOAD && value_count < 2) values[value_count++] = read_value(f, word, next);
    if (!strcmp(word, "!mmra")) read_regions(r, f, next, 0);
  }
  f->order = orders[0];
  f->failure = orders[1];
  f->value = f->kind == INSTR_CAS ? values[1] : values[0];
  f->expected = f->kind == INSTR_CAS ? values[0] : NONE;
  f->source = -1;
  for (size_t i = from; f->kind == INSTR_STORE && !is_known(&f->value) && i < w->count; i++) {
    const struct pointer *source = pointer_named(fn->loaded.at, fn->loaded.count, w->at[i]);
    if (!source) continue;
    f->source = (int)source->parameter;
    f->source_before = (unsigned)source->bytes;
    return;
  }
  bool writes = f->kind == INSTR_STORE || f->kind == INSTR_RMW || f->kind == INSTR_CAS;
  if (writes && (!is_known(&f->value) || (f->kind == INSTR_CAS && !is_known(&f->expected))))
    f->refusal = "the value that it writes is no argument and no number of up to 64 bits";
  if (f->kind == INSTR_RMW && f->bytes < 4)
    f->refusal = "a read-modify-write of fewer than 32 bits, for which the compiler has a loop";
  if (f->kind == INSTR_CAS && f->bytes < 4)
    f->refusal = "a compare-and-swap of fewer than 32 bits, for which the compiler has a loop";
  if (f->bytes == 8 && (is_wide(&f->value) || is_wide(&f->expected)))
    f->refusal = "its number needs more than 32 bits, and contexts tell values apart by the lower 32";
}

static bool has_word(const words *w, const char *word) {
  for (size_t i = 0; i < w->count; i++)
    if (text_begins(w->at[i], word)) return true;
  return false;
}

/* `atomicrmw volatile add ptr`: what the word before `ptr` says.  NULL, or why it is not read. */
static const char *read_function_of_update(struct reading *r, const words *w, size_t at, enum rmw_op *op) {
  static const struct {
    const char *text;
    enum rmw_op op;
  } FUNCTIONS[] = {{"xchg", RMW_EXCHANGE}, {"add", RMW_ADD},   {"sub", RMW_SUB},       {"and", RMW_AND},
                   {"or", RMW_OR},         {"xor", RMW_XOR},   {"min", RMW_MIN},       {"max", RMW_MAX},
                   {"umin", RMW_UMIN},     {"umax", RMW_UMAX}, {"uinc_wrap", RMW_INC}, {"udec_wrap", RMW_DEC}};
  while (at + 1 < w->count && strcmp(w->at[at + 1], "ptr") != 0) at++;
  const char *name = at < w->count ? w->at[at] : "";
  for (size_t i = 0; i < ARRAY_COUNT(FUNCTIONS); i++)
    if (!strcmp(name, FUNCTIONS[i].text)) {
      *op = FUNCTIONS[i].op;
      return NULL;
    }
  if (*name == 'f') return "a read-modify-write of floats, which the models of blocks do not compute with";
  if (!strcmp(name, "nand"))
    return "a read-modify-write for which the compiler has a loop (nand), and blocks have none";
  return arena_printf(r->arena, "a read-modify-write that the models of blocks do not have (%s)", name);
}

static void note_fence(struct function *fn, const words *w) {
  enum order *order = fn->barriers ? &fn->after : &fn->before;
  const char *scope = "";
  for (size_t i = 1; i < w->count; i++) {
    read_order(w->at[i], order);
    if (text_begins(w->at[i], "syncscope(")) scope = w->at[i];
  }
  if (fn->fences++ && strcmp(fn->scope, scope) != 0) fn->scopes_differ = true;
  fn->scope = scope;
}

/* A barrier of a work-group, which orders accesses by the fences around it. */
static void make_barrier(struct function *fn) {
  struct legalizer_function *f = &fn->f;
  bool one = fn->fences < 2 || fn->before == ORDER_NA || fn->after == ORDER_NA;
  if (!fn->chosen) f->value.parameter = f->expected.parameter = f->source = -1;
  f->refusal = NULL;
  f->kind = INSTR_BARRIER;
  f->releases = order_releases(fn->before);
  f->acquires = order_acquires(fn->after);
  f->order = !one ? ORDER_ACQ_REL : fn->before != ORDER_NA ? fn->before : fn->after;
  if (fn->barriers > 1 || fn->fences > 2 || fn->operations != fn->fences || fn->scopes_differ)
    f->refusal =
        "it has a barrier and more than a fence of one scope before and after it, and blocks are of one operation";
}

/* An instruction.  The function's operation is its first atomic one or fence; without
 * any, its first volatile or nontemporal one. */
static void read_instruction(struct reading *r, struct function *fn, const words *w) {
  if (has_word(w, "@llvm.amdgcn.s.barrier") && !has_word(w, "@llvm.amdgcn.s.barrier.wait")) fn->barriers++;
  if (!strcmp(w->at[0], "fence")) note_fence(fn, w);
  static const struct {
    const char *text;
    enum instr_kind kind;
  } KINDS[] = {{"load", INSTR_LOAD},
               {"store", INSTR_STORE},
               {"atomicrmw", INSTR_RMW},
               {"cmpxchg", INSTR_CAS},
               {"fence", INSTR_FENCE}};
  size_t at = w->count > 2 && !strcmp(w->at[1], "=") ? 2 : 0;
  if (!strcmp(w->at[at], "getelementptr") && at) {
    const struct pointer *base = NULL;
    unsigned step = 0; /* of the type, which comes first */
    for (size_t i = at; i < w->count && !base; i++) {
      if (!step) step = type_bytes(w->at[i]);
      base = pointer_of(fn, w->at[i]);
    }
    if (base)
      *vec_push(r->arena, &fn->pointers) =
          (struct pointer){w->at[0], base->parameter, base->bytes + step * strtoll(w->at[w->count - 1], NULL, 10)};
    return;
  }
  for (size_t k = 0; k < ARRAY_COUNT(KINDS); k++) {
    if (strcmp(w->at[at], KINDS[k].text) != 0) continue;
    if (at && KINDS[k].kind == INSTR_LOAD) note_loaded(r, fn, w);
    bool atomic = KINDS[k].kind != INSTR_LOAD && KINDS[k].kind != INSTR_STORE ? true : has_word(w, "atomic");
    bool special = atomic || has_word(w, "volatile") || has_word(w, "!nontemporal") || has_word(w, "!amdgpu.last.use");
    fn->operations += atomic;
    if (!special || (fn->chosen && (fn->flagged || !atomic))) return;
    fn->chosen = true;
    fn->flagged = atomic;
    fn->f.refusal = NULL;
    fn->f.regions = 0;
    fn->f.bytes = 4;
    fn->f.kind = KINDS[k].kind;
    read_operand_words(r, fn, w, at + 1);
    const char *unread = KINDS[k].kind == INSTR_RMW ? read_function_of_update(r, w, at + 1, &fn->f.op) : NULL;
    if (unread) fn->f.refusal = unread;
    return;
  }
}

/* How many work-items a work-group has at most, from attributes that a function has or that #N stands for. */
static unsigned most_items(const struct reading *r, const char *attributes) {
  static const char KEY[] = "\"amdgpu-flat-work-group-size\"=\"";
  enum { USUAL = 1024 };
  const char *at = strstr(attributes, KEY), *group = strchr(attributes, '#');
  if (!at && group) {
    const char *head = arena_printf(r->arena, "\nattributes #%u =", (unsigned)strtoul(group + 1, NULL, 10));
    const char *found = strstr(r->source->text, head);
    const char *line = found ? arena_strndup(r->arena, found + 1, strcspn(found + 1, "\n")) : "";
    at = strstr(line, KEY);
  }
  const char *most = at ? strchr(at, ',') : NULL;
  return most ? (unsigned)strtoul(most + 1, NULL, 10) : USUAL;
}

/* From `define` to the brace that ends the function. */
static void read_function(struct reading *r, struct cursor *lines, const struct text_line *first) {
  struct function fn = {
      .f = {.bytes = 4, .refusal = "it has no atomic, volatile or nontemporal operation, fence or barrier"}};
  const char *name = memchr(first->text, '@', first->length);
  if (!name) return;
  fn.f.called = !strstr(arena_strndup(r->arena, first->text, (size_t)(name - first->text)), " amdgpu_");
  size_t length = strcspn(name + 1, "( \n");
  fn.f.name = arena_strndup(r->arena, name + 1, length);
  fn.f.span = (struct span){(uint32_t)(name + 1 - r->source->text), (uint32_t)length};
  VEC(char) head = {0};
  struct text_line line = *first;
  size_t skip = (size_t)(name + 1 + length - first->text);
  bool in_body = false;
  do {
    if (comment_of(&line)) continue;
    for (size_t i = skip; !in_body && i < line.length; i++) {
      in_body = line.text[i] == '{';
      if (!in_body) *vec_push(r->arena, &head) = line.text[i];
    }
    if (in_body && !fn.f.parameter_count && head.count) {
      const char *open = memchr(head.at, '(', head.count);
      size_t last = head.count;
      while (last > 0 && head.at[last - 1] != ')') last--;
      if (open && last) read_parameters(r, &fn, open + 1, (size_t)(head.at + last - 1 - open - 1));
      fn.f.most_items = most_items(r, arena_strndup(r->arena, head.at + last, head.count - last));
      head.count = 0;
      skip = 0;
      continue;
    }
    skip = 0;
    if (!in_body) {
      *vec_push(r->arena, &head) = ' ';
      continue;
    }
    if (line.length && *line.text == '}') break;
    words w = split(r->arena, line.text, line.length);
    if (w.count) read_instruction(r, &fn, &w);
  } while (cursor_next_line(lines, &line) && (!comment_of(&line) || (read_check(r, &line), true)));
  if (fn.operations > 1) fn.f.refusal = "it has several atomic operations or fences, and blocks have one";
  if (fn.barriers) make_barrier(&fn);
  *vec_push(r->arena, &r->functions) = fn.f;
}

/* A run for a target, "gfx1030:cumode". */
static void add_run(struct reading *r, const char *target) {
  size_t processor = strcspn(target, ":");
  const char *line =
      arena_printf(r->arena, "-mtriple=amdgcn-amd-amdhsa -mcpu=%.*s -check-prefix=NONE %s%s", (int)processor, target,
                   target[processor] ? "-mattr=+" : "", target + processor + !!target[processor]);
  read_run(r, line, strlen(line));
}

bool legalizer_read(struct arena *arena, const struct source *source, const char *const *targets,
                    struct legalizer *file, struct diags *diags) {
  struct reading r = {.arena = arena, .source = source};
  struct text_line line;
  struct cursor lines = cursor_at_start(source);
  while (cursor_next_line(&lines, &line)) {
    if (comment_of(&line))
      read_check(&r, &line);
    else if (line.length > 7 && text_begins(line.text, "define "))
      read_function(&r, &lines, &line);
  }
  if (r.runs.count) targets = NULL;
  for (; targets && *targets; targets++) add_run(&r, *targets);
  *file = (struct legalizer){.source = source,
                             .runs = r.runs.at,
                             .run_count = (unsigned)r.runs.count,
                             .functions = r.functions.at,
                             .function_count = (unsigned)r.functions.count,
                             .lines = r.lines.at,
                             .line_count = r.lines.count};
  if (file->function_count && file->run_count) return true;
  return diag_error(diags, source, (struct span){0, 0}, "this is not one of LLVM's tests: it has no %s",
                    file->function_count
                        ? "RUN line with a GPU and a prefix (-compiler and -target say how to compile it without)"
                        : "function");
}

static bool has_prefix(const struct legalizer_run *run, const char *prefix) {
  return text_index(prefix, run->prefixes, run->prefix_count) >= 0;
}

const struct span *legalizer_code(struct arena *arena, const struct legalizer *file, unsigned run, unsigned function,
                                  size_t *count) {
  VEC(struct span) all = {0};
  for (size_t i = 0; file->runs[run].assembly && i < file->line_count; i++) {
    const struct legalizer_lines *lines = &file->lines[i];
    if (strcmp(lines->function, file->functions[function].name) != 0 || !has_prefix(&file->runs[run], lines->prefix))
      continue;
    for (size_t k = 0; k < lines->at.count; k++) *vec_push(arena, &all) = lines->at.at[k];
  }
  *count = all.count;
  return all.at;
}

/* ---- compiled now ---- */

const struct source *legalizer_compile(struct arena *arena, const struct legalizer *file, const struct llc *llc,
                                       const char *processor, const struct legalizer_run *run, struct diags *diags) {
  static const struct process_limits LIMITS = {.seconds = 120, .bytes = (size_t)256 << 20};
  const char *argv[] = {llc->path,
                        "-mtriple=amdgcn-amd-amdhsa",
                        "-O0",
                        arena_printf(arena, "-mcpu=%s", processor),
                        run->features ? arena_printf(arena, "-mattr=%s", run->features) : "-mattr=",
                        "-o",
                        "-",
                        run->option,
                        NULL};
  struct process_result result = process_run(arena, argv, file->source->text, file->source->size, &LIMITS);
  if (result.end == PROCESS_EXITED && result.status == 0)
    return source_from_text(arena, arena_printf(arena, "(%s for %s)", llc->name, processor), result.out,
                            result.out_size);
  diag_error(diags, file->source, (struct span){0, 0}, "%s cannot compile this for %s: %.*s", llc->path, processor,
             (int)strcspn(result.err ? result.err : "", "\n"), result.err ? result.err : "");
  return NULL;
}

const struct span *legalizer_compiled(struct arena *arena, const struct source *assembly, const char *function,
                                      size_t *count) {
  VEC(struct span) all = {0};
  struct text_line line;
  size_t length = strlen(function);
  bool inside = false;
  struct cursor lines = cursor_at_start(assembly);
  while (cursor_next_line(&lines, &line)) {
    if (line.length > length && !strncmp(line.text, function, length) && line.text[length] == ':') {
      inside = true;
    } else if (inside && line.length > 10 && text_begins(line.text, ".Lfunc_end")) {
      break;
    } else if (inside && line.length) {
      *vec_push(arena, &all) = (struct span){(uint32_t)(line.text - assembly->text), (uint32_t)line.length};
      const char *text = arena_strndup(arena, line.text, line.length);
      if (strstr(text, "s_endpgm") || strstr(text, "s_setpc_b64") || strstr(text, "s_set_pc_i64")) break;
    }
  }
  *count = all.count;
  return all.at;
}
