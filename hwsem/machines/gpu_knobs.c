/* SPDX-License-Identifier: MIT */
/* The GPU as a kind of machine: its knobs, names and words from one table, set by
 * option or read from a machine description. */
#include <stddef.h>
#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/machines/gpu_strict.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/xml.h"

struct knob {
  const char *name, *words;
  size_t offset;
};

static const struct knob KNOBS[] = {
#define KNOB_ROW(member, attribute, words, meaning) {attribute, words, offsetof(struct gpu_knobs, member)},
    GPU_KNOB_LIST(KNOB_ROW)
#undef KNOB_ROW
};
enum { KNOB_COUNT = sizeof KNOBS / sizeof *KNOBS };

/* Position of a word in a list separated by spaces, -1 when it is not there. */
static int find_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (int i = 0; *words; i++) {
    size_t here = strcspn(words, " ");
    if (here == length && !memcmp(words, word, length)) return i;
    words += here + (words[here] == ' ');
  }
  return -1;
}

static const struct knob *find_knob(const char *name) {
  for (unsigned i = 0; i < KNOB_COUNT; i++)
    if (!strcmp(KNOBS[i].name, name)) return &KNOBS[i];
  return NULL;
}

static void refuse_name(const char *name, struct diags *diags) {
  const char *names[KNOB_COUNT + 1] = {NULL};
  for (unsigned i = 0; i < KNOB_COUNT; i++) names[i] = KNOBS[i].name;
  const char *better = suggest(name, names);
  diag_error(diags, NULL, (struct span){0, 0}, "the GPU machine has no knob '%s'%s", name,
             suggest_hint(diags->arena, better));
}

bool gpu_knobs_set(struct gpu_knobs *knobs, const char *name, const char *word, struct diags *diags) {
  const struct knob *knob = find_knob(name);
  if (!knob) {
    refuse_name(name, diags);
    return false;
  }
  int value = find_word(knob->words, word);
  if (value < 0) {
    diag_error(diags, NULL, (struct span){0, 0}, "knob %s cannot be '%s': expected one of %s", name, word, knob->words);
    return false;
  }
  *(unsigned *)((char *)knobs + knob->offset) = (unsigned)value;
  return true;
}

const char *gpu_knobs_load(struct arena *arena, const char *name, const struct xml_search *search,
                           struct gpu_knobs *knobs, struct diags *diags) {
  struct xml_file file;
  if (!xml_open(arena, name, "gpu.rng", "machine", search, &file, diags)) return NULL;
  *knobs = (struct gpu_knobs){0};
  bool good = true;
  for (unsigned i = 0; i < KNOB_COUNT; i++) {
    const char *word = xml_value(file.root, KNOBS[i].name);
    if (word) good &= gpu_knobs_set(knobs, KNOBS[i].name, word, diags);
  }
  const char *own_name = xml_value(file.root, "name");
  return good ? own_name : NULL;
}

/* The kind. */

static bool runs(const struct program *program) {
  return !program_is_adsm(program) && !program->assembly;
}

static const char *load(struct arena *arena, const char *name, const struct xml_search *search, void *settings,
                        struct diags *diags) {
  return gpu_knobs_load(arena, name, search, settings, diags);
}

static bool has(const char *name) {
  return find_knob(name) != NULL;
}

static bool set(void *settings, const char *name, const char *word, struct diags *diags) {
  return gpu_knobs_set(settings, name, word, diags);
}

static bool check(const struct target *target, const struct program *program, struct arena *arena,
                  struct diags *diags) {
  return compile_program(arena, program, target->mapping, diags) != NULL;
}

/* Bits of values, by attempt. */
static const unsigned WIDTHS[] = {0, 8, 16, 32, 64};

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  const struct hw_program *program = compile_program(request->arena, request->program, target->mapping, diags);
  return program && gpu_machine(program, target->settings, request, WIDTHS[attempt], machine, diags);
}

static const char *const usual[] = {"gpu", NULL};

const struct machine_kind gpu_kind = {
    .title = "GPU",
    .root = "gpu",
    .usual = usual,
    .mapped = true,
    .settings_size = sizeof(struct gpu_knobs),
    .attempts = sizeof WIDTHS / sizeof *WIDTHS,
    .follow = {gpu_strict_refuses, gpu_strict_machine, gpu_strict_key, gpu_strict_describe},
    .runs = runs,
    .load = load,
    .has = has,
    .set = set,
    .check = check,
    .build = build,
};
