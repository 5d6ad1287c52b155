/* SPDX-License-Identifier: MIT */
/* A compiler's code of a family's programs, and of these with instructions, or bits of them, dropped. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/target_code.h"

struct compiled_code {
  const struct target_code_family *family;
  struct compiled_setup setup;
  const struct compiled_options *options;
  struct amd_build *build;
  unsigned (*kernels)[8]; /* by program of the family */
};

/* One change of one thread's code. */
struct change {
  unsigned thread, instr;
  unsigned bit; /* loads, stores: dropped; 0: the instruction goes */
  const char *name;
};

typedef VEC(struct change) changes;

/* ---- names ---- */

static const char *const AROUND[] = {
    [AMD_OP_GLOBAL_LOAD] = "load", [AMD_OP_GLOBAL_STORE] = "store", [AMD_OP_GLOBAL_RMW] = "rmw",
    [AMD_OP_GLOBAL_CAS] = "rmw",   [AMD_OP_DS_LOAD] = "lds",        [AMD_OP_DS_STORE] = "lds",
    [AMD_OP_DS_RMW] = "lds",       [AMD_OP_DS_CAS] = "lds",         [AMD_OP_DS_CAS_OLD] = "lds"};

/* The access before an instruction in the code; the access or barrier after it.  `-`:
 * none.  Stores of results are accesses: they read registers. */
static const char *neighbour(const struct amd_code *code, unsigned at, bool before) {
  for (unsigned i = at; before ? i-- > 0 : ++i < code->count;) {
    enum amd_op op = code->instrs[i].op;
    if (op < ARRAY_COUNT(AROUND) && AROUND[op]) return AROUND[op];
    if (!before && (op == AMD_OP_BARRIER || op == AMD_OP_SIGNAL)) return "barrier";
  }
  return "-";
}

/* `buffer_inv sc1 load store`, `s_waitcnt vmcnt store store`; by operation `load acq dev: s_waitcnt vmcnt`. */
static const char *name_instruction(struct arena *arena, const struct amd_code *code, unsigned at, const char *counter,
                                    bool by_operation) {
  const struct amd_instr *instr = &code->instrs[at];
  struct text text = text_new();
  if (by_operation) fprintf(text.out, "%s: ", compiled_operation_of_line(arena, instr->source_line));
  fputs(instr->name, text.out);
  for (unsigned b = 0; !by_operation && b < AMD_BITS; b++)
    if (instr->bits >> b & 1) fprintf(text.out, " %s%s", amd_bit_field(b), amd_bit_name(b));
  fprintf(text.out, "%s%s", *counter ? " " : "", counter);
  if (!by_operation) fprintf(text.out, " %s %s", neighbour(code, at, true), neighbour(code, at, false));
  return text_keep(&text, arena);
}

/* The counter that s_waitcnt names first: `vmcnt(0) lgkmcnt(0)` is one wait, mostly for the former. */
static const char *first_counter(const struct amd_target *target, const struct amd_instr *instr) {
  if (strcmp(instr->name, "s_waitcnt") != 0) return "";
  for (unsigned c = 0; c < target->counter_count; c++)
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if ((target->counters[c].classes >> k & 1) && instr->wait[k] >= 0) return target->counters[c].name;
  return "";
}

static const char *name_bit(struct arena *arena, const struct amd_instr *instr, unsigned bit, bool by_operation) {
  const char *name =
      arena_printf(arena, "%s bit %s%s", instr->op == AMD_OP_GLOBAL_LOAD ? "global_load" : "global_store",
                   amd_bit_field(bit), amd_bit_name(bit));
  if (!by_operation) return name;
  return arena_printf(arena, "%s: %s", compiled_operation_of_line(arena, instr->source_line), name);
}

/* ---- changes ---- */

static void add_changes(struct arena *arena, const struct compiled_code *c, const struct amd_code *code,
                        unsigned thread, unsigned at, changes *all) {
  const struct amd_instr *instr = &code->instrs[at];
  bool by_operation = c->options->by_operation;
  struct change change = {.thread = thread, .instr = at};
  if (instr->op == AMD_OP_CACHE || instr->op == AMD_OP_WAIT) {
    const char *counter = instr->op == AMD_OP_WAIT ? first_counter(c->setup.target, instr) : "";
    change.name = name_instruction(arena, code, at, counter, by_operation);
    *vec_push(arena, all) = change;
  }
  bool access = instr->op == AMD_OP_GLOBAL_LOAD || instr->op == AMD_OP_GLOBAL_STORE;
  for (unsigned b = 0; access && b < AMD_BITS; b++) {
    if (!(instr->bits >> b & 1)) continue;
    change.bit = 1u << b;
    change.name = name_bit(arena, instr, b, by_operation);
    *vec_push(arena, all) = change;
  }
}

