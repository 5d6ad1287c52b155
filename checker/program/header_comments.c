/* SPDX-License-Identifier: MIT */
/* Headers of kernels.
 *
 *   input  = one {"," one}    one = ["." word] name "=" value     name = ["%"] word
 *   value  = number | "{" [item {"," item}] "}"       item = value ["*" times]
 *   output = ["not"] "exists" | "forall", any
 *   any    = all {"or" all}     all = one {"and" one}       (or || and \/, && and /\, as in C and in tests)
 *   one    = "not" one | "(" any ")" | sum compare sum
 *   sum    = operand {("+" | "-") operand}       operand = number | name {"[" number "]"}
 *   config = shape "," shape "," shape        shape = number ["x" number ["x" number]]
 */
#include "checker/program/header_comments.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"

enum { MOST_DEPTH = 64, MOST_REPEATED = 1 << 18 /* in all */ };

struct scan {
  struct arena *arena;
  const struct source *source;
  struct diags *diags;
  struct cursor c; /* in the line */
  unsigned depth;
  uint64_t repeated; /* numbers, by `*` */
  bool failed;
};

static void fail(struct scan *s, const char *expected) {
  if (s->failed) return;
  s->failed = true;
  bool ended = s->c.at >= s->c.end;
  diag_error(s->diags, s->source, (struct span){s->c.at, !ended}, "expected %s%s", expected,
             ended ? ", found the end of the line" : "");
}

static bool looks_at(struct scan *s, const char *text) {
  cursor_skip_blanks(&s->c);
  if (s->failed || !cursor_looks_at(&s->c, text)) return false;
  char next = s->c.text[s->c.at + strlen(text)];
  return !isalpha((unsigned char)*text) || !is_word_char(next);
}

static bool skip(struct scan *s, const char *text) {
  bool is = looks_at(s, text);
  if (is) s->c.at += (uint32_t)strlen(text);
  return is;
}

static void expect(struct scan *s, const char *text, const char *what) {
  if (!skip(s, text)) fail(s, what);
}

static int64_t take_number(struct scan *s) {
  cursor_skip_blanks(&s->c);
  const char *start = s->c.text + s->c.at;
  char *end;
  bool negative = *start == '-';
  if (!isdigit((unsigned char)start[negative])) {
    fail(s, "a number");
    return 0;
  }
  errno = 0;
  int64_t value = negative ? strtoll(start, &end, 0) : (int64_t)strtoull(start, &end, 0);
  if (errno) fail(s, "a number of at most 64 bits");
  s->c.at += (uint32_t)(end - start);
  return value;
}

static bool is_word(struct scan *s) {
  return s->c.at < s->c.end && is_word_char(s->c.text[s->c.at]);
}

/* Without the sign before it. */
static const char *take_name(struct scan *s) {
  (void)skip(s, "%");
  uint32_t start = s->c.at;
  while (is_word(s) || (s->c.at < s->c.end && s->c.text[s->c.at] == '$')) s->c.at++; /* PTX's names have it */
  if (s->c.at == start) fail(s, "a name such as %name");
  return cursor_keep(s->arena, &s->c, start);
}

static unsigned take_times(struct scan *s, int64_t most) {
  cursor_skip_blanks(&s->c);
  uint32_t at = s->c.at;
  int64_t number = take_number(s);
  if (!s->failed && (number < 1 || number > most))
    s->c.at = at, fail(s, arena_printf(s->arena, "at least 1 and at most %" PRId64, most));
  return s->failed ? 1 : (unsigned)number;
}

/* ---- initial values ---- */

static struct initial take_value(struct scan *s);

static uint64_t count_numbers(const struct initial *value) {
  uint64_t count = !value->list;
  for (unsigned i = 0; i < value->count; i++) count += count_numbers(&value->items[i]);
  return count;
}

static unsigned take_repetition(struct scan *s, const struct initial *item) {
  if (!skip(s, "*")) return 1;
  uint32_t at = s->c.at;
  unsigned times = take_times(s, MOST_REPEATED);
  s->repeated += times * count_numbers(item);
  if (!s->failed && s->repeated > MOST_REPEATED) s->c.at = at, fail(s, "fewer repetitions");
  return times;
}

