/* SPDX-License-Identifier: MIT */
/* Which values a thread may still write from each of its instructions on, by
 * data flow over the program; and, asked of the model once for each pair of
 * instructions, whether a read can see what its own thread writes later.  That
 * question is a prefix of three events at most, and what a model rejects of a
 * prefix it rejects whatever else there is (BOUNDS_PREFIX).
 */
#include "checker/exec/unfolding/future_writes.h"

#include "checker/exec/unfolding/model_query.h"

/* Constants that the program writes, one bit each, and the last for others. */
enum { MOST_CONSTANTS = COMING };
#define ANY_VALUE ((uint64_t)1 << MOST_CONSTANTS)

struct future_writes {
  struct arena *arena;
  struct asked_model asked;
  struct first_writes *first;
  int64_t constants[MOST_CONSTANTS];
  unsigned constant_count;
  uint64_t **values; /* by thread; instruction (one more for the end) and location: the constants that it may still
                        write */
  struct query_memo answers; /* of a read and a later write of its thread */
};

/* ---- Values ------------------------------------------------------------------- */

/* The bit of a constant; 0 for one that the program does not write. */
static uint64_t known_bit(const struct future_writes *f, int64_t value) {
  for (unsigned i = 0; i < f->constant_count; i++)
    if (f->constants[i] == value) return (uint64_t)1 << i;
  return 0;
}

/* The bit of a constant that is written; ANY_VALUE when there are too many. */
static uint64_t constant_bit(struct future_writes *f, int64_t value) {
  uint64_t known = known_bit(f, value);
  if (known || f->constant_count == MOST_CONSTANTS) return known ? known : ANY_VALUE;
  f->constants[f->constant_count] = value;
  return (uint64_t)1 << f->constant_count++;
}

static bool writes_back(const struct instr *instr, unsigned location) {
  return instr->kind == INSTR_CAS && instr->writeback && instr->expected_in_memory &&
         address_may_be(&instr->expected_at, location);
}

/* Does the instruction store the value of its expression, as it is? */
static bool stores_operand(const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_STORE:
    case INSTR_FILL:
      return true;
    case INSTR_CAS:
      return !instr->rewrites && !instr->unless;
    case INSTR_RMW:
      return instr->op == RMW_EXCHANGE && !instr->width.bits;
    default:
      return false;
  }
}

static uint64_t values_of(struct future_writes *f, const struct instr *instr, unsigned location) {
  if (!instr_writes(f->asked.test->program, instr, location)) return 0;
  bool constant = stores_operand(instr) && instr->value && instr->value->kind == EXPR_CONST;
  return constant && !writes_back(instr, location) ? constant_bit(f, instr->value->value) : ANY_VALUE;
}

/* Backwards from the end, again while some jump adds to what comes before it. */
static uint64_t *thread_values(struct future_writes *f, const struct thread *t) {
  unsigned width = f->asked.test->program->location_count;
  uint64_t *values = ARENA_ARRAY(f->arena, uint64_t, (size_t)(t->instr_count + 1) * width);
  for (bool grew = true; grew;) {
    grew = false;
    for (unsigned i = t->instr_count; i-- > 0;) {
      const struct instr *instr = &t->instrs[i];
      for (unsigned x = 0; x < width; x++) {
        uint64_t now = values_of(f, instr, x);
        if (instr->kind != INSTR_JUMP) now |= values[(i + 1) * width + x];
        if (instr_jumps(instr)) now |= values[instr->target * width + x];
        grew |= now != values[i * width + x];
        values[i * width + x] = now;
      }
    }
  }
  return values;
}

struct future_writes *future_writes_new(struct arena *arena, const struct litmus_test *test,
                                        const struct cat_model *model, struct search_control *control,
                                        struct first_writes *first) {
  struct future_writes *f = ARENA_NEW(arena, struct future_writes);
  unsigned count = test->program->thread_count;
  *f = (struct future_writes){.arena = arena, .asked = {test, model, control}, .first = first};
  f->values = ARENA_ARRAY(arena, uint64_t *, count);
  for (unsigned t = 0; t < count; t++) f->values[t] = thread_values(f, &test->program->threads[t]);
  return f;
}

/* ---- A read and a later write of its thread --------------------------------------- */

/* Asks about the read, its write half if it has one, and the write. */
static bool is_forbidden(const struct future_writes *f, const struct event *read, struct event write) {
  struct model_query q = query_new(&f->asked);
  struct query_event r = query_add(&q, (struct path_event){.event = *read});
  if (read->rmw) {
    struct event half = path_write(f->asked.test->program, (unsigned)read->thread, (unsigned)read->instr,
                                   (unsigned)read->location, false);
    half.name = read->name;
    query_add(&q, (struct path_event){.event = half});
  }
  query_reads(&q, r, query_add(&q, (struct path_event){.event = write}));
  return query_is_rejected(&q);
}

