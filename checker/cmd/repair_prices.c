/* SPDX-License-Identifier: MIT */
/* Prices of changes; see repair_prices.h. */
#include "checker/cmd/repair_prices.h"

#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/compiler/compiled_machine.h"
#include "checker/translate/nvptx.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/prices/rsp_mapping.h"

enum { NO_PRICE = -1 };

/* ---- what is asked for ---- */

static bool load_target(struct invocation *call, struct repair_pricing *pricing, struct diags *diags) {
  struct hardware *hardware = ARENA_NEW(call->arena, struct hardware);
  if (!hardware_load(call, hardware, diags)) return false;
  if (hardware->named != 1)
    return diag_fail(diags, "repair takes one target and one compiler, not %zu", hardware->named);
  pricing->target = &hardware->at[0];
  return true;
}

static bool load_timed(struct invocation *call, struct repair_pricing *pricing, struct diags *diags) {
  struct pricing *timed = pricing_new(call, diags);
  size_t count;
  if (!timed) return false;
  pricing->timed = timed;
  pricing->target = hardware_of_kind(&timed->hardware, &gpu_kind, call->arena, &count);
  for (size_t i = 0; i < timed->hardware.named; i++) {
    if (timed->hardware.at[i].mapping) continue;
    return diag_fail(diags, "repair prices compiler mappings only, and '%s' is none", timed->hardware.at[i].name);
  }
  if (count == 1) return true;
  return diag_fail(diags, "repair takes one mapping, not %zu", count);
}

/* What would be believed to have been heeded. */
static bool refuse_idle(const struct invocation *call, const struct repair_pricing *pricing, struct diags *diags) {
  size_t before = diags->errors;
  if (option_given(call, OPTION_MAPPING) && !pricing->timed)
    diag_fail(diags, "option -mapping: only the timed machine (-cost timing-rsp) has one");
  if (option_given(call, OPTION_PARAMS) && !pricing->name)
    diag_fail(diags, "option -params has no meaning without -cost");
  return diags->errors == before;
}

static bool load(struct invocation *call, struct repair_pricing *pricing, struct diags *diags) {
  const char *name = option_text(call, OPTION_COST);
  bool compiled = option_given(call, OPTION_TARGET);
  if (name && !strcmp(name, "changes"))
    name = NULL;
  else if (compiled && !name)
    name = "timing-emitted";
  if (!name) return true;
  pricing->name = name;
  if (compiled && !load_target(call, pricing, diags)) return false;
  if (!target_code_prices_load(call, name, &pricing->list, diags)) return false;
  if (pricing->list.names) return true;
  if (!compiled) return load_timed(call, pricing, diags);
  return diag_fail(diags, "option -cost: '%s' is not a list of instructions, by which -target's code is priced", name);
}

bool repair_pricing_load(struct invocation *call, struct repair_pricing *pricing, struct diags *diags) {
  *pricing = (struct repair_pricing){0};
  return load(call, pricing, diags) && refuse_idle(call, pricing, diags);
}

/* ---- code of a compiler ---- */

/* Those that move or order memory: what else a compiler makes of a change, as other registers or branches, is chance.
 */
static bool is_counted(const char *instruction) {
  static const char *const counted[] = {"buffer_",   "flat_",  "global_", "ds_",     "s_wait", "s_load",
                                        "s_barrier", "ld.",    "st.",     "atom",    "red",    "cp.",
                                        "fence",     "membar", "bar",     "griddep", "mbar",   "cluster"};
  for (size_t i = 0; i < ARRAY_COUNT(counted); i++)
    if (text_begins(instruction, counted[i])) return true;
  return false;
}

/* A line is an instruction if it is indented and begins with a letter. */
static const char *instruction_of(struct arena *arena, const char *line, size_t length) {
  size_t at = 0;
  while (at < length && strchr(" \t", line[at])) at++;
  return at && at < length && isalpha((unsigned char)line[at]) ? arena_strndup(arena, line + at, length - at) : "";
}

/* NO_PRICE: the list lacks one, which *lacks says. */
static int64_t price_lines(const struct target_code_prices *list, struct arena *arena, const struct source *source,
                           const struct span *lines, size_t count, const char **lacks) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    const char *instruction = instruction_of(arena, source->text + lines[i].at, lines[i].length);
    if (!is_counted(instruction)) continue;
    int64_t price = target_code_price(list, instruction);
    if (price < 0) *lacks = instruction;
    if (price < 0) return NO_PRICE;
    sum += price;
  }
  return sum;
}

struct variants {
  const struct repair_pricing *pricing;
  struct arena *arena;
  const struct program **programs; /* the first is the test as it is */
  int64_t *prices;
  size_t count;
  struct diags *diags; /* about the first; of the others only the prices are told */
};

