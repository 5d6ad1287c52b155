/* All ways to choose rf and co for one event structure. */
#ifndef LITSCOPE_EXEC_SEARCH_H
#define LITSCOPE_EXEC_SEARCH_H

#include "exec/bounds.h"
#include "exec/enumerate.h"
#include "exec/structure.h"

/* What one worker has done and how it shares work with others. */
struct search_control {
  const struct enumerate_options *options;
  const struct enumerate_sink *sink;
  struct enumerate_stats stats;
  enum enumerate_end end;
  double deadline; /* of the monotonic clock; 0: none */
  uint64_t ticks;

  /* Work sharing.  The search tree's subtrees at split_depth, and its leaves
   * above it, are units; every worker walks the same tree down to there and
   * does the units whose number it draws from the shared counter. */
  unsigned split_depth;      /* 0: one worker, no units */
  uint64_t unit;             /* number of the next unit in the walk */
  uint64_t mine;             /* number drawn */
  uint64_t (*draw)(void *context);
  bool (*stopped)(void *context); /* another worker stopped the search */
  void *context;
};

/* Searches one structure.  Returns false when the search is to stop, with the
 * reason in control->end. */
bool search_structure(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                      struct structure *structure, struct search_control *control);

/* Seconds of the monotonic clock. */
double monotonic_seconds(void);

#endif
