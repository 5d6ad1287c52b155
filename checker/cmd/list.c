/* SPDX-License-Identifier: MIT */
/* `list`: what is installed, models, mappings and machines; targets are in list_targets.c. What
 * a list says of a file comes from the file: a model's title and variants, a
 * description's title or text. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cat/naming_conventions.h"
#include "checker/cmd/command.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/model_options.h"
#include "checker/explain/explain_failed_check.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/prices/parameters.h"
#include "hwsem/xml_folders.h"

struct installed {
  const char *name, *path;
};

struct listing {
  struct installed *at;
  size_t count, room;
};

/* All files of a kind in the search folders; of one name, the first. */
static struct listing list_installed(struct invocation *call, const char *kind, const char *suffix) {
  struct listing listing = {0};
  size_t count;
  const char **folders = search_folders(call, kind, &count);
  for (const char **name = names_in_folders(call->arena, folders, count, suffix); *name; name++) {
    const char *file = arena_printf(call->arena, "%s%s", *name, suffix);
    const char *path = path_in_folders(call->arena, folders, count, file);
    if (path) *vec_push(call->arena, &listing) = (struct installed){*name, path};
  }
  return listing;
}

static const struct source *read_quietly(struct arena *arena, const char *path) {
  struct diags diags = diags_new(arena);
  return source_read(arena, path, &diags);
}

/* The model's title: the string or the bare words of its first line. */
static const char *title_of_model(struct arena *arena, const char *text) {
  text += strspn(text, " \t\r\n");
  size_t length = strcspn(text, "\r\n");
  if (text[0] == '"') {
    text++;
    length = strcspn(text, "\"");
  } else if (text_begins(text, "(*")) {
    return "";
  }
  return arena_strndup(arena, text, length);
}

/* What the model's comment says after `variants:`, one line each; NULL: none. */
static const char *variants_of_model(struct arena *arena, const char *text) {
  const char *start = strstr(text, "variants:\n");
  if (!start) return NULL;
  start += strlen("variants:\n");
  const char *stop = strstr(start, "*)");
  size_t length = stop ? (size_t)(stop - start) : strlen(start);
  while (length && strchr(" \t\n", start[length - 1])) length--;
  return arena_strndup(arena, start, length);
}

/* ---- one by name ---- */

static const struct installed *find_installed(struct invocation *call, const struct listing *listing, const char *name,
                                              const char *what, struct diags *diags) {
  const struct installed *found = FIND_ROW(listing->at, listing->count, name, name);
  const char **names = ROW_TEXTS(call->arena, listing->at, listing->count, name);
  if (!found)
    diag_fail(diags, "no %s '%s' is installed%s", what, name, suggest_hint(call->arena, suggest(name, names)));
  return found;
}

static void print_checks(const struct cat_model *model, struct arena *arena) {
  static const char *const roles[] = {
      [ROLE_REQUIRE] = "axiom", [ROLE_FLAG] = "flag", [ROLE_UNDEFINED] = "undefined unless"};
  ARRAY_EACH (const struct cat_check, check, model->ir.checks, model->ir.check_count)
    printf("  %-16s  %-18s  %s\n", roles[check->role], check->name, check_statement(arena, check));
}

/* A model: where it is, for which tests it is the default, its words and its checks. */
static void show_model(struct invocation *call, const struct installed *installed, struct diags *diags) {
  const struct source *source = source_read(call->arena, installed->path, diags);
  const struct cat_model *model = source ? models_read(call, installed->name, diags) : NULL;
  if (!model) return;
  printf("%s: %s\n  %s\n", installed->name, title_of_model(call->arena, source->text), installed->path);
  for (int language = 0; language < LANGUAGES; language++) {
    const char *usual = litmus_default_model((enum litmus_language)language);
    if (usual && !strcmp(usual, installed->name))
      printf("  the default for %s\n", litmus_language_word((enum litmus_language)language));
  }
  const char *variants = variants_of_model(call->arena, source->text);
  if (variants) printf("words for -variant:\n%s\n", variants);
  if (model->ir.check_count) puts("checks, which -skipcheck can leave out:");
  print_checks(model, call->arena);
}

static int list_models(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  struct listing models = list_installed(call, "models", ".cat");
  for (size_t i = 0; i < call->word_count; i++) {
    const struct installed *named = find_installed(call, &models, call->words[i], "model", &diags);
    if (named) show_model(call, named, &diags);
  }
  if (call->word_count) return diags_report(&diags);
  for (size_t i = 0; i < models.count; i++) {
    if (convention_holds(NAME_BASE, models.at[i].name)) continue;
    const struct source *source = read_quietly(call->arena, models.at[i].path);
    if (!source) continue;
    printf("%-26s%s\n", models.at[i].name, title_of_model(call->arena, source->text));
    const char *variants = variants_of_model(call->arena, source->text);
    if (variants) printf("%28s-variant words:\n%s\n", "", variants);
  }
  return STATUS_DONE;
}

