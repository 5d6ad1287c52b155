/* SPDX-License-Identifier: MIT */
/* Where model files are. */
#ifndef LITSCOPE_CAT_FIND_MODELS_H
#define LITSCOPE_CAT_FIND_MODELS_H

#include "checker/cat/cat.h"

/* The path of a model given by name or path; NULL: there is none.  A path is
 * taken as it is; a bare name is first one of the installed models. */
const char *find_model(struct arena *arena, const struct cat_search *search, const char *name);

/* The path of a file that the file `from` includes; NULL: there is none. */
const char *find_include(struct arena *arena, const struct cat_search *search, const char *from, const char *name);

/* The installed model whose name is nearest to a misspelt one; NULL: none is near. */
const char *find_suggestion(struct arena *arena, const struct cat_search *search, const char *name);

bool find_is_same_file(const char *a, const char *b);

#endif
