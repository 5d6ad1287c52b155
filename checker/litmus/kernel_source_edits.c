/* SPDX-License-Identifier: MIT */
/* Changes of a kernel as edits of its source in OpenCL C or GLSL: other arguments of the call that a compiler's
 * notes for debuggers lead to, fences put in before a statement, statements left out.  Arguments that stay as they
 * are keep their text, so that macros stay macros. */
#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/vec.h"
#include "checker/litmus/ast.h"
#include "checker/litmus/kernel_repair_moves.h"

/* ---- calls in the text ---- */

struct argument {
  uint32_t at, length;
};

struct call {
  uint32_t begin, end; /* from its name to the end of its bracket */
  const char *name;
  VEC(struct argument) arguments;
};

static void add_argument(struct arena *arena, const char *text, uint32_t from, uint32_t to, struct call *call) {
  while (from < to && isspace((unsigned char)text[from])) from++;
  while (to > from && isspace((unsigned char)text[to - 1])) to--;
  if (to > from) *vec_push(arena, &call->arguments) = (struct argument){from, to - from};
}

/* `name(argument, argument)` that begins there. */
static bool read_call(struct arena *arena, const char *text, uint32_t at, struct call *call) {
  uint32_t end = at;
  while (is_word_char(text[end])) end++;
  *call = (struct call){.begin = at, .name = arena_strndup(arena, text + at, end - at)};
  while (isspace((unsigned char)text[end])) end++;
  if (text[end] != '(') return false;
  uint32_t from = ++end;
  for (int depth = 0; text[end]; end++) {
    if (text[end] == '(' || text[end] == '[') depth++;
    if (text[end] == ',' && !depth) {
      add_argument(arena, text, from, end, call);
      from = end + 1;
    }
    if ((text[end] == ')' || text[end] == ']') && depth-- == 0) {
      add_argument(arena, text, from, end, call);
      call->end = end + 1;
      return true;
    }
  }
  return false;
}

/* ---- code without comments ---- */

/* Where a comment or a directive that begins there ends; `at`: none does. */
static uint32_t end_of_remark(const char *text, uint32_t at, bool line_begins) {
  if (text[at] == '/' && text[at + 1] == '*') {
    const char *end = strstr(text + at + 2, "*/");
    return end ? (uint32_t)(end + 2 - text) : at + (uint32_t)strlen(text + at);
  }
  bool directive = line_begins && text[at] == '#';
  if (!directive && (text[at] != '/' || text[at + 1] != '/')) return at;
  do at += (uint32_t)strcspn(text + at, "\n");
  while (text[at] && text[at - 1] == '\\' && text[++at]);
  return at;
}

/* Where the string ends that begins there: its quote, or the end of the line. */
static uint32_t end_of_string(const char *text, uint32_t at) {
  for (at++; text[at] && text[at] != '"' && text[at] != '\n'; at++)
    if (text[at] == '\\' && text[at + 1]) at++;
  return at;
}

const char *kernel_source_plain(struct arena *arena, const char *text) {
  char *plain = arena_strdup(arena, text);
  bool line_begins = true;
  for (uint32_t at = 0; text[at];) {
    bool string = text[at] == '"';
    uint32_t end = string ? end_of_string(text, at) : end_of_remark(text, at, line_begins);
    for (uint32_t i = at + string; i < end; i++)
      if (plain[i] != '\n') plain[i] = ' ';
    if (end == at) line_begins = text[at] == '\n' || (line_begins && isspace((unsigned char)text[at]));
    at = end == at || (string && text[end]) ? end + 1 : end;
  }
  return plain;
}

enum call_kind { CALL_ATOMIC, CALL_CAS, CALL_FENCE, CALL_BARRIER, CALL_BARRIER_SCOPED };

/* `values`: arguments before orders and scopes. */
struct call_row {
  const char *name;
  enum call_kind kind;
  unsigned values;
};

static const struct call_row opencl_rows[] = {{"atomic_load", CALL_ATOMIC, 1},
                                              {"atomic_store", CALL_ATOMIC, 2},
                                              {"atomic_exchange", CALL_ATOMIC, 2},
                                              {"atomic_compare_exchange_strong", CALL_CAS, 3},
                                              {"atomic_compare_exchange_weak", CALL_CAS, 3},
                                              {"atomic_fetch_add", CALL_ATOMIC, 2},
                                              {"atomic_fetch_sub", CALL_ATOMIC, 2},
                                              {"atomic_fetch_or", CALL_ATOMIC, 2},
                                              {"atomic_fetch_xor", CALL_ATOMIC, 2},
                                              {"atomic_fetch_and", CALL_ATOMIC, 2},
                                              {"atomic_fetch_min", CALL_ATOMIC, 2},
                                              {"atomic_fetch_max", CALL_ATOMIC, 2},
                                              {"atomic_flag_test_and_set", CALL_ATOMIC, 1},
                                              {"atomic_flag_clear", CALL_ATOMIC, 1},
                                              {"atomic_work_item_fence", CALL_FENCE, 0},
                                              {"barrier", CALL_BARRIER, 0},
                                              {"work_group_barrier", CALL_BARRIER, 0},
                                              {NULL, CALL_ATOMIC, 0}};
