/* SPDX-License-Identifier: MIT */
/* ADSM as a kind of machine: descriptions read from XML, changed by name. */
#include <stddef.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/program/program.h"
#include "hwsem/machines/adsm.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/xml.h"

enum { SIZE_LIMIT = 4096 };

/* Attributes that are numbers. */
static const struct number {
  const char *name;
  size_t offset;
} numbers[] = {
    {"block", offsetof(struct adsm_machine_options, block)},
    {"rolling", offsetof(struct adsm_machine_options, rolling)},
    {"rolling-per-object", offsetof(struct adsm_machine_options, per_object)},
    {"objects", offsetof(struct adsm_machine_options, max_objects)},
};
enum { NUMBERS = ARRAY_COUNT(numbers) };

static bool set_number(struct adsm_machine_options *options, const struct number *number, const char *word,
                       struct diags *diags) {
  int64_t value;
  if (!text_is_number(word, 1, SIZE_LIMIT, &value))
    return diag_fail(diags, "%s must be a number from 1 to %d, not '%s'", number->name, SIZE_LIMIT, word);
  *(unsigned *)((char *)options + number->offset) = (unsigned)value;
  return true;
}

static bool set_protocol(struct adsm_machine_options *options, const char *word, struct diags *diags) {
  for (enum adsm_protocol p = 0; p < ADSM_PROTOCOLS; p++)
    if (!strcmp(word, adsm_protocol_name(p))) {
      options->protocol = p;
      return true;
    }
  return diag_fail(diags, "protocol must be batch, lazy or rolling, not '%s'", word);
}

static bool has(const char *name) {
  return !strcmp(name, "protocol") || FIND_ROW(numbers, NUMBERS, name, name);
}

static bool set(void *settings, const char *name, const char *word, struct diags *diags) {
  struct adsm_machine_options *options = settings;
  const char *names[NUMBERS + 2] = {"protocol"};
  if (!strcmp(name, "protocol")) return set_protocol(options, word, diags);
  for (unsigned i = 0; i < NUMBERS; i++) {
    if (!strcmp(name, numbers[i].name)) return set_number(options, &numbers[i], word, diags);
    names[i + 1] = numbers[i].name;
  }
  const char *nearest = suggest(name, names);
  return diag_fail(diags, "an ADSM machine has no parameter '%s'%s", name, suggest_hint(diags->arena, nearest));
}

static const char *load(struct arena *arena, const char *name, const struct xml_folders *search, void *settings,
                        struct diags *diags) {
  struct adsm_machine_options *options = settings;
  struct xml_file file;
  if (!xml_open(arena, name, (struct xml_kind){"adsm.rng", "machine"}, search, &file, diags)) return NULL;
  *options = (struct adsm_machine_options){.block = 1, .per_object = 2};
  bool good = set_protocol(options, xml_value(file.root, "protocol"), diags);
  for (unsigned i = 0; i < NUMBERS; i++) {
    const char *word = xml_value(file.root, numbers[i].name);
    if (word) good &= set_number(options, &numbers[i], word, diags);
  }
  const char *own_name = xml_value(file.root, "name");
  return good ? own_name : NULL;
}

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  (void)attempt;
  const struct machine *m = adsm_machine_new(request->arena, request->program, request->observables,
                                             request->observable_count, target->settings, diags);
  if (m) *machine = *m;
  return m != NULL;
}

static const char *const usual[] = {"adsm-batch", "adsm-lazy", "adsm-rolling", NULL};

const struct machine_kind adsm_kind = {
    .title = "ADSM",
    .root = "adsm",
    .prefix = "adsm-",
    .usual = usual,
    .explains_undefined = true,
    .settings_size = sizeof(struct adsm_machine_options),
    .runs = program_is_adsm,
    .load = load,
    .has = has,
    .set = set,
    .build = build,
};
