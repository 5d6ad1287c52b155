/* SPDX-License-Identifier: MIT */
/* Threads on FEAR's mesh.  A core has one request under way; vectors go lane by lane. */
#include "hwsem/timing/fear_threads.h"

#include <string.h>

/* A line in the L1 for words that are not atomic. */
struct line {
  int64_t number;       /* 1 + its number; 0: none */
  int64_t used, filled; /* filled: the core's count of acquires then */
  int32_t words[WORK_LINE];
};

struct core {
  struct work_request *request;    /* NULL: none under way */
  struct work_request lane;        /* of a vector, the access of one lane */
  unsigned next;                   /* lane */
  bool meets, holds, again, ended; /* holds: until its write-backs have arrived; again: the access is yet to come */
  int64_t unwritten;               /* write-backs under way */
  int64_t acquires;
  struct line *lines;
};

struct fear_threads {
  struct work *work;
  struct core *core;
  bool *atomic; /* by word */
  int64_t sets, ways, clock, running, meeting, unwritten;
  bool memside;
};

struct fear_threads *fear_threads_new(struct arena *arena, struct work *work, int64_t sets, int64_t ways,
                                      bool memside) {
  struct fear_threads *w = ARENA_MAKE(arena, struct fear_threads, .work = work, .sets = sets, .ways = ways,
                                      .running = work->threads, .memside = memside);
  w->core = ARENA_ARRAY(arena, struct core, work->threads);
  w->atomic = ARENA_ARRAY(arena, bool, work->words + 1);
  for (unsigned i = 0; i < work->threads; i++)
    w->core[i].lines = ARENA_ARRAY(arena, struct line, (size_t)(sets * ways));
  return w;
}

/* ---- the L1 ---- */

static struct line *find_line(const struct fear_threads *w, struct core *c, int64_t number) {
  struct line *set = &c->lines[number % w->sets * w->ways];
  for (int64_t i = 0; i < w->ways; i++)
    if (set[i].number == number + 1 && set[i].filled == c->acquires) return &set[i];
  return NULL;
}

static void fill_line(struct fear_threads *w, struct core *c, int64_t number) {
  struct line *set = &c->lines[number % w->sets * w->ways], *victim = find_line(w, c, number);
  for (int64_t i = 0; !victim && i < w->ways; i++)
    if (!set[i].number || set[i].filled != c->acquires) victim = &set[i];
  for (int64_t i = 0; !victim && i < w->ways; i++) victim = &set[i];
  for (int64_t i = 0; i < w->ways; i++)
    if (victim->number && victim->filled == c->acquires && set[i].used < victim->used) victim = &set[i];
  victim->number = number + 1;
  victim->used = ++w->clock;
  victim->filled = c->acquires;
  memcpy(victim->words, &w->work->memory[number * WORK_LINE], sizeof victim->words);
}

/* A plain load that the L1 answers. */
static bool load_hits(struct fear_threads *w, struct core *c, struct work_request *r) {
  if (r->kind != WORK_LOAD || r->scope != WORK_PLAIN || w->atomic[r->address]) return false;
  struct line *line = find_line(w, c, r->address / WORK_LINE);
  if (!line) return false;
  line->used = ++w->clock;
  r->value = line->words[r->address % WORK_LINE];
  return true;
}

/* ---- demands ---- */

/* The access under way: of a vector, its lane's. */
static struct work_request *access_of(struct core *c) {
  return c->request->lanes ? &c->lane : c->request;
}

/* The access has been done.  Is there a further lane? */
static bool end_access(struct core *c) {
  struct work_request *r = c->request;
  if (!r->lanes) {
    bool acquires = r->scope != WORK_PLAIN && (r->kind == WORK_LOAD || r->kind == WORK_AMO);
    if (acquires || r->kind == WORK_BARRIER) c->acquires++;
    return false;
  }
  return work_next_lane(r, &c->next, &c->lane);
}

/* Takes the thread's next request; false when it has ended. */
static bool take_request(struct fear_threads *w, int64_t core) {
  struct core *c = &w->core[core];
  c->next = 0;
  c->request = work_next(w->work, (unsigned)core);
  if (c->request && c->request->lanes) c->lane = work_lane(c->request, 0);
  return c->request != NULL;
}

