/* SPDX-License-Identifier: MIT */
/* Random PTX and Vulkan tests: small enough for every partial order of their
 * writes to be built, with proxies, aliases, fences, barriers with quorums, and
 * scopes at all levels. */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "generate.h"

enum { MOST_THREADS = 3, MOST_ROWS = 16, MOST_REGISTERS = 6 };

struct gpu {
  uint64_t seed;
  FILE *out;
  bool vulkan, barriers, proxies;
  int threads, writes; /* writes: what is left of the budget */
  int registers[MOST_THREADS];
  int rows[MOST_THREADS];
  char cells[MOST_THREADS][MOST_ROWS][80];
};

static void put(struct gpu *g, int thread, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(struct gpu *g, int thread, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (g->rows[thread] < MOST_ROWS) vsnprintf(g->cells[thread][g->rows[thread]++], sizeof g->cells[0][0], format, args);
  va_end(args);
}

static const char *place(struct gpu *g) {
  return g->proxies ? PICK(&g->seed, "x", "y", "z") : PICK(&g->seed, "x", "y");
}

/* A constant; in PTX, where no model lets values justify themselves, sometimes a register. */
static void put_value(struct gpu *g, int thread, char *out, size_t size) {
  if (!g->vulkan && g->registers[thread] && chance(&g->seed, 20))
    snprintf(out, size, "r%u", below(&g->seed, (unsigned)g->registers[thread]));
  else
    snprintf(out, size, "%u", 1 + below(&g->seed, 2));
}

static bool new_register(struct gpu *g, int thread, int *reg) {
  *reg = g->registers[thread];
  return g->registers[thread] < MOST_REGISTERS && ++g->registers[thread];
}

/* ---- PTX ---- */

static void ptx_load(struct gpu *g, int t) {
  int reg;
  if (!new_register(g, t, &reg)) return;
  const char *proxy = g->proxies && chance(&g->seed, 30) ? PICK(&g->seed, "tld", "suld", "cold") : "ld";
  if (chance(&g->seed, 45))
    put(g, t, "%s.weak r%d, %s", proxy, reg, place(g));
  else
    put(g, t, "%s.%s.%s r%d, %s", proxy, PICK(&g->seed, "relaxed", "acquire"), PICK(&g->seed, "cta", "gpu", "sys"), reg,
        place(g));
}

static void ptx_store(struct gpu *g, int t) {
  char value[16];
  put_value(g, t, value, sizeof value);
  const char *proxy = g->proxies && chance(&g->seed, 20) ? "sust" : "st";
  if (chance(&g->seed, 45))
    put(g, t, "%s.weak %s, %s", proxy, place(g), value);
  else
    put(g, t, "%s.%s.%s %s, %s", proxy, PICK(&g->seed, "relaxed", "release"), PICK(&g->seed, "cta", "gpu", "sys"),
        place(g), value);
}

static void ptx_atomic(struct gpu *g, int t) {
  int reg;
  if (!new_register(g, t, &reg)) return;
  const char *order = PICK(&g->seed, "relaxed", "acquire", "release", "acq_rel"),
             *scope = PICK(&g->seed, "cta", "gpu", "sys");
  if (chance(&g->seed, 40))
    put(g, t, "atom.%s.%s.cas r%d, %s, %u, %u", order, scope, reg, place(g), below(&g->seed, 2),
        1 + below(&g->seed, 2));
  else
    put(g, t, "atom.%s.%s.%s r%d, %s, %u", order, scope, PICK(&g->seed, "exch", "add"), reg, place(g),
        1 + below(&g->seed, 2));
}

static void ptx_fence(struct gpu *g, int t) {
  if (g->proxies && chance(&g->seed, 50))
    put(g, t, "fence.proxy.%s", PICK(&g->seed, "alias", "generic", "constant", "surface", "texture"));
  else
    put(g, t, "fence.%s.%s", PICK(&g->seed, "acq_rel", "sc", "sc"), PICK(&g->seed, "cta", "gpu", "sys"));
}

/* ---- Vulkan ---- */

static void vulkan_load(struct gpu *g, int t) {
  int reg;
  if (!new_register(g, t, &reg)) return;
  const char *scope = PICK(&g->seed, "sg", "wg", "qf", "dv");
  switch (below(&g->seed, 4)) {
    case 0:
      put(g, t, "ld.%ssc0 r%d, %s", PICK(&g->seed, "", "nonpriv."), reg, place(g));
      break;
    case 1:
      put(g, t, "ld.vis.%s.sc0 r%d, %s", scope, reg, place(g));
      break;
    case 2:
      put(g, t, "ld.atom.%s.sc0 r%d, %s", scope, reg, place(g));
      break;
    default:
      put(g, t, "ld.atom.acq.%s.sc0.semsc0%s r%d, %s", scope, PICK(&g->seed, "", ".semvis"), reg, place(g));
  }
}

static void vulkan_store(struct gpu *g, int t) {
  const char *scope = PICK(&g->seed, "sg", "wg", "qf", "dv");
  unsigned value = 1 + below(&g->seed, 2);
  switch (below(&g->seed, 4)) {
    case 0:
      put(g, t, "st.%ssc0 %s, %u", PICK(&g->seed, "", "nonpriv."), place(g), value);
      break;
    case 1:
      put(g, t, "st.av.%s.sc0 %s, %u", scope, place(g), value);
      break;
    case 2:
      put(g, t, "st.atom.%s.sc0 %s, %u", scope, place(g), value);
      break;
    default:
      put(g, t, "st.atom.rel.%s.sc0.semsc0%s %s, %u", scope, PICK(&g->seed, "", ".semav"), place(g), value);
  }
}

static void vulkan_atomic(struct gpu *g, int t) {
  int reg;
  if (!new_register(g, t, &reg)) return;
  const char *scope = PICK(&g->seed, "sg", "wg", "qf", "dv");
  if (chance(&g->seed, 40))
    put(g, t, "rmw.atom.%s.sc0%s r%d, %s, %u", scope, PICK(&g->seed, "", ".add"), reg, place(g),
        1 + below(&g->seed, 2));
  else
    put(g, t, "rmw.atom.%s.%s.sc0.semsc0%s r%d, %s, %u", PICK(&g->seed, "acq", "rel", "acq_rel"), scope,
        PICK(&g->seed, "", ".add"), reg, place(g), 1 + below(&g->seed, 2));
}

/* Only a release makes available, and only an acquire visible. */
static void vulkan_fence(struct gpu *g, int t) {
  if (chance(&g->seed, 20)) {
    put(g, t, "%s", PICK(&g->seed, "avdevice", "visdevice"));
    return;
  }
  const char *order = PICK(&g->seed, "acq", "rel", "acq_rel"), *scope = PICK(&g->seed, "sg", "wg", "qf", "dv");
  const char *available = PICK(&g->seed, "", ".semav"), *visible = PICK(&g->seed, "", ".semvis");
  put(g, t, "membar.%s.%s.semsc0%s%s", order, scope, !strcmp(order, "acq") ? "" : available,
      !strcmp(order, "rel") ? "" : visible);
}

/* ---- Both ---- */

static void put_barrier(struct gpu *g, int t) {
  const char *operands = PICK(&g->seed, "0", "0", "0, 1", "0, 1, 1", "0, 1, 2");
  if (g->vulkan && chance(&g->seed, 40))
    put(g, t, "cbar.%s %s", PICK(&g->seed, "wg", "dv"), operands);
  else if (g->vulkan)
    put(g, t, "cbar.acq_rel.wg.semsc0%s %s", PICK(&g->seed, "", ".semav.semvis"), operands);
  else
    put(g, t, "bar.cta.sync %s", operands);
}

static void put_instruction(struct gpu *g, int t) {
  unsigned choice = below(&g->seed, 100);
  if (choice < 40) {
    (g->vulkan ? vulkan_load : ptx_load)(g, t);
  } else if (choice < 80) {
    if (g->writes-- > 0)
      (choice < 68 ? g->vulkan ? vulkan_store : ptx_store : g->vulkan ? vulkan_atomic : ptx_atomic)(g, t);
  } else if (choice < 92 || !g->barriers) {
    (g->vulkan ? vulkan_fence : ptx_fence)(g, t);
  } else {
    put_barrier(g, t);
  }
}

/* A branch over one instruction, on what was read. */
static void put_branch(struct gpu *g, int t) {
  put(g, t, "%s r%u, %u, LC%d0", PICK(&g->seed, "beq", "bne"), below(&g->seed, (unsigned)g->registers[t]),
      below(&g->seed, 2), t);
  (g->vulkan ? vulkan_load : ptx_load)(g, t);
  put(g, t, "LC%d0:", t);
}

static void print_threads(struct gpu *g) {
  int rows = 0;
  for (int t = 0; t < g->threads; t++) {
    for (unsigned i = 0, most = 2 + below(&g->seed, 3); i < most; i++) put_instruction(g, t);
    if (g->registers[t] && chance(&g->seed, 15)) put_branch(g, t);
    if (g->rows[t] > rows) rows = g->rows[t];
  }
  for (int t = 0; t < g->threads; t++) {
    fprintf(g->out, "%s P%d@", t ? " |" : "", t);
    if (g->vulkan)
      fprintf(g->out, "sg %u, wg %u, qf %u", below(&g->seed, 2), below(&g->seed, 2), chance(&g->seed, 20));
    else
      fprintf(g->out, "cta %u, gpu %u", below(&g->seed, 2), chance(&g->seed, 25));
  }
  fputs(" ;\n", g->out);
  for (int row = 0; row < rows; row++) {
    for (int t = 0; t < g->threads; t++) fprintf(g->out, "%s %-40s", t ? " |" : "", g->cells[t][row]);
    fputs(" ;\n", g->out);
  }
}

/* It names all that there is, so that the state shows it. */
static void print_gpu_condition(struct gpu *g) {
  fputs("exists (x == 0", g->out);
  for (int t = 0; t < g->threads; t++)
    for (int r = 0; r < g->registers[t]; r++)
      fprintf(g->out, " %s P%d:r%d == %u", PICK(&g->seed, "/\\", "\\/"), t, r, below(&g->seed, 3));
  fprintf(g->out, " \\/ y == %u%s)\n", below(&g->seed, 3), g->proxies ? " /\\ z == 1" : "");
}

void generate_gpu(FILE *out, bool vulkan, unsigned seed) {
  struct gpu g = {.out = out, .vulkan = vulkan};
  g.seed = ((uint64_t)seed + 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 4; i++) below(&g.seed, 2);
  g.threads = chance(&g.seed, 65) ? 2 : 3;
  g.writes = 5;
  g.barriers = chance(&g.seed, 30);
  g.proxies = chance(&g.seed, 35);
  fprintf(out, "%s random-%u\n{ x=%u; y=0;", vulkan ? "Vulkan" : "PTX", seed, chance(&g.seed, 15));
  if (g.proxies && vulkan) fputs(" z aliases x;", out);
  if (g.proxies && !vulkan)
    fprintf(out, " z @ %s aliases x;", PICK(&g.seed, "generic", "surface", "constant", "texture"));
  fputs(" }\n", out);
  print_threads(&g);
  print_gpu_condition(&g);
}
