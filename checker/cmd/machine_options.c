/* SPDX-License-Identifier: MIT */
/* Targets, limits and traces for the commands of the operational engine. */
#include "checker/cmd/machine_options.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/available_memory.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/vec.h"
#include "checker/cmd/compiler_options.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/language_mapping_options.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/mapping.h"

/* A machine that is named, or usual for its kind. */
struct choice {
  const struct machine_kind *kind;
  const char *name;
  void *settings;
  bool named;
};

/* What is being read from the command line. */
struct loading {
  struct invocation *call;
  struct xml_folders search;
  VEC(struct choice) machines;
  VEC(const struct mapping *) mappings;
  VEC(const char *) mapping_words; /* as they were given */
  bool mapping_named;
  struct diags *diags;
};

static void fail(struct loading *l, const char *format, const char *word) {
  diag_fail(l->diags, format, word);
}

/* ---- machines ---- */

/* Usual descriptions may be called without the prefix of their kind's files. */
static const char *machine_file(const char *word) {
  for (const struct machine_kind *const *kind = machine_kinds; *kind; kind++)
    for (const char *const *usual = (*kind)->usual; (*kind)->prefix && usual && *usual; usual++)
      if (!strcmp(*usual + strlen((*kind)->prefix), word)) return *usual;
  return word;
}

static const struct machine_kind *kind_of_file(struct loading *l, const char *file) {
  return machine_kind_of_root(xml_root_name(l->call->arena, file, &l->search));
}

static bool is_translation(struct loading *l, const char *file) {
  const char *root = xml_root_name(l->call->arena, file, &l->search);
  return root && !strcmp(root, translated_kind.root);
}

static bool is_timed(struct loading *l, const char *file) {
  const char *root = xml_root_name(l->call->arena, file, &l->search);
  return root && !strcmp(root, "timing");
}

static const struct choice *find_machine(const struct loading *l, const struct machine_kind *kind) {
  for (size_t i = 0; i < l->machines.count; i++)
    if (l->machines.at[i].kind == kind) return &l->machines.at[i];
  return NULL;
}

static void add_machine(struct loading *l, const struct machine_kind *kind, const char *file, bool named) {
  struct arena *arena = l->call->arena;
  struct choice choice = {.kind = kind, .settings = ARENA_ARRAY(arena, char, kind->settings_size), .named = named};
  choice.name = file ? machine_kind_load(kind, arena, file, &l->search, choice.settings, l->diags) : kind->title;
  if (choice.name) *vec_push(arena, &l->machines) = choice;
}

/* -machine.  What is no machine at all is for the GPU's reader to refuse. */
static void load_machines(struct loading *l) {
  size_t count;
  const char **words = option_words(l->call, OPTION_MACHINE, &count);
  for (size_t i = 0; i < count; i++) {
    const char *file = machine_file(words[i]);
    const struct machine_kind *kind = kind_of_file(l, file);
    if (!kind && is_timed(l, file)) {
      fail(l, "option -machine: '%s' is a timed machine, which `litscope cost` takes", words[i]);
      continue;
    }
    if (!kind) kind = &gpu_kind;
    if (kind->code == CODE_MAPPED && find_machine(l, kind))
      fail(l, "option -machine: '%s' is a second GPU", words[i]);
    else
      add_machine(l, kind, file, true);
  }
}

static void add_mapping(struct loading *l, const char *name) {
  const struct mapping *mapping = mapping_load(l->call->arena, name, &l->search, l->diags);
  if (!mapping) return;
  *vec_push(l->call->arena, &l->mappings) = mapping;
  *vec_push(l->call->arena, &l->mapping_words) = name;
}

static bool shares_name(const struct loading *l, size_t i) {
  for (size_t k = 0; k < l->mappings.count; k++)
    if (k != i && !strcmp(l->mappings.at[k]->name, l->mappings.at[i]->name)) return true;
  return false;
}

