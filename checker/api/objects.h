/* SPDX-License-Identifier: MIT */
/* What is behind the types of litscope.h that several of its files use. */
#ifndef LITSCOPE_API_OBJECTS_H
#define LITSCOPE_API_OBJECTS_H

#include "checker/api/session.h"
#include "checker/verdict/verdict.h"

struct litscope_test {
  struct arena *arena;
  const struct litmus_test *test;
};

struct litscope_model {
  struct arena *arena;
  const struct cat_model *model;
};

/* Options as the engine takes them, for a call that its session may cancel. */
struct enumerate_options api_engine_options(const litscope *session, const litscope_options *options);

#endif
