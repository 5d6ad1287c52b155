/* SPDX-License-Identifier: MIT */
/* `diff TEST...`: for each test a table of its variations, and the first test of
 * each class that tells the models apart, reduced. */
#include "checker/cmd/diff_variations.h"

#include <inttypes.h>
#include <string.h>

#include "checker/cmd/family_options.h"
#include "checker/cmd/tests.h"
#include "checker/report/log.h"
#include "checker/search/variations.h"

struct variations_command {
  struct invocation *call;
  struct judge_model a, b;
  struct test_runner runner;
};

static struct judge_model judge_of(const struct invocation *call, const struct loaded_model *loaded) {
  return (struct judge_model){loaded->name, loaded->model, loaded->skip, option_on(call, OPTION_UNDEFINED)};
}

static bool some_differ(const struct variations *v) {
  bool some = false;
  for (int c = 0; c < CLASSES; c++) some |= v->first[c].found;
  return some;
}

static void print_table(const struct variations *v, unsigned changes, FILE *out) {
  fprintf(out, "%-10s", "changes");
  for (int c = 0; c < CLASSES; c++) fprintf(out, " %16s", class_name((enum diff_class)c));
  fputc('\n', out);
  for (unsigned k = 0; k <= changes; k++) {
    uint64_t all = 0;
    for (int c = 0; c < CLASSES; c++) all += v->counts[k][c];
    if (!all) continue;
    fprintf(out, "%-10u", k);
    for (int c = 0; c < CLASSES; c++) fprintf(out, " %16" PRIu64, v->counts[k][c]);
    fputc('\n', out);
  }
}

/* The first variation of a class, without lines that hold nothing but columns' bars. */
static void print_first(const struct variation *v, enum diff_class class, struct test_output *output) {
  fprintf(output->out, "Minimal %s, %u change%s", class_name(class), v->changes, v->changes == 1 ? "" : "s");
  if (v->outcome) fprintf(output->out, ", %s", log_state_text(output->arena, v->test, v->outcome));
  fputc('\n', output->out);
  for (const char *line = v->text; *line;) {
    size_t length = strcspn(line, "\n");
    if (strspn(line, " |;\t") < length) fprintf(output->out, "  %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static void vary_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct variations_command *command = context;
  const struct invocation *call = command->call;
  (void)workers;
  if (!models_check_language(call, command->a.model, command->a.name, test, output)) return;
  if (!models_check_language(call, command->b.model, command->b.name, test, output)) return;
  struct variations_options options = {.a = command->a,
                                       .b = command->b,
                                       .limits = models_engine_options(call, command->runner.cancel),
                                       .reading = *output->reading,
                                       .changes = (unsigned)option_number(call, OPTION_CHANGES),
                                       .budget = (uint64_t)option_number(call, OPTION_BUDGET),
                                       .cancel = command->runner.cancel};
  struct variations v;
  variations_run(output->arena, test, &options, &v);
  fprintf(output->out, "Diff %s %s\nVariations of %s: %zu places, %zu forms\nPrograms %" PRIu64 "%s\n", command->a.name,
          command->b.name, test->name, v.places, v.forms, v.asked,
          v.whole ? "" : ", no more were asked about (-budget)");
  print_table(&v, options.changes, output->out);
  for (int c = 0; c < CLASSES; c++)
    if (v.first[c].found) print_first(&v.first[c], (enum diff_class)c, output);
  if (!some_differ(&v)) fprintf(output->out, "no difference in %" PRIu64 " programs\n", v.asked);
  fputc('\n', output->out);
  if (some_differ(&v)) output->status = status_join(output->status, STATUS_DIFFERS);
}

int diff_variations(struct invocation *call, const struct model_set *models) {
  struct variations_command command = {.call = call,
                                       .a = judge_of(call, &models->at[0]),
                                       .b = judge_of(call, &models->at[1]),
                                       .runner = {.run = vary_test}};
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
