/* SPDX-License-Identifier: MIT */
/* The text is read again each time that something in it is done, and what is not to be done is read over.  Functions
 * are called as the grammar of rule_templates.h calls what they read. */
#include "hwsem/rule_templates.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"

struct name {
  const char *at;
  size_t length;
};

struct definition {
  struct name name, parameters[RULE_ARGUMENTS];
  unsigned parameter_count;
  const char *body;
};

struct binding {
  struct name name;
  struct rule_value value;
};

struct rule_templates {
  struct rules *rules;
  const struct rule_words *words;
  VEC(struct definition) definitions;
  VEC(struct binding) bindings;
  size_t frame;   /* bindings of what is being done begin here */
  const char *at; /* what is read next */
  bool over;      /* it is read over */
};

static const struct rule_value NOTHING = {NULL, 0};

static struct rule_value expression(struct rule_templates *t);
static struct rule_value either(struct rule_templates *t);
static void block(struct rule_templates *t);

/* ---- signs and names ---- */

static void skip(struct rule_templates *t) {
  while (*(t->at += strspn(t->at, " \n")) == '#') t->at += strcspn(t->at, "\n");
}

/* A hyphen or a colon belongs to a name where a letter or digit is after it: `write-back:fifo`. */
static bool is_in_name(const char *c) {
  return isalnum((unsigned char)*c) || *c == '_' || ((*c == '-' || *c == ':') && isalnum((unsigned char)c[1]));
}

static bool take(struct rule_templates *t, const char *sign) {
  skip(t);
  size_t length = strlen(sign);
  const char *behind = t->at + length;
  if (strncmp(t->at, sign, length) != 0) return false;
  if (isalpha((unsigned char)*sign) ? is_in_name(behind) : *behind == '=') return false;
  t->at = behind;
  return true;
}

static void expect(struct rule_templates *t, const char *sign) {
  bool there = take(t, sign);
  assert(there);
  (void)there;
}

static bool comes(struct rule_templates *t, const char *sign) {
  const char *here = t->at;
  bool there = take(t, sign);
  t->at = here;
  return there;
}

static struct name take_name(struct rule_templates *t) {
  skip(t);
  struct name name = {t->at, 0};
  while (is_in_name(t->at)) t->at++;
  name.length = (size_t)(t->at - name.at);
  assert(name.length);
  return name;
}

