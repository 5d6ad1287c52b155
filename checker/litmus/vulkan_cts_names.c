/* SPDX-License-Identifier: MIT */
/* What a name says is read into a choice for each of its fields; which choices the
 * CTS combines, and what it writes for them, are the functions below. */
#include "checker/litmus/vulkan_cts_names.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/columns.h"

/* ---- names ---- */

static const char PREFIX[] = "dEQP-VK.memory_model.";

enum field {
  KIND,
  VERSION,
  TYPE,
  COHERENCE,
  SYNC,
  WRITE,
  SCOPE,
  PAYLOAD_MEMORY,
  PAYLOAD,
  GUARD_MEMORY,
  GUARD,
  STAGE,
  VISIBILITY,
  FIELDS
};

enum { MESSAGE_PASSING, WRITE_AFTER_READ, TRANSITIVE };
enum { EXT, CORE11 };
enum { U32, U64, F32, F64 };
enum { COHERENT, NONCOHERENT };
enum { FENCE_FENCE, FENCE_ATOMIC, ATOMIC_FENCE, ATOMIC_ATOMIC, CONTROL_BARRIER, CONTROL_AND_MEMORY_BARRIER };
enum { ATOMIC_WRITE, ATOMIC_RMW };
enum { DEVICE, QUEUE_FAMILY, WORK_GROUP, SUB_GROUP };
enum { NONLOCAL, LOCAL };
enum { BUFFER, IMAGE, WORKGROUP, PHYSBUFFER };
enum { COMPUTE };
enum { NON_TRANSITIVE, TRANSITIVE_VISIBILITY };

enum { MOST_WORDS = 6 };
static const char *const WORDS[FIELDS][MOST_WORDS + 1] = {
    [KIND] = {"message_passing", "write_after_read", "transitive"},
    [VERSION] = {"ext", "core11"},
    [TYPE] = {"u32", "u64", "f32", "f64"},
    [COHERENCE] = {"coherent", "noncoherent"},
    [SYNC] = {"fence_fence", "fence_atomic", "atomic_fence", "atomic_atomic", "control_barrier",
              "control_and_memory_barrier"},
    [WRITE] = {"atomicwrite", "atomicrmw"},
    [SCOPE] = {"device", "queuefamily", "workgroup", "subgroup"},
    [PAYLOAD_MEMORY] = {"payload_nonlocal", "payload_local"},
    [PAYLOAD] = {"buffer", "image", "workgroup", "physbuffer"},
    [GUARD_MEMORY] = {"guard_nonlocal", "guard_local"},
    [GUARD] = {"buffer", "image", "workgroup", "physbuffer"},
    [STAGE] = {"comp", "vert", "frag"},
    [VISIBILITY] = {"nontransvis", "transvis"},
};

/* The fields of a name after its kind. */
static const enum field DIRECT[] = {VERSION,        TYPE,    COHERENCE,    SYNC,  WRITE, SCOPE,
                                    PAYLOAD_MEMORY, PAYLOAD, GUARD_MEMORY, GUARD, STAGE, FIELDS};
static const enum field CHAIN[] = {COHERENCE, SYNC, PAYLOAD_MEMORY, PAYLOAD, GUARD_MEMORY, GUARD, VISIBILITY, FIELDS};

struct choice {
  unsigned of[FIELDS];
};

static const enum field *fields_of(const struct choice *c) {
  return c->of[KIND] == TRANSITIVE ? CHAIN : DIRECT;
}

static bool is_barrier(const struct choice *c) {
  return c->of[SYNC] == CONTROL_BARRIER || c->of[SYNC] == CONTROL_AND_MEMORY_BARRIER;
}

static bool any_is(const struct choice *c, unsigned class) {
  return c->of[PAYLOAD] == class || c->of[GUARD] == class;
}

