/* SPDX-License-Identifier: MIT */
/* The part of a host program that knows no device: options, tables, counting,
 * and the log as litmus7 writes it, which `litscope compare` reads.
 *
 * Before it come tables.h and test.h.  The other part gives
 *
 *     const char *device_open(void);      its name; ends the program where there is none
 *     void device_run(const struct launch *launch, const struct buffers *buffers);
 *
 * where device_run copies all buffers to the device, runs the kernel with
 * launch->groups + launch->stress_groups work-groups of test_shape.items
 * work-items, and copies cells and results back. */
#ifndef LITSCOPE_HOST_H
#define LITSCOPE_HOST_H

#include <time.h>

struct buffers {
  void *cells, *results; /* values of test_shape.wide bytes */
  uint32_t *deal, *places, *params;
  int32_t *pad;
  size_t cells_size, results_size, deal_size, places_size, params_size, pad_size; /* in bytes */
};

static const char *device_open(void);
static void device_run(const struct launch *launch, const struct buffers *buffers);

static void host_fail(const char *what) {
  fprintf(stderr, "%s: %s\n", TEST_NAME, what);
  exit(2);
}

static void *host_alloc(size_t size) {
  void *at = calloc(1, size + 1);
  if (!at) host_fail("out of memory");
  return at;
}

/* ---- options ---- */

struct options {
  struct launch launch;
  uint64_t seed;
  unsigned runs;
};

static const char host_usage[] =
    "options, each with a number: -n INSTANCES -runs LAUNCHES -seed N -groups N -stride N -spins N -gather N -shuffle 0|1\n"
    "  -pre-stress N -stress-groups N -stress-rounds N -stress-lines N -stress-stride N -stress-pattern 0..3\n";

static struct options host_options(int argc, char **argv) {
  struct options o;
  memset(&o, 0, sizeof o);
  struct launch *l = &o.launch;
  l->instances = 100000, l->groups = 64, l->stride = 16, l->spins = 1024, l->shuffle = 1;
  l->gather = 4096, l->rounds = 65536, l->lines = 64, l->line = 16;
  o.seed = 1, o.runs = 10;
  struct { const char *name; uint32_t *at; } numbers[] = {
      {"-n", &l->instances}, {"-groups", &l->groups}, {"-stride", &l->stride}, {"-spins", &l->spins},
      {"-gather", &l->gather}, {"-shuffle", &l->shuffle}, {"-pre-stress", &l->pre}, {"-stress-groups", &l->stress_groups},
      {"-stress-rounds", &l->rounds}, {"-stress-lines", &l->lines}, {"-stress-stride", &l->line},
      {"-stress-pattern", &l->pattern}, {"-runs", &o.runs}};
  for (int i = 1; i < argc; i += 2) {
    int known = i + 1 < argc && !strcmp(argv[i], "-seed");
    if (known) o.seed = strtoull(argv[i + 1], NULL, 10);
    for (size_t k = 0; i + 1 < argc && k < sizeof numbers / sizeof *numbers; k++)
      if (!strcmp(argv[i], numbers[k].name)) {
        *numbers[k].at = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        known = 1;
      }
    if (!known) host_fail(host_usage);
  }
  l->groups = l->groups / test_shape.parts * test_shape.parts;
  if (!l->groups) l->groups = test_shape.parts;
  if (!l->stride) l->stride = 1;
  if (!l->lines) l->lines = 1;
  if (!l->line) l->line = 1;
  return o;
}

/* ---- the log ---- */

struct host_state {
  const long long *values; /* of an outcome */
  unsigned long long count;
  int meets;
};

static int host_compare(const void *a, const void *b) {
  const struct host_state *x = (const struct host_state *)a, *y = (const struct host_state *)b;
  for (int i = 0; i < TEST_SHOWN; i++) {
    long long v = x->values[test_places[i]], w = y->values[test_places[i]];
    if (v != w) return v < w ? -1 : 1;
  }
  return 0;
}

