/* SPDX-License-Identifier: MIT */
/* Modules of PTX: directives, declarations, and bodies cut into statements. */
#include "checker/ptx/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"

/* Registers that one declaration makes: `%r<9>` or `flag`. */
struct registers {
  const char *name, *kind; /* what the names of its type begin with */
  unsigned count, first;   /* 0: the name is all; the number of the first */
};

/* A variable of a body that calls pass values in: several may have one name. */
struct passed {
  const char *name, *own;
};

struct block {
  VEC(struct registers) registers;
  VEC(struct passed) passed;
};

struct parser {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  struct cursor c; /* in a copy of the text, with spaces for its comments */
  VEC(struct block) scopes;
  unsigned next, passed; /* number of a register, of a variable to pass values in */
  bool failed;
};

enum { MOST_SCOPES = 64, MOST_REGISTERS = 1 << 20 };

static void fail(struct parser *p, struct span span, const char *what, const char *name) {
  if (!p->failed) diag_error(p->diags, p->source, span, "%s%s", what, name);
  p->failed = true;
}

/* ---- words ---- */

static bool is_name_char(char c) {
  return is_word_char(c) || c == '$';
}

static char *without_comments(struct arena *arena, const struct source *source) {
  char *text = arena_strndup(arena, source->text, source->size);
  const char *close = NULL;
  for (char *at = text; *at; at++) {
    bool ends = close && text_begins(at, close);
    if (!close && *at == '"') {
      do at++;
      while (*at && *at != '"' && *at != '\n');
      if (!*at) break;
    } else if (!close && text_begins(at, "//")) {
      close = "\n";
    } else if (!close && text_begins(at, "/*")) {
      close = "*/";
      *at++ = ' ';
    }
    if (!close) continue;
    if (*at != '\n') *at = ' ';
    if (ends && *close == '*') *++at = ' ';
    if (ends) close = NULL;
  }
  return text;
}

static bool at_end(struct parser *p) {
  cursor_skip_blanks(&p->c);
  return p->c.at >= p->c.end;
}

static char look(struct parser *p) {
  return at_end(p) ? '\0' : p->c.text[p->c.at];
}

static void fail_expected(struct parser *p, const char *what) {
  bool ended = at_end(p);
  fail(p, (struct span){ended ? (uint32_t)p->source->size : p->c.at, !ended},
       arena_printf(p->arena, "expected %s", what), ended ? ", found the end of the text" : "");
}

static bool skip(struct parser *p, char c) {
  bool is = look(p) == c;
  p->c.at += is;
  return is;
}

static void expect(struct parser *p, char c, const char *what) {
  if (!skip(p, c)) fail_expected(p, what);
}

static const char *take_name(struct parser *p, struct span *span) {
  bool some = !at_end(p);
  uint32_t start = p->c.at;
  if (some && p->c.text[p->c.at] == '%') p->c.at++;
  while (p->c.at < p->c.end && is_name_char(p->c.text[p->c.at])) p->c.at++;
  *span = (struct span){start, p->c.at - start};
  if (!span->length || isdigit((unsigned char)p->c.text[start])) fail_expected(p, "a name");
  return cursor_keep(p->arena, &p->c, start);
}

/* `.visible`, without its point; NULL: none stands here. */
static const char *take_directive(struct parser *p, struct span *span) {
  if (look(p) != '.') return NULL;
  uint32_t start = p->c.at++;
  while (p->c.at < p->c.end && is_name_char(p->c.text[p->c.at])) p->c.at++;
  *span = (struct span){start, p->c.at - start};
  return cursor_keep(p->arena, &p->c, start + 1);
}

/* The digits of a number, and what else is written with them; "": none stands here. */
static const char *take_digits(struct parser *p, struct span *span) {
  cursor_skip_blanks(&p->c);
  uint32_t start = p->c.at, at = start + (look(p) == '-');
  bool is = at < p->c.end && isdigit((unsigned char)p->c.text[at]);
  while (is && at < p->c.end && is_name_char(p->c.text[at])) at++;
  p->c.at = is ? at : start;
  *span = (struct span){start, p->c.at - start};
  return cursor_keep(p->arena, &p->c, start);
}