static const char *chain_is_none(const struct choice *c) {
  if (any_is(c, WORKGROUP)) return "chains lead from one work-group to another, and workgroup memory does not";
  return is_barrier(c) ? "a control barrier does not lead from one work-group to another" : NULL;
}

static const char *core11_is_none(const struct choice *c) {
  if (c->of[COHERENCE] != COHERENT || !(c->of[SYNC] == FENCE_FENCE || is_barrier(c)))
    return "core11 has coherent payloads, and fences or barriers, alone";
  if (c->of[SCOPE] == QUEUE_FAMILY) return "core11 has no queuefamily scope";
  return any_is(c, PHYSBUFFER) ? "core11 has no physbuffer" : NULL;
}

static const char *memory_is_none(const struct choice *c) {
  bool shared = c->of[PAYLOAD] == WORKGROUP, guard = c->of[GUARD] == WORKGROUP;
  if ((shared && c->of[PAYLOAD_MEMORY] == LOCAL) || (guard && c->of[GUARD_MEMORY] == LOCAL))
    return "workgroup memory is neither local nor nonlocal: nonlocal stands for both";
  if ((shared || guard || is_barrier(c) || c->of[SCOPE] == WORK_GROUP) && c->of[STAGE] != COMPUTE)
    return "only comp has work-groups";
  if (is_barrier(c) && (c->of[GUARD] != BUFFER || c->of[GUARD_MEMORY] != NONLOCAL))
    return "barriers have no guard: guard_nonlocal.buffer stands for all";
  return is_barrier(c) && c->of[SCOPE] < WORK_GROUP ? "control barriers join a workgroup or a subgroup" : NULL;
}

static const char *type_is_none(const struct choice *c) {
  if (c->of[SYNC] != ATOMIC_ATOMIC && (c->of[WRITE] == ATOMIC_RMW || c->of[TYPE] != U32))
    return "atomicrmw and types other than u32 are for atomic_atomic";
  if (c->of[TYPE] == U64 && c->of[PAYLOAD] == IMAGE && c->of[GUARD] == IMAGE) return "not both are images of u64";
  return c->of[TYPE] == F64 && any_is(c, IMAGE) ? "no image is of f64" : NULL;
}

/* Why the CTS has no test of these choices; NULL: it has. */
static const char *is_none(const struct choice *c) {
  if (c->of[KIND] == TRANSITIVE) return chain_is_none(c);
  const char *why = c->of[VERSION] == CORE11 ? core11_is_none(c) : NULL;
  if (!why) why = memory_is_none(c);
  return why ? why : type_is_none(c);
}

static const char *name_of(struct arena *arena, const struct choice *c) {
  struct text text = text_new();
  fprintf(text.out, "%s%s", PREFIX, WORDS[KIND][c->of[KIND]]);
  for (const enum field *f = fields_of(c); *f != FIELDS; f++) fprintf(text.out, ".%s", WORDS[*f][c->of[*f]]);
  return text_keep(&text, arena);
}

/* ---- programs ---- */

enum { MOST_THREADS = 4 };

struct columns {
  struct arena *arena;
  struct cells_text of[MOST_THREADS];
  unsigned threads;
};

__attribute__((format(printf, 3, 4))) static void put(struct columns *p, unsigned thread, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  struct text text = text_new();
  vfprintf(text.out, format, arguments);
  va_end(arguments);
  *vec_push(p->arena, &p->of[thread]) = text_keep(&text, p->arena);
}

static void add_thread(struct columns *p, const char *place) {
  put(p, p->threads, "P%u@%s", p->threads, place);
  p->threads++;
}

/* Storage classes of the notation: buffers, images, shared memory. */
static unsigned class_of(unsigned memory) {
  return memory == IMAGE ? 1 : memory == WORKGROUP ? 2 : 0;
}

/* `.semsc0.semsc1.semav`, of one or two classes. */
static const char *semantics(struct arena *arena, unsigned class, unsigned other, const char *words) {
  unsigned first = class < other ? class : other, second = class < other ? other : class;
  const char *more = first == second ? "" : arena_printf(arena, ".semsc%u", second);
  return arena_printf(arena, ".semsc%u%s%s", first, more, words);
}