/* Outcomes as the test shows them: sorted, equal ones joined, without what its filter leaves out. */
static size_t host_states(const struct histogram *h, struct host_state *states) {
  size_t count = 0, kept = 0;
  for (size_t i = 0; i < h->count; i++) {
    const long long *values = h->values + i * h->width;
    if (!test_filter(values)) continue;
    states[count].values = values;
    states[count].meets = test_condition(values);
    states[count++].count = h->counts[i];
  }
  qsort(states, count, sizeof *states, host_compare);
  for (size_t i = 0; i < count; i++) {
    if (kept && !host_compare(&states[kept - 1], &states[i]))
      states[kept - 1].count += states[i].count;
    else
      states[kept++] = states[i];
  }
  return kept;
}

static void host_log(const struct histogram *h, const struct options *o, const char *device, double seconds) {
  struct host_state *states = (struct host_state *)host_alloc((h->count + 1) * sizeof *states);
  size_t count = host_states(h, states);
  unsigned long long met = 0, rest = 0;
  printf("Test %s %s\nHistogram (%llu states)\n", TEST_NAME, TEST_KIND, (unsigned long long)count);
  for (size_t i = 0; i < count; i++) {
    printf("%-6llu%c>", states[i].count, states[i].meets ? '*' : ':');
    for (int k = 0; k < TEST_SHOWN; k++)
      printf("%s%s=%lld;", k ? " " : "", test_names[k], states[i].values[test_places[k]]);
    printf("\n");
    *(states[i].meets ? &met : &rest) += states[i].count;
  }
  int negative = !strcmp(TEST_KIND, "Forbidden"), all = !strcmp(TEST_KIND, "Required");
  int ok = negative ? !met : all ? !rest : met > 0;
  printf("%s\n\nWitnesses\nPositive: %llu, Negative: %llu\n", ok ? "Ok" : "No", negative ? rest : met,
         negative ? met : rest);
  printf("Condition %s is %svalidated\nHash=%s\n", TEST_CONDITION, ok ? "" : "NOT ", TEST_HASH);
  printf("Observation %s %s %llu %llu\nTime %s %.2f\n", TEST_NAME, !met ? "Never" : rest ? "Sometimes" : "Always", met,
         rest, TEST_NAME, seconds);
  printf("Device %s: %llu instances in %u launches, seed %llu\n\n", device, met + rest, o->runs,
         (unsigned long long)o->seed);
  free(states);
}

/* ---- launches ---- */

static struct buffers host_buffers(const struct launch *l) {
  struct buffers b;
  size_t count = tables_instances(&test_shape, l);
  b.cells = host_alloc(b.cells_size = tables_cells_size(&test_shape, l) * test_shape.wide);
  b.results = host_alloc(b.results_size = (count * test_shape.results + 1) * test_shape.wide);
  b.deal = (uint32_t *)host_alloc(b.deal_size = tables_deal_size(&test_shape, l) * 4);
  b.places = (uint32_t *)host_alloc(b.places_size = count * 4);
  b.params = (uint32_t *)host_alloc(b.params_size = tables_params_size(&test_shape) * 4);
  b.pad = (int32_t *)host_alloc(b.pad_size = tables_pad_size(l) * 4);
  return b;
}

static void host_launch(const struct launch *l, const struct buffers *b, uint64_t *random, struct histogram *h) {
  long long values[TEST_WIDTH + 1];
  tables_params(random, &test_shape, l, b->params);
  tables_deal(random, &test_shape, l, b->deal);
  tables_order(random, b->places, tables_instances(&test_shape, l), l->shuffle != 0);
  tables_fill(&test_shape, l, b->params, test_initial, b->cells);
  memset(b->pad, 0, b->pad_size);
  memset(b->results, 0x77, b->results_size); /* what is not written shows */
  device_run(l, b);
  tables_count(&test_shape, l, b->params, b->places, b->results, b->cells, h, values);
}

int main(int argc, char **argv) {
  struct options o = host_options(argc, argv);
  const char *device = device_open();
  struct buffers b = host_buffers(&o.launch);
  struct histogram h;
  memset(&h, 0, sizeof h);
  h.width = TEST_WIDTH;
  time_t start = time(NULL);
  uint64_t random = o.seed;
  for (unsigned run = 0; run < o.runs; run++) host_launch(&o.launch, &b, &random, &h);
  host_log(&h, &o, device, difftime(time(NULL), start));
  return 0;
}

#endif
