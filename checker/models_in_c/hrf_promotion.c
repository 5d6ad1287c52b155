/* SPDX-License-Identifier: MIT */
/* Scope promotion over scope instances: see hrf_promotion.h.
 *
 * The events of a candidate are first folded to actions (the halves of a
 * read-modify-write are one), and each location's accesses are laid out along
 * its coherence order: write 0, the loads that read it (its gap), write 1, its
 * gap, ...  `place` counts along that line, twice a write's position, plus one
 * for loads.  Everything the paper defines is then a walk along the line.
 */
#include "checker/models_in_c/hrf_promotion.h"


#include "checker/base/array.h"
#include "checker/base/tags.h"

enum { NOBODY = -1 };

/* An action; scopes of its two roles, as written and after promotion. */
struct action {
  unsigned event;    /* of a read-modify-write, the write half: the one that releases */
  unsigned acquirer; /* the same, but of a read-modify-write the read half */
  int thread;        /* -1: initial write */
  int location;      /* -1: fences */
  unsigned regions;  /* of a fence: the memories it orders; of an access: its own */
  bool reads, writes, atomic, fence, acquires, releases, remote, sc;
  struct hrf_instance written;
  struct hrf_instance release_scope, acquire_scope;
  unsigned place; /* along the coherence order of its location */
};

/* A location's writes by coherence position. */
struct line {
  unsigned count;
  unsigned *writes; /* actions */
};

/* The acquire loads of one gap, of which a remote release promotes the first:
 * `chosen` runs over those that program order lets come first. */
struct choice {
  unsigned source; /* the write that the loads read */
  unsigned count, chosen;
  unsigned *loads; /* actions */
};

struct judge {
  struct arena *arena;
  const struct execution *x;
  struct hrf_readings readings;
  struct shape shape; /* of actions */
  unsigned count;
  struct action *actions;
  unsigned *action_of; /* by event */
  int *source;         /* by action: the write it reads, or NOBODY */
  struct line *lines;  /* by location */
  word *po, *hhb, *scratch;
  struct choice *choices;
  unsigned choice_count;
  struct hrf_promotion *promotions;
  unsigned promotion_count;
};

/* ---- Scope instances ------------------------------------------------------ */

static struct hrf_instance instance_above(const struct program *program, int thread, enum scope level) {
  const struct thread *t = &program->threads[thread];
  switch (level) {
    case SCOPE_WI:
      return (struct hrf_instance){level, (unsigned)thread};
    case SCOPE_SG:
      return (struct hrf_instance){level, t->sg};
    case SCOPE_WG:
      return (struct hrf_instance){level, t->wg};
    case SCOPE_QF:
      return (struct hrf_instance){level, t->qf};
    case SCOPE_DEV:
      return (struct hrf_instance){level, t->dev};
    default:
      return (struct hrf_instance){level, 0};
  }
}

static bool includes(const struct program *program, struct hrf_instance instance, int thread) {
  return instance.level != SCOPE_NONE && instance_above(program, thread, instance.level).index == instance.index;
}

/* Is `inner`, an instance above `thread`, equal to `outer` or below it? */
static bool within(const struct program *program, struct hrf_instance inner, int thread, struct hrf_instance outer) {
  return inner.level <= outer.level && includes(program, outer, thread);
}

/* Both instances lie above their actors, so one contains the other exactly
 * when the wider one includes the other's actor. */
static bool nested(const struct program *program, struct hrf_instance a, int thread_a, struct hrf_instance b,
                   int thread_b) {
  return within(program, a, thread_a, b) || within(program, b, thread_b, a);
}

/* ---- From events to actions ------------------------------------------------ */

static struct action action_from(const struct judge *j, unsigned event) {
  const struct event *e = &j->x->events[event];
  bool access = event_is_access(e);
  struct action a = {.event = event, .acquirer = event, .thread = e->thread, .location = access ? e->location : NOBODY};
  a.reads = e->kind == EVENT_READ || (e->kind == EVENT_WRITE && e->rmw);
  a.writes = e->kind == EVENT_WRITE;
  a.atomic = access && e->order != ORDER_NA;
  a.fence = e->kind == EVENT_FENCE && !e->barrier_entry && !e->barrier_exit;
  a.acquires = ((a.atomic && a.reads) || a.fence) && order_acquires(e->order);
  a.releases = ((a.atomic && a.writes) || a.fence) && order_releases(e->order);
  a.remote = tags_have(e->tags, TAG_REMOTE);
  a.regions = e->regions;
  a.sc = (a.atomic || a.fence) && e->order == ORDER_SC;
  if (a.atomic || a.fence) a.written = instance_above(j->x->program, e->thread, e->scope);
  return a;
}