/* An access of the payload: coherent ones are available and visible at once, and so are
 * all of shared memory, which GLSL has in the work-group's own domain whatever is written. */
static void put_payload(struct columns *p, unsigned thread, const struct choice *c, bool store, const char *scope) {
  const char *how = "nonpriv";
  bool shared = c->of[PAYLOAD] == WORKGROUP;
  if (shared || c->of[COHERENCE] == COHERENT)
    how = arena_printf(p->arena, "%s.%s", store ? "av" : "vis", shared ? "wg" : scope);
  put(p, thread, store ? "st.%s.sc%u x, 1" : "ld.%s.sc%u r1, x", how, class_of(c->of[PAYLOAD]));
}

static bool has_release_fence(const struct choice *c) {
  return c->of[SYNC] == FENCE_FENCE || c->of[SYNC] == FENCE_ATOMIC;
}

static bool has_acquire_fence(const struct choice *c) {
  return c->of[SYNC] == FENCE_FENCE || c->of[SYNC] == ATOMIC_FENCE;
}

/* The guard is written after a fence, or with a release. */
static void put_release(struct columns *p, unsigned thread, const struct choice *c, const char *scope,
                        const char *words) {
  unsigned payload = class_of(c->of[PAYLOAD]), guard = class_of(c->of[GUARD]);
  const char *order = "", *semantics_of_write = "", *rmw = c->of[WRITE] == ATOMIC_RMW ? "rmw" : "st";
  if (has_release_fence(c)) {
    put(p, thread, "membar.rel.%s%s", scope, semantics(p->arena, payload, guard, words));
  } else {
    order = ".rel";
    semantics_of_write = semantics(p->arena, payload, payload, words);
  }
  put(p, thread, "%s.atom%s.%s.sc%u%s %sy, 1", rmw, order, scope, guard, semantics_of_write,
      c->of[WRITE] == ATOMIC_RMW ? "r9, " : "");
}

static void put_acquire(struct columns *p, unsigned thread, const struct choice *c, const char *scope,
                        const char *words) {
  unsigned payload = class_of(c->of[PAYLOAD]), guard = class_of(c->of[GUARD]);
  bool fence = has_acquire_fence(c), rmw = c->of[WRITE] == ATOMIC_RMW;
  put(p, thread, "%s.atom%s.%s.sc%u%s r0, y%s", rmw ? "rmw" : "ld", fence ? "" : ".acq", scope, guard,
      fence ? "" : semantics(p->arena, payload, payload, words), rmw ? ", 2" : "");
  if (fence) put(p, thread, "membar.acq.%s%s", scope, semantics(p->arena, payload, guard, words));
}

static void put_barriers(struct columns *p, const struct choice *c, const char *scope, bool made) {
  unsigned payload = class_of(c->of[PAYLOAD]);
  struct arena *arena = p->arena;
  if (c->of[SYNC] == CONTROL_BARRIER) {
    const char *words = semantics(arena, payload, payload, made ? ".semav.semvis" : "");
    for (unsigned t = 0; t < 2; t++) put(p, t, "cbar.acq_rel.%s%s 0", scope, words);
    return;
  }
  put(p, 0, "membar.rel.%s%s", scope, semantics(arena, payload, payload, made ? ".semav" : ""));
  for (unsigned t = 0; t < 2; t++) put(p, t, "cbar.%s 0", scope);
  put(p, 1, "membar.acq.%s%s", scope, semantics(arena, payload, payload, made ? ".semvis" : ""));
}

