/* SPDX-License-Identifier: MIT */
/* Ablation of a compiler's code: instructions and bits of them are dropped, one at a time or
 * together, and the family's programs are explored again.
 */
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/compiled_parts.h"
#include "checker/verify/family_ablation.h"

static bool cancelled(const struct compiled_options *options) {
  return options->explore.cancel && *options->explore.cancel;
}

/* ---- changes ---- */

/* One change of one thread's code. */
struct change {
  unsigned thread, instr;
  unsigned bit;     /* loads, stores: dropped; 0: the instruction goes */
  const char *name; /* of the kind of change */
};

static const char *const AROUND[] = {
    [AMD_OP_GLOBAL_LOAD] = "load", [AMD_OP_GLOBAL_STORE] = "store", [AMD_OP_GLOBAL_RMW] = "rmw",
    [AMD_OP_GLOBAL_CAS] = "rmw",   [AMD_OP_DS_LOAD] = "lds",        [AMD_OP_DS_STORE] = "lds",
    [AMD_OP_DS_RMW] = "lds",       [AMD_OP_DS_CAS] = "lds",         [AMD_OP_DS_CAS_OLD] = "lds"};

/* The access before an instruction in the code; the access or barrier after it.  `-`:
 * none.  Stores of results are accesses: they read registers. */
static const char *neighbour(const struct amd_code *code, unsigned at, bool before) {
  for (unsigned i = at; before ? i-- > 0 : ++i < code->count;) {
    enum amd_op op = code->instrs[i].op;
    if (op < sizeof AROUND / sizeof *AROUND && AROUND[op]) return AROUND[op];
    if (!before && (op == AMD_OP_BARRIER || op == AMD_OP_SIGNAL)) return "barrier";
  }
  return "-";
}

/* `buffer_inv sc1 load store`, `s_waitcnt vmcnt store store`; by operation `load acq dev: s_waitcnt vmcnt`. */
static const char *name_change(struct arena *arena, const struct compiled_prepared *p, const struct amd_code *code,
                               unsigned at, const char *counter) {
  const struct amd_instr *instr = &code->instrs[at];
  bool by_operation = p->options->by_operation;
  struct text text;
  text_open(&text);
  if (by_operation) fprintf(text.out, "%s: ", compiled_operation_of_line(arena, instr->source_line));
  fputs(instr->name, text.out);
  for (unsigned b = 0; !by_operation && b < AMD_BITS; b++)
    if (instr->bits >> b & 1) fprintf(text.out, " %s%s", amd_bit_field(b), amd_bit_name(b));
  fprintf(text.out, "%s%s", *counter ? " " : "", counter);
  if (!by_operation) fprintf(text.out, " %s %s", neighbour(code, at, true), neighbour(code, at, false));
  return text_keep(&text, arena);
}

typedef VEC(struct change) changes;

/* The counter that s_waitcnt names first: `vmcnt(0) lgkmcnt(0)` is one wait, mostly for the former. */
static const char *first_counter(const struct amd_target *target, const struct amd_instr *instr) {
  if (strcmp(instr->name, "s_waitcnt") != 0) return "";
  for (unsigned c = 0; c < target->counter_count; c++)
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if ((target->counters[c].classes >> k & 1) && instr->wait[k] >= 0) return target->counters[c].name;
  return "";
}

static void add_changes(struct arena *arena, const struct compiled_prepared *p, const struct amd_code *code,
                        unsigned thread, unsigned at, changes *all) {
  const struct amd_target *target = p->setup->target;
  const struct amd_instr *instr = &code->instrs[at];
  struct change change = {.thread = thread, .instr = at};
  if (instr->op == AMD_OP_CACHE || instr->op == AMD_OP_WAIT) {
    change.name = name_change(arena, p, code, at, instr->op == AMD_OP_WAIT ? first_counter(target, instr) : "");
    *vec_push(arena, all) = change;
  }
  bool access = instr->op == AMD_OP_GLOBAL_LOAD || instr->op == AMD_OP_GLOBAL_STORE;
  for (unsigned b = 0; access && b < AMD_BITS; b++) {
    if (!(instr->bits >> b & 1)) continue;
    change.bit = 1u << b;
    change.name = arena_printf(arena, "%s bit %s%s", instr->op == AMD_OP_GLOBAL_LOAD ? "global_load" : "global_store",
                               amd_bit_field(b), amd_bit_name(b));
    if (p->options->by_operation)
      change.name = arena_printf(arena, "%s: %s", compiled_operation_of_line(arena, instr->source_line), change.name);
    *vec_push(arena, all) = change;
  }
}

