/* SPDX-License-Identifier: MIT */
/* Sweeps of compilers over families. */
#include "checker/verify/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/emitted.h"
#include "checker/verify/family_ablation.h"
#include "checker/verify/notation.h"

enum { BLOCK = 32 }; /* programs of one job */

struct judged {
  const struct family_program *from;
  struct litmus_test *test;
  bool undefined, undecided, local;
  struct outcomes allowed; /* of race-free programs */
};

struct compiled_family {
  struct arena *arena;
  struct judged *at;
  size_t count, race_free, undecided;
};

static size_t blocks(size_t count) {
  return (count + BLOCK - 1) / BLOCK;
}

static bool cancelled(const atomic_int *cancel) {
  return cancel && *cancel;
}

/* ---- operations by their lines ---- */

/* A source of empty lines, one for each operation that a program can have, so that what is
 * emitted for one has its line. Programs that share a thread still do. */
enum { KINDS = INSTR_BARRIER + 1, ORDERS = ORDER_SC + 1, SCOPES = SCOPE_SYS + 1, OPERATIONS = KINDS * ORDERS * SCOPES };

const char *compiled_operation_of_line(struct arena *arena, unsigned line) {
  static const char *const NAMES[KINDS] = {"load", "store", "rmw", "cas", "fence", "barrier"};
  if (!line || line > OPERATIONS) return "none";
  unsigned at = line - 1, scope = at % SCOPES, order = at / SCOPES % ORDERS;
  const char *scope_word = scope_name((enum scope)scope);
  return arena_printf(arena, "%s %s%s%s", NAMES[at / SCOPES / ORDERS], order_name((enum order)order),
                      *scope_word ? " " : "", scope_word);
}

static const struct source *line_source(struct arena *arena) {
  char *text = arena_array(arena, OPERATIONS + 1, 1);
  memset(text, '\n', OPERATIONS);
  return source_from_text(arena, "(generated)", text, OPERATIONS);
}

static void mark_operations(struct program *program, const struct source *source) {
  program->source = source;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      struct instr *instr = &program->threads[t].instrs[i];
      if (instr->kind > INSTR_BARRIER) continue;
      instr->span.at = ((uint32_t)instr->kind * ORDERS + instr->order) * SCOPES + instr->scope;
      instr->span.length = 0;
    }
}

/* ---- the model ---- */

struct judging {
  struct compiled_family *family;
  const struct cat_model *model;
  const struct compiled_options *options;
};

/* What is kept of a verdict: allowed outcomes, in an arena of their own. */
static void judge_one(const struct judging *j, struct judged *p, struct arena *kept) {
  struct arena *arena = arena_new();
  const struct verdict *v = verdict_run(arena, p->test, j->model, &j->options->model, NULL);
  p->undefined = v->bad > 0 || v->stats.undefined || v->stats.cut_raised;
  p->undecided = !p->undefined && (v->end != END_DONE || v->stats.cut);
  if (!p->undefined && !p->undecided) {
    outcomes_open(&p->allowed, kept, p->test->observable_count);
    for (size_t i = 0; i < v->states.count; i++) outcomes_add(&p->allowed, v->states.at[i].values)->count++;
    outcomes_sort(&p->allowed);
  }
  arena_free(arena);
}

static void *judge_block(void *context, size_t block) {
  const struct judging *j = context;
  struct arena *kept = arena_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < j->family->count; i++) {
    if (cancelled(j->options->model.cancel))
      j->family->at[i].undecided = true;
    else
      judge_one(j, &j->family->at[i], kept);
  }
  return kept;
}

/* Outcomes move to the family's arena in order, so that memory is one piece. */
static bool keep_block(void *context, size_t block, void *result) {
  const struct judging *j = context;
  struct compiled_family *family = j->family;
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < family->count; i++) {
    struct judged *p = &family->at[i];
    family->undecided += p->undecided;
    if (p->undefined || p->undecided) continue;
    struct outcomes from = p->allowed;
    outcomes_open(&p->allowed, family->arena, from.width);
    for (size_t k = 0; k < from.count; k++) outcomes_add(&p->allowed, from.at[k].values)->count++;
    outcomes_sort(&p->allowed);
    family->race_free++;
  }
  arena_free(result);
  return true;
}