static struct initial take_list(struct scan *s) {
  VEC(struct initial) items = {0};
  while (!s->failed && !looks_at(s, "}")) {
    struct initial item = take_value(s);
    for (unsigned times = take_repetition(s, &item); times > 0; times--) *vec_push(s->arena, &items) = item;
    if (!looks_at(s, "}")) expect(s, ",", "',' or '}'");
  }
  expect(s, "}", "'}'");
  return (struct initial){.list = true, .items = items.at, .count = (unsigned)items.count};
}

static struct initial take_scalar(struct scan *s) {
  struct initial value = {0};
  cursor_skip_blanks(&s->c);
  if (skip(s, "true")) return (struct initial){.number = 1};
  if (skip(s, "false")) return value;
  const char *start = s->c.text + s->c.at;
  char *whole, *end;
  (void)strtoll(start, &whole, 0);
  value.value = strtod(start, &end);
  value.real = end > whole;
  if (value.real)
    s->c.at += (uint32_t)(end - start);
  else
    value.number = take_number(s);
  return value;
}

static struct initial take_value(struct scan *s) {
  cursor_skip_blanks(&s->c);
  uint32_t start = s->c.at;
  struct initial value;
  if (s->depth++ == MOST_DEPTH) fail(s, "fewer braces");
  if (skip(s, "{"))
    value = take_list(s);
  else
    value = take_scalar(s);
  s->depth--;
  value.span = (struct span){start, s->c.at - start};
  value.source = s->source;
  return value;
}

static void check_first(struct scan *s, const struct header *header, const struct header_input *input) {
  const struct header_input *all = header->inputs.at;
  const int first = ROW_INDEX(all, header->inputs.count, name, input->name);
  unsigned line;
  if (s->failed || first < 0) return;
  s->failed = true;
  source_position(s->source, all[first].span.at, &line, &(unsigned){0});
  diag_error(s->diags, s->source, input->span, "%s already has an @Input (line %u)", input->name, line);
}

static void take_input(struct scan *s, struct header *header) {
  do {
    cursor_skip_blanks(&s->c);
    struct header_input input = {.source = s->source, .span.at = s->c.at};
    if (skip(s, ".")) input.type = take_name(s);
    cursor_skip_blanks(&s->c);
    input.name = take_name(s);
    input.span.length = s->c.at - input.span.at;
    check_first(s, header, &input);
    expect(s, "=", "'=' and the initial value");
    input.value = take_value(s);
    *vec_push(s->arena, &header->inputs) = input;
  } while (skip(s, ","));
}

/* ---- conditions ---- */

static const struct header_prop *take_any(struct scan *s);

/* `[1].next[0]` */
static void take_indices(struct scan *s, struct header_operand *operand) {
  for (;;) {
    bool member = skip(s, ".");
    if (!member && !skip(s, "[")) return;
    if (operand->index_count == MOST_INDICES) fail(s, "fewer indices");
    const char *name = member ? take_name(s) : NULL;
    int64_t index = member ? 0 : take_number(s);
    if (s->failed) return;
    operand->members[operand->index_count] = name;
    operand->indices[operand->index_count++] = index;
    if (!member) expect(s, "]", "']'");
  }
}

static struct header_operand take_operand(struct scan *s) {
  struct header_operand operand = {0};
  cursor_skip_blanks(&s->c);
  operand.span.at = s->c.at;
  if (looks_at(s, "%") || (is_word(s) && !isdigit((unsigned char)s->c.text[s->c.at]))) {
    operand.name = take_name(s);
    take_indices(s, &operand);
  } else {
    operand.number = take_scalar(s);
  }
  operand.span.length = s->c.at - operand.span.at;
  return operand;
}

static struct header_operand take_sum(struct scan *s) {
  struct header_operand first = take_operand(s);
  const struct header_operand **last = &first.more;
  while (looks_at(s, "+") || looks_at(s, "-")) {
    bool subtracted = skip(s, "-");
    if (!subtracted) expect(s, "+", "'+'");
    struct header_operand *next = ARENA_NEW(s->arena, struct header_operand);
    *next = take_operand(s);
    next->subtracted = subtracted;
    *last = next;
    last = &next->more;
  }
  return first;
}

