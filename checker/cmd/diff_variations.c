/* SPDX-License-Identifier: MIT */
/* `diff TEST...`: for each test a table of its variations, and the first test of
 * each class that tells the models apart, reduced. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/each_test.h"
#include "checker/cmd/family_options.h"
#include "checker/program_search/variations.h"
#include "checker/report/log.h"

struct variations_command {
  struct invocation *call;
  struct judge_model a, b;
  struct test_runner runner;
};

static bool some_differ(const struct variations *v) {
  bool some = false;
  for (int c = 0; c < CLASSES; c++) some |= v->first[c].found;
  return some;
}

/* The first variation of a class, without lines that hold nothing but columns' bars. */
static void print_first(const struct variation *v, enum diff_class class, struct test_output *output) {
  fprintf(output->out, "Minimal %s, %u change%s", class_name(class), v->changes, v->changes == 1 ? "" : "s");
  if (v->outcome) fprintf(output->out, ", %s", log_state_text(output->arena, v->test, v->outcome));
  fputc('\n', output->out);
  for (const char **line = text_split(output->arena, v->text, "\n", NULL); *line; line++)
    if (strspn(*line, " |;\t") < strlen(*line)) fprintf(output->out, "  %s\n", *line);
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
  classes_print("changes", v.counts, options.changes + 1, false, output->out);
  for (int c = 0; c < CLASSES; c++)
    if (v.first[c].found) print_first(&v.first[c], (enum diff_class)c, output);
  if (!some_differ(&v)) fprintf(output->out, "no difference in %" PRIu64 " programs\n", v.asked);
  fputc('\n', output->out);
  if (some_differ(&v)) output->status = status_join(output->status, STATUS_DIFFERS);
}

int diff_variations(struct invocation *call, const struct model_set *models) {
  struct variations_command command = {.call = call,
                                       .a = models_judge(call, &models->at[0]),
                                       .b = models_judge(call, &models->at[1]),
                                       .runner = {.run = vary_test}};
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
