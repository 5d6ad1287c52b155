/* SPDX-License-Identifier: MIT */
/* Settings of machines that are words, set by option or read from a description. */
#include "hwsem/machines/knobs.h"

#include <string.h>

#include "checker/base/text.h"

int knob_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (int i = 0; *words; i++) {
    size_t here = strcspn(words, " ");
    if (here == length && !memcmp(words, word, length)) return i;
    words += here + (words[here] == ' ');
  }
  return -1;
}

static const struct knob *find_knob(const struct knobs *knobs, const char *name) {
  return FIND_ROW(knobs->rows, knobs->count, name, name);
}

static unsigned *knob_at(const struct knob *knob, const void *settings) {
  return (unsigned *)(void *)((char *)(uintptr_t)settings + knob->offset);
}

void knobs_reset(const struct knobs *knobs, void *settings) {
  for (unsigned i = 0; i < knobs->count; i++) *knob_at(&knobs->rows[i], settings) = knobs->rows[i].initial;
}

bool knobs_text(const struct knobs *knobs, const void *settings, unsigned i, struct knob_text *text) {
  if (i >= knobs->count) return false;
  const struct knob *row = &knobs->rows[i];
  *text = (struct knob_text){row->name, row->words, row->meaning, *knob_at(row, settings)};
  return true;
}

const char *knob_chosen(const struct knob_text *text) {
  const char *word = text->words;
  for (unsigned i = 0; i < text->chosen; i++) word += strcspn(word, " ") + 1;
  return word;
}

bool knobs_are(const struct knobs *knobs, const void *settings, const char *name, const char *word) {
  const struct knob *knob = find_knob(knobs, name);
  return *knob_at(knob, settings) == (unsigned)knob_word(knob->words, word);
}

bool knobs_have(const struct knobs *knobs, const char *name) {
  return find_knob(knobs, name) != NULL;
}

static void refuse_name(const struct knobs *knobs, const char *name, struct diags *diags) {
  const char *near = suggest(name, ROW_TEXTS(diags->arena, knobs->rows, knobs->count, name));
  const char *hint = near ? suggest_hint(diags->arena, near)
                          : arena_printf(diags->arena, " (`litscope list machines %s` lists them)", knobs->machine);
  diag_fail(diags, "the %s machine has no knob '%s'%s", knobs->title, name, hint);
}

bool knobs_set(const struct knobs *knobs, void *settings, const char *name, const char *word, struct diags *diags) {
  const struct knob *knob = find_knob(knobs, name);
  if (!knob) {
    refuse_name(knobs, name, diags);
    return false;
  }
  int value = knob_word(knob->words, word);
  if (value < 0) return diag_refuse_word(diags, arena_printf(diags->arena, "knob %s", name), word, knob->words);
  *knob_at(knob, settings) = (unsigned)value;
  return true;
}

bool knobs_read(const struct knobs *knobs, void *settings, const struct xml_node *element, struct diags *diags) {
  bool good = true;
  for (unsigned i = 0; i < knobs->count; i++) {
    const char *word = xml_value(element, knobs->rows[i].name);
    if (word) good &= knobs_set(knobs, settings, knobs->rows[i].name, word, diags);
  }
  return good;
}
