/* SPDX-License-Identifier: MIT */
/* Changes of a kernel as edits of SPIR-V's text: other constants as operands, instructions put in or left
 * out; and constants that the module has not yet, after their type. */
#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/kernel_repair_moves.h"

struct writing {
  const struct kernel_text *text;
  VEC(struct edit) edits;
  VEC(const char *) words; /* of the instruction */
  bool failed;
};

static void split(struct writing *w, struct span span) {
  const char *text = arena_strndup(w->text->arena, w->text->source->text + span.at, span.length);
  for (const char **word = text_split(w->text->arena, text, " \t\r\n", NULL); *word; word++)
    *vec_push(w->text->arena, &w->words) = *word;
}

/* `%uint_68`: a constant of this value, if need be a new one. */
static const char *constant(struct writing *w, unsigned value) {
  struct arena *arena = w->text->arena;
  const char *type;
  uint32_t line;
  const char *name = spirv_constant(w->text->code, value, &type, &line);
  if (name) return arena_printf(arena, "%%%s", name);
  if (!type) {
    w->failed = true;
    return "";
  }
  name = arena_printf(arena, "%s_%u", type, value);
  while (spirv_has_name(w->text->code, name)) name = arena_printf(arena, "%s_", name);
  int blanks = (int)strlen(name) < 11 ? 11 - (int)strlen(name) : 0;
  *vec_push(arena, &w->edits) =
      (struct edit){{line, 0}, arena_printf(arena, "%*s%%%s = OpConstant %%%s %u\n", blanks, "", name, type, value)};
  return arena_printf(arena, "%%%s", name);
}

static uint32_t line_start(const struct source *source, uint32_t at) {
  while (at && source->text[at - 1] != '\n') at--;
  return at;
}

/* How far the opcodes of the text are indented there. */
static int indent_at(const struct source *source, uint32_t at) {
  uint32_t start = line_start(source, at);
  const char *line = source->text + start, *op = strstr(line, "Op");
  return op && op - line < 60 ? (int)(op - line) : 0;
}

static void put(struct writing *w, size_t index, const char *word) {
  while (w->words.count <= index) *vec_push(w->text->arena, &w->words) = "";
  w->words.at[index] = word;
}

static const char *semantics(struct writing *w, const struct spirv_words *words, enum order order) {
  return constant(w, spirv_semantics(words, order));
}

/* In place of another, if it is another. */
static void put_semantics(struct writing *w, size_t index, const struct spirv_words *was, enum order was_order,
                          const struct spirv_words *is, enum order order) {
  if (spirv_semantics(was, was_order) != spirv_semantics(is, order)) put(w, index, semantics(w, is, order));
}

/* Under Vulkan's model, the scope of a device is a capability of its own. */
static const char *scope_constant(struct writing *w, enum scope scope) {
  const struct source *source = w->text->source;
  const char *first = strstr(source->text, "OpCapability");
  if (w->text->vulkan && !spirv_is_glsl450(w->text->code) && scope == SCOPE_DEV && first &&
      !strstr(source->text, "VulkanMemoryModelDeviceScope")) {
    uint32_t at = (uint32_t)(first - source->text);
    *vec_push(w->text->arena, &w->edits) = (struct edit){
        {line_start(source, at), 0},
        arena_printf(w->text->arena, "%*sOpCapability VulkanMemoryModelDeviceScope\n", indent_at(source, at), "")};
  }
  return constant(w, spirv_scope(scope));
}

static void put_scope(struct writing *w, size_t index, enum scope was, enum scope is) {
  if (was != is) put(w, index, scope_constant(w, is));
}

/* ---- memory operands of loads and stores ---- */

static const char *add_flag(struct writing *w, const char *flags, const char *flag) {
  return *flags ? arena_printf(w->text->arena, "%s|%s", flags, flag) : flag;
}

static bool has_flag(const char *mask, const char *flag) {
  size_t length = strlen(flag);
  for (const char *at = mask; at; at = strchr(at, '|')) {
    at += *at == '|';
    if (!strncmp(at, flag, length) && (!at[length] || at[length] == '|')) return true;
  }
  return false;
}

