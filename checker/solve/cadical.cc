/* SPDX-License-Identifier: MIT */
/* The boundary of C++: no exception goes beyond. */
#include "checker/solve/cadical.h"

#include <cadical.hpp>

struct cadical : CaDiCaL::Terminator, CaDiCaL::Learner {
  explicit cadical(const cadical_caller &who) : caller(who) {}
  bool terminate() override { return caller.stop(caller.context); }
  bool learning(int) override { return true; }
  void learn(int literal) override { caller.learnt(caller.context, literal); }

  cadical_caller caller;
  CaDiCaL::Solver *solver = nullptr;
  int variables = 0;
  bool torn = false; /* memory ran out while tables grew, which are then not fit to be freed */
};

template <class Call>
static bool completes(Call call) noexcept {
  try {
    call();
    return true;
  } catch (...) {
    return false;
  }
}

struct cadical *cadical_new(const struct cadical_caller *caller) {
  cadical *c = nullptr;
  bool complete = completes([&] {
    c = new cadical(*caller);
    c->solver = new CaDiCaL::Solver;
    c->solver->set("quiet", 1);
    c->solver->connect_terminator(c);
    if (!caller->learnt) return;
    c->solver->set("inprocessing", 0); /* what it derives in between is not told */
    c->solver->connect_learner(c);
  });
  if (complete) return c;
  if (c) cadical_free(c);
  return nullptr;
}

void cadical_free(struct cadical *c) {
  if (!c->torn) delete c->solver;
  delete c;
}

/* Tables grow by variables that were not there. */
static void make_room(cadical *c, int literal) {
  int variable = literal < 0 ? -literal : literal;
  if (variable <= c->variables) return;
  c->variables = variable;
  c->torn = true;
  c->solver->reserve(variable);
  c->torn = false;
}

bool cadical_add(struct cadical *c, int literal) {
  return completes([=] {
    make_room(c, literal);
    c->solver->add(literal);
  });
}

bool cadical_assume(struct cadical *c, int literal) {
  return completes([=] {
    make_room(c, literal);
    c->solver->assume(literal);
  });
}

bool cadical_solve(struct cadical *c, int most_conflicts, int *answer) {
  return completes([=] {
    if (most_conflicts) c->solver->limit("conflicts", most_conflicts);
    *answer = c->solver->solve();
  });
}

bool cadical_value(struct cadical *c, int variable, bool *value) {
  return completes([=] { *value = c->solver->val(variable) > 0; });
}
