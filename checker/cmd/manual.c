/* SPDX-License-Identifier: MIT */
/* The manual page and the completions of bash and zsh, made from the tables
 * of commands and options, so that they cannot lack one. */
#include "checker/cmd/manual.h"

#include <string.h>

#include "checker/base/escape.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/cmd/herd_options.h"
#include "hwsem/fair_progress.h"

static bool has(enum command_id command, int option) {
  return option_table[option].commands >> command & 1;
}

/* ---- mdoc ---- */

/* Text of a running line: a full stop or quote at its start is no macro, and a
 * backslash no escape.  Sentences begin on lines of their own. */
static void write_line(const char *text, bool sentences, FILE *out) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else if (sentences && text_begins(text, ". "))
      fputs(".\n", out), text++;
    else
      fputc(*text, out);
  }
}

static void write_roff(const char *text, FILE *out) {
  write_line(text, true, out);
}

/* The argument of a macro, where a blank would end it, and a line's end too. */
static void write_argument(const char *text, FILE *out) {
  fputc('"', out);
  write_line(text, false, out);
  fputc('"', out);
}

static void write_man_option(const struct option *option, FILE *out) {
  fprintf(out, ".It Fl %s", option->name);
  if (option->argument) {
    fputs(" Ar ", out);
    write_argument(option->argument, out);
  }
  fputc('\n', out);
  write_roff(option->help, out);
  fputs(".\n", out);
  if (option->initial && strcmp(option->initial, "0") != 0) fprintf(out, "The default is\n.Ql %s .\n", option->initial);
  fputs("Commands:\n", out);
  bool first = true;
  for (int i = 0; i < COMMAND_COUNT; i++)
    if (option->commands >> i & 1) fprintf(out, "%s%s", first ? "" : ", ", command_table[i].name), first = false;
  fputs(".\n", out);
}

static void write_difference(const char *name, const char *difference, FILE *out) {
  fprintf(out, ".It Fl %s\n", name);
  write_roff(difference, out);
  fputs(".\n", out);
}

static void write_exit_statuses(FILE *out) {
  fputs(
      ".Sh EXIT STATUS\n.Bl -tag -width Ds\n.It 0\nDone.\n.It 1\nSomething is wrong; what that is depends on the "
      "command:\n.Bl -tag -width Ds\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    const char *failures = command_failures[i];
    if (!failures) continue;
    fprintf(out, ".It Cm %s\n", command_table[i].name);
    write_roff(failures, out);
    fputs(".\n", out);
  }
  fputs(
      ".El\n.It 2\nBad usage, bad input, or output that could not be written.\n"
      ".It 3\nA limit was reached: some answer is missing.\n.El\n",
      out);
}

