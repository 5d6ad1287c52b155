/* SPDX-License-Identifier: MIT */
/* What a complete execution says of each predefined name: a set or a relation of its events. */
#include "checker/exec/predefined_relations.h"

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/exec/scope_inclusion.h"
#include "checker/program/mbarrier.h"

/* ---- Sets ---------------------------------------------------------------- */

/* ADSM: the object that an event touches, begins or ends; NULL: none. */
static const struct object *object_of(const struct execution *x, const struct event *e) {
  const struct program *program = x->program;
  if (!program->object_count) return NULL;
  if (event_is_access(e)) return &program->objects[program->locations[e->location].object];
  return e->object ? &program->objects[e->object - 1] : NULL;
}

enum cat_base execution_order_set(enum order order) {
  static const enum cat_base sets[] = {
      [ORDER_NA] = BASE_NA,   [ORDER_RLX] = BASE_RLX,         [ORDER_CON] = BASE_CON, [ORDER_ACQ] = BASE_ACQ,
      [ORDER_REL] = BASE_REL, [ORDER_ACQ_REL] = BASE_ACQ_REL, [ORDER_SC] = BASE_SC};
  return sets[order];
}

enum cat_base execution_scope_set(enum scope scope) {
  static const enum cat_base sets[] = {
      [SCOPE_NONE] = BASE_COUNT, [SCOPE_WI] = BASE_S_WI,   [SCOPE_SG] = BASE_S_SG,  [SCOPE_WG] = BASE_S_WG,
      [SCOPE_QF] = BASE_S_QF,    [SCOPE_DEV] = BASE_S_DEV, [SCOPE_SYS] = BASE_S_SYS};
  return sets[scope];
}

static bool in_set(const struct execution *x, const struct event *e, enum cat_base base) {
  bool access = event_is_access(e);
  bool host = e->thread >= 0 && !e->launch;
  switch (base) {
    case BASE_ALL_EVENTS:
      return true;
    case BASE_R:
      return e->kind == EVENT_READ;
    case BASE_W:
      return e->kind == EVENT_WRITE;
    case BASE_M:
      return access;
    case BASE_F:
      return e->kind == EVENT_FENCE;
    case BASE_IW:
      return e->thread < 0;
    case BASE_A:
      return access && e->order != ORDER_NA;
    case BASE_NA:
      return access && e->order == ORDER_NA;
    case BASE_RMW_SET:
      return e->rmw && !(e->tags & (tag_bit(TAG_LKR) | tag_bit(TAG_LKW)));
    case BASE_IMPLICIT_SCOPE:
      return e->implicit_scope;
    case BASE_G:
      return e->regions & REGION_GLOBAL;
    case BASE_L:
      return e->regions & REGION_LOCAL;
    case BASE_NAL:
      return access && !x->program->locations[e->location].atomic;
    case BASE_AL:
      return access && x->program->locations[e->location].atomic;
    case BASE_ENTRY_FENCE:
      return e->barrier_entry;
    case BASE_EXIT_FENCE:
      return e->barrier_exit;
    case BASE_HOST:
      return access && host;
    case BASE_KERNEL:
      return access && e->launch;
    case BASE_CALL:
      return e->kind == EVENT_CALL;
    case BASE_SYNC:
      return e->kind == EVENT_SYNC;
    case BASE_SHARED:
      return object_of(x, e) && object_of(x, e)->shared;
    case BASE_LATE:
      return object_of(x, e) && !object_of(x, e)->allocated;
    case BASE_ALLOC:
      return e->kind == EVENT_ALLOC;
    case BASE_FREE:
      return e->kind == EVENT_FREE;
    case BASE_FRESH:
      return e->kind == EVENT_WRITE && e->thread >= 0 &&
             x->program->threads[e->thread].instrs[e->instr].kind == INSTR_ALLOC;
    default:
      return (base == execution_order_set(e->order) && !e->order_open) || base == execution_scope_set(e->scope);
  }
}

/* Writes that nothing follows in co. */
static void final_writes(const struct execution *x, word *out) {
  for (unsigned a = 0; a < x->shape.n; a++)
    if (x->events[a].kind == EVENT_WRITE && words_empty(x->shape.w, rel_row_const(x->shape, x->co, a))) set_add(out, a);
}

static word *set_of(struct arena *arena, const struct execution *x, enum cat_base base, tag_set tags) {
  word *out = ARENA_ARRAY(arena, word, set_words(x->shape));
  if (base == BASE_FW) {
    final_writes(x, out);
    return out;
  }
  for (unsigned a = 0; a < x->shape.n; a++)
    if (x->events[a].tags & tags || in_set(x, &x->events[a], base)) set_add(out, a);
  return out;
}

