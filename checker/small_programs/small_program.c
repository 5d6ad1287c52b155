/* SPDX-License-Identifier: MIT */
/* The notation of small programs: reading and printing it. */
#include "checker/small_programs/small_program.h"

#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/small_programs/small_language_words.h"

const char *const small_location_names[SMALL_LOCATIONS] = {"x", "y", "z", "u", "v", "w", "a", "b"};

/* ---- reading ---- */

enum { LEFT_OUT = -1, MOST_VALUE = 100000 };

/* Of a text that is being read. */
struct reading {
  const char *at;
  struct small_program *p;
  char guard, dependency; /* of the next operation */
};

static bool take(struct reading *r, char c) {
  if (*r->at != c) return false;
  r->at++;
  return true;
}

/* One of these letters, or 0. */
static char take_letter(struct reading *r, const char *letters) {
  return *r->at && strchr(letters, *r->at) ? *r->at++ : 0;
}

static void skip_blanks(struct reading *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool read_location(struct reading *r, struct small_op *op) {
  for (unsigned x = 0; x < SMALL_LOCATIONS; x++) {
    if (!take(r, *small_location_names[x])) continue;
    op->location = (uint8_t)x;
    return true;
  }
  return false;
}

static void read_value(struct reading *r, struct small_op *op) {
  op->value = small_writes(op) ? LEFT_OUT : 0;
  if (!small_writes(op) || !isdigit((unsigned char)*r->at)) return;
  for (op->value = 0; isdigit((unsigned char)*r->at) && op->value < MOST_VALUE;)
    op->value = 10 * op->value + (*r->at++ - '0');
}

static bool read_words(struct reading *r, struct small_op *op) {
  size_t length = strcspn(r->at, "{}| \t()");
  if (!length || length > UINT8_MAX || r->at[length] != '}') return false;
  op->words = r->at;
  op->word_length = (uint8_t)length;
  op->scope = op->kind == 'B' ? 'w' : 'n';
  r->at += length + 1;
  read_value(r, op);
  return true;
}

static bool read_op(struct reading *r, struct small_op *op) {
  op->kind = take_letter(r, SMALL_KINDS);
  if (!op->kind || (small_is_access(op) && !read_location(r, op))) return false;
  if (take(r, '{')) return read_words(r, op);
  op->scope = op->kind == 'B' ? 'w' : take_letter(r, SMALL_SCOPES);
  if (!op->scope || (op->scope == 'n' && op->kind != 'W' && op->kind != 'R')) return false;
  if (op->scope != 'n' && op->kind != 'B') op->order = take_letter(r, SMALL_ORDERS);
  if (op->order == small_order(&(struct small_op){.kind = op->kind, .scope = op->scope})) op->order = 0;
  read_value(r, op);
  return true;
}

static bool has_read(const struct small_program *p, unsigned t) {
  for (unsigned i = 0; i < p->count[t]; i++)
    if (small_reads(&p->ops[t][i])) return true;
  return false;
}

/* An operation, or what stands before one. */
static bool read_item(struct reading *r) {
  struct small_program *p = r->p;
  unsigned t = p->threads - 1;
  char guard = r->guard || r->dependency ? 0 : take_letter(r, "!=");
  if (guard) {
    r->guard = guard;
    return has_read(p, t);
  }
  if (!r->dependency && (r->dependency = take_letter(r, "&^"))) return has_read(p, t);
  struct small_op op = {.guard = r->guard, .dependency = r->dependency};
  if (p->count[t] == SMALL_OPS || !read_op(r, &op) || (op.dependency && !small_is_access(&op))) return false;
  p->ops[t][p->count[t]++] = op;
  r->guard = r->dependency = 0;
  return true;
}

static bool read_threads(struct reading *r) {
  struct small_program *p = r->p;
  p->threads = 1;
  for (skip_blanks(r); *r->at && *r->at != '('; skip_blanks(r)) {
    if (*r->at != '|') {
      if (!read_item(r)) return false;
      continue;
    }
    if (!p->count[p->threads - 1] || r->guard || r->dependency || p->threads == SMALL_THREADS) return false;
    p->threads++;
    r->at++;
  }
  return p->count[p->threads - 1] && !r->guard && !r->dependency;
}

static bool is_at(struct reading *r, const char *word) {
  skip_blanks(r);
  return text_begins(r->at, word);
}

/* ` wg 0,0,1`, if the word stands there: so many numbers below `end`. */
static bool read_list(struct reading *r, const char *word, uint8_t *at, unsigned count, int end) {
  if (!is_at(r, word)) return true;
  r->at += strlen(word);
  skip_blanks(r);
  for (unsigned t = 0; t < count; t++) {
    if ((t && !take(r, ',')) || *r->at < '0' || *r->at >= '0' + end) return false;
    at[t] = (uint8_t)(*r->at++ - '0');
  }
  return true;
}

/* Are the threads of an instance of one level in one of another? */
static bool is_within(const struct small_program *p, const uint8_t *inner, const uint8_t *outer) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned u = 0; u < t; u++)
      if (inner[t] == inner[u] && outer[t] != outer[u]) return false;
  return true;
}

