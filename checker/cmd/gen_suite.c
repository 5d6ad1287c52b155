/* SPDX-License-Identifier: MIT */
/* `gen -suite TEST...`: the variations of tests are asked about in turn, and those
 * about which the model and a mutant that is left (model_mutants.h) do not agree make
 * the suite, reduced to the operations that they need for that. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/each_test.h"
#include "checker/cmd/output_folder.h"
#include "checker/litmus/vulkan_cts_names.h"
#include "checker/program_search/model_mutants.h"
#include "checker/program_search/nearest_cts_name.h"
#include "checker/program_search/program_hash.h"
#include "checker/program_search/variations.h"
#include "checker/report/json.h"
#include "checker/small_programs/small_program_text.h"
#include "checker/verify/test_observing_all.h"

struct suite_test {
  const char *name, *seed;
  size_t kills;    /* mutants that were left */
  const char *cts; /* what the Vulkan CTS calls it (nearest_cts_name.h); NULL: it is no Vulkan test */
};

struct suite {
  struct invocation *call;
  struct model_set models;
  struct judge_model model;
  struct model_mutant *mutants;
  size_t count, left;
  const char **killed; /* by mutant: by which test; NULL: it is left */
  VEC(struct suite_test) tests;
  uint64_t asked;
  struct cts_programs *cts; /* NULL: no test has asked for it */
  bool *killed_by_cts;      /* by mutant: by a test that a name of the Vulkan CTS stands for */
  size_t cts_asked, cts_kills;
  struct enumerate_options limits;
  struct litmus_options reading;
  const struct litmus_test *seed;
  struct arena *arena;   /* of the seed */
  const char *unwritten; /* a file that could not be written; NULL: none */
  int error;             /* why */
  struct test_runner runner;
};

static bool differs(const struct suite *s, struct arena *arena, const struct litmus_test *test,
                    const struct judgement *answer, size_t mutant) {
  struct judgement other;
  judge_program(&s->mutants[mutant].model, test, &s->limits, arena, &other);
  return class_differs(judge_compare(answer, &other));
}

struct told {
  const struct suite *suite;
  const size_t *mutants;
  size_t count;
};

/* Does the model part from all of these mutants? */
static bool tells(void *context, struct arena *arena, const struct litmus_test *test) {
  const struct told *told = context;
  struct judgement answer;
  size_t i = 0;
  judge_program(&told->suite->model, test, &told->suite->limits, arena, &answer);
  while (i < told->count && differs(told->suite, arena, test, &answer, told->mutants[i])) i++;
  return i == told->count;
}

static void write_text(struct suite *s, const char *name, const struct source *source) {
  const char *folder = option_text(s->call, OPTION_OUTPUT);
  struct outfile file;
  if (!folder || s->unwritten) return;
  const char *suffix = strrchr(source->name, '.');
  const char *path =
      arena_printf(s->call->arena, "%s/%s%s", folder, outfile_name(s->call->arena, name), suffix ? suffix : ".litmus");
  bool good =
      outfile_open(s->call->arena, path, &file) && fwrite(source->text, 1, source->size, file.stream) == source->size;
  if (outfile_close(&file, good)) return;
  s->error = errno;
  s->unwritten = path;
}

/* How the model parts from one of some mutants. */
struct parting {
  enum diff_class class;
  size_t mutant;
  bool forbidden; /* the outcome that the test asks for is not one of the model */
};

