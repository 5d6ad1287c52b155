/* SPDX-License-Identifier: MIT */
/* The GPU's knobs: names and words from one table, set by option or read from a
 * machine description. */
#include <stddef.h>
#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/machines/gpu.h"
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
    if (here == length && memcmp(words, word, length) == 0) return i;
    words += here + (words[here] == ' ');
  }
  return -1;
}

static const struct knob *find_knob(const char *name) {
  for (unsigned i = 0; i < KNOB_COUNT; i++)
    if (strcmp(KNOBS[i].name, name) == 0) return &KNOBS[i];
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

bool gpu_knobs_load(struct arena *arena, const char *name, const struct xml_search *search, struct gpu_knobs *knobs,
                    struct diags *diags) {
  struct xml_file file;
  if (!xml_open(arena, name, "gpu.rng", "machine", search, &file, diags)) return false;
  *knobs = (struct gpu_knobs){0};
  bool good = true;
  for (unsigned i = 0; i < KNOB_COUNT; i++) {
    const char *word = xml_attribute(arena, file.root, KNOBS[i].name);
    if (word) good &= gpu_knobs_set(knobs, KNOBS[i].name, word, diags);
  }
  xml_close(&file);
  return good;
}