/* What is wrong with the places, or NULL: nothing. */
static const char *misplaced(const struct small_program *p) {
  if (!is_within(p, p->wg, p->dev)) return "threads of one work-group are on one device";
  if (!is_within(p, p->wg, p->cluster)) return "threads of one work-group are in one cluster";
  return is_within(p, p->cluster, p->dev) ? NULL : "threads of one cluster are on one device";
}

static bool read_clusters(struct reading *r) {
  struct small_program *p = r->p;
  memcpy(p->cluster, p->wg, sizeof p->cluster);
  p->clusters = small_has_clusters(p->language) && is_at(r, "cluster");
  return !p->clusters || read_list(r, "cluster", p->cluster, p->threads, SMALL_THREADS);
}

/* Up to the last location that is accessed. */
static unsigned count_locations(const struct small_program *p) {
  unsigned count = 0;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (small_is_access(&p->ops[t][i]) && p->ops[t][i].location >= count) count = p->ops[t][i].location + 1u;
  return count;
}

static bool read_classes(struct reading *r) {
  const char *word = small_class_word(r->p->language);
  return !word || read_list(r, word, r->p->class, count_locations(r->p), SMALL_CLASSES);
}

static bool read_place(struct reading *r) {
  struct small_program *p = r->p;
  for (unsigned t = 0; t < p->threads; t++) p->wg[t] = (uint8_t)t;
  if (take(r, '(') &&
      !(read_list(r, "wg", p->wg, p->threads, SMALL_THREADS) && read_clusters(r) &&
        read_list(r, "dev", p->dev, p->threads, SMALL_THREADS) && read_classes(r) && !misplaced(p) && take(r, ')')))
    return false;
  skip_blanks(r);
  return !*r->at;
}

/* Values: those that are left out, or all. */
static void number(struct small_program *p, bool all) {
  int stored = 0, added = 8;
  for (unsigned t = 0; t < p->threads; t++) {
    ARRAY_EACH (struct small_op, op, p->ops[t], p->count[t]) {
      int usual = 0;
      if (op->kind == 'U') {
        usual = added;
        added = added < MOST_VALUE ? 2 * added : 8;
      } else if (small_writes(op)) {
        usual = ++stored;
      }
      if (all || op->value == LEFT_OUT) op->value = usual;
    }
  }
}

void small_number_values(struct small_program *p) {
  number(p, true);
}

const char *small_read(const char *text, const struct small_language *language, struct small_program *p) {
  struct reading r = {.at = text, .p = p};
  *p = (struct small_program){.language = language};
  if (!read_threads(&r) || !read_place(&r)) return r.at;
  number(p, false);
  return NULL;
}