static void drop_block(void *context, void *result) {
  (void)context;
  arena_free(result);
}

struct compiled_family *compiled_family_open(struct arena *arena, const struct family *family,
                                             const struct compiled_options *options) {
  struct compiled_family *all = ARENA_NEW(arena, struct compiled_family);
  *all = (struct compiled_family){.arena = arena, .at = ARENA_ARRAY(arena, struct judged, family->count + 1)};
  const struct source *source = options->by_operation ? line_source(arena) : NULL;
  for (size_t i = 0; i < family->count; i++) {
    const char *at;
    struct judged *p = &all->at[all->count];
    p->from = &family->at[i];
    p->test = notation_test(arena, p->from->text, p->from->groups, &at);
    if (!p->test) continue;
    if (source) mark_operations(p->test->program, source);
    for (unsigned x = 0; x < p->test->program->location_count; x++)
      p->local |= p->test->program->locations[x].region == REGION_LOCAL;
    all->count++;
  }
  return all;
}

enum compiled_said compiled_family_judge(struct compiled_family *family, size_t index, const struct cat_model *model,
                                         const struct compiled_options *options, struct arena *kept) {
  struct judging judging = {family, model, options};
  struct judged *p = &family->at[index];
  judge_one(&judging, p, kept);
  return p->undefined ? COMPILED_UNDEFINED : p->undecided ? COMPILED_UNDECIDED : COMPILED_DEFINED;
}

struct compiled_family *compiled_family_new(struct arena *arena, const struct family *family,
                                            const struct cat_model *model, const struct compiled_options *options) {
  struct compiled_family *all = compiled_family_open(arena, family, options);
  struct judging judging = {all, model, options};
  struct pool_jobs jobs = {&judging, judge_block, keep_block, drop_block};
  pool_run(blocks(all->count), options->workers, &jobs);
  return all;
}

const struct family_program *compiled_family_program(const struct compiled_family *family, size_t index) {
  return family->at[index].from;
}

size_t compiled_family_count(const struct compiled_family *family) {
  return family->count;
}

bool compiled_family_at(const struct compiled_family *family, size_t index, struct family_judged *judged) {
  const struct judged *p = &family->at[index];
  *judged = (struct family_judged){p->from, p->test, &p->allowed};
  return !p->undefined && !p->undecided;
}

void compiled_result_open(const struct compiled_family *family, struct compiled_result *result) {
  *result = (struct compiled_result){.programs = family->count, .model_undecided = family->undecided};
}

/* ---- compiling ---- */

struct prepared {
  const struct compiled_family *family;
  const struct compiled_setup *setup;
  const struct compiled_options *options;
  struct amd_build *build;
  unsigned (*kernels)[8]; /* by program of the family */
};

static bool has_meaning(const struct judged *program) {
  return !program->undefined && !program->undecided;
}

static bool takes_part(const struct prepared *p, size_t i) {
  const struct judged *program = &p->family->at[i];
  if (!has_meaning(program)) return false;
  return !program->local || p->setup->target->mode->local;
}

/* All code is read before workers share it. */
static bool prepare(struct arena *arena, struct prepared *p, struct diags *diags) {
  p->build = amd_build_new(arena, p->setup->target, &p->setup->llc, &p->setup->build, diags);
  p->kernels = arena_array(arena, p->family->count + 1, sizeof *p->kernels);
  for (size_t i = 0; p->build && i < p->family->count; i++)
    if (takes_part(p, i) && !amd_build_add(p->build, p->family->at[i].test->program, p->kernels[i], diags))
      return false;
  return p->build && amd_build_run_each(p->build, diags);
}