/* ---- Relations ----------------------------------------------------------- */

/* Two control barriers that meet, of which the second waits; whether those of a
 * quorum synchronise is a choice of the execution. */
static bool meet(const struct execution *x, const struct event *a, const struct event *b) {
  if (a->kind != EVENT_MEET || b->kind != EVENT_MEET || a->blocked || b->blocked || a->silent || b->arrive ||
      a->meeting != b->meeting)
    return false;
  if (a->has_resource != b->has_resource || a->resource != b->resource) return false;
  if (!a->resource_known || !b->resource_known) return false;
  return x->program->threads[a->thread].wg == x->program->threads[b->thread].wg;
}

static bool paired(const struct execution *x, const struct event *a, const struct event *b) {
  for (unsigned i = 0; i < x->program->pair_count; i++)
    if ((int)x->program->pairs[i].from == a->thread && (int)x->program->pairs[i].to == b->thread) return true;
  return false;
}

static bool related(const struct execution *x, const struct event *a, const struct event *b, enum cat_base base) {
  return base == BASE_SR ? scopes_inclusive(x->program, a, b) : base == BASE_SSW ? paired(x, a, b) : meet(x, a, b);
}

static void add_related(const struct execution *x, enum cat_base base, word *out) {
  for (unsigned a = 0; a < x->shape.n; a++)
    for (unsigned b = 0; b < x->shape.n; b++)
      if (related(x, &x->events[a], &x->events[b], base)) rel_add(x->shape, out, a, b);
}

/* Equivalences: the class of an event, or -1 when it is related to nothing, or
 * -2 when only to itself. */
static int class_of(const struct execution *x, const struct event *e, enum cat_base base) {
  const struct thread *thread = e->thread < 0 ? NULL : &x->program->threads[e->thread];
  int sequence = e->thread + (int)(x->program->thread_count * e->launch);
  switch (base) {
    case BASE_LOC:
      return e->location;
    case BASE_VLOC:
      if (e->location < 0) return -1;
      return thread ? (int)program_generic(x->program, (unsigned)e->name) : -2;
    case BASE_INT:
      return thread ? sequence : -1;
    case BASE_SAME_B:
      return e->barrier_instance;
    case BASE_WI:
      return thread ? sequence : -2;
    case BASE_SGR:
      return thread ? (int)thread->sg : -2;
    case BASE_WGR:
      return thread ? (int)thread->wg : -2;
    case BASE_QFR:
      return thread ? (int)thread->qf : -2;
    case BASE_DEV:
      return thread ? (int)thread->dev : -2;
    case BASE_SYSR:
      return thread ? 0 : -2;
    case BASE_SAMEACC:
      return e->kind == EVENT_CALL || e->launch ? (int)x->program->kernels[e->kernel].accelerator : -1;
    case BASE_SAMEOBJ:
      return object_of(x, e) ? (int)(object_of(x, e) - x->program->objects) : -1;
    default:
      return -1;
  }
}

static void equivalence(const struct execution *x, enum cat_base base, word *out) {
  struct shape s = x->shape;
  int class[s.n + 1];
  for (unsigned a = 0; a < s.n; a++) {
    class[a] = class_of(x, &x->events[a], base);
    if (class[a] == -2) rel_add(s, out, a, a);
  }
  /* The first of a class finds all of it; the others have the same row. */
  for (unsigned a = 0; a < s.n; a++) {
    const word *row = rel_row_const(s, out, a);
    if (class[a] < 0 || !words_empty(s.w, row)) continue;
    for (unsigned b = a; b < s.n; b++)
      if (class[b] == class[a]) rel_add(s, out, a, b);
    SET_EACH (b, s.w, row)
      if (b != a) words_copy(s.w, rel_row(s, out, b), row);
  }
}

/* Different threads; initial writes lie outside of all threads, so they are
 * related to the events of each, and not among themselves (as in herd7, where
 * two initial writes are neither `int` nor `ext`). */
static void different_threads(const struct execution *x, word *out) {
  struct shape s = x->shape;
  word initial[s.w];
  words_clear(s.w, initial);
  for (unsigned a = 0; a < s.n; a++)
    if (x->events[a].thread < 0) set_add(initial, a);
  equivalence(x, BASE_INT, out);
  for (unsigned a = 0; a < s.n; a++)
    set_complement(s, rel_row(s, out, a), x->events[a].thread < 0 ? initial : rel_row_const(s, out, a));
}

