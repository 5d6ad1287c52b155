/* SPDX-License-Identifier: MIT */
/* Parameters of the timed GPU from a row of settings, and what its FIFOs hold. */
#include "checker/base/array.h"
#include "hwsem/prices/settings.h"

#define FIELD(name) \
  { #name, offsetof(struct rsp_parameters, name) }
static const struct parameter_field fields[] = {FIELD(n),   FIELD(l1),  FIELD(net), FIELD(pop),
                                                FIELD(inv), FIELD(alu), FIELD(F)};
#undef FIELD

bool rsp_setting_fill(const struct setting *setting, struct rsp_parameters *parameters) {
  return setting_fill(setting, fields, ARRAY_COUNT(fields), parameters);
}

struct rsp_cu *rsp_setting_units(struct arena *arena, const struct setting *setting,
                                 const struct rsp_parameters *parameters) {
  struct rsp_cu *cus = ARENA_ARRAY(arena, struct rsp_cu, (size_t)parameters->n);
  for (int64_t cu = 0; cu < parameters->n; cu++) {
    struct rsp_cu *c = &cus[cu];
    c->q = setting_number_of_unit(setting, "q", cu);
    c->d = setting_number_of_unit(setting, "d", cu);
    const char *unit = arena_printf(arena, "unit %d", (int)cu);
    if (c->q > parameters->F)
      setting_error(setting, "q", "%s: q=%d entries do not fit a FIFO of F=%d", unit, (int)c->q, (int)parameters->F);
    else if (c->d > c->q)
      setting_error(setting, "d", "%s: d=%d dirty entries exceed the q=%d entries in all", unit, (int)c->d, (int)c->q);
    else
      continue;
    return NULL;
  }
  return setting_check_units(setting, "n", parameters->n) ? cus : NULL;
}