static unsigned take_count(struct parser *p) {
  struct span span;
  int64_t number = 0;
  const char *digits = take_digits(p, &span);
  if (!*digits)
    fail_expected(p, "a number");
  else if (!ptx_number(digits, &number) || number < 0 || number > UINT32_MAX)
    fail(p, span, "expected a number of at most 32 bits", "");
  return p->failed ? 0 : (unsigned)number;
}

/* Past the bracket that closes the one at hand. */
static void skip_brackets(struct parser *p, char open, char close) {
  struct span start = {p->c.at, 1};
  unsigned depth = 0;
  do {
    char c = look(p);
    if (!c) {
      fail(p, start, "nothing closes this", "");
      return;
    }
    depth += c == open;
    depth -= c == close;
    p->c.at++;
  } while (depth);
}

static void skip_line(struct parser *p) {
  p->c.at = cursor_end_of(&p->c, '\n');
}

static void skip_past(struct parser *p, char c) {
  p->c.at = cursor_end_of(&p->c, c);
  expect(p, c, "';'");
}

/* ---- variables ---- */

/* A number as it stands, or "?": an address, which is none. */
static void take_initial(struct parser *p, struct ptx_variable *variable) {
  if (skip(p, '{')) {
    while (!p->failed && !skip(p, '}')) {
      take_initial(p, variable);
      if (look(p) != '}') expect(p, ',', "',' or '}'");
    }
    return;
  }
  struct span span;
  const char *text = take_digits(p, &span);
  if (!*text) {
    uint32_t start = p->c.at;
    while (p->c.at < p->c.end && !strchr(",;}\n", p->c.text[p->c.at])) p->c.at++;
    if (p->c.at == start) fail_expected(p, "an initial value");
  }
  bool real = text_begins(text, "0f") || text_begins(text, "0d");
  if (*text && !real && !ptx_number(text, &(int64_t){0})) fail(p, span, "expected a number of at most 64 bits", "");
  *vec_push(p->arena, &variable->initial) = *text ? text : "?";
}

/* What stands before the names of variables; the number of values in each. */
static uint64_t take_type(struct parser *p, struct ptx_variable *variable) {
  uint64_t vector = 1;
  struct span span;
  for (const char *word; !p->failed && (word = take_directive(p, &span));) {
    if (!strcmp(word, "align"))
      (void)take_count(p);
    else if (!strcmp(word, "attribute") && look(p) == '(')
      skip_brackets(p, '(', ')');
    else if (*word == 'v' && isdigit((unsigned char)word[1]) && !word[2])
      vector = (uint64_t)(word[1] - '0');
    else if (nvptx_bits(word) || !strcmp(word, "pred"))
      variable->type = word;
    else if (!strcmp(word, "b128") || !strcmp(word, "f16x2") || !strcmp(word, "texref") || !strcmp(word, "surfref") ||
             !strcmp(word, "samplerref"))
      fail(p, span, "variables of this type are not supported: .", word);
  }
  if (!variable->type && !p->failed) fail_expected(p, "a type such as .u32");
  return vector;
}

/* `[4][2]`, `= {1, 2}` */
static void take_array(struct parser *p, struct ptx_variable *variable) {
  while (!p->failed && skip(p, '[')) {
    variable->array = true;
    variable->count *= look(p) == ']' ? 0 : take_count(p);
    if (variable->count > UINT32_MAX)
      fail(p, variable->span, "more elements than 32 bits can number: ", variable->name);
    expect(p, ']', "']'");
  }
  variable->initialised = skip(p, '=');
  if (variable->initialised) take_initial(p, variable);
  if (!variable->count) variable->count = variable->initial.count;
}

/* After its state space, up to the sign that ends it. */
static struct ptx_variable take_variable(struct parser *p, enum ptx_space space, struct ptx_variable *before) {
  struct ptx_variable variable = before ? *before : (struct ptx_variable){.space = space};
  memset(&variable.initial, 0, sizeof variable.initial);
  uint64_t vector = before ? 1 : take_type(p, &variable);
  struct span span;
  for (const char *word; space == PTX_PARAM && (word = take_directive(p, &span));) /* `.ptr .global .align 4` */
    if (!strcmp(word, "align")) (void)take_count(p);
  variable.name = p->failed ? "" : take_name(p, &variable.span);
  variable.count = vector;
  variable.array = vector > 1;
  if (!p->failed) take_array(p, &variable);
  return variable;
}

