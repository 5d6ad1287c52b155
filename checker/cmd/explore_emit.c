/* SPDX-License-Identifier: MIT */
/* `explore -emit`: the machine of a test as a model for SPIN or rumur. */
#include "checker/cmd/explore_emit.h"

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/machine_options.h"
#include "checker/program/signed_integers.h"
#include "hwsem/guarded_commands.h"

static void comments(struct rules *rules, const struct litmus_test *test, const struct target *target) {
  bool promela = rules->language == RULES_PROMELA;
  rules_comment(rules, arena_printf(rules->arena, "%s under %s, as explored with -no-por -no-symmetry.", test->name,
                                    target->name));
  rules_comment(rules, promela
                           ? "spin -o2 -a FILE; gcc -O2 -DNOREDUCE -DSAFETY -o pan pan.c; ./pan -m10000000"
                           : "rumur --deadlock-detection off -o FILE.c FILE; gcc -O3 -mcx16 -pthread FILE.c -latomic");
  rules_comment(rules,
                promela ? "With spin -DWANTED, pan ends with a violated assertion where the test's proposition is met."
                        : "`wanted` covers the final states that meet the test's proposition: where there are none, "
                          "that is its error.");
}

static bool write_text(struct arena *arena, struct rules *rules, const struct target *target,
                       const struct litmus_test *test, struct diags *diags) {
  struct explore_request request = {test->program, test->observables, test->observable_count, NULL, NULL, arena};
  if (!target->kind->write_rules)
    return diag_fail(diags, "%s: no model of the %s machine can be written: -emit is for GPU machines",
                     test->source->name, target->kind->title);
  INSTR_EACH (instr, test->program) {
    if (instr_is_signed(instr)) continue;
    return diag_error(diags, test->program->source, instr->span,
                      "-emit has no words for unsigned values, nor for floats");
  }
  comments(rules, test, target);
  return target->kind->write_rules(target, &request, test->condition, rules, diags);
}

static void write_file(const struct invocation *call, const struct target *target, const char *text, bool promela,
                       struct test_output *output) {
  struct arena *arena = output->arena;
  const char *path =
      arena_printf(arena, "%s/%s-%s.%s", option_text(call, OPTION_OUTPUT), outfile_name(arena, output->label),
                   outfile_name(arena, target->name), promela ? "pml" : "m");
  if (test_output_write(output, path, text)) fprintf(output->out, "%s\n", path);
}

void explore_emit(const struct invocation *call, const struct target *target, const struct litmus_test *test,
                  struct test_output *output) {
  bool promela = option_is(call, OPTION_EMIT_RULES, "promela");
  struct diags diags = diags_new(output->arena);
  struct text text = text_new();
  struct rules rules = rules_new(output->arena, promela ? RULES_PROMELA : RULES_MURPHI, text.out);
  bool written = write_text(output->arena, &rules, target, test, &diags);
  const char *kept = text_keep(&text, output->arena);
  if (!written)
    tests_refuse(output, test, target->name, &diags);
  else if (option_text(call, OPTION_OUTPUT))
    write_file(call, target, kept, promela, output);
  else
    fputs(kept, output->out);
}
