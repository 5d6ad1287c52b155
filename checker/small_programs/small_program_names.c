/* SPDX-License-Identifier: MIT */
/* Small programs as litmus tests: their names, and names and numbers in them. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/text.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

/* ---- names ---- */

/* Shapes by kinds and locations alone. */
static const struct {
  const char *ops, *name;
} SHAPES[] = {
    {"Wx Wy|Ry Rx", "MP"},         {"Wx Ry|Wy Rx", "SB"},         {"Rx Wy|Ry Wx", "LB"},
    {"Wx Wy|Wy Rx", "R"},          {"Wx Wy|Ry Wx", "S"},          {"Wx Wy|Wy Wx", "2+2W"},
    {"Wx|Rx Rx", "CoRR"},          {"Rx|Rx Wx", "CoRW1"},         {"Wx|Rx Wx", "CoRW2"},
    {"Wx|Wx Rx", "CoWR"},          {"Rx|Wx Wx", "CoWW"},          {"Wx|Rx Wy|Ry Rx", "WRC"},
    {"Wx|Rx Ry|Wy Rx", "RWC"},     {"Wx Wy|Ry Wz|Rz Rx", "ISA2"}, {"Wx|Wy|Rx Ry|Ry Rx", "IRIW"},
    {"Wx Wy|Wy Wz|Rz Rx", "Z6.3"}, {"Wx Ry|Wy Rz|Wz Rx", "3.SB"}, {"Rx Wy|Ry Wz|Rz Wx", "3.LB"},
    {"Wx Wy|Wy Wz|Wz Wx", "3.2W"}, {"Wx Wy|Ry Wz|Rz Wx", "Z6.2"}, {"Wx|Rx Wy|Ry Wx", "WWC"},
    {"Wx|Rx Wy|Wy Rx", "WRW+WR"},  {"Wx|Rx Ry|Wy Wx", "WRR+2W"},
};

const char *small_location_of(const struct small_op *op) {
  return small_is_access(op) ? small_location_names[op->location] : "";
}

const char *small_shape(const char *ops) {
  int i = ROW_INDEX(SHAPES, ARRAY_COUNT(SHAPES), ops, ops);
  return i < 0 ? NULL : SHAPES[i].name;
}

static const char *shape_of(struct arena *arena, const struct small_program *p) {
  struct text text = text_new();
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('|', text.out);
    for (unsigned i = 0; i < p->count[t]; i++)
      fprintf(text.out, "%s%c%s", i ? " " : "", p->ops[t][i].kind, small_location_of(&p->ops[t][i]));
  }
  return small_shape(text_keep(&text, arena));
}

/* The numbers of threads' instances, unless each thread has its own, or all have one. */
static void print_instances(const char *word, const uint8_t *at, unsigned count, bool apart, FILE *out) {
  bool plain = true;
  for (unsigned i = 0; i < count; i++) plain &= at[i] == (apart ? i : 0);
  if (plain) return;
  fprintf(out, "-%s", word);
  for (unsigned i = 0; i < count; i++) fprintf(out, "%d", at[i]);
}

/* `-st-av-dv-sc0`, of what is in braces. */
static void print_words(const struct small_op *op, FILE *out) {
  for (unsigned i = 0; op->words && i < op->word_length; i++) {
    char c = op->words[i];
    bool plain = is_word_char(c);
    if (!i || !plain) fputc('-', out);
    if (plain) fputc(c, out);
  }
}

const char *small_name(struct arena *arena, const struct small_program *p) {
  struct text text = text_new();
  const char *shape = shape_of(arena, p);
  if (shape) fprintf(text.out, "%s-", shape);
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('+', text.out);
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      if (i) fputc('.', text.out);
      if (op->guard) fputs(op->guard == '!' ? "if." : "ifnot.", text.out);
      if (op->dependency) fputs(op->dependency == '&' ? "addr." : "data.", text.out);
      fprintf(text.out, "%c%s", op->kind, small_location_of(op));
      print_words(op, text.out);
      if (op->kind != 'B' && !op->words) fputc(op->scope, text.out);
      if (op->order) fputc(op->order, text.out);
    }
  }
  print_instances("wg", p->wg, p->threads, true, text.out);
  if (p->clusters) print_instances("cluster", p->cluster, p->threads, true, text.out);
  print_instances(p->language->families ? "qf" : "dev", p->dev, p->threads, false, text.out);
  unsigned locations = SMALL_GLOBALS;
  while (locations && !p->class[locations - 1]) locations--;
  print_instances("sc", p->class, locations, false, text.out);
  return text_keep(&text, arena);
}

/* ---- what all languages share ---- */

int small_nothing_mask(const struct small_program *p) {
  int64_t sum = 0;
  int mask = 128;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) sum += p->ops[t][i].value;
  while (mask <= sum && mask < 1 << 30) mask *= 2;
  return mask;
}

int small_words_of(const struct small_op *op, const char **proxy) {
  const char *at = op->words ? memchr(op->words, '@', op->word_length) : NULL;
  *proxy = at ? at + 1 : NULL;
  return at ? (int)(at - op->words) : op->word_length;
}

static int proxy_length(const struct small_op *op, const char *proxy) {
  return (int)(op->words + op->word_length - proxy);
}

const char *small_name_used(struct arena *arena, const struct small_op *op) {
  const char *proxy;
  small_words_of(op, &proxy);
  return proxy ? arena_printf(arena, "%s_%.*s", small_location_of(op), proxy_length(op, proxy), proxy)
               : small_location_of(op);
}
