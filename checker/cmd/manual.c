/* Manual page and completions. */
#include "cmd/manual.h"

#include <string.h>

#include "cmd/command.h"

#ifndef LITSCOPE_VERSION
#define LITSCOPE_VERSION "0"
#endif

static bool has(enum command_id command, int option) {
  return option_table[option].commands >> command & 1;
}

/* ---- mdoc ---- */

/* Text of a running line: a full stop or quote at its start is no macro, and a
 * backslash no escape. */
static void write_roff(const char *text, FILE *out) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
  }
}

/* The argument of a macro, where a blank would end it. */
static void write_argument(const char *text, FILE *out) {
  fputc('"', out);
  write_roff(text, out);
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

void manual_write_man(FILE *out) {
  fprintf(
      out,
      ".Dd November 2026\n.Dt LITSCOPE 1\n.Os litscope %s\n.Sh NAME\n.Nm litscope\n"
      ".Nd checks concurrent programs on machines with scopes\n.Sh SYNOPSIS\n.Nm\n.Op Ar command\n.Op Ar option ...\n"
      ".Ar\n.Sh DESCRIPTION\n.Nm\nchecks litmus tests against memory models, explores what machines do with them,\n"
      "verifies compiler mappings, and says what they cost.\nA first word that is a file runs\n.Cm check .\n"
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
      ".El\n.Sh FILES\n.Bl -tag -width Ds\n.It Pa results.schema.json\nIn the folder\n.Pa share/litscope\nbelow the "
      "prefix "
      "of the installation: the JSON Schema of what\n.Fl json\nwrites.\nThe member\n.Ql schema\nof a result is the "
      "schema's version, which goes up when a name goes or changes its meaning.\n"
      ".El\n.Sh ENVIRONMENT\n.Bl -tag -width LITSCOPE_LIB\n.It Ev LITSCOPE_LIB\n"
      "Folders, separated by colons, to search for models, mappings and machines.\n.It Ev NO_COLOR\n"
      "No colour in messages.\n.El\n.Sh EXIT STATUS\n.Bl -tag -width Ds\n.It 0\nDone.\n.It 1\n"
      "A result differs from what was expected, or a mapping is unsound.\n.It 2\nBad usage, bad input, or output that "
      "could not be written.\n.It 3\nA limit was met: some answer is missing.\n.El\n.Sh EXAMPLES\n"
      "Why an outcome is forbidden, in words and as a picture:\n"
      ".Dl litscope check \\-why \\-o out \\-svg \\-through invalid test.litmus\n"
      "Whether a mapping is sound for a folder of tests:\n.Dl litscope verify \\-mapping rsp\\-corrected litmus/rsp\n"
      ".Sh SEE ALSO\n.Xr litscope-cat 5 ,\n.Xr litscope-litmus 5 ,\n.Xr litscope-mapping 5\n",
      out);
}

/* ---- completions ---- */

/* The words of a choice, blanks between them. */
static void write_choices(const char *choices, FILE *out) {
  for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, out);
}

static bool is_choice(const struct option *option) {
  return option->kind == OPTION_CHOICE || option->kind == OPTION_BOOL;
}

static void write_options_of(enum command_id command, FILE *out) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (!has(command, i)) continue;
    fprintf(out, " -%s", option_table[i].name);
    if (option_table[i].kind == OPTION_BOOL) fprintf(out, " -no-%s", option_table[i].name);
  }
  fputs(" -help", out);
}

/* What completes an option's argument: `case` arms on the word before. */
static void write_bash_arguments(FILE *out) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = &option_table[i];
    if (!is_choice(option)) continue;
    fprintf(out, "    -%s|--%s) COMPREPLY=($(compgen -W '", option->name, option->name);
    write_choices(option->argument, out);
    fputs("' -- \"$word\")); return ;;\n", out);
  }
  fputs(
      "    -model|--model) COMPREPLY=($(compgen -f -W \"$(litscope models 2>/dev/null | awk '/^[^ ]/ {print $1}')\" -- "
      "\"$word\")); return ;;\n"
      "    -mapping|--mapping) COMPREPLY=($(compgen -f -W \"$(litscope mappings 2>/dev/null | awk '{print $1}')\" -- "
      "\"$word\")); return ;;\n",
      out);
}

void manual_write_bash(FILE *out) {
  fputs(
      "# bash completion for litscope, made by `litscope help -format bash`\n"
      "_litscope() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options\n"
      "  case $before in\n",
      out);
  write_bash_arguments(out);
  fputs("  esac\n  case ${COMP_WORDS[1]} in\n", out);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "    %s) options='", command_table[i].name);
    write_options_of((enum command_id)i, out);
    fputs("' ;;\n", out);
  }
  fputs("    *) options='", out);
  write_options_of(COMMAND_CHECK, out);
  fputs(
      "' ;;\n  esac\n  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [[ $COMP_CWORD == 1 || ${COMP_WORDS[1]} == help ]]; then\n    COMPREPLY=($(compgen -f -W '",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) fprintf(out, "%s ", command_table[i].name);
  fputs(
      "' -- \"$word\"))\n  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
      "complete -o filenames -F _litscope litscope\n",
      out);
}

/* A help text within zsh's brackets and quotes. */
static void write_zsh_text(const char *text, FILE *out) {
  for (; *text; text++) {
    if (strchr("[]:\\", *text)) fputc('\\', out);
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fputc(*text, out);
  }
}

static void write_zsh_option(const struct option *option, FILE *out) {
  bool many = option->kind == OPTION_LIST_OF;
  fprintf(out, "      '%s-%s[", many ? "*" : "", option->name);
  write_zsh_text(option->help, out);
  fputc(']', out);
  if (option->argument) {
    fputc(':', out);
    write_zsh_text(option->argument, out);
    fputc(':', out);
    if (is_choice(option)) {
      fputc('(', out);
      write_choices(option->argument, out);
      fputc(')', out);
    } else if (strstr(option->argument, "FILE") || strstr(option->argument, "DIR")) {
      fputs("_files", out);
    }
  }
  fputs("' \\\n", out);
}

void manual_write_zsh(FILE *out) {
  fputs(
      "#compdef litscope\n# zsh completion for litscope, made by `litscope help -format zsh`\n"
      "local -a commands\ncommands=(\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "  '%s:", command_table[i].name);
    write_zsh_text(command_table[i].summary, out);
    fputs("'\n", out);
  }
  fputs(
      ")\nif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n  _describe command commands\n  _files\n  return\nfi\n"
      "case $words[2] in\n",
      out);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "  %s)\n    _arguments \\\n", command_table[i].name);
    for (int k = 0; k < OPTION_COUNT; k++)
      if (has((enum command_id)i, k)) write_zsh_option(&option_table[k], out);
    fputs("      '*:file:_files' ;;\n", out);
  }
  fputs("  *) _files ;;\nesac\n", out);
}
