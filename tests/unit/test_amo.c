/* SPDX-License-Identifier: MIT */
/* The explorer's policies of placement are those of the timed machine. */
#include "hwsem/machines/amo.h"
#include "hwsem/timing/amo_policy.h"
#include "tests/unit/unit.h"

/* The same state, as each of the two counts them. */
static const struct {
  enum amo_line line;
  enum amo_state state;
} STATES[] = {{LINE_UC, AMO_UC}, {LINE_UD, AMO_UD}, {LINE_SC, AMO_SC}, {LINE_SD, AMO_SD}, {LINE_I, AMO_I}};

TEST(policies_are_the_timed_machines) {
  struct arena *arena = *state;
  struct amo_parameters p = {.amt = 4, .amtways = 4};
  for (unsigned policy = AMO_ALL_NEAR; policy <= AMO_ALL_FAR; policy++) {
    struct amo_knobs knobs = {.policy = 1 + policy - AMO_ALL_NEAR};
    struct amo_predictor *predictor = amo_predictor_new(arena, &p, (enum amo_policy)policy);
    for (unsigned i = 0; i < LINE_STATES; i++)
      assert_int_equal(amo_place(&knobs, STATES[i].line) == PLACE_NEAR,
                       amo_predictor_near(predictor, 0, STATES[i].state, 0));
  }
}

TEST(a_table_goes_before_the_policy) {
  struct amo_knobs knobs = {.policy = 1};
  assert_int_equal(amo_place(&knobs, LINE_SC), PLACE_NEAR);
  knobs.place[LINE_SC] = PLACE_FAR;
  assert_int_equal(amo_place(&knobs, LINE_SC), PLACE_FAR);
  assert_int_equal(amo_place(&knobs, LINE_SD), PLACE_NEAR);
  assert_int_equal(amo_place(&(struct amo_knobs){0}, LINE_SD), PLACE_ANY);
}
