/* SPDX-License-Identifier: MIT */
/* ADSM tests: host threads, kernels, and the objects that they share.
 *
 *   test      = init { kernel | thread } [condition]
 *   init      = "{" { [item] ";" } "}"
 *   item      = ["shared" | "safe" | "host"] name [":" number | "[" number "]"] ["=" values] ["on" number]
 *               ["for" name { "," name }]
 *             | thread ":" name "=" number
 *   values    = number | "{" number { "," number } "}"
 *   kernel    = "kernel" name ["(" name { "," name } ")"] ["on" number] block
 *   thread    = "P" digits [ "(" ")" ] block
 *   statement = target ("=" | ":" "=") expr ";"                     besides C's blocks and control flow (c_parse.c)
 *             | "call" name ["(" argument { "," argument } ")"] ["writes" name { "," name }] ";"
 *             | "sync" ";" | "alloc" name ";" | "free" name ";"
 *             | "memset" range "," expr ";" | "memcpy" range "," range ";"
 *   argument  = name | "safe" "(" name ")"
 *   target    = name [ "[" expr "]" ]
 *   range     = name [ "[" number [ "." "." number ] "]" ]
 *
 * Expressions are C's, without side effects.  A name that the init section
 * declares is a cell; every other name is a register.
 */
#include "checker/litmus/adsm.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

enum { CELLS_LIMIT = 4096, ACCELERATORS = 4 };

static struct adsm_test *own(struct draft *draft) {
  return draft->own;
}

/* A name for something new. */
static const struct token *take_new_name(struct draft *draft, const char *what) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  if (token->kind == TOKEN_NAME && adsm_is_reserved(token->text))
    reader_fail(reader, token->span, "'%s' is a keyword; expected %s", token->text, what);
  reader_take_name(reader, what);
  return token;
}

/* --- the init section -------------------------------------------------------------- */

static unsigned parse_size(struct draft *draft) {
  struct reader *reader = &draft->reader;
  bool bracket = reader_skip(reader, "[");
  if (!bracket && !reader_skip(reader, ":")) return 1;
  const struct token *token = reader->token;
  int64_t size = reader_take_number(reader, "the object's size in cells");
  if (size < 1 || size > CELLS_LIMIT) reader_fail(reader, token->span, "an object has 1 to %d cells", CELLS_LIMIT);
  if (bracket) reader_expect(reader, "]", "after the object's size");
  return reader->failed ? 1 : (unsigned)size;
}

static void parse_values(struct draft *draft, struct draft_location *location) {
  struct reader *reader = &draft->reader;
  if (!reader_skip(reader, "{")) {
    if (location->size > 1)
      reader_fail(reader, reader->token->span, "'%s' has %u cells: expected '{' and a value for each", location->name,
                  location->size);
    location->init[0] = reader_take_number(reader, "an initial value");
    return;
  }
  for (unsigned i = 0; !reader->failed; i++) {
    if (i == location->size) reader_fail(reader, reader->token->span, "more values than cells");
    if (reader->failed) return;
    location->init[i] = reader_take_number(reader, "an initial value");
    if (!reader_skip(reader, ",")) break;
  }
  reader_expect(reader, "}", "after the initial values");
}

static struct adsm_name take_name(struct draft *draft, const char *what) {
  const struct token *token = draft->reader.token;
  const char *name = reader_take_name(&draft->reader, what);
  return (struct adsm_name){name, token->span};
}

/* ["on" number] */
static bool parse_accelerator(struct draft *draft, unsigned *accelerator) {
  struct reader *reader = &draft->reader;
  if (!reader_skip(reader, "on")) return false;
  const struct token *token = reader->token;
  int64_t number = reader_take_number(reader, "the accelerator's number");
  if (number < 0 || number >= ACCELERATORS)
    reader_fail(reader, token->span, "accelerators have numbers from 0 to %d", ACCELERATORS - 1);
  else
    *accelerator = (unsigned)number;
  return true;
}

/* Where the object lies, and the kernels to which it is assigned: names of what comes
 * later. */
static void parse_assignment(struct draft *draft, struct adsm_object *object) {
  struct reader *reader = &draft->reader;
  if (!object->shared && (reader_is(reader, "for") || reader_is(reader, "on")))
    reader_fail(reader, reader->token->span, "kernels cannot use '%s': it is the host's", object->name);
  object->placed = parse_accelerator(draft, &object->accelerator);
  if (!reader_skip(reader, "for")) return;
  do *vec_push(reader->arena, &object->kernels) = take_name(draft, "a kernel");
  while (!reader->failed && reader_skip(reader, ","));
}

