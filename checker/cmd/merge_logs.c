/* SPDX-License-Identifier: MIT */
/* Logs summed, and conditions made of them. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/cmd/command_forms.h"
#include "checker/report/baseline.h"

/* All logs of the command line as one; NULL, after messages: some cannot be read.
 * `status` says whether they are of the same programs and conditions. */
static const struct baseline *read_sum(struct invocation *call, int *status) {
  struct diags diags = diags_new(call->arena);
  if (!call->word_count) diag_fail(&diags, "no logs to sum: name one or more");
  const struct baseline **logs = ARENA_ARRAY(call->arena, const struct baseline *, call->word_count + 1);
  for (size_t i = 0; i < call->word_count; i++) logs[i] = baseline_read(call->arena, call->words[i], &diags);
  struct baseline *sum = NULL;
  size_t conflicts = 0;
  if (!diags.errors) sum = baseline_sum(call->arena, logs, call->word_count, &conflicts, &diags);
  *status = status_join(diags_report(&diags), conflicts ? STATUS_DIFFERS : STATUS_DONE);
  return sum;
}

/* A location of a normalised state, which has lost its brackets; cells of arrays and registers have none. */
static bool is_bare_location(const char *part, size_t length) {
  return !memchr(part, ':', length) && !memchr(part, '[', length) && !memchr(part, '(', length);
}

/* The parts of a normalised state `0:r0=1; x=2;`, each between `before` and `after`. */
static void print_parts(const char *state, const char *between, const char *after) {
  bool first = true;
  for (const char *at = state; *at;) {
    while (*at == ' ' || *at == ';') at++;
    size_t length = strcspn(at, ";");
    if (!length) continue;
    const char *equals = memchr(at, '=', length);
    size_t name = equals ? (size_t)(equals - at) : length;
    bool brackets = is_bare_location(at, name);
    printf("%s%s%.*s%s%.*s%s", first ? "" : between, brackets ? "[" : "", (int)name, at, brackets ? "]" : "",
           (int)(length - name), at + name, after);
    first = false;
    at += length;
  }
}

/* What the test asks: whether the outcome is allowed, where nothing says. */
static const char *asked(const struct baseline_result *r) {
  return r->kind ? r->kind : r->asked ? r->asked : "Allowed";
}

/* Does the sum answer that question? */
static bool is_ok(const struct baseline_result *r) {
  const char *wanted = asked(r);
  if (!strcmp(wanted, "Required")) return !strcmp(r->observation, "Always");
  return !strcmp(r->observation, "Never") == !strcmp(wanted, "Forbidden");
}

static void print_result(const struct baseline_result *r) {
  printf("Test %s %s\n", r->test, asked(r));
  if (r->states) printf("States %zu\n", r->state_count);
  for (size_t i = 0; r->states && i < r->state_count; i++) {
    print_parts(r->states[i], " ", ";");
    putchar('\n');
  }
  puts(!r->observation ? "??" : is_ok(r) ? "Ok" : "No");
  if (r->undefined) puts("Flag *undef*");
  if (r->condition) printf("Condition %s\n", r->condition);
  if (r->observation) printf("Observation %s %s\n", r->test, r->observation);
  if (r->hash) printf("Hash=%s\n", r->hash);
  putchar('\n');
}

int sum_print_log(struct invocation *call) {
  int status;
  const struct baseline *sum = read_sum(call, &status);
  if (!sum) return STATUS_BAD;
  for (size_t i = 0; i < sum->count; i++) print_result(&sum->at[i]);
  return status;
}

int sum_print_conditions(struct invocation *call) {
  int status;
  const struct baseline *sum = read_sum(call, &status);
  if (!sum) return STATUS_BAD;
  ARRAY_EACH (const struct baseline_result, r, sum->at, sum->count) {
    if (!r->states || !r->state_count) continue;
    printf("%s \"forall (", r->test);
    for (size_t k = 0; k < r->state_count; k++) {
      fputs(k ? " \\/ (" : "(", stdout);
      if (*r->states[k])
        print_parts(r->states[k], " /\\ ", "");
      else
        fputs("true", stdout);
      putchar(')');
    }
    puts(")\"");
  }
  return status;
}