static const struct call_row glsl_rows[] = {
    {"atomicLoad", CALL_ATOMIC, 1},  {"atomicStore", CALL_ATOMIC, 2},  {"atomicExchange", CALL_ATOMIC, 2},
    {"atomicCompSwap", CALL_CAS, 3}, {"atomicAdd", CALL_ATOMIC, 2},    {"atomicMin", CALL_ATOMIC, 2},
    {"atomicMax", CALL_ATOMIC, 2},   {"atomicAnd", CALL_ATOMIC, 2},    {"atomicOr", CALL_ATOMIC, 2},
    {"atomicXor", CALL_ATOMIC, 2},   {"memoryBarrier", CALL_FENCE, 0}, {"controlBarrier", CALL_BARRIER_SCOPED, 1},
    {NULL, CALL_ATOMIC, 0}};

static const char *const explicit_ending = "_explicit";

static const struct call_row *row_of(const struct kernel_text *text, const char *name) {
  const struct call_row *rows = text->vulkan ? glsl_rows : opencl_rows;
  for (; rows->name; rows++) {
    size_t length = strlen(rows->name);
    if (strncmp(name, rows->name, length) != 0) continue;
    if (!name[length]) return rows;
    if (!text->vulkan && !strcmp(name + length, explicit_ending)) return rows;
  }
  return NULL;
}

static bool fits(const struct call_row *row, enum spirv_kind kind) {
  switch (row->kind) {
    case CALL_FENCE:
      return kind == SPIRV_FENCE;
    case CALL_BARRIER:
    case CALL_BARRIER_SCOPED:
      return kind == SPIRV_BARRIER;
    case CALL_CAS:
      return kind == SPIRV_CAS;
    case CALL_ATOMIC:
      return kind == SPIRV_LOAD || kind == SPIRV_STORE || kind == SPIRV_RMW;
  }
  return false;
}

/* A compiler of GLSL tells only the line of a call's end: it is the call whose turn it is, of those in the statement
 * that do not end before. */
static const struct call_row *find_in_statement(const struct kernel_text *text, const struct spirv_operation *op,
                                                struct call *call) {
  const char *all = text->plain;
  unsigned turn = op->turn;
  uint32_t at = op->span.at;
  while (at && !strchr(";{}", all[at - 1])) at--;
  for (; all[at] && (all[at] != ';' || at < op->span.at); at++) {
    bool word = is_word_char(all[at]) && (!at || !is_word_char(all[at - 1]));
    const struct call_row *row = word && read_call(text->arena, all, at, call) ? row_of(text, call->name) : NULL;
    if (row && call->end > op->span.at && !turn--) return row;
  }
  return NULL;
}

static const struct call_row *find_call(const struct kernel_text *text, const struct spirv_operation *op,
                                        struct call *call) {
  const struct call_row *row = NULL;
  if (!op->span.length) return NULL;
  if (text->vulkan)
    row = find_in_statement(text, op, call);
  else if (read_call(text->arena, text->plain, op->span.at, call))
    row = row_of(text, call->name);
  return row && fits(row, op->kind) ? row : NULL;
}

/* ---- words ---- */

static const char *opencl_word(const struct word_row *rows, int value) {
  const char *word = word_for(rows, value);
  return word ? word : "";
}

static const char *order_text(const struct kernel_text *text, const struct spirv_words *words, enum order order) {
  if (!text->vulkan) return opencl_word(c_orders, order == ORDER_CON ? ORDER_ACQ : (int)order);
  static const char *const glsl[] = {
      [ORDER_NA] = "",
      [ORDER_RLX] = "gl_SemanticsRelaxed",
      [ORDER_CON] = "gl_SemanticsAcquire",
      [ORDER_ACQ] = "gl_SemanticsAcquire",
      [ORDER_REL] = "gl_SemanticsRelease",
      [ORDER_ACQ_REL] = "gl_SemanticsAcquireRelease",
      [ORDER_SC] = "gl_SemanticsAcquireRelease",
  };
  struct spirv_words of = *words;
  unsigned bits = spirv_semantics(&of, order);
  return arena_printf(text->arena, "%s%s%s", glsl[order], bits & 0x2000 ? " | gl_SemanticsMakeAvailable" : "",
                      bits & 0x4000 ? " | gl_SemanticsMakeVisible" : "");
}

static const char *scope_text(const struct kernel_text *text, enum scope scope) {
  if (!text->vulkan) return opencl_word(c_scopes, scope == SCOPE_QF ? SCOPE_DEV : (int)scope);
  static const char *const glsl[] = {
      [SCOPE_NONE] = "",
      [SCOPE_WI] = "gl_ScopeInvocation",
      [SCOPE_SG] = "gl_ScopeSubgroup",
      [SCOPE_WG] = "gl_ScopeWorkgroup",
      [SCOPE_QF] = "gl_ScopeQueueFamily",
      [SCOPE_DEV] = "gl_ScopeDevice",
      [SCOPE_SYS] = "gl_ScopeDevice",
  };
  return glsl[scope];
}

