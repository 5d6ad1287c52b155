/* SPDX-License-Identifier: MIT */
/* Values that the threads of a warp give each other (PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync").
 *
 * A lane that has ended by then, or is not in the mask, gives nothing: what is taken from it may be anything, and all
 * else is of the others.  Where only a run knows whether it has ended, it says so as it ends. */
#include "checker/litmus/ptx_module_gatherings.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"

static const int64_t NOTHING_YET = INT64_C(1) << 40; /* no value of 32 bits */

enum { MOST_LANES = 32 };

/* ---- from the text ---- */

static bool is_placed(const struct instr *instr, enum instr_kind kind, unsigned location) {
  return instr->kind == kind && instr->address.base == location && !instr->address.index;
}

static void take_thread(struct arena *arena, struct thread *thread, unsigned place) {
  bool *out = ARENA_ARRAY(arena, bool, thread->instr_count + 1u);
  const struct expr *value = NULL, *source = NULL;
  struct instr *meet = NULL;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    struct instr *instr = &thread->instrs[i];
    bool gives = is_placed(instr, INSTR_STORE, place), asks = is_placed(instr, INSTR_STORE, place + 1);
    bool takes = is_placed(instr, INSTR_LOAD, place);
    out[i] = gives || asks || takes;
    if (gives) value = instr->value, source = NULL;
    if (asks) source = instr->value;
    if (takes && meet) meet->reg = instr->reg;
    if (instr->kind != INSTR_MEET || !value) continue;
    meet = instr;
    meet->silent = true;
    meet->tags = 0;
    meet->value = value;
    meet->expected = source;
    value = NULL;
  }
  thread_leave_out(arena, thread, out);
}

void ptx_gatherings_take(struct arena *arena, struct program *program, unsigned place) {
  for (unsigned t = 0; t < program->thread_count; t++) take_thread(arena, &program->threads[t], place);
  program->location_count = place;
}

/* ---- what lanes give ---- */

struct input {
  bool gone, open;          /* surely, or maybe */
  const struct expr *value; /* NULL: only a run knows it */
};

static const struct ptx_meeting *meeting_at(const struct following *f, const struct instr *instr) {
  if (instr->kind != INSTR_MEET || !instr->quorum || !instr->value) return NULL;
  const char *name = f->program->barrier_labels[instr->barrier_label];
  ARRAY_EACH (const struct ptx_meeting, at, f->meetings->all.at, f->meetings->all.count)
    if (!strcmp(at->name, name)) return at;
  return NULL;
}

static unsigned lane_of(const struct following *f, unsigned thread) {
  return (thread - first_of_block(f, f->program->threads[thread].wg)) % f->warp_size;
}

static struct input input_of(const struct following *f, const struct turn *turn, unsigned lane) {
  struct input input = {.gone = true};
  if (lane >= f->warp_size || !(turn->at->mask >> lane & 1)) return input;
  const struct thread *thread =
      &f->program->threads[first_of_block(f, turn->wg) + turn->at->warp * f->warp_size + lane];
  unsigned places = 0;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (!is_of(instr, turn)) continue;
    input.open |= instr_leaves(instr);
    if (instr_leaves(instr)) continue;
    input.value = is_number(instr->value) ? instr->value : NULL;
    places++;
  }
  input.gone = places == 0;
  if (places != 1) input.value = NULL;
  return input;
}

/* ---- what is taken ---- */

struct taking {
  struct arena *arena;
  enum ptx_gathering gathers;
  unsigned own;            /* lane */
  const struct expr *give; /* its own value */
  bool gone[MOST_LANES];
  const struct expr *values[MOST_LANES];  /* of others that are not gone */
  const struct expr *present[MOST_LANES]; /* NULL: it is there */
};

static const struct expr *both(const struct taking *k, enum expr_kind kind, const struct expr *a,
                               const struct expr *b) {
  return expr_operation(k->arena, kind, a, b, NULL);
}

static const struct expr *number(const struct taking *k, int64_t value) {
  return expr_constant(k->arena, value);
}

static const struct expr *is_true(const struct taking *k, const struct expr *value) {
  return both(k, EXPR_NE, value, number(k, 0));
}

