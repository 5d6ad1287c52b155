# -through counts what the model rejects, as herd does: every candidate is an execution, and flags are raised as they
# are. Reasons are still the model's.
litscope check -model rc11 -through all litmus/c11/CoRR.litmus litmus/c11/Inc2.litmus litmus/c11/MP_release_sequence.litmus litmus/c11/MP_relaxed_race.litmus
litscope check -model rc11 -through invalid -why litmus/c11/SB_sc.litmus
# Where the log counts each, so does a model in C.
for model in hrf-rsp hrf-rsp-native; do
  litscope check -model $model -through all litmus/rsp/RSP_Test2.litmus | grep Observation
done
# Axioms that stand behind a `forall` let all through too, and a flag may have an axiom's name.
litscope check -through all -model tests/golden/herd/through_all.cat litmus/c11/CoRR.litmus | grep -E '^(Flag|Observation)'
