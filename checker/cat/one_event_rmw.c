/* SPDX-License-Identifier: MIT */
/* Models in which a read-modify-write is one event.
 *
 * The engine has two events for it, joined by rmw; the 2015 herd, and herd7's
 * C models that know the set RMW only, have one that is both a read and a
 * write.  Such a model is compiled over the events that are left when each
 * write half is identified with its read half: every predefined name becomes
 * an expression over the engine's own, and ~, _, id stay within those events.
 */
#include "checker/cat/one_event_rmw.h"

static uint32_t base(struct eval *e, enum cat_base b) {
  return graph_base(e->graph, b, NULL);
}

static uint32_t join(struct eval *e, enum cat_op op, uint32_t a, uint32_t b) {
  return graph_binary(e->graph, op, a, b);
}

static uint32_t identity(struct eval *e, uint32_t set) {
  return graph_unary(e->graph, CAT_TOID, set);
}

/* The write halves, which make no events here. */
static uint32_t halves(struct eval *e) {
  return graph_unary(e->graph, CAT_RANGE, base(e, BASE_RMW));
}

static uint32_t modifying(struct eval *e) {
  return graph_unary(e->graph, CAT_DOMAIN, base(e, BASE_RMW));
}

/* From each write to the event that stands for it. */
static uint32_t to_event(struct eval *e) {
  uint32_t alone = identity(e, join(e, CAT_DIFF, base(e, BASE_W), halves(e)));
  return join(e, CAT_UNION, alone, graph_unary(e->graph, CAT_INVERSE, base(e, BASE_RMW)));
}

static uint32_t view_set(struct eval *e, enum cat_base b) {
  switch (b) {
    case BASE_W:
      return join(e, CAT_UNION, join(e, CAT_DIFF, base(e, b), halves(e)), modifying(e));
    case BASE_FW: {
      uint32_t last = join(e, CAT_SEQ, base(e, BASE_RMW), identity(e, base(e, b)));
      return join(e, CAT_UNION, join(e, CAT_DIFF, base(e, b), halves(e)), graph_unary(e->graph, CAT_DOMAIN, last));
    }
    case BASE_RMW_SET:
      return modifying(e);
    case BASE_S_WI: {
      /* In the 2015 herd, initial writes and ordinary accesses have the scope of their work-item. */
      uint32_t written = join(e, CAT_DIFF, base(e, b), halves(e));
      uint32_t ordinary = join(e, CAT_UNION, base(e, BASE_IW), join(e, CAT_INTER, base(e, BASE_M), base(e, BASE_NA)));
      return e->legacy ? join(e, CAT_UNION, written, ordinary) : written;
    }
    case BASE_R:
    case BASE_F:
    case BASE_IW:
    case BASE_ENTRY_FENCE:
    case BASE_EXIT_FENCE:
      return base(e, b);
    default:
      return join(e, CAT_DIFF, base(e, b), halves(e));
  }
}

/* What the write half of an event depends on beyond the event itself. */
static uint32_t of_halves(struct eval *e, enum cat_base b) {
  uint32_t halved = join(e, CAT_SEQ, base(e, b), graph_unary(e->graph, CAT_INVERSE, base(e, BASE_RMW)));
  return join(e, CAT_DIFF, halved, base(e, BASE_ID));
}

static uint32_t dependency(struct eval *e, enum cat_base b, uint32_t all) {
  return join(e, CAT_UNION, join(e, CAT_INTER, base(e, b), all), of_halves(e, b));
}

static uint32_t view_relation(struct eval *e, enum cat_base b) {
  uint32_t events = predefined_base(e, BASE_ALL_EVENTS), all = join(e, CAT_CROSS, events, events);
  uint32_t from_event = graph_unary(e->graph, CAT_INVERSE, to_event(e));
  switch (b) {
    case BASE_UNV:
      return all;
    case BASE_ID:
      return identity(e, events);
    case BASE_RMW: /* the 2015 herd's; herd7's has only pairs of events, of which none is left */
      return e->legacy ? identity(e, modifying(e)) : join(e, CAT_INTER, base(e, b), all);
    case BASE_RF:
      return join(e, CAT_SEQ, from_event, base(e, b));
    case BASE_CO:
      return join(e, CAT_SEQ, join(e, CAT_SEQ, from_event, base(e, b)), to_event(e));
    case BASE_FR:
      return join(e, CAT_DIFF, join(e, CAT_SEQ, base(e, b), to_event(e)), base(e, BASE_ID));
    case BASE_ADDR: /* of a load, so for herd7, is whatever its event depends on */
      return e->legacy ? dependency(e, b, all) : join(e, CAT_UNION, dependency(e, b, all), of_halves(e, BASE_DATA));
    case BASE_CTRL: /* that a compare-and-swap compares is no control flow for herd7 */
      return e->legacy ? dependency(e, b, all) : join(e, CAT_INTER, base(e, b), all);
    case BASE_DATA:
      return dependency(e, b, all);
    case BASE_INT: {
      /* The 2015 herd has the initial writes in a thread of their own. */
      uint32_t initial = join(e, CAT_CROSS, base(e, BASE_IW), base(e, BASE_IW));
      uint32_t inner = join(e, CAT_INTER, base(e, b), all);
      return e->legacy ? join(e, CAT_UNION, inner, initial) : inner;
    }
    case BASE_SAME_VALUE: {
      /* What is read and written are two values: as in herd7, such an event has none. */
      uint32_t simple = join(e, CAT_DIFF, events, modifying(e));
      return join(e, CAT_INTER, base(e, b), join(e, CAT_CROSS, simple, simple));
    }
    case BASE_SAME_B:
    case BASE_SYNC_FENCE:
    case BASE_LAUNCH:
    case BASE_ASSIGNED:
    case BASE_WRITABLE:
    case BASE_SAMEACC:
      return base(e, b);
    default:
      return join(e, CAT_INTER, base(e, b), all);
  }
}

uint32_t predefined_base(struct eval *e, enum cat_base b) {
  if (!e->views) return base(e, b);
  uint32_t *memo = &e->views[b];
  if (!*memo) {
    bool set = graph_type(e->graph, base(e, b)) == CAT_SET;
    *memo = (set ? view_set(e, b) : view_relation(e, b)) + 1;
  }
  return *memo - 1;
}

uint32_t predefined_tag(struct eval *e, const char *tag) {
  if (e->plain) return graph_empty(e->graph, CAT_SET);
  uint32_t all = graph_base(e->graph, BASE_TAG, tag);
  return e->views ? join(e, CAT_DIFF, all, halves(e)) : all;
}

uint32_t predefined_builtin(struct eval *e, const struct builtin *builtin) {
  return builtin->tag ? predefined_tag(e, builtin->tag) : predefined_base(e, builtin->base);
}

uint32_t predefined_full(struct eval *e, enum cat_type type) {
  return predefined_base(e, type == CAT_SET ? BASE_ALL_EVENTS : BASE_UNV);
}

uint32_t predefined_unary(struct eval *e, enum cat_op op, uint32_t a) {
  if (e->views) {
    switch (op) {
      case CAT_COMPL:
        return join(e, CAT_DIFF, predefined_full(e, graph_type(e->graph, a)), a);
      case CAT_STAR:
        a = graph_unary(e->graph, CAT_PLUS, a); /* fall through */
      case CAT_OPT:
        return join(e, CAT_UNION, a, predefined_base(e, BASE_ID));
      default:
        break;
    }
  }
  return graph_unary(e->graph, op, a);
}
