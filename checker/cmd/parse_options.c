/* SPDX-License-Identifier: MIT */
/* Reading a command line by the option table.
 *
 * herd's way: options have one dash (or two), a word or `=` gives the value,
 * options and files mix freely, `--` ends options.  Whatever is wrong is told
 * in one message, with the nearest known word where there is one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/command.h"
#include "checker/cmd/herd_options.h"

int status_join(int a, int b) {
  static const int rank[] = {[STATUS_DONE] = 0, [STATUS_LIMIT] = 1, [STATUS_DIFFERS] = 2, [STATUS_BAD] = 3};
  return rank[a] > rank[b] ? a : b;
}

static void complain(struct diags *diags, const char *message) {
  diag_fail(diags, "%s", message);
}

/* " ; did you mean ...?" or nothing. */
static const char *hint(struct arena *arena, const char *dash, const char *nearest) {
  return nearest ? arena_printf(arena, "; did you mean '%s%s'?", dash, nearest) : "";
}

/* Names of the options that a command has, with `-help` and `-version`. */
static const char **option_names(struct arena *arena, enum command_id command) {
  const char **names = ARENA_ARRAY(arena, const char *, OPTION_COUNT * 2 + 3);
  size_t count = 0;
  ARRAY_EACH (const struct option, option, option_table, OPTION_COUNT) {
    if (!(option->commands >> command & 1)) continue;
    names[count++] = option->name;
    if (option->kind == OPTION_BOOL) names[count++] = arena_printf(arena, "no-%s", option->name);
  }
  names[count++] = "help";
  names[count] = "version";
  return names;
}

static int find_command(const char *word) {
  return ROW_INDEX(command_table, COMMAND_COUNT, name, word);
}

/* Other names of options: herd7's, litmus7's, and what -family of `verify` was once called. */
static const struct {
  const char *name;
  enum option_id id;
} aliases[] = {
    {"cat", OPTION_MODEL}, {"s", OPTION_INSTANCES}, {"r", OPTION_LAUNCHES}, {"exhaustive", OPTION_VERIFY_FAMILY}};

static int find_alias(enum command_id command, const char *name, size_t length) {
  for (size_t i = 0; i < ARRAY_COUNT(aliases); i++)
    if (text_part_is(name, length, aliases[i].name) && option_table[aliases[i].id].commands >> command & 1)
      return (int)aliases[i].id;
  return -1;
}

/* An option of the command by name; -1: none. `*negated` for `-no-name`. */
static int find_option(enum command_id command, const char *name, size_t length, bool *negated) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = &option_table[i];
    if (!(option->commands >> command & 1)) continue;
    *negated = option->kind == OPTION_BOOL && length > 3 && text_begins(name, "no-");
    const char *wanted = *negated ? name + 3 : name;
    size_t size = *negated ? length - 3 : length;
    if (text_part_is(wanted, size, option->name)) return i;
  }
  *negated = false;
  return find_alias(command, name, length);
}

static const char **choices_of(struct arena *arena, const struct option *option) {
  return text_split(arena, option->argument, "|", NULL);
}

/* A number within the option's bounds, wholly read. */
static bool is_number(const struct option *option, const char *text) {
  char *end;
  errno = 0;
  double value = strtod(text, &end);
  if (end == text || *end || errno || !(value >= option->low && value <= option->high)) return false;
  size_t digits = strspn(text, "0123456789");
  return option->kind == OPTION_REAL ? text[strspn(text, "0123456789.eE+-")] == '\0' : text[digits] == '\0';
}

/* herd7's way to take back an option that a file of options gave. */
static bool takes_none(enum option_id id) {
  return id == OPTION_BADFLAG || id == OPTION_THROUGHFLAG || id == OPTION_TIMEOUT || id == OPTION_UNROLL;
}