/* The write half of a read half, or NOBODY. */
static int other_half(const struct execution *x, unsigned event) {
  for (unsigned b = 0; b < x->shape.n; b++)
    if (rel_has(x->shape, x->rmw, event, b)) return (int)b;
  return NOBODY;
}

static void fold_events(struct judge *j) {
  unsigned n = j->x->shape.n;
  j->actions = ARENA_ARRAY(j->arena, struct action, n);
  j->action_of = ARENA_ARRAY(j->arena, unsigned, n);
  for (unsigned e = 0; e < n; e++) {
    if (other_half(j->x, e) != NOBODY) continue;
    j->action_of[e] = j->count;
    j->actions[j->count++] = action_from(j, e);
  }
  for (unsigned e = 0; e < n; e++) {
    int write = other_half(j->x, e);
    if (write == NOBODY) continue;
    j->action_of[e] = j->action_of[write];
    j->actions[j->action_of[e]].acquirer = e;
  }
  j->shape = shape_of(j->count);
}

/* A relation of events as one of actions; what joins an action to itself goes. */
static word *fold_relation(struct judge *j, const word *r) {
  struct shape s = j->x->shape;
  word *out = ARENA_ARRAY(j->arena, word, rel_words(j->shape));
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = 0; b < s.n; b++)
      if (rel_has(s, r, a, b) && j->action_of[a] != j->action_of[b])
        rel_add(j->shape, out, j->action_of[a], j->action_of[b]);
  return out;
}

/* ---- Coherence order ------------------------------------------------------- */

static void lay_out_writes(struct judge *j) {
  j->lines = ARENA_ARRAY(j->arena, struct line, j->x->program->location_count);
  word *co = fold_relation(j, j->x->co);
  for (unsigned a = 0; a < j->count; a++) {
    if (!j->actions[a].writes) continue;
    struct line *line = &j->lines[j->actions[a].location];
    if (!line->writes) line->writes = ARENA_ARRAY(j->arena, unsigned, j->count);
    unsigned position = 0;
    for (unsigned b = 0; b < j->count; b++) position += rel_has(j->shape, co, b, a);
    line->writes[position] = a;
    line->count++;
    j->actions[a].place = 2 * position;
  }
}

static void lay_out_loads(struct judge *j) {
  struct shape s = j->x->shape;
  j->source = ARENA_ARRAY(j->arena, int, j->count);
  for (unsigned a = 0; a < j->count; a++) j->source[a] = NOBODY;
  for (unsigned w = 0; w < s.n; w++) {
    for (unsigned r = 0; r < s.n; r++) {
      if (!rel_has(s, j->x->rf, w, r)) continue;
      struct action *load = &j->actions[j->action_of[r]];
      j->source[j->action_of[r]] = (int)j->action_of[w];
      if (!load->writes) load->place = j->actions[j->action_of[w]].place + 1;
    }
  }
}

/* a before b in the coherence order of one location; loads of one gap are not
 * ordered. */
static bool coherent_before(const struct judge *j, unsigned a, unsigned b) {
  const struct action *first = &j->actions[a], *second = &j->actions[b];
  return first->location >= 0 && first->location == second->location && first->place < second->place;
}

/* ---- Where actions release and acquire --------------------------------------- */

/* Does r release at store w: is it w, or a fence before it that names its memory? */
static bool releases_at(const struct judge *j, unsigned r, unsigned w) {
  const struct action *release = &j->actions[r], *store = &j->actions[w];
  if (!release->releases) return false;
  if (!release->fence) return r == w;
  return store->atomic && store->writes && rel_has(j->shape, j->po, r, w) && (release->regions & store->regions);
}

/* Does q acquire at load l: is it l, or a fence after it that names its memory? */
static bool acquires_at(const struct judge *j, unsigned l, unsigned q) {
  const struct action *acquire = &j->actions[q], *load = &j->actions[l];
  if (!acquire->acquires) return false;
  if (!acquire->fence) return l == q;
  return load->atomic && load->reads && rel_has(j->shape, j->po, l, q) && (acquire->regions & load->regions);
}

/* Of the actions that release at w, the last one before it; or NOBODY. */
static int releaser(const struct judge *j, unsigned w) {
  int found = NOBODY;
  for (unsigned r = 0; r < j->count; r++)
    if (releases_at(j, r, w) && (found == NOBODY || rel_has(j->shape, j->po, (unsigned)found, r))) found = (int)r;
  return found;
}

