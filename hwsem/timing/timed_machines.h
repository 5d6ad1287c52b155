/* SPDX-License-Identifier: MIT */
/* The machines that run programs (workloads/workload.h), what a setting says of them, and of programs. */
#ifndef LITSCOPE_HWSEM_TIMING_TIMED_MACHINES_H
#define LITSCOPE_HWSEM_TIMING_TIMED_MACHINES_H

#include "hwsem/timing/amo_timed.h"
#include "hwsem/timing/fear_mesh.h"
#include "hwsem/timing/gpu_timed.h"
#include "hwsem/timing/view_report.h"
#include "hwsem/workloads/atomic_kernels.h"
#include "hwsem/workloads/graph_programs.h"

/* The GPU with caches, the mesh of atomics, the mesh of mutex rings. */
enum program_machine_kind { MACHINE_GPU, MACHINE_AMO, MACHINE_FEAR, MACHINE_KINDS };

/* Their descriptions' names. */
extern const char *const program_machine_names[MACHINE_KINDS];

struct program_machine {
  enum program_machine_kind kind;
  struct gpu_parameters gpu;
  struct gpu_scheme scheme;
  struct amo_parameters amo;
  enum amo_policy policy;
  struct fear_mesh_parameters fear;
};

/* What a run came to: cycles, and what the machine counted. */
struct program_run {
  int64_t cycles, events;
  bool stuck; /* threads wait for ever */
  union {
    struct gpu_result gpu;
    struct amo_result amo;
    struct fear_result fear;
  };
  struct {
    const char *name;
    int64_t number;
  } counts[6];
  size_t count_count;
};

/* A machine by its setting; operations of the mesh of atomics are near.  False with an error. */
bool program_machine_load(const struct cost_report *report, const struct setting *setting,
                          enum program_machine_kind kind, struct program_machine *machine);

/* Threads that it runs at most. */
unsigned program_machine_cores(const struct program_machine *machine);

/* Runs a work of no more threads to its end.  Once the limit is met, nothing in the result counts. */
struct program_run program_machine_run(struct arena *arena, const struct program_machine *machine, struct work *work,
                                       struct cost_limit *limit);

/* A view's runs are planned, then done together. */
struct program_job {
  const struct setting *setting; /* an error is about its parameter, */
  const char *title;             /* and says this */
  struct program_machine machine;
  enum { JOB_KERNEL, JOB_GRAPHS, JOB_PATTERN } kind;
  struct kernel_options kernel;
  struct graphs_options graphs;
  enum fear_sharing sharing; /* the pattern, which only the mesh of mutex rings runs */
  bool done;                 /* then: */
  struct program_run run;
  struct deque_counts deques; /* of graphs */
  int64_t tasks, accesses;
};

struct program_jobs {
  struct arena *arena;
  const char *parameter; /* that errors are about */
  VEC(struct program_job) list;
};

/* Plans a job; returns its number.  A kernel or pattern that is planned already for such a machine runs once: tables
 * have runs in common. */
size_t program_jobs_add(struct program_jobs *jobs, const struct program_job *job);

/* Plans a run of a setting's kernel on the mesh of atomics under a policy, whose name titles it; returns its number.
 * Parameters that the policy does not look at are set alike, so that runs are in common. */
size_t program_jobs_add_amo(struct program_jobs *jobs, const struct setting *setting,
                            const struct program_machine *machine, const char *policy);

/* Runs all; each answer is checked.  False with an error; those that the limit cut off are not done. */
bool program_jobs_run(struct cost_report *report, struct program_jobs *jobs);

/* Their parameters alone.  False with an error. */
bool gpu_setting_fill(const struct setting *setting, struct gpu_parameters *parameters);
bool amo_setting_fill(const struct setting *setting, struct amo_parameters *parameters,
                      bool programs); /* programs: with a last-level cache and memory */
bool fear_mesh_setting_fill(const struct setting *setting, struct fear_mesh_parameters *parameters);

/* Do rings of k members divide a mesh of side W, and are there not too many operations?  If not, says so. */
bool fear_check_ring(const struct setting *setting, int64_t W, int64_t k);
bool fear_check_operations(const struct setting *setting, const struct fear_mesh_parameters *parameters);

/* The scheme of the request's mapping; the static policy of atomic operations that the parameter `near` spells. */
bool gpu_scheme_load(const struct cost_report *report, struct gpu_scheme *scheme);
bool amo_letters_read(const struct setting *setting, int64_t *near);

/* Dynamic energy of a run on the mesh of atomics, in pJ: counts of what moves times the setting's energies. */
struct amo_energy {
  int64_t network, memory;
};

struct amo_energy amo_energy_of(const struct setting *setting, const struct amo_result *result);

/* A parameter of FEAR's mesh by name. */
int64_t *fear_mesh_parameter(struct fear_mesh_parameters *parameters, const char *name);

/* What settings say of a kernel's input; the rest is the caller's to fill. */
struct kernel_options kernel_setting(const struct setting *setting);

/* A graph, read from the setting's `file` or generated with about `vertices`.  NULL with an error. */
const struct graph *graph_setting(struct arena *arena, const struct setting *setting, uint32_t vertices,
                                  struct cost_limit *limit);

/* Can deques take as many tasks of `lanes` as the graph has?  Else says so, of the parameter `size`. */
bool graph_fits(const struct setting *setting, const struct graph *graph, unsigned lanes, const char *size);

#endif
