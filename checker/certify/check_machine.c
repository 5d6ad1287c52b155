/* SPDX-License-Identifier: MIT */
/* What is claimed of a machine, and how that is checked.
 *
 *     (run step...)  (loop step...)          step = (thread T) | (fail T) | (meet T [LABEL]) | (wb1|fetch1 WG LOCATION)
 * | ... (stuck yes|no)                         of all runs: some gets stuck; and (claims ...), what states they end in
 *     (verify Sound)                         of all runs: none gets stuck, and all end as the model's executions do
 *     (verify Unsound) | (verify Deadlock)   the run ends as no execution does; the run gets stuck
 *     (progress SCHEDULER Endless)           the run, and then the loop for ever, is fair; without a loop it gets stuck
 *     (progress SCHEDULER Ends)              of all runs: none gets stuck, and none that is fair goes on for ever
 *
 * All runs are all states: from the first on each one's successors are added until
 * none is new.  That set is closed is what a certificate of it would have to show, so
 * none is written down.
 */
#include <string.h>

#include "checker/certify/machine.h"

enum { BUCKETS = 1 << 16, MOST_CLOSED = 1 << 20, MOST_ALIKE = 64 };

/* ---- All states ------------------------------------------------------------------------------------ */

/* A step to another state; the threads that it moves. */
struct edge {
  struct stored *to;
  mask movers;
  struct edge *next;
};

/* A state, packed: small numbers take a byte. */
struct stored {
  struct stored *next, *later; /* of the same bucket; found after it */
  struct edge *edges, *at;     /* only where loops are looked for; the next to follow */
  struct stored *back, *below; /* where it was come from; on the stack */
  struct stored *part;         /* one state for each strongly connected part */
  unsigned index, low;
  uint64_t hash;
  unsigned size;
  uint8_t bytes[];
};

struct closure {
  struct steps steps; /* first, so that it can be handed over */
  const struct machine *machine;
  struct stored **buckets, *last;
  struct stored *from; /* the state that is looked at, where loops are looked for; and who has made steps */
  int64_t stepped;
  unsigned count, successors; /* the latter of the state that is looked at */
};

static unsigned pack(const int64_t *words, unsigned count, uint8_t *bytes) {
  unsigned size = 0;
  for (unsigned i = 0; i < count; i++) {
    uint64_t w = (uint64_t)words[i], rest = w << 1 ^ (words[i] < 0 ? ~UINT64_C(0) : 0);
    for (; rest > 127; rest >>= 7) bytes[size++] = (uint8_t)(rest | 128);
    bytes[size++] = (uint8_t)rest;
  }
  return size;
}

static void unpack(const uint8_t *bytes, int64_t *words, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    uint64_t w = 0;
    for (unsigned shift = 0;; shift += 7) {
      w |= (uint64_t)(*bytes & 127) << shift;
      if (!(*bytes++ & 128)) break;
    }
    words[i] = (int64_t)(w >> 1 ^ (0 - (w & 1)));
  }
}

static void add_edge(struct closure *c, struct stored *to, mask movers) {
  struct edge *edge = c->from ? make(sizeof *edge) : NULL;
  if (!edge) return;
  *edge = (struct edge){to, movers, c->from->edges};
  c->from->edges = edge;
}