/* Of the actions that acquire at l, the first one after it; or NOBODY. */
static int acquirer(const struct judge *j, unsigned l) {
  int found = NOBODY;
  for (unsigned q = 0; q < j->count; q++)
    if (acquires_at(j, l, q) && (found == NOBODY || rel_has(j->shape, j->po, q, (unsigned)found))) found = (int)q;
  return found;
}

static bool is_acquired(const struct judge *j, unsigned l) {
  return acquirer(j, l) != NOBODY;
}

/* ---- Last release, next acquire --------------------------------------------- */

/* Walks back from what l reads to the first store that releases. */
static int last_release(const struct judge *j, unsigned l) {
  const struct line *line = &j->lines[j->actions[l].location];
  if (j->source[l] == NOBODY) return NOBODY;
  for (unsigned position = j->actions[j->source[l]].place / 2 + 1; position-- > 0;) {
    int r = releaser(j, line->writes[position]);
    if (r != NOBODY) return r;
  }
  return NOBODY;
}

/* Loads of the gap after `write` that acquire, by threads of work-group `group`
 * (NOBODY: any). */
static unsigned gap_acquires(const struct judge *j, unsigned write, int group, unsigned *out) {
  unsigned count = 0;
  for (unsigned l = 0; l < j->count; l++) {
    const struct action *a = &j->actions[l];
    if (a->writes || j->source[l] != (int)write || !is_acquired(j, l)) continue;
    if (group == NOBODY || j->x->program->threads[a->thread].wg == (unsigned)group) out[count++] = l;
  }
  return count;
}

/* The first accesses after store w that acquire: loads of the first gap that has
 * such, unless a read-modify-write comes before. */
static unsigned next_acquires(const struct judge *j, unsigned w, int group, unsigned *out) {
  const struct line *line = &j->lines[j->actions[w].location];
  for (unsigned position = j->actions[w].place / 2; position < line->count; position++) {
    unsigned write = line->writes[position];
    const struct action *a = &j->actions[write];
    bool ours = a->thread >= 0 && (group == NOBODY || j->x->program->threads[a->thread].wg == (unsigned)group);
    if (write != w && a->reads && ours && is_acquired(j, write)) {
      out[0] = write;
      return 1;
    }
    unsigned count = gap_acquires(j, write, group, out);
    if (count) return count;
  }
  return 0;
}

/* Does some remote action release at w? */
static bool is_released_remotely(const struct judge *j, unsigned w) {
  for (unsigned r = 0; r < j->count; r++)
    if (j->actions[r].remote && releases_at(j, r, w)) return true;
  return false;
}

static struct choice *choice_of_gap(const struct judge *j, int source) {
  for (unsigned c = 0; c < j->choice_count; c++)
    if ((int)j->choices[c].source == source) return &j->choices[c];
  return NULL;
}

/* Drops the loads that program order puts after another one of the gap. */
static unsigned keep_earliest(const struct judge *j, unsigned count, unsigned *loads) {
  unsigned kept = 0;
  for (unsigned a = 0; a < count; a++) {
    bool later = false;
    for (unsigned b = 0; b < count; b++) later |= rel_has(j->shape, j->po, loads[b], loads[a]);
    if (!later) loads[kept++] = loads[a];
  }
  return kept;
}

/* Gaps in which coherence has to say which acquire a remote release promotes. */
static void find_choices(struct judge *j) {
  j->choices = ARENA_ARRAY(j->arena, struct choice, j->count);
  for (unsigned w = 0; w < j->count; w++) {
    if (!is_released_remotely(j, w)) continue;
    unsigned *loads = ARENA_ARRAY(j->arena, unsigned, j->count);
    unsigned count = next_acquires(j, w, NOBODY, loads);
    if (!count || j->actions[loads[0]].writes || choice_of_gap(j, j->source[loads[0]])) continue;
    unsigned source = (unsigned)j->source[loads[0]];
    j->choices[j->choice_count++] = (struct choice){source, keep_earliest(j, count, loads), 0, loads};
  }
}

/* ---- Promotion ---------------------------------------------------------------- */

