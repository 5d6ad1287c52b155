/* SPDX-License-Identifier: MIT */
/* Places of a test and their forms: templates filled in, and read by the front end
 * to see whether it takes them and what it makes of them. */
#include "checker/litmus/repair_moves.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/kernel_repair_moves.h"
#include "checker/litmus/test_draft.h"
#include "checker/program/nonatomic_rmw.h"

/* ---- the words of an operation ---- */

struct operation {
  const char *name, *first, *class, *operands; /* %n, %m, %c, %a */
};

/* Words of lists may themselves be joined: "semsc0.semav". */
static bool is_known(const struct move_words *words, const char *word) {
  for (const struct word_row *const *rows = words->known; rows && *rows; rows++)
    if (word_find(*rows, word)) return true;
  for (const struct move_list *list = words->lists; list->letter; list++)
    if (list->rows ? word_find(list->rows, word) != NULL : text_is_one_of(word, list->words)) return true;
  return false;
}

static bool is_class(const struct move_words *words, const char *word) {
  size_t length = words->class ? strlen(words->class) : 0;
  return length && !strncmp(word, words->class, length) && isdigit((unsigned char)word[length]);
}

/* `atom.relaxed.gpu.add r0, x, 1` */
static void read_columns(struct arena *arena, const struct move_words *words, const char *text, struct operation *op) {
  size_t length = strcspn(text, " \t");
  char separator[] = {words->separator, 0};
  op->operands = text + length + strspn(text + length, " \t");
  op->name = op->first = op->class = "";
  for (size_t at = 0, n = 0; at < length; n++) {
    size_t end = strcspn(text + at, separator);
    if (end > length - at) end = length - at;
    const char *word = arena_strndup(arena, text + at, end);
    if (!n)
      op->first = word;
    else if (is_class(words, word))
      op->class = word;
    else if (!is_known(words, word))
      op->name = *op->name ? arena_printf(arena, "%s%c%s", op->name, words->separator, word) : word;
    at += end + 1;
  }
}

/* The piece of a call's arguments from *at on, and past the comma after it. */
static const char *next_argument(struct arena *arena, const char *text, size_t *at) {
  int depth = 0;
  size_t begin = *at + strspn(text + *at, " \t\n"), end = begin;
  for (; text[end]; end++) {
    depth += text[end] == '(' || text[end] == '[';
    depth -= text[end] == ')' || text[end] == ']';
    if (depth < 0 || (!depth && text[end] == ',')) break;
  }
  *at = text[end] == ',' ? end + 1 : end;
  while (end > begin && isspace((unsigned char)text[end - 1])) end--;
  return arena_strndup(arena, text + begin, end - begin);
}

static const char *without(struct arena *arena, const char *name, const char *ending) {
  size_t length = strlen(name), cut = strlen(ending);
  return length > cut && !strcmp(name + length - cut, ending) ? arena_strndup(arena, name, length - cut) : name;
}

