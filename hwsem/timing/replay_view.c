/* SPDX-License-Identifier: MIT */
/* The view that runs a trace on the machines that run programs. */
#include <string.h>

#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"
#include "hwsem/workloads/trace.h"

static const char help_replay[] =
    "Runs a trace: `litscope cost replay -trace FILE`, on the GPU with caches (timing-gpu; -mapping\n"
    "chooses the scheme), with -machine timing-amo-run on the mesh of atomics, whose policy is `near`, or\n"
    "with -machine timing-fear-mesh on the mesh of mutex rings.\n"
    "Traces are text, one request per line, plain or compressed by gzip; hwsem/workloads/trace.h has the\n"
    "format. `-record FILE` writes the first run of gpu-steal, amo-programs or programs as one. A trace is replayed\n"
    "as it was made, whatever its answers are: two runs of equal requests may see different values.\n";

/* The GPU has as many cores as there are threads. */
static bool load(const struct cost_report *report, struct program_machine *machine) {
  const struct setting *setting = &report->given;
  enum program_machine_kind kind = MACHINE_GPU;
  for (enum program_machine_kind k = MACHINE_AMO; k < MACHINE_KINDS; k++)
    if (!strcmp(setting->description->name, program_machine_names[k])) kind = k;
  if (!program_machine_load(report, setting, kind, machine)) return false;
  machine->policy = AMO_TABLE;
  return kind != MACHINE_AMO || amo_letters_read(setting, &machine->amo.near);
}

static void put(struct table *table, const char *name, int64_t number) {
  table_put_text(table, name);
  table_put_number(table, number);
}

static bool replay(struct cost_report *report, struct program_machine *machine, struct work *work,
                   struct table *table) {
  machine->gpu.rsp.n = work->threads;
  unsigned cores = program_machine_cores(machine);
  if (work->threads > cores)
    return diag_fail(report->diags, "the trace has %u threads, and the mesh only %u cores", work->threads, cores);
  cost_begin(&report->effort);
  struct program_run r = program_machine_run(report->arena, machine, work, &report->limit);
  cost_end(&report->effort, r.events);
  if (report->limit.met) return true;
  put(table, "cycles", r.cycles);
  put(table, "requests", (int64_t)work->requests);
  put(table, "accesses", (int64_t)work->accesses);
  for (size_t i = 0; i < r.count_count; i++) put(table, r.counts[i].name, r.counts[i].number);
  put(table, "threads that wait for ever", r.stuck);
  return true;
}

static bool show_replay(struct cost_report *report) {
  const struct cost_request *request = report->request;
  struct table *table = cost_add_table(report, "Replay");
  table_columns(table, "what", "number", NULL);
  struct program_machine machine;
  if (!load(report, &machine)) return false;
  if (request->help) return true;
  if (!request->trace_file) return diag_fail(report->diags, "replay needs a trace: -trace FILE");
  struct arena *arena = arena_new();
  struct work *work = trace_read(arena, request->trace_file, report->diags);
  bool good = work && replay(report, &machine, work, table);
  if (work) work_free(work);
  arena_free(arena);
  return good;
}

const struct cost_view view_replay = {
    .name = "replay",
    .machine = "timing-gpu",
    .summary = "a trace on the GPU with caches, or on a mesh (-machine timing-amo-run, timing-fear-mesh)",
    .help = help_replay,
    .run = show_replay,
    .slow = true};
