/* SPDX-License-Identifier: MIT */
/* Looks at what is in program order after one access and before the other; see missing_synchronization.h. */
#include "checker/explain/missing_synchronization.h"

#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/exec/scope_inclusion.h"

static const char *const levels[] = {"", "work-item", "sub-group", "work-group", "queue family", "device", "system"};

static bool is_atomic(const struct event *e) {
  return e->order != ORDER_NA;
}

static bool releases(const struct event *e) {
  return order_releases(e->order);
}

static bool acquires(const struct event *e) {
  return order_acquires(e->order);
}

static const struct thread *thread_of(const struct execution *x, const struct event *e) {
  return &x->program->threads[e->thread];
}

/* Is the other's thread in the instance of the event's scope? */
static bool reaches(const struct execution *x, const struct event *e, const struct event *other) {
  return e->scope == SCOPE_NONE || scope_includes(thread_of(x, e), e->scope, thread_of(x, other));
}

/* The smallest scope that two threads share. */
static enum scope shared_scope(const struct execution *x, const struct event *a, const struct event *b) {
  enum scope scope = SCOPE_SG;
  while (scope < SCOPE_SYS && thread_instance(thread_of(x, a), scope) != thread_instance(thread_of(x, b), scope))
    scope++;
  return scope == SCOPE_QF ? SCOPE_DEV : scope;
}

/* `the store of flag[0] (P0 line 14)` */
static void print_event(const struct execution *x, const struct event *e, FILE *out) {
  const char *what = e->rmw                    ? "the read-modify-write"
                     : e->kind == EVENT_WRITE  ? "the store"
                     : e->kind == EVENT_READ   ? "the load"
                     : e->kind == EVENT_MEET   ? "the barrier"
                     : e->barrier_instance < 0 ? "the fence"
                                               : "the barrier";
  unsigned line = event_line(x->program, e);
  fputs(what, out);
  if (e->location >= 0) fprintf(out, " of %s", x->program->locations[e->name].name);
  fprintf(out, " (%s", thread_of(x, e)->name);
  if (line) fprintf(out, " line %u", line);
  fputc(')', out);
}

static void print_scope(const struct execution *x, const struct event *e, const struct event *other, FILE *out) {
  print_event(x, e, out);
  fprintf(out, " has the scope of a %s, and %s is in another", levels[e->scope], thread_of(x, other)->name);
}

/* ---- atomics between them ---- */

/* A store after `first` and the load of it before `second`. */
struct bridge {
  const struct event *first, *store, *load, *second;
  bool read; /* the load reads that store */
};

static bool is_behind(const struct event *e, const struct event *first) {
  return e->thread == first->thread && e->po_index > first->po_index;
}

static unsigned region_of(const struct execution *x, const struct event *e) {
  return x->program->locations[e->location].region;
}

/* Is the access in memory that the fence or barrier orders? */
static bool orders(const struct execution *x, const struct event *e, const struct event *access) {
  return !e->regions || (e->regions & region_of(x, access));
}

/* Does the load read the store, at once or by way of read-modify-writes, each of which reads the one before? */
static bool comes_from(const struct execution *x, unsigned load, unsigned store) {
  for (unsigned steps = 0; steps < x->shape.n; steps++) {
    unsigned from = 0, read = 0;
    while (from < x->shape.n && !rel_has(x->shape, x->rf, from, load)) from++;
    if (from == store || from == x->shape.n) return from == store;
    while (read < x->shape.n && !rel_has(x->shape, x->rmw, read, from)) read++;
    if (read == x->shape.n) return false;
    load = read;
  }
  return false;
}

/* A fence of such an order between two events of a thread; one rather that orders `access` for `other`'s thread. */
static const struct event *find_fence(const struct execution *x, const struct event *from, const struct event *to,
                                      bool (*is)(const struct event *), const struct event *access,
                                      const struct event *other) {
  const struct event *found = NULL;
  for (const struct event *e = x->events; e < x->events + x->shape.n; e++) {
    if (e->kind != EVENT_FENCE || !is(e) || !is_behind(e, from) || !is_behind(to, e)) continue;
    if (reaches(x, e, other) && orders(x, e, access)) return e;
    if (e->barrier_instance < 0) found = e;
  }
  return found;
}

