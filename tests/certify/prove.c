/* SPDX-License-Identifier: MIT */
/* Other proofs of the same verdicts: in place of a certificate's tree, random trees.
 *
 * At each node random conclusions are drawn, leaves tried and decisions taken; what the
 * certifier accepts on the way is kept.  A tree that is accepted to its last leaf must show
 * what is claimed, however it came about: else the certifier can be made to believe
 * something that is not so.
 *
 * usage: prove SEED TREES FILE...      of each certificate; prints how many trees were whole
 */
#define check_tree check_own_tree
#include "checker/base/array.h"
#include "checker/certify/decision_tree.c" /* NOLINT(bugprone-suspicious-include): functions of its own are asked */
#undef check_tree
#include <stdio.h>
#include <stdlib.h>

#include "checker/certify/current_file.h"

enum { MOST_LEVELS = 200, MOST_PAIRS = 64, MOST_LARGE = 2000 /* nodes of a tree */, TRIES = 20 };

static FILE *nowhere;
static unsigned nodes, trees; /* of this tree; whole ones */
static bool whole;            /* the tree is, and what follows is no fault of it */

static unsigned pick(unsigned below) {
  return (unsigned)(random() % below);
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static struct item *new_word(const char *word) {
  struct item *item = make(sizeof *item);
  *item = (struct item){.word = strcpy(make(strlen(word) + 1), word), .line = 1, .column = 1};
  return item;
}

/* A list of these, up to a NULL. */
static struct item *new_list(struct item *const *items) {
  struct item *list = make(sizeof *list);
  *list = (struct item){.first = items[0], .line = 1, .column = 1};
  for (; items[list->count]; list->count++) items[list->count]->next = items[list->count + 1];
  return list;
}

static struct item *new_leaf(const char *word) {
  if (!strcmp(word, "least")) return new_list((struct item *[]){new_word(word), new_leaf("execution"), NULL});
  return new_list((struct item *[]){new_word(word), NULL});
}

static struct item *new_event(const struct state *s, unsigned e) {
  char word[40];
  int thread = s->events[e].thread;
  if (thread < 0)
    snprintf(word, sizeof word, "i.%d", s->events[e].location);
  else
    snprintf(word, sizeof word, "%d.%u", thread, e - s->first[thread]);
  return new_word(word);
}

/* ---- Leaves and conclusions ------------------------------------------------------------------ */

/* Takes a leaf, or a conclusion of the state; false when it is rejected: nothing has changed then. */
static bool accepts(struct certificate *c, struct state *s, const struct item *node, bool *closed) {
  struct certificate before = *c;
  struct verdict verdict = *c->verdict;
  jmp_buf end;
  volatile bool accepted = false;
  memcpy(&end, &current.end, sizeof end);
  if (!setjmp(current.end)) {
    if (closed)
      *closed = !take_step(s, node) || !settle(s);
    else if (is_list(node, "least"))
      walk_least(c, s, node);
    else
      check_leaf(c, s, node);
    accepted = true;
  } else {
    *c = before;
    *c->verdict = verdict;
  }
  memcpy(&current.end, &end, sizeof end);
  return accepted;
}

static bool try_leaf(struct certificate *c, const struct state *s, unsigned from) {
  static const char *const LEAVES[] = {"closed", "values", "held", "execution", "seen", "cut", "undefined", "least"};
  enum { COUNT = ARRAY_COUNT(LEAVES) };
  size_t mark = memory_mark();
  bool accepted = false;
  for (unsigned i = 0; i < COUNT && !accepted; i++)
    accepted = accepts(c, (struct state *)s, new_leaf(LEAVES[(from + i) % COUNT]), NULL);
  memory_drop(mark);
  return accepted;
}

static bool is_open_pair(const struct state *s, enum pairs which, unsigned a, unsigned b) {
  const struct bounds *of = bounds_of((struct state *)s, which);
  return in(of->up, a, b) && !in(of->lo, a, b);
}

/* A random conclusion, mostly of something open; true when the branch is closed by it. */
static bool conclude(struct certificate *c, struct state *s) {
  static const char *const STEPS[] = {"drop", "order", "apart", "order-fences", "apart-fences", "join", "leave"};
  unsigned kind = pick(ARRAY_COUNT(STEPS)), a = pick(s->count), b = pick(s->count);
  for (unsigned i = 0; i < TRIES && (kind ? !is_open_pair(s, (enum pairs)((kind - 1) / 2), a, b)
                                          : !is_read(s, b) || !(s->sources[b] >> a & 1));
       i++)
    a = pick(s->count), b = pick(s->count);
  size_t mark = memory_mark();
  struct item *step = new_list((struct item *[]){new_word(STEPS[kind]), new_event(s, a), new_event(s, b), NULL});
  struct state *with = state_copy(s);
  bool closed = false;
  if (accepts(c, with, step, &closed)) *s = *with;
  memory_drop(mark);
  return closed;
}

/* ---- Decisions ---------------------------------------------------------------------------------- */

static void prove(struct certificate *c, struct state *s, const struct decision *decisions, unsigned level);

static void prove_fork(struct certificate *c, const struct state *s, const struct decision *decisions, unsigned level,
                       unsigned t) {
  const struct run *runs[MOST_THREADS];
  memcpy(runs, s->runs, sizeof runs);
  for (unsigned i = 0; i < s->runs[t]->branch_count; i++) {
    size_t mark = memory_mark();
    runs[t] = run_branch(c->program, t, s->runs[t], i);
    struct state *next = runs[t]->end == IMPOSSIBLE ? NULL : state_new(c->program, runs, decisions);
    if (next && settle(next)) prove(c, next, decisions, level);
    memory_drop(mark);
  }
}

static void prove_read(struct certificate *c, const struct state *s, const struct decision *decisions, unsigned level,
                       unsigned read) {
  for (mask m = s->sources[read]; m; m &= m - 1) {
    unsigned w = first_bit(m);
    int t = s->events[read].thread, u = s->events[w].thread;
    struct decision d = {(unsigned)t, read - s->first[t], u, u < 0 ? (unsigned)s->events[w].location : w - s->first[u],
                         decisions};
    size_t mark = memory_mark();
    struct state *next = state_copy(s);
    next->sources[read] = BIT(w);
    if (settle(next)) prove(c, next, &d, level);
    memory_drop(mark);
  }
}

struct pair {
  enum pairs which;
  unsigned a, b;
};

static void prove_pair(struct certificate *c, const struct state *s, const struct decision *decisions, unsigned level,
                       struct pair pair) {
  unsigned first = pick(2);
  for (unsigned i = 0; i < 2; i++) {
    size_t mark = memory_mark();
    struct state *next = state_copy(s);
    if (decide_pair(next, pair.which, pair.a, pair.b, i == first)) prove(c, next, decisions, level);
    memory_drop(mark);
  }
}

/* Decides something that is open, whatever it is. */
static void decide(struct certificate *c, const struct state *s, const struct decision *decisions, unsigned level) {
  unsigned forks[MOST_THREADS], reads[MOST_EVENTS], fork_count = 0, read_count = 0, pair_count = 0;
  struct pair pairs[MOST_PAIRS];
  for (unsigned t = 0; t < c->program->thread_count; t++)
    if (s->runs[t]->end == OPEN) forks[fork_count++] = t;
  for (unsigned e = s->init_count; e < s->count; e++)
    if (is_read(s, e) && !(s->unfed >> e & 1) && !is_single(s->sources[e])) reads[read_count++] = e;
  for (unsigned i = 0; i < 3 * s->count * s->count && !s->open && pair_count < MOST_PAIRS; i++) {
    struct pair pair = {(enum pairs)(i % 3), i / 3 / s->count, i / 3 % s->count};
    if (is_open_pair(s, pair.which, pair.a, pair.b)) pairs[pair_count++] = pair;
  }
  if (!fork_count && !read_count && !pair_count) {
    if (!try_leaf(c, s, 0)) reject(NULL, "nothing is left to decide");
    return;
  }
  for (;;) {
    unsigned kind = pick(3);
    if (kind == 0 && fork_count) return prove_fork(c, s, decisions, level, forks[pick(fork_count)]);
    if (kind == 1 && read_count) return prove_read(c, s, decisions, level, reads[pick(read_count)]);
    if (kind == 2 && pair_count) return prove_pair(c, s, decisions, level, pairs[pick(pair_count)]);
  }
}

static void prove(struct certificate *c, struct state *s, const struct decision *decisions, unsigned level) {
  if (level == MOST_LEVELS || nodes++ == MOST_LARGE) reject(NULL, "this tree grows too large");
  for (unsigned n = pick(5); n > 0 && s->count > 0; n--)
    if (conclude(c, s)) return;
  if (pick(3) > 0 && try_leaf(c, s, pick(8))) return;
  decide(c, s, decisions, level + 1);
}

/* In place of the certifier's. */
void check_tree(struct certificate *c, const struct item *tree) {
  const struct run *runs[MOST_THREADS];
  (void)tree;
  for (unsigned t = 0; t < c->program->thread_count; t++) runs[t] = run_start(c->program, t);
  struct state *root = state_new(c->program, runs, NULL);
  whole = false;
  nodes = 0;
  current.err = nowhere;
  if (settle(root)) prove(c, root, NULL, 0);
  current.err = stderr;
  whole = true;
}

/* ---- Files ------------------------------------------------------------------------------------------ */

/* Where coherence is a partial order, how many executions there are is for the tree to say. */
static void forget_numbers(char *text) {
  char *partial = strstr(text, "(coherence partial)"), *end;
  for (char *at = text; partial && (at = strstr(at, "(executions ")); at = end) {
    end = strchr(at, ')');
    memset(at, ' ', (size_t)(end + 1 - at));
  }
}

static bool read_text(const char *name) {
  FILE *file = fopen(name, "rb");
  size_t room = 1 << 24;
  current.file = name;
  current.err = stderr;
  current.text = file ? malloc(room) : NULL;
  current.size = current.text ? fread(current.text, 1, room - 1, file) : 0;
  if (file) fclose(file);
  if (!current.text) return perror(name), false;
  current.text[current.size] = 0;
  forget_numbers(current.text);
  return true;
}

/* Returns the certifier's status; 2 also where the tree came to nothing. */
static int prove_one(const struct item *items) {
  size_t mark = memory_mark();
  struct verdict verdict = {0};
  int status = setjmp(current.end);
  if (!status) check_certificate(items, &verdict);
  current.err = stderr;
  memory_drop(mark);
  return status && !whole ? 2 : status;
}

int main(int count, char **words) {
  if (count < 4) return fputs("usage: prove SEED TREES FILE...\n", stderr), 2;
  srandom((unsigned)atoi(words[1]));
  nowhere = fopen("/dev/null", "w");
  for (int i = 3; i < count; i++) {
    if (!nowhere || !read_text(words[i])) return 2;
    if (setjmp(current.end)) return 2;
    for (const struct item *items = read_items(current.text, current.size); items; items = next_certificate(items))
      for (int k = 0; k < atoi(words[2]); k++) {
        int status = prove_one(items);
        if (status == 1) return fprintf(stderr, "%s: a tree shows something else\n", words[i]), 1;
        trees += status == 0;
      }
    memory_free();
    free(current.text);
  }
  printf("%u trees\n", trees);
  return trees == 0;
}
