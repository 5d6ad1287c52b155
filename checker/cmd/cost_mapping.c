/* SPDX-License-Identifier: MIT */
/* Mappings priced on tests: the instructions that `compile` prints, timed on
 * the timed GPU, next to the answer of `verify`. */
#include "checker/cmd/cost_mapping.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/base/vec.h"
#include "checker/cmd/cost_adsm.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/report/json_cost.h"
#include "checker/verify/verify_test.h"
#include "hwsem/compile_by_mapping.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/prices/rsp_mapping.h"
#include "hwsem/prices/settings.h"

void cost_mapping_help(FILE *out) {
  fputs(
      "litscope cost mapping -mapping A,B TEST...: what mappings cost on tests\n\n"
      "For each test and mapping: the answer of `verify`, the machine instructions of all threads\n"
      "(of the longest path each), the cycles of the slowest thread, and the cycles of each thread,\n"
      "from the cheapest to the most expensive path. Each thread has the machine to itself, caches are cold and\n"
      "every FIFO holds q entries, d of them dirty (-params q=8,d=4). Branches go both ways, a loop is\n"
      "run at most once, and waiting for others (at barriers, for locks) takes no time.\n"
      "Operations on local memory or beyond one device have no price: the machine has one device and\n"
      "every line is in its L2. The price and the answer both take posted invalidations as messages for\n"
      "which nothing waits but the release of a lock (-knob posted-invalidate=acked of `verify`).\n"
      "`litscope cost help rsp-ops` says what to believe of the numbers.\n",
      out);
}

/* ---- loading ---- */

/* A description that does not say counts each operation once. */
static void load_weights(const struct setting *setting, struct pricing *pricing) {
  static const char *const NAMES[2][3] = {{"weight-load", "weight-store", "weight-rmw"},
                                          {"weight-load-remote", "weight-store-remote", "weight-rmw-remote"}};
  for (int remote = 0; remote <= 1; remote++)
    for (int kind = MAP_LOAD; kind <= MAP_RMW; kind++) {
      bool known = false;
      for (size_t i = 0; i < setting->description->parameters.count; i++)
        known |= !strcmp(setting->description->parameters.at[i].name, NAMES[remote][kind]);
      pricing->weights[remote][kind] = known ? setting_number(setting, NAMES[remote][kind]) : 1;
    }
}

static bool load_machine(struct invocation *call, const struct xml_folders *search, struct pricing *pricing,
                         struct diags *diags) {
  bool chosen = call->command == COMMAND_SYNTH || call->command == COMMAND_REPAIR;
  const char *name = call->command == COMMAND_COST ? option_text(call, OPTION_COST_MACHINE)
                     : chosen                      ? option_text(call, OPTION_COST)
                                                   : NULL;
  struct setting setting;
  if (!setting_given(call->arena, name ? name : "timing-rsp", option_text(call, OPTION_PARAMS), search, &setting,
                     diags))
    return false;
  load_weights(&setting, pricing);
  if (!rsp_setting_fill(&setting, &pricing->parameters)) return false;
  pricing->cus = rsp_setting_units(call->arena, &setting, &pricing->parameters);
  return pricing->cus != NULL;
}

struct pricing *pricing_new(struct invocation *call, struct diags *diags) {
  struct xml_folders search = mapping_search(call);
  struct pricing *pricing = ARENA_NEW(call->arena, struct pricing);
  if (!load_machine(call, &search, pricing, diags) || !hardware_load(call, &pricing->hardware, diags)) return NULL;
  return adsm_prices_load(call, &pricing->adsm, diags) ? pricing : NULL;
}

struct pricing *pricing_of_synth(struct invocation *call, struct diags *diags) {
  bool given = option_given(call, OPTION_PARAMS) || option_given(call, OPTION_COST);
  if (!given) *vec_push(call->arena, &call->values[OPTION_PARAMS]) = "q=8,d=8";
  return pricing_new(call, diags);
}

bool pricing_load(struct invocation *call, struct pricing **pricing, struct diags *diags) {
  bool wanted = option_on(call, OPTION_EXPLORE_COST);
  *pricing = wanted ? pricing_new(call, diags) : NULL;
  return *pricing || !wanted;
}

/* ---- one test ---- */

static const char *first_error(const struct diags *diags) {
  return diags->count ? diags->at[0].message : "it does not compile";
}

