/* SPDX-License-Identifier: MIT */
/* usage: generate [-language opencl|c|hsa|ptx|vulkan] [-circles yes] [-waits yes] [-o DIR] FIRST COUNT
 *
 * Writes COUNT random litmus tests, one for each seed from FIRST on, to
 * DIR/SEED.litmus (without -o: to standard output).  The same seed gives the
 * same test everywhere.  Tests are kept so small that the naive enumerator can
 * build all their candidates, and use everything a test can hold: scopes,
 * remote operations, fences, read-modify-writes, compare-and-swaps, barriers,
 * local memory, ordinary locations, arrays, arithmetic, conditionals, loops.
 *
 * With -circles (OpenCL and C) each thread hands what it reads on to the next, so that
 * values can come to rest on themselves, which among all tests is rare.  With -waits (the
 * same) threads wait in loops of many kinds for what others write. */
#include "generate.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum language { OPENCL, C, HSA, PTX, VULKAN };

enum { MOST_THREADS = 4, MOST_LOCATIONS = 4, MOST_REGISTERS = 8, MOST_ROWS = 24 };

struct location {
  const char *name;
  bool atomic, local;
};

struct generator {
  uint64_t seed;
  bool opencl, circles, waits;
  FILE *out;
  int threads;
  int locations;
  struct location location[MOST_LOCATIONS];
  bool barriers;
  int cost;      /* what is left of the budget of accesses */
  int thread;    /* the one being written */
  int registers; /* of that thread, so far */
  int indent;
  int counts[MOST_THREADS]; /* registers by thread */
  int work_group[MOST_THREADS], device[MOST_THREADS];
};

