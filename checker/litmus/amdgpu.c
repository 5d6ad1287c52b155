/* SPDX-License-Identifier: MIT */
/* The AMDGPU dialect: assembly of AMD GPUs, as compilers write it or by hand.
 *
 *   text     = ... "target" name [":" mode] ... init [kernarg] threads     the target is in the header
 *   init     = "{" { item ";" } "}"
 *   item     = ["lds" | "scratch"] location ["=" number | "[" number "]" ["=" "{" number { "," number } "}"]]
 *            | thread ":" register "=" (location | "out" | "kernarg" | number)
 *   kernarg  = "kernarg" "{" offset argument { "," offset argument } "}"
 *   argument = ["flat"] location | "out" | number
 *   threads  = thread "{" lines "}" { thread "{" lines "}" }    or columns: thread { "|" thread } ";" { cell { "|" cell
 * } ";" }
 *
 * The lines of a thread are left as they are: the machine reads them
 * (hwsem/amd/assembly.h).  Registers that the condition names are those at the
 * thread's end; `out0`, `out1`, ... are what it stored to its results.  `lds` is
 * local memory, `scratch` private memory, where each thread has the location for
 * itself; what is seen of it at the end is the first thread's.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

struct code {
  unsigned number;
  VEC(struct span) lines;
  VEC(struct assembly_binding) bindings;
};

struct amdgpu {
  const char *target;
  struct span target_span;
  VEC(struct code) codes; /* by thread, in the order of the text */
  VEC(struct assembly_argument) arguments;
};

enum { RESULTS = 16 }; /* out0 .. */

static struct code *find_code(struct draft *draft, unsigned number) {
  struct amdgpu *own = draft->own;
  for (size_t i = 0; i < own->codes.count; i++)
    if (own->codes.at[i].number == number) return &own->codes.at[i];
  struct code *code = vec_push(draft->reader.arena, &own->codes);
  code->number = number;
  return code;
}

/* --- before the threads --------------------------------------------------------------- */

/* In the header, a line `target gfx942:tgsplit`. */
static void parse_target(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct amdgpu *own = draft->own;
  const char *text = reader->source->text, *init = text + reader->token->span.at;
  for (const char *line = text; line < init; line += strcspn(line, "\n") + 1) {
    const char *at = line + strspn(line, " \t");
    if (!text_begins(at, "target") || (at[6] != ' ' && at[6] != '\t')) continue;
    at += 6 + strspn(at + 6, " \t");
    size_t length = strcspn(at, " \t\r\n");
    own->target = arena_strndup(reader->arena, at, length);
    own->target_span = (struct span){(uint32_t)(at - text), (uint32_t)length};
    return;
  }
  reader_fail(reader, reader->token->span,
              "expected a line 'target' with a GPU, such as target gfx942:tgsplit, before the "
              "initial values");
}

/* `s[0:1]` as one word. */
static const char *take_register(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  reader_take_name(reader, "a register");
  if (reader_skip(reader, "[")) {
    reader_take_number(reader, "a register's number");
    reader_expect(reader, ":", "between a register's numbers");
    reader_take_number(reader, "a register's number");
    reader_expect(reader, "]", "after a register's numbers");
  }
  if (reader->failed) return "";
  struct span span = reader_span_from(reader, first);
  return arena_strndup(reader->arena, reader->source->text + span.at, span.length);
}

static void parse_binding(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  unsigned number = (unsigned)reader_take(reader)->value;
  reader_expect(reader, ":", "after the thread's number");
  struct assembly_binding binding = {.reg = take_register(draft)};
  reader_expect(reader, "=", "after the register");
  if (reader_is_name(reader))
    binding.word = reader_take(reader)->text;
  else
    binding.number = reader_take_number(reader, "a location, out, kernarg or a number");
  binding.span = reader_span_from(reader, first);
  struct code *code = find_code(draft, number);
  *vec_push(reader->arena, &code->bindings) = binding;
}

static void parse_location(struct draft *draft) {
  struct reader *reader = &draft->reader;
  bool local = reader_skip(reader, "lds"), private = !local && reader_skip(reader, "scratch");
  size_t addresses = draft->addresses.count;
  bool bracketed = reader_skip(reader, "[");
  const struct token *name = reader->token;
  reader_take_name(reader, "a location, or a register such as 0:v1");
  if (bracketed) reader_expect(reader, "]", "after the location");
  if (reader->failed) return;
  struct draft_location *location = draft_add_location(draft, name->text, name->span);
  if (location->initialised) reader_fail(reader, name->span, "'%s' is initialised twice", name->text);
  location->initialised = true;
  location->regions = local ? REGION_LOCAL : private ? REGION_PRIVATE : REGION_GLOBAL;
  if (!bracketed && reader_skip(reader, "["))
    draft_parse_array(draft, location);
  else if (reader_skip(reader, "="))
    location->init[0] = reader_take_number(reader, "the initial value");
  if (draft->addresses.count > addresses) reader_fail(reader, name->span, "values are numbers here, no addresses");
}

