/* SPDX-License-Identifier: MIT */
/* The view that runs a trace on both machines that run programs. */
#include <string.h>

#include "hwsem/timing/views.h"
#include "hwsem/workloads/trace.h"

const char help_replay[] =
    "Runs a trace: `litscope cost replay -trace FILE`, on the GPU with caches (timing-gpu; -mapping\n"
    "chooses the scheme) or with -machine timing-amo-run on the mesh of atomics, whose policy is `near`.\n"
    "Traces are text, one request per line, plain or compressed by gzip; hwsem/workloads/trace.h has the\n"
    "format. `-record FILE` writes the first run of gpu-steal or amo-programs as one. A trace is replayed\n"
    "as it was made, whatever its answers are: two runs of equal requests may see different values.\n";

static bool replay_on_gpu(const struct cost_request *request, struct cost_report *report, const struct setting *setting,
                          struct work *work, struct table *table, struct diags *diags) {
  struct gpu_parameters p;
  struct gpu_scheme scheme = {0};
  if (!gpu_setting_fill(setting, &p, diags) || !gpu_scheme_load(request, &scheme, diags)) return false;
  if (!work) return true;
  p.rsp.n = work->threads;
  struct gpu_result r = gpu_run(report->arena, &p, &scheme, work, &report->limit);
  if (report->limit.met) return true;
  const struct gpu_counts *c = &r.counts;
  const struct {
    const char *name;
    int64_t value;
  } rows[] = {{"cycles", r.time},
              {"requests", (int64_t)work->requests},
              {"accesses", (int64_t)work->accesses},
              {"L1 lookups", c->l1_accesses},
              {"L1 misses", c->l1_misses},
              {"L2 accesses", c->l2_accesses},
              {"lines from memory", c->l2_misses},
              {"lines written", c->writes},
              {"threads that wait for ever", r.stuck}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    table_put_text(table, rows[i].name);
    table_put_number(table, rows[i].value);
  }
  return true;
}

static bool replay_on_mesh(const struct cost_request *request, struct cost_report *report,
                           const struct setting *setting, struct work *work, struct table *table, struct diags *diags) {
  struct amo_parameters p;
  (void)request;
  if (!amo_program_fill(setting, &p, diags) || !amo_letters_read(setting, &p.near, diags)) return false;
  if (!work) return true;
  if (work->threads > AMO_NODES) {
    diag_error(diags, NULL, (struct span){0}, "the trace has %u threads, and the mesh only %d cores", work->threads,
               AMO_NODES);
    return false;
  }
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, &p, AMO_TABLE);
  amo_set_work(machine, work);
  struct amo_result r = amo_run(machine, -1, &report->limit);
  arena_free(arena);
  if (report->limit.met) return true;
  const struct {
    const char *name;
    int64_t value;
  } rows[] = {{"cycles", r.finish},
              {"requests", (int64_t)work->requests},
              {"accesses", (int64_t)work->accesses},
              {"near operations", r.near},
              {"far operations", r.far},
              {"lines from memory", r.memory_lines},
              {"threads that wait for ever", r.stuck}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    table_put_text(table, rows[i].name);
    table_put_number(table, rows[i].value);
  }
  return true;
}

bool view_replay(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct setting setting = cost_setting_alone(report);
  struct table *table = cost_add_table(report, "Replay");
  table_column(table, "what", NULL);
  table_column(table, "number", NULL);
  bool mesh = !strcmp(report->machine->name, "timing-amo-run");
  if (request->help) return (mesh ? replay_on_mesh : replay_on_gpu)(request, report, &setting, NULL, table, diags);
  if (!request->trace_file) {
    diag_error(diags, NULL, (struct span){0}, "replay needs a trace: -trace FILE");
    return false;
  }
  struct arena *arena = arena_new();
  struct work *work = trace_read(arena, request->trace_file, diags);
  bool good = work && (mesh ? replay_on_mesh : replay_on_gpu)(request, report, &setting, work, table, diags);
  if (work) work_free(work);
  arena_free(arena);
  return good;
}