/* ---- exploring ---- */

struct answer {
  bool taken, unsound, hazard, deadlock, undecided;
  const char *refused; /* the message; in the block's arena */
  uint64_t states;
};

static void explore_code(const struct prepared *p, const struct judged *program, const struct amd_program *code,
                         struct explorer *explorer, struct arena *arena, struct answer *answer, struct diags *diags) {
  const struct litmus_test *test = program->test;
  unsigned width = test->observable_count;
  struct machine machine;
  struct exploration found;
  if (!amd_machine(arena, code, &p->setup->knobs, amd_observables(arena, test->program, test->observables, width),
                   width, &machine, diags))
    return;
  explore(explorer, &machine, &p->options->explore, &found);
  answer->states = found.stats.states;
  answer->deadlock = found.stats.deadlocks > 0;
  answer->undecided = found.end != EXPLORE_DONE;
  for (size_t i = 0; i < found.outcome_count; i++) {
    const int64_t *values = found.outcomes[i].values;
    if (values[width]) answer->hazard = true;
    if (values[width] >= 0 && !outcomes_find(&program->allowed, values)) answer->unsound = true;
  }
}

/* ---- in parts ---- */

static bool ask_emitted(void *context, size_t index, struct explorer *explorer, struct arena *arena,
                        struct emitted_answer *to) {
  const struct prepared *p = context;
  const struct judged *program = &p->family->at[index];
  struct diags diags = diags_new(arena);
  struct answer answer = {.taken = true};
  struct amd_program code;
  if (!takes_part(p, index)) return false;
  if (amd_build_program(arena, p->build, program->test->program, p->kernels[index], &code, &diags))
    explore_code(p, program, &code, explorer, arena, &answer, &diags);
  *to = (struct emitted_answer){.unsound = answer.unsound,
                                .hazard = answer.hazard,
                                .deadlock = answer.deadlock,
                                .undecided = answer.undecided,
                                .is_refused = diags.count > 0,
                                .refused = diags.count ? diags.at[0].message : NULL,
                                .states = answer.states};
  return true;
}

static unsigned emitted_threads(void *context, size_t index, struct arena *arena, unsigned *numbers) {
  const struct prepared *p = context;
  unsigned count = p->family->at[index].test->program->thread_count;
  (void)arena;
  memcpy(numbers, p->kernels[index], count * sizeof *numbers);
  return count;
}

bool compiled_emitted(struct arena *arena, const struct compiled_family *family, const struct compiled_setup *setup,
                      const struct compiled_options *options, struct emitted *emitted, struct diags *diags) {
  struct prepared *p = ARENA_NEW(arena, struct prepared);
  *p = (struct prepared){.family = family, .setup = setup, .options = options};
  *emitted = (struct emitted){p, ask_emitted, emitted_threads};
  return prepare(arena, p, diags);
}

/* ---- all at once ---- */

struct block_result {
  struct answer at[BLOCK];
  struct arena *arena; /* of messages */
};

static void *explore_block(void *context, size_t block) {
  const struct prepared *p = context;
  struct block_result *result = calloc(1, sizeof *result);
  if (!result) arena_out_of_memory();
  result->arena = arena_new();
  struct explorer *explorer = explorer_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < p->family->count; i++) {
    struct answer *answer = &result->at[i - block * BLOCK];
    const struct judged *program = &p->family->at[i];
    struct arena *arena = arena_new();
    struct amd_program code;
    if (!takes_part(p, i)) {
      arena_free(arena);
      continue;
    }
    struct diags diags = diags_new(arena);
    answer->taken = true;
    if (cancelled(p->options->explore.cancel))
      answer->undecided = true;
    else if (amd_build_program(arena, p->build, program->test->program, p->kernels[i], &code, &diags))
      explore_code(p, program, &code, explorer, arena, answer, &diags);
    if (diags.count) answer->refused = arena_strdup(result->arena, diags.at[0].message);
    arena_free(arena);
  }
  explorer_free(explorer);
  return result;
}