void manual_write_man(FILE *out) {
  fprintf(
      out,
      ".Dd November 21, 2026\n.Dt LITSCOPE 1\n.Os litscope %s\n.Sh NAME\n.Nm litscope\n"
      ".Nd checks concurrent programs on machines with scopes\n.Sh SYNOPSIS\n.Nm\n.Op Ar command\n.Op Ar option ...\n"
      ".Ar\n.Sh DESCRIPTION\n.Nm\nchecks litmus tests against memory models, explores what machines do with them,\n"
      "verifies compiler mappings, and says what they cost.\nA first word that is a file runs\n.Cm check .\n"
      "A test is a file, a folder that stands for all tests below it, an index\n.Pa @file\n"
      "that lists files, a name of the Vulkan CTS, in which\n.Ql *\nstands for anything, a program such as\n.Ql Wxn "
      "Wyd|Ryd ! Rxn (wg 0,1) ,\nor\n.Ql - ,\nwhich is standard input.\n"
      "Options have one dash or two;\n.Fl \\-\nends them.\nThe commands are:\n.Bl -tag -width Ds\n",
      LITSCOPE_VERSION);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, ".It Cm %s", command_table[i].name);
    if (*command_table[i].operands) {
      fputs(" Ar ", out);
      write_argument(command_table[i].operands, out);
    }
    fputc('\n', out);
    write_roff(command_table[i].summary, out);
    fputs(".\n", out);
  }
  fputs(".El\n.Pp\nThe options, with the commands that have them:\n.Bl -tag -width Ds\n", out);
  for (int i = 0; i < OPTION_COUNT; i++) write_man_option(&option_table[i], out);
  fputs(
      ".El\n.Ss Options of herd7\n"
      "They have herd7's names and meanings, on the command line and in files of\n.Fl conf .\n"
      ".Ql litscope help \\-format herd\nlists them, with what to do in place of those that are missing.\n"
      "A wrong value is an error, with status 2, even where herd7 ignores it or stops with its list of options.\n"
      "These differ from herd7:\n.Bl -tag -width Ds\n",
      out);
  herd_options_each_difference(write_difference, out);
  fputs(
      ".El\n.Sh ENVIRONMENT\n.Bl -tag -width LITSCOPE_LIB\n.It Ev LITSCOPE_LIB\n"
      "Folders, separated by colons, to search for models, mappings and machines.\n.It Ev NO_COLOR\n"
      "No colour in messages.\n.El\n"
      ".Sh FILES\n.Bl -tag -width Ds\n.It Pa share/litscope\nBelow the prefix of the installation: the folders\n"
      ".Pa models ,\n.Pa mappings\nand\n.Pa litmus ,\nand the JSON Schema of what\n.Fl json\nwrites,\n"
      ".Pa results.schema.json .\nThe member\n.Ql schema\nof a result is the "
      "schema's version, which goes up when a name goes or changes its meaning.\n.El\n",
      out);
  write_exit_statuses(out);
  fputs(
      ".Sh EXAMPLES\n"
      "Why an outcome is forbidden, in words and as a picture:\n"
      ".Dl litscope check \\-why \\-o out \\-svg \\-through invalid test.litmus\n"
      "Several models side by side:\n.Dl litscope check \\-model sc,opencl,opencl\\-rsp litmus/rsp\n"
      "What a test becomes on the machine, and what the machine can show:\n"
      ".Dl litscope compile litmus/rsp/RSP_Test2.litmus\n.Dl litscope explore litmus/rsp/RSP_Test2.litmus\n"
      "Whether a mapping is sound for a folder of tests:\n.Dl litscope verify \\-mapping rsp\\-corrected litmus/rsp\n"
      "What two mappings cost:\n"
      ".Dl litscope cost mapping \\-mapping rsp\\-original,rsp\\-corrected litmus/rsp/RSP_Test2.litmus\n"
      "All of it as a web page,\n.Pa out/index.html :\n"
      ".Dl litscope report \\-o out \\-mapping rsp\\-original,rsp\\-corrected \\-cost litmus/rsp\n"
      "In continuous integration, against results recorded before:\n"
      ".Dl litscope check litmus/rsp > recorded.log\n"
      ".Dl litscope check \\-expect recorded.log \\-junit results.xml litmus/rsp\n"
      ".Sh SEE ALSO\n.Xr litscope-cat 5 ,\n.Xr litscope-litmus 5 ,\n.Xr litscope-log 5 ,\n.Xr litscope-mapping 5\n",
      out);
}

/* ---- completions ---- */

/* The words of a choice, spaces between them. */
static void write_choices(const char *choices, FILE *out) {
  for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, out);
}

static bool is_choice(const struct option *option) {
  return option->kind == OPTION_CHOICE || option->kind == OPTION_BOOL;
}

/* What can be asked of an option's argument. */
enum argument_kind { ARGUMENT_NONE, ARGUMENT_ANY, ARGUMENT_CHOICE, ARGUMENT_FILE, ARGUMENT_FOLDER, ARGUMENT_NAMES };

/* Options whose arguments are names that litscope lists, separated by commas:
 * the function of the completion that lists them. */
static const char *names_function(int option) {
  switch (option) {
    case OPTION_MODEL:
      return "models";
    case OPTION_MAPPING:
      return "mappings";
    case OPTION_MACHINE:
    case OPTION_COST_MACHINE:
      return "machines";
    case OPTION_VARIANT:
      return "variants";
    case OPTION_TARGET:
      return "targets";
    case OPTION_SCHEDULER:
      return "schedulers";
    case OPTION_KNOB:
      return "knobs";
    default:
      return NULL;
  }
}

/* Can a file stand for such a name? */
static bool names_files(int option) {
  return option != OPTION_VARIANT && option != OPTION_SCHEDULER && option != OPTION_KNOB;
}

static enum argument_kind argument_kind(int option) {
  const char *argument = option_table[option].argument;
  if (!argument) return ARGUMENT_NONE;
  if (is_choice(&option_table[option])) return ARGUMENT_CHOICE;
  if (names_function(option)) return ARGUMENT_NAMES;
  return strstr(argument, "FILE") ? ARGUMENT_FILE : strstr(argument, "DIR") ? ARGUMENT_FOLDER : ARGUMENT_ANY;
}