/* A program of the family. */
struct source_program {
  size_t index;
  const struct program *program;
};

/* A program's threads in the compiler's code, and every change of them; false: some thread has none. */
static bool read_code(struct arena *arena, const struct compiled_code *c, struct source_program source,
                      const struct amd_code **codes, changes *all, struct diags *diags) {
  for (unsigned t = 0; t < source.program->thread_count; t++) {
    codes[t] = amd_build_code(c->build, c->kernels[source.index][t], diags);
    for (unsigned i = 0; codes[t] && all && i < codes[t]->count; i++) add_changes(arena, c, codes[t], t, i, all);
    if (!codes[t]) return false;
  }
  return true;
}

static const struct amd_code *change_code(struct arena *arena, const struct amd_code *code,
                                          const struct change *change) {
  struct amd_code *copy = ARENA_COPY(arena, struct amd_code, code, 1);
  copy->instrs = ARENA_COPY(arena, struct amd_instr, code->instrs, code->count);
  struct amd_instr *instr = &copy->instrs[change->instr];
  instr->bits &= ~change->bit;
  if (!change->bit && instr->op != AMD_OP_WAIT) instr->op = AMD_OP_NOTHING;
  for (unsigned k = 0; !change->bit && k < AMD_CLASSES; k++) instr->wait[k] = -1;
  return copy;
}

static bool is_chosen(const struct target_code_choice *choice, size_t number, const char *kind) {
  return choice->has ? choice->has(choice->set, kind) : choice->number == number;
}

/* The code of a program with some changes, whose kinds are those that they have in the code as it was. */
static bool build(struct arena *arena, const struct compiled_code *c, struct source_program source,
                  const struct target_code_choice *choice, struct amd_program *code, struct diags *diags) {
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source.program->thread_count + 1);
  changes all = {0};
  if (!read_code(arena, c, source, codes, choice ? &all : NULL, diags)) return false;
  for (size_t i = 0; i < all.count; i++)
    if (is_chosen(choice, i, all.at[i].name))
      codes[all.at[i].thread] = change_code(arena, codes[all.at[i].thread], &all.at[i]);
  return amd_build_threads(arena, c->build, source.program, (struct amd_thread_codes){c->kernels[source.index], codes},
                           code, diags);
}

/* ---- compiling and exploring ---- */

static bool takes_part(const struct compiled_code *c, size_t index, struct family_judged *program) {
  if (!target_code_family_at(c->family, index, program)) return false;
  const struct program *source = program->test->program;
  bool local = false;
  for (unsigned x = 0; x < source->location_count; x++) local |= source->locations[x].region == REGION_LOCAL;
  return !local || c->setup.target->mode->local;
}

static void explore_code(const struct compiled_code *c, const struct family_judged *program, struct machine *machine,
                         struct explorer *explorer, struct compiled_answer *answer) {
  unsigned width = program->test->observable_count;
  struct exploration found;
  explore(explorer, machine, &c->options->explore, &found);
  answer->states = found.stats.states;
  answer->deadlock = found.stats.deadlocks > 0;
  answer->undecided = found.end != EXPLORE_DONE;
  for (size_t i = 0; i < found.outcome_count; i++) {
    const int64_t *values = found.outcomes[i].values;
    if (values[width]) answer->hazard = true;
    if (values[width] >= 0 && !outcomes_find(program->allowed, values)) answer->unsound = true;
  }
}