static const struct expr *of_32_bits(const struct taking *k, const struct expr *value) {
  return expr_fit(k->arena, (struct width){.bits = 32, .is_signed = true}, value, expr_operation);
}

/* If the lane is there, else otherwise. */
static const struct expr *if_there(const struct taking *k, unsigned lane, const struct expr *then,
                                   const struct expr *otherwise) {
  return k->present[lane] ? expr_operation(k->arena, EXPR_COND, k->present[lane], then, otherwise) : then;
}

static const struct expr *join_two(const struct taking *k, const struct expr *a, const struct expr *b) {
  static const enum expr_kind KINDS[] = {
      [PTX_ADD] = EXPR_ADD, [PTX_AND] = EXPR_AND, [PTX_OR] = EXPR_OR, [PTX_XOR] = EXPR_XOR};
  bool without_sign = k->gathers == PTX_MIN_UNSIGNED || k->gathers == PTX_MAX_UNSIGNED;
  bool least = k->gathers == PTX_MIN || k->gathers == PTX_MIN_UNSIGNED;
  if (k->gathers < PTX_MIN) return of_32_bits(k, both(k, KINDS[k->gathers], a, b));
  const struct expr *less = both(k, without_sign ? EXPR_ULT : EXPR_LT, a, b);
  return expr_operation(k->arena, EXPR_COND, less, least ? a : b, least ? b : a);
}

static const struct expr *joined(const struct taking *k) {
  const struct expr *all = k->give;
  for (unsigned i = 0; i < MOST_LANES; i++)
    if (i != k->own && !k->gone[i]) all = if_there(k, i, join_two(k, all, k->values[i]), all);
  return all;
}

/* Of each lane 0 or 1: what it votes, or whether it is the same as here. */
static const struct expr *vote_of(const struct taking *k, unsigned lane) {
  const struct expr *value = lane == k->own ? k->give : k->values[lane];
  switch (k->gathers) {
    case PTX_UNIFORM:
      return both(k, EXPR_EQ, is_true(k, value), is_true(k, k->give));
    case PTX_MATCH_ANY:
    case PTX_MATCH_ALL:
      return lane == k->own ? number(k, 1) : both(k, EXPR_EQ, value, k->give);
    default:
      return is_true(k, value);
  }
}

static const struct expr *voted(const struct taking *k) {
  bool any = k->gathers == PTX_ANY;
  const struct expr *result = number(k, !any);
  for (unsigned i = 0; i < MOST_LANES; i++)
    if (!k->gone[i])
      result = both(k, any ? EXPR_LOR : EXPR_LAND, result, if_there(k, i, vote_of(k, i), number(k, !any)));
  return result;
}

/* A bit for each lane that is there and, but where it is asked who is there, votes for it. */
static const struct expr *ballot(const struct taking *k, bool all) {
  const struct expr *bits = number(k, 0);
  for (unsigned i = 0; i < MOST_LANES; i++) {
    if (k->gone[i]) continue;
    const struct expr *vote = if_there(k, i, all ? number(k, 1) : vote_of(k, i), number(k, 0));
    bits = both(k, EXPR_OR, bits, both(k, EXPR_SHL, vote, number(k, i)));
  }
  return of_32_bits(k, bits);
}

static const struct expr *taken(const struct taking *k) {
  switch (k->gathers) {
    case PTX_ALL:
    case PTX_ANY:
    case PTX_UNIFORM:
      return voted(k);
    case PTX_BALLOT:
    case PTX_MATCH_ANY:
      return ballot(k, false);
    case PTX_MATCH_ALL:
      return expr_operation(k->arena, EXPR_COND, voted(k), ballot(k, true), number(k, 0));
    default:
      return joined(k);
  }
}

/* What a lane takes from the lane of that number; `open`: from one that is not there. */
static const struct expr *taken_from(const struct taking *k, const struct expr *source, const struct expr *open) {
  const struct expr *result = open;
  for (unsigned i = 0; i < MOST_LANES; i++) {
    if (k->gone[i] || (is_number(source) && source->value != i)) continue;
    const struct expr *value = i == k->own ? k->give : k->values[i];
    const struct expr *from = if_there(k, i, value, open);
    result = is_number(source)
                 ? from
                 : expr_operation(k->arena, EXPR_COND, both(k, EXPR_EQ, source, number(k, i)), from, result);
  }
  return result;
}