static void parse_item(struct draft *draft) {
  if (draft->reader.token->kind == TOKEN_NUMBER)
    parse_binding(draft);
  else
    parse_location(draft);
}

static void parse_kernarg(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct amdgpu *own = draft->own;
  if (!reader_skip(reader, "kernarg")) return;
  reader_expect(reader, "{", "before the kernel's arguments");
  while (!reader->failed && !reader_is(reader, "}")) {
    const struct token *first = reader->token;
    struct assembly_argument argument = {.offset = (unsigned)reader_take_number(reader, "an argument's offset")};
    argument.flat = reader_is(reader, "flat") && reader->token[1].kind == TOKEN_NAME && reader_skip(reader, "flat");
    if (reader_is_name(reader))
      argument.word = reader_take(reader)->text;
    else
      argument.number = reader_take_number(reader, "a location, out or a number");
    argument.span = reader_span_from(reader, first);
    *vec_push(reader->arena, &own->arguments) = argument;
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, "}", "after the kernel's arguments");
}

/* --- threads, as text -------------------------------------------------------------------- */

static bool take_thread_name(struct draft *draft, struct cursor *c, unsigned *number) {
  uint32_t from = c->at, at = from + 1;
  if (from >= c->end || c->text[from] != 'P') return false;
  while (at < c->end && isdigit((unsigned char)c->text[at])) at++;
  struct token token = {.kind = TOKEN_NAME, .span = {from, at - from}};
  token.text = arena_strndup(draft->reader.arena, c->text + from, at - from);
  if (!draft_is_thread_name(&token, number)) return false;
  draft_add_thread(draft, &token);
  c->at = at;
  return !draft->reader.failed;
}

/* Lines up to one that is a closing brace. */
static void parse_block(struct draft *draft, struct cursor *c, unsigned number) {
  struct code *code = find_code(draft, number);
  uint32_t open = c->at++;
  while (c->at < c->end) {
    uint32_t end = cursor_end_of(c, '\n');
    struct span line = cursor_trim(c, end);
    c->at = end < c->end ? end + 1 : end;
    if (line.length == 1 && c->text[line.at] == '}') return;
    if (line.length) *vec_push(draft->reader.arena, &code->lines) = line;
  }
  reader_fail(&draft->reader, (struct span){open, 1}, "the thread's lines never end: expected a line with '}' alone");
}

static bool ends_threads(const struct cursor *c) {
  static const char *const WORDS[] = {"scopeTree", "ScopeTree", "scopetree",  "exists", "forall",
                                      "~exists",   "~ exists",  "not exists", "filter", "locations"};
  for (size_t i = 0; i < ARRAY_COUNT(WORDS); i++)
    if (cursor_looks_at(c, WORDS[i])) return true;
  return c->at >= c->end;
}

/* A row's cells, one for each thread in turn. */
static void parse_row(struct draft *draft, struct cursor *c, const unsigned *numbers, size_t count) {
  struct cursor row = {c->text, c->at, cursor_end_of(c, ';')};
  for (size_t column = 0; row.at <= row.end; column++) {
    uint32_t to = cursor_end_of(&row, '|');
    struct span cell = cursor_trim(&row, to);
    if (column >= count)
      reader_fail(&draft->reader, cell, "this row has more cells than there are threads");
    else if (cell.length)
      *vec_push(draft->reader.arena, &find_code(draft, numbers[column])->lines) = cell;
    row.at = to + 1;
  }
  c->at = row.end < c->end ? row.end + 1 : row.end;
}

static void parse_columns(struct draft *draft, struct cursor *c, unsigned first) {
  VEC(unsigned) numbers = {0};
  *vec_push(draft->reader.arena, &numbers) = first;
  for (cursor_skip_blanks(c); c->at < c->end && c->text[c->at] == '|'; cursor_skip_blanks(c)) {
    unsigned number;
    c->at++;
    cursor_skip_blanks(c);
    if (!take_thread_name(draft, c, &number)) break;
    *vec_push(draft->reader.arena, &numbers) = number;
  }
  if (!draft->reader.failed && (c->at >= c->end || c->text[c->at] != ';'))
    reader_fail(&draft->reader, (struct span){c->at, 1}, "expected '|' and another thread, or ';' after the threads");
  c->at++;
  for (cursor_skip_blanks(c); !draft->reader.failed && !ends_threads(c); cursor_skip_blanks(c))
    parse_row(draft, c, numbers.at, numbers.count);
}