/* Invocations are partners in the widest instance that their memory allows. */
static const char *partner(const struct choice *c) {
  unsigned scope = c->of[SCOPE];
  if (scope < WORK_GROUP && any_is(c, WORKGROUP)) scope = WORK_GROUP;
  static const char *const PLACES[] = {"sg 0, wg 1, qf 1", "sg 0, wg 1, qf 0", "sg 1, wg 0, qf 0", "sg 0, wg 0, qf 0"};
  return PLACES[scope];
}

static void write_direct(struct columns *p, const struct choice *c) {
  static const char *const SCOPES[] = {"dv", "qf", "wg", "sg"};
  const char *scope = SCOPES[c->of[SCOPE]];
  bool passes = c->of[KIND] == MESSAGE_PASSING, made = passes && c->of[COHERENCE] == NONCOHERENT;
  add_thread(p, "sg 0, wg 0, qf 0");
  add_thread(p, partner(c));
  put_payload(p, 0, c, passes, scope);
  if (is_barrier(c)) {
    put_barriers(p, c, scope, made);
  } else {
    put_release(p, 0, c, scope, made ? ".semav" : "");
    put_acquire(p, 1, c, scope, made ? ".semvis" : "");
  }
  put_payload(p, 1, c, !passes, scope);
}

/* A companion of the writer's work-group releases for the device; in the reader's, the
 * reader acquires, or a companion. */
static void write_chain(struct columns *p, const struct choice *c) {
  bool companion = c->of[VISIBILITY] == TRANSITIVE_VISIBILITY, made = c->of[COHERENCE] == NONCOHERENT;
  unsigned payload = class_of(c->of[PAYLOAD]), reader = companion ? 3 : 2;
  static const char *const PLACES[] = {"sg 0, wg 0, qf 0", "sg 1, wg 0, qf 0", "sg 0, wg 1, qf 0", "sg 1, wg 1, qf 0"};
  for (unsigned t = 0; t <= reader; t++) add_thread(p, PLACES[t]);
  put_payload(p, 0, c, true, "wg");
  for (unsigned t = 0; t < 2; t++)
    put(p, t, "cbar.acq_rel.wg%s 0", semantics(p->arena, payload, 2, made ? ".semav" : ""));
  put_release(p, 1, c, "dv", ".semav");
  put_acquire(p, 2, c, "dv", ".semvis");
  for (unsigned t = 2; t <= reader && companion; t++)
    put(p, t, "cbar.acq_rel.wg%s 1", semantics(p->arena, payload, 2, made ? ".semvis" : ""));
  put_payload(p, reader, c, false, "wg");
}

/* The test but for its name: the same of all names that have one program. */
static const char *body_of(struct arena *arena, const struct choice *c) {
  struct columns p = {.arena = arena};
  if (c->of[KIND] == TRANSITIVE)
    write_chain(&p, c);
  else
    write_direct(&p, c);
  unsigned reader = c->of[KIND] == WRITE_AFTER_READ ? 0 : p.threads - 1, acquirer = p.threads > 2 ? 2 : 1;
  struct text text = text_new();
  fputs("{ x=0; y=0; }\n", text.out);
  columns_write(p.arena, p.of, p.threads, text.out);
  if (!is_barrier(c)) fprintf(text.out, "filter (P%u:r0 == 1)\n", acquirer);
  fprintf(text.out, "~exists (P%u:r1 == %d)\n", reader, c->of[KIND] == WRITE_AFTER_READ);
  return text_keep(&text, arena);
}

/* ---- reading a name ---- */

bool cts_is_name(const char *word) {
  return !strncmp(word, PREFIX, sizeof PREFIX - 1);
}

struct name_reader {
  struct arena *arena;
  const struct source *source;
  uint32_t at;
  struct diags *diags;
};

