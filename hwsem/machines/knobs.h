/* SPDX-License-Identifier: MIT */
/* Settings of a kind of machine that are words: a table says which there are, and
 * where each keeps the number of its word.
 *
 *     static const struct knob KNOBS[] = {{"policy", "any all-near", offsetof(struct amo_knobs, policy)}, ...};
 *     static const struct knobs knobs = {"AMO", "amo", KNOBS, ARRAY_COUNT(KNOBS)};
 */
#ifndef LITSCOPE_HWSEM_MACHINES_KNOBS_H
#define LITSCOPE_HWSEM_MACHINES_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "checker/base/array.h"
#include "checker/base/diag.h"
#include "hwsem/xml.h"

struct knob {
  const char *name, *words; /* words are separated by spaces */
  size_t offset;            /* of an unsigned */
  const char *meaning;
  unsigned initial;
};

/* One in words: the number of the word that holds is `chosen`. */
struct knob_text {
  const char *name, *words, *meaning;
  unsigned chosen;
};

struct knobs {
  const char *title, *machine; /* of the kind, in messages; what `list machines` calls one of it */
  const struct knob *rows;
  unsigned count;
};

/* Position of a word in a list of these, -1 when it is not there. */
int knob_word(const char *words, const char *word);

/* All as they are at first. */
void knobs_reset(const struct knobs *knobs, void *settings);

/* The i-th in words; false: there are not so many. */
bool knobs_text(const struct knobs *knobs, const void *settings, unsigned i, struct knob_text *text);

/* The word that holds, up to the next space. */
const char *knob_chosen(const struct knob_text *text);

/* Is one set so? */
bool knobs_are(const struct knobs *knobs, const void *settings, const char *name, const char *word);

/* Is this the name of one? */
bool knobs_have(const struct knobs *knobs, const char *name);

/* Sets one by name and word.  On failure adds a diagnostic. */
bool knobs_set(const struct knobs *knobs, void *settings, const char *name, const char *word, struct diags *diags);

/* Sets those that are attributes of an element; others stay.  On failure adds
 * diagnostics. */
bool knobs_read(const struct knobs *knobs, void *settings, const struct xml_node *element, struct diags *diags);

#endif
