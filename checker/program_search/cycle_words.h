/* SPDX-License-Identifier: MIT */
/* Edges of cycles by diy's words, and lists of them with wildcards (cycle.h has what
 * they mean). */
#ifndef LITSCOPE_PROGRAM_SEARCH_CYCLE_WORDS_H
#define LITSCOPE_PROGRAM_SEARCH_CYCLE_WORDS_H

#include "checker/program_search/cycle.h"

struct edge {
  bool external, same; /* to another thread; to the same location */
  bool reads_from, from_read;
  bool fence;
  char dependency; /* '!' control, '&' address, '^' data; 0: none */
  char from, to;
  const char *shown; /* inside a thread: in names */
};

/* false: it is no edge. */
bool cycle_edge_read(const char *word, struct edge *edge);

bool cycle_words_have(const struct cycle_words *words, const char *word);

#endif