/* Why a value will not do, or NULL. */
static const char *fault_of_value(struct arena *arena, enum option_id id, const char *value) {
  const struct option *option = &option_table[id];
  if (takes_none(id) && !strcmp(value, "none")) return NULL;
  switch (option->kind) {
    case OPTION_BOOL:
    case OPTION_CHOICE:
      if (text_is_one_of(value, choices_of(arena, option))) return NULL;
      return arena_printf(arena, "option -%s takes %s, not '%s'%s", option->name, option->argument, value,
                          hint(arena, "", suggest(value, choices_of(arena, option))));
    case OPTION_NUMBER:
    case OPTION_REAL:
      if (is_number(option, value)) return NULL;
      return arena_printf(arena,
                          option->kind == OPTION_REAL ? "option -%s takes a number from %.10g to %.10g, not '%s'"
                                                      : "option -%s takes a whole number from %.0f to %.0f, not '%s'",
                          option->name, option->low, option->high, value);
    default:
      if (value[strspn(value, ",")] || id == OPTION_SOURCE_OPTIONS) return NULL; /* a script may have none to pass on */
      return *value ? arena_printf(arena, "option -%s needs %s, not '%s'", option->name, option->argument, value)
                    : arena_printf(arena, "option -%s needs %s, not an empty word", option->name, option->argument);
  }
}

/* Is the word one of the command's options (rather than a value)? */
static bool looks_like_option(enum command_id command, const char *word) {
  if (word[0] != '-' || !word[1]) return false;
  const char *name = word + (word[1] == '-' ? 2 : 1);
  bool negated;
  return find_option(command, name, strcspn(name, "="), &negated) >= 0;
}

/* ---- files of options ---- */

/* A line of a file: `NAME VALUE` or `NAME = VALUE`. */
struct setting {
  const struct source *source;
  struct span name_span, value_span; /* the value's: of its first word, or without any of the name */
  const char *name, *value;
};

enum { CONF_DEPTH = 16 }; /* files that name files */

static const char BLANKS[] = " \t\r";

static size_t skip_blanks(const char *text, size_t at, size_t end) {
  while (at < end && strchr(BLANKS, text[at])) at++;
  return at;
}

static size_t skip_word(const char *text, size_t at, size_t end, const char *stops) {
  while (at < end && !strchr(stops, text[at])) at++;
  return at;
}

/* False: the line is empty or a comment. */
static bool split_setting(struct arena *arena, const struct source *source, size_t at, size_t end,
                          struct setting *setting) {
  const char *text = source->text;
  while (end > at && strchr(BLANKS, text[end - 1])) end--;
  size_t first = skip_blanks(text, at, end), behind = skip_word(text, first, end, " \t\r=");
  if (first == end || text[first] == '#') return false;
  size_t value = skip_blanks(text, behind, end);
  if (value < end && text[value] == '=') value = skip_blanks(text, value + 1, end);
  struct span name = {(uint32_t)first, (uint32_t)(behind > first ? behind - first : 1)}; /* or of the `=` */
  struct span word = {(uint32_t)value, (uint32_t)(skip_word(text, value, end, BLANKS) - value)};
  *setting = (struct setting){.source = source,
                              .name_span = name,
                              .value_span = word.length ? word : name,
                              .name = arena_strndup(arena, text + first, behind - first),
                              .value = arena_strndup(arena, text + value, end - value)};
  return true;
}

/* What a line asks for that changes nothing. */
static const char NOTHING[] = "";

/* herd7's names for options in files that are not those of its command line. */
static const char *option_of_key(const struct setting *setting) {
  if (!strcmp(setting->name, "include")) return "I";
  if (!strcmp(setting->name, "verbose")) return strcmp(setting->value, "0") != 0 ? "v" : NOTHING;
  return setting->name;
}

static void give(struct invocation *call, int id, const char *value) {
  struct option_values *values = &call->values[id];
  if (id == OPTION_SHOW) call->values[OPTION_SHOWFLAG].count = 0; /* as in herd7, the later one counts */
  if (takes_none((enum option_id)id) && !strcmp(value, "none"))
    values->count = 0;
  else
    *vec_push(call->arena, values) = value;
}

static void read_settings(struct invocation *call, const char *path, unsigned depth, struct diags *diags);