/* Of several that call themselves the same, an edited copy and what it was copied from, each by its file. */
static void tell_mappings_apart(struct loading *l) {
  struct arena *arena = l->call->arena;
  const struct mapping **apart = ARENA_COPY(arena, const struct mapping *, l->mappings.at, l->mappings.count);
  for (size_t i = 0; i < l->mappings.count; i++) {
    if (!shares_name(l, i)) continue;
    struct mapping *copy = ARENA_COPY(arena, struct mapping, l->mappings.at[i], 1);
    copy->name = l->mapping_words.at[i];
    apart[i] = copy;
  }
  l->mappings.at = apart;
}

/* A mapping to a language is a machine: that language's model. */
static void add_translation(struct loading *l, const char *name) {
  struct translated_setup *setup = translated_load(l->call, name, &l->search, l->diags);
  if (setup)
    *vec_push(l->call->arena, &l->machines) = (struct choice){&translated_kind, setup->translator.name, setup, true};
}

/* -mapping: a compiler mapping, a mapping to a language, or a machine that takes
 * none. */
static void load_mappings(struct loading *l) {
  size_t count;
  const char **words = option_words(l->call, OPTION_MAPPING, &count);
  for (size_t i = 0; i < count; i++) {
    const char *file = machine_file(words[i]);
    const struct machine_kind *kind = kind_of_file(l, file);
    if (kind && kind->code != CODE_MAPPED) {
      add_machine(l, kind, file, true);
    } else if (is_translation(l, words[i])) {
      add_translation(l, words[i]);
    } else {
      l->mapping_named = true;
      add_mapping(l, words[i]);
    }
  }
  if (!l->mapping_named) add_mapping(l, "rsp-corrected");
  if (l->mappings.count > 1) tell_mappings_apart(l);
}

/* Of each kind of which no machine is named.  `compile` needs no machine: its
 * mappings are of one whose settings do not matter. */
static void load_usual(struct loading *l) {
  for (const struct machine_kind *const *kind = machine_kinds; *kind; kind++) {
    if (find_machine(l, *kind)) continue;
    bool by_mapping = (*kind)->code == CODE_MAPPED && l->mapping_named;
    if (l->call->command == COMMAND_COMPILE && (*kind)->code == CODE_MAPPED) {
      add_machine(l, *kind, NULL, by_mapping);
      continue;
    }
    for (const char *const *usual = (*kind)->usual; usual && *usual; usual++) add_machine(l, *kind, *usual, by_mapping);
  }
}

/* ---- knobs ---- */

/* Every machine that has the knob takes it, but for the usual GPU where others
 * are named. */
static bool set_where_known(struct loading *l, const char *name, const char *word) {
  struct diags first = diags_new(l->call->arena);
  bool known = false, good = false, named = option_given(l->call, OPTION_MACHINE);
  ARRAY_EACH (const struct choice, machine, l->machines.at, l->machines.count) {
    bool aside = named && !machine->named && machine->kind->code == CODE_MAPPED;
    if (aside || !machine_kind_has(machine->kind, name)) continue;
    struct diags own = diags_new(l->call->arena);
    struct diags *diags = known ? &own : &first;
    known = true;
    good |= machine_kind_set(machine->kind, machine->settings, name, word, diags);
  }
  /* Kinds may have knobs of the same name with words of their own. */
  for (size_t i = 0; !good && i < first.count; i++) diag_fail(l->diags, "%s", first.at[i].message);
  return known;
}

/* A knob that no machine has: the one that is named first says so. */
static void refuse_knob(struct loading *l, const char *name, const char *word) {
  const struct choice *machine = &l->machines.at[0];
  if (!option_given(l->call, OPTION_MACHINE)) machine = find_machine(l, &gpu_kind);
  if (machine && machine_kind_sets(machine->kind))
    machine_kind_set(machine->kind, machine->settings, name, word, l->diags);
  else if (machine)
    fail(l, "machine %s has no knobs", machine->name);
}

static void set_knob(void *loading, const char *name, const char *word, struct diags *diags) {
  (void)diags;
  if (!set_where_known(loading, name, word)) refuse_knob(loading, name, word);
}