static void ask(void *context, size_t index, const struct target_code_choice *choice, struct explorer *explorer,
                struct arena *arena, struct compiled_answer *answer) {
  const struct compiled_code *c = context;
  struct diags diags = diags_new(arena);
  struct family_judged program;
  struct amd_program code;
  struct machine machine;
  if (!takes_part(c, index, &program)) return;
  answer->taken = true;
  const struct litmus_test *test = program.test;
  if (build(arena, c, (struct source_program){index, test->program}, choice, &code, &diags) &&
      amd_machine(arena, &code, &c->setup.knobs,
                  amd_observables(arena, test->program, test->observables, test->observable_count), &machine, &diags))
    explore_code(c, &program, &machine, explorer, answer);
  answer->refused = diags.count > 0;
  if (answer->refused) answer->message = diags.at[0].message;
}

static unsigned threads(void *context, size_t index, struct arena *arena, unsigned *numbers) {
  const struct compiled_code *c = context;
  struct family_judged program;
  (void)arena;
  if (!takes_part(c, index, &program)) return 0;
  memcpy(numbers, c->kernels[index], program.test->program->thread_count * sizeof *numbers);
  return program.test->program->thread_count;
}

/* ---- what does nothing ---- */

/* Does the wait wait for something?  Those for arguments, which are constants, wait for nothing. */
static bool waits(const struct amd_tree *tree, const struct amd_instr *instr) {
  for (unsigned i = 0; i < tree->count; i++)
    if (tree->nodes[i].instr == instr && tree->nodes[i].any) return true;
  return false;
}

/* Does the machine do the same?  Waits for nothing, such as those for scalar
 * loads, and bits next to stronger ones change nothing when they go. */
static bool same_tree(const struct amd_tree *a, const struct amd_tree *b) {
  if (a->count != b->count) return false;
  for (unsigned i = 0; i < a->count; i++) {
    const struct amd_node *x = &a->nodes[i], *y = &b->nodes[i];
    if (x->kind != y->kind || x->must != y->must || x->caches != y->caches || x->passes != y->passes) return false;
  }
  return true;
}

static bool changes_something(const struct compiled_code *c, struct source_program source, size_t number,
                              unsigned thread, const struct amd_program *whole) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct target_code_choice choice = {.number = number};
  struct amd_program code;
  bool does = build(arena, c, source, &choice, &code, &diags) &&
              !same_tree(code.threads[thread].tree, whole->threads[thread].tree);
  arena_free(arena);
  return does;
}

static const char **list_changes(void *context, size_t index, bool strict, struct arena *arena, size_t *count) {
  const struct compiled_code *c = context;
  struct diags diags = diags_new(arena);
  struct family_judged program;
  struct amd_program whole;
  changes all = {0};
  *count = 0;
  if (!takes_part(c, index, &program)) return NULL;
  struct source_program source = {index, program.test->program};
  const struct amd_code **codes = ARENA_ARRAY(arena, const struct amd_code *, source.program->thread_count + 1);
  struct amd_thread_codes threads_of = {c->kernels[index], codes};
  if (!read_code(arena, c, source, codes, &all, &diags) ||
      !amd_build_threads(arena, c->build, source.program, threads_of, &whole, &diags))
    return NULL;
  const char **names = ARENA_ARRAY(arena, const char *, all.count + 1);
  for (size_t i = 0; i < all.count; i++) {
    const struct change *change = &all.at[i];
    const struct amd_instr *instr = &codes[change->thread]->instrs[change->instr];
    bool does = strict ? changes_something(c, source, i, change->thread, &whole)
                       : instr->op != AMD_OP_WAIT || waits(whole.threads[change->thread].tree, instr);
    if (does) names[i] = change->name;
  }
  *count = all.count;
  return names;
}

bool compiled_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                   struct diags *diags) {
  const struct target_code_family *family = source->family;
  struct compiled_code *c = ARENA_NEW(arena, struct compiled_code);
  size_t count = target_code_family_count(family);
  *c = (struct compiled_code){
      .family = family, .setup = *(const struct compiled_setup *)source->target->settings, .options = source->options};
  c->setup.build.past_hazards |= source->past_hazards;
  c->build = amd_build_new(arena, c->setup.target, &c->setup.llc, &c->setup.build, diags);
  c->kernels = arena_array(arena, count + 1, sizeof *c->kernels);
  for (size_t i = 0; c->build && i < count; i++) {
    struct family_judged program;
    if (takes_part(c, i, &program) && !amd_build_add(c->build, program.test->program, c->kernels[i], diags))
      return false;
  }
  *emitted = (struct emitted){c, ask, list_changes, threads};
  return c->build && amd_build_run_each(c->build, diags);
}