static const char *memory_text(const struct kernel_text *text, const struct spirv_words *words, enum order order) {
  unsigned memory = order == ORDER_RLX ? 0 : words->memory;
  const char *first = text->vulkan ? "gl_StorageSemanticsBuffer" : "CLK_GLOBAL_MEM_FENCE";
  const char *second = text->vulkan ? "gl_StorageSemanticsShared" : "CLK_LOCAL_MEM_FENCE";
  const char *none = text->vulkan ? "gl_StorageSemanticsNone" : "0";
  bool buffers = memory & (SPIRV_BUFFERS | SPIRV_GLOBAL), local = memory & SPIRV_LOCAL;
  return arena_printf(text->arena, "%s%s%s", buffers ? first : "", buffers && local ? " | " : "",
                      local     ? second
                      : buffers ? ""
                                : none);
}

/* ---- calls written anew ---- */

struct rewriting {
  const struct kernel_text *text;
  const struct call *call;
  const char *name;
  VEC(const char *) arguments;
};

static const char *argument_text(const struct rewriting *r, unsigned index) {
  struct argument a = r->call->arguments.at[index];
  return arena_strndup(r->text->arena, r->text->source->text + a.at, a.length);
}

/* The argument `index`: as it is, if the call has it and it means the same. */
static void put(struct rewriting *r, unsigned index, const char *words, bool same) {
  bool there = index < r->call->arguments.count;
  *vec_push(r->text->arena, &r->arguments) = there && same ? argument_text(r, index) : words;
}

static bool put_opencl(struct rewriting *r, const struct call_row *row, const struct spirv_words *was,
                       const struct spirv_words *is) {
  const struct kernel_text *text = r->text;
  unsigned at = row->values, given = (unsigned)r->call->arguments.count;
  if (given < at) return false;
  for (unsigned i = 0; i < at; i++) put(r, i, "", true);
  bool same_memory = was->memory == is->memory && (was->order == ORDER_RLX) == (is->order == ORDER_RLX);
  if (row->kind == CALL_BARRIER) {
    if (!given) return false;
    put(r, 0, memory_text(text, is, is->order), same_memory);
    if (given > 1 || is->scope != was->scope) put(r, 1, scope_text(text, is->scope), is->scope == was->scope);
    if (given < 2 && is->scope != was->scope) r->name = "work_group_barrier";
    return true;
  }
  if (row->kind == CALL_FENCE) put(r, at++, memory_text(text, is, is->order), same_memory);
  put(r, at++, order_text(text, is, is->order), is->order == was->order);
  if (row->kind == CALL_CAS) put(r, at++, order_text(text, is, is->failure), is->failure == was->failure);
  if (given > at || is->scope != was->scope) put(r, at, scope_text(text, is->scope), is->scope == was->scope);
  size_t length = strlen(r->name), ending = strlen(explicit_ending);
  bool spelled = length > ending && !strcmp(r->name + length - ending, explicit_ending);
  if (row->kind != CALL_FENCE && !spelled) r->name = arena_printf(text->arena, "%s%s", r->name, explicit_ending);
  return true;
}

static bool put_glsl(struct rewriting *r, const struct call_row *row, const struct spirv_words *was,
                     const struct spirv_words *is) {
  const struct kernel_text *text = r->text;
  unsigned at = row->values, given = (unsigned)r->call->arguments.count;
  bool ordered = row->kind != CALL_ATOMIC && row->kind != CALL_CAS;
  if (given < at || (ordered && given < at + 3)) return false;
  for (unsigned i = 0; i < at; i++) put(r, i, "", true);
  bool same = spirv_semantics(was, was->order) == spirv_semantics(is, is->order);
  put(r, at++, scope_text(text, is->scope), is->scope == was->scope);
  put(r, at++, memory_text(text, is, is->order), same);
  put(r, at++, order_text(text, is, is->order), same);
  if (row->kind != CALL_CAS) return true;
  same = spirv_semantics(was, was->failure) == spirv_semantics(is, is->failure);
  put(r, at++, memory_text(text, is, is->failure), same);
  put(r, at, order_text(text, is, is->failure), same);
  return true;
}

static const char *call_text(const struct rewriting *r) {
  const char *all = arena_printf(r->text->arena, "%s(", r->name);
  for (size_t i = 0; i < r->arguments.count; i++)
    all = arena_printf(r->text->arena, "%s%s%s", all, i ? ", " : "", r->arguments.at[i]);
  return arena_printf(r->text->arena, "%s)", all);
}

static void set_edit(const struct kernel_text *text, struct form *form, struct span span, const char *put,
                     const char *shown) {
  struct edit *edit = ARENA_MAKE(text->arena, struct edit, span, put);
  *form = (struct form){.text = shown, .edits = edit, .edit_count = 1};
}

