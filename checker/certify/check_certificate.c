/* SPDX-License-Identifier: MIT */
/* What a certificate claims: final states, what the condition says of them, the
 * observation, numbers of executions and flags.
 *
 *     prop = true | false | (not p) | (and p p) | (or p p) | (implies p p) | (eq|ne|lt|le|gt|ge operand operand)
 *     operand = NUMBER | #INDEX                                                 the latter: of what is observed
 */
#include <string.h>

#include "checker/certify/check_solver_proof.h"
#include "checker/certify/machine.h"

enum { MOST_STATES = 1 << 17 }; /* words; what make() gives at once */

/* ---- Final states ------------------------------------------------------------------------------ */

static int64_t operand(const struct certificate *c, const struct item *item, const int64_t *values) {
  if (*word_of(item) != '#') return number_of(item);
  struct item number = *item;
  number.word++;
  return values[index_of(&number, c->observed_count)];
}

static bool holds(const struct certificate *c, const struct item *p, const int64_t *values, unsigned depth) {
  static const char *const WORDS[] = {"true", "false", NULL};
  static const char *const OPS[] = {"eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or", "implies", NULL};
  if (depth > 200) bad(p, "this condition is nested too deep");
  if (p->word) return choice_of(p, WORDS, "condition") == 0;
  unsigned op = choice_of(part(p, 0), OPS, "condition");
  if (p->count != (op == 6 ? 2 : 3)) bad(p, "wrong number of operands");
  if (op < 6)
    return apply((enum operator_)(E_EQ + op), operand(c, part(p, 1), values), operand(c, part(p, 2), values), 0);
  bool a = holds(c, part(p, 1), values, depth + 1);
  if (op == 6) return !a;
  bool b = holds(c, part(p, 2), values, depth + 1);
  return op == 7 ? a && b : op == 8 ? a || b : !a || b;
}

bool was_seen(const struct certificate *c, const int64_t *values) {
  for (unsigned i = 0, n = c->observed_count; i < c->state_count; i++)
    if (!n || (c->states[i * n] == *values && !memcmp(c->states + i * n, values, n * sizeof *values))) return true;
  return false;
}

void note_state(struct certificate *c, const int64_t *values) {
  if (c->condition && holds(c, c->condition, values, 0))
    c->positive++;
  else
    c->negative++;
  if (was_seen(c, values)) return;
  if ((c->state_count + 1) * (c->observed_count + 1) > MOST_STATES) bad(NULL, "too many states");
  memcpy(c->states + (size_t)c->state_count++ * c->observed_count, values, c->observed_count * sizeof *values);
}

bool is_filtered(const struct certificate *c, const int64_t *values) {
  return c->filter && !holds(c, c->filter, values, 0);
}

/* ---- The whole ------------------------------------------------------------------------------------------- */

static void read_observed(struct certificate *c, const struct item *list) {
  static const char *const KINDS[] = {"register", "location", NULL};
  for (const struct item *at = part(list, 0)->next; at; at = at->next) {
    if (c->observed_count == MOST_OBSERVED) bad(at, "more than %d things are observed", MOST_OBSERVED);
    struct observed *o = &c->observed[c->observed_count++];
    bool is_register = choice_of(part(at, 0), KINDS, "thing to observe") == 0;
    o->thread = is_register ? (int)index_of(part(at, 1), c->program->thread_count) : -1;
    no_more_than(at, is_register ? 3 : 2);
    o->index = is_register ? index_of(part(at, 2), c->program->threads[o->thread].reg_count)
                           : index_of(part(at, 1), c->program->location_count);
  }
}

/* The states claimed are those seen, each once. */
void check_states(const struct certificate *c, const struct item *list) {
  unsigned claimed = 0;
  for (const struct item *at = part(list, 0)->next; at; at = at->next, claimed++) {
    int64_t values[MOST_OBSERVED];
    if (at->count != c->observed_count) bad(at, "expected %u values", c->observed_count);
    for (unsigned i = 0; i < c->observed_count; i++) values[i] = number_of(part(at, i));
    if (!was_seen(c, values)) reject(at, "no execution shows this state");
    for (const struct item *before = part(list, 0)->next; before != at; before = before->next) {
      bool same = true;
      for (unsigned i = 0; i < c->observed_count; i++) same &= number_of(part(before, i)) == values[i];
      if (same) bad(at, "this state appears twice");
    }
  }
  if (claimed != c->state_count) reject(list, "%u states are claimed, %u were seen", claimed, c->state_count);
}

