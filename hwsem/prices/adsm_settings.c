/* SPDX-License-Identifier: MIT */
/* Parameters of the ADSM protocols from a row of settings. */
#include "hwsem/prices/settings.h"

#define FIELD(name) \
  { #name, offsetof(struct adsm_parameters, name) }
static const struct parameter_field fields[] = {FIELD(latency), FIELD(up),      FIELD(down),  FIELD(half), FIELD(fault),
                                                FIELD(search),  FIELD(produce), FIELD(input), FIELD(B),    FIELD(R),
                                                FIELD(cell),    FIELD(s),       FIELD(m),     FIELD(p),    FIELD(T),
                                                FIELD(kernel),  FIELD(annotate)};
#undef FIELD

bool adsm_setting_read(const struct setting *setting, struct adsm_parameters *p, struct diags *diags) {
  return setting_fill(setting, fields, sizeof fields / sizeof *fields, p, diags);
}

bool adsm_setting_fill(const struct setting *setting, struct adsm_parameters *p, struct arena *arena,
                       struct diags *diags) {
  if (!adsm_setting_read(setting, p, diags)) return false;
  const char *fault = adsm_parameters_check(arena, p);
  if (fault) setting_error(setting, diags, setting_is_given(setting, "B") ? "B" : "s", "%s", fault);
  return !fault;
}