/* May the lane's value be what is taken? */
static bool is_asked(const struct instr *meet, enum ptx_gathering gathers, unsigned lane) {
  return gathers != PTX_SOURCE || !is_number(meet->expected) || meet->expected->value == lane;
}

static struct turn turn_of(const struct following *f, unsigned thread, const struct instr *meet,
                           const struct ptx_meeting *at) {
  return (struct turn){at, meet->barrier_label, f->program->threads[thread].wg, meet->resource->value};
}

/* ---- where all is known ---- */

/* NULL: it is not known. */
static const struct expr *compute(const struct following *f, unsigned thread, const struct instr *meet,
                                  const struct ptx_meeting *at) {
  struct turn turn = turn_of(f, thread, meet, at);
  struct taking k = {.arena = f->arena, .gathers = at->gathers, .own = lane_of(f, thread), .give = meet->value};
  if (at->gathers == PTX_SOURCE && !is_number(meet->expected)) return NULL;
  for (unsigned i = 0; i < MOST_LANES; i++) {
    struct input input = i == k.own ? (struct input){.value = meet->value} : input_of(f, &turn, i);
    k.gone[i] = input.gone;
    k.values[i] = input.value;
    if (input.gone || !is_asked(meet, at->gathers, i)) continue;
    bool copied = at->gathers == PTX_SOURCE && i == k.own;
    if (input.open || (!is_number(input.value) && !copied)) return NULL;
  }
  return at->gathers == PTX_SOURCE ? taken_from(&k, meet->expected, NULL) : taken(&k);
}

/* ---- new code ---- */

struct rewriting {
  struct thread *thread;
  VEC(struct instr) code;
};

static unsigned new_register(struct following *f, struct thread *thread) {
  const char **names = ARENA_ARRAY(f->arena, const char *, thread->reg_count + 1u);
  int64_t *initial = ARENA_ARRAY(f->arena, int64_t, thread->reg_count + 1u);
  for (unsigned r = 0; r < thread->reg_count; r++) {
    names[r] = thread->reg_names[r];
    initial[r] = thread->reg_init[r];
  }
  thread->reg_names = names;
  thread->reg_init = initial;
  return thread->reg_count++;
}

static struct instr *emit(const struct following *f, struct rewriting *w, enum instr_kind kind, struct span span) {
  struct instr *instr = vec_push(f->arena, &w->code);
  *instr = (struct instr){.kind = kind, .reg = NO_REG, .barrier_label = -1, .span = span};
  return instr;
}

static void assign(const struct following *f, struct rewriting *w, const struct instr *meet, const struct expr *value) {
  struct instr *instr = emit(f, w, INSTR_ASSIGN, meet->span);
  instr->reg = meet->reg;
  instr->value = value;
}

/* Weak, so that nothing synchronises through it; as fences are, it is morally strong with others of its block, and
 * races with none. */
static struct instr *access(const struct following *f, struct rewriting *w, enum instr_kind kind, struct span span,
                            unsigned location) {
  struct instr *instr = emit(f, w, kind, span);
  instr->address = (struct address){.base = location, .size = 1};
  instr->scope = SCOPE_WG;
  instr->tags = tag_bit(TAG_WEAK) | tag_bit(TAG_GEN) | tag_bit(TAG_F);
  return instr;
}

/* Writes each instruction of a thread anew. */
static void rewrite(struct following *f, unsigned thread, void *context,
                    void (*one)(struct following *f, struct rewriting *w, unsigned thread, const struct instr *instr,
                                void *context)) {
  struct rewriting w = {.thread = &f->program->threads[thread]};
  unsigned count = w.thread->instr_count, *to = ARENA_ARRAY(f->arena, unsigned, count + 1u);
  const struct instr *instrs = w.thread->instrs;
  for (unsigned i = 0; i < count; i++) {
    to[i] = (unsigned)w.code.count;
    one(f, &w, thread, &instrs[i], context);
  }
  to[count] = (unsigned)w.code.count;
  w.thread->instrs = w.code.at;
  w.thread->instr_count = (unsigned)w.code.count;
  for (unsigned i = 0; i < w.thread->instr_count; i++)
    if (instr_jumps(&w.thread->instrs[i])) w.thread->instrs[i].target = to[w.thread->instrs[i].target];
}