static bool is_space(const char *word, enum ptx_space *space) {
  static const char *const WORDS[] = {"global", "const", "shared", "local", "param", NULL};
  int i = text_place(word, WORDS);
  *space = (enum ptx_space)i;
  return i >= 0;
}

/* Gives a variable of a body that calls pass values in a name of its own. */
static void name_passed(struct parser *p, struct ptx_variable *variable) {
  const char *own = arena_printf(p->arena, "%s#%u", variable->name, ++p->passed);
  *vec_push(p->arena, &p->scopes.at[p->scopes.count - 1].passed) = (struct passed){variable->name, own};
  variable->name = own;
}

static const char *passed_named(const struct parser *p, const char *name) {
  for (size_t s = p->scopes.count; s-- > 0;)
    for (size_t i = p->scopes.at[s].passed.count; i-- > 0;)
      if (!strcmp(p->scopes.at[s].passed.at[i].name, name)) return p->scopes.at[s].passed.at[i].own;
  return name;
}

/* `.shared .align 4 .b8 x[16], y[4];` */
static void take_variables(struct parser *p, enum ptx_space space, struct ptx_entry *entry, struct ptx_module *module) {
  struct ptx_variable variable = take_variable(p, space, NULL);
  for (;;) {
    if (p->failed) return;
    struct ptx_variable kept = variable;
    if (entry && space == PTX_PARAM) name_passed(p, &kept);
    if (entry)
      *vec_push(p->arena, &entry->variables) = kept;
    else
      *vec_push(p->arena, &module->variables) = variable;
    if (!skip(p, ',')) break;
    variable = take_variable(p, space, &variable);
  }
  expect(p, ';', "';' after a variable");
}

/* ---- registers ---- */

static const char *kind_of(const char *type) {
  if (!strcmp(type, "pred")) return "%p";
  unsigned bits = nvptx_bits(type);
  return bits == 64 ? "%rd" : bits == 32 ? "%r" : "%rs";
}

static void take_registers(struct parser *p) {
  struct ptx_variable type = {0};
  struct span span;
  if (take_type(p, &type) > 1) fail_expected(p, "registers that are no vectors");
  do {
    if (p->failed) return;
    struct registers *made = vec_push(p->arena, &p->scopes.at[p->scopes.count - 1].registers);
    *made = (struct registers){.name = take_name(p, &span), .kind = kind_of(type.type), .first = p->next};
    if (skip(p, '<')) {
      made->count = take_count(p);
      if (made->count > MOST_REGISTERS) fail(p, span, "more registers than a kernel can have: ", made->name);
      expect(p, '>', "'>'");
    }
    p->next += made->count ? made->count : 1;
  } while (skip(p, ','));
  expect(p, ';', "';' after registers");
}

/* `%r7` of `%r<9>`; what the register is called in statements; NULL: it is none. */
static const char *register_named(const struct parser *p, const char *name) {
  for (size_t s = p->scopes.count; s-- > 0;)
    for (size_t i = p->scopes.at[s].registers.count; i-- > 0;) {
      const struct registers *r = &p->scopes.at[s].registers.at[i];
      size_t length = strlen(r->name);
      int64_t number = 0;
      bool is = r->count ? text_begins(name, r->name) && text_is_number(name + length, 0, r->count - 1, &number)
                         : !strcmp(name, r->name);
      if (is) return arena_printf(p->arena, "%s%u", r->kind, r->first + (unsigned)number);
    }
  return NULL;
}

static bool is_special(const char *name) {
  static const char *const WORDS[] = {
      "%tid",         "%ntid",        "%ctaid",       "%nctaid",      "%laneid",      "%warpid", "%nwarpid",
      "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", NULL};
  return text_is_one_of(name, WORDS);
}

/* ---- statements ---- */