/* Best by an outcome that only the mutant allows, since a device can show that.  The test then asks for the outcome. */
static struct parting ask_outcome(const struct suite *s, struct litmus_test *test, const size_t *mutants,
                                  size_t count) {
  static const int WORTH[CLASSES] = {[CLASS_ONLY_A_UNDEFINED] = 1,
                                     [CLASS_ONLY_B_UNDEFINED] = 1,
                                     [CLASS_A_MORE] = 2,
                                     [CLASS_NEITHER] = 3,
                                     [CLASS_B_MORE] = 4};
  struct parting best = {0};
  const int64_t *outcome = NULL;
  struct judgement answer, other;
  judge_program(&s->model, test, &s->limits, s->arena, &answer);
  for (size_t i = 0; i < count; i++) {
    judge_program(&s->mutants[mutants[i]].model, test, &s->limits, s->arena, &other);
    enum diff_class class = judge_compare(&answer, &other);
    if (WORTH[class] <= WORTH[best.class]) continue;
    best.class = class;
    best.mutant = mutants[i];
    outcome = class == CLASS_ONLY_A_UNDEFINED   ? answer.undefined
              : class == CLASS_ONLY_B_UNDEFINED ? other.undefined
              : class == CLASS_A_MORE           ? judge_difference(&answer, &other)
                                                : judge_difference(&other, &answer);
  }
  if (!outcome) return best;
  best.forbidden = answer.answer == JUDGE_DEFINED && !outcomes_find(&answer.outcomes, outcome);
  test_observing_ask(s->arena, test, outcome);
  return best;
}

/* The test under its own name, with the outcome that tells the model from a mutant in the place of what its seed asked
 * for.  A kernel stays as it is: its condition is no part of its text. */
static const struct source *ask_in_text(const struct suite *s, const char *name, const struct source *source,
                                        const size_t *mutants, size_t count) {
  static const char *const WHY[CLASSES] = {[CLASS_ONLY_A_UNDEFINED] = "undefined under %s, defined with",
                                           [CLASS_ONLY_B_UNDEFINED] = "defined under %s, undefined with",
                                           [CLASS_A_MORE] = "allowed by %s, not with",
                                           [CLASS_NEITHER] = "not allowed by %s, allowed with",
                                           [CLASS_B_MORE] = "not allowed by %s, allowed with"};
  struct litmus_test *test = variations_read(s->arena, source, &s->reading);
  if (!test || test->kernel) return source;
  const struct parting parting = ask_outcome(s, test, mutants, count);
  if (!WHY[parting.class]) return source;
  struct text text = text_new();
  fprintf(text.out, "%s %s\n\"", litmus_language_word(test->language), name);
  fprintf(text.out, WHY[parting.class], s->model.name);
  fprintf(text.out, " %s %s\"\n", s->mutants[parting.mutant].rule, s->mutants[parting.mutant].what);
  size_t from = strcspn(source->text, "\n") + 1;
  if (source->text[from] == '"') from += strcspn(source->text + from, "\n") + 1;
  fprintf(text.out, "%.*s", (int)(test->condition_at - from), source->text + from);
  if (test->filter) fprintf(text.out, "%s\n", test->filter_text);
  fprintf(text.out, "%s%s\n", parting.forbidden ? "~" : "", test->condition_text);
  const char *made = text_keep(&text, s->arena);
  const struct source *asked = source_from_text(s->arena, source->name, made, strlen(made));
  return variations_read(s->arena, asked, &s->reading) ? asked : source;
}

/* ---- names ---- */

/* The name of a shape that the threads have in this order, locations being named as they are met. */
static const char *shape_in_order(struct arena *arena, const struct program *program, const unsigned *order) {
  static const char LETTERS[] = "xyzwabcdefgh";
  unsigned count = 0, known[sizeof LETTERS];
  struct text text = text_new();
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[order[t]];
    const char *before = t ? "|" : "";
    ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
      if (!instr_is_access(instr)) continue;
      unsigned l = 0;
      while (l < count && known[l] != instr->address.base) l++;
      if (l == count && l + 1 < sizeof LETTERS - 1) known[count++] = instr->address.base;
      char kind = instr->kind == INSTR_LOAD ? 'R' : instr->kind == INSTR_STORE ? 'W' : 'U';
      fprintf(text.out, "%s%c%c", before, kind, LETTERS[l]);
      before = " ";
    }
  }
  return small_shape(text_keep(&text, arena));
}

struct shaping {
  struct arena *arena;
  const struct program *program;
  const char *name; /* that the field has for it, in whatever order the threads are; NULL: none */
};