/* Lists the XML files whose root element is that of a mapping, to instructions or
 * to a language, or of anything else (machines). */
static int list_descriptions(struct invocation *call, bool mappings) {
  struct listing listing = list_installed(call, "mappings", ".xml");
  for (size_t i = 0; i < listing.count; i++) {
    struct xml_summary summary;
    if (!xml_summarise(call->arena, listing.at[i].path, &summary)) continue;
    bool is_mapping = !strcmp(summary.root, "mapping") || !strcmp(summary.root, "translation");
    if (is_mapping == mappings) printf("%-26s%s\n", listing.at[i].name, summary.text);
  }
  return STATUS_DONE;
}

static int list_mappings(struct invocation *call) {
  if (!call->word_count) return list_descriptions(call, true);
  struct diags diags = diags_new(call->arena);
  diag_fail(&diags, "'list mappings' takes no names, but '%s' was given", call->words[0]);
  return diags_report(&diags);
}

/* A knob's words, the one that holds first: `fifo (or any)`. */
static void print_words(const struct knob_text *knob) {
  unsigned number = 0;
  bool others = false;
  const char *words = knob_chosen(knob);
  printf("  %-20s%.*s", knob->name, (int)strcspn(words, " "), words);
  for (words = knob->words; *words; number++) {
    size_t length = strcspn(words, " ");
    if (number != knob->chosen) printf("%s%.*s", others ? ", " : " (or ", (int)length, words);
    others |= number != knob->chosen;
    words += length + (words[length] == ' ');
  }
  printf("%s: %s\n", others ? ")" : "", knob->meaning);
}

static void print_parameters(struct invocation *call, const char *name, const struct xml_folders *search,
                             struct diags *diags) {
  const struct description *description = description_load(call->arena, name, search, diags);
  if (!description) return;
  puts("parameters, which -params NAME=VALUE sets:");
  for (size_t i = 0; i < description->parameters.count; i++) parameter_print(&description->parameters.at[i], stdout);
}

/* A machine: where its description is, and its knobs, each with its word and what else it can be; of a timed machine
 * its parameters. */
static void show_machine(struct invocation *call, const struct installed *installed, struct diags *diags) {
  struct xml_summary summary;
  struct xml_folders search = mapping_search(call);
  if (!xml_summarise(call->arena, installed->path, &summary)) return;
  printf("%s: %s\n  %s\n", installed->name, summary.text, installed->path);
  const struct machine_kind *kind = machine_kind_of_root(summary.root);
  if (!strcmp(summary.root, "timing")) {
    print_parameters(call, installed->name, &search, diags);
    return;
  }
  if (!kind || !kind->knobs) return;
  void *settings = arena_alloc(call->arena, kind->settings_size);
  if (!machine_kind_load(kind, call->arena, installed->name, &search, settings, diags)) return;
  puts("knobs, which -knob NAME=WORD sets:");
  struct knob_text knob;
  for (unsigned i = 0; knobs_text(kind->knobs, (const char *)settings + kind->knobs_at, i, &knob); i++)
    print_words(&knob);
}

static int list_machines(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  struct listing listing = list_installed(call, "mappings", ".xml");
  for (size_t i = 0; i < call->word_count; i++) {
    const struct installed *named = find_installed(call, &listing, call->words[i], "machine", &diags);
    if (named) show_machine(call, named, &diags);
  }
  return call->word_count ? diags_report(&diags) : list_descriptions(call, false);
}

/* ---- by kind ---- */

static const struct kind {
  const char *name;
  int (*list)(struct invocation *call);
} kinds[] = {
    {"models", list_models}, {"mappings", list_mappings}, {"machines", list_machines}, {"targets", list_targets}};

enum { KINDS = ARRAY_COUNT(kinds) };

/* All of them, under their names. */
static int list_all(struct invocation *call) {
  int status = STATUS_DONE;
  for (size_t i = 0; i < KINDS; i++) {
    printf("%s%s:\n", i ? "\n" : "", kinds[i].name);
    status = status_join(status, kinds[i].list(call));
  }
  return status;
}

int command_list(struct invocation *call) {
  if (!call->word_count) return list_all(call);
  const char *asked = call->words[0];
  int kind = ROW_INDEX(kinds, KINDS, name, asked);
  call->words++;
  call->word_count--;
  if (kind >= 0) return kinds[kind].list(call);
  struct diags diags = diags_new(call->arena);
  diag_fail(&diags, "there is no list of '%s': models, mappings, machines or targets%s", asked,
            suggest_hint(call->arena, suggest(asked, ROW_TEXTS(call->arena, kinds, KINDS, name))));
  return diags_report(&diags);
}