static const word *from_read(struct arena *arena, const struct execution *x) {
  struct shape s = x->shape;
  word *inverse = ARENA_ARRAY(arena, word, rel_words(s)), *fr = ARENA_ARRAY(arena, word, rel_words(s));
  rel_inverse(s, inverse, x->rf);
  rel_compose(s, fr, inverse, x->co);
  for (unsigned a = 0; a < s.n; a++) rel_drop(s, fr, a, a);
  return fr;
}

/* May the kernel of a call write an object?  Unless the call says which it writes, all
 * that are assigned to it. */
static bool may_write(const struct execution *x, const struct event *call, const struct object *object) {
  const struct instr *instr = &x->program->threads[call->thread].instrs[call->instr];
  return !instr->writes || instr->writes[object - x->program->objects];
}

/* From a call to its kernel's accesses (launch), or events on an
 * object assigned to its kernel (assigned), that it may write (writable). */
static void from_calls(const struct execution *x, enum cat_base base, word *out) {
  for (unsigned c = 0; c < x->shape.n; c++) {
    const struct event *call = &x->events[c];
    if (call->kind != EVENT_CALL) continue;
    for (unsigned a = 0; a < x->shape.n; a++) {
      const struct event *e = &x->events[a];
      const struct object *object = object_of(x, e);
      bool launched = e->thread == call->thread && e->launch == call->po_index + 1;
      bool assigned = object && object->shared && object->assigned[call->kernel];
      if (base == BASE_WRITABLE) assigned = assigned && may_write(x, call, object);
      if (base == BASE_LAUNCH ? launched : assigned) rel_add(x->shape, out, c, a);
    }
  }
}

/* As in herd7, what is done to a lock has no value. */
static bool has_value(const struct event *e) {
  tag_set locks =
      tag_bit(TAG_LKR) | tag_bit(TAG_LKW) | tag_bit(TAG_UL) | tag_bit(TAG_LF) | tag_bit(TAG_RL) | tag_bit(TAG_RU);
  return e->valued || (event_is_access(e) && !(e->tags & locks));
}

/* Of mbarriers, only the phase is compared. */
static int64_t compared_value(const struct event *e) {
  return tags_have(e->tags, TAG_MBAR) ? e->value >> MBARRIER_PARITY & 1 : e->value;
}

void execution_same_values(const struct execution *x, word *out) {
  words_clear(rel_words(x->shape), out);
  for (unsigned a = 0; a < x->shape.n; a++)
    for (unsigned b = 0; b < x->shape.n; b++)
      if (has_value(&x->events[a]) && has_value(&x->events[b]) &&
          compared_value(&x->events[a]) == compared_value(&x->events[b]))
        rel_add(x->shape, out, a, b);
}

static const word *relation_of(struct arena *arena, const struct execution *x, enum cat_base base) {
  const word *const given[] = {
      [BASE_PO] = x->po,        [BASE_RF] = x->rf,     [BASE_CO] = x->co,     [BASE_RMW] = x->rmw,
      [BASE_ADDR] = x->addr,    [BASE_DATA] = x->data, [BASE_CTRL] = x->ctrl, [BASE_SYNC_FENCE] = x->sync_fence,
      [BASE_SAME_B] = x->same_b};
  if (base < ARRAY_COUNT(given) && given[base]) return given[base];
  if (base == BASE_FR) return from_read(arena, x);
  word *out = ARENA_ARRAY(arena, word, rel_words(x->shape));
  if (base == BASE_ID) {
    rel_identity(x->shape, out);
  } else if (base == BASE_UNV) {
    rel_fill(x->shape, out);
  } else if (base == BASE_EXT) {
    different_threads(x, out);
  } else if (base == BASE_LAUNCH || base == BASE_ASSIGNED || base == BASE_WRITABLE) {
    from_calls(x, base, out);
  } else if (base == BASE_SAME_VALUE) {
    execution_same_values(x, out);
  } else if (base != BASE_SYNC_FENCE) {
    equivalence(x, base, out);
    if (base == BASE_SR || base == BASE_SSW || base == BASE_SAME_B) add_related(x, base, out);
  }
  return out;
}

const word *execution_node(struct arena *arena, const struct execution *x, const struct cat_node *node) {
  tag_set own = node->base == BASE_TAG ? program_annotation(x->program, node->base_name) : 0;
  return execution_base(arena, x, node->base, node->tags | own);
}

const word *execution_base(struct arena *arena, const struct execution *x, enum cat_base base, tag_set tags) {
  return cat_bases[base].type == CAT_SET ? set_of(arena, x, base, tags) : relation_of(arena, x, base);
}