static void lack_price(const struct variants *v, const char *instruction) {
  diag_fail(v->diags, "%s has no price for '%.*s'", v->pricing->name, (int)strcspn(instruction, " \t"), instruction);
}

/* What the code of a program's kernels costs: threads that share one, as work-items do, share its price. */
static int64_t price_kernels(const struct variants *v, const struct llc_batch *batch, const unsigned *kernels,
                             unsigned threads, bool first) {
  int64_t sum = 0;
  for (unsigned t = 0; t < threads; t++) {
    size_t count;
    const char *lacks = NULL, *error = llc_batch_error(batch, kernels[t]);
    bool shared = t && v->programs[0]->kernel_launch;
    if (shared) break;
    if (error && first) diag_fail(v->diags, "%s", error);
    if (error) return NO_PRICE;
    const struct span *lines = llc_batch_lines(batch, kernels[t], &count);
    int64_t price = price_lines(&v->pricing->list, v->arena, llc_batch_source(batch), lines, count, &lacks);
    if (lacks && first) lack_price(v, lacks);
    if (price < 0) return NO_PRICE;
    sum += price;
  }
  return sum;
}

/* Some of the programs, by one process of the compiler. */
static void price_amd(const struct variants *v, size_t from, size_t to) {
  const struct compiled_setup *setup = v->pricing->target->settings;
  struct diags quiet = diags_new(v->arena), *diags = from ? &quiet : v->diags;
  struct amd_build_settings settings = compiled_settings(v->arena, setup, v->programs[from]);
  struct amd_build *build = amd_build_new(v->arena, setup->target, &setup->llc, &settings, diags);
  unsigned **kernels = ARENA_ARRAY(v->arena, unsigned *, to - from);
  for (size_t i = from; build && i < to; i++) {
    unsigned *own = ARENA_ARRAY(v->arena, unsigned, v->programs[i]->thread_count + 1);
    if (amd_build_add(build, v->programs[i], own, i ? &quiet : v->diags)) kernels[i - from] = own;
  }
  bool built = build && (from || kernels[0]) && amd_build_run_each(build, diags);
  for (size_t i = from; built && i < to; i++)
    if (kernels[i - from])
      v->prices[i] = price_kernels(v, amd_build_batch(build), kernels[i - from], v->programs[i]->thread_count, !i);
}

static void price_nvptx(const struct variants *v) {
  const struct translated_setup *setup = v->pricing->target->settings;
  struct nvptx *nvptx = nvptx_copy(v->arena, setup->nvptx);
  if (!nvptx_prepare_test(nvptx, v->programs[0], v->diags) || !nvptx_prepare(nvptx, v->programs, v->count, v->diags))
    return;
  for (size_t i = 0; i < v->count; i++) {
    struct nvptx_text text;
    int64_t sum = nvptx_text_of(nvptx, v->arena, v->programs[i], &text) ? 0 : NO_PRICE;
    for (unsigned t = 0; sum >= 0 && t < v->programs[i]->thread_count; t++) {
      const char *lacks = NULL;
      int64_t price = price_lines(&v->pricing->list, v->arena, text.source, text.lines[t], text.line_count[t], &lacks);
      if (lacks && !i) lack_price(v, lacks);
      sum = price < 0 ? NO_PRICE : sum + price;
    }
    v->prices[i] = sum;
  }
}

/* ---- the timed machine ---- */

static int64_t price_timed(const struct variants *v, const struct program *program, struct diags *diags) {
  const struct pricing *timed = v->pricing->timed;
  const struct hw_program *code = compile_program(v->arena, program, v->pricing->target->mapping, diags);
  int64_t sum = 0;
  for (unsigned t = 0; code && t < code->thread_count; t++) {
    struct rsp_thread_price price = rsp_price_thread(&timed->parameters, timed->cus, code, t);
    if (price.fault) diag_fail(diags, "%s: %s", program->name, price.fault);
    if (price.fault) return NO_PRICE;
    sum += price.most;
  }
  return code ? sum : NO_PRICE;
}

/* ---- all ---- */

static void price_variants(struct variants *v) {
  enum machine_code code = v->pricing->target->kind->code;
  if (program_is_adsm(v->programs[0]) || v->programs[0]->assembly) {
    diag_fail(v->diags, "%s: tests of ADSM and of machine code have no prices", v->programs[0]->name);
    return;
  }
  if (code == CODE_TRANSLATED) {
    price_nvptx(v);
  } else if (code == CODE_COMPILED) {
    /* Kernels are modules of their own. */
    size_t step = v->programs[0]->kernel_launch ? 1 : v->count;
    for (size_t i = 0; i < v->count && !v->diags->errors; i += step) price_amd(v, i, i + step);
  } else {
    for (size_t i = 0; i < v->count; i++) {
      struct diags quiet = diags_new(v->arena);
      v->prices[i] = price_timed(v, v->programs[i], i ? &quiet : v->diags);
      if (v->diags->errors) return;
    }
  }
}