/* `atomic_load_explicit_remote(x, memory_order_acquire, memory_scope_device)`, `*x`, `*x = 1`. */
static bool read_call(struct arena *arena, const struct move_words *words, const struct instr *instr, const char *text,
                      struct operation *op) {
  *op = (struct operation){.first = "", .class = "", .operands = ""};
  if (*text == '*' && words->plain[0]) {
    size_t name = strspn(text, "* \t"), equals = strcspn(text, "=");
    bool store = instr->kind == INSTR_STORE;
    if (store != (text[equals] == '=')) return false;
    const char *location = without(arena, arena_strndup(arena, text + name, equals - name), " ");
    op->name = words->plain[store];
    op->operands =
        store ? arena_printf(arena, "%s, %s", location, text + equals + 1 + strspn(text + equals + 1, " ")) : location;
    return true;
  }
  size_t length = strcspn(text, "(");
  if (text[length] != '(' || strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") != length) return false;
  op->name = without(arena, without(arena, arena_strndup(arena, text, length), "_remote"), "_explicit");
  for (size_t at = length + 1; text[at] && text[at] != ')';) {
    const char *argument = next_argument(arena, text, &at);
    if (is_known(words, argument)) continue;
    op->operands = *op->operands ? arena_printf(arena, "%s, %s", op->operands, argument) : argument;
  }
  return true;
}

/* ---- templates ---- */

struct texts {
  VEC(const char *) all;
};

static const struct move_list *list_of(const struct move_words *words, char letter) {
  for (const struct move_list *list = words->lists; list->letter; list++)
    if (list->letter == letter) return list;
  return NULL;
}

static const char *field_of(struct arena *arena, const struct operation *op, char letter) {
  switch (letter) {
    case 't':
      return *op->name ? arena_printf(arena, ".%s", op->name) : "";
    case 'n':
      return op->name;
    case 'm':
      return op->first;
    case 'c':
      return op->class;
    case 'a':
      return op->operands;
    default:
      return NULL;
  }
}

/* Adds all texts of a template, of which `done` is what comes before. */
static void expand(struct arena *arena, const struct move_words *words, const char *template,
                   const struct operation *op, const char *done, struct texts *texts) {
  const char *percent = strchr(template, '%');
  if (!percent) {
    *vec_push(arena, &texts->all) = arena_printf(arena, "%s%s", done, template);
    return;
  }
  const char *field = field_of(arena, op, percent[1]);
  const struct move_list *list = field ? NULL : list_of(words, percent[1]);
  done = arena_printf(arena, "%s%.*s", done, (int)(percent - template), template);
  if (field) expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, field), texts);
  for (size_t i = 0; list && list->words && list->words[i]; i++)
    expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, list->words[i]), texts);
  for (const struct word_row *row = list ? list->rows : NULL; row && row->text; row++)
    expand(arena, words, percent + 2, op, arena_printf(arena, "%s%s", done, row->text), texts);
}

/* ---- what the front end makes of a changed text ---- */

struct finding {
  struct arena *arena;
  const struct litmus_test *test;
  const struct litmus_options *options;
  const struct move_words *words;
  tag_set idle;    /* strength_idle_tags */
  size_t messages; /* that the test has as it is */
  VEC(struct place) places;
};

static int compare_edits(const void *a, const void *b) {
  const struct edit *x = a, *y = b;
  if (x->span.at != y->span.at) return x->span.at < y->span.at ? -1 : 1;
  if (x->span.length != y->span.length)
    return x->span.length < y->span.length ? -1 : 1; /* what is put in comes first */
  return strcmp(x->text, y->text);
}

/* Two places may have the same edit. Where edits overlap, the first counts; but what is put in where something is
 * taken out with the spaces before it stands after that. */
static const struct source *edited(struct arena *arena, const struct source *source, struct edit *edits, size_t count) {
  size_t from = 0;
  if (count) qsort(edits, count, sizeof *edits, compare_edits);
  struct text text = text_new();
  for (size_t i = 0; i < count; i++) {
    if (i && !compare_edits(&edits[i - 1], &edits[i])) continue;
    if (edits[i].span.at < from && edits[i].span.length) continue;
    if (edits[i].span.at > from) fwrite(source->text + from, 1, edits[i].span.at - from, text.out);
    fputs(edits[i].text, text.out);
    if (edits[i].span.at + edits[i].span.length > from) from = edits[i].span.at + edits[i].span.length;
  }
  fwrite(source->text + from, 1, source->size - from, text.out);
  text_end(&text);
  const struct source *result = source_from_text(arena, source->name, text.at, text.size);
  text_free(&text);
  return result;
}

static size_t instr_count(const struct litmus_test *test) {
  size_t count = 0;
  for (unsigned t = 0; t < test->program->thread_count; t++) count += test->program->threads[t].instr_count;
  return count;
}

