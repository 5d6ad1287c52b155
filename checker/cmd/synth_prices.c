/* SPDX-License-Identifier: MIT */
/* Prices of emitted instructions. The rule: what invalidates costs what INV_L1 adds to a
 * load, what writes back what FLU_L1 adds to a store, a weaker form what it saves of
 * these, everything else 1. */
#include "checker/cmd/synth_prices.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/cost_mapping.h"
#include "hwsem/prices/parameters.h"
#include "hwsem/prices/rsp_mapping.h"

/* What a step adds to an access, on the timed GPU. */
static int64_t price_of_step(const struct pricing *pricing, enum mapping_kind kind, struct mapping_step access,
                             struct mapping_step step, bool behind) {
  struct arena *arena = arena_new();
  int64_t prices[2];
  for (unsigned steps = 1; steps <= 2; steps++) {
    struct mapping_step both[2] = {behind ? access : step, behind ? step : access};
    struct mapping_cell cell = {.kind = kind, .step_count = steps, .steps = steps == 1 ? &access : both};
    struct rsp_sequence sequence;
    bool known = !rsp_sequence_of_cell(arena, &cell, &sequence);
    prices[steps - 1] = known ? rsp_price_operation(&pricing->parameters, pricing->cus, sequence, false).latency : 0;
  }
  arena_free(arena);
  return prices[1] > prices[0] ? prices[1] - prices[0] : 1;
}

/* A list has no compute units. */
static bool is_list(const struct description *description) {
  return ROW_INDEX(description->parameters.at, description->parameters.count, name, "n") < 0;
}

static bool load_list(struct arena *arena, const struct setting *list, struct target_code_prices *prices) {
  prices->count = list->description->parameters.count;
  prices->names = ARENA_ARRAY(arena, const char *, prices->count);
  prices->prices = ARENA_ARRAY(arena, int64_t, prices->count);
  for (size_t i = 0; i < prices->count; i++) {
    prices->names[i] = list->description->parameters.at[i].name;
    prices->prices[i] = setting_number(list, prices->names[i]);
  }
  return !list->diags->errors;
}

static bool load_machine(struct invocation *call, struct target_code_prices *prices, struct diags *diags) {
  const struct pricing *pricing = pricing_of_synth(call, diags);
  if (!pricing) return false;
  prices->invalidate = price_of_step(pricing, MAP_LOAD, (struct mapping_step){.op = HW_LD},
                                     (struct mapping_step){.op = HW_INV, .target = TARGET_WG}, true);
  prices->write_back = price_of_step(pricing, MAP_STORE, (struct mapping_step){.op = HW_ST},
                                     (struct mapping_step){.op = HW_FLU, .target = TARGET_WG}, false);
  return true;
}

bool target_code_prices_load(struct invocation *call, const char *name, struct target_code_prices *prices,
                             struct diags *diags) {
  struct xml_folders search = mapping_search(call);
  *prices = (struct target_code_prices){.names = NULL};
  struct setting setting;
  if (name && !setting_given(call->arena, name, option_text(call, OPTION_PARAMS), &search, &setting, diags))
    return false;
  return name && is_list(setting.description) ? load_list(call->arena, &setting, prices)
                                              : load_machine(call, prices, diags);
}

static bool mentions(const char *change, const char *part) {
  return strstr(change, part) != NULL;
}

/* What a weaker form saves: an order what it does beyond the other, a scope 1. */
static int64_t price_of_weakening(const struct target_code_prices *c, const char *from, const char *as) {
  if (mentions(from, "acq_rel"))
    return mentions(as, "acquire") ? c->write_back : mentions(as, "release") ? c->invalidate : 1;
  if (!mentions(as, "relaxed")) return 1;
  return mentions(from, "acquire") ? c->invalidate : mentions(from, "release") ? c->write_back : 1;
}

/* AMD's cache instructions by their names, waits and bits 1; PTX's fences are both. */
static int64_t price_by_rule(const struct target_code_prices *c, const char *change) {
  const char *as = strstr(change, " as ");
  if (mentions(change, " left out")) return c->invalidate + c->write_back;
  if (as) {
    struct arena *arena = arena_new();
    int64_t saved = price_of_weakening(c, arena_strndup(arena, change, (size_t)(as - change)), as);
    arena_free(arena);
    return saved;
  }
  int64_t price = 0;
  if (mentions(change, "inv")) price += c->invalidate;
  if (mentions(change, "wb") && !mentions(change, "inv")) price += c->write_back;
  return price ? price : 1;
}

static int64_t price_by_list(const struct target_code_prices *prices, const char *instruction) {
  int64_t price = -1;
  size_t longest = 0;
  for (size_t i = 0; i < prices->count; i++) {
    size_t length = strlen(prices->names[i]);
    bool fits = !strncmp(instruction, prices->names[i], length) && length > longest;
    if (fits) longest = length;
    if (fits || (!longest && !strcmp(prices->names[i], "else"))) price = prices->prices[i];
  }
  return price;
}

int64_t target_code_price(const struct target_code_prices *prices, const char *change) {
  const char *colon = strstr(change, ": ");
  return prices->names ? price_by_list(prices, colon ? colon + 2 : change) : price_by_rule(prices, change);
}
