/* SPDX-License-Identifier: MIT */
/* Words that mean something by their spelling, in one place.
 *
 * The .cat language has no way to say these things, and models written
 * elsewhere say them by how they call themselves and their flags. */
#ifndef LITSCOPE_CAT_NAMING_CONVENTIONS_H
#define LITSCOPE_CAT_NAMING_CONVENTIONS_H

#include <stdbool.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"

enum convention {
  FLAG_UNDEFINED,  /* a flag's name: what raises it is undefined behaviour, such as a race */
  FLAG_RACE,       /* a flag's name: what raises it is a race */
  TITLE_ADSM,      /* a model's title: it sees the sets of ADSM programs */
  NAME_PUBLISHED,  /* a model's name: bad executions are counted as with the 2015 herd */
  NAME_BASE,       /* a model's name: only for others to include */
  LANGUAGE,        /* a word of a comment `languages:`: tests have headers that begin with it */
  NAME_HRF_NATIVE, /* a model's name: C has the last word (models_in_c/models_in_c.h) */
  CONVENTIONS
};

/* Does the convention hold for this text (NULL: no)? */
bool convention_holds(enum convention convention, const char *text);

/* What a model's text says of its flag, in a comment of lines `name   what it means` that begins with `flags:`;
 * NULL: nothing. */
const char *convention_meaning(struct arena *arena, const char *text, const char *flag);

/* What a model's text says in a comment that begins with `languages:`, next to its title (NULL: it has none) and on
 * the same line; empty: nothing. */
struct span convention_languages(const char *text, const char *title);

#endif