/* The instruction that begins there, or NULL. */
static const struct instr *instr_at(const struct litmus_test *test, unsigned thread, size_t at) {
  const struct thread *t = &test->program->threads[thread];
  for (unsigned i = 0; i < t->instr_count; i++)
    if (t->instrs[i].span.at == at) return &t->instrs[i];
  return NULL;
}

/* Reads the test with these edits; NULL where the front end has anything against it
 * that it had not before. */
static const struct litmus_test *read_edited(const struct finding *f, struct arena *arena, struct edit *edits,
                                             size_t count) {
  struct diags diags = diags_new(arena);
  const struct source *source = edited(arena, f->test->source, edits, count);
  const struct litmus_test *test = litmus_parse(arena, source, f->options, &diags);
  return diags.count <= f->messages ? test : NULL;
}

/* ---- types ---- */

/* Where `name` is a parameter or is initialised as an ordinary location, it becomes
 * an atomic one: `int* x`, `int x = 0`. */
static void add_type_edits(struct finding *f, const char *name, struct edit **edits, size_t *count) {
  const struct source *source = f->test->source;
  size_t type = strlen(f->words->ordinary), length = strlen(name);
  VEC(struct edit) found = {0};
  for (size_t i = 0; i < *count; i++) *vec_push(f->arena, &found) = (*edits)[i];
  for (const char *at = source->text; (at = strstr(at, f->words->ordinary)); at += type) {
    bool word = at == source->text || !is_word_char(at[-1]);
    size_t stars = strspn(at + type, "* \t");
    const char *end = at + type + stars + length;
    if (!word || !stars || strncmp(at + type + stars, name, length) != 0) continue;
    end += strspn(end, " \t");
    if (!strchr(",);=", *end) || (*end == '=' && memchr(at + type, '*', stars))) continue;
    struct span span = {(uint32_t)(at - source->text), (uint32_t)type};
    *vec_push(f->arena, &found) = (struct edit){span, f->words->atomic};
  }
  *edits = found.at;
  *count = found.count;
}

/* ---- operations ---- */

static void add_form(struct finding *f, struct place *place, const char *text, const struct edit *edits,
                     size_t edit_count, const struct form_strength *counted) {
  struct form_strength strength = *counted;
  strength.tags &= ~f->idle;
  for (size_t i = 0; i < place->form_count; i++)
    if (strength_equal(&place->forms[i].strength, &strength)) return;
  struct form *forms = ARENA_ARRAY(f->arena, struct form, place->form_count + 1);
  if (place->form_count) memcpy(forms, place->forms, place->form_count * sizeof *forms);
  forms[place->form_count++] = (struct form){text, edits, edit_count, strength, 0, NULL};
  place->forms = forms;
}

/* How far an edit at `at` is moved by those before it. */
static size_t moved(const struct edit *edits, size_t count, uint32_t at) {
  size_t to = at;
  for (size_t i = 0; i < count; i++)
    if (edits[i].span.at < at) to += strlen(edits[i].text) - edits[i].span.length;
  return to;
}

/* In columns the cell keeps its width as far as there are spaces. */
static struct edit cell_edit(const struct finding *f, struct span span, const char *text) {
  const char *source = f->test->source->text;
  size_t length = strlen(text);
  while (span.length < length && source[span.at + span.length] == ' ' && source[span.at + span.length + 1] == ' ')
    span.length++;
  int blanks = length < span.length ? (int)(span.length - length) : 0;
  return (struct edit){span, arena_printf(f->arena, "%s%*s", text, blanks, "")};
}

