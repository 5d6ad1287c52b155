/* SPDX-License-Identifier: MIT */
/* The places of a kernel and their forms; see kernel_repair_moves.h. */
#include "checker/litmus/kernel_repair_moves.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"

struct finding {
  struct kernel_text text;
  struct arena *arena;
  const struct litmus_options *options;
  unsigned memory; /* kinds that the kernel has, as in enum spirv_memory */
  bool source, several_groups, glsl450;
  VEC(struct place) places;
  bool some_fixed;
  uint32_t fixed; /* as in struct places */
};

/* ---- strength ---- */

enum {
  TAG_MADE_AVAILABLE = 1,
  TAG_MADE_VISIBLE = 2,
  TAG_SHARED = 4,
  TAG_MAKES_AVAILABLE = 8,
  TAG_MAKES_VISIBLE = 16,
  ACCESS_TAGS = TAG_MADE_AVAILABLE | TAG_MADE_VISIBLE | TAG_SHARED
};

static struct form_strength strength_of(const struct finding *f, const struct spirv_operation *op,
                                        const struct spirv_change *change) {
  const struct spirv_words *words = &change->words;
  bool plain = (op->kind == SPIRV_PLAIN_LOAD || op->kind == SPIRV_PLAIN_STORE) && change->kind == CHANGE_WORDS;
  bool fence = op->kind == SPIRV_FENCE || op->kind == SPIRV_BARRIER || change_inserts(change->kind);
  struct form_strength s = {.scope = words->scope,
                            .kind = change->kind == CHANGE_BARRIER  ? STRENGTH_WAITS
                                    : change->kind == CHANGE_UPDATE ? STRENGTH_UPDATE
                                                                    : STRENGTH_PLAIN};
  if (change->kind == CHANGE_REMOVE) return s;
  s.parts = strength_parts(plain ? ORDER_NA : words->order, op->kind == SPIRV_CAS ? words->failure : ORDER_NA);
  if (plain) {
    s.tags = (words->available ? TAG_MADE_AVAILABLE : 0u) | (words->visible ? TAG_MADE_VISIBLE : 0u) |
             (words->shared ? TAG_SHARED : 0u);
    return s;
  }
  unsigned bits = spirv_semantics(words, words->order);
  if (op->kind == SPIRV_CAS) bits |= spirv_semantics(words, words->failure);
  if (!fence) s.tags = ACCESS_TAGS;
  if (bits & 0x2000) s.tags |= TAG_MAKES_AVAILABLE;
  if (bits & 0x4000) s.tags |= TAG_MAKES_VISIBLE;
  if (fence || f->text.vulkan) s.regions = bits & (SPIRV_BUFFERS | SPIRV_LOCAL | SPIRV_GLOBAL);
  /* A barrier that orders nothing has no scope either. */
  if (op->kind == SPIRV_BARRIER && words->order == ORDER_RLX) s.scope = SCOPE_NONE;
  return s;
}

/* ---- forms ---- */

static void add_form(struct finding *f, struct place *place, const struct spirv_operation *op,
                     const struct spirv_change *change) {
  struct form form;
  struct form_strength strength = strength_of(f, op, change);
  for (size_t i = 0; i < place->form_count; i++)
    if (strength_equal(&place->forms[i].strength, &strength)) return;
  if (!(f->source ? kernel_edit_source : kernel_edit_module)(&f->text, op, change, &form)) return;
  struct spirv_change *kept = ARENA_COPY(f->arena, struct spirv_change, change, 1);
  form.change = kept;
  form.strength = strength;
  if (change->kind == CHANGE_UPDATE) form.covers = op->loads;
  struct form *forms = ARENA_ARRAY(f->arena, struct form, place->form_count + 1);
  if (place->form_count) memcpy(forms, place->forms, place->form_count * sizeof *forms);
  forms[place->form_count++] = form;
  place->forms = forms;
}

/* What a model of this kind lets an operation say. */
static bool has_order(bool vulkan, enum spirv_kind kind, enum order order) {
  if (order == ORDER_SC && vulkan) return false;
  switch (kind) {
    case SPIRV_LOAD:
    case SPIRV_PLAIN_LOAD:
      return order == ORDER_RLX || order == ORDER_ACQ || order == ORDER_SC;
    case SPIRV_STORE:
    case SPIRV_PLAIN_STORE:
      return order == ORDER_RLX || order == ORDER_REL || order == ORDER_SC;
    case SPIRV_FENCE:
      return order != ORDER_RLX;
    case SPIRV_BARRIER:
      return vulkan || order == ORDER_RLX || order == ORDER_SC;
    case SPIRV_RMW:
    case SPIRV_CAS:
      return true;
    case SPIRV_BRANCH:
      break;
  }
  return false;
}

static const enum order orders[] = {ORDER_RLX, ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL, ORDER_SC};
static const enum scope scopes[] = {SCOPE_SG, SCOPE_WG, SCOPE_DEV};
enum { ORDERS = 5, SCOPES = 3 };