static void take_order(void *context, const unsigned *order) {
  struct shaping *s = context;
  if (!s->name) s->name = shape_in_order(s->arena, s->program, order);
}

/* The name of what a test is a variation of; of the CTS's, the word for their kind. */
static const char *seed_name(const struct suite *s) {
  const char *name = s->seed->name, *at = name;
  if (!cts_is_name(name)) return name;
  for (unsigned dots = 0; dots < 2; at++) dots += *at == '.';
  return arena_strndup(s->call->arena, at, strcspn(at, "."));
}

/* After its shape, or else the test that it is a variation of. */
static const char *name_test(const struct suite *s, const struct litmus_test *test) {
  struct shaping shaping = {s->arena, test ? test->program : NULL, NULL};
  if (test && !test->kernel && test->program->thread_count <= MOST_ORDERED)
    thread_orders_visit(test->program->thread_count, take_order, &shaping);
  return arena_printf(s->call->arena, "%s-%zu", shaping.name ? shaping.name : seed_name(s), s->tests.count + 1);
}

static const char *name_in_cts(struct suite *s, const struct litmus_test *test) {
  if (!test || test->kernel || test->language != LANG_VULKAN) return NULL;
  if (!s->cts) s->cts = cts_programs_new(s->call->arena, &s->reading);
  return cts_programs_name(s->cts, s->call->arena, test);
}

/* ---- the suite ---- */

static void add_test(struct suite *s, const struct source *source, const size_t *mutants, size_t count) {
  struct told told = {s, mutants, count};
  const struct variations_reduction how = {&s->reading, s->runner.cancel, &told, tells};
  source = variations_reduce(s->arena, source, &how);
  const struct litmus_test *test = variations_read(s->arena, source, &s->reading);
  const char *name = name_test(s, test);
  *vec_push(s->call->arena, &s->tests) =
      (struct suite_test){name, arena_strdup(s->call->arena, s->seed->name), count, name_in_cts(s, test)};
  s->left -= count;
  for (size_t i = 0; i < count; i++) s->killed[mutants[i]] = name;
  write_text(s, name, ask_in_text(s, name, source, mutants, count));
}

static void take(void *context, struct arena *arena, const struct source *source, const struct litmus_test *test,
                 unsigned changes) {
  struct suite *s = context;
  struct judgement answer;
  VEC(size_t) told = {0};
  bool cts = !changes && cts_is_name(s->seed->name);
  s->asked++;
  s->cts_asked += cts;
  judge_program(&s->model, test, &s->limits, arena, &answer);
  for (size_t m = 0; m < s->count; m++) {
    bool wanted = !s->killed[m], wanted_of_cts = cts && !s->killed_by_cts[m];
    if ((!wanted && !wanted_of_cts) || !differs(s, arena, test, &answer, m)) continue;
    if (wanted) *vec_push(arena, &told) = m;
    s->cts_kills += wanted_of_cts;
    s->killed_by_cts[m] |= cts;
  }
  if (told.count) add_test(s, source, told.at, told.count);
}

static void vary_seed(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  struct suite *s = context;
  (void)workers;
  if (!models_check_language(s->call, s->model.model, s->model.name, test, output)) return;
  s->seed = test;
  s->arena = output->arena;
  s->reading = *output->reading;
  s->limits = models_engine_options(s->call, s->runner.cancel);
  const struct variations_walk walk = {.reading = s->reading,
                                       .changes = (unsigned)option_number(s->call, OPTION_CHANGES),
                                       .budget = (uint64_t)option_number(s->call, OPTION_BUDGET),
                                       .remote = judge_sees_remote(&s->model),
                                       .cancel = s->runner.cancel,
                                       .context = s,
                                       .take = take};
  if (s->left || cts_is_name(test->name)) variations_visit(output->arena, test, &walk);
}

static void print_mutants(const struct suite *s, const char *test, FILE *out) {
  for (size_t m = 0; m < s->count; m++)
    if (s->killed[m] == test) fprintf(out, "  %s %s\n", s->mutants[m].rule, s->mutants[m].what);
}