static void set_knobs(struct loading *l) {
  option_each_pair(l->call, OPTION_KNOB, set_knob, l, l->diags);
  const char *order = option_text(l->call, OPTION_WRITE_BACK);
  if (order) set_where_known(l, "write-back", order);
}

/* ---- targets ---- */

static void add_targets(struct loading *l, const struct choice *machine, struct hardware *hardware) {
  struct target target = {machine->name, machine->kind, machine->settings, NULL};
  size_t mappings = machine->kind->code == CODE_MAPPED ? l->mappings.count : 0;
  if (machine->kind->code != CODE_MAPPED) hardware->at[hardware->count++] = target;
  for (size_t i = 0; i < mappings; i++) {
    target.mapping = l->mappings.at[i];
    target.name = target.mapping->name;
    hardware->at[hardware->count++] = target;
  }
}

static void make_targets(struct loading *l, struct hardware *hardware) {
  size_t most = l->machines.count * (l->mappings.count + 1);
  *hardware = (struct hardware){.at = ARENA_ARRAY(l->call->arena, struct target, most + 1)};
  for (int named = 1; named >= 0; named--) {
    for (size_t i = 0; i < l->machines.count; i++)
      if (l->machines.at[i].named == named) add_targets(l, &l->machines.at[i], hardware);
    if (named) hardware->named = hardware->count;
  }
}

/* Prints and drops what has been added to the diagnostics: after success they are warnings. */
static void print_warnings(const struct invocation *call, struct diags *diags, size_t first) {
  if (diags->count == first) return; /* where there are none at all, there is no array */
  struct diags own = *diags;
  own.at += first;
  own.count -= first;
  diags->count = first;
  if (!option_on(call, OPTION_QUIET)) diags_report(&own);
}

bool hardware_load(struct invocation *call, struct hardware *hardware, struct diags *diags) {
  size_t before = diags->errors, first = diags->count;
  struct loading l = {.call = call, .search = mapping_search(call), .diags = diags};
  if (call->command != COMMAND_REPORT && option_given(call, OPTION_TARGET))
    return compiled_load(call, &l.search, hardware, diags);
  tests_limit_reading(call, NULL);
  load_machines(&l);
  load_mappings(&l);
  load_usual(&l);
  if (l.machines.count) set_knobs(&l);
  make_targets(&l, hardware);
  guard_end_patience();
  if (diags->errors != before) return false;
  print_warnings(call, diags, first);
  return true;
}

bool hardware_all(const struct target *targets, size_t count, const struct machine_kind *kind) {
  size_t others = 0;
  for (size_t i = 0; i < count; i++) others += targets[i].kind != kind;
  return count > 0 && !others;
}

const struct target *hardware_of_kind(const struct hardware *hardware, const struct machine_kind *kind,
                                      struct arena *arena, size_t *count) {
  struct target *targets = ARENA_ARRAY(arena, struct target, hardware->count + 1);
  *count = 0;
  for (size_t i = 0; i < hardware->count; i++)
    if (hardware->at[i].kind == kind) targets[(*count)++] = hardware->at[i];
  return targets;
}

/* The kind that runs a program for which no machine is named; a program that
 * none runs is the GPU's to refuse. */
static const struct machine_kind *usual_kind(const struct program *program) {
  for (const struct machine_kind *const *kind = machine_kinds; *kind; kind++)
    if ((*kind)->usual && (*kind)->runs(program)) return *kind;
  return &gpu_kind;
}

const struct target *hardware_targets(const struct hardware *hardware, const struct program *program,
                                      struct arena *arena, size_t *count) {
  struct target *targets = ARENA_ARRAY(arena, struct target, hardware->count + 1);
  *count = 0;
  for (size_t i = 0; i < hardware->named; i++)
    if (hardware->at[i].kind->runs(program)) targets[(*count)++] = hardware->at[i];
  return *count ? targets : hardware_of_kind(hardware, usual_kind(program), arena, count);
}

/* An exploration has no end of its own where a program counts for ever: it is
 * to end with a report, and not by the system's hand.  Tests that are explored at
 * the same time share what there is. */
