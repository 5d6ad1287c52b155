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
#include "checker/litmus/kernel_repair_moves.h"
#include "checker/litmus/repair_finding.h"
#include "checker/litmus/test_draft.h"
#include "checker/program/nonatomic_rmw.h"
#include "checker/ptx/module.h"

/* ---- the words of an operation ---- */

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

/* In the text: of a module of PTX, without its semicolon. */
static struct span operation_span(const struct finding *f, const struct instr *instr) {
  const char *text = f->test->source->text + instr->span.at;
  uint32_t length = instr->span.length;
  while (f->test->kernel && length && (text[length - 1] == ';' || isspace((unsigned char)text[length - 1]))) length--;
  return (struct span){instr->span.at, length};
}

/* In columns of a test the cell keeps its width as far as there are spaces. */
static struct edit cell_edit(const struct finding *f, struct span span, const char *text) {
  const char *source = f->test->source->text;
  if (f->test->kernel) return (struct edit){span, text};
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
  struct span span = operation_span(f, instr);
  *edits = f->words->separator ? cell_edit(f, span, text) : (struct edit){span, text};
  if (f->words->atomic && instr->order == ORDER_NA && !location->atomic && instr_is_access(instr))
    add_type_edits(f, location->name, &edits, &count);
  struct arena *arena = arena_new();
  const struct litmus_test *test = finding_read(f, arena, edits, count);
  const struct instr *made =
      test ? finding_instr_at(test, place->thread, edits_moved(edits, count, instr->span.at)) : NULL;
  bool both = made && made->kind == INSTR_RMW && (instr->kind == INSTR_LOAD || instr->kind == INSTR_STORE);
  if (made && (made->kind == instr->kind || both) && finding_instr_count(test) == finding_instr_count(f->test)) {
    struct form_strength strength = strength_of_instr(made);
    if (made->kind != instr->kind) strength.kind = STRENGTH_BOTH;
    finding_add_form(f, place, text, edits, count, &strength);
  }
  arena_free(arena);
}

static struct edit removal(const struct finding *f, const struct instr *instr) {
  const char *text = f->test->source->text;
  struct span span = instr->span;
  if (f->words->separator && !f->test->kernel)
    return (struct edit){span, arena_printf(f->arena, "%*s", (int)span.length, "")};
  if (!f->test->kernel) span.length += (uint32_t)strcspn(text + span.at + span.length, ";") + 1;
  return edit_removal(text, span);
}

/* A fence or barrier may go: all that stand at its place. */
static void try_without(struct finding *f, struct place *place, const struct instr *instr) {
  struct edit *edit = ARENA_NEW(f->arena, struct edit);
  *edit = removal(f, instr);
  struct arena *arena = arena_new();
  const struct litmus_test *test = finding_read(f, arena, edit, 1);
  if (test && finding_instr_count(test) + finding_count_at(f->test, instr->span.at) == finding_instr_count(f->test))
    finding_add_form(f, place, "", edit, 1, &(struct form_strength){0});
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
  struct span at = operation_span(f, load), store = stored->span;
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
  const struct litmus_test *test = finding_read(f, arena, copy, count);
  const struct instr *made = test ? finding_instr_at(test, place->thread, edits_moved(edits, count, at.at)) : NULL;
  if (made && made->kind == INSTR_RMW && finding_instr_count(test) + 1 == finding_instr_count(f->test)) {
    struct form_strength strength = strength_of_instr(made);
    unsigned line, column;
    source_position(f->test->source, store.at, &line, &column);
    strength.kind = STRENGTH_UPDATE;
    finding_add_form(f, place, inside ? text : arena_printf(f->arena, "%s, in place of line %u too", text, line), edits,
                     count, &strength);
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
  struct move_texts texts = {0};
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
      if (form->kind == INSTR_RMW) templates_expand(f->arena, f->words, form->text, &op, "", &texts);
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
  struct move_texts texts = {0};
  struct span span = operation_span(f, instr);
  const char *text = arena_strndup(f->arena, f->test->source->text + span.at, span.length);
  if (f->test->kernel && (*text == '@' || has_place(f, instr))) return; /* all threads run it */
  if (f->words->separator)
    read_columns(f->arena, f->words, text, &op);
  else if (!read_call(f->arena, f->words, instr, text, &op))
    return;
  for (const struct move_form *form = f->words->forms; form->text; form++)
    if (form->kind == instr->kind) templates_expand(f->arena, f->words, form->text, &op, "", &texts);
  struct place place = {.thread = thread, .at = instr->span.at, .operation = 1 + instr->span.at};
  struct form_strength strength = strength_of_instr(instr);
  finding_add_form(f, &place, text, NULL, 0, &strength);
  for (size_t i = 0; !f->old && i < texts.all.count; i++) try_form(f, &place, instr, texts.all.at[i]);
  if (instr->kind == INSTR_FENCE || strength_waits(instr)) try_without(f, &place, instr);
  if (!f->old) find_updates(f, &place, &f->test->program->threads[thread], at, &op);
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

static int compare_places(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  if (x->inserted != y->inserted) return x->inserted ? -1 : 1;
  return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Is it a module for GPUs to which PTX gives no memory model? */
static bool is_for_old_gpus(struct arena *arena, const struct source *source) {
  enum { FIRST_WITH_ORDERS = 70 };
  struct ptx_module module;
  struct diags diags = diags_new(arena);
  return ptx_module_read(arena, source, &module, &diags) && module.target && module.target < FIRST_WITH_ORDERS;
}

struct places moves_find(struct arena *arena, const struct litmus_test *test, const struct litmus_options *options) {
  struct finding f = {.arena = arena, .test = test, .options = options, .words = litmus_move_words(test->language)};
  if (test->kernel && test->language != LANG_PTX) return kernel_moves_find(arena, test, options);
  if (!f.words) return (struct places){0};
  struct diags diags = diags_new(arena);
  litmus_parse(arena, test->source, options, &diags);
  f.messages = diags.count;
  f.idle = strength_idle_tags(test->program);
  f.old = test->kernel && is_for_old_gpus(arena, test->source);
  for (unsigned t = 0; t < test->program->thread_count; t++) {
    const struct thread *thread = &test->program->threads[t];
    const struct instr *last = NULL;
    for (unsigned i = 0; i < thread->instr_count; i++) {
      if (!finding_touches_memory(&thread->instrs[i])) continue;
      if (last && test->kernel) finding_add_line(&f, t, &thread->instrs[i]);
      if (last && !test->kernel) finding_add_point(&f, t, (struct point){&thread->instrs[i], false});
      last = &thread->instrs[i];
      find_operation(&f, t, i);
    }
  }
  if (!test->kernel) finding_add_barriers(&f);
  if (f.places.count) qsort(f.places.at, f.places.count, sizeof *f.places.at, compare_places);
  return (struct places){.at = f.places.at, .count = f.places.count};
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
  return edits_apply(arena, test->source, edits.at, edits.count);
}
