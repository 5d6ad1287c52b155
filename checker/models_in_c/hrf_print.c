/* SPDX-License-Identifier: MIT */
/* A judgement of scope promotion in words: what was promoted, what failed, what races. */
#include "checker/base/array.h"
#include "checker/models_in_c/hrf_promotion.h"

static void print_instance(const struct execution *x, struct hrf_instance instance, FILE *out) {
  if (instance.level == SCOPE_WI)
    fprintf(out, "work-item %s", x->program->threads[instance.index].name);
  else if (instance.level == SCOPE_SYS)
    fputs("system", out);
  else
    fprintf(out, "%s%u", scope_name(instance.level), instance.index);
}

static void print_pair(const struct execution *x, const char *what, unsigned a, unsigned b, FILE *out) {
  fprintf(out, "    %s: ", what);
  event_print_placed(x->program, &x->events[a], out);
  fputs(" and ", out);
  event_print_placed(x->program, &x->events[b], out);
  fputc('\n', out);
}

void hrf_judgement_print(const struct execution *execution, const struct hrf_judgement *judgement, FILE *out) {
  ARRAY_EACH (const struct hrf_promotion, p, judgement->promotions, judgement->promotion_count) {
    fputs("    promoted: ", out);
    event_print_placed(execution->program, &execution->events[p->promoted], out);
    fputs(" by ", out);
    event_print_placed(execution->program, &execution->events[p->promoter], out);
    fputs(" from ", out);
    print_instance(execution, p->from, out);
    fputs(" to ", out);
    print_instance(execution, p->to, out);
    fputc('\n', out);
  }
  bool nothing = !judgement->promotion_count && !judgement->failed;
  if (nothing && !judgement->ordinary_race.found && !judgement->scope_race.found)
    fputs("    nothing is promoted, nothing races\n", out);
  if (judgement->failed) print_pair(execution, judgement->failed, judgement->failed_at, judgement->failed_to, out);
  if (judgement->ordinary_race.found)
    print_pair(execution, "ordinary race", judgement->ordinary_race.a, judgement->ordinary_race.b, out);
  if (judgement->scope_race.found)
    print_pair(execution, "scope race", judgement->scope_race.a, judgement->scope_race.b, out);
}