static struct test_price price_test(const struct pricing *pricing, const struct litmus_test *test,
                                    const struct mapping *mapping, struct arena *arena) {
  struct test_price price = {.threads = "", .cycles = -1};
  struct diags diags = diags_new(arena);
  bool runs = gpu_kind.runs(test->program);
  const struct hw_program *program = runs ? compile_program(arena, test->program, mapping, &diags) : NULL;
  if (!program) {
    price.threads = runs ? first_error(&diags) : "it is not a GPU test";
    return price;
  }
  for (unsigned i = 0; i < program->thread_count; i++) {
    struct rsp_thread_price p = rsp_price_thread(&pricing->parameters, pricing->cus, program, i);
    if (p.fault) return (struct test_price){.threads = p.fault, .cycles = -1};
    const char *range = p.least < p.most ? arena_printf(arena, "%lld..", (long long)p.least) : "";
    price.threads = arena_printf(arena, "%s%s%s=%s%lld", price.threads, i ? " " : "", program->threads[i].thread->name,
                                 range, (long long)p.most);
    price.instructions += p.instructions;
    if (p.most > price.cycles) price.cycles = p.most;
  }
  return price;
}

/* The machine that the price is of: posted invalidations are under way while their thread goes on,
 * and a lock is released once they have arrived. */
static struct target as_priced(const struct target *target, struct arena *arena) {
  struct gpu_knobs *knobs = ARENA_NEW(arena, struct gpu_knobs);
  *knobs = *(const struct gpu_knobs *)target->settings;
  knobs->posted = POSTED_ACKED;
  struct target priced = *target;
  priced.settings = knobs;
  return priced;
}

static bool posts(const struct litmus_test *test, const struct mapping *mapping, struct arena *arena) {
  struct diags diags = diags_new(arena);
  const struct hw_program *program = compile_program(arena, test->program, mapping, &diags);
  return program && hw_program_posts(program);
}

/* How targets are priced, by their kinds. */

static int64_t price_mapped(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                            struct arena *arena, const char **text) {
  struct test_price price = price_test(pricing, test, target->mapping, arena);
  const struct gpu_knobs *knobs = target->settings;
  bool otherwise = price.cycles >= 0 && knobs->posted != POSTED_ACKED && posts(test, target->mapping, arena);
  *text = otherwise ? arena_printf(arena, "%s, with posted-invalidate=acked", price.threads) : price.threads;
  return price.cycles;
}

static int64_t price_protocol(const struct pricing *pricing, const struct litmus_test *test,
                              const struct target *target, struct arena *arena, const char **text) {
  return adsm_price(&pricing->adsm, test, target, arena, text);
}

static const struct pricer {
  const struct machine_kind *kind;
  const char *unit;
  int64_t (*price)(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                   struct arena *arena, const char **text);
} pricers[] = {{&gpu_kind, ", cycles by thread", price_mapped}, {&adsm_kind, "", price_protocol}};

int64_t pricing_target(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                       struct arena *arena, const char **text, const char **unit) {
  for (size_t i = 0; i < ARRAY_COUNT(pricers); i++) {
    if (pricers[i].kind != target->kind) continue;
    *unit = pricers[i].unit;
    return pricers[i].price(pricing, test, target, arena, text);
  }
  *unit = "";
  *text = "its instructions have no prices";
  return -1;
}

const char *pricing_target_line(const struct pricing *pricing, const struct litmus_test *test,
                                const struct target *target, struct arena *arena) {
  const char *text, *unit;
  bool priced = pricing_target(pricing, test, target, arena, &text, &unit) >= 0;
  return arena_printf(arena, priced ? "Cost %s %s\n" : "Cost %s none: %s\n", target->name, text);
}

/* ---- runs ---- */

/* Does the thread's next step in the run go on with the same instruction? */
static bool goes_on(const struct explore_step *trace, size_t length, size_t i, const struct gpu_thread_step *step) {
  struct gpu_thread_step next;
  for (i++; i < length; i++)
    if (gpu_thread_step(trace[i].step, &next) && next.thread == step->thread)
      return next.instr == step->instr && next.phase > 0;
  return false;
}