static const struct header_prop *take_comparison(struct scan *s) {
  struct header_prop *prop = ARENA_MAKE(s->arena, struct header_prop, .kind = PROP_COMPARE, .left = take_sum(s));
  const struct comparison_word *word = comparison_words;
  while (word->text && !skip(s, word->text)) word++;
  if (!word->text) fail(s, "a comparison such as ==");
  prop->compare = word->compare;
  prop->right = take_sum(s);
  return prop;
}

static const struct header_prop *take_one(struct scan *s) {
  const struct header_prop *prop;
  if (s->depth++ == MOST_DEPTH) fail(s, "fewer parentheses");
  if (skip(s, "not") || skip(s, "!") || skip(s, "~")) {
    struct header_prop *negated =
        ARENA_MAKE(s->arena, struct header_prop, .kind = PROP_NOT, .a = s->failed ? NULL : take_one(s));
    prop = negated;
  } else if (skip(s, "(")) {
    prop = take_any(s);
    expect(s, ")", "')'");
  } else {
    prop = s->failed ? NULL : take_comparison(s);
  }
  s->depth--;
  return prop;
}

static bool skip_joint(struct scan *s, enum prop_kind kind) {
  return kind == PROP_OR ? skip(s, "or") || skip(s, "||") || skip(s, "\\/")
                         : skip(s, "and") || skip(s, "&&") || skip(s, "/\\");
}

static const struct header_prop *take_joined(struct scan *s, enum prop_kind kind) {
  const struct header_prop *prop = kind == PROP_OR ? take_joined(s, PROP_AND) : take_one(s);
  while (skip_joint(s, kind)) {
    struct header_prop *joined = ARENA_MAKE(s->arena, struct header_prop, .kind = kind, .a = prop);
    joined->b = kind == PROP_OR ? take_joined(s, PROP_AND) : take_one(s);
    prop = joined;
  }
  return prop;
}

static const struct header_prop *take_any(struct scan *s) {
  return take_joined(s, PROP_OR);
}

static void take_output(struct scan *s, struct header *header) {
  struct header_output *output = vec_push(s->arena, &header->outputs);
  cursor_skip_blanks(&s->c);
  output->source = s->source;
  if (skip(s, "forall"))
    output->quantifier = QUANT_FORALL;
  else if (skip(s, "exists"))
    output->quantifier = QUANT_EXISTS;
  else if ((skip(s, "not") || skip(s, "~")) && skip(s, "exists"))
    output->quantifier = QUANT_NOT_EXISTS;
  else
    fail(s, "'forall', 'exists' or 'not exists'");
  cursor_skip_blanks(&s->c);
  output->span = (struct span){s->c.at, s->c.end - s->c.at};
  output->prop = take_any(s);
}

static void take_filter(struct scan *s, struct header *header) {
  cursor_skip_blanks(&s->c);
  uint32_t start = s->c.at;
  const struct header_prop *prop = take_any(s);
  if (header->filter) {
    struct header_prop *both =
        ARENA_MAKE(s->arena, struct header_prop, .kind = PROP_AND, .a = header->filter, .b = prop);
    prop = both;
  }
  header->filter = prop;
  header->filter_source = s->source;
  header->filter_span = (struct span){start, s->c.at - start};
}

/* `4x2`; the product of all numbers so far is kept below the most that there may be. */
static struct shape take_shape(struct scan *s, uint64_t *product) {
  struct shape shape = {{1, 1, 1}};
  for (int i = 0; i < 3 && !s->failed; i++) {
    if (i && (s->c.at >= s->c.end || s->c.text[s->c.at] != 'x')) break;
    s->c.at += i > 0;
    shape.at[i] = take_times(s, MOST_WORK_ITEMS);
    *product = *product > MOST_WORK_ITEMS ? *product : *product * shape.at[i];
  }
  return shape;
}