static void try_form(struct finding *f, struct place *place, const struct instr *instr, const char *text) {
  struct edit *edits = ARENA_NEW(f->arena, struct edit);
  size_t count = 1;
  const struct location *location = &f->test->program->locations[instr->address.base];
  *edits = f->words->separator ? cell_edit(f, instr->span, text) : (struct edit){instr->span, text};
  if (f->words->atomic && instr->order == ORDER_NA && !location->atomic && instr_is_access(instr))
    add_type_edits(f, location->name, &edits, &count);
  struct arena *arena = arena_new();
  const struct litmus_test *test = read_edited(f, arena, edits, count);
  const struct instr *made = test ? instr_at(test, place->thread, moved(edits, count, instr->span.at)) : NULL;
  bool both = made && made->kind == INSTR_RMW && (instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE);
  if (made && (made->kind == instr->kind || both) && instr_count(test) == instr_count(f->test)) {
    struct form_strength strength = strength_of_instr(made);
    if (made->kind != instr->kind) strength.kind = STRENGTH_BOTH;
    add_form(f, place, text, edits, count, &strength);
  }
  arena_free(arena);
}

static struct edit removal(const struct finding *f, const struct instr *instr) {
  const char *text = f->test->source->text;
  struct span span = instr->span;
  if (f->words->separator) return (struct edit){span, arena_printf(f->arena, "%*s", (int)span.length, "")};
  span.length += (uint32_t)strcspn(text + span.at + span.length, ";") + 1;
  return edit_removal(text, span);
}

/* A fence or barrier may go. */
static void try_without(struct finding *f, struct place *place, const struct instr *instr) {
  struct edit *edit = ARENA_NEW(f->arena, struct edit);
  *edit = removal(f, instr);
  struct arena *arena = arena_new();
  const struct litmus_test *test = read_edited(f, arena, edit, 1);
  if (test && instr_count(test) + 1 == instr_count(f->test))
    add_form(f, place, "", edit, 1, &(struct form_strength){0});
  arena_free(arena);
}

/* ---- a load and a store in one ---- */

/* Can the text name it? */
static bool has_words(const struct thread *thread, const struct expr *value) {
  return value->kind == EXPR_CONST || (value->kind == EXPR_REG && thread->reg_names[value->reg]);
}

/* The store that the load at `from` could be one operation with: nothing else is between, of memory or control. */
static const struct instr *find_update(const struct thread *thread, unsigned from, struct update *update) {
  const struct instr *load = &thread->instrs[from];
  unsigned to = from + 1;
  while (to < thread->instr_count && thread->instrs[to].kind == INSTR_ASSIGN) to++;
  if (load->kind != INSTR_LOAD || load->address.index || load->reg == NO_REG || to == thread->instr_count) return NULL;
  const struct instr *store = &thread->instrs[to];
  if (store->kind != INSTR_STORE || store->alias != load->alias) return NULL;
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (instr_jumps(&thread->instrs[i]) && thread->instrs[i].target > from && thread->instrs[i].target <= to)
      return NULL;
  bool found = update_find(thread->instrs, from, to, &store->address, store->value, update);
  return found && has_words(thread, update->operand) ? store : NULL;
}

/* Is the instruction a statement of its own? */
static bool is_statement(const struct finding *f, const struct instr *instr) {
  const char *text = f->test->source->text;
  uint32_t before = instr->span.at, after = instr->span.at + instr->span.length;
  while (before && isspace((unsigned char)text[before - 1])) before--;
  after += (uint32_t)strspn(text + after, " \t\n");
  return f->words->separator || (before && strchr(";{}", text[before - 1]) && text[after] == ';');
}