static bool same_name(struct name a, struct name b) {
  return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

/* ---- values ---- */

static struct rule_value known(int64_t number) {
  return (struct rule_value){NULL, number};
}

static struct rule_value unknown(const char *text) {
  return (struct rule_value){text, 0};
}

static bool is_known(struct rule_value v, bool truth) {
  return !v.text && (v.number != 0) == truth;
}

static const char *text_of(const struct rule_templates *t, struct rule_value v) {
  return v.text ? v.text : rules_number(t->rules, v.number);
}

static const char *condition_of(struct rule_value v) {
  return v.text ? v.text : v.number ? RULES_TRUE : RULES_FALSE;
}

static struct rule_value truth_of(const char *condition) {
  if (condition == RULES_TRUE || condition == RULES_FALSE) return known(condition == RULES_TRUE);
  return unknown(condition);
}

/* Both hold, or one of them does. */
static struct rule_value join(const struct rule_templates *t, bool both, struct rule_value a, struct rule_value b) {
  return truth_of((both ? rules_and : rules_or)(t->rules, condition_of(a), condition_of(b)));
}

static struct rule_value compare(const struct rule_templates *t, enum compare how, struct rule_value a,
                                 struct rule_value b) {
  static const enum expr_kind kinds[] = {EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE};
  if (!a.text && !b.text) return known(expr_apply(kinds[how], a.number, b.number, 0, NULL));
  return unknown(rules_compare(t->rules, text_of(t, a), how, text_of(t, b)));
}

/* ---- ranges ---- */

/* NAME < expression [if expression], and what comes after it, each time. */
static void range(struct rule_templates *t, void (*each)(struct rule_templates *t, void *context), void *context) {
  struct name name = take_name(t);
  expect(t, "<");
  struct rule_value end = either(t);
  assert(!end.text);
  const char *from = t->at;
  bool over = t->over;
  size_t own = t->bindings.count;
  *vec_push(t->rules->arena, &t->bindings) = (struct binding){name, NOTHING};
  for (int64_t n = 0; n == 0 || (!over && n < end.number); n++) {
    t->at = from;
    t->over = over || n >= end.number;
    t->bindings.at[own].value = known(n);
    if (take(t, "if") && !is_known(either(t), true)) t->over = true;
    each(t, context);
  }
  t->bindings.count = own;
  t->over = over;
}

enum fold_kind { ALL, ANY, COUNT };
struct fold {
  enum fold_kind kind;
  struct rule_value sum;
};

static void fold(struct rule_templates *t, void *context) {
  struct fold *f = context;
  if (take(t, ",")) {
    range(t, fold, f);
    return;
  }
  expect(t, ":");
  struct rule_value v = either(t);
  if (t->over) return;
  if (f->kind == COUNT)
    f->sum =
        unknown(rules_operation(t->rules, text_of(t, f->sum), "+", rules_choose(t->rules, condition_of(v), "1", "0")));
  else
    f->sum = join(t, f->kind == ALL, f->sum, v);
}

/* all, any or count; what it is joined to comes first. */
static struct rule_value quantified(struct rule_templates *t, struct rule_value first) {
  struct fold f = {take(t, "all") ? ALL : take(t, "any") ? ANY : COUNT, first};
  if (f.kind == COUNT) expect(t, "count");
  range(t, fold, &f);
  return f.sum;
}

/* ---- names ---- */

static const struct definition *find_definition(const struct rule_templates *t, struct name name) {
  for (size_t i = 0; i < t->definitions.count; i++)
    if (same_name(t->definitions.at[i].name, name)) return &t->definitions.at[i];
  return NULL;
}

static unsigned arguments(struct rule_templates *t, struct rule_value *values) {
  unsigned count = 0;
  if (!take(t, "(")) return 0;
  do {
    assert(count < RULE_ARGUMENTS);
    values[count++] = expression(t);
  } while (take(t, ","));
  expect(t, ")");
  return count;
}

static struct rule_value block_value(struct rule_templates *t) {
  block(t);
  return NOTHING;
}

/* The body of a definition, with parameters. */
static struct rule_value apply(struct rule_templates *t, const struct definition *d, const struct rule_value *values,
                               struct rule_value (*body)(struct rule_templates *t)) {
  const char *at = t->at;
  size_t frame = t->frame, count = t->bindings.count;
  assert(values || !d->parameter_count);
  for (unsigned i = 0; i < d->parameter_count; i++)
    *vec_push(t->rules->arena, &t->bindings) = (struct binding){d->parameters[i], values[i]};
  t->frame = count;
  t->at = d->body;
  struct rule_value v = body(t);
  t->at = at;
  t->frame = frame;
  t->bindings.count = count;
  return v;
}

/* For the machine: a name as text, and arguments as numbers. */
static const char *word_of(struct rule_templates *t, struct name name, const struct rule_value *values, unsigned count,
                           int64_t *numbers) {
  for (unsigned i = 0; i < count; i++) {
    assert(!values[i].text);
    numbers[i] = values[i].number;
  }
  return arena_strndup(t->rules->arena, name.at, name.length);
}

static struct rule_value named(struct rule_templates *t, struct name name, const struct rule_value *values,
                               unsigned count) {
  int64_t numbers[RULE_ARGUMENTS] = {0};
  if (t->over) return NOTHING;
  for (size_t i = t->bindings.count; !count && i-- > t->frame;)
    if (same_name(t->bindings.at[i].name, name)) return t->bindings.at[i].value;
  const struct definition *d = find_definition(t, name);
  if (d) return apply(t, d, values, expression);
  return t->words->word(t->words->context, word_of(t, name, values, count, numbers), numbers);
}

/* ---- expressions ---- */

static struct rule_value string(struct rule_templates *t) {
  const char *text = "";
  if (t->over) t->at = strchr(t->at, '"');
  while (*t->at != '"') {
    size_t length = strcspn(t->at, "\"{");
    text = arena_printf(t->rules->arena, "%s%.*s", text, (int)length, t->at);
    if (*(t->at += length) != '{') continue;
    t->at++;
    text = arena_printf(t->rules->arena, "%s%s", text, text_of(t, expression(t)));
    expect(t, "}");
  }
  t->at++;
  return unknown(text);
}

static struct rule_value primary(struct rule_templates *t) {
  struct rule_value values[RULE_ARGUMENTS], v;
  if (take(t, "!")) {
    v = primary(t);
    return truth_of(rules_not(t->rules, condition_of(v)));
  }
  if (take(t, "(")) {
    v = expression(t);
    expect(t, ")");
    return v;
  }
  if (*t->at == '"') {
    t->at++;
    return string(t);
  }
  if (isdigit((unsigned char)*t->at)) return known(strtoll(t->at, (char **)(uintptr_t)&t->at, 10));
  if (comes(t, "all") || comes(t, "any") || comes(t, "count")) return quantified(t, known(comes(t, "all")));
  struct name name = take_name(t);
  unsigned count = arguments(t, values);
  return named(t, name, values, count);
}

static struct rule_value sum(struct rule_templates *t) {
  struct rule_value v = primary(t);
  for (bool plus; (plus = take(t, "+")) || take(t, "-");) {
    struct rule_value other = primary(t);
    if (!v.text && !other.text)
      v = known(plus ? v.number + other.number : v.number - other.number);
    else
      v = unknown(rules_operation(t->rules, text_of(t, v), plus ? "+" : "-", text_of(t, other)));
  }
  return v;
}

static struct rule_value comparison(struct rule_templates *t) {
  static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">="};
  struct rule_value v = sum(t);
  for (enum compare how = CMP_EQ; how <= CMP_GE; how++)
    if (take(t, signs[how])) return compare(t, how, v, sum(t));
  return v;
}

