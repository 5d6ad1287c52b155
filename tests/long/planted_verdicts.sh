#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kind of verdict, turned into every other by a fault in the engine: its certificate is rejected.  Faults in
# the machines' search: scripts/certify_machines.sh. About two minutes.
set -eu
. tests/certify/engine.sh
verdict=checker/verdict/verdict.c verify=checker/verify/verify_test.c
never=litmus/c11/SB_sc.litmus sometimes=litmus/c11/SB_rel_acq.litmus always=litmus/ptx/Final_weak.litmus
matches='bool meets = execution_meets(x, t->test->condition);'

# What a model's search leaves out, or takes for what it is not.
engine checker/exec/paths/jumps_and_unrolling.c 's/  if (instr->condition)$/  if (false)/' \
  check -model tests/golden/herd/conditions/depends.cat tests/golden/herd/conditions/after.litmus
engine checker/exec/deductions/deduce.c 's/if (!words_meet(.*forbidden, f->p.up.CHOICE_RF.) &&/if (false \&\&/
  s/if (!rel_has(s, forbidden, w, read)) continue;/if (w \&\& !rel_has(s, forbidden, w, read)) continue;/' \
  check litmus/c11/SB_rel_acq.litmus
engine checker/cat/interpret_candidate.c 's/i < value->count \&\& !runner->failed/i + 1 < value->count \&\& !runner->failed/' \
  check -model tests/certify/choose.cat litmus/c11/WRC_rel_acq.litmus
engine checker/cat/interpret_candidate.c 's/if (!result \&\& !interpreter->first_failed)/result = true; &/' check litmus/hsa/RSP_Test3.litmus
engine checker/exec/search/value_propagation.c 's/(result != 0) != c->nonzero) frame_drop/(result != 0) == c->nonzero) frame_drop/' check litmus/rsp/RSP_Test8.litmus
engine checker/exec/predefined_relations.c 's/return (base == execution_order_set/return (base != BASE_SC \&\& base == execution_order_set/' check litmus/c11/SB_sc.litmus
engine checker/verdict/verdict.c 's/t->states->matching += candidate->ways/t->states->failing += candidate->ways/' check litmus/c11/SB_rel_acq.litmus

# Models: Never, Sometimes, Always, and what is undefined.
engine $verdict "s/$matches/bool meets = !t->states->matching;/" check $never
engine $verdict 's/t->states->failing += candidate->ways/t->states->matching += candidate->ways/' check $never
engine $verdict "s/$matches/bool meets = false;/" check $sometimes
engine $verdict "s/$matches/bool meets = true;/" check $sometimes
engine $verdict "s/$matches/bool meets = false;/" check $always
engine $verdict "s/$matches/bool meets = !t->states->matching;/" check $always
engine $verdict 's/candidate->raised && i < ir->check_count; i++/i < 0; i++/' check litmus/opencl/MP_nonatomic_racy.litmus
engine $verdict 's/if (!(candidate->raised\[i . 64\] >> (i % 64) & 1)) continue;/if (ir->checks[i].role == ROLE_REQUIRE) continue;/' check litmus/rsp/MP_dev.litmus

# Values that only a cycle justifies.
engine checker/exec/search/value_propagation.c 's/add_value(arena, &list, other);/(void)other;/' check litmus/vulkan/Thin_air.litmus
engine checker/exec/search/value_propagation.c 's/if (prop->right.constant)/if (false)/' check litmus/vulkan/Thin_air.litmus

# Barriers whose group or quorum is chosen, or read.
engine checker/exec/search/barrier_choice.c 's/if (left > quorum) return true;/return true;/' check litmus/ptx/Barrier_quorum_all.litmus
engine checker/exec/deductions/deduce.c 's/bool never = words_meet(s.w, row/bool never = true || words_meet(s.w, row/' check litmus/ptx/Barrier_quorum.litmus
engine checker/exec/predefined_relations.c 's/ || a->resource != b->resource) return false/) return false/' check litmus/ptx/Barrier_resource.litmus

# States of machines, and whether runs get stuck.
observe=hwsem/explore.c
engine $observe 's/^  return add_outcome(explorer, index, values);/  if (explorer->outcomes.count) return true;\n&/' explore -machine sc $sometimes
engine $observe 's/^  return add_outcome(explorer, index, values);/  values[0] = 7;\n&/' explore -machine sc $sometimes
engine $observe 's/^  return add_outcome(explorer, index, values);/  values[0] = 7;\n&/' explore -mapping rsp-original litmus/rsp/RSP_Test2.litmus

# Sound, Unsound, Deadlock, and what is undefined.
unsound=litmus/rsp/RSP_Test2.litmus sound=litmus/rsp/MP_dev.litmus stuck=tests/mappings/programs/RxD_Wyn_Rxn.litmus
blocks='-knob lock-line-blocks=all'
no_state='run->found.deadlock != EXPLORE_NO_STATE'
engine $verify 's/outcome->values) != NULL)/outcome->values) == NULL)/' verify -mapping rsp-corrected $sound
engine $verify "s/$no_state/true/; s/: run->found.deadlock;/: 0;/" verify -mapping rsp-corrected $sound
engine $verify 's/if (hunt->bad) return true;/return true;/' verify -mapping rsp-original $unsound
engine $verify 's/    result->answer = VERIFY_UNSOUND;/    result->answer = VERIFY_DEADLOCK;/' verify -mapping rsp-original $unsound
# shellcheck disable=SC2086
{
  engine $verify "s/$no_state/false/; s/run->found.end != EXPLORE_DONE/false/" verify -mapping rsp-original $blocks $stuck
  engine $verify "s/result->answer = VERIFY_DEADLOCK;/result->answer = VERIFY_UNSOUND;/; s/if (width) memcpy(outcome/if (run->hunt.bad) memcpy(outcome/" verify -mapping rsp-original $blocks $stuck
}
engine $verify 's/return v->bad > 0 || .*/return false;/' verify -mapping rsp-corrected litmus/opencl/MP_nonatomic_racy.litmus

# Whether every run ends.
engine hwsem/fair_progress.c 's/  if (!component->loops) return false;/  return component->loops;/' progress -scheduler fair litmus/loops/Lock_TAS_2.litmus
engine hwsem/fair_progress_components.c 's/return g->first\[node\] == g->first\[node + 1\] && g->running\[node\];/return g->first[node] == g->first[node + 1];/' \
  progress -scheduler fair litmus/c11/SB_sc.litmus