/* ["shared" | "safe" | "host"] before a name */
static void parse_object_kind(struct draft *draft, bool *host, bool *safe) {
  struct reader *reader = &draft->reader;
  if (reader->token[0].kind != TOKEN_NAME || reader->token == reader->end || reader->token[1].kind != TOKEN_NAME ||
      token_is(reader->token + 1, "for") || token_is(reader->token + 1, "on"))
    return;
  *host = reader_skip(reader, "host");
  *safe = !*host && reader_skip(reader, "safe");
  if (*host || *safe || reader_skip(reader, "shared")) return;
  static const char *const kinds[] = {"shared", "safe", "host", NULL};
  reader_fail(reader, reader->token->span, "expected 'shared', 'safe' or 'host' before the name of an object%s",
              reader_hint(reader, reader->token->text, kinds));
}

static void parse_object(struct draft *draft) {
  struct reader *reader = &draft->reader;
  bool host = false, safe = false;
  parse_object_kind(draft, &host, &safe);
  const struct token *name = take_new_name(draft, "an object such as x:2, a register such as 0:r, or '}'");
  if (reader->failed) return;
  if (adsm_find_object(own(draft), name->text) >= 0) {
    reader_fail(reader, name->span, "'%s' is declared twice", name->text);
    return;
  }
  struct draft_location *location = draft_add_location(draft, name->text, name->span);
  location->size = parse_size(draft);
  location->init = ARENA_ARRAY(reader->arena, int64_t, location->size);
  location->array = location->size > 1;
  location->plain = true;
  struct adsm_object *object = vec_push(reader->arena, &own(draft)->objects);
  *object = (struct adsm_object){.name = name->text, .span = name->span, .shared = !host, .safe = safe};
  if (reader_skip(reader, "=")) {
    object->initialised = true;
    parse_values(draft, location);
  }
  parse_assignment(draft, object);
}

static void parse_item(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  unsigned number;
  bool size = token_is(first + (first != reader->end), ":") && first[2].kind == TOKEN_NUMBER; /* `P0:2` is an object */
  if (size || !draft_skip_thread(reader, &number)) {
    parse_object(draft);
    return;
  }
  const char *name = reader_take_name(reader, "a register");
  struct span span = reader_span_from(reader, first);
  reader_expect(reader, "=", "after the register");
  draft_init_register(draft, number, name, reader_take_number(reader, "an initial value"), span);
}

static void parse_init(struct draft *draft) {
  reader_expect(&draft->reader, "{", "before the objects");
  draft_parse_items(draft, parse_item, "after an object");
  unsigned cells = 0;
  for (size_t i = 0; i < draft->locations.count; i++) cells += draft->locations.at[i].size;
  if (!draft->reader.failed && cells > CELLS_LIMIT)
    reader_fail(&draft->reader, draft->locations.at[0].span, "the objects have %u cells; at most %d are allowed", cells,
                CELLS_LIMIT);
}

/* --- statements ------------------------------------------------------------------------ */

/* [ "(" argument { "," argument } ")" ] [ "writes" name { "," name } ] */
static void parse_call(struct draft *draft, struct adsm_action *s) {
  struct reader *reader = &draft->reader;
  if (reader_skip(reader, "(")) {
    do {
      struct adsm_argument *argument = vec_push(reader->arena, &s->arguments);
      argument->translated = token_is(reader->token, "safe") && token_is(reader->token + 1, "(");
      if (argument->translated) reader_skip(reader, "safe"), reader_skip(reader, "(");
      argument->object = take_name(draft, "an object, or safe(...) of one");
      if (argument->translated) reader_expect(reader, ")", "after the object");
    } while (!reader->failed && reader_skip(reader, ","));
    reader_expect(reader, ")", "after what the kernel is given");
  }
  s->annotated = reader_skip(reader, "writes");
  if (!s->annotated) return;
  do *vec_push(reader->arena, &s->writes) = take_name(draft, "an object that the kernel writes");
  while (!reader->failed && reader_skip(reader, ","));
}

/* call k, sync, alloc x, free x */
static void parse_runtime(struct draft *draft, struct adsm_action *action) {
  struct reader *reader = &draft->reader;
  if (action->kind == ADSM_SYNC && reader_skip(reader, "("))
    reader_expect(reader, ")", "after 'sync('");
  else if (action->kind != ADSM_SYNC)
    action->name = reader_take_name(reader, action->kind == ADSM_CALL ? "a kernel" : "an object");
  if (action->kind == ADSM_CALL) parse_call(draft, action);
}