/* The test with one form of one place; of a kernel in OpenCL C what it is compiled from.  NULL: it has none. */
static const struct program *variant(struct arena *arena, const struct litmus_test *test, const struct places *places,
                                     unsigned *choice, const struct litmus_options *reading) {
  if (!test->program->kernel_launch) {
    const struct litmus_test *read = moves_read(arena, test, places, choice, reading);
    return read ? read->program : NULL;
  }
  struct program *changed = ARENA_COPY(arena, struct program, test->program, 1);
  changed->source = moves_apply(arena, test, places, choice);
  return changed;
}

static void list_variants(struct variants *v, const struct litmus_test *test, const struct places *places,
                          const struct litmus_options *reading) {
  size_t most = 1;
  for (size_t i = 0; i < places->count; i++) most += places->at[i].form_count - 1;
  unsigned *choice = ARENA_ARRAY(v->arena, unsigned, places->count + 1);
  v->programs = ARENA_ARRAY(v->arena, const struct program *, most);
  v->prices = ARENA_ARRAY(v->arena, int64_t, most);
  v->programs[v->count++] = test->program;
  for (size_t i = 0; i < places->count; i++) {
    for (unsigned f = 1; f < places->at[i].form_count; f++) {
      choice[i] = f;
      const struct program *program = variant(v->arena, test, places, choice, reading);
      v->programs[v->count++] = program ? program : test->program;
    }
    choice[i] = 0;
  }
  for (size_t i = 0; i < v->count; i++) v->prices[i] = NO_PRICE;
}

/* Of a list without -target: what stands in the text, once for each place where it is put. */
static int64_t price_text(const struct target_code_prices *list, const struct place *place, size_t f) {
  const struct form *form = &place->forms[f];
  if (!*form->text) return 0;
  int64_t price = target_code_price(list, form->text);
  return price < 0 ? NO_PRICE : price * (int64_t)(place->inserted ? form->edit_count : 1);
}

/* Of the store that an update is in place of, as it stands. */
static int64_t price_covered(const struct target_code_prices *list, const struct places *places, uint32_t covers) {
  for (size_t i = 0; covers && i < places->count; i++)
    if (places->at[i].operation == covers) return price_text(list, &places->at[i], 0);
  return 0;
}

static void price_texts(struct variants *v, const struct places *places) {
  size_t next = 1;
  v->prices[0] = 0;
  for (size_t i = 0; i < places->count; i++) {
    int64_t price = price_text(&v->pricing->list, &places->at[i], 0);
    if (price < 0) lack_price(v, places->at[i].forms[0].text);
    if (price < 0) return;
    v->prices[0] += price;
  }
  for (size_t i = 0; i < places->count; i++)
    for (size_t f = 1; f < places->at[i].form_count; f++) {
      int64_t before = price_text(&v->pricing->list, &places->at[i], 0);
      int64_t price = price_text(&v->pricing->list, &places->at[i], f);
      before += price_covered(&v->pricing->list, places, places->at[i].forms[f].covers);
      v->prices[next++] = price < 0 ? NO_PRICE : v->prices[0] - before + price;
    }
}

static void keep_priced(const struct variants *v, struct places *places, int64_t **prices) {
  size_t next = 1, kept = 0;
  for (size_t i = 0; i < places->count; i++) {
    struct place place = places->at[i];
    int64_t *own = ARENA_ARRAY(v->arena, int64_t, place.form_count);
    size_t forms = 1, count = place.form_count;
    for (size_t f = 1; f < count; f++, next++) {
      if (v->prices[next] < 0) continue;
      own[forms] = v->prices[next] - v->prices[0];
      place.forms[forms++] = place.forms[f];
    }
    place.form_count = forms;
    if (forms < 2) continue;
    prices[kept] = own;
    places->at[kept++] = place;
  }
  places->count = kept;
}

int64_t **repair_prices(const struct repair_pricing *pricing, struct arena *arena, const struct litmus_test *test,
                        struct places *places, const struct litmus_options *reading, struct diags *diags) {
  struct variants v = {.pricing = pricing, .arena = arena, .diags = diags};
  int64_t **prices = ARENA_ARRAY(arena, int64_t *, places->count + 1);
  list_variants(&v, test, places, reading);
  if (pricing->target)
    price_variants(&v);
  else
    price_texts(&v, places);
  if (diags->errors) return NULL;
  keep_priced(&v, places, prices);
  return prices;
}
