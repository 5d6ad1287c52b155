/* SPDX-License-Identifier: MIT */
/* The distance of two programs is how many instructions have to be changed, put in or
 * taken out, and how many pairs of threads are placed differently, for the best pairing
 * of their threads. */
#include "checker/program_search/nearest_cts_name.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/vulkan_cts_names.h"
#include "checker/program_search/program_hash.h"

enum { MOST_INSTRUCTIONS = 16, FAR = 1000, TOLD = 2 };

struct named_program {
  const char *name;
  const struct litmus_test *test;
  uint64_t hash;
};

struct cts_programs {
  struct arena *arena;
  const struct litmus_options *reading;
  VEC(struct named_program) all;
};

static void add_name(void *context, const char *name) {
  struct cts_programs *programs = context;
  struct diags diags = diags_new(programs->arena);
  const struct source *source = cts_source(programs->arena, name, &diags);
  const struct litmus_test *test = source ? litmus_parse(programs->arena, source, programs->reading, &diags) : NULL;
  if (test)
    *vec_push(programs->arena, &programs->all) = (struct named_program){name, test, program_hash(test->program)};
}

struct cts_programs *cts_programs_new(struct arena *arena, const struct litmus_options *reading) {
  struct cts_programs *programs = ARENA_MAKE(arena, struct cts_programs, .arena = arena, .reading = reading);
  cts_each(arena, "*", add_name, programs);
  return programs;
}

/* ---- threads ---- */

/* How far the rest of thread `a` from i on is from the rest of `b` from j on. */
struct alignment {
  const struct thread *a, *b; /* NULL: there is no such thread */
  unsigned from[MOST_INSTRUCTIONS + 1][MOST_INSTRUCTIONS + 1];
};

static unsigned count_of(const struct thread *thread) {
  return thread ? thread->instr_count : 0;
}