/* About a read and what an instruction of its thread writes later, or all of them. */
enum { ALL_LATER = -1 };

static struct query_answer *answer_for(struct future_writes *f, const struct event *read, int64_t write, bool back) {
  const int64_t key[QUERY_KEY] = {read->thread, write,       read->instr,      read->location,
                                  read->rmw,    read->order, read->order_open, back};
  return query_find(f->arena, &f->answers, key);
}

/* Can the read not see what this instruction of its thread writes later?  `back`: it is what a failing compare-and-swap
 * puts where it expects. */
static bool forbids(struct future_writes *f, const struct event *read, unsigned write, bool back) {
  unsigned thread = (unsigned)read->thread, location = (unsigned)read->location;
  struct query_answer *answer = answer_for(f, read, write, back);
  if (!answer->known)
    answer->rejected = is_forbidden(f, read, path_write(f->asked.test->program, thread, write, location, back));
  return answer->rejected;
}

bool future_writes_hidden(struct future_writes *f, const struct structure *structure, unsigned read, unsigned write) {
  const struct event *r = &structure->events[read], *w = &structure->events[write];
  const struct instr *instr = &f->asked.test->program->threads[w->thread].instrs[w->instr];
  if (!instr_writes(f->asked.test->program, instr, (unsigned)w->location))
    return false; /* what a lifetime begins with */
  return forbids(f, r, (unsigned)w->instr, !w->rmw && writes_back(instr, (unsigned)w->location));
}

/* Is all that the thread of a read may write there later out of its sight? */
static bool sees_none(struct future_writes *f, const struct event *read) {
  const struct thread *t = &f->asked.test->program->threads[read->thread];
  for (unsigned i = 0; i < t->instr_count; i++) {
    const struct instr *instr = &t->instrs[i];
    if (!instr_writes(f->asked.test->program, instr, (unsigned)read->location)) continue;
    bool back = writes_back(instr, (unsigned)read->location);
    bool own = address_may_be(&instr->address, (unsigned)read->location) || !back;
    if ((back && !forbids(f, read, i, true)) || (own && !forbids(f, read, i, false))) return false;
  }
  return true;
}

static bool out_of_sight(struct future_writes *f, const struct event *read) {
  if (f->asked.test->program->object_count) return false; /* writes that are no store's: what lifetimes begin with */
  struct query_answer *answer = answer_for(f, read, ALL_LATER, false);
  if (!answer->known) answer->rejected = sees_none(f, read);
  return answer->rejected;
}

/* ---- Entry -------------------------------------------------------------------------- */

/* What a thread, where it is, may still write to a location. */
static uint64_t may_write(const struct future_writes *f, const struct thread_state *state, unsigned thread,
                          int location) {
  if (thread_end(state) != THREAD_OPEN) return 0;
  return f->values[thread][thread_position(state) * f->asked.test->program->location_count + (unsigned)location];
}

bool future_writes_may_come(struct future_writes *f, const struct thread_state *state, unsigned thread,
                            const struct structure *structure, unsigned read, const int64_t *value) {
  const struct event *event = &structure->events[read];
  uint64_t wanted = value ? known_bit(f, *value) | ANY_VALUE : UINT64_MAX;
  if (!(may_write(f, state, thread, event->location) & wanted)) return false;
  return (int)thread == event->thread ? !out_of_sight(f, event) : !first_writes_hide(f->first, structure, read, thread);
}

unsigned future_writes_values(struct future_writes *f, struct thread_state *const *threads,
                              const struct structure *structure, unsigned read, bool waits, int64_t *values) {
  uint64_t may = 0;
  unsigned count = 0, feeders = 0;
  for (unsigned t = 0; t < f->asked.test->program->thread_count; t++) {
    if (!future_writes_may_come(f, threads[t], t, structure, read, NULL)) continue;
    may |= may_write(f, threads[t], t, structure->events[read].location);
    feeders++;
  }
  if (may & ANY_VALUE || (waits && feeders > 1) || f->asked.test->program->object_count) return COMING + 1;
  for (unsigned i = 0; i < f->constant_count; i++)
    if (may >> i & 1) values[count++] = f->constants[i];
  return count;
}

/* Is the last event of a thread among these, if it has one? */
static bool is_done(const struct structure *structure, unsigned thread, const word *events) {
  unsigned count = structure->paths[thread]->event_count;
  return !count || set_has(events, structure->offset[thread] + count - 1);
}

bool future_writes_may_feed(struct future_writes *f, struct thread_state *const *threads,
                            const struct structure *structure, unsigned read, const int64_t *value, const word *done) {
  for (unsigned t = 0; t < f->asked.test->program->thread_count; t++) {
    if (done && !is_done(structure, t, done)) continue;
    if (future_writes_may_come(f, threads[t], t, structure, read, value)) return true;
  }
  return false;
}
