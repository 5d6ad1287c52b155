/* SPDX-License-Identifier: MIT */
/* The tables of command_table.h as data, for all who look a command or an option up
 * by its name. */
#include "checker/cmd/command.h"
#include "checker/small_programs/small_program.h"

const struct command command_table[COMMAND_COUNT] = {
#define COMMAND_ROW(id, name, operands, summary) [COMMAND_##id] = {#name, operands, summary},
    COMMAND_LIST(COMMAND_ROW)
#undef COMMAND_ROW
};

const char *const command_failures[COMMAND_COUNT] = {
    [COMMAND_CHECK] =
        "a `~exists`, `forall` or assertion does not hold, the program is undefined, or no execution of a "
        "kernel ends (see -fail-on); with -expect, a result is not the expected one",
    [COMMAND_EXPLORE] =
        "a `~exists` or `forall` does not hold (see -fail-on); with -expect, a result is not the "
        "expected one",
    [COMMAND_VERIFY] =
        "a mapping or a compiler's code is unsound, or the program is undefined (see -fail-on); with "
        "-expect, a result is not the expected one",
    [COMMAND_PROGRESS] = "with `-fail-on endless`, a run does not end",
    [COMMAND_REPAIR] = "nothing repairs a test",
    [COMMAND_RUN] =
        "a device shows what the model forbids; with -expect, a result is not the expected one. What a "
        "test claims does not matter",
    [COMMAND_REPORT] =
        "a mapping is unsound, or a device shows what the model forbids. What a test claims does not "
        "matter",
    [COMMAND_DIFF] = "the models differ",
    [COMMAND_SYNTH] = "no mapping is sound, or a certificate does not hold"};

/* Names of command_table.h's columns. */
enum {
  KIND_SWITCH = OPTION_SWITCH,
  KIND_BOOL = OPTION_BOOL,
  KIND_CHOICE = OPTION_CHOICE,
  KIND_NUMBER = OPTION_NUMBER,
  KIND_REAL = OPTION_REAL,
  KIND_TEXT = OPTION_TEXT,
  KIND_LIST = OPTION_LIST_OF
};

const struct option option_table[OPTION_COUNT] = {
#define OPTION_ROW(id, name, kind, argument, initial, low, high, commands, help) \
  [OPTION_##id] = {name, (enum option_kind)KIND_##kind, argument, initial, low, high, commands, help},
    OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};
