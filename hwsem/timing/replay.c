/* SPDX-License-Identifier: MIT */
/* The view that runs a trace on the machines that run programs. */
#include <string.h>

#include "hwsem/timing/views.h"
#include "hwsem/workloads/trace.h"

const char help_replay[] =
    "Runs a trace: `litscope cost replay -trace FILE`, on the GPU with caches (timing-gpu; -mapping\n"
    "chooses the scheme), with -machine timing-amo-run on the mesh of atomics, whose policy is `near`, or\n"
    "with -machine timing-fear-mesh on the mesh of mutex rings.\n"
    "Traces are text, one request per line, plain or compressed by gzip; hwsem/workloads/trace.h has the\n"
    "format. `-record FILE` writes the first run of gpu-steal, amo-programs or programs as one. A trace is replayed\n"
    "as it was made, whatever its answers are: two runs of equal requests may see different values.\n";

static bool has_room(const struct work *work, int64_t cores, struct diags *diags) {
  if (work->threads <= cores) return true;
  diag_error(diags, NULL, (struct span){0}, "the trace has %u threads, and the mesh only %d cores", work->threads,
             (int)cores);
  return false;
}

struct number {
  const char *name;
  int64_t value;
};

static void put_numbers(struct table *table, const struct number *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    table_put_text(table, numbers[i].name);
    table_put_number(table, numbers[i].value);
  }
}

static bool replay_on_gpu(const struct cost_request *request, struct cost_report *report, const struct setting *setting,
                          struct work *work, struct table *table, struct diags *diags) {
  struct gpu_parameters p;
  struct gpu_scheme scheme = {0};
  if (!gpu_setting_fill(setting, &p, diags) || !gpu_scheme_load(request, &scheme, diags)) return false;
  if (!work) return true;
  p.rsp.n = work->threads;
  cost_begin(report);
  struct gpu_result r = gpu_run(report->arena, &p, &scheme, work, &report->limit);
  cost_end(report, (int64_t)work->accesses);
  if (report->limit.met) return true;
  const struct gpu_counts *c = &r.counts;
  const struct number rows[] = {{"cycles", r.time},
                                {"requests", (int64_t)work->requests},
                                {"accesses", (int64_t)work->accesses},
                                {"L1 lookups", c->l1_accesses},
                                {"L1 misses", c->l1_misses},
                                {"L2 accesses", c->l2_accesses},
                                {"lines from memory", c->l2_misses},
                                {"lines written", c->writes},
                                {"threads that wait for ever", r.stuck}};
  put_numbers(table, rows, sizeof rows / sizeof *rows);
  return true;
}

static bool replay_on_mesh(const struct cost_request *request, struct cost_report *report,
                           const struct setting *setting, struct work *work, struct table *table, struct diags *diags) {
  struct amo_parameters p;
  (void)request;
  if (!amo_program_fill(setting, &p, diags) || !amo_letters_read(setting, &p.near, diags)) return false;
  if (!work) return true;
  if (!has_room(work, AMO_NODES, diags)) return false;
  struct arena *arena = arena_new();
  struct amo_machine *machine = amo_machine_new(arena, &p, AMO_TABLE);
  amo_set_work(machine, work);
  cost_begin(report);
  struct amo_result r = amo_run(machine, -1, &report->limit);
  cost_end(report, r.events);
  arena_free(arena);
  if (report->limit.met) return true;
  const struct number rows[] = {{"cycles", r.finish},
                                {"requests", (int64_t)work->requests},
                                {"accesses", (int64_t)work->accesses},
                                {"near operations", r.near},
                                {"far operations", r.far},
                                {"lines from memory", r.memory_lines},
                                {"threads that wait for ever", r.stuck}};
  put_numbers(table, rows, sizeof rows / sizeof *rows);
  return true;
}

static bool replay_on_rings(const struct cost_request *request, struct cost_report *report,
                            const struct setting *setting, struct work *work, struct table *table,
                            struct diags *diags) {
  struct fear_mesh_parameters p;
  (void)request;
  if (!fear_mesh_fill(setting, &p, diags)) return false;
  if (!work) return true;
  if (!has_room(work, p.W * p.W - p.mems, diags)) return false;
  struct fear_rings rings = fear_mesh_rings(report->arena, &p);
  cost_begin(report);
  struct fear_mesh_result r = fear_mesh_run_work(&p, &rings, work, &report->limit);
  cost_end(report, r.events);
  if (report->limit.met) return true;
  const struct number rows[] = {{"cycles", r.fear.end},
                                {"requests", (int64_t)work->requests},
                                {"accesses", (int64_t)work->accesses},
                                {"cached operations", r.fear.cached},
                                {"speculative operations", r.fear.speculative},
                                {"fetched operations", r.fear.fetched},
                                {"messages", r.network.messages},
                                {"threads that wait for ever", r.stuck}};
  put_numbers(table, rows, sizeof rows / sizeof *rows);
  return true;
}

bool view_replay(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct setting setting = cost_setting_alone(report);
  struct table *table = cost_add_table(report, "Replay");
  table_columns(table, "what", "number", NULL);
  const char *machine = report->machine->name;
  bool (*replay)(const struct cost_request *, struct cost_report *, const struct setting *, struct work *,
                 struct table *, struct diags *) = replay_on_gpu;
  if (!strcmp(machine, "timing-amo-run")) replay = replay_on_mesh;
  if (!strcmp(machine, "timing-fear-mesh")) replay = replay_on_rings;
  if (request->help) return replay(request, report, &setting, NULL, table, diags);
  if (!request->trace_file) {
    diag_error(diags, NULL, (struct span){0}, "replay needs a trace: -trace FILE");
    return false;
  }
  struct arena *arena = arena_new();
  struct work *work = trace_read(arena, request->trace_file, diags);
  bool good = work && replay(request, report, &setting, work, table, diags);
  if (work) work_free(work);
  arena_free(arena);
  return good;
}