static bool read_field(struct name_reader *r, enum field field, struct choice *c) {
  r->at += r->source->text[r->at] == '.';
  const char *text = r->source->text + r->at;
  const struct span span = {r->at, (uint32_t)strcspn(text, ".")};
  r->at += span.length;
  const char *const *words = WORDS[field], *word = arena_strndup(r->arena, text, span.length);
  unsigned count = 0;
  for (; words[count]; count++) {
    c->of[field] = count;
    if (!strcmp(words[count], word)) return true;
  }
  return diag_error(r->diags, r->source, span, "expected %s, found %s", text_list(r->arena, words, count, " or "),
                    *word ? arena_printf(r->arena, "'%s'%s", word, suggest_hint(r->arena, suggest(word, words)))
                    : r->source->text[r->at] ? "nothing"
                                             : "the end of the name");
}

static bool is_group(const struct source *source, const char *group) {
  return text_begins(source->text + sizeof PREFIX - 1, group);
}

/* What the CTS has in the same folder, and is not such a program. */
static const char *other_test(const struct source *source) {
  if (is_group(source, "shared.") || is_group(source, "padding."))
    return "this test is about where data are in memory, and not about its model";
  return is_group(source, "message_passing.permuted_index.")
             ? "the CTS has this test as a script of its own, not as a name"
             : NULL;
}

static bool read_choice(struct name_reader *r, struct choice *c) {
  const uint32_t size = (uint32_t)r->source->size;
  const struct span whole = {0, size};
  const char *other = other_test(r->source);
  if (other) diag_error(r->diags, r->source, whole, "%s", other);
  if (other || !read_field(r, KIND, c)) return false;
  for (const enum field *f = fields_of(c); *f != FIELDS; f++)
    if (!read_field(r, *f, c)) return false;
  const char *why = is_none(c);
  if (why)
    diag_error(r->diags, r->source, whole, "the CTS has no such test: %s", why);
  else if (r->at < size)
    diag_error(r->diags, r->source, (struct span){r->at, size - r->at}, "the name has ended here");
  return !why && r->at == size;
}

const struct source *cts_source(struct arena *arena, const char *name, struct diags *diags) {
  struct name_reader r = {arena, source_from_text(arena, name, name, strlen(name)), sizeof PREFIX - 2, diags};
  struct choice c = {0};
  if (!read_choice(&r, &c)) return NULL;
  const char *text = arena_printf(arena, "VULKAN %s\n\"Vulkan CTS\"\n%s", name, body_of(arena, &c));
  /* A name's last word is no file's ending, which would say what the text is. */
  return source_from_text(arena, arena_printf(arena, "%s.litmus", name), text, strlen(text));
}

/* ---- all names ---- */

struct listing {
  struct arena *arena, *scratch;
  const char *pattern;
  void (*take)(void *context, const char *name);
  void *context;
  VEC(const char *) bodies; /* that have been given */
};

static void offer(struct listing *l, const struct choice *c) {
  if (is_none(c)) return;
  const char *name = name_of(l->scratch, c);
  if (fnmatch(l->pattern, name, FNM_NOESCAPE) != 0) return;
  const char *body = body_of(l->scratch, c);
  if (text_index(body, l->bodies.at, l->bodies.count) >= 0) return;
  *vec_push(l->scratch, &l->bodies) = body;
  l->take(l->context, arena_strdup(l->arena, name));
}

/* All choices for the fields from `field` on. */
static void list_from(struct listing *l, struct choice *c, const enum field *field) {
  if (*field == FIELDS) {
    offer(l, c);
    return;
  }
  for (unsigned i = 0; WORDS[*field][i]; i++) {
    c->of[*field] = i;
    list_from(l, c, field + 1);
  }
  c->of[*field] = 0;
}

bool cts_each(struct arena *arena, const char *pattern, void (*take)(void *context, const char *name), void *context) {
  struct listing l = {.arena = arena, .scratch = arena_new(), .pattern = pattern, .take = take, .context = context};
  for (unsigned kind = 0; WORDS[KIND][kind]; kind++) {
    struct choice c = {.of[KIND] = kind};
    list_from(&l, &c, fields_of(&c));
  }
  bool any = l.bodies.count > 0;
  arena_free(l.scratch);
  return any;
}