static bool same(const struct alignment *l, unsigned i, unsigned j) {
  return instruction_hash(&l->a->instrs[i]) == instruction_hash(&l->b->instrs[j]);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static unsigned align(struct alignment *l) {
  unsigned n = count_of(l->a), m = count_of(l->b);
  if (n > MOST_INSTRUCTIONS || m > MOST_INSTRUCTIONS) return FAR;
  for (unsigned i = n + 1; i-- > 0;) {
    for (unsigned j = m + 1; j-- > 0;) {
      unsigned best = n - i + m - j; /* the rest of one, as that of the other is at its end */
      if (i < n && j < m) best = l->from[i + 1][j + 1] + !same(l, i, j);
      if (i < n && j < m) best = least(best, 1 + least(l->from[i + 1][j], l->from[i][j + 1]));
      l->from[i][j] = best;
    }
  }
  return l->from[0][0];
}

/* ---- programs ---- */

struct likeness {
  const struct litmus_test *test;
  const struct named_program *named;
  unsigned threads;               /* of the larger program */
  unsigned pairing[MOST_ORDERED]; /* for each thread of the test, the named program's */
  unsigned distance;
};

static const struct thread *thread_of(const struct litmus_test *test, unsigned t) {
  return t < test->program->thread_count ? &test->program->threads[t] : NULL;
}

/* The levels at which two threads are together: 3, in one sub-group, to 0. */
static unsigned together(const struct thread *a, const struct thread *b) {
  bool qf = a->qf == b->qf, wg = qf && a->wg == b->wg;
  return (unsigned)qf + wg + (wg && a->sg == b->sg);
}

static bool placed_alike(const struct likeness *l, unsigned t, unsigned u) {
  const struct thread *a = thread_of(l->test, t), *b = thread_of(l->test, u);
  const struct thread *c = thread_of(l->named->test, l->pairing[t]), *d = thread_of(l->named->test, l->pairing[u]);
  return !a || !b || !c || !d || together(a, b) == together(c, d);
}

static unsigned distance_of(const struct likeness *l) {
  unsigned distance = 0;
  for (unsigned t = 0; t < l->threads; t++) {
    struct alignment alignment = {.a = thread_of(l->test, t), .b = thread_of(l->named->test, l->pairing[t])};
    distance += align(&alignment);
    for (unsigned u = 0; u < t; u++) distance += !placed_alike(l, t, u);
  }
  return distance;
}

struct nearing {
  struct likeness like, best;
};

static void take_pairing(void *context, const unsigned *order) {
  struct nearing *n = context;
  memcpy(n->like.pairing, order, sizeof n->like.pairing);
  n->like.distance = distance_of(&n->like);
  if (n->like.distance < n->best.distance) n->best = n->like;
}

static struct likeness nearest(const struct cts_programs *programs, const struct litmus_test *test) {
  struct nearing n = {.best = {.distance = FAR}};
  for (size_t i = 0; i < programs->all.count; i++) {
    n.like = (struct likeness){.test = test, .named = &programs->all.at[i]};
    unsigned mine = test->program->thread_count, its = n.like.named->test->program->thread_count;
    n.like.threads = mine > its ? mine : its;
    thread_orders_visit(n.like.threads, take_pairing, &n);
  }
  return n.best;
}

/* ---- words ---- */

static const char *words_of(struct arena *arena, const struct litmus_test *test, const struct thread *thread,
                            unsigned i) {
  struct span span = thread->instrs[i].span;
  return arena_strndup(arena, test->source->text + span.at, span.length);
}

/* What is different in the named program. */
struct telling {
  struct arena *arena;
  const struct likeness *likeness;
  FILE *out;
  unsigned told;
};

static void tell(struct telling *t, const char *what) {
  fprintf(t->out, "%s %s", t->told ? " and" : "", what);
  t->told++;
}

static void tell_thread(struct telling *w, unsigned t) {
  const struct litmus_test *mine = w->likeness->test, *its = w->likeness->named->test;
  struct alignment l = {.a = thread_of(mine, t), .b = thread_of(its, w->likeness->pairing[t])};
  unsigned n = count_of(l.a), m = count_of(l.b), i = 0, j = 0;
  align(&l);
  while (i < n || j < m) {
    bool both = i < n && j < m, equal = both && same(&l, i, j);
    if (both && l.from[i][j] == l.from[i + 1][j + 1] + !equal) {
      if (!equal)
        tell(w, arena_printf(w->arena, "`%s` for P%u's `%s`", words_of(w->arena, its, l.b, j), t,
                             words_of(w->arena, mine, l.a, i)));
      i++;
      j++;
    } else if (i < n && (j == m || l.from[i][j] == 1 + l.from[i + 1][j])) {
      tell(w, arena_printf(w->arena, "no `%s` in P%u", words_of(w->arena, mine, l.a, i++), t));
    } else {
      tell(w, arena_printf(w->arena, "a further `%s` in P%u", words_of(w->arena, its, l.b, j++), t));
    }
  }
  for (unsigned u = 0; u < t; u++)
    if (!placed_alike(w->likeness, t, u)) tell(w, arena_printf(w->arena, "P%u and P%u placed differently", u, t));
}

/* Is there anything that no program of the CTS has: values, pairs, further names? */
static const char *foreign(const struct program *program) {
  if (program->thread_count > MOST_ORDERED) return "more than four threads";
  if (program->pair_count) return "synchronisation by the system";
  for (unsigned l = 0; l < program->location_count; l++)
    if (program->locations[l].init) return "initial values other than 0";
  return NULL;
}

const char *cts_programs_name(const struct cts_programs *programs, struct arena *arena,
                              const struct litmus_test *test) {
  const char *why = foreign(test->program);
  if (why) return arena_printf(arena, "none: it has %s", why);
  uint64_t hash = program_hash(test->program);
  for (size_t i = 0; i < programs->all.count; i++)
    if (programs->all.at[i].hash == hash) return programs->all.at[i].name;
  struct likeness like = nearest(programs, test);
  if (!like.named) return "none";
  if (like.distance > TOLD) return arena_printf(arena, "none; the nearest has %u differences", like.distance);
  struct text text = text_new();
  fprintf(text.out, "none; the nearest is %s, with", like.named->name);
  struct telling telling = {arena, &like, text.out, 0};
  for (unsigned t = 0; t < like.threads; t++) tell_thread(&telling, t);
  if (!telling.told) fputs(" other locations or values", text.out);
  return text_keep(&text, arena);
}