static void compute_one(struct following *f, struct rewriting *w, unsigned thread, const struct instr *instr,
                        void *context) {
  const struct ptx_meeting *at = meeting_at(f, instr);
  bool takes = at && instr->reg != NO_REG && is_number(instr->resource);
  const struct expr *result = takes ? compute(f, thread, instr, at) : NULL;
  *vec_push(f->arena, &w->code) = *instr;
  if (!result) return;
  w->code.at[w->code.count - 1].reg = NO_REG;
  assign(f, w, instr, result);
  *(bool *)context = true;
}

bool ptx_gatherings_compute(struct following *f) {
  bool some = false;
  for (unsigned t = 0; t < f->program->thread_count; t++) rewrite(f, t, &some, compute_one);
  return some;
}

/* ---- by memory ---- */

/* Where a lane gives something in a turn. */
struct given {
  int label;
  unsigned wg, lane, location;
  int64_t number;
};

struct exchange {
  VEC(struct given) all;
};

static unsigned add_location(const struct following *f, const char *name, bool any) {
  struct program *program = f->program;
  struct location *locations = ARENA_ARRAY(f->arena, struct location, program->location_count + 1u);
  memcpy(locations, program->locations, program->location_count * sizeof *locations);
  locations[program->location_count] = (struct location){.name = name,
                                                         .init = any ? 0 : NOTHING_YET,
                                                         .any = any,
                                                         .region = REGION_GLOBAL,
                                                         .atomic = true,
                                                         .width = {.bits = 32, .is_signed = true}};
  program->locations = locations;
  return program->location_count++;
}

static const struct given *find_given(const struct exchange *e, const struct turn *turn, unsigned lane) {
  ARRAY_EACH (const struct given, g, e->all.at, e->all.count)
    if (g->label == turn->label && g->wg == turn->wg && g->number == turn->number && g->lane == lane) return g;
  return NULL;
}

static void need(const struct following *f, struct exchange *e, const struct turn *turn, unsigned lane) {
  if (find_given(e, turn, lane)) return;
  const char *name = arena_printf(f->arena, "%s.%" PRId64 "[%u]", turn->at->name, turn->number, lane);
  *vec_push(f->arena, &e->all) =
      (struct given){turn->label, turn->wg, lane, add_location(f, name, false), turn->number};
}

/* What of others only a run knows. */
static bool is_needed(const struct following *f, const struct turn *turn, const struct instr *meet, unsigned own,
                      unsigned lane) {
  struct input input = input_of(f, turn, lane);
  return lane != own && !input.gone && is_asked(meet, turn->at->gathers, lane) && (input.open || !input.value);
}

static void refuse(struct following *f, const struct instr *meet, const char *what) {
  if (!f->failed) diag_error(f->diags, f->program->source, meet->span, "%s", what);
  f->failed = true;
}

static void find_needs(struct following *f, struct exchange *e, unsigned thread, const struct instr *meet,
                       const struct ptx_meeting *at) {
  if (!is_number(meet->resource)) {
    refuse(f, meet,
           "what the threads of a warp do together in a loop whose rounds are not known in advance is not "
           "supported");
    return;
  }
  struct turn turn = turn_of(f, thread, meet, at);
  unsigned own = lane_of(f, thread);
  for (unsigned i = 0; i < f->warp_size && meet->reg != NO_REG; i++) {
    if (!is_needed(f, &turn, meet, own, i)) continue;
    if (at->wide) refuse(f, meet, "a match of values of 64 bits that only a run knows is not supported");
    need(f, e, &turn, i);
  }
}

