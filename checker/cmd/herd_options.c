/* SPDX-License-Identifier: MIT */
/* herd7's options beside ours.  A name of the list that has become an option of
 * litscope's counts as that. */
#include "checker/cmd/herd_options.h"

#include <string.h>

#include "checker/cmd/command.h"

enum answer { SAME, ALWAYS, NONE, LATER };

static const struct herd_option {
  const char *name;
  enum answer answer;
  const char *text;
} herd_options[] = {
#define HERD_OPTION(name, answer, text) {name, answer, text},
    HERD_OPTION_LIST(HERD_OPTION)
#undef HERD_OPTION
};

/* Those that both have by the same name. */
static const char *const shared[] = {
    "badexecs",    "badflag", "checkfilter", "bell",     "candidates", "conf",      "excl",       "macros",
    "doshow",      "graph",   "hexa",        "showflag", "unshow",     "I",         "conds",      "help",
    "kinds",       "model",   "names",       "nonames",  "nshow",      "oknames",   "rename",     "strictskip",
    "throughflag", "o",       "q",           "select",   "show",       "skipcheck", "skipchecks", "speedcheck",
    "through",     "timeout", "unroll",      "v",        "variant",    "version"};

/* Of `check`: another command's of that name is another. */
static bool is_option(const char *name) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (option_table[i].commands >> COMMAND_CHECK & 1 && !strcmp(option_table[i].name, name)) return true;
  return false;
}

static const char *word_of(enum answer answer) {
  static const char *const words[] = {
      [SAME] = "other name", [ALWAYS] = "always so", [NONE] = "no meaning", [LATER] = "not yet"};
  return words[answer];
}

const char *herd_option_hint(const char *name) {
  static const char *const ends[] = {[SAME] = ", herd's: ",
                                     [ALWAYS] = ", herd's, which is always so here: ",
                                     [NONE] = ", herd's, which has no meaning here: ",
                                     [LATER] = ", herd's, which is not there yet: "};
  for (size_t i = 0; i < sizeof herd_options / sizeof *herd_options; i++)
    if (!strcmp(herd_options[i].name, name)) return ends[herd_options[i].answer];
  return NULL;
}

const char *herd_option_text(const char *name) {
  for (size_t i = 0; i < sizeof herd_options / sizeof *herd_options; i++)
    if (!strcmp(herd_options[i].name, name)) return herd_options[i].text;
  return "";
}

bool herd_option_is_idle(const char *name) {
  for (size_t i = 0; i < sizeof herd_options / sizeof *herd_options; i++)
    if (!strcmp(herd_options[i].name, name)) return herd_options[i].answer == NONE || herd_options[i].answer == ALWAYS;
  return false;
}

void herd_options_print(FILE *out) {
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) fprintf(out, "-%-18s have\n", shared[i]);
  for (size_t i = 0; i < sizeof herd_options / sizeof *herd_options; i++) {
    const struct herd_option *option = &herd_options[i];
    if (is_option(option->name))
      fprintf(out, "-%-18s have\n", option->name);
    else
      fprintf(out, *option->text ? "-%-18s %-11s %s\n" : "-%-18s %s%s\n", option->name, word_of(option->answer),
              option->text);
  }
}