/* White space is one blank. */
static const char *on_one_line(struct arena *arena, const char *text) {
  char *out = arena_strdup(arena, text), *to = out;
  for (const char *from = out; *from; from++) {
    if (!isspace((unsigned char)*from))
      *to++ = *from;
    else if (to > out && to[-1] != ' ')
      *to++ = ' ';
  }
  *to = 0;
  return out;
}

/* The arguments that are others, each in its place. */
static bool edit_arguments(const struct rewriting *r, struct form *form) {
  VEC(struct edit) edits = {0};
  if (strcmp(r->name, r->call->name) != 0 || r->arguments.count != r->call->arguments.count) return false;
  for (unsigned i = 0; i < r->arguments.count; i++) {
    struct argument a = r->call->arguments.at[i];
    if (!strcmp(r->arguments.at[i], argument_text(r, i))) continue;
    *vec_push(r->text->arena, &edits) = (struct edit){{a.at, a.length}, r->arguments.at[i]};
  }
  form->edits = edits.at;
  form->edit_count = edits.count;
  return true;
}

static bool edit_words(const struct kernel_text *text, const struct spirv_operation *op, const struct spirv_words *is,
                       struct form *form) {
  struct call call;
  const struct call_row *row = find_call(text, op, &call);
  if (!row) return false;
  struct rewriting r = {.text = text, .call = &call, .name = call.name};
  if (!(text->vulkan ? put_glsl : put_opencl)(&r, row, &op->words, is)) return false;
  const char *all = call_text(&r), *shown = on_one_line(text->arena, all);
  *form = (struct form){.text = shown};
  if (!edit_arguments(&r, form)) set_edit(text, form, (struct span){call.begin, call.end - call.begin}, all, shown);
  return true;
}

/* ---- statements ---- */

static uint32_t skip_blanks(const char *text, uint32_t at) {
  return at + (uint32_t)strspn(text + at, " \t\n");
}

/* After the bracket that closes the one there; at the text's end if none does. */
static uint32_t bracket_end(const char *text, uint32_t at) {
  int depth = 0;
  for (; text[at]; at++) {
    depth += (text[at] == '(' || text[at] == '[') - (text[at] == ')' || text[at] == ']');
    if (!depth) return at + 1;
  }
  return at;
}

/* Is the `;` one of the two in the head of a `for`? */
static bool is_in_head(const char *text, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i && !strchr("{}", text[i - 1]); i--) {
    if (text[i - 1] == '(' && !depth) return true;
    depth += (text[i - 1] == ')') - (text[i - 1] == '(');
  }
  return false;
}

/* After the statement, or the bracket, that is before the place. */
static uint32_t statement_bound(const char *text, uint32_t at) {
  while (at && !strchr("{}", text[at - 1]) && (text[at - 1] != ';' || is_in_head(text, at - 1))) at--;
  return at;
}

static bool begins_with(const char *text, const char *word) {
  size_t length = strlen(word);
  return !strncmp(text, word, length) && !is_word_char(text[length]);
}

/* Does a `do` end with the `while` there? */
static bool ends_do(const char *text, uint32_t at) {
  while (at && strchr(" \t\n", text[at - 1])) at--;
  if (at && text[at - 1] == '}') {
    int depth = 0;
    do depth += (text[at - 1] == '}') - (text[at - 1] == '{');
    while (--at && depth);
  }
  return begins_with(text + skip_blanks(text, statement_bound(text, at - (at > 0))), "do");
}

/* Where the statement begins that has the place, if all of it between runs once and before the place: of an `if` it is
 * the condition, of a loop what comes before the first round. */
static bool statement_begin(const char *text, uint32_t at, uint32_t *begin) {
  uint32_t i = statement_bound(text, at);
  *begin = skip_blanks(text, i);
  if (!i || *begin > at) return false;
  const char *start = text + *begin;
  if (begins_with(start, "if")) return at < bracket_end(text, skip_blanks(text, *begin + 2));
  if (begins_with(start, "for")) return at <= *begin + strcspn(start, ";");
  if (begins_with(start, "while")) return at == *begin && !ends_do(text, i);
  static const char *const behind[] = {"else", "do", "case", "default"};
  for (size_t b = 0; b < ARRAY_COUNT(behind); b++)
    if (begins_with(start, behind[b])) return false;
  if (*start == '}') return false;
  static const char *const barred[] = {"while", "for", "do", "&&", "||", "?", "case", "default"};
  for (size_t b = 0; b < ARRAY_COUNT(barred); b++)
    for (const char *found = start; (found = strstr(found, barred[b])) && found < text + at; found++) {
      bool letters = isalpha((unsigned char)*barred[b]);
      if (!letters || (!is_word_char(found[strlen(barred[b])]) && (found == text || !is_word_char(found[-1]))))
        return false;
    }
  return true;
}

/* Before the statement, on a line of its own if the statement begins one. */
static bool edit_before(const struct kernel_text *text, const struct spirv_operation *op, const char *put,
                        struct form *form) {
  const char *all = text->plain;
  uint32_t begin, line;
  if (!op->span.length || !statement_begin(all, op->span.at, &begin)) return false;
  for (line = begin; line && (all[line - 1] == ' ' || all[line - 1] == '\t');) line--;
  bool own_line = line && all[line - 1] == '\n';
  const char *more = own_line ? arena_printf(text->arena, "%s;\n%.*s", put, (int)(begin - line), all + line)
                              : arena_printf(text->arena, "%s; ", put);
  set_edit(text, form, (struct span){begin, 0}, more, put);
  return true;
}