/* An operand, by its name in statements. */
static void copy_name(struct parser *p, FILE *out) {
  struct span span;
  const char *name = take_name(p, &span), *reg = p->failed ? NULL : register_named(p, name);
  if (!reg && *name == '%' && !is_special(name))
    fail(p, span, "this is neither a declared register nor a special one that is known here: ", name);
  fputs(reg ? reg : passed_named(p, name), out);
}

/* The rest of an instruction: names of registers, one space for several. */
static void copy_operands(struct parser *p, uint32_t end, FILE *out) {
  while (p->c.at < end && !p->failed) {
    char c = p->c.text[p->c.at];
    if (c == '%' || c == '$' || c == '_' || isalpha((unsigned char)c)) {
      copy_name(p, out);
    } else if (isdigit((unsigned char)c) || c == '.') {
      do fputc(p->c.text[p->c.at++], out);
      while (p->c.at < end && is_name_char(p->c.text[p->c.at]));
    } else {
      bool blank = isspace((unsigned char)c);
      fputc(blank ? ' ' : c, out);
      do p->c.at++;
      while (blank && p->c.at < end && isspace((unsigned char)p->c.text[p->c.at]));
    }
  }
}

static void copy_instruction(struct parser *p, uint32_t end, FILE *out) {
  if (look(p) == '@') {
    fputc('@', out);
    p->c.at++;
    if (skip(p, '!')) fputc('!', out);
    cursor_skip_blanks(&p->c);
    copy_name(p, out);
    fputc(' ', out);
    cursor_skip_blanks(&p->c);
  }
  while (p->c.at < end && !isspace((unsigned char)p->c.text[p->c.at])) fputc(p->c.text[p->c.at++], out);
  copy_operands(p, end, out);
}

static bool at_label(struct parser *p) {
  uint32_t at = p->c.at;
  while (at < p->c.end && is_name_char(p->c.text[at])) at++;
  bool named = at > p->c.at;
  while (at < p->c.end && isspace((unsigned char)p->c.text[at])) at++;
  return named && at < p->c.end && p->c.text[at] == ':' && p->c.text[at + 1] != ':';
}

/* A label, with the list of labels after it, if it is the name of one; or an instruction. */
static void take_statement(struct parser *p, struct ptx_entry *entry) {
  struct text text = text_new();
  uint32_t start = p->c.at, end;
  struct span span;
  bool label = at_label(p);
  if (label) {
    fputs(take_name(p, &span), text.out);
    expect(p, ':', "':'");
    fputc(':', text.out);
    cursor_skip_blanks(&p->c);
  }
  bool list = label && cursor_looks_at(&p->c, ".branchtargets");
  if (!label || list) {
    end = cursor_end_of(&p->c, ';');
    uint32_t brace = cursor_end_of(&p->c, '}');
    bool within = memchr(p->c.text + p->c.at, '{', end - p->c.at); /* `{%r1, %r2}` */
    if (end == p->c.end || (brace < end && !within)) fail(p, (struct span){start, 1}, "expected ';' after this", "");
    for (; !p->failed && list && p->c.at < end; p->c.at++)
      fputc(isspace((unsigned char)p->c.text[p->c.at]) ? ' ' : p->c.text[p->c.at], text.out);
    if (!p->failed && !list) copy_instruction(p, end, text.out);
    p->c.at += !p->failed;
    fputc(';', text.out);
  }
  end = p->c.at;
  while (end > start && isspace((unsigned char)p->c.text[end - 1])) end--;
  *vec_push(p->arena, &entry->statements) = (struct ptx_statement){text_keep(&text, p->arena), {start, end - start}};
}

static void take_body_directive(struct parser *p, struct ptx_entry *entry) {
  struct span span;
  enum ptx_space space;
  const char *word = take_directive(p, &span);
  if (!strcmp(word, "reg"))
    take_registers(p);
  else if (is_space(word, &space))
    take_variables(p, space, entry, NULL);
  else if (!strcmp(word, "loc"))
    skip_line(p);
  else if (!strcmp(word, "pragma"))
    skip_past(p, ';');
  else
    fail(p, span, "a directive that is not known here: .", word);
}

