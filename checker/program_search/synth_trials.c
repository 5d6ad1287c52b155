/* SPDX-License-Identifier: MIT */
/* Trials of mappings on programs: one program in one write-back order or in both, all
 * programs of a family, and those first that have refuted something. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/program_search/synth_internal.h"
#include "hwsem/machines/gpu.h"

enum trial synth_try_order(const struct synth_options *o, const struct mapping *mapping,
                           const struct small_program *program, const struct outcomes *allowed, unsigned order) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct diags diags = diags_new(arena);
  struct gpu_knobs knobs = *(const struct gpu_knobs *)o->target->settings;
  struct target target = *o->target;
  struct litmus_test *test = small_test(arena, program);
  struct verdict verdict = {.test = test, .model = o->model.name, .states = *allowed};
  struct verify_result result;
  knobs.write_back = order;
  target.settings = &knobs;
  target.mapping = mapping;
  struct verifier verifier = {.target = &target, .options = &o->verify, .explorer = explorer};
  verify_known(&verifier, test, &verdict, arena, &result, &diags);
  enum verify_answer answer = result.answer;
  explorer_free(explorer);
  arena_free(arena);
  return answer == VERIFY_SOUND      ? TRIAL_SOUND
         : answer == VERIFY_DEADLOCK ? TRIAL_STUCK
         : answer == VERIFY_UNSOUND  ? TRIAL_UNSOUND
                                     : TRIAL_UNDECIDED;
}

/* In both orders; `*order` is the first that does not do. */
enum trial synth_try_program(const struct synth_options *o, const struct mapping *mapping,
                             const struct known_program *p, unsigned *order) {
  for (*order = WRITE_BACK_FIFO; *order <= WRITE_BACK_ANY; ++*order) {
    enum trial trial = synth_try_order(o, mapping, &p->program, &p->allowed, *order);
    if (trial != TRIAL_SOUND) return trial;
  }
  return TRIAL_SOUND;
}

enum trial synth_ask(const struct synth_options *o, const struct mapping *mapping, const struct small_program *program,
                     unsigned order) {
  struct arena *arena = arena_new();
  struct judgement said;
  judge_program(&o->model, small_test(arena, program), &o->verify.model, arena, &said);
  enum trial trial =
      said.answer == JUDGE_DEFINED ? synth_try_order(o, mapping, program, &said.outcomes, order) : TRIAL_UNDECIDED;
  arena_free(arena);
  return trial;
}

bool synth_refutes(const struct synth_options *o, const struct mapping *mapping, const struct small_program *program,
                   unsigned order) {
  enum trial trial = synth_ask(o, mapping, program, order);
  return trial == TRIAL_UNSOUND || trial == TRIAL_STUCK;
}

struct outcome_of_trial {
  enum trial trial;
  unsigned order;
};

static bool is_wanted(const struct mapping_trial *tried, const struct known_program *p) {
  return p->cells & tried->cells && !(p->cells & tried->without);
}

static void *sweep_one(void *context, size_t index) {
  struct mapping_trial *tried = context;
  struct outcome_of_trial *outcome = calloc(1, sizeof *outcome);
  const struct known_program *p = &tried->synth->programs.at[index];
  if (!outcome) return NULL;
  if (is_cancelled(tried->synth->options->verify.explore.cancel)) outcome->trial = TRIAL_UNDECIDED;
  if (is_wanted(tried, p) && outcome->trial == TRIAL_SOUND)
    outcome->trial = synth_try_program(tried->synth->options, tried->mapping, p, &outcome->order);
  return outcome;
}

static bool sweep_finish(void *context, size_t index, void *result) {
  struct mapping_trial *tried = context;
  struct outcome_of_trial *outcome = result;
  tried->trial = outcome ? outcome->trial : TRIAL_UNDECIDED;
  tried->order = outcome ? outcome->order : 0;
  tried->bad = index;
  free(outcome);
  return tried->trial == TRIAL_SOUND;
}

static void sweep_drop(void *context, void *result) {
  (void)context;
  free(result);
}

static enum trial try_all(struct mapping_trial *tried) {
  struct pool_jobs jobs = {.context = tried, .work = sweep_one, .finish = sweep_finish, .drop = sweep_drop};
  pool_run(tried->synth->programs.count, tried->synth->options->workers, &jobs);
  return tried->trial;
}

void synth_note_example(struct synth *s, size_t program) {
  size_t at = 0;
  while (at < s->examples.count && s->examples.at[at] != program) at++;
  if (at == s->examples.count) *vec_push(s->arena, &s->examples) = program;
  memmove(&s->examples.at[1], &s->examples.at[0], at * sizeof *s->examples.at);
  s->examples.at[0] = program;
}

/* A mapping on the programs that have the operations, first on those that have refuted
 * something. */
void synth_try_mapping(struct synth *s, struct mapping_trial *tried) {
  for (size_t i = 0; i < s->examples.count && tried->trial == TRIAL_SOUND; i++) {
    tried->bad = s->examples.at[i];
    const struct known_program *p = &s->programs.at[tried->bad];
    if (is_wanted(tried, p)) tried->trial = synth_try_program(s->options, tried->mapping, p, &tried->order);
  }
  if (tried->trial == TRIAL_SOUND) try_all(tried);
}

/* What was found out of one candidate: `TRIAL PROGRAM ORDER;`. */
void synth_print_trial(const struct mapping_trial *tried, FILE *out) {
  fprintf(out, "%d %zu %u;", (int)tried->trial, tried->bad, tried->order);
}

/* false: there is no other. */
bool synth_read_trial(const struct synth *s, const char **text, struct mapping_trial *tried) {
  int trial, used = 0;
  *tried = (struct mapping_trial){.synth = NULL};
  if (sscanf(*text, "%d %zu %u;%n", &trial, &tried->bad, &tried->order, &used) != 3 || !used) return false;
  tried->trial = (enum trial)trial;
  *text += used;
  return tried->bad < s->programs.count || tried->trial == TRIAL_SOUND;
}

bool synth_has(const struct synth *s, const char *text, enum trial trial) {
  struct mapping_trial tried;
  while (synth_read_trial(s, &text, &tried))
    if (tried.trial == trial) return true;
  return false;
}

/* ---- the whole mapping ---- */

const char *synth_whole_text(struct synth *s) {
  struct mapping_trial whole = {.synth = s, .mapping = s->mapping, .cells = ~0u};
  s->examples.count = 0;
  synth_try_mapping(s, &whole);
  return TEXT_PRINTED(s->arena, out, synth_print_trial(&whole, out));
}

bool synth_whole_is_sound(struct synth *s, uint64_t part) {
  struct parts *parts = s->options->parts;
  const char *known = parts_text(parts, part), *text = known ? known : synth_whole_text(s);
  if (synth_has(s, text, TRIAL_UNDECIDED)) s->result.complete = false;
  if (!known && s->result.complete) parts_hand_in_here(parts, part, text, false);
  return s->result.complete && synth_has(s, text, TRIAL_SOUND);
}
