/* SPDX-License-Identifier: MIT */
/* herd7's options next to ours.  A name of the list that has become an option of
 * litscope's counts as that. */
#include "checker/cmd/herd_options.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"

enum answer { SAME, ALWAYS, NONE, VIEW, LATER };

static const struct herd_option {
  const char *name;
  enum answer answer;
  const char *text;
} herd_options[] = {
#define HERD_OPTION(name, answer, text) {name, answer, text},
    HERD_OPTION_LIST(HERD_OPTION)
#undef HERD_OPTION
};

static const struct {
  const char *name, *difference;
} shared[] = {
#define HERD_SHARED(name, difference) {name, difference},
    HERD_SHARED_LIST(HERD_SHARED)
#undef HERD_SHARED
};

/* Of `check`: another command's of that name is another. */
static bool is_option(const char *name) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (option_table[i].commands >> COMMAND_CHECK & 1 && !strcmp(option_table[i].name, name)) return true;
  return false;
}

static const char *word_of(enum answer answer) {
  static const char *const words[] = {
      [SAME] = "other name", [ALWAYS] = "always so", [NONE] = "no meaning", [VIEW] = "other name", [LATER] = "not yet"};
  return words[answer];
}

static const struct herd_option *find(const char *name) {
  return FIND_ROW(herd_options, ARRAY_COUNT(herd_options), name, name);
}

const char *herd_option_hint(const char *name) {
  static const char *const ends[] = {[SAME] = ", herd's: ",
                                     [ALWAYS] = ", herd's, which is always so here: ",
                                     [NONE] = ", herd's, which has no meaning here: ",
                                     [VIEW] = ", herd's: ",
                                     [LATER] = ", herd's, which is not there yet: "};
  const struct herd_option *option = find(name);
  return option ? ends[option->answer] : NULL;
}

const char *herd_option_text(const char *name) {
  const struct herd_option *option = find(name);
  return option ? option->text : "";
}

bool herd_option_is_idle(const char *name) {
  const struct herd_option *option = find(name);
  return option && (option->answer == NONE || option->answer == ALWAYS);
}

bool herd_option_is_missing(const char *name) {
  const struct herd_option *option = find(name);
  return option && (option->answer == LATER || option->answer == VIEW);
}

bool herd_option_is_passed_over(const char *name, bool *takes_value) {
  static const char *const alone[] = {"evince", "gv", "preview", "switch", "web"};
  const struct herd_option *option = find(name);
  *takes_value = text_index(name, alone, ARRAY_COUNT(alone)) < 0;
  return option && option->answer != SAME;
}

static void print_line(FILE *out, const char *name, const char *word, const char *text) {
  fprintf(out, *text ? "-%-18s %-11s %s\n" : "-%-18s %s%s\n", name, word, text);
}

void herd_options_print(FILE *out) {
  for (size_t i = 0; i < ARRAY_COUNT(shared); i++) print_line(out, shared[i].name, "have", shared[i].difference);
  ARRAY_EACH (const struct herd_option, option, herd_options, ARRAY_COUNT(herd_options)) {
    bool has = is_option(option->name);
    print_line(out, option->name, has ? "have" : word_of(option->answer), has ? "" : option->text);
  }
}

void herd_options_each_difference(void (*tell)(const char *name, const char *difference, FILE *out), FILE *out) {
  for (size_t i = 0; i < ARRAY_COUNT(shared); i++)
    if (*shared[i].difference) tell(shared[i].name, shared[i].difference, out);
}