static void try_update(struct finding *f, struct place *place, const struct instr *load, const struct instr *stored,
                       const char *text) {
  struct span at = load->span, store = stored->span;
  bool inside = store.at <= at.at && at.at + at.length <= store.at + store.length; /* `*x = *x + 1` */
  struct edit *edits = ARENA_ARRAY(f->arena, struct edit, 2);
  size_t count = inside ? 1 : 2;
  if (inside) at = store;
  edits[0] = f->words->separator ? cell_edit(f, at, text) : (struct edit){at, text};
  if (!inside) edits[1] = removal(f, stored);
  const struct location *location = &f->test->program->locations[load->address.base];
  if (f->words->atomic && !location->atomic) add_type_edits(f, location->name, &edits, &count);
  struct edit *copy = ARENA_COPY(f->arena, struct edit, edits, count);
  struct arena *arena = arena_new();
  const struct litmus_test *test = read_edited(f, arena, copy, count);
  const struct instr *made = test ? instr_at(test, place->thread, moved(edits, count, at.at)) : NULL;
  if (made && made->kind == INSTR_RMW && instr_count(test) + 1 == instr_count(f->test)) {
    struct form_strength strength = strength_of_instr(made);
    unsigned line, column;
    source_position(f->test->source, store.at, &line, &column);
    strength.kind = STRENGTH_UPDATE;
    add_form(f, place, inside ? text : arena_printf(f->arena, "%s, in place of line %u too", text, line), edits, count,
             &strength);
    place->forms[place->form_count - 1].covers = 1 + store.at;
  }
  arena_free(arena);
}

/* What comes after the first word of what is left of a name: "" after the last, NULL after that. */
static const char *word_behind(const struct move_words *words, const char *rest) {
  const char *separator = words->separator ? strchr(rest, words->separator) : NULL;
  return separator ? separator + 1 : *rest ? rest + strlen(rest) : NULL;
}

/* The name of an update in place of a load, whose own words, such as a type, stand around it: `rest` of them after. */
static const char *update_name(const struct finding *f, const struct operation *load, const char *update,
                               const char *rest) {
  if (f->words->separator != '.') return update;
  const char *before = arena_strndup(f->arena, load->name, strlen(load->name) - strlen(rest));
  const char *dot = *before && !*rest ? "." : "";
  return arena_printf(f->arena, "%s%s%s%s%s", before, dot, update, *rest ? "." : "", rest);
}

/* The forms of a place that are an update in place of a load, which it is, and a store. */
static void find_updates(struct finding *f, struct place *place, const struct thread *thread, unsigned at,
                         const struct operation *load) {
  struct update update;
  struct texts texts = {0};
  const struct instr *store = f->words->updates ? find_update(thread, at, &update) : NULL;
  if (!store || !f->words->updates[update.op] || !is_statement(f, store)) return;
  const char *operand = update.operand->kind == EXPR_REG ? thread->reg_names[update.operand->reg]
                                                         : arena_printf(f->arena, "%" PRId64, update.operand->value);
  struct operation op = *load;
  op.first = f->words->update;
  op.operands = arena_printf(f->arena, "%s, %s", load->operands, operand);
  for (const char *rest = f->words->separator == '.' ? load->name : ""; rest; rest = word_behind(f->words, rest)) {
    op.name = update_name(f, load, f->words->updates[update.op], rest);
    for (const struct move_form *form = f->words->forms; form->text; form++)
      if (form->kind == INSTR_RMW) expand(f->arena, f->words, form->text, &op, "", &texts);
  }
  for (size_t i = 0; i < texts.all.count; i++) try_update(f, place, &thread->instrs[at], store, texts.all.at[i]);
}

static bool has_place(const struct finding *f, const struct instr *instr) {
  ARRAY_EACH (const struct place, place, f->places.at, f->places.count)
    if (place->operation == 1 + instr->span.at) return true;
  return false;
}