static struct compiled_kind_count *kind_of(struct compiled_result *result, const char *kind) {
  for (unsigned i = 0; i < result->kind_count; i++) {
    const char *known = result->kinds[i].kind;
    if (known == kind || (known && kind && !strcmp(known, kind))) return &result->kinds[i];
  }
  if (result->kind_count == COMPILED_KINDS) return &result->kinds[COMPILED_KINDS - 1];
  result->kinds[result->kind_count] = (struct compiled_kind_count){.kind = kind};
  return &result->kinds[result->kind_count++];
}

void compiled_count_unsound(struct compiled_result *result, const struct family_program *program) {
  struct compiled_kind_count *kind = kind_of(result, program->kind);
  result->unsound++;
  kind->unsound++;
  if (!kind->smallest || family_compare(program, kind->smallest) < 0) kind->smallest = program;
}

/* Messages that are alike up to their end are one. */
void compiled_count_refused(struct compiled_result *result, const struct family_program *program, const char *message) {
  struct compiled_refusal *refusal = result->refusals, *end = refusal + result->refusal_count;
  result->refused++;
  while (refusal < end && strncmp(refusal->message, message, REFUSAL_TEXT - 1) != 0) refusal++;
  if (refusal == result->refusals + COMPILED_REFUSALS) return;
  if (refusal == end) {
    result->refusal_count++;
    snprintf(refusal->message, sizeof refusal->message, "%s", message);
  }
  refusal->count++;
  if (!refusal->smallest || family_compare(program, refusal->smallest) < 0) refusal->smallest = program;
}

struct summing {
  struct prepared prepared; /* first: workers get it */
  struct compiled_result *result;
};

static bool sum_block(void *context, size_t block, void *done) {
  struct summing *s = context;
  struct block_result *part = done;
  struct compiled_result *result = s->result;
  for (size_t i = 0; i < BLOCK && block * BLOCK + i < s->prepared.family->count; i++) {
    const struct answer *answer = &part->at[i];
    result->race_free += answer->taken;
    result->states += answer->states;
    result->hazards += answer->hazard;
    result->deadlocks += answer->deadlock;
    result->undecided += answer->undecided && !answer->unsound;
    const struct family_program *from = s->prepared.family->at[block * BLOCK + i].from;
    if (answer->unsound) compiled_count_unsound(result, from);
    if (answer->refused) compiled_count_refused(result, from, answer->refused);
  }
  arena_free(part->arena);
  free(part);
  return true;
}

static void drop_part(void *context, void *from) {
  struct block_result *part = from;
  (void)context;
  arena_free(part->arena);
  free(part);
}

bool compiled_sweep(const struct compiled_family *family, const struct compiled_setup *setup,
                    const struct compiled_options *options, struct compiled_result *result, struct diags *diags) {
  struct arena *arena = arena_new();
  struct diags own = diags_new(arena);
  double start = monotonic_seconds();
  compiled_result_open(family, result);
  struct summing s = {{.family = family, .setup = setup, .options = options}, result};
  bool good = prepare(arena, &s.prepared, &own);
  result->compile_seconds = monotonic_seconds() - start;
  if (good) {
    struct pool_jobs jobs = {&s, explore_block, sum_block, drop_part};
    result->kernels = llc_batch_count(amd_build_batch(s.prepared.build));
    good = pool_run(blocks(family->count), options->workers, &jobs);
  }
  for (size_t i = 0; i < own.count; i++) diag_error(diags, NULL, (struct span){0, 0}, "%s", own.at[i].message);
  result->seconds = monotonic_seconds() - start;
  result->stopped = cancelled(options->explore.cancel);
  arena_free(arena);
  return good;
}

/* ---- ablation ---- */

/* One change of one thread's code. */
struct change {
  unsigned thread, instr;
  unsigned bit;     /* loads, stores: dropped; 0: the instruction goes */
  const char *name; /* of the kind of change */
};