static void add_state(struct steps *steps, struct step step, const int64_t *words) {
  struct closure *c = (struct closure *)steps;
  uint8_t bytes[10 * MOST_WORDS + 10];
  int64_t stepped = c->stepped | (c->from ? (int64_t)step.movers : 0);
  unsigned size = pack(words, c->machine->words, bytes);
  size += pack(&stepped, 1, bytes + size);
  uint64_t hash = 14695981039346656037u;
  c->successors++;
  for (unsigned i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  struct stored **bucket = &c->buckets[(hash ^ hash >> 32) % BUCKETS];
  for (struct stored *at = *bucket; at; at = at->next)
    if (at->hash == hash && at->size == size && !memcmp(at->bytes, bytes, size)) {
      add_edge(c, at, step.movers);
      return;
    }
  if (++c->count > MOST_CLOSED)
    bad(NULL, "the machine has more than %d states here: too many to be checked", MOST_CLOSED);
  struct stored *s = make(sizeof *s + size);
  s->hash = hash;
  s->size = size;
  memcpy(s->bytes, bytes, size);
  s->next = *bucket;
  *bucket = s;
  if (c->last) c->last->later = s;
  c->last = s;
  add_edge(c, s, step.movers);
}

static void note_final(struct certificate *c, const struct machine *m, const int64_t *state, const struct item *at) {
  int64_t values[MOST_OBSERVED];
  for (unsigned i = 0; i < c->observed_count; i++) values[i] = m->observe(m, state, &c->observed[i]);
  if (is_filtered(c, values) || was_seen(c, values)) return;
  if (c->model) reject(at, "a run ends in a state that no execution of the model shows");
  note_state(c, values);
}

/* Visits every state, the first of which is *first, with its edges where that is asked
 * for; true when there is one in which a run gets stuck. */
static bool close_states(struct certificate *c, const struct machine *m, const struct item *at, struct stored **first) {
  struct closure closure = {.steps = {add_state}, .machine = m};
  int64_t state[MOST_WORDS + 1] = {0};
  bool stuck = false;
  closure.buckets = make(BUCKETS * sizeof *closure.buckets);
  m->initial(m, state);
  add_state(&closure.steps, (struct step){0}, state);
  if (first) *first = closure.last;
  for (struct stored *next = closure.last; next; next = next->later) {
    unpack(next->bytes, state, m->words + 1);
    closure.stepped = state[m->words];
    closure.from = first ? next : NULL;
    closure.successors = 0;
    m->successors(m, state, &closure.steps);
    if (m->final(m, state))
      note_final(c, m, state, at);
    else
      stuck |= !closure.successors;
  }
  return stuck;
}

/* ---- All loops ---------------------------------------------------------------------------------------- */

/* Threads that a scheduler owes steps to (Sorensen and others, OOPSLA 2021). */
static mask owed(const struct item *scheduler, mask running, mask stepped) {
  static const char *const NAMES[] = {"fair", "hsa", "obe", "hsa+obe", "lobe", NULL};
  mask lowest = running & (~running + 1), below = stepped;
  for (unsigned by = 1; by < 64; by *= 2) below |= below >> by;
  switch (choice_of(scheduler, NAMES, "scheduler")) {
    case 0:
      return running;
    case 1:
      return lowest;
    case 2:
      return running & stepped;
    case 3:
      return lowest | (running & stepped);
    default:
      return running & below;
  }
}

/* A strongly connected part, from the top of the stack down to its `root`: all the way
 * round it the same threads have ended and have made steps, so that if any way is fair,
 * the one through all of it is. */
static void check_part(const struct machine *m, struct stored **stack, struct stored *root, const struct item *claim) {
  mask moved = 0, could = ~(mask)0;
  int64_t state[MOST_WORDS + 1];
  bool loops = false;
  for (struct stored *s = *stack; s && s != root->below; s = s->below) s->part = root;
  for (; *stack && *stack != root->below; *stack = (*stack)->below) {
    mask enabled = 0;
    for (const struct edge *e = (*stack)->edges; e; e = e->next) {
      enabled |= e->movers;
      if (e->to->part != root) continue;
      moved |= e->movers;
      loops = true;
    }
    could &= enabled;
  }
  unpack(root->bytes, state, m->words + 1);
  mask starved = owed(part(claim, 1), m->running(m, state), (mask)state[m->words]) & could & ~moved;
  if (loops && !starved) reject(claim, "a fair run goes round for ever");
}

/* Tarjan's algorithm (SIAM J. Comput. 1972), without recursion. */
static void check_loops(const struct machine *m, struct stored *first, const struct item *claim) {
  struct stored *stack = NULL, *at = first;
  unsigned count = 0;
  while (at) {
    if (!at->index) {
      at->index = at->low = ++count;
      at->below = stack;
      at->at = at->edges;
      stack = at;
    }
    if (at->at) {
      struct stored *to = at->at->to;
      at->at = at->at->next;
      if (!to->index)
        to->back = at, at = to;
      else if (!to->part && to->index < at->low)
        at->low = to->index;
      continue;
    }
    if (at->low == at->index) check_part(m, &stack, at, claim);
    if (at->back && at->low < at->back->low) at->back->low = at->low;
    at = at->back;
  }
}

/* ---- One run ------------------------------------------------------------------------------------------ */

/* The states that the steps so far may have led to: a step's name may be that of several. */
struct run_states {
  unsigned count;
  int64_t *at[MOST_ALIKE];
};

struct follower {
  struct steps steps; /* first, so that it can be handed over */
  const struct machine *machine;
  struct step wanted;
  struct run_states next;
  mask enabled, moved; /* threads that any step moves; that the wanted one does */
  unsigned successors;
};

static struct step read_step(const struct item *item) {
  static const char *const WORDS[] = {"thread", "fail", "meet", "wb1", "wb2", "fetch1", "fetch2", NULL};
  struct step step = {(enum step_word)choice_of(part(item, 0), WORDS, "step"), index_of(part(item, 1), MOST_THREADS), 0,
                      0};
  if (item->count > 2) step.detail = index_of(part(item, 2), MOST_WORDS);
  return step;
}

static void follow(struct steps *steps, struct step step, const int64_t *words) {
  struct follower *f = (struct follower *)steps;
  size_t size = f->machine->words * sizeof *words;
  f->enabled |= step.movers;
  f->successors++;
  if (step.word != f->wanted.word || step.agent != f->wanted.agent || step.detail != f->wanted.detail) return;
  f->moved |= step.movers;
  for (unsigned i = 0; i < f->next.count; i++)
    if (!memcmp(f->next.at[i], words, size)) return;
  if (f->next.count == MOST_ALIKE) bad(NULL, "this run's steps have more than %d meanings", MOST_ALIKE);
  f->next.at[f->next.count++] = memcpy(make(size), words, size);
}

/* Takes a step from each of the states. */
static void take(struct follower *f, const struct run_states *from, const struct item *item) {
  f->wanted = read_step(item);
  f->next.count = f->successors = 0;
  f->enabled = f->moved = 0;
  for (unsigned i = 0; i < from->count; i++) f->machine->successors(f->machine, from->at[i], &f->steps);
  if (!f->next.count) reject(item, "this step is not possible here");
}

static struct run_states follow_run(const struct machine *m, const struct item *run, mask *moved) {
  struct follower f = {.steps = {follow}, .machine = m};
  struct run_states at = {1, {make((m->words + 1) * sizeof(int64_t))}};
  m->initial(m, at.at[0]);
  for (const struct item *item = part(run, 0)->next; item; item = item->next) {
    take(&f, &at, item);
    *moved |= f.moved;
    at = f.next;
  }
  return at;
}

static bool is_stuck(const struct machine *m, const int64_t *state) {
  struct follower f = {.steps = {follow}, .machine = m, .wanted = {.agent = MOST_THREADS}};
  m->successors(m, state, &f.steps);
  return !f.successors && !m->final(m, state);
}

/* ---- What is claimed ---------------------------------------------------------------------------------------- */

static void check_unsound(struct certificate *c, const struct machine *m, const struct run_states *ends,
                          const struct item *at) {
  for (unsigned i = 0; i < ends->count; i++) {
    int64_t values[MOST_OBSERVED];
    if (!m->final(m, ends->at[i])) continue;
    for (unsigned k = 0; k < c->observed_count; k++) values[k] = m->observe(m, ends->at[i], &c->observed[k]);
    if (!was_seen(c, values)) return;
  }
  reject(at, "the run does not end in a state that no execution of the model shows");
}

static void check_verify(struct certificate *c, const struct machine *m, const struct item *items,
                         const struct item *claim) {
  static const char *const ANSWERS[] = {"Sound", "Unsound", "Deadlock", NULL};
  unsigned answer = choice_of(part(claim, 1), ANSWERS, "answer");
  mask moved = 0;
  if (!c->model || c->skipped || c->filter) bad(claim, "all states that the model allows must be known");
  c->verdict->observation = ANSWERS[answer];
  if (answer == 0) {
    if (close_states(c, m, claim, NULL)) reject(claim, "a run gets stuck");
    check_absent(items, (const char *[]){"run", NULL});
    return;
  }
  if (c->verdict->cut || c->verdict->undefined || c->raised)
    reject(claim, "the model does not say what is forbidden here");
  struct run_states ends = follow_run(m, section(items, "run", true), &moved);
  if (answer == 1)
    check_unsound(c, m, &ends, claim);
  else if (ends.count != 1 || !is_stuck(m, ends.at[0]))
    reject(claim, "the run does not get stuck");
}

/* Once round the loop it is as before, and no thread that is owed a step, and could
 * make one all the way, makes none.  Steps of machine sc have one meaning each. */
static void check_endless(const struct machine *m, const struct item *items, const struct item *claim) {
  const struct item *loop = section(items, "loop", true);
  struct follower f = {.steps = {follow}, .machine = m};
  mask stepped = 0, moved = 0, could = ~(mask)0;
  struct run_states start = follow_run(m, section(items, "run", true), &stepped), at = start;
  for (const struct item *item = part(loop, 0)->next; item; item = item->next) {
    take(&f, &at, item);
    moved |= f.moved;
    could &= f.enabled;
    at = f.next;
  }
  if (loop->count == 1 && is_stuck(m, start.at[0])) return;
  if (loop->count == 1) reject(loop, "the run does not get stuck");
  if (memcmp(start.at[0], at.at[0], m->words * sizeof(int64_t)) != 0)
    reject(loop, "this does not lead back to where it began");
  mask starved = owed(part(claim, 1), m->running(m, start.at[0]), stepped | moved) & could & ~moved;
  if (starved) reject(loop, "thread %u is owed a step and makes none", first_bit(starved));
}

static void check_progress(struct certificate *c, const struct machine *m, const struct item *items,
                           const struct item *claim) {
  static const char *const ANSWERS[] = {"Endless", "Ends", NULL};
  unsigned answer = choice_of(part(claim, 2), ANSWERS, "answer");
  struct stored *first;
  no_more_than(claim, 3);
  c->verdict->observation = ANSWERS[answer];
  if (strcmp(m->name, "sc") != 0) bad(claim, "who is owed a step is known only for machine sc");
  if (answer == 0) {
    check_endless(m, items, claim);
    return;
  }
  if (close_states(c, m, claim, &first)) reject(claim, "a run gets stuck");
  check_loops(m, first, claim);
  check_absent(items, (const char *[]){"run", "loop", NULL});
}

/* The states in which a machine's runs end are counted once each. */
static void check_states_of(struct certificate *c, const struct machine *m, const struct item *items) {
  static const char *const ANSWERS[] = {"no", "yes", NULL};
  const struct item *stuck = section(items, "stuck", true), *claims = section(items, "claims", true);
  bool claimed = choice_of(part(stuck, 1), ANSWERS, "answer") == 1;
  if (close_states(c, m, stuck, NULL) != claimed) reject(stuck, claimed ? "no run gets stuck" : "a run gets stuck");
  check_heads(part(claims, 0)->next, (const char *[]){"observation", "states", NULL});
  check_observation(c, claims);
  check_states(c, section(part(claims, 0)->next, "states", true));
}

bool check_machine(struct certificate *c, const struct item *items) {
  static const char *const KINDS[] = {"sc", "gpu", NULL};
  const struct item *list = section(items, "machine", false), *claim;
  if (!list) return false;
  const struct machine *m =
      choice_of(part(list, 1), KINDS, "machine") ? gpu_machine(c->program, list) : sc_machine(c->program);
  if (c->model && !section(items, "verify", false)) bad(list, "a machine besides a model, and no (verify ...)");
  c->verdict->machine = word_of(part(list, 2));
  if ((claim = section(items, "verify", false))) {
    check_absent(items, (const char *[]){"stuck", "progress", "loop", NULL});
    check_verify(c, m, items, claim);
  } else if ((claim = section(items, "progress", false))) {
    check_absent(items, (const char *[]){"stuck", "claims", NULL});
    check_progress(c, m, items, claim);
  } else {
    check_absent(items, (const char *[]){"run", "loop", NULL});
    check_states_of(c, m, items);
  }
  return true;
}