static unsigned load(struct following *f, struct rewriting *w, const struct instr *meet, unsigned location) {
  struct instr *instr = access(f, w, INSTR_LOAD, meet->span, location);
  unsigned reg = new_register(f, w->thread);
  instr->reg = (int)reg;
  return reg;
}

static bool is_known_lane(const struct following *f, const struct turn *turn, const struct instr *meet) {
  if (!is_number(meet->expected)) return false;
  struct input input = input_of(f, turn, (unsigned)meet->expected->value);
  return !input.gone && !input.open;
}

static void warn_of_nothing(struct following *f, unsigned thread, const struct instr *meet, bool gone) {
  ARRAY_EACH (const struct diag, d, f->diags->at, f->diags->count)
    if (d->span.at == meet->span.at) return;
  diag_warning(f->diags, f->program->source, meet->span,
               "%s takes what lane %" PRId64 " gives, which %s: it may be anything", f->program->threads[thread].name,
               meet->expected->value, gone ? "is not there" : "may have ended");
}

/* Loads what others give, and computes what is taken. */
static void take_given(struct following *f, struct rewriting *w, unsigned thread, const struct instr *meet,
                       const struct turn *turn, const struct exchange *e) {
  struct taking k = {.arena = f->arena, .gathers = turn->at->gathers, .own = lane_of(f, thread), .give = meet->value};
  const struct expr *open = NULL;
  for (unsigned i = 0; i < MOST_LANES; i++) {
    struct input input = input_of(f, turn, i);
    k.gone[i] = input.gone;
    k.values[i] = input.value;
    if (!is_needed(f, turn, meet, k.own, i)) continue;
    unsigned reg = load(f, w, meet, find_given(e, turn, i)->location);
    w->code.at[w->code.count - 1].awaits = true;
    w->code.at[w->code.count - 1].nothing = NOTHING_YET;
    k.values[i] = expr_register(f->arena, reg);
    if (input.open) k.present[i] = both(&k, EXPR_NE, k.values[i], number(&k, PTX_ENDED));
  }
  if (k.gathers == PTX_SOURCE && !is_known_lane(f, turn, meet)) {
    const char *name = arena_printf(f->arena, "%s.%" PRId64 "[?]", turn->at->name, turn->number);
    if (is_number(meet->expected))
      warn_of_nothing(f, thread, meet, input_of(f, turn, (unsigned)meet->expected->value).gone);
    open = expr_register(f->arena, load(f, w, meet, add_location(f, name, true)));
  }
  assign(f, w, meet, k.gathers == PTX_SOURCE ? taken_from(&k, meet->expected, open) : taken(&k));
}

static void exchange_one(struct following *f, struct rewriting *w, unsigned thread, const struct instr *instr,
                         void *context) {
  const struct exchange *e = context;
  const struct ptx_meeting *at = meeting_at(f, instr);
  if (!at) {
    *vec_push(f->arena, &w->code) = *instr;
    return;
  }
  struct turn turn = turn_of(f, thread, instr, at);
  const struct given *given = find_given(e, &turn, lane_of(f, thread));
  if (given) access(f, w, INSTR_STORE, instr->span, given->location)->value = instr->value;
  *vec_push(f->arena, &w->code) = *instr;
  if (instr->reg != NO_REG) take_given(f, w, thread, instr, &turn, e);
}

/* Now that nothing is to be looked up any more. */
static void forget(struct following *f) {
  INSTR_EACH (instr, f->program) {
    if (instr->kind != INSTR_MEET || !instr->value) continue;
    instr->reg = NO_REG;
    instr->value = instr->expected = NULL;
  }
}

void ptx_gatherings_exchange(struct following *f) {
  struct exchange e = {0};
  for (unsigned t = 0; t < f->program->thread_count; t++)
    for (unsigned i = 0; i < f->program->threads[t].instr_count; i++) {
      const struct instr *instr = &f->program->threads[t].instrs[i];
      const struct ptx_meeting *at = meeting_at(f, instr);
      if (at) find_needs(f, &e, t, instr, at);
    }
  if (f->failed) return;
  for (unsigned t = 0; t < f->program->thread_count; t++) rewrite(f, t, &e, exchange_one);
  forget(f);
}