static void parse_threads(struct draft *draft) {
  const struct source *source = draft->reader.source;
  struct cursor c = {source->text, draft->reader.token->span.at, (uint32_t)source->size};
  unsigned number;
  while (!draft->reader.failed && take_thread_name(draft, &c, &number)) {
    cursor_skip_blanks(&c);
    if (c.at >= c.end || c.text[c.at] != '{') {
      parse_columns(draft, &c, number);
      break;
    }
    parse_block(draft, &c, number);
    cursor_skip_blanks(&c);
  }
  if (draft->reader.failed) return;
  draft->reader.bad = NULL; /* machine code need not be words of this language */
  reader_open(&draft->reader, c.at, draft->dialect->lexis);
}

static void parse(struct draft *draft) {
  draft->own = ARENA_NEW(draft->reader.arena, struct amdgpu);
  parse_target(draft);
  reader_expect(&draft->reader, "{", "before the initial values");
  draft_parse_items(draft, parse_item, "after an initial value");
  parse_kernarg(draft);
  if (!draft->reader.failed) parse_threads(draft);
}

/* --- what there is to observe -------------------------------------------------------------- */

static void declare_register(struct draft *draft, struct draft_thread *thread, const char *name, struct span span) {
  unsigned index = draft_use_register(draft, thread, name, span);
  thread->registers.at[index].assigned = true;
}

/* Of a range that the code names, such as s[8:9], the registers that the condition names, too: most are parts of
 * addresses, whose values no state should show. */
static void declare_range(struct draft *draft, struct draft_thread *thread, struct span range) {
  const char *text = draft->reader.source->text + range.at;
  char *colon;
  unsigned long first = strtoul(text + 2, &colon, 10), last = *colon == ':' ? strtoul(colon + 1, NULL, 10) : first;
  for (; first <= last && first < 512; first++) {
    const char *name = arena_printf(draft->reader.arena, "%c%lu", *text, first);
    if (draft_condition_names(draft, thread->number, name)) declare_register(draft, thread, name, range);
  }
}

/* Registers that the code names: v0, s12, a3. */
static void declare_named(struct draft *draft, struct draft_thread *thread, struct span line) {
  const char *text = draft->reader.source->text;
  for (uint32_t i = line.at; i < line.at + line.length; i++) {
    bool begins = i == line.at || (!is_word_char(text[i - 1]) && text[i - 1] != '.');
    uint32_t end = i + 1;
    if (text[i] == ';') return;
    if (!begins || !strchr("vsa", text[i])) continue;
    if (text[end] == '[') declare_range(draft, thread, (struct span){i, 2});
    while (end < line.at + line.length && isdigit((unsigned char)text[end])) end++;
    bool whole = end > i + 1 && end - i < 5 && (end == line.at + line.length || !is_word_char(text[end]));
    struct span span = {i, end - i};
    if (whole) declare_register(draft, thread, arena_strndup(draft->reader.arena, text + i, end - i), span);
  }
}

static void lower(struct draft *draft) {
  ARRAY_EACH (struct draft_thread, thread, draft->threads.at, draft->threads.count) {
    const struct code *code = find_code(draft, thread->number);
    for (size_t i = 0; i < code->lines.count; i++) declare_named(draft, thread, code->lines.at[i]);
    for (unsigned i = 0; i < RESULTS; i++)
      declare_register(draft, thread, arena_printf(draft->reader.arena, "out%u", i), thread->span);
  }
}

static void assemble(struct draft *draft, struct program *program) {
  struct arena *arena = draft->reader.arena;
  const struct amdgpu *own = draft->own;
  struct assembly *assembly = ARENA_NEW(arena, struct assembly);
  struct assembly_thread *threads = ARENA_ARRAY(arena, struct assembly_thread, draft->threads.count + 1);
  for (size_t t = 0; t < draft->threads.count; t++) {
    const struct code *code = find_code(draft, draft->threads.at[t].number);
    threads[t] = (struct assembly_thread){code->lines.at, code->lines.count, code->bindings.at, code->bindings.count};
  }
  *assembly = (struct assembly){own->target, own->target_span, threads, own->arguments.at, own->arguments.count};
  program->assembly = assembly;
}

static const char *const words[] = {"AMDGPU", NULL};

const struct dialect amdgpu_dialect = {
    .words = words,
    .language = LANG_AMDGPU,
    .name = "AMDGPU",
    .scoped = true,
    .barriers = true,
    .parse = parse,
    .lower = lower,
    .assemble = assemble,
};
