/* SPDX-License-Identifier: MIT */
/* The notation of small programs: reading and printing it. */
#include "checker/verify/small_program.h"

#include <ctype.h>
#include <string.h>

const char *const small_location_names[SMALL_LOCATIONS] = {"x", "y", "z", "u", "v", "w"};

static bool parse_op(const char **text, struct small_op *op) {
  const char *s = *text;
  if (!*s || !strchr("WRUF", *s)) return false;
  op->kind = *s++;
  if (op->kind != 'F') {
    if (*s < 'u' || *s > 'z') return false;
    op->location = (uint8_t)((*s++ - 'x' + SMALL_LOCATIONS) % SMALL_LOCATIONS); /* x y z u v w */
  }
  if (!*s || !strchr(SMALL_SCOPES, *s)) return false;
  op->scope = *s++;
  if (op->scope == 'n' && strchr("UF", op->kind)) return false;
  if (*s && strchr("rc", *s)) op->order = *s++;
  if (op->order && op->scope == 'n') return false;
  op->value = 0;
  while (isdigit((unsigned char)*s) && op->value < 100000) op->value = 10 * op->value + (*s++ - '0');
  *text = s;
  return true;
}

static bool has_read(const struct small_program *p, unsigned t) {
  for (unsigned i = 0; i < p->count[t]; i++)
    if (strchr("RU", p->ops[t][i].kind)) return true;
  return false;
}

bool small_parse(const char *text, struct small_program *p) {
  *p = (struct small_program){.threads = 1};
  char guard = 0, dependency = 0;
  for (; *text;) {
    unsigned t = p->threads - 1;
    if (*text == ' ') {
      text++;
    } else if (*text == '|') {
      if (p->threads == SMALL_THREADS || p->count[t] == 0) return false;
      text++;
      p->threads++;
    } else if (*text == '!' || *text == '=') {
      guard = *text++;
    } else if (*text == '&' || *text == '^') {
      dependency = *text++;
    } else {
      struct small_op op = {.guard = guard, .dependency = dependency};
      if (p->count[t] == SMALL_OPS || !parse_op(&text, &op)) return false;
      if (dependency && (op.kind == 'F' || !has_read(p, t))) return false;
      p->ops[t][p->count[t]++] = op;
      guard = dependency = 0;
    }
  }
  for (unsigned t = 0; t < p->threads; t++) p->wg[t] = (uint8_t)t;
  return p->count[p->threads - 1] > 0;
}

static void print_op(const struct small_op *op, FILE *out) {
  if (op->guard) fprintf(out, "%c ", op->guard);
  if (op->dependency) fputc(op->dependency, out);
  fprintf(out, "%c%s%c", op->kind, op->kind == 'F' ? "" : small_location_names[op->location], op->scope);
  if (op->order) fputc(op->order, out);
  if (op->kind == 'W' || op->kind == 'U') fprintf(out, "%d", op->value);
}

void small_print(const struct small_program *p, FILE *out) {
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('|', out);
    for (unsigned i = 0; i < p->count[t]; i++) {
      if (i) fputc(' ', out);
      print_op(&p->ops[t][i], out);
    }
  }
}

static void print_list(const char *word, const uint8_t *at, unsigned count, FILE *out) {
  fputs(word, out);
  for (unsigned i = 0; i < count; i++) fprintf(out, "%c%d", i ? ',' : ' ', at[i]);
}

void small_print_place(const struct small_program *p, FILE *out) {
  print_list("wg", p->wg, p->threads, out);
  print_list(" dev", p->dev, p->threads, out);
}

unsigned small_size(const struct small_program *p) {
  unsigned size = 0;
  for (unsigned t = 0; t < p->threads; t++) size += p->count[t];
  return size;
}

bool small_has_dependencies(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].dependency) return true;
  return false;
}

bool small_is_wide(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++) {
    if (p->dev[t]) return true;
    for (unsigned i = 0; i < p->count[t]; i++)
      if (strchr("sS", p->ops[t][i].scope)) return true;
  }
  return false;
}

/* `0,0,1` */
static const char *parse_list(const char *text, uint8_t *at, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    if (*text < '0' || *text >= '0' + SMALL_THREADS) return NULL;
    at[i] = (uint8_t)(*text++ - '0');
    if (i + 1 < count && *text++ != ',') return NULL;
  }
  return text;
}

bool small_parse_place(const char *text, struct small_program *p) {
  if (strncmp(text, "wg ", 3) != 0) return false;
  text = parse_list(text + 3, p->wg, p->threads);
  return text && !strncmp(text, " dev ", 5) && parse_list(text + 5, p->dev, p->threads);
}