struct edit edit_removal(const char *text, struct span statement) {
  uint32_t start = statement.at, end = statement.at + statement.length;
  while (start && (text[start - 1] == ' ' || text[start - 1] == '\t')) start--;
  bool line = start && text[start - 1] == '\n' && text[end] == '\n';
  return (struct edit){line ? (struct span){start, end + 1 - start} : statement, line ? "" : ";"};
}

static bool edit_remove(const struct kernel_text *text, const struct spirv_operation *op, struct form *form) {
  const char *all = text->plain;
  struct call call;
  uint32_t begin;
  if (!find_call(text, op, &call) || !statement_begin(all, call.begin, &begin) || begin != call.begin) return false;
  uint32_t end = call.end + (uint32_t)strspn(all + call.end, " \t\n");
  if (all[end++] != ';') return false;
  struct edit edit = edit_removal(all, (struct span){begin, end - begin});
  set_edit(text, form, edit.span, edit.text, "");
  return true;
}

/* ---- ordinary accesses ---- */

/* `x[i]`, `s->next`, `*p`, `(*p)`: what can be assigned to, if it begins there. */
static bool read_place(const char *text, uint32_t at, struct span *place) {
  uint32_t end = at;
  while (text[end] == '*') end++;
  if (text[end] == '(' && text[end + 1] == '*') {
    end = bracket_end(text, end);
  } else {
    uint32_t name = end;
    if (!isalpha((unsigned char)text[end]) && text[end] != '_') return false;
    while (is_word_char(text[end])) end++;
    if (end == name) return false;
  }
  for (bool more = true; more;) {
    uint32_t from = end;
    if (text[end] == '[') end = bracket_end(text, end);
    if (text[end] == '.' || (text[end] == '-' && text[end + 1] == '>')) {
      end += text[end] == '.' ? 1 : 2;
      while (is_word_char(text[end])) end++;
    }
    more = end > from;
  }
  *place = (struct span){at, end - at};
  return text[skip_blanks(text, end)] != '(';
}

/* Where the statement begins that has the place: after the heads of `if` and of loops. */
static uint32_t statement_start(const char *text, uint32_t at) {
  uint32_t i = statement_bound(text, at);
  for (;;) {
    static const char *const heads[] = {"if", "else", "while", "for", "do"};
    size_t length = 0;
    i = skip_blanks(text, i);
    for (size_t h = 0; h < ARRAY_COUNT(heads) && !length; h++)
      if (begins_with(text + i, heads[h])) length = strlen(heads[h]);
    if (!length) return i;
    uint32_t behind = skip_blanks(text, i + (uint32_t)length);
    uint32_t end = text[behind] == '(' ? bracket_end(text, behind) : behind;
    if (end > at) return i; /* it is in the head */
    i = end;
  }
}

/* A statement that assigns: `PLACE = VALUE;`, `PLACE += VALUE;`, `PLACE++;`, `++PLACE;`, `TYPE NAME = VALUE;`. */
struct assignment {
  struct span all; /* with `;` */
  struct span place, value;
  char sign;        /* of `+=` and `++`; 0: of `=` */
  bool one;         /* `++`: the value is 1 */
  const char *name; /* declared there; NULL: it has a place */
};

static bool read_assignment(struct arena *arena, const char *text, uint32_t at, struct assignment *a) {
  static const char *const operators = "+-|&^";
  uint32_t start = statement_start(text, at), i = start;
  *a = (struct assignment){.all = {start, 0}};
  bool first = strchr("+-", text[i]) && text[i] && text[i + 1] == text[i];
  if (first) i = skip_blanks(text, i + 2);
  if (!read_place(text, i, &a->place)) return false;
  i = skip_blanks(text, i + a->place.length);
  if (is_word_char(text[i])) { /* words of a type, and the name */
    while (is_word_char(text[i])) {
      uint32_t name = i;
      while (is_word_char(text[i])) i++;
      a->name = arena_strndup(arena, text + name, i - name);
      i = skip_blanks(text, i);
    }
    if (text[i] != '=' || text[i + 1] == '=') return false;
  }
  bool step = !a->name && text[i] && strchr("+-", text[i]) && text[i + 1] == text[i];
  if (first || step) {
    a->one = true;
    a->sign = first ? text[start] : text[i];
    i = step ? skip_blanks(text, i + 2) : i;
  } else {
    if (text[i] && strchr(operators, text[i])) a->sign = text[i++];
    if (text[i] != '=' || text[i + 1] == '=') return false;
    uint32_t from = skip_blanks(text, i + 1);
    for (i = from; text[i] && text[i] != ';'; i = text[i] == '(' || text[i] == '[' ? bracket_end(text, i) : i + 1)
      if (text[i] == ',' || text[i] == '{' || text[i] == '=') return false;
    while (i > from && isspace((unsigned char)text[i - 1])) i--;
    a->value = (struct span){from, i - from};
    i = skip_blanks(text, i);
  }
  a->all.length = i + 1 - start;
  return text[i] == ';' && at <= i;
}