static void find_operation(struct finding *f, unsigned thread, unsigned at) {
  const struct instr *instr = &f->test->program->threads[thread].instrs[at];
  struct operation op;
  struct texts texts = {0};
  const char *text = arena_strndup(f->arena, f->test->source->text + instr->span.at, instr->span.length);
  if (f->test->kernel && (*text == '@' || has_place(f, instr))) return; /* all threads run it */
  if (f->words->separator)
    read_columns(f->arena, f->words, text, &op);
  else if (!read_call(f->arena, f->words, instr, text, &op))
    return;
  for (const struct move_form *form = f->words->forms; form->text; form++)
    if (form->kind == instr->kind) expand(f->arena, f->words, form->text, &op, "", &texts);
  struct place place = {.thread = thread, .at = instr->span.at, .operation = 1 + instr->span.at};
  struct form_strength strength = strength_of_instr(instr);
  add_form(f, &place, text, NULL, 0, &strength);
  for (size_t i = 0; i < texts.all.count; i++) try_form(f, &place, instr, texts.all.at[i]);
  if (instr->kind == INSTR_FENCE || strength_waits(instr)) try_without(f, &place, instr);
  find_updates(f, &place, &f->test->program->threads[thread], at, &op);
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

/* ---- points where a fence may stand ---- */

/* A point: before an instruction, or after a thread's last one. */
struct point {
  const struct instr *instr;
  bool behind;
};

/* In columns: a row before the instruction's or after it, with the other columns left blank. */
static struct edit row_edit(const struct finding *f, unsigned thread, struct point point, const char *fence) {
  const char *text = f->test->source->text;
  uint32_t line = point.instr->span.at;
  const char *row = "";
  while (line && text[line - 1] != '\n') line--;
  if (point.behind) {
    line += (uint32_t)strcspn(text + line, "\n");
    if (text[line])
      line++;
    else
      row = "\n"; /* the text ends with its last row */
  }
  for (unsigned t = 0; t < f->test->program->thread_count; t++)
    row = arena_printf(f->arena, "%s%s %s ", row, t ? "|" : "", t == thread ? fence : "");
  return (struct edit){{line, 0}, arena_printf(f->arena, "%s;\n", row)};
}

/* Where the statements of a thread end: before the bracket that closes the block around this place and all others. */
static bool body_end(const char *text, uint32_t at, uint32_t *end) {
  int depth = 1;
  for (uint32_t i = at; i > 0 && !(text[i - 1] == '\n' && text[i] == 'P'); i--)
    depth += (text[i - 1] == '{') - (text[i - 1] == '}');
  for (depth--; text[at] && depth > 0; at++) depth += (text[at] == '{') - (text[at] == '}');
  for (*end = at ? at - 1 : 0; *end && isspace((unsigned char)text[*end - 1]);) --*end;
  return !depth && *end;
}

/* Where the statement begins that has the instruction, if it is one of a list of statements. */
static bool statement_begin(const char *text, uint32_t at, uint32_t *begin) {
  int depth = 0;
  uint32_t i = at;
  for (; i; i--) {
    char c = text[i - 1];
    depth += c == ')';
    depth -= c == '(';
    if (c == '{' || c == '}' || (c == ';' && depth >= 0)) break;
  }
  *begin = i + (uint32_t)strspn(text + i, " \t\n");
  return i && !text_begins(text + *begin, "else");
}

static bool fence_edit(const struct finding *f, unsigned thread, struct point point, const char *fence,
                       struct edit *edit) {
  const char *text = f->test->source->text;
  uint32_t begin, line;
  if (f->words->separator) {
    *edit = row_edit(f, thread, point, fence);
    return true;
  }
  if (point.behind) {
    if (!body_end(text, point.instr->span.at, &begin)) return false;
    *edit = (struct edit){{begin, 0}, arena_printf(f->arena, "\n  %s;", fence)};
    return true;
  }
  if (!statement_begin(text, point.instr->span.at, &begin)) return false;
  for (line = begin; line && (text[line - 1] == ' ' || text[line - 1] == '\t');) line--;
  bool own_line = line && text[line - 1] == '\n';
  *edit = (struct edit){{begin, 0},
                        own_line ? arena_printf(f->arena, "%s;\n%.*s", fence, (int)(begin - line), text + line)
                                 : arena_printf(f->arena, "%s; ", fence)};
  return true;
}

static void try_fence(struct finding *f, struct place *place, struct point point, const char *text) {
  struct edit *edit = ARENA_NEW(f->arena, struct edit);
  if (!fence_edit(f, place->thread, point, text, edit)) return;
  struct arena *arena = arena_new();
  const struct litmus_test *test = read_edited(f, arena, edit, 1);
  size_t at = edit->span.at + (size_t)(strstr(edit->text, text) - edit->text);
  const struct instr *made = test ? instr_at(test, place->thread, at) : NULL;
  if (made && instr_count(test) == instr_count(f->test) + 1) {
    struct form_strength strength = strength_of_instr(made);
    place->at = edit->span.at;
    add_form(f, place, text, edit, 1, &strength);
  }
  arena_free(arena);
}

static bool touches_memory(const struct instr *instr) {
  return instr_is_access(instr) || instr->kind == INSTR_FENCE || strength_waits(instr);
}

/* Between two operations of a thread, unless a point is there already. */
static void find_point(struct finding *f, unsigned thread, struct point point) {
  struct place place = {.thread = thread, .inserted = true};
  const struct operation none = {"", "", "", ""};
  struct texts texts = {0};
  add_form(f, &place, "", NULL, 0, &(struct form_strength){0});
  for (size_t i = 0; f->words->fences && f->words->fences[i]; i++)
    expand(f->arena, f->words, f->words->fences[i], &none, "", &texts);
  for (size_t i = 0; i < texts.all.count; i++) try_fence(f, &place, point, texts.all.at[i]);
  ARRAY_EACH (const struct place, other, f->places.at, f->places.count)
    if (other->inserted && other->thread == thread && other->at == place.at) return;
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

/* ---- barriers, which all threads of a work-group get ---- */

enum { MOST_MEETINGS = 64 };

/* The threads of a work-group, and where in each the barrier stands. */
struct meeting {
  unsigned threads[8], count;
  struct point at[8];
};

/* One barrier is one place: put into some of the threads only, it would never be passed. */
static void try_meeting(struct finding *f, const struct meeting *m, const char *text) {
  struct edit *edits = ARENA_ARRAY(f->arena, struct edit, m->count);
  bool rows = f->words->separator;
  const char *shown = arena_printf(f->arena, "%s%s", text, m->at[0].behind && !rows ? " after it" : "");
  for (unsigned i = 0; i < m->count; i++)
    if (!fence_edit(f, m->threads[i], m->at[i], text, &edits[i])) return;
  struct place place = {.thread = m->threads[0], .at = edits[0].span.at, .inserted = true};
  for (unsigned i = 1; i < m->count; i++) {
    unsigned line, column;
    source_position(f->test->source, edits[i].span.at, &line, &column);
    shown = arena_printf(f->arena, "%s, and %s %s line %u", shown, m->at[i].behind && !rows ? "after" : "at",
                         f->test->program->threads[m->threads[i]].name, line);
  }
  struct arena *arena = arena_new();
  struct edit *copy = ARENA_COPY(arena, struct edit, edits, m->count);
  const struct litmus_test *test = read_edited(f, arena, copy, m->count);
  size_t at = moved(edits, m->count, edits[0].span.at) + (size_t)(strstr(edits[0].text, text) - edits[0].text);
  const struct instr *made = test ? instr_at(test, m->threads[0], at) : NULL;
  if (made && instr_count(test) == instr_count(f->test) + m->count) {
    struct form_strength strength = strength_of_instr(made);
    add_form(f, &place, "", NULL, 0, &(struct form_strength){0});
    add_form(f, &place, shown, edits, m->count, &strength);
    *vec_push(f->arena, &f->places) = place;
  }
  arena_free(arena);
}

/* Chooses where the barrier stands in the threads from `i` on. */
static void find_meetings(struct finding *f, struct meeting *m, unsigned i, const char *text, unsigned *left) {
  if (i == m->count) {
    if (*left) try_meeting(f, m, text);
    if (*left) --*left;
    return;
  }
  const struct thread *thread = &f->test->program->threads[m->threads[i]];
  const struct instr *last = NULL;
  for (unsigned k = 0; k < thread->instr_count; k++) {
    if (!touches_memory(&thread->instrs[k])) continue;
    last = &thread->instrs[k];
    m->at[i] = (struct point){last, false};
    find_meetings(f, m, i + 1, text, left);
  }
  m->at[i] = (struct point){last, true};
  if (last) find_meetings(f, m, i + 1, text, left);
}

static void find_barriers(struct finding *f) {
  const struct program *program = f->test->program;
  const struct operation none = {"", "", "", ""};
  struct texts texts = {0};
  for (size_t i = 0; f->words->barriers && f->words->barriers[i]; i++)
    expand(f->arena, f->words, f->words->barriers[i], &none, "", &texts);
  for (unsigned wg = 0; wg < program->wg_count; wg++) {
    struct meeting m = {.count = 0};
    unsigned left = MOST_MEETINGS;
    for (unsigned t = 0; t < program->thread_count && m.count < 8; t++)
      if (program->threads[t].wg == wg) m.threads[m.count++] = t;
    for (size_t i = 0; m.count > 1 && i < texts.all.count; i++) find_meetings(f, &m, 0, texts.all.at[i], &left);
  }
}

static int compare_places(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

struct places moves_find(struct arena *arena, const struct litmus_test *test, const struct litmus_options *options) {
  struct finding f = {.arena = arena, .test = test, .options = options, .words = litmus_move_words(test->language)};
  if (test->kernel && test->language != LANG_PTX) return kernel_moves_find(arena, test, options);
  if (!f.words) return (struct places){0};
  struct diags diags = diags_new(arena);
  litmus_parse(arena, test->source, options, &diags);
  f.messages = diags.count;
  f.idle = strength_idle_tags(test->program);
  for (unsigned t = 0; t < test->program->thread_count; t++) {
    const struct thread *thread = &test->program->threads[t];
    const struct instr *last = NULL;
    for (unsigned i = 0; i < thread->instr_count; i++) {
      if (!touches_memory(&thread->instrs[i])) continue;
      if (last && !test->kernel) find_point(&f, t, (struct point){&thread->instrs[i], false});
      last = &thread->instrs[i];
      find_operation(&f, t, i);
    }
  }
  if (!test->kernel) find_barriers(&f);
  if (f.places.count) qsort(f.places.at, f.places.count, sizeof *f.places.at, compare_places);
  return (struct places){f.places.at, f.places.count, NULL};
}

const struct litmus_test *moves_text(struct arena *arena, const struct litmus_test *test,
                                     const struct litmus_options *options, struct diags *diags) {
  bool compiled = test->kernel && test->language != LANG_PTX;
  const struct source *text = compiled ? spirv_text(arena, test->source, diags) : test->source;
  if (!text || text == test->source) return text ? test : NULL;
  return litmus_parse(arena, text, options, diags);
}

const struct litmus_test *moves_read(struct arena *arena, const struct litmus_test *test, const struct places *places,
                                     const unsigned *choice, const struct litmus_options *options) {
  if (places->code) return kernel_moves_read(arena, test, places, choice, options);
  struct diags diags = diags_new(arena);
  return litmus_parse(arena, moves_apply(arena, test, places, choice), options, &diags);
}

const struct source *moves_apply(struct arena *arena, const struct litmus_test *test, const struct places *places,
                                 const unsigned *choice) {
  VEC(struct edit) edits = {0};
  for (size_t i = 0; i < places->count; i++) {
    const struct form *form = &places->at[i].forms[choice[i]];
    if (moves_covered(places, choice, i)) continue;
    for (size_t e = 0; e < form->edit_count; e++) *vec_push(arena, &edits) = form->edits[e];
  }
  return edited(arena, test->source, edits.at, edits.count);
}
