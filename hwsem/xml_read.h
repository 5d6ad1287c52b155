/* SPDX-License-Identifier: MIT */
/* XML as a tree, read by libxml2: elements, attributes and text.  Document types
 * are refused, so that there are no entities, and nothing outside the text is
 * ever read.
 */
#ifndef LITSCOPE_HWSEM_XML_READ_H
#define LITSCOPE_HWSEM_XML_READ_H

#include <stdbool.h>

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

/* Where a document leaves the schema. */
struct xml_fault {
  const struct xml_node *node;           /* the element whose content or attributes do not fit */
  const struct xml_attribute *attribute; /* not NULL: this one does not go with it, */
  bool value;                            /* its value, that is */
  const struct xml_node *child;          /* not NULL: this one does not fit there; both NULL: something lacks */
};

/* The tree of a text, in the arena.  NULL, with the first mistake as a
 * diagnostic, when it is not well formed.  `schema`: a file name such as "mapping.rng", and *fault says where the text
 * leaves it, its node NULL if it follows it; NULL: none. */
struct xml_node *xml_read(struct arena *arena, const struct source *source, const char *schema, struct xml_fault *fault,
                          struct diags *diags);

#endif