static void apply_setting(struct invocation *call, const struct setting *setting, unsigned depth, struct diags *diags) {
  const char *name = option_of_key(setting), *value = setting->value;
  bool negated, level = name != setting->name && !strcmp(name, "v"); /* of verbosity, a number */
  int id = find_option(call->command, name, strlen(name), &negated);
  if (id < 0) {
    const char *text = herd_option_text(name);
    if (!*setting->name) diag_error(diags, setting->source, setting->name_span, "expected the name of an option");
    if (!*setting->name || name == NOTHING || herd_option_is_idle(name)) return;
    if (herd_option_is_missing(name))
      diag_warning(diags, setting->source, setting->name_span, "'%s' is ignored: %s", name, text);
    else
      diag_error(diags, setting->source, setting->name_span, "'%s' takes no option '%s' from a file%s%s",
                 command_table[call->command].name, name, *text ? ": " : "", text);
    return;
  }
  const struct option *option = &option_table[id];
  bool flag = option->kind == OPTION_SWITCH || negated;
  const char *fault = NULL;
  if (!flag)
    fault = fault_of_value(call->arena, (enum option_id)id, value);
  else if (level && (!*value || value[strspn(value, "0123456789")]))
    fault = arena_printf(call->arena, "'verbose' takes a whole number, not '%s'", value);
  else if (*value && strcmp(value, "true") != 0 && !level)
    fault = arena_printf(call->arena, "option -%s takes no value", name);
  if (!fault && id == OPTION_CONF && depth == CONF_DEPTH) fault = "files of options include each other in a circle";
  if (!fault && id == OPTION_CONF && !search_file(call, "models", value, ".cfg"))
    fault = arena_printf(call->arena, "cannot find '%s'", value);
  if (fault)
    diag_error(diags, setting->source, setting->value_span, "%s", fault);
  else
    give(call, id, negated ? "false" : flag ? "true" : value);
  if (!fault && id == OPTION_CONF) read_settings(call, value, depth + 1, diags);
}

/* herd's way: what follows on the command line counts after what the file says; and
 * the file may lie where models do.  After an error in a file that a file names the
 * rest is left: files that name each other often would be read without end. */
static void read_settings(struct invocation *call, const char *path, unsigned depth, struct diags *diags) {
  const char *found = search_file(call, "models", path, ".cfg");
  const struct source *source = source_read(call->arena, found ? found : path, diags);
  if (!source) return;
  struct cursor lines = cursor_at_start(source);
  struct setting setting;
  for (struct span line; !(depth && diags->errors) && cursor_take_line(&lines, &line);)
    if (split_setting(call->arena, source, line.at, line.at + line.length, &setting))
      apply_setting(call, &setting, depth, diags);
}

/* What took the place of an option that a command had; NULL: it had none. */
static const char *moved_option(enum command_id command, const char *name) {
  static const struct {
    enum command_id command;
    const char *name, *text;
  } moved[] = {{COMMAND_CHECK, "cost", "; `litscope cost mapping TEST...` prints prices"},
               {COMMAND_VERIFY, "cost", "; `litscope cost mapping TEST...` prints prices"},
               {COMMAND_REPORT, "cost", "; prices are always there"},
               {COMMAND_SYNTH, "price", "; it is called -cost"}};
  for (size_t i = 0; i < ARRAY_COUNT(moved); i++)
    if (moved[i].command == command && !strcmp(moved[i].name, name)) return moved[i].text;
  return NULL;
}