/* From word `at` on: what is there and has nothing to do with orders stays. */
static void put_access(struct writing *w, size_t at, const struct spirv_words *words) {
  const char *mask = at < w->words.count ? w->words.at[at] : "", *flags = "";
  const char *align = has_flag(mask, "Aligned") && at + 1 < w->words.count ? w->words.at[at + 1] : NULL;
  if (has_flag(mask, "Volatile")) flags = add_flag(w, flags, "Volatile");
  if (align) flags = add_flag(w, flags, "Aligned");
  if (has_flag(mask, "Nontemporal")) flags = add_flag(w, flags, "Nontemporal");
  if (words->available) flags = add_flag(w, flags, "MakePointerAvailable");
  if (words->visible) flags = add_flag(w, flags, "MakePointerVisible");
  if (words->shared) flags = add_flag(w, flags, "NonPrivatePointer");
  w->words.count = at;
  if (*flags) put(w, at++, flags);
  if (align) put(w, at++, align);
  if (words->available) put(w, at++, scope_constant(w, words->scope));
  if (words->visible) put(w, at, scope_constant(w, words->scope));
}

/* ---- operations ---- */

static void put_words(struct writing *w, const struct spirv_operation *op, const struct spirv_words *words) {
  size_t first = op->operands;
  switch (op->kind) {
    case SPIRV_PLAIN_LOAD:
      put_access(w, first + 1, words);
      return;
    case SPIRV_PLAIN_STORE:
      put_access(w, first + 2, words);
      return;
    case SPIRV_CAS:
      put_semantics(w, first + 3, &op->words, op->words.failure, words, words->failure);
      /* fall through */
    case SPIRV_LOAD:
    case SPIRV_STORE:
    case SPIRV_RMW:
    case SPIRV_BARRIER:
      put_scope(w, first + 1, op->words.scope, words->scope);
      put_semantics(w, first + 2, &op->words, op->words.order, words, words->order);
      return;
    case SPIRV_BRANCH:
      return;
    case SPIRV_FENCE:
      put_scope(w, first, op->words.scope, words->scope);
      put_semantics(w, first + 1, &op->words, op->words.order, words, words->order);
      return;
  }
}

/* `%r = OpLoad %type %p Aligned 4`, `OpStore %p %value Aligned 4` */
static void put_atomic(struct writing *w, const struct spirv_operation *op, const struct spirv_words *words) {
  size_t first = op->operands;
  const char *scope = scope_constant(w, words->scope), *order = semantics(w, words, words->order);
  if (op->kind == SPIRV_PLAIN_LOAD) {
    put(w, 2, "OpAtomicLoad");
    w->words.count = first + 1;
    put(w, first + 1, scope);
    put(w, first + 2, order);
    return;
  }
  const char *value = w->words.at[first + 1];
  put(w, 0, "OpAtomicStore");
  w->words.count = first + 1;
  put(w, first + 1, scope);
  put(w, first + 2, order);
  put(w, first + 3, value);
}

static const char *join(const struct writing *w) {
  const char *text = "";
  for (size_t i = 0; i < w->words.count; i++)
    text = arena_printf(w->text->arena, "%s%s%s", text, i ? " " : "", w->words.at[i]);
  return text;
}

static void put_inserted(struct writing *w, const struct spirv_operation *op, const struct spirv_change *change) {
  const struct source *source = w->text->source;
  bool barrier = change->kind == CHANGE_BARRIER;
  w->words.count = 0;
  put(w, 0, barrier ? "OpControlBarrier" : "OpMemoryBarrier");
  if (barrier) put(w, 1, scope_constant(w, SCOPE_WG));
  put(w, w->words.count, scope_constant(w, change->words.scope));
  put(w, w->words.count, semantics(w, &change->words, change->words.order));
  struct span line = {line_start(source, op->span.at), 0};
  *vec_push(w->text->arena, &w->edits) =
      (struct edit){line, arena_printf(w->text->arena, "%*s%s\n", indent_at(source, op->span.at), "", join(w))};
}

static void put_removed(struct writing *w, struct span span) {
  const struct source *source = w->text->source;
  uint32_t start = line_start(source, span.at);
  uint32_t length = (uint32_t)strcspn(source->text + start, "\n");
  struct span line = {start, length + (start + length < source->size)};
  *vec_push(w->text->arena, &w->edits) = (struct edit){line, ""};
}

/* ---- a load and a store in one ---- */

/* The instruction on a line, from its first word to its last. */
static struct span instruction_on(const struct source *source, uint32_t line) {
  uint32_t end = line + (uint32_t)strcspn(source->text + line, ";\n");
  while (line < end && isspace((unsigned char)source->text[line])) line++;
  while (end > line && isspace((unsigned char)source->text[end - 1])) end--;
  return (struct span){line, end - line};
}

