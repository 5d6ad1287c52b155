/* SPDX-License-Identifier: MIT */
/* Parameters of the ADSM protocols from a row of settings. */
#include "checker/base/array.h"
#include "hwsem/prices/settings.h"

#define FIELD(name) \
  { #name, offsetof(struct adsm_parameters, name) }
static const struct parameter_field fields[] = {FIELD(latency), FIELD(up),      FIELD(down),  FIELD(half), FIELD(fault),
                                                FIELD(search),  FIELD(produce), FIELD(input), FIELD(B),    FIELD(R),
                                                FIELD(cell),    FIELD(s),       FIELD(m),     FIELD(p),    FIELD(T),
                                                FIELD(kernel),  FIELD(annotate)};
#undef FIELD

bool adsm_setting_read(const struct setting *setting, struct adsm_parameters *p) {
  return setting_fill(setting, fields, ARRAY_COUNT(fields), p);
}

bool adsm_setting_fill(const struct setting *setting, struct adsm_parameters *p) {
  if (!adsm_setting_read(setting, p)) return false;
  const char *fault = adsm_parameters_check(setting->diags->arena, p);
  if (fault) setting_error(setting, setting_is_given(setting, "B") ? "B" : "s", "%s", fault);
  return !fault;
}