/* At the barrier: the last one lets all go on. */
static struct fear_demand meet(struct fear_threads *w, struct core *c) {
  if (c && !c->meets) {
    c->meets = true;
    w->meeting++;
  }
  if (w->running == 0 || w->meeting < w->running) return (struct fear_demand){.step = c ? FEAR_WAITS : FEAR_ENDS};
  work_meet(w->work);
  w->meeting = 0;
  for (unsigned i = 0; i < w->work->threads; i++) w->core[i].meets = false;
  return (struct fear_demand){.step = FEAR_MEETS};
}

/* What must not overtake the core's own write-backs. */
static bool orders(const struct fear_threads *w, const struct work_request *r) {
  if (r->kind == WORK_BARRIER) return true;
  if (r->kind == WORK_COMPUTE) return false;
  return (r->kind != WORK_LOAD && r->scope != WORK_PLAIN) || (r->kind != WORK_AMO && w->atomic[r->address]);
}

static struct fear_demand demand_of(struct fear_threads *w, struct core *c) {
  struct work_request *r = access_of(c);
  c->again = c->holds = c->unwritten > 0 && orders(w, r);
  if (c->holds) return (struct fear_demand){.step = FEAR_WAITS};
  switch (r->kind) {
    case WORK_COMPUTE:
      return (struct fear_demand){.step = FEAR_COMPUTES, .cycles = r->cycles};
    case WORK_BARRIER:
      return meet(w, c);
    case WORK_LOAD:
      return (struct fear_demand){.step = FEAR_READS, .word = r->address};
    case WORK_STORE: {
      bool exchanges = w->atomic[r->address] && !w->memside;
      return (struct fear_demand){.step = exchanges ? FEAR_OPERATES : FEAR_WRITES, .word = r->address};
    }
    case WORK_AMO:
      w->atomic[r->address] = true;
      return (struct fear_demand){.step = FEAR_OPERATES, .word = r->address};
    case WORK_GATHER:
    case WORK_SCATTER:
    case WORK_KINDS:
      break;
  }
  return (struct fear_demand){.step = FEAR_ENDS};
}

struct fear_demand fear_threads_ask(struct fear_threads *w, int64_t core) {
  struct core *c = &w->core[core];
  int64_t hits = 0;
  bool again = c->again;
  c->again = c->holds = false;
  if (c->ended) return (struct fear_demand){.step = FEAR_ENDS};
  for (; again || (c->request && end_access(c)) || take_request(w, core); again = false, hits++) {
    if (load_hits(w, c, access_of(c))) continue;
    if (hits == 0) return demand_of(w, c);
    /* The hits take their time first. */
    c->again = true;
    return (struct fear_demand){.step = FEAR_HITS, .cycles = hits};
  }
  c->ended = true;
  w->running--;
  return meet(w, NULL);
}

/* ---- values ---- */

void fear_threads_at_slice(struct fear_threads *w, int64_t core) {
  struct core *c = &w->core[core];
  struct work_request *r = access_of(c);
  int32_t *word = &w->work->memory[r->address];
  struct line *line = find_line(w, c, r->address / WORK_LINE);
  if (r->kind == WORK_AMO) {
    int32_t old = *word;
    *word = work_amo_result(r, old);
    r->value = old;
  } else if (r->kind == WORK_STORE) {
    *word = r->value;
    if (line) line->words[r->address % WORK_LINE] = r->value;
  } else {
    r->value = *word;
    if (r->scope == WORK_PLAIN && !w->atomic[r->address]) fill_line(w, c, r->address / WORK_LINE);
  }
}

int32_t fear_threads_operate(struct fear_threads *w, int64_t core, int32_t old) {
  struct core *c = &w->core[core];
  struct work_request *r = access_of(c);
  int32_t result = r->kind == WORK_STORE ? r->value : work_amo_result(r, old);
  if (r->kind == WORK_AMO) r->value = old;
  c->unwritten++;
  w->unwritten++;
  return result;
}

bool fear_threads_written(struct fear_threads *w, int64_t core, int64_t word, int32_t result) {
  struct core *c = &w->core[core];
  w->work->memory[word] = result;
  c->unwritten--;
  w->unwritten--;
  return c->holds && c->unwritten == 0;
}

int32_t fear_threads_word(const struct fear_threads *w, int64_t word) {
  return w->work->memory[word];
}

bool fear_threads_runs(const struct fear_threads *w) {
  return w->running > 0 || w->unwritten > 0;
}