/* After its brace. */
static void take_body(struct parser *p, struct ptx_entry *entry) {
  struct span start = {p->c.at - 1, 1};
  *vec_push(p->arena, &p->scopes) = (struct block){0};
  while (!p->failed && p->scopes.count) {
    char c = look(p);
    if (!c)
      fail(p, start, "nothing closes this", "");
    else if (c == '.')
      take_body_directive(p, entry);
    else if (skip(p, '}'))
      p->scopes.count--;
    else if (!skip(p, '{'))
      take_statement(p, entry);
    else if (p->scopes.count == MOST_SCOPES)
      fail_expected(p, "fewer braces");
    else
      *vec_push(p->arena, &p->scopes) = (struct block){0};
  }
}

/* ---- kernels ---- */

static void take_parameters(struct parser *p, struct ptx_entry *entry) {
  if (!skip(p, '(')) return;
  while (!p->failed && !skip(p, ')')) {
    struct span span;
    const char *word = take_directive(p, &span);
    if (!word || strcmp(word, "param") != 0) {
      fail_expected(p, "'.param'");
      return;
    }
    struct ptx_variable parameter = take_variable(p, PTX_PARAM, NULL);
    *vec_push(p->arena, &entry->parameters) = parameter;
    if (look(p) != ')') expect(p, ',', "',' or ')'");
  }
}

/* `.reqntid 4, 1, 1` and others */
static void take_tuning(struct parser *p, struct ptx_entry *entry) {
  struct span span;
  for (const char *word; !p->failed && (word = take_directive(p, &span));) {
    unsigned at = 0;
    bool shapes = !strcmp(word, "reqntid");
    if (shapes) entry->shape[0] = entry->shape[1] = entry->shape[2] = 1;
    if (!strcmp(word, "pragma")) skip_past(p, ';');
    while (!p->failed && (isdigit((unsigned char)look(p)) || skip(p, ','))) {
      if (!isdigit((unsigned char)look(p))) continue;
      unsigned number = take_count(p);
      if (shapes && at < 3) entry->shape[at++] = number;
    }
  }
}

/* Past a body, or past the semicolon of a declaration. */
static void skip_function(struct parser *p) {
  while (!p->failed && look(p) && look(p) != '{' && look(p) != ';') p->c.at++;
  if (look(p) == '{')
    skip_brackets(p, '{', '}');
  else
    expect(p, ';', "';' or a function's body");
}

static void take_entry(struct parser *p, struct ptx_module *module) {
  struct ptx_entry entry = {0};
  entry.name = take_name(p, &entry.span);
  take_parameters(p, &entry);
  take_tuning(p, &entry);
  if (p->failed || skip(p, ';')) return; /* one that is defined elsewhere */
  expect(p, '{', "'{' and the kernel's body");
  if (!p->failed) take_body(p, &entry);
  *vec_push(p->arena, &module->entries) = entry;
}

/* Parameters of a function, in brackets: of one that has registers for some, they do not matter. */
static void take_function_parameters(struct parser *p, struct ptx_function *function, struct ptx_entry *into) {
  uint32_t start = p->c.at;
  if (look(p) != '(') return;
  skip_brackets(p, '(', ')');
  uint32_t end = p->c.at;
  function->in_registers |= memmem(p->c.text + start, end - start, ".reg", 4) != NULL;
  p->c.at = start;
  if (!p->failed && !function->in_registers) take_parameters(p, into);
  if (!p->failed) p->c.at = end;
}

/* `(.param .b32 result) name (.param .b64 a) .noreturn`, up to its body. */
static void take_function_head(struct parser *p, struct ptx_function *function) {
  struct ptx_entry results = {0};
  struct span span;
  for (const char *word; !p->failed && (word = take_directive(p, &span));)
    if (!strcmp(word, "attribute") && look(p) == '(') skip_brackets(p, '(', ')');
  take_function_parameters(p, function, &results);
  ARRAY_EACH (const struct ptx_variable, result, results.parameters.at, results.parameters.count)
    *vec_push(p->arena, &function->results) = *result;
  if (!p->failed) function->entry.name = take_name(p, &function->entry.span);
  take_function_parameters(p, function, &function->entry);
  while (!p->failed && look(p) && look(p) != '{' && look(p) != ';') p->c.at++;
}