/* Vulkan: with and without availability and visibility. */
static void add_makes(struct finding *f, struct place *place, const struct spirv_operation *op,
                      struct spirv_change change) {
  enum order order = change.words.order;
  change.words.available = change.words.visible = false;
  add_form(f, place, op, &change);
  if (!f->text.vulkan || f->glsl450 || order == ORDER_RLX) return;
  for (unsigned makes = 1; makes < 4; makes++) {
    change.words.available = makes & 1;
    change.words.visible = makes & 2;
    if ((change.words.available && !order_releases(order)) || (change.words.visible && !order_acquires(order)))
      continue;
    add_form(f, place, op, &change);
  }
}

/* A failing compare-and-swap reads: with no more than what it has when it succeeds. */
static void add_failures(struct finding *f, struct place *place, const struct spirv_operation *op,
                         struct spirv_change change) {
  enum order order = change.words.order;
  change.words.failure = ORDER_RLX;
  add_makes(f, place, op, change);
  change.words.failure = ORDER_ACQ;
  if (order_acquires(order)) add_makes(f, place, op, change);
  change.words.failure = ORDER_SC;
  if (order == ORDER_SC) add_makes(f, place, op, change);
}

/* The memory that a fence may be about: each kind that there is, and all; an atomic operation of OpenCL says none. */
static unsigned memories(const struct finding *f, const struct spirv_operation *op, bool inserted, unsigned sets[3]) {
  bool fence = inserted || op->kind == SPIRV_FENCE || op->kind == SPIRV_BARRIER;
  unsigned count = 0, all = f->memory | (inserted ? 0 : op->words.memory);
  sets[count++] = fence || f->text.vulkan ? all : op->words.memory;
  if (!fence || !(f->memory & SPIRV_LOCAL) || f->memory == SPIRV_LOCAL) return count;
  sets[count++] = SPIRV_LOCAL;
  sets[count++] = f->memory & ~(unsigned)SPIRV_LOCAL;
  return count;
}

/* All orders, scopes and kinds of memory. */
static void add_words(struct finding *f, struct place *place, const struct spirv_operation *op,
                      enum spirv_change_kind kind) {
  unsigned sets[3], count = memories(f, op, change_inserts(kind), sets);
  static const enum spirv_kind kinds[] = {
      [CHANGE_FENCE] = SPIRV_FENCE, [CHANGE_BARRIER] = SPIRV_BARRIER, [CHANGE_UPDATE] = SPIRV_RMW};
  enum spirv_kind as = kind == CHANGE_UPDATE || change_inserts(kind) ? kinds[kind] : op->kind;
  for (unsigned o = 0; o < ORDERS; o++)
    for (unsigned s = 0; s < SCOPES; s++)
      for (unsigned m = 0; m < count && has_order(f->text.vulkan, as, orders[o]); m++) {
        struct spirv_words words = {.order = orders[o], .scope = scopes[s], .memory = sets[m]};
        if (scopes[s] == SCOPE_SG && op->words.scope != SCOPE_SG) continue;
        if (scopes[s] == SCOPE_DEV && !f->several_groups && op->words.scope < SCOPE_DEV) continue;
        const struct spirv_change change = {op->inst, kind, words};
        if (as == SPIRV_CAS)
          add_failures(f, place, op, change);
        else
          add_makes(f, place, op, change);
      }
}

/* Vulkan's ordinary accesses: private, shared, available or visible. */
static void add_access(struct finding *f, struct place *place, const struct spirv_operation *op) {
  bool load = op->kind == SPIRV_PLAIN_LOAD;
  struct spirv_change change = {.inst = op->inst, .kind = CHANGE_WORDS};
  add_form(f, place, op, &change);
  change.words.shared = true;
  add_form(f, place, op, &change);
  change.words.visible = load;
  change.words.available = !load;
  for (unsigned s = 0; s < SCOPES; s++) {
    change.words.scope = scopes[s];
    if (scopes[s] == SCOPE_WG || (scopes[s] == SCOPE_DEV && f->several_groups)) add_form(f, place, op, &change);
  }
}

/* ---- places ---- */

/* The source has no text of its own for the operation, or for a statement before it. */
static void note_fixed(struct finding *f, const struct spirv_operation *op) {
  if (!f->source || !op->span.length || (f->some_fixed && f->fixed <= op->span.at)) return;
  f->some_fixed = true;
  f->fixed = op->span.at;
}

static void start_place(struct finding *f, struct place *place, const struct spirv_operation *op) {
  const struct spirv_change same = {op->inst, CHANGE_WORDS, op->words};
  struct form first = {.text = "", .strength = strength_of(f, op, &same)};
  const char *words = f->source ? kernel_source_words(&f->text, op) : NULL;
  struct form shown;
  if (words)
    first.text = words;
  else if (!f->source && kernel_edit_module(&f->text, op, &same, &shown))
    first.text = shown.text;
  struct form *forms = ARENA_COPY(f->arena, struct form, &first, 1);
  *place = (struct place){.at = op->span.at, .operation = 1 + op->inst, .forms = forms, .form_count = 1};
}