static void take_config(struct scan *s, struct header *header) {
  struct shape shapes[3];
  uint32_t start = s->c.at;
  uint64_t product = 1;
  for (int i = 0; i < 3; i++) {
    if (i)
      expect(s, ",", "three numbers: of work-items in a sub-group, of sub-groups in a work-group, and of work-groups");
    shapes[i] = take_shape(s, &product);
    if (s->failed) return;
  }
  for (int i = 0; i < 3; i++) header->items.at[i] = shapes[0].at[i] * shapes[1].at[i];
  header->groups = shapes[2];
  header->threads = shape_count(&shapes[0]);
  header->subgroups = shape_count(&shapes[1]);
  header->workgroups = shape_count(&shapes[2]);
  struct span span = {start, s->c.at - start};
  if (header->configured) diag_error(s->diags, s->source, span, "a second @Config");
  if (product > MOST_WORK_ITEMS) diag_error(s->diags, s->source, span, "more than %d work-items", MOST_WORK_ITEMS);
  s->failed = header->configured || product > MOST_WORK_ITEMS;
  header->configured = true;
}

static void take_kernel(struct scan *s, struct header *header) {
  cursor_skip_blanks(&s->c);
  uint32_t start = s->c.at;
  header->kernel = take_name(s);
  header->kernel_span = (struct span){start, s->c.at - start};
}

/* ---- lines ---- */

/* None that would have the compiler write files or load what is not the source's. */
static void take_options(struct scan *s, struct header *header) {
  for (;;) {
    cursor_skip_blanks(&s->c);
    bool known = cursor_looks_at(&s->c, "-D") || cursor_looks_at(&s->c, "-U") || cursor_looks_at(&s->c, "-I") ||
                 cursor_looks_at(&s->c, "-O") || cursor_looks_at(&s->c, "-cl-");
    if (!known && s->c.at < s->c.end) fail(s, "an option that begins with -D, -U, -I, -O or -cl-");
    if (s->failed) return;
    uint32_t start = s->c.at;
    while (s->c.at < s->c.end && !isspace((unsigned char)s->c.text[s->c.at])) s->c.at++;
    if (s->c.at == start) return;
    *vec_push(s->arena, &header->options) = cursor_keep(s->arena, &s->c, start);
  }
}

static const struct {
  const char *name;
  void (*take)(struct scan *s, struct header *header);
} words[] = {{"@Input", take_input},   {"@Output", take_output}, {"@Filter", take_filter},
             {"@Config", take_config}, {"@Kernel", take_kernel}, {"@Options", take_options}};

/* `above`: no code came before, where `@` means nothing else.  Further below a documentation's `@Input` may be no
 * header. */
static void take_line(struct scan *s, struct header *header, bool above) {
  uint32_t start = s->c.at;
  size_t i = 0, count = ARRAY_COUNT(words);
  while (i < count && !skip(s, words[i].name)) i++;
  if (i < count) {
    if (!above && !looks_at(s, ":")) return;
    expect(s, ":", "':'");
    words[i].take(s, header);
    cursor_skip_blanks(&s->c);
    if (s->c.at < s->c.end) fail(s, "the end of the line");
  } else if (above) {
    while (s->c.at < s->c.end && s->c.text[s->c.at] != ':' && !isspace((unsigned char)s->c.text[s->c.at])) s->c.at++;
    diag_warning(s->diags, s->source, (struct span){start, s->c.at - start},
                 "unknown header: there are @Input, @Output, @Filter, @Config, @Kernel and @Options");
  }
}

/* Where a line is: in a comment of several lines, or in a string, which in assembly may be a shader's source. */
struct place {
  bool assembly, comment, string;
};

/* How long is what begins a comment here?  0: nothing does.  `first`: of the line, where `;` does so in any language.
 */
static unsigned comment_sign(const struct place *place, const char *at, bool first) {
  if (place->string) return 0;
  if (*at == ';' && (first || place->assembly)) return 1;
  return !place->assembly && *at == '/' && (at[1] == '/' || at[1] == '*') ? 2 : 0;
}