/* Reads the option argv[*at], and its value; moves *at past both. */
static void read_option(struct invocation *call, int argc, char **argv, int *at, struct diags *diags) {
  const char *word = argv[(*at)++];
  const char *name = word + (word[1] == '-' ? 2 : 1);
  size_t length = strcspn(name, "=");
  bool negated = false;
  int id = find_option(call->command, name, length, &negated);
  if (id < 0) {
    const char *wanted = arena_strndup(call->arena, name, length);
    const char *herd = herd_option_hint(wanted), *text = herd_option_text(wanted);
    bool takes_value;
    if (call->command == COMMAND_CHECK && herd_option_is_passed_over(wanted, &takes_value)) {
      diag_warning(diags, NULL, (struct span){0}, "option -%s, herd's, is ignored%s%s", wanted, *text ? ": " : "",
                   text);
      if (takes_value && !name[length] && *at < argc && access(argv[*at], F_OK)) ++*at; /* a file is a test */
      return;
    }
    if (herd) {
      int length_of_hint = (int)strlen(herd) - (*text ? 0 : 2);
      complain(diags, arena_printf(call->arena, "'%s' has no option '-%s'%.*s%s", command_table[call->command].name,
                                   wanted, length_of_hint, herd, text));
      return;
    }
    const char *nearest = suggest(wanted, option_names(call->arena, call->command));
    const char *moved = moved_option(call->command, wanted);
    complain(diags, arena_printf(call->arena, "'%s' has no option '-%s'%s", command_table[call->command].name, wanted,
                                 moved ? moved : hint(call->arena, "-", nearest)));
    return;
  }
  const struct option *option = &option_table[id];
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  if (option->kind == OPTION_SWITCH || negated) {
    if (value) complain(diags, arena_printf(call->arena, "option -%.*s takes no value", (int)length, name));
    value = negated ? "false" : "true";
  } else if (!value) {
    if (*at == argc || looks_like_option(call->command, argv[*at])) {
      complain(diags, arena_printf(call->arena, "option -%s needs %s", option->name, option->argument));
      return;
    }
    value = argv[(*at)++];
  }
  const char *fault = option->kind == OPTION_SWITCH ? NULL : fault_of_value(call->arena, (enum option_id)id, value);
  if (fault) complain(diags, fault);
  give(call, id, value);
  if (id == OPTION_CONF && !fault && !call->recorded) read_settings(call, value, 0, diags);
}

/* A first word that names no command is a test for `check` when it may be a
 * file: it opens, or it looks like a path. */
static bool may_be_test(const char *word) {
  return access(word, F_OK) == 0 || strchr(word, '/') || word[0] == '@' || strchr(word, '.');
}

/* What a command was once called still calls it, and says its name. */
static int find_renamed(struct invocation *call, const char *word, struct diags *diags) {
  static const struct {
    const char *old, *words, *operand;
    enum command_id id;
  } renamed[] = {
#define RENAMED(old, words, id, operand) {old, words, operand, COMMAND_##id},
      RENAMED_LIST(RENAMED)
#undef RENAMED
  };
  int i = ROW_INDEX(renamed, ARRAY_COUNT(renamed), old, word);
  if (i < 0) return -1;
  diag_note(diags, NULL, (struct span){0}, "`litscope %s` is now `litscope %s`", word, renamed[i].words);
  if (renamed[i].operand) call->words[call->word_count++] = renamed[i].operand;
  return (int)renamed[i].id;
}

/* The command's identifier from the first word; -1 after an error.  *at is
 * moved past a word that names a command. */
static int read_command(struct invocation *call, int argc, char **argv, int *at, struct diags *diags) {
  if (*at == argc) return COMMAND_HELP;
  const char *word = argv[*at];
  int id = find_command(word);
  if (id < 0) id = find_renamed(call, word, diags);
  if (id >= 0) {
    ++*at;
    return id;
  }
  if (word[0] == '-' || may_be_test(word)) return COMMAND_CHECK;
  complain(diags, arena_printf(call->arena, "'%s' is neither a command nor a file%s", word,
                               hint(call->arena, "",
                                    suggest(word, ROW_TEXTS(call->arena, command_table, COMMAND_COUNT, name)))));
  return -1;
}

/* A model, mapping or machine that is named twice would run twice. */
static void check_repeated(const struct invocation *call, struct diags *diags) {
  static const enum option_id lists[] = {OPTION_MODEL, OPTION_MAPPING, OPTION_MACHINE};
  for (size_t list = 0; list < ARRAY_COUNT(lists); list++) {
    size_t count;
    const char *last = option_text(call, lists[list]); /* one -model replaces another; the others add up */
    const char **words = lists[list] == OPTION_MODEL ? text_split(call->arena, last ? last : "", ",", &count)
                                                     : option_words(call, lists[list], &count);
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < i; j++)
        if (!strcmp(words[i], words[j])) {
          complain(diags,
                   arena_printf(call->arena, "option -%s names '%s' twice", option_table[lists[list]].name, words[i]));
          return;
        }
  }
}