static const char *piece(const struct kernel_text *text, struct span span) {
  return arena_strndup(text->arena, text->source->text + span.at, span.length);
}

/* Do two pieces of text say the same, but for spaces? */
static bool says_same(const char *text, struct span a, struct span b) {
  uint32_t i = a.at, j = b.at, end = a.at + a.length, other = b.at + b.length;
  for (;; i++, j++) {
    while (i < end && isspace((unsigned char)text[i])) i++;
    while (j < other && isspace((unsigned char)text[j])) j++;
    if (i == end || j == other) return i == end && j == other;
    if (text[i] != text[j]) return false;
  }
}

/* A name, number or call, or brackets: no operator is outside brackets. */
static bool is_primary(const char *text, struct span span) {
  uint32_t i = span.at, end = span.at + span.length;
  while (i < end && (is_word_char(text[i]) || text[i] == '.')) i++;
  while (i < end && (text[i] == '(' || text[i] == '[')) i = bracket_end(text, i);
  return span.length && i == end;
}

/* `PLACE + value`, `value + PLACE`: what `value` is, and the sign of the operator. */
static bool read_operation(const char *text, struct span all, struct span place, char *sign, struct span *value) {
  uint32_t end = all.at + all.length;
  struct span first = {all.at, place.length};
  if (place.length < all.length && says_same(text, first, place)) {
    uint32_t i = skip_blanks(text, all.at + place.length);
    *sign = text[i];
    i = skip_blanks(text, i + 1);
    *value = (struct span){i, i < end ? end - i : 0};
    return *sign && strchr("+-|&^", *sign) && is_primary(text, *value);
  }
  if (place.length >= all.length || !says_same(text, (struct span){end - place.length, place.length}, place))
    return false;
  uint32_t i = end - place.length;
  while (i > all.at && isspace((unsigned char)text[i - 1])) i--;
  if (i == all.at) return false;
  *sign = text[--i];
  while (i > all.at && isspace((unsigned char)text[i - 1])) i--;
  *value = (struct span){all.at, i - all.at};
  return *sign && strchr("+|&^", *sign) && is_primary(text, *value);
}

/* OpenCL C: what makes of a place the address of an atomic object, whose type is that of the declaration. */
static const char *atomic_cast(const struct kernel_text *text, struct span *place) {
  const char *all = text->plain, *words = "";
  uint32_t name = place->at + (uint32_t)strspn(all + place->at, "(* \t"), length = 0;
  while (is_word_char(all[name + length])) length++;
  for (const char *at = all; (at = strstr(at, piece(text, (struct span){name, length}))); at += length) {
    const char *from = at;
    if (is_word_char(at[length]) || (at > all && is_word_char(at[-1]))) continue;
    while (from > all && !strchr(",;({})%\n", from[-1])) from--;
    words = arena_strndup(text->arena, from, (size_t)(at - from));
    if (from == all || from[-1] != '%') break; /* it is declared before it is used, but for the header */
  }
  const char *space = strstr(words, "global") ? "global " : strstr(words, "local") ? "local " : "";
  const char *type = strstr(words, "uint") || strstr(words, "unsigned") ? "atomic_uint" : "atomic_int";
  bool pointer = all[place->at] == '*' && name + length == place->at + place->length;
  if (pointer) *place = (struct span){name, length};
  return arena_printf(text->arena, "(volatile %s%s*)%s", space, type, pointer ? "" : "&");
}

/* A call of an atomic operation: what stands before its place, before a value, if it has one, and after that. */
struct atomic_call {
  const char *head, *place, *comma, *behind;
};

static struct atomic_call atomic_call(const struct kernel_text *text, const char *name, struct span place, bool value,
                                      const struct spirv_words *words) {
  const char *order = order_text(text, words, words->order), *scope = scope_text(text, words->scope);
  const char *cast = text->vulkan ? "" : atomic_cast(text, &place);
  const char *memory = text->vulkan ? memory_text(text, words, words->order) : "";
  return (struct atomic_call){
      arena_printf(text->arena, "%s%s(%s", name, text->vulkan ? "" : explicit_ending, cast),
      piece(text, place),
      value ? ", " : "",
      text->vulkan ? arena_printf(text->arena, ", %s, %s, %s)", scope, memory, order)
                   : arena_printf(text->arena, ", %s, %s)", order, scope),
  };
}

/* GLSL converts what is assigned, but no argument of these calls. */
static void convert_value(const struct kernel_text *text, const struct spirv_operation *op, const char *value,
                          struct atomic_call *call) {
  bool digit = isdigit((unsigned char)*value), literal = digit && !value[strspn(value, "0123456789abcdefABCDEFxX")];
  bool suffixed = digit && !literal && strchr("uU", value[strlen(value) - 1]) &&
                  is_primary(value, (struct span){0, (uint32_t)strlen(value)});
  bool converted = literal || op->is_converted || op->loads;
  if (!text->vulkan || !op->is_unsigned || suffixed || !converted) return;
  call->behind = arena_printf(text->arena, "%s%s", literal ? "u" : ")", call->behind);
  if (!literal) call->comma = arena_printf(text->arena, "%suint(", call->comma);
}