static uint64_t memory_limit(const struct invocation *call) {
  uint64_t given = option_number(call, OPTION_MAX_MEMORY);
  if (given) return given << 20;
  return memory_bytes("") / 2 / (call->at_once ? call->at_once : 1);
}

struct explore_options hardware_explore_options(const struct invocation *call, const atomic_int *cancel) {
  return (struct explore_options){
      .por = option_on(call, OPTION_POR),
      .symmetry = option_on(call, OPTION_SYMMETRY),
      .compress = option_on(call, OPTION_COMPRESS),
      .max_states = option_number(call, OPTION_MAX_STATES),
      .max_memory = memory_limit(call),
      .timeout = option_real(call, OPTION_TIMEOUT),
      .cancel = cancel,
  };
}

void hardware_note_lines(const struct machine *machine, const struct litmus_test *test, struct explore_step *trace,
                         size_t length, struct arena *arena) {
  if (!test->kernel || !machine->source) return;
  for (size_t i = 0; i < length; i++) {
    unsigned thread, instr, line, column;
    if (!machine->source(machine, trace[i].step, &thread, &instr)) continue;
    struct span span = test->program->threads[thread].instrs[instr].span;
    if (!span.length) continue;
    source_position(test->program->source, span.at, &line, &column);
    trace[i].note = arena_printf(arena, "[line %u]", line);
  }
}

void hardware_print_trace(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out) {
  for (size_t i = 0; i < length; i++) {
    bool environment = machine->step_kind(machine, trace[i].step) == STEP_ENVIRONMENT;
    fprintf(out, environment ? "    %3zu  (" : "    %3zu  ", i + 1);
    machine->print_step(machine, trace[i].step, trace[i].before, trace[i].after, out);
    if (environment) fputc(')', out);
    if (trace[i].note) fprintf(out, "  %s", trace[i].note);
    fputc('\n', out);
  }
}

void hardware_print_run(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out) {
  if (machine->whole_run && length == 1) {
    fprintf(out, "%s\n", machine->whole_run);
    machine->print_step(machine, trace->step, trace->before, trace->after, out);
    return;
  }
  fprintf(out, "Trace of %zu step%s, those of the environment in parentheses\n", length, length == 1 ? "" : "s");
  hardware_print_trace(machine, trace, length, out);
}

void hardware_print_end(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out) {
  uint64_t initial[machine->state_size / sizeof(uint64_t) + 1];
  memset(initial, 0, sizeof initial);
  machine->initial(machine, initial);
  machine->print_state(machine, length ? trace[length - 1].after : initial, out);
}

/* The location whose value nothing sets that an instruction reads; -1: none. */
static int unset_location(const struct program *program, const struct instr *instr) {
  unsigned count = address_cells(&instr->address);
  if (!instr_is_access(instr) || instr->kind == INSTR_STORE) return -1;
  for (unsigned x = instr->address.base; x < instr->address.base + count; x++)
    if (program->locations[x].any && program->locations[x].region == REGION_GLOBAL && !location_is_open(program, x))
      return (int)x;
  return -1;
}

void hardware_warn_of_unset(const struct invocation *call, const struct litmus_test *test, struct test_output *output) {
  const struct program *program = test->program;
  struct diags diags = diags_new(output->arena);
  for (unsigned t = 0; t < program->thread_count && !diags.count; t++) {
    const struct thread *thread = &program->threads[t];
    for (unsigned i = 0; i < thread->instr_count && !diags.count; i++) {
      int x = unset_location(program, &thread->instrs[i]);
      if (x >= 0)
        diag_warning(&diags, program->source, thread->instrs[i].span,
                     "nothing sets %s before: a machine starts with 0 there, and other values are not tried",
                     program->locations[x].name);
    }
  }
  if (!option_on(call, OPTION_QUIET)) diags_print(&diags, output->err);
}

void hardware_refuse_certificate(struct test_output *output, const struct litmus_test *test, const char *subject,
                                 const char *lacks) {
  fprintf(output->err, "%s: no certificate of %s under %s: certificates cannot express %s\n", test->source->name,
          test->name, subject, lacks);
  output->status = status_join(output->status, STATUS_BAD);
}
