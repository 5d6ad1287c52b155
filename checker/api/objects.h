/* SPDX-License-Identifier: MIT */
/* What the types of litscope.h are that several of its files use. */
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

/* The functions that free an object, and that tell something of it: of none nothing. */
#define API_FREES(object)                                    \
  void litscope_##object##_free(litscope_##object *object) { \
    if (object) arena_free(object->arena);                   \
  }
#define API_TELLS(type, object, of, value, nothing)                \
  type litscope_##object##_##of(const litscope_##object *object) { \
    return object ? (value) : (nothing);                           \
  }

/* Is the model for tests of this language, or does it not say?  If not, adds a diagnostic. */
bool api_check_language(struct api_call *call, const litscope_test *test, const litscope_model *model,
                        const litscope_options *options);

/* Options as the engine takes them, for a call that its session may cancel. */
struct enumerate_options api_engine_options(const litscope *session, const litscope_options *options);

#endif