/* `%sum = OpIAdd %uint %old %one`: word `index` of what is on a line; "": it has fewer. */
static const char *word_on(const struct kernel_text *text, uint32_t line, size_t index) {
  struct writing w = {.text = text};
  split(&w, instruction_on(text->source, line));
  return index < w.words.count ? w.words.at[index] : "";
}

static bool is_word_on(const struct kernel_text *text, uint32_t line, const char *word) {
  struct writing w = {.text = text};
  split(&w, instruction_on(text->source, line));
  return text_index(word, w.words.at, w.words.count) >= 0;
}

static bool next_line(const struct source *source, uint32_t *line) {
  *line += (uint32_t)strcspn(source->text + *line, "\n");
  return source->text[*line] && source->text[++*line];
}

/* The line between two, the second left out, that says what a name is. */
static bool find_line(const struct kernel_text *text, uint32_t from, uint32_t to, const char *name, uint32_t *line) {
  for (*line = from; *line < to; next_line(text->source, line)) {
    struct span span = instruction_on(text->source, *line);
    if (!text_begins(text->source->text + span.at, name)) continue;
    if (!strcmp(word_on(text, *line, 0), name) && !strcmp(word_on(text, *line, 1), "=")) return true;
  }
  return false;
}

/* Two pointers of one name, or computed alike. */
static bool is_same_place(const struct kernel_text *text, uint32_t to, const char *a, const char *b) {
  struct writing of_a = {.text = text}, of_b = {.text = text};
  uint32_t line_a, line_b;
  if (!strcmp(a, b)) return true;
  if (!find_line(text, 0, to, a, &line_a) || !find_line(text, 0, to, b, &line_b)) return false;
  split(&of_a, instruction_on(text->source, line_a));
  split(&of_b, instruction_on(text->source, line_b));
  if (of_a.words.count != of_b.words.count || of_a.words.count < 3 || !strstr(of_a.words.at[2], "AccessChain"))
    return false;
  for (size_t i = 2; i < of_a.words.count; i++)
    if (strcmp(of_a.words.at[i], of_b.words.at[i]) != 0) return false;
  return true;
}

/* `%old = OpLoad %uint %p`, `%sum = OpIAdd %uint %old %value` and `OpStore %p %sum`: the load becomes `%old =
 * OpAtomicIAdd %uint %p ... %value`, after what the value comes from, and the store is left out.  The sum stays: it may
 * be used elsewhere. */
static const char *put_update(struct writing *w, const struct spirv_operation *op, const struct spirv_words *words) {
  static const struct {
    const char *computes, *updates;
    bool commutes;
  } rows[] = {{"OpIAdd", "OpAtomicIAdd", true},
              {"OpISub", "OpAtomicISub", false},
              {"OpBitwiseOr", "OpAtomicOr", true},
              {"OpBitwiseXor", "OpAtomicXor", true},
              {"OpBitwiseAnd", "OpAtomicAnd", true}};
  const struct kernel_text *text = w->text;
  const struct source *source = text->source;
  uint32_t store = line_start(source, op->span.at), load = line_start(source, op->loaded.at), result, at;
  const char *value = w->words.at[op->operands + 1], *name = "OpAtomicExchange";
  const char *old = word_on(text, load, 0), *type = word_on(text, load, 3), *place = word_on(text, load, 4);
  if (!strcmp(value, old) || !is_same_place(text, store, place, w->words.at[op->operands])) return NULL;
  if (find_line(text, load, store, value, &result)) {
    const char *a = word_on(text, result, 4), *b = word_on(text, result, 5);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
      bool first = !strcmp(a, old), second = rows[i].commutes && !strcmp(b, old);
      if (strcmp(word_on(text, result, 2), rows[i].computes) != 0 || (!first && !second)) continue;
      name = rows[i].updates;
      value = first ? b : a;
    }
  }
  if (!find_line(text, 0, store, value, &at) || strcmp(word_on(text, at, 3), type) != 0) return NULL;
  if (at < load) at = load;
  for (uint32_t line = load; line < at;)
    if (next_line(source, &line) && is_word_on(text, line, old)) return NULL;
  struct span end = {at + (uint32_t)strcspn(source->text + at, "\n"), 0};
  const char *update = arena_printf(text->arena, "%s = %s %s %s %s %s %s", old, name, type, place,
                                    scope_constant(w, words->scope), semantics(w, words, words->order), value);
  put_removed(w, op->span);
  if (at == load) {
    *vec_push(text->arena, &w->edits) = (struct edit){op->loaded, update};
    return name;
  }
  put_removed(w, op->loaded);
  int before = indent_at(source, load) - (int)strlen(old) - 3;
  *vec_push(text->arena, &w->edits) =
      (struct edit){end, arena_printf(text->arena, "\n%*s%s", before > 0 ? before : 0, "", update)};
  return name;
}