/* Functions are for calls: what does not stand in one is not looked at. */
static void take_function(struct parser *p, struct ptx_module *module) {
  struct ptx_function function = {.at = p->c.at};
  struct parser head = *p;
  struct diags unheard = diags_new(p->arena);
  head.diags = &unheard;
  take_function_head(&head, &function);
  skip_function(p);
  if (!head.failed && !p->failed && p->c.text[p->c.at - 1] == '}') *vec_push(p->arena, &module->functions) = function;
}

/* `.target sm_90a, texmode_independent` */
static void take_target(struct parser *p, struct ptx_module *module) {
  cursor_skip_blanks(&p->c);
  if (cursor_looks_at(&p->c, "sm_")) module->target = (unsigned)strtoul(p->c.text + p->c.at + 3, NULL, 10);
  skip_line(p);
}

static void take_module_directive(struct parser *p, struct ptx_module *module) {
  static const char *const LINES[] = {"version", "address_size", "file", "loc", NULL};
  static const char *const LINKING[] = {"visible", "extern", "weak", "common", NULL};
  struct span span;
  enum ptx_space space;
  const char *word = take_directive(p, &span);
  if (!word)
    fail_expected(p, "a directive such as .entry");
  else if (text_is_one_of(word, LINES))
    skip_line(p);
  else if (!strcmp(word, "target"))
    take_target(p, module);
  else if (text_is_one_of(word, LINKING))
    return; /* what it is about follows */
  else if (!strcmp(word, "entry"))
    take_entry(p, module);
  else if (!strcmp(word, "func"))
    take_function(p, module);
  else if (is_space(word, &space))
    take_variables(p, space, NULL, module);
  else if (!strcmp(word, "section"))
    skip_function(p);
  else if (!strcmp(word, "pragma") || !strcmp(word, "alias"))
    skip_past(p, ';');
  else
    fail(p, span, "a directive that is not known here: .", word);
}

bool ptx_is_module(const struct source *source) {
  if (text_ends_in(source->name, ".ptx")) return true;
  struct cursor c = cursor_at_start(source);
  for (cursor_skip_blanks(&c); cursor_looks_at(&c, "//"); cursor_skip_blanks(&c)) c.at = cursor_end_of(&c, '\n');
  return cursor_looks_at(&c, ".version");
}

bool ptx_module_read(struct arena *arena, const struct source *source, struct ptx_module *module, struct diags *diags) {
  struct parser p = {.arena = arena, .source = source, .diags = diags, .c = cursor_at_start(source)};
  *module = (struct ptx_module){.source = source};
  const char *nul = memchr(source->text, '\0', source->size);
  if (nul) fail(&p, (struct span){(uint32_t)(nul - source->text), 1}, "a NUL byte: a module must be text", "");
  p.c.text = without_comments(arena, source);
  while (!p.failed && !at_end(&p)) take_module_directive(&p, module);
  module->text = p.c.text;
  module->next_register = p.next;
  if (!p.failed && !module->entries.count)
    fail(&p, (struct span){0, 0}, "there is no kernel in it: the module has no .entry", "");
  return !p.failed;
}

const struct ptx_function *ptx_module_function(struct arena *arena, struct ptx_module *module, const char *name,
                                               struct diags *diags) {
  struct ptx_function *function = NULL;
  for (size_t i = 0; i < module->functions.count && !function; i++)
    if (!strcmp(module->functions.at[i].entry.name, name)) function = &module->functions.at[i];
  if (!function || function->read) return function;
  struct parser p = {.arena = arena, .source = module->source, .diags = diags, .next = module->next_register};
  p.c = cursor_at_start(module->source);
  p.c.text = module->text;
  p.c.at = function->at;
  *function = (struct ptx_function){.at = function->at, .read = true, .first_register = p.next};
  take_function_head(&p, function);
  if (!p.failed) p.c.at++;
  if (!p.failed) take_body(&p, &function->entry);
  function->next_register = module->next_register = p.next;
  return p.failed ? NULL : function;
}