static const struct amd_code *change_code(struct arena *arena, const struct amd_code *code,
                                          const struct change *change) {
  struct amd_code *copy = ARENA_NEW(arena, struct amd_code);
  *copy = *code;
  copy->instrs = ARENA_ARRAY(arena, struct amd_instr, code->count + 1);
  memcpy(copy->instrs, code->instrs, code->count * sizeof *copy->instrs);
  struct amd_instr *instr = &copy->instrs[change->instr];
  instr->bits &= ~change->bit;
  if (!change->bit && instr->op != AMD_OP_WAIT) instr->op = AMD_OP_NOTHING;
  for (unsigned k = 0; !change->bit && k < AMD_CLASSES; k++) instr->wait[k] = -1;
  return copy;
}

/* Does the wait wait for something?  Those for arguments, which are constants, wait for nothing. */
static bool waits(const struct amd_tree *tree, const struct amd_instr *instr) {
  for (unsigned i = 0; i < tree->count; i++)
    if (tree->nodes[i].instr == instr && tree->nodes[i].any) return true;
  return false;
}

static void try_change(const struct compiled_prepared *p, const struct compiled_judged *program,
                       const unsigned *kernels, const struct amd_code *const *codes, const struct amd_program *whole,
                       const struct change *change, struct explorer *explorer, struct ablation_block *block) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  unsigned count = program->test->program->thread_count;
  const struct amd_code **changed = ARENA_ARRAY(arena, const struct amd_code *, count);
  struct amd_program code;
  struct compiled_answer answer = {.taken = true};
  const struct amd_instr *instr = &codes[change->thread]->instrs[change->instr];
  if (instr->op == AMD_OP_WAIT && !waits(whole->threads[change->thread].tree, instr)) {
    arena_free(arena);
    return;
  }
  memcpy(changed, codes, count * sizeof *changed);
  changed[change->thread] = change_code(arena, codes[change->thread], change);
  if (amd_build_threads(arena, p->build, program->test->program, kernels, changed, &code, &diags)) {
    compiled_explore_code(p, program, &code, explorer, arena, &answer, &diags);
    ablation_note(block, change->name, answer.unsound, answer.hazard);
  }
  arena_free(arena);
}

/* A program in the compiler's code, and every change of it. */
struct emitted_program {
  const struct amd_code **codes; /* by thread */
  struct amd_program whole;
  changes all;
};

/* false: the machine does not take the code. */
static bool list_all(struct arena *arena, const struct compiled_prepared *p, size_t index, struct emitted_program *e) {
  const struct program *source = p->family->at[index].test->program;
  struct diags diags = diags_new(arena);
  *e = (struct emitted_program){.codes = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count)};
  for (unsigned t = 0; t < source->thread_count; t++) {
    e->codes[t] = amd_build_code(p->build, p->kernels[index][t], &diags);
    for (unsigned i = 0; i < e->codes[t]->count; i++) add_changes(arena, p, e->codes[t], t, i, &e->all);
  }
  return amd_build_program(arena, p->build, source, p->kernels[index], &e->whole, &diags);
}

static const struct family_program *ablate_program(const void *context, size_t index, struct explorer *explorer,
                                                   struct ablation_block *block) {
  const struct compiled_prepared *p = context;
  const struct compiled_judged *program = &p->family->at[index];
  struct arena *arena = arena_new();
  struct emitted_program e;
  if (list_all(arena, p, index, &e))
    for (size_t i = 0; i < e.all.count && !cancelled(p->options); i++)
      try_change(p, program, p->kernels[index], e.codes, &e.whole, &e.all.at[i], explorer, block);
  arena_free(arena);
  return program->from;
}

/* ---- what may go together ---- */

/* The code of a thread with all its changes of those kinds; their names are those that
 * they have in the code as it was. */
static const struct amd_code *code_together(const struct compiled_prepared *p, const struct ablation_kinds *kinds,
                                            struct arena *arena, const struct amd_code *code, unsigned thread) {
  changes all = {0};
  const struct amd_code *changed = code;
  for (unsigned i = 0; i < code->count; i++) add_changes(arena, p, code, thread, i, &all);
  for (size_t i = 0; i < all.count; i++)
    if (kinds->has(kinds->set, all.at[i].name)) changed = change_code(arena, changed, &all.at[i]);
  return changed;
}