static void write_bash_options(enum command_id command, FILE *out) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (!has(command, i)) continue;
    fprintf(out, " -%s", option_table[i].name);
    if (option_table[i].kind == OPTION_BOOL) fprintf(out, " -no-%s", option_table[i].name);
  }
  fputs(" -help", out);
}

/* The arm of `case` for an option that takes an argument. */
static void write_bash_argument(int option, FILE *out) {
  static const char *const actions[] = {
      [ARGUMENT_ANY] = "return", [ARGUMENT_FILE] = "files=-f", [ARGUMENT_FOLDER] = "files=-d"};
  enum argument_kind kind = argument_kind(option);
  if (kind == ARGUMENT_NONE) return;
  fprintf(out, "        -%s|--%s) ", option_table[option].name, option_table[option].name);
  if (kind == ARGUMENT_CHOICE) {
    fputs("words='", out);
    write_choices(option_table[option].argument, out);
    fputc('\'', out);
  } else if (kind == ARGUMENT_NAMES) {
    fprintf(out, "words=$(_litscope_%s \"$1\")%s", names_function(option), names_files(option) ? " files=-f" : "");
  } else {
    fputs(actions[kind], out);
  }
  fputs(" ;;\n", out);
}

static void write_bash_command(int command, FILE *out) {
  fprintf(out, "    %s) options='", command_table[command].name);
  write_bash_options((enum command_id)command, out);
  fputs("'\n      case $before in\n", out);
  for (int i = 0; i < OPTION_COUNT; i++)
    if (has((enum command_id)command, i)) write_bash_argument(i, out);
  const char *rest = command == COMMAND_COST   ? "words=$(_litscope_views \"$1\") files=-f"
                     : command == COMMAND_HELP ? "words=$commands"
                     : command == COMMAND_LIST ? "words=$(_litscope_list \"$1\" \"${COMP_WORDS[2]}\" $COMP_CWORD)"
                                               : "files=-f";
  fprintf(out, "        *) %s ;;\n      esac ;;\n", rest);
}

#define SCHEDULER_WORD(id, name, owed) " " name " " SCHEDULER_STRONG name

/* Lists of names, by what litscope prints; for both shells. */
static void write_lists(FILE *out) {
  fputs(
      "_litscope_models() { \"$1\" list models 2>/dev/null | awk '/^[^ ]/ {print $1}'; }\n"
      "_litscope_mappings() { \"$1\" list mappings 2>/dev/null | awk '{print $1}'; _litscope_machines \"$1\" | grep "
      "'^adsm'; }\n"
      "_litscope_machines() { \"$1\" list machines 2>/dev/null | awk '{print $1}'; }\n"
      "_litscope_targets() { \"$1\" list targets 2>/dev/null | awk '{print $1}'; }\n"
      "_litscope_variants() { \"$1\" list models 2>/dev/null | awk '/^   [^ ]/ {print $1}' | sort -u; echo "
      "cas-keeps-expected; "
      "}\n"
      "_litscope_schedulers() { printf '%s\\n'" SCHEDULER_LIST(SCHEDULER_WORD) "; }\n"
      "_litscope_knobs() {\n"
      "  \"$1\" list machines $(_litscope_machines \"$1\" | grep -v '^timing') 2>/dev/null |\n"
      "    awk '/^  [a-z]/ {\n"
      "      sub(/:.*/, \"\"); gsub(/\\(or/, \"\"); gsub(/[(),]/, \"\")\n"
      "      for (i = 2; i <= NF; i++) print $1 \"=\" $i\n"
      "    }' | sort -u\n"
      "}\n"
      "_litscope_list() {\n"
      "  case $3:$2 in\n"
      "    2:*) printf '%s\\n' models mappings machines targets ;;\n"
      "    *:models | *:mappings | *:machines | *:targets) \"_litscope_$2\" \"$1\" ;;\n"
      "  esac\n"
      "}\n"
      "_litscope_views() { \"$1\" cost 2>/dev/null | sed -n '/^views:/,/^$/s/^  \\([a-z-]*\\) .*/\\1/p'; echo help; "
      "}\n",
      out);
}

