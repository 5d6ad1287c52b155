/* `compare`: which tests gained or lost states between two logs, as mcompare
 * does for herd's. */
#include <string.h>

#include "cmd/command.h"
#include "report/recorded.h"

struct tally {
  size_t same, different, only_first, only_second;
};

static bool same_key(const struct recorded *a, const struct recorded *b) {
  return !strcmp(a->test, b->test) && (!a->model || !b->model || !strcmp(a->model, b->model));
}

static void print_name(const struct recorded *result) {
  printf("%s%s%s", result->test, result->model ? " " : "", result->model ? result->model : "");
}

static void compare_pair(struct arena *arena, const struct recorded *a, const struct recorded *b, struct tally *tally) {
  const char *difference = recorded_difference(arena, a, b);
  if (!difference) {
    tally->same++;
    return;
  }
  tally->different++;
  print_name(b);
  printf("\n%s", difference);
}

static void print_only(const struct recording *recording, const struct recorded *result, size_t *count) {
  printf("only in %s: ", recording->path);
  print_name(result);
  putchar('\n');
  ++*count;
}

/* Both are sorted: one walk. */
static struct tally compare_all(struct arena *arena, const struct recording *a, const struct recording *b) {
  struct tally tally = {0};
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    const struct recorded *first = i < a->count ? &a->at[i] : NULL, *second = j < b->count ? &b->at[j] : NULL;
    if (first && second && same_key(first, second)) {
      compare_pair(arena, first, second, &tally);
      i++, j++;
    } else if (!second || (first && strcmp(first->test, second->test) <= 0)) {
      print_only(a, first, &tally.only_first);
      i++;
    } else {
      print_only(b, second, &tally.only_second);
      j++;
    }
  }
  return tally;
}

int command_compare(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  if (call->word_count != 2) {
    diag_error(&diags, NULL, (struct span){0}, "compare needs two logs, not %zu", call->word_count);
    return diags_report(&diags);
  }
  const struct recording *a = recording_read(call->arena, call->words[0], &diags);
  const struct recording *b = recording_read(call->arena, call->words[1], &diags);
  if (!a || !b) return diags_report(&diags);
  struct tally tally = compare_all(call->arena, a, b);
  printf("%zu results in both: %zu same, %zu different; %zu only in the first, %zu only in the second\n",
         tally.same + tally.different, tally.same, tally.different, tally.only_first, tally.only_second);
  return tally.different || tally.only_first || tally.only_second ? STATUS_DIFFERS : STATUS_DONE;
}
