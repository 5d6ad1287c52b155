/* SPDX-License-Identifier: MIT */
/* The GPU as a kind of machine. */
#include "checker/base/array.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/gpu_executions.h"
#include "hwsem/machines/gpu_guarded_commands.h"
#include "hwsem/machines/kinds.h"

/* As gpu_stalled does. */
static bool tells_orders(const void *settings) {
  const struct gpu_knobs *knobs = settings;
  return knobs->rmw_blocks == RMW_BLOCKS_SYNC || knobs->posted != POSTED_AT_ONCE;
}

static bool check(const struct target *target, const struct program *program, struct arena *arena,
                  struct diags *diags) {
  return compile_program(arena, program, target->mapping, diags) != NULL;
}

/* Bits of values, by attempt. */
static const unsigned WIDTHS[] = {0, 8, 16, 32, 64};

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  const struct hw_program *program = compile_program(request->arena, request->program, target->mapping, diags);
  return program && gpu_machine(program, target->settings, request, WIDTHS[attempt], machine, diags);
}

/* Without lists of values, in as many bits as other explorers' integers have. */
static bool write_rules(const struct target *target, const struct explore_request *request, const struct prop *wanted,
                        struct rules *rules, struct diags *diags) {
  enum { LISTS, WIDE = 3 };
  struct machine machine;
  if (!build(target, request, LISTS, &machine, diags)) return false;
  if (!gpu_has_lists(&machine) && !build(target, request, WIDE, &machine, diags)) return false;
  gpu_write_rules(&machine, wanted, rules);
  return true;
}

static const char *const usual[] = {"gpu", NULL};

const struct machine_kind gpu_kind = {
    .title = "GPU",
    .root = "gpu",
    .usual = usual,
    .code = CODE_MAPPED,
    .certified = true,
    .settings_size = sizeof(struct gpu_knobs),
    .attempts = ARRAY_COUNT(WIDTHS),
    .follow = {gpu_executions_refuses, gpu_executions_machine, gpu_executions_key, gpu_executions_describe},
    .runs = machine_runs_threads,
    .schema = "gpu.rng",
    .knobs = &gpu_knob_table,
    .tells_orders = tells_orders,
    .check = check,
    .build = build,
    .write_rules = write_rules,
};