/* What is only read over where it does not count. */
static struct rule_value where(struct rule_templates *t, bool counts,
                               struct rule_value (*read)(struct rule_templates *t)) {
  bool over = t->over;
  t->over |= !counts;
  struct rule_value v = read(t);
  t->over = over;
  return v;
}

/* Conditions joined by a sign, which one of them may decide. */
static struct rule_value joined(struct rule_templates *t, bool both,
                                struct rule_value (*part)(struct rule_templates *t)) {
  struct rule_value v = part(t);
  while (take(t, both ? "&" : "|")) {
    bool decided = is_known(v, !both), over = t->over;
    t->over |= decided;
    if (comes(t, both ? "all" : "any"))
      v = quantified(t, v);
    else
      v = join(t, both, v, part(t));
    t->over = over;
  }
  return v;
}

static struct rule_value both(struct rule_templates *t) {
  return joined(t, true, comparison);
}

static struct rule_value either(struct rule_templates *t) {
  return joined(t, false, both);
}

static struct rule_value expression(struct rule_templates *t) {
  struct rule_value v = either(t);
  if (!take(t, "?")) return v;
  struct rule_value a = where(t, !is_known(v, false), expression);
  expect(t, ":");
  struct rule_value b = where(t, !is_known(v, true), expression);
  if (!v.text) return v.number ? a : b;
  return unknown(rules_choose(t->rules, v.text, text_of(t, a), text_of(t, b)));
}

/* ---- statements ---- */

static struct rule_value conditional(struct rule_templates *t);

static struct rule_value otherwise(struct rule_templates *t) {
  return take(t, "if") ? conditional(t) : block_value(t);
}