/* `litscope -q check T`: without a command before it, an option is one of `check`, and `check` a file. */
static void check_order(const struct invocation *call, int argc, char **argv, struct diags *diags) {
  const char *word = call->word_count ? call->words[0] : NULL;
  if (!word || find_command(word) < 0 || !access(word, F_OK)) return;
  const char *right = arena_printf(call->arena, "litscope %s", word);
  for (int i = 1; i < argc; i++)
    if (argv[i] != word) right = arena_printf(call->arena, "%s %s", right, argv[i]);
  complain(diags, arena_printf(call->arena, "the command comes first: `%s`", right));
}

bool invocation_parse(struct invocation *call, int argc, char **argv, struct diags *diags) {
  int at = 1;
  call->words = ARENA_ARRAY(call->arena, const char *, (size_t)argc + 2);
  call->command = COMMAND_HELP;
  int command = read_command(call, argc, argv, &at, diags);
  if (command < 0) return false;
  call->command = (enum command_id)command;
  call->arguments = argv;
  const bool named = at > 1;
  bool options_end = false;
  while (at < argc) {
    const char *word = argv[at];
    if (options_end || word[0] != '-' || !word[1]) {
      call->words[call->word_count++] = word;
      at++;
    } else if (!strcmp(word, "--") && command == COMMAND_MERGE) {
      call->command_words = argv + at + 1;
      break;
    } else if (!strcmp(word, "--")) {
      options_end = true;
      at++;
    } else {
      read_option(call, argc, argv, &at, diags);
    }
  }
  const char *operands = command_table[command].operands;
  if (call->word_count && !*operands)
    complain(diags, arena_printf(call->arena, "'%s' takes no operands, but '%s' was given", command_table[command].name,
                                 call->words[0]));
  check_repeated(call, diags);
  if (!named) check_order(call, argc, argv, diags);
  return diags->errors == 0;
}

bool option_given(const struct invocation *call, enum option_id id) {
  return call->values[id].count > 0;
}

const char *option_text(const struct invocation *call, enum option_id id) {
  const struct option_values *values = &call->values[id];
  return values->count ? values->at[values->count - 1] : option_table[id].initial;
}

bool option_is(const struct invocation *call, enum option_id id, const char *word) {
  const char *text = option_text(call, id);
  return text && !strcmp(text, word);
}

bool option_on(const struct invocation *call, enum option_id id) {
  return option_is(call, id, "true");
}

uint64_t option_number(const struct invocation *call, enum option_id id) {
  const char *text = option_text(call, id);
  return text ? strtoull(text, NULL, 10) : 0;
}

double option_real(const struct invocation *call, enum option_id id) {
  const char *text = option_text(call, id);
  return text ? strtod(text, NULL) : 0;
}

unsigned option_jobs(const struct invocation *call) {
  unsigned wanted = (unsigned)option_number(call, OPTION_JOBS);
  return wanted ? wanted : pool_processors();
}

const char **option_words(const struct invocation *call, enum option_id id, size_t *count) {
  VEC(const char *) words = {0};
  for (size_t i = 0; i < call->values[id].count; i++) {
    size_t pieces;
    const char **split = text_split(call->arena, call->values[id].at[i], ",", &pieces);
    for (size_t j = 0; j < pieces; j++) *vec_push(call->arena, &words) = split[j];
  }
  *count = words.count;
  *vec_push(call->arena, &words) = NULL;
  return words.at;
}

void option_each_pair(const struct invocation *call, enum option_id id,
                      void (*set)(void *context, const char *name, const char *word, struct diags *diags),
                      void *context, struct diags *diags) {
  size_t count;
  for (const char **pair = option_words(call, id, &count); *pair; pair++) {
    const char *equals = strchr(*pair, '=');
    if (equals)
      set(context, arena_strndup(call->arena, *pair, (size_t)(equals - *pair)), equals + 1, diags);
    else
      diag_fail(diags, "option -%s: expected NAME=WORD, found '%s'", option_table[id].name, *pair);
  }
}