/* promote(S', S): one scope of action `of` becomes that of `by` if it lies inside. */
static void promote(struct judge *j, unsigned by, unsigned of, bool acquire) {
  struct hrf_instance to = j->actions[by].written;
  struct action *a = &j->actions[of];
  struct hrf_instance *scope = acquire ? &a->acquire_scope : &a->release_scope;
  if (!within(j->x->program, *scope, a->thread, to) || scope->level == to.level) return;
  unsigned promoter = acquire ? j->actions[by].event : j->actions[by].acquirer;
  unsigned promoted = acquire ? a->acquirer : a->event;
  j->promotions[j->promotion_count++] = (struct hrf_promotion){promoter, promoted, *scope, to};
  *scope = to;
}

static void promote_last_releases(struct judge *j) {
  for (unsigned q = 0; q < j->count; q++) {
    if (!j->actions[q].acquires || !j->actions[q].remote) continue;
    for (unsigned l = 0; l < j->count; l++) {
      int r = acquires_at(j, l, q) ? last_release(j, l) : NOBODY;
      if (r != NOBODY) promote(j, q, (unsigned)r, false);
    }
  }
}

/* Release r at store w promotes the next acquires. */
static void promote_acquires_of(struct judge *j, unsigned r, unsigned w, int group, unsigned *buffer) {
  unsigned count = next_acquires(j, w, group, buffer);
  bool one = j->readings.next == HRF_NEXT_ACQUIRE && count && !j->actions[buffer[0]].writes;
  if (one) {
    const struct choice *choice = choice_of_gap(j, j->source[buffer[0]]);
    buffer[0] = choice->loads[choice->chosen];
    count = 1;
  }
  for (unsigned k = 0; k < count; k++) promote(j, r, (unsigned)acquirer(j, buffer[k]), true);
}

static void promote_from(struct judge *j, unsigned r, unsigned w, unsigned *buffer) {
  if (j->readings.next != HRF_NEXT_PER_GROUP) {
    promote_acquires_of(j, r, w, NOBODY, buffer);
    return;
  }
  for (unsigned group = 0; group < j->x->program->wg_count; group++) promote_acquires_of(j, r, w, (int)group, buffer);
}

static void promote_next_acquires(struct judge *j) {
  unsigned *buffer = ARENA_ARRAY(j->arena, unsigned, j->count);
  for (unsigned r = 0; r < j->count; r++)
    for (unsigned w = 0; j->actions[r].remote && w < j->count; w++)
      if (releases_at(j, r, w)) promote_from(j, r, w, buffer);
}

static void promote_all(struct judge *j) {
  for (unsigned a = 0; a < j->count; a++)
    j->actions[a].release_scope = j->actions[a].acquire_scope = j->actions[a].written;
  j->promotion_count = 0;
  promote_last_releases(j);
  promote_next_acquires(j);
}

/* ---- Happens-before -------------------------------------------------------------- */

/* Release r comes before acquire q at some location. */
static bool released_before(const struct judge *j, unsigned r, unsigned q) {
  for (unsigned w = 0; w < j->count; w++)
    for (unsigned l = 0; releases_at(j, r, w) && l < j->count; l++)
      if (coherent_before(j, w, l) && acquires_at(j, l, q)) return true;
  return false;
}

/* ... and each scope includes the other actor. */
static bool synchronises(const struct judge *j, unsigned r, unsigned q) {
  const struct action *release = &j->actions[r], *acquire = &j->actions[q];
  return release->releases && acquire->acquires && includes(j->x->program, release->release_scope, acquire->thread) &&
         includes(j->x->program, acquire->acquire_scope, release->thread) && released_before(j, r, q);
}

/* From entering a work-group barrier to another work-item's leaving it, where both name the same memory. */
static bool meets(const struct judge *j, unsigned a, unsigned b) {
  const struct event *in = &j->x->events[j->actions[a].event], *out = &j->x->events[j->actions[b].event];
  return in->regions & out->regions && in->barrier_entry && out->barrier_exit &&
         in->barrier_instance == out->barrier_instance && in->thread != out->thread &&
         j->x->program->threads[in->thread].wg == j->x->program->threads[out->thread].wg;
}

static void order_actions(struct judge *j) {
  words_copy(rel_words(j->shape), j->hhb, j->po);
  for (unsigned a = 0; a < j->count; a++)
    for (unsigned b = 0; b < j->count; b++) {
      bool initial = j->actions[a].thread < 0 && j->actions[b].thread >= 0;
      if (initial || synchronises(j, a, b) || meets(j, a, b)) rel_add(j->shape, j->hhb, a, b);
    }
  rel_close(j->shape, j->hhb);
}

/* ---- Axioms ------------------------------------------------------------------------ */

typedef bool pair_test(const struct judge *j, unsigned a, unsigned b);

