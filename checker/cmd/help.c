/* SPDX-License-Identifier: MIT */
/* Help of each command, made from the tables: its operands, then the options
 * that have its bit, with their words, ranges and defaults. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/cmd/herd_options.h"
#include "checker/cmd/manual.h"
#include "checker/cmd/option_groups.h"

enum { WIDTH = 80, INDENT = 26 };

/* Writes text from column `indent` on, broken between words. */
static void wrap(const char *text, int indent, FILE *out) {
  int column = indent;
  for (bool first = true; *text; first = false) {
    int length = (int)strcspn(text, " ");
    if (!first && column + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (!first) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

static void print_row(const char *left, const char *text, FILE *out) {
  int length = fprintf(out, "  %s", left);
  if (length + 2 > INDENT) {
    fprintf(out, "\n");
    length = 0;
  }
  fprintf(out, "%*s", INDENT - length, "");
  wrap(text, INDENT, out);
}

void help_print_usage(FILE *out) {
  fputs(
      "usage: litscope [COMMAND] [OPTION...] FILE...\n\n"
      "Checks concurrent programs on machines with scopes: memory models, compiler\n"
      "mappings, operational machines, cost.  Without COMMAND it runs `check`.\n\n"
      "commands:\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) print_row(command_table[i].name, command_table[i].summary, out);
  fputs("\n", out);
  print_row("-version", "Prints the version", out);
  print_row("-help", "After a command: its options; the same as `litscope help COMMAND`", out);
  fputs(
      "\nexit status: 0 nothing is wrong; 1 something is (see `litscope help COMMAND`):\n"
      "a claim of a test (~exists, forall) does not hold or a program is undefined\n"
      "(check, explore, verify: -fail-on), a mapping is unsound, models differ (diff);\n"
      "2 bad usage or bad input; 3 a limit was reached\n",
      out);
}

static void print_option(const struct option *option, FILE *out) {
  char left[128];
  bool argument = option->argument != NULL;
  snprintf(left, sizeof left, "-%s%s%s", option->name, argument ? " " : "", argument ? option->argument : "");
  char text[1024];
  bool plain = !option->initial || !strcmp(option->initial, "0");
  snprintf(text, sizeof text, "%s%s%s%s", option->help, plain ? "" : " (default: ", plain ? "" : option->initial,
           plain ? "" : ")");
  print_row(left, text, out);
}

/* A list of no more options is shown whole. */
enum { FEW = 12 };

static void print_sentence(const char *before, const char *text, FILE *out) {
  char sentence[1024];
  snprintf(sentence, sizeof sentence, "%s%s.", before, text);
  wrap(sentence, 0, out);
}

/* The options of a group, under its title; returns how many. */
static int print_group(enum command_id id, enum option_group group, bool all, FILE *out) {
  int count = 0;
  for (int i = 0; i < OPTION_COUNT; i++) {
    bool has = option_table[i].commands >> id & 1 && group_of((enum option_id)i) == group;
    if (!has || (!all && !group_is_first(id, (enum option_id)i))) continue;
    if (!count++) fprintf(out, "\n%s:\n", group_title(group));
    print_option(&option_table[i], out);
  }
  return count;
}

void help_print_command(enum command_id id, bool all, FILE *out) {
  const struct command *command = &command_table[id];
  int count = 0, printed = 0;
  for (int i = 0; i < OPTION_COUNT; i++) count += (int)(option_table[i].commands >> id & 1);
  fprintf(out, "usage: litscope %s%s%s%s\n\n", command->name, count ? " [OPTION...]" : "",
          *command->operands ? " " : "", command->operands);
  print_sentence("", command->summary, out);
  if (!count) return;
  fputs("\nOptions have one dash or two, `-name VALUE` or `-name=VALUE`; `--` ends them.\n", out);
  for (int group = 0; group < GROUPS; group++)
    printed += print_group(id, (enum option_group)group, all || count <= FEW, out);
  if (command_failures[id]) fputc('\n', out), print_sentence("Exit status 1: ", command_failures[id], out);
  if (printed < count) fprintf(out, "\n%d more options: litscope help %s -all\n", count - printed, command->name);
}

int command_help(struct invocation *call) {
  if (option_is(call, OPTION_FORMAT, "man")) manual_write_man(stdout);
  if (option_is(call, OPTION_FORMAT, "bash")) manual_write_bash(stdout);
  if (option_is(call, OPTION_FORMAT, "zsh")) manual_write_zsh(stdout);
  if (option_is(call, OPTION_FORMAT, "herd")) herd_options_print(stdout);
  if (!option_is(call, OPTION_FORMAT, "text")) return STATUS_DONE;
  if (!call->word_count) {
    help_print_usage(stdout);
    return STATUS_DONE;
  }
  int command = ROW_INDEX(command_table, COMMAND_COUNT, name, call->words[0]);
  if (command >= 0) {
    help_print_command((enum command_id)command, option_on(call, OPTION_ALL), stdout);
    return STATUS_DONE;
  }
#define RENAMED(old, now, id, operand)                                     \
  if (!strcmp(call->words[0], old)) {                                      \
    help_print_command(COMMAND_##id, option_on(call, OPTION_ALL), stdout); \
    return STATUS_DONE;                                                    \
  }
  RENAMED_LIST(RENAMED)
#undef RENAMED
  const char *nearest = suggest(call->words[0], ROW_TEXTS(call->arena, command_table, COMMAND_COUNT, name));
  fprintf(stderr, "litscope: error: unknown command '%s'%s\n", call->words[0], suggest_hint(call->arena, nearest));
  return STATUS_BAD;
}