/* ---- how an operation is shown ---- */

static const char *order_word(enum order order) {
  static const char *const words[] = {
      "NotAtomic", "Relaxed", "Acquire", "Acquire", "Release", "AcquireRelease", "SequentiallyConsistent"};
  static const enum order orders[] = {ORDER_NA, ORDER_RLX, ORDER_CON, ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL, ORDER_SC};
  for (size_t i = 0; i < ARRAY_COUNT(orders); i++)
    if (orders[i] == order) return words[i];
  return "";
}

static const char *scope_word(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "",          [SCOPE_WI] = "Invocation", [SCOPE_SG] = "Subgroup",    [SCOPE_WG] = "Workgroup",
      [SCOPE_QF] = "QueueFamily", [SCOPE_DEV] = "Device",    [SCOPE_SYS] = "CrossDevice"};
  return words[scope];
}

/* `OpAtomicStore Device Release|UniformMemory|MakeAvailable` */
static const char *show(struct arena *arena, const char *name, const struct spirv_words *words, bool ordered,
                        bool vulkan) {
  bool scoped = ordered || words->available || words->visible;
  const char *text = arena_printf(arena, "%s%s%s", name, scoped ? " " : "", scoped ? scope_word(words->scope) : "");
  if (!ordered) {
    if (words->available) text = arena_printf(arena, "%s MakePointerAvailable", text);
    if (words->visible) text = arena_printf(arena, "%s MakePointerVisible", text);
    return words->shared ? arena_printf(arena, "%s NonPrivatePointer", text) : text;
  }
  text = arena_printf(arena, "%s %s", text, order_word(words->order));
  if (words->order == ORDER_RLX) return text;
  if (words->memory & SPIRV_BUFFERS) text = arena_printf(arena, "%s|UniformMemory", text);
  if (words->memory & SPIRV_LOCAL) text = arena_printf(arena, "%s|WorkgroupMemory", text);
  if (words->memory & SPIRV_GLOBAL) text = arena_printf(arena, "%s|CrossWorkgroupMemory", text);
  if (vulkan && words->available) text = arena_printf(arena, "%s|MakeAvailable", text);
  return vulkan && words->visible ? arena_printf(arena, "%s|MakeVisible", text) : text;
}

static const char *show_change(const struct kernel_text *text, const struct spirv_operation *op,
                               const struct spirv_change *change, const char *update) {
  bool plain = op->kind == SPIRV_PLAIN_LOAD || op->kind == SPIRV_PLAIN_STORE;
  const char *name = update ? update : op->name;
  if (change->kind == CHANGE_REMOVE) return "";
  if (change->kind == CHANGE_ATOMIC) name = op->kind == SPIRV_PLAIN_LOAD ? "OpAtomicLoad" : "OpAtomicStore";
  if (change->kind == CHANGE_FENCE) name = "OpMemoryBarrier";
  if (change->kind == CHANGE_BARRIER) name = "OpControlBarrier";
  const char *shown = show(text->arena, name, &change->words, !plain || change->kind != CHANGE_WORDS, text->vulkan);
  if (op->kind == SPIRV_CAS && change->kind == CHANGE_WORDS)
    shown = arena_printf(text->arena, "%s, %s", shown, order_word(change->words.failure));
  return shown;
}

bool kernel_edit_module(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_change *change, struct form *form) {
  struct writing w = {.text = text};
  const char *update = NULL;
  split(&w, op->span);
  if (w.words.count <= op->operands || !op->span.length) return false;
  switch (change->kind) {
    case CHANGE_WORDS:
      put_words(&w, op, &change->words);
      break;
    case CHANGE_ATOMIC:
      put_atomic(&w, op, &change->words);
      break;
    case CHANGE_UPDATE:
      update = put_update(&w, op, &change->words);
      if (!update) return false;
      break;
    case CHANGE_REMOVE:
      put_removed(&w, op->span);
      break;
    case CHANGE_FENCE:
    case CHANGE_BARRIER:
      put_inserted(&w, op, change);
      break;
  }
  if (change->kind == CHANGE_WORDS || change->kind == CHANGE_ATOMIC)
    *vec_push(text->arena, &w.edits) = (struct edit){op->span, join(&w)};
  *form =
      (struct form){.text = show_change(text, op, change, update), .edits = w.edits.at, .edit_count = w.edits.count};
  return !w.failed;
}
