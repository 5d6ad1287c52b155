/* SPDX-License-Identifier: MIT */
/* The AMD machine's knobs by name: what AMD_KNOB_LIST says, as a table. */
#include <string.h>

#include "hwsem/amd/machine.h"
#include "hwsem/machines/kinds.h"

static const struct {
  const char *name, *words;
  size_t offset;
  unsigned initial;
  const char *meaning;
} KNOBS[] = {
#define KNOB_ROW(member, name, words, initial, meaning) \
  {name, words, offsetof(struct amd_knobs, member), initial, meaning},
    AMD_KNOB_LIST(KNOB_ROW)
#undef KNOB_ROW
};
enum { KNOB_COUNT = sizeof KNOBS / sizeof *KNOBS };

static unsigned *knob_at(struct amd_knobs *knobs, unsigned i) {
  return (unsigned *)(void *)((char *)knobs + KNOBS[i].offset);
}

struct amd_knobs amd_knobs_default(void) {
  struct amd_knobs knobs;
  for (unsigned i = 0; i < KNOB_COUNT; i++) *knob_at(&knobs, i) = KNOBS[i].initial;
  return knobs;
}

bool amd_knobs_text(const struct amd_knobs *knobs, unsigned i, struct knob_text *text) {
  if (i >= KNOB_COUNT) return false;
  unsigned chosen = *(const unsigned *)(const void *)((const char *)knobs + KNOBS[i].offset);
  *text = (struct knob_text){KNOBS[i].name, KNOBS[i].words, KNOBS[i].meaning, chosen};
  return true;
}

static int find_knob(const char *name) {
  for (int i = 0; i < KNOB_COUNT; i++)
    if (!strcmp(KNOBS[i].name, name)) return i;
  return -1;
}

bool amd_knobs_have(const char *name) {
  return find_knob(name) >= 0;
}

bool amd_knobs_set(struct amd_knobs *knobs, const char *name, const char *word, struct diags *diags) {
  int i = find_knob(name);
  if (i < 0) {
    const char *names[KNOB_COUNT + 1] = {NULL};
    for (unsigned k = 0; k < KNOB_COUNT; k++) names[k] = KNOBS[k].name;
    diag_error(diags, NULL, (struct span){0, 0}, "the AMD machine has no knob '%s'%s", name,
               suggest_hint(diags->arena, suggest(name, names)));
    return false;
  }
  const char *words = KNOBS[i].words;
  for (unsigned value = 0; *words; value++) {
    size_t length = strcspn(words, " ");
    if (strlen(word) == length && !memcmp(words, word, length)) {
      *knob_at(knobs, (unsigned)i) = value;
      return true;
    }
    words += length + (words[length] == ' ');
  }
  diag_refuse_word(diags, arena_printf(diags->arena, "knob %s", name), word, KNOBS[i].words);
  return false;
}