/* The first pair on which a test succeeds. */
static bool find_pair(const struct judge *j, pair_test *test, unsigned *a, unsigned *b) {
  for (*a = 0; *a < j->count; ++*a)
    for (*b = 0; *b < j->count; ++*b)
      if (test(j, *a, *b)) return true;
  return false;
}

static bool against_po(const struct judge *j, unsigned a, unsigned b) {
  return rel_has(j->shape, j->po, a, b) && coherent_before(j, b, a);
}

/* A read-modify-write reads the write just before it, and so not itself. */
static bool torn(const struct judge *j, unsigned a, unsigned b) {
  const struct action *rmw = &j->actions[a];
  return rmw->reads && rmw->writes && j->source[a] == (int)b && j->actions[b].place + 2 != rmw->place;
}

static bool cyclic(const struct judge *j, unsigned a, unsigned b) {
  return a == b && rel_has(j->shape, j->hhb, a, a);
}

static bool against_hhb(const struct judge *j, unsigned a, unsigned b) {
  return rel_has(j->shape, j->hhb, a, b) && coherent_before(j, b, a);
}

/* The load chosen to come first in its gap must have none before it. */
static bool wrongly_first(const struct judge *j, unsigned a, unsigned b) {
  if (j->readings.next != HRF_NEXT_ACQUIRE || j->source[b] == NOBODY) return false;
  const struct choice *choice = choice_of_gap(j, j->source[b]);
  return choice && choice->loads[choice->chosen] == b && a != b && j->source[a] == j->source[b] && is_acquired(j, a) &&
         !j->actions[a].writes && rel_has(j->shape, j->hhb, a, b);
}

/* A store may not feed a load that it depends on. */
static bool from_nowhere(const struct judge *j, unsigned a, unsigned b) {
  struct shape s = j->x->shape;
  if (j->source[a] != (int)b) return false;
  for (unsigned r = 0; r < s.n; r++)
    for (unsigned w = 0; w < s.n; w++)
      if (j->action_of[r] == a && j->action_of[w] == b && a != b &&
          (rel_has(s, j->x->addr, r, w) || rel_has(s, j->x->data, r, w) || rel_has(s, j->x->ctrl, r, w)))
        return true;
  return false;
}

/* Each scope as written includes the other actor, or that of a remote action does. */
static bool reaching(const struct program *program, const struct action *x, const struct action *y) {
  bool there = includes(program, x->written, y->thread), back = includes(program, y->written, x->thread);
  return (there && back) || (there && x->remote) || (back && y->remote);
}

/* Is access a, or for a fence some access on its far side, before b in coherence? */
static bool coherent_through(const struct judge *j, unsigned x, unsigned y) {
  for (unsigned a = 0; a < j->count; a++) {
    if (!(j->actions[x].fence ? rel_has(j->shape, j->po, x, a) : x == a)) continue;
    for (unsigned b = 0; b < j->count; b++)
      if ((j->actions[y].fence ? rel_has(j->shape, j->po, b, y) : y == b) && coherent_before(j, a, b)) return true;
  }
  return false;
}

/* Must sc action x come before sc action y? */
static bool sc_before(const struct judge *j, unsigned x, unsigned y) {
  const struct action *a = &j->actions[x], *b = &j->actions[y];
  if (rel_has(j->shape, j->po, x, y) || coherent_before(j, x, y)) return true;
  if (a->location >= 0 && a->location == b->location && rel_has(j->shape, j->hhb, x, y)) return true;
  return (a->fence || b->fence) && reaching(j->x->program, a, b) && coherent_through(j, x, y);
}

/* Is there one order of all sc actions that agrees with program order, coherence
 * (for fences, of what they stand between) and, between loads of one gap,
 * happens-before? */
static bool sc_fails(const struct judge *j, unsigned *a, unsigned *b) {
  word *order = j->scratch;
  words_clear(rel_words(j->shape), order);
  for (unsigned x = 0; x < j->count; x++)
    for (unsigned y = 0; y < j->count; y++)
      if (j->actions[x].sc && j->actions[y].sc && sc_before(j, x, y)) rel_add(j->shape, order, x, y);
  rel_close(j->shape, order);
  for (*a = *b = 0; *a < j->count; *b = ++*a)
    if (rel_has(j->shape, order, *a, *a)) return true;
  return false;
}