static void check_flags(const struct certificate *c, const struct item *list) {
  mask claimed = 0;
  for (const struct item *at = part(list, 0)->next; at; at = at->next) {
    mask named = 0;
    for (unsigned i = 0; i < c->model->check_count; i++)
      if (c->model->checks[i].role != REQUIRE && !strcmp(c->model->checks[i].name, word_of(at))) named |= BIT(i);
    if (!named) bad(at, "the model has no such flag");
    if (!(named & ~claimed)) bad(at, "this appears twice");
    if (!(named & c->raised)) reject(at, "no execution raises this");
    claimed |= named;
  }
  if (c->raised & ~claimed)
    reject(list, "%s is raised, and not in this list", c->model->checks[first_bit(c->raised & ~claimed)].name);
  for (unsigned i = 0; c->skipped && i < c->model->check_count; i++)
    if (c->model->checks[i].role != REQUIRE && !((c->raised | c->never_raised) >> i & 1))
      reject(list, "whether %s is raised is not shown: parts were skipped", c->model->checks[i].name);
}

void check_observation(const struct certificate *c, const struct item *claims) {
  static const char *const OBSERVATIONS[] = {"Never", "Sometimes", "Always", NULL};
  const struct item *says = section(part(claims, 0)->next, "observation", true);
  unsigned claimed = choice_of(part(says, 1), OBSERVATIONS, "observation");
  no_more_than(says, 2);
  unsigned seen = !c->positive ? 0 : c->negative ? 1 : 2;
  if (claimed != seen) reject(says, "what the executions show is %s", OBSERVATIONS[seen]);
  if (c->skipped && seen != 1 && !(seen ? c->never_violated : c->never_met))
    reject(says, "parts were skipped, which may show more");
  c->verdict->observation = OBSERVATIONS[seen];
}

/* The verdict of the model, from what was seen. */
static void check_claims(const struct certificate *c, const struct item *claims) {
  check_heads(part(claims, 0)->next, (const char *[]){"observation", "executions", "raised", "states", NULL});
  check_observation(c, claims);
  check_flags(c, section(part(claims, 0)->next, "raised", true));
  const struct item *states = section(part(claims, 0)->next, "states", !c->skipped);
  const struct item *count = section(part(claims, 0)->next, "executions", !c->skipped && !c->program->partial);
  if (c->skipped) check_absent(part(claims, 0)->next, (const char *[]){"executions", "states", NULL});
  if (states) check_states(c, states);
  if (!count) return;
  no_more_than(count, 3);
  if (number_of(part(count, 1)) != (int64_t)c->positive || number_of(part(count, 2)) != (int64_t)c->negative)
    reject(count, "%llu executions meet the condition and %llu do not", (unsigned long long)c->positive,
           (unsigned long long)c->negative);
}

/* Whether a run ends has nothing to do with the state in which it might. */
static void read_question(struct certificate *c, const struct item *items) {
  bool asks = !section(items, "progress", false);
  const struct item *observed = section(items, "observed", asks), *condition = section(items, "condition", asks),
                    *filter = section(items, "filter", false);
  if (observed) read_observed(c, observed);
  c->condition = condition ? part(condition, 1) : NULL;
  c->filter = filter ? part(filter, 1) : NULL;
  c->states = make(MOST_STATES * sizeof *c->states);
}

static void check_model(struct certificate *c, const struct item *items) {
  static const char *const VALUES[] = {"justified", "free", NULL};
  c->free_values = choice_of(part(section(items, "values", true), 1), VALUES, "kind of values");
  c->model = read_model(section(items, "definitions", true), section(items, "checks", true));
  c->verdict->model = word_of(part(section(items, "model", true), 1));
  const struct item *solved = section(items, "solved", false), *tree = section(items, "tree", !solved);
  if (solved && tree) reject(tree, "nothing asks for this");
  (solved ? check_solver_proof : check_tree)(c, solved ? solved : tree);
  check_claims(c, section(items, "claims", true));
}

const struct item *next_certificate(const struct item *items) {
  do items = items ? items->next : NULL;
  while (items && !is_list(items, "certificate"));
  return items;
}

void check_certificate(const struct item *items, struct verdict *verdict) {
  static const char *const HEADS[] = {"test",      "program",  "values", "model", "definitions", "checks",  "observed",
                                      "condition", "filter",   "claims", "tree",  "solved",      "machine", "stuck",
                                      "verify",    "progress", "run",    "loop",  NULL};
  struct certificate c = {.verdict = verdict};
  if (!is_list(items, "certificate")) bad(items, "a certificate begins with (certificate 1)");
  if (number_of(part(items, 1)) != 1) bad(items, "a version that is not known here");
  check_heads(items->next, HEADS);
  check_sizes(items);
  verdict->test = word_of(part(section(items, "test", true), 1));
  c.threads = section(items, "program", true)->first;
  c.program = read_program(section(items, "program", true));
  read_question(&c, items);
  bool of_model = section(items, "model", false) != NULL;
  if (of_model) check_model(&c, items);
  bool of_machine = check_machine(&c, items);
  if (!of_model && !of_machine) bad(items, "no (model ...) and no (machine ...) in this certificate");
  if (!of_model) check_absent(items, (const char *[]){"definitions", "checks", "tree", "solved", NULL});
  if (!of_machine) check_absent(items, (const char *[]){"stuck", "verify", "progress", "run", "loop", NULL});
}