static void print_sum(const struct suite *s, FILE *out) {
  fprintf(out, "Suite of %s\nPrograms %" PRIu64 "\nMutants %zu\nKilled %zu\n", s->model.name, s->asked, s->count,
          s->count - s->left);
  if (s->cts_asked) fprintf(out, "Killed by %zu programs of the Vulkan CTS %zu\n", s->cts_asked, s->cts_kills);
  fprintf(out, "Tests %zu\n", s->tests.count);
  for (size_t i = 0; i < s->tests.count; i++) {
    fprintf(out, "Test %s of %s, mutants %zu\n", s->tests.at[i].name, s->tests.at[i].seed, s->tests.at[i].kills);
    if (s->tests.at[i].cts) fprintf(out, "  Vulkan CTS: %s\n", s->tests.at[i].cts);
    print_mutants(s, s->tests.at[i].name, out);
  }
  if (!s->left) return;
  fprintf(out, "Left %zu\n", s->left);
  print_mutants(s, NULL, out);
}

static void put_mutants(const struct suite *s, const char *test, struct json *j, const char *key) {
  json_open_array(j, key);
  for (size_t m = 0; m < s->count; m++) {
    if (s->killed[m] != test) continue;
    json_begin_object(j);
    json_put_string(j, "rule", s->mutants[m].rule);
    json_put_string(j, "what", s->mutants[m].what);
    json_end_object(j);
  }
  json_end_array(j);
}

static void put_test(const struct suite *s, const struct suite_test *test, struct json *j) {
  json_begin_object(j);
  json_put_string(j, "test", test->name);
  json_put_string(j, "of", test->seed);
  if (test->cts) json_put_string(j, "vulkan_cts", test->cts);
  put_mutants(s, test->name, j, "killed");
  json_end_object(j);
}

static void write_json(const struct suite *s, FILE *out) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "model", s->model.name);
  json_put_unsigned(&j, "programs", s->asked);
  json_put_unsigned(&j, "mutants", s->count);
  if (s->cts_asked) {
    json_open_object(&j, "vulkan_cts");
    json_put_unsigned(&j, "programs", s->cts_asked);
    json_put_unsigned(&j, "killed", s->cts_kills);
    json_end_object(&j);
  }
  json_open_array(&j, "tests");
  for (size_t i = 0; i < s->tests.count; i++) put_test(s, &s->tests.at[i], &j);
  json_end_array(&j);
  put_mutants(s, NULL, &j, "left");
  json_end_line(&j);
}

static void conclude(void *context, struct result_files *files) {
  const struct suite *s = context;
  print_sum(s, files->out);
  write_json(s, result_files_begin_json(files));
  result_files_end_json(files);
}

int gen_suite(struct invocation *call) {
  struct suite s = {.call = call, .runner = {.run = vary_seed, .conclude = conclude, .alone = true}};
  struct diags diags = diags_new(call->arena);
  if (models_load(call, &s.models, &diags) && (s.models.by_language || s.models.count != 1))
    diag_fail(&diags, "gen -suite takes one model, -model NAME");
  const char *folder = option_text(call, OPTION_OUTPUT);
  if (!diags.errors && folder) folder_make(call->arena, folder, &diags);
  if (diags.errors) return diags_report(&diags);
  const struct loaded_model *loaded = &s.models.at[0];
  s.model = models_judge(call, loaded);
  s.mutants = model_mutants(call->arena, &s.model, &s.count);
  if (!s.count) diag_fail(&diags, "the model %s has no mutants: what it says is not in its graph alone", loaded->name);
  if (diags.errors) return diags_report(&diags);
  s.left = s.count;
  s.killed = ARENA_ARRAY(call->arena, const char *, s.count);
  s.killed_by_cts = ARENA_ARRAY(call->arena, bool, s.count);
  s.runner.context = &s;
  int status = tests_run(call, &s.runner);
  if (s.unwritten) diag_fail(&diags, "cannot write %s: %s", s.unwritten, strerror(s.error));
  return status_join(status, diags_report(&diags));
}
