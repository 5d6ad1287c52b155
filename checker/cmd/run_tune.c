/* SPDX-License-Identifier: MIT */
/* Tuning by random search, as Kirkham, Sorensen, Tureci and Martonosi do it
 * (OOPSLA 2020): a few dozen settings drawn at random find good ones, since what
 * provokes weak behaviour differs from device to device in no simple way.
 *
 * A weak outcome is one that sequential consistency forbids.  The candidates
 * follow from the seed; the first three are the levels of -stress. */
#include "checker/cmd/run_tune.h"

#include "checker/base/array.h"
#include "checker/base/outfile.h"
#include "checker/cat/cat.h"

enum { CANDIDATES = 16 };

struct trial {
  struct settings settings;
  uint64_t weak, instances;
  double seconds, rates; /* rates: weak outcomes a second, added over tests */
};

struct tuning {
  struct invocation *call;
  const struct cat_model *sc;
  double seconds; /* for each test */
  bool drawn;
  struct trial trials[CANDIDATES];
};

struct tuning *tuning_new(struct invocation *call, struct diags *diags) {
  struct tuning *tuning = ARENA_NEW(call->arena, struct tuning);
  size_t folder_count;
  struct cat_search search = {.folders = search_folders(call, "models", &folder_count)};
  search.folder_count = (unsigned)folder_count;
  tuning->call = call;
  tuning->seconds = option_real(call, OPTION_TUNE);
  tuning->sc = cat_load(call->arena, "sc", &search, diags);
  return tuning->sc ? tuning : NULL;
}

static uint32_t pick(uint64_t *random, const uint32_t *values, uint32_t count) {
  return values[tables_below(random, count)];
}
#define PICK(random, ...) \
  pick(random, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void draw(struct tuning *tuning, const struct device_setup *setup) {
  static const char *const levels[] = {"none", "light", "heavy"};
  uint64_t random = setup->seed;
  for (size_t i = 0; i < CANDIDATES; i++) {
    struct settings *s = &tuning->trials[i].settings;
    *s = setup->settings;
    if (i < ARRAY_COUNT(levels)) {
      settings_stress(s, levels[i]);
      continue;
    }
    s->stride = PICK(&random, 1, 2, 4, 16, 32, 64);
    s->spins = PICK(&random, 64, 1024, 16384);
    s->pre_stress = PICK(&random, 0, 0, 2, 8, 32);
    s->stress_groups = PICK(&random, 0, 1, 2, 8);
    s->stress_lines = PICK(&random, 2, 16, 64, 1024);
    s->stress_pattern = PICK(&random, 0, 1, 2, 3);
    s->shuffle = PICK(&random, 0, 1, 1);
    if (!setup->facts->is_cpu) s->lanes = PICK(&random, 1, 8, 32, 128);
  }
  tuning->drawn = true;
}

static uint64_t count_weak(struct seen *seen, const struct verdict *sc) {
  uint64_t weak = 0;
  for (size_t i = 0; i < seen->all.count; i++)
    if (!outcomes_find(&sc->states, seen->all.at[i].values)) weak += seen->all.at[i].count;
  return weak;
}

/* One candidate on one test; false: the device did not finish. */
static bool try_settings(struct tuning *tuning, struct trial *trial, const struct device_setup *setup,
                         const struct device_test *made, const struct verdict *sc, struct test_output *output) {
  struct device_setup own = *setup;
  struct device_test remade;
  struct diags diags = diags_new(output->arena);
  own.settings = trial->settings;
  own.seconds = tuning->seconds / CANDIDATES;
  own.drop_remote = own.one_device = false; /* already done */
  if (!device_test_make(&own, made->test, output->arena, &remade, &diags))
    return true; /* does not fit: shows nothing */
  struct seen *seen = seen_new(output->arena, made->test);
  struct device_result result = device_test_run(&own, &remade, output->arena, seen);
  if (result.end != DEVICE_DONE) {
    tests_tell_limit(output, made->test, "%s is not tuned: %s", made->test->name,
                     device_end_text(output->arena, &own, &result));
    return false;
  }
  uint64_t weak = count_weak(seen, sc);
  trial->weak += weak;
  trial->instances += result.instances;
  trial->seconds += result.seconds;
  if (result.seconds > 0) trial->rates += (double)weak / result.seconds;
  return true;
}

void tuning_test(struct tuning *tuning, const struct device_setup *setup, const struct device_test *made,
                 unsigned workers, struct test_output *output) {
  if (!tuning->drawn) draw(tuning, setup);
  struct enumerate_options options = {.unroll = 2, .workers = workers, .prune = true, .cancel = setup->cancel};
  const struct seen *asked = seen_new(output->arena, made->test);
  const struct verdict *sc = verdict_run(output->arena, asked->full, tuning->sc, &options, NULL);
  for (size_t i = 0; i < CANDIDATES; i++)
    if (!try_settings(tuning, &tuning->trials[i], setup, made, sc, output)) return;
  fprintf(output->out, "Tuned on %s\n", made->test->name);
  tests_add_result(output, made->test, setup->facts->name, "Tuned");
}

static const struct trial *best_of(const struct tuning *tuning) {
  const struct trial *best = tuning->trials;
  for (size_t i = 1; i < CANDIDATES; i++)
    if (tuning->trials[i].rates > best->rates) best = &tuning->trials[i];
  return best;
}

static void print_trials(const struct tuning *tuning, const struct trial *best) {
  printf("%10s %12s %12s  knobs\n", "weak", "instances", "weak/s");
  ARRAY_EACH (const struct trial, c, tuning->trials, CANDIDATES) {
    printf("%10llu %12llu %12.0f%s ", (unsigned long long)c->weak, (unsigned long long)c->instances, c->rates,
           c == best && best->weak ? "*" : " ");
    settings_write(&c->settings, ",", stdout);
    putchar('\n');
  }
}

int tuning_end(struct tuning *tuning, const char *folder) {
  struct arena *arena = tuning->call->arena;
  if (!tuning->drawn) return STATUS_DONE; /* no test got so far */
  const struct trial *best = best_of(tuning);
  print_trials(tuning, best);
  struct diags diags = diags_new(arena);
  if (!best->weak) {
    diag_fail(&diags, "no knobs show a weak outcome of these tests: nothing is written");
    diags_report(&diags);
    return STATUS_LIMIT;
  }
  const char *path = folder ? arena_printf(arena, "%s/tuned.params", folder) : "tuned.params";
  struct outfile file;
  if (outfile_open(arena, path, &file)) {
    fprintf(file.stream, "# Found by litscope run -tune: %llu weak outcomes of %llu instances in %.1f s.\n",
            (unsigned long long)best->weak, (unsigned long long)best->instances, best->seconds);
    settings_write(&best->settings, "\n", file.stream);
    fputc('\n', file.stream);
  }
  if (outfile_finish(&file, true, &diags)) printf("%s\n", path);
  return diags_report(&diags);
}
