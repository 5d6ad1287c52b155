/* SPDX-License-Identifier: MIT */
/* Certificates of machines: code, claims and runs.  Steps are named by the machine
 * itself; all else is as in certificates of models. */
#include "checker/report/write_machine_certificate.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/report/write_certificate_program.h"
#include "hwsem/compile_by_mapping.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/kinds.h"

/* ---- What cannot be told ------------------------------------------------------------ */

/* The checker's machine does not know it. */
static bool is_unknown(const struct knob_text *knob) {
  static const char *const NAMES[] = {"broadcast",       "queue-duplicates", "evict-clean",  "posted-invalidate",
                                      "lock-rmw-stalls", "write-allocate",   "fifo-entries", "l1-lines"};
  return text_index(knob->name, NAMES, ARRAY_COUNT(NAMES)) >= 0;
}

const char *certificate_machine_refusal(const struct target *target, const struct program *program) {
  if (!target->kind->certified) return "machines but those of kinds gpu and sc";
  if (target->kind->code == CODE_MAPPED) {
    const struct gpu_knobs *knobs = target->settings;
    struct knob_text knob;
    for (unsigned i = 0; knobs_text(target->kind->knobs, knobs, i, &knob); i++)
      if (is_unknown(&knob) && knob.chosen) return "this machine's settings";
    if (knobs->rmw_blocks == RMW_BLOCKS_SYNC) return "this machine's settings";
  }
  const char *refusal = certificate_refuse_barriers(program);
  return refusal ? refusal : certificate_refuse_program(program);
}

/* ---- Code of the GPU ------------------------------------------------------------------- */

static void print_access(FILE *out, const struct hw_instr *instr) {
  static const char *const LEVELS[] = {"L1", "L2", "GL", "local"};
  bool cas = instr->op == HW_RMW && instr->cas;
  fputs(instr->op == HW_LD ? "(ld" : instr->op == HW_ST ? "(st" : cas ? "(cas" : "(rmw", out);
  if (instr->op != HW_ST) fprintf(out, " %d", instr->reg);
  if (cas) fprintf(out, " %d", instr->old_reg);
  fprintf(out, " %s", LEVELS[instr->level]);
  certificate_print_cell(out, &instr->address, 0);
  if (instr->op == HW_RMW && !cas) certificate_print_operator(out, instr->function, instr->width);
  if (cas) certificate_print_value(out, instr->expected);
  if (instr->op != HW_LD) certificate_print_value(out, instr->value);
  if (cas) fprintf(out, " (%s%s)", instr->weak ? " weak" : "", instr->returns_old ? " returns-old" : "");
  fputc(')', out);
}

static void print_code(FILE *out, const struct hw_instr *instr) {
  const char *cache = instr->level == LEVEL_L2 ? "L2" : "L1";
  fputs("\n   ", out);
  switch (instr->op) {
    case HW_LD:
    case HW_ST:
    case HW_RMW:
      print_access(out, instr);
      return;
    case HW_FLU:
    case HW_INV:
      fprintf(out, "(%s %s %s)", instr->op == HW_FLU ? "flu" : "inv", cache, hw_target_name(instr->target));
      return;
    case HW_LOCK_RMW:
      fprintf(out, "(lk-rmw %s)", hw_target_name(instr->target));
      return;
    case HW_UNLOCK_RMW:
      fputs("(unlk-rmw)", out);
      return;
    case HW_LOCK_LINE:
      fputs("(lk", out);
      certificate_print_cell(out, &instr->address, 0);
      break;
    case HW_UNLOCK_LINE:
      fputs("(unlk)", out);
      return;
    case HW_MEET:
      fprintf(out, "(meet %d)", instr->meeting + 1);
      return;
    case HW_ASSIGN:
      fprintf(out, "(assign %d", instr->reg);
      certificate_print_value(out, instr->value);
      break;
    case HW_BRANCH:
      fputs("(branch", out);
      certificate_print_value(out, instr->value);
      fprintf(out, " %u", instr->destination);
      break;
    case HW_JUMP:
      fprintf(out, "(jump %u", instr->destination);
  }
  fputc(')', out);
}

static void print_gpu(FILE *out, const struct target *target, const struct program *program, struct arena *arena) {
  struct diags diags = diags_new(arena);
  const struct gpu_knobs *knobs = target->settings;
  const struct hw_program *code = compile_program(arena, program, target->mapping, &diags);
  fprintf(out, "(machine gpu \"%s\" %s", target->name, gpu_l2_is_memory(code, knobs) ? "flat" : "cached");
  struct knob_text knob;
  for (unsigned i = 0; knobs_text(target->kind->knobs, knobs, i, &knob); i++)
    if (!is_unknown(&knob) && strcmp(knob.name, "l2") != 0)
      fprintf(out, "\n (%s %.*s)", knob.name, (int)strcspn(knob_chosen(&knob), " "), knob_chosen(&knob));
  ARRAY_EACH (const struct hw_thread, thread, code->threads, code->thread_count) {
    fputs("\n (code (", out);
    for (unsigned r = 0; r < thread->reg_count; r++) fprintf(out, "%s%" PRId64, r ? " " : "", thread->reg_init[r]);
    fputc(')', out);
    for (unsigned i = 0; i < thread->instr_count; i++) print_code(out, &thread->instrs[i]);
    fputc(')', out);
  }
  fputs(")\n", out);
}

static void print_machine(FILE *out, const struct target *target, const struct program *program, struct arena *arena) {
  if (target->kind->code == CODE_MAPPED)
    print_gpu(out, target, program, arena);
  else
    fprintf(out, "(machine sc \"%s\")\n", target->name);
}

/* ---- Claims and runs ---------------------------------------------------------------------- */

static void print_steps(FILE *out, const char *head, const struct machine *machine, const struct explore_step *steps,
                        size_t length) {
  fprintf(out, "(%s", head);
  for (size_t i = 0; i < length; i++) {
    fputs("\n ", out);
    machine->name_step(machine, steps[i].step, out);
  }
  fputs(")\n", out);
}

void certificate_write_reached(FILE *out, const struct target *target, const struct reached *reached,
                               struct arena *arena) {
  const struct litmus_test *test = reached->test;
  certificate_begin(out, test);
  certificate_print_program(out, test->program, 0);
  certificate_print_question(out, test);
  print_machine(out, target, test->program, arena);
  fprintf(out, "(stuck %s)\n", reached->found.stats.deadlocks ? "yes" : "no");
  fprintf(out, "(claims\n (observation %s)", outcomes_observation(&reached->states));
  certificate_print_states(out, test, &reached->states);
  fputs(")\n", out);
}

void certificate_add_verified(FILE *out, const struct target *target, const struct verify_result *result,
                              struct arena *arena) {
  print_machine(out, target, result->test->program, arena);
  fprintf(out, "(verify %s)\n", verify_answer_name(result->answer));
  if (result->answer != VERIFY_SOUND) print_steps(out, "run", &result->machine, result->trace, result->trace_length);
}

void certificate_write_progress(FILE *out, const struct litmus_test *test, const char *scheduler,
                                const struct machine *machine, const struct progress *progress) {
  certificate_begin(out, test);
  certificate_print_program(out, test->program, 0);
  fprintf(out, "(machine sc \"sc\")\n(progress %s %s)\n", scheduler, progress->ends ? "Ends" : "Endless");
  if (progress->ends) return;
  print_steps(out, "run", machine, progress->run, progress->run_length);
  print_steps(out, "loop", machine, progress->loop, progress->loop_length);
}