static enum ablation_answer sound_without(const void *context, size_t index, const struct ablation_kinds *kinds,
                                          struct explorer *explorer) {
  const struct compiled_prepared *p = context;
  const struct compiled_judged *program = &p->family->at[index];
  const struct program *source = program->test->program;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count);
  struct amd_program code;
  struct compiled_answer answer = {.refused = true};
  for (unsigned i = 0; i < source->thread_count; i++)
    codes[i] = code_together(p, kinds, arena, amd_build_code(p->build, p->kernels[index][i], &diags), i);
  if (amd_build_threads(arena, p->build, source, p->kernels[index], codes, &code, &diags)) {
    compiled_explore_code(p, program, &code, explorer, arena, &answer, &diags);
    answer.refused = diags.count > 0;
  }
  arena_free(arena);
  return ablation_answer_of(&answer);
}

/* Which programs are changed: of those with a meaning every so-many-th, if sound as it is. */
struct choosing {
  struct compiled_prepared prepared;
  bool *meant, *sound; /* the model gives it a meaning; and it is sound as it is */
};

static void note_sound(void *context, size_t index, const struct compiled_answer *answer) {
  const struct choosing *c = context;
  c->meant[index] = compiled_has_meaning(&c->prepared.family->at[index]);
  c->sound[index] = compiled_is_sound(answer);
}

/* Does the machine do the same?  Waits for nothing, such as those for scalar
 * loads, and bits beside stronger ones change nothing when they go. */
static bool same_tree(const struct amd_tree *a, const struct amd_tree *b) {
  if (a->count != b->count) return false;
  for (unsigned i = 0; i < a->count; i++) {
    const struct amd_node *x = &a->nodes[i], *y = &b->nodes[i];
    if (x->kind != y->kind || x->must != y->must || x->caches != y->caches || x->passes != y->passes) return false;
  }
  return true;
}

static bool changes_something(const struct compiled_prepared *p, const struct program *source, const unsigned *kernels,
                              const struct amd_code *const *codes, const struct amd_program *whole,
                              const struct change *change) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct amd_code **changed = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count);
  struct amd_program code;
  memcpy(changed, codes, source->thread_count * sizeof *changed);
  changed[change->thread] = change_code(arena, codes[change->thread], change);
  bool does = amd_build_threads(arena, p->build, source, kernels, changed, &code, &diags) &&
              !same_tree(code.threads[change->thread].tree, whole->threads[change->thread].tree);
  arena_free(arena);
  return does;
}

static void list_changes(const void *context, size_t index, void (*name)(void *to, const char *change), void *to) {
  const struct compiled_prepared *p = context;
  const struct program *source = p->family->at[index].test->program;
  struct arena *arena = arena_new();
  struct emitted_program e;
  if (list_all(arena, p, index, &e))
    for (size_t i = 0; i < e.all.count; i++)
      if (changes_something(p, source, p->kernels[index], e.codes, &e.whole, &e.all.at[i])) name(to, e.all.at[i].name);
  arena_free(arena);
}

struct family_ablation *compiled_ablation(struct arena *arena, const struct compiled_family *family,
                                          const struct compiled_setup *setup, const struct compiled_options *options,
                                          unsigned every, struct diags *diags) {
  struct choosing *choosing = ARENA_NEW(arena, struct choosing);
  struct family_ablation *ablation = ARENA_NEW(arena, struct family_ablation);
  struct compiled_setup *past = ARENA_NEW(arena, struct compiled_setup);
  *past = *setup;
  past->build.past_hazards = true;
  *choosing = (struct choosing){{.family = family, .setup = past, .options = options},
                                ARENA_ARRAY(arena, bool, family->count + 1),
                                ARENA_ARRAY(arena, bool, family->count + 1)};
  if (!compiled_prepare(arena, &choosing->prepared, diags)) return NULL;
  compiled_explore_all(&choosing->prepared, note_sound, choosing);
  *ablation = (struct family_ablation){.context = &choosing->prepared,
                                       .list = list_changes,
                                       .change = ablate_program,
                                       .sound_without = sound_without,
                                       .cancel = options->explore.cancel,
                                       .workers = options->workers};
  ablation_choose(arena, ablation, choosing->meant, choosing->sound, family->count, every);
  return ablation;
}