void pricing_note_steps(const struct pricing *pricing, const struct litmus_test *test, const struct target *target,
                        struct explore_step *trace, size_t length, struct arena *arena) {
  struct diags diags = diags_new(arena);
  if (target->kind->code != CODE_MAPPED) return;
  const struct hw_program *program = compile_program(arena, test->program, target->mapping, &diags);
  if (!program) return;
  struct rsp_run *run = rsp_run_new(arena, &pricing->parameters, pricing->cus, program);
  for (size_t i = 0; i < length; i++) {
    struct gpu_thread_step step;
    if (!gpu_thread_step(trace[i].step, &step)) continue;
    int64_t cycle =
        goes_on(trace, length, i, &step) ? rsp_run_now(run, step.thread) : rsp_run_step(run, step.thread, step.instr);
    if (cycle >= 0) trace[i].note = arena_printf(arena, "@%lld", (long long)cycle);
  }
}

/* ---- cost mapping ---- */

struct comparison {
  struct invocation *call;
  struct pricing *pricing;
  struct cat_model *models[LANGUAGES]; /* by language */
  struct test_runner runner;
  bool csv;
};

static const char *answer(const struct comparison *c, const struct target *target, const struct litmus_test *test,
                          struct explorer *explorer, unsigned workers, struct arena *arena) {
  const struct cat_model *model = c->models[test->language];
  if (!model || !target->kind->runs(test->program)) return "-";
  struct diags diags = diags_new(arena);
  struct verify_options options = {.explore = hardware_explore_options(c->call, c->runner.cancel),
                                   .model = models_engine_options(c->call, c->runner.cancel)};
  options.model.workers = workers;
  options.model.cut_spins = true;
  struct verify_result result;
  struct verifier verifier = {target, model, &options, explorer};
  verify_test(&verifier, test, arena, &result, &diags);
  return result.answer == VERIFY_BAD ? "-" : verify_answer_name(result.answer);
}

static const char row_format[] = "%-28s  %-18s  %-10s  %12s  %8s  %s\n";

static void write_heading(const struct comparison *c) {
  if (c->csv)
    puts("test,mapping,answer,instructions,cycles,threads");
  else
    printf(row_format, "test", "mapping", "answer", "instructions", "cycles", "cycles by thread");
}

static void write_row(const struct comparison *c, const struct litmus_test *test, const struct mapping *mapping,
                      const char *verdict, const struct test_price *price, struct test_output *output) {
  bool priced = price->cycles >= 0;
  const char *none = c->csv ? "" : "-";
  const char *instructions = priced ? arena_printf(output->arena, "%u", price->instructions) : none;
  const char *cycles = priced ? arena_printf(output->arena, "%lld", (long long)price->cycles) : none;
  if (c->csv) {
    csv_print(test->name, output->out);
    fputc(',', output->out);
    csv_print(mapping->name, output->out);
    fprintf(output->out, ",%s,%s,%s,\"%s\"\n", verdict, instructions, cycles, price->threads);
  } else
    fprintf(output->out, row_format, test->name, mapping->name, verdict, instructions, cycles, price->threads);
}

static void compare(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct comparison *c = context;
  const struct cat_model *model = c->models[test->language];
  if (model && !models_check_language(c->call, model, model->ir.name, test, output)) return;
  struct explorer *explorer = explorer_new();
  size_t count;
  const struct target *targets = hardware_of_kind(&c->pricing->hardware, &gpu_kind, output->arena, &count);
  for (size_t i = 0; i < count; i++) {
    const struct mapping *mapping = targets[i].mapping;
    struct test_price price = price_test(c->pricing, test, mapping, output->arena);
    const struct target priced = as_priced(&targets[i], output->arena);
    const char *verdict = answer(c, &priced, test, explorer, workers, output->arena);
    if (output->json) json_write_test_price(output->json, test, mapping->name, verdict, &price);
    write_row(c, test, mapping, verdict, &price, output);
    if (!strcmp(verdict, "Undecided")) output->status = STATUS_LIMIT;
  }
  explorer_free(explorer);
}

int cost_mapping(struct invocation *call) {
  struct comparison c = {.call = call, .runner = {.run = compare}, .csv = option_on(call, OPTION_CSV)};
  struct diags diags = diags_new(call->arena);
  c.pricing = pricing_new(call, &diags);
  if (!c.pricing || !models_load_one(call, c.models, &diags)) return diags_report(&diags);
  for (size_t i = 0; i < c.pricing->hardware.named; i++) {
    if (c.pricing->hardware.at[i].mapping) continue;
    diag_fail(&diags, "cost mapping takes compiler mappings only");
    return diags_report(&diags);
  }
  c.runner.context = &c;
  if (call->word_count && !option_on(call, OPTION_COST_JSON)) write_heading(&c);
  return tests_run(call, &c.runner);
}
