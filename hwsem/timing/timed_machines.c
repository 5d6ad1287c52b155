/* SPDX-License-Identifier: MIT */
/* Parameters from settings, and a run of any machine. */
#include "hwsem/timing/timed_machines.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/prices/rsp_mapping.h"
#include "hwsem/workloads/trace_write.h"

const char *const program_machine_names[MACHINE_KINDS] = {"timing-gpu", "timing-amo-run", "timing-fear-mesh"};

/* ---- the GPU ---- */

#define RSP(name) \
  { #name, offsetof(struct gpu_parameters, rsp.name) }
#define OWN(name) \
  { #name, offsetof(struct gpu_parameters, name) }
static const struct parameter_field gpu_fields[] = {
    RSP(n),      RSP(l1),     RSP(net),    RSP(pop), RSP(inv),      RSP(alu),   RSP(F),      OWN(l1sets),
    OWN(l1ways), OWN(l2sets), OWN(l2ways), OWN(mem), OWN(channels), OWN(burst), OWN(launch), OWN(age)};
#undef RSP
#undef OWN

bool gpu_setting_fill(const struct setting *setting, struct gpu_parameters *p) {
  return setting_fill(setting, gpu_fields, ARRAY_COUNT(gpu_fields), p);
}

/* The nine operations of the table: loads, stores, read-modify-writes by scope. */
bool gpu_scheme_load(const struct cost_report *report, struct gpu_scheme *scheme) {
  const struct cost_request *request = report->request;
  if (request->mapping_count > 1)
    return diag_fail(report->diags, "programs run under one mapping, not %zu", request->mapping_count);
  const char *name = request->mapping_count ? request->mappings[0] : "rsp-corrected";
  struct mapping *mapping = mapping_load(request->arena, name, request->search, report->diags);
  if (!mapping) return false;
  for (int scope = 0; scope < 3; scope++) {
    enum work_scope to = (enum work_scope)(WORK_GROUP + scope);
    if (!rsp_find_sequence(request->arena, mapping, scope, &scheme->load[to], report->diags) ||
        !rsp_find_sequence(request->arena, mapping, 3 + scope, &scheme->store[to], report->diags) ||
        !rsp_find_sequence(request->arena, mapping, 6 + scope, &scheme->rmw[to], report->diags))
      return false;
  }
  return true;
}

/* ---- the mesh of atomics ---- */

#define FIELD(name) \
  { #name, offsetof(struct amo_parameters, name) }
static const struct parameter_field amo_fields[] = {
    FIELD(hop),    FIELD(l1),   FIELD(l2),    FIELD(llc),     FIELD(l1sets),  FIELD(l1ways),  FIELD(l2sets),
    FIELD(l2ways), FIELD(dir),  FIELD(buf),   FIELD(hb),      FIELD(alu),     FIELD(wr),      FIELD(ldx),
    FIELD(iss),    FIELD(win),  FIELD(early), FIELD(amt),     FIELD(amtways), FIELD(confmax), FIELD(mth),
    FIELD(mdecay), FIELD(mmax), FIELD(fr),    FIELD(llcsets), FIELD(llcways), FIELD(mem)};
#undef FIELD
enum { AMO_FIELDS = ARRAY_COUNT(amo_fields), OF_PROGRAMS = 3 }; /* the last ones */

bool amo_setting_fill(const struct setting *setting, struct amo_parameters *p, bool programs) {
  *p = (struct amo_parameters){0};
  if (!setting_fill(setting, amo_fields, AMO_FIELDS - (programs ? 0 : OF_PROGRAMS), p)) return false;
  if (!programs) p->spin = setting_number(setting, "spin");
  if (p->amt % p->amtways == 0) return true;
  return setting_error(setting, setting_is_given(setting, "amtways") ? "amtways" : "amt",
                       "amt=%d entries are not a multiple of amtways=%d", (int)p->amt, (int)p->amtways);
}

/* `NNFNF`: UC, UD, SC, SD, I. */
bool amo_letters_read(const struct setting *setting, int64_t *near) {
  static const enum amo_state states[] = {AMO_UC, AMO_UD, AMO_SC, AMO_SD, AMO_I};
  const char *letters = setting_text(setting, "near");
  *near = 0;
  if (strlen(letters) == 5 && strspn(letters, "NF") == 5) {
    for (int i = 0; i < 5; i++)
      if (letters[i] == 'N') *near |= (int64_t)1 << states[i];
    return true;
  }
  return setting_error(setting, "near", "a policy is five letters N or F, for UC, UD, SC, SD and I, not '%s'", letters);
}

/* ---- the mesh of mutex rings ---- */

#define FIELD(name) \
  { #name, offsetof(struct fear_mesh_parameters, name) }
static const struct parameter_field fear_fields[] = {
    FIELD(W),     FIELD(mems), FIELD(period), FIELD(classes), FIELD(buffer), FIELD(data),   FIELD(layout),   FIELD(k),
    FIELD(B),     FIELD(M),    FIELD(u),      FIELD(L1),      FIELD(L2),     FIELD(ALU),    FIELD(Z),        FIELD(E),
    FIELD(LUT),   FIELD(spec), FIELD(ops),    FIELD(sets),    FIELD(ways),   FIELD(port),   FIELD(elements), FIELD(rmw),
    FIELD(eflit), FIELD(el1),  FIELD(el2),    FIELD(eatomic), FIELD(pmutex), FIELD(plookup)};
#undef FIELD
enum { FEAR_FIELDS = ARRAY_COUNT(fear_fields) };

int64_t *fear_mesh_parameter(struct fear_mesh_parameters *p, const char *name) {
  int i = ROW_INDEX(fear_fields, FEAR_FIELDS, name, name);
  return i < 0 ? NULL : (int64_t *)(void *)((char *)p + fear_fields[i].offset);
}

bool fear_check_ring(const struct setting *setting, int64_t W, int64_t k) {
  if (W * W % k == 0) return true;
  return setting_error(setting, "k", "ring size k=%d does not divide the %d nodes of a %dx%d mesh", (int)k,
                       (int)(W * W), (int)W, (int)W);
}

bool fear_check_operations(const struct setting *setting, const struct fear_mesh_parameters *p) {
  int64_t cores = p->W * p->W - p->mems;
  if (cores * p->ops <= COST_OPERATIONS) return true;
  return setting_error(setting, "ops", "ops=%d operations of each of %d nodes are more than %d operations", (int)p->ops,
                       (int)cores, COST_OPERATIONS);
}

bool fear_mesh_setting_fill(const struct setting *setting, struct fear_mesh_parameters *p) {
  *p = (struct fear_mesh_parameters){0};
  if (!setting_fill(setting, fear_fields, FEAR_FIELDS, p)) return false;
  int64_t nodes = p->W * p->W;
  if (p->k == 0) p->k = nodes;
  if (p->mems >= nodes)
    return setting_error(setting, "mems", "a mesh of %d nodes needs a core besides mems=%d nodes that only answer",
                         (int)nodes, (int)p->mems);
  return fear_check_ring(setting, p->W, p->k) && fear_check_operations(setting, p);
}

/* ---- any of them ---- */

bool program_machine_load(const struct cost_report *report, const struct setting *setting,
                          enum program_machine_kind kind, struct program_machine *m) {
  *m = (struct program_machine){.kind = kind, .policy = AMO_ALL_NEAR};
  switch (kind) {
    case MACHINE_GPU:
      return gpu_setting_fill(setting, &m->gpu) && gpu_scheme_load(report, &m->scheme);
    case MACHINE_AMO:
      return amo_setting_fill(setting, &m->amo, true);
    case MACHINE_FEAR:
    case MACHINE_KINDS:
      break;
  }
  return fear_mesh_setting_fill(setting, &m->fear);
}

unsigned program_machine_cores(const struct program_machine *m) {
  if (m->kind == MACHINE_GPU) return (unsigned)m->gpu.rsp.n;
  return m->kind == MACHINE_AMO ? AMO_NODES : (unsigned)(m->fear.W * m->fear.W - m->fear.mems);
}

static struct program_run run_gpu(struct arena *arena, const struct program_machine *m, struct work *work,
                                  struct cost_limit *limit) {
  struct gpu_result r = gpu_run(arena, &m->gpu, &m->scheme, work, limit);
  return (struct program_run){r.time,
                              (int64_t)work->accesses,
                              r.stuck,
                              {.gpu = r},
                              {{"L1 lookups", r.counts.l1_accesses},
                               {"L1 misses", r.counts.l1_misses},
                               {"L2 accesses", r.counts.l2_accesses},
                               {"lines from memory", r.counts.l2_misses},
                               {"lines written", r.counts.writes}},
                              5};
}

static struct program_run run_amo(struct arena *arena, const struct program_machine *m, struct work *work,
                                  struct cost_limit *limit) {
  struct amo_machine *machine = amo_machine_new(arena, &m->amo, m->policy);
  amo_set_work(machine, work);
  struct amo_result r = amo_run(machine, -1, limit);
  return (struct program_run){
      r.finish,
      r.events,
      r.stuck,
      {.amo = r},
      {{"near operations", r.near}, {"far operations", r.far}, {"lines from memory", r.memory_lines}},
      3};
}

static struct program_run run_fear(struct arena *arena, const struct program_machine *m, struct work *work,
                                   struct cost_limit *limit) {
  struct fear_rings rings = fear_mesh_rings(arena, &m->fear);
  struct fear_result r = fear_mesh_run_work(&m->fear, &rings, work, limit);
  return (struct program_run){r.end,
                              r.events,
                              r.stuck,
                              {.fear = r},
                              {{"cached operations", r.cached},
                               {"speculative operations", r.speculative},
                               {"fetched operations", r.fetched},
                               {"messages", r.network.messages}},
                              4};
}

struct program_run program_machine_run(struct arena *arena, const struct program_machine *m, struct work *work,
                                       struct cost_limit *limit) {
  if (m->kind == MACHINE_GPU) return run_gpu(arena, m, work, limit);
  return (m->kind == MACHINE_AMO ? run_amo : run_fear)(arena, m, work, limit);
}

/* ---- jobs ---- */

static bool same_kernel(const struct kernel_options *a, const struct kernel_options *b) {
  return a->kind == b->kind && a->threads == b->threads && a->size == b->size && a->range == b->range &&
         a->keys == b->keys && a->graph == b->graph && a->given == b->given && a->degree == b->degree &&
         a->think == b->think && a->seed == b->seed;
}

static bool same_machine(const struct program_machine *a, const struct program_machine *b) {
  return a->kind == b->kind && a->kind != MACHINE_GPU && a->policy == b->policy &&
         !memcmp(&a->amo, &b->amo, sizeof a->amo) && !memcmp(&a->fear, &b->fear, sizeof a->fear);
}

size_t program_jobs_add(struct program_jobs *jobs, const struct program_job *job) {
  for (size_t i = 0; i < jobs->list.count; i++) {
    const struct program_job *other = &jobs->list.at[i];
    if (job->kind != JOB_GRAPHS && job->kind == other->kind && job->sharing == other->sharing &&
        same_kernel(&job->kernel, &other->kernel) && same_machine(&job->machine, &other->machine))
      return i;
  }
  *vec_push(jobs->arena, &jobs->list) = *job;
  return jobs->list.count - 1;
}

size_t program_jobs_add_amo(struct program_jobs *jobs, const struct setting *setting,
                            const struct program_machine *machine, const char *policy) {
  struct program_job job = {.setting = setting,
                            .title = arena_printf(jobs->arena, "%s under %s", setting->name, policy),
                            .machine = *machine,
                            .kernel = kernel_setting(setting)};
  job.kernel.kind = (enum kernel_kind)setting_number(setting, "kernel");
  job.kernel.threads = (unsigned)setting_number(setting, "n");
  job.kernel.think = setting_number(setting, "think");
  struct amo_parameters *own = &job.machine.amo;
  if (machine->policy == AMO_ALL_NEAR) own->win = 1; /* of far operations */
  if (!amo_policy_predicts(machine->policy))
    own->amt = own->amtways = own->confmax = own->mth = own->mdecay = own->mmax = own->fr = 1;
  return program_jobs_add(jobs, &job);
}

struct amo_energy amo_energy_of(const struct setting *setting, const struct amo_result *result) {
  return (struct amo_energy){.network = result->control_hops * setting_number(setting, "econtrol") +
                                        result->data_hops * setting_number(setting, "edata"),
                             .memory = result->memory_lines * setting_number(setting, "ememory")};
}

static void run_pattern(struct program_job *job, struct cost_task *task) {
  struct fear_rings rings = fear_mesh_rings(task->arena, &job->machine.fear);
  cost_begin(&task->effort);
  job->run.fear = fear_mesh_run(&job->machine.fear, &rings, job->sharing, &task->limit);
  cost_end(&task->effort, job->run.fear.events);
}

static void run_work(struct program_job *job, struct work *work, struct cost_task *task) {
  if (!work->out_of_memory) {
    if (task->record) trace_record(work, task->record, &task->diags);
    cost_begin(&task->effort);
    job->run = program_machine_run(task->arena, &job->machine, work, &task->limit);
    cost_end(&task->effort, job->run.events);
    job->accesses = (int64_t)work->accesses;
    if (job->kind == JOB_GRAPHS) job->deques = *graphs_counts(work);
    if (job->kind == JOB_GRAPHS) job->tasks = graphs_tasks(work);
    if (work->record) trace_close(work, &task->diags);
    if (!task->limit.met) task->wrong = job->run.stuck ? "threads wait for ever" : work->check(task->arena, work);
  }
  if (work->out_of_memory) task->wrong = "no memory for it";
  work_free(work);
}

static void do_job(void *context, size_t index, struct cost_task *task) {
  struct program_job *job = &((struct program_jobs *)context)->list.at[index];
  struct kernel_options kernel = job->kernel;
  kernel.limit = &task->limit;
  if (job->kind == JOB_PATTERN)
    run_pattern(job, task);
  else
    run_work(job, job->kind == JOB_GRAPHS ? graphs_new(task->arena, &job->graphs) : kernel_new(task->arena, &kernel),
             task);
}

/* What stays of a run beyond its own arena. */
static bool take_job(void *context, size_t index, struct cost_task *task) {
  const struct program_jobs *jobs = context;
  struct program_job *job = &jobs->list.at[index];
  job->done = true;
  if (task->wrong) setting_error(job->setting, jobs->parameter, "%s: %s", job->title, task->wrong);
  if (task->wrong || job->machine.kind != MACHINE_GPU) return !task->wrong;
  size_t samples = job->run.gpu.kernels * (size_t)job->machine.gpu.rsp.n;
  job->run.gpu.busy = ARENA_COPY(jobs->arena, int64_t, job->run.gpu.busy, samples);
  return true;
}

bool program_jobs_run(struct cost_report *report, struct program_jobs *jobs) {
  return cost_tasks_run(report, &(struct cost_tasks){jobs, jobs->list.count, do_job, take_job});
}

/* ---- programs ---- */

struct kernel_options kernel_setting(const struct setting *s) {
  return (struct kernel_options){.size = (uint32_t)setting_number(s, "size"),
                                 .range = (uint32_t)setting_number(s, "range"),
                                 .keys = (enum kernel_keys)setting_number(s, "keys"),
                                 .graph = (enum graph_kind)setting_number(s, "graph"),
                                 .degree = (uint32_t)setting_number(s, "degree"),
                                 .seed = (uint64_t)setting_number(s, "seed")};
}

const struct graph *graph_setting(struct arena *arena, const struct setting *s, uint32_t vertices,
                                  struct cost_limit *limit) {
  const char *file = setting_text(s, "file");
  enum graph_kind kind = (enum graph_kind)setting_number(s, "graph");
  uint32_t degree = (uint32_t)setting_number(s, "degree");
  uint64_t seed = (uint64_t)setting_number(s, "seed");
  if (strcmp(file, "none") != 0) return graph_read(arena, file, s->diags);
  return graph_generate(arena, kind, vertices, degree, seed, limit);
}

bool graph_fits(const struct setting *setting, const struct graph *graph, unsigned lanes, const char *size) {
  if (graph->vertices <= (uint64_t)lanes * DEQUE_TASKS) return true;
  return setting_error(setting, setting_is_given(setting, "lanes") ? "lanes" : size,
                       "%u vertices are more than %d tasks of %u", graph->vertices, DEQUE_TASKS, lanes);
}