/* Names are completed after the last comma of a list. */
void manual_write_bash(FILE *out) {
  fputs("# bash completion for litscope, made by `litscope help -format bash`\n", out);
  write_lists(out);
  fputs(
      "_litscope() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
      "  local options='' words='' files='' commands='",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "%s%s", i ? " " : "", command_table[i].name);
  fputs(
      "'\n  [[ \" $commands \" == *\" $command \"* && $COMP_CWORD -gt 1 ]] || command=check\n"
      "  case $command in\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) write_bash_command(i, out);
  fputs(
      "  esac\n"
      "  [[ $COMP_CWORD -gt 1 ]] || words=$commands files=-f\n"
      "  local list=${word%\"${word##*,}\"}\n"
      "  if [[ $word == --* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"${options// -/ --}\" -- \"$word\")\n"
      "  elif [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(\n"
      "      [[ -z $words ]] || compgen -P \"$list\" -W \"$words\" -- \"${word#\"$list\"}\"\n"
      "      [[ -z $files ]] || compgen $files -- \"$word\")\n"
      "  fi\n}\n"
      "complete -o filenames -F _litscope litscope\n",
      out);
}

/* A help text within zsh's brackets and quotes. */
static void write_zsh_text(const char *text, FILE *out) {
  print_replaced(out, text, (const char *const[]){"[\\[", "]\\]", ":\\:", "\\\\\\", "''\\''", NULL});
}

static void write_zsh_action(int option, FILE *out) {
  static const char *const ACTIONS[] = {
      [ARGUMENT_FILE] = "_files", [ARGUMENT_FOLDER] = "_files -/", [ARGUMENT_ANY] = " ", [ARGUMENT_NONE] = ""};
  if (argument_kind(option) == ARGUMENT_CHOICE) {
    fputc('(', out);
    write_choices(option_table[option].argument, out);
    fputc(')', out);
  } else if (argument_kind(option) == ARGUMENT_NAMES) {
    fprintf(out, "{_litscope_names %s}", names_function(option));
  } else {
    fputs(ACTIONS[argument_kind(option)], out);
  }
}

/* A line of _arguments: `'-name[help]:argument:action' \`. */
static void write_zsh_option(int i, const char *prefix, FILE *out) {
  const struct option *option = &option_table[i];
  fprintf(out, "      '%s-%s%s[", option->kind == OPTION_LIST_OF ? "*" : "", prefix, option->name);
  write_zsh_text(option->help, out);
  fputc(']', out);
  if (option->argument && !*prefix) {
    fputc(':', out);
    write_zsh_text(option->argument, out);
    fputc(':', out);
    write_zsh_action(i, out);
  }
  fputs("' \\\n", out);
}

static void write_zsh_command(int command, FILE *out) {
  fprintf(out, "  %s)\n    _arguments \\\n", command_table[command].name);
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (!has((enum command_id)command, i)) continue;
    write_zsh_option(i, "", out);
    if (option_table[i].kind == OPTION_BOOL) write_zsh_option(i, "no-", out);
  }
  fputs("      '-help[What the command does and its options]' \\\n", out);
  const char *rest = command == COMMAND_COST   ? "{_litscope_names views}"
                     : command == COMMAND_HELP ? "{_describe command entries}"
                                               : "_files";
  const char *listed = "{compadd -- ${(f)\"$(_litscope_list $program $words[2] $CURRENT)\"}}";
  fprintf(out, "      '*:file:%s' ;;\n", command == COMMAND_LIST ? listed : rest);
}

void manual_write_zsh(FILE *out) {
  fputs(
      "#compdef litscope\n# zsh completion for litscope, made by `litscope help -format zsh`\n"
      "local program=$words[1]\nlocal -a entries\nentries=(\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "  '%s:", command_table[i].name);
    write_zsh_text(command_table[i].summary, out);
    fputs("'\n", out);
  }
  fputs(")\n", out);
  write_lists(out);
  fputs(
      "# Names after the last comma of a list, or files.\n"
      "_litscope_names() {\n  local -a names\n  names=(${(f)\"$(_litscope_$1 $program)\"})\n"
      "  _sequence compadd -a names\n  [[ $1 == (variants|schedulers|knobs) ]] || _files\n}\n"
      "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n  _describe command entries\n  _files\n  return\nfi\n"
      "local command=$words[2]\n"
      "if (( entries[(I)$command:*] )); then\n  shift words\n  (( CURRENT-- ))\nelse\n  command=check\nfi\n"
      "case $command in\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) write_zsh_command(i, out);
  fputs("esac\n", out);
}