static const char *const AROUND[] = {"load", "store", "rmw", "rmw", "lds", "lds", "lds", "lds", "lds"};

/* The access before an instruction in the code; the access or barrier after it.  `-`:
 * none.  Stores of results are accesses: they read registers. */
static const char *neighbour(const struct amd_code *code, unsigned at, bool before) {
  for (unsigned i = at; before ? i-- > 0 : ++i < code->count;) {
    enum amd_op op = code->instrs[i].op;
    if (op >= AMD_OP_GLOBAL_LOAD && op <= AMD_OP_DS_CAS_OLD) return AROUND[op - AMD_OP_GLOBAL_LOAD];
    if (!before && (op == AMD_OP_BARRIER || op == AMD_OP_SIGNAL)) return "barrier";
  }
  return "-";
}

/* `buffer_inv sc1 load store`, `s_waitcnt vmcnt store store`; by operation `load acq dev: s_waitcnt vmcnt`. */
static const char *name_change(struct arena *arena, const struct prepared *p, const struct amd_code *code, unsigned at,
                               const char *counter) {
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

static void add_changes(struct arena *arena, const struct prepared *p, const struct amd_code *code, unsigned thread,
                        unsigned at, changes *all) {
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

static void try_change(const struct prepared *p, const struct judged *program, const unsigned *kernels,
                       const struct amd_code *const *codes, const struct amd_program *whole,
                       const struct change *change, struct explorer *explorer, struct ablation_block *block) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  unsigned count = program->test->program->thread_count;
  const struct amd_code **changed = ARENA_ARRAY(arena, const struct amd_code *, count);
  struct amd_program code;
  struct answer answer = {.taken = true};
  const struct amd_instr *instr = &codes[change->thread]->instrs[change->instr];
  if (instr->op == AMD_OP_WAIT && !waits(whole->threads[change->thread].tree, instr)) {
    arena_free(arena);
    return;
  }
  memcpy(changed, codes, count * sizeof *changed);
  changed[change->thread] = change_code(arena, codes[change->thread], change);
  if (amd_build_threads(arena, p->build, program->test->program, kernels, changed, &code, &diags)) {
    explore_code(p, program, &code, explorer, arena, &answer, &diags);
    ablation_note(block, change->name, answer.unsound, answer.hazard);
  }
  arena_free(arena);
}

static const struct family_program *ablate_program(const void *context, size_t index, struct explorer *explorer,
                                                   struct ablation_block *block) {
  const struct prepared *p = context;
  const struct judged *program = &p->family->at[index];
  const unsigned *kernels = p->kernels[index];
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct program *source = program->test->program;
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count);
  struct amd_program whole;
  changes all = {0};
  for (unsigned t = 0; t < source->thread_count; t++) {
    codes[t] = amd_build_code(p->build, kernels[t], &diags);
    for (unsigned i = 0; i < codes[t]->count; i++) add_changes(arena, p, codes[t], t, i, &all);
  }
  if (amd_build_program(arena, p->build, source, kernels, &whole, &diags))
    for (size_t i = 0; i < all.count && !cancelled(p->options->explore.cancel); i++)
      try_change(p, program, kernels, codes, &whole, &all.at[i], explorer, block);
  arena_free(arena);
  return program->from;
}

/* ---- what may go together ---- */

/* The code of a thread with all its changes of those kinds; their names are those that
 * they have in the code as it was. */
static const struct amd_code *code_together(const struct prepared *p, const struct ablation_kinds *kinds,
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
  const struct prepared *p = context;
  const struct judged *program = &p->family->at[index];
  const struct program *source = program->test->program;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count);
  struct amd_program code;
  struct answer answer = {.refused = ""};
  for (unsigned i = 0; i < source->thread_count; i++)
    codes[i] = code_together(p, kinds, arena, amd_build_code(p->build, p->kernels[index][i], &diags), i);
  if (amd_build_threads(arena, p->build, source, p->kernels[index], codes, &code, &diags)) {
    answer.refused = NULL;
    explore_code(p, program, &code, explorer, arena, &answer, &diags);
  }
  arena_free(arena);
  if (answer.refused || diags.count) return ABLATION_REFUSED;
  return answer.unsound || answer.hazard || answer.deadlock ? ABLATION_UNSOUND
         : answer.undecided                                 ? ABLATION_UNDECIDED
                                                            : ABLATION_SOUND;
}