static struct adsm_range parse_range(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  struct adsm_range range = {.name = reader_take_name(reader, "an object"), .whole = true};
  if (reader_skip(reader, "[")) {
    range.whole = false;
    range.first = range.last = reader_take_number(reader, "the first cell");
    if (reader_skip(reader, ".")) {
      reader_expect(reader, ".", "between the first and the last cell");
      range.last = reader_take_number(reader, "the last cell");
    }
    reader_expect(reader, "]", "after the cells");
  }
  range.span = reader_span_from(reader, first);
  return range;
}

/* memset x[0..3], e; memcpy y, x */
static void parse_bulk(struct draft *draft, struct adsm_action *action) {
  action->range = parse_range(draft);
  reader_expect(&draft->reader, ",", "after the cells to write");
  if (action->kind == ADSM_FILL)
    action->value = c_parse_assignment(draft);
  else
    action->from = parse_range(draft);
}

static const struct ast_stmt *parse_action(struct draft *draft, enum adsm_action_kind kind) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader_take(reader);
  struct ast_stmt *s = ast_new_stmt(draft, AST_ADSM, first);
  struct adsm_action *action = ARENA_NEW(reader->arena, struct adsm_action);
  action->kind = kind;
  if (kind == ADSM_FILL || kind == ADSM_COPY)
    parse_bulk(draft, action);
  else
    parse_runtime(draft, action);
  action->span = reader_span_from(reader, first);
  reader_expect(reader, ";", "after the statement");
  s->adsm = action;
  return s;
}

static const struct ast_stmt *parse_assign(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct type type;
  if (reader_is(reader, "int")) draft_parse_type(draft, &type);
  const struct token *first = reader->token;
  struct ast_stmt *s = ast_new_stmt(draft, AST_EXPRESSION, first);
  if (first->kind != TOKEN_NAME)
    reader_fail_expected(reader, "a statement");
  else if (first[1].kind == TOKEN_NAME)
    reader_fail(reader, first->span, "unknown statement '%s'%s", first->text,
                reader_hint(reader, first->text, adsm_reserved));
  s->a = c_parse_assignment(draft);
  if (s->a->kind != AST_ASSIGN) reader_expect(reader, "=", "after the target of the assignment");
  reader_expect(reader, ";", "after the statement");
  return s;
}

/* In place of C's. */
static const struct ast_stmt *parse_statement(struct draft *draft) {
  static const char *const words[] = {[ADSM_CALL] = "call", [ADSM_SYNC] = "sync",   [ADSM_ALLOC] = "alloc",
                                      [ADSM_FREE] = "free", [ADSM_FILL] = "memset", [ADSM_COPY] = "memcpy"};
  for (unsigned kind = 0; kind < ARRAY_COUNT(words); kind++)
    if (reader_is(&draft->reader, words[kind])) return parse_action(draft, (enum adsm_action_kind)kind);
  return parse_assign(draft);
}

/* --- kernels and threads ------------------------------------------------------------------ */

/* [ "(" name { "," name } ")" ] */
static void parse_parameters(struct draft *draft, struct adsm_kernel *kernel) {
  struct reader *reader = &draft->reader;
  if (!reader_skip(reader, "(")) return;
  do {
    const struct token *name = take_new_name(draft, "a parameter");
    if (adsm_find_object(own(draft), name->text) >= 0)
      reader_fail(reader, name->span, "'%s' is already an object", name->text);
    if (adsm_find_parameter(kernel, name->text) >= 0)
      reader_fail(reader, name->span, "duplicate parameter '%s'", name->text);
    draft_check_count(draft, kernel->parameters.count, "parameters", name->span);
    *vec_push(reader->arena, &kernel->parameters) = (struct adsm_name){name->text, name->span};
  } while (!reader->failed && reader_skip(reader, ","));
  reader_expect(reader, ")", "after the parameters");
}