static struct rule_value conditional(struct rule_templates *t) {
  struct rule_value v = expression(t);
  if (v.text) rules_if(t->rules, v.text);
  where(t, !is_known(v, false), block_value);
  if (take(t, "else")) {
    if (v.text) rules_else(t->rules);
    where(t, !is_known(v, true), otherwise);
  }
  if (v.text) rules_end_if(t->rules);
  return NOTHING;
}

static void each_block(struct rule_templates *t, void *context) {
  (void)context;
  block(t);
}

static void rule(struct rule_templates *t) {
  struct rule_value name = expression(t);
  expect(t, "when");
  struct rule_value guard = expression(t);
  bool keeps = take(t, "keeps"), made = !t->over && !is_known(guard, false);
  if (made) rules_rule(t->rules, name.text, condition_of(guard), keeps);
  where(t, made, block_value);
  if (made) rules_end_rule(t->rules);
}

static void procedure(struct rule_templates *t) {
  struct rule_value name = expression(t);
  if (!t->over) rules_procedure(t->rules, name.text);
  block(t);
  if (!t->over) rules_end_procedure(t->rules);
}

/* A variable is set, or something is done. */
static void simple(struct rule_templates *t) {
  struct rule_value values[RULE_ARGUMENTS];
  int64_t numbers[RULE_ARGUMENTS];
  struct name name = take_name(t);
  unsigned count = arguments(t, values);
  if (take(t, ":=")) {
    struct rule_value variable = named(t, name, values, count), v = expression(t);
    if (variable.text) rules_set(t->rules, variable.text, text_of(t, v));
    expect(t, ";");
    return;
  }
  expect(t, ";");
  const struct definition *macro = find_definition(t, name);
  if (t->over) return;
  if (macro)
    apply(t, macro, values, block_value);
  else
    t->words->act(t->words->context, word_of(t, name, values, count, numbers), numbers);
}

static void statement(struct rule_templates *t) {
  if (take(t, "if")) {
    conditional(t);
  } else if (take(t, "for")) {
    range(t, each_block, NULL);
  } else if (take(t, "rule")) {
    rule(t);
  } else if (take(t, "procedure")) {
    procedure(t);
  } else if (take(t, "call")) {
    struct rule_value name = expression(t);
    if (!t->over) rules_call(t->rules, name.text);
    expect(t, ";");
  } else {
    simple(t);
  }
}

static void block(struct rule_templates *t) {
  expect(t, "{");
  while (!take(t, "}")) statement(t);
}

/* ---- the text ---- */

static void define(struct rule_templates *t, bool macro) {
  struct definition d = {.name = take_name(t)};
  if (take(t, "(")) {
    do {
      assert(d.parameter_count < RULE_ARGUMENTS);
      d.parameters[d.parameter_count++] = take_name(t);
    } while (take(t, ","));
    expect(t, ")");
  }
  if (!macro) expect(t, "=");
  d.body = t->at;
  *vec_push(t->rules->arena, &t->definitions) = d;
  if (macro)
    block(t);
  else
    expression(t);
}

struct rule_templates *rule_templates_new(struct rules *rules, const char *text, const struct rule_words *words) {
  struct rule_templates *t =
      ARENA_MAKE(rules->arena, struct rule_templates, .rules = rules, .words = words, .at = text, .over = true);
  while (comes(t, "do") || comes(t, "def")) define(t, take(t, "do") || !take(t, "def"));
  assert(!*t->at);
  t->over = false;
  return t;
}

static const struct definition *defined(const struct rule_templates *t, const char *name) {
  const struct definition *d = find_definition(t, (struct name){name, strlen(name)});
  assert(d);
  return d;
}

void rule_templates_do(struct rule_templates *t, const char *macro) {
  apply(t, defined(t, macro), NULL, block_value);
}

const char *rule_templates_condition(struct rule_templates *t, const char *definition) {
  return condition_of(apply(t, defined(t, definition), NULL, expression));
}