/* Is nothing loaded to find the place, by an index that is itself an element? */
static bool is_direct(const char *text, struct span place) {
  int depth = 0;
  for (uint32_t i = place.at; i < place.at + place.length; i++) {
    depth += (text[i] == '[') - (text[i] == ']');
    if (depth > 1) return false;
  }
  return true;
}

/* The statement becomes a call; its value stays as it is, and so does a place that is found by a load: they may have
 * edits of their own. */
static void edit_statement(const struct kernel_text *text, const struct assignment *a, struct span value,
                           const struct atomic_call *call, struct form *form) {
  uint32_t from = a->all.at, end = from + a->all.length - 1; /* without `;` */
  const char *before = arena_printf(text->arena, "%s%s%s", call->head, call->place, call->comma);
  const char *given = a->one ? "1" : piece(text, value);
  struct edit *edits = ARENA_ARRAY(text->arena, struct edit, 3);
  *form = (struct form){.edits = edits};
  form->text = on_one_line(text->arena, arena_printf(text->arena, "%s%s%s", before, given, call->behind));
  if (!is_direct(text->plain, a->place)) {
    edits[form->edit_count++] = (struct edit){{from, a->place.at - from}, call->head};
    from = a->place.at + a->place.length;
    before = call->comma;
  }
  if (a->one) {
    const char *rest = arena_printf(text->arena, "%s1%s", before, call->behind);
    edits[form->edit_count++] = (struct edit){{from, end - from}, rest};
    return;
  }
  edits[form->edit_count++] = (struct edit){{from, value.at - from}, before};
  edits[form->edit_count++] = (struct edit){{value.at + value.length, end - value.at - value.length}, call->behind};
}

/* The statement of an ordinary access: a compiler of GLSL tells only its line, which must not have two. */
static bool find_assignment(const struct kernel_text *text, const struct spirv_operation *op, struct assignment *a) {
  const char *all = text->plain;
  uint32_t at = op->span.at;
  if (text->vulkan) {
    uint32_t length = (uint32_t)strcspn(all + at, ";\n");
    if (all[at + length] != ';' || all[at + length + 1 + strcspn(all + at + length + 1, ";\n")] == ';') return false;
    at += length;
  }
  return read_assignment(text->arena, all, at, a);
}

/* A load that the compiler's notes lead to, or in GLSL the only one of a statement: all of what is assigned. */
static bool find_load(const struct kernel_text *text, const struct spirv_operation *op, struct span *place) {
  const char *all = text->plain;
  struct assignment a;
  if (!text->vulkan) return read_place(all, op->span.at, place);
  return find_assignment(text, op, &a) && !a.sign && read_place(all, a.value.at, place) &&
         place->length == a.value.length;
}

static bool edit_atomic(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_words *words, struct form *form) {
  struct assignment a;
  struct span place;
  if (op->kind == SPIRV_PLAIN_LOAD) {
    if (!find_load(text, op, &place)) return false;
    struct atomic_call call = atomic_call(text, text->vulkan ? "atomicLoad" : "atomic_load", place, false, words);
    const char *all = arena_printf(text->arena, "%s%s%s", call.head, call.place, call.behind);
    if (!is_direct(text->plain, place)) return false;
    set_edit(text, form, place, all, all);
    return true;
  }
  if (!find_assignment(text, op, &a) || a.sign || a.name) return false;
  struct atomic_call call = atomic_call(text, text->vulkan ? "atomicStore" : "atomic_store", a.place, true, words);
  convert_value(text, op, a.one ? "1" : piece(text, a.value), &call);
  edit_statement(text, &a, a.value, &call, form);
  return true;
}

/* The name of an operator's update, 0 being none.  GLSL has none for `-`: NULL. */
static const char *update_name(const struct kernel_text *text, char sign) {
  static const struct {
    char sign;
    const char *opencl, *glsl;
  } rows[] = {{0, "atomic_exchange", "atomicExchange"}, {'+', "atomic_fetch_add", "atomicAdd"},
              {'-', "atomic_fetch_sub", NULL},          {'|', "atomic_fetch_or", "atomicOr"},
              {'&', "atomic_fetch_and", "atomicAnd"},   {'^', "atomic_fetch_xor", "atomicXor"}};
  for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
    if (rows[i].sign == sign) return text->vulkan ? rows[i].glsl : rows[i].opencl;
  return NULL;
}

/* `PLACE = PLACE + VALUE;`, `PLACE += VALUE;`, `PLACE++;` are a call; `TYPE NAME = PLACE; PLACE = NAME + VALUE;` is the
 * first statement with a call. */
