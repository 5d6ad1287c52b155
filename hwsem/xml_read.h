/* SPDX-License-Identifier: MIT */
/* XML as a tree, read by libxml2: elements, attributes and text.  Document types
 * are refused, so that there are no entities, and nothing outside the text is
 * ever read.
 */
#ifndef LITSCOPE_HWSEM_XML_READ_H
#define LITSCOPE_HWSEM_XML_READ_H

#include "checker/base/arena.h"
#include "checker/base/diag.h"

struct xml_attribute {
  const char *name, *value;
  const struct xml_attribute *next;
};

struct xml_node {
  const char *name;
  struct xml_attribute *attributes; /* as written */
  struct xml_node *child, *next;    /* elements alone: the first inside, the next after it */
  const char *text;                 /* all text inside, that of elements within too; not NUL-terminated */
  size_t text_at, text_length;      /* its stretch of the document's text */
  struct span span;                 /* the start tag */
};

/* The tree of a text, in the arena.  NULL, with the first mistake as a
 * diagnostic, when it is not well formed. */
struct xml_node *xml_read(struct arena *arena, const struct source *source, struct diags *diags);

#endif