/* What is to order one end of a bridge: the atomic itself, or a fence; NULL: nothing does. */
static const struct event *releasing(const struct execution *x, const struct bridge *b) {
  return releases(b->store) ? b->store : find_fence(x, b->first, b->store, releases, b->first, b->second);
}

static const struct event *acquiring(const struct execution *x, const struct bridge *b) {
  return acquires(b->load) ? b->load : find_fence(x, b->load, b->second, acquires, b->second, b->first);
}

/* The one that lacks least. */
static bool find_bridge(const struct execution *x, unsigned a, unsigned b, bool read, struct bridge *bridge) {
  const struct event *all = x->events;
  int best = -1;
  for (unsigned s = 0; s < x->shape.n; s++)
    for (unsigned l = 0; l < x->shape.n && all[s].kind == EVENT_WRITE && is_behind(&all[s], &all[a]); l++) {
      bool may = all[l].kind == EVENT_READ && is_behind(&all[b], &all[l]) && all[s].location == all[l].location;
      if (!may || !is_atomic(&all[s]) || !is_atomic(&all[l]) || comes_from(x, l, s) != read) continue;
      struct bridge found = {&all[a], &all[s], &all[l], &all[b], read};
      int order = (releasing(x, &found) != NULL) + (acquiring(x, &found) != NULL);
      if (order <= best) continue;
      best = order;
      *bridge = found;
    }
  return best >= 0;
}

static bool is_private(const struct event *e) {
  return !is_atomic(e) && !(e->tags & (tag_bit(TAG_NONPRIV) | tag_bit(TAG_AV) | tag_bit(TAG_VIS)));
}

static void join(FILE *out, bool *any) {
  if (*any) fputs("; ", out);
  *any = true;
}

/* Vulkan: accesses that nothing orders, since they are shared with nobody. */
static void print_private(const struct execution *x, const struct event *first, const struct event *second, bool *any,
                          enum missing_kind *kind, FILE *out) {
  for (int i = 0; i < 2; i++) {
    const struct event *e = i ? second : first;
    if (!is_private(e)) continue;
    *kind = MISSING_SHARING;
    join(out, any);
    print_event(x, e, out);
    fputs(" is private: it lacks NonPrivatePointer (GLSL: nonprivate or coherent)", out);
  }
}

/* Atomics of one memory that order only that one. */
static void print_other_memory(const struct execution *x, const struct event *orders, const struct event *access,
                               FILE *out) {
  bool local = region_of(x, access) == REGION_LOCAL;
  print_event(x, orders, out);
  fprintf(out, " orders %s memory, and %s is in %s memory", local ? "global" : "local",
          x->program->locations[access->name].name, local ? "local" : "global");
}

/* An end of a bridge: its atomic, which is to order the access; and the other end's. */
struct bridge_end {
  const struct event *atomic, *ordering, *access, *other;
  const char *lacks;
};

/* What it lacks: an order, or that of a fence is for too few, or of other memory. */
static void print_end(const struct execution *x, struct bridge_end end, bool *any, FILE *out) {
  if (!end.ordering) {
    join(out, any);
    print_event(x, end.atomic, out);
    fputs(end.lacks, out);
  } else if (end.ordering != end.atomic && !orders(x, end.ordering, end.access)) {
    join(out, any);
    print_other_memory(x, end.ordering, end.access, out);
  } else if (!reaches(x, end.ordering, end.other)) {
    join(out, any);
    print_scope(x, end.ordering, end.other, out);
  }
  if (end.ordering == end.atomic || reaches(x, end.atomic, end.other)) return;
  join(out, any);
  print_scope(x, end.atomic, end.other, out);
}

/* Returns false where none of its reasons is it. */
static bool print_bridge(const struct execution *x, const struct bridge *b, bool vulkan, enum missing_kind *kind,
                         FILE *out) {
  bool any = false;
  struct bridge_end store = {b->store, releasing(x, b), b->first, b->load, " does not release"},
                    load = {b->load, acquiring(x, b), b->second, b->store, " does not acquire"};
  print_end(x, store, &any, out);
  print_end(x, load, &any, out);
  if (!b->read) {
    join(out, &any);
    fprintf(out, "%s goes on though ", thread_of(x, b->second)->name);
    print_event(x, b->load, out);
    fprintf(out, " has not read what %s stored", thread_of(x, b->first)->name);
  }
  if (vulkan) print_private(x, b->first, b->second, &any, kind, out);
  if (!any && !vulkan && region_of(x, b->load) != region_of(x, b->first)) {
    join(out, &any);
    print_other_memory(x, b->load, b->first, out);
  }
  return any;
}

