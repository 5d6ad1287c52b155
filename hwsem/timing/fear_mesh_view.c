/* SPDX-License-Identifier: MIT */
/* The view of FEAR on a mesh with contention: what its parts bring, and sweeps over
 * mutexes, busy wires, lookup tables and epochs (the paper's Figures 5 to 9), for
 * patterns of sharing. */
#include "hwsem/timing/fear_figures.h"
#include "hwsem/timing/view_list.h"

static const char help_fear_mesh[] =
    "The machine of the paper's Table I: a 6x6 mesh, 28 cores and 8 nodes that only answer and hold\n"
    "the L2, links that carry one flit a cycle at half the cores' clock, two classes of messages with\n"
    "buffers of four, an L1 of 32 kB. Speed-up is the time of memside, where operations are done at the\n"
    "L2, over the time of a configuration: AtomDir caches atomic data (k=1), Topology adds rings,\n"
    "SpecFetch speculative fetches (Figure 9). `queueing` is how long a message waits on its way, in\n"
    "cycles of the network. Then speed-up against mutexes, busy wires, entries of the lookup table and\n"
    "length of the epoch (Figures 5 to 8); u=0 is an update that takes no time and no message.\n"
    "Last, what moves and its energy: flits over hops and accesses to caches; and next to it what the\n"
    "tables of mutexes and the lookup tables take, at the power of the paper's Tables III and IV for as\n"
    "long as the run lasts (most of that time cores compute).\n"
    "\n"
    "Programs are stand-ins: `program` is a pattern of sharing that follows what the paper says about\n"
    "it, and Z the time between a core's operations that its Table II gives (1000 instructions / rate\n"
    "/ IPC of a core). A core has one operation under way. Programs whose values the messages carry\n"
    "and whose answers are checked run by `litscope cost programs`.\n"
    "\n"
    "What to believe: which part helps whom, not how much. As published, GPUSort gains by caching\n"
    "alone (AtomDir), loses a little by the updates of its rings, and speculation makes up for it;\n"
    "canneal, whose elements are hardly ever found again, has only speculation to gain by; without\n"
    "atomic operations (threadFenceReduction) nothing changes; 1K entries of a lookup table and 2K\n"
    "mutexes are enough. What is not reproduced: hypercolumn and canneal rise from AtomDir to\n"
    "SpecFetch, but gain nothing (published: 7 and 4 %), whatever L2 and port: here a speculative\n"
    "fetch takes as long as an operation at the L2, and no core waits for another's result. Nor does\n"
    "fluidanimate beyond AtomDir: with its rate the updates of rings of nine keep 16 busy wires\n"
    "occupied, and rings of two or three are best. The reason is that updates go from member to\n"
    "member over the same links, and enter the network again at each (with u=0 AtomDir, Topology and\n"
    "SpecFetch rise as published: 1.41, 1.49, 1.54); and whether caching pays at all depends on the\n"
    "latency of the L2 (L2=20: hardly).\n";

static bool fill_pattern(struct fear_benchmark *program) {
  program->sharing = (enum fear_sharing)setting_number(program->setting, "program");
  return true;
}

static bool show_fear_mesh(struct cost_report *report) {
  static const struct fear_figures_view view = {"programs", "program", fill_pattern, NULL, fear_figures_add_text};
  return fear_figures_show(report, &view);
}

const struct cost_view view_fear_mesh = {
    .name = "fear-mesh",
    .machine = "timing-fear-mesh",
    .summary = "mutex rings on a mesh with contention: what each part contributes, sweeps over sizes",
    .help = help_fear_mesh,
    .run = show_fear_mesh,
    .slow = true};