const char *small_read_fault(const char *stop, const struct small_program *p) {
  _Static_assert(SMALL_THREADS == 8 && SMALL_OPS == 12, "as the messages say");
  if (*stop == '|' && p->threads == SMALL_THREADS) return "a small program has 8 threads at most";
  if (*stop && strchr(SMALL_KINDS, *stop) && p->count[p->threads - 1] == SMALL_OPS)
    return "a thread of a small program has 12 operations at most";
  if (*stop == ')' && misplaced(p)) return misplaced(p);
  return "not a small program: expected operations such as Wxn Wyd|Ryd ! Rxn (wg 0,1)";
}

/* ---- printing ---- */

static void print_op(const struct small_op *op, FILE *out) {
  if (op->guard) fprintf(out, "%c ", op->guard);
  if (op->dependency) fputc(op->dependency, out);
  fputc(op->kind, out);
  if (small_is_access(op)) fputs(small_location_names[op->location], out);
  if (op->words)
    fprintf(out, "{%.*s}", (int)op->word_length, op->words);
  else if (op->kind != 'B')
    fputc(op->scope, out);
  if (op->order) fputc(op->order, out);
  if (small_writes(op)) fprintf(out, "%d", op->value);
}

static void print_list(const char *word, const uint8_t *at, unsigned count, FILE *out) {
  fputs(word, out);
  for (unsigned i = 0; i < count; i++) fprintf(out, "%c%d", i ? ',' : ' ', at[i]);
}

void small_print(const struct small_program *p, FILE *out) {
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('|', out);
    for (unsigned i = 0; i < p->count[t]; i++) {
      if (i) fputc(' ', out);
      print_op(&p->ops[t][i], out);
    }
  }
  print_list(" (wg", p->wg, p->threads, out);
  if (p->clusters) print_list(" cluster", p->cluster, p->threads, out);
  print_list(" dev", p->dev, p->threads, out);
  if (small_classes(p) != 1) {
    fputc(' ', out);
    print_list(small_class_word(p->language), p->class, count_locations(p), out);
  }
  fputc(')', out);
}

const char *small_text(struct arena *arena, const struct small_program *p) {
  return TEXT_PRINTED(arena, out, small_print(p, out));
}

/* ---- what is said of them ---- */

unsigned small_classes(const struct small_program *p) {
  unsigned classes = 0;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (small_is_access(&p->ops[t][i])) classes |= 1u << p->class[p->ops[t][i].location];
  return classes ? classes : 1;
}

unsigned small_size(const struct small_program *p) {
  unsigned size = 0;
  for (unsigned t = 0; t < p->threads; t++) size += p->count[t];
  return size;
}

static bool some_op(const struct small_program *p, bool (*is)(const struct small_op *op)) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (is(&p->ops[t][i])) return true;
  return false;
}

static bool depends(const struct small_op *op) {
  return op->dependency;
}

static bool is_guarded(const struct small_op *op) {
  return op->guard;
}

static bool is_local(const struct small_op *op) {
  return small_is_access(op) && op->location >= SMALL_GLOBALS;
}

static bool is_special(const struct small_op *op) {
  return strchr("XCB", op->kind) || (op->order && strchr("qla", op->order)) || op->dependency || op->words ||
         is_local(op);
}

static bool is_of_system(const struct small_op *op) {
  return op->scope == 's' || op->scope == 'S';
}

bool small_has_dependencies(const struct small_program *p) {
  return some_op(p, depends);
}

bool small_uses_local(const struct small_program *p) {
  return some_op(p, is_local);
}

bool small_is_special(const struct small_program *p) {
  return some_op(p, is_special);
}

bool small_is_guarded(const struct small_program *p) {
  return some_op(p, is_guarded);
}

bool small_is_wide(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    if (p->dev[t] != p->dev[0]) return true;
  return some_op(p, is_of_system);
}