/* Goes to the first comment of a line, and has the line end with it.  false: there is none. */
static bool find_comment(struct scan *s, struct place *place) {
  const char *text = s->c.text;
  bool found = place->comment;
  uint32_t start = s->c.at, stop = s->c.end;
  for (uint32_t i = start; i < s->c.end; i++) {
    unsigned sign = place->comment ? 0 : comment_sign(place, text + i, i == start);
    if (place->comment && text[i] == '*' && text[i + 1] == '/') {
      place->comment = false;
      if (stop == s->c.end) stop = i;
      i++;
    } else if (sign) {
      if (!found) s->c.at = i + sign;
      found = true;
      place->comment = text[i + sign - 1] == '*';
      if (!place->comment) break;
      i++;
    } else if (!place->comment && text[i] == '"') {
      place->string = !place->string;
    } else if (place->string && text[i] == '\\') {
      i++;
    }
  }
  s->c.end = stop;
  place->string &= place->assembly;
  return found;
}

/* In all comments: GLSL's first line is `#version`, and a licence may come first.  One that is not read would be taken
 * to ask nothing. */
static bool read_comments(struct arena *arena, const struct source *source, bool assembly, struct header *header,
                          struct diags *diags) {
  struct scan s = {.arena = arena, .source = source, .diags = diags};
  static const struct shape one = {{1, 1, 1}};
  struct place place = {.assembly = assembly};
  *header = (struct header){.threads = 1, .subgroups = 1, .workgroups = 1, .items = one, .groups = one};
  bool above = true;
  struct cursor lines = {source->text, 0, (uint32_t)source->size};
  for (struct span line; !s.failed && cursor_take_line(&lines, &line);) {
    const uint32_t end = line.at + line.length;
    s.c = (struct cursor){source->text, line.at, end};
    cursor_skip_blanks(&s.c);
    uint32_t start = s.c.at;
    bool within = place.comment, comment = find_comment(&s, &place);
    above &= within || start == end || (comment && s.c.at <= start + 2);
    if (within) (void)skip(&s, "*"); /* which often begins such lines */
    while (comment && s.c.end > s.c.at && isspace((unsigned char)source->text[s.c.end - 1])) s.c.end--;
    if (comment && looks_at(&s, "@")) take_line(&s, header, above);
  }
  return !s.failed;
}

static bool is_given(const struct header *header, const char *name) {
  return ROW_INDEX(header->inputs.at, header->inputs.count, name, name) >= 0;
}

bool header_read(struct arena *arena, const struct source *source, bool assembly, const struct source *more,
                 struct header *header, struct diags *diags) {
  struct header first;
  if (!read_comments(arena, source, assembly, &first, diags)) return false;
  *header = first;
  if (!more) return true;
  if (!read_comments(arena, more, false, header, diags)) return false;
  header->options = first.options;
  if (!header->kernel) {
    header->kernel = first.kernel;
    header->kernel_span = first.kernel_span;
  } else {
    header->kernel_span = (struct span){0};
  }
  for (size_t i = 0; i < first.inputs.count; i++)
    if (!is_given(header, first.inputs.at[i].name)) *vec_push(arena, &header->inputs) = first.inputs.at[i];
  if (!header->outputs.count) header->outputs.at = first.outputs.at, header->outputs.count = first.outputs.count;
  if (!header->configured) {
    header->configured = first.configured;
    header->threads = first.threads;
    header->subgroups = first.subgroups;
    header->workgroups = first.workgroups;
    header->items = first.items;
    header->groups = first.groups;
  }
  if (!header->filter) {
    header->filter = first.filter;
    header->filter_source = first.filter_source;
    header->filter_span = first.filter_span;
  }
  return true;
}

bool header_replace_condition(struct arena *arena, const struct source *source, const char *condition,
                              struct header *header, struct diags *diags) {
  size_t length = strlen(condition);
  const struct source *text =
      source_from_text(arena, arena_printf(arena, "condition for %s", source->name), condition, length);
  struct scan s = {.arena = arena, .source = text, .diags = diags, .c = cursor_at_start(text)};
  header->outputs.count = 0;
  take_output(&s, header);
  cursor_skip_blanks(&s.c);
  if (s.c.at < s.c.end) fail(&s, "the end of the condition");
  return !s.failed;
}