static void print_unknown(const struct execution *x, const struct bridge *b, bool vulkan, FILE *out) {
  print_event(x, b->load, out);
  fputs(vulkan ? " does not make visible, or the store not available, what is accessed" : " does not order them", out);
}

/* ---- barriers between them ---- */

/* Are they one barrier's?  Vulkan's has one event, which meets with those of others. */
static bool is_one_barrier(const struct execution *x, const struct event *a, const struct event *b, bool vulkan) {
  if (vulkan) return a->kind == EVENT_MEET && event_meets(x->program, a, b);
  return a->barrier_instance >= 0 && a->barrier_instance == b->barrier_instance;
}

static const struct event *find_barrier(const struct execution *x, unsigned a, unsigned b, bool vulkan) {
  for (unsigned i = 0; i < x->shape.n; i++)
    for (unsigned j = 0; j < x->shape.n && is_behind(&x->events[i], &x->events[a]); j++)
      if (is_behind(&x->events[b], &x->events[j]) && is_one_barrier(x, &x->events[i], &x->events[j], vulkan))
        return &x->events[i];
  return NULL;
}

static void print_barrier(const struct execution *x, const struct event *barrier, const struct event *access,
                          FILE *out) {
  if (!orders(x, barrier, access)) {
    print_other_memory(x, barrier, access, out);
    return;
  }
  print_event(x, barrier, out);
  fputs(" does not order these accesses: its memory or its scope is another", out);
}

/* ---- nothing between them ---- */

static void print_nothing(const struct execution *x, const struct event *a, const struct event *b,
                          enum missing_kind *kind, FILE *out) {
  enum scope scope = shared_scope(x, a, b);
  *kind = scope <= SCOPE_WG ? MISSING_MEETING : MISSING_ORDER;
  if (*kind == MISSING_MEETING)
    fprintf(out, "no barrier, and no release that an acquire reads, orders %s and %s, which are in one %s",
            thread_of(x, a)->name, thread_of(x, b)->name, levels[scope]);
  else
    fprintf(out,
            "nothing orders %s and %s: they are in different work-groups, which no barrier spans; one must release and "
            "the other acquire, at %s scope",
            thread_of(x, a)->name, thread_of(x, b)->name, levels[scope]);
}

static bool print_too_small(const struct execution *x, const struct event *a, const struct event *b, FILE *out) {
  bool any = false;
  if (!is_atomic(a) || !is_atomic(b)) return false;
  if (!reaches(x, a, b)) join(out, &any), print_scope(x, a, b, out);
  if (!reaches(x, b, a)) join(out, &any), print_scope(x, b, a, out);
  return any;
}

/* What is between them, and why that is not enough. */
static void print_between(const struct execution *x, unsigned a, unsigned b, bool vulkan, enum missing_kind *kind,
                          FILE *out) {
  const struct event *first = &x->events[a], *second = &x->events[b], *barrier = find_barrier(x, a, b, vulkan);
  struct bridge bridge;
  bool any = false;
  if (!barrier) barrier = find_barrier(x, b, a, vulkan);
  if (barrier && vulkan) print_private(x, first, second, &any, kind, out);
  if (barrier && !any) print_barrier(x, barrier, first, out);
  if (barrier) return;
  bool read = find_bridge(x, a, b, true, &bridge) || find_bridge(x, b, a, true, &bridge);
  if (!read && !find_bridge(x, a, b, false, &bridge) && !find_bridge(x, b, a, false, &bridge))
    print_nothing(x, first, second, kind, out);
  else if (!print_bridge(x, &bridge, vulkan, kind, out) && read) /* that it is not read is a reason */
    print_unknown(x, &bridge, vulkan, out);
}

struct missing missing_between(struct arena *arena, const struct execution *x, unsigned a, unsigned b, bool vulkan) {
  const struct event *first = &x->events[a], *second = &x->events[b];
  struct missing missing = {MISSING_ORDER, NULL};
  if (first->thread < 0 || second->thread < 0 || first->location < 0 || second->location < 0) return missing;
  struct text text = text_new();
  if (!print_too_small(x, first, second, text.out)) print_between(x, a, b, vulkan, &missing.kind, text.out);
  missing.text = text_keep(&text, arena);
  return missing;
}
