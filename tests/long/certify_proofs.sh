# SPDX-License-Identifier: MIT
# Whatever tree the certifier accepts shows the same; with one of its conditions left out it does not.  Two minutes;
# PROVE_TREES (for each test) and PROVE_SEED choose others.
set -eu
. tests/certify/proofs.sh
proofs "${PROVE_SEED:-1}" "${PROVE_TREES:-50}" c11 opencl rsp hrf hsa ptx vulkan loops
planted decision_tree.c 's/if (inclusive(s, a, first_bit(m)))/if (0)/' ptx 20
planted decision_tree.c 's/if (possible && !is_closed(other)) reject/if (0) reject/' c11 2
planted decision_tree.c 's/if (!is_closed(s) && !is_closed_by_choice(s)) reject/if (0) reject/' c11 2
planted decision_tree.c 's/if (c->free_values || !hangs_on_itself(s)) reject/if (0) reject/' c11 2
planted decision_tree.c 's/if (!whole || end != ENDED || all_pass(s)) reject/if (0) reject/' ptx 4
planted decision_tree.c 's/  if (!all_pass(s)) reject(at, "this is not an ex/  if (0) reject(at, "/' ptx 4
planted decision_tree.c 's/else if (!was_seen(c, f->values))/else if (0)/' ptx 4
planted propagate_values.c 's/if ((int)t != s->events\[read\].thread) return true;/if ((int)t != s->events[read].thread) return false;/' opencl 4
planted propagate_values.c 's/if (holds) continue;//' c11 4
planted propagate_values.c 's/if (s->program->partial) rule_out(s);/if (s->program->partial) s->co.up[a] = s->co.lo[a];/' ptx 4
planted evaluate_model.c 's/if (!s->open || n->local) return;/return;/' opencl 10