static bool is_plain(const struct spirv_operation *op) {
  return op->kind == SPIRV_PLAIN_LOAD || op->kind == SPIRV_PLAIN_STORE;
}

static void find_operation(struct finding *f, const struct spirv_operation *op) {
  struct place place;
  start_place(f, &place, op);
  if (!is_plain(op)) {
    add_words(f, &place, op, CHANGE_WORDS);
  } else {
    if (f->text.vulkan && !f->source && !f->glsl450) add_access(f, &place, op);
    if (op->may_be_atomic) add_words(f, &place, op, CHANGE_ATOMIC);
    if (op->may_be_atomic && op->loads) add_words(f, &place, op, CHANGE_UPDATE);
  }
  if (op->kind == SPIRV_FENCE || op->kind == SPIRV_BARRIER)
    add_form(f, &place, op, &(struct spirv_change){.inst = op->inst, .kind = CHANGE_REMOVE});
  if (place.form_count > 1)
    *vec_push(f->arena, &f->places) = place;
  else if (!is_plain(op) || op->may_be_atomic)
    note_fixed(f, op);
}

/* Is the operation in a loop that only a run ends?  What is put in there is passed in every round, and how many there
 * are is not known: after the loop it does the same. */
static bool is_repeated(const struct program *program, const struct spirv_operation *op) {
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    for (unsigned i = 0, first = thread->instr_count; i < thread->instr_count; i++) {
      const struct instr *instr = &thread->instrs[i];
      if (instr->span.at == op->span.at && i < first) first = i;
      if (instr_jumps(instr) && instr->target <= first && first < i) return true;
    }
  }
  return false;
}

/* Before an operation, where a fence or a barrier may stand. */
static void find_point(struct finding *f, const struct spirv_operation *op) {
  struct form *forms = ARENA_NEW(f->arena, struct form);
  struct place place = {.at = op->span.at, .inserted = true, .forms = forms, .form_count = 1};
  forms->text = "";
  add_words(f, &place, op, CHANGE_FENCE);
  if (op->kind != SPIRV_BARRIER) add_words(f, &place, op, CHANGE_BARRIER);
  if (place.form_count == 1) note_fixed(f, op);
  /* Several operations of a source's statement have one point. */
  for (size_t i = 0; place.form_count > 1 && i < f->places.count; i++) {
    const struct place *other = &f->places.at[i];
    if (other->inserted && other->forms[1].edits[0].span.at == place.forms[1].edits[0].span.at) return;
  }
  if (place.form_count > 1) *vec_push(f->arena, &f->places) = place;
}

static int compare_places(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return y->inserted - x->inserted;
}

struct places kernel_moves_find(struct arena *arena, const struct litmus_test *test,
                                const struct litmus_options *options) {
  struct diags diags = diags_new(arena);
  const struct spirv_code *code = spirv_open(arena, test->source, &options->kernel, &diags);
  if (!code) return (struct places){0};
  bool glsl;
  struct finding f = {.text = {.arena = arena, .source = test->source, .code = code},
                      .arena = arena,
                      .options = options,
                      .source = spirv_is_source(test->source, &glsl),
                      .several_groups = test->program->wg_count > 1,
                      .glsl450 = spirv_is_glsl450(code)};
  if (f.source) f.text.plain = kernel_source_plain(arena, test->source->text);
  f.text.vulkan = test->language == LANG_VULKAN;
  unsigned count;
  const struct spirv_operation *ops = spirv_operations(arena, code, &count, &f.memory);
  /* A barrier for what a branch or a loop does stands before all of it.  Of GLSL only lines are known: what is on one
   * has a single point, that of what comes first, a branch or not. */
  for (unsigned i = 0; i < count; i++) {
    bool branch = ops[i].kind == SPIRV_BRANCH;
    if (branch ? f.source && f.text.vulkan : !is_repeated(test->program, &ops[i])) find_point(&f, &ops[i]);
    if (!branch) find_operation(&f, &ops[i]);
  }
  for (unsigned i = 0; f.source && !f.text.vulkan && i < count; i++)
    if (ops[i].kind == SPIRV_BRANCH) find_point(&f, &ops[i]);
  if (f.places.count) qsort(f.places.at, f.places.count, sizeof *f.places.at, compare_places);
  return (struct places){f.places.at, f.places.count, code, f.some_fixed, f.fixed};
}

const struct litmus_test *kernel_moves_read(struct arena *arena, const struct litmus_test *test,
                                            const struct places *places, const unsigned *choice,
                                            const struct litmus_options *options) {
  struct diags diags = diags_new(arena);
  VEC(struct spirv_change) changes = {0};
  for (size_t i = 0; i < places->count; i++) {
    const struct form *form = &places->at[i].forms[choice[i]];
    if (form->change && !moves_covered(places, choice, i)) *vec_push(arena, &changes) = *form->change;
  }
  struct spirv_changes all = {changes.at, (unsigned)changes.count};
  return litmus_of_kernel(arena, test->source, places->code, &all, options, &diags);
}