static const struct axiom {
  const char *name;
  pair_test *fails; /* NULL: sc_fails */
} axioms[] = {
    {"coherence", against_po},        {"atomicity", torn},         {"hhb_acyclic", cyclic}, {"hhb_coh", against_hhb},
    {"first_acquire", wrongly_first}, {"plausible", from_nowhere}, {"sc_order", NULL},
};

/* ---- Races ---------------------------------------------------------------------------- */

static bool conflict(const struct judge *j, unsigned a, unsigned b) {
  const struct action *x = &j->actions[a], *y = &j->actions[b];
  return x->location >= 0 && x->location == y->location && x->thread != y->thread && (x->writes || y->writes) &&
         !rel_has(j->shape, j->hhb, a, b) && !rel_has(j->shape, j->hhb, b, a);
}

static bool ordinary_race(const struct judge *j, unsigned a, unsigned b) {
  return conflict(j, a, b) && !(j->actions[a].atomic && j->actions[b].atomic);
}

/* The wider of an action's two scopes. */
static struct hrf_instance widest(const struct action *a) {
  return a->release_scope.level > a->acquire_scope.level ? a->release_scope : a->acquire_scope;
}

/* Promotion widens what orders two actions, not what they do to a location at
 * once: by default scopes count as written. */
static bool inclusive(const struct judge *j, const struct action *x, const struct action *y) {
  const struct program *program = j->x->program;
  struct hrf_instance a = widest(x), b = widest(y);
  switch (j->readings.inclusion) {
    case HRF_NESTED:
      return nested(program, a, x->thread, b, y->thread);
    case HRF_MUTUAL:
      return includes(program, a, y->thread) && includes(program, b, x->thread);
    case HRF_REACHING:
      break;
  }
  return reaching(program, x, y);
}

static bool scope_race(const struct judge *j, unsigned a, unsigned b) {
  const struct action *x = &j->actions[a], *y = &j->actions[b];
  return conflict(j, a, b) && x->atomic && y->atomic && !inclusive(j, x, y);
}

static struct hrf_race find_race(const struct judge *j, pair_test *test) {
  unsigned a, b;
  if (!find_pair(j, test, &a, &b)) return (struct hrf_race){0};
  return (struct hrf_race){true, j->actions[a].event, j->actions[b].event};
}

/* ---- The whole ---------------------------------------------------------------------------- */

/* Judges the candidate under the choices now made. */
static struct hrf_judgement judge_choice(struct judge *j, bool (*skipped)(void *context, const char *axiom),
                                         void *context) {
  promote_all(j);
  order_actions(j);
  struct hrf_judgement out = {.promotions = j->promotions, .promotion_count = j->promotion_count};
  for (size_t i = 0; i < ARRAY_COUNT(axioms) && !out.failed; i++) {
    unsigned a, b;
    if (skipped && skipped(context, axioms[i].name)) continue;
    if (!(axioms[i].fails ? find_pair(j, axioms[i].fails, &a, &b) : sc_fails(j, &a, &b))) continue;
    out.failed = axioms[i].name;
    out.failed_at = j->actions[a].event;
    out.failed_to = j->actions[b].event;
  }
  out.ordinary_race = find_race(j, ordinary_race);
  out.scope_race = find_race(j, scope_race);
  return out;
}

/* Steps to the next combination of choices; false after the last. */
static bool choose_next(struct judge *j) {
  for (unsigned c = 0; c < j->choice_count; c++) {
    if (++j->choices[c].chosen < j->choices[c].count) return true;
    j->choices[c].chosen = 0;
  }
  return false;
}

bool hrf_judge(struct arena *scratch, const struct execution *execution, struct hrf_readings readings,
               bool (*skipped)(void *context, const char *axiom),
               bool (*each)(void *context, const struct hrf_judgement *judgement), void *context) {
  struct judge j = {.arena = scratch, .x = execution, .readings = readings};
  fold_events(&j);
  j.po = fold_relation(&j, execution->po);
  j.hhb = ARENA_ARRAY(scratch, word, rel_words(j.shape));
  j.scratch = ARENA_ARRAY(scratch, word, rel_words(j.shape));
  lay_out_writes(&j);
  lay_out_loads(&j);
  if (readings.next == HRF_NEXT_ACQUIRE) find_choices(&j);
  /* Each release and each acquire is widened at most once a level. */
  j.promotions = ARENA_ARRAY(scratch, struct hrf_promotion, (size_t)j.count * SCOPE_SYS * 2);
  do {
    struct hrf_judgement judgement = judge_choice(&j, skipped, context);
    if (!each(context, &judgement)) return false;
  } while (choose_next(&j));
  return true;
}
