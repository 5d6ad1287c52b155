/* SPDX-License-Identifier: MIT */
/* Where an atomic operation is performed: five static policies, and the three
 * predictors of DynAMO with their table of recently seen lines (the AMT).
 */
#ifndef LITSCOPE_HWSEM_TIMING_AMO_POLICY_H
#define LITSCOPE_HWSEM_TIMING_AMO_POLICY_H

#include "hwsem/timing/amo_timed.h"

struct amo_predictor; /* one node's */

struct amo_predictor *amo_predictor_new(struct arena *arena, const struct amo_parameters *parameters,
                                        enum amo_policy policy);

/* Near?  `state` is the line's state in the L1. A predictor is queried, and
 * refreshes its table, unless the line is unique there. */
bool amo_predictor_near(struct amo_predictor *predictor, int64_t line, enum amo_state state, int64_t now);

/* What happens to a line.  Lines without an entry are ignored; static policies ignore all. */
enum amo_event {
  AMO_DONE,    /* a near operation completed */
  AMO_HIT,     /* an access hit the L1 */
  AMO_FETCHED, /* a near operation brought the line to the L1, or upgraded it */
  AMO_EVICTED, /* the line left the L1 for lack of room */
  AMO_SNOOPED  /* another node took it from the L1 */
};

void amo_predictor_note(struct amo_predictor *predictor, int64_t line, enum amo_event event, int64_t now);

#endif
