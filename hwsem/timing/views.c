/* SPDX-License-Identifier: MIT */
/* The table of views. */
#include "hwsem/timing/views.h"

#include <string.h>

const struct cost_view cost_views[] = {
    {"rsp-ops", "timing-rsp", "scoped GPU operations under compiler mappings: flushes, latency, time in the lock",
     help_rsp_operations, view_rsp_operations, false},
    {"rsp-steal", "timing-rsp",
     "work stealing with and without scopes and promotion: tasks of given sizes, four scenarios", help_rsp_stealing,
     view_rsp_stealing, false},
    {"gpu-steal", "timing-gpu", "programs on GPU caches: work stealing with and without scopes and promotion",
     help_gpu_stealing, view_gpu_stealing, true},
    {"amo-lat", "timing-amo", "near and far atomic operations: latency of single transactions", help_amo_latency,
     view_amo_latency, false},
    {"amo-throughput", "timing-amo", "near and far atomic operations: throughput on one line against threads",
     help_amo_throughput, view_amo_throughput, false},
    {"amo-policy", "timing-amo",
     "near and far atomic operations: placement policies and predictors on sharing patterns", help_amo_policies,
     view_amo_policies, false},
    {"amo-programs", "timing-amo-run", "near and far atomic operations: kernels under static policies and predictors",
     help_amo_programs, view_amo_programs, true},
    {"programs", "timing-programs", "every program on every machine that runs programs", help_programs, view_programs,
     true},
    {"replay", "timing-gpu", "a trace on the GPU with caches, or on a mesh (-machine timing-amo-run, timing-fear-mesh)",
     help_replay, view_replay, true},
    {"fear-rings", "timing-fear", "mutex rings on a mesh: analytic latency against ring size", help_fear_rings,
     view_fear_rings, false},
    {"fear-timed", "timing-fear", "mutex rings on a mesh: timed runs, busy wires, epochs", help_fear_timed,
     view_fear_timed, false},
    {"fear-check", "timing-fear", "the mutex protocol explored: which rules keep operations atomic", help_fear_protocol,
     view_fear_protocol, false},
    {"fear-mesh", "timing-fear-mesh",
     "mutex rings on a mesh with contention: what each part contributes, sweeps over sizes", help_fear_mesh,
     view_fear_mesh, true},
    {"fear-programs", "timing-fear-mesh",
     "mutex rings on a mesh with contention: programs that run, next to the paper's numbers", help_fear_programs,
     view_fear_programs, true},
    {"fear-network", "timing-fear-net",
     "the mutex protocol on a network with finite buffers, explored: what can get stuck", help_fear_network,
     view_fear_network, false},
    {"adsm", "timing-adsm", "ADSM protocols: bytes, faults and time on access patterns; block and rolling sizes",
     help_adsm, view_adsm, false},
    {"adsm-programs", "timing-adsm-programs",
     "ADSM protocols on profiles of the Parboil suite: slow-down, bytes, parts of the time", help_adsm_programs,
     view_adsm_programs, true},
};
const size_t cost_view_count = sizeof cost_views / sizeof *cost_views;

const struct cost_view *cost_find_view(const char *name, struct diags *diags) {
  const char *names[sizeof cost_views / sizeof *cost_views + 1] = {0};
  for (size_t i = 0; i < cost_view_count; i++) {
    if (!strcmp(cost_views[i].name, name)) return &cost_views[i];
    names[i] = cost_views[i].name;
  }
  const char *nearest = suggest(name, names);
  if (nearest)
    diag_error(diags, NULL, (struct span){0}, "unknown view '%s'; did you mean '%s'?", name, nearest);
  else
    diag_error(diags, NULL, (struct span){0}, "unknown view '%s'; `litscope cost` lists them", name);
  return NULL;
}
