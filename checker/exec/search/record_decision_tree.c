/* SPDX-License-Identifier: MIT */
/* Writes nodes as they are met: a decision's branches lie in it as lists, one to a
 * line, indented by depth; conclusions come in a list around the node that they
 * lead to, which is opened with the first of them.
 */
#include "checker/exec/search/record_decision_tree.h"

#include <stdarg.h>

enum { MOST_INDENT = 60 };

void record_say(struct record *r, const char *format, ...) {
  if (!r) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(r->out, format, arguments);
  va_end(arguments);
}

static void start_line(struct record *r) {
  fprintf(r->out, "\n%*s", (int)(r->depth < MOST_INDENT ? r->depth : MOST_INDENT), "");
}

bool record_node(struct record *r) {
  if (!r) return false;
  bool before = r->steps;
  r->steps = false;
  r->depth++;
  start_line(r);
  return before;
}

void record_end(struct record *r, bool before) {
  if (!r) return;
  if (r->steps) fputc(')', r->out);
  r->steps = before;
  r->depth--;
}

static void print_event(struct record *r, const struct structure *s, unsigned e) {
  const struct event *event = &s->events[e];
  if (event->thread < 0)
    fprintf(r->out, "i.%d", event->location);
  else
    fprintf(r->out, "%d.%u", event->thread, event->po_index);
}

void record_event(struct record *r, const char *before, const struct structure *s, unsigned event, const char *after) {
  if (!r) return;
  fputs(before, r->out);
  print_event(r, s, event);
  fputs(after, r->out);
}

void record_pair(struct record *r, const char *before, const struct structure *s, unsigned a, unsigned b,
                 const char *after) {
  record_event(r, before, s, a, " ");
  record_event(r, "", s, b, after);
}

void record_step(struct record *r, const char *step, const struct structure *s, unsigned a, unsigned b) {
  if (!r) return;
  if (!r->steps) fputs("(steps", r->out);
  r->steps = true;
  fprintf(r->out, " (%s", step);
  record_pair(r, " ", s, a, b, ")");
}

/* ---- Cycles ------------------------------------------------------------------------ */

/* The way back from `to` by steps of a breadth-first search from `from`; its length, 0: none. */
static unsigned find_way(struct shape s, const word *r, unsigned from, unsigned *way) {
  unsigned queue[s.n + 1], before[s.n], count = 0;
  bool seen[s.n];
  for (unsigned i = 0; i < s.n; i++) seen[i] = false;
  queue[count++] = from;
  for (unsigned i = 0; i < count; i++)
    SET_EACH (b, s.w, rel_row_const(s, r, queue[i])) {
      if (b == from) {
        unsigned length = 0;
        for (unsigned e = queue[i]; e != from; e = before[e]) way[length++] = e;
        way[length++] = from;
        return length;
      }
      if (seen[b]) continue;
      seen[b] = true;
      before[b] = queue[i];
      queue[count++] = b;
    }
  return 0;
}

static void print_cycle(struct record *r, const struct structure *s, const word *value) {
  struct shape shape = s->execution.shape;
  unsigned best[shape.n + 1], way[shape.n + 1], shortest = 0;
  for (unsigned e = 0; e < shape.n; e++) {
    unsigned length = find_way(shape, value, e, way);
    if (!length || (shortest && length >= shortest)) continue;
    shortest = length;
    for (unsigned i = 0; i < length; i++) best[i] = way[i];
  }
  while (shortest) record_event(r, " ", s, best[--shortest], "");
}

static void print_member(struct record *r, const struct structure *s, bool of_set, bool diagonal, const word *value) {
  struct shape shape = s->execution.shape;
  for (unsigned a = 0; a < shape.n; a++) {
    if (of_set ? set_has(value, a) : diagonal && rel_has(shape, value, a, a)) {
      record_event(r, " ", s, a, "");
      return;
    }
    unsigned b = of_set || diagonal ? shape.n : set_first(shape.w, rel_row_const(shape, value, a));
    if (b >= shape.n) continue;
    record_pair(r, " ", s, a, b, "");
    return;
  }
}

void record_axiom(struct record *r, const struct structure *s, const struct cat_check *check, bool of_set,
                  const word *value) {
  if (!r) return;
  fprintf(r->out, "(axiom \"%s\"", check->name);
  if (!check->negated && value && check->kind == CHECK_ACYCLIC)
    print_cycle(r, s, value);
  else if (!check->negated && value)
    print_member(r, s, of_set, check->kind == CHECK_IRREFLEXIVE, value);
  fputc(')', r->out);
}