/* Which programs are changed: of those with a meaning every so-many-th, if sound as it is. */
struct choosing {
  struct prepared prepared;
  bool *meant, *sound; /* the model gives it a meaning; and it is sound as it is */
};

static bool note_sound(void *context, size_t block, void *from) {
  struct choosing *c = context;
  struct block_result *part = from;
  for (size_t i = 0; i < BLOCK && block * BLOCK + i < c->prepared.family->count; i++) {
    const struct answer *answer = &part->at[i];
    c->meant[block * BLOCK + i] = has_meaning(&c->prepared.family->at[block * BLOCK + i]);
    c->sound[block * BLOCK + i] =
        answer->taken && !answer->refused && !answer->unsound && !answer->hazard && !answer->undecided;
  }
  arena_free(part->arena);
  free(part);
  return true;
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

static bool changes_something(const struct prepared *p, const struct program *source, const unsigned *kernels,
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
  const struct prepared *p = context;
  const struct program *source = p->family->at[index].test->program;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source->thread_count);
  struct amd_program whole;
  changes all = {0};
  for (unsigned t = 0; t < source->thread_count; t++) {
    codes[t] = amd_build_code(p->build, p->kernels[index][t], &diags);
    for (unsigned i = 0; i < codes[t]->count; i++) add_changes(arena, p, codes[t], t, i, &all);
  }
  if (amd_build_program(arena, p->build, source, p->kernels[index], &whole, &diags))
    for (size_t i = 0; i < all.count; i++)
      if (changes_something(p, source, p->kernels[index], codes, &whole, &all.at[i])) name(to, all.at[i].name);
  arena_free(arena);
}

struct family_ablation *compiled_ablation(struct arena *arena, const struct compiled_family *family,
                                          const struct compiled_setup *setup, const struct compiled_options *options,
                                          unsigned every, struct diags *diags) {
  struct choosing *choosing = ARENA_NEW(arena, struct choosing);
  struct family_ablation *ablation = ARENA_NEW(arena, struct family_ablation);
  *choosing = (struct choosing){{.family = family, .setup = setup, .options = options},
                                ARENA_ARRAY(arena, bool, family->count + 1),
                                ARENA_ARRAY(arena, bool, family->count + 1)};
  if (!prepare(arena, &choosing->prepared, diags)) return NULL;
  struct pool_jobs explore_jobs = {choosing, explore_block, note_sound, drop_part};
  pool_run(blocks(family->count), options->workers, &explore_jobs);
  *ablation = (struct family_ablation){.context = &choosing->prepared,
                                       .list = list_changes,
                                       .change = ablate_program,
                                       .sound_without = sound_without,
                                       .cancel = options->explore.cancel,
                                       .workers = options->workers};
  ablation_choose(arena, ablation, choosing->meant, choosing->sound, family->count, every);
  return ablation;
}

bool compiled_ablate(struct arena *arena, const struct compiled_family *family, const struct compiled_setup *setup,
                     const struct compiled_options *options, unsigned every, struct compiled_ablations *result,
                     struct diags *diags) {
  *result = (struct compiled_ablations){0};
  struct compiled_setup *past = ARENA_NEW(arena, struct compiled_setup);
  *past = *setup;
  past->build.past_hazards = true;
  const struct family_ablation *ablation = compiled_ablation(arena, family, past, options, every, diags);
  if (!ablation) return false;
  ablation_run(arena, ablation, result);
  result->stopped = cancelled(options->explore.cancel);
  return true;
}