static void parse_kernel(struct draft *draft) {
  struct reader *reader = &draft->reader;
  reader_take(reader);
  const struct token *name = take_new_name(draft, "the name of the kernel");
  if (adsm_find_kernel(own(draft), name->text) >= 0)
    reader_fail(reader, name->span, "duplicate kernel '%s'", name->text);
  if (adsm_find_object(own(draft), name->text) >= 0)
    reader_fail(reader, name->span, "'%s' is already an object", name->text);
  draft_check_count(draft, own(draft)->kernels.count, "kernels", name->span);
  struct adsm_kernel kernel = {.name = name->text, .span = name->span};
  parse_parameters(draft, &kernel);
  parse_accelerator(draft, &kernel.accelerator);
  kernel.body = c_parse_block(draft);
  *vec_push(reader->arena, &own(draft)->kernels) = kernel;
}

static void parse_thread(struct draft *draft) {
  struct reader *reader = &draft->reader;
  struct draft_thread *thread = draft_add_thread(draft, reader_take(reader));
  if (reader_is(reader, "@")) reader_fail(reader, reader->token->span, "ADSM has no scopes: threads have no place");
  if (reader_skip(reader, "(")) reader_expect(reader, ")", "since host threads have no parameters");
  struct ast_thread *tree = ARENA_NEW(reader->arena, struct ast_thread);
  tree->body = c_parse_block(draft);
  thread->body = tree;
}

static void fail_part(struct draft *draft) {
  static const char *const parts[] = {"kernel", "exists", "forall", "locations", "filter", NULL};
  struct reader *reader = &draft->reader;
  const char *hint = reader_is_name(reader) ? reader_hint(reader, reader->token->text, parts) : "";
  if (*hint)
    reader_fail(reader, reader->token->span, "unknown word '%s'%s", reader->token->text, hint);
  else
    reader_fail_expected(reader, draft->threads.count ? "a kernel, a host thread such as P1, or the condition"
                                                      : "a kernel or a host thread such as P0");
}

static void parse(struct draft *draft) {
  struct reader *reader = &draft->reader;
  draft->own = ARENA_NEW(reader->arena, struct adsm_test);
  parse_init(draft);
  while (!reader->failed && !draft_at_condition(draft)) {
    unsigned number;
    if (draft_at_scope_tree(draft))
      reader_fail(reader, reader->token->span, "ADSM has no scopes: there is one host and its accelerators");
    else if (reader_is(reader, "kernel"))
      parse_kernel(draft);
    else if (draft_is_thread_name(reader->token, &number))
      parse_thread(draft);
    else
      fail_part(draft);
  }
}

/* --- what the program keeps of it ------------------------------------------------------------ */

static const bool *assigned_kernels(struct draft *draft, const struct adsm_object *object) {
  bool *assigned = ARENA_ARRAY(draft->reader.arena, bool, own(draft)->kernels.count + 1);
  for (size_t i = 0; i < own(draft)->kernels.count; i++)
    assigned[i] =
        object->shared && !object->kernels.count && object->accelerator == own(draft)->kernels.at[i].accelerator;
  for (size_t i = 0; i < object->kernels.count; i++)
    assigned[adsm_find_kernel(own(draft), object->kernels.at[i].text)] = true;
  return assigned;
}

static void assemble(struct draft *draft, struct program *program) {
  struct arena *arena = draft->reader.arena;
  const struct adsm_test *test = own(draft);
  struct object *objects = ARENA_ARRAY(arena, struct object, test->objects.count);
  struct kernel *kernels = ARENA_ARRAY(arena, struct kernel, test->kernels.count);
  for (unsigned i = 0; i < test->objects.count; i++) {
    const struct adsm_object *object = &test->objects.at[i];
    const struct draft_location *location = &draft->locations.at[i];
    objects[i] = (struct object){object->name,   location->first,          location->size,
                                 object->shared, !object->allocated_later, assigned_kernels(draft, object),
                                 object->freed,  object->accelerator,      object->safe};
    for (unsigned c = 0; c < location->size; c++) program->locations[location->first + c].object = i;
  }
  for (unsigned i = 0; i < test->kernels.count; i++)
    kernels[i] = (struct kernel){test->kernels.at[i].name, test->kernels.at[i].accelerator};
  program->object_count = (unsigned)test->objects.count;
  program->objects = objects;
  program->kernel_count = (unsigned)test->kernels.count;
  program->kernels = kernels;
}

static const char *const words[] = {"ADSM", NULL};
const struct dialect adsm_dialect = {
    .words = words,
    .language = LANG_ADSM,
    .name = "ADSM",
    .model = "adsm",
    .scoped = true,
    .colon_assigns = true,
    .kernels = true,
    .parse_statement = parse_statement,
    .parse = parse,
    .lower = adsm_lower_threads,
    .assemble = assemble,
};
