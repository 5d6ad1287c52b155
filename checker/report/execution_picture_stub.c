/* SPDX-License-Identifier: MIT */
/* In the place of execution_picture.c in a build without Graphviz (make GRAPHVIZ=no). */
#include "checker/report/execution_picture.h"

struct grapher *grapher_new(const char *program) {
  (void)program;
  return NULL;
}

void grapher_free(struct grapher *grapher) {
  (void)grapher;
}

const char *grapher_fault(void) {
  return "this litscope was built without pictures (GRAPHVIZ=no)";
}

bool grapher_write(struct grapher *grapher, const struct exhibit *subject, const struct graph_look *look,
                   enum graph_format format, FILE *out) {
  (void)look;
  (void)grapher;
  (void)subject;
  (void)format;
  (void)out;
  return false;
}