static bool edit_update(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_words *words, struct form *form) {
  const char *all = text->plain;
  struct assignment a, before = {0};
  if (!find_assignment(text, op, &a) || a.name || (!a.sign && !is_direct(all, a.place))) return false;
  char sign = a.sign;
  struct span value = a.value;
  if (!sign && !read_operation(all, a.value, a.place, &sign, &value)) {
    uint32_t last = a.all.at;
    while (last && isspace((unsigned char)all[last - 1])) last--;
    if (!last || all[last - 1] != ';' || !read_assignment(text->arena, all, last - 1, &before) || before.sign ||
        !says_same(all, before.value, a.place))
      return false;
    const char *named = before.name ? strstr(all + before.all.at, before.name) : all + before.place.at;
    struct span name = {(uint32_t)(named - all), before.name ? (uint32_t)strlen(before.name) : before.place.length};
    if (!read_operation(all, a.value, name, &sign, &value)) {
      sign = 0;
      value = a.value;
      if (!is_primary(all, value) || says_same(all, value, name)) return false;
    }
  }
  bool negative = text->vulkan && sign == '-';
  const char *update = update_name(text, negative ? '+' : sign);
  if (!update) return false;
  struct atomic_call call = atomic_call(text, update, a.place, true, words);
  if (negative) call.comma = ", -";
  if (negative && !a.one && !is_primary(all, value)) return false;
  convert_value(text, op, a.one ? "1" : piece(text, value), &call);
  edit_statement(text, &a, value, &call, form);
  if (!before.all.length) return true;
  unsigned line, column;
  struct edit *edits = ARENA_ARRAY(text->arena, struct edit, 2);
  source_position(text->source, before.all.at, &line, &column);
  edits[0] = (struct edit){before.value, form->text};
  edits[1] = edit_removal(all, a.all);
  *form = (struct form){arena_printf(text->arena, "%s, in line %u", form->text, line), .edits = edits, .edit_count = 2};
  return true;
}

/* ---- a change ---- */

const char *kernel_source_words(const struct kernel_text *text, const struct spirv_operation *op) {
  struct call call;
  struct assignment a;
  struct span span;
  if (op->kind == SPIRV_PLAIN_LOAD && find_load(text, op, &span)) return piece(text, span);
  if (op->kind == SPIRV_PLAIN_STORE && find_assignment(text, op, &a))
    return on_one_line(text->arena, piece(text, (struct span){a.all.at, a.all.length - 1}));
  if (!find_call(text, op, &call)) return NULL;
  return on_one_line(text->arena, piece(text, (struct span){call.begin, call.end - call.begin}));
}

static const char *inserted_text(const struct kernel_text *text, const struct spirv_change *change) {
  const struct spirv_words *words = &change->words;
  const char *memory = memory_text(text, words, words->order), *scope = scope_text(text, words->scope);
  const char *order = order_text(text, words, words->order);
  bool barrier = change->kind == CHANGE_BARRIER;
  if (text->vulkan)
    return arena_printf(text->arena, "%s%s, %s, %s)", barrier ? "controlBarrier(gl_ScopeWorkgroup, " : "memoryBarrier(",
                        scope, memory, order);
  if (!barrier) return arena_printf(text->arena, "atomic_work_item_fence(%s, %s, %s)", memory, order, scope);
  return words->scope == SCOPE_WG ? arena_printf(text->arena, "barrier(%s)", memory)
                                  : arena_printf(text->arena, "work_group_barrier(%s, %s)", memory, scope);
}

/* GLSL has no scopes and orders without an extension, which the text may lack. */
static void add_extension(const struct kernel_text *text, struct form *form) {
  static const char name[] = "GL_KHR_memory_scope_semantics";
  const char *all = text->source->text, *version = strstr(all, "#version");
  const char *line = version ? strchr(version, '\n') : NULL;
  if (!line || strstr(all, name) || !form->edit_count) return;
  struct edit *edits = ARENA_ARRAY(text->arena, struct edit, form->edit_count + 1);
  memcpy(edits, form->edits, form->edit_count * sizeof *edits);
  edits[form->edit_count++] =
      (struct edit){{(uint32_t)(line + 1 - all), 0}, arena_printf(text->arena, "#extension %s : require\n", name)};
  form->edits = edits;
}

static bool edit(const struct kernel_text *text, const struct spirv_operation *op, const struct spirv_change *change,
                 struct form *form) {
  switch (change->kind) {
    case CHANGE_WORDS:
      return edit_words(text, op, &change->words, form);
    case CHANGE_REMOVE:
      return edit_remove(text, op, form);
    case CHANGE_FENCE:
    case CHANGE_BARRIER:
      return edit_before(text, op, inserted_text(text, change), form);
    case CHANGE_ATOMIC:
      return edit_atomic(text, op, &change->words, form);
    case CHANGE_UPDATE:
      return edit_update(text, op, &change->words, form);
  }
  return false;
}

bool kernel_edit_source(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_change *change, struct form *form) {
  bool can = edit(text, op, change, form);
  if (can && text->vulkan && change->kind != CHANGE_REMOVE) add_extension(text, form);
  return can;
}