static void line(struct generator *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(struct generator *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(g->out, "%*s", g->indent * 2, "");
  vfprintf(g->out, format, args);
  fputc('\n', g->out);
  va_end(args);
}

/* ---- what is put together ---- */

struct text {
  char at[160];
};

static struct text format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
static struct text format(const char *pattern, ...) {
  struct text text;
  va_list args;
  va_start(args, pattern);
  vsnprintf(text.at, sizeof text.at, pattern, args);
  va_end(args);
  return text;
}

static int random_location(struct generator *g) {
  return (int)below(&g->seed, (unsigned)g->locations);
}

/* A constant, or sometimes something computed from a register. */
static struct text value(struct generator *g) {
  if (!g->registers || chance(&g->seed, 65)) return format("%u", 1 + below(&g->seed, 2));
  int r = (int)below(&g->seed, (unsigned)g->registers);
  switch (below(&g->seed, 6)) {
    case 4:
      return format("(r%d ^ r%d) + 1", r, r);
    case 0:
      return format("r%d", r);
    case 1:
      return format("r%d + 1", r);
    case 2:
      return format("(r%d & 1) + 1", r);
    case 3:
      return format("r%d * 2 - 1", r);
    default: /* often: what is handed on can come back */
      return format("r%d", r);
  }
}

static const char *scope(struct generator *g) {
  if (chance(&g->seed, 4)) return PICK(&g->seed, "memory_scope_work_item", "memory_scope_sub_group");
  return PICK(&g->seed, "memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices");
}

static const char *remote(struct generator *g) {
  return g->opencl && chance(&g->seed, 20) ? "_remote" : "";
}

/* `, order` and, in OpenCL, `, scope)`. */
static struct text strength(struct generator *g, const char *order) {
  if (!g->opencl) return format(", memory_order_%s)", order);
  return format(", memory_order_%s, %s)", order, scope(g));
}

static int new_register(struct generator *g) {
  return g->registers < MOST_REGISTERS ? g->registers++ : g->registers - 1;
}

/* ---- statements ---- */

static void load(struct generator *g) {
  int x = random_location(g);
  const struct location *l = &g->location[x];
  g->cost -= 2;
  if (!l->atomic || chance(&g->seed, 5)) {
    int r = new_register(g);
    line(g, "int r%d = *%s;", r, l->name);
    return;
  }
  const char *order = PICK(&g->seed, "relaxed", "acquire", "seq_cst");
  const char *far = remote(g);
  struct text rest = strength(g, order);
  int r = new_register(g);
  line(g, "int r%d = atomic_load_explicit%s(%s%s;", r, far, l->name, rest.at);
}

static void store(struct generator *g) {
  const struct location *l = &g->location[random_location(g)];
  struct text v = value(g);
  g->cost -= 2;
  if (!l->atomic || chance(&g->seed, 5)) {
    line(g, "*%s = %s;", l->name, v.at);
    return;
  }
  const char *order = PICK(&g->seed, "relaxed", "release", "seq_cst");
  const char *far = remote(g);
  struct text rest = strength(g, order);
  line(g, "atomic_store_explicit%s(%s, %s%s;", far, l->name, v.at, rest.at);
}

/* An atomic location, or -1 if the test has none. */
static int atomic_location(struct generator *g) {
  int start = random_location(g);
  for (int i = 0; i < g->locations; i++)
    if (g->location[(start + i) % g->locations].atomic) return (start + i) % g->locations;
  return -1;
}

static void rmw(struct generator *g) {
  int x = atomic_location(g);
  if (x < 0) return;
  const char *name = g->location[x].name;
  const char *operation =
      chance(&g->seed, 40)   ? "exchange"
      : chance(&g->seed, 60) ? "fetch_add"
      : g->opencl ? PICK(&g->seed, "fetch_sub", "fetch_or", "fetch_xor", "fetch_and", "fetch_min", "fetch_max")
                  : PICK(&g->seed, "fetch_sub", "fetch_or", "fetch_xor", "fetch_and");
  struct text v = value(g);
  const char *far = remote(g);
  struct text rest = strength(g, PICK(&g->seed, "relaxed", "acquire", "release", "acq_rel", "seq_cst"));
  g->cost -= 4;
  int r = new_register(g);
  line(g, "int r%d = atomic_%s_explicit%s(%s, %s%s;", r, operation, far, name, v.at, rest.at);
}

/* The expected value is read from the last location, which is ordinary. */
static void compare_and_swap(struct generator *g) {
  int x = atomic_location(g), last = g->locations - 1;
  if (x < 0 || g->location[last].atomic || g->location[last].local) return;
  const char *kind = chance(&g->seed, 85) ? "strong" : "weak";
  const char *success = PICK(&g->seed, "relaxed", "acquire", "release", "acq_rel", "seq_cst");
  const char *failure = !strcmp(success, "seq_cst")   ? PICK(&g->seed, "relaxed", "acquire", "seq_cst")
                        : !strcmp(success, "relaxed") ? "relaxed"
                                                      : PICK(&g->seed, "relaxed", "acquire");
  if (!strcmp(success, "release")) failure = "relaxed";
  struct text v = value(g);
  const char *far = remote(g);
  struct text rest = strength(g, failure);
  g->cost -= 6;
  int r = new_register(g);
  line(g, "int r%d = atomic_compare_exchange_%s_explicit%s(%s, %s, %s, memory_order_%s%s;", r, kind, far,
       g->location[x].name, g->location[last].name, v.at, success, rest.at);
}

static void fence(struct generator *g) {
  const char *order = PICK(&g->seed, "acquire", "release", "acq_rel", "seq_cst");
  if (!g->opencl) {
    line(g, "atomic_thread_fence(memory_order_%s);", order);
    return;
  }
  const char *far = remote(g);
  const char *flags = PICK(&g->seed, "CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                           "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE");
  const char *where = scope(g);
  line(g, "atomic_work_item_fence%s(%s, memory_order_%s, %s);", far, flags, order, where);
}

static void barrier(struct generator *g) {
  const char *label = PICK(&g->seed, "B1: ", "B1: ", "B1: ", "B2: ", "");
  const char *flags =
      PICK(&g->seed, "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE");
  bool scoped = chance(&g->seed, 30);
  const char *where = scope(g);
  line(g, "%sbarrier(%s%s%s);", label, flags, scoped ? ", " : "", scoped ? where : "");
}

static void statement(struct generator *g, int depth);

static void block(struct generator *g, int depth, int statements) {
  g->indent++;
  for (int i = 0; i < statements; i++) statement(g, depth + 1);
  g->indent--;
}

static void conditional(struct generator *g, int depth) {
  int r = (int)below(&g->seed, (unsigned)g->registers);
  const char *compare = PICK(&g->seed, "==", "==", "!=", "<", ">=");
  line(g, "if (r%d %s %u) {", r, compare, below(&g->seed, 3));
  block(g, depth, 1 + (int)below(&g->seed, 2));
  if (chance(&g->seed, 30)) {
    line(g, "} else {");
    block(g, depth, 1);
  }
  line(g, "}");
}

/* Waits for a value, or goes round a fixed number of times. */
static void loop(struct generator *g, int depth) {
  int x = atomic_location(g);
  if (x >= 0 && chance(&g->seed, 60)) {
    struct text rest = strength(g, PICK(&g->seed, "relaxed", "acquire"));
    g->cost -= 5;
    line(g, "while (atomic_load_explicit(%s%s == %u) {", g->location[x].name, rest.at, below(&g->seed, 2));
    line(g, "}");
    return;
  }
  int r = new_register(g);
  line(g, "int r%d = 0;", r);
  line(g, "while (r%d < 2) {", r);
  int before = g->cost;
  block(g, depth, 1);
  g->cost -= before - g->cost;
  g->indent++;
  line(g, "r%d = r%d + 1;", r, r);
  g->indent--;
  line(g, "}");
}

static void statement(struct generator *g, int depth) {
  if (g->cost <= 0) return;
  unsigned choice = below(&g->seed, 100);
  if (choice < 30)
    load(g);
  else if (choice < 58)
    store(g);
  else if (choice < 70)
    rmw(g);
  else if (choice < 76)
    compare_and_swap(g);
  else if (choice < 84)
    fence(g);
  else if (g->barriers && choice < 90)
    barrier(g);
  else if (depth < 2 && g->registers && choice < 96)
    conditional(g, depth);
  else if (depth < 1 && choice < 98)
    loop(g, depth);
  else
    load(g);
}

/* ---- circles ---- */

/* What a thread makes of what it has read: also nothing, or something that no value satisfies. */
static struct text handed_on(struct generator *g, int r) {
  const char *pattern = PICK(&g->seed, "r%d", "r%d", "r%d", "r%d + 1", "(r%d & 1) + 1", "r%d * 2 - 1", "r%d ^ 1",
                             "1 - r%d", "(r%d == 1)", "r%d | 2");
  char text[sizeof(struct text)];
  snprintf(text, sizeof text, pattern, r);
  return format("%s", text);
}

static void hand_on(struct generator *g, const char *name, int r) {
  struct text v = handed_on(g, r),
              rest = strength(g, chance(&g->seed, 80) ? "relaxed" : PICK(&g->seed, "release", "seq_cst"));
  unsigned choice = below(&g->seed, 10);
  if (choice == 0)
    line(g, "atomic_fetch_add_explicit(%s, %s%s;", name, v.at, rest.at);
  else if (choice == 1)
    line(g, "int r%d = atomic_exchange_explicit(%s, %s%s;", new_register(g), name, v.at, rest.at);
  else if (choice == 2)
    line(g, "if (r%d == %u) { atomic_store_explicit(%s, %u%s; }", r, 1 + below(&g->seed, 2), name,
         1 + below(&g->seed, 2), rest.at);
  else
    line(g, "atomic_store_explicit(%s, %s%s;", name, v.at, rest.at);
}

/* The thread's own location is read, the next one's is written. */
static void circle(struct generator *g) {
  g->indent++;
  if (chance(&g->seed, 15)) statement(g, 2);
  struct text rest = strength(g, chance(&g->seed, 80) ? "relaxed" : PICK(&g->seed, "acquire", "seq_cst"));
  int r = new_register(g);
  line(g, "int r%d = atomic_load_explicit(%s%s;", r, g->location[g->thread % g->locations].name, rest.at);
  if (chance(&g->seed, 15)) statement(g, 2);
  hand_on(g, g->location[(g->thread + 1) % g->locations].name,
          chance(&g->seed, 90) ? r : (int)below(&g->seed, (unsigned)g->registers));
  if (chance(&g->seed, 15)) statement(g, 2);
  g->indent--;
}

/* ---- loops that wait ---- */

static struct text attempt(struct generator *g, const char *name) {
  struct text rest = strength(g, PICK(&g->seed, "relaxed", "acquire", "acquire", "seq_cst"));
  if (chance(&g->seed, 55)) return format("atomic_load_explicit(%s%s", name, rest.at);
  if (chance(&g->seed, 70)) return format("atomic_exchange_explicit(%s, %u%s", name, below(&g->seed, 3), rest.at);
  return format("atomic_fetch_or_explicit(%s, %u%s", name, below(&g->seed, 2), rest.at);
}

static struct text whether(struct generator *g) {
  return format("%s %u", PICK(&g->seed, "!=", "==", "==", "<", ">"), below(&g->seed, 3));
}

/* What else a round may do, besides its attempt. */
static void beside(struct generator *g) {
  g->indent++;
  if (chance(&g->seed, 25)) fence(g);
  if (chance(&g->seed, 25)) load(g);
  if (chance(&g->seed, 10)) store(g);
  g->indent--;
}

/* A round in vain has looked only, or failed to swap what it has seen. */
static void wait_to_swap(struct generator *g, const char *name) {
  int swapped = new_register(g), seen = new_register(g);
  struct text rest = strength(g, PICK(&g->seed, "relaxed", "acquire")), failure = strength(g, "relaxed");
  line(g, "int r%d = 0;", swapped);
  line(g, "while (r%d == 0) {", swapped);
  line(g, "  int r%d = atomic_load_explicit(%s%s;", seen, name, rest.at);
  line(g, "  if (r%d %s) { r%d = atomic_compare_exchange_strong_explicit(%s, &r%d, %u, memory_order_%s%s; }", seen,
       whether(g).at, swapped, name, seen, below(&g->seed, 3), PICK(&g->seed, "relaxed", "acquire", "acq_rel"),
       failure.at);
  line(g, "}");
}

static void wait(struct generator *g) {
  const char *name = g->location[atomic_location(g)].name;
  struct text tried = attempt(g, name), again = whether(g);
  unsigned kind = below(&g->seed, g->opencl ? 5 : 6);
  if (kind == 5) {
    wait_to_swap(g, name);
    return;
  }
  if (kind == 0) {
    line(g, "while (%s %s) {", tried.at, again.at);
    beside(g);
    line(g, "}");
    return;
  }
  int r = new_register(g);
  line(g, "int r%d = %s;", r, kind == 1 ? "1" : tried.at);
  line(g, "while (r%d %s) {", r, again.at);
  if (kind == 4) beside(g);
  if (kind == 1 && chance(&g->seed, 60)) {
    struct text rest = strength(g, "relaxed");
    int before = new_register(g);
    line(g, "  int r%d = atomic_load_explicit(%s%s;", before, name, rest.at);
    line(g, "  while (r%d %s) { r%d = atomic_load_explicit(%s%s; }", before, again.at, before, name, rest.at);
  }
  line(g, "  r%d = %s;", r, tried.at);
  line(g, "}");
}

static void waiting(struct generator *g) {
  g->indent++;
  unsigned waits = g->thread == 0 || chance(&g->seed, 40), before = chance(&g->seed, g->thread ? 80 : 30);
  if (before) store(g);
  if (waits) wait(g);
  if (!waits || chance(&g->seed, 50)) store(g);
  if (chance(&g->seed, 50)) load(g);
  g->indent--;
}

/* ---- the test ---- */

static void choose_locations(struct generator *g) {
  static const char *const NAMES[] = {"x", "y", "z", "w"};
  g->locations = chance(&g->seed, 25) ? 1 : chance(&g->seed, 80) ? 2 : 3;
  if (g->circles) g->locations = g->threads;
  if (g->waits) g->locations = 2;
  for (int i = 0; i < g->locations; i++) {
    struct location *l = &g->location[i];
    l->name = NAMES[i];
    l->atomic = g->circles || (g->waits ? i == 0 || chance(&g->seed, 40) : chance(&g->seed, 88));
    l->local = g->opencl && chance(&g->seed, 10);
  }
  if (!g->circles && !g->waits && chance(&g->seed, 30))
    g->location[g->locations++] = (struct location){"e", false, false};
}

static void place_threads(struct generator *g) {
  for (int t = 1; t < g->threads; t++) {
    bool same_group = chance(&g->seed, 45), same_device = chance(&g->seed, 75);
    g->device[t] = g->device[t - 1] + (same_group || same_device ? 0 : 1);
    g->work_group[t] = g->work_group[t - 1] + (same_group ? 0 : 1);
  }
}

/* ---- HSA: rows of instructions, a column for each thread ---- */

struct column {
  struct text cells[MOST_ROWS];
  int count;
  int labels; /* so far */
};

static void put(struct column *column, struct text cell) {
  if (column->count < MOST_ROWS) column->cells[column->count++] = cell;
}

static const char *hsa_location(struct generator *g) {
  return g->location[random_location(g)].name;
}

/* `_rm_acq_cmp`, in one of the two spellings. */
static struct text hsa_strength(struct generator *g, unsigned first, unsigned count) {
  static const char *const ORDERS[2][5] = {{"rlx", "acq", "rel", "ar", "sc"}, {"rlx", "scacq", "screl", "scar", "sc"}};
  static const char *const SCOPES[2][5] = {{"wi", "wv", "wg", "cmp", "sys"},
                                           {"workitem", "wave", "workgroup", "agent", "system"}};
  unsigned spelling = below(&g->seed, 4) == 0, order = first + below(&g->seed, count);
  unsigned wide = chance(&g->seed, 6) ? below(&g->seed, 2) : 2 + below(&g->seed, 3);
  const char *far = chance(&g->seed, 30) ? "_rm" : "";
  return format("%s_%s_%s", far, ORDERS[spelling][order], SCOPES[spelling][wide]);
}

static struct text hsa_value(struct generator *g) {
  if (!g->registers || chance(&g->seed, 80)) return format("%u", 1 + below(&g->seed, 2));
  return format("r%u", below(&g->seed, (unsigned)g->registers));
}

static void hsa_access(struct generator *g, struct column *column) {
  unsigned choice = below(&g->seed, 100);
  const char *x = hsa_location(g);
  struct text v = hsa_value(g);
  g->cost -= choice < 70 ? 2 : 4;
  if (choice < 12) {
    put(column, format("ld r%d, %s", new_register(g), x));
  } else if (choice < 24) {
    put(column, format("st %s, %s", x, v.at));
  } else if (choice < 47) {
    struct text strength = hsa_strength(g, chance(&g->seed, 60) ? 1 : chance(&g->seed, 60) ? 0 : 4, 1);
    put(column, format("atomic_LD%s r%d, %s", strength.at, new_register(g), x));
  } else if (choice < 70) {
    struct text strength = hsa_strength(g, chance(&g->seed, 70) ? 2 : chance(&g->seed, 50) ? 0 : 4, 1);
    put(column, format("atomic_ST%s %s, %s", strength.at, x, v.at));
  } else if (choice < 86) {
    const char *operation = PICK(&g->seed, "ADD", "ADD", "EXCH", "EXCH", "SUB", "OR", "XOR", "AND", "MIN", "MAX");
    struct text strength = hsa_strength(g, 0, 5);
    put(column, format("atomic_%s%s r%d, %s, %s", operation, strength.at, new_register(g), x, v.at));
  } else {
    struct text strength = hsa_strength(g, 0, 5);
    put(column, format("atomic_CAS%s r%d, %s, %u, %s", strength.at, new_register(g), x, below(&g->seed, 2), v.at));
  }
}

/* Skips what follows, or waits for a value. */
static void hsa_branch(struct generator *g, struct column *column) {
  int label = column->labels++, r = new_register(g);
  const char *compare = PICK(&g->seed, "eq", "eq", "ne", "lt", "ge");
  if (chance(&g->seed, 25)) {
    struct text strength = hsa_strength(g, chance(&g->seed, 60) ? 1 : 0, 1);
    g->cost -= 5;
    put(column, format("L%d: atomic_LD%s r%d, %s", label, strength.at, r, hsa_location(g)));
    put(column, format("cmp_%s r%d, r%d, %u", compare, r, r, below(&g->seed, 2)));
    put(column, format("cbr r%d, L%d", r, label));
    return;
  }
  put(column, format("cmp_%s r%d, r%u, %u", compare, r, below(&g->seed, (unsigned)g->registers), below(&g->seed, 2)));
  put(column, format("cbr r%d, L%d", r, label));
  for (unsigned i = 0, most = 1 + below(&g->seed, 2); i < most; i++) hsa_access(g, column);
  put(column, format("L%d:", label));
}

static void hsa_statement(struct generator *g, struct column *column) {
  unsigned choice = below(&g->seed, 100);
  if (choice < 78)
    hsa_access(g, column);
  else if (choice < 84)
    put(column, format("fence%s", hsa_strength(g, 1, 4).at));
  else if (g->barriers && choice < 90)
    put(column, format(chance(&g->seed, 80) ? "barrier_wg" : "barrier"));
  else if (g->registers && choice < 97)
    hsa_branch(g, column);
  else if (g->registers)
    put(column, format("add r%d, r%u, 1", g->registers - 1, below(&g->seed, (unsigned)g->registers)));
}

static void print_columns(struct generator *g, int budget) {
  struct column columns[MOST_THREADS] = {0};
  int rows = 0;
  for (int t = 0; t < g->threads; t++) {
    g->registers = 0;
    g->cost = budget;
    for (unsigned i = 0, most = 2 + below(&g->seed, 4); i < most && g->cost > 0; i++) hsa_statement(g, &columns[t]);
    g->counts[t] = g->registers;
    if (columns[t].count > rows) rows = columns[t].count;
  }
  for (int t = 0; t < g->threads; t++) fprintf(g->out, "%s P%d", t ? " |" : "", t);
  fputs(" ;\n", g->out);
  for (int row = 0; row < rows; row++) {
    for (int t = 0; t < g->threads; t++) fprintf(g->out, "%s %s", t ? " |" : "", columns[t].cells[row].at);
    fputs(" ;\n", g->out);
  }
  fputc('\n', g->out);
}

static void print_initial_hsa(struct generator *g) {
  fputs("{\n", g->out);
  for (int i = 0; i < g->locations; i++)
    fprintf(g->out, "  %s%s%s = %u;\n", g->location[i].local ? "local " : "",
            g->location[i].atomic ? "atomic_int " : "int ", g->location[i].name, chance(&g->seed, 15) ? 1 : 0);
  fputs("}\n", g->out);
}

static void print_initial(struct generator *g) {
  fputs("{\n", g->out);
  for (int i = 0; i < g->locations; i++)
    fprintf(g->out, "  [%s]=%u;\n", g->location[i].name, chance(&g->seed, 15) ? 1 : 0);
  fputs("}\n\n", g->out);
}

static void print_thread(struct generator *g, int thread, int budget) {
  g->thread = thread;
  g->registers = 0;
  g->cost = budget;
  fprintf(g->out, "P%d (", thread);
  for (int i = 0; i < g->locations; i++)
    fprintf(g->out, "%s%s%s* %s", i ? ", " : "",
            !g->opencl             ? ""
            : g->location[i].local ? "local "
                                   : "global ",
            g->location[i].atomic ? "atomic_int" : "int", g->location[i].name);
  fputs(") {\n", g->out);
  if (g->circles)
    circle(g);
  else if (g->waits)
    waiting(g);
  else
    block(g, 0, 2 + (int)below(&g->seed, 4));
  fputs("}\n\n", g->out);
  g->counts[thread] = g->registers;
}

static void print_scope_tree(struct generator *g, const char *device, const char *work_group) {
  fputs("scopeTree\n", g->out);
  for (int t = 0; t < g->threads; t++) {
    if (!t || g->device[t] != g->device[t - 1]) fprintf(g->out, "%s(%s", t ? "\n" : "", device);
    if (!t || g->work_group[t] != g->work_group[t - 1]) fprintf(g->out, " (%s", work_group);
    fprintf(g->out, " P%d", t);
    bool last = t + 1 == g->threads;
    if (last || g->work_group[t + 1] != g->work_group[t]) fputc(')', g->out);
    if (last || g->device[t + 1] != g->device[t]) fputc(')', g->out);
  }
  fputs("\n\n", g->out);
}

/* `1:r0=1` or `x=2`. */
static struct text leaf(struct generator *g) {
  int t = (int)below(&g->seed, (unsigned)g->threads);
  const char *compare = chance(&g->seed, 10) ? "!=" : "=";
  if (g->counts[t] && chance(&g->seed, 75))
    return format("%d:r%u%s%u", t, below(&g->seed, (unsigned)g->counts[t]), compare, below(&g->seed, 3));
  return format("%s%s%u", g->location[random_location(g)].name, compare, below(&g->seed, 3));
}

static void print_condition(struct generator *g) {
  if (chance(&g->seed, 70)) {
    fputs("locations [", g->out);
    for (int t = 0; t < g->threads; t++)
      for (int r = 0; r < g->counts[t]; r++) fprintf(g->out, "%d:r%d; ", t, r);
    for (int i = 0; i < g->locations; i++) fprintf(g->out, "%s; ", g->location[i].name);
    fputs("]\n", g->out);
  }
  const char *join = PICK(&g->seed, "/\\", "/\\", "\\/");
  fprintf(g->out, "%s (", PICK(&g->seed, "exists", "exists", "~exists", "forall"));
  for (unsigned i = 0, leaves = 1 + below(&g->seed, 3); i < leaves; i++)
    fprintf(g->out, "%s%s", i ? format(" %s ", join).at : "", leaf(g).at);
  fputs(")\n", g->out);
}

static void generate(FILE *out, enum language language, bool circles, bool waits, unsigned seed) {
  static const char *const HEADERS[] = {"OpenCL", "C", "HSA"};
  struct generator g = {.opencl = language == OPENCL, .circles = circles, .waits = waits, .out = out};
  g.seed = ((uint64_t)seed + 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 4; i++) below(&g.seed, 2);
  g.threads = chance(&g.seed, 60) ? 2 : circles || waits || chance(&g.seed, 85) ? 3 : 4;
  g.barriers = language != C && chance(&g.seed, 40);
  choose_locations(&g);
  place_threads(&g);
  int budget = g.threads == 2 ? 9 : g.threads == 3 ? 6 : 4;
  fprintf(out, "%s random-%u\n\n", HEADERS[language], seed);
  if (language == HSA) {
    print_initial_hsa(&g);
    print_columns(&g, budget);
    print_scope_tree(&g, PICK(&g.seed, "cmp", "agent"), "wg");
  } else {
    print_initial(&g);
    for (int t = 0; t < g.threads; t++) print_thread(&g, t, budget);
    if (g.opencl) print_scope_tree(&g, "device", "work_group");
  }
  print_condition(&g);
}

static enum language language_named(const char *name) {
  static const char *const names[] = {"opencl", "c", "hsa", "ptx", "vulkan"};
  int language = OPENCL;
  for (int i = OPENCL; i <= VULKAN; i++)
    if (!strcmp(names[i], name)) language = i;
  return (enum language)language;
}

int main(int argc, char **argv) {
  enum language language = OPENCL;
  const char *folder = NULL;
  bool circles = false, waits = false;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    if (!strcmp(argv[first], "-language")) language = language_named(argv[first + 1]);
    if (!strcmp(argv[first], "-circles")) circles = !strcmp(argv[first + 1], "yes");
    if (!strcmp(argv[first], "-waits")) waits = !strcmp(argv[first + 1], "yes");
    if (!strcmp(argv[first], "-o")) folder = argv[first + 1];
  }
  if (first + 2 != argc) {
    fputs("usage: generate [-language opencl|c|hsa|ptx|vulkan] [-circles yes] [-waits yes] [-o DIR] FIRST COUNT\n",
          stderr);
    return 2;
  }
  unsigned from = (unsigned)strtoul(argv[first], NULL, 10), count = (unsigned)strtoul(argv[first + 1], NULL, 10);
  for (unsigned seed = from; seed - from < count; seed++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%06u.litmus", folder ? folder : "", seed);
    FILE *out = folder ? fopen(path, "w") : stdout;
    if (!out) {
      perror(path);
      return 2;
    }
    if (language >= PTX)
      generate_gpu(out, language == VULKAN, seed);
    else
      generate(out, language, circles, waits, seed);
    if (folder && fclose(out)) {
      perror(path);
      return 2;
    }
  }
  return 0;
}
